//! The table in the making: one dictionary per column, values numbered as they come, codes as narrow as possible.
//!
//! Blocks arrive in the file's order. At the end the dictionaries are sorted and the codes renumbered in place, one
//! column after the other, so that nothing but the table itself is in memory twice.

use super::block::Block;
use super::crew;
use super::dictionary::Dictionary;
use super::local::Meaning;
use super::rules::{Job, Rule, Rules};
use super::tidy::tidy;
use incrowd_core::table::{Code as _, Codes, Column, People, RowsLeftOut, Table};
use incrowd_core::{Error, Result, with_codes};
use std::collections::{BTreeMap, BTreeSet};

/// All columns, and what was counted on the way.
#[derive(Debug)]
pub(super) struct Store {
    columns: Vec<Option<Growing>>,
    /// The columns that were taken for numbers and are not.
    turned: Vec<bool>,
    /// The columns that contained a number.
    seen_number: Vec<bool>,
    /// Set once a column turned, or is in doubt: the rest of the file is only searched for more of them.
    scouting: bool,
    /// An error that is valid only if its column is numeric after all.
    doubt: Option<Error>,
    pub(super) rows_read: u64,
    pub(super) rows_dropped: u64,
    /// Which rows of the file these are, counted from 0.
    pub(super) dropped: Vec<u64>,
    /// The lines that are comments.
    pub(super) comments: u64,
    /// For each column in how many rows a value is missing, where such rows are left out.
    missing: Vec<u64>,
}

impl Store {
    /// An empty table; memory for `rows` rows is set aside, not yet used.
    pub(super) fn new(rules: &Rules, rows: usize) -> Self {
        let columns =
            rules.columns.iter().map(|rule| (rule.job != Job::Skip).then(|| Growing::new(rule, rows)));
        Self {
            columns: columns.collect(),
            turned: vec![false; rules.columns.len()],
            seen_number: vec![false; rules.columns.len()],
            scouting: false,
            doubt: None,
            rows_read: 0,
            rows_dropped: 0,
            dropped: Vec::new(),
            comments: 0,
            missing: vec![0; rules.columns.len()],
        }
    }

    /// Takes the next block in; an error ends the reading.
    pub(super) fn take(&mut self, block: &Block) -> Result<()> {
        self.note(block);
        if self.scouting {
            return Ok(());
        }
        match &block.error {
            Some(error) if block.doubtful => self.scout(Some(error.clone())),
            _ if !block.turned.is_empty() => self.scout(None),
            Some(error) => return Err(error.clone()),
            None => self.append(block)?,
        }
        Ok(())
    }

    /// Records what the block shows about the columns' kinds.
    fn note(&mut self, block: &Block) {
        block.turned.iter().for_each(|&column| self.turned[column] = true);
        for (seen, local) in self.seen_number.iter_mut().zip(&block.columns) {
            *seen = *seen || local.meanings.iter().any(|meaning| matches!(meaning, Meaning::Number(_)));
        }
    }

    fn scout(&mut self, doubt: Option<Error>) {
        self.scouting = true;
        self.doubt = doubt;
        self.columns.clear();
    }

    fn append(&mut self, block: &Block) -> Result<()> {
        self.count(block)?;
        for (column, local) in self.columns.iter_mut().zip(&block.columns) {
            let Some(column) = column else { continue };
            column.learn(&block.text, local);
            column.append(&local.codes, block.keep.as_deref());
        }
        Ok(())
    }

    fn count(&mut self, block: &Block) -> Result<()> {
        let keep = block.keep.iter().flatten();
        self.dropped.extend((self.rows_read..).zip(keep).filter(|(_, keep)| !**keep).map(|(row, _)| row));
        self.rows_read += block.rows as u64;
        self.rows_dropped = self.dropped.len() as u64;
        self.comments += block.comments;
        block.missing.iter().for_each(|&(column, rows)| self.missing[column] += rows);
        if self.rows_read - self.rows_dropped > u64::from(u32::MAX) {
            return Err(Error::input("the file has too many rows"));
        }
        Ok(())
    }

    /// The columns that must be read again as text: they were taken for numbers and are not.
    pub(super) fn turned(&self, rules: &Rules) -> Vec<usize> {
        let guessed = |i: &usize| rules.columns[*i].job == Job::Numbers { guessed: true };
        (0..self.turned.len()).filter(guessed).filter(|&i| self.turned[i] || !self.seen_number[i]).collect()
    }

