//! The figures of an audit, counted span by span.

use super::Audit;
use super::linked::{Attribute, Bins, Linked, individuals};
use super::measures::{Span, Spread, breaks};
use super::{populations, worlds};
use crate::audit::{AttributeMeasures, Recursive};
use crate::error::{Error, Result};
use crate::guarantee::{Distance, Guarantee, Requirement, Scope, SeveralRows, SingleBin};
use crate::model::{Leaf, Node, Tree};
use crate::policy::Policy;
use crate::table::Table;
use std::collections::BTreeSet;

/// Everything the figures are counted from.
pub(super) struct Figures<'a> {
    pub(super) table: &'a Table,
    pub(super) linked: &'a Linked,
    pub(super) guarantee: &'a Guarantee,
    /// The rows of each span.
    pub(super) groups: Vec<Vec<usize>>,
    /// Which attributes the guarantee looks at.
    pub(super) in_scope: Vec<bool>,
    /// Whether the populations of bins are part of the audit.
    pub(super) bins_counted: bool,
}

/// Which attributes the guarantee looks at.
pub(super) fn scope(policy: &Policy, linked: &Linked, guarantee: &Guarantee) -> Result<Vec<bool>> {
    let attributes = &linked.attributes;
    let class = attributes.iter().any(|attribute| attribute.is_class);
    let asked: Vec<bool> = match guarantee.scope() {
        Scope::Class if class => attributes.iter().map(|attribute| attribute.is_class).collect(),
        Scope::Class | Scope::Tested | Scope::All => vec![true; attributes.len()],
        Scope::ClassAnd(_) if !class => vec![true; attributes.len()],
        Scope::Named(names) | Scope::ClassAnd(names) => {
            // Each must be a private attribute that an attacker does not know; one that the release does not contain is
            // safe from it.
            if names.iter().any(|name| policy.knows(name).unwrap_or(true)) {
                return Err(Error::input("the guarantee names an attribute that is not private"));
            }
            attributes.iter().map(|attribute| attribute.about.iter().any(|a| names.contains(a))).collect()
        }
    };
    Ok(asked)
}

