//! Spans of ensembles of trees.
//!
//! A bin is a vector of leaves, one of each tree, with the class value: a reader of the file sees every tree. Spans are
//! the common refinement of the trees' spans, even if trees share private attributes, and a vector that an individual
//! has is reached from a span iff each of its leaves is in the span of its tree (`docs/proofs.md`). So vectors are
//! never enumerated: each tree divides spans once more, and rows have the vectors of the leaves that they reach. Spans
//! depend on public attributes alone, so rows that no public test distinguishes are merged before (`merged`).
//!
//! If relations tie private attributes to others, individuals are put into one span only if the same combinations of
//! private values are possible for them. Such individuals have equal spans; spans that are equal for other reasons stay
//! apart, which errs on the safe side.
//!
//! Running time: for each tree that of the spans ([`super::tree`]) of the merged rows, and of following each row to its
//! leaf (`walk`), by masks if the tree has few leaves (`masks`); one grouping of the rows for as many trees as have
//! leaves that fit into a word (`vectors`). What spans reach and what they reveal about values is computed within
//! limits. Beyond them, individuals count as exposed, and requirements on the values are refused.

mod describe;
mod interned;
mod masks;
mod merged;
mod step;
mod told;
mod tracked;
mod vectors;
mod walk;

pub use step::FirstTrees;

use super::allowance::Allowance;
use super::class::{ClassSide, check_untested};
use super::groups::Groups;
use super::possible::Possible;
use super::relations::{Component, components};
use super::tree::Bound;
use super::{Bins, Linking, by_number};
use crate::error::Result;
use crate::group::group_numbers;
use crate::model::{Ensemble, Node, ScoredTree, Tree};
use crate::policy::{AttackerKnowledge, Policy};
use crate::table::{Column, Table};
use describe::Description;
use interned::Budget;
use merged::Merged;
use step::Joint;
use told::{Combinations, EnsembleTells};
use tracked::Tracked;
use vectors::{SpansOfTree, Vectors, reach};
use walk::Walks;

pub(super) fn link<'a>(table: &'a Table, policy: &Policy, ensemble: &'a Ensemble) -> Result<Linking<'a>> {
    let mut frame = Frame::new(table, policy, ensemble)?;
    let merged = Merged::new(table, &frame.known, &frame.class, &frame.kinds())?;
    let mut joint = Joint::new(&merged, frame.kinds_of(&merged.first));
    let mut description = Description::new(table, policy, ensemble)?;
    let mut walks = Walks::default();
    let keeps = SpansOfTree::can_be_kept(merged.first.len(), ensemble.trees().len());
    let mut spans_of_trees = keeps.then(Vec::new);
    let steps = Allowance::of_divisions_by_trees();
    let mut first = 0;
    for tree in ensemble.trees().iter().map(ScoredTree::tree) {
        let bound = Bound::of_member(table, policy, tree, frame.class.clone(), &frame.possible)?;
        walks.add(&bound);
        description.add(&bound);
        let groups = Groups::spans_within(&bound.of_rows(&merged.table)?, merged.first.len(), &steps)?;
        drop(bound);
        let step = joint.add(table, &groups);
        frame.tracked.iter_mut().for_each(|tracked| tracked.add((tree, first), &step));
        first += tree.nodes().len() as u32;
        if let Some(all) = &mut spans_of_trees {
            all.push(SpansOfTree::new(groups));
        }
    }
    walks.prepare();
    let vectors = Vectors::new(&walks, table.rows());
    vectors.follow(&walks, &mut frame.tracked);
    let example = first_rows(&joint.of_merged, joint.single_leaf.len());
    let reach = spans_of_trees.and_then(|all| reach(&vectors, &walks, &all, &example));
    Ok(frame.finish(table, (&merged, joint), (vectors, reach), description))
}

/// An ensemble bound to a table and to what the attacker knows.
struct Frame<'a> {
    class: ClassSide<'a>,
    /// The columns that are tested and that the attacker knows.
    known: Vec<&'a Column>,
    /// What is possible of each attribute, if it is private and tested.
    possible: Vec<Option<Possible>>,
    components: Vec<Component<'a>>,
    /// The private attributes that are tested.
    tracked: Vec<Tracked<'a>>,
    /// The class's place in a component, if it is private and in one.
    class_tied: Option<(usize, usize)>,
}

