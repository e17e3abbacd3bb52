//! Frames of other programs in memory: opened, audited and predicted like files.

use crate::dataset::{Dataset, OpenOptions};
use crate::files::{Data, audit_stated_model, check_source, uncounted_identifiers};
use crate::job::Job;
use crate::loaded::Loaded;
use crate::profiling::ProfileJob;
use crate::released::{check_public, read_with_sets};
use crate::table_audit::{audit_written, check_without, skip};
use crate::unnamed::refuse_unnamed;
use crate::work::with_weakened;
use incrowd_core::audit::Report;
use incrowd_core::model::Model;
use incrowd_core::recoding::{Recoding, RecodingCounts, Shown};
use incrowd_core::table::Table;
use incrowd_core::{Error, Result};
use incrowd_io::policy::{PolicyFile, Purpose};
use incrowd_io::release::ModelRelease;
use incrowd_io::{
    Format, Frame, MissingRows, ReadPlan, RepeatedIdentifier, cluster_plan, prediction_plan, read_frame,
    recoding_plan,
};

impl OpenOptions {
    /// Opens a frame under a policy. The policy's `[file]` section on the layout of a file is ignored.
    ///
    /// # Errors
    /// When the frame does not fit the policy.
    pub fn open_frame(&self, mut frame: Frame, policy: PolicyFile) -> Result<Dataset> {
        policy.refuse_baskets()?;
        let plan = policy.read_plan(Purpose::Source);
        // An identifier of a type that cannot be read is not compared.
        let identifiers = uncounted_identifiers(&policy.policy);
        let repeats = frame.repeated_identifiers(&plan, &identifiers).unwrap_or_default();
        let repeats = repeats.iter().map(RepeatedIdentifier::warning).collect();
        let read = self.read_frame(frame, &plan)?;
        check_source(&read, &policy.policy)?;
        Ok(Dataset::of_frame(read, repeats, policy, self.clone()))
    }

    /// Prepares the audit of an anonymized table of any origin, in memory.
    pub fn audit_frame(&self, frame: Frame, policy: PolicyFile) -> Job<FrameAuditWork> {
        let stated = policy.policy.clone();
        Job::new(&stated, self, FrameAuditWork { frame, policy, without: Vec::new() })
    }

    /// Reads a frame and prepares its profile.
    ///
    /// # Errors
    /// When the frame cannot be read.
    pub fn profile_frame(&self, frame: Frame) -> Result<ProfileJob> {
        let plan = ReadPlan::default().with_missing_rows(MissingRows::Keep);
        let table = self.read_frame(frame, &plan)?.table;
        Ok(self.profile_table(table).plan(plan.with_format(Format::Frame)))
    }

    /// Recodes the rows of a frame like a released table, and returns the recoded columns. The policy describes how
    /// they are read. Every row stays; other columns are skipped.
    ///
    /// # Errors
    /// When the frame lacks a public column of the released table.
    pub fn recode_frame(
        &self,
        frame: Frame,
        recoding: &Recoding,
        shown: Shown,
        policy: Option<&PolicyFile>,
    ) -> Result<(Table, RecodingCounts)> {
        let legend = recoding.legend();
        let mut file = policy.map_or_else(ReadPlan::default, |policy| policy.read_plan(Purpose::Source));
        file.columns.retain(|name, _| legend.attributes.iter().any(|attribute| attribute.name == *name));
        let read = self.read_frame(frame, &recoding_plan(legend, file))?;
        recoding.apply_shown(&read.table, shown, self.receiver())
    }

    fn read_frame(&self, frame: Frame, plan: &ReadPlan) -> Result<incrowd_io::TableRead> {
        let reading = self.reading();
        read_frame(frame, plan, reading.threads, reading.progress)
    }
}

/// A builder for the audit of a table in memory.
#[derive(Debug)]
pub struct FrameAuditWork {
    frame: Frame,
    policy: PolicyFile,
    without: Vec<String>,
}

