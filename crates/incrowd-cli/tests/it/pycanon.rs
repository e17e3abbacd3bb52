//! The measures of a table agree with those of the Python package pycanon (1.3.6) on Adult.
//!
//! Where pycanon differs, the test states how (`docs/measures.md` explains it in detail):
//!
//! - Entropy l is truncated to a whole number; incrowd does not truncate it. Without truncation, pycanon's code agrees.
//! - Recursive (c,l)-diversity is wrong: the counts are sorted the wrong way round, so the rarest value is compared
//!   with the most frequent ones and c is nearly always 1. Sorted as the definition has it, pycanon's own code agrees.
//!   It is rounded to the next whole c, too, and not computed for l = 1.
//! - The distance of t-closeness follows from the column's type: ordered for numbers, equal for text. incrowd gives
//!   both for a numeric column, so a column of numbers is compared twice.

use crate::{Folder, data};
use incrowd::audit::{AttributeMeasures, Report, audit_table};
use incrowd::io::{Format, MissingRows, ReadPlan, read_table};
use incrowd::policy::{Attribute, Policy, Role};
use incrowd::progress::Silent;
use incrowd::table::{Column, Table};
use incrowd_testkit::ADULT;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const SCRIPT: &str = include_str!("pycanon.py");

struct Case {
    public: &'static [&'static str],
    private: &'static str,
    /// Whether pycanon gets the private column as numbers.
    numeric: bool,
    /// Whether every measure is compared, which pycanon takes long for where there are many groups.
    every: bool,
}

const fn case(public: &'static [&'static str], private: &'static str) -> Case {
    Case { public, private, numeric: false, every: true }
}

const fn numeric(public: &'static [&'static str], private: &'static str) -> Case {
    Case { public, private, numeric: true, every: true }
}

const CASES: &[Case] = &[
    // The example of pycanon's documentation: 13,471 groups, thousands of them single people.
    Case {
        public: &["age", "education", "occupation", "relationship", "sex", "native-country"],
        private: "class",
        numeric: false,
        every: false,
    },
    case(&["age", "sex"], "class"),
    case(&["sex", "race"], "class"),
    case(&["sex", "race"], "occupation"),
    case(&["marital-status", "relationship"], "occupation"),
    case(&["workclass"], "education"),
    case(&["sex"], "native-country"),
    case(&["sex", "race"], "hours-per-week"),
    numeric(&["sex", "race"], "hours-per-week"),
    numeric(&["education"], "age"),
    numeric(&["relationship", "class"], "education-num"),
];

#[test]
fn measures_agree_with_pycanon_on_adult() {
    let (Some(python), Some(adult)) = (incrowd_testkit::python(), data("adult/adult.data")) else { return };
    let table = read(Path::new(&adult));
    assert_eq!(table.rows(), 30_162);
    let theirs = pycanon(&python, &table);
    assert_eq!(theirs.len(), CASES.len());
    for (case, theirs) in CASES.iter().zip(&theirs) {
        compare(case, &audit(&table, case), theirs);
    }
    // If this ever fails, pycanon has mended its sort, and this file and the documentation have to follow.
    let wrong =
        |theirs: &&Value| !theirs["c"].is_null() && (number(theirs, "c") - whole_c(theirs)).abs() > 1e-9;
    assert!(theirs.iter().filter(wrong).count() >= 3, "pycanon's c is right");
}

fn read(path: &Path) -> Table {
    let plan = ReadPlan::default()
        .with_format(Format::Uci)
        .with_names(ADULT)
        .with_missing(vec!["?".to_owned()])
        .with_missing_rows(MissingRows::Drop);
    read_table(path, &plan, 0, &Silent).expect("Adult is there").table
}

fn audit(table: &Table, case: &Case) -> Report {
    let role = |name: &str| match name {
        _ if case.public.contains(&name) => Role::Public,
        _ if name == case.private => Role::Private,
        _ => Role::Ignored,
    };
    let policy = Policy::new(ADULT.into_iter().map(|name| Attribute::new(name, role(name))).collect());
    audit_table(table, &policy, &policy.guarantee).expect("the policy fits")
}

/// Runs pycanon over all cases, on the same cells.
fn pycanon(python: &Path, table: &Table) -> Vec<Value> {
    let folder = Folder::new();
    let path = folder.file("adult.csv", csv(table));
    let run = Command::new(python).args(["-I", "-c", SCRIPT, &path, &cases().to_string()]).output();
    let output = run.expect("INCROWD_PYTHON runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("the script prints JSON")
}

fn cases() -> Value {
    let value = |case: &Case| {
        json!({
            "public": case.public,
            "private": case.private,
            "numeric": case.numeric,
            "every": case.every,
        })
    };
    CASES.iter().map(value).collect()
}

/// No value of Adult contains a comma or a quote.
fn csv(table: &Table) -> String {
    let mut text = ADULT.join(",");
    for row in 0..table.rows() {
        let mut delimiter = '\n';
        for column in table.columns() {
            write!(text, "{delimiter}{}", cell(column, row)).expect("a string takes everything");
            delimiter = ',';
        }
    }
    text
}

fn cell(column: &Column, row: usize) -> std::borrow::Cow<'_, str> {
    column.values().text(column.code(row) as usize)
}

fn compare(case: &Case, report: &Report, theirs: &Value) {
    let name = format!("{:?} {}", case.public, case.private);
    let ours = &report.attributes[0];
    same(report.k as f64, theirs, "k", &name);
    same(f64::from(ours.distinct_l), theirs, "l", &name);
    same(ours.beta, theirs, "beta", &name);
    if case.every {
        compare_the_rest(case, ours, theirs, &name);
    }
}

fn compare_the_rest(case: &Case, ours: &AttributeMeasures, theirs: &Value, name: &str) {
    same(ours.alpha, theirs, "alpha", name);
    let ordered = || ours.t_ordered.expect("a numeric column has an ordered distance");
    same(if case.numeric { ordered() } else { ours.t_equal }, theirs, "t", name);
    same(ours.entropy_l, theirs, "exact_entropy_l", name);
    same(ours.entropy_l.floor(), theirs, "entropy_l", name);
    assert_eq!(ours.recursive.l, ours.distinct_l, "{name}");
    if ours.distinct_l > 1 {
        same(ours.recursive.c, theirs, "exact_c", name);
    } else {
        assert!(theirs["c"].is_null() && theirs["exact_c"].is_null(), "{name}: pycanon has a c for l = 1");
        assert_close(ours.recursive.c, ours.alpha, "c is alpha where l is 1");
    }
}

fn same(ours: f64, theirs: &Value, measure: &str, case: &str) {
    assert_close(ours, number(theirs, measure), &format!("{case}: {measure}"));
}

/// Equal but for what a handful of roundings can do.
fn assert_close(ours: f64, theirs: f64, what: &str) {
    assert!((ours - theirs).abs() <= 1e-11 * theirs.abs().max(1.0), "{what}: {ours}, pycanon {theirs}");
}

fn number(theirs: &Value, measure: &str) -> f64 {
    theirs[measure].as_f64().unwrap_or(f64::NAN)
}

/// What pycanon's c should be: the smallest whole number above the ratio.
fn whole_c(theirs: &Value) -> f64 {
    number(theirs, "exact_c").floor() + 1.0
}
