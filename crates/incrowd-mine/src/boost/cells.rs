//! The cells: a tree of public tests, made under the guarantee, and what stands for each cell.
//!
//! Cells are the leaves of a tree that is grown for the class, or those of a division of the public attributes by their
//! effects on the class ([`super::divide`]).
//!
//! What stands for a cell is a function of public attributes alone: its number, the mean of its numbers, its most
//! frequent names. Shares of the class would reveal more than populations do (`docs/proofs.md`).

use super::blind;
use super::divide::{self, CellCheck, Ground, Size};
use super::effects;
use super::features::Feature;
use super::release;
use super::rows::{Rows, Source};
use crate::representatives::{means, most_frequent};
use crate::sample::Part;
use crate::table::{public_and_class, requirements_on_class};
use crate::tree::{TreeMethod, TreeParams, mine_tree};
use hashbrown::HashMap;
use incrowd_core::Result;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::{
    CellPlan, CellTree, CellValue, Class, Combination, Domain, Ensemble, Leaf, LeafContents, Link, Member,
    ModelAttribute, Node, Scoring, TieRule, Tree,
};
use incrowd_core::policy::Policy;
use incrowd_core::predict::predict;
use incrowd_core::progress::Progress;
use incrowd_core::table::{Column, Table};
use std::sync::Arc;

/// The most cells whose numbers are a feature. More of them would be learned by heart.
const MOST_NUMBERED: usize = 32;

/// The most cells of a division.
const MOST_CELLS: usize = 1 << 12;

/// The significant digits of a mean.
const DIGITS: usize = 4;

/// How fine cells are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grain {
    /// One cell of everyone.
    One,
    /// One tree is the ensemble, and its leaves are the cells.
    Tree,
    /// A division by effects on the class.
    Effects,
    /// A division by the public attributes alone.
    Blind,
    /// The leaves of a tree that is pruned by cross-validation.
    Pruned,
    /// The leaves of a tree with at most this many.
    Leaves(u32),
}

/// Cells of a table.
pub(crate) struct Cells {
    /// `None` where there is one cell of everyone.
    pub(crate) tree: Option<CellTree>,
    /// The cell of each row of the table.
    pub(crate) of_row: Vec<u32>,
}

/// What cells are made from.
pub(crate) struct CellTask<'a> {
    pub(crate) table: &'a Table,
    pub(crate) policy: &'a Policy,
    pub(crate) guarantee: &'a Guarantee,
    pub(crate) class: &'a str,
    /// Whether the attacker knows the class.
    pub(crate) class_known: bool,
    pub(crate) source: &'a Source,
    /// The public attributes.
    pub(crate) public: &'a [Arc<Feature>],
    /// The private attributes.
    pub(crate) private: &'a [Arc<Feature>],
}

