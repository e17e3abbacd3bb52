//! Maps equal cells, however they are spelled, to equal codes.

use super::{CellContents, Cells, Notation, Runs};
use crate::error::Result;
use crate::policy::{Policy, Role};
use crate::table::{Codes, Column, Kind, Table, Values};
use crate::taxonomy::MISSING;
use hashbrown::HashMap;
use std::borrow::Cow;

/// The table with private cells of equal meaning made equal: `{x}` is `x`, and `{a, b}` is `{b, a}`. Columns all of
/// whose cells are single values get the kind that the policy declares.
///
/// # Errors
/// When a cell contradicts the policy, or numbers and names are mixed.
pub(crate) fn canonical<'t>(table: &'t Table, policy: &Policy) -> Result<Cow<'t, Table>> {
    let known = policy.knowledge();
    let mut columns: Option<Vec<Column>> = None;
    for (place, column) in table.columns().iter().enumerate() {
        let Some(attribute) = policy.attribute(column.name()) else { continue };
        if attribute.role != Role::Private || known.knows(column.name()).unwrap_or(true) {
            continue;
        }
        match CellContents::of(column, policy)? {
            Some(said) => {
                let columns = columns.get_or_insert_with(|| table.columns().to_vec());
                columns[place] = recoded(column, policy, &said)?;
            }
            None => attribute.check_values(column, |text| text == MISSING)?,
        }
    }
    match columns {
        Some(columns) => Ok(Cow::Owned(Table::new(columns, table.people().clone())?)),
        None => Ok(Cow::Borrowed(table)),
    }
}

fn recoded(column: &Column, policy: &Policy, said: &CellContents) -> Result<Column> {
    let Some(cells) = Cells::read(column, policy) else { return Ok(column.clone()) };
    // The first code of each set represents all.
    let mut first: HashMap<&Runs, usize> = HashMap::new();
    let stands_for: Vec<usize> =
        said.sets.iter().enumerate().map(|(code, set)| *first.entry(set).or_insert(code)).collect();
    // A value that is missing may be written out.
    let is_missing = |text: &str| text == MISSING && !cells.attribute.values.iter().any(|own| own == MISSING);
    let text = |code: usize| {
        let (text, said_as) = cells.of_code.get(code)?.as_ref()?;
        let text = match (said.only(code as u32), said_as) {
            (Some(_), Notation::OneOf(parts)) => &**parts.first()?,
            _ => *text,
        };
        (!is_missing(text)).then_some(text)
    };
    let texts: Vec<Option<&str>> = stands_for.iter().map(|&code| text(code)).collect();
    let of_row = || column.codes().iter().map(|code| texts[code as usize]);
    let occurring = || cells.of_code.iter().enumerate().filter(|(_, cell)| cell.is_some());
    let all_single = occurring().all(|(code, _)| said.only(code as u32).is_some());
    if all_single && cells.are_numbers()? {
        let numbers = column.codes().iter().map(|code| said.number(code));
        return Column::from_numbers(column.name(), &numbers.collect::<Vec<_>>());
    }
    let order = &cells.attribute.values;
    if all_single && cells.attribute.kind == Some(Kind::Ordered) {
        let rank = |text: &str| order.iter().position(|own| own == text).unwrap_or(order.len()) as u32;
        let codes = of_row().map(|text| text.map_or(order.len() as u32, rank));
        let codes = Codes::collect(order.len() + 1, codes);
        return Column::new(column.name(), Values::Ordered(order.iter().collect()), codes);
    }
    let cells: Vec<Option<&str>> = of_row().collect();
    Ok(Column::from_texts(column.name(), &cells))
}
