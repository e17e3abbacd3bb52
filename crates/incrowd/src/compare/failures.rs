//! Failures, with one note per method and reason.

use crate::Error;
use serde::{Deserialize, Serialize};

/// A release that could not be made, or that an inducer could not learn from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) method: String,
    pub(super) inducer: Option<String>,
    pub(super) k: Option<u64>,
    pub(super) why: String,
    /// Whether no release can meet the guarantee.
    pub(super) breach: bool,
}

/// The reason why a release could not be made, and whether it is the guarantee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct NotMade {
    why: String,
    breach: bool,
}

impl From<Error> for NotMade {
    fn from(error: Error) -> Self {
        Self { why: error.to_string(), breach: error.is_about_the_guarantee() }
    }
}

impl NotMade {
    /// The failure of a release of all rows.
    pub(super) fn of(self, method: String, k: u64) -> Failure {
        Failure { method, inducer: None, k: Some(k), why: self.why, breach: self.breach }
    }
}

/// The error of a comparison without any release.
pub(super) fn nothing_made(failures: &[Failure]) -> Error {
    let notes = notes(failures).join("; ");
    if failures.iter().any(|failure| failure.breach) {
        Error::unsatisfiable("no method makes a release that meets the guarantee").help(notes)
    } else {
        Error::input("no method could make a release").help(notes)
    }
}

impl Failure {
    /// The reason without the value of k, so that it is equal for every k. The note names the k separately.
    fn reason(&self) -> String {
        self.k.map_or_else(|| self.why.clone(), |k| self.why.replace(&format!("`k = {k}"), "`k"))
    }
}

/// One note per method and reason, in order of appearance.
pub(super) fn notes(failures: &[Failure]) -> Vec<String> {
    let mut told: Vec<(&str, String, Vec<&Failure>)> = Vec::new();
    for failure in failures {
        let reason = failure.reason();
        match told.iter_mut().find(|(method, why, _)| *method == failure.method && *why == reason) {
            Some((_, _, same)) => same.push(failure),
            None => told.push((&failure.method, reason, vec![failure])),
        }
    }
    told.iter().map(|(method, why, same)| note(method, why, same)).collect()
}

fn note(method: &str, why: &str, same: &[&Failure]) -> String {
    let mut ks: Vec<u64> = same.iter().filter_map(|failure| failure.k).collect();
    ks.sort_unstable();
    ks.dedup();
    let ks: Vec<String> = ks.iter().map(u64::to_string).collect();
    let at = if ks.is_empty() { String::new() } else { format!(" at k = {}", ks.join(", ")) };
    let mut inducers: Vec<&str> = same.iter().filter_map(|failure| failure.inducer.as_deref()).collect();
    inducers.sort_unstable();
    inducers.dedup();
    let with = match inducers.as_slice() {
        [inducer] => format!(" with {inducer}"),
        _ => String::new(),
    };
    format!("{method}{with}{at} is left out: {why}")
}
