//! Opens files: their format by name and content, and their bytes, unpacked and counted.

use super::encoding::OtherEncoding;
use super::files::is_standard_input;
use super::json;
use crate::plan::{Format, ReadPlan};
use crate::zip::{self, ZipFault};
use flate2::read::MultiGzDecoder;
use incrowd_core::progress::Progress;
use incrowd_core::{Error, Result};
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

const GZIP: [u8; 2] = [0x1F, 0x8B];
const ZIP: [u8; 4] = *b"PK\x03\x04";
/// An archive without members is only the end of its directory.
const EMPTY_ZIP: [u8; 4] = *b"PK\x05\x06";
const PARQUET: [u8; 4] = *b"PAR1";
/// The older format of Excel and other Office programs.
const COMPOUND: [u8; 4] = [0xD0, 0xCF, 0x11, 0xE0];
/// How files begin that are often named by mistake, and what they are.
const OTHERS: [(&[u8], &str); 4] =
    [(b"\x7FELF", "a program"), (b"MZ\x90\0", "a program"), (b"%PDF-", "a PDF"), (b"\x89PNG", "a picture")];
/// The number of bytes that are read to detect the format.
const LOOK: u64 = 1 << 16;
/// The member that every workbook has.
const WORKBOOK: &str = "xl/workbook.xml";

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Looks {
    pub(super) format: Format,
    pub(super) packing: Packing,
    /// The size in bytes, packed where it is packed.
    pub(super) size: u64,
    /// The number of rows, where it is known before they are read.
    pub(super) rows: Option<usize>,
    /// Whether it can be read a second time.
    pub(super) regular: bool,
}

/// How the bytes of a file are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    None,
    Gzip,
    /// The only member of an archive.
    Zip(zip::Packing),
}

/// Looks at the name and the first bytes of a file.
pub(super) fn look(path: &Path, plan: &ReadPlan) -> Result<Looks> {
    if is_standard_input(path) {
        let head = peek_standard_input()?;
        if head.is_empty() {
            return Err(Error::input("standard input is empty").help("pipe a table to it, or name a file"));
        }
        let packing = if head.starts_with(&GZIP) { Packing::Gzip } else { Packing::None };
        if head.starts_with(&ZIP) || head.starts_with(&PARQUET) {
            return Err(Error::input("this format cannot be read from standard input")
                .help("save the table to a file first"));
        }
        let format = format_of(&unpacked(head, packing), path, plan)?;
        return Ok(Looks { format, packing, size: 0, rows: None, regular: false });
    }
    let mut file = open(path)?;
    let about = file.metadata().map_err(|error| unreadable(&error))?;
    if !about.is_file() {
        // The bytes of a pipe come once, so they cannot be looked at beforehand.
        let format = plan.format.unwrap_or_else(|| by_name(path));
        return Ok(Looks { format, packing: Packing::None, size: 0, rows: None, regular: false });
    }
    let head = head_of(&mut file)?;
    let looks =
        Looks { format: Format::Csv, packing: Packing::None, size: about.len(), rows: None, regular: true };
    if head.starts_with(&ZIP) || head.starts_with(&EMPTY_ZIP) {
        return in_archive(file, plan, looks);
    }
    let packing = if head.starts_with(&GZIP) { Packing::Gzip } else { Packing::None };
    if packing == Packing::None && has_ending(path, "gz") && !head.is_empty() {
        return Err(Error::input("the name ends in .gz, but this is not a gzip file")
            .help("download it again if it is damaged; or rename it if it is not packed"));
    }
    let format = format_of(&unpacked(head, packing), path, plan)?;
    Ok(Looks { format, packing, ..looks })
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending))
}

