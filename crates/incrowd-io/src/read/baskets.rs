//! Reads baskets: one per line, its items separated by commas or spaces (FIMI's `.dat`), into a table with one column
//! per item.
//!
//! Reading streams, twice: the first pass counts in how many baskets each item is, the second keeps the items that are
//! worth a column. Memory contains the names of all items, one line, and a byte for each basket and item kept; nothing
//! else grows with the file.
//!
//! Spaces around an item are dropped, and so are lines without items. An item counts once per basket. With a delimiter
//! other than spaces an item may be in double quotes (doubled inside), within which the delimiter is part of it.

mod look;

pub use look::{BasketCounts, count_baskets, looks_like_baskets, looks_like_table};

use super::input::{self, Packing};
use crate::plan::{Format, ReadPlan};
use crate::policy::ItemRoles;
use hashbrown::HashMap;
use incrowd_core::model::{ABSENT, PRESENT};
use incrowd_core::progress::Progress;
use incrowd_core::table::{Codes, Column, People, Table, Texts, Values};
use incrowd_core::{Error, Result};
use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// The longest line that is read.
const LONGEST: usize = 16 << 20;

/// The most different items.
const MOST_ITEMS: usize = 10_000_000;

/// The most cells of the table that is made, a byte each.
const MOST_CELLS: u64 = 1 << 33;

/// Which items become columns.
#[derive(Debug, Clone, Copy)]
pub enum KeepItems<'a> {
    /// Those in at least this share of the baskets.
    Share(f64),
    /// These, whether any basket has them or not.
    Named(&'a [String]),
}

/// Baskets that were read.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BasketsRead {
    /// A column for each item kept, by name, with the values [`PRESENT`] and [`ABSENT`].
    pub table: Table,
    /// The names of all items, kept or not, ascending.
    pub items: Vec<String>,
}

/// Reads baskets as the policy's `[items]` states.
///
/// # Errors
/// When the file cannot be read, is not text, or requires too much memory. The error names the file and the line, and
/// never quotes an item.
pub fn read_baskets(
    path: &Path,
    plan: &ItemRoles,
    keep: KeepItems<'_>,
    progress: &dyn Progress,
) -> Result<BasketsRead> {
    read(path, plan, keep, progress).map_err(|error| error.in_file(path))
}

fn read(path: &Path, plan: &ItemRoles, keep: KeepItems<'_>, progress: &dyn Progress) -> Result<BasketsRead> {
    let looks = input::look(path, &ReadPlan { format: Some(Format::Csv), ..ReadPlan::default() })?;
    if !looks.regular {
        return Err(
            Error::input("baskets are read twice, which needs a file").help("save them to a file first")
        );
    }
    let source = BasketFile {
        path,
        packing: looks.packing,
        delimiter: plan.delimiter.unwrap_or_else(|| delimiter(path)),
        skip_lines: plan.skip_lines,
        progress,
    };
    let stage = progress.stage("reading", Some(looks.size * 2));
    let read = count(&source).and_then(|counted| collect(&source, counted, keep));
    stage.finish()?;
    read
}

/// Where baskets come from and how they are divided.
struct BasketFile<'a> {
    path: &'a Path,
    packing: Packing,
    delimiter: u8,
    skip_lines: u64,
    progress: &'a dyn Progress,
}

/// By the file's name: spaces for `.dat`, tabs for `.tsv`, commas otherwise.
fn delimiter(path: &Path) -> u8 {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.') {
        Some((_, "dat")) => b' ',
        Some((_, "tsv")) => b'\t',
        _ => b',',
    }
}

/// In how many baskets each item is.
struct ItemCounts {
    baskets: u64,
    items: HashMap<Box<str>, (u64, u64)>,
}

fn count(source: &BasketFile<'_>) -> Result<ItemCounts> {
    let mut counted = ItemCounts { baskets: 0, items: HashMap::new() };
    source.baskets(&mut |items| {
        counted.baskets += 1;
        for item in items {
            if let Some((count, last)) = counted.items.get_mut(item.as_ref()) {
                // Once per basket, however often it occurs.
                *count += u64::from(*last != counted.baskets);
                *last = counted.baskets;
            } else {
                counted.items.insert(item.as_ref().into(), (1, counted.baskets));
            }
        }
        if counted.items.len() > MOST_ITEMS {
            return Err(Error::limit(format!("there are more than {MOST_ITEMS} different items"))
                .help("check the delimiter, or group items"));
        }
        Ok(())
    })?;
    if u32::try_from(counted.baskets).is_err() {
        return Err(Error::limit("too many baskets"));
    }
    Ok(counted)
}

