//! Rare private values are not printed.

use super::{mine, policy};
use crate::tree::TreeMethod;
use incrowd_core::guarantee::{Guarantee, Requirement};
use incrowd_core::model::{Domain, Node, Tree};
use incrowd_core::policy::Role;
use incrowd_core::random::Random;
use incrowd_core::table::{Column, People, Table};
use std::collections::BTreeMap;

/// A table of texts; the last column is the class.
fn table(columns: &[(&str, Vec<String>)]) -> Table {
    let column = |(name, cells): &(&str, Vec<String>)| {
        Column::from_texts(name, &cells.iter().map(Some).collect::<Vec<_>>())
    };
    Table::new(columns.iter().map(column).collect(), People::Rows).unwrap()
}

/// The names of an attribute that a tree lists.
fn printed(tree: &Tree, attribute: &str) -> Vec<String> {
    let own = tree.attributes().iter().filter(|own| own.name == attribute);
    let listed = own.filter_map(|own| match &own.domain {
        Domain::Values(names) => Some(names.clone()),
        Domain::Numbers { .. } => None,
    });
    listed.flatten().collect()
}

fn labels(tree: &Tree) -> Vec<&str> {
    let mut labels = Vec::new();
    for node in tree.nodes() {
        if let Node::Test(test) = node {
            labels.extend(test.labels.iter().map(String::as_str));
        }
    }
    labels
}

/// Every note is one individual's, and seems to predict the class.
#[test]
fn notes_of_one_individual_each_are_not_printed() {
    let notes: Vec<String> = (0..400).map(|row| format!("note-{row}")).collect();
    let sex = (0..400).map(|row| ["f", "m"][row / 2 % 2].to_owned()).collect();
    let class = (0..400).map(|row| ["no", "yes"][usize::from(row % 3 == 0)].to_owned()).collect();
    let table = table(&[("sex", sex), ("note", notes), ("class", class)]);
    let policy = policy(&[("sex", Role::Public), ("note", Role::Private), ("class", Role::Private)]);
    for method in TreeMethod::ALL {
        let mined = mine(&table, &policy, method, &Guarantee::k_anonymity(10).unwrap()).unwrap();
        assert!(!format!("{:?}", mined.tree).contains("note-"), "{}", method.name());
        assert_eq!(mined.report.rare_values, 0, "{}", method.name());
    }
}

/// 700 codes of diagnoses: of the 85 rarest, each is one patient's; the others are those of 2 to 20 patients.
fn hospital() -> Table {
    let mut random = Random::of(1, 1);
    let mut codes = Vec::new();
    for code in 0..700 {
        let patients = if code < 85 { 1 } else { 2 + code % 19 };
        codes.extend(std::iter::repeat_n(code, patients));
    }
    let ages = codes.iter().map(|_| ["young", "grown", "old"][random.below(3) as usize].to_owned()).collect();
    let class = codes.iter().map(|code| {
        let chance = if code % 2 == 0 { 85 } else { 10 };
        ["home", "stays"][usize::from(random.percent(chance))].to_owned()
    });
    let class = class.collect();
    let codes = codes.iter().map(|code| format!("icd-{code:03}.")).collect();
    table(&[("age", ages), ("diagnosis", codes), ("class", class)])
}

#[test]
fn codes_of_few_patients_are_not_printed() {
    let table = hospital();
    let policy = policy(&[("age", Role::Public), ("diagnosis", Role::Private), ("class", Role::Public)]);
    let column = table.column("diagnosis").unwrap();
    let mut patients: BTreeMap<String, u64> = BTreeMap::new();
    for code in column.codes() {
        *patients.entry(column.values().text(code as usize).into_owned()).or_default() += 1;
    }
    assert_eq!(patients.values().filter(|&&patients| patients == 1).count(), 85);
    let of_k = |k| Guarantee::k_anonymity(k).unwrap();
    let mut tested = 0;
    for guarantee in [of_k(5), of_k(10), of_k(5).with(Requirement::smallest_bin(15).unwrap())] {
        let required = incrowd_core::printed::required_holders(&guarantee);
        for method in TreeMethod::ALL {
            let mined = mine(&table, &policy, method, &guarantee).unwrap();
            let named = printed(&mined.tree, "diagnosis");
            assert!(named.iter().all(|name| patients[name] >= required), "{} {guarantee:?}", method.name());
            let rare = patients.iter().filter(|&(_, &patients)| patients < required);
            let labels = labels(&mined.tree);
            for (name, _) in rare {
                assert!(
                    !labels.iter().any(|label| label.contains(name.as_str())),
                    "{name} by {}",
                    method.name()
                );
            }
            assert_eq!(mined.report.rare_values, 0);
            tested += usize::from(!named.is_empty());
        }
    }
    assert!(tested > 0, "no tree asks for the diagnosis");
}

/// What the policy declares may be printed, however rare it is.
#[test]
fn declared_values_are_printed() {
    let table = hospital();
    let mut policy = policy(&[("age", Role::Public), ("diagnosis", Role::Private), ("class", Role::Public)]);
    let values = table.column("diagnosis").unwrap().values();
    policy.attributes[1].values = (0..values.len()).map(|code| values.text(code).into_owned()).collect();
    let mined = mine(&table, &policy, TreeMethod::KadetC45, &Guarantee::k_anonymity(10).unwrap()).unwrap();
    let named = printed(&mined.tree, "diagnosis");
    assert!(named.is_empty() || named.len() == 700, "{}", named.len());
    assert_eq!(mined.report.rare_values, 0);
}

/// Class values are always printed, so a rare private one and a smallest bin exclude each other, and the error states
/// this.
#[test]
fn a_rare_class_value_breaks_a_smallest_bin() {
    let class = (0..100).map(|row| if row == 0 { "rare" } else { ["a", "b"][row % 2] }.to_owned()).collect();
    let sex = (0..100).map(|row| ["f", "m"][row / 2 % 2].to_owned()).collect();
    let table = table(&[("sex", sex), ("class", class)]);
    let policy = policy(&[("sex", Role::Public), ("class", Role::Private)]);
    let k = Guarantee::k_anonymity(5).unwrap();
    let mined = mine(&table, &policy, TreeMethod::KadetId3, &k).unwrap();
    assert_eq!(mined.report.rare_values, 1);
    let refused = mine(&table, &policy, TreeMethod::KadetId3, &k.with(Requirement::smallest_bin(5).unwrap()));
    assert!(refused.is_err());
}

/// A threshold of a private number has enough individuals on both sides and is not the number of a few.
#[test]
fn thresholds_of_private_numbers_part_no_few() {
    let numbers: Vec<Option<f64>> = (0..200).map(|row| Some(f64::from(row))).collect();
    let class: Vec<Option<&str>> =
        (0..200).map(|row| Some(if (3..197).contains(&row) { "a" } else { "b" })).collect();
    let sex: Vec<Option<&str>> = (0..200).map(|row| Some(["f", "m"][row / 2 % 2])).collect();
    let columns = vec![
        Column::from_texts("sex", &sex),
        Column::from_numbers("income", &numbers).unwrap(),
        Column::from_texts("class", &class),
    ];
    let table = Table::new(columns, People::Rows).unwrap();
    let policy = policy(&[("sex", Role::Public), ("income", Role::Private), ("class", Role::Public)]);
    for method in TreeMethod::ALL {
        let mined = mine(&table, &policy, method, &Guarantee::k_anonymity(5).unwrap()).unwrap();
        assert_eq!(mined.report.rare_values, 0, "{}", method.name());
    }
}
