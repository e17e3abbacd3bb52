//! What a report says beyond its spans: several attackers as one report, size classes, the groups it lists, warnings.

use super::super::report::size_classes;
use super::*;
use crate::guarantee::Scope;
use crate::model::Item;
use crate::policy::Dependency;

/// The figures that are joined over several attackers.
fn figures(report: &Report) -> (bool, [u64; 6], bool, Option<u64>, Option<f64>) {
    let [breaches, in_breach] = [report.breaches, report.in_breach].map(|counted| counted.expect("counted"));
    let counts = [report.k, report.rare_values, breaches, in_breach, report.exposed, report.excluded];
    (report.holds, counts, report.at_most, report.alone_over_rows, report.max_confidence)
}

fn of_several(reports: [&Report; 2]) -> Report {
    Report::of_several(reports.into_iter().cloned().collect()).unwrap()
}

#[test]
fn the_worst_figures_of_several_attackers_are_reported() {
    let table = table("a b x\n 1 1 p\n 1 1 q\n 2 1 p\n 2 2 p\n 2 2 q");
    let guarantee = k(2).with(Requirement::confidence(0.5).unwrap()).of(Scope::All);
    let of = |public: &[&str]| audit_table(&table, &policy(public, &["x"], ""), &guarantee).unwrap();
    let (both, one) = (of(&["a", "b"]), of(&["a"]));
    assert_eq!(figures(&both), (false, [1, 0, 1, 1, 1, 1], false, None, Some(1.0)));
    assert_eq!(figures(&one), (false, [2, 0, 1, 3, 0, 0], false, None, Some(2.0 / 3.0)));
    for joined in [of_several([&both, &one]), of_several([&one, &both])] {
        assert_eq!(figures(&joined), (false, [1, 0, 2, 3, 1, 1], false, None, Some(1.0)));
        assert_eq!(joined.asked.iter().map(|asked| asked.breaches).collect::<Vec<_>>(), [Some(1), Some(2)]);
    }
    assert_eq!(Report::of_several(vec![both.clone()]), Some(both));
    assert_eq!(Report::of_several(Vec::new()), None);
}

type Change = fn(&mut Report);

/// Every joined figure separately, in both orders: what one report states worse is stated by both together.
#[test]
fn no_figure_of_a_second_attacker_is_lost() {
    let table = table("a x\n 1 p\n 1 q\n 2 p\n 2 q");
    let good = audit_table(&table, &policy(&["a"], &["x"], ""), &k(2)).unwrap();
    let zero = (true, [2, 0, 0, 0, 0, 0], false, None, Some(0.5));
    assert_eq!(figures(&good), zero);
    let changes: [Change; 9] = [
        |report| report.holds = false,
        |report| report.k = 1,
        |report| report.rare_values = 3,
        |report| report.breaches = Some(3),
        |report| report.in_breach = Some(3),
        |report| report.exposed = 3,
        |report| report.excluded = 3,
        |report| report.at_most = true,
        |report| (report.alone_over_rows, report.max_confidence) = (Some(1), Some(0.75)),
    ];
    for change in changes {
        let mut bad = good.clone();
        change(&mut bad);
        assert_ne!(figures(&bad), zero);
        assert_eq!(figures(&of_several([&good, &bad])), figures(&bad));
        assert_eq!(figures(&of_several([&bad, &good])), figures(&bad));
    }
    let (mut one, mut other) = (good.clone(), good);
    (one.asked[0].breaches, one.asked[0].rare_values) = (Some(2), 5);
    (other.asked[0].breaches, other.asked[0].rare_values) = (Some(3), 4);
    (one.max_confidence, other.breaches) = (None, Some(2));
    let joined = of_several([&one, &other]);
    assert_eq!((joined.asked[0].breaches, joined.asked[0].rare_values), (Some(5), 5));
    assert_eq!((joined.max_confidence, joined.breaches), (Some(0.5), Some(2)));
}

#[test]
fn sizes_fall_into_classes() {
    let classes = |sizes: &[u64]| -> Vec<[u64; 4]> {
        let classes = size_classes(sizes.iter().copied());
        classes.iter().map(|class| [class.from, class.to, class.spans, class.individuals]).collect()
    };
    assert_eq!(classes(&[]), Vec::<[u64; 4]>::new());
    assert_eq!(classes(&[1]), [[1, 1, 1, 1]]);
    assert_eq!(classes(&[2, 3, 4, 2]), [[2, 2, 2, 4], [3, 4, 2, 7]]);
    assert_eq!(classes(&[5, 9, 20]), [[5, 9, 2, 14], [10, 19, 0, 0], [20, 49, 1, 20]]);
    assert_eq!(classes(&[99, 100, 199]), [[50, 99, 1, 99], [100, 199, 2, 299]]);
    let large = classes(&[u64::MAX]);
    assert_eq!((large.len(), large[0][1..].to_vec()), (1, vec![u64::MAX, 1, u64::MAX]));
}

/// Twelve groups, two of them below k: these come first, then the smallest; ten are listed.
#[test]
fn the_groups_in_breach_are_listed_first() {
    let sizes = [9, 8, 1, 7, 6, 5, 4, 12, 11, 3, 10, 2];
    let cells: Vec<String> =
        sizes.iter().enumerate().flat_map(|(i, &size)| vec![format!("g{i}"); size]).collect();
    let cells: Vec<Option<&str>> = cells.iter().map(|cell| Some(cell.as_str())).collect();
    let table = Table::new(vec![Column::from_texts("a", &cells)], People::Rows).unwrap();
    let report = audit_table(&table, &policy(&["a"], &[], ""), &k(3)).unwrap();
    let listed: Vec<(u64, bool)> =
        report.groups.iter().map(|group| (group.individuals, group.breach)).collect();
    let expected: Vec<(u64, bool)> = (1..=10).map(|size| (size, size < 3)).collect();
    assert_eq!(listed, expected);
    assert_eq!((report.spans, report.breaches, report.in_breach), (12, Some(2), Some(3)));
    assert_eq!(report.groups[0].rule, "a = g2");
}

