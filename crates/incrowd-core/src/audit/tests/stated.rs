//! What the measures stated for a table decide about requirements, at their bounds.

use super::super::stated::is_broken;
use super::persons::of_persons;
use super::*;
use crate::guarantee::{Distance, Scope, SeveralRows};
use crate::random::Random;

fn measures() -> AttributeMeasures {
    AttributeMeasures {
        name: "x".to_owned(),
        distinct_l: 3,
        entropy_l: 2.5,
        recursive: Recursive { c: 2.0, l: 3 },
        max_confidence: 0.5,
        alpha: 0.25,
        t_equal: 0.125,
        t_ordered: Some(0.0625),
        beta: 1.5,
    }
}

#[test]
fn measures_decide_at_their_bounds() {
    let broken = |requirement: Result<Requirement>| is_broken(&requirement.unwrap(), &measures());
    let both = |met: Result<Requirement>, unmet: Result<Requirement>| {
        assert_eq!((broken(met), broken(unmet)), (Some(false), Some(true)));
    };
    both(Requirement::distinct_l(3), Requirement::distinct_l(4));
    both(Requirement::entropy_l(2.5), Requirement::entropy_l(2.500_001));
    both(Requirement::entropy_l(2.5 + 1e-13), Requirement::entropy_l(2.6));
    both(Requirement::confidence(0.5), Requirement::confidence(0.499));
    both(Requirement::alpha(0.25), Requirement::alpha(0.249));
    both(Requirement::beta(1.5), Requirement::beta(1.499));
    let t = Requirement::t_closeness;
    both(t(0.125, Distance::Equal), t(0.124, Distance::Equal));
    both(t(0.0625, Distance::Ordered), t(0.062, Distance::Ordered));
    // It holds for every c above the one measured, and for it not.
    let recursive = Requirement::recursive_l;
    both(recursive(2.001, 3), recursive(2.0, 3));
    both(recursive(2.001, 2), recursive(2.0, 4));
    both(recursive(3.0, 1), recursive(1.0, 5));
    assert_eq!(broken(recursive(2.0, 2)), None);
    assert_eq!(broken(recursive(2.5, 4)), None);
    assert_eq!(broken(Requirement::k(9, SingleBin::Counted)), Some(false));
    assert_eq!(broken(Requirement::smallest_bin(9)), Some(false));
    let unordered = AttributeMeasures { t_ordered: None, ..measures() };
    let ordered = |limit: f64| is_broken(&t(limit, Distance::Ordered).unwrap(), &unordered);
    assert_eq!((ordered(0.125), ordered(0.124)), (Some(false), Some(true)));
}

/// Two individuals with two rows each in either group, and what is stated about them.
fn stated(guarantee: &Guarantee) -> (Table, Policy, StatedPeople) {
    let table = of_persons("id a b x\n 1 1 z p\n 1 2 z p\n 2 1 z q\n 2 2 z q\n 3 2 z p");
    let policy = policy(&["a", "b"], &["x"], "");
    let report = audit_table(&table, &policy, guarantee).unwrap();
    let stated = StatedPeople::of(&table, &policy, guarantee, &report).unwrap();
    (Table::new(table.columns().to_vec(), People::Rows).unwrap(), policy, stated)
}

/// A smallest bin that was measured and not required decides at its bound.
#[test]
fn a_stated_smallest_bin_decides() {
    let bins = |n: u64| k(2).with(Requirement::smallest_bin(n).unwrap());
    let table = of_persons("id a x\n 1 1 p\n 2 1 p\n 2 1 q\n 3 1 q\n 4 1 p\n 5 1 q");
    let mut policy = policy(&["a"], &["x"], "");
    // Declared values are not rare.
    policy.attributes[1].values = vec!["p".to_owned(), "q".to_owned()];
    let report = audit_table(&table, &policy, &bins(4)).unwrap();
    let stated = StatedPeople::of(&table, &policy, &bins(4), &report).unwrap();
    assert_eq!((report.holds, stated.smallest_bin), (false, Some(3)));
    let rows = Table::new(table.columns().to_vec(), People::Rows).unwrap();
    let holds = |n: u64| {
        audit_stated_table(&ReleasedTable::whole(&rows), &policy, &bins(n), &stated)
            .map(|report| report.holds)
    };
    assert_eq!((holds(3), holds(4)), (Ok(true), Ok(false)));
}

/// Groups are listed with what is stated and what they are known by, the smallest first.
#[test]
fn groups_of_a_stated_table_are_described() {
    let (table, policy, stated) = stated(&k(2));
    let report = audit_stated_table(&ReleasedTable::whole(&table), &policy, &k(3), &stated).unwrap();
    let listed: Vec<(u64, &str, bool)> =
        report.groups.iter().map(|group| (group.individuals, group.rule.as_str(), group.breach)).collect();
    assert_eq!(listed, [(2, "a = 1, b = z", true), (3, "a = 2, b = z", false)]);
}

