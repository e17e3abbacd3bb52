//! Individuals with several rows, cells that can be derived, values that are ruled out, and labels that are part of a
//! model.

use super::Sketch::{Leaf, Split};
use super::*;
use crate::guarantee::{Preset, SeveralRows};
use crate::model::{Item, Rule, Rules};

/// A table whose first column identifies the individual of the row.
pub(super) fn of_persons(text: &str) -> Table {
    let rows = table(text);
    let people = People::from_subject(&rows.columns()[0]);
    Table::new(rows.columns()[1..].to_vec(), people).unwrap()
}

fn strict(k: u64) -> Guarantee {
    let k = Requirement::k_over(k, SingleBin::Counted, SeveralRows::Strict).unwrap();
    Guarantee::default().with(k)
}

/// The report on a private x with one branch per value.
fn told_x(table: &Table, branches: &[&'static str], guarantee: &Guarantee) -> Report {
    let branches = branches.iter().map(|value| (*value, Leaf)).collect();
    let model = tree(table, "c", Split("x", branches));
    audit_model(table, &policy(&["c"], &["x"], "c"), &model, guarantee).unwrap()
}

/// P has two rows and Q one; one individual is in l and two are in r. The only world has P in both.
#[test]
fn a_count_of_individuals_is_not_a_crowd() {
    let two = of_persons("who x c\n p l g\n p r g\n q r g");
    let counted = told_x(&two, &["l", "r"], &k(2));
    assert_eq!((counted.holds, counted.k, counted.exposed, counted.at_most), (true, 2, 2, true));
    assert_eq!(counted.alone_over_rows, Some(2), "one has two rows, the other one");
    let report = told_x(&two, &["l", "r"], &strict(2));
    assert_eq!((report.holds, report.k, report.in_breach), (false, 1, Some(2)));
    // P has three rows: Q is in r for certain.
    let three = of_persons("who x c\n p l g\n p m g\n p r g\n q r g");
    let counted = told_x(&three, &["l", "m", "r"], &k(2));
    assert_eq!((counted.holds, counted.k, counted.exposed), (true, 2, 2));
    assert_eq!(told_x(&three, &["l", "m", "r"], &strict(2)).k, 1);
}

#[test]
fn individuals_with_the_same_spans_are_a_crowd() {
    let alike = of_persons("who x c\n p l g\n p r g\n q r g\n q r g");
    let report = told_x(&alike, &["l", "r"], &strict(2));
    // Each of the two has an r for certain, and it cannot be known who has the l.
    assert_eq!((report.holds, report.k, report.exposed), (true, 2, 2));
    assert_eq!(report.alone_over_rows, Some(0));
    let apart = of_persons("who x c\n p l g\n p l g\n q r g\n q r g");
    let report = told_x(&apart, &["l", "r"], &strict(2));
    assert_eq!((report.holds, report.exposed, report.excluded), (true, 0, 0));
}

/// Both have v in one of their rows. Nothing in the table ties the rows of one group to those of the other: one of them
/// may have v twice, and the other w twice.
#[test]
fn tables_of_individuals_with_several_rows() {
    let table = of_persons("who zip x\n p 1 v\n p 2 w\n q 1 w\n q 2 v");
    let report = audit_table(&table, &policy(&["zip"], &["x"], ""), &strict(2)).unwrap();
    assert_eq!((report.holds, report.k, report.exposed, report.at_most), (true, 2, 0, true));
    // In one group each has a v and a w in whichever of two rows: nothing else is shown.
    let table = of_persons("who zip x\n p 1 v\n p 1 w\n q 1 w\n q 1 v");
    let report = audit_table(&table, &policy(&["zip"], &["x"], ""), &strict(2)).unwrap();
    assert_eq!((report.k, report.exposed, report.at_most), (2, 2, true));
}

/// All rows of the first group show v: it is certain for its two individuals, one of whom has two rows there. In several
/// releases together, what is certain by one of them remains certain.
#[test]
fn a_value_that_all_rows_of_a_group_have_is_certain_for_all() {
    let table = of_persons("who zip x\n p 1 v\n p 1 v\n q 1 v\n r 2 v\n s 2 w\n s 2 w");
    let policy = policy(&["zip"], &["x"], "");
    let report = audit_table(&table, &policy, &k(2)).unwrap();
    assert_eq!((report.exposed_at_least, report.exposed_to[0].at_least), (Some(2), Some(2)));
    assert!(report.exposed >= 2);
    let certain: Vec<&[String]> = report.groups.iter().map(|group| group.exposed_to.as_slice()).collect();
    assert_eq!(certain, [&["x".to_owned()][..], &[]]);
    let content = JointContent::Table {
        group_of_row: vec![0, 0, 0, 1, 1, 1],
        cells: vec!["zip = 1".to_owned(), "zip = 2".to_owned()],
        private: vec!["x".to_owned()],
    };
    let releases = ["a", "b"].map(|name| JointRelease { name: name.to_owned(), content: content.clone() });
    let together = audit_together(&table, &policy, &releases, &k(2)).unwrap().together;
    assert_eq!((together.exposed, together.exposed_at_least), (4, Some(2)));
    assert_eq!(together.exposed_to[0].at_least, Some(2));
}

/// P and Q have a row in the leaf of a, P also one in that of b, where R and S are: no other individual has P's spans,
/// but each of their rows may be that of others.
#[test]
fn rows_in_separate_leaves_are_exchanged_separately() {
    let table = of_persons("who a c\n p a g\n p b h\n q a h\n r b g\n s b h");
    let model = tree(&table, "c", Split("a", vec![("a", Leaf), ("b", Leaf)]));
    let report = audit_model(&table, &policy(&["a"], &["c"], "c"), &model, &k(2)).unwrap();
    assert_eq!((report.alone_over_rows, report.exposed, report.excluded), (Some(2), 0, 0));
}

/// Men 100, of whom 97 are in the leaf of x = yes; of the 50 with x = no, 47 are women. Three men with x = no follow by
/// subtraction.
fn men() -> (Table, Model) {
    let rows = table("x sex c\n y M g\n n M g\n n W g\n y W g");
    let table = Table::new(rows.columns().to_vec(), People::Weights(vec![97, 3, 47, 60])).unwrap();
    let yes = Split("sex", vec![("M", Leaf), ("W", Leaf)]);
    let model = tree(&table, "c", Split("x", vec![("y", yes), ("n", Leaf)]));
    (table, model)
}

#[test]
fn small_cells_that_follow_from_populations() {
    let (table, model) = men();
    let policy = policy(&["sex", "c"], &["x"], "c");
    let asked = |n| k(5).with(Requirement::smallest_bin(n).unwrap());
    let report = audit_model(&table, &policy, &model, &asked(4)).unwrap();
    assert_eq!(
        (report.holds, report.smallest_bin, report.breaches, report.in_breach),
        (false, Some(3), Some(1), Some(100))
    );
    assert!(audit_model(&table, &policy, &model, &asked(3)).unwrap().holds);
    let unasked = audit_model(&table, &policy, &model, &k(5)).unwrap();
    assert_eq!((unasked.holds, unasked.smallest_bin), (true, Some(50)), "every published bin is large");
}

/// 40 and 57 of the 100 with a have x1 and x2, and no individual has both: three have neither.
#[test]
fn exclusive_values_leave_a_small_cell() {
    let rows = table("a x\n y 1\n y 2\n y 3\n n 1");
    let table = Table::new(rows.columns().to_vec(), People::Weights(vec![40, 57, 3, 50])).unwrap();
    let attributes =
        vec![ModelAttribute::categorical("a", ["y", "n"]), ModelAttribute::categorical("x", ["1", "2", "3"])];
    let rule = |value: u32| Rule {
        antecedent: vec![Item { attribute: 0, value: 0 }],
        consequent: vec![Item { attribute: 1, value }],
        antecedent_count: None,
        both_count: None,
    };
    let model = Model::Rules(Rules::new(attributes, vec![rule(0), rule(1)]).unwrap());
    let asked = k(5).with(Requirement::smallest_bin(5).unwrap());
    let report = audit_model(&table, &policy(&["a"], &["x"], ""), &model, &asked).unwrap();
    assert_eq!((report.holds, report.smallest_bin, report.breaches), (false, Some(3), Some(1)));
    let cell = &report.smallest_channels[0];
    assert_eq!((cell.at_most, &cell.with[..], cell.without.len()), (3, &["a = y".to_owned()][..], 2));
}

/// No individual of a leaf has the third class: it is ruled out for all, and no individual is exposed.
#[test]
fn a_value_can_be_ruled_out_without_another_being_certain() {
    let table = table("sex c\n f 1\n f 2\n m 1\n m 2\n m 3");
    let model = tree(&table, "c", Split("sex", vec![("f", Leaf), ("m", Leaf)]));
    let report = audit_model(&table, &policy(&["sex"], &["c"], "c"), &model, &k(2)).unwrap();
    assert_eq!((report.exposed, report.excluded), (0, 2));
    let of: Vec<(&str, u64)> =
        report.excluded_to.iter().map(|to| (to.attribute.as_str(), to.individuals)).collect();
    assert_eq!(of, [("c", 2)]);
    let as_table = audit_table(&table, &policy(&["sex"], &["c"], "c"), &k(2)).unwrap();
    assert_eq!((as_table.exposed, as_table.excluded), (0, 2));
}

/// Each release has at least two individuals with the same groups in all rows. Together the first two are alone, although
/// every joint span has three individuals.
#[test]
fn presets_are_judged_for_all_releases_together() {
    let table = of_persons(
        "who a x\n p 1 v\n p 1 w\n q 1 v\n q 1 w\n r 1 v\n r 1 w\n s 1 v\n s 1 w\n t 1 v\n t 1 w\n u 1 v\n u 1 w",
    );
    let policy = policy(&["a"], &["x"], "");
    let release = |name: &str, group_of_row: Vec<u32>| {
        let cells = vec!["0".to_owned(), "1".to_owned()];
        let content = JointContent::Table { group_of_row, cells, private: vec!["x".to_owned()] };
        JointRelease { name: name.to_owned(), content }
    };
    let releases = [
        release("a", vec![0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]),
        release("b", vec![0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1]),
    ];
    let judged = |preset| {
        let asked = Guarantee::default().with_preset(preset);
        audit_together(&table, &policy, &releases, &asked)
    };
    let report = judged(Preset::Wp216).unwrap();
    assert!(report.releases.iter().all(|release| release.holds), "{report:?}");
    assert_eq!((report.together.k, report.together.k_over_rows), (3, Some(1)));
    assert!(!report.holds && !report.together.holds);
    assert!(judged(Preset::HipaaSafeHarbor).is_err(), "what is printed is not looked at");
}
