//! `incrowd show`: a tree to look at.

use crate::Outcome;
use crate::args::{Common, Show, ShowForm};
use crate::console::Console;
use crate::text;
use incrowd::Result;
use incrowd::io::read_tree;
use incrowd::io::write::write_new;
use incrowd::model::{Detail, Shares};
use incrowd::show::{Line, Outline, Shown, dot, svg};
use serde::Serialize;

/// How deep a tree is shown in a terminal if nothing else is said: every line begins with a stem for each test above it.
const DEEPEST: usize = 100;

/// The document of `--json`: the tree's figures and its nodes from top to bottom.
#[derive(Serialize)]
struct Document<'a> {
    leaves: u32,
    depth: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    individuals: Option<u64>,
    detail: Detail,
    class: &'a str,
    classes: &'a [String],
    nodes: Vec<DocumentNode<'a>>,
}

#[derive(Serialize)]
struct DocumentNode<'a> {
    node: u32,
    depth: usize,
    branch: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    attribute: Option<&'a str>,
    prediction: &'a str,
    leaves: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<&'a [u64]>,
    /// The rounded shares, where these are told instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    shares: Option<Vec<f64>>,
}

pub(crate) fn run(arguments: &Show, common: &Common, console: &Console) -> Result<Outcome> {
    let (tree, _) = read_tree(&arguments.tree)?;
    let usual = (arguments.form == ShowForm::Text).then_some(DEEPEST);
    let outline = Outline::new(&tree, arguments.depth.or(usual));
    let shown = match arguments.form {
        ShowForm::Text => text::tree::render(&outline),
        ShowForm::Dot => dot(&outline),
        ShowForm::Svg => svg(&outline)?,
    };
    if let Some(out) = &arguments.out {
        let plain = anstream::adapter::strip_str(&shown).to_string();
        write_new(out, common.force, |file| file.write_all(plain.as_bytes()))?;
        console.note(&format!("the tree is in {}", out.display()));
    }
    if common.json || (arguments.form == ShowForm::Text && arguments.out.is_none()) {
        console.result(&document(&outline), || shown)?;
    } else if arguments.out.is_none() {
        Console::bytes(shown.as_bytes())?;
    }
    Ok(Outcome::Done)
}

fn document(outline: &Outline) -> Document<'_> {
    Document {
        leaves: outline.leaves,
        depth: outline.depth,
        individuals: outline.population,
        detail: outline.detail,
        class: &outline.class,
        classes: &outline.values,
        nodes: outline.lines.iter().map(|line| node(outline, line)).collect(),
    }
}

fn node<'a>(outline: &'a Outline, line: &'a Line) -> DocumentNode<'a> {
    let attribute = match &line.shown {
        Shown::Test(name) => Some(name.as_str()),
        Shown::Leaf(_) | Shown::Folded(_) => None,
    };
    DocumentNode {
        node: line.node,
        depth: line.depth,
        branch: &line.branch,
        attribute,
        prediction: &outline.values[line.outcome.label as usize],
        leaves: line.outcome.leaves,
        counts: line.outcome.counts(),
        shares: line.outcome.told.shares().map(Shares::numbers),
    }
}
