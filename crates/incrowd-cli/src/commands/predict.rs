//! `incrowd predict`: what a model says of the rows of a table.

use crate::Outcome;
use crate::args::{Common, Predict};
use crate::console::Console;
use crate::progress::Bar;
use crate::text;
use incrowd::io::policy::PolicyFile;
use incrowd::io::release::{ModelRelease, Release};
use incrowd::io::write::refuse_existing;
use incrowd::io::{
    Maker, check_numbers, check_spelling, prediction_plan, prediction_plan_of, read_any_model, read_table,
    tree_of, write_predictions,
};
use incrowd::model::{Model, Node, Tree};
use incrowd::predict::{Evaluation, Predictions, evaluate, predict};
use incrowd::table::RowsLeftOut;
use incrowd::{Error, Result};
use serde::Serialize;
use std::time::Instant;

/// How many rows are shown.
const SHOWN: usize = 10;

/// The document of `--json`.
#[derive(Serialize)]
pub(crate) struct Document {
    /// The rows predicted.
    pub(crate) rows: u64,
    /// The rows left out because a value is missing, as the policy says.
    pub(crate) rows_left_out: RowsLeftOut,
    /// The share of rows predicted wrongly, if the class is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<f64>,
    /// The class values, in the order of the confusion matrix and of shares.
    pub(crate) classes: Vec<String>,
    /// The rows judged, and the confusion matrix: for each actual class how often each class was predicted.
    #[serde(flatten)]
    pub(crate) evaluation: Option<Evaluation>,
    /// The first rows.
    pub(crate) first: Vec<First>,
    seconds: f64,
}

/// What is predicted for a row.
#[derive(Serialize)]
pub(crate) struct First {
    pub(crate) prediction: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shares: Option<Vec<f64>>,
}

pub(crate) fn run(arguments: &Predict, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    arguments.out.iter().try_for_each(|out| refuse_existing(out, common.force))?;
    let (release, maker) = read_any_model(&arguments.model)?;
    if let Release::Model(ModelRelease { model: Model::Clusters(clusters), .. }) = &release {
        return super::predict_clusters::run(clusters, &maker, arguments, common, console);
    }
    let (tree, stated) = tree_of(release).map_err(|error| error.in_file(&arguments.model))?;
    let plan = match &arguments.policy {
        Some(policy) => prediction_plan_of(&tree, &maker, &PolicyFile::read(policy)?),
        None => prediction_plan(&tree, &maker, arguments.look.plan()),
    }
    .map_err(|error| error.in_file(&arguments.model))?;
    if let Maker::Elsewhere(_) = &maker {
        let progress = Bar::new(common.quiet);
        check_spelling(&arguments.data, &plan, &stated.model, common.threads, &progress)?;
    }
    let read = read_table(&arguments.data, &plan, common.threads, &Bar::new(common.quiet))
        .map_err(|error| with_flags(error, arguments))?;
    let predictions = predict(&read.table, &tree).map_err(|error| error.in_file(&arguments.data))?;
    if let Maker::Elsewhere(elsewhere) = &maker {
        check_numbers(&tree, &read.table, elsewhere)
            .and_then(|()| check_routes(&tree, &predictions))
            .map_err(|error| error.in_file(&arguments.data))?;
    }
    let evaluation = evaluate(&read.table, &tree, &predictions);
    if let Some(out) = &arguments.out {
        write_predictions(out, &tree, &predictions, common.force)?;
    }
    let document = Document {
        rows: predictions.node_of_row.len() as u64,
        rows_left_out: read.rows_left_out,
        error: evaluation.as_ref().map(Evaluation::error),
        accuracy: evaluation.as_ref().map(Evaluation::accuracy),
        classes: tree.class().values.clone(),
        evaluation,
        first: first(&tree, &predictions),
        seconds: start.elapsed().as_secs_f64(),
    };
    console.result(&document, || text::predict::render(&document, arguments.out.is_none()))?;
    if document.rows_left_out.total > 0 {
        console.warn(&format!("{} are left out, as the policy says", document.rows_left_out));
    }
    if let Some(out) = &arguments.out {
        console.note(&format!("the predictions are in {}", out.display()));
    }
    Ok(Outcome::Done)
}

/// Names the flags that help where a cell cannot be read and no policy says how.
pub(super) fn with_flags(error: Error, arguments: &Predict) -> Error {
    let is_of_cell =
        error.what.starts_with("the cell is not") || error.what.starts_with("a value is missing");
    if arguments.policy.is_some() || !is_of_cell {
        return error;
    }
    error.help("name what marks a missing value (--missing MARK) or the decimal comma (--decimal ,), or read the table as its policy says (--policy FILE)")
}

/// A model made elsewhere predicts nothing where its maker's program would not.
fn check_routes(tree: &Tree, predictions: &Predictions) -> Result<()> {
    for (row, &node) in predictions.node_of_row.iter().enumerate() {
        if let Node::Test(test) = &tree.nodes()[node as usize] {
            return Err(Error::new(format!("the model predicts nothing for row {}", row + 1))
                .of_attribute(&tree.attributes()[test.attribute].name)
                .help("leave out rows with missing values and with values that the model does not know"));
        }
    }
    Ok(())
}

fn first(tree: &Tree, predictions: &Predictions) -> Vec<First> {
    let show = |row: usize| {
        let outcome = predictions.of(row);
        First { prediction: tree.class().values[outcome.label as usize].clone(), shares: outcome.shares() }
    };
    (0..predictions.node_of_row.len().min(SHOWN)).map(show).collect()
}
