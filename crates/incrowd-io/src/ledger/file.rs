//! A ledger on the disk: locked while it is read and added to, and mended after an interruption.
//!
//! A release and its line appear together or not at all:
//!
//! 1. The line is written to a file next to the ledger, whose name ends in `.pending`.
//! 2. The release gets its name.
//! 3. The line is added to the ledger and synced to the disk.
//! 4. The pending file is removed.
//!
//! If a program is stopped in between, the next one that opens the ledger finds the pending file. If the files of the
//! release have their names, it adds the line. If their temporary files are still there, there is no release, and the
//! pending file is removed. Otherwise the release may have been moved after it got its name: it is unknown whether it was
//! given away, and the ledger is not used until someone decides. A line that was added in part is removed first.

use super::record::LedgerRecord;
use super::{Ledger, MAX_LEDGER_BYTES, MAX_RELEASES, digest_of_line, parse_line};
use crate::write::{failure, failure_at, temporaries_beside, write_new};
use incrowd_core::{Error, Result};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// How long to wait before asking again for a ledger that another program uses.
const PAUSE: Duration = Duration::from_millis(50);

/// A ledger that no other program changes while this exists.
#[derive(Debug)]
pub struct LedgerFile {
    path: PathBuf,
    file: File,
    ledger: Ledger,
}

