//! What could not be done, told once for everything it holds for.

/// A release that could not be made, or not be learned from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) method: String,
    pub(super) inducer: Option<String>,
    pub(super) k: Option<u64>,
    pub(super) why: String,
}

/// One note for each method and reason, in the order in which they are met.
pub(super) fn notes(failures: &[Failure]) -> Vec<String> {
    let mut told: Vec<(&str, &str)> = Vec::new();
    for failure in failures {
        let both = (failure.method.as_str(), failure.why.as_str());
        if !told.contains(&both) {
            told.push(both);
        }
    }
    told.into_iter().map(|(method, why)| note(method, why, failures)).collect()
}

fn note(method: &str, why: &str, failures: &[Failure]) -> String {
    let same: Vec<&Failure> = failures.iter().filter(|f| f.method == method && f.why == why).collect();
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
