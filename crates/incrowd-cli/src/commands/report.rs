//! `incrowd report`: what a data protection board needs to know about a release; and the reports of mining commands.

use super::{flags, mining};
use crate::Outcome;
use crate::args::{Common, GuaranteeFlags, MiningFiles, Report as Arguments};
use crate::console::Console;
use crate::text;
use incrowd::dossier::{DossierFormat, today};
use incrowd::io::policy::PolicyFile;
use incrowd::io::write::refuse_existing;
use incrowd::{Dossier, Job, ReportWork, Result};
use std::path::{Path, PathBuf};

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    check(&arguments.out, common)?;
    let policy = PolicyFile::read(&arguments.policy)?;
    let risk = &arguments.risk;
    let job = mining::options(common)
        .report(&arguments.release, arguments.data.as_deref(), policy)
        .request(arguments.guarantee.request())
        .risk_threshold(risk.risk_threshold)
        .command(command());
    let job = arguments.test.iter().fold(job, Job::held_out);
    let job = arguments.ledger.iter().fold(job, Job::<ReportWork>::ledger);
    let job = match (&risk.population, risk.population_size) {
        (Some(file), _) => job.population(file),
        (None, Some(size)) => job.population_size(size),
        (None, None) => job,
    };
    let dossier = job.run().map_err(flags::of_audit)?;
    dossier.warnings().iter().for_each(|warning| console.warn(warning));
    let dossier = if arguments.public { dossier.public()? } else { dossier };
    write(&dossier, &arguments.out, common)?;
    console.result(&dossier, || text::dossier::render(&dossier, &arguments.out))?;
    Ok(if dossier.holds() { Outcome::Done } else { Outcome::Breach })
}

/// Fails if a report could not be written, before anything else is done.
pub(super) fn check(out: &[PathBuf], common: &Common) -> Result<()> {
    for path in out {
        DossierFormat::of_name(path)?;
        refuse_existing(path, common.force)?;
    }
    if out.is_empty() { Ok(()) } else { today().map(|_| ()) }
}

/// Writes the reports of a release that was mined.
///
/// # Errors
/// As when a report is written. The error says that the release is there.
pub(super) fn of_mined(
    release: &Path,
    files: &MiningFiles,
    guarantee: &GuaranteeFlags,
    common: &Common,
    console: &Console,
) -> Result<()> {
    reports_of_mined(release, files, guarantee, common, console)
        .map_err(|error| mining::after_writing(error, files, "report"))
}

fn reports_of_mined(
    release: &Path,
    files: &MiningFiles,
    guarantee: &GuaranteeFlags,
    common: &Common,
    console: &Console,
) -> Result<()> {
    if let Some(path) = &files.ledger.ledger {
        console.note(&text::ledger::recorded(path, &incrowd::ledger(path, &files.ledger.earlier, None)?));
    }
    if files.report.is_empty() {
        return Ok(());
    }
    let job = mining::options(common)
        .report(release, Some(&files.data()?), PolicyFile::read(&files.policy)?)
        .request(guarantee.request())
        .command(command())
        .seed(common.seed);
    let dossier = files.ledger.ledger.iter().fold(job, Job::<ReportWork>::ledger).run()?;
    write(&dossier, &files.report, common)?;
    files.report.iter().for_each(|path| console.note(&text::dossier::written(path)));
    Ok(())
}

fn write(dossier: &Dossier, out: &[PathBuf], common: &Common) -> Result<()> {
    let is_json = |path: &&PathBuf| DossierFormat::of_name(path).is_ok_and(|own| own == DossierFormat::Json);
    let dossier = match out.iter().find(is_json) {
        Some(json) => &dossier.clone().with_json_file(json),
        None => dossier,
    };
    out.iter().try_for_each(|path| dossier.write_as(path, mining::existing(common)))
}

/// The command as it was typed, with quotes where a shell needs them.
fn command() -> String {
    let quoted = |word: std::ffi::OsString| {
        let word = word.to_string_lossy().into_owned();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
        if !word.is_empty() && word.chars().all(is_plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    std::iter::once("incrowd".to_owned())
        .chain(std::env::args_os().skip(1).map(quoted))
        .collect::<Vec<_>>()
        .join(" ")
}
