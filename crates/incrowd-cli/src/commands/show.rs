//! `incrowd show`: displays a model.

use crate::Outcome;
use crate::args::{Common, Show, ShowForm};
use crate::console::Console;
use crate::text;
use incrowd::io::write::write_new;
use incrowd::model::{Detail, Rules, Shares};
use incrowd::show::{Line, Outline, RuleLine, Shown, dot, rule_lines, svg};
use incrowd::{Error, Result};
use serde::Serialize;

/// The default depth in a terminal. Every line starts with one stem per test above it, so deep trees do not fit.
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
    /// The rounded shares, if the release contains these instead of counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    shares: Option<Vec<f64>>,
}

pub(crate) fn run(arguments: &Show, common: &Common, console: &Console) -> Result<Outcome> {
    let loaded = incrowd::load(&arguments.model)?;
    if let Some(rules) = loaded.rules() {
        return show_rules(arguments, common, console, rules, loaded.individuals());
    }
    if let Some(clusters) = loaded.clusters() {
        return super::show_clusters::run(&loaded, clusters, arguments, common, console);
    }
    if let Some(file) = loaded.table_file() {
        return Err(Error::input("this is the release file of a table, not a model")
            .in_file(&arguments.model)
            .help(format!("open the table itself, {file}, in a program that reads its format")));
    }
    let usual = (arguments.form == ShowForm::Text).then_some(DEEPEST);
    let outline =
        Outline::new(loaded.tree()?, arguments.depth.or(usual)).of_individuals(loaded.individuals());
    let shown = match arguments.form {
        ShowForm::Text => text::tree::render(&outline),
        ShowForm::Dot => dot(&outline),
        ShowForm::Svg => svg(&outline)?,
    };
    if let Some(out) = &arguments.out {
        let plain = anstream::adapter::strip_str(&shown).to_string();
        write_new(out, common.force, |file| file.write_all(plain.as_bytes()))?;
        console.note(&format!("tree written to {}", out.display()));
    }
    if common.json || (arguments.form == ShowForm::Text && arguments.out.is_none()) {
        console.result(&document(&outline), || shown)?;
    } else if arguments.out.is_none() {
        Console::bytes(shown.as_bytes())?;
    }
    Ok(Outcome::Done)
}

/// The document of `--json` for rules.
#[derive(Serialize)]
struct RulesDocument<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    individuals: Option<u64>,
    rules: Vec<RuleDocument<'a>>,
}

#[derive(Serialize)]
struct RuleDocument<'a> {
    antecedent: &'a [String],
    consequent: &'a [String],
    count: Option<u64>,
    support: Option<f64>,
    confidence: Option<f64>,
    lift: Option<f64>,
}

fn show_rules(
    arguments: &Show,
    common: &Common,
    console: &Console,
    rules: &Rules,
    individuals: Option<u64>,
) -> Result<Outcome> {
    if arguments.form != ShowForm::Text || arguments.depth.is_some() {
        return Err(Error::parameters("rules are displayed as a table, without depth")
            .in_file(&arguments.model)
            .help("leave out --as and --depth"));
    }
    let lines = rule_lines(rules, individuals);
    let shown = text::rules::table(&lines);
    if let Some(out) = &arguments.out {
        let plain = anstream::adapter::strip_str(&shown).to_string();
        write_new(out, common.force, |file| file.write_all(plain.as_bytes()))?;
        console.note(&format!("rules written to {}", out.display()));
    }
    if common.json || arguments.out.is_none() {
        let rules = lines.iter().map(rule).collect();
        console.result(&RulesDocument { individuals, rules }, || shown)?;
    }
    Ok(Outcome::Done)
}

fn rule(line: &RuleLine) -> RuleDocument<'_> {
    let RuleLine { antecedent, consequent, count, support, confidence, lift } = line;
    let (count, support, confidence, lift) = (*count, *support, *confidence, *lift);
    RuleDocument { antecedent, consequent, count, support, confidence, lift }
}

fn document(outline: &Outline) -> Document<'_> {
    Document {
        leaves: outline.leaves,
        depth: outline.depth,
        individuals: outline.individuals,
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
