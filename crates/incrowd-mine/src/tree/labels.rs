//! The labels of a split's branches in a release.
//!
//! A set of values is named by the nodes of the taxonomy that together are this set, the highest first: `= Higher`
//! where exactly those values take the branch, `in {Higher, HS-grad}` where another value takes it too. Values that no
//! individual at the node can have do not count, since they cannot occur there. Names are made for the splits of a
//! release only; a proposed split needs none.

use super::levels::Level;
use super::reach::Reach;
use super::split::Split;
use super::task::{Attribute, AttributeTests};
use incrowd_core::model;
use incrowd_core::printed::OTHER_VALUES;
use incrowd_core::table::Date;

/// The labels of the branches of a split at a node that can be reached by this much of the attribute.
pub(crate) fn of(split: &Split, attribute: &Attribute<'_>, reach: Option<&Reach>) -> Vec<String> {
    match (&split.told, &attribute.kind) {
        (model::Split::Values(of_value), AttributeTests::Names(levels)) => {
            let missing = [Some(split.missing)];
            let branches: Vec<u32> =
                of_value.iter().chain(&missing).map(|branch| branch.unwrap_or(split.otherwise)).collect();
            let met = |place: usize| {
                (place < of_value.len() || attribute.model.missing)
                    && reach.is_none_or(|reach| reach.has_value(place))
            };
            let own = |place: usize| of_value.get(place).is_none_or(Option::is_some);
            let met: Vec<bool> = (0..branches.len()).map(met).collect();
            let own: Vec<bool> = (0..branches.len()).map(|place| met[place] && own(place)).collect();
            let names = Names { levels, branches: &branches, met: &met, own: &own };
            (0..split.branches).map(|branch| names.label(branch)).collect()
        }
        (model::Split::Thresholds(thresholds), _) => of_thresholds(thresholds, attribute.model.dates),
        (model::Split::Values(_), AttributeTests::Numbers(_)) => vec![String::new(); split.branches as usize],
    }
}

/// The values of an attribute at a node, missing ones last.
struct Names<'a> {
    /// The levels of the attribute, finest first.
    levels: &'a [Level],
    /// The branch each value takes.
    branches: &'a [u32],
    /// Whether it can be met at the node.
    met: &'a [bool],
    /// Whether the split names it, and not only by where other values go.
    own: &'a [bool],
}

impl Names<'_> {
    fn label(&self, branch: u32) -> String {
        let mut left: Vec<bool> =
            self.own.iter().zip(self.branches).map(|(&own, &of_value)| own && of_value == branch).collect();
        let missing = left.len() - 1;
        if left[..missing].contains(&true) {
            // Rows without the value go where other values go, which the branch states anyway.
            left[missing] = false;
        }
        let one = left.iter().filter(|&&left| left).count() == 1;
        let levels = if one { &self.levels[..self.levels.len().min(1)] } else { self.levels };
        let mut names: Vec<(usize, &str)> = Vec::new();
        for level in levels.iter().rev() {
            let whole = self.whole_groups(level, branch);
            for place in 0..left.len() {
                let group = level.of_value[place] as usize;
                if left[place] && whole[group] {
                    names.push((place, &level.labels[group]));
                    let members = left.iter_mut().zip(&level.of_value);
                    members
                        .filter(|(_, of_value)| **of_value as usize == group)
                        .for_each(|(left, _)| *left = false);
                }
            }
        }
        names.sort_unstable();
        match names.as_slice() {
            // Names that few individuals have are not printed.
            [] => OTHER_VALUES.to_owned(),
            [(_, name)] => format!("= {name}"),
            names => format!("in {{{}}}", names.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", ")),
        }
    }

    /// Which groups of a level take the branch as a whole, as far as they can be met.
    fn whole_groups(&self, level: &Level, branch: u32) -> Vec<bool> {
        let mut whole = vec![true; level.labels.len()];
        for (place, &group) in level.of_value.iter().enumerate().filter(|&(place, _)| self.met[place]) {
            whole[group as usize] &= self.branches[place] == branch;
        }
        whole
    }
}

/// `<= 30.5`, `30.5 < … <= 40`, `> 40`; of dates, `<= 2026-12-31`.
pub(crate) fn of_thresholds(thresholds: &[f64], dates: bool) -> Vec<String> {
    let text = |number: f64| if dates { Date::text_of_days(number) } else { number.to_string() };
    let ends = |i: usize| (i.checked_sub(1).map(|i| thresholds[i]), thresholds.get(i));
    let label = |i: usize| match ends(i) {
        (None, Some(&end)) => format!("<= {}", text(end)),
        (Some(start), Some(&end)) => format!("{} < … <= {}", text(start), text(end)),
        (Some(start), None) => format!("> {}", text(start)),
        (None, None) => "any number".to_owned(),
    };
    (0..=thresholds.len()).map(label).collect()
}
