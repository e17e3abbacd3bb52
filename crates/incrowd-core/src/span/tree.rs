//! Spans of decision trees.
//!
//! A public test sends an individual down one branch, a private test down all of them. So the rows start as one group
//! at the root with the public tests that can be reached first; a group is split by one of its pending tests, each part
//! continues with the tests behind its branch, and a group without pending tests is a span: its leaves are all that its
//! individuals can reach. Two groups that separate at a test end in different leaves, so groups and spans are
//! identical.
//!
//! This is also exact if a private attribute is tested twice on a path: branches that contradict an earlier answer are
//! dead, which is computed once per tree on the attribute's elementary cells. Work: one pass over a group's rows for
//! each public test that its individuals can be sent to; no enumeration of private values.

use super::allowance::Allowance;
use super::answers::{Answer, needed};
use super::bind::{CellMap, Places, branches, not_total, outside};
use super::class::{ClassSide, check_untested};
use super::flow::occupied_pairs;
use super::groups::{Groups, Route, Span};
use super::possible::Possible;
use super::reached::{occurring, reach};
use super::relations::{Component, components};
use super::tied::{AtLeaves, refine};
use super::{BLOCK, Bins, Linking, SpanOrder, alternatives, by_number};
use crate::error::Result;
use crate::model::{Node, Test, Tree};
use crate::policy::Policy;
use crate::table::{Code, Column, Table};
use crate::with_codes;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use rayon::prelude::*;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::Arc;

pub(super) fn link<'a>(table: &'a Table, policy: &Policy, tree: &'a Tree) -> Result<Linking<'a>> {
    let bound = Bound::new(table, policy, tree)?;
    let groups = Groups::find(&bound, table.rows())?;
    let (groups, joint, examples, at_leaves) = if bound.components.is_empty() {
        (groups, None, Vec::new(), AtLeaves::default())
    } else {
        let refined = refine(&bound, groups);
        (refined.groups, Some(refined.joint), refined.examples, refined.at_leaves)
    };
    let Groups { of_row, leaf_of_row, spans, example } = groups;
    let joint_of_part = joint.as_ref().map_or_else(Vec::new, |joint| joint.0.clone());
    let sensitive = bound.sensitive(table, &spans, &at_leaves)?;
    let bins = bound.bins(&of_row, leaf_of_row, &spans, at_leaves)?;
    let order: Box<SpanOrder<'a>> = if joint.is_some() { by_number() } else { by_leaves(&spans) };
    Ok(Linking {
        span_of_row: of_row,
        spans: spans.len(),
        single_bin: spans.iter().map(|span| bound.has_single_bin(span)).collect(),
        sensitive,
        joint,
        bins: Some(bins),
        derived: None,
        within: Vec::new(),
        first_trees: Vec::new(),
        rules: Box::new(move |span| match joint_of_part.get(span) {
            Some(&joint) => {
                let rows = examples[joint as usize].iter();
                alternatives(rows.map(|&row| bound.describe(&spans[span], row as usize)))
            }
            None => bound.describe(&spans[span], example[span] as usize),
        }),
        order,
    })
}

/// Spans in an order of their leaves, the last leaf first, and of class values.
fn by_leaves<'a>(spans: &[Span]) -> Box<SpanOrder<'a>> {
    let mut order: Vec<usize> = (0..spans.len()).collect();
    let key = |span: usize| (Reverse(&spans[span].leaves), spans[span].class);
    order.sort_by(|&a, &b| key(a).cmp(&key(b)));
    let mut rank = vec![0; spans.len()];
    order.iter().enumerate().for_each(|(place, &span)| rank[span] = place);
    Box::new(move |a, b| rank[a].cmp(&rank[b]))
}

/// A tree bound to a table and to what the attacker knows.
pub(super) struct Bound<'a> {
    pub(super) tree: &'a Tree,
    /// For each test its column and where its codes go; none for leaves.
    pub(super) test: Vec<Option<(&'a Column, Route)>>,
    /// For each test whether the attacker can follow it.
    pub(super) public: Vec<bool>,
    /// For each node whether anyone can reach it.
    pub(super) alive: Vec<bool>,
    pub(super) class: &'a Column,
    pub(super) class_public: bool,
    /// The class value of each class code.
    pub(super) class_of_code: Vec<u32>,
    /// All class values that are possible, from the lowest to the highest: those of the tree, then those only the
    /// policy declares, which have a population of 0 in every leaf.
    pub(super) class_order: Vec<u32>,
    /// The private attributes that are tested.
    pub(super) private: Vec<Private>,
    /// The private attributes that relations tie to tested ones or the class.
    pub(super) components: Vec<Component<'a>>,
    /// The class's place in a component, if it is private and in one.
    pub(super) class_tied: Option<(usize, usize)>,
}

