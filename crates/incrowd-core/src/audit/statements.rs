//! Compares the statements of a release about itself with the findings of its audit. Nothing relies on these
//! statements.

use super::measures::AttributeMeasures;
use super::report::Report;
use super::stated::is_broken;
use crate::error::Result;
use crate::guarantee::{Distance, Requirement, SeveralRows, SingleBin};
use crate::words::{count, counted};
use serde::Serialize;

/// A requirement that a release states but the audit did not have to check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StatedRequirement {
    /// The requirement in words.
    pub requirement: String,
    /// Whether it holds; `None` if the figures of the audit do not decide it.
    pub holds: Option<bool>,
}

/// The statements of a release about itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Statements<'a> {
    /// The requirements, in words.
    pub guarantee: &'a [String],
    /// The k that was measured.
    pub k: Option<u64>,
    /// The individuals exposed to certain inference.
    pub exposed: Option<u64>,
    /// Whether its structure is blind: chosen from public attributes alone.
    pub blind: bool,
}

impl Report {
    /// Adds the comparison: the requirements that the release states but the audit did not have to check, and a warning
    /// for each statement that does not hold.
    #[must_use]
    pub fn compared_with(mut self, statements: &Statements<'_>) -> Self {
        let is_asked = |words: &&String| self.asked.iter().any(|asked| asked.requirement == **words);
        let others = statements.guarantee.iter().filter(|words| !is_asked(words));
        let judged =
            |words: &String| StatedRequirement { requirement: words.clone(), holds: self.judge(words) };
        let stated: Vec<StatedRequirement> = others.map(judged).collect();
        let untrue = stated.iter().filter(|stated| stated.holds == Some(false));
        let mut warnings: Vec<String> = untrue
            .map(|stated| format!("the release states {}; it does not hold", shortened(&stated.requirement)))
            .collect();
        let of_k = statements.guarantee.iter().find_map(|words| kind_of_k(words)).unwrap_or_default();
        if let Some(k) = statements.k.filter(|&k| self.measures_k(of_k) && k > self.k) {
            warnings.push(format!(
                "the release states a measured k of {}; it is {}",
                count(k),
                count(self.k)
            ));
        }
        if let Some(exposed) = statements.exposed.filter(|&exposed| exposed < self.exposed) {
            let are = if exposed == 1 { "is" } else { "are" };
            let (exposed, found) = (counted(exposed, "individual"), count(self.exposed));
            let at_most = if self.at_most { "at most " } else { "" };
            warnings.push(format!(
                "the release states that {exposed} {are} exposed to certain inference; the audit finds {at_most}{found}"
            ));
        }
        self.warnings.extend(warnings);
        self.stated = stated;
        self.claims_blind = statements.blind;
        self
    }

    /// Whether a requirement in words holds, as far as the figures of the audit decide.
    fn judge(&self, words: &str) -> Option<bool> {
        if let Some(kind) = kind_of_k(words) {
            return self.measures_k(kind).then_some(self.k >= number(words.strip_prefix("k = ")?)?);
        }
        let (requirement, of) = words.split_once(" of ").unwrap_or((words, ""));
        let requirement = parse(requirement)?.ok()?;
        if let Requirement::SmallestBin(least) = requirement {
            // Cells that can be computed from others are searched for only where this is asked for.
            return self.smallest_bin.filter(|&bin| bin < least.n()).map(|_| false);
        }
        let is_named = |measures: &&AttributeMeasures| {
            of.ends_with(" private attributes") || of.split(", ").any(|name| name == measures.name)
        };
        let measured: Vec<&AttributeMeasures> =
            self.attributes.iter().filter(is_named).filter(|measures| measures.is_measured()).collect();
        let broken: Option<Vec<bool>> =
            measured.into_iter().map(|measures| is_broken(&requirement, measures)).collect();
        broken.filter(|broken| !broken.is_empty()).map(|broken| !broken.contains(&true))
    }

    /// Whether its k is of this kind: which groups count, and what of individuals with several rows.
    fn measures_k(&self, kind: &str) -> bool {
        self.asked.iter().find_map(|asked| kind_of_k(&asked.requirement)).unwrap_or_default() == kind
    }
}

/// What follows the number in a requirement of k: how it is counted.
fn kind_of_k(words: &str) -> Option<&str> {
    Some(words.strip_prefix("k = ")?.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start())
}

/// The number at the beginning of a text.
fn number<N: std::str::FromStr>(text: &str) -> Option<N> {
    let end = text.find([' ', ',', ')']).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// A requirement from its words; `None` if they are of no known kind.
fn parse(words: &str) -> Option<Result<Requirement>> {
    let after = |prefix: &str| words.strip_prefix(prefix);
    if let Some(text) = after("k = ") {
        return Some(Requirement::k_over(number(text)?, SingleBin::Counted, SeveralRows::Counted));
    }
    if let Some(text) = after("recursive (c, l) = (") {
        let (c, l) = text.split_once(", ")?;
        return Some(Requirement::recursive_l(number(c)?, number(l)?));
    }
    if let Some(text) = after("t = ") {
        let distance = if text.contains("ordered") { Distance::Ordered } else { Distance::Equal };
        return Some(Requirement::t_closeness(number(text)?, distance));
    }
    let whole = |text: &str| number::<u64>(text);
    after("distinct l = ")
        .and_then(|text| Some(Requirement::distinct_l(number(text)?)))
        .or_else(|| Some(Requirement::entropy_l(number(after("entropy l = ")?)?)))
        .or_else(|| Some(Requirement::confidence(number(after("confidence <= ")?)?)))
        .or_else(|| Some(Requirement::alpha(number(after("alpha = ")?)?)))
        .or_else(|| Some(Requirement::beta(number(after("beta = ")?)?)))
        .or_else(|| Some(Requirement::smallest_bin(whole(after("smallest bin = ")?)?)))
}

/// The most characters of a statement in a warning: it is from a file of any origin.
const LONGEST: usize = 200;

fn shortened(words: &str) -> String {
    if words.chars().count() <= LONGEST {
        return words.to_owned();
    }
    words.chars().take(LONGEST - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every requirement is read back from its words.
    #[test]
    fn requirements_are_read_from_their_words() {
        let every = [
            Requirement::k(7, SingleBin::Counted),
            Requirement::distinct_l(3),
            Requirement::entropy_l(2.5),
            Requirement::recursive_l(2.5, 3),
            Requirement::confidence(0.85),
            Requirement::t_closeness(0.2, Distance::Ordered),
            Requirement::t_closeness(0.3, Distance::Equal),
            Requirement::alpha(0.5),
            Requirement::beta(1.5),
            Requirement::smallest_bin(5),
        ];
        for requirement in every.map(Result::unwrap) {
            assert_eq!(parse(&requirement.to_string()), Some(Ok(requirement)), "{requirement}");
        }
        for words in ["", "k", "k = ", "k = x", "confidence <= ", "recursive (c, l) = (1", "safe"] {
            assert!(parse(words).is_none(), "{words}");
        }
        assert!(parse("confidence <= 7").is_some_and(|parsed| parsed.is_err()));
        assert_eq!(
            kind_of_k("k = 10 (over all rows of an individual)"),
            Some("(over all rows of an individual)")
        );
        assert_eq!(kind_of_k("k = 10"), Some(""));
    }
}