impl Figures<'_> {
    /// Whether a requirement needs what overlapping cells do not reveal: shares in the whole table, or how many values
    /// individuals with several rows have.
    pub(super) fn asks_too_much(&self) -> bool {
        let open = |requirement: &Requirement| match requirement {
            Requirement::TCloseness(_) | Requirement::Beta(_) => true,
            Requirement::EntropyL(_) => self.has_several(),
            _ => false,
        };
        let asked = self.linked.attributes.iter().zip(&self.in_scope).filter(|(_, asked)| **asked);
        let blurred = |attribute: &Attribute| attribute.views.iter().any(|view| view.counted.blurred);
        self.guarantee.requirements().iter().any(open) && asked.into_iter().any(|(a, _)| blurred(a))
    }

    /// All figures; `None` where a fraction does not fit.
    pub(super) fn audit(&self) -> Option<Audit> {
        let spans: Vec<Span> = (0..self.groups.len()).map(|group| self.span(group)).collect();
        let requirements = self.guarantee.requirements();
        let broken: Vec<Vec<bool>> = spans
            .iter()
            .map(|span| requirements.iter().map(|r| breaks(span, r)).collect())
            .collect::<Option<_>>()?;
        let attributes = self.linked.attributes.iter();
        let measures: Vec<AttributeMeasures> =
            attributes.map(|attribute| self.measures(attribute)).collect::<Option<_>>()?;
        let (exposed, excluded) = self.certainties();
        let in_breach = |group: usize| broken[group].contains(&true);
        let confidence = measures.iter().zip(&self.in_scope).filter(|(_, asked)| **asked);
        Some(Audit {
            population_of_row: self.population_of_row(&spans),
            spans: spans.len() as u64,
            k: self.k(&spans),
            breaches: (0..spans.len()).filter(|&group| in_breach(group)).count() as u64,
            broken_by: (0..requirements.len())
                .map(|r| broken.iter().filter(|b| b[r]).count() as u64)
                .collect(),
            in_breach: self.in_groups(in_breach),
            exposed: self.of_rows(|row| exposed.iter().any(|exposed| exposed[row])),
            exposed_to: exposed.iter().map(|exposed| self.of_rows(|row| exposed[row])).collect(),
            excluded: self.of_rows(|row| excluded.iter().any(|excluded| excluded[row])),
            excluded_to: excluded.iter().map(|excluded| self.of_rows(|row| excluded[row])).collect(),
            max_confidence: confidence.map(|(m, _)| m.max_confidence).fold(0.0, f64::max),
            smallest_bin: spans
                .iter()
                .map(|s| s.smallest_bin)
                .min()
                .filter(|&n| self.bins_counted && n < u64::MAX),
            attributes: measures,
        })
    }

    fn span(&self, group: usize) -> Span {
        let rows = &self.groups[group];
        let asked = self.linked.attributes.iter().zip(&self.in_scope).filter(|(_, asked)| **asked);
        let bins = &self.linked.spans[rows[0]];
        let held = bins.iter().map(|bin| individuals(self.table, |row| self.linked.bins[row] == *bin));
        let smallest = match &self.linked.cells {
            Some(cells) => rows.iter().map(|&row| cells[row]).min(),
            None => held.filter(|&population| population > 0).chain(self.small_cell(group)).min(),
        };
        Span {
            population: individuals(self.table, |row| rows.contains(&row)),
            alike: rows.iter().map(|&row| self.alike(row)).min().unwrap_or(0),
            single_bin: self.linked.single_bin[rows[0]],
            smallest_bin: smallest.unwrap_or(u64::MAX),
            spreads: asked.flat_map(|(attribute, _)| self.spreads(attribute, group)).collect(),
        }
    }

    /// How the values of an attribute are spread in each part of a span, if it distinguishes them.
    fn spreads(&self, attribute: &Attribute, group: usize) -> Vec<Spread> {
        let parts = self.linked.parts(&self.groups[group]);
        parts.iter().filter_map(|rows| self.spread(attribute, rows)).collect()
    }

    fn spread(&self, attribute: &Attribute, rows: &[usize]) -> Option<Spread> {
        let view = &attribute.views[rows[0]];
        debug_assert!(rows.iter().all(|&row| attribute.views[row] == *view), "people of a part look alike");
        let count = |value: usize, inside: &dyn Fn(usize) -> bool| {
            individuals(self.table, |row| inside(row) && view.of_row[row] == value)
        };
        view.measured.then(|| Spread {
            here: (0..view.counted.values).map(|value| count(value, &|row| rows.contains(&row))).collect(),
            whole: (0..view.counted.values).map(|value| count(value, &|_| true)).collect(),
            individuals: individuals(self.table, |row| rows.contains(&row)),
            ordered: attribute.ordered,
            blurred: view
                .counted
                .blurred
                .then(|| (0..self.table.rows()).map(|row| u64::from(self.table.weight(row))).sum()),
        })
    }

    fn measures(&self, attribute: &Attribute) -> Option<AttributeMeasures> {
        let spreads: Vec<Spread> =
            (0..self.groups.len()).flat_map(|group| self.spreads(attribute, group)).collect();
        let highest = |of: &dyn Fn(&Spread) -> Option<f64>| {
            spreads.iter().try_fold(0.0, |most, spread| Some(f64::max(most, of(spread)?)))
        };
        let distinct = spreads.iter().map(Spread::distinct).min().unwrap_or(0) as u32;
        let entropy = spreads.iter().map(Spread::entropy).min_by(f64::total_cmp);
        let ordered = highest(&|spread| spread.distance(Distance::Ordered))?;
        Some(AttributeMeasures {
            name: attribute.name.clone(),
            distinct_l: distinct,
            entropy_l: entropy.map_or(0.0, f64::exp),
            recursive: Recursive { c: highest(&|spread| Some(spread.recursive(distinct)))?, l: distinct },
            max_confidence: highest(&|spread| Some(spread.confidence()))?,
            alpha: highest(&|spread| Some(spread.alpha()))?,
            t_equal: highest(&|spread| spread.distance(Distance::Equal))?,
            t_ordered: attribute.ordered.then_some(ordered),
            beta: highest(&Spread::beta)?,
        })
    }

    /// For each attribute, for each row, whether its individual is exposed to it, and whether a value is excluded for
    /// them.
    fn certainties(&self) -> (Vec<Vec<bool>>, Vec<Vec<bool>>) {
        if self.has_several() {
            return self.certainties_of_persons();
        }
        let possible = self.possible();
        let by_row = |rows: Vec<usize>| (0..self.table.rows()).map(|row| rows.contains(&row)).collect();
        let attributes = &self.linked.attributes;
        let exposed = attributes.iter().map(|a| by_row(self.exposed(a, &possible))).collect();
        let excluded = attributes.iter().map(|a| by_row(self.excluded(a, &possible))).collect();
        (exposed, excluded)
    }

    /// The rows for which a distinguished value that was possible is left by no world.
    fn excluded(&self, attribute: &Attribute, possible: &[BTreeSet<&Vec<u32>>]) -> Vec<usize> {
        let excluded = |row: &usize, bins: &BTreeSet<&Vec<u32>>| {
            let view = &attribute.views[*row];
            let ruled_out = |told: &Bins| !bins.iter().any(|bin| told.contains(*bin));
            let was_possible = view.told.iter().zip(&view.possible).filter(|(_, possible)| **possible);
            view.tells && (view.open || was_possible.into_iter().any(|(told, _)| ruled_out(told)))
        };
        let groups = self.groups.iter().zip(possible);
        groups.flat_map(|(rows, bins)| rows.iter().copied().filter(|row| excluded(row, bins))).collect()
    }

    /// The rows of whose distinguished values the worlds leave one alone open.
    fn exposed(&self, attribute: &Attribute, possible: &[BTreeSet<&Vec<u32>>]) -> Vec<usize> {
        let exposed = |row: &usize, bins: &BTreeSet<&Vec<u32>>| {
            let view = &attribute.views[*row];
            let open = view.told.iter().filter(|told| bins.iter().any(|bin| told.contains(*bin)));
            view.tells && open.count() == 1
        };
        let groups = self.groups.iter().zip(possible);
        groups.flat_map(|(rows, bins)| rows.iter().copied().filter(|row| exposed(row, bins))).collect()
    }

    /// For each span the bins that its individuals can be in, given everything that is released.
    fn possible(&self) -> Vec<BTreeSet<&Vec<u32>>> {
        let occupied: Vec<&Vec<u32>> = self.linked.bins.iter().collect::<BTreeSet<_>>().into_iter().collect();
        let weight =
            |rows: &mut dyn Iterator<Item = usize>| rows.map(|row| u64::from(self.table.weight(row))).sum();
        let sizes: Vec<u64> = self.groups.iter().map(|rows| weight(&mut rows.iter().copied())).collect();
        let held = |bin: &&Vec<u32>| {
            weight(&mut (0..self.table.rows()).filter(|&row| self.linked.bins[row] == **bin))
        };
        let populations: Vec<u64> = occupied.iter().map(held).collect();
        let reach = |rows: &Vec<usize>| {
            (0..occupied.len()).filter(|&i| self.linked.spans[rows[0]].contains(occupied[i])).collect()
        };
        let reach: Vec<Vec<usize>> = self.groups.iter().map(reach).collect();
        let possible = worlds::possible(&sizes, &populations, &reach);
        possible.into_iter().map(|bins| bins.into_iter().map(|bin| occupied[bin]).collect()).collect()
    }

    /// For each attribute the individuals for whom one value is left by the worlds in which every leaf of the tree has
    /// the same contents.
    pub(super) fn certain(&self, tree: &Tree) -> Vec<u64> {
        let bins: BTreeSet<&Vec<u32>> = self.linked.spans.iter().flatten().collect();
        let bins: Vec<&Vec<u32>> = bins.into_iter().collect();
        let weight = |rows: &Vec<usize>| rows.iter().map(|&row| u64::from(self.table.weight(row))).sum();
        let sizes: Vec<u64> = self.groups.iter().map(weight).collect();
        let all: u64 = sizes.iter().sum();
        let reach = |rows: &Vec<usize>| {
            (0..bins.len()).filter(|&i| self.linked.spans[rows[0]].contains(bins[i])).collect()
        };
        let reach: Vec<Vec<usize>> = self.groups.iter().map(reach).collect();
        let count = |left: &[u64], bin: &[u32]| {
            bins.iter().position(|other| other.as_slice() == bin).map_or(0, |i| all - left[i])
        };
        let classes = tree.class().values.len() as u32;
        let each_leaf = |left: &[u64], tells: &dyn Fn(&Leaf, &[u64]) -> bool| {
            tree.nodes().iter().zip(0..).all(|(node, place)| match node {
                Node::Leaf(leaf) => {
                    let counts: Vec<u64> = (0..classes).map(|class| count(left, &[place, class])).collect();
                    tells(leaf, &counts)
                }
                Node::Test(_) => true,
            })
        };
        let is_label = |leaf: &Leaf, counts: &[u64]| populations::most_frequent(counts) == leaf.label;
        let held = |bin: &&Vec<u32>| all - individuals(self.table, |row| self.linked.bins[row] == **bin);
        let truth: Vec<u64> = bins.iter().map(held).collect();
        // Labels that are not the most frequent values are part of the model, and no world contradicts them.
        let labels_follow = each_leaf(&truth, &is_label);
        let tells = |left: &[u64]| {
            let agrees = |leaf: &Leaf, counts: &[u64]| {
                populations::tells(leaf, counts) && (!labels_follow || is_label(leaf, counts))
            };
            each_leaf(left, &agrees)
        };
        let possible = worlds::possible_where(&sizes, &vec![all; bins.len()], &reach, &tells);
        let possible: Vec<BTreeSet<&Vec<u32>>> =
            possible.into_iter().map(|open| open.into_iter().map(|bin| bins[bin]).collect()).collect();
        let certain = |attribute| {
            let exposed = self.exposed(attribute, &possible);
            individuals(self.table, |row| exposed.contains(&row))
        };
        self.linked.attributes.iter().map(certain).collect()
    }

    fn population_of_row(&self, spans: &[Span]) -> Vec<u64> {
        let of_row = |row| {
            let group = self.groups.iter().position(|rows| rows.contains(&row));
            group.map_or(0, |group| spans[group].population)
        };
        (0..self.table.rows()).map(of_row).collect()
    }

    /// The number of individuals who have one of the chosen rows.
    fn of_rows(&self, chosen: impl Fn(usize) -> bool) -> u64 {
        individuals(self.table, chosen)
    }

    /// The number of individuals who have a row in one of the chosen spans.
    fn in_groups(&self, chosen: impl Fn(usize) -> bool) -> u64 {
        individuals(self.table, |row| {
            (0..self.groups.len()).any(|group| chosen(group) && self.groups[group].contains(&row))
        })
    }

    /// The smallest population of a span that counts, or every individual.
    fn k(&self, spans: &[Span]) -> u64 {
        let exempt = self
            .guarantee
            .requirements()
            .iter()
            .any(|r| matches!(r, Requirement::K(k) if k.single_bin() == SingleBin::Exempt));
        let counting = spans.iter().filter(|span| !(exempt && span.single_bin));
        let size = |span: &Span| match self.guarantee.several_rows() {
            SeveralRows::Counted => span.population,
            SeveralRows::Strict => span.alike,
        };
        counting.map(size).min().unwrap_or(self.table.individuals())
    }
}
