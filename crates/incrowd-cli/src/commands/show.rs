//! `incrowd show`: displays a model.

use super::flags;
use crate::Outcome;
use crate::args::{Common, Show, ShowForm};
use crate::console::Console;
use crate::documents::{ShownRules, ShownTree};
use crate::text;
use incrowd::io::write::write_new;
use incrowd::model::Rules;
use incrowd::show::{Outline, dot, rule_lines, svg};
use incrowd::{Error, Loaded, Result};

/// The default depth in a terminal. Every line starts with one stem per test above it, so deep trees do not fit.
pub(super) const DEEPEST: usize = 100;

pub(crate) fn run(arguments: &Show, common: &Common, console: &Console) -> Result<Outcome> {
    let loaded = flags::load(&arguments.model)?;
    check_flags(arguments, loaded.family())?;
    if let Some(rules) = loaded.rules() {
        return show_rules(arguments, common, console, rules, &loaded);
    }
    if let Some(clusters) = loaded.clusters() {
        return super::show_clusters::run(&loaded, clusters, arguments, common, console);
    }
    if let Some(ensemble) = loaded.ensemble() {
        return super::show_ensemble::run(&loaded, ensemble, arguments, common, console);
    }
    if loaded.table_file().is_some() {
        return super::show_table::run(&loaded, arguments, common, console);
    }
    let usual = (arguments.form == ShowForm::Text).then_some(DEEPEST);
    let outline = Outline::new(loaded.tree()?, arguments.depth.or(usual))
        .of_individuals(loaded.individuals())
        .of_several_rows(loaded.has_several_rows());
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
        console.result(&ShownTree::new(&outline), || shown)?;
    } else if arguments.out.is_none() {
        Console::bytes(shown.as_bytes())?;
    }
    Ok(Outcome::Done)
}

/// Refuses flags that have no effect on a model of this family.
fn check_flags(arguments: &Show, family: &str) -> Result<()> {
    let is_drawn = family == "clusters" && arguments.form == ShowForm::Svg;
    let (drawn, is_ensemble) = ("clusters as a picture (--as svg)", family == "ensemble");
    let is_table = family == "table";
    let flags = [
        ("data", arguments.data.is_some(), is_drawn || is_table, format!("tables and for {drawn}")),
        ("plane", arguments.plane.is_some(), is_drawn, drawn.to_owned()),
        (
            "policy",
            arguments.policy.is_some(),
            is_drawn || is_ensemble || is_table,
            format!("tables, ensembles and for {drawn}"),
        ),
        (
            "depth",
            arguments.depth.is_some(),
            is_ensemble || family == "tree",
            "trees and ensembles".to_owned(),
        ),
    ];
    let unused = flags.into_iter().find(|&(_, is_given, is_used, _)| is_given && !is_used);
    unused.map_or(Ok(()), |(name, _, _, models)| {
        let error = Error::parameters(format!("this is used only for {models}")).of_parameter(name);
        Err(error.in_file(&arguments.model).help("leave it out"))
    })
}

fn show_rules(
    arguments: &Show,
    common: &Common,
    console: &Console,
    rules: &Rules,
    loaded: &Loaded,
) -> Result<Outcome> {
    let individuals = loaded.individuals();
    if arguments.form != ShowForm::Text {
        return Err(Error::parameters("rules are displayed only as text")
            .in_file(&arguments.model)
            .help("leave out --as"));
    }
    let lines = rule_lines(rules, individuals);
    let shown = text::rules::table(&lines, loaded.guarantee(), loaded.has_several_rows());
    if let Some(out) = &arguments.out {
        let plain = anstream::adapter::strip_str(&shown).to_string();
        write_new(out, common.force, |file| file.write_all(plain.as_bytes()))?;
        console.note(&format!("rules written to {}", out.display()));
    }
    if common.json || arguments.out.is_none() {
        console.result(&ShownRules::new(&lines, individuals), || shown)?;
    }
    Ok(Outcome::Done)
}
