//! Models from files: releases of incrowd, and models made elsewhere.

use crate::dataset::OpenOptions;
use crate::unnamed::refuse_unnamed;
use incrowd_core::model::{Clusters, Ensemble, Model, Node, Rules, Tree};
use incrowd_core::predict::{
    ClusterPredictions, EnsemblePredictions, Evaluation, Predictions, UnseenValues, calibration, evaluate,
    evaluate_labels, nearest_centroids, outcomes, predict, predict_scores, unseen_values,
};
use incrowd_core::table::RowsLeftOut;
use incrowd_core::{Error, Result};
use incrowd_io::policy::{PolicyFile, Purpose};
use incrowd_io::release::{ModelRelease, Release, TableRelease};
use incrowd_io::{
    Maker, ReadPlan, TableRead, Target, check_numbers, check_spelling, cluster_plan, export, parse_any_model,
    prediction_plan, prediction_plan_of, read_any_model, read_table, tree_of,
};
use std::path::{Path, PathBuf};

/// Reads a release of incrowd, or a model made elsewhere (scikit-learn trees as JSON, PMML, ONNX; ensembles as JSON or
/// as files of `LightGBM` and `XGBoost`; clusters; rules from arules and mlxtend).
///
/// A model that loads need not be safe: use [`audit`](crate::audit()) to check it.
///
/// # Errors
/// When the file cannot be read or is not a supported model.
pub fn load(path: impl AsRef<Path>) -> Result<Loaded> {
    let path = path.as_ref();
    let (release, maker) = read_any_model(path)?;
    Ok(Loaded { path: Some(path.to_owned()), release, maker })
}

/// Reads a release of incrowd, or a model made elsewhere, from the bytes of its file.
///
/// # Errors
/// As [`load`].
pub fn load_bytes(bytes: Vec<u8>) -> Result<Loaded> {
    let (release, maker) = parse_any_model(bytes)?;
    Ok(Loaded { path: None, release, maker })
}

/// A release, or a model made elsewhere, loaded from a file.
#[derive(Debug, Clone)]
pub struct Loaded {
    path: Option<PathBuf>,
    release: Release,
    maker: Maker,
}

impl Loaded {
    /// Returns the name of the family: `tree`, `ensemble`, `clusters`, `rules` or `table`.
    pub fn family(&self) -> &'static str {
        self.release.family()
    }

    /// Returns the number of individuals that it was made from, if stated.
    pub fn individuals(&self) -> Option<u64> {
        self.release.individuals()
    }

    /// Returns whether the individuals that it was made from have several rows: the file states it, or its populations
    /// add up to more than the individuals. An individual then counts once in every bin in which they have a row.
    pub fn has_several_rows(&self) -> bool {
        let (Release::Model(ModelRelease { origin, .. }) | Release::Table(TableRelease { origin, .. })) =
            &self.release;
        let is_stated = origin.measured.get("several_rows") == Some(&true.into());
        let population = match self.model() {
            Some(Model::Tree(tree)) => outcomes(tree)[0].population(),
            Some(Model::Clusters(clusters)) => {
                clusters.centroids().iter().map(|centroid| centroid.population).sum()
            }
            _ => None,
        };
        is_stated || population.zip(self.individuals()).is_some_and(|(sum, all)| sum > all)
    }

    /// Returns the guarantee that the file claims. Only an audit shows whether it holds.
    pub fn guarantee(&self) -> &[String] {
        match &self.release {
            Release::Model(release) => &release.origin.guarantee,
            Release::Table(release) => &release.origin.guarantee,
        }
    }

    /// Returns the model; `None` for the release of a table.
    pub fn model(&self) -> Option<&Model> {
        match &self.release {
            Release::Model(release) => Some(&release.model),
            Release::Table(_) => None,
        }
    }

    /// Returns the name of the table's file, for the release of a table.
    pub fn table_file(&self) -> Option<&str> {
        match &self.release {
            Release::Model(_) => None,
            Release::Table(release) => Some(&release.file),
        }
    }

    /// Returns the tree.
    ///
    /// # Errors
    /// When it is not a tree.
    pub fn tree(&self) -> Result<&Tree> {
        match self.model() {
            Some(Model::Tree(tree)) => Ok(tree),
            // The error for everything that is not a tree.
            _ => match tree_of(self.release.clone()) {
                Err(error) => Err(self.located(error)),
                Ok(_) => Err(self.located(Error::internal("a tree is not a tree"))),
            },
        }
    }

    /// Returns the ensemble, if it is one.
    pub fn ensemble(&self) -> Option<&Ensemble> {
        match self.model() {
            Some(Model::Ensemble(ensemble)) => Some(ensemble),
            _ => None,
        }
    }

    /// Returns the clusters, if it is clusters.
    pub fn clusters(&self) -> Option<&Clusters> {
        match self.model() {
            Some(Model::Clusters(clusters)) => Some(clusters),
            _ => None,
        }
    }

    /// Returns the rules, if it is rules.
    pub fn rules(&self) -> Option<&Rules> {
        match self.model() {
            Some(Model::Rules(rules)) => Some(rules),
            _ => None,
        }
    }

    pub(crate) fn release(&self) -> &Release {
        &self.release
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Adds the name of the file to an error.
    pub(crate) fn located(&self, error: Error) -> Error {
        match &self.path {
            Some(path) => error.in_file(path),
            None => error,
        }
    }

    /// Returns the text of the release file.
    ///
    /// # Errors
    /// When the model has no release file: it breaks a rule of the format, or its file does not name the class.
    pub fn to_text(&self) -> Result<String> {
        refuse_unnamed(&self.maker)?;
        self.release.to_text()
    }

    /// Returns what the file states about its model.
    #[cfg(feature = "arrow")]
    pub(crate) fn stated(&self) -> Result<&ModelRelease> {
        match &self.release {
            Release::Model(release) => Ok(release),
            Release::Table(_) => Err(self.located(
                Error::input("this is the release file of a table, not a model")
                    .help("audit the table itself"),
            )),
        }
    }

    pub(crate) fn maker(&self) -> &Maker {
        &self.maker
    }

    /// Exports a tree or an ensemble for another program.
    ///
    /// # Errors
    /// When it is neither, its file does not name the class, or the format cannot express it.
    pub fn export(&self, target: Target) -> Result<Vec<u8>> {
        let exported = match &self.release {
            Release::Model(release) if matches!(release.model, Model::Tree(_) | Model::Ensemble(_)) => {
                refuse_unnamed(&self.maker).and_then(|()| export(release, target))
            }
            _ => Err(Error::input(format!("expected a tree or an ensemble, found {}", self.family()))
                .help("name the release of a decision tree or of boosted trees")),
        };
        exported.map_err(|error| self.located(error))
    }

    /// Predicts the rows of a table: a tree or an ensemble predicts classes, clusters predict the nearest centroids.
    pub fn predict(&self, table: impl AsRef<Path>) -> PredictionJob<'_> {
        PredictionJob {
            loaded: self,
            table: table.as_ref().to_owned(),
            looks: Looks::Plan(ReadPlan::default()),
            options: OpenOptions::new(),
        }
    }
}

