//! Reports (dossiers): what a data protection board needs to know about a release, in one document.
//!
//! A [`Dossier`] is made from the files of a release and from an audit that is run for it
//! ([`Dataset::report`](crate::Dataset::report)). It has two forms. The form for the owner states what was released,
//! under which policy, what the audit measured and which risks remain; it contains no private value. The form for the
//! public ([`Dossier::public`]) is made from a list of what may be in it: what the release file itself reveals, and
//! what the policy states for the public.
//!
//! Both forms are written as one HTML file, as Markdown or as JSON. [`verify`] reads the JSON form later and says
//! whether files are those that were approved.

mod asked;
mod change;
mod content;
mod copied;
mod covered;
mod distribution;
mod facts;
mod html;
mod limits;
mod markdown;
mod matched;
mod opening;
mod page;
mod pages;
mod plots;
mod public;
mod ranges;
mod risks;
mod scores;
#[cfg(test)]
mod tests;
mod today;
mod useful;
mod verify;

pub(crate) use change::{ColumnChange, change, read_release_table};
pub(crate) use content::{LedgerFacts, Utility};
pub(crate) use facts::{Sources, collect};
pub(crate) use opening::untrue;
pub(crate) use scores::scores;

pub use incrowd_io::dossier::{DossierForm, FileRole};
pub use today::today;
pub use verify::{FileState, Verification, VerifiedFile, VerifyJob, verify};

use crate::audited::Existing;
use content::Content;
pub(crate) use copied::CopiedRows;
use incrowd_core::audit::Report;
use incrowd_core::{Error, Result};
use incrowd_io::dossier::MAX_DOSSIER_BYTES;
use incrowd_io::write::write_new;
use std::path::Path;

/// What a data protection board needs to know about a release.
///
/// It is made by [`report`](crate::report) or [`Job::run`](crate::Job) of a [`ReportWork`](crate::ReportWork).
#[derive(Debug, Clone)]
pub struct Dossier {
    content: Content,
}

/// The format of a dossier's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DossierFormat {
    /// One self-contained page, for reading and printing.
    Html,
    /// Text with Markdown marks.
    Markdown,
    /// For programs, and for [`verify`].
    Json,
}

impl DossierFormat {
    /// The format of a file, by the ending of its name.
    ///
    /// # Errors
    /// When the ending is that of no format.
    pub fn of_name(path: &Path) -> Result<Self> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "html" | "htm" => Ok(Self::Html),
            "md" | "markdown" => Ok(Self::Markdown),
            "json" => Ok(Self::Json),
            _ => Err(Error::parameters("a report cannot be written to a file with this ending")
                .in_file(path)
                .help("name a file that ends in .html, .md or .json")),
        }
    }
}

impl Dossier {
    pub(crate) fn new(content: Content) -> Self {
        Self { content }
    }

    /// Whether the guarantee holds.
    pub fn holds(&self) -> bool {
        self.content.holds
    }

    /// For whom it is.
    pub fn form(&self) -> DossierForm {
        self.content.form
    }

    /// The audit that it is based on; none in the form for the public.
    pub fn audit(&self) -> Option<&Report> {
        self.content.audit.as_deref()
    }

    /// Warnings for the owner; none in the form for the public.
    pub fn warnings(&self) -> Vec<String> {
        let of_audit = self.audit().into_iter().flat_map(|report| report.warnings.iter().cloned());
        let copied = self.content.utility.as_ref().and_then(|utility| utility.copied.as_ref());
        of_audit.chain(copied.and_then(CopiedRows::warning)).collect()
    }

    /// The verdict in plain words: one sentence for the headline, and what follows from it.
    pub fn verdict(&self) -> (String, Vec<String>) {
        opening::verdict(&self.content)
    }

    /// The form for the public: only what the release itself reveals, and what the policy states for the public.
    ///
    /// # Errors
    /// When the guarantee does not hold, none was required, or it is not proven: nothing may be said to the public then.
    pub fn public(&self) -> Result<Self> {
        public::content(&self.content).map(Self::new)
    }

    /// States the file that the JSON form is written to, so that the other forms can refer to it by its name.
    #[must_use]
    pub fn with_json_file(mut self, path: &Path) -> Self {
        self.content.json_name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        self
    }

    /// The dossier as one self-contained page.
    pub fn html(&self) -> String {
        html::html(&pages::page(&self.content))
    }

    /// The dossier as Markdown.
    pub fn markdown(&self) -> String {
        markdown::markdown(&pages::page(&self.content))
    }

    /// The dossier as JSON.
    ///
    /// # Errors
    /// When it would be too large to be read again.
    pub fn json(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(&self.content)
            .map_err(|error| Error::internal(format!("the report cannot be written as JSON: {error}")))?;
        if text.len() as u64 >= MAX_DOSSIER_BYTES {
            return Err(Error::limit("the report is too large to be written as JSON")
                .help("leave out columns that are not released from the policy (`unlisted = \"ignored\"`)"));
        }
        Ok(text + "\n")
    }

    /// The dossier in a format.
    ///
    /// # Errors
    /// As [`Self::json`].
    pub fn text(&self, format: DossierFormat) -> Result<String> {
        match format {
            DossierFormat::Html => Ok(self.html()),
            DossierFormat::Markdown => Ok(self.markdown()),
            DossierFormat::Json => self.json(),
        }
    }

    /// Writes the dossier, in the format of the file's ending: `.html`, `.md` or `.json`.
    ///
    /// # Errors
    /// When the file exists, the ending is unknown, or the file system fails. No file is left behind then.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write_as(path, Existing::Keep)
    }

    /// Writes the dossier, and replaces an existing file if `existing` allows it.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn write_as(&self, path: impl AsRef<Path>, existing: Existing) -> Result<()> {
        let path = path.as_ref();
        let text = self.text(DossierFormat::of_name(path)?).map_err(|error| error.in_file(path))?;
        write_new(path, existing == Existing::Replace, |file| file.write_all(text.as_bytes()))
    }
}

impl serde::Serialize for Dossier {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.content.serialize(serializer)
    }
}
