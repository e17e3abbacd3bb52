//! `incrowd predict`: applies a model to the rows of a table.

use super::{flags, mining};
use crate::Outcome;
use crate::args::{Common, Predict};
use crate::console::Console;
use crate::documents::{PredictionDocument, RowPrediction};
use crate::text;
use incrowd::io::write::refuse_existing;
use incrowd::io::{PolicyFile, write_predictions, write_scores};
use incrowd::model::{Class, Ensemble, Tree};
use incrowd::predict::{Evaluation, Predictions};
use incrowd::{Error, ErrorKind, Loaded, PredictionJob, PredictionResult, Result};
use std::time::Instant;

/// The help for a cell that cannot be read without a policy.
pub(super) const FLAGS_OF_CELLS: &str = "state what marks a missing value (--missing MARK) or that numbers have decimal commas (--decimal ,), or give the table's policy (--policy FILE)";

/// The maximum number of displayed rows.
const SHOWN: usize = 10;

pub(crate) fn run(arguments: &Predict, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    arguments.out.iter().try_for_each(|out| refuse_existing(out, common.force))?;
    let loaded = flags::load(&arguments.model)?;
    if loaded.clusters().is_some() {
        return super::predict_clusters::run(&loaded, arguments, common, console);
    }
    let PredictionResult { predictions: (class, rows, first), evaluation, rows_left_out, unseen, .. } =
        match loaded.ensemble() {
            Some(ensemble) => by_scores(ensemble, &loaded, arguments, common)?,
            None => by_leaf(tree(&loaded)?, &loaded, arguments, common)?,
        };
    let document = PredictionDocument {
        rows,
        rows_left_out,
        unseen,
        error: evaluation.as_ref().map(Evaluation::error),
        accuracy: evaluation.as_ref().map(Evaluation::accuracy),
        classes: class.values.clone(),
        evaluation,
        several_rows: loaded.has_several_rows() && loaded.ensemble().is_none(),
        first,
        seconds: start.elapsed().as_secs_f64(),
    };
    console.result(&document, || text::predict::render(&document, arguments.out.is_none()))?;
    if let Some(warning) = document.rows_left_out.by_policy() {
        console.warn(&warning);
    }
    for unseen in &document.unseen {
        let rows = text::counted(unseen.rows, "row");
        let (have, are) = if unseen.rows == 1 { ("has", "is") } else { ("have", "are") };
        console.warn(&format!(
            "{rows} {have} a value of `{}` that the model does not know, and {are} predicted as its other values are",
            unseen.attribute
        ));
    }
    if let Some(out) = &arguments.out {
        console.note(&format!("predictions written to {}", out.display()));
    }
    Ok(Outcome::Done)
}

/// The tree of a release.
fn tree(loaded: &Loaded) -> Result<&Tree> {
    loaded.tree().map_err(|mut error| {
        error.what = error.what.replace("expected a tree", "expected a tree, an ensemble or clusters");
        error.help("name the release of a decision tree, an ensemble or clusters")
    })
}

/// The class, the number of rows, and the first predictions.
type ShownPredictions<'m> = PredictionResult<(&'m Class, u64, Vec<RowPrediction>)>;

/// Predicts by a tree, and writes the predictions.
fn by_leaf<'m>(
    tree: &'m Tree,
    loaded: &Loaded,
    arguments: &Predict,
    common: &Common,
) -> Result<ShownPredictions<'m>> {
    let predicted = job(loaded, arguments, common)?.classes();
    let PredictionResult { predictions, evaluation, rows_left_out, left_out_at, unseen } =
        predicted.map_err(|error| with_flags(error, arguments))?;
    if let Some(out) = &arguments.out {
        write_predictions(out, tree, &predictions, &left_out_at, common.force)?;
    }
    let shown = (tree.class(), predictions.node_of_row.len() as u64, first(tree, &predictions));
    Ok(PredictionResult { predictions: shown, evaluation, rows_left_out, left_out_at, unseen })
}

/// Predicts by an ensemble, and writes the predictions.
fn by_scores<'m>(
    ensemble: &'m Ensemble,
    loaded: &Loaded,
    arguments: &Predict,
    common: &Common,
) -> Result<ShownPredictions<'m>> {
    let predicted = job(loaded, arguments, common)?.scores();
    let PredictionResult { predictions, evaluation, rows_left_out, left_out_at, unseen } =
        predicted.map_err(|error| with_flags(error, arguments))?;
    if let Some(out) = &arguments.out {
        write_scores(out, ensemble, &predictions, &left_out_at, common.force)?;
    }
    let values = &ensemble.class().values;
    let rows = predictions.label_of_row.iter().zip(predictions.shares.chunks(values.len()));
    let first = rows.take(SHOWN).map(|(&label, shares)| RowPrediction {
        prediction: values[label as usize].clone(),
        shares: Some(shares.to_vec()),
    });
    let shown = (ensemble.class(), predictions.label_of_row.len() as u64, first.collect());
    Ok(PredictionResult { predictions: shown, evaluation, rows_left_out, left_out_at, unseen })
}

/// Without a policy, adds flags to the help of an error about a cell or the layout of the file.
pub(super) fn with_flags(error: Error, arguments: &Predict) -> Error {
    let is_of_cell =
        error.kind == ErrorKind::Input && error.place.line.is_some() && error.place.attribute.is_some();
    if arguments.policy.is_some() {
        return error;
    }
    let is_of_encoding = error.help.as_ref().is_some_and(|help| help.contains("encoding"));
    if !is_of_cell || is_of_encoding {
        return flags::of_layout(error);
    }
    error.help(FLAGS_OF_CELLS)
}

/// The prediction job, with the settings for reading the new rows.
pub(super) fn job<'m>(loaded: &'m Loaded, arguments: &Predict, common: &Common) -> Result<PredictionJob<'m>> {
    let job = loaded.predict(&arguments.data).options(mining::options(common));
    Ok(match &arguments.policy {
        Some(policy) => job.policy(PolicyFile::read(policy)?),
        None => job.plan(arguments.look.plan()),
    })
}

fn first(tree: &Tree, predictions: &Predictions) -> Vec<RowPrediction> {
    let show = |row: usize| {
        let outcome = predictions.of(row);
        RowPrediction {
            prediction: tree.class().values[outcome.label as usize].clone(),
            shares: outcome.shares(),
        }
    };
    (0..predictions.node_of_row.len().min(SHOWN)).map(show).collect()
}
