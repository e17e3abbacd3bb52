//! The area under the ROC curve, by ranks (Hand and Till 2001 have the rank form; ties count half, as in Mann and
//! Whitney's statistic).

use super::Tested;

/// The AUC of the second class if there are two, otherwise the mean of each class against the rest, weighted by its
/// rows.
pub(super) fn auc(tested: &Tested<'_>, rows: &[f64]) -> f64 {
    if rows.len() == 2 {
        return against_rest(tested, 1).unwrap_or(0.5);
    }
    let (mut sum, mut weights) = (0.0, 0.0);
    for class in (0..rows.len()).filter(|&class| rows[class] > 0.0) {
        if let Some(area) = against_rest(tested, class) {
            sum += rows[class] * area;
            weights += rows[class];
        }
    }
    if weights > 0.0 { sum / weights } else { 0.5 }
}

/// The probability that a row of the class has a larger share of it than a row of another; `None` if either has no
/// rows.
fn against_rest(tested: &Tested<'_>, class: usize) -> Option<f64> {
    let mut rows: Vec<(f64, bool, f64)> = Vec::with_capacity(tested.truth.len());
    for (row, truth) in tested.truth.iter().enumerate() {
        let Some(truth) = truth else { continue };
        // A class that the classifier does not know has no share.
        let share = if class < tested.classes { tested.shares[row * tested.classes + class] } else { 0.0 };
        rows.push((share, *truth as usize == class, tested.weight(row)));
    }
    rows.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (mut below, mut of_class, mut won) = (0.0, 0.0, 0.0);
    for tied in rows.chunk_by(|one, other| one.0.total_cmp(&other.0).is_eq()) {
        let weight = |is: bool| tied.iter().filter(|row| row.1 == is).map(|row| row.2).sum::<f64>();
        let (own, others) = (weight(true), weight(false));
        won += own * (below + others / 2.0);
        of_class += own;
        below += others;
    }
    (of_class > 0.0 && below > 0.0).then(|| won / (of_class * below))
}
