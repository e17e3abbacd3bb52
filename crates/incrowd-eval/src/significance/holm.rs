//! Which methods differ from a control: Holm's step-down procedure (1979).

use super::critical::scale;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

/// A method against the control.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ControlTest {
    /// The index of the method among the ranks.
    pub method: usize,
    /// The difference from the control's average rank in standard deviations; negative if the method is better.
    pub z: f64,
    /// The two-sided p-value.
    pub p: f64,
    /// The p-value adjusted for all comparisons (Holm): below 0.05, the method differs at that level.
    pub adjusted: f64,
}

/// Compares every method with a control, from average ranks over a number of blocks. The smallest p comes first, and on
/// ties the first method. Empty without such a control.
///
/// Adjusted p-values are those of the step-down procedure: the smallest times the number of comparisons, the next times
/// one less, and so on, never decreasing and at most 1.
pub fn holm(ranks: &[f64], blocks: usize, control: usize) -> Vec<ControlTest> {
    let Some(&rank) = ranks.get(control) else { return Vec::new() };
    let scale = scale(ranks.len(), blocks);
    let normal = Normal::standard();
    let others = (0..ranks.len()).filter(|&method| method != control);
    let mut found: Vec<ControlTest> = others
        .map(|method| {
            let z = (ranks[method] - rank) / scale;
            let p = (2.0 * normal.sf(z.abs())).min(1.0);
            ControlTest { method, z, p, adjusted: p }
        })
        .collect();
    found.sort_by(|one, other| one.p.total_cmp(&other.p));
    let (count, mut largest) = (found.len(), 0.0_f64);
    for (step, against) in found.iter_mut().enumerate() {
        largest = largest.max(((count - step) as f64 * against.p).min(1.0));
        against.adjusted = largest;
    }
    found
}
