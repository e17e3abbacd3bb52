//! The error for a guarantee that no release of a table can meet.

use super::{Guarantee, Requirement};
use crate::error::Error;

/// The error for a requirement that even the coarsest release breaks.
///
/// `release` names the requested release (a tree, a table); `smallest` is the population of the smallest span of the
/// coarsest one, which is all individuals unless something public divides them in every release.
pub fn unmet(release: &str, broken: &Requirement, smallest: u64) -> Error {
    let people = if smallest == 1 { "individual" } else { "individuals" };
    let what = format!(
        "no {release} can meet `{broken}`: every release has a group of {smallest} {people} that breaks it"
    );
    let help = match broken {
        Requirement::K(_) => format!("the largest k possible for this table is {smallest}"),
        Requirement::Confidence(_) | Requirement::Alpha(_) => {
            "choose a cap above the share of the most frequent value in the whole table".to_owned()
        }
        _ => "choose a weaker guarantee, or add individuals".to_owned(),
    };
    Error::unsatisfiable(what).help(help)
}

impl Guarantee {
    /// The requirement for k, if it requires more individuals than there are.
    pub fn too_large_k(&self, individuals: u64) -> Option<&Requirement> {
        let is_too_large =
            |requirement: &&Requirement| matches!(requirement, Requirement::K(k) if k.k() > individuals);
        self.requirements().iter().find(is_too_large)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn a_k_too_large_is_answered_with_the_largest_possible() {
        let guarantee = Guarantee::k_anonymity(1000).expect("valid");
        let broken = guarantee.too_large_k(214).expect("too large");
        let error = unmet("tree", broken, 214);
        assert_eq!(error.kind, ErrorKind::Unsatisfiable);
        assert_eq!(error.help.as_deref(), Some("the largest k possible for this table is 214"));
        assert_eq!(guarantee.too_large_k(1000), None);
    }
}
