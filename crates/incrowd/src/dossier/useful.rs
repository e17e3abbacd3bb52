//! How useful the release is.

use super::change::{ColumnChange, TableChange};
use super::content::{Content, Scores, Utility};
use super::copied::CopiedRows;
use super::page::{Block, Picture, Table};
use super::plots;
use super::risks::sentence;
use incrowd_core::policy::Role;
use incrowd_core::words::{count, counted};
use incrowd_eval::words::percent;

/// The most pairs of attributes whose correlations are listed.
const PAIRS: usize = 15;

pub(super) fn useful(content: &Content) -> Vec<Block> {
    let Some(utility) = &content.utility else {
        return vec![Block::Text(nothing(content.release.family).to_owned())];
    };
    let mut blocks = Vec::new();
    if utility.on_data.is_some() || utility.on_test.is_some() {
        blocks.extend(predictions(utility));
    }
    if let Some(change) = &utility.table {
        blocks.extend(table(change));
    }
    blocks
}

/// Why nothing was measured.
fn nothing(family: &str) -> &'static str {
    match family {
        "table" => "Not measured: the source of the table was not given (--data).",
        "clusters" | "rules" => {
            "There is no single measure of how useful such a release is; see the release itself."
        }
        _ => "Not measured.",
    }
}

fn predictions(utility: &Utility) -> Vec<Block> {
    let Utility { on_data, on_test, copied, .. } = utility;
    let heads = ["rows", ">number", ">wrong", ">error", ">error of always guessing the most frequent class"];
    let mut table = Table::new("errors", "How often the prediction is wrong", &heads);
    let mut add = |name: &str, scores: &Scores| {
        table.row([
            name.to_owned(),
            count(scores.rows),
            count(scores.wrong),
            percent(scores.error),
            percent(scores.baseline),
        ]);
    };
    on_test.iter().for_each(|scores| add("held-out rows", scores));
    on_data.iter().for_each(|scores| add("the rows it was made from", scores));
    if let Some(warning) = copied.as_ref().and_then(CopiedRows::warning) {
        return vec![Block::Table(table), Block::Warning(vec![sentence(&warning)])];
    }
    let note = if on_test.is_some() {
        "Held-out rows were not used to make the release. Their error is what to expect of new rows if they are about \
         other individuals; it is too low if the release was made from other rows of the same ones."
    } else {
        "The error on the rows that a release was made from is lower than on new rows. Give held-out rows (--test) to measure \
         the latter."
    };
    vec![Block::Table(table), Block::Note(note.to_owned())]
}

fn table(change: &TableChange) -> Vec<Block> {
    let mut blocks =
        vec![Block::Text(rows(change)), Block::Text(LOST.to_owned()), Block::Table(columns(change))];
    let pictures: Vec<Picture> = change
        .columns
        .iter()
        .enumerate()
        .filter(|(_, own)| own.role == Role::Public)
        .filter_map(|(place, own)| plots::change(place, own))
        .collect();
    if !pictures.is_empty() {
        blocks.push(Block::Heading("Public attributes before and after".to_owned()));
        blocks.push(Block::Text(EVENLY.to_owned()));
        blocks.push(Block::Pictures(pictures));
    }
    if !change.correlations.is_empty() {
        blocks.push(Block::Heading("Correlations before and after".to_owned()));
        blocks.push(Block::Text(CORRELATED.to_owned()));
        blocks.push(Block::Table(correlations(change)));
    }
    blocks
}

const LOST: &str = "The width of a cell is the share of the attribute's values, of those that occur in the source, that the \
    cell covers: 0 % for a single value and 100 % for any value; the table has the average. The miner's loss metric counts \
    by the declared range or the taxonomy instead. The change is the share of rows that would have to get another value to \
    restore the distribution.";

const CORRELATED: &str = "A correlation is 1 if one number grows in proportion to the other, −1 if it falls, and 0 if they \
    are unrelated. Cells that are intervals count as their middle.";

const EVENLY: &str = "A generalized cell covers several values. The pictures count it as if these values were equally likely, \
    as a reader of the table has to assume.";

fn rows(change: &TableChange) -> String {
    let lost = change.rows_before.saturating_sub(change.rows_after);
    // The summary of mining has the same words.
    let lost = if lost == 0 {
        "no rows lost".to_owned()
    } else {
        let share = percent(lost as f64 / change.rows_before.max(1) as f64);
        format!("{} lost ({share})", counted(lost, "row"))
    };
    format!(
        "{} of the source {} used; the released table has {}: {lost}.",
        counted(change.rows_before, "row"),
        if change.rows_before == 1 { "was" } else { "were" },
        count(change.rows_after)
    )
}

fn columns(change: &TableChange) -> Table {
    let heads = ["attribute", "role", ">width of a cell", ">change of the distribution"];
    let mut table = Table::new("lost", "What the table has lost", &heads);
    let role = |own: &ColumnChange| if own.role == Role::Public { "public" } else { "private" };
    for own in &change.columns {
        table.row([own.name.clone(), role(own).to_owned(), percent(own.width), percent(own.distance)]);
    }
    table
}

fn correlations(change: &TableChange) -> Table {
    let mut table = Table::new("correlations", "Correlations", &["attributes", ">before", ">after"]);
    for own in change.correlations.iter().take(PAIRS) {
        let number = |number: f64| format!("{number:+.2}").replace('-', "−");
        table.row([format!("{} and {}", own.first, own.second), number(own.before), number(own.after)]);
    }
    table
}