/// How the file of new rows is read.
#[derive(Debug, Clone)]
pub(crate) enum Looks {
    Plan(ReadPlan),
    Policy(Box<PolicyFile>),
}

/// A builder for predictions.
#[derive(Debug, Clone)]
#[must_use = "nothing happens until it is run"]
pub struct PredictionJob<'m> {
    loaded: &'m Loaded,
    table: PathBuf,
    looks: Looks,
    options: OpenOptions,
}

/// The predictions of a model for the rows of a table.
#[derive(Debug, Clone)]
pub struct PredictionResult<P> {
    /// The prediction of each row.
    pub predictions: P,
    /// Their evaluation, if the table has the class.
    pub evaluation: Option<Evaluation>,
    /// The rows left out because a value is missing, according to the policy.
    pub rows_left_out: RowsLeftOut,
    /// Which rows of the file these are, counted from 0; ascending.
    pub left_out_at: Vec<u64>,
    /// For each attribute of a tree or an ensemble, how many rows have a value that the model does not know.
    pub unseen: Vec<UnseenValues>,
}

impl PredictionJob<'_> {
    /// Reads the new rows as the policy describes the owner's table.
    pub fn policy(mut self, policy: PolicyFile) -> Self {
        self.looks = Looks::Policy(Box::new(policy));
        self
    }

    /// Describes the file of new rows. Everything not specified is detected.
    pub fn plan(mut self, plan: ReadPlan) -> Self {
        self.looks = Looks::Plan(plan);
        self
    }

    /// Sets how the file is read.
    pub fn options(mut self, options: OpenOptions) -> Self {
        self.options = options;
        self
    }

    /// Predicts the class of every row by a tree.
    ///
    /// # Errors
    /// When the model is not a tree, the table lacks an attribute that it tests, or the program that made the tree
    /// would predict nothing for a row.
    pub fn classes(self) -> Result<PredictionResult<Predictions>> {
        let (loaded, tree) = (self.loaded, self.loaded.tree()?);
        let TableRead { table, rows_left_out, left_out_at, .. } = self.rows_of_trees()?;
        let predictions = predict(&table, tree).map_err(|error| error.in_file(&self.table))?;
        if let Maker::Elsewhere(elsewhere) = &loaded.maker {
            check_numbers(&[tree], &table, elsewhere)
                .and_then(|()| check_routes(tree, &predictions))
                .map_err(|error| error.in_file(&self.table))?;
        }
        let evaluation = evaluate(&table, tree, &predictions);
        let unseen = loaded.model().map_or_else(Vec::new, |model| unseen_values(&table, model));
        Ok(PredictionResult { predictions, evaluation, rows_left_out, left_out_at, unseen })
    }

    /// Predicts the class of every row by the scores of an ensemble.
    ///
    /// # Errors
    /// When the model is not an ensemble, the table lacks an attribute that it tests, or a test has no branch for a
    /// value.
    pub fn scores(self) -> Result<PredictionResult<EnsemblePredictions>> {
        let loaded = self.loaded;
        let Some(ensemble) = loaded.ensemble() else {
            let family = loaded.family();
            return Err(loaded.located(Error::input(format!("expected an ensemble, found {family}"))));
        };
        refuse_unnamed(&loaded.maker).map_err(|error| loaded.located(error))?;
        let TableRead { table, rows_left_out, left_out_at, .. } = self.rows_of_trees()?;
        if let (Maker::Elsewhere(elsewhere), Some(model)) = (&loaded.maker, loaded.model()) {
            check_numbers(&model.trees(), &table, elsewhere).map_err(|error| error.in_file(&self.table))?;
        }
        let predictions = predict_scores(&table, ensemble).map_err(|error| error.in_file(&self.table))?;
        let label = |row: usize| predictions.label_of_row[row];
        let fit = || calibration(&table, ensemble.class(), &predictions.label_of_row, &predictions.shares);
        let evaluation = evaluate_labels(&table, ensemble.class(), label)
            .map(|evaluation| Evaluation { calibration: fit(), ..evaluation });
        let unseen = loaded.model().map_or_else(Vec::new, |model| unseen_values(&table, model));
        Ok(PredictionResult { predictions, evaluation, rows_left_out, left_out_at, unseen })
    }

    /// Reads the columns that a tree or an ensemble tests, and its class.
    fn rows_of_trees(&self) -> Result<TableRead> {
        let loaded = self.loaded;
        let Some(model) = loaded.model() else {
            return Err(loaded.located(Error::input("expected a model")));
        };
        let plan = match &self.looks {
            Looks::Policy(policy) => prediction_plan_of(model, &loaded.maker, policy),
            Looks::Plan(plan) => prediction_plan(model, &loaded.maker, plan.clone()),
        }
        .map_err(|error| loaded.located(error))?;
        let reading = self.options.reading();
        if let Maker::Elsewhere(_) = &loaded.maker {
            check_spelling(&self.table, &plan, model, reading.threads, reading.progress)?;
        }
        self.read(&plan)
    }

    /// Finds the nearest centroid of every row.
    ///
    /// # Errors
    /// When the model is not clusters, or the table lacks one of their attributes.
    pub fn clusters(self) -> Result<PredictionResult<ClusterPredictions>> {
        let TableRead { table, rows_left_out, left_out_at, .. } = self.rows_of_clusters()?;
        let predictions = nearest_centroids(&table, self.clusters_of_model()?)
            .map_err(|error| error.in_file(&self.table))?;
        Ok(PredictionResult { predictions, evaluation: None, rows_left_out, left_out_at, unseen: Vec::new() })
    }

    /// Reads the columns that clusters use, in the same way as predicting.
    ///
    /// # Errors
    /// When the model is not clusters, or the table lacks one of their attributes.
    pub fn rows_of_clusters(&self) -> Result<TableRead> {
        let loaded = self.loaded;
        let plan = match &self.looks {
            Looks::Policy(policy) => policy.read_plan(Purpose::Source),
            Looks::Plan(plan) => plan.clone(),
        };
        let plan = cluster_plan(self.clusters_of_model()?, &loaded.maker, plan)
            .map_err(|error| loaded.located(error))?;
        self.read(&plan)
    }

    fn clusters_of_model(&self) -> Result<&Clusters> {
        let loaded = self.loaded;
        loaded.clusters().ok_or_else(|| {
            loaded.located(Error::input(format!("expected clusters, found {}", loaded.family())))
        })
    }

    fn read(&self, plan: &ReadPlan) -> Result<TableRead> {
        let reading = self.options.reading();
        read_table(&self.table, plan, reading.threads, reading.progress)
    }
}

/// Fails if the program that made a model would predict nothing for a row.
fn check_routes(tree: &Tree, predictions: &Predictions) -> Result<()> {
    for (row, &node) in predictions.node_of_row.iter().enumerate() {
        if let Node::Test(test) = &tree.nodes()[node as usize] {
            return Err(Error::input(format!("the model predicts nothing for row {}", row + 1))
                .of_attribute(&tree.attributes()[test.attribute].name)
                .help("leave out rows with missing values or with values that the model does not contain"));
        }
    }
    Ok(())
}
