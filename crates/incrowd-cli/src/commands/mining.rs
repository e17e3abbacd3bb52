//! What the mining commands share: opening the dataset, warnings, and options.

use super::{flags, report};
use crate::args::{Common, GuaranteeFlags, MiningFiles};
use crate::console::Console;
use crate::progress::Bar;
use crate::text::counted;
use incrowd::io::PolicyFile;
use incrowd::io::format_of_name;
use incrowd::io::write::refuse_existing;
use incrowd::{Audited, Dataset, Error, Existing, Job, Mined, MiningWork, OpenOptions, Result};
use std::path::Path;
use std::sync::Arc;

/// Opens the dataset of a mining command, after checking that the guarantee is valid and the release can be written.
pub(super) fn open(
    files: &MiningFiles,
    guarantee: &GuaranteeFlags,
    common: &Common,
    console: &Console,
) -> Result<Dataset> {
    check(files, guarantee, common)?;
    let policy = PolicyFile::read(&files.policy)?;
    let data = options(common).open_under(files.data()?, policy)?;
    data.warnings().iter().for_each(|warning| console.warn(warning));
    Ok(data)
}

/// Checks that the guarantee is valid and the release can be written, before anything is read.
///
/// # Errors
/// When they are not.
pub(super) fn check(files: &MiningFiles, guarantee: &GuaranteeFlags, common: &Common) -> Result<()> {
    refuse_existing(&files.out, common.force)?;
    report::check(&files.report, common)?;
    if !files.report.is_empty() && files.data()? == Path::new("-") {
        return Err(Error::parameters(
            "standard input can be read only once, and a report needs the table again",
        )
        .of_parameter("report")
        .help("save the table to a file first"));
    }
    guarantee.request().on(&PolicyFile::read(&files.policy)?.policy)?;
    Ok(())
}

/// Refuses to write a model to a file that is named like a table or a page.
///
/// # Errors
/// When it is.
pub(super) fn refuse_table_name(out: &Path) -> Result<()> {
    let ending = out.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    let is_page = ["html", "md", "pdf", "toml", "xlsx"].contains(&ending.as_str());
    if is_page || format_of_name(out).is_ok() {
        return Err(Error::parameters(format!(
            "a model is written as JSON, and this name ends in .{ending}"
        ))
        .in_file(out)
        .help("choose a name that ends in .json"));
    }
    Ok(())
}

/// The job with the ledger that was named.
pub(super) fn recorded<W: MiningWork>(job: Job<W>, files: &MiningFiles) -> Job<W> {
    match &files.ledger.ledger {
        Some(path) => job.ledger(path).earlier(&files.ledger.earlier),
        None => job,
    }
}

/// The error of something that failed after the release was written, and perhaps recorded in a ledger.
pub(super) fn after_writing(mut error: Error, files: &MiningFiles, what: &str) -> Error {
    let recorded = match &files.ledger.ledger {
        Some(ledger) => format!(" and recorded in {}", ledger.display()),
        None => String::new(),
    };
    let done = format!(
        "the release passed its audit and is written to {}{recorded}; only the {what} is missing",
        files.out.display()
    );
    error.help = Some(error.help.map_or_else(|| done.clone(), |help| format!("{help}; {done}")));
    error
}

/// How files are read.
pub(super) fn options(common: &Common) -> OpenOptions {
    OpenOptions::new().threads(common.threads).progress(Arc::new(Bar::new(common.quiet)))
}

/// Prints the warnings for the owner.
pub(super) fn warn<T: Mined>(mined: &Audited<T>, console: &Console) {
    mined.warnings().iter().for_each(|warning| console.warn(&flags::of_mining(warning)));
    for given_up in mined.weakened() {
        console.warn(&format!("the policy requires more than this release guarantees: {given_up}"));
    }
    if !mined.guarantee().iter().any(|asked| asked.starts_with("k = ")) {
        let smallest = counted(mined.report().k, "individual");
        console.warn(&format!("no k is required; the smallest group has {smallest}"));
    }
}

/// Whether an existing file may be replaced.
pub(super) fn existing(common: &Common) -> Existing {
    if common.force { Existing::Replace } else { Existing::Keep }
}
