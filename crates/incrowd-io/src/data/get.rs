//! Gets a file from the cache, or else from its publisher.

#[cfg(feature = "download")]
use super::fetch::open;
use super::{DataFile, DataSet, DownloadSource, zip};
use crate::write::{make_folder, write_new};
use incrowd_core::progress::Progress;
use incrowd_core::{Error, Result};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};

#[cfg(all(test, feature = "download"))]
mod tests;

/// The most bytes of an archive that a file is taken from.
const ARCHIVE: u64 = 16 << 20;

/// The number of bytes that are read at once.
const BLOCK: usize = 1 << 16;

/// How files are obtained: where they are kept, where they come from, and who receives progress.
#[derive(Clone, Copy)]
pub struct Getting<'a> {
    /// The cache: a folder for each set is in it.
    pub cache: &'a Path,
    /// A mirror to go to instead of the publishers: the address of a folder with the layout of the cache. Unlike a
    /// publisher, it may be without TLS.
    pub mirror: Option<&'a str>,
    /// Receives progress.
    pub progress: &'a dyn Progress,
}

/// A file that is now in the cache and matches its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CachedFile {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it had to be fetched.
    pub fetched: bool,
}

/// Why a source did not give the file.
enum Failure {
    /// The source or the connection failed: another source may work.
    DownloadSource(String),
    /// It cannot be kept.
    Here(Error),
}

impl Getting<'_> {
    /// Gets a file of a set. One that is in the cache is not fetched again, unless it does not match its digest.
    ///
    /// # Errors
    /// When no source gives the right file, with instructions to save it manually, or when it cannot be stored.
    pub fn file(&self, set: &DataSet, file: &DataFile) -> Result<CachedFile> {
        let folder = self.cache.join(set.name);
        let path = folder.join(file.name);
        if is(&path, file) {
            return Ok(CachedFile { path, fetched: false });
        }
        make_folder(&folder)?;
        let mut reasons = Vec::new();
        for source in self.sources(set, file)? {
            match self.try_source(&source, file, &path) {
                Ok(()) => return Ok(CachedFile { path, fetched: true }),
                Err(Failure::DownloadSource(reason)) => reasons.push(format!("{}: {reason}", source.address)),
                Err(Failure::Here(error)) => return Err(error),
            }
        }
        Err(Error::io(format!("{} could not be fetched ({})", file.name, reasons.join("; ")))
            .help(Self::by_hand(set, &folder)))
    }

    /// How to save all files of a set that are not there.
    fn by_hand(set: &DataSet, folder: &Path) -> String {
        let missing = set.files.iter().filter(|file| !is(&folder.join(file.name), file));
        let steps: Vec<String> = missing.map(|file| step_by_hand(file, &folder.join(file.name))).collect();
        format!("{}. Then try again, or name a mirror (`from`)", steps.join("; "))
    }

    fn sources(&self, set: &DataSet, file: &DataFile) -> Result<Vec<Place>> {
        let Some(mirror) = self.mirror else {
            return Ok(file.sources.iter().map(Place::from).collect());
        };
        if !(mirror.starts_with("http://") || mirror.starts_with("https://")) {
            return Err(Error::parameters("the address of a mirror must begin with http:// or https://")
                .help("give an address such as http://localhost:8000"));
        }
        let address = format!("{}/{}/{}", mirror.trim_end_matches('/'), set.name, file.name);
        Ok(vec![Place { address, members: &[], https_only: false }])
    }

    fn try_source(&self, source: &Place, file: &DataFile, path: &Path) -> Result<(), Failure> {
        let _stage = self.progress.stage("fetching", source.members.is_empty().then_some(file.bytes));
        stream(source, file).and_then(|mut stream| self.store(&mut stream, file, path))
    }

    /// Keeps the stream as the file, which gets its name only if it is what it should be.
    fn store(&self, stream: &mut dyn Read, file: &DataFile, path: &Path) -> Result<(), Failure> {
        let mut verdict = Ok(());
        let written = write_new(path, true, |out| {
            verdict = self.copy(stream, out, file)?;
            if verdict.is_ok() { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
        });
        verdict.map_err(Failure::DownloadSource)?;
        written.map_err(Failure::Here)
    }

    /// Copies block by block; returns whether the content is that of the file.
    fn copy(
        &self,
        stream: &mut dyn Read,
        out: &mut dyn Write,
        file: &DataFile,
    ) -> io::Result<Result<(), String>> {
        let mut digest = Sha256::new();
        let mut done = 0;
        let mut block = vec![0; BLOCK];
        loop {
            let length = match stream.read(&mut block) {
                Ok(0) => return Ok(judge(file, done, &hex(digest))),
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Ok(Err(format!("interrupted after {done} bytes: {error}"))),
            };
            done += length as u64;
            if done > file.bytes {
                return Ok(Err(format!("more than the expected {} bytes", file.bytes)));
            }
            digest.update(&block[..length]);
            out.write_all(&block[..length])?;
            self.progress.advance(length as u64);
        }
    }
}

