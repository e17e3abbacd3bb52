//! Predictions: the columns of a file that a model needs, and the prediction for every row, written as CSV.

use crate::import::{Compared, Maker, read_as_maker};
use crate::plan::{ColumnPlan, MissingRows, ReadPlan, Reading, Unlisted};
use crate::policy::{PolicyFile, Purpose};
use crate::table_out::cell;
use crate::write::write_new;
use incrowd_core::Result;
use incrowd_core::model::{CellTree, Clusters, Domain, Ensemble, Model, ModelAttribute, Node, Tree};
use incrowd_core::predict::{EnsemblePredictions, Predictions};
use incrowd_core::table::Kind;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

/// How a file is read for a tree, or the trees of an ensemble, to predict: the columns tested, as the model declares
/// them, and the class if it is there; other columns are skipped. `file` states what else is known about the file.
/// Every row stays.
///
/// # Errors
/// When the model was made by other programs and a column cannot be read as its maker reads it.
pub fn prediction_plan(model: &Model, maker: &Maker, mut file: ReadPlan) -> Result<ReadPlan> {
    read_as_maker(&mut file, Compared::of(model), maker)?;
    let mut plan = ReadPlan { unlisted: Unlisted::Skip, ..file }.with_missing_rows(MissingRows::Keep);
    add_columns(&mut plan, model);
    unlabelled(&mut plan, model);
    if plan.columns.values().all(|column| column.optional) {
        // A tree of one leaf tests nothing, but there is a prediction for every row.
        plan.unlisted = Unlisted::Keep;
    }
    Ok(plan)
}

/// The same under a policy, which may state more about the columns. Rows with a missing value are left out if it states
/// this for the owner's table, so that a tree is tested on the same kind of rows as it was made from; otherwise they
/// stay.
///
/// # Errors
/// As [`prediction_plan`].
pub fn prediction_plan_of(model: &Model, maker: &Maker, policy: &PolicyFile) -> Result<ReadPlan> {
    let mut plan = policy.read_plan(Purpose::Source);
    skip_subject(&mut plan);
    read_as_maker(&mut plan, Compared::of(model), maker)?;
    plan.unlisted = Unlisted::Skip;
    plan.keep_where_refused();
    // Only the model's own columns are needed; the others decide at most which rows have a missing value.
    plan.columns.values_mut().for_each(|column| column.optional = true);
    add_columns(&mut plan, model);
    Ok(plan)
}

/// How a file is read to find every individual's cluster: the axes' columns, as the clustering declares them; other
/// columns are skipped. `file` states what else is known about the file; with a policy, [`prediction_plan_of`]'s rule
/// for rows with a missing value holds.
///
/// # Errors
/// As [`prediction_plan`].
pub fn cluster_plan(clusters: &Clusters, maker: &Maker, mut file: ReadPlan) -> Result<ReadPlan> {
    read_as_maker(&mut file, Compared::of_clusters(clusters), maker)?;
    let mut plan = ReadPlan { unlisted: Unlisted::Skip, ..file };
    skip_subject(&mut plan);
    plan.columns.values_mut().for_each(|column| column.optional = true);
    for axis in clusters.axes() {
        add_column(&mut plan, &ModelAttribute::of_axis(axis), false);
    }
    Ok(plan)
}

/// Every row that is not left out for a missing value is predicted, also one without a subject.
fn skip_subject(plan: &mut ReadPlan) {
    let keeps_rows = plan.missing_rows != MissingRows::Drop;
    let subjects =
        plan.columns.values_mut().filter(|column| keeps_rows && column.reading == Reading::Subject);
    subjects.for_each(|column| column.reading = Reading::Skip);
}

/// Reads an empty class as missing, unless it is a class value: such a row has no class that could be predicted wrongly.
fn unlabelled(plan: &mut ReadPlan, model: &Model) {
    let Some(class) = model.trees().first().map(|tree| tree.class().clone()) else { return };
    let markers = plan.missing.clone();
    let Some(column) = plan.columns.get_mut(&class.name) else { return };
    let markers = column.missing.get_or_insert(markers);
    if !class.values.iter().any(String::is_empty) && !markers.iter().any(String::is_empty) {
        markers.push(String::new());
    }
}