    /// The rows left out, and because of which columns.
    pub(super) fn left_out(&self, rules: &Rules) -> RowsLeftOut {
        let columns = rules.columns.iter().zip(&self.missing).filter(|(_, rows)| **rows > 0);
        RowsLeftOut {
            total: self.rows_dropped,
            of: self.rows_read,
            columns: columns.map(|(rule, &rows)| (rule.name.clone(), rows)).collect(),
            individuals: self.lost(rules),
        }
    }

    /// The individuals all of whose rows are left out, if there is a subject column.
    fn lost(&self, rules: &Rules) -> Option<u64> {
        let is_subject = |(rule, _): &(&Rule, &Option<Growing>)| matches!(rule.job, Job::Subject { .. });
        let subject = rules.columns.iter().zip(&self.columns).find(is_subject)?.1.as_ref()?;
        if self.rows_dropped == 0 {
            return Some(0);
        }
        // The subjects of all rows were learned, and those of kept rows have codes.
        let is_used = used(&subject.codes, subject.dictionary.len());
        let lost = |&(code, is_used): &(u32, bool)| !is_used && !subject.dictionary.is_missing(code);
        Some((0..).zip(is_used).filter(lost).count() as u64)
    }

    /// The texts that were read as missing values, by column.
    pub(super) fn marks(&self, rules: &Rules) -> BTreeMap<String, Vec<String>> {
        let columns = rules.columns.iter().zip(&self.columns);
        let marked = columns.filter_map(|(rule, column)| Some((rule, &column.as_ref()?.marks)));
        let texts = |marks: &BTreeSet<Vec<u8>>| {
            marks.iter().map(|mark| String::from_utf8_lossy(mark).into_owned()).collect()
        };
        marked
            .filter(|(_, marks)| !marks.is_empty())
            .map(|(rule, marks)| (rule.name.clone(), texts(marks)))
            .collect()
    }

    /// The finished table; `threads` columns are finished at a time.
    pub(super) fn finish(mut self, rules: &Rules, threads: usize) -> Result<Table> {
        if let Some(doubt) = self.doubt {
            return Err(doubt);
        }
        // Sorting needs memory, so that of all hash tables is given back first.
        self.columns.iter_mut().flatten().for_each(|column| column.dictionary.close());
        let is_dropped = self.rows_dropped > 0;
        let open = self.columns.into_iter().zip(&rules.columns);
        let open = open.filter_map(|(column, rule)| Some((column?, rule))).collect();
        let finished =
            crew::for_each(open, threads, |(column, rule)| column.end(rule, rules.delimited, is_dropped))?;
        let (mut columns, mut people) = (Vec::new(), People::Rows);
        for finished in finished {
            match finished? {
                Finished::Column(column) => columns.push(column),
                Finished::People(of_table) => people = of_table,
            }
        }
        Table::new(columns, people)
    }
}

/// What a column becomes.
enum Finished {
    Column(Column),
    People(People),
}

/// A column in the making.
#[derive(Debug)]
struct Growing {
    dictionary: Dictionary,
    codes: Codes,
    /// The code of each different cell of the block at hand.
    map: Vec<u32>,
    /// The texts that were read as missing values: missing markers and, in some columns, the empty text.
    marks: BTreeSet<Vec<u8>>,
}

impl Growing {
    fn new(rule: &Rule, rows: usize) -> Self {
        let dictionary = Dictionary::new(&rule.job);
        let codes = match dictionary.len() {
            0..=0xFF => Codes::U8(room(rows)),
            0x100..=0xFFFF => Codes::U16(room(rows)),
            _ => Codes::U32(room(rows)),
        };
        Self { dictionary, codes, map: Vec::new(), marks: BTreeSet::new() }
    }

    /// Finds the codes of a block's different cells.
    fn learn(&mut self, bytes: &[u8], local: &super::local::LocalColumn) {
        self.map.clear();
        for (code, meaning) in local.meanings.iter().enumerate() {
            let known = match meaning {
                Meaning::Number(number) => self.dictionary.code_of_number(*number),
                Meaning::Text => self.dictionary.code_of_text(local.text(bytes, code).unwrap_or_default()),
                Meaning::Missing => {
                    self.learn_mark(local.text(bytes, code));
                    self.dictionary.code_of_missing()
                }
                Meaning::Wrong => self.dictionary.code_of_missing(),
            };
            self.map.push(known);
        }
        let codes = std::mem::replace(&mut self.codes, Codes::U8(Vec::new()));
        self.codes = widen(codes, self.dictionary.len());
    }

    /// Keeps a text that means that the value is missing, if there is one.
    fn learn_mark(&mut self, text: Option<&[u8]>) {
        if let Some(text) = text.filter(|&text| !self.marks.contains(text)) {
            self.marks.insert(text.to_owned());
        }
    }

