//! Trees, clusters and rules: mined here, or read from a release.

use crate::dataset::json_of;
use crate::error::raised;
use crate::frame::{bytes_of, frame};
use crate::request::{named, policy};
use crate::work::{Follower, run};
use incrowd::io::Target;
use incrowd::mine::rules::MinedRules;
use incrowd::model::Model as Kinds;
use incrowd::predict::{nearest_centroids, predict, predict_scores};
use incrowd::show::{Outline, rule_lines, svg};
use incrowd::{Audited, Error, Existing, Loaded, MinedModel, OpenOptions, Result, load_bytes};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// Nodes of rows as bytes; for each node the predicted class value, and the share of each.
type Followed<'py> = (Bound<'py, PyBytes>, Vec<u32>, Vec<Option<Vec<f64>>>);

/// New rows: their table, the text and the folder of the policy that describes it, and what watches the work.
#[derive(FromPyObject)]
struct NewRows<'py>(Bound<'py, PyAny>, Option<(String, String)>, Option<Bound<'py, PyAny>>);

type Writer = Arc<dyn Fn(&PathBuf, Existing) -> Result<()> + Send + Sync>;

/// A model.
#[pyclass(frozen)]
pub(crate) struct Model {
    /// None where there is nothing to release: no rule keeps the guarantee.
    loaded: Option<Arc<Loaded>>,
    /// Writes the release; only what was mined here can be written.
    writer: Option<Writer>,
    report: Option<String>,
    summary: String,
}

impl Model {
    /// The model of an audited release.
    pub(crate) fn of_audited<T: MinedModel + Summary + Send + Sync + 'static>(
        audited: Audited<T>,
    ) -> Result<Self>
    where
        T::Writing: Send + Sync,
    {
        let loaded = Arc::new(load_bytes(audited.to_text()?.into_bytes())?);
        let (report, summary) = (json_of(audited.report())?, summary(&audited).to_string());
        let audited = Arc::new(audited);
        let writer: Writer = Arc::new(move |path, existing| audited.write_as(path, existing));
        Ok(Self { loaded: Some(loaded), writer: Some(writer), report: Some(report), summary })
    }

    /// The same for rules, of which there may be none.
    pub(crate) fn of_rules(audited: Audited<MinedRules>) -> Result<Self> {
        if !audited.model().rules().is_empty() {
            return Self::of_audited(audited);
        }
        let (report, summary) = (json_of(audited.report())?, summary(&audited).to_string());
        let writer: Writer = Arc::new(move |path, existing| audited.write_as(path, existing));
        Ok(Self { loaded: None, writer: Some(writer), report: Some(report), summary })
    }

    /// The model as anyone reads it from its release.
    pub(crate) fn loaded(&self) -> PyResult<Arc<Loaded>> {
        self.loaded.clone().ok_or_else(|| {
            raised(Error::unsatisfiable("no rule satisfies the guarantee, so there is nothing to release"))
        })
    }
}

#[pymethods]
impl Model {
    /// Reads a model from the bytes of its file.
    #[staticmethod]
    fn load(bytes: Vec<u8>) -> PyResult<Self> {
        let loaded = load_bytes(bytes).map_err(raised)?;
        let summary = json!({ "guarantee": loaded.guarantee() }).to_string();
        Ok(Self { loaded: Some(Arc::new(loaded)), writer: None, report: None, summary })
    }

