//! The examples of the VLDB Journal paper and of what is subtle about rules.

use super::*;
use incrowd_core::guarantee::Requirement;
use incrowd_core::samples;
use incrowd_core::table::{Column, People};

const CHERRIES: &str = "cherries => viagra";
const CANDLES: &str = "cherries, candles => tylenol";

/// Section 4.3: 30-anonymity allows both rules, 31-anonymity the first alone.
#[test]
fn cherries_and_candles() {
    let table = samples::cherries_and_candles();
    let policy = policy(&["cherries", "candles"], &["viagra", "tylenol"]);
    let mine = |k: u64| {
        let params = baskets(Guarantee::k_anonymity(k).unwrap(), 0.024, 0.75);
        let mined = mine(&table, &policy, params);
        let left: Vec<String> = texts(mined.left_out.iter().map(|left| &left.rule));
        (texts(&mined.useful), left, mined)
    };
    let (both, left, mined) = mine(30);
    assert!(both.iter().any(|rule| rule == CHERRIES) && both.iter().any(|rule| rule == CANDLES), "{both:?}");
    assert_eq!((left.len(), mined.report.k), (0, 30));
    let candles = mined.useful.iter().find(|rule| texts([*rule]) == [CANDLES]).unwrap();
    let counts = Counts { individuals: 1000, antecedent: 30, consequent: 239, both: 24 };
    assert_eq!((candles.counts, candles.counts.confidence()), (counts, 0.8));
    let (first, left, mined) = mine(31);
    assert!(
        first.iter().any(|rule| rule == CHERRIES) && !first.iter().any(|rule| rule == CANDLES),
        "{first:?}"
    );
    assert!(left.iter().any(|rule| rule == CANDLES), "{left:?}");
    assert_eq!(mined.left_out[0].why, "it would distinguish a group of 30 individuals, which breaks k = 31");
    assert_eq!(mined.report.k, 112);
}