    fn append(&mut self, local: &[u32], keep: Option<&[bool]>) {
        let map = &self.map;
        match &mut self.codes {
            Codes::U8(codes) => extend(codes, local, keep, |code| map[code as usize] as u8),
            Codes::U16(codes) => extend(codes, local, keep, |code| map[code as usize] as u16),
            Codes::U32(codes) => extend(codes, local, keep, |code| map[code as usize]),
        }
    }

    /// Numbers individuals in order of first appearance.
    fn into_people(self) -> People {
        let mut number = vec![u32::MAX; self.dictionary.len()];
        drop(self.dictionary);
        let mut count = 0;
        let individual = |code: u32| {
            let slot = &mut number[code as usize];
            if *slot == u32::MAX {
                *slot = count;
                count += 1;
            }
            *slot
        };
        let of_row = match self.codes {
            Codes::U32(mut codes) => {
                let mut individual = individual;
                codes.iter_mut().for_each(|code| *code = individual(*code));
                codes.shrink_to_fit();
                codes
            }
            narrow => narrow.iter().map(individual).collect(),
        };
        People::Subjects { of_row, count }
    }

    /// What the column becomes, once all rows are there.
    fn end(self, rule: &Rule, delimited: bool, dropped: bool) -> Result<Finished> {
        if matches!(rule.job, Job::Subject { .. }) {
            return Ok(Finished::People(self.into_people()));
        }
        let column = self.finish(&rule.name, dropped)?;
        Ok(Finished::Column(if rule.exact && delimited { tidy(column)? } else { column }))
    }

    fn finish(self, name: &str, dropped: bool) -> Result<Column> {
        let used = dropped.then(|| used(&self.codes, self.dictionary.len()));
        let (values, ranks) = self.dictionary.sorted(used.as_deref());
        let codes = renumber(self.codes, &ranks, values.len() + 1);
        Column::new(name, values, codes)
    }
}

/// Which codes occur.
fn used(codes: &Codes, count: usize) -> Vec<bool> {
    let mut used = vec![false; count];
    with_codes!(codes, codes => codes.iter().for_each(|code| used[code.wide() as usize] = true));
    used
}

/// A list with room for this many codes, if there is enough memory: the number is a guess from an untrusted file.
fn room<C>(count: usize) -> Vec<C> {
    let mut codes = Vec::new();
    let _ = codes.try_reserve_exact(count);
    codes
}

/// Codes that are wide enough for `count` values.
pub(super) fn widen(codes: Codes, count: usize) -> Codes {
    match codes {
        Codes::U8(codes) if count > 1 << 16 => Codes::U32(widened(&codes)),
        Codes::U8(codes) if count > 1 << 8 => Codes::U16(widened(&codes)),
        Codes::U16(codes) if count > 1 << 16 => Codes::U32(widened(&codes)),
        codes => codes,
    }
}

fn widened<N: Copy, W: From<N>>(narrow: &Vec<N>) -> Vec<W> {
    let mut wide = room(narrow.capacity());
    wide.extend(narrow.iter().map(|&code| W::from(code)));
    wide
}

/// Appends the codes of a block; `code` is the code of a cell that has this number in the block.
pub(super) fn extend<C>(codes: &mut Vec<C>, local: &[u32], keep: Option<&[bool]>, code: impl Fn(u32) -> C) {
    match keep {
        None => codes.extend(local.iter().map(|&local| code(local))),
        Some(keep) => {
            let kept = local.iter().zip(keep).filter(|(_, keep)| **keep);
            codes.extend(kept.map(|(&local, _)| code(local)));
        }
    }
}

/// Gives every code its rank, in place where the width stays.
fn renumber(codes: Codes, ranks: &[u32], count: usize) -> Codes {
    match codes {
        Codes::U8(mut codes) if count <= 1 << 8 => {
            codes.iter_mut().for_each(|code| *code = ranks[usize::from(*code)] as u8);
            codes.shrink_to_fit();
            Codes::U8(codes)
        }
        Codes::U16(mut codes) if count > 1 << 8 && count <= 1 << 16 => {
            codes.iter_mut().for_each(|code| *code = ranks[usize::from(*code)] as u16);
            codes.shrink_to_fit();
            Codes::U16(codes)
        }
        Codes::U32(mut codes) if count > 1 << 16 => {
            codes.iter_mut().for_each(|code| *code = ranks[*code as usize]);
            codes.shrink_to_fit();
            Codes::U32(codes)
        }
        other => with_codes!(&other, codes => {
            Codes::collect(count, codes.iter().map(|code| ranks[code.wide() as usize]))
        }),
    }
}