    /// The family: tree, ensemble, clusters or rules.
    #[getter]
    fn family(&self) -> &'static str {
        self.loaded.as_ref().map_or("rules", |loaded| loaded.family())
    }

    /// The report of the audit that it passed, as JSON; `None` where it was read from a release.
    #[getter]
    fn report(&self) -> Option<&str> {
        self.report.as_deref()
    }

    /// Figures for the owner, as JSON.
    #[getter]
    fn summary(&self) -> &str {
        &self.summary
    }

    /// The text of the release file.
    fn text(&self) -> PyResult<String> {
        self.loaded()?.to_text().map_err(raised)
    }

    /// Writes the release.
    fn write(&self, py: Python<'_>, path: PathBuf, replace: bool) -> PyResult<()> {
        let existing = if replace { Existing::Replace } else { Existing::Keep };
        let Some(writer) = self.writer.clone() else {
            let error = Error::parameters(
                "the model was not made in this session, so it cannot be written as a release",
            );
            return Err(raised(error.help("fit again, or write the release before pickling")));
        };
        run(py, &Follower::new(), None, move || writer(&path, existing))
    }

    /// The values of the class, or none.
    fn classes(&self) -> PyResult<Vec<String>> {
        let loaded = self.loaded()?;
        match loaded.ensemble() {
            Some(ensemble) => Ok(ensemble.class().values.clone()),
            None => Ok(loaded.tree().map_err(raised)?.class().values.clone()),
        }
    }

    /// The node of each row as 32-bit numbers, and for each node the predicted class value and the share of each.
    fn predict_tree<'py>(&self, py: Python<'py>, rows: NewRows<'py>) -> PyResult<Followed<'py>> {
        let (nodes, labels, shares) = self.follow(py, rows, |loaded, rows| {
            let predictions = predict(rows, loaded.tree()?)?;
            let labels = predictions.outcomes.iter().map(|outcome| outcome.label).collect();
            let shares = predictions.outcomes.iter().map(incrowd::predict::Outcome::shares).collect();
            Ok((bytes_of(&predictions.node_of_row, u32::to_ne_bytes), labels, shares))
        })?;
        Ok((PyBytes::new(py, &nodes), labels, shares))
    }

    /// The class value that an ensemble predicts for each row as 32-bit numbers, and the share of each class value as
    /// 64-bit numbers, row after row.
    fn predict_ensemble<'py>(
        &self,
        py: Python<'py>,
        rows: NewRows<'py>,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let (labels, shares) = self.follow(py, rows, |loaded, rows| {
            let Some(ensemble) = loaded.ensemble() else { return Err(Error::input("expected an ensemble")) };
            let predictions = predict_scores(rows, ensemble)?;
            let shares: Vec<u8> = predictions.shares.iter().flat_map(|share| share.to_le_bytes()).collect();
            Ok((bytes_of(&predictions.label_of_row, u32::to_ne_bytes), shares))
        })?;
        Ok((PyBytes::new(py, &labels), PyBytes::new(py, &shares)))
    }

    /// The nearest centroid of each row as 32-bit numbers.
    fn predict_clusters<'py>(&self, py: Python<'py>, rows: NewRows<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let clusters = self.follow(py, rows, |loaded, rows| {
            let Some(clusters) = loaded.clusters() else { return Err(Error::input("expected clusters")) };
            Ok(bytes_of(&nearest_centroids(rows, clusters)?.cluster_of_row, u32::to_ne_bytes))
        })?;
        Ok(PyBytes::new(py, &clusters))
    }

    /// The tree for another program.
    fn export<'py>(&self, py: Python<'py>, target: &str) -> PyResult<Bound<'py, PyBytes>> {
        let target = named::<Target>(Some(target), "format").map_err(raised)?.unwrap_or(Target::Json);
        let bytes = self.loaded()?.export(target).map_err(raised)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The tree as a picture.
    #[pyo3(signature = (depth=None))]
    fn svg(&self, depth: Option<usize>) -> PyResult<String> {
        let loaded = self.loaded()?;
        let tree = loaded.tree().map_err(raised)?;
        svg(&Outline::new(tree, depth)
            .of_individuals(loaded.individuals())
            .of_several_rows(loaded.has_several_rows()))
        .map_err(raised)
    }

    /// The content of the model as JSON: centroids of clusters, or rules; nothing for trees.
    fn content(&self) -> String {
        let Some(loaded) = &self.loaded else { return json!([]).to_string() };
        let content = match loaded.model() {
            Some(Kinds::Clusters(clusters)) => {
                let axes: Vec<_> = clusters.axes().iter().map(|axis| axis.name.as_str()).collect();
                let centers: Vec<_> = clusters.centroids().iter().map(|centroid| &centroid.center).collect();
                let populations: Vec<_> =
                    clusters.centroids().iter().map(|centroid| centroid.population).collect();
                json!({ "axes": axes, "centers": centers, "populations": populations })
            }
            Some(Kinds::Rules(rules)) => rule_lines(rules, loaded.individuals())
                .iter()
                .map(|line| {
                    json!({
                        "antecedent": line.antecedent,
                        "consequent": line.consequent,
                        "count": line.count,
                        "support": line.support,
                        "confidence": line.confidence,
                        "lift": line.lift,
                    })
                })
                .collect(),
            _ => json!(null),
        };
        content.to_string()
    }
}

impl Model {
    /// Reads the rows that the model needs, and does something with them.
    fn follow<T: Send + 'static>(
        &self,
        py: Python<'_>,
        NewRows(table, source, watch): NewRows<'_>,
        work: impl FnOnce(&Loaded, &incrowd::table::Table) -> Result<T> + Send + 'static,
    ) -> PyResult<T> {
        let stated = source.map(|(text, folder)| policy(&text, &folder)).transpose();
        let (stated, loaded, frame) = (stated.map_err(raised)?, self.loaded()?, frame(&table, None)?);
        let follower = Follower::new();
        let options = OpenOptions::new().progress(Arc::clone(&follower) as _);
        run(py, &follower, watch.as_ref(), move || {
            work(&loaded, &loaded.rows_of_frame(frame, stated.as_ref(), &options)?)
        })
    }
}

/// Figures of a miner for the owner.
pub(crate) trait Summary {
    fn figures(&self) -> serde_json::Value;
}

impl Summary for incrowd::mine::tree::MinedTree {
    fn figures(&self) -> serde_json::Value {
        let summary = &self.summary;
        json!({ "leaves": summary.leaves, "spans": summary.spans, "k": summary.k, "error": summary.error })
    }
}

impl Summary for incrowd::mine::boost::MinedEnsemble {
    fn figures(&self) -> serde_json::Value {
        let summary = &self.summary;
        json!({
            "trees": summary.trees,
            "rounds": summary.rounds,
            "max_leaves": summary.max_leaves,
            "columns": summary.columns,
            "learning_rate": summary.learning_rate,
            "leaves": summary.leaves,
            "cells": summary.cells,
            "spans": summary.spans,
            "k": summary.k,
            "error": summary.error,
        })
    }
}

impl Summary for incrowd::mine::clusters::MinedClusters {
    fn figures(&self) -> serde_json::Value {
        let summary = &self.summary;
        json!({ "clusters": summary.clusters, "spans": summary.spans, "k": summary.k, "inertia": summary.inertia })
    }
}

impl Summary for MinedRules {
    fn figures(&self) -> serde_json::Value {
        json!({ "rules": self.rules.rules().len(), "spans": self.summary.spans, "k": self.summary.k })
    }
}

/// The figures of a release with what every release has.
fn summary<T: MinedModel + Summary>(audited: &Audited<T>) -> serde_json::Value {
    let mut figures = audited.figures();
    figures["guarantee"] = json!(audited.guarantee());
    figures["weakened"] = json!(audited.weakened());
    figures["warnings"] = json!(audited.warnings());
    figures["rows_left_out"] = json!(audited.rows_left_out());
    figures
}
