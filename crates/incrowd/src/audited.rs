//! Releases that passed their audit, the only things that can be written as one.

use crate::dataset::OpenOptions;
use crate::publication::Publication;
use crate::tables::TableFiles;
use incrowd_core::audit::Report;
use incrowd_core::model::{Model, Rules, Tree};
use incrowd_core::predict::{Predictions, nearest_centroids, predict};
use incrowd_core::table::{RowsLeftOut, Table};
use incrowd_core::{Error, Result};
use incrowd_io::policy::PolicyFile;
use incrowd_io::release::{ModelRelease, Release, prepare_release, read_release};
use incrowd_io::{Target, export};
use incrowd_mine::clusters::MinedClusters;
use incrowd_mine::rules::MinedRules;
use incrowd_mine::table::{CheckedTableParams, MinedTable};
use incrowd_mine::tree::MinedTree;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

/// A release that passed its audit under the guarantee it was mined with.
///
/// Only this type can be written as a release file, and it alone decides what the file states: of the figures, those that an attacker may know.
/// It dereferences to what was mined, with figures that are for the owner alone.
#[derive(Debug, Clone)]
pub struct Audited<T: Mined> {
    mined: T,
    publication: Publication,
    rows_left_out: RowsLeftOut,
    writing: T::Writing,
}

/// What a table needs to be written, read back and audited once more.
#[derive(Debug, Clone)]
pub struct TableWriting {
    pub(crate) params: CheckedTableParams,
    pub(crate) policy: Arc<PolicyFile>,
    pub(crate) options: OpenOptions,
}

/// What a miner makes: a model or a table, its audit, and figures for the owner.
pub trait Mined: sealed::Sealed {
    /// What writing it needs besides.
    type Writing: std::fmt::Debug + Clone;

    /// The audit it passed.
    fn report(&self) -> &Report;
    /// What the owner should know.
    fn warnings(&self) -> &[String];
}

mod sealed {
    /// Only what this crate mines is audited by it.
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

mined!(MinedTree, (); MinedTable, TableWriting; MinedClusters, (); MinedRules, (););

impl<T: Mined> Audited<T> {
    pub(crate) fn new(
        mined: T,
        publication: Publication,
        rows_left_out: RowsLeftOut,
        writing: T::Writing,
    ) -> Self {
        Self { mined, publication, rows_left_out, writing }
    }

    /// The audit it passed.
    pub fn report(&self) -> &Report {
        self.mined.report()
    }

    /// What the owner should know.
    pub fn warnings(&self) -> &[String] {
        self.mined.warnings()
    }

    /// The guarantee it was mined under, one sentence per requirement.
    pub fn guarantee(&self) -> &[String] {
        &self.publication.origin.guarantee
    }

    /// What the policy asks for and this release was allowed to give up.
    pub fn weakened(&self) -> &[String] {
        &self.publication.origin.weakened
    }

    /// The rows of the table that were left out because a value is missing.
    pub fn rows_left_out(&self) -> &RowsLeftOut {
        &self.rows_left_out
    }

    /// What was mined, for the owner alone: it may hold more than the release states.
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

/// Whether a file that is there already may be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existing {
    /// Refuse.
    #[default]
    Keep,
    /// Replace it, whole or not at all.
    Replace,
}

/// What a miner makes that is written as one file: a model.
pub trait MinedModel: Mined {
    /// The model.
    fn model(&self) -> Model;
}

impl MinedModel for MinedTree {
    fn model(&self) -> Model {
        Model::Tree(self.tree.clone())
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

impl<T: MinedModel> Audited<T> {
    /// Writes the release. The written bytes are read back and held against what was audited before the file gets its name.
    ///
    /// # Errors
    /// When something is there already, there is nothing to release, or the file system fails. Nothing is left then that was not there before.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write_as(path, Existing::Keep)
    }

    /// Writes the release, and may replace what is there.
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
            return Err(Error::internal("the release does not read back as it was written").in_file(path));
        }
        prepared.publish()
    }

    /// The text of the release file.
    ///
    /// # Errors
    /// When there is nothing to release, or the release breaks a limit of the format.
    pub fn to_text(&self) -> Result<String> {
        self.release()?.to_text()
    }

    fn release(&self) -> Result<Release> {
        Ok(Release::Model(self.model_release()?))
    }

    fn model_release(&self) -> Result<ModelRelease> {
        let model = self.mined.model();
        if matches!(&model, Model::Rules(rules) if rules.rules().is_empty()) {
            return Err(Error::unsatisfiable("no rule keeps the guarantee, so there is nothing to release")
                .help("ask for less, or for rules that more individuals have"));
        }
        let origin = self.publication.origin.clone();
        Ok(ModelRelease { model, individuals: Some(self.report().individuals), origin })
    }
}

impl Audited<MinedTree> {
    /// The tree.
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

    /// The tree for another program.
    ///
    /// # Errors
    /// When the format cannot express it.
    pub fn export(&self, target: Target) -> Result<Vec<u8>> {
        export(&self.model_release()?, target)
    }
}

impl Audited<MinedRules> {
    /// The rules.
    pub fn model(&self) -> &Rules {
        &self.mined.rules
    }
}

impl Audited<MinedClusters> {
    /// The number of the cluster of each row of a table, counted from 0.
    ///
    /// # Errors
    /// When the table lacks an attribute of the clusters.
    pub fn predict(&self, table: &Table) -> Result<Vec<u32>> {
        nearest_centroids(table, &self.mined.clusters).map(|predictions| predictions.cluster_of_row)
    }
}

impl Audited<MinedTable> {
    /// Applies the release's recoding to new rows, so that what was learned from the release can be asked about them.
    ///
    /// # Errors
    /// When the table lacks a public attribute of the release.
    pub fn transform(&self, table: &Table) -> Result<Table> {
        self.mined.recoding.apply(table)
    }

    /// Writes the table (CSV, ARFF or Parquet, by its name) and the release file beside it. The written table is read back and audited before both get
    /// their names.
    ///
    /// # Errors
    /// When something is there already, the file system fails, or what was written does not pass its audit. Nothing is left then that was not there
    /// before.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<TableFiles> {
        self.write_as(path, Existing::Keep)
    }

    /// Writes the table and its release file, and may replace what is there.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn write_as(&self, path: impl AsRef<Path>, existing: Existing) -> Result<TableFiles> {
        let force = existing == Existing::Replace;
        let files = TableFiles::at(path.as_ref(), force)?;
        let writing = &self.writing;
        let origin = self.publication.origin.clone();
        let reading = writing.options.reading();
        files.write(&self.mined, &writing.params, &writing.policy, origin, force, reading)?;
        Ok(files)
    }
}
