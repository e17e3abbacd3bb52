//! From the predicates of a node's branches to one test.

use super::predicate::{self, Taken, Values};
use super::{Element, Reader};
use crate::release::{MAX_CELLS, attribute_values, labels};
use incrowd_core::model::{MissingRoute, Split, Test};
use incrowd_core::{Error, Result};

/// Where a branch of the test leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Branch {
    /// On with a branch of the file.
    Node(usize),
    /// No branch takes these values; the node's own score is predicted.
    Stop,
}

impl Reader<'_> {
    /// The test of a node, its children numbered from `next` on, and where they lead.
    pub(super) fn test(
        &self,
        node: Element<'_, '_>,
        branches: &[Element<'_, '_>],
        next: u32,
        cells: &mut usize,
    ) -> Result<(Test, Vec<Branch>)> {
        let taken = branches.iter().map(|branch| predicate::of_node(&self.fields, *branch));
        let taken = taken.collect::<Result<Vec<_>>>()?;
        let mut places = taken.iter().filter_map(|taken| match taken {
            Taken::Of { place, .. } => Some(*place),
            Taken::Everything | Taken::Nothing => None,
        });
        let attribute = places.next().ok_or_else(|| Error::new("the branches of a node ask no field"))?;
        if places.any(|place| place != attribute) {
            return Err(Error::new("the branches of a node ask different fields"));
        }
        let domain = attribute_values(&self.fields.attributes[attribute]);
        *cells += branches.len() * domain.len().max(1);
        if *cells > MAX_CELLS {
            return Err(Error::new("the tests of the tree speak of too many values"));
        }
        let missing = self.default_child(node, branches).or_else(|| taken.iter().position(takes_missing));
        let (split, labels, goals, others) =
            if domain.is_empty() { by_number(&taken)? } else { by_value(&taken, domain) };
        let missing = missing.and_then(|branch| goals.iter().position(|goal| *goal == Branch::Node(branch)));
        let otherwise = others.or(missing).map(|branch| branch as u32);
        let children = (next..).take(goals.len()).collect();
        Ok((Test { attribute, split, labels, children, otherwise, missing: MissingRoute::Otherwise }, goals))
    }

    fn default_child(&self, node: Element<'_, '_>, branches: &[Element<'_, '_>]) -> Option<usize> {
        let by_default = self.model.attribute("missingValueStrategy") == Some("defaultChild");
        let child = node.attribute("defaultChild").filter(|_| by_default)?;
        branches.iter().position(|branch| branch.attribute("id") == Some(child))
    }
}

fn takes_missing(taken: &Taken) -> bool {
    match taken {
        Taken::Everything => true,
        Taken::Nothing => false,
        Taken::Of { missing, .. } => *missing,
    }
}

/// The split, what its branches are called and where they lead, and the branch of other values.
type Parted = (Split, Vec<String>, Vec<Branch>, Option<usize>);

fn by_number(taken: &[Taken]) -> Result<Parted> {
    let mut cuts: Vec<f64> = Vec::new();
    for taken in taken {
        if let Taken::Of { values: Values::Numbers(intervals), .. } = taken {
            cuts.extend(intervals.iter().flat_map(|&(low, high)| [low, high]).filter(|cut| cut.is_finite()));
        }
    }
    cuts.sort_unstable_by(f64::total_cmp);
    cuts.dedup();
    let (mut thresholds, mut goals): (Vec<f64>, Vec<Branch>) = (Vec::new(), Vec::new());
    let mut before = None;
    for end in cuts.into_iter().chain([f64::INFINITY]) {
        let goal = taken.iter().position(|taken| takes_number(taken, end)).map_or(Branch::Stop, Branch::Node);
        if goals.last() != Some(&goal) {
            thresholds.extend(before);
            goals.push(goal);
        }
        before = Some(end);
    }
    let mut nodes: Vec<Branch> = goals.iter().copied().filter(|goal| *goal != Branch::Stop).collect();
    nodes.sort_unstable_by_key(|goal| if let Branch::Node(node) = goal { *node } else { 0 });
    if nodes.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Error::new("a branch takes intervals with a gap between them"));
    }
    let labels = labels::of_thresholds(&thresholds);
    Ok((Split::Thresholds(thresholds), labels, goals, None))
}

/// Whether a branch takes the numbers of a cell, given by its upper end.
fn takes_number(taken: &Taken, end: f64) -> bool {
    match taken {
        Taken::Everything => true,
        Taken::Of { values: Values::Numbers(intervals), .. } => {
            intervals.iter().any(|&(low, high)| low < end && end <= high)
        }
        _ => false,
    }
}

fn by_value(taken: &[Taken], domain: &[String]) -> Parted {
    // A branch that no value takes stays: what is predicted above it may rest on everything below.
    let mut goals: Vec<Branch> = (0..taken.len()).map(Branch::Node).collect();
    let mut branch_of = |goal: Branch| {
        goals.iter().position(|other| *other == goal).unwrap_or_else(|| {
            goals.push(goal);
            goals.len() - 1
        })
    };
    let goal = |takes: &dyn Fn(&[bool], bool) -> bool| {
        let taking = taken.iter().position(|taken| match taken {
            Taken::Everything => true,
            Taken::Of { values: Values::Names { listed, others }, .. } => takes(listed, *others),
            _ => false,
        });
        taking.map_or(Branch::Stop, Branch::Node)
    };
    let mut of_value = Vec::with_capacity(domain.len());
    for place in 0..domain.len() {
        of_value.push(Some(branch_of(goal(&|listed, _| listed[place])) as u32));
    }
    let others = match goal(&|_, others| others) {
        Branch::Stop => None,
        node @ Branch::Node(_) => Some(branch_of(node)),
    };
    let label = |branch: usize| {
        let own = of_value.iter().zip(domain).filter(|(of, _)| **of == Some(branch as u32));
        labels::of_values(&own.map(|(_, name)| name.as_str()).collect::<Vec<_>>())
    };
    let labels = (0..goals.len()).map(label).collect();
    (Split::Values(of_value), labels, goals, others)
}
