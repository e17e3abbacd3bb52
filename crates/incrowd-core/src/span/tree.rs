//! Spans of decision trees.
//!
//! A public test sends an individual down one branch, a private test down all of them. So the rows start as one group at the
//! root with the public tests that can be met first; a group is split by one of its pending tests, each part goes on with the tests
//! behind its branch, and a group without pending tests is a span: its leaves are all that its people can reach. Two groups that part at
//! a test end in different leaves, so groups and spans are the same thing.
//!
//! Exact also where a private attribute is asked twice on a path: branches that contradict an earlier answer are dead, worked
//! out once a tree on the attribute's elementary cells. Work: one pass over a group's rows for each public test its people can be
//! sent to; no enumeration of private values.

use super::bind::{CellMap, branches, cell_order, domain_codes, outside};
use super::flow::occupied_pairs;
use super::groups::{Groups, Route, Span};
use super::{BLOCK, Bins, Cells, Linking, Sensitive, Telling, Tellings, Tells};
use crate::error::Result;
use crate::model::{ModelAttribute, Node, Test, Tree};
use crate::policy::Policy;
use crate::table::{Code, Column, Kind, Table};
use crate::with_codes;
use hashbrown::HashMap;
use rayon::prelude::*;
use std::sync::Arc;

pub(super) fn link<'a>(table: &'a Table, policy: &Policy, tree: &'a Tree) -> Result<Linking<'a>> {
    let bound = Bound::new(table, policy, tree)?;
    let Groups { of_row, leaf_of_row, spans, example } = Groups::find(&bound, table.rows());
    let bins = bound.bins(&of_row, leaf_of_row, &spans)?;
    let sensitive = bound.sensitive(table, &spans);
    Ok(Linking {
        span_of_row: of_row,
        spans: spans.len(),
        single_bin: spans.iter().map(|span| bound.has_single_bin(span)).collect(),
        sensitive,
        bins: Some(bins),
        derived: None,
        rules: Box::new(move |span| bound.describe(&spans[span], example[span] as usize)),
    })
}

/// A tree bound to a table and to what the attacker knows.
pub(super) struct Bound<'a> {
    pub(super) tree: &'a Tree,
    /// For each test its column and where its codes go; none for leaves.
    pub(super) test: Vec<Option<(&'a Column, Route)>>,
    /// For each test whether the attacker can follow it.
    public: Vec<bool>,
    /// For each node whether anyone can reach it.
    alive: Vec<bool>,
    class: &'a Column,
    pub(super) class_public: bool,
    /// The class value of each class code.
    class_of_code: Vec<u32>,
    /// The private attributes that are tested.
    private: Vec<Private>,
}

/// A private attribute a tree tests.
struct Private {
    attribute: usize,
    map: CellMap,
    /// For each node the cells an individual there can have.
    cells_at: Arc<Vec<Vec<bool>>>,
}

impl<'a> Bound<'a> {
    fn new(table: &'a Table, policy: &Policy, tree: &'a Tree) -> Result<Self> {
        let class = table.require(&tree.class().name)?;
        let class_of_code: Vec<u32> = domain_codes(&class_domain(tree).domain, class.values())
            .into_iter()
            .map(|value| value.unwrap_or(CellMap::OUTSIDE))
            .chain([CellMap::OUTSIDE])
            .collect();
        let stray = class_of_code.iter().filter(|&&value| value == CellMap::OUTSIDE).count() > 1;
        let occurs = || class.codes().iter().any(|code| class_of_code[code as usize] == CellMap::OUTSIDE);
        if class.has_missing() || (stray && occurs()) {
            return Err(outside(class.name()));
        }
        let mut bound = Self {
            tree,
            test: Vec::new(),
            public: Vec::new(),
            alive: vec![true; tree.nodes().len()],
            class,
            class_public: policy.knows(&tree.class().name)?,
            class_of_code,
            private: Vec::new(),
        };
        bound.bind_tests(table, policy)?;
        bound.bind_private(table, policy)?;
        Ok(bound)
    }

    fn bind_tests(&mut self, table: &'a Table, policy: &Policy) -> Result<()> {
        for node in self.tree.nodes() {
            let Node::Test(test) = node else {
                self.test.push(None);
                self.public.push(false);
                continue;
            };
            let attribute = &self.tree.attributes()[test.attribute];
            let column = table.require(&attribute.name)?;
            let codes = column.values().len() + usize::from(column.has_missing());
            let route = Route::new(branches(test, attribute, column)?, codes, test.children.len());
            self.test.push(Some((column, route)));
            self.public.push(policy.knows(&attribute.name)?);
        }
        Ok(())
    }

