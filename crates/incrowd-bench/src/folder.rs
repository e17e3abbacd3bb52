//! Coded tables as folders: `columns` lists name, kind and bytes per code; `NAME.codes` are the codes, `NAME.values`
//! their values (numbers as doubles, names as lines), all little-endian; `subjects`, if it exists, has the individual
//! of each row.

use incrowd_core::table::{Codes, Column, People, Table, Values};
use incrowd_core::{Error, Result, with_codes};
use std::path::Path;

/// The file with the individual of each row.
const SUBJECTS: &str = "subjects";

/// Writes columns one by one.
pub struct FolderWriter<'f> {
    folder: &'f Path,
    about: String,
}

impl<'f> FolderWriter<'f> {
    /// Creates the folder.
    ///
    /// # Errors
    /// When that fails.
    pub fn new(folder: &'f Path) -> Result<Self> {
        std::fs::create_dir_all(folder).map_err(failed)?;
        Ok(Self { folder, about: String::new() })
    }

    /// Writes a column.
    ///
    /// # Errors
    /// When that fails.
    pub fn column(&mut self, name: &str, values: &Values, codes: &Codes) -> Result<()> {
        let (kind, values) = match values {
            Values::Numeric(numbers) => ("numbers", numbers.iter().flat_map(|n| n.to_le_bytes()).collect()),
            names => {
                let lines: String = (0..names.len()).map(|code| format!("{}\n", names.text(code))).collect();
                ("names", lines.into_bytes())
            }
        };
        let bytes = with_codes!(codes, codes => codes.iter().flat_map(|code| code.to_le_bytes()).collect());
        let width = codes.bytes() / codes.len().max(1);
        self.about.push_str(&format!("{name} {kind} {width}\n"));
        self.write(&format!("{name}.codes"), bytes)?;
        self.write(&format!("{name}.values"), values)
    }

    /// Writes the individual of each row.
    ///
    /// # Errors
    /// When that fails.
    pub fn subjects(&self, of_row: &[u32]) -> Result<()> {
        self.write(SUBJECTS, of_row.iter().flat_map(|subject| subject.to_le_bytes()).collect())
    }

    /// Writes the list of columns.
    ///
    /// # Errors
    /// When that fails.
    pub fn finish(self) -> Result<()> {
        self.write("columns", self.about.clone().into_bytes())
    }

    fn write(&self, name: &str, bytes: Vec<u8>) -> Result<()> {
        std::fs::write(self.folder.join(name), bytes).map_err(failed)
    }
}

/// Reads the table of a folder.
///
/// # Errors
/// When it cannot be read.
pub fn load(folder: &Path) -> Result<Table> {
    let about = std::fs::read_to_string(folder.join("columns")).map_err(failed)?;
    let columns = about.lines().map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, kind, width] = words[..] else { return Err(Error::input("not a list of columns")) };
        let read = |what: &str| std::fs::read(folder.join(format!("{name}.{what}"))).map_err(failed);
        Column::new(name, values(kind, &read("values")?)?, codes(width, read("codes")?)?)
    });
    Table::new(columns.collect::<Result<_>>()?, people(folder)?)
}

fn people(folder: &Path) -> Result<People> {
    let file = folder.join(SUBJECTS);
    if !file.exists() {
        return Ok(People::Rows);
    }
    let bytes = std::fs::read(file).map_err(failed)?;
    let of_row: Vec<u32> = bytes.as_chunks().0.iter().map(|&b| u32::from_le_bytes(b)).collect();
    let count = of_row.iter().max().map_or(0, |&last| last + 1);
    Ok(People::Subjects { of_row, count })
}

fn values(kind: &str, bytes: &[u8]) -> Result<Values> {
    if kind == "numbers" {
        return Ok(Values::Numeric(bytes.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Error::input("names are not UTF-8"))?;
    Ok(Values::Categorical(text.lines().collect()))
}

fn codes(width: &str, bytes: Vec<u8>) -> Result<Codes> {
    match width {
        "1" => Ok(Codes::U8(bytes)),
        "2" => Ok(Codes::U16(bytes.as_chunks().0.iter().map(|&b| u16::from_le_bytes(b)).collect())),
        "4" => Ok(Codes::U32(bytes.as_chunks().0.iter().map(|&b| u32::from_le_bytes(b)).collect())),
        _ => Err(Error::input("codes have 1, 2 or 4 bytes")),
    }
}

#[allow(clippy::needless_pass_by_value, reason = "it stands where an error is handed over")]
fn failed(error: std::io::Error) -> Error {
    Error::input(format!("a file of the benchmark: {error}"))
}
