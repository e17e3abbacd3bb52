//! What the risks of an audit are measured against: a threshold, and the population that the table is a sample of.

use crate::files::FileReader;
use crate::job::Job;
use crate::work::{AuditWork, ReportWork, TableAuditWork};
use incrowd_core::Result;
use incrowd_core::audit::Report;
use incrowd_core::table::Table;
use incrowd_io::policy::PolicyFile;
use incrowd_io::{ColumnPlan, ReadPlan, Reading, read_table};
use std::path::{Path, PathBuf};

/// The threshold and the population of a report's risks.
#[derive(Debug, Clone, Default)]
pub(crate) struct RiskRequest {
    threshold: Option<f64>,
    size: Option<u64>,
    file: Option<PathBuf>,
}

impl RiskRequest {
    /// The table of the population, if there is one.
    pub(crate) fn population<'a>(&'a self, reading: FileReader<'a>) -> Option<PopulationFile<'a>> {
        self.file.as_deref().map(|path| PopulationFile { path, reading })
    }

    /// The file of the population.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The report with the risks that were requested.
    pub(crate) fn on(&self, mut report: Report) -> Result<Report> {
        if let Some(size) = self.size {
            report.risk = report.risk.with_population_size(size)?;
        }
        if let Some(threshold) = self.threshold {
            report.risk = report.risk.with_threshold(threshold)?;
        }
        Ok(report)
    }
}

/// The file of a population, and how it is read.
#[derive(Clone, Copy)]
pub(crate) struct PopulationFile<'a> {
    path: &'a Path,
    reading: FileReader<'a>,
}

impl PopulationFile<'_> {
    /// Reads what an attacker knows of the population, by the plan that the table was read by. Each row is an
    /// individual.
    pub(crate) fn read(&self, plan: &ReadPlan, policy: &PolicyFile) -> Result<Table> {
        let known = policy.policy.known();
        let mut plan = plan.clone();
        for (name, column) in &mut plan.columns {
            if !known.contains(name) {
                *column = ColumnPlan::new(Reading::Skip);
            }
            column.optional = true;
        }
        Ok(read_table(self.path, &plan, self.reading.threads, self.reading.progress)?.table)
    }

    /// Names the file in an error about the population.
    pub(crate) fn located<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|error| error.in_file(self.path))
    }
}

/// Gives the job of an audit what its risks are measured against.
macro_rules! measures_risk {
    ($($work:ty),+) => {$(
        impl Job<$work> {
            /// Counts risks above this threshold instead of above 0.2.
            pub fn risk_threshold(self, threshold: f64) -> Self {
                self.with_work(|work| work.risk.threshold = Some(threshold))
            }

            /// Measures risks for a population of this many individuals, of which the table is a random sample.
            pub fn population_size(self, individuals: u64) -> Self {
                self.with_work(|work| work.risk.size = Some(individuals))
            }

            /// Measures risks for this population: a table with a row for every individual and the public attributes,
            /// written as in the audited table or the data, which includes their individuals. It takes precedence over
            /// [`Self::population_size`].
            pub fn population(self, table: impl Into<PathBuf>) -> Self {
                self.with_work(|work| (work.risk.file, work.risk.size) = (Some(table.into()), None))
            }
        }
    )+};
}

measures_risk!(AuditWork<'_>, TableAuditWork, ReportWork);