/// One group with more rows than individuals, and statements that its sizes rule out.
#[test]
fn sizes_of_groups_rule_out_crowds() {
    let policy = policy(&["a"], &["x"], "");
    let strict = |n: u64| {
        let k = Requirement::k_over(n, SingleBin::Counted, SeveralRows::Strict).unwrap();
        Guarantee::k_anonymity(n).unwrap().with(k)
    };
    let stated = |rows: &str, guarantee: &Guarantee| {
        let table = of_persons(rows);
        let report = audit_table(&table, &policy, guarantee).unwrap();
        assert!(report.holds, "{rows}");
        let stated = StatedPeople::of(&table, &policy, guarantee, &report).unwrap();
        (Table::new(table.columns().to_vec(), People::Rows).unwrap(), stated)
    };
    let audit = |table: &Table, guarantee: &Guarantee, stated: &StatedPeople| {
        audit_stated_table(&ReleasedTable::whole(table), &policy, guarantee, stated)
            .map(|report| report.holds)
    };
    // Two with two rows each.
    let (table, right) = stated("id a x\n 1 1 p\n 1 1 q\n 2 1 q\n 2 1 p", &strict(2));
    assert_eq!(audit(&table, &strict(2), &right), Ok(true));
    // Three rows of two individuals: one of them has two.
    let (table, mut right) = stated("id a x\n 1 1 p\n 1 1 q\n 2 1 q", &k(2));
    assert_eq!((audit(&table, &k(2), &right), right.alone_over_rows), (Ok(true), Some(2)));
    right.held = strict(2).requirements().iter().map(ToString::to_string).collect();
    right.alone_over_rows = Some(0);
    assert!(audit(&table, &strict(2), &right).is_err());
    // Three of one row, one of two: that one is alone, and certain to have both values.
    let (table, right) = stated("id a x\n 1 1 p\n 1 1 q\n 2 1 q\n 3 1 p\n 4 1 p", &k(2));
    assert_eq!((audit(&table, &k(2), &right), right.alone_over_rows), (Ok(true), Some(1)));
    let changes: [Change; 2] = [
        |stated| stated.alone_over_rows = Some(0),
        |stated| (stated.exposed, stated.exposed_to) = (0, vec![0]),
    ];
    for change in changes {
        let mut other = right.clone();
        change(&mut other);
        assert!(audit(&table, &k(2), &other).is_err());
    }
    // All but one are in the second group: that one is alone.
    let (table, mut right) = stated("id a x\n 1 1 p\n 2 1 q\n 3 1 q\n 2 2 q\n 3 2 p", &k(2));
    assert_eq!(right.alone_over_rows, Some(1));
    right.alone_over_rows = Some(0);
    assert!(audit(&table, &k(2), &right).is_err());
}

type Change = fn(&mut StatedPeople);

#[test]
fn what_is_stated_must_fit_the_table() {
    let (table, policy, right) = stated(&k(2));
    assert_eq!(
        (right.by.as_slice(), right.groups.as_slice()),
        (&["a".to_owned(), "b".to_owned()][..], &[2, 3][..])
    );
    assert_eq!((right.individuals, right.k), (3, 2));
    let audit = |stated: &StatedPeople| {
        audit_stated_table(&ReleasedTable::whole(&table), &policy, &k(2), stated).map(|report| report.k)
    };
    assert_eq!(audit(&right), Ok(2));
    // Three individuals have p or q: two have p, though three of five rows do.
    assert_eq!(right.most_frequent, [2.0 / 3.0]);
    let report = audit_stated_table(&ReleasedTable::whole(&table), &policy, &k(2), &right).unwrap();
    assert_eq!(
        (report.exposed_to[0].most_frequent, report.excluded_to[0].most_frequent),
        (2.0 / 3.0, 2.0 / 3.0)
    );
    let wrong: [Change; 13] = [
        |stated| stated.by.clear(),
        |stated| stated.by.push("c".to_owned()),
        |stated| stated.attributes.clear(),
        |stated| stated.exposed_to.clear(),
        |stated| stated.excluded_to.push(0),
        |stated| stated.most_frequent.push(0.5),
        |stated| stated.groups = vec![2],
        |stated| stated.groups = vec![0, 3],
        |stated| stated.groups = vec![3, 3],
        |stated| stated.groups = vec![2, 4],
        |stated| stated.individuals = 6,
        |stated| stated.individuals = 2,
        |stated| stated.attributes[0].name = "y".to_owned(),
    ];
    for (place, change) in wrong.into_iter().enumerate() {
        let mut stated = right.clone();
        change(&mut stated);
        assert!(audit(&stated).is_err(), "{place}");
    }
    let mut older = right.clone();
    older.most_frequent.clear();
    let report = audit_stated_table(&ReleasedTable::whole(&table), &policy, &k(2), &older).unwrap();
    assert_eq!((report.k, report.exposed_to[0].most_frequent), (2, 3.0 / 5.0), "a share of rows");
    // At the bounds: everyone in one group only, and every row of a group of a different individual.
    let different = Table::new(table.columns().to_vec(), People::of_subjects(&[0, 1, 2, 3, 4])).unwrap();
    let report = audit_table(&different, &policy, &k(2)).unwrap();
    let most = StatedPeople::of(&different, &policy, &k(2), &report).unwrap();
    assert_eq!((most.groups.as_slice(), most.individuals), (&[2, 3][..], 5));
    assert_eq!(audit(&most), Ok(2));
    let left_out = ["b".to_owned()];
    let released = ReleasedTable { left_out: &left_out, ..ReleasedTable::whole(&table) };
    assert!(audit_stated_table(&released, &policy, &k(2), &right).is_err(), "stated with another column");
}