/// Ten of each: the public sex follows from the private illness, but not the other way round.
fn followed() -> Table {
    let text: String =
        ["f birth", "f flu", "m gout", "m rage"].map(|row| format!("{row}\n").repeat(10)).concat();
    table(&format!("sex ill\n{text}"))
}

#[test]
fn declared_dependencies_are_not_reported() {
    let table = followed();
    let mut policy = policy(&["sex"], &["ill"], "");
    let found = |policy: &Policy| undeclared(&table, policy, &["ill"]).unwrap();
    assert_eq!(found(&policy).len(), 1);
    assert!(found(&policy)[0].starts_with("public `sex` follows from private `ill`: "));
    let declare = |policy: &mut Policy, from: &str, to: &str| {
        policy.dependencies = vec![Dependency { from: vec![from.to_owned()], to: to.to_owned() }];
    };
    declare(&mut policy, "ill", "age");
    assert_eq!(found(&policy).len(), 1, "a dependency of another attribute");
    declare(&mut policy, "age", "sex");
    assert_eq!(found(&policy).len(), 1, "a dependency on another attribute");
    declare(&mut policy, "ill", "sex");
    assert!(found(&policy).is_empty());
    // One wrong line takes the illness out of every requirement.
    declare(&mut policy, "sex", "ill");
    let said = "2 of 2 values occur with several values of `ill`; because of this declaration, attackers would count as \
                knowing `ill`, and no requirement would protect it";
    let refused = refuse_contradicted(&table, &policy).unwrap_err().what;
    assert!(refused.ends_with(said), "{refused}");
    assert!(found(&policy)[0].ends_with("of `ill`; correct the data, or remove the dependency"));
    declare(&mut policy, "ill", "sex");
    refuse_contradicted(&table, &policy).unwrap();
    policy.undeclared = Undeclared::Refuse;
    assert!(undeclared(&table, &policy, &["ill"]).unwrap().is_empty());
    policy.dependencies.clear();
    assert!(undeclared(&table, &policy, &["ill"]).is_err());
    assert!(undeclared(&table, &policy, &[]).unwrap().is_empty());
}

/// A rule with or without its counts.
fn counted_rule(left: Option<u64>, both: Option<u64>) -> Model {
    let attributes = ["sex", "ill"].map(|name| ModelAttribute::categorical(name, ["f", "flu"])).to_vec();
    let rule = Rule {
        antecedent: vec![Item { attribute: 0, value: 0 }],
        consequent: vec![Item { attribute: 1, value: 1 }],
        antecedent_count: left,
        both_count: both,
    };
    Model::Rules(crate::model::Rules::new(attributes, vec![rule]).unwrap())
}

#[test]
fn rules_without_counts_are_judged_as_if_counted() {
    let smallest = |n: u64| k(2).with(Requirement::smallest_bin(n).unwrap());
    let full = counted_rule(Some(20), Some(10));
    assert!(!judged_without_counts(&full, &smallest(2)));
    for part in [counted_rule(None, None), counted_rule(Some(20), None), counted_rule(None, Some(10))] {
        assert!(judged_without_counts(&part, &smallest(2)));
        assert!(!judged_without_counts(&part, &smallest(1)));
        assert!(!judged_without_counts(&part, &k(2)));
    }
    let table = followed();
    let tree = tree(&table, "ill", Sketch::Leaf);
    assert!(!judged_without_counts(&tree, &smallest(2)));
    let mut declared = policy(&["sex"], &["ill"], "");
    declared.attributes[1].values = ["birth", "flu", "gout", "rage", "f"].map(str::to_owned).to_vec();
    declared.attributes[0].values = ["f", "m", "flu"].map(str::to_owned).to_vec();
    let warnings = |model: &Model| audit_model(&table, &declared, model, &smallest(2)).unwrap().warnings;
    assert!(warnings(&counted_rule(None, None)).iter().any(|warning| warning.contains("state no counts")));
    assert!(!warnings(&full).iter().any(|warning| warning.contains("state no counts")));
}

/// For one attacker the requirement applies to another attribute than for the other: the broken one is named.
#[test]
fn the_broken_requirement_of_several_attackers_is_named() {
    let table = table("a b x y\n 1 1 p u\n 1 1 p v\n 2 1 q u\n 2 1 q v");
    let guarantee = k(2).with(Requirement::distinct_l(2).unwrap()).of(Scope::All);
    let of = |public: &[&str], private: &[&str]| {
        audit_table(&table, &policy(public, private, ""), &guarantee).unwrap()
    };
    let (good, bad) = (of(&["a", "b"], &["y"]), of(&["a"], &["x", "y"]));
    let asked = |report: &Report| report.asked[1].requirement.clone();
    assert_eq!((asked(&good), asked(&bad)), ("distinct l = 2 of y".into(), "distinct l = 2 of x, y".into()));
    for joined in [of_several([&good, &bad]), of_several([&bad, &good])] {
        assert_eq!((asked(&joined), joined.asked[1].breaches), ("distinct l = 2 of x, y".into(), Some(2)));
    }
    let other = of(&["a"], &["x"]);
    assert_eq!(asked(&of_several([&other, &bad])), "distinct l = 2 of x, y");
    let fine = of(&["b"], &["x"]);
    assert_eq!(asked(&of_several([&good, &fine])), "distinct l = 2 of y, x");
}
