//! What earlier releases promise, compared with what a new one requires.
//!
//! What holds for all releases together is what the newest requires: if it required less than an earlier one, the promise
//! of that one would no longer hold, while the ledger goes on listing it.

use incrowd_core::guarantee::Guarantee;
use incrowd_core::{Error, Result};
use incrowd_io::ledger::{Ledger, LedgerRecord};

/// The private attributes that the requirements of a guarantee apply to, as a ledger records them.
pub(super) fn scope_of(guarantee: &Guarantee) -> Option<String> {
    let words = || guarantee.scope().in_words().replace(char::is_control, "\u{fffd}");
    guarantee.looks_at_values().then(words)
}

/// Fails if an earlier release promises what a new one does not require.
pub(super) fn check_promises(own: &LedgerRecord, ledger: &Ledger) -> Result<()> {
    for record in &ledger.records {
        let is_lost = |promise: &&String| !own.guarantee.iter().any(|required| covers(required, promise));
        if let Some(promise) = record.guarantee.iter().find(is_lost) {
            let error = lost(record, promise);
            return Err(if promise.starts_with("k = ") { error.of_parameter("k") } else { error });
        }
        if let Some(preset) = record.presets.iter().find(|preset| !own.presets.contains(preset)) {
            return Err(lost(record, &format!("the preset {preset}")).of_parameter("preset"));
        }
        // Lines of older programs do not state the attributes.
        let is_wider = own.of.as_deref() == Some(EVERY) || record.of.is_none() || record.of == own.of;
        if let (false, Some(of)) = (is_wider, &record.of) {
            return Err(lost(record, &format!("its requirements for {of}")).of_parameter("of"));
        }
    }
    Ok(())
}

/// All attributes, as a guarantee words them.
const EVERY: &str = "every private attribute";

fn lost(record: &LedgerRecord, promise: &str) -> Error {
    Error::parameters(format!(
        "release {} of the ledger promises {promise}, and this release would require less",
        record.number
    ))
    .help(
        "require as much or more, here or in the policy: what holds for all releases together is what the newest \
         requires",
    )
}

/// Whether a requirement implies another one, as both are worded.
fn covers(own: &str, promise: &str) -> bool {
    if own == promise {
        return true;
    }
    let (Some(own), Some(promise)) = (Worded::of(own), Worded::of(promise)) else { return false };
    let is_as_strict = match own.name {
        "k" | "distinct l" | "entropy l" | "smallest bin" => own.bound >= promise.bound,
        "confidence" | "alpha" | "beta" | "t" => own.bound <= promise.bound,
        _ => false,
    };
    // Of k: to count over all rows is stricter, to exempt single bins is weaker.
    let is_stricter =
        own.name == "k" && (own.is_strict() || !promise.is_strict()) && (!own.exempts() || promise.exempts());
    own.name == promise.name && is_as_strict && (own.rest == promise.rest || is_stricter)
}

/// A requirement in words: `k = 5 (over all rows of an individual)`.
struct Worded<'a> {
    name: &'a str,
    bound: f64,
    rest: &'a str,
}

impl<'a> Worded<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let (name, rest) = text.split_once(" <= ").or_else(|| text.split_once(" = "))?;
        let (bound, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        Some(Self { name, bound: bound.parse().ok()?, rest })
    }

    fn is_strict(&self) -> bool {
        self.rest.contains("over all rows")
    }

    fn exempts(&self) -> bool {
        self.rest.contains("exempt")
    }
}

#[cfg(test)]
mod tests {
    use super::covers;
    use incrowd_core::guarantee::Guarantee;

    #[test]
    fn a_requirement_covers_weaker_ones_of_its_kind() {
        for (own, promise) in [
            ("k = 5", "k = 5"),
            ("k = 12", "k = 5"),
            ("k = 5 (over all rows of an individual)", "k = 5"),
            ("k = 5", "k = 5 (spans with a single bin exempt)"),
            ("confidence <= 0.7", "confidence <= 0.75"),
            ("distinct l = 3", "distinct l = 2"),
            ("t = 0.1 (equal distance)", "t = 0.2 (equal distance)"),
        ] {
            assert!(covers(own, promise), "{own}: {promise}");
            assert!(own == promise || !covers(promise, own), "{promise}: {own}");
        }
        for (own, promise) in [
            ("k = 5", "distinct l = 5"),
            ("k = 50", "smallest bin = 5"),
            ("t = 0.1 (equal distance)", "t = 0.2 (ordered distance)"),
            ("k = 9 (spans with a single bin exempt)", "k = 5"),
        ] {
            assert!(!covers(own, promise), "{own}: {promise}");
        }
    }

    /// The words are those of the guarantee.
    #[test]
    fn words_are_those_of_requirements() {
        let k = |k| Guarantee::k_anonymity(k).expect("a guarantee");
        let word = |guarantee: &Guarantee| guarantee.requirements()[0].to_string();
        assert!(covers(&word(&k(7)), &word(&k(6))) && !covers(&word(&k(6)), &word(&k(7))));
    }
}
