//! `[attributes.NAME]`: the role, kind and domain of each attribute.

use super::item::{Item, Section};
use super::{keys, taxonomy};
use crate::plan::{Decimal, Format, MissingRows, ReadPlan, Spelling};
use crate::read::common_form;
use hashbrown::HashSet;
use incrowd_core::policy::{Attribute, Role};
use incrowd_core::table::{Date, DateOrder, Kind};
use incrowd_core::taxonomy::TaxonomySpec;
use incrowd_core::{Error, Result};
use std::path::PathBuf;

/// An attribute as declared, with its place.
pub(super) struct DeclaredAttribute<'a> {
    pub(super) item: Item<'a>,
    pub(super) attribute: Attribute,
    pub(super) missing: Option<Vec<String>>,
    pub(super) date_order: Option<DateOrder>,
    pub(super) decimal: Option<Decimal>,
    pub(super) spelling: Option<Spelling>,
    pub(super) missing_rows: Option<MissingRows>,
    pub(super) taxonomy_file: Option<PathBuf>,
}

/// All attributes in the order of the file.
pub(super) fn read<'a>(top: &Section<'a>) -> Result<Vec<DeclaredAttribute<'a>>> {
    let item = top.get("attributes").ok_or_else(|| no_attributes(top.source.error(0..0, NO_ATTRIBUTES)))?;
    let entries = item.entries()?;
    if entries.is_empty() {
        return Err(no_attributes(item.error_at_key(NO_ATTRIBUTES)));
    }
    entries.into_iter().map(|item| read_one(item).map_err(|error| error.of_attribute(item.key))).collect()
}

const NO_ATTRIBUTES: &str = "the policy states no roles";

fn no_attributes(error: Error) -> Error {
    error.help("add [attributes.NAME] with role = \"public\" or \"private\" for each column; `incrowd profile` drafts a policy")
}

