//! What the attacker of a policy knows, compared with the policies of earlier releases.
//!
//! All releases of a ledger are judged under the policy of the newest. If that policy assumed an attacker who knows less,
//! the promise of the earlier releases would be checked against a weaker attacker than when it was made.

use incrowd_core::policy::{Dependency, Policy, Role};
use incrowd_core::{Error, Result};
use incrowd_io::ledger::{Ledger, LedgerRecord};
use incrowd_io::policy::PolicyFile;

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

/// A name without control characters, which a ledger must not contain.
fn printable(name: &str) -> String {
    name.replace(char::is_control, "\u{fffd}")
}

/// Fails if the attacker of a policy knows less than that of an earlier release. Lines of older programs do not state
/// what theirs knows.
pub(super) fn check_attacker(policy: &PolicyFile, ledger: &Ledger) -> Result<()> {
    let known: Vec<String> = policy.policy.known().iter().map(|name| printable(name)).collect();
    let declared = dependencies(&policy.policy);
    for record in &ledger.records {
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
