//! What the attacker of a policy knows, compared with the policies of earlier releases.
//!
//! All releases of a ledger are judged under the policy of the newest. If that policy assumed an attacker who knows less,
//! the promise of the earlier releases would be checked against a weaker attacker than when it was made.

use incrowd_core::policy::{Attribute, Dependency, Policy, Role};
use incrowd_core::{Error, Result};
use incrowd_io::ledger::{Ledger, LedgerRecord};
use incrowd_io::policy::PolicyFile;
use sha2::{Digest, Sha256};

/// The public attributes of a policy, as a ledger records them. These are names of columns, not values.
pub(super) fn public_names(policy: &Policy) -> Vec<String> {
    policy.with_role(Role::Public).map(printable).collect()
}

/// The declared dependencies of a policy, as a ledger records them.
pub(super) fn dependencies(policy: &Policy) -> Vec<String> {
    let stated = |dependency: &Dependency| {
        let mut from = dependency.from.clone();
        from.sort_unstable();
        printable(&format!("{} -> {}", from.join(", "), dependency.to))
    };
    policy.dependencies.iter().map(stated).collect()
}

/// A digest of what else a policy assumes: the possible values that it declares, whatever the role of an attribute, and
/// the roles of items. With wider values, or private items that were public, an attacker would know less.
pub(super) fn assumptions(policy: &PolicyFile) -> String {
    let declared = |own: &&Attribute| own.range.is_some() || own.whole || !own.values.is_empty();
    let mut values: Vec<String> = policy.policy.attributes.iter().filter(declared).map(values_of).collect();
    values.sort_unstable();
    let items = policy.items.iter().map(|items| format!("{:?} {:?}", items.otherwise, items.patterns));
    let mut sum = Sha256::new();
    for text in values.into_iter().chain(items) {
        sum.update(text.len().to_le_bytes());
        sum.update(text);
    }
    sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a policy declares of an attribute. The order of values does not matter.
fn values_of(attribute: &Attribute) -> String {
    let mut values = attribute.values.clone();
    values.sort_unstable();
    format!("{:?} {:?} {} {values:?}", attribute.name, attribute.range, attribute.whole)
}

/// A name without control characters, which a ledger must not contain.
fn printable(name: &str) -> String {
    name.replace(char::is_control, "\u{fffd}")
}

/// Fails if the attacker of a policy knows less than that of an earlier release. Lines of older programs do not state
/// what theirs knows.
pub(super) fn check_attacker(policy: &PolicyFile, ledger: &Ledger) -> Result<()> {
    let known: Vec<String> = policy.policy.known().iter().map(|name| printable(name)).collect();
    let declared = dependencies(&policy.policy);
    let own = assumptions(policy);
    for record in &ledger.records {
        if record.assumptions.as_ref().is_some_and(|other| *other != own) {
            let error = Error::parameters(format!(
                "the policy of release {} of the ledger declares other possible values, or other roles of items, than this \
                 policy, so all releases would be checked for another attacker",
                record.number
            ))
            .help("declare the same `values`, `range` and `whole` of every attribute, and the same [items], as then");
            return Err(policy.path.iter().fold(error, Error::in_file));
        }
        if let Some(name) = record.public.iter().flatten().find(|name| !known.contains(name)) {
            return Err(weaker(policy, record, &format!("`{name}` is public")).help(format!(
                "give `{name}` the role \"public\": an attacker who knew it then knows it now"
            )));
        }
        if let Some(lost) = record.dependencies.iter().flatten().find(|own| !declared.contains(own)) {
            return Err(weaker(policy, record, &format!("the dependency `{lost}` is declared"))
                .help("declare the dependency: an attacker who used it then can use it now"));
        }
    }
    Ok(())
}

fn weaker(policy: &PolicyFile, record: &LedgerRecord, stated: &str) -> Error {
    let error = Error::parameters(format!(
        "in the policy of release {} of the ledger, {stated}, and in this policy it is not, so all releases would be \
         checked for an attacker who knows less",
        record.number
    ));
    policy.path.iter().fold(error, incrowd_core::Error::in_file)
}
