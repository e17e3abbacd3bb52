//! A released table at a glance, which is also its data dictionary: groups, and for each column what its cells are and
//! how much they cover. Everything comes from the release, so its readers may see it.
//!
//! Of columns that are released unchanged, only values of at least as many rows as the smallest group has are listed.

use super::words::{count, percent};
use crate::dataset::OpenOptions;
use crate::dossier::{ColumnChange, change, read_release_table, untrue};
use crate::{Loaded, Result};
use incrowd_core::group::group_rows;
use incrowd_core::recoding::{AttributeLegend, Extent};
use incrowd_core::table::{Column, Kind, Table};
use incrowd_core::taxonomy::{ANY, MISSING};
use incrowd_io::policy::{PolicyFile, Purpose};
use incrowd_io::release::TableRelease;
use incrowd_io::{
    ColumnPlan, MissingRows, ReadPlan, Unlisted, format_of_name, read_table, released_cells_plan,
};
use serde::Serialize;
use std::path::Path;

/// The most cells of a column that are listed.
const LISTED: usize = 8;

/// A released table at a glance.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TableOutline {
    /// The file of the table.
    pub file: String,
    /// The method that made it.
    pub method: String,
    /// The requirements that it meets.
    pub guarantee: Vec<String>,
    /// Its rows.
    pub rows: u64,
    /// Its individuals, if the release file states them.
    pub individuals: Option<u64>,
    /// The groups of equal recoded cells.
    pub groups: u64,
    /// The rows of the smallest group.
    pub smallest: u64,
    /// The rows of a group in the middle.
    pub median: u64,
    /// The rows of the largest group.
    pub largest: u64,
    /// How many groups have how many rows.
    pub sizes: Vec<GroupSizes>,
    /// Its columns, in the order of the table.
    pub columns: Vec<ColumnOutline>,
    /// The share of the public cells that are not true of their row, if there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untrue_cells: Option<f64>,
    /// The rows of the source, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows_before: Option<u64>,
}

/// Groups of similar size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GroupSizes {
    /// The fewest rows.
    pub from: u64,
    /// The most rows.
    pub to: u64,
    /// The number of groups.
    pub groups: u64,
    /// Their rows together.
    pub rows: u64,
}

/// A column of a released table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ColumnOutline {
    /// Its name.
    pub name: String,
    /// Whether its cells are recoded; otherwise they are released as they were.
    pub recoded: bool,
    /// The kind of its values.
    pub kind: &'static str,
    /// The number of different cells.
    pub cells: u64,
    /// How cells are written.
    pub forms: Vec<&'static str>,
    /// The share of rows with a suppressed cell.
    pub suppressed: f64,
    /// How a missing value is written, if there are some, and the share of rows with one.
    pub missing: Option<(String, f64)>,
    /// The share of the values in the table that a cell covers besides one, on average over rows; only of recoded
    /// columns, and unless the table does not show which values a cell covers, as of masked codes.
    pub width: Option<f64>,
    /// The most frequent cells with the share of their rows.
    pub most_frequent: Vec<(String, f64)>,
    /// The share of rows that would have to change to restore the source's distribution; only if the source was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// The distribution before and after, in a few bins; only of public columns, and if the source was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bins: Vec<(String, f64, f64)>,
}

/// Reads a column as texts if it was to be read as dates. Returns false if it was not.
fn texts_instead(plan: &mut ReadPlan, column: Option<&str>) -> bool {
    let own = column.and_then(|name| plan.columns.get_mut(name)).filter(|own| own.kind == Some(Kind::Date));
    own.map(|own| own.kind = Some(Kind::Categorical)).is_some()
}

impl Loaded {
    /// Outlines a released table, which must be next to its release file.
    ///
    /// # Errors
    /// When it is not the release of a table or states no recoding, or the table is not the one that was released.
    pub fn table_outline(&self, options: &OpenOptions) -> Result<TableOutline> {
        let (stated, _) = self.stated_table()?;
        let path = self.table_path()?;
        stated.check_digest(&path)?;
        let legend = &self.legend()?.attributes;
        let format = format_of_name(&path)?;
        let mut plan = released_cells_plan(self.legend()?, format);
        (plan.unlisted, plan.missing_rows) = (Unlisted::Keep, MissingRows::Keep);
        for (name, &kind) in &stated.kinds {
            let mut column = ColumnPlan::default();
            column.kind = match kind {
                Kind::Ordered => Some(Kind::Date),
                kind => Some(kind),
            };
            column.missing = Some(vec![String::new()]);
            plan.columns.insert(name.clone(), column);
        }
        let reading = options.reading();
        let read = loop {
            match read_table(&path, &plan, reading.threads, reading.progress) {
                // Ordered cells are days, or texts whose order only the policy states.
                Err(error) if texts_instead(&mut plan, error.place.attribute.as_deref()) => {}
                read => break read?,
            }
        };
        Ok(outline(&read.table, stated, legend))
    }

