//! Writes files whole or not at all.
//!
//! [`write_new`] fills a temporary file next to the target, syncs it to the disk and only then gives it its name.
//! Whatever happens on the way (an error, a full disk, a panic), a file that was there before is untouched and no
//! partial file is left. A symbolic link at the target is replaced, not followed, so that a link cannot redirect a
//! release.
//!
//! Without `force` the name is taken with a hard link where the file system has them, which fails if another process
//! took it meanwhile; elsewhere the name is checked just before the renaming.
//!
//! A program that is interrupted calls [`abandon`] before it ends.

use incrowd_core::{Error, Result};
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(test)]
mod tests;

/// The number of names for a temporary file that are tried before giving up.
const ATTEMPTS: usize = 64;
/// The number of bytes that are read at once for a digest.
const DIGEST_BLOCK: usize = 1 << 16;

/// Writes a file at `path` with what `fill` puts into it, atomically; replaces an older one only with `force`.
///
/// # Errors
/// When something is at `path` already and may not be replaced (a directory or a device never is), when `fill` fails,
/// or when the file system does.
pub fn write_new(
    path: &Path,
    force: bool,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<()> {
    write_checked(path, force, fill, |_| Ok(()))
}

/// The same, but the file gets its name only if `check` passes it; `check` gets its temporary path.
///
/// # Errors
/// As [`write_new`], and when `check` fails; its error is returned unchanged.
pub fn write_checked(
    path: &Path,
    force: bool,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
    check: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    let prepared = prepare(path, force, fill)?;
    check(prepared.written())?;
    prepared.publish()
}

/// A complete file on the disk that does not have its name yet; it is removed unless it gets its name.
pub struct Prepared {
    temporary: Temporary,
    path: PathBuf,
    force: bool,
}

/// Writes a file that is to be at `path` under another name in the same directory.
///
/// # Errors
/// As [`write_new`].
pub fn prepare(
    path: &Path,
    force: bool,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<Prepared> {
    let old = existing(path, force)?;
    let temporary = write_beside(path, old, fill).map_err(|error| failure_at(path, &error))?;
    Ok(Prepared { temporary, path: path.to_owned(), force })
}

impl Prepared {
    /// Its temporary path.
    pub fn written(&self) -> &Path {
        &self.temporary.path
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// When the name is taken meanwhile, or the file system fails.
    pub fn publish(self) -> Result<()> {
        let Self { temporary, path, force } = self;
        temporary.take_name(&path, force).map_err(|error| failure(&error).in_file(&path))?;
        sync_directory(directory_of(&path));
        Ok(())
    }

    /// A copy of the file that is to be replaced, if there is one.
    fn copy_of_old(&self) -> Result<Option<Temporary>> {
        if !fs::symlink_metadata(&self.path).is_ok_and(|old| old.is_file()) {
            return Ok(None);
        }
        let copy = || {
            let (copy, _) = Temporary::create(directory_of(&self.path))?;
            fs::copy(&self.path, &copy.path)?;
            Ok(copy)
        };
        copy().map(Some).map_err(|error: io::Error| failure_at(&self.path, &error))
    }
}

/// Gives two files their names, or neither: where the second cannot get its own, the first one's place is as it was
/// before. (A program that is stopped in between leaves the first one alone; readers have to detect that they do not
/// belong together.)
///
/// # Errors
/// As [`Prepared::publish`].
pub fn publish_both(first: Prepared, second: Prepared) -> Result<()> {
    existing(&second.path, second.force)?;
    let (path, old) = (first.path.clone(), first.copy_of_old()?);
    first.publish()?;
    let published = second.publish();
    if published.is_err() {
        match old {
            Some(old) => _ = fs::rename(&old.path, &path),
            None => remove(&path),
        }
    }
    published
}

/// The SHA-256 digest of a file as hexadecimal digits.
///
/// # Errors
/// When it cannot be read.
pub fn digest_of_file(path: &Path) -> Result<String> {
    let unreadable = |error: io::Error| {
        let what = match error.kind() {
            ErrorKind::NotFound => "no such file".to_owned(),
            kind => format!("the file cannot be read: {kind}"),
        };
        Error::io(what).in_file(path).help("check the path")
    };
    let mut file = File::open(path).map_err(unreadable)?;
    let (mut digest, mut block) = (Sha256::new(), vec![0; DIGEST_BLOCK]);
    loop {
        match file.read(&mut block).map_err(unreadable)? {
            0 => return Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()),
            length => digest.update(&block[..length]),
        }
    }
}

/// Fails if [`write_new`] would refuse the path as it is now, so that long work is not wasted.
///
/// # Errors
/// When something is at `path` already and may not be replaced, or no file can be made in the folder to write to.
pub fn refuse_existing(path: &Path, force: bool) -> Result<()> {
    existing(path, force)?;
    match fs::metadata(directory_of(path)) {
        Ok(directory) if !directory.is_dir() => Err(failure(&ErrorKind::NotADirectory.into()).in_file(path)),
        Ok(_) => Temporary::create(directory_of(path)).map(drop).map_err(|error| failure_at(path, &error)),
        Err(error) => Err(failure(&error).in_file(path)),
    }
}

/// Fails if writing at `path` would replace one of the files that are read, under whatever name or link: that is never
/// intended.
///
/// # Errors
/// When `path` is one of `inputs`.
pub fn refuse_input(path: &Path, inputs: &[PathBuf]) -> Result<()> {
    match inputs.iter().find(|input| is_same_file(path, input)) {
        Some(_) => {
            Err(Error::parameters("this file is also an input of the command and would be overwritten")
                .in_file(path)
                .help("write to another file"))
        }
        None => Ok(()),
    }
}

#[cfg(unix)]
fn is_same_file(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| fs::metadata(path).ok().map(|file| (file.dev(), file.ino()));
    identity(a).is_some_and(|one| identity(b) == Some(one))
}

#[cfg(not(unix))]
fn is_same_file(a: &Path, b: &Path) -> bool {
    fs::canonicalize(a).is_ok_and(|one| fs::canonicalize(b).is_ok_and(|other| one == other))
}

/// Makes a folder to write to, with its parents, where they do not exist.
///
/// # Errors
/// When a file is in the way, or the file system fails.
pub fn make_folder(path: &Path) -> Result<()> {
    let in_words = |error: io::Error| match error.kind() {
        ErrorKind::AlreadyExists => Error::io("this is a file, not a folder").help("name a folder"),
        _ => failure_at(path, &error),
    };
    fs::create_dir_all(path).map_err(|error| in_words(error).in_file(path))
}

/// Where a file is, or will be.
fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Removes every file that is not complete yet, and makes none while `last` runs: for a program that was interrupted,
/// to end in `last`. Can be called from any thread; writers go on, or fail, when `last` returns.
pub fn abandon<R>(last: impl FnOnce() -> R) -> R {
    let open = Temporaries::lock();
    open.paths.iter().for_each(|path| remove(path));
    let result = last();
    drop(open);
    result
}

/// The error for a failure to write a file.
pub fn failure(error: &io::Error) -> Error {
    match error.kind() {
        ErrorKind::AlreadyExists => exists(),
        ErrorKind::NotFound => {
            Error::io("the folder to write to does not exist").help("create it, or name another one")
        }
        ErrorKind::NotADirectory => {
            Error::io("a part of the path is a file, not a folder").help("name a path within a folder")
        }
        ErrorKind::PermissionDenied => {
            Error::io("permission to write here was denied").help("choose another folder, or ask for access")
        }
        ErrorKind::ReadOnlyFilesystem => {
            Error::io("the file system is read-only").help("choose another folder")
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            Error::io("no space left to write the file; nothing was changed")
                .help("free some space, or write to another disk")
        }
        ErrorKind::InvalidFilename => {
            Error::io("the file name cannot be used here").help("choose another name")
        }
        _ => Error::io(format!("the file cannot be written: {error}")).help("try again, or write elsewhere"),
    }
}

/// The error for a failure to write a file at `path`. Some folders exist, but no file can be made in them.
pub(crate) fn failure_at(path: &Path, error: &io::Error) -> Error {
    let is_fixed = error.kind() == ErrorKind::NotFound && directory_of(path).is_dir();
    let error = if is_fixed {
        Error::io("the folder cannot be written to").help("choose another folder")
    } else {
        failure(error)
    };
    error.in_file(path)
}

fn exists() -> Error {
    Error::io("the file already exists").help("choose another name, or replace it (`force`)")
}

/// Looks at what is at `path`: nothing, or an older file's permissions (links have none of their own).
fn existing(path: &Path, force: bool) -> Result<Option<Permissions>> {
    let refuse = |error: Error| Err(error.in_file(path));
    if path.file_name().is_none() {
        return refuse(Error::io("this is not the name of a file").help("give the path of a file"));
    }
    let Ok(metadata) = fs::symlink_metadata(path) else { return Ok(None) };
    let kind = metadata.file_type();
    if kind.is_dir() {
        return refuse(Error::io("a folder of this name exists").help("give the path of a file"));
    }
    if !(kind.is_file() || kind.is_symlink()) {
        return refuse(
            Error::io("something of this name exists that is not a file").help("choose another name"),
        );
    }
    if !force {
        return refuse(exists());
    }
    Ok(kind.is_file().then(|| metadata.permissions()))
}

/// A temporary file beside `path`, whole and on the disk.
fn write_beside(
    path: &Path,
    old: Option<Permissions>,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<Temporary> {
    let (temporary, file) = Temporary::create(directory_of(path))?;
    let usual = file.metadata()?.permissions();
    keep_to_owner(&file)?;
    let mut writer = BufWriter::new(file);
    fill(&mut writer)?;
    let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.set_permissions(old.unwrap_or(usual))?;
    file.sync_all()?;
    Ok(temporary)
}

/// No other process reads a file before it is complete.
#[cfg(unix)]
fn keep_to_owner(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn keep_to_owner(_file: &File) -> io::Result<()> {
    Ok(())
}

/// Makes the new name last through a crash. Some file systems cannot sync a directory; the file itself is safe by then.
fn sync_directory(directory: &Path) {
    if let Ok(directory) = File::open(directory) {
        let _unsupported = directory.sync_all();
    }
}

/// A temporary file, removed unless it has taken its name.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    fn create(directory: &Path) -> io::Result<(Self, File)> {
        // Locked while the file is made, so that an interruption finds it in the list or finds it not yet there.
        let mut open = Temporaries::lock();
        for _ in 0..ATTEMPTS {
            let number = open.next;
            open.next += 1;
            let path = directory.join(format!(".incrowd-{}-{number}.tmp", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    open.paths.push(path.clone());
                    return Ok((Self { path }, file));
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("no free name for a temporary file"))
    }

    fn take_name(self, path: &Path, force: bool) -> io::Result<()> {
        if !force {
            match fs::hard_link(&self.path, path) {
                Ok(()) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(error),
                Err(_) if fs::symlink_metadata(path).is_ok() => return Err(ErrorKind::AlreadyExists.into()),
                Err(_) => {}
            }
        }
        fs::rename(&self.path, path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After a renaming there is nothing left to remove, after a link the second name is.
        let mut open = Temporaries::lock();
        remove(&self.path);
        open.paths.retain(|path| *path != self.path);
    }
}

fn remove(path: &Path) {
    let _gone = fs::remove_file(path);
}

/// The temporary files beside a path, of this program and of interrupted ones.
pub(crate) fn temporaries_beside(path: &Path) -> Vec<PathBuf> {
    let is_temporary = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with(".incrowd-") && path.extension().is_some_and(|ending| ending == "tmp")
    };
    let entries = fs::read_dir(directory_of(path)).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(is_temporary).collect()
}

/// The temporary files there are.
struct Temporaries {
    paths: Vec<PathBuf>,
    /// The number of the next one.
    next: u64,
}

impl Temporaries {
    fn lock() -> MutexGuard<'static, Self> {
        static ALL: Mutex<Temporaries> = Mutex::new(Temporaries { paths: Vec::new(), next: 0 });
        ALL.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
