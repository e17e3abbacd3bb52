//! Whether a file contains baskets rather than a table, and in how many baskets each item is.

use super::super::files::files_of;
use super::{BasketFile, count, delimiter};
use crate::plan::{Format, ReadPlan};
use crate::read::source::{Sizes, Text};
use crate::read::{input, sniff};
use hashbrown::{HashMap, HashSet};
use incrowd_core::progress::{Progress, Silent};
use incrowd_core::{Error, Result};
use std::path::Path;

/// The number of lines that are examined.
const LINES: usize = 1000;

/// The share of lines that have as many cells as most in a table whose lines are partly broken.
const ALIKE: f64 = 0.8;

/// The number of baskets with each item of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BasketCounts {
    /// The number of baskets.
    pub baskets: u64,
    /// The items by name, and in how many baskets each is.
    pub items: Vec<(String, u64)>,
}

/// Whether the first lines of a text file are baskets: of different lengths, with items that recur in other lines and
/// at other places, and none twice in a line.
///
/// # Errors
/// When the file cannot be read.
pub fn looks_like_baskets(path: &Path) -> Result<bool> {
    let Some(source) = source(path, &Silent).map_err(|error| error.in_file(path))? else { return Ok(false) };
    if is_rectangle(&source).map_err(|error| error.in_file(path))? {
        return Ok(false);
    }
    let mut lines: Vec<Vec<String>> = Vec::new();
    let looked = source.baskets(&mut |items| {
        lines.push(items.iter().map(ToString::to_string).collect());
        if lines.len() < LINES { Ok(()) } else { Err(Error::input("seen enough")) }
    });
    // A line that cannot be read is for the reading proper to report.
    Ok((looked.is_ok() || lines.len() == LINES) && are_baskets(&lines))
}

/// Whether the first lines of a text file are those of a table: as many cells each, with hardly any cell at several
/// places.
///
/// # Errors
/// When the file cannot be read.
pub fn looks_like_table(path: &Path) -> Result<bool> {
    let source = source(path, &Silent).map_err(|error| error.in_file(path))?;
    source.map_or(Ok(false), |source| is_rectangle(&source)).map_err(|error| error.in_file(path))
}

/// Counts the items of a file of baskets.
///
/// # Errors
/// When the file cannot be read or is not text.
pub fn count_baskets(path: &Path, progress: &dyn Progress) -> Result<BasketCounts> {
    let counted = source(path, progress)
        .and_then(|source| source.ok_or_else(|| Error::input("this is not a file of baskets")))
        .and_then(|source| count(&source))
        .map_err(|error| error.in_file(path));
    progress.check()?;
    let counted = counted?;
    let items = counted.items.into_iter();
    let mut items: Vec<(String, u64)> = items.map(|(item, (baskets, _))| (item.into(), baskets)).collect();
    items.sort_unstable();
    Ok(BasketCounts { baskets: counted.baskets, items })
}

/// The file as a source of baskets, if it is one of delimited text that can be read twice.
fn source<'a>(path: &'a Path, progress: &'a dyn Progress) -> Result<Option<BasketFile<'a>>> {
    if files_of(path)? != [path] {
        // Several files are a table.
        return Ok(None);
    }
    let looks = input::look(path, &ReadPlan::default())?;
    let is_text = matches!(looks.format, Format::Csv | Format::Uci);
    Ok((is_text && looks.regular).then(|| BasketFile {
        path,
        packing: looks.packing,
        delimiter: delimiter(path),
        skip_lines: 0,
        progress,
    }))
}

/// Whether the lines are those of a table that may have empty cells.
fn is_rectangle(source: &BasketFile<'_>) -> Result<bool> {
    let bytes = input::bytes(source.path, source.packing, source.progress)?;
    let records = sniff::first_records(&mut Text::new(bytes, Sizes::default())?, Format::Csv)?;
    Ok(is_table(&records))
}

/// Whether lines have as many cells as the first, empty ones counted. Baskets may be filled up with empty cells; then
/// all of these are at the ends of lines, and items come at several places.
fn is_table(records: &[Vec<String>]) -> bool {
    let width = records.first().map_or(0, Vec::len);
    let alike = records.iter().filter(|record| record.len() == width).count();
    if width < 2 || (alike as f64) < ALIKE * records.len() as f64 {
        return false;
    }
    let has_gap = |record: &Vec<String>| {
        let filled = record.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
        record[..filled].iter().any(String::is_empty)
    };
    if records.iter().any(has_gap) {
        return true;
    }
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut moves: HashSet<&str> = HashSet::new();
    for (place, cell) in records.iter().flat_map(|record| record.iter().enumerate()) {
        if !cell.is_empty() && *places.entry(cell).or_insert(place) != place {
            moves.insert(cell);
        }
    }
    moves.len() * 5 < places.len()
}

fn are_baskets(lines: &[Vec<String>]) -> bool {
    let mut widths: Vec<usize> = lines.iter().map(Vec::len).collect();
    widths.sort_unstable();
    let most_alike = widths.chunk_by(|a, b| a == b).map(<[usize]>::len).max().unwrap_or(0);
    let is_table = most_alike as f64 >= ALIKE * lines.len() as f64;
    let longest = widths.last().copied().unwrap_or(0);
    if lines.len() < 3 || longest < 2 || is_table {
        return false;
    }
    let all: usize = widths.iter().sum();
    let different: HashSet<&str> = lines.iter().flatten().map(String::as_str).collect();
    let repeats_within = lines.iter().filter(|line| line.iter().collect::<HashSet<_>>().len() < line.len());
    // An item is in several baskets, but hardly ever twice in one.
    different.len() * 2 <= all && repeats_within.count() * 10 <= lines.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Vec<String>> {
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    }

    #[test]
    fn empty_cells_are_cells_of_a_table() {
        assert!(is_table(&lines("hba1c,readmitted\n,>30\n,NO\n7.1,NO\n,<30")));
        assert!(is_table(&lines("age,note\n30,\n31,\n40,flu\n50,")));
        assert!(!is_table(&lines("milk,bread,\nbread,,\nmilk,beer,bread\nbeer,,\nbread,milk,")), "filled up");
        assert!(!is_table(&lines("milk,bread\nbread\nmilk,beer,bread\nbeer")));
    }

    #[test]
    fn baskets_have_different_lengths_and_items_that_come_again() {
        assert!(are_baskets(&lines(
            "milk,bread\nbread\nmilk,beer,bread\nbeer\nmilk\nbeer,milk,bread,eggs\neggs"
        )));
        assert!(!are_baskets(&lines("age,zip\n30,1\n30,2\n31,1")), "a table");
        assert!(!are_baskets(&lines("a,b,c\nd,e\nf\ng,h,i,j\nk,l,m,n,o")), "nothing comes again");
        assert!(!are_baskets(&[]));
    }
}
