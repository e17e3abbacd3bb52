//! Spans of decision trees if relations tie private attributes to others.
//!
//! Dividing individuals by the public tests they can be sent to ([`super::groups`]) leaves groups of individuals who
//! answer all these tests alike. Relations also restrict what is possible: within a group, individuals with the same
//! kinds of possible combinations ([`Component`]) reach the same bins. A leaf is reached iff every component has a
//! combination that all its private tests let through (attributes in no component vary freely), and the class values in
//! it are those of such combinations. Individuals with the same bins are one span. The individuals of a span for whom
//! every bin leaves the same private values are a *part* of it: the release reveals the same about each of them.

use super::groups::{Groups, Span};
use super::relations::{Combination, Component};
use super::tree::Bound;
use crate::group::group_numbers;
use hashbrown::HashMap;
use std::sync::Arc;

/// A span by the bins that relations leave, and the kinds of combinations of its individuals.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Tied {
    /// The bins, by leaf and class value; ascending.
    pub(super) bins: BinList,
    /// The kind of each component.
    pub(super) kinds: Vec<u32>,
}

/// Bins by leaf and class value, ascending.
type BinList = Vec<(u32, u32)>;

/// What a component leaves at a leaf: for each class value (one entry for all, if the class is not in the component)
/// the possible values of each attribute.
type Leaves = Vec<(Option<u32>, Vec<Vec<u32>>)>;

/// What components leave at the leaves of a tree.
#[derive(Clone, Default)]
pub(super) struct AtLeaves {
    found: HashMap<(usize, u32, u32), Arc<Leaves>>,
}

impl AtLeaves {
    /// The values of a component's attribute that are possible in a bin.
    pub(super) fn values(
        &self,
        component: usize,
        place: usize,
        tied: &Tied,
        (leaf, class): (u32, u32),
    ) -> &[u32] {
        let leaves = self.found.get(&(component, tied.kinds[component], leaf));
        let entry = leaves.and_then(|all| all.iter().find(|(own, _)| own.is_none_or(|own| own == class)));
        entry.map_or(&[], |(_, values)| values[place].as_slice())
    }

    fn at(&mut self, bound: &Bound<'_>, component: usize, kind: u32, leaf: u32) -> Arc<Leaves> {
        let found = self.found.entry((component, kind, leaf));
        found.or_insert_with(|| Arc::new(leaves(bound, component, kind, leaf))).clone()
    }
}

/// The combinations of a kind that reach the leaf, by class.
fn leaves(bound: &Bound<'_>, number: usize, kind: u32, leaf: u32) -> Leaves {
    let component = &bound.components[number];
    let class = bound.class_tied.filter(|tied| tied.0 == number).map(|tied| tied.1);
    let passes = |combination: &&Combination| {
        bound.tied_cells(number, leaf).all(|(place, cells)| cells[combination[place] as usize])
    };
    let mut by_class: Vec<(Option<u32>, Vec<Vec<bool>>)> = Vec::new();
    for combination in component.kinds[kind as usize].iter().filter(passes) {
        let class = class.map(|place| bound.class_of_value(component, place, combination[place]));
        let entry = by_class.iter().position(|(own, _)| *own == class).unwrap_or(by_class.len());
        if entry == by_class.len() {
            by_class.push((class, component.codes.iter().map(|codes| vec![false; codes.len()]).collect()));
        }
        let marked = by_class[entry].1.iter_mut().zip(combination.iter());
        marked.for_each(|(marks, &value)| marks[value as usize] = true);
    }
    let listed =
        |marks: Vec<bool>| (0..).zip(marks).filter(|(_, marked)| *marked).map(|(value, _)| value).collect();
    by_class.sort_unstable();
    by_class.into_iter().map(|(class, marks)| (class, marks.into_iter().map(listed).collect())).collect()
}

/// Groups divided by what relations leave.
pub(super) struct Refined {
    /// The parts of spans, as spans.
    pub(super) groups: Groups,
    /// The span of each part, and how many spans there are.
    pub(super) joint: (Vec<u32>, usize),
    /// For each span a row of each group that is in it.
    pub(super) examples: Vec<Vec<u32>>,
    pub(super) at_leaves: AtLeaves,
}

