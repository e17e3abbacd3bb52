//! The browser that reports are tested in.

use crate::shell::{Done, command, run, works};

/// Installs Chromium where it is missing.
pub(crate) fn ensure_chromium() -> Done {
    if works("chromium", &["--version"]) {
        return Ok(());
    }
    eprintln!("Chromium is not there: installing it");
    run(&mut command("apt-get", &["update"]))?;
    run(&mut command("apt-get", &["install", "--yes", "--no-install-recommends", "chromium"]))
}
