//! Releases that passed their audit. Only these can be written.

use crate::dataset::OpenOptions;
use crate::ledger::{FiguresTogether, NewRelease, Recording, WrittenFile};
use crate::publication::Publication;
use crate::show::{
    ClusterPicture, EnsembleOutline, Outline, RuleLine, cluster_svg, ensemble_svg, rule_lines, svg,
};
use crate::tables::TableFiles;
use incrowd_core::audit::Report;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::{Clusters, Ensemble, Model, Rules, Tree};
use incrowd_core::predict::{EnsemblePredictions, Predictions, nearest_centroids, predict, predict_scores};
use incrowd_core::table::{RowsLeftOut, Table};
use incrowd_core::{Error, Result};
use incrowd_io::ledger::Family;
use incrowd_io::policy::PolicyFile;
use incrowd_io::release::{ModelRelease, Release, prepare_release, read_release};
use incrowd_io::write::publish_both;
use incrowd_io::{Target, export};
use incrowd_mine::boost::MinedEnsemble;
use incrowd_mine::clusters::MinedClusters;
use incrowd_mine::rules::MinedRules;
use incrowd_mine::table::{CheckedTableParams, MinedTable};
use incrowd_mine::tree::MinedTree;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

/// A release that passed its audit under the guarantee it was mined with.
///
/// Only this type can be written as a release file, and it decides what the file states: only figures that an attacker
/// may know. It dereferences to the mining result, which also has figures for the owner only.
#[derive(Debug, Clone)]
pub struct Audited<T: Mined> {
    mined: T,
    publication: Publication,
    rows_left_out: RowsLeftOut,
    writing: T::Writing,
    recording: Option<Box<Recording>>,
    raised_k: Option<RaisedK>,
    together: Option<FiguresTogether>,
}

/// A release of a ledger that was mined under a larger k than required: under the required one, it did not hold together
/// with the earlier releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct RaisedK {
    /// The k that was required.
    pub required: u64,
    /// The k that the release was mined under.
    pub mined: u64,
}

/// The data needed to write a table, read it back and audit it again.
#[derive(Debug, Clone)]
pub struct TableWriting {
    pub(crate) params: CheckedTableParams,
    pub(crate) policy: Arc<PolicyFile>,
    pub(crate) options: OpenOptions,
}

/// The result of a miner: a model or a table, its audit, and figures for the owner.
pub trait Mined: sealed::Sealed {
    /// Additional data needed to write the result.
    type Writing: std::fmt::Debug + Clone;

    /// Returns the report of the audit that the result passed.
    fn report(&self) -> &Report;
    /// Returns warnings for the owner.
    fn warnings(&self) -> &[String];
}

mod sealed {
    /// Sealed, because this crate audits only its own mining results.
    pub trait Sealed {}
}

macro_rules! mined {
    ($($name:ty, $writing:ty;)+) => {$(
        impl sealed::Sealed for $name {}

        impl Mined for $name {
            type Writing = $writing;

            fn report(&self) -> &Report {
                &self.report
            }

            fn warnings(&self) -> &[String] {
                &self.warnings
            }
        }
    )+};
}

mined!(MinedTree, (); MinedEnsemble, (); MinedTable, TableWriting; MinedClusters, (); MinedRules, (););

impl<T: Mined> Audited<T> {
    pub(crate) fn new(
        mined: T,
        publication: Publication,
        rows_left_out: RowsLeftOut,
        writing: T::Writing,
    ) -> Self {
        Self { mined, publication, rows_left_out, writing, recording: None, raised_k: None, together: None }
    }

    /// The release, to be recorded in a ledger when it is written.
    pub(crate) fn recorded(mut self, recording: Recording) -> Self {
        self.recording = Some(Box::new(recording));
        self
    }

    /// The release, mined under a stricter guarantee than the required one if the k of these differ. Its file states the
    /// required k: the other one says that a release under the required k failed.
    pub(crate) fn mined_under(mut self, required: &Guarantee, mined: &Guarantee) -> Self {
        let (Some(least), Some(most)) = (required.asked_k(), mined.asked_k()) else { return self };
        self.raised_k = (most > least).then_some(RaisedK { required: least, mined: most });
        let stated = |guarantee: &Guarantee| guarantee.requirement_of_k().map(ToString::to_string);
        if let (Some(own), Some(other)) = (stated(required), stated(mined)) {
            self.publication.origin.guarantee.iter_mut().filter(|line| **line == other).for_each(|line| {
                line.clone_from(&own);
            });
        }
        self
    }

    /// The release with what it reveals together with the earlier releases of its ledger.
    pub(crate) fn together_with_ledger(self, figures: FiguresTogether) -> Self {
        Self { together: Some(figures), ..self }
    }

    /// Gives the files of the release their names with `publish`, and records them if there is a ledger.
    fn publish(
        &self,
        release: &WrittenFile<'_>,
        table: Option<&WrittenFile<'_>>,
        publish: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        match &self.recording {
            Some(recording) => recording.add(release, table, publish),
            None => publish(),
        }
    }

