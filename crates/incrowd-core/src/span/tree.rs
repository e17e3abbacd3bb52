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
use super::{BLOCK, Bins, Cells, Linking, Sensitive, Telling, Tellings, Tells};
use crate::error::Result;
use crate::model::{ModelAttribute, Node, Test, Tree};
use crate::policy::Policy;
use crate::table::{Column, Kind, Table};
use hashbrown::HashMap;
use rayon::prelude::*;
use std::sync::Arc;

pub(super) fn link<'a>(table: &'a Table, policy: &Policy, tree: &'a Tree) -> Result<Linking<'a>> {
    let bound = Bound::new(table, policy, tree)?;
    let groups = Groups::find(&bound, table.rows());
    let bins = bound.bins(&groups, table.rows())?;
    let sensitive = bound.sensitive(table, &groups);
    let Groups { of_row, spans, example } = groups;
    Ok(Linking {
        span_of_row: of_row,
        spans: spans.len(),
        single_bin: spans.iter().map(|span| bound.has_single_bin(span)).collect(),
        sensitive,
        bins: Some(bins),
        rules: Box::new(move |span| bound.describe(&spans[span], example[span] as usize)),
    })
}

/// A tree bound to a table and to what the attacker knows.
struct Bound<'a> {
    tree: &'a Tree,
    /// For each test the branch of each code; empty for leaves.
    branch_of_code: Vec<Vec<u32>>,
    /// For each test its column.
    column: Vec<Option<&'a Column>>,
    /// For each test whether the attacker can follow it.
    public: Vec<bool>,
    /// For each node whether anyone can reach it.
    alive: Vec<bool>,
    class: &'a Column,
    class_public: bool,
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

/// A span: the leaves its people can reach, and their class value if it is public.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Span {
    leaves: Vec<u32>,
    class: Option<u32>,
}

struct Groups {
    of_row: Vec<u32>,
    spans: Vec<Span>,
    /// A row of each span.
    example: Vec<u32>,
}