fn read_one(item: Item<'_>) -> Result<DeclaredAttribute<'_>> {
    let section = item.section(keys::ATTRIBUTE)?;
    let mut attribute = Attribute::new(item.key, role(section.require("role")?)?);
    attribute.kind = section.get("kind").map(kind).transpose()?;
    if let Some(item) = section.get("order") {
        imply(&mut attribute, Kind::Ordered, item)?;
        attribute.values = item.some_texts()?;
    }
    if let Some(item) = section.get("values") {
        imply(&mut attribute, Kind::Categorical, item)?;
        attribute.values = item.some_texts()?;
    }
    if let Some(item) = section.get("range") {
        let ends = item.list()?;
        let of_dates = !ends.is_empty() && ends.iter().all(Item::is_text);
        imply(&mut attribute, if of_dates { Kind::Date } else { Kind::Numeric }, item)?;
        attribute.range = Some(range(item, of_dates)?);
    }
    if let Some(item) = section.get("whole") {
        attribute.whole = item.flag()?;
        if attribute.whole {
            imply(&mut attribute, Kind::Numeric, item)?;
            has_whole_number(attribute.range, item)?;
        }
    }
    if let Some(item) = section.get("taxonomy") {
        attribute.taxonomy = Some(fitting_taxonomy(&mut attribute, item)?);
    }
    if let Some(item) = section.get("kind")
        && attribute.kind == Some(Kind::Ordered)
        && attribute.values.is_empty()
    {
        return Err(item
            .error("an ordered attribute needs `order`")
            .help("add order = [\"lowest\", …, \"highest\"]"));
    }
    if let Some(item) = section.get("weight") {
        attribute.weight = weight(item, attribute.role)?;
    }
    if let Some(item) = section.get("harmless") {
        attribute.harmless = harmless(item, attribute.role)?;
    }
    if let Some(item) = section.get("undecided") {
        // To change the role is to decide.
        attribute.undecided = item.flag()? && attribute.role == Role::Public;
    }
    let missing = section.get("missing").map(|item| item.texts()).transpose()?;
    let date_order = section.get("dates").map(|item| date_order(&mut attribute, item)).transpose()?;
    let decimal = section.get("decimal").map(|item| decimal(&mut attribute, item)).transpose()?;
    let spelling = section.get("spelling").map(super::file::spelling).transpose()?;
    let missing_rows =
        section.get("missing-rows").map(|item| missing_rows(item, attribute.role)).transpose()?;
    let taxonomy_file = section.get("taxonomy").and_then(taxonomy::file);
    Ok(DeclaredAttribute {
        item,
        attribute,
        missing,
        date_order,
        decimal,
        spelling,
        missing_rows,
        taxonomy_file,
    })
}

/// The roles, and what the literature and other programs call them.
const ROLES: [(&str, Role); 4] = [
    ("public", Role::Public),
    ("private", Role::Private),
    ("identifier", Role::Identifier),
    ("ignored", Role::Ignored),
];
const ALIASES: [(&str, Role); 8] = [
    ("quasi-identifier", Role::Public),
    ("quasi-identifying", Role::Public),
    ("qi", Role::Public),
    ("qid", Role::Public),
    ("sensitive", Role::Private),
    ("insensitive", Role::Ignored),
    ("direct-identifier", Role::Identifier),
    ("identifying", Role::Identifier),
];

fn role(item: Item<'_>) -> Result<Role> {
    let word = item.text()?.to_lowercase().replace(['_', ' '], "-");
    let alias = ALIASES.iter().find(|(name, _)| *name == word);
    alias.map_or_else(|| item.choice(&ROLES), |(_, role)| Ok(*role))
}

fn decimal(attribute: &mut Attribute, item: Item<'_>) -> Result<Decimal> {
    imply(attribute, Kind::Numeric, item)?;
    super::file::decimal(item)
}

/// What happens to rows without a value of the attribute.
fn missing_rows(item: Item<'_>, role: Role) -> Result<MissingRows> {
    if !matches!(role, Role::Public | Role::Private) {
        return Err(item
            .error_at_key("only public and private attributes have rows with a missing value")
            .help("omit the key, or change the role"));
    }
    super::file::missing_rows(item)
}

/// The weight of a public attribute's information loss.
fn weight(item: Item<'_>, role: Role) -> Result<f64> {
    let weight = item.number()?;
    if role != Role::Public {
        return Err(item
            .error_at_key("only the loss of a public attribute has a weight")
            .help("omit the key, or set role = \"public\""));
    }
    if !(0.001..=1000.0).contains(&weight) {
        return Err(item.error("`weight` must be a number from 0.001 to 1000").help("1 is usual"));
    }
    Ok(weight)
}

/// Only a column that plays no part can be called harmless: others are judged, or must not be released.
fn harmless(item: Item<'_>, role: Role) -> Result<bool> {
    let harmless = item.flag()?;
    if harmless && role != Role::Ignored {
        return Err(item
            .error_at_key("only an ignored column can be declared harmless")
            .help("omit the key, or set role = \"ignored\""));
    }
    Ok(harmless)
}

fn kind(item: Item<'_>) -> Result<Kind> {
    item.choice(&[
        ("numeric", Kind::Numeric),
        ("categorical", Kind::Categorical),
        ("ordered", Kind::Ordered),
        ("date", Kind::Date),
    ])
}

fn date_order(attribute: &mut Attribute, item: Item<'_>) -> Result<DateOrder> {
    imply(attribute, Kind::Date, item)?;
    item.choice(&[("day-first", DateOrder::DayFirst), ("month-first", DateOrder::MonthFirst)])
}

/// What a key implies about the kind must not contradict what was stated or implied before.
fn imply(attribute: &mut Attribute, implied: Kind, item: Item<'_>) -> Result<()> {
    match attribute.kind.replace(implied) {
        Some(kind) if kind != implied => Err(item
            .error_at_key(format!(
                "`{}` is for {} attributes; this one is {}",
                item.key,
                word(implied),
                word(kind)
            ))
            .help(format!("change `kind`, or remove `{}`", item.key))),
        _ => Ok(()),
    }
}

pub(super) fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Numeric => "numeric",
        Kind::Categorical => "categorical",
        Kind::Ordered => "ordered",
        Kind::Date => "date",
        _ => "other",
    }
}

/// The ends of a range; of dates, as days since 1970-01-01.
fn range(item: Item<'_>, of_dates: bool) -> Result<(f64, f64)> {
    let end = |item: &Item<'_>| if of_dates { day(item) } else { item.number() };
    let ends = item.list()?.iter().map(end).collect::<Result<Vec<_>>>()?;
    match ends[..] {
        [low, high] if low <= high => Ok((low, high)),
        [_, _] => Err(item.error("the range ends before it begins").help("write [lowest, highest]")),
        _ => Err(item.error("a range is two numbers").help("write [lowest, highest]")),
    }
}

