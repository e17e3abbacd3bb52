//! The folder of a comparison: its plan, what was found so far, and in the end the report.

use super::{Cells, CheckedCompareParams, Method};
use crate::eval::comparison::Comparison;
use crate::eval::report;
use crate::io::write::{failure, write_new};
use crate::{Error, Result};
use serde_json::json;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folder of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFolder {
    path: PathBuf,
}

impl ReportFolder {
    /// Takes a folder for a comparison, and makes it where it is not there. One that holds the same comparison, finished or not, is gone on with.
    ///
    /// # Errors
    /// When the folder holds another comparison and `force` does not say to take it over, or the file system fails.
    pub fn take(path: &Path, data: &str, params: &CheckedCompareParams, force: bool) -> Result<Self> {
        std::fs::create_dir_all(path).map_err(|error| failure(&error).in_file(path))?;
        let folder = Self { path: path.to_owned() };
        let plan = plan(data, params);
        let file = folder.file("plan.json");
        match std::fs::read_to_string(&file) {
            Ok(there) if there == plan => return Ok(folder),
            Ok(_) if !force => {
                return Err(Error::new("the folder holds another comparison").in_file(file).help(
                    "name another folder; or give --force to replace its report (what was found already is used where it fits)",
                ));
            }
            Err(error) if error.kind() != ErrorKind::NotFound && !force => {
                return Err(Error::new("the plan of an earlier comparison cannot be read")
                    .in_file(file)
                    .help("name another folder, or give --force to replace it"));
            }
            _ => {}
        }
        write_new(&file, true, |out| out.write_all(plan.as_bytes()))?;
        Ok(folder)
    }

    /// What was found so far; what is found from now on is added.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn cells(&self) -> Result<Cells> {
        Cells::open(&self.file("cells.jsonl"))
    }

    /// Writes `report.html`, `comparison.json` and `comparison.csv`, each whole or not at all.
    ///
    /// # Errors
    /// When the file system fails.
    pub fn write(&self, comparison: &Comparison) -> Result<()> {
        let json = serde_json::to_string_pretty(comparison)
            .map_err(|error| Error::new(format!("the comparison cannot be written as JSON: {error}")))?;
        let files = [
            ("comparison.json", json + "\n"),
            ("comparison.csv", report::csv(comparison)),
            ("report.html", report::html(comparison)),
        ];
        for (name, text) in files {
            write_new(&self.file(name), true, |out| out.write_all(text.as_bytes()))?;
        }
        Ok(())
    }

    /// Where the report lies.
    pub fn report(&self) -> PathBuf {
        self.file("report.html")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

/// What is compared, for people and to tell one comparison from another.
fn plan(data: &str, params: &CheckedCompareParams) -> String {
    let plan = json!({
        "data": data,
        "methods": params.methods.iter().map(|method: &Method| method.name()).collect::<Vec<_>>(),
        "k": params.ks,
        "besides": params.guarantee.requirements().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "inducers": params.inducers.iter().map(|inducer| inducer.name()).collect::<Vec<_>>(),
        "cv": params.protocol.to_string(),
        "seed": params.seed,
    });
    format!("{plan:#}\n")
}
