//! Rows that look alike: they have the same items, and the same private items are possible for them.

use super::having::{Having, values_of_codes};
use super::{Bound, sorted};
use crate::error::Result;
use crate::group::group_numbers;
use crate::model::Item;
use crate::span::channels::{TiedItems, Ties};
use crate::span::flow::occupied_pairs;
use crate::span::relations::{Combination, Component};
use crate::table::Table;
use hashbrown::HashMap;

/// The items of rules, and who looks alike with respect to them.
pub(super) struct Looks {
    /// The items, ascending; they are called by their places.
    pub(super) items: Vec<Item>,
    /// What declared dependencies leave of private items, where they tie some. The items of kinds come after the
    /// others.
    pub(super) ties: Option<Ties>,
    /// For each look the group of rows that it is a part of, and its kind.
    of_look: Vec<(usize, usize)>,
    /// The rows of each look, by weight.
    sizes: Vec<u64>,
    /// The non-empty pairs of a span and a look.
    pub(super) pairs: Vec<(u32, u32)>,
    pub(super) spans: usize,
}

impl Looks {
    pub(super) fn new(
        bound: &Bound<'_>,
        table: &Table,
        components: &[Component<'_>],
        (span_of_row, spans): (&[u32], usize),
    ) -> Result<Self> {
        let public = bound.public_rules.iter().flat_map(|[_, all]| all);
        let mut items = sorted(bound.parts.iter().flat_map(|part| &part.all).chain(public));
        items.dedup();
        let (kind_of_row, ties) = match components {
            [] => (vec![0; table.rows()], None),
            _ => ties(bound, components, &items)?,
        };
        let looks = group_numbers(&[&bound.having.grouping.of_row, &kind_of_row]);
        let of_look = |&row: &u32| {
            let row = row as usize;
            (bound.having.grouping.of_row[row] as usize, kind_of_row[row] as usize)
        };
        let mut sizes = vec![0; looks.count as usize];
        let rows = looks.of_row.iter().enumerate();
        rows.for_each(|(row, &look)| sizes[look as usize] += u64::from(table.weight(row)));
        let pairs = occupied_pairs(span_of_row, spans, &looks.of_row, looks.count as usize);
        let of_look = looks.first_rows().iter().map(of_look).collect();
        Ok(Self { items, ties, of_look, sizes, pairs, spans })
    }

    /// Some items and kinds apart.
    fn split(&self, set: &[u32]) -> (Vec<Item>, Vec<usize>) {
        let count = self.items.len();
        let (items, kinds): (Vec<usize>, Vec<usize>) =
            set.iter().map(|&item| item as usize).partition(|&item| item < count);
        (
            items.into_iter().map(|item| self.items[item]).collect(),
            kinds.into_iter().map(|k| k - count).collect(),
        )
    }

    /// The number of individuals who have all of some items, in one row. Items of kinds may be among them where no
    /// individual has several rows.
    pub(super) fn support(&self, having: &Having<'_>, set: &[u32]) -> u64 {
        let (items, kinds) = self.split(set);
        if kinds.is_empty() {
            return having.support(&items);
        }
        let all = having.all(&items);
        let is_in =
            |(group, kind): (usize, usize)| all.contains(group) && kinds.iter().all(|&own| own == kind);
        let looks = self.of_look.iter().zip(&self.sizes);
        looks.filter(|(look, _)| is_in(**look)).map(|(_, size)| size).sum()
    }

    /// Whether individuals of a look can have all of some items and none of others, where `is_public` states which are
    /// visible.
    pub(super) fn can_be_in(
        &self,
        having: &Having<'_>,
        look: u32,
        [present, absent]: [&[u32]; 2],
        is_public: impl Fn(&Item) -> bool,
    ) -> bool {
        let (group, kind) = self.of_look[look as usize];
        let has = |item: &Item| having.has(group, std::slice::from_ref(item));
        let ((has_items, of_kinds), (lacks, not_of_kinds)) = (self.split(present), self.split(absent));
        has_items.iter().filter(|item| is_public(item)).all(has)
            && !lacks.iter().filter(|item| is_public(item)).any(has)
            && of_kinds.iter().all(|&own| own == kind)
            && !not_of_kinds.contains(&kind)
            && self.ties.iter().all(|ties| ties.parts.iter().all(|part| part.allows(kind, present, absent)))
    }
}

/// The kind of every row, and what is possible for whom of the items of attributes that relations tie. Kinds are
/// numbered by what is possible, whatever the order of rows.
fn ties(bound: &Bound<'_>, components: &[Component<'_>], items: &[Item]) -> Result<(Vec<u32>, Option<Ties>)> {
    let (mut kinds_of_rows, mut sets_of_parts) = (Vec::new(), Vec::new());
    for component in components {
        let (items, kinds, kind_of_row) = possible_items(bound, component, items)?;
        kinds_of_rows.push(kind_of_row);
        sets_of_parts.push((items, kinds));
    }
    let numbers: Vec<&[u32]> = kinds_of_rows.iter().map(Vec::as_slice).collect();
    let kinds = group_numbers(&numbers);
    let mut first: Vec<(u32, u32)> = kinds.first_rows().into_iter().zip(0..).collect();
    first.sort_by_cached_key(|&(row, _)| -> Vec<&Vec<Vec<u32>>> {
        let of_part = kinds_of_rows.iter().zip(&sets_of_parts);
        of_part.map(|(kind_of_row, (_, sets))| &sets[kind_of_row[row as usize] as usize]).collect()
    });
    let mut rank = vec![0; first.len()];
    (0..).zip(&first).for_each(|(place, &(_, kind))| rank[kind as usize] = place);
    let parts = kinds_of_rows.iter().zip(&sets_of_parts).map(|(kind_of_row, (items, sets))| TiedItems {
        items: items.clone(),
        possible: first.iter().map(|&(row, _)| sets[kind_of_row[row as usize] as usize].clone()).collect(),
    });
    let kind_items = if kinds.count > 1 { kinds.count } else { 0 };
    let start = items.len() as u32;
    let ties = Ties { parts: parts.collect(), kinds: (start..start + kind_items).collect() };
    Ok((kinds.of_row.iter().map(|&kind| rank[kind as usize]).collect(), Some(ties)))
}

