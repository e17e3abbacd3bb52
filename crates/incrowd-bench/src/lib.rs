//! Benchmarks of incrowd, and the reproduction of its papers: programs that `cargo xtask bench` and
//! `cargo xtask reproduce` run, and what they share.

pub mod accuracy;
pub mod cost;
pub mod folder;
pub mod phases;
pub mod small;

use incrowd_core::Result;
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::progress::Silent;
use incrowd_core::table::Table;
use incrowd_io::{Format, MissingRows, ReadPlan, read_table};
use std::path::Path;

/// The names of the columns of Adult, whose files have none, separated by commas; the class is last.
pub const ADULT: &str = "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,\
                         capital-gain,capital-loss,hours-per-week,native-country,class";

/// Adult's categorical attributes, each with a taxonomy.
pub const ADULT_NAMES: [&str; 8] = [
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "native-country",
];

/// Reads a file of Adult, without the rows in which a value is missing.
///
/// # Errors
/// When it cannot be read.
pub fn read_adult(path: &str) -> Result<Table> {
    let plan = ReadPlan::default()
        .with_format(Format::Uci)
        .with_names(ADULT.split(','))
        .with_missing(vec!["?".to_owned()])
        .with_missing_rows(MissingRows::Drop);
    Ok(read_table(Path::new(path), &plan, 0, &Silent)?.table)
}

/// The attributes of Adult that are private where some are.
const PRIVATE: [&str; 5] = ["relationship", "capital-gain", "capital-loss", "hours-per-week", "fnlwgt"];

/// A policy for Adult: all attributes public, or with the roles `private` five of them private and one left out.
pub fn adult_policy(roles: &str) -> Policy {
    let role = |name: &str| match name {
        "class" => Role::Private,
        "education-num" if roles == "private" => Role::Ignored,
        name if roles == "private" && PRIVATE.contains(&name) => Role::Private,
        _ => Role::Public,
    };
    Policy::new(ADULT.split(',').map(|name| Attribute::new(name, role(name))).collect()).with_class("class")
}
