//! A growing tree: nodes, the rows of each, and the spans of all individuals.

use super::histogram::Histogram;
use super::known::Known;
use super::partition::Partition;
use super::reach::Reach;
use super::spans::{MadeSplit, Spans};
use super::split::Split;
use super::task::Task;
use super::watch::Watch;
use incrowd_core::model::{self, Tree};
use incrowd_core::table::{Code, People};
use incrowd_core::{Result, with_codes};
use std::ops::Range;

/// A node of a growing tree.
pub(crate) struct Node {
    /// The node above.
    pub(crate) parent: Option<u32>,
    /// Its rows: a part of the partition by leaf. The parts of its children lie within. Where only counts are known,
    /// the number of a cell (`known`).
    pub(crate) rows: Range<u32>,
    /// Its rows by class, weights counted.
    pub(crate) counts: Vec<u64>,
    /// The attributes that are tested on the path here, each with the node below its last test, which knows what is
    /// left of it.
    pub(crate) tested: Vec<(usize, u32)>,
    /// What is left of the attribute of the test above.
    pub(crate) left: Option<Reach>,
    /// How it is split, if it is, and its first child.
    pub(crate) split: Option<(Split, u32)>,
}

impl Node {
    /// The number of rows, weights counted.
    pub(crate) fn size(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Whether all rows are of one class.
    pub(crate) fn is_pure(&self) -> bool {
        self.counts.iter().filter(|&&n| n > 0).count() <= 1
    }

    /// The node below the last test of an attribute on the path here; none if it was not tested.
    pub(crate) fn tested_at(&self, attribute: usize) -> Option<u32> {
        self.tested.iter().find(|(asked, _)| *asked == attribute).map(|&(_, node)| node)
    }

    /// The nodes below.
    pub(crate) fn children(&self) -> Range<u32> {
        self.split.as_ref().map_or(0..0, |(split, first)| *first..first + split.branches)
    }
}

/// A growing tree. Node 0 is the root; children come after their parents, in the order the splits were made.
pub(crate) struct Grower<'t> {
    pub(crate) task: &'t Task<'t>,
    pub(crate) watch: Watch<'t>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) by_leaf: Partition,
    pub(crate) spans: Spans,
    /// The leaf of each row, where the tree is grown carefully.
    pub(crate) leaf_of_row: Vec<u32>,
    /// The rows of the task, in the tree or not, weights counted.
    pub(crate) everyone: u64,
    /// About how many values a file of the tree would have.
    pub(crate) listed: usize,
}

impl<'t> Grower<'t> {
    /// A root with every individual in it.
    pub(crate) fn new(task: &'t Task<'t>) -> Self {
        Self::of_rows(task, (0..task.table.rows() as u32).collect())
    }

    /// A root with some rows in it; only for a private class if these are not all.
    pub(crate) fn of_rows(task: &'t Task<'t>, rows: Vec<u32>) -> Self {
        let everyone = match task.table.people() {
            People::Weights(weights) => weights.iter().map(|&weight| u64::from(weight)).sum(),
            _ => task.table.rows() as u64,
        };
        let by_leaf = Partition::of(rows);
        let spans = Spans::new(task, &by_leaf);
        let counted = task.known.map(Known::root);
        let everyone = counted.as_ref().map_or(everyone, |(_, counts)| counts.iter().sum());
        let (part, counts) =
            counted.unwrap_or_else(|| (0..by_leaf.order().len() as u32, class_counts(task, by_leaf.order())));
        let root = Node { parent: None, rows: part, counts, tested: Vec::new(), left: None, split: None };
        let leaf_of_row = if task.careful { vec![0; task.table.rows()] } else { Vec::new() };
        Self {
            task,
            watch: Watch::new(task),
            nodes: vec![root],
            spans,
            by_leaf,
            leaf_of_row,
            everyone,
            listed: 0,
        }
    }

    /// Refuses a tree that is too large to be released.
    ///
    /// # Errors
    /// When a file of it would have more values than a release may have.
    pub(crate) fn check_size(&self) -> Result<()> {
        Tree::check_size(self.nodes.len(), self.task.class.count)?;
        Tree::check_listed(self.listed)
    }

    /// A node.
    pub(crate) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// The rows of a node.
    pub(crate) fn rows(&self, node: u32) -> &[u32] {
        self.by_leaf.rows(&self.node(node).rows)
    }

    /// The number of rows of a node, where only counts are known with their weights.
    pub(crate) fn rows_at(&self, node: u32) -> u64 {
        let node = self.node(node);
        if self.task.known.is_some() { node.size() } else { node.rows.len() as u64 }
    }

    /// Whether everything that is needed to look for splits of a node is known. If not, it is asked for.
    pub(crate) fn is_known(&self, node: u32) -> bool {
        let Some(known) = self.task.known else { return true };
        let part = &self.node(node).rows;
        let mut is_known = true;
        for attribute in &self.task.attributes {
            is_known &= known.counts(part, attribute).is_some();
            // The spans are needed for the checks of splits, which do not wait for them here.
            for span in self.spans.of(node).filter(|span| span.place.part() != part) {
                known.counts(span.place.part(), attribute);
            }
        }
        is_known
    }

    /// Whether everything that is needed to make a split is known. If not, it is asked for.
    pub(crate) fn can_follow(&self, node: u32, split: &Split) -> bool {
        let Some(known) = self.task.known else { return true };
        let attribute = &self.task.attributes[split.attribute];
        let spans = self.spans.of(node).filter(|_| attribute.known).map(|span| span.place.part());
        let parts = std::iter::once(&self.node(node).rows).chain(spans);
        // All of them are asked for.
        parts.filter(|part| known.counts(part, attribute).is_none()).count() == 0
    }