    fn bind_private(&mut self, table: &Table, policy: &Policy) -> Result<()> {
        for (index, attribute) in self.tree.attributes().iter().enumerate() {
            let tests: Vec<(u32, &Test)> = (0..)
                .zip(self.tree.nodes())
                .filter_map(|(i, node)| match node {
                    Node::Test(test) if test.attribute == index && !self.public[i as usize] => {
                        Some((i, test))
                    }
                    _ => None,
                })
                .collect();
            if tests.is_empty() {
                continue;
            }
            let column = table.require(&attribute.name)?;
            let map = CellMap::new(self.tree, index, &tests, column, policy.is_whole(&attribute.name))?;
            let occurring = column.values().len() + usize::from(column.has_missing());
            let outside_domain = |code: u32| map.cell_of_code[code as usize] == CellMap::OUTSIDE;
            if map.cell_of_code[..occurring].contains(&CellMap::OUTSIDE)
                && column.codes().iter().any(outside_domain)
            {
                return Err(outside(column.name()));
            }
            let cells_at = Arc::new(self.cells_at(&map, &tests));
            self.private.push(Private { attribute: index, map, cells_at });
        }
        let dead = |node: usize| self.private.iter().any(|p| !p.cells_at[node].contains(&true));
        self.alive = (0..self.tree.nodes().len()).map(|node| !dead(node)).collect();
        Ok(())
    }

    /// For each node the cells of one attribute that lead there, the other attributes left aside.
    fn cells_at(&self, map: &CellMap, tests: &[(u32, &Test)]) -> Vec<Vec<bool>> {
        let asked: HashMap<u32, &Test> = tests.iter().copied().collect();
        let mut cells_at = vec![Vec::new(); self.tree.nodes().len()];
        cells_at[0] = vec![true; map.cells];
        for (index, node) in (0_u32..).zip(self.tree.nodes()) {
            let Node::Test(test) = node else { continue };
            for (branch, &child) in (0..).zip(&test.children) {
                let mut cells = cells_at[index as usize].clone();
                if asked.contains_key(&index) {
                    cells
                        .iter_mut()
                        .enumerate()
                        .for_each(|(i, cell)| *cell &= map.branch(index, i) == branch);
                }
                cells_at[child as usize] = cells;
            }
        }
        cells_at
    }

