//! Opens files: their format by name and content, and their bytes, unpacked and counted.

use crate::plan::{Format, ReadPlan};
use flate2::read::MultiGzDecoder;
use incrowd_core::progress::Progress;
use incrowd_core::{Error, Result};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

const GZIP: [u8; 2] = [0x1F, 0x8B];
const PARQUET: [u8; 4] = *b"PAR1";
/// The number of bytes that are read to detect the format.
const LOOK: u64 = 1 << 16;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Looks {
    pub(super) format: Format,
    pub(super) gzip: bool,
    /// The size in bytes, packed where it is packed.
    pub(super) size: u64,
    /// The number of rows, where it is known before they are read.
    pub(super) rows: Option<usize>,
    /// Whether it can be read a second time.
    pub(super) regular: bool,
}

/// Looks at the name and the first bytes of a file.
pub(super) fn look(path: &Path, plan: &ReadPlan) -> Result<Looks> {
    let file = open(path)?;
    let about = file.metadata().map_err(|error| unreadable(&error))?;
    if !about.is_file() {
        // The bytes of a pipe come once, so they cannot be looked at beforehand.
        let format = plan.format.unwrap_or_else(|| by_name(path));
        return Ok(Looks { format, gzip: false, size: 0, rows: None, regular: false });
    }
    let mut head = Vec::new();
    file.take(LOOK).read_to_end(&mut head).map_err(|error| unreadable(&error))?;
    let gzip = head.starts_with(&GZIP);
    let text = if gzip { unpack_head(&head) } else { head };
    let looks_like = by_look(&text);
    check_format(plan.format, looks_like)?;
    let format = plan.format.unwrap_or_else(|| looks_like.unwrap_or_else(|| by_name(path)));
    Ok(Looks { format, gzip, size: about.len(), rows: None, regular: true })
}

/// The bytes of the file, unpacked; `progress` receives those read from the disk.
pub(super) fn bytes<'a>(
    path: &Path,
    gzip: bool,
    progress: &'a dyn Progress,
) -> Result<Box<dyn Read + Send + 'a>> {
    let counted = CountingFile { file: open(path)?, progress };
    if !gzip {
        return Ok(Box::new(counted));
    }
    Ok(Box::new(MultiGzDecoder::new(io::BufReader::with_capacity(1 << 16, counted))))
}

/// Opens a file for reading.
pub(super) fn open(path: &Path) -> Result<File> {
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            Error::io("no such file").help("check the path; it is relative to the current folder")
        }
        io::ErrorKind::PermissionDenied => Error::io("permission to read the file was denied")
            .help("ask the owner for access, or copy the file"),
        _ => unreadable(&error),
    })?;
    if file.metadata().is_ok_and(|about| about.is_dir()) {
        return Err(Error::io("this is a folder, not a file").help("name a file inside it"));
    }
    Ok(file)
}

/// The error of a file that cannot be read on.
pub(super) fn unreadable(error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            Error::input("the gzip file is truncated").help("copy or download it again")
        }
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            Error::input("the gzip file is damaged").help("copy or download it again")
        }
        kind => Error::io(format!("the file cannot be read: {kind}")),
    }
}

/// As much of the text as the packed head contains.
fn unpack_head(head: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    // The head is cut off somewhere, so an error at its end is expected.
    let _ = MultiGzDecoder::new(head).take(LOOK).read_to_end(&mut text);
    text
}

/// Parquet is not text, and text is not Parquet: a policy made for the one does not read the other, damaged or not.
fn check_format(asked: Option<Format>, looks_like: Option<Format>) -> Result<()> {
    let is_parquet = looks_like == Some(Format::Parquet);
    match asked {
        Some(Format::Csv | Format::Uci | Format::Arff) if is_parquet => {
            Err(Error::input("the file is Parquet, but the policy declares a text file").help(
                "set format = \"parquet\" in [file] of the policy, without `delimiter` and other keys for text; or name a text file",
            ))
        }
        _ => Ok(()),
    }
}

fn by_look(text: &[u8]) -> Option<Format> {
    if text.starts_with(&PARQUET) {
        return Some(Format::Parquet);
    }
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && line[0] != b'%')?;
    let word = first.get(..b"@relation".len())?;
    word.eq_ignore_ascii_case(b"@relation").then_some(Format::Arff)
}

fn by_name(path: &Path) -> Format {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("data" | "test") => Format::Uci,
        Some("arff") => Format::Arff,
        Some("parquet" | "pq") => Format::Parquet,
        _ => Format::Csv,
    }
}

/// A file whose bytes are counted as they are taken.
struct CountingFile<'a> {
    file: File,
    progress: &'a dyn Progress,
}

impl Read for CountingFile<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.progress.is_cancelled() {
            // The reader reports why.
            return Err(io::ErrorKind::Other.into());
        }
        let count = self.file.read(into)?;
        self.progress.advance(count as u64);
        Ok(count)
    }
}