/// The format of a file whose text begins so.
fn format_of(text: &[u8], path: &Path, plan: &ReadPlan) -> Result<Format> {
    if text.starts_with(&COMPOUND) {
        return Err(Error::input("this is an older Excel format (.xls), or another Office file")
            .help("save it as .xlsx or CSV"));
    }
    if let Some((_, what)) = OTHERS.iter().find(|(start, _)| text.starts_with(start)) {
        return Err(Error::input(format!("this is {what}, not a table"))
            .help("name a file with a table, such as CSV"));
    }
    let looks_like = by_look(text);
    check_format(plan.format, looks_like)?;
    let format = plan.format.unwrap_or_else(|| looks_like.unwrap_or_else(|| by_name(path)));
    if plan.format.is_none() && format == Format::Csv && is_json(text) {
        return Err(Error::input("the file is JSON, but not JSON lines")
            .help("write one object per line, such as {\"age\": 34, \"sex\": \"F\"}"));
    }
    Ok(format)
}

/// Whether a text is JSON over several lines: it begins with a bracket alone in its line, or with a list of objects.
fn is_json(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text).trim_ascii_start();
    let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
    matches!(first, b"{" | b"[") || first.starts_with(b"[{")
}

/// What is in an archive: a workbook, or one table.
fn in_archive(mut file: File, plan: &ReadPlan, looks: Looks) -> Result<Looks> {
    let mut members = zip::members(&mut file).map_err(|error| unreadable(&error))?;
    if members.iter().any(|member| member.name == WORKBOOK) {
        check_format(plan.format, Some(Format::Excel))?;
        return Ok(Looks { format: Format::Excel, ..looks });
    }
    members.retain(zip::Member::is_file);
    let [member] = &members[..] else {
        return Err(Error::input(match members.len() {
            0 => "the ZIP archive has no file".to_owned(),
            count => format!("the ZIP archive has {count} files"),
        })
        .help("pack one table into an archive of its own, or unpack it first"));
    };
    let packing = Packing::Zip(member.packing);
    let mut content = zip::unpack(file, member.packing).map_err(|error| unreadable(&error))?;
    let format = format_of(&head_of(&mut content)?, Path::new(&member.name), plan)?;
    if matches!(format, Format::Parquet | Format::Excel) {
        return Err(Error::input("a packed file of this format cannot be read").help("unpack it first"));
    }
    Ok(Looks { format, packing, ..looks })
}

/// The bytes of the file, unpacked; `progress` receives those read from the disk.
pub(super) fn bytes<'a>(
    path: &Path,
    packing: Packing,
    progress: &'a dyn Progress,
) -> Result<Box<dyn Read + Send + 'a>> {
    if is_standard_input(path) {
        let counted = CountingFile { file: standard_input()?, progress };
        return Ok(match packing {
            Packing::Gzip => Box::new(MultiGzDecoder::new(io::BufReader::with_capacity(1 << 16, counted))),
            _ => Box::new(counted),
        });
    }
    let counted = CountingFile { file: open(path)?, progress };
    let buffered = |counted| io::BufReader::with_capacity(1 << 16, counted);
    Ok(match packing {
        Packing::None => Box::new(counted),
        Packing::Gzip => Box::new(MultiGzDecoder::new(buffered(counted))),
        Packing::Zip(member) => {
            Box::new(zip::unpack(buffered(counted), member).map_err(|error| unreadable(&error))?)
        }
    })
}

/// Opens a file for reading.
pub(super) fn open(path: &Path) -> Result<File> {
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => no_such_file(),
        io::ErrorKind::PermissionDenied => Error::io("permission to read the file was denied")
            .help("ask the owner for access, or copy the file"),
        _ => unreadable(&error),
    })?;
    if file.metadata().is_ok_and(|about| about.is_dir()) {
        return Err(Error::io("this is a folder, not a file").help("name a file inside it"));
    }
    Ok(file)
}

pub(super) fn no_such_file() -> Error {
    Error::io("no such file").help("check the path; it is relative to the current folder")
}