impl Job<FrameAuditWork> {
    /// Audits the table without these columns.
    pub fn without<N: Into<String>>(self, columns: impl IntoIterator<Item = N>) -> Self {
        self.with_work(|work| work.without = columns.into_iter().map(Into::into).collect())
    }

    /// Runs the audit.
    ///
    /// # Errors
    /// When the guarantee cannot be checked. A breach is not an error: see [`Report::holds`].
    pub fn run(self) -> Result<Report> {
        let raised = self.raised()?;
        let Self { options, work: FrameAuditWork { frame, policy, without }, .. } = self;
        let mut plan = policy.read_plan(Purpose::Release);
        skip(&mut plan, &without, &policy);
        let (schema, batches) = frame.collect()?;
        let read = read_with_sets(
            &policy,
            &mut plan,
            |plan| options.read_frame(Frame::of_batches(schema.clone(), batches.clone()), plan),
            |_, _| None,
        )?;
        check_without(&read, &without, &policy)?;
        check_public(&read, &policy, &plan)?;
        let report = audit_written(&read, &without, None, &policy, &raised.guarantee, None)?;
        Ok(with_weakened(report, &raised))
    }
}

/// A builder for the audit of a model that was loaded, against the frame it was made from.
#[derive(Debug)]
pub struct LoadedAuditWork {
    model: Loaded,
    frame: Frame,
    policy: PolicyFile,
}

impl OpenOptions {
    /// Prepares the audit of a model that was loaded, ours or one made elsewhere, against the frame it was made from.
    pub fn audit_loaded(&self, model: Loaded, frame: Frame, policy: PolicyFile) -> Job<LoadedAuditWork> {
        let stated = policy.policy.clone();
        Job::new(&stated, self, LoadedAuditWork { model, frame, policy })
    }
}

impl Job<LoadedAuditWork> {
    /// Runs the audit. A frame has types, so its numbers have only one spelling; unlike for a file, the spelling is not
    /// checked.
    ///
    /// # Errors
    /// When the guarantee cannot be checked. A breach is not an error: see [`Report::holds`].
    pub fn run(self) -> Result<Report> {
        let raised = self.raised()?;
        let Self { options, work: LoadedAuditWork { model, frame, policy }, .. } = self;
        let stated = model.stated()?.clone();
        let read = |plan: &ReadPlan, _: &ModelRelease| {
            let read = options.read_frame(frame, plan)?;
            check_source(&read, &policy.policy)?;
            Ok(Data::of_table(read.table, policy.policy.clone(), read.rows_left_out))
        };
        let report = audit_stated_model(stated, model.maker(), &policy, &raised.guarantee, read, None)
            .map_err(|error| model.located(error))?;
        Ok(with_weakened(report, &raised))
    }
}

impl Loaded {
    /// Reads the columns of a frame that a tree or an ensemble tests or that clusters use, as the policy describes the
    /// owner's table. Every row stays; other columns are skipped.
    ///
    /// # Errors
    /// When the model does not predict, or the frame lacks a column that it needs.
    pub fn rows_of_frame(
        &self,
        frame: Frame,
        policy: Option<&PolicyFile>,
        options: &OpenOptions,
    ) -> Result<Table> {
        refuse_unnamed(self.maker()).map_err(|error| self.located(error))?;
        let needed = self.model().map(Model::attribute_names).unwrap_or_default();
        let mut file = policy.map_or_else(ReadPlan::default, |policy| policy.read_plan(Purpose::Source));
        file.columns.retain(|name, _| needed.contains(&name.as_str()));
        file.missing_rows = MissingRows::Keep;
        let plan = match self.model() {
            Some(model @ (Model::Tree(_) | Model::Ensemble(_))) => prediction_plan(model, self.maker(), file),
            Some(Model::Clusters(clusters)) => cluster_plan(clusters, self.maker(), file),
            _ => Err(Error::input(format!("{} do not predict", self.family()))),
        }
        .map_err(|error| self.located(error))?;
        options.read_frame(frame, &plan).map(|read| read.table)
    }
}