/// The items of a component's attributes, the different collections of sets of them that are possible, and which of
/// these is left for each row.
type PossibleItems = (Vec<u32>, Vec<Vec<Vec<u32>>>, Vec<u32>);

fn possible_items(bound: &Bound<'_>, component: &Component<'_>, items: &[Item]) -> Result<PossibleItems> {
    let number: HashMap<&Item, u32> = items.iter().zip(0..).collect();
    // For each attribute of the component the item that each of its values is.
    let mut item_of_value: Vec<Vec<Option<u32>>> = vec![Vec::new(); component.columns.len()];
    for (place, attribute) in bound.rules.attributes().iter().enumerate() {
        let Some(own) = component.place(&attribute.name) else { continue };
        let listed = values_of_codes(attribute, component.columns[own])?;
        let item =
            |&code: &u32| number.get(&Item { attribute: place, value: listed[code as usize] }).copied();
        item_of_value[own] = component.codes[own].iter().map(item).collect();
    }
    let set = |combination: &Combination| -> Vec<u32> {
        let own = item_of_value.iter().zip(combination.iter());
        let mut set: Vec<u32> =
            own.filter_map(|(items, &value)| items.get(value as usize).copied().flatten()).collect();
        set.sort_unstable();
        set
    };
    let (mut kinds, mut kind_of): (Vec<Vec<Vec<u32>>>, Vec<u32>) = (Vec::new(), Vec::new());
    let mut seen: HashMap<Vec<Vec<u32>>, u32> = HashMap::new();
    for combinations in &component.kinds {
        let mut sets: Vec<Vec<u32>> = combinations.iter().map(set).collect();
        sets.sort_unstable();
        sets.dedup();
        kind_of.push(*seen.entry(sets).or_insert_with_key(|sets| {
            kinds.push(sets.clone());
            kinds.len() as u32 - 1
        }));
    }
    // Items that do not occur are tied, too: they are impossible.
    let is_tied = |item: &Item| component.place(&bound.rules.attributes()[item.attribute].name).is_some();
    let tied = items.iter().zip(0..).filter(|(item, _)| is_tied(item)).map(|(_, number)| number).collect();
    let kind_of_row = component.kind_of_row.iter().map(|&kind| kind_of[kind as usize]).collect();
    Ok((tied, kinds, kind_of_row))
}
