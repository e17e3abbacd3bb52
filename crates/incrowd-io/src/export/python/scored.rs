//! Ensembles as a Python module without dependencies.
//!
//! Scores are added up in the order of the trees, starting from the base scores, as incrowd does.

use super::{READERS, arguments, columns, functions, known, number, string, tuple};
use crate::predictions::tested_by;
use incrowd_core::model::{
    CellTree, CellValue, Combination, Domain, Ensemble, Link, Node, ScoredTree, TieRule, Tree,
};

const HEAD: &str = r#""""An ensemble of decision trees, exported by incrowd.

A row is a mapping from column names to values, such as csv.DictReader returns. Numbers may be given as text, and spaces around text are ignored. None,
NaN and, for a number or a date, empty text are missing values. A date is text such as "2026-12-31" or a datetime.date.
"""

from datetime import date
from math import exp

"#;

const STOP: &str = r#"

def _stop(column):
    raise ValueError(f"the model predicts nothing for this value of {column!r}")
"#;

const PREDICT: &str = r#"

def probabilities(row):
    """The share of each class value."""
    return dict(zip(CLASSES, _shares(scores(row))))
"#;

const LOGISTIC: &str = r"

def _shares(s):
    second = 1.0 / (1.0 + exp(-s[0])) if s[0] > -700.0 else 0.0
    return [1.0 - second, second]
";

const SOFTMAX: &str = r"

def _shares(s):
    highest = max(s)
    powers = [exp(score - highest) for score in s]
    return [power / sum(powers) for power in powers]
";

const IDENTITY: &str = r"

def _shares(s):
    return s
";

pub(in crate::export) fn write(ensemble: &Ensemble) -> String {
    let trees: Vec<&Tree> = ensemble.trees().iter().map(ScoredTree::tree).collect();
    let mut tested = tested_by(&trees);
    tested.truncate(ensemble.sources().len());
    if let Some(cells) = ensemble.cells() {
        tested.iter_mut().zip(tested_by(&[cells.tree()])).for_each(|(all, own)| *all |= own);
    }
    let mut text = format!("{HEAD}CLASSES = {}\n\n", tuple(&ensemble.class().values));
    text += &ensemble.cells().map(table).unwrap_or_default();
    text += &known(ensemble.sources(), &tested);
    text += &scores(ensemble, &tested);
    text += &predict(ensemble);
    text += PREDICT;
    text += match ensemble.scoring().link {
        Link::Identity => IDENTITY,
        Link::Logistic => LOGISTIC,
        Link::Softmax => SOFTMAX,
    };
    text += &ensemble.cells().map(of_cells).unwrap_or_default();
    for (place, scored) in ensemble.trees().iter().enumerate() {
        text += &functions(scored.tree(), &format!("_tree_{place}_"), |node| end(scored, node));
    }
    text + STOP + READERS
}

/// The values of all cells.
fn table(cells: &CellTree) -> String {
    let value = |(value, domain): (&CellValue, &Domain)| match (value, domain) {
        (CellValue::Number(own), _) => number(*own),
        (CellValue::Name(place), Domain::Values(names)) => string(&names[*place as usize]),
        // Checked when the cells were made.
        (CellValue::Name(_), Domain::Numbers { .. }) => "None".to_owned(),
    };
    let domains = || cells.attributes().iter().map(|attribute| &attribute.domain);
    let mut text = String::from(
        "# By cell, which stands for several individuals and is none of them: its value of each attribute that the trees test\n# instead of those of a row.\n_CELLS = (\n",
    );
    for values in cells.values() {
        let values: Vec<String> = values.iter().zip(domains()).map(value).collect();
        text += &format!("    ({},),\n", values.join(", "));
    }
    text + ")\n\n"
}

/// The functions of the tree of cells.
fn of_cells(cells: &CellTree) -> String {
    functions(cells.tree(), "_cell_", |node| match &cells.tree().nodes()[node as usize] {
        Node::Leaf(leaf) => format!("return {}", leaf.label),
        Node::Test(test) => stop(&cells.tree().attributes()[test.attribute].name),
    })
}

/// The line where a row ends in a tree.
fn end(scored: &ScoredTree, node: u32) -> String {
    if let Node::Test(test) = &scored.tree().nodes()[node as usize] {
        return stop(&scored.tree().attributes()[test.attribute].name);
    }
    let scores: Vec<String> = scored.scores(node).iter().map(|&score| number(score)).collect();
    match scored.output() {
        Some(_) => format!("return {}", scores.join(", ")),
        None => format!("return ({},)", scores.join(", ")),
    }
}

fn stop(attribute: &str) -> String {
    format!("_stop({})", string(attribute))
}

/// The function that combines the scores of all trees.
fn scores(ensemble: &Ensemble, tested: &[bool]) -> String {
    let scoring = ensemble.scoring();
    let base: Vec<String> = scoring.base.iter().map(|&base| number(base)).collect();
    let base = base.join(", ");
    let mut text = String::from("def scores(row):\n    \"\"\"The combined scores of a row.\"\"\"\n");
    text += &columns(ensemble.sources(), tested);
    if let Some(cells) = ensemble.cells() {
        let first = ensemble.sources().len();
        let derived: String = (0..cells.attributes().len()).map(|i| format!("v{}, ", first + i)).collect();
        text += &format!("    {derived}= _CELLS[_cell_0({})]\n", arguments(cells.tree()));
    }
    text += &match scoring.combination {
        Combination::Sum => format!("    s = [{base}]\n"),
        Combination::Mean => format!("    s = [0.0] * {}\n", ensemble.outputs()),
    };
    for (place, scored) in ensemble.trees().iter().enumerate() {
        let call = format!("_tree_{place}_0({})", arguments(scored.tree()));
        text += &match scored.output() {
            Some(output) => format!("    s[{output}] += {call}\n"),
            None => format!("    s = [a + b for a, b in zip(s, {call})]\n"),
        };
    }
    if scoring.combination == Combination::Mean {
        let trees = ensemble.trees().len();
        text += &format!("    s = [a / {trees} + b for a, b in zip(s, [{base}])]\n");
    }
    text + "    return s\n"
}

/// The function that predicts.
fn predict(ensemble: &Ensemble) -> String {
    let scoring = ensemble.scoring();
    let last = scoring.tie == TieRule::Last;
    let place = match (scoring.link, last) {
        (Link::Logistic, false) => "1 if s[0] > 0.0 else 0",
        (Link::Logistic, true) => "1 if s[0] >= 0.0 else 0",
        (_, false) => "s.index(max(s))",
        (_, true) => "len(s) - 1 - s[::-1].index(max(s))",
    };
    format!(
        "\n\ndef predict(row):\n    \"\"\"The class value predicted for a row.\"\"\"\n    s = scores(row)\n    \
         return CLASSES[{place}]\n"
    )
}
