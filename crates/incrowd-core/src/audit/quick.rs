//! Whether a guarantee holds, and nothing else. Miners call this often.

use super::{census, scope};
use crate::error::Result;
use crate::group::sizes;
use crate::guarantee::Guarantee;
use crate::policy::Policy;
use crate::span::Linking;
use crate::table::Table;

/// Whether every span of a linking meets the guarantee.
///
/// The sizes of spans are checked first, which rejects most unsafe proposals without counting private values.
///
/// # Errors
/// When the guarantee names attributes that are not in the policy or that an attacker knows.
pub fn holds(table: &Table, policy: &Policy, linking: &Linking<'_>, guarantee: &Guarantee) -> Result<bool> {
    let scope = scope(policy, &linking.sensitive, guarantee)?;
    if too_small(table, linking, guarantee) {
        return Ok(false);
    }
    let census = census::Census::take(table, policy, linking, guarantee, &scope.applies)?;
    Ok(!census.broken.contains(&true))
}

/// Whether a span with several bins has fewer individuals than required. Then the guarantee is broken, whatever else
/// holds.
fn too_small(table: &Table, linking: &Linking<'_>, guarantee: &Guarantee) -> bool {
    let Some(k) = guarantee.asked_k() else { return false };
    let sizes = match &linking.joint {
        Some(_) => linking.joint_populations(table, &[]),
        None => sizes(&linking.span_of_row, linking.spans, table),
    };
    let several = |span: usize| !linking.single_bin.get(span).copied().unwrap_or(false);
    sizes.iter().enumerate().any(|(span, &size)| size < k && several(span))
}
