//! A headless Chromium that opens pages and returns their DOM and console messages.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Flags to run it as root, without a screen and without network traffic.
const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--enable-logging=stderr",
    "--virtual-time-budget=4000",
];

/// A browser with a temporary folder.
pub struct Browser {
    program: PathBuf,
    folder: PathBuf,
}

/// What a page became.
pub struct Opened {
    /// The page after its scripts have run.
    pub dom: String,
    /// The console messages: errors, and violations of the page's content security policy.
    pub console: Vec<String>,
}

impl Browser {
    /// Chromium, if it is there.
    ///
    /// # Panics
    /// In continuous integration, when it is missing.
    pub fn find() -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let program = crate::chromium()?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("incrowd-browser-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).ok()?;
        Some(Self { program, folder })
    }

    /// Opens a page.
    ///
    /// # Panics
    /// When Chromium does not run, or the page cannot be written.
    pub fn open(&self, page: &str, flags: &[&str]) -> Opened {
        let output = self.run(page, &[&["--dump-dom"], flags].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        let console = said.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
        Opened { dom: String::from_utf8_lossy(&output.stdout).into_owned(), console }
    }

    /// Prints a page to PDF.
    ///
    /// # Panics
    /// When Chromium does not run, or writes no PDF.
    pub fn print(&self, page: &str, flags: &[&str]) -> Vec<u8> {
        let pdf = self.folder.join("page.pdf");
        let to = format!("--print-to-pdf={}", pdf.display());
        self.run(page, &[&[to.as_str()], flags].concat());
        std::fs::read(pdf).expect("a PDF was written")
    }

    fn run(&self, page: &str, flags: &[&str]) -> std::process::Output {
        let file = self.folder.join("page.html");
        std::fs::write(&file, page).expect("the folder can be written to");
        let profile = format!("--user-data-dir={}", self.folder.join("profile").display());
        let address = format!("file://{}", file.display());
        let mut command = Command::new(&self.program);
        command.args(FLAGS).args(flags).args([profile, address]);
        let output = command.output().expect("Chromium runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A folder that stays is not worth a panic.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
