//! `kadet-c45` without a privacy constraint against Weka's J48 without subtree raising.
//!
//! Runs where Java and Debian's package `weka` are there (or `WEKA_JAR` names the archive), and says so where not.

use crate::benchmark::{adult, file, wrong};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::Node;
use incrowd_core::policy::{Attribute, Policy, Role, Undeclared};
use incrowd_core::progress::Silent;
use incrowd_core::samples::Random;
use incrowd_core::table::{Column, Kind, Table};
use incrowd_io::plan::{ColumnPlan, Format, ReadPlan, Reading};
use incrowd_io::read_table;
use incrowd_mine::tree::{Method, TreeParams, mine_tree};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Leaves of the tree, and errors on test rows.
type Figures = (usize, usize);

fn weka() -> Option<PathBuf> {
    let jar =
        std::env::var_os("WEKA_JAR").map_or_else(|| PathBuf::from("/usr/share/java/weka.jar"), PathBuf::from);
    let java = Command::new("java").arg("-version").output().is_ok_and(|ran| ran.status.success());
    if java && jar.exists() {
        return Some(jar);
    }
    eprintln!("skipped: Java or Weka is not there (Debian package `weka`, or set WEKA_JAR)");
    None
}

/// J48's figures.
fn j48(jar: &Path, name: &str, train: &Table, test: &Table) -> Figures {
    let folder = std::env::temp_dir().join(format!("incrowd-weka-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |part: &str, table: &Table| {
        let path = folder.join(part);
        std::fs::write(&path, arff(name, train, table)).expect("a file");
        path
    };
    let (train, test) = (write("train.arff", train), write("test.arff", test));
    let ran = Command::new("java")
        .args(["-Djava.awt.headless=true", "-Xmx1g", "-cp"])
        .arg(jar)
        .args(["weka.classifiers.trees.J48", "-S", "-t"])
        .arg(train)
        .arg("-T")
        .arg(test)
        .output()
        .expect("Java");
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    std::fs::remove_dir_all(&folder).expect("the folder");
    let last = |mark: &str, place: usize| {
        let line = text.lines().rfind(|line| line.starts_with(mark));
        let word = line.and_then(|line| line[mark.len()..].split_whitespace().nth(place));
        word.and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("no {mark} in {text}"))
    };
    (last("Number of Leaves  :", 0), last("Incorrectly Classified Instances", 0))
}

/// A table in Weka's format; names are those of the training table, so that both files declare the same.
fn arff(name: &str, train: &Table, table: &Table) -> String {
    let mut text = format!("@relation {name}\n");
    for column in train.columns() {
        let kind = match column.kind() {
            Kind::Numeric if column.name() != "class" => "numeric".to_owned(),
            _ => {
                let values =
                    (0..column.values().len()).map(|code| format!("'{}'", column.values().text(code)));
                format!("{{{}}}", values.collect::<Vec<_>>().join(","))
            }
        };
        text += &format!("@attribute '{}' {kind}\n", column.name());
    }
    text += "@data\n";
    for row in 0..table.rows() {
        let cell = |column: &Column| {
            let value = column.values().text(column.code(row) as usize);
            if column.kind() == Kind::Numeric && column.name() != "class" {
                value.into_owned()
            } else {
                format!("'{value}'")
            }
        };
        text += &table.columns().iter().map(cell).collect::<Vec<_>>().join(",");
        text.push('\n');
    }
    text
}

fn incrowd(train: &Table, test: &Table) -> Figures {
    let role = |name: &str| if name == "class" { Role::Private } else { Role::Public };
    let policy = Policy {
        attributes: train.columns().iter().map(|c| Attribute::new(c.name(), role(c.name()))).collect(),
        class: Some("class".to_owned()),
        subject: None,
        dependencies: Vec::new(),
        undeclared: Undeclared::Warn,
        guarantee: Guarantee::default(),
    };
    let params =
        TreeParams::new(Method::KadetC45, Guarantee::k_anonymity(1).expect("k")).check().expect("checked");
    let tree = mine_tree(train, &policy, &params, &Silent).expect("a tree").tree;
    let leaves = tree.nodes().iter().filter(|node| matches!(node, Node::Leaf(_))).count();
    (leaves, wrong(&tree, test))
}

/// A table of the benchmark data, its last column called class and taken for names, and columns left out.
fn table(path: &str, delimiter: u8, columns: usize, skip: &[usize]) -> Option<Table> {
    let path = file(path)?;
    let name = |i: usize| if i + 1 == columns { "class".to_owned() } else { format!("a{i}") };
    let mut plan = ReadPlan {
        format: Some(Format::Csv),
        delimiter: Some(delimiter),
        header: Some(false),
        names: Some((0..columns).map(name).collect()),
        ..ReadPlan::default()
    };
    plan.columns.insert("class".to_owned(), ColumnPlan { reading: Reading::Text, ..ColumnPlan::default() });
    for &i in skip {
        plan.columns.insert(name(i), ColumnPlan { reading: Reading::Skip, ..ColumnPlan::default() });
    }
    Some(read_table(&path, &plan, 1, &Silent).expect("a table").table)
}

/// Two thirds of the rows to learn from, the rest to test with.
fn parted(table: &Table) -> (Table, Table) {
    let mut rows: Vec<u32> = (0..table.rows() as u32).collect();
    let random = &mut Random::of(1, 0);
    for last in (1..rows.len()).rev() {
        rows.swap(last, random.below(last as u32 + 1) as usize);
    }
    let (train, test) = rows.split_at(rows.len() * 2 / 3);
    (table.select(train), table.select(test))
}

fn compare(name: &str, train: &Table, test: &Table) {
    let Some(jar) = weka() else { return };
    let (ours, theirs) = (incrowd(train, test), j48(&jar, name, train, test));
    eprintln!("{name}: incrowd {ours:?}, J48 {theirs:?}");
    assert_eq!(ours, theirs, "{name}: (leaves, test errors)");
}

#[test]
fn glass() {
    let Some(table) = table("glass/glass.data", b',', 11, &[0]) else { return };
    let (train, test) = parted(&table);
    compare("glass", &train, &test);
}

#[test]
fn german_credit() {
    let Some(table) = table("german-credit/german.data", b' ', 21, &[]) else { return };
    let (train, test) = parted(&table);
    compare("german", &train, &test);
}

#[test]
fn tic_tac_toe() {
    let Some(table) = table("tic-tac-toe/tic-tac-toe.data", b',', 10, &[]) else { return };
    let (train, test) = parted(&table);
    compare("tic-tac-toe", &train, &test);
}

#[test]
fn waveform() {
    let Some(table) = table("waveform/waveform-+noise.data", b',', 41, &[]) else { return };
    let (train, test) = parted(&table);
    compare("waveform", &train, &test);
}

#[test]
fn adult_of_the_papers() {
    let (Some(train), Some(test)) = (adult("data"), adult("test")) else { return };
    compare("adult", &train, &test);
}
