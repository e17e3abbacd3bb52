//! The result of `incrowd policy`.

use super::{Grid, clean, counted};
use crate::console::{BAD, CARE, FAINT, GOOD, paint};
use incrowd::policies::{PolicyChange, PolicyComparison, PolicyEffect, PolicySummary};

pub(crate) fn summary(summary: &PolicySummary) -> String {
    let mut grid = Grid::new(&["", ""]);
    for (role, names) in [
        ("public", &summary.public),
        ("private", &summary.private),
        ("identifiers", &summary.identifiers),
        ("ignored", &summary.ignored),
        ("taxonomies", &summary.taxonomies),
        ("dependencies", &summary.dependencies),
        ("requirements", &summary.guarantee),
        ("presets", &summary.presets),
        ("for reports", &summary.dossier),
    ] {
        if !names.is_empty() {
            grid.line([role.to_owned(), clean(&names.join(", "))]);
        }
    }
    if !summary.sets.is_empty() {
        let sets = format!("{} (each attacker knows one set)", incrowd::audit::listed_sets(&summary.sets));
        grid.line(["sets".to_owned(), clean(&sets)]);
    }
    for (name, value) in [("of", &summary.scope), ("class", &summary.class), ("subject", &summary.subject)] {
        if let Some(value) = value {
            grid.line([name.to_owned(), clean(value)]);
        }
    }
    format!("{}\n{}", paint(GOOD, "the policy is valid"), grid.render())
}

pub(crate) fn comparison(comparison: &PolicyComparison) -> String {
    if comparison.changes.is_empty() {
        return format!("{}\n", paint(GOOD, "the policies state the same"));
    }
    let count = |effect: PolicyEffect| {
        comparison.changes.iter().filter(|change| change.effect == effect).count() as u64
    };
    let (weaker, unclear) = (count(PolicyEffect::Weaker), count(PolicyEffect::Unclear));
    let headline = if weaker > 0 {
        paint(BAD, format!("the second policy is weaker in {}", counted(weaker, "place")))
    } else if unclear > 0 {
        paint(CARE, format!("the second policy may be weaker in {}", counted(unclear, "place")))
    } else {
        paint(GOOD, "the second policy is not weaker")
    };
    let mut grid = Grid::new(&["", "first", "second", ""]);
    for PolicyChange { part, before, after, effect, .. } in &comparison.changes {
        let shown =
            |value: &Option<String>| value.as_ref().map_or_else(|| paint(FAINT, "-"), |value| clean(value));
        let effect = match effect {
            PolicyEffect::Weaker => paint(BAD, "weaker"),
            PolicyEffect::Unclear => paint(CARE, "may be weaker"),
            PolicyEffect::Stronger => paint(GOOD, "stronger"),
            _ => String::new(),
        };
        grid.line([clean(part), shown(before), shown(after), effect]);
    }
    format!("{headline}\n{}", grid.render())
}