/// A place to get a file from.
struct Place {
    address: String,
    members: &'static [&'static str],
    https_only: bool,
}

impl From<&DownloadSource> for Place {
    fn from(source: &DownloadSource) -> Self {
        Self { address: source.address.to_owned(), members: source.members, https_only: true }
    }
}

/// The bytes of the file, unpacked if need be.
fn stream(source: &Place, file: &DataFile) -> Result<Box<dyn Read>, Failure> {
    let stream = open(&source.address, source.https_only).map_err(Failure::DownloadSource)?;
    let Some((last, outer)) = source.members.split_last() else { return Ok(stream) };
    let mut archive = Vec::new();
    let read = stream.take(ARCHIVE + 1).read_to_end(&mut archive);
    read.map_err(|error| Failure::DownloadSource(error.to_string()))?;
    if archive.len() as u64 > ARCHIVE {
        return Err(Failure::DownloadSource("the archive is larger than expected".to_owned()));
    }
    for name in outer {
        archive = zip::member(&archive, name, ARCHIVE).map_err(Failure::DownloadSource)?;
    }
    let bytes = zip::member(&archive, last, file.bytes).map_err(Failure::DownloadSource)?;
    Ok(Box::new(Cursor::new(bytes)))
}

fn judge(file: &DataFile, bytes: u64, sha256: &str) -> Result<(), String> {
    if bytes != file.bytes {
        return Err(format!("{bytes} bytes instead of {}", file.bytes));
    }
    if sha256 != file.sha256 {
        return Err(format!("a different file: its SHA-256 is {sha256}"));
    }
    Ok(())
}

/// Whether a file of a set is in the cache and matches its digest.
pub fn is_cached(cache: &Path, set: &DataSet, file: &DataFile) -> bool {
    is(&cache.join(set.name).join(file.name), file)
}

/// Whether the file at the path matches its size and digest.
pub(super) fn is(path: &Path, file: &DataFile) -> bool {
    let fits = |metadata: fs::Metadata| metadata.is_file() && metadata.len() == file.bytes;
    fs::metadata(path).is_ok_and(fits) && digest_of(path).is_ok_and(|digest| digest == file.sha256)
}

fn digest_of(path: &Path) -> io::Result<String> {
    let mut stream = File::open(path)?;
    let mut digest = Sha256::new();
    let mut block = vec![0; BLOCK];
    loop {
        match stream.read(&mut block)? {
            0 => return Ok(hex(digest)),
            length => digest.update(&block[..length]),
        }
    }
}

fn hex(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// How to do without a connection from here.
fn step_by_hand(file: &DataFile, path: &Path) -> String {
    let sources = file.sources.iter().map(|source| match source.members {
        [] => source.address.to_owned(),
        members => format!("{} ({} in it)", source.address, members.join(", ")),
    });
    format!(
        "download {} from {} and save it as {} (its SHA-256 must be {})",
        file.name,
        sources.collect::<Vec<_>>().join(" or "),
        path.display(),
        file.sha256
    )
}

#[cfg(not(feature = "download"))]
fn open(_address: &str, _https_only: bool) -> Result<Box<dyn Read>, String> {
    Err("incrowd was built without the feature `download`".to_owned())
}