/// For each node some cells. Nodes that no test of the attribute parts share them.
pub(super) type CellsAt = Arc<Vec<Arc<[bool]>>>;

/// A private attribute a tree tests.
pub(super) struct Private {
    pub(super) attribute: usize,
    /// Its place in a component, if it is in one; its cells are then the component's values.
    pub(super) tied: Option<(usize, usize)>,
    /// Whether the release, the policy and the table together have more than one value of it.
    pub(super) has_choice: bool,
    pub(super) map: CellMap,
    /// For each node the cells an individual there can have.
    pub(super) cells_at: CellsAt,
}

impl<'a> Bound<'a> {
    fn new(table: &'a Table, policy: &Policy, tree: &'a Tree) -> Result<Self> {
        let mut bound = Self::with_tests(table, policy, tree, ClassSide::new(table, policy, tree.class())?)?;
        bound.bind_relations(table, policy)?;
        bound.bind_private(table, policy, None)?;
        Ok(bound)
    }

    /// A tree of an ensemble. What relations leave, and private attributes that it does not test, are the ensemble's
    /// business.
    pub(super) fn of_member(
        table: &'a Table,
        policy: &Policy,
        tree: &'a Tree,
        class: ClassSide<'a>,
        possible: &[Option<Possible>],
    ) -> Result<Self> {
        let mut bound = Self::with_tests(table, policy, tree, class)?;
        bound.bind_private(table, policy, Some(possible))?;
        Ok(bound)
    }

