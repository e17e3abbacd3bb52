//! C4.5 without a privacy constraint against J48 without subtree raising.

use super::{Weka, arff, inputs, last, parted_set};
use crate::benchmark::{adult, table, wrong};
use incrowd::model::{Node, Split, Test, Tree};
use incrowd::table::Table;
use incrowd_mine::table::fayyad_irani;
use incrowd_mine::tree::induce_tree;

/// Leaves of the tree, and errors on test rows.
type Figures = (usize, usize);

/// J48's figures.
fn j48(weka: &Weka, name: &str, train: &Table, test: &Table) -> Figures {
    let text = weka.classify(name, &["weka.classifiers.trees.J48", "-S"], train, test);
    (last(&text, "Number of Leaves  :"), last(&text, "Incorrectly Classified Instances"))
}

/// Leaves and test errors; and the errors once every threshold is put where J48 puts it, on the value of the table
/// below.
fn incrowd(train: &Table, test: &Table) -> (Figures, usize) {
    let tree = induce_tree(train, "class", &inputs(train)).expect("a tree");
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

/// The same tree as J48's, and the same errors but for at most `off` test rows with a value between two of the table.
fn compare(name: &str, train: &Table, test: &Table, off: usize) {
    let Some(weka) = Weka::find() else { return };
    let ((leaves, errors), errors_on_values) = incrowd(train, test);
    let theirs = j48(&weka, name, train, test);
    eprintln!("{name}: {leaves} leaves, {errors} test errors; J48 {} and {}", theirs.0, theirs.1);
    assert_eq!((leaves, errors_on_values), theirs, "{name}: (leaves, test errors)");
    assert!(errors.abs_diff(theirs.1) <= off, "{name}: {errors} test errors, J48 {}", theirs.1);
}

#[test]
fn glass() {
    let Some((train, test)) = parted_set("glass") else { return };
    compare("glass", &train, &test, 0);
}

#[test]
fn german_credit() {
    let Some((train, test)) = parted_set("german") else { return };
    compare("german", &train, &test, 0);
}

#[test]
fn tic_tac_toe() {
    let Some((train, test)) = parted_set("tic-tac-toe") else { return };
    compare("tic-tac-toe", &train, &test, 0);
}

#[test]
fn waveform() {
    let Some((train, test)) = parted_set("waveform") else { return };
    // One test row lies between two values of the table where J48 and a short decimal decide differently.
    compare("waveform", &train, &test, 1);
}

#[test]
fn adult_of_the_papers() {
    let (Some(train), Some(test)) = (adult("data"), adult("test")) else { return };
    compare("adult", &train, &test, 0);
}

/// The cuts of each attribute by Weka's supervised `Discretize`, read from the header it writes. Numbers must not be
/// negative.
fn weka_cuts(weka: &Weka, name: &str, table: &Table) -> Vec<Vec<f64>> {
    let path = std::env::temp_dir().join(format!("incrowd-weka-{}-{name}.arff", std::process::id()));
    std::fs::write(&path, arff(name, table, table)).expect("a file");
    let ran = weka
        .java()
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
    let Some(weka) = Weka::find() else { return };
    let class = table.require("class").expect("a class");
    let theirs = weka_cuts(&weka, name, table);
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
