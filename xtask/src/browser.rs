//! The browser that reports are tested in.

use crate::shell::{install_or_skip, works};

/// Installs Chromium where it is missing.
pub(crate) fn ensure_chromium() {
    if !works("chromium", &["--version"]) {
        install_or_skip("Chromium", &["chromium"]);
    }
}
