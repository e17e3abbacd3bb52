//! Random small tables: the frequent sets and rules are those of the definition, and a rule is left out iff the audit
//! refuses it.

use super::*;
use incrowd_core::audit::audit_model;
use incrowd_core::guarantee::{Requirement, SingleBin};
use incrowd_core::model::{Domain, Item, Model, Rule};
use incrowd_core::printed::required_holders;
use incrowd_core::random::Random;
use incrowd_core::table::{Column, People};
use std::collections::{BTreeMap, BTreeSet};

struct Case {
    table: Table,
    policy: Policy,
    params: RuleParams,
}

const NAMES: [&str; 5] = ["a", "b", "c", "P", "Q"];

fn case(seed: u64) -> Case {
    let mut random = Random::of(seed, 1);
    let rows = 4 + random.below(20) as usize;
    let columns = 3 + random.below(3) as usize;
    let in_baskets = random.percent(60);
    let values: &[&str] = if in_baskets { &["yes", "no"] } else { &["x", "y", "z"] };
    let column = |name: &&str| {
        let often = 30 + random.below(50);
        let cells: Vec<Option<&str>> = (0..rows)
            .map(|_| {
                let other = 1 + random.below(values.len() as u32 - 1) as usize;
                let missing = !in_baskets && random.percent(5);
                (!missing).then(|| if random.percent(often) { values[0] } else { values[other] })
            })
            .collect();
        Column::from_texts(name, &cells)
    };
    let columns: Vec<Column> = NAMES[..columns].iter().map(column).collect();
    let people = match random.below(3) {
        0 => People::Rows,
        1 => People::Weights((0..rows).map(|_| 1 + random.below(4)).collect()),
        _ => {
            let of: Vec<String> = (0..rows).map(|_| random.below(rows as u32).to_string()).collect();
            let of: Vec<Option<&str>> = of.iter().map(|name| Some(name.as_str())).collect();
            People::from_subject(&Column::from_texts("subject", &of))
        }
    };
    let table = Table::new(columns, people).unwrap();
    let private: Vec<&str> = NAMES.iter().copied().filter(|_| random.percent(45)).collect();
    let public: Vec<&str> = NAMES.iter().copied().filter(|name| !private.contains(name)).collect();
    let guarantee = guarantee(&mut random);
    let mut params = RuleParams::new(
        guarantee,
        0.1 + 0.1 * f64::from(random.below(3)),
        0.3 + 0.1 * f64::from(random.below(5)),
    );
    params.items = if in_baskets { Items::Baskets } else { Items::Values };
    params.max_length = 2 + random.below(4) as usize;
    params.max_consequent = 1 + random.below(3) as usize;
    params.first = Usefulness::ALL[random.below(4) as usize];
    params.keep_channels = random.percent(30);
    Case { table, policy: policy(&public, &private), params }
}

fn guarantee(random: &mut Random) -> Guarantee {
    let single = if random.percent(30) { SingleBin::Exempt } else { SingleBin::Counted };
    let k = 1 + u64::from(random.below(5));
    let mut guarantee = Guarantee::default().with(Requirement::k(k, single).unwrap());
    if random.percent(30) {
        let more = [
            Requirement::distinct_l(2),
            Requirement::confidence(0.8),
            Requirement::entropy_l(1.5),
            Requirement::beta(1.0),
        ];
        guarantee = guarantee.with(more[random.below(4) as usize].clone().unwrap());
    }
    if random.percent(30) {
        guarantee = guarantee.with(Requirement::smallest_bin(2 + u64::from(random.below(3))).unwrap());
    }
    guarantee
}

/// The items of a row, as names.
fn items_of(case: &Case, row: usize) -> BTreeSet<String> {
    let cell = |column: &Column| {
        let code = column.code(row) as usize;
        if code == column.values().len() {
            return None;
        }
        let value = column.values().text(code);
        match case.params.items {
            Items::Values => Some(format!("{} = {value}", column.name())),
            Items::Baskets => (value == "yes").then(|| column.name().to_owned()),
        }
    };
    case.table.columns().iter().filter_map(cell).collect()
}

fn individuals(case: &Case, items: &BTreeSet<String>) -> u64 {
    let rows = (0..case.table.rows()).filter(|&row| items.is_subset(&items_of(case, row)));
    match case.table.people() {
        People::Subjects { of_row, .. } => rows.map(|row| of_row[row]).collect::<BTreeSet<_>>().len() as u64,
        _ => rows.map(|row| u64::from(case.table.weight(row))).sum(),
    }
}