fn day(item: &Item<'_>) -> Result<f64> {
    let date = Date::parse(item.text()?, None).map(|date| f64::from(date.days()));
    date.ok_or_else(|| item.error("this is not a date").help("write dates as \"2026-12-31\""))
}

/// A range must leave a whole number where only those are possible.
fn has_whole_number(range: Option<(f64, f64)>, item: Item<'_>) -> Result<()> {
    match range {
        Some((low, high)) if low.ceil() > high => {
            Err(item.error("the range contains no whole number").help("widen `range`, or omit `whole`"))
        }
        _ => Ok(()),
    }
}

fn fitting_taxonomy(attribute: &mut Attribute, item: Item<'_>) -> Result<TaxonomySpec> {
    let spec = taxonomy::read(item)?;
    if spec.needs_numbers() {
        imply(attribute, Kind::Numeric, item)?;
    }
    if spec == TaxonomySpec::Calendar {
        imply(attribute, Kind::Date, item)?;
    }
    if let TaxonomySpec::Tree(tree) = &spec {
        let covered: HashSet<&str> = tree.values().collect();
        if attribute.values.iter().any(|value| !covered.contains(value.as_str())) {
            return Err(item.error("the taxonomy lacks a declared value").help("add a line for every value"));
        }
    }
    Ok(spec)
}

/// The values that an attribute declares, also in its taxonomy.
pub(super) fn declared_values(attribute: &Attribute) -> Vec<String> {
    let of_tree: Vec<String> = match &attribute.taxonomy {
        Some(TaxonomySpec::Tree(tree)) => tree.values().map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    attribute.values.iter().cloned().chain(of_tree).collect()
}

/// Values that count as one must not be declared as two.
pub(super) fn check_spelling(file: &ReadPlan, declared: &[DeclaredAttribute<'_>]) -> Result<()> {
    for d in declared {
        let spelling = d.spelling.unwrap_or(file.spelling);
        let mut values = declared_values(&d.attribute);
        values.sort_unstable();
        values.dedup();
        let mut seen = HashSet::new();
        if spelling != Spelling::Exact
            && !values.iter().all(|value| seen.insert(common_form(value, spelling)))
        {
            return Err(d
                .item
                .error_at_key(
                    "two declared values differ only in spelling, which `spelling` does not distinguish",
                )
                .of_attribute(&d.attribute.name)
                .help("remove one of them, or give the attribute spelling = \"exact\""));
        }
    }
    Ok(())
}

/// Markers must not be values, and a rule for rows with missing values needs something that marks them.
pub(super) fn check_missing(
    top: &Section<'_>,
    file: &ReadPlan,
    declared: &[DeclaredAttribute<'_>],
) -> Result<()> {
    for d in declared {
        let markers = d.missing.as_ref().unwrap_or(&file.missing);
        if d.attribute.values.iter().any(|value| markers.contains(value)) {
            return Err(d
                .item
                .error_at_key("a declared value is also a missing marker")
                .of_attribute(&d.attribute.name)
                .help("give the attribute its own `missing`, or remove the value"));
        }
    }
    let marked = !file.missing.is_empty() || declared.iter().any(|d| d.missing.iter().any(|m| !m.is_empty()));
    let can_be_empty = matches!(file.format, Some(Format::Arff | Format::Parquet | Format::JsonLines));
    let section = top.section("file", keys::FILE)?;
    // An empty list states that only cells without a text are missing.
    let is_stated = section.as_ref().is_some_and(|section| section.get("missing").is_some());
    let rule = section.and_then(|section| section.get("missing-rows"));
    let of_attributes = declared.iter().find(|d| d.missing_rows.is_some()).map(|d| d.item);
    match rule.or(of_attributes).filter(|_| !marked && !can_be_empty && !is_stated) {
        Some(item) => Err(item
            .error_at_key("`missing-rows` is given, but nothing marks a missing value")
            .help("name the marker, such as missing = [\"?\"]; if only empty numbers and nulls are missing, set missing = []; for ARFF, Parquet and JSON lines, set `format`")),
        None => Ok(()),
    }
}
