//! `taxonomy`: a file or a rule.

use super::item::{Item, Section};
use super::{keys, taxonomy_file};
use incrowd_core::taxonomy::{Intervals, Prefix, Quantiles, TaxonomySpec};
use incrowd_core::{Error, Result};
use std::path::{Path, PathBuf};

pub(super) fn read(item: Item<'_>) -> Result<TaxonomySpec> {
    if item.is_text() { read_file(item) } else { read_rule(item) }
}

/// Reads the file, looked for beside the policy.
fn read_file(item: Item<'_>) -> Result<TaxonomySpec> {
    let name = item.text()?;
    if keys::TAXONOMY.contains(&name) {
        return Err(item
            .error("a string is taken as the path of a taxonomy file")
            .help(format!("for the rule, write taxonomy = {{ {name} = {{}} }}")));
    }
    taxonomy_file::read_taxonomy(beside(item, name)).map_err(|error| named_in(error, item))
}

/// The file that `taxonomy` names, if it names one.
pub(super) fn file(item: Item<'_>) -> Option<PathBuf> {
    let name = item.is_text().then(|| item.text().ok()).flatten()?;
    Some(beside(item, name))
}

fn beside(item: Item<'_>, name: &str) -> PathBuf {
    item.source.path.parent().unwrap_or(Path::new("")).join(name)
}

/// The error is in the taxonomy file; where that is named helps too.
fn named_in(error: Error, item: Item<'_>) -> Error {
    let here = item.error("").place;
    let named = format!("the taxonomy is named in {here}");
    let help = error.help.as_ref().map_or_else(|| named.clone(), |help| format!("{help}; {named}"));
    error.help(help)
}

fn read_rule(item: Item<'_>) -> Result<TaxonomySpec> {
    let rule = item.section(keys::TAXONOMY)?.only(&keys::TAXONOMY.join(", "))?;
    let section = |keys: &[&str]| rule.section(keys);
    match rule.key {
        "intervals" => intervals(rule, &section(keys::INTERVALS)?),
        "quantiles" => quantiles(rule, &section(keys::QUANTILES)?),
        "prefix" => prefix(rule, &section(keys::PREFIX)?),
        "round" => section(&[]).map(|_| TaxonomySpec::Round),
        "calendar" => section(&[]).map(|_| TaxonomySpec::Calendar),
        _ => section(&[]).map(|_| TaxonomySpec::Flat),
    }
}

fn intervals(rule: Item<'_>, section: &Section<'_>) -> Result<TaxonomySpec> {
    let width = section.require("width")?.number()?;
    let origin = section.get("origin").map_or(Ok(0.0), |item| item.number())?;
    rule.place(Intervals::new(width, origin, factor(section)?)).map(TaxonomySpec::Intervals)
}

fn quantiles(rule: Item<'_>, section: &Section<'_>) -> Result<TaxonomySpec> {
    let count = section.require("count")?.small_integer()?;
    rule.place(Quantiles::new(count, factor(section)?)).map(TaxonomySpec::Quantiles)
}

fn prefix(rule: Item<'_>, section: &Section<'_>) -> Result<TaxonomySpec> {
    let step = section.get("step").map_or(Ok(1), |item| item.small_integer())?;
    let mask = section.get("mask").map_or(Ok('*'), |item| item.character())?;
    let pad = section.get("pad").map(|item| item.character()).transpose()?;
    rule.place(Prefix::new(step, mask, pad)).map(TaxonomySpec::Prefix)
}

fn factor(section: &Section<'_>) -> Result<u32> {
    section.get("factor").map_or(Ok(2), |item| item.small_integer())
}
