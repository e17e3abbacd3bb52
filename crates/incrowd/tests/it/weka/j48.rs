//! `kadet-c45` without a privacy constraint against Weka's J48 without subtree raising.
//!
//! Runs where Java and Debian's package `weka` are there (or `WEKA_JAR` names the archive), and says so where not.

use crate::benchmark::{adult, table, wrong};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::{Node, Split, Test, Tree};
use incrowd_core::policy::{Attribute, Policy, Role, Undeclared};
use incrowd_core::progress::Silent;
use incrowd_core::samples::Random;
use incrowd_core::table::{Column, Kind, Table};
use incrowd_mine::table::fayyad_irani;
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

/// Leaves and test errors; and the errors once every threshold is put where J48 puts it, on the value of the table below.
fn incrowd(train: &Table, test: &Table) -> (Figures, usize) {
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
    ((leaves, wrong(&tree, test)), wrong(&on_values(&tree, train), test))
}

/// The same tree with each threshold moved down to the next value of the table, as J48 has it.
fn on_values(tree: &Tree, train: &Table) -> Tree {
    let nodes = tree.nodes().iter().map(|node| match node {
        Node::Test(Test { attribute, split: Split::Thresholds(thresholds), .. }) => {
            let column = train.require(&tree.attributes()[*attribute].name).expect("a column");
            let below = |threshold: &f64| {
                let numbers = column.values().numbers().expect("numbers");
                let values = column.codes().iter().map(|code| numbers[code as usize]);
                values.filter(|value| value < threshold).fold(f64::NEG_INFINITY, f64::max)
            };
            let mut moved = node.clone();
            if let Node::Test(test) = &mut moved {
                test.split = Split::Thresholds(thresholds.iter().map(below).collect());
            }
            moved
        }
        other => other.clone(),
    });
    Tree::new(tree.attributes().to_vec(), tree.class().clone(), nodes.collect()).expect("a tree")
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

/// The same tree as J48's, and the same errors but for at most `off` test rows with a value between two of the table.
fn compare(name: &str, train: &Table, test: &Table, off: usize) {
    let Some(jar) = weka() else { return };
    let ((leaves, errors), errors_on_values) = incrowd(train, test);
    let theirs = j48(&jar, name, train, test);
    eprintln!("{name}: {leaves} leaves, {errors} test errors; J48 {} and {}", theirs.0, theirs.1);
    assert_eq!((leaves, errors_on_values), theirs, "{name}: (leaves, test errors)");
    assert!(errors.abs_diff(theirs.1) <= off, "{name}: {errors} test errors, J48 {}", theirs.1);
}

#[test]
fn glass() {
    let Some(table) = table("glass/glass.data", b',', 11, &[0]) else { return };
    let (train, test) = parted(&table);
    compare("glass", &train, &test, 0);
}

#[test]
fn german_credit() {
    let Some(table) = table("german-credit/german.data", b' ', 21, &[]) else { return };
    let (train, test) = parted(&table);
    compare("german", &train, &test, 0);
}

#[test]
fn tic_tac_toe() {
    let Some(table) = table("tic-tac-toe/tic-tac-toe.data", b',', 10, &[]) else { return };
    let (train, test) = parted(&table);
    compare("tic-tac-toe", &train, &test, 0);
}

#[test]
fn waveform() {
    let Some(table) = table("waveform/waveform-+noise.data", b',', 41, &[]) else { return };
    let (train, test) = parted(&table);
    // One test row lies between two values of the table where J48 and a short decimal decide differently.
    compare("waveform", &train, &test, 1);
}

#[test]
fn adult_of_the_papers() {
    let (Some(train), Some(test)) = (adult("data"), adult("test")) else { return };
    compare("adult", &train, &test, 0);
}

/// The cuts of each attribute by Weka's supervised `Discretize`, read from the header it writes. Numbers must not be negative.
fn weka_cuts(jar: &Path, name: &str, table: &Table) -> Vec<Vec<f64>> {
    let path = std::env::temp_dir().join(format!("incrowd-weka-{}-{name}.arff", std::process::id()));
    std::fs::write(&path, arff(name, table, table)).expect("a file");
    let ran = Command::new("java")
        .args(["-Djava.awt.headless=true", "-cp"])
        .arg(jar)
        .args(["weka.filters.supervised.attribute.Discretize", "-R", "first-last", "-c", "last", "-i"])
        .arg(&path)
        .output()
        .expect("Java");
    std::fs::remove_file(&path).expect("the file");
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    let declared = text.lines().filter(|line| line.starts_with("@attribute") && !line.contains(" class "));
    // An interval up to a cut reads `(low-high]`.
    let cuts = |line: &str| {
        let intervals = line.split(']').map(|before| before.rsplit('-').next().unwrap_or(""));
        intervals.filter_map(|high| high.parse().ok()).collect()
    };
    declared.map(cuts).collect()
}

/// The same intervals as Weka's: no value of the table lies between its cut and ours.
fn compare_cuts(name: &str, table: &Table) {
    let Some(jar) = weka() else { return };
    let class = table.require("class").expect("a class");
    let theirs = weka_cuts(&jar, name, table);
    assert_eq!(theirs.len() + 1, table.columns().len(), "{name}");
    for (column, theirs) in table.columns().iter().zip(theirs) {
        let ours = fayyad_irani(table, column, class);
        let numbers = column.values().numbers().expect("numbers");
        let below = |cuts: &[f64]| -> Vec<usize> {
            cuts.iter().map(|cut| numbers.partition_point(|number| number <= cut)).collect()
        };
        assert_eq!(below(&ours), below(&theirs), "{name}, {}: {ours:?}, {theirs:?}", column.name());
    }
}

#[test]
fn discretization() {
    if let Some(table) = table("glass/glass.data", b',', 11, &[0]) {
        compare_cuts("glass", &table);
    }
    if let Some(table) = table("pima/pima-indians-diabetes.data", b',', 9, &[]) {
        compare_cuts("pima", &table);
    }
}
