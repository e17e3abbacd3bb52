//! Naive Bayes and logistic regression: the same shares to Weka's three decimals, and the same classes.

use super::{Weka, WekaPrediction, parted_set, shares};
use crate::benchmark::adult;
use incrowd::table::{Column, Kind, Table};
use std::collections::HashSet;

const NAIVE_BAYES: (&str, &str) = ("naive-bayes", "weka.classifiers.bayes.NaiveBayes");
const LOGISTIC: (&str, &str) = ("logistic", "weka.classifiers.functions.Logistic");

/// Weka's three decimals, rounded, and a bit.
const CLOSE: f64 = 0.0006;

/// On test rows, how many have other shares, and how many another class.
#[derive(Debug, PartialEq, Eq)]
struct Off {
    shares: usize,
    classes: usize,
}

/// All alike.
const NONE: Off = Off { shares: 0, classes: 0 };

fn compare(set: &str, (ours, theirs): (&str, &str), train: &Table, test: &Table) -> Option<Off> {
    let weka = Weka::find()?;
    let (ours, theirs) = (shares(ours, train, test), weka.ask(set, theirs, train, test));
    assert_eq!(ours.len(), theirs.len(), "{set}");
    let mut off = NONE;
    for (own, WekaPrediction { class, shares }) in ours.iter().zip(&theirs) {
        let apart = own.iter().zip(shares).any(|(own, share)| (own - share).abs() > CLOSE);
        off.shares += usize::from(apart);
        off.classes += usize::from(best(own) != *class);
    }
    Some(off)
}

/// The first class with the highest share.
fn best(shares: &[f64]) -> usize {
    (0..shares.len()).rev().max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(0)
}

fn check(set: &str, inducer: (&str, &str), expected: &Off) {
    let Some((train, test)) = parted_set(set) else { return };
    let Some(off) = compare(set, inducer, &train, &test) else { return };
    assert_eq!(off, *expected, "{set}, {}", inducer.0);
}

#[test]
fn naive_bayes() {
    ["glass", "german", "tic-tac-toe", "waveform"].into_iter().for_each(|set| check(set, NAIVE_BAYES, &NONE));
}

#[test]
fn naive_bayes_of_adult() {
    let (Some(train), Some(test)) = (adult("data"), adult("test")) else { return };
    let Some(off) = compare("adult", NAIVE_BAYES, &train, &test) else { return };
    // One `fnlwgt` lies twelve deviations above the means of both classes, where Weka finds no mass.
    assert_eq!(off, Off { shares: 1, classes: 0 });
}

#[test]
fn logistic() {
    ["german", "tic-tac-toe", "waveform"].into_iter().for_each(|set| check(set, LOGISTIC, &NONE));
}

/// Some of its classes can be separated from the others without errors: coefficients grow until the ridge stops
/// them here, and until its method gives up in Weka.
#[test]
fn logistic_of_classes_told_apart() {
    let Some((train, _)) = parted_set("glass") else { return };
    let class = train.require("class").expect("a class");
    let shares = shares("logistic", &train, &train);
    let told_apart = |of: usize| {
        let mut rows = shares.iter().enumerate();
        rows.all(|(row, shares)| {
            (shares[of] - f64::from(u8::from(class.code(row) as usize == of))).abs() < 0.01
        })
    };
    assert!((0..class.values().len()).any(told_apart));
    check("glass", LOGISTIC, &Off { shares: 4, classes: 2 });
}

/// Weka takes half a minute for all of Adult, so some of it; and those test rows of which every name is in it with both
/// classes: others are not known, or have coefficients that only the ridge stops.
#[test]
fn logistic_of_adult() {
    let (Some(train), Some(test)) = (adult("data"), adult("test")) else { return };
    let train = train.select(&(0..4000).collect::<Vec<_>>());
    let test = test.select(&with_both_classes(&train, &test));
    let Some(off) = compare("adult", LOGISTIC, &train, &test) else { return };
    assert_eq!(off, NONE);
}

/// The test rows of which training rows of both classes have every name.
fn with_both_classes(train: &Table, test: &Table) -> Vec<u32> {
    let text = |column: &Column, row: usize| column.values().text(column.code(row) as usize).into_owned();
    let class = train.require("class").expect("a class");
    let is_name = |column: &&Column| column.kind() != Kind::Numeric && column.name() != "class";
    let mut rows: Vec<u32> = (0..test.rows() as u32).collect();
    for column in train.columns().iter().filter(is_name) {
        let pairs = (0..train.rows()).map(|row| (text(column, row), class.code(row)));
        let known: HashSet<(String, u32)> = pairs.collect();
        let asked = test.require(column.name()).expect("the same columns");
        rows.retain(|&row| {
            let name = text(asked, row as usize);
            (0..2).all(|class| known.contains(&(name.clone(), class)))
        });
    }
    assert!(rows.len() > test.rows() / 2, "few rows are left to compare");
    rows
}
