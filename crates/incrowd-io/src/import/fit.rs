//! Whether a model made elsewhere belongs to the table it is audited with.
//!
//! A value that the model spells otherwise than the table goes to the side of a one-hot test where all the others are, and nothing would show it. So each value of a
//! public column must be known to both, unless the policy lists it.

use crate::predictions::tested;
use incrowd_core::model::{Domain, Node, Split, Tree};
use incrowd_core::policy::{Policy, Role};
use incrowd_core::table::{Column, Table, Values};
use incrowd_core::{Error, Result};
use std::collections::HashSet;

/// Refuses a tree whose values are not those of the table's public columns.
///
/// # Errors
/// When the table lacks a column that the tree tests, or a value is known to one of both only and the policy does not list it.
pub fn check_values(tree: &Tree, table: &Table, policy: &Policy) -> Result<()> {
    for (place, (attribute, tested)) in tree.attributes().iter().zip(tested(tree)).enumerate() {
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
            !of_table.contains(&name) && !allowed.contains(&name) && !goes_as_missing(tree, place, *value)
        });
        if unknown > 0 || absent.is_some() {
            return Err(other_values(&attribute.name, unknown, absent.map(|(_, value)| value)));
        }
    }
    Ok(())
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

/// Whether every test sends a value where it sends missing ones: it may stand for them.
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
    Error::new(all.join(", and ")).of_attribute(name).help(
        "check how values are spelled (blanks, leading zeros, decimals); if both are right, list the values in the policy: values = [...]",
    )
}

fn no_column(name: &str) -> Error {
    Error::new("the table has no column of this name").of_attribute(name).help(
        "skl2onnx puts _ for all characters but letters and digits: name the columns in the metadata \"incrowd.names\"; docs/foreign-models.md shows how",
    )
}

/// Refuses rules whose items may be several, or one with a comma in its name.
///
/// # Errors
/// When an item of the data has one of these names.
pub fn check_commas(names: &[String], is_item: impl Fn(&str) -> bool) -> Result<()> {
    match names.iter().find(|name| is_item(name)) {
        None => Ok(()),
        Some(name) => Err(Error::new("this may be one item or several: the file does not tell them apart")
            .of_attribute(name)
            .help("write the rules with `count`, which is checked against the data")),
    }
}