impl<'a> Frame<'a> {
    fn new(table: &'a Table, policy: &Policy, ensemble: &'a Ensemble) -> Result<Self> {
        let (class, known) = (ClassSide::new(table, policy, ensemble.class())?, policy.knowledge());
        let tested = tested(ensemble);
        let private = private_tested(table, policy, &known, ensemble, &tested)?;
        let is_known = |place: &usize| tested[*place] && !private.contains(place);
        let names = (0..tested.len()).filter(is_known).map(|place| &ensemble.attributes()[place].name);
        let known = names.map(|name| table.require(name)).collect::<Result<_>>()?;
        let mut names: Vec<&str> = private.iter().map(|&place| &*ensemble.attributes()[place].name).collect();
        names.extend((!class.public).then(|| class.column.name()));
        names.sort_unstable();
        let components = components(table, policy, &names)?;
        let tied = |name: &str| {
            let mut all = components.iter().enumerate();
            all.find_map(|(number, component)| Some((number, component, component.place(name)?)))
        };
        let mut possible = vec![None; ensemble.attributes().len()];
        let (mut tracked, tests, count) = (Vec::new(), tracked::tests(ensemble), private.len());
        for place in private {
            let attribute = &ensemble.attributes()[place];
            let column = table.require(&attribute.name)?;
            let own = Possible::new(attribute, column, policy)?;
            tracked.push(Tracked::new(
                (place, attribute),
                column,
                &own,
                &tests[place],
                tied(&attribute.name),
                Budget::of_one(count),
            )?);
            possible[place] = Some(own);
        }
        let class_tied = tied(class.column.name()).map(|(number, _, place)| (number, place));
        let class_tied = class_tied.filter(|_| !class.public);
        Ok(Self { class, known, possible, components, tracked, class_tied })
    }

    /// The rows by what relations leave possible; nothing without relations.
    fn kinds(&self) -> Vec<u32> {
        if self.components.is_empty() {
            return Vec::new();
        }
        let kinds: Vec<&[u32]> = self.components.iter().map(|component| &*component.kind_of_row).collect();
        group_numbers(&kinds).of_row
    }

    /// The same for some rows, numbered in order of first appearance.
    fn kinds_of(&self, rows: &[u32]) -> Vec<u32> {
        let kinds = self.kinds();
        rows.iter().map(|&row| kinds.get(row as usize).copied().unwrap_or(0)).collect()
    }

    fn finish(
        self,
        table: &'a Table,
        (merged, joint): (&Merged, Joint<'_>),
        (vectors, reach): (Vectors, Option<Vec<Vec<u32>>>),
        description: Description<'a>,
    ) -> Linking<'a> {
        let Joint { of_merged, single_leaf, curve, .. } = joint;
        let (span_of_row, bin_of_row) = (merged.of_rows(&of_merged), vectors.of_row);
        let example = first_rows(&span_of_row, single_leaf.len());
        let class_of_row: Vec<u32> =
            self.class.column.codes().iter().map(|code| self.class.of_code[code as usize]).collect();
        let with_class = group_numbers(&[&bin_of_row, &class_of_row]);
        let place: Vec<(u32, u32)> = with_class
            .first_rows()
            .into_iter()
            .map(|row| (bin_of_row[row as usize], class_of_row[row as usize]))
            .collect();
        let combinations = Combinations::new(&self, &example);
        let known_class = |span: usize| self.class.public.then(|| class_of_row[example[span] as usize]);
        let reach = reach.and_then(|reach| told::with_class(&reach, &place, known_class, &combinations));
        let reach =
            reach.unwrap_or_else(|| told::occupied(&span_of_row, single_leaf.len(), &with_class.of_row));
        let one_class = |span: usize| self.class.public || combinations.classes(span) == 1;
        let single_bin = (0..).zip(&single_leaf).map(|(span, &one)| one && one_class(span)).collect();
        let sensitive = told::sensitive(table, &self, &combinations, &reach, &place);
        let divided = !self.components.is_empty();
        let tells = EnsembleTells::new(&self, place, combinations);
        let count = with_class.count as usize;
        let bins = Bins {
            of_row: with_class.of_row,
            count,
            place: Vec::new(),
            reach,
            divided,
            tells: Box::new(tells),
        };
        let class = self.class.public.then_some(self.class.column);
        Linking {
            span_of_row,
            spans: single_leaf.len(),
            single_bin,
            sensitive,
            joint: None,
            bins: Some(bins),
            derived: None,
            within: Vec::new(),
            first_trees: curve,
            rules: Box::new(move |span| description.of_row(example[span] as usize, class)),
            order: by_number(),
        }
    }
}

/// Whether some tree tests each attribute.
fn tested(ensemble: &Ensemble) -> Vec<bool> {
    let mut tested = vec![false; ensemble.attributes().len()];
    let nodes = ensemble.trees().iter().map(ScoredTree::tree).flat_map(Tree::nodes);
    nodes.for_each(|node| {
        if let Node::Test(test) = node {
            tested[test.attribute] = true;
        }
    });
    tested
}

/// The places of the attributes that are tested and that the attacker does not know.
fn private_tested(
    table: &Table,
    policy: &Policy,
    known: &AttackerKnowledge<'_>,
    ensemble: &Ensemble,
    tested: &[bool],
) -> Result<Vec<usize>> {
    let mut private = Vec::new();
    for (place, attribute) in ensemble.attributes().iter().enumerate() {
        match tested[place] {
            true if !known.knows(&attribute.name)? => private.push(place),
            true => {}
            false => check_untested(table, policy, known, attribute)?,
        }
    }
    Ok(private)
}

/// A row of each span.
fn first_rows(span_of_row: &[u32], spans: usize) -> Vec<u32> {
    let mut first = vec![u32::MAX; spans];
    (0..).zip(span_of_row).for_each(|(row, &span)| {
        let slot = &mut first[span as usize];
        *slot = row.min(*slot);
    });
    first
}