fn subsets(items: &BTreeSet<String>) -> Vec<BTreeSet<String>> {
    let mut all = vec![BTreeSet::new()];
    for item in items {
        let with = |set: &BTreeSet<String>| set.iter().cloned().chain([item.clone()]).collect();
        let more: Vec<BTreeSet<String>> = all.iter().map(with).collect();
        all.extend(more);
    }
    all
}

/// All rules by the definition, with the counts of both sides and of both together.
fn all_rules(case: &Case) -> BTreeMap<(Vec<String>, Vec<String>), [u64; 3]> {
    let everyone = case.table.individuals() as f64;
    let occurring: BTreeSet<BTreeSet<String>> =
        (0..case.table.rows()).flat_map(|row| subsets(&items_of(case, row))).collect();
    let mut rules = BTreeMap::new();
    for set in occurring.iter().filter(|set| (2..=case.params.max_length).contains(&set.len())) {
        let both = individuals(case, set);
        if (both as f64 / everyone) < case.params.min_support {
            continue;
        }
        for right in subsets(set) {
            let left: BTreeSet<String> = set.difference(&right).cloned().collect();
            let antecedent = individuals(case, &left);
            let fits = !left.is_empty() && (1..=case.params.max_consequent).contains(&right.len());
            if fits && both as f64 / antecedent as f64 >= case.params.min_confidence {
                let counts = [antecedent, individuals(case, &right), both];
                rules.insert((left.into_iter().collect(), right.into_iter().collect()), counts);
            }
        }
    }
    rules
}

fn key(rule: &MinedRule) -> (Vec<String>, Vec<String>) {
    let sorted = |items: &[String]| items.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
    (sorted(&rule.antecedent), sorted(&rule.consequent))
}

/// Whether an item is a private value that too few individuals have to be printed. The policy declares none.
fn is_rare(case: &Case, item: &str) -> bool {
    let attribute = item.split_once(" = ").map_or(item, |(name, _)| name);
    let is_private = case.policy.attribute(attribute).is_some_and(|known| known.role == Role::Private);
    is_private
        && individuals(case, &BTreeSet::from([item.to_owned()])) < required_holders(&case.params.guarantee)
}

fn names_rare(case: &Case, rule: &MinedRule) -> bool {
    rule.antecedent.iter().chain(&rule.consequent).any(|item| is_rare(case, item))
}

/// Rules as a model over all columns that have a value to list. Rare private values are listed only where a rule names
/// them.
fn model(case: &Case, rules: &[&MinedRule]) -> Model {
    let attribute = |column: &Column| {
        let own = (0..column.values().len()).map(|code| column.values().text(code).into_owned());
        let is_listed = |value: &String| {
            let item = format!("{} = {value}", column.name());
            let is_named = |rule: &&MinedRule| {
                rule.antecedent.iter().chain(&rule.consequent).any(|named| *named == item)
            };
            !is_rare(case, &item) || rules.iter().any(is_named)
        };
        let own: Vec<String> = own.filter(is_listed).collect();
        let values =
            if case.params.items == Items::Baskets { vec!["no".to_owned(), "yes".to_owned()] } else { own };
        let mut attribute = incrowd_core::model::ModelAttribute::categorical(column.name(), values);
        attribute.missing = column.has_missing();
        attribute
    };
    let has_values = |attribute: &incrowd_core::model::ModelAttribute| match &attribute.domain {
        Domain::Values(values) => !values.is_empty(),
        Domain::Numbers { .. } => true,
    };
    let attributes: Vec<_> = case.table.columns().iter().map(attribute).filter(has_values).collect();
    let item = |name: &String| {
        let (name, value) = name.split_once(" = ").unwrap_or((name, "yes"));
        let place = attributes.iter().position(|attribute| attribute.name == name).unwrap();
        let Domain::Values(values) = &attributes[place].domain else { unreachable!() };
        Item { attribute: place, value: values.iter().position(|other| other == value).unwrap() as u32 }
    };
    let rule = |rule: &&MinedRule| Rule {
        antecedent: rule.antecedent.iter().map(item).collect(),
        consequent: rule.consequent.iter().map(item).collect(),
        antecedent_count: Some(rule.counts.antecedent),
        both_count: Some(rule.counts.both),
    };
    let rules = rules.iter().map(rule).collect();
    Model::Rules(Rules::new(attributes.clone(), rules).unwrap())
}

