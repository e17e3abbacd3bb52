//! The naive twin: reads a whole CSV text character by character, straight from the rules.

use crate::plan::MissingRows;
use incrowd_core::table::{Column, People, Table};

/// How the twin reads.
#[derive(Debug, Clone)]
pub(super) struct Naive {
    pub(super) delimiter: char,
    pub(super) missing: Vec<String>,
    /// Of each column.
    pub(super) missing_rows: Vec<MissingRows>,
}

/// A record: its line and its cells.
type Record = (u64, Vec<String>);

impl Naive {
    /// The table and the rows dropped, or the line of the first missing value.
    pub(super) fn read(&self, text: &str) -> Result<(Table, u64), u64> {
        let mut records = self.records(text.strip_prefix('\u{FEFF}').unwrap_or(text)).into_iter();
        let (_, names) = records.next().unwrap();
        let rows: Vec<Record> = records.collect();
        let numeric: Vec<bool> = (0..names.len()).map(|i| self.is_numeric(&rows, i)).collect();
        let missing =
            |cell: &String, i: usize| self.missing.contains(cell) || (numeric[i] && cell.is_empty());
        let lacks = |row: &Record, rule: MissingRows| {
            row.1.iter().enumerate().any(|(i, cell)| self.missing_rows[i] == rule && missing(cell, i))
        };
        if let Some(row) = rows.iter().find(|row| lacks(row, MissingRows::Refuse)) {
            return Err(row.0);
        }
        let kept: Vec<&Record> = rows.iter().filter(|row| !lacks(row, MissingRows::Drop)).collect();
        let column = |i: usize| {
            let cells: Vec<Option<&String>> =
                kept.iter().map(|row| Some(&row.1[i]).filter(|cell| !missing(cell, i))).collect();
            if !numeric[i] {
                return Column::from_texts(&names[i], &cells);
            }
            let numbers: Vec<Option<f64>> =
                cells.iter().map(|cell| cell.map(|cell| cell.parse().unwrap())).collect();
            Column::from_numbers(&names[i], &numbers).unwrap()
        };
        let table = Table::new((0..names.len()).map(column).collect(), People::Rows).unwrap();
        Ok((table, (rows.len() - kept.len()) as u64))
    }

    fn is_numeric(&self, rows: &[Record], i: usize) -> bool {
        let mut values = rows
            .iter()
            .map(|row| &row.1[i])
            .filter(|cell| !cell.is_empty() && !self.missing.contains(cell))
            .peekable();
        values.peek().is_some() && values.all(|cell| cell.parse::<f64>().is_ok_and(f64::is_finite))
    }

    fn records(&self, text: &str) -> Vec<Record> {
        let (mut records, mut cells, mut line, mut began) = (Vec::new(), Vec::new(), 1, 1);
        let (mut cell, mut quoted, mut inside, mut any_quote) = (String::new(), false, false, false);
        let mut characters = text.chars().chain((!text.ends_with('\n')).then_some('\n')).peekable();
        while let Some(c) = characters.next() {
            line += u64::from(c == '\n');
            match c {
                '"' if inside && characters.peek() == Some(&'"') => {
                    characters.next();
                    cell.push('"');
                }
                '"' => {
                    (inside, quoted, any_quote) = (!inside, true, true);
                    if inside {
                        cell.clear();
                    }
                }
                _ if inside => cell.push(c),
                _ if c == self.delimiter || c == '\n' => {
                    let taken = std::mem::take(&mut cell);
                    let plain = taken.strip_suffix('\r').filter(|_| c == '\n').unwrap_or(&taken);
                    cells.push(if quoted { taken } else { plain.trim_matches([' ', '\t']).to_owned() });
                    quoted = false;
                    if c == '\n' {
                        let blank = cells.len() == 1 && cells[0].is_empty() && !any_quote;
                        records.extend((!blank).then(|| (began, cells.clone())));
                        cells.clear();
                        (began, any_quote) = (line, false);
                    }
                }
                _ if quoted => {}
                _ => cell.push(c),
            }
        }
        records
    }
}
