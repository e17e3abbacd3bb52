//! Leaves and learning rates: chosen where they are better in every fold, and as if every fold were learned to its end.

use crate::boost::fit::Boosting;
use crate::boost::grow::{Limits, UNIT};
use crate::boost::params::{BoostParams, CheckedBoostParams, Setting};
use crate::boost::rows::{Rows, Source};
use crate::boost::settings::Trial;
use crate::boost::{Feature, MinedEnsemble, mine_boost};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::progress::Silent;
use incrowd_core::random::Random;
use incrowd_core::table::{Column, People, Table};
use std::sync::Arc;

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// A table of six private numbers below `values`, and a class of which `of_row` gives the percentage of one value.
fn table(seed: u64, rows: usize, values: u32, mut of_row: impl FnMut(&[u32]) -> u32) -> Table {
    let random = &mut Random::of(seed, 1);
    let numbers: Vec<Vec<u32>> =
        (0..rows).map(|_| NAMES.iter().map(|_| random.below(values)).collect()).collect();
    let class: Vec<Option<&str>> =
        numbers.iter().map(|own| Some(if random.percent(of_row(own)) { "y" } else { "n" })).collect();
    let column = |(place, name): (usize, &&str)| {
        let own: Vec<Option<f64>> = numbers.iter().map(|own| Some(f64::from(own[place]))).collect();
        Column::from_numbers(name, &own).expect("numbers")
    };
    let mut columns: Vec<Column> = NAMES.iter().enumerate().map(column).collect();
    columns.push(Column::from_texts("class", &class));
    Table::new(columns, People::Rows).expect("a table")
}

/// Every combination of three numbers has a class of its own: large trees describe it in a few rounds.
fn combined(seed: u64) -> Table {
    let random = &mut Random::of(seed, 2);
    let mut of_combination = [0; 64];
    of_combination.iter_mut().for_each(|own| *own = if random.percent(50) { 95 } else { 5 });
    table(seed, 3000, 4, |own| {
        of_combination[own[..3].iter().fold(0, |place, &number| 4 * place + number as usize)]
    })
}

/// Every number has a small effect of its own: small trees describe it, large ones learn noise.
fn additive(seed: u64) -> Table {
    table(seed, 600, 9, |own| 20 + own.iter().sum::<u32>())
}

fn params(rounds: u32) -> BoostParams {
    let params = BoostParams::new(Guarantee::k_anonymity(2).expect("k"));
    BoostParams { rounds, min_leaf: Some(5), ..params }
}

fn mined(table: &Table, params: BoostParams) -> MinedEnsemble {
    let attributes = NAMES.iter().chain(&["class"]).map(|&name| Attribute::new(name, Role::Private));
    let policy = Policy::new(attributes.collect::<Vec<_>>()).with_class("class");
    mine_boost(table, &policy, &params.check().expect("checked"), &Silent).expect("an ensemble")
}

#[test]
fn leaves_are_chosen_where_they_matter() {
    let count = |of: fn(u64) -> Table, params: BoostParams, leaves: u32| {
        let is_chosen = |&seed: &u64| mined(&of(seed), params.clone()).summary.max_leaves == Some(leaves);
        (0..20).filter(is_chosen).count()
    };
    let of_all = BoostParams { columns: Some(1.0), ..params(12) };
    let counts = (count(combined, of_all, 31), count(additive, params(300), 8));
    eprintln!("31 leaves {} times, 8 leaves {} times", counts.0, counts.1);
    assert!(counts.0 >= 15 && counts.1 >= 3, "{counts:?}");
}

#[test]
fn what_is_given_is_not_chosen() {
    for seed in 0..6 {
        let given = BoostParams { leaves: Some(12), learning_rate: Some(0.2), ..params(60) };
        let summary = mined(&additive(seed), given).summary;
        assert_eq!((summary.max_leaves, summary.learning_rate), (Some(12), Some(0.2)));
    }
}

/// Half the learning rate needs twice the rounds.
#[test]
fn a_lower_rate_is_tried_if_its_rounds_are_allowed() {
    let rates = |rounds: u32| -> Vec<f64> {
        let rate = |seed| mined(&additive(seed), params(rounds)).summary.learning_rate.expect("a rate");
        (0..12).map(rate).collect()
    };
    let (few, many) = (rates(3), rates(300));
    assert!(few.iter().all(|&rate| rate > 0.09), "{few:?}");
    assert!(many.iter().any(|&rate| rate < 0.06), "{many:?}");
}

/// Three folds of a table, learned with the usual setting.
fn trial(table: &Table, params: &CheckedBoostParams) -> Trial {
    let class = table.require("class").expect("the class");
    let source = Source {
        class_of_row: Arc::new(class.codes().iter().collect()),
        weight_of_row: Arc::new(vec![1; table.rows()]),
        individuals_of_row: Arc::new(vec![UNIT as i64; table.rows()]),
        classes: 2,
    };
    let features: Vec<Arc<Feature>> =
        NAMES.iter().map(|name| Arc::new(Feature::of_test(table.require(name).expect("a column")))).collect();
    let rows = Rows::new(&source, &features, None);
    let setting = params.setting();
    let learn = |fold| {
        let (learned, held) = rows.dealt(3, fold);
        let mut boosting = Boosting::new(learned, Some(held), params.plan(setting));
        boosting.advance(params.rounds);
        Some(boosting)
    };
    Trial { setting, folds: (0..3).map(learn).collect() }
}

/// The better of two settings, with every fold learned to its end.
fn naively(trial: Trial, setting: Setting, params: &CheckedBoostParams) -> Trial {
    let again = |own: &Option<Boosting>| {
        let mut other = own.as_ref().expect("a fold").again(params.plan(setting));
        other.advance(params.rounds);
        Some(other)
    };
    let other = Trial { setting, folds: trial.folds.iter().map(again).collect() };
    let lowest =
        |trial: &Trial| -> Vec<f64> { trial.folds.iter().flatten().map(Boosting::lowest_loss).collect() };
    let is_better = lowest(&other).iter().zip(lowest(&trial)).all(|(other, own)| *other < own);
    if is_better && other.rounds().1 < trial.rounds().1 { other } else { trial }
}

/// A setting that is dropped early is rarely better with all of its rounds: how fast losses fall varies a little.
#[test]
fn little_is_missed_by_stopping_early() {
    let (mut differs, mut changed) = (0, 0);
    for seed in 0..40 {
        let table = if seed % 2 == 0 { additive(seed) } else { combined(seed) };
        let leaves = [8, 31][seed as usize / 2 % 2];
        let asked = BoostParams { learning_rate: Some(0.1), ..params(150) };
        let asked = asked.check().expect("checked");
        let usual = trial(&table, &asked);
        let setting = Setting { leaves, ..usual.setting };
        let early = usual.improved(&[setting], &asked, &Silent).expect("a trial");
        let full = naively(trial(&table, &asked), setting, &asked);
        differs += u64::from(early.setting != full.setting);
        changed += u64::from(full.setting.leaves == leaves);
    }
    eprintln!("{changed} changed, {differs} differ");
    assert!(differs <= 2 && (5..=35).contains(&changed), "{differs} differ, {changed} changed");
}

/// Limits follow the setting.
#[test]
fn plans_follow_settings() {
    let asked = params(10).check().expect("checked");
    let plan = asked.plan(Setting { leaves: 31, learning_rate: 0.05, columns: 0.5 });
    let Limits { leaves, individuals } = plan.limits;
    assert_eq!((leaves, individuals, plan.learning_rate.to_bits()), (31, 5, 0.05_f64.to_bits()));
}
