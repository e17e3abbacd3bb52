//! One member of a ZIP archive in memory: stored or deflated, not encrypted, under 4 GiB.
//!
//! The archive's own checksums are not checked: the caller knows the SHA-256 of the content.

use flate2::read::DeflateDecoder;
use std::io::Read;

#[cfg(test)]
pub(super) mod tests;

/// The end of the directory, without its comment.
const END: usize = 22;
/// The longest comment.
const COMMENT: usize = 0xffff;

/// The member of this name, if it has at most `limit` bytes.
///
/// # Errors
/// When it is not there, or the archive is not one; in words.
pub(super) fn member(archive: &[u8], name: &str, limit: u64) -> Result<Vec<u8>, String> {
    let broken = || "the ZIP archive is damaged".to_owned();
    let entries = directory(archive).ok_or_else(broken)?;
    let entry = entries.into_iter().find(|entry| entry.name == name.as_bytes());
    let entry = entry.ok_or_else(|| format!("the archive has no {name}"))?;
    let packed = content(archive, &entry).ok_or_else(broken)?;
    let mut bytes = Vec::new();
    let limited = limit.saturating_add(1);
    let read = match entry.method {
        0 => packed.take(limited).read_to_end(&mut bytes),
        8 => DeflateDecoder::new(packed).take(limited).read_to_end(&mut bytes),
        _ => return Err(format!("{name} uses an unsupported compression")),
    };
    read.map_err(|_| broken())?;
    if bytes.len() as u64 > limit {
        return Err(format!("{name} is larger than expected"));
    }
    Ok(bytes)
}

/// The directory entry of a member.
struct Entry<'a> {
    name: &'a [u8],
    method: u16,
    packed: usize,
    header: usize,
}

fn directory(archive: &[u8]) -> Option<Vec<Entry<'_>>> {
    let end = end_of_directory(archive)?;
    let mut at = u32_at(archive, end + 16)?;
    let mut entries = Vec::new();
    for _ in 0..u16_at(archive, end + 10)? {
        signed(archive, at, *b"PK\x01\x02")?;
        let [name, extra, comment] =
            [u16_at(archive, at + 28)?, u16_at(archive, at + 30)?, u16_at(archive, at + 32)?]
                .map(usize::from);
        entries.push(Entry {
            name: archive.get(at + 46..at + 46 + name)?,
            method: u16_at(archive, at + 10)?,
            packed: u32_at(archive, at + 20)?,
            header: u32_at(archive, at + 42)?,
        });
        at += 46 + name + extra + comment;
    }
    Some(entries)
}

fn end_of_directory(archive: &[u8]) -> Option<usize> {
    let last = archive.len().checked_sub(END)?;
    (last.saturating_sub(COMMENT)..=last).rev().find(|&at| signed(archive, at, *b"PK\x05\x06").is_some())
}

/// The packed bytes, behind the member's own header.
fn content<'a>(archive: &'a [u8], entry: &Entry<'_>) -> Option<&'a [u8]> {
    signed(archive, entry.header, *b"PK\x03\x04")?;
    let names = u16_at(archive, entry.header + 26)? as usize + u16_at(archive, entry.header + 28)? as usize;
    let begin = entry.header + 30 + names;
    archive.get(begin..begin.checked_add(entry.packed)?)
}

fn signed(archive: &[u8], at: usize, signature: [u8; 4]) -> Option<()> {
    archive.get(at..)?.starts_with(&signature).then_some(())
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|&two| u16::from_le_bytes(two))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk().map(|&four| u32::from_le_bytes(four) as usize)
}