    /// Outlines a released table beside its source.
    ///
    /// # Errors
    /// As [`Self::table_outline`], and when the source cannot be read.
    pub fn table_outline_of(
        &self,
        source: &Path,
        policy: &PolicyFile,
        options: &OpenOptions,
    ) -> Result<TableOutline> {
        let mut outline = self.table_outline(options)?;
        let before = options.reading().table(source, policy, Purpose::Source)?;
        let released = read_release_table(&self.table_path()?, policy, options.reading())?;
        let change = change(&before.table, &released, policy).map_err(|error| error.in_file(source))?;
        outline.rows_before = Some(change.rows_before());
        for column in &mut outline.columns {
            if let Some(of) = change.columns().iter().find(|of| of.name() == column.name) {
                (column.distance, column.bins) = (Some(of.distance()), bins(of));
                // The source shows which values masked codes cover.
                column.width = column.width.or_else(|| column.recoded.then(|| of.width()));
            }
        }
        Ok(outline)
    }
}

fn bins(change: &ColumnChange) -> Vec<(String, f64, f64)> {
    change.bins().map(|(label, before, after)| (label.to_owned(), before, after)).collect()
}

fn outline(table: &Table, stated: &TableRelease, legend: &[AttributeLegend]) -> TableOutline {
    let is_recoded = |column: &&Column| legend.iter().any(|own| own.name == column.name());
    let recoded: Vec<&Column> = table.columns().iter().filter(is_recoded).collect();
    let grouping = group_rows(table.rows(), &recoded);
    let mut sizes = vec![0_u64; grouping.count as usize];
    grouping.of_row.iter().for_each(|&group| sizes[group as usize] += 1);
    sizes.sort_unstable();
    let smallest = sizes.first().copied().unwrap_or(0);
    let column = |column: &Column| {
        let legend = legend.iter().find(|own| own.name == column.name());
        column_outline(column, legend, smallest)
    };
    TableOutline {
        file: stated.file.clone(),
        method: stated.origin.method.clone().unwrap_or_default(),
        guarantee: stated.origin.guarantee.clone(),
        rows: table.rows() as u64,
        individuals: stated.individuals,
        groups: sizes.len() as u64,
        smallest,
        median: sizes.get(sizes.len() / 2).copied().unwrap_or(0),
        largest: sizes.last().copied().unwrap_or(0),
        sizes: by_size(&sizes),
        columns: table.columns().iter().map(column).collect(),
        untrue_cells: stated.origin.measured.get("untrue_cells").and_then(serde_json::Value::as_f64),
        rows_before: None,
    }
}

/// Groups in classes of size, each up to twice the one before; `sizes` are ascending.
fn by_size(sizes: &[u64]) -> Vec<GroupSizes> {
    let mut classes: Vec<GroupSizes> = Vec::new();
    for &size in sizes {
        match classes.last_mut() {
            Some(class) if size <= class.to => {
                class.groups += 1;
                class.rows += size;
            }
            last => {
                let mut from = last.map_or(size.max(1), |class| class.to + 1);
                while size > 2 * from - 1 {
                    from *= 2;
                }
                classes.push(GroupSizes { from, to: 2 * from - 1, groups: 1, rows: size });
            }
        }
    }
    classes
}

