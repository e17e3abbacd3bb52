//! The folder of a comparison: its plan, intermediate results, and finally the report.

use super::data::Divided;
use super::{Cells, CheckedCompareParams, CompareData, ComparedMethod};
use crate::{Error, Result};
use incrowd_eval::comparison::Comparison;
use incrowd_eval::report;
use incrowd_io::write::{make_folder, refuse_existing, write_new};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

const PLAN: &str = "plan.json";
const CELLS: &str = "cells.jsonl";
const JSON: &str = "comparison.json";
const CSV: &str = "comparison.csv";
const REPORT: &str = "report.html";

/// The folder of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFolder {
    path: PathBuf,
}

impl ReportFolder {
    /// Opens a folder for a comparison, and creates it if necessary. If the folder has the same comparison, finished or
    /// not, it is resumed.
    ///
    /// Problems that would prevent writing the report are detected here, not after hours of work.
    ///
    /// # Errors
    /// When there is nothing to compare (then nothing is written); when the folder has another comparison, or other
    /// files with the names of a comparison's files, and `force` is not set; or when the file system fails.
    pub(crate) fn take(
        path: &Path,
        source: CompareData<'_>,
        params: &CheckedCompareParams,
        force: bool,
    ) -> Result<Self> {
        let plan = plan(&Divided::new(source, params)?, params);
        make_folder(path)?;
        let folder = Self { path: path.to_owned() };
        let is_same = folder.is_planned(&plan);
        if !force && !is_same {
            folder.refuse_others()?;
        }
        Self::files(path).iter().try_for_each(|file| refuse_existing(file, true))?;
        if !is_same {
            write_new(&folder.file(PLAN), true, |out| out.write_all(plan.as_bytes()))?;
        }
        Ok(folder)
    }

    /// Returns the files that a comparison in this folder writes.
    pub fn files(path: &Path) -> [PathBuf; 5] {
        [PLAN, CELLS, JSON, CSV, REPORT].map(|name| path.join(name))
    }

    /// Returns the path of the report of a comparison in this folder.
    pub fn report(path: &Path) -> PathBuf {
        path.join(REPORT)
    }

    /// Whether the folder has this plan. A file of another length is not read.
    fn is_planned(&self, plan: &str) -> bool {
        let file = self.file(PLAN);
        let is_alike = fs::symlink_metadata(&file)
            .is_ok_and(|there| there.is_file() && there.len() == plan.len() as u64);
        is_alike && fs::read(&file).is_ok_and(|there| there == plan.as_bytes())
    }

    /// Fails if a comparison would replace or append to existing files.
    fn refuse_others(&self) -> Result<()> {
        let is_there = |name: &&str| fs::symlink_metadata(self.file(name)).is_ok();
        if self.is_only_planned() {
            return Ok(());
        }
        if is_there(&PLAN) {
            return Err(Error::parameters("the folder contains another comparison").in_file(self.file(PLAN)).help(
                "name another folder, or replace its report (`force`; matching intermediate results are used again)",
            ));
        }
        match [CELLS, JSON, CSV, REPORT].into_iter().find(is_there) {
            None => Ok(()),
            Some(name) => Err(Error::parameters(
                "the folder contains a file with this name, but no plan of a comparison",
            )
            .in_file(self.file(name))
            .help("name another folder, or replace the files that a comparison writes (`force`)")),
        }
    }

    /// Whether the folder has a plan and an empty file of findings: the comparison failed before it found anything.
    fn is_only_planned(&self) -> bool {
        let length = |name: &str| {
            fs::symlink_metadata(self.file(name)).ok().filter(fs::Metadata::is_file).map(|own| own.len())
        };
        let has_others =
            [JSON, CSV, REPORT].into_iter().any(|name| fs::symlink_metadata(self.file(name)).is_ok());
        length(PLAN).is_some() && length(CELLS) == Some(0) && !has_others
    }

    /// Returns the findings so far. New findings are appended.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub(crate) fn cells(&self) -> Result<Cells> {
        Cells::open(&self.file(CELLS))
    }

    /// Writes `report.html`, `comparison.json` and `comparison.csv`, each atomically.
    ///
    /// # Errors
    /// When the file system fails.
    pub(crate) fn write(&self, comparison: &Comparison) -> Result<()> {
        let json = serde_json::to_string_pretty(comparison)
            .map_err(|error| Error::internal(format!("the comparison cannot be written as JSON: {error}")))?;
        let files = [(JSON, json + "\n"), (CSV, report::csv(comparison)), (REPORT, report::html(comparison))];
        for (name, text) in files {
            write_new(&self.file(name), true, |out| out.write_all(text.as_bytes()))?;
        }
        Ok(())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

/// The plan of a comparison, readable by people. It identifies the comparison.
fn plan(divided: &Divided<'_>, params: &CheckedCompareParams) -> String {
    let plan = json!({
        "data": divided.source.name,
        "digest": divided.fingerprint,
        "methods": params.methods.iter().map(|method: &ComparedMethod| method.name()).collect::<Vec<_>>(),
        "k": params.ks,
        "besides": params.besides(),
        "inducers": params.inducers.iter().map(|inducer| inducer.name()).collect::<Vec<_>>(),
        "cv": divided.protocol(params.protocol),
        "seed": params.seed,
    });
    format!("{plan:#}\n")
}
