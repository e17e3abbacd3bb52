//! Ensembles of `LightGBM`, as its `save_model` writes them (text), or as JSON (`json`).
//!
//! A header and a block of `key=value` lines for each tree are followed by figures that are not used and, in the last
//! line, the categories of pandas. The class is not in the file; its values are numbered.

mod columns;
pub(super) mod json;
mod section;
mod tree;

use super::scored::{ScoredNodes, of_tree, unnamed_class};
use super::{Elsewhere, HELP};
use columns::Features;
use incrowd_core::model::{Combination, Ensemble, Link, Scoring, TieRule};
use incrowd_core::{Error, Result};
use section::Section;

/// The versions of the format that are supported.
const VERSIONS: [&str; 2] = ["v3", "v4"];
const KEYS: &[&str] = &[
    "version",
    "num_class",
    "num_tree_per_iteration",
    "max_feature_idx",
    "objective",
    "average_output",
    "feature_names",
    "feature_infos",
    SIZES,
];
/// The bytes of each tree's block, by which LightGBM finds the trees.
const SIZES: &str = "tree_sizes";
/// The start of a tree's block, and the line after all of them.
const TREE: &str = "\nTree=";
const END: &str = "\nend of trees";
/// The most lines of a tree that LightGBM reads.
const LINES: usize = 22;

/// Whether a text is such a file.
pub(super) fn is_one(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.trim_end() == "tree") && text.contains("\nnum_class=")
}

/// Reads an ensemble, and what else is known about it.
pub(super) fn read(text: &str) -> Result<(Ensemble, Elsewhere)> {
    let (trees, rest) = text.split_once(END).ok_or_else(|| fault("the file ends before its trees do"))?;
    if rest.contains(TREE) {
        return Err(fault("there is a tree behind the end of trees"));
    }
    let count = trees.matches(TREE).count();
    Ensemble::check_size(count, 0, 0)?;
    let mut blocks = trees.split(TREE);
    let header = Section::new(blocks.next().unwrap_or_default(), KEYS)?;
    if !VERSIONS.contains(&header.text("version")?) {
        return Err(unsupported_version());
    }
    let (objective, of_iteration) =
        (header.text("objective").unwrap_or_default(), header.number("num_tree_per_iteration")?);
    let Shape { classes, outputs } = Shape::new(objective, header.number("num_class")?, of_iteration, count)?;
    let features = Features::read(&header, rest)?;
    let (columns, mut limits) = (features.columns()?, tree::Limits::new(count, outputs));
    let mut members = Vec::with_capacity(count);
    for (number, block) in blocks.enumerate() {
        let output = (outputs > 1).then_some((number % outputs) as u32);
        let nodes = tree::read(block, &features, &mut limits);
        let member = nodes.and_then(|(nodes, scores)| {
            ScoredNodes { nodes, scores, output }.member(&columns, &mut limits.cells)
        });
        members.push(member.map_err(of_tree(number))?);
    }
    let class = unnamed_class(&columns, classes);
    let scoring = scoring(outputs, header.has("average_output"));
    let ensemble = Ensemble::new(columns.attributes, class, members, scoring)?;
    check_places(&header, trees)?;
    let elsewhere =
        Elsewhere { unnamed_class: true, extremes: features.with_extremes(), ..Elsewhere::default() };
    Ok((ensemble, elsewhere))
}

/// Checks that `LightGBM` finds the same trees, which it looks for where the sizes say, and the same lines.
fn check_places(header: &Section<'_>, trees: &str) -> Result<()> {
    check_lines(trees)?;
    if !header.has(SIZES) {
        return Ok(());
    }
    // Line breaks belong to the line before them.
    let starts: Vec<usize> = trees.match_indices(TREE).map(|(place, _)| place).collect();
    let ends = starts.iter().skip(1).copied().chain([trees.len()]);
    let stated: Vec<usize> = header.list(SIZES, starts.len())?;
    if starts.iter().zip(ends).zip(stated).all(|((start, end), size)| end - start == size) {
        return Ok(());
    }
    Err(fault("`tree_sizes` does not match the trees"))
}

/// Checks that `LightGBM` reads the same lines. To it, a carriage return ends a line, too. It skips `=` before a key of the
/// header, ends a tree at an empty line, and takes a line without `=` for a part of the next one's key.
fn check_lines(trees: &str) -> Result<()> {
    let is_read = |block: &str| {
        let mut lines = block.trim_end_matches('\n').split('\n').skip(1);
        lines.clone().count() <= LINES && lines.all(|line| line.contains('='))
    };
    let mut blocks = trees.split(TREE);
    let header = blocks.next().unwrap_or_default();
    if trees.contains(['\r', '\0']) || header.contains("\n=") || !blocks.all(is_read) {
        return Err(fault("LightGBM does not read all lines of the trees as they are written"));
    }
    Ok(())
}

/// The number of class values and of scores.
struct Shape {
    classes: usize,
    outputs: usize,
}

impl Shape {
    /// Of a model with this objective, number of classes, trees per iteration, and trees.
    fn new(objective: &str, num_class: usize, of_iteration: usize, trees: usize) -> Result<Self> {
        let mut words = objective.split(' ');
        let (classes, outputs) = match words.next() {
            Some("binary") if words.any(|word| word == "sigmoid:1") => (2, 1),
            Some("multiclass") => (num_class, num_class),
            _ => {
                return Err(Error::input(
                    "a LightGBM model with an objective other than binary or multiclass is not supported",
                )
                .help("train a classifier"));
            }
        };
        // Every iteration adds a tree for each score, so a small file cannot state many class values.
        if of_iteration != outputs || outputs > trees || classes < 2 {
            return Err(fault("the number of trees does not match the number of class values"));
        }
        Ok(Self { classes, outputs })
    }
}

/// How scores become predictions.
fn scoring(outputs: usize, average: bool) -> Scoring {
    Scoring {
        combination: if average { Combination::Mean } else { Combination::Sum },
        base: vec![0.0; outputs],
        link: if outputs == 1 { Link::Logistic } else { Link::Softmax },
        tie: TieRule::First,
    }
}

fn unsupported_version() -> Error {
    Error::input("this version of the format is not supported").help("save the model with LightGBM 3 or 4")
}

fn zero_as_missing() -> Error {
    Error::input("a model that takes 0 for missing is not supported")
        .help("train the model without `zero_as_missing`")
}

fn linear_leaves() -> Error {
    Error::input("leaves with linear models are not supported").help("train the model without `linear_tree`")
}

fn fault(what: impl Into<String>) -> Error {
    Error::input(what.into()).help(HELP)
}