#[test]
fn rules_are_those_of_the_definition_and_the_audit_has_the_last_word() {
    let (mut mined_cases, mut left, mut taken, mut rare) = (0, 0, 0, 0);
    for seed in 0..700 {
        let case = case(seed);
        let expected = all_rules(&case);
        let params = case.params.clone().check().unwrap();
        let mined = match mine_rules(&case.table, &case.policy, &params, &Silent) {
            Ok(mined) => mined,
            Err(error) if error.what.starts_with("no rule reaches") => {
                assert!(expected.is_empty(), "seed {seed}: {expected:?}");
                continue;
            }
            Err(error) => {
                let why = ["no rule can meet", "a smallest bin cannot be checked"];
                assert!(why.iter().any(|why| error.what.starts_with(why)), "seed {seed}: {error}");
                continue;
            }
        };
        let all = mined.useful.iter().chain(mined.left_out.iter().map(|left| &left.rule));
        let counts = |rule: &MinedRule| [rule.counts.antecedent, rule.counts.consequent, rule.counts.both];
        let found: BTreeMap<_, _> = all.map(|rule| (key(rule), counts(rule))).collect();
        assert_eq!(found, expected, "seed {seed}");
        // Nothing follows that should not, where that can be decided: individuals with several rows may make it
        // impossible.
        let audited = |rules: &[&MinedRule]| {
            audit_model(&case.table, &case.policy, &model(&case, rules), &case.params.guarantee)
        };
        let said =
            |report: &Report| !report.warnings.iter().any(|warning| warning.contains("not searched for"));
        let closed = |report: &Report| report.channels == 0 && said(report);
        let holds = |rules: &[&MinedRule]| {
            audited(rules).is_ok_and(|report| report.holds && (params.keep_channels || closed(&report)))
        };
        let useful: Vec<&MinedRule> = mined.useful.iter().collect();
        assert!(holds(&useful), "seed {seed}");
        assert!(!useful.iter().any(|rule| names_rare(&case, rule)), "seed {seed}");
        // No rule that was left out could have been taken: with all that were, the audit breaks.
        for refused in mined.left_out.iter().take(20) {
            let is_rare = refused.why.starts_with("it names a private value");
            assert_eq!(is_rare, names_rare(&case, &refused.rule), "seed {seed}: {}", refused.why);
            if is_rare {
                rare += 1;
                continue;
            }
            let with = |taken: usize| -> Vec<&MinedRule> {
                useful[..taken].iter().copied().chain([&refused.rule]).collect()
            };
            // What follows from some supports follows from more of them, though an audit of more items need not see it:
            // where it does not, the rules that were taken before are checked.
            let by_supports = ["it would reveal", "individuals have several rows"];
            let by_supports = by_supports.iter().any(|why| refused.why.starts_with(why));
            let opens = |taken: usize| !audited(&with(taken)).is_ok_and(|report| closed(&report));
            assert!(
                !holds(&with(useful.len())) || (by_supports && (0..useful.len()).rev().any(opens)),
                "seed {seed}: {} left out for nothing: {}",
                texts([&refused.rule])[0],
                refused.why
            );
        }
        mined_cases += 1;
        left += mined.left_out.len();
        taken += mined.useful.len();
    }
    assert!(
        mined_cases > 300 && left > 1000 && taken > 1000 && rare > 20,
        "{mined_cases} cases, {taken} rules, {left} left out, {rare} of these for rare values"
    );
}

#[test]
fn the_order_of_rows_and_the_number_of_threads_change_nothing() {
    for seed in 0..60 {
        let case = case(seed);
        let params = case.params.clone().check().unwrap();
        let mut rows: Vec<u32> = (0..case.table.rows() as u32).collect();
        rows.reverse();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let one = mine_rules(&case.table, &case.policy, &params, &Silent);
        let other = pool.install(|| mine_rules(&case.table.select(&rows), &case.policy, &params, &Silent));
        match (one, other) {
            (Ok(one), Ok(other)) => {
                assert_eq!(
                    (one.rules, one.useful, one.left_out),
                    (other.rules, other.useful, other.left_out)
                );
            }
            (one, other) => assert_eq!(one.is_ok(), other.is_ok(), "seed {seed}"),
        }
    }
}