    /// Counts an attribute's codes at a node.
    pub(crate) fn histogram(&self, node: u32, attribute: usize) -> Histogram {
        if let Some(known) = self.task.known {
            let found = known.counts(&self.node(node).rows, &self.task.attributes[attribute]);
            return found.map_or_else(|| Histogram::empty(self.task.class.count), |found| (*found).clone());
        }
        Histogram::of(self.task, self.task.attributes[attribute].column, self.rows(node))
    }

    /// What the path to a node leaves of an attribute; none if it was not tested.
    pub(crate) fn reach_of(&self, node: u32, attribute: usize) -> Option<&Reach> {
        self.node(self.node(node).tested_at(attribute)?).left.as_ref()
    }

    /// What is left of an attribute behind a branch of a split of a node.
    pub(crate) fn reach_behind(&self, node: u32, split: &Split, branch: u32) -> Reach {
        match self.reach_of(node, split.attribute) {
            Some(here) => here.behind(split, branch),
            None => Reach::whole(&self.task.attributes[split.attribute]).behind(split, branch),
        }
    }

    /// Splits a node; the caller has checked that this is safe. Returns the new nodes.
    pub(crate) fn commit(&mut self, node: u32, split: Split) -> Range<u32> {
        if self.task.known.is_some() {
            let rows = self.histogram(node, split.attribute);
            return self.commit_counted(node, split, &rows);
        }
        let parts = self.divide(node, &split);
        let counts = self.counts_of(node, &parts);
        self.put(node, split, parts, counts)
    }

    /// The same where the counts of the split's attribute at the node are known.
    pub(crate) fn commit_counted(&mut self, node: u32, split: Split, rows: &Histogram) -> Range<u32> {
        let parts = self.divide(node, &split);
        let counts = rows.by_branch(&split.branch_of_code, split.branches);
        let counts = counts.chunks_exact(self.task.class.count).map(<[u64]>::to_vec).collect();
        self.put(node, split, parts, counts)
    }

    /// Divides the rows and the spans of a node.
    fn divide(&mut self, node: u32, split: &Split) -> Vec<Range<u32>> {
        let codes = self.task.attributes[split.attribute].column.codes();
        let (first, part) = (self.nodes.len() as u32, self.node(node).rows.clone());
        let parts = match self.task.known {
            Some(known) => known.divide(&part, &self.task.attributes[split.attribute], split),
            None => self.by_leaf.divide(&part, codes, &split.branch_of_code, split.branches),
        };
        let made = MadeSplit { node, part, parts: &parts, split, first, nodes: &self.nodes };
        self.spans.split(self.task, &self.by_leaf, &made);
        parts
    }

    /// Puts the children of a split to the nodes.
    fn put(&mut self, node: u32, split: Split, parts: Vec<Range<u32>>, counts: Vec<Vec<u64>>) -> Range<u32> {
        let first = self.nodes.len() as u32;
        for ((branch, rows), counts) in (0..).zip(parts).zip(counts) {
            if self.task.careful {
                let leaf = first + branch;
                self.by_leaf.rows(&rows).iter().for_each(|&row| self.leaf_of_row[row as usize] = leaf);
            }
            let mut tested = self.node(node).tested.clone();
            tested.retain(|(asked, _)| *asked != split.attribute);
            tested.push((split.attribute, first + branch));
            let left = Some(self.reach_behind(node, &split, branch));
            self.nodes.push(Node { parent: Some(node), rows, counts, tested, left, split: None });
        }
        let children = first..first + split.branches;
        self.listed += listed(self.task, &split);
        self.nodes[node as usize].split = Some((split, first));
        children
    }

    /// The rows of each part of a node by class; the largest part has what the others leave.
    fn counts_of(&self, node: u32, parts: &[Range<u32>]) -> Vec<Vec<u64>> {
        let largest = (0..parts.len()).max_by_key(|&part| parts[part].len());
        let mut rest = self.node(node).counts.clone();
        let mut counts = vec![Vec::new(); parts.len()];
        for (place, part) in parts.iter().enumerate().filter(|(place, _)| Some(*place) != largest) {
            counts[place] = class_counts(self.task, self.by_leaf.rows(part));
            rest.iter_mut().zip(&counts[place]).for_each(|(all, n)| *all -= n);
        }
        largest.into_iter().for_each(|place| counts[place].clone_from(&rest));
        counts
    }
}

/// About how many values the file of a tree has for a split: the names of its test, its branches, and the contents of
/// the new leaves.
fn listed(task: &Task<'_>, split: &Split) -> usize {
    let names = match &split.told {
        model::Split::Values(of_value) => of_value.iter().flatten().count(),
        model::Split::Thresholds(thresholds) => thresholds.len(),
    };
    names + split.branches as usize * (task.class.count + 6)
}

fn class_counts(task: &Task<'_>, rows: &[u32]) -> Vec<u64> {
    let mut counts = vec![0; task.class.count];
    with_codes!(task.class.column.codes(), class => match task.table.people() {
        People::Weights(weights) => rows.iter().for_each(|&row| {
            counts[class[row as usize].wide() as usize] += u64::from(weights[row as usize]);
        }),
        _ => rows.iter().for_each(|&row| counts[class[row as usize].wide() as usize] += 1),
    });
    counts
}
