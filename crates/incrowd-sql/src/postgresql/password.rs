//! The password of a role: from the environment, or from a password file as PostgreSQL's own programs read it.

use incrowd_core::{Error, Result};
use std::path::{Path, PathBuf};

/// The password; none where none is known.
///
/// # Errors
/// When the password file can be read by other users.
pub(super) fn of(host: &str, port: u16, database: &str, user: &str) -> Result<Option<String>> {
    if let Ok(password) = std::env::var("PGPASSWORD") {
        return Ok(Some(password));
    }
    let Some(file) = file() else { return Ok(None) };
    let Ok(text) = std::fs::read_to_string(&file) else { return Ok(None) };
    check_rights(&file)?;
    // A socket is called `localhost`.
    let host = if host.starts_with('/') { "localhost" } else { host };
    let wanted = [host, &port.to_string(), database, user];
    Ok(text.lines().find_map(|line| fitting(line, wanted)))
}

fn file() -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".pgpass"));
    std::env::var_os("PGPASSFILE").map(PathBuf::from).or_else(home)
}

#[cfg(unix)]
fn check_rights(file: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let is_open = std::fs::metadata(file).is_ok_and(|found| found.permissions().mode() & 0o077 != 0);
    if is_open {
        return Err(Error::io("other users may read the password file")
            .in_file(file)
            .help("run: chmod 600 on it"));
    }
    Ok(())
}

#[cfg(not(unix))]
fn check_rights(_: &Path) -> Result<()> {
    Ok(())
}

/// The password of a line that fits: `host:port:database:user:password`, `*` for any, `\` before `:` and `\`.
fn fitting(line: &str, wanted: [&str; 4]) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let mut fields = vec![String::new()];
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            ':' if fields.len() < 5 => fields.push(String::new()),
            '\\' => fields.last_mut()?.extend(chars.next()),
            other => fields.last_mut()?.push(other),
        }
    }
    let password = fields.get(4)?.clone();
    let fits = fields.iter().zip(wanted).all(|(own, wanted)| own == "*" || own == wanted);
    fits.then_some(password)
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn lines_of_password_files() {
        let wanted = ["localhost", "5432", "clinic", "ann"];
        let found = |line: &str| fitting(line, wanted);
        assert_eq!(found("localhost:5432:clinic:ann:a\\:b\\\\c"), Some("a:b\\c".to_owned()));
        assert_eq!(found("*:*:*:ann:x:y"), Some("x:y".to_owned()));
        assert_eq!(found("*:*:*:ben:x"), None);
        assert_eq!(found("# *:*:*:ann:x"), None);
        assert_eq!(found("too:short"), None);
    }
}