fn add_columns(plan: &mut ReadPlan, model: &Model) {
    let trees = model.trees();
    let Some(tree) = trees.first() else { return };
    for (attribute, tested) in tree.attributes().iter().zip(tested_by(&trees)) {
        if tested && !is_derived(model, &attribute.name) {
            add_column(plan, attribute, false);
        }
    }
    if let Some(cells) = cells(model) {
        for (attribute, tested) in cells.tree().attributes().iter().zip(tested(cells.tree())) {
            if tested {
                add_column(plan, attribute, false);
            }
        }
    }
    let class = ModelAttribute::categorical(&tree.class().name, tree.class().values.clone());
    add_column(plan, &class, true);
}

fn cells(model: &Model) -> Option<&CellTree> {
    match model {
        Model::Ensemble(ensemble) => ensemble.cells(),
        _ => None,
    }
}

/// Whether the cells of an ensemble define the attribute of a name.
fn is_derived(model: &Model, name: &str) -> bool {
    cells(model).is_some_and(|cells| cells.attributes().iter().any(|attribute| attribute.name == name))
}

fn add_column(plan: &mut ReadPlan, attribute: &ModelAttribute, optional: bool) {
    let column = plan.columns.entry(attribute.name.clone()).or_default();
    if column.reading == Reading::Skip {
        let (missing, spelling) = (column.missing.take(), column.spelling);
        *column = ColumnPlan { missing, spelling, ..ColumnPlan::default() };
    }
    // Where spellings of a value are one, new rows have the model's.
    if let Domain::Values(values) = &attribute.domain {
        column.spellings.splice(..0, values.iter().cloned());
    }
    column.kind = column.kind.or(Some(kind(&attribute.domain, attribute.dates)));
    column.optional = optional;
}

/// Which attributes of a tree are tested somewhere.
pub fn tested(tree: &Tree) -> Vec<bool> {
    tested_by(&[tree])
}

/// Which attributes some of these trees test, which have the same ones.
pub(crate) fn tested_by(trees: &[&Tree]) -> Vec<bool> {
    let mut tested = vec![false; trees.first().map_or(0, |tree| tree.attributes().len())];
    for node in trees.iter().flat_map(|tree| tree.nodes()) {
        if let Node::Test(test) = node {
            tested[test.attribute] = true;
        }
    }
    tested
}

/// The kind of column of a domain. Names stay names, also if all of them look like numbers: what a row is predicted
/// must not depend on the others.
fn kind(domain: &Domain, dates: bool) -> Kind {
    match domain {
        Domain::Numbers { .. } if dates => Kind::Date,
        Domain::Numbers { .. } => Kind::Numeric,
        Domain::Values(_) => Kind::Categorical,
    }
}

/// The lines of a file of predictions, one per row of the file that was read: rows that were left out have empty cells.
struct Lines<'f> {
    file: &'f mut dyn Write,
    left_out: &'f [u64],
    row: u64,
    /// The line of a row that was left out.
    empty: String,
}

impl<'f> Lines<'f> {
    fn new(file: &'f mut dyn Write, header: &[Cow<'_, str>], left_out: &'f [u64]) -> io::Result<Self> {
        writeln!(file, "{}", header.join(","))?;
        // An empty line would be no row to most readers.
        let empty = if header.len() == 1 { "\"\"".to_owned() } else { ",".repeat(header.len() - 1) };
        Ok(Self { file, left_out, row: 0, empty })
    }

    fn put(&mut self, line: &str) -> io::Result<()> {
        self.pass()?;
        self.row += 1;
        writeln!(self.file, "{line}")
    }

    /// Writes the rows that were left out here.
    fn pass(&mut self) -> io::Result<()> {
        while let Some((first, others)) = self.left_out.split_first().filter(|(first, _)| **first == self.row)
        {
            (self.left_out, self.row) = (others, first + 1);
            writeln!(self.file, "{}", self.empty)?;
        }
        Ok(())
    }
}

