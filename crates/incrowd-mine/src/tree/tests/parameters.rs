//! Parameters that only some methods use.

use super::super::{TreeMethod, TreeParams};
use incrowd_core::choice::MethodParameters;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::{ErrorKind, Result};

/// A parameter's name, and a change of it.
pub(crate) type Change<P> = (&'static str, fn(&mut P));

/// Changes every listed parameter under every method, and compares who refuses it with the list.
pub(crate) fn check_lists<M: MethodParameters, P: Clone>(
    changes: &[Change<P>],
    new: impl Fn(M, Guarantee) -> P,
    check: impl Fn(P) -> Result<()>,
) {
    let listed: Vec<&str> = M::PARAMETERS.iter().map(|&(name, _)| name).collect();
    assert_eq!(changes.iter().map(|&(name, _)| name).collect::<Vec<_>>(), listed);
    for (&(name, change), &(_, users)) in changes.iter().zip(M::PARAMETERS) {
        for method in M::all() {
            let mut params = new(method, Guarantee::k_anonymity(2).expect("k"));
            assert!(check(params.clone()).is_ok());
            change(&mut params);
            let refused = check(params).map_err(|error| (error.kind, error.place.parameter));
            let expected =
                if users.contains(&method) { Ok(()) } else { Err((ErrorKind::Parameters, Some(name))) };
            assert_eq!(refused, expected, "{name}, {}", method.name());
        }
    }
}

#[test]
fn parameters_of_other_methods_are_refused() {
    let changes: [Change<TreeParams>; 5] = [
        ("min_rows", |params| params.min_rows = 7),
        ("confidence_factor", |params| params.confidence_factor = 0.1),
        ("prune", |params| params.prune = false),
        ("max_leaves", |params| params.max_leaves = 7),
        ("sample", |params| params.sample = false),
    ];
    check_lists::<TreeMethod, _>(&changes, TreeParams::new, |params| params.check().map(drop));
}
