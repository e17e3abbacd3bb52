//! What the structure of a release may depend on.

use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Policy, Role, Undeclared};
use incrowd_core::span::tied_known;
use incrowd_core::table::{People, Table};
use incrowd_core::{Error, Result, choice};

/// What the structure of a release may depend on: the groups of individuals that it tells apart by public attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Structure {
    /// The whole table. An attacker who knows the algorithm can draw conclusions from its choices.
    #[default]
    Free,
    /// Public attributes alone; everything else is computed from the groups and the private values of the individuals
    /// in each. If two individuals of a group exchanged their private values, the release would be the same byte for
    /// byte (docs/proofs.md, "Blind structure").
    Blind,
}

choice!(Structure, "structure" {
    Free => "free", "Chosen from the whole table.";
    Blind => "blind", "Chosen from public attributes alone: groups are safe even if attackers know the algorithm.";
});

/// Fails if no release of this table can have a blind structure; returns the k of its groups.
///
/// # Errors
/// When nothing bounds the size of groups, individuals have several rows, or something that leaves the program would
/// depend on which individual has which private values.
pub(crate) fn check_blind(table: &Table, policy: &Policy, guarantee: &Guarantee) -> Result<u64> {
    let Some(k) = guarantee.asked_k().filter(|&k| k > 1) else {
        return Err(
            cannot("without a k of at least 2").help("set k under [guarantee] in the policy, or give a k")
        );
    };
    if matches!(table.people(), People::Subjects { .. }) && table.has_several_rows() {
        return Err(cannot("if individuals have several rows")
            .help("combine the rows of each individual into one, or choose another structure"));
    }
    if policy.undeclared == Undeclared::Refuse {
        return Err(cannot(
            "if undeclared dependencies are refused: the refusal itself would reveal private values",
        )
        .help("declare the dependencies and set undeclared-dependencies = \"warn\""));
    }
    let private: Vec<&str> =
        policy.with_role(Role::Private).filter(|name| table.column(name).is_some()).collect();
    if let Some(name) = tied_known(policy, &private).first() {
        return Err(cannot("if a declared dependency ties private attributes to a public one")
            .of_attribute(name)
            .help("ignore the private attributes that depend on it, or choose another structure"));
    }
    Ok(k)
}

fn cannot(why: &str) -> Error {
    Error::parameters(format!("a structure cannot be blind {why}")).of_parameter("structure")
}
