//! The folder of a comparison: its plan, what was found so far, and in the end the report.

use super::source::Divided;
use super::{Cells, CheckedCompareParams, Method, Source};
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
    /// Takes a folder for a comparison, and makes it where it is not there. One that holds the same comparison, finished or not, is gone on with.
    ///
    /// Whatever would keep the report from being written is found now, not after hours of work.
    ///
    /// # Errors
    /// When there is nothing to compare (nothing is written then); the folder holds another comparison, or files of somebody else under the names of a
    /// comparison's, and `force` does not say to take it over; or the file system fails.
    pub fn take(path: &Path, source: Source<'_>, params: &CheckedCompareParams, force: bool) -> Result<Self> {
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

    /// The files that a comparison in this folder writes.
    pub fn files(path: &Path) -> [PathBuf; 5] {
        [PLAN, CELLS, JSON, CSV, REPORT].map(|name| path.join(name))
    }

    /// Whether the folder has this plan. Nothing but a file of its length is read.
    fn is_planned(&self, plan: &str) -> bool {
        let file = self.file(PLAN);
        let is_alike = fs::symlink_metadata(&file)
            .is_ok_and(|there| there.is_file() && there.len() == plan.len() as u64);
        is_alike && fs::read(&file).is_ok_and(|there| there == plan.as_bytes())
    }

    /// Fails if there is anything that a comparison would replace or add to.
    fn refuse_others(&self) -> Result<()> {
        let is_there = |name: &&str| fs::symlink_metadata(self.file(name)).is_ok();
        if is_there(&PLAN) {
            return Err(Error::parameters("the folder holds another comparison").in_file(self.file(PLAN)).help(
                "name another folder, or replace its report (`force`; what was found already is used where it fits)",
            ));
        }
        match [CELLS, JSON, CSV, REPORT].into_iter().find(is_there) {
            None => Ok(()),
            Some(name) => Err(Error::parameters("the folder holds a file of this name, but no plan of a comparison")
                .in_file(self.file(name))
                .help("name another folder, or take this one (`force`), and what a comparison writes in it is replaced")),
        }
    }

    /// What was found so far; what is found from now on is added.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn cells(&self) -> Result<Cells> {
        Cells::open(&self.file(CELLS))
    }

    /// Writes `report.html`, `comparison.json` and `comparison.csv`, each whole or not at all.
    ///
    /// # Errors
    /// When the file system fails.
    pub fn write(&self, comparison: &Comparison) -> Result<()> {
        let json = serde_json::to_string_pretty(comparison)
            .map_err(|error| Error::internal(format!("the comparison cannot be written as JSON: {error}")))?;
        let files = [(JSON, json + "\n"), (CSV, report::csv(comparison)), (REPORT, report::html(comparison))];
        for (name, text) in files {
            write_new(&self.file(name), true, |out| out.write_all(text.as_bytes()))?;
        }
        Ok(())
    }

    /// Where the report lies.
    pub fn report(&self) -> PathBuf {
        self.file(REPORT)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

/// What is compared, for people and to tell one comparison from another.
fn plan(divided: &Divided<'_>, params: &CheckedCompareParams) -> String {
    let plan = json!({
        "data": divided.source.name,
        "digest": divided.fingerprint,
        "methods": params.methods.iter().map(|method: &Method| method.name()).collect::<Vec<_>>(),
        "k": params.ks,
        "besides": params.besides(),
        "inducers": params.inducers.iter().map(|inducer| inducer.name()).collect::<Vec<_>>(),
        "cv": divided.protocol(params.protocol),
        "seed": params.seed,
    });
    format!("{plan:#}\n")
}
