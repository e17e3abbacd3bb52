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
    /// For each tree and node whether anyone can reach it.
    alive: Vec<Vec<bool>>,
}

/// What the tests met so far leave of an attribute.
#[derive(Clone, Default)]
struct Left<'a> {
    above: Option<(f64, &'a str)>,
    up_to: Option<(f64, &'a str)>,
    /// Of names, those that have taken the same branches so far.
    names: Option<Vec<bool>>,
    missing: bool,
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
        let mut left = vec![Left::default(); self.known.len()];
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
                left[test.attribute].meet(test, branch, column.code(row) == column.missing_code());
                stack.extend(test.children.get(branch as usize));
            }
        }
        let named = self.ensemble.attributes().iter().zip(&left);
        let mut parts: Vec<String> = named
            .flat_map(|(attribute, left)| {
                left.words(&attribute.domain).into_iter().map(|words| format!("{} {words}", attribute.name))
            })
            .collect();
        parts
            .extend(class.map(|class| {
                format!("{} = {}", class.name(), class.values().text(class.code(row) as usize))
            }));
        if parts.is_empty() { "everybody".to_owned() } else { parts.join(", ") }
    }
}

impl<'a> Left<'a> {
    fn meet(&mut self, test: &'a Test, branch: u32, missing: bool) {
        self.missing = missing;
        let label = test.labels[branch as usize].as_str();
        match &test.split {
            Split::Thresholds(thresholds) => {
                let below = (branch as usize).checked_sub(1).and_then(|place| thresholds.get(place));
                if let Some(&above) = below.filter(|&&above| self.above.is_none_or(|old| old.0 < above)) {
                    self.above = Some((above, label));
                }
                let own = thresholds.get(branch as usize);
                if let Some(&up_to) = own.filter(|&&up_to| self.up_to.is_none_or(|old| up_to < old.0)) {
                    self.up_to = Some((up_to, label));
                }
            }
            Split::Values(of_value) => {
                let all = self.names.get_or_insert_with(|| vec![true; of_value.len()]);
                for (name, own) in all.iter_mut().zip(of_value) {
                    *name &= own.or(test.otherwise) == Some(branch);
                }
            }
        }
    }

    fn words(&self, domain: &Domain) -> Vec<String> {
        if self.missing {
            return vec!["is missing".to_owned()];
        }
        let mut words: Vec<String> =
            [self.above, self.up_to].into_iter().flatten().map(|(_, label)| label.to_owned()).collect();
        words.dedup();
        let (Some(left), Domain::Values(names)) = (&self.names, domain) else { return words };
        if left.iter().all(|&is_left| is_left) {
            return words;
        }
        let names: Vec<&str> =
            names.iter().zip(left).filter(|(_, left)| **left).map(|(name, _)| name.as_str()).collect();
        words.push(match names.as_slice() {
            [] => "otherwise".to_owned(),
            [name] => format!("= {name}"),
            names => {
                let more = if names.len() > SHOWN { ", …" } else { "" };
                format!("in {{{}{more}}}", names[..names.len().min(SHOWN)].join(", "))
            }
        });
        words
    }
}
