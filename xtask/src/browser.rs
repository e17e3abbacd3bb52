//! The browser that reports are tested in.

use crate::shell::{Done, install_for_tests, works};

/// Installs Chromium if it is missing.
pub(crate) fn ensure_chromium() -> Done {
    if works("chromium", &["--version"]) { Ok(()) } else { install_for_tests("Chromium", &["chromium"]) }
}
