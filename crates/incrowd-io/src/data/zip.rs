//! One member of a ZIP archive in memory.

use crate::zip::{members, unpack};
use std::io::{Cursor, Read};

#[cfg(test)]
pub(crate) mod tests;

/// The member of this name, if it has at most `limit` bytes.
///
/// # Errors
/// When it is not there, or the archive is not one; in words.
pub(super) fn member(archive: &[u8], name: &str, limit: u64) -> Result<Vec<u8>, String> {
    let mut archive = Cursor::new(archive);
    let all = members(&mut archive).map_err(|error| error.to_string())?;
    let found = all.into_iter().find(|member| member.name == name);
    let found = found.ok_or_else(|| format!("the archive has no {name}"))?;
    let content = unpack(archive, found.packing).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    content.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > limit {
        return Err(format!("{name} is larger than expected"));
    }
    Ok(bytes)
}
