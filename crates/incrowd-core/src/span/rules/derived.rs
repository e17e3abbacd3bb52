//! What the supports of rules give away: the cells anybody can work out.

use super::Bound;
use crate::error::{Error, Result};
use crate::model::Item;
use crate::span::Derived;
use crate::span::channels::{Cell, Exact, ItemFacts, Knowledge, Limits};
use crate::table::{People, Table};
use hashbrown::HashMap;

/// The items of rules by number, and what is known of their supports.
struct Numbered {
    items: Vec<Item>,
    public: Vec<bool>,
    knowledge: Knowledge,
}

impl Numbered {
    fn named(&self, set: &[u32]) -> Vec<Item> {
        set.iter().map(|&item| self.items[item as usize]).collect()
    }
}

impl Bound<'_> {
    /// The cells below what is asked of them, and for each of so many spans (given with the groups they have) the smallest cell its people can be in, of those below the smallest
    /// bin.
    ///
    /// Where individuals have several rows, supports do not add up: a smallest bin cannot be judged, and is refused. What is looked for below k then is what would follow
    /// if everybody had one row.
    pub(super) fn derived(
        &self,
        table: &Table,
        (pairs, spans): (&[(u32, u32)], usize),
        limits: &Limits,
    ) -> Result<Derived> {
        if limits.every > 1 && table.has_several_rows() {
            return Err(Error::new(
                "a smallest bin cannot be judged for rules where individuals have several rows",
            )
            .help("put the items of each individual into one row, or do without the smallest bin"));
        }
        let numbered = self.numbered(table)?;
        let knowledge = &numbered.knowledge;
        let mut channels = knowledge.small_cells(knowledge.sets(), limits);
        let support = |set: &[u32]| self.having.support(&numbered.named(set));
        for group in knowledge.groups() {
            match knowledge.exact(group, limits, &support, false) {
                Exact::Cells(cells) => channels.extend(cells),
                Exact::Contradiction => return Err(several_rows(table)),
                Exact::Unknown => (),
            }
        }
        channels.sort_unstable_by(|a, b| (a.high, a).cmp(&(b.high, b)));
        // A cell found twice is listed by the narrower of its ranges, which comes first.
        let mut seen = hashbrown::HashSet::new();
        channels.retain(|cell| seen.insert((cell.present.clone(), cell.absent.clone())));
        let below = channels.iter().filter(|cell| cell.high < limits.every);
        let of_span = match limits.every {
            0 => Vec::new(),
            _ => self.of_spans((pairs, spans), &numbered, below.collect()),
        };
        let items = numbered.items.iter().map(|item| self.text(item)).collect();
        Ok(Derived { of_span, channels, items })
    }

    /// Publishes the supports of all rules.
    fn numbered(&self, table: &Table) -> Result<Numbered> {
        let mut items: Vec<Item> = self.parts.iter().flat_map(|part| &part.all).copied().collect();
        items.sort_unstable();
        items.dedup();
        let number: HashMap<Item, u32> = items.iter().copied().zip(0..).collect();
        let public: Vec<bool> = items.iter().map(|item| self.public[item.attribute]).collect();
        let facts = |item: &Item| ItemFacts {
            public: self.public[item.attribute],
            attribute: item.attribute as u32,
            values: self.values(item.attribute),
        };
        let knowledge = Knowledge::new(table.individuals(), items.iter().map(facts).collect());
        let mut numbered = Numbered { items, public, knowledge };
        for part in &self.parts {
            let [left, all] =
                [&part.left, &part.all].map(|set| set.iter().map(|item| number[item]).collect::<Vec<_>>());
            let names = numbered.items.clone();
            let named = |set: &[u32]| -> Vec<Item> { set.iter().map(|&item| names[item as usize]).collect() };
            let support = |set: &[u32]| self.having.support(&named(set));
            numbered.knowledge.note_own(&left, &all);
            numbered.knowledge.publish(&left, &support)?;
            numbered.knowledge.publish(&all, &support)?;
        }
        if numbered.knowledge.contradicts() { Err(several_rows(table)) } else { Ok(numbered) }
    }

    /// For each span the most that the smallest cell holds which its people can be in.
    ///
    /// They need not have the same public items: a span says only which sides of rules they have as a whole.
    fn of_spans(
        &self,
        (pairs, spans): (&[(u32, u32)], usize),
        numbered: &Numbered,
        small: Vec<&Cell>,
    ) -> Vec<u64> {
        // Cells that look alike from outside hold the same people as far as anybody can tell.
        let mut smallest: HashMap<[Vec<u32>; 2], u64> = HashMap::new();
        for cell in small {
            let seen =
                |side: &[u32]| side.iter().copied().filter(|&item| numbered.public[item as usize]).collect();
            let least = smallest.entry([seen(&cell.present), seen(&cell.absent)]).or_insert(cell.high);
            *least = cell.high.min(*least);
        }
        let mut of_span = vec![u64::MAX; spans];
        for &(span, group) in pairs {
            let (least, group) = (&mut of_span[span as usize], group as usize);
            for ([present, absent], &high) in &smallest {
                let has = |item: &u32| self.having.has(group, &numbered.named(&[*item]));
                if high < *least && present.iter().all(has) && !absent.iter().any(has) {
                    *least = high;
                }
            }
        }
        of_span
    }
}

/// Supports that no table with a row for everybody has.
fn several_rows(table: &Table) -> Error {
    let error = Error::new("what the supports of the rules give away cannot be worked out");
    if matches!(table.people(), People::Subjects { .. }) {
        error.help("individuals have several rows: put the items of each into one, or release fewer rules")
    } else {
        error.help("release fewer rules")
    }
}
