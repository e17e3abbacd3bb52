//! A fictitious clinic: patients of one year, with correlated public and private attributes.
//!
//! None of its patients exists. It shows typical properties of real tables: `district` follows from `zip`, many
//! individuals are unique in age, zip code and occupation, and the diagnosis depends on age, sex and smoking.

mod patient;
mod trees;
mod values;

pub use trees::{careful_tree, careless_tree};

use super::{sure, table};
use crate::guarantee::Guarantee;
use crate::policy::{Attribute, Policy, Role, Undeclared};
use crate::table::{Codes, Column, Kind, Table, Texts, Values};
use patient::{COLUMNS, Patient, draw};
use rayon::prelude::*;

/// Rows drawn before they are sorted into columns; bounds the memory beside the table itself.
const WAVE: usize = 1 << 20;

/// A clinic with this many patients: nine public attributes, then six private ones, the diagnosis last.
///
/// Patient number i depends on the seed and on i alone, so a larger clinic begins with the smaller one's patients.
///
/// # Panics
/// When there are more than `u32::MAX` rows.
pub fn clinic(rows: usize, seed: u64) -> Table {
    table(columns(rows, seed))
}

/// The same clinic with the patients' numbers (`P00000001` …) as the first column, `patient`.
///
/// # Panics
/// When there are more than `u32::MAX` rows.
pub fn clinic_with_ids(rows: usize, seed: u64) -> Table {
    let digits = rows.to_string().len().max(8);
    let numbers: Texts = (1..=rows).map(|number| format!("P{number:0digits$}")).collect();
    let codes = Codes::collect(rows + 1, 0..rows as u32);
    let ids = sure(Column::new("patient", Values::Categorical(numbers), codes));
    table(std::iter::once(ids).chain(columns(rows, seed)).collect())
}

/// A policy for [`clinic`] and [`clinic_with_ids`]: the roles of its attributes, without a guarantee.
pub fn clinic_policy() -> Policy {
    let named = values::all().into_iter().enumerate().map(|(i, (name, values))| {
        let role = if i < values::PUBLIC { Role::Public } else { Role::Private };
        Attribute { kind: Some(values.kind()), ..Attribute::new(name, role) }
    });
    let ids = Attribute { kind: Some(Kind::Categorical), ..Attribute::new("patient", Role::Identifier) };
    Policy {
        attributes: std::iter::once(ids).chain(named).collect(),
        class: Some("diagnosis".to_owned()),
        subject: None,
        dependencies: Vec::new(),
        undeclared: Undeclared::default(),
        guarantee: Guarantee::default(),
        earlier: None,
    }
}

fn columns(rows: usize, seed: u64) -> Vec<Column> {
    let mut cells = vec![Vec::new(); COLUMNS];
    for start in (0..rows).step_by(WAVE) {
        let numbers = start as u64..rows.min(start + WAVE) as u64;
        let patients: Vec<Patient> = numbers.into_par_iter().map(|number| draw(seed, number)).collect();
        cells.par_iter_mut().enumerate().for_each(|(i, column): (usize, &mut Vec<u16>)| {
            column.extend(patients.iter().map(|patient| patient[i]));
        });
    }
    let named = values::all().into_par_iter().zip(cells);
    named.map(|((name, values), cells)| column(name, &values, &cells)).collect()
}

/// A column of the values that occur.
fn column(name: &str, values: &Values, cells: &[u16]) -> Column {
    let mut found = vec![false; values.len()];
    for &cell in cells {
        found[usize::from(cell)] = true;
    }
    let kept: Vec<usize> = (0..values.len()).filter(|&code| found[code]).collect();
    let mut code_of = vec![0; values.len()];
    for (code, &old) in kept.iter().enumerate() {
        code_of[old] = code as u32;
    }
    let codes = Codes::collect(kept.len() + 1, cells.iter().map(|&cell| code_of[usize::from(cell)]));
    let kept = match values {
        Values::Numeric(numbers) => Values::Numeric(kept.iter().map(|&code| numbers[code]).collect()),
        Values::Categorical(texts) | Values::Ordered(texts) => {
            Values::Categorical(kept.iter().map(|&code| texts.get(code)).collect())
        }
    };
    sure(Column::new(name, kept, codes))
}