fn weighted(counts: &[(u32, [&'static str; 3])]) -> Table {
    let column = |i: usize, name| {
        Column::from_texts(name, &counts.iter().map(|row| Some(row.1[i])).collect::<Vec<_>>())
    };
    let columns = vec![column(0, "a"), column(1, "b"), column(2, "P")];
    Table::new(columns, People::Weights(counts.iter().map(|row| row.0).collect())).unwrap()
}

fn three_alone() -> Table {
    weighted(&[
        (77, ["yes", "yes", "yes"]),
        (20, ["yes", "yes", "no"]),
        (3, ["yes", "no", "yes"]),
        (50, ["no", "no", "no"]),
    ])
}

/// {a} => P with 80 of 100 and {a, b} => P with 77 of 97: the three with a and not b all have P, so one of the rules
/// stays.
#[test]
fn large_antecedents_with_a_small_difference() {
    let params = baskets(Guarantee::k_anonymity(4).unwrap(), 0.1, 0.5);
    let mined = mine(&three_alone(), &policy(&["a", "b"], &["P"]), params);
    let (useful, left) = (texts(&mined.useful), texts(mined.left_out.iter().map(|left| &left.rule)));
    let of = |rules: &[String]| -> Vec<String> {
        rules.iter().filter(|rule| rule.ends_with("=> P")).cloned().collect()
    };
    assert_eq!(of(&useful), ["a => P"]);
    assert_eq!(of(&left), ["b => P", "a, b => P"]);
    // Rules about public items alone stay.
    assert!(useful.contains(&"a => b".to_owned()) && useful.contains(&"b => a".to_owned()), "{useful:?}");
    let all = mine_all(4 - 1);
    assert_eq!(all.left_out, []);
}

fn mine_all(k: u64) -> MinedRules {
    mine(&three_alone(), &policy(&["a", "b"], &["P"]), baskets(Guarantee::k_anonymity(k).unwrap(), 0.1, 0.5))
}

/// Of 102 with a, 97 have b, 80 have P and 77 both: so two have neither, which no single rule reveals.
#[test]
fn channels_between_rules_are_closed() {
    let table = weighted(&[
        (77, ["yes", "yes", "yes"]),
        (20, ["yes", "yes", "no"]),
        (3, ["yes", "no", "yes"]),
        (2, ["yes", "no", "no"]),
        (50, ["no", "no", "no"]),
    ]);
    let guarantee = Guarantee::k_anonymity(4).unwrap();
    let policy = policy(&["a"], &["b", "P"]);
    let usual = baskets(guarantee.clone(), 0.1, 0.5);
    let warned =
        |mined: &MinedRules| mined.warnings.iter().any(|warning| warning.contains("from the combined rules"));
    let open = mine(&table, &policy, RuleParams { keep_channels: true, ..usual.clone() });
    assert_eq!(open.left_out, []);
    assert!(open.report.channels > 0 && warned(&open), "{:?}", open.warnings);
    let closed = mine(&table, &policy, usual);
    assert!(closed.report.channels == 0 && !warned(&closed), "{:?}", closed.warnings);
    let whys: Vec<&str> = closed.left_out.iter().map(|left| left.why.as_str()).collect();
    assert!(!closed.useful.is_empty() && !whys.is_empty(), "{whys:?}");
    assert!(
        whys.iter().all(|why| why.starts_with("it would reveal a group of 2 individuals with a")),
        "{whys:?}"
    );
    let every = guarantee.with(Requirement::smallest_bin(4).unwrap());
    let every = mine(&table, &policy, baskets(every, 0.1, 0.5));
    assert!(every.report.smallest_bin.is_none_or(|smallest| smallest >= 4), "{:?}", every.report);
}

/// A rule's own difference is as the paper allows it, whatever k is; without a k there is nothing to close.
#[test]
fn what_a_rule_publishes_by_itself_stays() {
    let params = baskets(Guarantee::k_anonymity(50).unwrap(), 0.1, 0.5);
    let mined = mine(&three_alone(), &policy(&["a"], &["P"]), params);
    assert_eq!((mined.left_out, mined.useful.len()), (Vec::new(), 2), "80 of 100, 80 of 80");
    let alone = Guarantee::default().with(Requirement::confidence(1.0).unwrap());
    let mined = mine(&three_alone(), &policy(&["a"], &["b", "P"]), baskets(alone, 0.1, 0.5));
    assert_eq!(mined.left_out, []);
}

/// Ten have a, nine of them not b; all ten have s = x. So one individual has a, s = x and b, and the rule a => not b,
/// of public items alone, is part of what reveals it.
#[test]
fn rules_of_public_items_open_channels() {
    let rows = |a, b, s, count: usize| std::iter::repeat_n([a, b, s], count);
    let rows: Vec<[&str; 3]> = (rows("y", "y", "x", 1).chain(rows("y", "n", "x", 9)))
        .chain(rows("n", "y", "u", 3).chain(rows("n", "y", "v", 3)))
        .chain(rows("n", "n", "u", 3).chain(rows("n", "n", "v", 3)))
        .collect();
    let column = |place: usize, name| {
        Column::from_texts(name, &rows.iter().map(|row| Some(row[place])).collect::<Vec<_>>())
    };
    let table = Table::new(vec![column(0, "a"), column(1, "b"), column(2, "s")], People::Rows).unwrap();
    let guarantee = Guarantee::k_anonymity(3).unwrap();
    let guarantee = guarantee.with(incrowd_core::guarantee::Requirement::smallest_bin(3).unwrap());
    let mined = mine(&table, &policy(&["a", "b"], &["s"]), RuleParams::new(guarantee, 0.3, 0.9));
    let names = |rule: &MinedRule| [rule.antecedent.join(", "), rule.consequent.join(", ")];
    let taken: Vec<[String; 2]> = mined.useful.iter().map(names).collect();
    let has = |left: &str, right: &str| taken.iter().any(|[a, b]| a == left && b == right);
    assert!(!(has("a = y", "b = n") && has("a = y", "s = x")), "{taken:?}");
    assert!(has("a = y", "b = n") || has("a = y", "s = x"), "{taken:?}");
    assert_eq!(mined.report.channels, 0);
}

/// Rules that are too long to be looked at are left out, and the others stay.
#[test]
fn rules_too_long_to_be_checked_are_left_out() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "P"];
    let cells: Vec<Option<&str>> = vec![Some("yes"), Some("no")];
    let columns = names.iter().map(|name| Column::from_texts(name, &cells)).collect();
    let table = Table::new(columns, People::Weights(vec![60, 40])).unwrap();
    let long = RuleParams { max_length: 13, ..baskets(Guarantee::k_anonymity(5).unwrap(), 0.1, 0.5) };
    let mined = mine(&table, &policy(&names[..12], &names[12..]), long);
    let length = |rule: &MinedRule| rule.antecedent.len() + rule.consequent.len();
    assert!(mined.left_out.iter().all(|left| length(&left.rule) == 13) && mined.left_out.len() == 13);
    assert_eq!(mined.left_out[0].why, "what sets of more than 12 items reveal cannot be computed");
}

/// No individual has a and b in one row though all have both: no table with a row for every individual has such
/// supports, so that nothing is known about a third rule.
#[test]
fn several_rows_an_individual_are_judged_on_the_safe_side() {
    let rows = [
        ("1", "yes", "no", "yes"),
        ("1", "no", "yes", "yes"),
        ("2", "yes", "no", "yes"),
        ("2", "no", "yes", "yes"),
    ];
    let column = |name, of: fn(&(&'static str, &'static str, &'static str, &'static str)) -> &'static str| {
        Column::from_texts(name, &rows.iter().map(|row| Some(of(row))).collect::<Vec<_>>())
    };
    let columns = vec![column("a", |row| row.1), column("b", |row| row.2), column("P", |row| row.3)];
    let people = People::from_subject(&column("subject", |row| row.0));
    let table = Table::new(columns, people).unwrap();
    let guarantee = Guarantee::k_anonymity(2).unwrap();
    let mined = mine(&table, &policy(&[], &["a", "b", "P"]), baskets(guarantee.clone(), 0.1, 0.5));
    assert!(!mined.useful.is_empty() && mined.report.holds);
    let smallest = baskets(guarantee.with(Requirement::smallest_bin(2).unwrap()), 0.1, 0.5);
    let refused = mine_rules(&table, &policy(&[], &["a", "b", "P"]), &smallest.check().unwrap(), &Silent);
    assert!(refused.unwrap_err().what.contains("individuals have several rows"));
    let params = baskets(Guarantee::k_anonymity(2).unwrap(), 0.1, 0.5);
    let public = mine(&table, &policy(&["a", "b"], &["P"]), params);
    let whys: Vec<&str> = public.left_out.iter().map(|left| left.why.as_str()).collect();
    assert!(
        public.useful.is_empty() || whys.iter().all(|why| why.starts_with("individuals have several rows")),
        "{whys:?}"
    );
}