fn column_outline(column: &Column, legend: Option<&AttributeLegend>, least: u64) -> ColumnOutline {
    let mut rows = vec![0_u64; column.code_count()];
    column.codes().iter().for_each(|code| rows[code as usize] += 1);
    let all = column.len().max(1) as f64;
    let share = |rows: u64| rows as f64 / all;
    let missing = column.missing_code() as usize;
    let text = |code: usize| column.values().text(code).into_owned();
    let used: Vec<usize> = (0..column.values().len()).filter(|&code| rows[code] > 0).collect();
    let of = |wanted: &str| used.iter().find(|&&code| text(code) == wanted).map_or(0, |&code| rows[code]);
    let marked = legend.map_or(0, |_| of(MISSING));
    let missing = match (rows.get(missing).copied().unwrap_or(0), marked) {
        (0, 0) => None,
        (0, marked) => Some((MISSING.to_owned(), share(marked))),
        (empty, _) => Some((String::new(), share(empty))),
    };
    // What few rows show of a private column is not repeated here.
    let is_listed = |code: &&usize| legend.is_some() || rows[**code] >= least;
    let mut listed: Vec<usize> = used.iter().filter(is_listed).copied().collect();
    listed.sort_by_key(|&code| (std::cmp::Reverse(rows[code]), code));
    listed.truncate(LISTED);
    ColumnOutline {
        name: column.name().to_owned(),
        recoded: legend.is_some(),
        kind: kind(legend.map_or(column.kind(), |legend| legend.kind), column),
        cells: used.len() as u64,
        forms: legend
            .map_or_else(|| vec!["value"], |legend| forms(legend, used.iter().map(|&code| text(code)))),
        suppressed: legend.map_or(0.0, |_| share(of(ANY))),
        missing,
        width: legend.and_then(|legend| width(legend, used.iter().map(|&code| (text(code), rows[code])))),
        most_frequent: listed.into_iter().map(|code| (text(code), share(rows[code]))).collect(),
        distance: None,
        bins: Vec::new(),
    }
}

fn kind(kind: Kind, column: &Column) -> &'static str {
    match kind {
        Kind::Numeric => "numeric",
        Kind::Date => "date",
        _ if column.is_in_days() => "date",
        Kind::Ordered => "ordered",
        _ => "categorical",
    }
}

/// The ways in which cells are written.
fn forms(legend: &AttributeLegend, texts: impl Iterator<Item = String>) -> Vec<&'static str> {
    let mut found = [false; 6];
    for text in texts {
        let place = match legend.extent(text.trim()) {
            _ if text == ANY => 5,
            _ if text == MISSING => 4,
            Some(extent) if extent.any => 5,
            Some(_) if legend.cells.contains_key(text.trim()) => 3,
            Some(extent) if extent.names.len() > 1 => 2,
            Some(extent) if extent.ranges.iter().any(|range| range.low != range.high) => 1,
            _ => 0,
        };
        found[place] = true;
    }
    let names = ["value", "interval", "set", "group of a taxonomy", "missing (?)", "any value (*)"];
    names.into_iter().zip(found).filter(|(_, found)| *found).map(|(name, _)| name).collect()
}

/// The mean width of cells, in what the cells of the column cover together. It is unknown for masked codes, because the
/// table does not state which codes there are.
fn width(legend: &AttributeLegend, cells: impl Iterator<Item = (String, u64)>) -> Option<f64> {
    let cells: Vec<(Option<Extent>, u64)> = cells
        .map(|(text, rows)| (legend.extent(text.trim()).or_else(|| Some(Extent::name(text.trim()))), rows))
        .collect();
    let extents = || cells.iter().filter_map(|(extent, _)| extent.as_ref());
    if extents().any(|extent| !extent.codes.is_empty()) {
        return None;
    }
    // A cell that covers everything does not say what that is.
    let whole = Extent::union(extents().filter(|extent| !extent.any).cloned());
    let ends = |extent: &Extent| {
        let low = extent.ranges.iter().filter_map(|range| range.low).fold(f64::INFINITY, f64::min);
        let high = extent.ranges.iter().filter_map(|range| range.high).fold(f64::NEG_INFINITY, f64::max);
        (low <= high).then_some((low, high))
    };
    let range = ends(&whole);
    let names = whole.names.len();
    let of = |extent: &Extent| match (range, ends(extent)) {
        _ if extent.any => 1.0,
        (Some((low, high)), own) if names == 0 && high > low => own.map_or(0.0, |(from, to)| {
            let is_open = extent.ranges.iter().any(|range| range.low.is_none() || range.high.is_none());
            let from =
                if is_open && extent.ranges.iter().any(|range| range.low.is_none()) { low } else { from };
            let to =
                if is_open && extent.ranges.iter().any(|range| range.high.is_none()) { high } else { to };
            ((to - from) / (high - low)).clamp(0.0, 1.0)
        }),
        _ if names > 1 => extent.names.len().saturating_sub(1) as f64 / (names - 1) as f64,
        _ => 0.0,
    };
    let rows: u64 = cells.iter().map(|(_, rows)| rows).sum();
    let sum: f64 = cells.iter().filter_map(|(extent, rows)| Some(of(extent.as_ref()?) * *rows as f64)).sum();
    Some(sum / rows.max(1) as f64)
}

