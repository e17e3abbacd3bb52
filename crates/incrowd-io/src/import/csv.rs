//! Small CSV files from other programs: records of cells, separated by commas, some in double quotes.

use incrowd_core::{Error, Result};

/// All records with the lines they begin on; empty lines are left out.
pub(super) fn records(text: &str) -> Result<Vec<(u64, Vec<String>)>> {
    let mut records = Vec::new();
    let mut characters = text.chars().peekable();
    let (mut record, mut cell) = (Vec::new(), String::new());
    let (mut line, mut start) = (1, 1);
    while let Some(c) = characters.next() {
        match c {
            '"' if cell.is_empty() => loop {
                match characters.next() {
                    Some('"') if characters.peek() == Some(&'"') => {
                        characters.next();
                        cell.push('"');
                    }
                    Some('"') => break,
                    Some(c) => {
                        line += u64::from(c == '\n');
                        cell.push(c);
                    }
                    None => return Err(Error::input("a quote is not closed").at_line(start)),
                }
            },
            ',' => record.push(std::mem::take(&mut cell)),
            '\n' => {
                end(&mut records, &mut record, &mut cell, start);
                line += 1;
                start = line;
            }
            '\r' if characters.peek() == Some(&'\n') => {}
            c => cell.push(c),
        }
    }
    end(&mut records, &mut record, &mut cell, start);
    Ok(records)
}

fn end(records: &mut Vec<(u64, Vec<String>)>, record: &mut Vec<String>, cell: &mut String, line: u64) {
    if !record.is_empty() || !cell.is_empty() {
        record.push(std::mem::take(cell));
        records.push((line, std::mem::take(record)));
    }
}
