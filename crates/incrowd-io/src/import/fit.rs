//! Whether a foreign model belongs to the table it is audited with.
//!
//! A value that the model spells differently from the table takes the side of a one-hot test where all the other values
//! are, without any sign of an error. So each value of a public column must be known to both, unless the policy lists
//! it.

use super::{Elsewhere, Maker};
use crate::plan::{ColumnPlan, ReadPlan, Reading, Unlisted};
use crate::predictions::tested_by;
use incrowd_core::model::{Clusters, Domain, Model, Node, Split, Tree};
use incrowd_core::policy::{Policy, Role};
use incrowd_core::table::{Column, Kind, Table, Values};
use incrowd_core::{Error, Result};
use std::collections::HashSet;

/// Which columns a model compares by text.
pub enum Compared<'a> {
    /// These.
    Columns(Vec<&'a str>),
    /// Any: an item of a rule may be a value of any column.
    All,
}

impl<'a> Compared<'a> {
    /// Those of a model.
    pub fn of(model: &'a Model) -> Self {
        match model {
            Model::Tree(tree) => Self::of_tree(tree),
            Model::Ensemble(ensemble) => Self::of_tree(ensemble.trees()[0].tree()),
            Model::Clusters(clusters) => Self::of_clusters(clusters),
            _ => Self::All,
        }
    }

    /// Those of a tree, its class among them.
    pub(crate) fn of_tree(tree: &'a Tree) -> Self {
        let attributes =
            tree.attributes().iter().map(|attribute| (&attribute.domain, attribute.name.as_str()));
        Self::Columns(texts(attributes).chain([tree.class().name.as_str()]).collect())
    }

    /// Those of a clustering.
    pub(crate) fn of_clusters(clusters: &'a Clusters) -> Self {
        Self::Columns(texts(clusters.axes().iter().map(|axis| (&axis.domain, axis.name.as_str()))).collect())
    }
}

fn texts<'a>(named: impl Iterator<Item = (&'a Domain, &'a str)>) -> impl Iterator<Item = &'a str> {
    named.filter(|(domain, _)| matches!(domain, Domain::Values(_))).map(|(_, name)| name)
}

/// Reads columns as the program that made a model does, if that is another one: what it compares as text is read as
/// text, with the spaces around it, whatever it looks like; what it compares as numbers, for numbers. A kind that the
/// plan states is kept, unless it contradicts this.
///
/// # Errors
/// When the plan states a kind by which a column would be compared differently.
pub fn read_as_maker(plan: &mut ReadPlan, compared: Compared<'_>, maker: &Maker) -> Result<()> {
    let Maker::Elsewhere(elsewhere) = maker else { return Ok(()) };
    for name in &elsewhere.numbers_as_names {
        let column = plan.columns.entry(name.clone()).or_insert_with(optional);
        if column.kind.is_some_and(|kind| kind != Kind::Numeric) {
            return Err(Error::input(
                "the model compares this column as a number, but the policy does not declare it numeric",
            )
            .of_attribute(name)
            .help("set kind = \"numeric\" for it"));
        }
        column.kind = Some(Kind::Numeric);
    }
    let names = match compared {
        Compared::Columns(names) => names,
        Compared::All => {
            plan.columns.values_mut().for_each(as_text);
            return Ok(());
        }
    };
    for name in names {
        match plan.columns.get_mut(name) {
            Some(column) => as_text(column),
            None if plan.unlisted == Unlisted::Keep => {
                as_text(plan.columns.entry(name.to_owned()).or_insert_with(optional));
            }
            None => {}
        }
    }
    Ok(())
}

fn optional() -> ColumnPlan {
    ColumnPlan { optional: true, ..ColumnPlan::default() }
}

/// Takes the cells of a column as they are written, unless its kind is stated to be another.
fn as_text(column: &mut ColumnPlan) {
    if column.reading == Reading::Keep && matches!(column.kind, None | Some(Kind::Categorical)) {
        column.kind = Some(Kind::Categorical);
        column.reading = Reading::Verbatim;
    }
}

/// Refuses numbers that the model's program would refuse.
///
/// # Errors
/// When a number of a column is beyond single precision, or not whole, and the model's program takes no such number.
pub fn check_numbers(trees: &[&Tree], table: &Table, elsewhere: &Elsewhere) -> Result<()> {
    for name in &elsewhere.whole {
        let is_whole = |number: &f64| number.is_nan() || (number.fract() == 0.0 && number.abs() < 9e18);
        let numbers = table.column(name).and_then(|column| column.values().numbers());
        if !numbers.is_none_or(|numbers| numbers.iter().all(is_whole)) {
            return Err(Error::input(
                "the model takes whole numbers, and the table contains a number that is not whole",
            )
            .of_attribute(name)
            .help("make the model with a floating-point input, or remove such rows"));
        }
    }
    let Some(tree) = trees.first().filter(|_| elsewhere.single_only) else { return Ok(()) };
    for (attribute, tested) in tree.attributes().iter().zip(tested_by(trees)) {
        let column = table.column(&attribute.name).filter(|_| tested);
        let is_large = |number: &f64| number.is_finite() && (*number as f32).is_infinite();
        if column
            .and_then(|column| column.values().numbers())
            .is_some_and(|numbers| numbers.iter().any(is_large))
        {
            return Err(Error::limit(
                "a number is too large for the model's program, which uses single precision",
            )
            .of_attribute(&attribute.name)
            .help("remove rows with numbers beyond 3.4e38"));
        }
    }
    Ok(())
}