impl LedgerFile {
    /// Reads the releases of a ledger; none if there is no file.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn read(path: &Path, wait: impl Fn() -> Result<()>) -> Result<Ledger> {
        if !path.exists() && !pending_of(path).exists() {
            return Ok(Ledger::default());
        }
        if !is_pending(path) && is_denied(path) {
            return Self::read_only(path, wait);
        }
        Self::open(path, wait).map(|open| open.ledger)
    }

    /// Reads a ledger that may not be written: there is nothing to complete.
    fn read_only(path: &Path, wait: impl Fn() -> Result<()>) -> Result<Ledger> {
        let mut file = File::open(path).map_err(|error| failure_at(path, &error))?;
        lock(&file, path, wait)?;
        let text = text(&mut file).map_err(|error| error.in_file(path))?;
        Ledger::parse(&text).map_err(|error| error.in_file(path))
    }

    /// Opens a ledger, and begins one if there is no file. While another program has it, `wait` is asked again and again
    /// whether to go on. What an interrupted program left is completed or removed.
    ///
    /// # Errors
    /// When the file cannot be read or written, is not a ledger, or its lines do not follow each other; when an
    /// interrupted program left a part of a release; when `wait` fails.
    pub fn open(path: &Path, wait: impl Fn() -> Result<()>) -> Result<Self> {
        let in_words = |error: std::io::Error| failure_at(path, &error);
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(in_words)?;
        if !file.metadata().map_err(in_words)?.is_file() {
            return Err(Error::io("the ledger is not a file").in_file(path).help("name a file"));
        }
        lock(&file, path, wait)?;
        let text = text(&mut file).map_err(|error| error.in_file(path))?;
        let pending = Pending::read(path)?;
        let whole = pending.as_ref().map_or(text.len(), |pending| pending.whole(&text));
        if whole < text.len() {
            file.set_len(whole as u64).map_err(in_words)?;
        }
        let ledger = Ledger::parse(&text[..whole]).map_err(|error| error.in_file(path))?;
        let mut this = Self { path: path.to_owned(), file, ledger };
        if let Some(pending) = pending {
            this.settle(pending)?;
        }
        Ok(this)
    }

    /// The releases.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Adds a release; `publish` gives its files their names. The number, the digest of the line before and the format
    /// are set here.
    ///
    /// # Errors
    /// When `publish` fails, or the file system does. There is no line then; [`Self::open`] completes what was begun.
    pub fn add(mut self, mut record: LedgerRecord, publish: impl FnOnce() -> Result<()>) -> Result<Ledger> {
        if self.ledger.records.len() >= MAX_RELEASES {
            return Err(Error::limit(format!(
                "the ledger has {MAX_RELEASES} releases, the most it may have"
            ))
            .in_file(&self.path));
        }
        record.number = self.ledger.records.len() as u64 + 1;
        record.previous.clone_from(&self.ledger.head);
        let line = record.line()?;
        let pending = pending_of(&self.path);
        write_new(&pending, true, |out| out.write_all(line.as_bytes()))?;
        if let Err(error) = publish() {
            remove(&pending)?;
            return Err(error);
        }
        self.append(record, &line)?;
        remove(&pending)?;
        Ok(self.ledger)
    }

    fn append(&mut self, record: LedgerRecord, line: &str) -> Result<()> {
        let written = self.file.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.file.sync_all());
        written.map_err(|error| failure(&error).in_file(&self.path))?;
        self.ledger.records.push(record);
        self.ledger.head = Some(digest_of_line(line));
        Ok(())
    }

    /// Completes or removes what an interrupted program left.
    fn settle(&mut self, pending: Pending) -> Result<()> {
        let Pending { record, line } = pending;
        if self.ledger.head.as_deref() != Some(digest_of_line(&line).as_str()) {
            let (mut there, mut missing) = (None, None);
            for file in record.released() {
                let place = if file.is_at(&file.path(&self.path))? { &mut there } else { &mut missing };
                *place = Some(file.file.as_str());
            }
            match (there, missing) {
                (None, _) if self.is_unpublished(&record)? => {}
                (None, _) => return Err(self.undecided(&record)),
                (Some(_), None) if record.previous == self.ledger.head => self.append(record, &line)?,
                (Some(there), None) => {
                    return Err(Error::input(format!(
                        "the ledger is older than `{there}`, which an interrupted program released"
                    ))
                    .in_file(&self.path)
                    .help("restore the newest ledger from a backup"));
                }
                (Some(there), Some(missing)) => {
                    return Err(Error::input(format!(
                        "an interrupted program left `{there}` without `{missing}`, so that it is unknown whether they were \
                         released"
                    ))
                    .in_file(&self.path)
                    .help(format!(
                        "if no one has `{there}`, delete it and `{}`; otherwise restore the other file",
                        pending_of(&self.path).display()
                    )));
                }
            }
        }
        remove(&pending_of(&self.path))
    }

    /// Whether a temporary file of the release is still there, so that it did not get its name.
    fn is_unpublished(&self, record: &LedgerRecord) -> Result<bool> {
        for file in record.released() {
            let path = file.path(&self.path);
            for temporary in temporaries_beside(&path) {
                if file.is_at(&temporary)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn undecided(&self, record: &LedgerRecord) -> Error {
        let path = record.release.path(&self.path);
        let what = if path.exists() { "is another file now" } else { "is not there" };
        Error::input(format!(
            "an interrupted program was about to record `{}` as release {} on {}; the file {what}, so it is unknown \
             whether it was released",
            record.release.file, record.number, record.date
        ))
        .in_file(&self.path)
        .help(format!(
            "if anyone may have it, put it back under this name; if it never existed or no one has it, delete `{}`",
            pending_of(&self.path).display()
        ))
    }
}

/// A line that a program was about to add.
struct Pending {
    record: LedgerRecord,
    line: String,
}

impl Pending {
    fn read(ledger: &Path) -> Result<Option<Self>> {
        let path = pending_of(ledger);
        let mut file = match File::open(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(|error| failure(&error).in_file(&path))?,
        };
        let read = text(&mut file).and_then(|line| {
            let record = parse_line(&line)?;
            record.check()?;
            Ok(Self { record, line })
        });
        read.map(Some).map_err(|error| error.in_file(&path))
    }

    /// The length of the ledger without a part of this line at its end.
    fn whole(&self, text: &str) -> usize {
        let end = text.rfind('\n').map_or(0, |end| end + 1);
        if self.line.starts_with(&text[end..]) { end } else { text.len() }
    }
}

fn lock(file: &File, path: &Path, wait: impl Fn() -> Result<()>) -> Result<()> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => {
                wait()?;
                sleep(PAUSE);
            }
            Err(TryLockError::Error(error)) => {
                return Err(Error::io(format!("the ledger cannot be locked: {}", error.kind()))
                    .in_file(path)
                    .help("keep it on a file system with locks, such as a local disk"));
            }
        }
    }
}

/// The text of a file within the bounds of ledgers.
fn is_pending(path: &Path) -> bool {
    pending_of(path).exists()
}

/// Whether the file may not be written.
fn is_denied(path: &Path) -> bool {
    let opened = OpenOptions::new().read(true).append(true).open(path);
    opened.is_err_and(|error| {
        matches!(error.kind(), std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem)
    })
}

fn text(file: &mut File) -> Result<String> {
    let unreadable = |error: std::io::Error| Error::io(format!("the file cannot be read: {}", error.kind()));
    file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(MAX_LEDGER_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_LEDGER_BYTES {
        return Err(Error::limit(format!(
            "the file exceeds the limit of {} MiB for ledgers",
            MAX_LEDGER_BYTES >> 20
        ))
        .help("check that this is a ledger"));
    }
    String::from_utf8(bytes).map_err(|_| {
        Error::input("the ledger is not UTF-8 text").help("check that this is a ledger of incrowd")
    })
}

/// The file with the line that is about to be added.
fn pending_of(ledger: &Path) -> PathBuf {
    let mut name = ledger.as_os_str().to_owned();
    name.push(".pending");
    PathBuf::from(name)
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failure(&error).in_file(path)),
        _ => Ok(()),
    }
}
