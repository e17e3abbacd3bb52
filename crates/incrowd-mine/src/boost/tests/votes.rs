//! Votes, several class values, and class values that weigh the same.

use crate::boost::params::ScoreDetail;
use crate::boost::{BoostParams, MinedEnsemble, mine_boost};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::{Link, Node};
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::predict::predict_scores;
use incrowd_core::progress::Silent;
use incrowd_core::random::Random;
use incrowd_core::table::{Column, People, Table};

/// A public and a private number, and a class that depends on both: `classes` gives its value from their sum.
fn table(rows: usize, classes: impl Fn(u32, &mut Random) -> &'static str) -> Table {
    let random = &mut Random::of(3, 0);
    let (mut public, mut private, mut class) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rows {
        let (own, other) = (random.below(20), random.below(20));
        public.push(Some(f64::from(own)));
        private.push(Some(f64::from(other)));
        class.push(Some(classes(own + other, random)));
    }
    let columns = vec![
        Column::from_numbers("public", &public).expect("numbers"),
        Column::from_numbers("private", &private).expect("numbers"),
        Column::from_texts("class", &class),
    ];
    Table::new(columns, People::Rows).expect("a table")
}

fn three(sum: u32, random: &mut Random) -> &'static str {
    let noise = random.percent(10);
    ["low", "middle", "high"][(usize::from(sum > 13) + usize::from(sum > 23) + usize::from(noise)) % 3]
}

fn rare(sum: u32, random: &mut Random) -> &'static str {
    if sum > 24 && random.percent(35) { "yes" } else { "no" }
}

fn mined(table: &Table, all_public: bool, change: impl FnOnce(&mut BoostParams)) -> MinedEnsemble {
    let private = if all_public { Role::Ignored } else { Role::Private };
    let policy = Policy::new(vec![
        Attribute::new("public", Role::Public),
        Attribute::new("private", private),
        Attribute::new("class", Role::Private),
    ])
    .with_class("class");
    let mut params = BoostParams::new(Guarantee::k_anonymity(10).expect("k"));
    change(&mut params);
    mine_boost(table, &policy, &params.check().expect("checked"), &Silent).expect("an ensemble")
}

fn labels(table: &Table, mined: &MinedEnsemble) -> Vec<String> {
    let values = &mined.ensemble.class().values;
    let predicted = predict_scores(table, &mined.ensemble).expect("predictions").label_of_row;
    predicted.iter().map(|&label| values[label as usize].clone()).collect()
}

fn class(table: &Table) -> Vec<String> {
    let column = table.require("class").expect("the class");
    (0..table.rows()).map(|row| column.values().text(column.code(row) as usize).into_owned()).collect()
}

/// All scores of leaves.
fn scores(mined: &MinedEnsemble) -> Vec<f64> {
    let of_tree = |tree: &incrowd_core::model::ScoredTree| {
        let leaves = (0..tree.tree().nodes().len())
            .filter(|&node| matches!(tree.tree().nodes()[node], Node::Leaf(_)))
            .flat_map(|node| tree.scores(node as u32).to_vec());
        leaves.collect::<Vec<f64>>()
    };
    mined.ensemble.trees().iter().flat_map(of_tree).collect()
}

#[test]
fn several_class_values_have_a_score_each() {
    let table = table(1500, three);
    let mined = mined(&table, false, |_| {});
    assert_eq!(mined.ensemble.scoring().link, Link::Softmax);
    assert_eq!(mined.ensemble.scoring().base.len(), 3);
    assert!(mined.summary.trees > u64::from(mined.summary.rounds), "{:?}", mined.summary);
    assert!(mined.report.holds && mined.summary.error < 0.2, "{:?}", mined.summary);
    let wrong = labels(&table, &mined).iter().zip(class(&table)).filter(|(own, truth)| *own != truth).count();
    assert!((wrong as f64 / 1500.0 - mined.summary.error).abs() < 1e-12);
}

/// Without weights the frequent value is always predicted; with them most individuals of the rare one are found.
#[test]
fn rare_class_values_are_found_if_all_weigh_the_same() {
    let table = table(2000, rare);
    let truth = class(&table);
    let found = |balanced: bool| {
        let own = labels(&table, &mined(&table, false, |params| params.balanced = balanced));
        let rare = truth.iter().zip(&own).filter(|(truth, _)| *truth == "yes");
        (rare.clone().filter(|(_, own)| *own == "yes").count(), rare.count())
    };
    let ((plain, all), (balanced, _)) = (found(false), found(true));
    eprintln!("{plain} and {balanced} of {all}");
    assert!(balanced * 10 > all * 8 && plain * 2 < all, "{plain} and {balanced} of {all}");
}

/// A vote weighs as much as the learning rate, for two class values and for three.
#[test]
fn votes_all_weigh_the_same() {
    for table in [table(1500, three), table(1500, rare)] {
        let votes = |params: &mut BoostParams| params.detail = ScoreDetail::Labels;
        let mined = mined(&table, false, votes);
        let rate = mined.summary.learning_rate.expect("a rate");
        let scores = scores(&mined);
        let is_vote = |score: &f64| [0.0, rate, -rate].iter().any(|vote| (vote - score).abs() < 1e-12);
        assert!(scores.iter().all(is_vote), "{scores:?}");
        assert!([rate, -rate].iter().all(|vote| scores.iter().any(|own| (own - vote).abs() < 1e-12)));
        assert!(mined.summary.error < 0.2, "{:?}", mined.summary);
    }
}

/// If all attributes are public, the votes of a single tree are its labels.
#[test]
fn votes_of_a_single_tree_are_its_labels() {
    for table in [table(1500, three), table(1500, |sum, _| if sum > 19 { "yes" } else { "no" })] {
        let plain = mined(&table, true, |_| {});
        let votes = mined(&table, true, |params| params.detail = ScoreDetail::Labels);
        if plain.summary.max_leaves.is_some() || votes.summary.max_leaves.is_some() {
            continue;
        }
        assert!(scores(&votes).iter().all(|score| [-1.0, 0.0, 1.0].contains(score)));
        assert_eq!(labels(&table, &plain), labels(&table, &votes));
        return;
    }
    panic!("no single tree was chosen");
}