/// Refuses trees (over the same attributes) whose values are not those of the table's public columns.
///
/// # Errors
/// When the table lacks a column that the tree tests, or a value is known to only one of the two and the policy does
/// not list it.
pub fn check_values(trees: &[&Tree], table: &Table, policy: &Policy) -> Result<()> {
    let Some(tree) = trees.first() else { return Ok(()) };
    for (place, (attribute, tested)) in tree.attributes().iter().zip(tested_by(trees)).enumerate() {
        if !tested {
            continue;
        }
        let column = table.column(&attribute.name).ok_or_else(|| no_column(&attribute.name))?;
        let stated = policy.attributes.iter().find(|stated| stated.name == attribute.name);
        let Domain::Values(listed) = &attribute.domain else { continue };
        if stated.is_some_and(|stated| stated.role == Role::Private) {
            continue;
        }
        let allowed: HashSet<Key> =
            stated.into_iter().flat_map(|stated| &stated.values).map(|value| key(column, value)).collect();
        let of_table: HashSet<Key> = (0..column.values().len()).map(|code| of_code(column, code)).collect();
        let of_model: HashSet<Key> = listed.iter().map(|value| key(column, value)).collect();
        let unknown = of_table.difference(&of_model).filter(|value| !allowed.contains(*value)).count();
        let absent = listed.iter().enumerate().find(|(value, name)| {
            let name = key(column, name);
            !of_table.contains(&name)
                && !allowed.contains(&name)
                && !trees.iter().all(|tree| goes_as_missing(tree, place, *value))
        });
        if unknown > 0 || absent.is_some() {
            return Err(other_values(&attribute.name, unknown, absent.map(|(_, value)| value)));
        }
    }
    check_class(tree, table)
}

/// Refuses a tree that does not know a value of the table's class.
fn check_class(tree: &Tree, table: &Table) -> Result<()> {
    let class = tree.class();
    let Some(column) = table.column(&class.name) else { return Ok(()) };
    let known: HashSet<Key> = class.values.iter().map(|value| key(column, value)).collect();
    if (0..column.values().len()).all(|code| known.contains(&of_code(column, code))) {
        return Ok(());
    }
    let shown: Vec<String> =
        class.values.iter().take(5).map(|value| value.chars().take(20).collect()).collect();
    Err(Error::input("the table's class has a value that is not in the model").of_attribute(&class.name).help(format!(
        "the classes of the model are {}: some programs write True as 1 or true; train the model on a text class, spelled as in the table",
        shown.join(", ")
    )))
}

/// A value as the column compares it.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Number(u64),
    Name(String),
}

fn key(column: &Column, value: &str) -> Key {
    let number = match column.values() {
        Values::Numeric(_) => value.trim().parse::<f64>().ok(),
        _ => None,
    };
    number.map_or_else(|| Key::Name(value.to_owned()), |number| Key::Number((number + 0.0).to_bits()))
}

fn of_code(column: &Column, code: usize) -> Key {
    match column.values() {
        Values::Numeric(numbers) => Key::Number((numbers[code] + 0.0).to_bits()),
        values => Key::Name(values.text(code).into_owned()),
    }
}

/// Whether every test sends a value where it sends missing ones: it may represent them.
fn goes_as_missing(tree: &Tree, attribute: usize, value: usize) -> bool {
    tree.nodes().iter().all(|node| match node {
        Node::Test(test) if test.attribute == attribute => match &test.split {
            Split::Values(of_value) => of_value[value].or(test.otherwise) == test.missing_branch(),
            Split::Thresholds(_) => true,
        },
        _ => true,
    })
}

fn other_values(name: &str, unknown: usize, absent: Option<&String>) -> Error {
    let of_table = match unknown {
        0 => String::new(),
        1 => "a value of the table is not in the model".to_owned(),
        many => format!("{many} values of the table are not in the model"),
    };
    let of_model = absent.map(|value| {
        let shown: String = value.chars().take(40).collect();
        format!("the model's value {shown:?} does not occur in the table")
    });
    let all: Vec<String> = [of_table].into_iter().filter(|text| !text.is_empty()).chain(of_model).collect();
    Error::input(all.join(", and ")).of_attribute(name).help(
        "check how values are spelled (spaces, leading zeros, decimals); if both are numbers, set kind = \"numeric\"; if both are right, list the values in the policy: values = [...]",
    )
}

fn no_column(name: &str) -> Error {
    Error::input("the table has no column of this name, or the policy excludes it from the audit").of_attribute(name).help(
        "give it a role in the policy; in ONNX, where skl2onnx replaces most characters by _, name the columns in the metadata \"incrowd.names\" (docs/foreign-models.md)",
    )
}

/// Refuses rules whose items may be several, or one with a comma in its name.
///
/// # Errors
/// When an item of the data has one of these names.
pub fn check_commas(names: &[String], is_item: impl Fn(&str) -> bool) -> Result<()> {
    match names.iter().find(|name| is_item(name)) {
        None => Ok(()),
        Some(name) => {
            Err(Error::input("this may be one item or several: the file does not distinguish them")
                .of_attribute(name)
                .help("write the rules with `count`, which is checked against the data"))
        }
    }
}
