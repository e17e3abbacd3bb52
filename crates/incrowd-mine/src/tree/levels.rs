//! The generalizations of an attribute, one after the other: levels of its taxonomy, counted from the root.
//!
//! Where a branch of the taxonomy is shorter than the level is deep, its value is used. Levels that divide the values
//! equally are one.

use incrowd_core::table::Column;
use incrowd_core::taxonomy::{MISSING, Taxonomy, TaxonomyNode};

/// A division of an attribute's values into groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Level {
    /// The group of each value of the domain, and last that of missing values.
    pub(crate) of_value: Vec<u32>,
    /// What the groups are called.
    pub(crate) labels: Vec<String>,
}

impl Level {
    /// The levels of an attribute with these names as domain, finest first.
    pub(crate) fn of(taxonomy: Option<&Taxonomy>, column: &Column, domain: &[String]) -> Vec<Self> {
        let Some(taxonomy) = taxonomy else {
            let labels = domain.iter().cloned().chain([MISSING.to_owned()]).collect();
            return vec![Self { of_value: (0..=domain.len() as u32).collect(), labels }];
        };
        let missing =
            if column.has_missing() { taxonomy.leaf(column.missing_code()) } else { TaxonomyNode::ROOT };
        let leaf = |(place, name): (usize, &String)| {
            if place < column.values().len() {
                Some(taxonomy.leaf(place as u32))
            } else {
                taxonomy.find(name)
            }
        };
        let leaves: Vec<TaxonomyNode> = domain
            .iter()
            .enumerate()
            .map(|named| leaf(named).unwrap_or(TaxonomyNode::ROOT))
            .chain([missing])
            .collect();
        let mut levels: Vec<Self> =
            (1..=taxonomy.height()).rev().map(|depth| Self::at(taxonomy, &leaves, depth)).collect();
        levels.dedup_by(|coarser, finer| coarser.of_value == finer.of_value);
        levels
    }

    fn at(taxonomy: &Taxonomy, leaves: &[TaxonomyNode], depth: u32) -> Self {
        let mut level = Self { of_value: Vec::new(), labels: Vec::new() };
        let mut group_of_node = vec![u32::MAX; taxonomy.len()];
        for &leaf in leaves {
            let mut node = leaf;
            while taxonomy.depth(node) > depth {
                node = taxonomy.parent(node).unwrap_or(TaxonomyNode::ROOT);
            }
            let group = &mut group_of_node[node.index()];
            if *group == u32::MAX {
                *group = level.labels.len() as u32;
                level.labels.push(taxonomy.label(node).to_owned());
            }
            level.of_value.push(*group);
        }
        level
    }
}

/// A division of numbers into intervals: each cut is behind the number of this rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Intervals(pub(crate) Vec<u32>);

impl Intervals {
    /// The intervals of each level of a numeric taxonomy among the numbers that occur, finest first. The values
    /// themselves are not a level: a test that distinguishes every value would list them all. Groups that are not
    /// intervals are not levels either.
    pub(crate) fn of(taxonomy: Option<&Taxonomy>, codes: &[u32]) -> Vec<Self> {
        let Some(taxonomy) = taxonomy else { return Vec::new() };
        let depths = (1..taxonomy.height()).rev();
        let mut levels: Vec<Self> = depths.filter_map(|depth| Self::at(taxonomy, codes, depth)).collect();
        levels.dedup();
        levels
    }

    fn at(taxonomy: &Taxonomy, codes: &[u32], depth: u32) -> Option<Self> {
        let nodes: Vec<TaxonomyNode> =
            codes.iter().map(|&code| taxonomy.ancestor_at_depth(code, depth)).collect();
        let cuts: Vec<u32> = (0..)
            .zip(nodes.windows(2))
            .filter(|(_, pair)| pair[0] != pair[1])
            .map(|(rank, _)| rank)
            .collect();
        let mut groups = nodes;
        groups.sort_unstable();
        groups.dedup();
        (!cuts.is_empty() && groups.len() == cuts.len() + 1).then_some(Self(cuts))
    }
}