    /// Goes from `node` down all private branches that can be taken; notes leaves and the public tests met first.
    pub(super) fn expand(&self, node: u32, tests: &mut Vec<u32>, leaves: &mut Vec<u32>) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            match &self.tree.nodes()[node as usize] {
                _ if !self.alive[node as usize] => {}
                Node::Leaf(_) => leaves.push(node),
                Node::Test(_) if self.public[node as usize] => tests.push(node),
                Node::Test(test) => stack.extend(test.children.iter().rev()),
            }
        }
    }

    pub(super) fn children(&self, node: u32) -> &[u32] {
        match &self.tree.nodes()[node as usize] {
            Node::Test(test) => &test.children,
            Node::Leaf(_) => &[],
        }
    }

    pub(super) fn class_of(&self, row: usize) -> u32 {
        self.class_of_code[self.class.code(row) as usize]
    }

    fn classes(&self) -> usize {
        self.tree.class().values.len()
    }

    fn has_single_bin(&self, span: &Span) -> bool {
        span.leaves.len() == 1 && (span.class.is_some() || self.classes() == 1)
    }

    /// Numbers the bins that hold anybody by leaf and class, and finds them in the spans.
    fn bins(&self, span_of_row: &[u32], leaf_of_row: Vec<u32>, spans: &[Span]) -> Result<Bins> {
        let classes = self.classes() as u32;
        let mut of_row = leaf_of_row;
        self.add_class(&mut of_row);
        let mut number = occurring(&of_row, self.tree.nodes().len() * classes as usize);
        let mut place = Vec::new();
        for (slot, at) in number.iter_mut().zip(0_u32..).filter(|(slot, _)| **slot == 0) {
            *slot = place.len() as u32;
            place.push((at / classes, at % classes));
        }
        of_row.par_iter_mut().with_min_len(BLOCK / 16).for_each(|bin| *bin = number[*bin as usize]);
        let reach = |span: &Span| -> Vec<u32> {
            let of_leaf = |&leaf: &u32| {
                let values = span.class.map_or(0..classes, |class| class..class + 1);
                values.map(move |class| leaf * classes + class)
            };
            let mut bins: Vec<u32> =
                span.leaves.iter().flat_map(of_leaf).map(|at| number[at as usize]).collect();
            bins.retain(|&bin| bin != u32::MAX);
            bins.sort_unstable();
            bins
        };
        let reach: Vec<Vec<u32>> = spans.par_iter().map(reach).collect();
        let stray = |&(span, bin): &(u32, u32)| reach[span as usize].binary_search(&bin).is_err();
        if occupied_pairs(span_of_row, spans.len(), &of_row, place.len()).iter().any(stray) {
            return Err(outside(&self.tree.class().name));
        }
        let count = place.len();
        let class_asked = !self.class_public;
        let cells_at = self.private.iter().map(|private| Arc::clone(&private.cells_at)).collect();
        let number = |&(leaf, class): &(u32, u32)| leaf as usize * self.classes() + class as usize;
        Ok(Bins {
            of_row,
            count,
            place: place.iter().map(number).collect(),
            reach,
            tells: Box::new(TreeTells { place, class_asked, cells_at }),
        })
    }

    /// Turns the leaf of each row into the place of its bin among all bins of the tree.
    fn add_class(&self, leaf_of_row: &mut [u32]) {
        let classes = self.classes() as u32;
        with_codes!(self.class.codes(), codes => {
            let rows = leaf_of_row.par_iter_mut().zip(codes).with_min_len(BLOCK / 16);
            rows.for_each(|(leaf, code)| {
                *leaf = *leaf * classes + self.class_of_code[code.wide() as usize];
            });
        });
    }

    fn sensitive(&self, table: &Table, spans: &[Span]) -> Vec<Sensitive> {
        let position = |name: &str| table.columns().iter().position(|column| column.name() == name);
        let class = (!self.class_public).then(|| {
            let column = position(self.class.name()).unwrap_or_default();
            let source = Cells::Column { column, cell_of_code: self.class_of_code.clone() };
            let ordered = self.class.kind() != Kind::Categorical;
            let mut plain = Sensitive::plain(self.class.name(), source, self.classes());
            let order = cell_order(&class_domain(self.tree), self.class, self.classes());
            plain.tellings = plain.tellings.into_iter().map(|telling| telling.in_order(&order)).collect();
            if self.classes() == 1 {
                plain.telling_of_span = vec![Sensitive::SILENT; spans.len()];
            }
            Sensitive { is_class: true, ordered, ..plain }
        });
        let private = self.private.iter().map(|private| {
            let attribute = &self.tree.attributes()[private.attribute];
            let column = position(&attribute.name).unwrap_or_default();
            let order = cell_order(attribute, &table.columns()[column], private.map.cells);
            let mut tellings = Tellings::default();
            for span in spans {
                let marks = span.leaves.iter().map(|&leaf| private.cells_at[leaf as usize].as_slice());
                let telling = Telling::by_marks(private.map.cells, marks);
                tellings.push(telling.map(|telling| telling.in_order(&order)));
            }
            Sensitive {
                name: attribute.name.clone(),
                about: vec![attribute.name.clone()],
                is_class: false,
                ordered: table.columns()[column].kind() != Kind::Categorical,
                source: Cells::Column { column, cell_of_code: private.map.cell_of_code.clone() },
                cells: private.map.cells,
                tellings: tellings.all,
                telling_of_span: tellings.of_span,
            }
        });
        class.into_iter().chain(private).collect()
    }

    /// How a span reads: the answers to the public tests its people meet, found again from one of its rows.
    fn describe(&self, span: &Span, row: usize) -> String {
        let mut parts = Vec::new();
        let (mut tests, mut leaves) = (Vec::new(), Vec::new());
        self.expand(0, &mut tests, &mut leaves);
        while let Some(node) = tests.pop() {
            let (Node::Test(test), Some((column, route))) =
                (&self.tree.nodes()[node as usize], &self.test[node as usize])
            else {
                continue;
            };
            let branch = route.branch(column.code(row)) as usize;
            let part = format!("{} {}", column.name(), test.labels[branch]);
            // The same question may be met behind several private branches.
            if !parts.contains(&part) {
                parts.push(part);
            }
            self.expand(test.children[branch], &mut tests, &mut leaves);
        }
        let class = self.tree.class();
        parts.extend(span.class.map(|value| format!("{} = {}", class.name, class.values[value as usize])));
        if parts.is_empty() { "everybody".to_owned() } else { parts.join(", ") }
    }
}

/// 0 for each number below `count` that occurs, [`u32::MAX`] for the others.
fn occurring(numbers: &[u32], count: usize) -> Vec<u32> {
    let none = || vec![u32::MAX; count];
    let note = |mut found: Vec<u32>, numbers: &[u32]| {
        numbers.iter().for_each(|&number| found[number as usize] = 0);
        found
    };
    let join = |a: Vec<u32>, b: Vec<u32>| a.into_iter().zip(b).map(|(a, b)| a.min(b)).collect();
    numbers.par_chunks(BLOCK).fold(none, note).reduce(none, join)
}

fn class_domain(tree: &Tree) -> ModelAttribute {
    ModelAttribute::categorical(&tree.class().name, tree.class().values.clone())
}

struct TreeTells {
    /// The leaf and class of each bin.
    place: Vec<(u32, u32)>,
    class_asked: bool,
    cells_at: Vec<Arc<Vec<Vec<bool>>>>,
}

impl Tells for TreeTells {
    fn cells(&self, _span: usize, bin: u32, sensitive: usize) -> Result<Vec<u32>> {
        let (leaf, class) = self.place[bin as usize];
        match sensitive.checked_sub(usize::from(self.class_asked)) {
            None => Ok(vec![class]),
            Some(private) => {
                let cells = &self.cells_at[private][leaf as usize];
                Ok((0..).zip(cells).filter(|&(_, &can)| can).map(|(cell, _)| cell).collect())
            }
        }
    }
}