impl CellTask<'_> {
    /// Grows cells from some rows, and puts all rows into them.
    pub(crate) fn grow(&self, grain: Grain, part: Option<&Part>, progress: &dyn Progress) -> Result<Cells> {
        let one = || Cells { tree: None, of_row: vec![0; self.table.rows()] };
        let mut params = TreeParams::new(TreeMethod::Best, self.guarantee.clone());
        let params = match grain {
            Grain::One => return Ok(one()),
            Grain::Effects | Grain::Blind => return self.divided(grain, part),
            Grain::Pruned | Grain::Tree => params.check()?,
            Grain::Leaves(most) => {
                (params.min_rows, params.max_leaves) = (1, most);
                params.check()?.unpruned()
            }
        };
        let policy = public_and_class(self.policy, self.class);
        let learned = part.map(|part| part.of(self.table));
        let tree = mine_tree(learned.as_ref().unwrap_or(self.table), &policy, &params, progress)?.tree;
        if tree.nodes().len() == 1 {
            return Ok(one());
        }
        self.described(&tree, learned.as_ref())
    }

    /// Divides some rows by public attributes.
    fn divided(&self, grain: Grain, part: Option<&Part>) -> Result<Cells> {
        let tree = self.division(grain, part, None)?;
        if tree.nodes().len() == 1 {
            return Ok(Cells { tree: None, of_row: vec![0; self.table.rows()] });
        }
        let learned = part.map(|part| part.of(self.table));
        self.described(&tree, learned.as_ref())
    }

    /// The tree of public tests that divides some rows, each part of which may be a cell.
    pub(crate) fn division(
        &self,
        grain: Grain,
        part: Option<&Part>,
        may_be_cell: Option<CellCheck<'_>>,
    ) -> Result<Tree> {
        let features: Vec<Arc<Feature>> = self.public.iter().chain(self.private).cloned().collect();
        let of_rows = Rows::new(self.source, &features, part);
        let bins = of_rows.examples.bins[..self.public.len()].to_vec();
        let class = of_rows.class_of_row.clone();
        let scales = match grain {
            Grain::Blind => blind::scales(self.table, self.public)?,
            _ => effects::scales(of_rows, self.public.len()),
        };
        let weights: Vec<u32> = match part {
            Some(part) => (0..part.rows.len()).map(|place| part.weight(self.table, place)).collect(),
            None => (0..self.table.rows()).map(|row| self.table.weight(row)).collect(),
        };
        let k = self.guarantee.asked_k().unwrap_or(1);
        let earlier = self.earlier_spans(part);
        let is_large = |rows: &[u32]| {
            let class = |row: u32| if self.class_known { class[row as usize] } else { 0 };
            let of_row = |&row: &u32| ((earlier[row as usize], class(row)), weights[row as usize]);
            let holds = earlier.is_empty() || every_group_has(k, rows.iter().map(of_row));
            holds && may_be_cell.is_none_or(|may_be_cell| may_be_cell(rows))
        };
        let asks_more = !earlier.is_empty() || may_be_cell.is_some();
        let ground = Ground {
            features: self.public,
            bins: &bins,
            weights: &weights,
            known_class: self.class_known.then_some(class.as_slice()),
            classes: self.source.classes,
            may_be_cell: asks_more.then_some(&is_large),
        };
        let grown = divide::cells(&ground, &scales, Size { k, cells: MOST_CELLS });
        release::tree(&grown, self.public)
    }

    /// The joint span of earlier releases of each of some rows; nothing if there are no earlier releases.
    fn earlier_spans(&self, part: Option<&Part>) -> Vec<u32> {
        let Some(column) = self.policy.earlier_spans(self.table) else { return Vec::new() };
        match part {
            Some(part) => part.rows.iter().map(|&row| column.code(row as usize)).collect(),
            None => column.codes().iter().collect(),
        }
    }

    /// The leaves of a tree as cells, with what stands for each by the rows they were learned from: all, or others.
    pub(crate) fn described(&self, tree: &Tree, others: Option<&Table>) -> Result<Cells> {
        let learned = others.unwrap_or(self.table);
        let leaf_of_learned = predict(learned, tree)?.node_of_row;
        let mut cell_of_node = vec![u32::MAX; tree.nodes().len()];
        let leaves = (0..tree.nodes().len()).filter(|&node| matches!(tree.nodes()[node], Node::Leaf(_)));
        leaves.zip(0..).for_each(|(node, cell)| cell_of_node[node] = cell);
        let count = cell_of_node.iter().filter(|&&cell| cell != u32::MAX).count();
        let cell_of_learned: Vec<u32> =
            leaf_of_learned.iter().map(|&node| cell_of_node[node as usize]).collect();
        let plan = self.plan(tree, learned, &cell_of_node, &cell_of_learned, count)?;
        let cells = checked(tree, plan)?;
        if others.is_none() {
            return Ok(Cells { tree: Some(cells), of_row: cell_of_learned });
        }
        let of_row = predict(self.table, tree)?.node_of_row;
        let of_row = of_row.iter().map(|&node| cell_of_node[node as usize]).collect();
        Ok(Cells { tree: Some(cells), of_row })
    }

    fn plan(
        &self,
        tree: &Tree,
        learned: &Table,
        cell_of_node: &[u32],
        cell_of_row: &[u32],
        count: usize,
    ) -> Result<CellPlan> {
        let mut attributes = Vec::new();
        let mut values = vec![Vec::new(); count];
        if count <= MOST_NUMBERED {
            let names = (1..=count).map(|cell| cell.to_string());
            attributes.push(ModelAttribute::categorical(&self.unused("cell"), names));
            (0..).zip(&mut values).for_each(|(cell, values)| values.push(CellValue::Name(cell)));
        }
        for attribute in self.public.iter().map(|feature| &feature.model) {
            let column = learned.require(&attribute.name)?;
            let name = self.unused(&format!("cell {}", attribute.name));
            let (model, own) = match (&attribute.domain, column.values().numbers()) {
                (Domain::Numbers { .. }, Some(numbers)) => {
                    let cells = (cell_of_row, count);
                    let means = means(learned, (column, numbers), cells, (DIGITS, 1));
                    let value = |mean: Option<f64>| CellValue::Number(mean.unwrap_or(0.0));
                    (ModelAttribute::numeric(&name), means.into_iter().map(value).collect())
                }
                _ => names(&name, learned, column, cell_of_row, count),
            };
            attributes.push(model);
            values.iter_mut().zip(own).for_each(|(values, own)| values.push(own));
        }
        let node = |(place, node): (usize, &Node)| match node {
            Node::Test(test) => Node::Test(test.clone()),
            Node::Leaf(_) => Node::Leaf(Leaf { label: cell_of_node[place], told: LeafContents::Nothing }),
        };
        let nodes = tree.nodes().iter().enumerate().map(node).collect();
        Ok(CellPlan { attributes, nodes, values })
    }

    /// A name that neither the table nor the policy has.
    pub(crate) fn unused(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.table.column(&name).is_some() || self.policy.attribute(&name).is_some() {
            name.push('\'');
        }
        name
    }
}

