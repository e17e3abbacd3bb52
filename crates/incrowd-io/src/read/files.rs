//! Which files a path names: one, several, or all that match a pattern.

use super::input;
use incrowd_core::{Error, Result};
use std::path::{Path, PathBuf};

/// The path that means standard input.
pub const STANDARD_INPUT: &str = "-";

/// The most files that are read as one table.
const MOST: usize = 1 << 14;

/// The files that a path names, in the order in which they are read.
///
/// A path is the name of a file; or several names, divided as in the environment variable `PATH` (by `:`, on Windows by
/// `;`); and the last part of a name may be a pattern, where `*` stands for any characters and `?` for one. The files
/// that match a pattern are read in the order of their names. A file whose name contains these characters is found by
/// its own name. `-` is standard input.
///
/// # Errors
/// When a name or a pattern matches no file, or a file is named twice: its individuals would count twice.
pub fn files_of(path: &Path) -> Result<Vec<PathBuf>> {
    if is_standard_input(path) || path.exists() {
        return Ok(vec![path.to_owned()]);
    }
    if path.to_str().is_some_and(|path| path.contains("://")) {
        return Err(Error::parameters("an address on the network is not read")
            .in_file(path)
            .help("download the file, and name it"));
    }
    let parts: Vec<PathBuf> =
        std::env::split_paths(path).filter(|part| !part.as_os_str().is_empty()).collect();
    let mut files: Vec<PathBuf> = Vec::new();
    for part in &parts {
        let found = if part.exists() { vec![part.clone()] } else { matching(part)? };
        if let Some(twice) = found.iter().find(|file| files.contains(file)) {
            return Err(Error::parameters("the file is named twice")
                .in_file(twice)
                .help("name every file once"));
        }
        files.extend(found);
        if files.len() > MOST {
            return Err(Error::limit(format!("more than {MOST} files")).help("join some of them first"));
        }
    }
    if files.is_empty() {
        return Err(input::no_such_file().in_file(path));
    }
    Ok(files)
}

/// One path that names several files: see [`files_of`].
///
/// # Errors
/// When a name contains the character that divides names, or standard input is one of several.
pub fn path_of_files(files: &[PathBuf]) -> Result<PathBuf> {
    if let [only] = files {
        return Ok(only.clone());
    }
    if files.iter().any(|file| is_standard_input(file)) {
        return Err(Error::parameters("standard input cannot be one of several files")
            .help("save it to a file first"));
    }
    std::env::join_paths(files).map(PathBuf::from).map_err(|_| {
        Error::parameters("the name of a file contains the character that divides several names")
            .help("rename the file")
    })
}

/// Whether a path means standard input.
pub(super) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == STANDARD_INPUT
}

/// The files of a folder that match a pattern, by name.
fn matching(pattern: &Path) -> Result<Vec<PathBuf>> {
    let name = pattern.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let absent = || input::no_such_file().in_file(pattern);
    if !name.contains(['*', '?']) {
        return Err(absent());
    }
    let folder = pattern.parent().filter(|folder| !folder.as_os_str().is_empty());
    let listed = std::fs::read_dir(folder.unwrap_or(Path::new("."))).map_err(|_| absent())?;
    let mut files: Vec<PathBuf> = listed
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        // As in a shell, a pattern does not name hidden files.
        .filter(|file| {
            matches(name.as_bytes(), file.as_bytes()) && (name.starts_with('.') || !file.starts_with('.'))
        })
        .map(|file| folder.map_or_else(|| PathBuf::from(&file), |folder| folder.join(&file)))
        .filter(|file| file.is_file())
        .collect();
    files.sort_unstable();
    if files.is_empty() {
        return Err(Error::io("no file matches the pattern")
            .in_file(pattern)
            .help("check the folder; `*` stands for any characters and `?` for one, in the last part only"));
    }
    Ok(files)
}

/// Whether a name matches a pattern. Time is at most the product of the lengths.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    // Where the last `*` is, and how much of the name it stands for.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            // A character may have several bytes.
            Some(b'?') => {
                n += 1;
                while name.get(n).is_some_and(|byte| byte & 0xC0 == 0x80) {
                    n += 1;
                }
                p += 1;
            }
            Some(byte) if *byte == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    (p, n) = (at + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slow(pattern: &[char], name: &[char]) -> bool {
        match (pattern.first(), name.first()) {
            (None, None) => true,
            (Some('*'), _) => slow(&pattern[1..], name) || (!name.is_empty() && slow(pattern, &name[1..])),
            (Some('?'), Some(_)) => slow(&pattern[1..], &name[1..]),
            (Some(a), Some(b)) if a == b => slow(&pattern[1..], &name[1..]),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn patterns_match_as_defined(pattern in "[ab*?é]{0,6}", name in "[abé]{0,8}") {
            let characters = |text: &str| text.chars().collect::<Vec<_>>();
            prop_assert_eq!(
                matches(pattern.as_bytes(), name.as_bytes()),
                slow(&characters(&pattern), &characters(&name))
            );
        }
    }
}