/// The error of a file that cannot be read on.
pub(super) fn unreadable(error: &io::Error) -> Error {
    if let Some(fault) = error.get_ref().and_then(|inner| inner.downcast_ref::<ZipFault>()) {
        return Error::input(fault.to_string()).help(match fault {
            ZipFault::Damaged => "copy or download it again",
            ZipFault::Encrypted => "unpack it first",
            ZipFault::Compression | ZipFault::TooLarge => "unpack it first, or pack it with gzip",
        });
    }
    if let Some(other) = error.get_ref().and_then(|inner| inner.downcast_ref::<OtherEncoding>()) {
        return Error::input(other.to_string()).help("declare its encoding, or none if it is UTF-8");
    }
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

/// Bytes of standard input that were looked at; none once they are read in earnest.
static PEEKED: Mutex<Peeked> = Mutex::new(Peeked::Nothing);

enum Peeked {
    Nothing,
    Head(Vec<u8>),
    Taken,
}

/// The first bytes of standard input. They stay to be read.
fn peek_standard_input() -> Result<Vec<u8>> {
    let mut peeked = PEEKED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Peeked::Nothing = *peeked {
        let mut head = Vec::new();
        io::stdin().lock().take(LOOK).read_to_end(&mut head).map_err(|error| unreadable(&error))?;
        *peeked = Peeked::Head(head);
    }
    match &*peeked {
        Peeked::Head(head) => Ok(head.clone()),
        _ => Err(read_twice()),
    }
}

/// Standard input from its beginning, once.
fn standard_input() -> Result<impl Read + Send> {
    let mut peeked = PEEKED.lock().unwrap_or_else(PoisonError::into_inner);
    match std::mem::replace(&mut *peeked, Peeked::Taken) {
        Peeked::Nothing => Ok(Cursor::new(Vec::new()).chain(io::stdin())),
        Peeked::Head(head) => Ok(Cursor::new(head).chain(io::stdin())),
        Peeked::Taken => Err(read_twice()),
    }
}

fn read_twice() -> Error {
    Error::input("standard input can be read only once, and is needed again")
        .help("save the table to a file first")
}

fn head_of(file: &mut impl Read) -> Result<Vec<u8>> {
    let mut head = Vec::new();
    file.by_ref().take(LOOK).read_to_end(&mut head).map_err(|error| unreadable(&error))?;
    Ok(head)
}

/// As much of the text as a packed head contains.
fn unpacked(head: Vec<u8>, packing: Packing) -> Vec<u8> {
    if packing != Packing::Gzip {
        return head;
    }
    let mut text = Vec::new();
    // The head is cut off somewhere, so an error at its end is expected.
    let _ = MultiGzDecoder::new(&head[..]).take(LOOK).read_to_end(&mut text);
    text
}

/// Parquet and Excel are not text, and text is neither: a policy made for the one does not read the other, damaged or
/// not.
fn check_format(asked: Option<Format>, looks_like: Option<Format>) -> Result<()> {
    let (name, key) = match looks_like {
        Some(Format::Parquet) => ("Parquet", "parquet"),
        Some(Format::Excel) => ("an Excel workbook", "xlsx"),
        _ => return Ok(()),
    };
    match asked {
        Some(Format::Csv | Format::Uci | Format::Arff | Format::JsonLines) => {
            Err(Error::input(format!("the file is {name}, but the policy declares a text file")).help(format!(
                "set format = \"{key}\" in [file] of the policy, without `delimiter` and other keys for text; or name a text file",
            )))
        }
        Some(asked) if Some(asked) != looks_like && asked != Format::Frame => {
            Err(Error::input(format!("the file is {name}, but the policy declares another format"))
                .help(format!("set format = \"{key}\" in [file] of the policy")))
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
    if first[0] == b'{' && json::begins_with_object(first) {
        return Some(Format::JsonLines);
    }
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
        Some("jsonl" | "ndjson") => Format::JsonLines,
        Some("xlsx" | "xlsm") => Format::Excel,
        _ => Format::Csv,
    }
}

/// A file whose bytes are counted as they are taken.
struct CountingFile<'a, R> {
    file: R,
    progress: &'a dyn Progress,
}

impl<R: Read> Read for CountingFile<'_, R> {
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

impl<R: Seek> Seek for CountingFile<'_, R> {
    fn seek(&mut self, place: io::SeekFrom) -> io::Result<u64> {
        self.file.seek(place)
    }
}