/// Whether every group of rows, given by group and weight, has at least k individuals.
fn every_group_has(k: u64, rows: impl Iterator<Item = ((u32, u32), u32)>) -> bool {
    let mut of_group: HashMap<(u32, u32), u64> = HashMap::new();
    rows.for_each(|(group, weight)| *of_group.entry(group).or_default() += u64::from(weight));
    of_group.values().all(|&individuals| individuals >= k)
}

/// The guarantee of the tree of cells: the requirements on the class and on the size of groups.
pub(crate) fn guarantee_of_cells(guarantee: &Guarantee, class_in_scope: bool) -> Result<Guarantee> {
    requirements_on_class(guarantee, class_in_scope)
}

/// The cells of an ensemble with one leaf, which checks them.
fn checked(tree: &Tree, plan: CellPlan) -> Result<CellTree> {
    let class = Class { name: "\u{0}".to_owned(), values: vec!["0".to_owned(), "1".to_owned()] };
    let leaf = Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing });
    let member = Member { nodes: vec![leaf], output: Some(0), scores: vec![vec![0.0]] };
    let scoring =
        Scoring { combination: Combination::Sum, base: vec![0.0], link: Link::Logistic, tie: TieRule::First };
    let sources = tree.attributes().to_vec();
    let ensemble = Ensemble::with_cells(sources, class, Some(plan), vec![member], scoring)?;
    ensemble.cells().cloned().ok_or_else(|| incrowd_core::Error::internal("the cells are lost"))
}

/// The most frequent name of each cell, the first of several.
fn names(
    name: &str,
    learned: &Table,
    column: &Column,
    cell_of_row: &[u32],
    count: usize,
) -> (ModelAttribute, Vec<CellValue>) {
    let of_cell = most_frequent(learned, column, (cell_of_row, count));
    let mut used = of_cell.clone();
    used.sort_unstable();
    used.dedup();
    let text = |&code: &u32| {
        if code == column.missing_code() {
            "(missing)".to_owned()
        } else {
            column.values().text(code as usize).into_owned()
        }
    };
    let places = of_cell.iter().map(|code| used.partition_point(|other| other < code) as u32);
    let values = places.map(CellValue::Name).collect();
    (ModelAttribute::categorical(name, used.iter().map(text)), values)
}