/// Writes predictions as CSV, atomically, a line for each row in the file's order: the label as `prediction` and, where
/// the tree contains them, the share of each class value as `p(value)`. The cells of rows that were left out
/// ([`TableRead::left_out_at`](crate::TableRead::left_out_at)) are empty.
///
/// # Errors
/// When something is at `path` already and `force` is not given, or the file system fails.
pub fn write_predictions(
    path: &Path,
    tree: &Tree,
    predictions: &Predictions,
    left_out: &[u64],
    force: bool,
) -> Result<()> {
    write_new(path, force, |file| fill(file, tree, predictions, left_out))
}

/// Writes the predictions of an ensemble as CSV, atomically, a line for each row in the file's order: the label as
/// `prediction`, and the share of each class value as `p(value)`. The cells of rows that were left out are empty.
///
/// # Errors
/// When something is at `path` already and `force` is not given, or the file system fails.
pub fn write_scores(
    path: &Path,
    ensemble: &Ensemble,
    predictions: &EnsemblePredictions,
    left_out: &[u64],
    force: bool,
) -> Result<()> {
    let values = &ensemble.class().values;
    let header = std::iter::once("prediction".to_owned()).chain(values.iter().map(|v| format!("p({v})")));
    let header: Vec<Cow<'_, str>> = header.map(|name| cell(name.into())).collect();
    let labels: Vec<Cow<'_, str>> = values.iter().map(|value| cell(value.as_str().into())).collect();
    write_new(path, force, |file| {
        let mut lines = Lines::new(file, &header, left_out)?;
        let rows = predictions.label_of_row.iter().zip(predictions.shares.chunks(values.len()));
        for (&label, shares) in rows {
            let shares: Vec<String> = shares.iter().map(ToString::to_string).collect();
            lines.put(&format!("{},{}", labels[label as usize], shares.join(",")))?;
        }
        lines.pass()
    })
}

/// Writes every individual's cluster as CSV, atomically, a line for each row in the file's order: its number as
/// `cluster`, counted from 1; empty for rows that were left out.
///
/// # Errors
/// When something is at `path` already and `force` is not given, or the file system fails.
pub fn write_cluster_numbers(
    path: &Path,
    cluster_of_row: &[u32],
    left_out: &[u64],
    force: bool,
) -> Result<()> {
    write_new(path, force, |file| {
        let mut lines = Lines::new(file, &["cluster".into()], left_out)?;
        cluster_of_row.iter().try_for_each(|cluster| lines.put(&(cluster + 1).to_string()))?;
        lines.pass()
    })
}

fn fill(file: &mut dyn Write, tree: &Tree, predictions: &Predictions, left_out: &[u64]) -> io::Result<()> {
    let values = &tree.class().values;
    let with_shares = predictions.outcomes.iter().any(|outcome| outcome.shares().is_some());
    let shares = values.iter().filter(|_| with_shares).map(|value| format!("p({value})"));
    let header: Vec<String> = std::iter::once("prediction".to_owned()).chain(shares).collect();
    let header: Vec<Cow<'_, str>> = header.into_iter().map(|name| cell(name.into())).collect();
    let mut lines = Lines::new(file, &header, left_out)?;
    let of_node: Vec<String> = predictions
        .outcomes
        .iter()
        .map(|outcome| {
            let label = cell(values[outcome.label as usize].as_str().into()).into_owned();
            let shares = match outcome.shares() {
                Some(shares) => {
                    let cells: Vec<String> = shares.iter().map(ToString::to_string).collect();
                    format!(",{}", cells.join(","))
                }
                None if with_shares => ",".repeat(values.len()),
                None => String::new(),
            };
            label + &shares
        })
        .collect();
    predictions.node_of_row.iter().try_for_each(|&node| lines.put(&of_node[node as usize]))?;
    lines.pass()
}