#[test]
fn parameters_are_checked() {
    let guarantee = Guarantee::k_anonymity(2).unwrap();
    let usual = RuleParams::new(guarantee, 0.1, 0.5);
    let wrong = [
        RuleParams { guarantee: Guarantee::default(), ..usual.clone() },
        RuleParams { min_support: 0.0, ..usual.clone() },
        RuleParams { min_support: 1.5, ..usual.clone() },
        RuleParams { min_confidence: f64::NAN, ..usual.clone() },
        RuleParams { max_length: 1, ..usual.clone() },
        RuleParams { max_consequent: 0, ..usual.clone() },
        RuleParams { most: 0, ..usual.clone() },
    ];
    assert!(wrong.into_iter().all(|params| params.check().is_err()));
    let few = RuleParams { most: 3, items: Items::Baskets, ..usual };
    let error =
        mine_rules(&three_alone(), &policy(&["a", "b"], &["P"]), &few.check().unwrap(), &Silent).unwrap_err();
    assert_eq!(error.what, "there are more than 3 sets of items");
}

#[test]
fn nobody_and_nothing_are_errors() {
    let usual = baskets(Guarantee::k_anonymity(2).unwrap(), 0.1, 0.5).check().unwrap();
    let policy = policy(&["a", "b"], &["P"]);
    let empty = three_alone().select(&[]);
    assert!(mine_rules(&empty, &policy, &usual, &Silent).unwrap_err().what.contains("no individuals"));
    let high = baskets(Guarantee::k_anonymity(2).unwrap(), 0.9, 0.5).check().unwrap();
    let error = mine_rules(&three_alone(), &policy, &high, &Silent).unwrap_err();
    assert!(error.what.starts_with("no rule reaches"), "{error}");
    let large = baskets(Guarantee::k_anonymity(151).unwrap(), 0.1, 0.5).check().unwrap();
    assert!(
        mine_rules(&three_alone(), &policy, &large, &Silent)
            .unwrap_err()
            .what
            .starts_with("no rule can meet")
    );
}
