//! Applies a release's recoding to new rows.
//!
//! A model trained on a release has learned from generalized values, so the rows that it predicts must be generalized
//! in the same way. The rule: a row takes the cells of the group that covers it, of several the most specific one (the
//! least loss, then the first); without such a group, of the one that covers most of its attributes, with `*` for the
//! others. A number that is not in the source is replaced by the nearest one that is, the lower of two; a name that is
//! not in the source is covered by `*` and by groups of the taxonomy that list it. The rule needs the released cells
//! and the taxonomies, nothing else of the source.
//!
//! An attribute whose released cells are all single values (means and most frequent values, or nothing was changed) is
//! left unchanged in new rows: such cells represent only themselves. Names that are not released are `*` there, too.
//!
//! Running time: one pass over the groups for each value, then a few machine words per row and attribute for every 64
//! groups.

use super::cell::Cell;
use super::draft::Draft;
use super::measures::loss;
use super::task::{Attribute, Task};
use incrowd_core::Result;
use incrowd_core::table::{Codes, Column, Kind, Table, Values};
use incrowd_core::taxonomy::ANY;
use std::borrow::Cow;

/// The cells of a released table's groups, prepared for recoding new rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Recoding {
    attributes: Vec<Recoded>,
    groups: usize,
}

/// The cells of the groups for one attribute; the most specific come first.
#[derive(Debug, Clone, PartialEq)]
struct Recoded {
    column: Column,
    taxonomy: Option<incrowd_core::taxonomy::Taxonomy>,
    cells: Vec<Cell>,
    texts: Vec<String>,
    of_group: Vec<u32>,
}

impl Recoding {
    pub(super) fn new(task: &Task<'_>, draft: &Draft) -> Self {
        let order = by_loss(task, draft);
        let recoded = |(attribute, column): (&Attribute<'_>, &super::draft::Recoded)| Recoded {
            column: attribute.column.select(&[]),
            taxonomy: attribute.taxonomy.clone(),
            cells: column.cells.clone(),
            texts: column.cells.iter().map(|cell| cell.text(attribute)).collect(),
            of_group: order.iter().map(|&group| column.of_group[group as usize]).collect(),
        };
        let attributes = task.attributes.iter().zip(&draft.columns).map(recoded).collect();
        Self { attributes, groups: order.len() }
    }

    /// The table with its public attributes generalized as in the release; other columns are unchanged.
    ///
    /// # Errors
    /// When the table lacks a public attribute of the release.
    pub fn apply(&self, table: &Table) -> Result<Table> {
        let columns =
            self.attributes.iter().map(|a| table.require(a.column.name())).collect::<Result<Vec<_>>>()?;
        let covered: Vec<Vec<Bits>> =
            self.attributes.iter().zip(&columns).map(|(a, column)| a.covered(column, self.groups)).collect();
        let found: Vec<Found> = (0..table.rows())
            .map(|row| {
                let of_row: Vec<&Bits> = covered
                    .iter()
                    .zip(&columns)
                    .map(|(bits, column)| &bits[column.code(row) as usize])
                    .collect();
                self.find(&of_row)
            })
            .collect();
        let recoded =
            |column: &Column| match self.attributes.iter().position(|a| a.column.name() == column.name()) {
                Some(attribute) if self.attributes[attribute].is_plain() => {
                    Ok(self.attributes[attribute].as_it_is(column))
                }
                Some(attribute) => self.column(attribute, &found),
                None => Ok(column.clone()),
            };
        let columns = table.columns().iter().map(recoded).collect::<Result<_>>()?;
        Table::new(columns, table.people().clone())
    }

    fn find(&self, of_row: &[&Bits]) -> Found {
        let words = self.groups.div_ceil(64);
        let all = |word: usize| of_row.iter().fold(u64::MAX, |both, bits| both & bits.0[word]);
        let whole = (0..words).find_map(|word| {
            let both = all(word);
            (both != 0).then(|| word * 64 + both.trailing_zeros() as usize)
        });
        if let Some(group) = whole {
            return Found { group: Some(group), covered: vec![true; of_row.len()] };
        }
        let score = |group: usize| of_row.iter().filter(|bits| bits.has(group)).count();
        let best = (0..self.groups).rev().max_by_key(|&group| score(group));
        let covered = of_row.iter().map(|bits| best.is_some_and(|group| bits.has(group))).collect();
        Found { group: best, covered }
    }

    fn column(&self, attribute: usize, found: &[Found]) -> Result<Column> {
        let recoded = &self.attributes[attribute];
        let mut values: Vec<&str> = recoded.texts.iter().map(String::as_str).chain([ANY]).collect();
        values.sort_unstable();
        values.dedup();
        let code_of = |text: &str| values.partition_point(|value| *value < text) as u32;
        let of_cell: Vec<u32> = recoded.texts.iter().map(|text| code_of(text)).collect();
        let any = code_of(ANY);
        let code = |found: &Found| match found.group {
            Some(group) if found.covered[attribute] => of_cell[recoded.of_group[group] as usize],
            _ => any,
        };
        let codes = Codes::collect(values.len() + 1, found.iter().map(code));
        Column::new(recoded.column.name(), Values::Categorical(values.iter().collect()), codes)
    }
}