impl TableOutline {
    /// The rows of the smallest and the largest group: `5 to 20`, or `10` if all have as many.
    pub fn sizes_in_words(&self) -> String {
        if self.smallest == self.largest {
            count(self.smallest)
        } else {
            format!("{} to {}", count(self.smallest), count(self.largest))
        }
    }

    /// The outline as a data dictionary in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "# Data dictionary of {}\n\n{} rows in {} groups of {} rows with equal recoded cells. Method: {}. \
             Guarantee: {}.\n\nIn recoded columns, `*` is any value, `?` a missing value, `{{a, b}}` one of the listed values, \
             and `[a, b)` an interval that contains a but not b; `[a, b]` contains both.{}\n\n",
            escaped(&self.file),
            count(self.rows),
            count(self.groups),
            self.sizes_in_words(),
            escaped(&self.method),
            escaped(&self.guarantee.join(", ")),
            self.untrue_cells.map_or_else(String::new, |share| format!(" {}.", untrue(share))),
        );
        text += "| column | kind | content | cells | written as | missing | suppressed | mean width | most frequent |\n";
        text += "| --- | --- | --- | ---: | --- | --- | ---: | ---: | --- |\n";
        for column in &self.columns {
            let missing = column.missing.as_ref().map_or_else(String::new, |(mark, share)| {
                let mark = if mark.is_empty() { "empty cell".to_owned() } else { format!("`{mark}`") };
                format!("{mark}, {}", percent(*share))
            });
            let frequent: Vec<String> = column
                .most_frequent
                .iter()
                .map(|(cell, share)| format!("{} ({})", escaped(cell), percent(*share)))
                .collect();
            text += &format!(
                "| {} | {} | {} | {} | {} | {missing} | {} | {} | {} |\n",
                escaped(&column.name),
                column.kind,
                if column.recoded { "recoded" } else { "unchanged" },
                count(column.cells),
                column.forms.join(", "),
                if column.recoded { percent(column.suppressed) } else { String::new() },
                match column.width {
                    Some(width) => format!("{width:.3}"),
                    None if column.recoded => "unknown".to_owned(),
                    None => String::new(),
                },
                frequent.join("; ")
            );
        }
        text
    }
}

/// A text that is not markup: names and values are untrusted.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '&' => {
                escaped.extend(['\\', character]);
            }
            character if character.is_control() => escaped.push(' '),
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_in_classes() {
        let classes = by_size(&[3, 3, 5, 6, 40]);
        let shown: Vec<_> =
            classes.iter().map(|class| (class.from, class.to, class.groups, class.rows)).collect();
        assert_eq!(shown, [(3, 5, 3, 11), (6, 11, 1, 6), (24, 47, 1, 40)]);
        assert!(by_size(&[]).is_empty());
    }

    #[test]
    fn widths_are_shares_of_what_the_column_covers() {
        let legend = AttributeLegend::new("age", Kind::Numeric, []);
        let cells = [("[20, 30]", 2), ("[30, 60]", 1), ("*", 1), ("40", 4)];
        let cells = cells.map(|(text, rows)| (text.to_owned(), rows));
        let expected = (2.0 * 0.25 + 0.75 + 1.0) / 8.0;
        let of = |cells: Vec<(String, u64)>| width(&legend, cells.into_iter());
        assert!(of(cells.to_vec()).is_some_and(|width| (width - expected).abs() < 1e-12));
        let texts = cells.into_iter().map(|(text, _)| text);
        assert_eq!(forms(&legend, texts), ["value", "interval", "any value (*)"]);
    }

    #[test]
    fn markdown_is_escaped() {
        assert_eq!(escaped("a|b\n<x>"), "a\\|b \\<x\\>");
    }
}
