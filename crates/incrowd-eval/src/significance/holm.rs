//! Which methods differ from a control: Holm's step-down procedure (1979).

use super::critical::scale;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

/// A method against the control.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Against {
    /// The method, by its place among the ranks.
    pub method: usize,
    /// How much worse its average rank is than the control's, in standard deviations; negative where it is better.
    pub z: f64,
    /// How likely so large a difference is, either way, if the two do not differ.
    pub p: f64,
    /// The same held against all comparisons (Holm): under 0.05, the method differs at that level.
    pub adjusted: f64,
}

/// Every method against a control, from average ranks over so many blocks, the smallest p first; of equal ones, the first method. Nothing where there is no
/// such control.
///
/// Adjusted p-values are those of the step-down procedure: the smallest times the number of comparisons, the next times one less, and so on, never falling and
/// at most 1.
pub fn holm(ranks: &[f64], blocks: usize, control: usize) -> Vec<Against> {
    let Some(&rank) = ranks.get(control) else { return Vec::new() };
    let scale = scale(ranks.len(), blocks);
    let normal = Normal::standard();
    let others = (0..ranks.len()).filter(|&method| method != control);
    let mut found: Vec<Against> = others
        .map(|method| {
            let z = (ranks[method] - rank) / scale;
            let p = (2.0 * normal.sf(z.abs())).min(1.0);
            Against { method, z, p, adjusted: p }
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