    /// Returns the report of the audit that the release passed.
    pub fn report(&self) -> &Report {
        self.mined.report()
    }

    /// Returns warnings for the owner.
    pub fn warnings(&self) -> &[String] {
        self.mined.warnings()
    }

    /// Returns the guarantee of the release, one sentence per requirement.
    pub fn guarantee(&self) -> &[String] {
        &self.publication.origin.guarantee
    }

    /// Returns the requirements of the policy that this release does not meet, because
    /// [`Job::weaken`](crate::Job::weaken) allowed it.
    pub fn weakened(&self) -> &[String] {
        &self.publication.origin.weakened
    }

    /// Returns the k that the release was mined under, if it had to be larger than required to hold together with the
    /// earlier releases of a ledger.
    pub fn raised_k(&self) -> Option<RaisedK> {
        self.raised_k
    }

    /// Returns what the release reveals together with the earlier releases of its ledger, if there are any.
    pub fn together(&self) -> Option<&FiguresTogether> {
        self.together.as_ref()
    }

    /// Returns the rows of the table that were left out because a value is missing.
    pub fn rows_left_out(&self) -> &RowsLeftOut {
        &self.rows_left_out
    }

    /// Returns the mining result. It is for the owner only: it may contain more than the release states.
    pub fn into_mined(self) -> T {
        self.mined
    }
}

impl<T: Mined> Deref for Audited<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.mined
    }
}

/// Whether an existing file may be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existing {
    /// Keep it, and fail.
    #[default]
    Keep,
    /// Replace it atomically.
    Replace,
}

/// The result of a miner that makes a model, which is written as one file.
pub trait MinedModel: Mined {
    /// Returns the model.
    fn model(&self) -> Model;
}

impl MinedModel for MinedTree {
    fn model(&self) -> Model {
        Model::Tree(self.tree.clone())
    }
}

impl MinedModel for MinedEnsemble {
    fn model(&self) -> Model {
        Model::Ensemble(self.ensemble.clone())
    }
}

impl MinedModel for MinedClusters {
    fn model(&self) -> Model {
        Model::Clusters(self.clusters.clone())
    }
}

impl MinedModel for MinedRules {
    fn model(&self) -> Model {
        Model::Rules(self.rules.clone())
    }
}

/// A mining result that can be recorded in a ledger.
pub(crate) trait Recorded: Mined {
    const FAMILY: Family;

    /// What a joint audit needs to know of it; `table` is the table that it was made from.
    fn new_release(&self, table: &Table) -> Result<NewRelease>;
}

macro_rules! recorded {
    ($($name:ty, $family:ident;)+) => {$(
        impl Recorded for $name {
            const FAMILY: Family = Family::$family;

            fn new_release(&self, _table: &Table) -> Result<NewRelease> {
                Ok(NewRelease::Model(Box::new(self.model())))
            }
        }
    )+};
}

recorded!(MinedTree, Tree; MinedEnsemble, Boost; MinedClusters, Clusters; MinedRules, Rules;);

impl Recorded for MinedTable {
    const FAMILY: Family = Family::Table;

    fn new_release(&self, table: &Table) -> Result<NewRelease> {
        let recoded = Box::new(self.recoding.apply(table)?);
        Ok(NewRelease::Table { recoded, released: Box::new(self.table.clone()) })
    }
}

impl<T: MinedModel> Audited<T> {
    /// Writes the release. The written bytes are read back and compared with the audited release before the file gets
    /// its final name.
    ///
    /// # Errors
    /// When the file exists, there is nothing to release, or the file system fails. No file is left behind then.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write_as(path, Existing::Keep)
    }

    /// Writes the release, and replaces an existing file if `existing` allows it.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn write_as(&self, path: impl AsRef<Path>, existing: Existing) -> Result<()> {
        let path = path.as_ref();
        let release = self.release()?;
        let prepared = prepare_release(path, &release, existing == Existing::Replace)?;
        let read = read_release(prepared.written()).map_err(|mut error| {
            error.place.file = Some(path.to_owned());
            error
        })?;
        if read != release {
            return Err(Error::internal("the release read back differs from the one written").in_file(path));
        }
        let written = prepared.written().to_owned();
        self.publish(&WrittenFile { path, written: &written }, None, || prepared.publish())
    }

    /// Returns the text of the release file.
    ///
    /// # Errors
    /// When there is nothing to release, the release exceeds a limit of the format, or it is to be recorded in a ledger:
    /// then it must be written as a file.
    pub fn to_text(&self) -> Result<String> {
        if self.recording.is_some() {
            return Err(Error::parameters("a release of a ledger must be written as a file")
                .of_parameter("ledger")
                .help("write the release, and read its file"));
        }
        self.release()?.to_text()
    }

    fn release(&self) -> Result<Release> {
        Ok(Release::Model(self.model_release()?))
    }

    fn model_release(&self) -> Result<ModelRelease> {
        let model = self.mined.model();
        if matches!(&model, Model::Rules(rules) if rules.rules().is_empty()) {
            return Err(Error::unsatisfiable(
                "no rule satisfies the guarantee, so there is nothing to release",
            )
            .help("require less, or mine rules with more support"));
        }
        let origin = self.publication.origin.clone();
        Ok(ModelRelease { model, individuals: Some(self.report().individuals), origin })
    }
}