fn collect(source: &BasketFile<'_>, counted: ItemCounts, keep: KeepItems<'_>) -> Result<BasketsRead> {
    let baskets = counted.baskets as usize;
    let mut names: Vec<String> = match keep {
        KeepItems::Share(share) => {
            let is_frequent = |count: u64| count as f64 / counted.baskets as f64 >= share;
            let kept = counted.items.iter().filter(|(_, (count, _))| is_frequent(*count));
            kept.map(|(item, _)| item.to_string()).collect()
        }
        KeepItems::Named(names) => names.to_vec(),
    };
    names.sort_unstable();
    names.dedup();
    if names.len() as u64 * counted.baskets > MOST_CELLS {
        return Err(Error::limit(format!(
            "{} items in {} baskets are too many to hold in memory",
            names.len(),
            baskets
        ))
        .help("raise the minimum support"));
    }
    let place: HashMap<&str, usize> = names.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
    let mut codes = vec![vec![0_u8; baskets]; names.len()];
    let mut basket = 0;
    source.baskets(&mut |items| {
        let kept = items.iter().filter_map(|item| place.get(item.as_ref()));
        for &item in kept {
            *codes[item].get_mut(basket).ok_or_else(changed)? = 1;
        }
        basket += 1;
        Ok(())
    })?;
    if basket != baskets {
        return Err(changed());
    }
    let columns = names.iter().zip(codes).map(|(name, codes)| {
        let mut values = Texts::default();
        [ABSENT, PRESENT].iter().for_each(|value| values.push(value));
        Column::new(name, Values::Categorical(values), Codes::collect(2, codes.into_iter().map(u32::from)))
    });
    let columns = columns.collect::<Result<Vec<_>>>()?;
    let people = if columns.is_empty() { People::Weights(vec![1; baskets]) } else { People::Rows };
    let mut items: Vec<String> = counted.items.into_keys().map(String::from).collect();
    items.sort_unstable();
    Ok(BasketsRead { table: Table::new(columns, people)?, items })
}

fn changed() -> Error {
    Error::io("the file changed while it was read").help("try again when no other program writes to it")
}

impl BasketFile<'_> {
    /// Calls `take` with the items of each basket.
    fn baskets(&self, take: &mut dyn FnMut(&[Cow<'_, str>]) -> Result<()>) -> Result<()> {
        let mut bytes =
            BufReader::with_capacity(1 << 18, input::bytes(self.path, self.packing, self.progress)?);
        let (mut line, mut number) = (Vec::new(), 0);
        while next_line(&mut bytes, &mut line).map_err(|error| error.at_line(number + 1))? {
            number += 1;
            if number <= self.skip_lines {
                continue;
            }
            let place = |error: Error| if error.place.line.is_some() { error } else { error.at_line(number) };
            let text = std::str::from_utf8(&line).map_err(|_| {
                Error::input("this is not UTF-8 text").at_line(number).help("save the file as UTF-8")
            })?;
            let text = if number == 1 { text.trim_start_matches('\u{feff}') } else { text };
            let items = self.items(text).map_err(place)?;
            if !items.is_empty() {
                take(&items).map_err(place)?;
            }
        }
        Ok(())
    }

    fn items<'l>(&self, line: &'l str) -> Result<Vec<Cow<'l, str>>> {
        if self.delimiter == b' ' {
            return Ok(line.split_ascii_whitespace().map(Cow::Borrowed).collect());
        }
        let delimiter = char::from(self.delimiter);
        let mut items = Vec::new();
        let mut rest = Some(line);
        while let Some(text) = rest {
            let start = text.trim_start_matches([' ', '\r']);
            let (item, after) = match start.strip_prefix('"') {
                Some(inside) => quoted(inside, delimiter)?,
                None => match start.split_once(delimiter) {
                    Some((item, after)) => (Cow::Borrowed(item), Some(after)),
                    None => (Cow::Borrowed(start), None),
                },
            };
            let item = match item {
                Cow::Borrowed(item) => Cow::Borrowed(item.trim()),
                Cow::Owned(item) => Cow::Owned(item.trim().to_owned()),
            };
            if !item.is_empty() {
                items.push(item);
            }
            rest = after;
        }
        Ok(items)
    }
}

/// An item whose opening quote was taken, and what comes behind the delimiter after it.
fn quoted(text: &str, delimiter: char) -> Result<(Cow<'_, str>, Option<&str>)> {
    let mut item = String::new();
    let mut rest = text;
    loop {
        let Some((inside, after)) = rest.split_once('"') else {
            return Err(
                Error::input("a quote is not closed on this line").help("close it, or double it inside")
            );
        };
        item.push_str(inside);
        if let Some(more) = after.strip_prefix('"') {
            item.push('"');
            rest = more;
            continue;
        }
        let after = after.trim_start_matches([' ', '\r']);
        return match after.strip_prefix(delimiter) {
            Some(after) => Ok((Cow::Owned(item), Some(after))),
            None if after.is_empty() => Ok((Cow::Owned(item), None)),
            None => Err(Error::input("text follows a closing quote").help("double quotes inside an item")),
        };
    }
}

/// Reads a line without its end into `line`; whether there was one.
fn next_line(bytes: &mut BufReader<Box<dyn Read + Send + '_>>, line: &mut Vec<u8>) -> Result<bool> {
    line.clear();
    let limit = LONGEST as u64 + 1;
    let read = bytes.take(limit).read_until(b'\n', line).map_err(|error| input::unreadable(&error))?;
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if read > LONGEST {
        return Err(Error::limit("the line is longer than 16 MiB")
            .help("a basket is one line; check the line endings"));
    }
    Ok(read > 0)
}