    /// The same for the spans of other rows, which have the public columns that are tested and the class.
    pub(super) fn of_rows<'b>(&self, rows: &'b Table) -> Result<Bound<'b>>
    where
        'a: 'b,
    {
        let routed = |(test, &public): (&Option<(&'a Column, Route)>, &bool)| {
            let Some((column, route)) = test.as_ref().filter(|_| public) else { return Ok(None) };
            Ok(Some((rows.require(column.name())?, route.clone())))
        };
        Ok(Bound {
            tree: self.tree,
            test: self.test.iter().zip(&self.public).map(routed).collect::<Result<_>>()?,
            public: self.public.clone(),
            alive: self.alive.clone(),
            class: rows.require(self.class.name())?,
            class_public: self.class_public,
            class_of_code: self.class_of_code.clone(),
            class_order: self.class_order.clone(),
            private: Vec::new(),
            components: Vec::new(),
            class_tied: None,
        })
    }

    fn with_tests(table: &'a Table, policy: &Policy, tree: &'a Tree, class: ClassSide<'a>) -> Result<Self> {
        let mut bound = Self {
            tree,
            test: Vec::new(),
            public: Vec::new(),
            alive: vec![true; tree.nodes().len()],
            class: class.column,
            class_public: class.public,
            class_of_code: class.of_code,
            class_order: class.order,
            private: Vec::new(),
            components: Vec::new(),
            class_tied: None,
        };
        // A policy may declare more class values than the tree has.
        Tree::check_size(tree.nodes().len(), bound.classes())?;
        bound.bind_tests(table, policy)?;
        Ok(bound)
    }

    fn bind_tests(&mut self, table: &'a Table, policy: &Policy) -> Result<()> {
        let known = policy.knowledge();
        let mut asked: HashMap<usize, (&'a Column, Places, bool)> = HashMap::new();
        for node in self.tree.nodes() {
            let Node::Test(test) = node else {
                self.test.push(None);
                self.public.push(false);
                continue;
            };
            let (column, places, public) = match asked.entry(test.attribute) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let attribute = &self.tree.attributes()[test.attribute];
                    let column = table.require(&attribute.name)?;
                    new.insert((column, Places::new(attribute, column), known.knows(&attribute.name)?))
                }
            };
            let route = if let Some(route) = Route::at_threshold(test, column) {
                route
            } else {
                let codes = column.values().len() + usize::from(column.has_missing());
                Route::new(branches(test, places, column)?, codes, test.children.len())
            };
            self.test.push(Some((*column, route)));
            self.public.push(*public);
        }
        Ok(())
    }

    fn bind_relations(&mut self, table: &'a Table, policy: &Policy) -> Result<()> {
        let tests = self.test.iter().zip(&self.public).filter(|(_, public)| !**public);
        let tested = tests.filter_map(|(test, _)| test.as_ref().map(|(column, _)| column.name()));
        let mut names: Vec<&str> = tested.chain((!self.class_public).then(|| self.class.name())).collect();
        names.sort_unstable();
        names.dedup();
        self.components = components(table, policy, &names)?;
        self.class_tied = self.tied(self.class.name());
        Ok(())
    }

    /// The place of an attribute in a component.
    fn tied(&self, name: &str) -> Option<(usize, usize)> {
        let mut places = self.components.iter().enumerate();
        places.find_map(|(number, component)| Some((number, component.place(name)?)))
    }

    /// For each tested attribute of a component its place there and the values that lead to a node.
    pub(super) fn tied_cells(&self, component: usize, node: u32) -> impl Iterator<Item = (usize, &[bool])> {
        let place = move |private: &Private| private.tied.filter(|tied| tied.0 == component);
        self.private.iter().filter_map(move |p| Some((place(p)?.1, &*p.cells_at[node as usize])))
    }

    /// The class value that a value of a component's attribute is.
    pub(super) fn class_of_value(&self, component: &Component<'_>, place: usize, value: u32) -> u32 {
        self.class_of_code[component.codes[place][value as usize] as usize]
    }

    /// Binds the tests of private attributes; `shared` is what is possible of each attribute, if it is known already.
    fn bind_private(
        &mut self,
        table: &Table,
        policy: &Policy,
        shared: Option<&[Option<Possible>]>,
    ) -> Result<()> {
        let (allowance, known) = (Allowance::of_cells(), policy.knowledge());
        let mut tests_of: Vec<Vec<(u32, &Test)>> = vec![Vec::new(); self.tree.attributes().len()];
        for (i, node) in (0..).zip(self.tree.nodes()) {
            if let Node::Test(test) = node
                && !self.public[i as usize]
            {
                tests_of[test.attribute].push((i, test));
            }
        }
        for (index, (attribute, tests)) in self.tree.attributes().iter().zip(&tests_of).enumerate() {
            if tests.is_empty() {
                if shared.is_none() {
                    check_untested(table, policy, &known, attribute)?;
                }
                continue;
            }
            let column = table.require(&attribute.name)?;
            let tied = self.tied(&attribute.name);
            let known =
                shared.and_then(|shared| shared[index].as_ref()).map(|possible| Ok(Cow::Borrowed(possible)));
            let possible =
                known.unwrap_or_else(|| Possible::new(attribute, column, policy).map(Cow::Owned))?;
            let map = match tied {
                Some((component, place)) => {
                    let codes = &self.components[component].codes[place];
                    CellMap::of_codes(attribute, codes, tests, column, &allowance)?
                }
                None => CellMap::new(&possible, tests, column, &allowance)?,
            };
            let cells_at = self.cells_at(&map, index);
            self.private.push(Private {
                attribute: index,
                tied,
                has_choice: possible.has_choice(),
                map,
                cells_at,
            });
        }
        self.find_alive();
        self.check_total(&tests_of)
    }

    /// Whether every test that can be reached has a branch for each value that can reach it.
    fn check_total(&self, tests_of: &[Vec<(u32, &Test)>]) -> Result<()> {
        for private in &self.private {
            let nowhere = |&(node, _): &(u32, &Test)| {
                let mut cells = private.cells_at[node as usize].iter().zip(private.map.branches(node));
                self.alive[node as usize] && cells.any(|(&can, &branch)| can && branch == CellMap::OUTSIDE)
            };
            if tests_of[private.attribute].iter().any(nowhere) {
                return Err(not_total(&self.tree.attributes()[private.attribute].name));
            }
        }
        Ok(())
    }

    /// A node for which some private attribute has no value cannot be reached, and neither can the nodes below it.
    fn find_alive(&mut self) {
        let place_of: HashMap<usize, usize> = self.private.iter().map(|p| p.attribute).zip(0..).collect();
        for (index, node) in self.tree.nodes().iter().enumerate() {
            let Node::Test(test) = node else { continue };
            let place = place_of.get(&test.attribute).filter(|_| !self.public[index]);
            for &child in &test.children {
                let cells = place.map(|&place| &self.private[place].cells_at[child as usize]);
                self.alive[child as usize] =
                    self.alive[index] && cells.is_none_or(|cells| cells.contains(&true));
            }
        }
    }

    /// For each node the cells of one attribute that lead there, the other attributes left aside.
    fn cells_at(&self, map: &CellMap, attribute: usize) -> CellsAt {
        let all: Arc<[bool]> = vec![true; map.cells].into();
        let mut cells_at = vec![all; self.tree.nodes().len()];
        for (index, node) in (0_u32..).zip(self.tree.nodes()) {
            let Node::Test(test) = node else { continue };
            let here = cells_at[index as usize].clone();
            if test.attribute != attribute {
                test.children.iter().for_each(|&child| cells_at[child as usize] = here.clone());
                continue;
            }
            let branch_of = map.branches(index);
            for (branch, &child) in (0..).zip(&test.children) {
                let takes = here.iter().zip(branch_of).map(|(&can, &own)| can && own == branch);
                cells_at[child as usize] = takes.collect();
            }
        }
        Arc::new(cells_at)
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

    /// The number of possible class values.
    pub(super) fn classes(&self) -> usize {
        self.class_order.len()
    }

    fn has_single_bin(&self, span: &Span) -> bool {
        match &span.tied {
            Some(tied) => tied.bins.len() == 1,
            None => span.leaves.len() == 1 && (span.class.is_some() || self.classes() == 1),
        }
    }

    /// Numbers the non-empty bins by leaf and class, and finds them in the spans.
    fn bins(
        &self,
        span_of_row: &[u32],
        leaf_of_row: Vec<u32>,
        spans: &[Span],
        at_leaves: AtLeaves,
    ) -> Result<Bins> {
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
        let reach = reach(spans, &place)?;
        let stray = |&(span, bin): &(u32, u32)| reach[span as usize].binary_search(&bin).is_err();
        if occupied_pairs(span_of_row, spans.len(), &of_row, place.len()).iter().any(stray) {
            return Err(outside(&self.tree.class().name));
        }
        let count = place.len();
        // As the tree numbers its bins; values that it does not list have no population in it.
        let listed = self.tree.class().values.len();
        let number = |&(leaf, class): &(u32, u32)| leaf as usize * listed + class as usize;
        let tells = self.tells(spans, place.clone(), at_leaves);
        Ok(Bins {
            of_row,
            count,
            place: place.iter().map(number).collect(),
            reach,
            divided: false,
            tells: Box::new(tells),
        })
    }

    /// The bins of a span, empty ones included, by leaf and class.
    pub(super) fn bins_of(&self, span: &Span) -> Vec<(u32, u32)> {
        if let Some(tied) = &span.tied {
            return tied.bins.clone();
        }
        let classes = span.class.map_or(0..self.classes() as u32, |class| class..class + 1);
        span.leaves.iter().flat_map(|&leaf| classes.clone().map(move |class| (leaf, class))).collect()
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

    /// The description of a span: the answers to the public tests that its individuals reach, found again from one of
    /// its rows. Answers that follow from another answer about the same attribute are left out.
    fn describe(&self, span: &Span, row: usize) -> String {
        let mut answers: Vec<Answer<'_>> = Vec::new();
        let (mut tests, mut leaves) = (Vec::new(), Vec::new());
        self.expand(0, &mut tests, &mut leaves);
        while let Some(node) = tests.pop() {
            let (Node::Test(test), Some((column, route))) =
                (&self.tree.nodes()[node as usize], &self.test[node as usize])
            else {
                continue;
            };
            let branch = route.branch(column.code(row));
            answers.push(Answer { column, route, branch, label: &test.labels[branch as usize] });
            self.expand(test.children[branch as usize], &mut tests, &mut leaves);
        }
        let mut parts: Vec<String> = needed(answers).iter().map(ToString::to_string).collect();
        let class = self.tree.class();
        parts.extend(span.class.map(|value| format!("{} = {}", class.name, class.values[value as usize])));
        if parts.is_empty() { "everyone".to_owned() } else { parts.join(", ") }
    }
}
