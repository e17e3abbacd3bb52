//! How the joint spans of an ensemble read: what the public tests of all trees say about a row, put together.

use super::super::bind::{Places, branch_of_code};
use super::super::tree::Bound;
use crate::error::Result;
use crate::model::{Domain, Ensemble, Node, Split, Test};
use crate::policy::Policy;
use crate::table::{Column, Table};

/// The number of names that are shown of a set.
const SHOWN: usize = 3;

/// What it takes to describe the spans of an ensemble.
pub(super) struct Description<'a> {
    ensemble: &'a Ensemble,
    /// For each attribute that the attacker knows its column, and the places of its values.
    known: Vec<Option<(&'a Column, Places)>>,
    /// For each tree and node whether any individual can reach it.
    alive: Vec<Vec<bool>>,
}

/// What the branches taken so far leave of an attribute, whichever value of it a row has: all rows of a span are
/// described alike.
#[derive(Clone)]
struct LeftValues<'a> {
    above: Option<(f64, &'a str)>,
    up_to: Option<(f64, &'a str)>,
    /// Of names, those that take the same branches.
    names: Option<Vec<bool>>,
    /// Whether values that no test lists take these branches.
    others: bool,
    /// Whether missing values take these branches.
    missing: bool,
}

impl Default for LeftValues<'_> {
    fn default() -> Self {
        Self { above: None, up_to: None, names: None, others: true, missing: true }
    }
}

impl<'a> Description<'a> {
    pub(super) fn new(table: &'a Table, policy: &Policy, ensemble: &'a Ensemble) -> Result<Self> {
        let (knowledge, tested) = (policy.knowledge(), super::tested(ensemble));
        let mut known = Vec::new();
        for (attribute, tested) in ensemble.attributes().iter().zip(tested) {
            known.push(if tested && knowledge.knows(&attribute.name)? {
                let column = table.require(&attribute.name)?;
                Some((column, Places::new(attribute, column)))
            } else {
                None
            });
        }
        Ok(Self { ensemble, known, alive: Vec::new() })
    }

    pub(super) fn add(&mut self, bound: &Bound<'_>) {
        self.alive.push(bound.alive.clone());
    }

    /// What the public tests that a row can be sent to say about it.
    pub(super) fn of_row(&self, row: usize, class: Option<&Column>) -> String {
        let mut left = vec![LeftValues::default(); self.known.len()];
        for (scored, alive) in self.ensemble.trees().iter().zip(&self.alive) {
            let mut stack = vec![0_u32];
            while let Some(node) = stack.pop() {
                let Node::Test(test) = &scored.tree().nodes()[node as usize] else { continue };
                if !alive[node as usize] {
                    continue;
                }
                let Some((column, places)) = &self.known[test.attribute] else {
                    stack.extend(&test.children);
                    continue;
                };
                let Some(branch) = branch_of_code(test, places, column, column.code(row)) else { continue };
                left[test.attribute].meet(test, branch);
                stack.extend(test.children.get(branch as usize));
            }
        }
        let named = self.ensemble.attributes().iter().zip(&self.known).zip(&left);
        let mut parts: Vec<String> = named
            .filter_map(|((attribute, known), left)| {
                let words = left.words(&attribute.domain, known.as_ref()?.0.has_missing());
                (!words.is_empty()).then(|| format!("{} {words}", attribute.name))
            })
            .collect();
        parts
            .extend(class.map(|class| {
                format!("{} = {}", class.name(), class.values().text(class.code(row) as usize))
            }));
        if parts.is_empty() { "everyone".to_owned() } else { parts.join(", ") }
    }
}

impl<'a> LeftValues<'a> {
    fn meet(&mut self, test: &'a Test, branch: u32) {
        self.missing &= test.missing_branch() == Some(branch);
        self.others &= test.otherwise == Some(branch);
        let label = test.labels[branch as usize].as_str();
        match &test.split {
            Split::Thresholds(thresholds) => self.meet_numbers(thresholds, branch as usize, label),
            Split::Values(of_value) => {
                let all = self.names.get_or_insert_with(|| vec![true; of_value.len()]);
                for (name, own) in all.iter_mut().zip(of_value) {
                    *name &= own.or(test.otherwise) == Some(branch);
                }
            }
        }
    }

    fn meet_numbers(&mut self, thresholds: &[f64], branch: usize, label: &'a str) {
        // The branch behind all thresholds is that of missing numbers alone: none is above infinity.
        let last = [f64::INFINITY];
        let below = branch.checked_sub(1).and_then(|place| thresholds.iter().chain(&last).nth(place));
        if let Some(&above) = below.filter(|&&above| self.above.is_none_or(|old| old.0 < above)) {
            self.above = Some((above, label));
        }
        let own = thresholds.get(branch);
        if let Some(&up_to) = own.filter(|&&up_to| self.up_to.is_none_or(|old| up_to < old.0)) {
            self.up_to = Some((up_to, label));
        }
    }

    /// The words for what is left; none if that is everything.
    fn words(&self, domain: &Domain, can_be_missing: bool) -> String {
        let named = match (&self.names, domain) {
            (Some(left), Domain::Values(names)) => self.of_names(left, names),
            _ => self.of_numbers(),
        };
        let missing = self.missing && can_be_missing;
        match named {
            Some(named) if named.is_empty() && (missing || !can_be_missing) => named,
            Some(named) if named.is_empty() => "is not missing".to_owned(),
            Some(named) if missing => format!("{named} or missing"),
            Some(named) => named,
            None => "is missing".to_owned(),
        }
    }

    /// The words for numbers; `None` if no number is left.
    fn of_numbers(&self) -> Option<String> {
        let (above, up_to) = (self.above.map(|own| own.0), self.up_to.map(|own| own.0));
        let is_empty =
            above == Some(f64::INFINITY) || above.zip(up_to).is_some_and(|(above, up_to)| above >= up_to);
        let mut labels: Vec<&str> = [self.above, self.up_to].into_iter().flatten().map(|own| own.1).collect();
        labels.dedup();
        (!is_empty).then(|| labels.join(" and "))
    }

    /// The words for names; `None` if no name is left.
    fn of_names(&self, left: &[bool], names: &[String]) -> Option<String> {
        if left.iter().all(|&is_left| is_left) {
            return Some(String::new());
        }
        let names: Vec<&str> =
            names.iter().zip(left).filter(|(_, left)| **left).map(|(name, _)| name.as_str()).collect();
        match names.as_slice() {
            [] if self.others => Some("= another value".to_owned()),
            [] => None,
            [name] => Some(format!("= {name}")),
            names => {
                let more = if names.len() > SHOWN { ", …" } else { "" };
                Some(format!("in {{{}{more}}}", names[..names.len().min(SHOWN)].join(", ")))
            }
        }
    }
}
