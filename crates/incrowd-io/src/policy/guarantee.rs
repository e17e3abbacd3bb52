//! `[guarantee]`: what must hold for every span.

use super::attributes::DeclaredAttribute;
use super::item::{Item, Section};
use super::keys;
use incrowd_core::choice::Choice;
use incrowd_core::guarantee::{Distance, Guarantee, Preset, Requirement, Scope, SeveralRows, SingleBin};
use incrowd_core::policy::Role;
use incrowd_core::{Error, Result};

/// The guarantee; `known` are the attributes that an attacker knows.
pub(super) fn read(
    top: &Section<'_>,
    declared: &[DeclaredAttribute<'_>],
    class: Option<&str>,
    known: &[String],
) -> Result<Guarantee> {
    let Some(item) = top.get("guarantee") else { return Ok(Guarantee::default()) };
    let section = item.section(keys::GUARANTEE)?;
    let requirements = requirements(&section)?;
    let scope = section.get("of").map_or(Ok(Scope::default()), |item| scope(item, declared))?;
    let scope = match section.get("except") {
        Some(item) => all_except(item, &scope, declared, known)?,
        None => scope,
    };
    let is_public =
        |name: &str| declared.iter().any(|d| d.attribute.name == name && d.attribute.role == Role::Public);
    if scope == Scope::Class
        && class.is_some_and(is_public)
        && let Some((key, _)) = requirements.iter().find(|(_, requirement)| requirement.looks_at_values())
    {
        return Err(key
            .error_at_key(format!("`{}` applies to the class, which is public", key.key))
            .help("set of = \"all\" or name private attributes"));
    }
    let presets = section.get("preset").map_or(Ok(Vec::new()), presets)?;
    check_presets(&presets, &requirements)?;
    let requirements = requirements.into_iter().map(|(_, requirement)| requirement).collect();
    let stated = item.place(Guarantee::new(requirements, scope))?;
    Ok(presets.into_iter().fold(stated, Guarantee::with_preset))
}

/// One preset, or a list of them.
fn presets(item: Item<'_>) -> Result<Vec<Preset>> {
    let names: Vec<(&str, Preset)> =
        Preset::all().into_iter().map(|preset| (preset.name(), preset)).collect();
    if item.is_text() {
        return item.choice(&names).map(|preset| vec![preset]);
    }
    item.some_texts()?;
    item.list()?.into_iter().map(|item| item.choice(&names)).collect()
}

/// Fails if a requirement is weaker than that of a preset: it is not clear which is meant.
fn check_presets(presets: &[Preset], requirements: &[(Item<'_>, Requirement)]) -> Result<()> {
    for (preset, required) in
        presets.iter().flat_map(|preset| preset.requirements().into_iter().map(move |own| (preset, own)))
    {
        if let Some((item, _)) = requirements.iter().find(|(_, stated)| required.is_above(stated)) {
            return Err(item
                .error(format!("the preset {preset} requires more: {required}"))
                .help(format!("leave `{}` out, or the preset", item.key)));
        }
    }
    Ok(())
}

/// The requirements, each with its key.
fn requirements<'a>(section: &Section<'a>) -> Result<Vec<(Item<'a>, Requirement)>> {
    let single_bin = modifier(section, "single-bin", "k", &SINGLE_BIN)?;
    let several_rows = modifier(section, "several-rows", "k", &SEVERAL_ROWS)?;
    let distance = modifier(section, "t-distance", "t-closeness", &DISTANCE)?;
    let ask = |key: &str, make: &dyn Fn(Item<'a>) -> Result<Result<Requirement>>| {
        section
            .get(key)
            .map(|item| item.place(make(item)?).map(|requirement| (item, requirement)))
            .transpose()
    };
    let asked = [
        ask("k", &|item| Ok(Requirement::k_over(item.integer_from(1)?, single_bin, several_rows)))?,
        ask("distinct-l", &|item| Ok(Requirement::distinct_l(item.small_integer()?)))?,
        ask("entropy-l", &|item| Ok(Requirement::entropy_l(item.number()?)))?,
        ask("recursive", &recursive)?,
        ask("confidence", &|item| Ok(Requirement::confidence(share(item)?)))?,
        ask("t-closeness", &|item| Ok(Requirement::t_closeness(share(item)?, distance)))?,
        ask("alpha", &|item| Ok(Requirement::alpha(share(item)?)))?,
        ask("beta", &|item| Ok(Requirement::beta(item.number()?)))?,
        ask("smallest-bin", &|item| Ok(Requirement::smallest_bin(item.integer_from(1)?)))?,
    ];
    Ok(asked.into_iter().flatten().collect())
}

/// A share from 0 to 1. What is a percentage by its sign or its size gets a help that states the share.
fn share(item: Item<'_>) -> Result<f64> {
    let percent = match item.text() {
        Ok(text) => text.trim().strip_suffix('%').and_then(|text| text.trim().parse().ok()),
        Err(_) => item.number().ok().filter(|number| *number > 1.0),
    };
    match percent.filter(|percent: &f64| (0.0..=100.0).contains(percent)) {
        Some(percent) => Err(item
            .error(format!("`{}` must be a share from 0 to 1, not a percentage", item.key))
            .help(format!("write {} = {}", item.key, percent / 100.0))),
        None => item.number(),
    }
}

const SINGLE_BIN: [(&str, SingleBin); 2] = [("counted", SingleBin::Counted), ("exempt", SingleBin::Exempt)];
const SEVERAL_ROWS: [(&str, SeveralRows); 2] =
    [("counted", SeveralRows::Counted), ("strict", SeveralRows::Strict)];
const DISTANCE: [(&str, Distance); 2] = [("equal", Distance::Equal), ("ordered", Distance::Ordered)];

/// A key that modifies another, and so needs it; the first choice is the default.
fn modifier<T: Copy>(section: &Section<'_>, key: &str, of: &str, choices: &[(&str, T)]) -> Result<T> {
    let Some(item) = section.get(key) else { return Ok(choices[0].1) };
    if section.get(of).is_none() {
        return Err(item.error_at_key(format!("`{key}` modifies `{of}`, which is not given")));
    }
    item.choice(choices)
}

fn recursive(item: Item<'_>) -> Result<Result<Requirement>> {
    let section = item.section(keys::RECURSIVE)?;
    Ok(Requirement::recursive_l(section.require("c")?.number()?, section.require("l")?.small_integer()?))
}

fn scope(item: Item<'_>, declared: &[DeclaredAttribute<'_>]) -> Result<Scope> {
    if !item.is_text() {
        let names = item.some_texts()?;
        item.list()?.into_iter().try_for_each(|item| check_private("of", item, declared))?;
        return Ok(Scope::Named(names));
    }
    let word = item.choice(&[("class", 0), ("tested", 1), ("all", 2)]).map_err(or_a_list)?;
    // Without a class, `class` means every private attribute, as it does by default.
    Ok([Scope::Class, Scope::Tested, Scope::All][word].clone())
}

/// The error for an unknown word, where a list would do as well.
fn or_a_list(mut error: Error) -> Error {
    let listed = error.help.take_if(|help| help.starts_with("expected one of"));
    match listed {
        Some(help) => error.help(format!("{help}, or a list of private attributes")),
        None => error,
    }
}

/// Every private attribute but some.
fn all_except(
    item: Item<'_>,
    scope: &Scope,
    declared: &[DeclaredAttribute<'_>],
    known: &[String],
) -> Result<Scope> {
    if *scope != Scope::All {
        return Err(item
            .error_at_key("`except` modifies of = \"all\", which is not given")
            .help("add of = \"all\""));
    }
    let except = item.some_texts()?;
    item.list()?.into_iter().try_for_each(|item| check_private("except", item, declared))?;
    let is_left = |name: &&String| !except.contains(name) && !known.contains(name);
    let private = declared.iter().filter(|d| d.attribute.role == Role::Private).map(|d| &d.attribute.name);
    let names: Vec<String> = private.filter(is_left).cloned().collect();
    if names.is_empty() {
        return Err(item
            .error("`except` names every private attribute, so the requirements would apply to none")
            .help("leave out `except`, or name fewer attributes"));
    }
    Ok(Scope::Named(names))
}

fn check_private(key: &str, item: Item<'_>, declared: &[DeclaredAttribute<'_>]) -> Result<()> {
    let attribute = item.attribute(declared)?;
    match attribute.role {
        Role::Private => Ok(()),
        _ => {
            Err(item.error(format!("`{key}` may name only private attributes")).of_attribute(&attribute.name))
        }
    }
}
