//! Small text files read whole.

use incrowd_core::{Error, Result};
use std::io::Read;
use std::path::Path;

/// The largest policy that is read.
const POLICY_BYTES: u64 = 4 << 20;

/// The largest taxonomy that is read.
const TAXONOMY_BYTES: u64 = 16 << 20;

/// Reads a text file; errors call it a `what`. For other files than policies the caller adds where they are named.
pub(super) fn read(path: &Path, what: &str) -> Result<String> {
    let bad = |why: String, help: &str| Error::io(why).in_file(path).help(help);
    if path.is_dir() {
        return Err(bad(format!("this is a folder, not a {what} file"), "name a file in it"));
    }
    // A policy names its taxonomies, and a pipe may never end or begin.
    if what != "policy" && path.exists() && !path.is_file() {
        return Err(bad(format!("the {what} is not a regular file"), ""));
    }
    let most = if what == "policy" { POLICY_BYTES } else { TAXONOMY_BYTES };
    let bytes = bounded(path, most).map_err(|error| match error.kind() {
        std::io::ErrorKind::FileTooLarge => bad(
            format!("the {what} file exceeds the limit of {} MiB", most >> 20),
            "check that this is the right file",
        ),
        std::io::ErrorKind::NotFound => bad(
            format!("no such {what} file"),
            match what {
                "policy" => "check the path; `incrowd profile` drafts a policy",
                _ => "check the path; in a policy it is relative to the folder of the policy",
            },
        ),
        _ => bad(format!("the {what} file cannot be read: {error}"), "check its permissions"),
    })?;
    decode(bytes).map_err(|error| error.in_file(path))
}

/// The bytes of a file, which may be a device without end.
fn bounded(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(std::io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// Text from bytes, without a byte-order mark.
pub(super) fn decode(bytes: Vec<u8>) -> Result<String> {
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
        let since =
            before.iter().rev().take_while(|byte| **byte != b'\n').filter(|byte| **byte & 0xC0 != 0x80);
        Error::input("the file is not UTF-8 text")
            .at_line(line)
            .at_column(since.count() as u64 + 1)
            .help("save it as UTF-8")
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}