/// Private columns can be left out: what is stated about the others is still true, or a bound.
#[test]
fn statements_hold_for_the_rest_of_the_private_columns() {
    let table = of_persons(
        "id a x y\n 1 1 p u\n 1 1 q u\n 2 1 q v\n 3 1 p v\n 4 2 p u\n 5 2 q v\n 6 2 q w\n 6 2 p v\n 4 1 p u",
    );
    let policy = policy(&["a"], &["x", "y"], "");
    let confident = |cap: f64| {
        let requirements = [Requirement::k(2, SingleBin::Counted), Requirement::confidence(cap)];
        Guarantee::new(requirements.map(Result::unwrap).to_vec(), Scope::All).unwrap()
    };
    let guarantee = confident(0.9);
    let report = audit_table(&table, &policy, &guarantee).unwrap();
    let stated = StatedPeople::of(&table, &policy, &guarantee, &report).unwrap();
    let rows = Table::new(table.columns().to_vec(), People::Rows).unwrap();
    let audit = |left_out: &[&str], guarantee: &Guarantee| {
        let left_out: Vec<String> = left_out.iter().map(|&name| name.to_owned()).collect();
        let kept = rows.columns().iter().filter(|column| !left_out.iter().any(|name| name == column.name()));
        let rows = Table::new(kept.cloned().collect(), People::Rows).unwrap();
        let released = ReleasedTable { left_out: &left_out, ..ReleasedTable::whole(&rows) };
        audit_stated_table(&released, &policy, guarantee, &stated)
    };
    let both = audit(&[], &guarantee).unwrap();
    for (left_out, kept) in [("x", "y"), ("y", "x")] {
        let one = audit(&[left_out], &guarantee).unwrap();
        assert_eq!((one.k, one.individuals, one.holds), (both.k, both.individuals, both.holds));
        let of = |report: &Report| {
            let exposed = report.exposed_to.iter().find(|to| to.attribute == kept).map(|to| to.individuals);
            let measures = report.attributes.iter().find(|measures| measures.name == kept).cloned();
            (exposed, measures)
        };
        assert_eq!(of(&one), of(&both), "{kept}");
        assert_eq!(one.exposed, one.exposed_to[0].individuals);
        // The caps on single columns are judged by their own figures.
        let own = one.max_confidence.unwrap();
        assert!(audit(&[left_out], &confident(own)).unwrap().holds);
        assert!(!audit(&[left_out], &confident(own - 0.01)).unwrap().holds);
    }
    assert!(audit(&["x", "y"], &k(2)).unwrap().holds);
    let error = audit(&["a"], &k(2)).unwrap_err();
    assert!(error.what.contains("groups are formed by this column"), "{}", error.what);
}

/// The figures are those of a table that never had the column; exposure is at least as large.
#[test]
fn statements_without_a_column_agree_with_a_table_without_it() {
    let policy = policy(&["a"], &["x", "y"], "");
    for seed in 0..300 {
        let random = &mut Random::of(seed, 2);
        let mut text = "id a x y\n".to_owned();
        for _ in 0..4 + random.below(9) {
            let cells = [7, 2, 3, 3].map(|values| random.below(values).to_string());
            text += &format!("{}\n", cells.join(" "));
        }
        let table = of_persons(&text);
        let rest = Table::new(table.columns()[..2].to_vec(), table.people().clone()).unwrap();
        let report = audit_table(&table, &policy, &k(1)).unwrap();
        let stated = StatedPeople::of(&table, &policy, &k(1), &report).unwrap();
        let rows = Table::new(rest.columns().to_vec(), People::Rows).unwrap();
        let left_out = ["y".to_owned()];
        let released = ReleasedTable { left_out: &left_out, ..ReleasedTable::whole(&rows) };
        let found = audit_stated_table(&released, &policy, &k(1), &stated).unwrap();
        let expected = audit_table(&rest, &policy, &k(1)).unwrap();
        assert_eq!((found.k, found.individuals), (expected.k, expected.individuals), "{text}");
        assert_eq!(found.attributes, expected.attributes, "{text}");
        assert!(found.exposed >= expected.exposed && found.excluded >= expected.excluded, "{text}");
        for (found, expected) in found.exposed_to.iter().zip(&expected.exposed_to) {
            assert_eq!(
                (&found.attribute, found.individuals),
                (&expected.attribute, expected.individuals),
                "{text}"
            );
            assert!(found.surely() <= expected.surely(), "{text}");
        }
    }
}
