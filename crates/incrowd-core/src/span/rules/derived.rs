//! What the supports of rules reveal: the cells that anyone can derive.

use super::Bound;
use super::looks::Looks;
use crate::bits::Bits;
use crate::error::{Error, Result};
use crate::model::Item;
use crate::span::Derived;
use crate::span::channels::{Cell, Exact, ItemFacts, ItemRows, Knowledge, Limits, MOST_ITEMS, SpanProof};
use crate::table::{People, Table};
use hashbrown::{HashMap, HashSet};

impl Bound<'_> {
    /// The cells below what is required of them, and for each span the smallest cell its individuals can be in, of
    /// those below the smallest bin.
    ///
    /// If individuals have several rows, supports do not add up: a smallest bin cannot be judged, and is refused. Below
    /// k, the cells are then those that would follow if every individual had one row. If declared dependencies tie
    /// private items, worlds that contradict the dependencies are impossible; a smallest bin is refused if there are
    /// too many items for a search that takes this into account.
    pub(super) fn derived(&self, table: &Table, looks: &Looks, limits: &Limits) -> Result<Derived> {
        if limits.every > 1 && table.has_several_rows() {
            return Err(Error::input(
                "a smallest bin cannot be checked for rules when individuals have several rows",
            )
            .help("put the items of each individual into one row, or omit the smallest bin"));
        }
        let mut knowledge = self.published(table, looks)?;
        let mut channels = knowledge.small_cells(knowledge.sets(), limits);
        let support = |set: &[u32]| looks.support(&self.having, set);
        let tied = looks.ties.clone().filter(|_| !table.has_several_rows());
        let is_tied = tied.is_some();
        if let Some(ties) = tied {
            knowledge.tie(ties);
        }
        // What is known to the last individual needs no search.
        let known: Vec<Cell> = channels.iter().filter(|cell| cell.low == cell.high).cloned().collect();
        let groups = knowledge.groups();
        // Without a group, nothing that is tied was looked at.
        if is_tied && limits.every > 1 && groups.is_empty() && !self.parts.is_empty() {
            return Err(too_many_tied());
        }
        let mut unsearched = knowledge.unsearched();
        for group in groups {
            match knowledge.exact_within(&group, limits, &support, false, &known) {
                Exact::Cells(cells) => channels.extend(cells),
                Exact::Contradiction => return Err(several_rows(table)),
                Exact::Unknown if is_tied && limits.every > 1 => return Err(too_many_tied()),
                Exact::Unknown => unsearched.extend(group),
            }
        }
        channels.sort_unstable_by(|a, b| (a.high, a).cmp(&(b.high, b)));
        // A cell found twice is listed by the narrower of its ranges, which comes first.
        let mut seen = HashSet::new();
        channels.retain(|cell| seen.insert((cell.present.clone(), cell.absent.clone())));
        let below = channels.iter().filter(|cell| cell.high < limits.every);
        let of_span = match limits.every {
            0 => Vec::new(),
            _ => self.of_spans(looks, below.collect()),
        };
        let kinds = looks.ties.iter().flat_map(|ties| 1..=ties.kinds.len());
        let kinds = kinds.map(|kind| format!("group {kind} of those that dependencies distinguish"));
        let items = looks.items.iter().map(|item| self.text(item)).chain(kinds).collect();
        let unsearched = self.rules_with(table, looks, &unsearched);
        let is_proven = unsearched == 0 || (!is_tied && self.is_proven_by_spans(looks, limits.every));
        Ok(Derived { of_span, channels, items, unsearched, is_proven })
    }

    /// Whether no cell below a smallest bin follows from the rules, span by span: it covers any number of public items.
    fn is_proven_by_spans(&self, looks: &Looks, least: u64) -> bool {
        let number: HashMap<Item, u32> = looks.items.iter().copied().zip(0..).collect();
        let rows = RowsOfLooks { bound: self, looks };
        let mut proof = SpanProof::new(least, &rows, self.having.groups());
        let numbers = |set: &Vec<Item>| set.iter().map(|item| number[item]).collect::<Vec<_>>();
        let sets: Vec<Vec<u32>> =
            self.parts.iter().flat_map(|part| [&part.left, &part.all]).map(numbers).collect();
        // All at once, so that each span is checked once.
        least > 1 && proof.publish(&sets.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    fn facts(&self, item: Item) -> ItemFacts {
        ItemFacts {
            public: self.public[item.attribute],
            attribute: item.attribute as u32,
            values: self.values(item.attribute),
        }
    }

    /// The rules of public items alone, where they count: there are no cells without anything private, and if
    /// individuals have several rows, the supports of public sets may contradict the assumption that they have one.
    fn counted_public_rules(&self, table: &Table) -> &[[Vec<Item>; 2]] {
        if self.parts.is_empty() || table.has_several_rows() { &[] } else { &self.public_rules }
    }

    /// The number of rules about which not everything was searched: those with one of these items, and those of public
    /// items alone that are too long.
    fn rules_with(&self, table: &Table, looks: &Looks, unsearched: &[u32]) -> u64 {
        let items: HashSet<Item> =
            unsearched.iter().filter_map(|&item| looks.items.get(item as usize)).copied().collect();
        let parts = self.parts.iter().map(|part| &part.all);
        let parts = parts.filter(|all| all.iter().any(|item| items.contains(item))).count();
        let public = self.counted_public_rules(table).iter().map(|[_, all]| all);
        let public = public.filter(|all| is_long(all) || all.iter().any(|item| items.contains(item)));
        (parts + public.count()) as u64
    }

    /// The knowledge after the supports of all rules are published.
    fn published(&self, table: &Table, looks: &Looks) -> Result<Knowledge> {
        let number: HashMap<Item, u32> = looks.items.iter().copied().zip(0..).collect();
        let kinds = looks.ties.as_ref().map_or(0, |ties| ties.kinds.len() as u32);
        let attribute = self.rules.attributes().len() as u32;
        let kinds = (0..kinds).map(|_| ItemFacts { public: true, attribute, values: kinds });
        let facts = looks.items.iter().map(|&item| self.facts(item)).chain(kinds).collect();
        let mut knowledge = Knowledge::new(table.individuals(), facts);
        let support = |set: &[u32]| looks.support(&self.having, set);
        for part in &self.parts {
            let [left, all] =
                [&part.left, &part.all].map(|set| set.iter().map(|item| number[item]).collect::<Vec<_>>());
            knowledge.note_own(&left, &all);
            knowledge.publish(&left, &support)?;
            knowledge.publish(&all, &support)?;
        }
        for set in self.counted_public_rules(table).iter().flatten().filter(|set| !is_long(set)) {
            knowledge.publish(&set.iter().map(|item| number[item]).collect::<Vec<_>>(), &support)?;
        }
        if knowledge.contradicts() { Err(several_rows(table)) } else { Ok(knowledge) }
    }

    /// For each span, the maximum population of the smallest cell that its individuals can be in.
    ///
    /// Individuals of a span need not have the same public items: a span determines only which whole sides of rules
    /// they have.
    fn of_spans(&self, looks: &Looks, small: Vec<&Cell>) -> Vec<u64> {
        // Cells that look alike from outside have the same individuals as far as anyone can know, unless dependencies
        // reveal more.
        let is_seen = |item: &u32| {
            looks.ties.is_some()
                || looks.items.get(*item as usize).is_none_or(|item| self.public[item.attribute])
        };
        let mut smallest: HashMap<[Vec<u32>; 2], u64> = HashMap::new();
        for cell in small {
            let seen = |side: &[u32]| side.iter().copied().filter(is_seen).collect();
            let least = smallest.entry([seen(&cell.present), seen(&cell.absent)]).or_insert(cell.high);
            *least = cell.high.min(*least);
        }
        let mut of_span = vec![u64::MAX; looks.spans];
        for &(span, look) in &looks.pairs {
            let least = &mut of_span[span as usize];
            for ([present, absent], &high) in &smallest {
                let is_public = |item: &Item| self.public[item.attribute];
                if high < *least && looks.can_be_in(&self.having, look, [present, absent], is_public) {
                    *least = high;
                }
            }
        }
        of_span
    }
}

/// Rows that have the same items, by the places of items.
struct RowsOfLooks<'b, 'a> {
    bound: &'b Bound<'a>,
    looks: &'b Looks,
}

impl ItemRows for RowsOfLooks<'_, '_> {
    fn having(&self, item: u32) -> &Bits {
        self.bound.having.of(self.looks.items[item as usize])
    }

    fn individuals(&self, group: usize) -> u64 {
        self.bound.having.individuals(group)
    }

    fn facts(&self, item: u32) -> ItemFacts {
        self.bound.facts(self.looks.items[item as usize])
    }
}

/// Whether a set has too many items to compute what it reveals.
fn is_long(set: &[Item]) -> bool {
    set.len() > MOST_ITEMS
}

fn too_many_tied() -> Error {
    Error::limit("the rules have too many private items with declared dependencies to check a smallest bin")
        .help("release fewer rules, leave the tied attributes out, or omit the smallest bin")
}

/// Supports that no table with a row for every individual has.
fn several_rows(table: &Table) -> Error {
    let error = Error::limit("what the supports of the rules reveal cannot be computed");
    if matches!(table.people(), People::Subjects { .. }) {
        error.help("put the items of each individual into one row, or release fewer rules")
    } else {
        error.help("release fewer rules")
    }
}