impl<'a> Bound<'a> {
    fn new(table: &'a Table, policy: &Policy, tree: &'a Tree) -> Result<Self> {
        let class = table.require(&tree.class().name)?;
        let class_of_code: Vec<u32> = domain_codes(&class_domain(tree), class.values())
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
            branch_of_code: Vec::new(),
            column: Vec::new(),
            public: Vec::new(),
            alive: vec![true; tree.nodes().len()],
            class,
            class_public: policy.knows(&tree.class().name)?,
            class_of_code,
            private: Vec::new(),
        };
        bound.bind_tests(table, policy)?;
        bound.bind_private(table)?;
        Ok(bound)
    }

    fn bind_tests(&mut self, table: &'a Table, policy: &Policy) -> Result<()> {
        for node in self.tree.nodes() {
            let Node::Test(test) = node else {
                self.branch_of_code.push(Vec::new());
                self.column.push(None);
                self.public.push(false);
                continue;
            };
            let attribute = &self.tree.attributes()[test.attribute];
            let column = table.require(&attribute.name)?;
            self.branch_of_code.push(branches(test, attribute, column)?);
            self.column.push(Some(column));
            self.public.push(policy.knows(&attribute.name)?);
        }
        Ok(())
    }

    fn bind_private(&mut self, table: &Table) -> Result<()> {
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
            let map = CellMap::new(self.tree, index, &tests, column)?;
            if column.codes().iter().any(|code| map.cell_of_code[code as usize] == CellMap::OUTSIDE) {
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
    fn expand(&self, node: u32, tests: &mut Vec<u32>, leaves: &mut Vec<u32>) {
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

    fn children(&self, node: u32) -> &[u32] {
        match &self.tree.nodes()[node as usize] {
            Node::Test(test) => &test.children,
            Node::Leaf(_) => &[],
        }
    }

    fn leaf_of(&self, row: usize) -> u32 {
        let mut node = 0;
        while let Some(column) = self.column[node as usize] {
            let branch = self.branch_of_code[node as usize][column.code(row) as usize];
            node = self.children(node)[branch as usize];
        }
        node
    }

    fn class_of(&self, row: usize) -> u32 {
        self.class_of_code[self.class.code(row) as usize]
    }

    fn classes(&self) -> usize {
        self.tree.class().values.len()
    }

    fn has_single_bin(&self, span: &Span) -> bool {
        span.leaves.len() == 1 && (span.class.is_some() || self.classes() == 1)
    }

    /// Numbers the bins that hold anybody by leaf and class, and finds them in the spans.
    fn bins(&self, groups: &Groups, rows: usize) -> Result<Bins> {
        let classes = self.classes() as u32;
        let mut of_row: Vec<u32> = (0..rows)
            .into_par_iter()
            .with_min_len(BLOCK / 16)
            .map(|row| self.leaf_of(row) * classes + self.class_of(row))
            .collect();
        let mut number = vec![u32::MAX; self.tree.nodes().len() * classes as usize];
        of_row.iter().for_each(|&bin| number[bin as usize] = 0);
        let mut place = Vec::new();
        for (slot, at) in number.iter_mut().zip(0_u32..).filter(|(slot, _)| **slot == 0) {
            *slot = place.len() as u32;
            place.push((at / classes, at % classes));
        }
        of_row.par_iter_mut().for_each(|bin| *bin = number[*bin as usize]);
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
        let reach: Vec<Vec<u32>> = groups.spans.par_iter().map(reach).collect();
        let stray =
            (0..rows).find(|&row| reach[groups.of_row[row] as usize].binary_search(&of_row[row]).is_err());
        if stray.is_some() {
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

    fn sensitive(&self, table: &Table, groups: &Groups) -> Vec<Sensitive> {
        let position = |name: &str| table.columns().iter().position(|column| column.name() == name);
        let class = (!self.class_public).then(|| {
            let column = position(self.class.name()).unwrap_or_default();
            let source = Cells::Column { column, cell_of_code: self.class_of_code.clone() };
            let ordered = self.class.kind() != Kind::Categorical;
            let mut plain = Sensitive::plain(self.class.name(), source, self.classes());
            let order = cell_order(&class_domain(self.tree), self.class, self.classes());
            plain.tellings = plain.tellings.into_iter().map(|telling| telling.in_order(&order)).collect();
            if self.classes() == 1 {
                plain.telling_of_span = vec![Sensitive::SILENT; groups.spans.len()];
            }
            Sensitive { is_class: true, ordered, ..plain }
        });
        let private = self.private.iter().map(|private| {
            let attribute = &self.tree.attributes()[private.attribute];
            let column = position(&attribute.name).unwrap_or_default();
            let order = cell_order(attribute, &table.columns()[column], private.map.cells);
            let mut tellings = Tellings::default();
            for span in &groups.spans {
                let marks = span.leaves.iter().map(|&leaf| private.cells_at[leaf as usize].as_slice());
                let telling = Telling::by_marks(private.map.cells, marks);
                tellings.push(telling.map(|telling| telling.in_order(&order)));
            }
            Sensitive {
                name: attribute.name.clone(),
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
            let (Node::Test(test), Some(column)) =
                (&self.tree.nodes()[node as usize], self.column[node as usize])
            else {
                continue;
            };
            let branch = self.branch_of_code[node as usize][column.code(row) as usize] as usize;
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
    fn cells(&self, _span: usize, bin: u32, sensitive: usize) -> Vec<u32> {
        let (leaf, class) = self.place[bin as usize];
        match sensitive.checked_sub(usize::from(self.class_asked)) {
            None => vec![class],
            Some(private) => {
                let cells = &self.cells_at[private][leaf as usize];
                (0..).zip(cells).filter(|&(_, &can)| can).map(|(cell, _)| cell).collect()
            }
        }
    }
}

/// The spans of some rows: for each row the number of its span, and the spans with a row of each.
type BlockGroups = (Vec<u32>, Vec<(Span, u32)>);

/// A group of rows on its way to becoming a span.
struct Pending {
    from: usize,
    to: usize,
    tests: Vec<u32>,
    leaves: Vec<u32>,
}

impl Groups {
    /// Works block by block, then joins equal spans; blocks have a fixed size, so the numbering does not depend on threads.
    fn find(bound: &Bound<'_>, rows: usize) -> Self {
        let blocks = (0..rows.div_ceil(BLOCK)).into_par_iter();
        let parts: Vec<BlockGroups> =
            blocks.map(|block| block_groups(bound, block * BLOCK, rows.min((block + 1) * BLOCK))).collect();
        let mut number: HashMap<Span, u32> = HashMap::new();
        let mut groups = Self { of_row: Vec::with_capacity(rows), spans: Vec::new(), example: Vec::new() };
        for (of_row, spans) in parts {
            let global: Vec<u32> = spans
                .into_iter()
                .map(|(span, row)| {
                    *number.entry(span).or_insert_with_key(|span| {
                        groups.spans.push(span.clone());
                        groups.example.push(row);
                        groups.spans.len() as u32 - 1
                    })
                })
                .collect();
            groups.of_row.extend(of_row.into_iter().map(|local| global[local as usize]));
        }
        groups
    }
}

/// The spans of the rows `from..to`.
fn block_groups(bound: &Bound<'_>, from: usize, to: usize) -> BlockGroups {
    let mut order: Vec<u32> = (from as u32..to as u32).collect();
    let mut scratch = order.clone();
    let mut of_row = vec![0; to - from];
    let mut spans: Vec<(Span, u32)> = Vec::new();
    let mut first = Pending { from: 0, to: order.len(), tests: Vec::new(), leaves: Vec::new() };
    bound.expand(0, &mut first.tests, &mut first.leaves);
    let mut work = vec![first];
    while let Some(mut group) = work.pop() {
        if let Some(node) = group.tests.pop() {
            split(bound, node, &group, &mut order, &mut scratch, &mut work);
            continue;
        }
        group.leaves.sort_unstable();
        for (class, rows) in by_class(bound, &mut order[group.from..group.to]) {
            spans.push((Span { leaves: group.leaves.clone(), class }, rows[0]));
            rows.iter().for_each(|&row| of_row[row as usize - from] = spans.len() as u32 - 1);
        }
    }
    (of_row, spans)
}

/// Divides a group's rows by the branch they take, keeping their order, and puts the parts to the work list.
fn split(
    bound: &Bound<'_>,
    node: u32,
    group: &Pending,
    order: &mut [u32],
    scratch: &mut [u32],
    work: &mut Vec<Pending>,
) {
    let Some(column) = bound.column[node as usize] else { return };
    let (of_code, children) = (&bound.branch_of_code[node as usize], bound.children(node));
    let rows = &mut order[group.from..group.to];
    let branch = |row: u32| of_code[column.code(row as usize) as usize] as usize;
    let mut ends = vec![0_usize; children.len() + 1];
    rows.iter().for_each(|&row| ends[branch(row) + 1] += 1);
    (1..ends.len()).for_each(|i| ends[i] += ends[i - 1]);
    let starts = ends.clone();
    for &row in rows.iter() {
        let place = &mut ends[branch(row)];
        scratch[*place] = row;
        *place += 1;
    }
    rows.copy_from_slice(&scratch[..rows.len()]);
    for (i, &child) in children.iter().enumerate().filter(|&(i, _)| starts[i + 1] > starts[i]) {
        let (mut tests, mut leaves) = (group.tests.clone(), group.leaves.clone());
        bound.expand(child, &mut tests, &mut leaves);
        work.push(Pending { from: group.from + starts[i], to: group.from + starts[i + 1], tests, leaves });
    }
}

/// The rows of a finished group, divided by class where the attacker knows it.
fn by_class<'r>(bound: &Bound<'_>, rows: &'r mut [u32]) -> Vec<(Option<u32>, &'r [u32])> {
    if !bound.class_public {
        return vec![(None, &*rows)];
    }
    rows.sort_by_key(|&row| bound.class_of(row as usize));
    rows.chunk_by(|&a, &b| bound.class_of(a as usize) == bound.class_of(b as usize))
        .map(|part| (Some(bound.class_of(part[0] as usize)), part))
        .collect()
}