/// The group a row takes its cells from, and which of them are true of it.
struct Found {
    group: Option<usize>,
    covered: Vec<bool>,
}

/// One bit per group.
struct Bits(Vec<u64>);

impl Bits {
    fn has(&self, group: usize) -> bool {
        self.0[group / 64] >> (group % 64) & 1 == 1
    }
}

impl Recoded {
    /// Whether every cell is a single value.
    fn is_plain(&self) -> bool {
        self.cells.iter().all(|cell| matches!(cell, Cell::Value(_) | Cell::Number(_)))
    }

    /// Another table's column where every cell is a single value: numbers stay, and so do names that are released;
    /// others are `*`.
    fn as_it_is(&self, other: &Column) -> Column {
        if other.kind() == Kind::Numeric {
            return other.clone();
        }
        let known = |code: usize| {
            let text = other.values().text(code);
            if self.texts.iter().any(|known| *known == text) { text } else { ANY.into() }
        };
        let of_code: Vec<Cow<'_, str>> = (0..other.values().len()).map(known).collect();
        let cells: Vec<Option<&str>> =
            other.codes().iter().map(|code| of_code.get(code as usize).map(AsRef::as_ref)).collect();
        Column::from_texts(other.name(), &cells)
    }

    /// For each code of another table's column the groups that cover its value.
    fn covered(&self, other: &Column, groups: usize) -> Vec<Bits> {
        let attribute =
            Attribute { column: &self.column, place: 0, taxonomy: self.taxonomy.clone(), range: (0.0, 0.0) };
        let of_code = |code: usize| {
            let met = self.meet(other, code);
            let covers: Vec<bool> = self.cells.iter().map(|cell| met.is_covered(cell, &attribute)).collect();
            let mut bits = vec![0_u64; groups.div_ceil(64)];
            for (group, &cell) in self.of_group.iter().enumerate() {
                bits[group / 64] |= u64::from(covers[cell as usize]) << (group % 64);
            }
            Bits(bits)
        };
        (0..=other.values().len()).map(of_code).collect()
    }

    /// What a value of another column is here.
    fn meet(&self, other: &Column, code: usize) -> ForeignValue {
        let Some(text) = (code < other.values().len()).then(|| other.values().text(code)) else {
            return ForeignValue::Code(self.column.missing_code());
        };
        if let Some(code) = self.column.values().find(&text) {
            return ForeignValue::Code(code);
        }
        if let (Some(ours), Some(theirs)) = (self.column.values().numbers(), other.values().numbers())
            && !ours.is_empty()
        {
            return ForeignValue::Code(nearest(ours, theirs[code]));
        }
        ForeignValue::Other(self.taxonomy.as_ref().and_then(|taxonomy| taxonomy.find(&text)))
    }
}

/// A value of another table.
enum ForeignValue {
    /// One that the source has.
    Code(u32),
    /// One that it does not have; its leaf where the taxonomy lists it.
    Other(Option<incrowd_core::taxonomy::TaxonomyNode>),
}

impl ForeignValue {
    fn is_covered(&self, cell: &Cell, attribute: &Attribute<'_>) -> bool {
        match (self, cell, &attribute.taxonomy) {
            (_, Cell::Any, _) => true,
            // A row with a missing value, and a source in which none is missing.
            (Self::Code(code), Cell::Group(_), Some(taxonomy)) if *code as usize >= taxonomy.code_count() => {
                false
            }
            (Self::Code(code), _, _) => cell.covers(*code, attribute),
            (Self::Other(Some(leaf)), Cell::Group(node), Some(taxonomy)) => taxonomy.contains(*node, *leaf),
            (Self::Other(_), _, _) => cell.is_suppressed(attribute),
        }
    }
}

/// The code of the nearest number, the lower of two.
fn nearest(numbers: &[f64], number: f64) -> u32 {
    let above = numbers.partition_point(|&other| other < number).min(numbers.len() - 1);
    let below = above.saturating_sub(1);
    let is_below = (number - numbers[below]).abs() <= (numbers[above] - number).abs();
    (if is_below { below } else { above }) as u32
}

/// The non-empty groups, the most specific first.
fn by_loss(task: &Task<'_>, draft: &Draft) -> Vec<u32> {
    let of_cell: Vec<Vec<f64>> = draft
        .columns
        .iter()
        .zip(&task.attributes)
        .map(|(column, attribute)| column.cells.iter().map(|cell| loss(cell, attribute)).collect())
        .collect();
    let total = |group: u32| -> f64 {
        let of = draft.columns.iter().zip(&of_cell);
        of.map(|(column, losses)| losses[column.of_group[group as usize] as usize]).sum()
    };
    let mut losses: Vec<(f64, u32)> = (0..draft.groups() as u32).map(|group| (total(group), group)).collect();
    losses.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    losses.into_iter().map(|(_, group)| group).collect()
}