impl Audited<MinedTree> {
    /// Returns the tree.
    pub fn model(&self) -> &Tree {
        &self.mined.tree
    }

    /// Predicts the class of the rows of a table.
    ///
    /// # Errors
    /// When the table lacks an attribute that the tree tests.
    pub fn predict(&self, table: &Table) -> Result<Predictions> {
        predict(table, &self.mined.tree)
    }

    /// Draws the tree as a self-contained picture (SVG). The module [`show`](crate::show) has other forms.
    ///
    /// # Errors
    /// When the tree has more leaves than a picture may show.
    pub fn show(&self) -> Result<String> {
        let report = self.report();
        let outline = Outline::new(self.model(), None).of_individuals(Some(report.individuals));
        svg(&outline.of_several_rows(report.has_several_rows()))
    }

    /// Exports the tree for another program.
    ///
    /// # Errors
    /// When the format cannot express the tree.
    pub fn export(&self, target: Target) -> Result<Vec<u8>> {
        export(&self.model_release()?, target)
    }
}

impl Audited<MinedEnsemble> {
    /// Returns the ensemble.
    pub fn model(&self) -> &Ensemble {
        &self.mined.ensemble
    }

    /// Predicts the class of the rows of a table, and the share of each class value.
    ///
    /// # Errors
    /// When the table lacks an attribute that the ensemble tests.
    pub fn predict(&self, table: &Table) -> Result<EnsemblePredictions> {
        predict_scores(table, &self.mined.ensemble)
    }

    /// Draws what matters, the cells and the first trees as a self-contained picture (SVG). The module
    /// [`show`](crate::show) has other forms.
    ///
    /// # Errors
    /// When the first trees have more leaves than a picture may show.
    pub fn show(&self) -> Result<String> {
        let outline = EnsembleOutline::new(self.model(), None, None);
        ensemble_svg(self.model(), &outline, Some(self.report().individuals))
    }

    /// Exports the ensemble for another program.
    ///
    /// # Errors
    /// When the format cannot express the ensemble.
    pub fn export(&self, target: Target) -> Result<Vec<u8>> {
        export(&self.model_release()?, target)
    }
}

impl Audited<MinedRules> {
    /// Returns the rules.
    pub fn model(&self) -> &Rules {
        &self.mined.rules
    }

    /// Returns the rules as lines of text with their measures, by descending confidence.
    pub fn show(&self) -> Vec<RuleLine> {
        rule_lines(self.model(), Some(self.report().individuals))
    }
}

impl Audited<MinedClusters> {
    /// Returns the clusters.
    pub fn model(&self) -> &Clusters {
        &self.mined.clusters
    }

    /// Draws the centroids and their cells as a self-contained picture (SVG). [`cluster_svg`] can also draw rows and
    /// choose the attributes.
    ///
    /// # Errors
    /// When the clusters have fewer than two numeric attributes.
    pub fn show(&self) -> Result<String> {
        let individuals = Some(self.report().individuals);
        let clusters = self.model();
        cluster_svg(&ClusterPicture { clusters, individuals, table: None, linking: None, plane: None })
    }

    /// Predicts the cluster of each row of a table, counted from 0.
    ///
    /// # Errors
    /// When the table lacks an attribute of the clusters.
    pub fn predict(&self, table: &Table) -> Result<Vec<u32>> {
        nearest_centroids(table, &self.mined.clusters).map(|predictions| predictions.cluster_of_row)
    }
}

impl Audited<MinedTable> {
    /// Applies the release's recoding to new rows, so that a model trained on the release can predict them.
    ///
    /// # Errors
    /// When the table lacks a public attribute of the release.
    pub fn transform(&self, table: &Table) -> Result<Table> {
        self.mined.recoding.apply(table)
    }

    /// Writes the table (CSV, ARFF or Parquet, by file extension) and the release file next to it. The written table is
    /// read back and audited before both files get their final names.
    ///
    /// # Errors
    /// When a file exists, the file system fails, or the written table does not pass its audit. No file is left behind
    /// then.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<TableFiles> {
        self.write_as(path, Existing::Keep)
    }

    /// Writes the table and its release file, and replaces existing files if `existing` allows it.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn write_as(&self, path: impl AsRef<Path>, existing: Existing) -> Result<TableFiles> {
        let force = existing == Existing::Replace;
        let files = TableFiles::at(path.as_ref(), force)?;
        let writing = &self.writing;
        let origin = self.publication.origin.clone();
        let reading = writing.options.reading();
        let (sidecar, table) =
            files.prepare(&self.mined, &writing.params, &writing.policy, origin, force, reading)?;
        let paths = (sidecar.written().to_owned(), table.written().to_owned());
        let released = WrittenFile { path: &files.sidecar, written: &paths.0 };
        let rows = WrittenFile { path: &files.table, written: &paths.1 };
        self.publish(&released, Some(&rows), || publish_both(sidecar, table))?;
        Ok(files)
    }
}