/// Divides groups by the kinds of their individuals, and joins those with the same bins.
pub(super) fn refine(bound: &Bound<'_>, groups: Groups) -> Refined {
    let numbers: Vec<&[u32]> = [groups.of_row.as_slice()]
        .into_iter()
        .chain(bound.components.iter().map(|component| component.kind_of_row.as_slice()))
        .collect();
    let pairs = group_numbers(&numbers);
    let (mut at_leaves, mut meanings) = (AtLeaves::default(), HashMap::new());
    let mut parts: HashMap<(BinList, Vec<u32>), u32> = HashMap::new();
    let mut joint: HashMap<BinList, u32> = HashMap::new();
    let (mut spans, mut example, mut joint_of_part, mut part_of_pair) = (vec![], vec![], vec![], vec![]);
    let mut examples: Vec<Vec<u32>> = Vec::new();
    for row in pairs.first_rows() {
        let group = &groups.spans[groups.of_row[row as usize] as usize];
        let kinds: Vec<u32> = numbers[1..].iter().map(|of_row| of_row[row as usize]).collect();
        let (bins, meaning) = reached(bound, &mut at_leaves, &mut meanings, group, &kinds);
        let next = (parts.len() as u32, joint.len() as u32);
        let part = *parts.entry((bins.clone(), meaning)).or_insert_with(|| {
            joint_of_part.push(*joint.entry(bins.clone()).or_insert(next.1));
            let mut leaves: Vec<u32> = bins.iter().map(|bin| bin.0).collect();
            leaves.dedup();
            spans.push(Span { leaves, class: group.class, tied: Some(Tied { bins, kinds }) });
            example.push(row);
            next.0
        });
        part_of_pair.push(part);
        examples.resize(joint.len(), Vec::new());
        examples[joint_of_part[part as usize] as usize].push(row);
    }
    let of_row = pairs.of_row.iter().map(|&pair| part_of_pair[pair as usize]).collect();
    let groups = Groups { of_row, leaf_of_row: groups.leaf_of_row, spans, example };
    Refined { groups, joint: (joint_of_part, joint.len()), examples, at_leaves }
}

/// The bins that individuals of a group with these kinds reach, ascending, and what each of them means, by number.
fn reached(
    bound: &Bound<'_>,
    at_leaves: &mut AtLeaves,
    meanings: &mut HashMap<Vec<Vec<u32>>, u32>,
    group: &Span,
    kinds: &[u32],
) -> (BinList, Vec<u32>) {
    let (mut bins, mut meaning) = (Vec::new(), Vec::new());
    for &leaf in &group.leaves {
        let left: Vec<Arc<Leaves>> =
            (0..).zip(kinds).map(|(component, &kind)| at_leaves.at(bound, component, kind, leaf)).collect();
        if left.iter().any(|leaves| leaves.is_empty()) {
            continue;
        }
        let classes: Vec<u32> = match (bound.class_tied, group.class) {
            (Some((component, _)), _) => left[component].iter().filter_map(|(class, _)| *class).collect(),
            (None, Some(class)) => vec![class],
            (None, None) => (0..bound.classes() as u32).collect(),
        };
        for class in classes {
            bins.push((leaf, class));
            for leaves in &left {
                let entry = leaves.iter().find(|(own, _)| own.is_none_or(|own| own == class));
                let values = entry.map_or_else(Vec::new, |(_, values)| values.clone());
                let next = meanings.len() as u32;
                meaning.push(*meanings.entry(values).or_insert(next));
            }
        }
    }
    (bins, meaning)
}

/// The attributes of components that a tree does not test: knowledge about tested ones reveals something about them,
/// too.
pub(super) fn untested<'b>(
    components: &'b [Component<'_>],
    is_told: impl Fn(usize, usize) -> bool + 'b,
) -> impl Iterator<Item = (usize, usize)> + 'b {
    let all = components.iter().enumerate();
    let all =
        all.flat_map(|(number, component)| (0..component.columns.len()).map(move |place| (number, place)));
    all.filter(move |&(component, place)| !is_told(component, place))
}
