//! Boosted trees on Adult: the figures of docs/boost.md.

use crate::benchmark::adult;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::predict::predict_scores;
use incrowd_core::progress::Silent;
use incrowd_core::table::Table;
use incrowd_mine::Structure;
use incrowd_mine::boost::{BoostParams, MinedEnsemble, mine_boost};

const PRIVATE: [&str; 6] =
    ["relationship", "capital-gain", "capital-loss", "hours-per-week", "fnlwgt", "class"];

/// Some attributes are private and the others public. Beside private ones, the number of the education is left out.
fn policy(private: &[&str]) -> Policy {
    let role = |name: &str| match name {
        "education-num" if private.len() > 1 => Role::Ignored,
        name if private.contains(&name) => Role::Private,
        _ => Role::Public,
    };
    let attributes = incrowd_testkit::ADULT.iter().map(|&name| Attribute::new(name, role(name)));
    Policy::new(attributes.collect::<Vec<_>>()).with_class("class")
}

/// The share of rows that an ensemble classifies wrongly, in percent.
fn error(mined: &MinedEnsemble, table: &Table) -> f64 {
    let class = table.require("class").expect("the class");
    let values = &mined.ensemble.class().values;
    let predicted = predict_scores(table, &mined.ensemble).expect("predictions").label_of_row;
    let is_wrong = |(row, label): &(usize, u32)| {
        let text = class.values().text(class.code(*row) as usize);
        values[*label as usize].trim_end_matches('.') != text.trim_end_matches('.')
    };
    let wrong = predicted.into_iter().enumerate().filter(is_wrong).count();
    100.0 * wrong as f64 / table.rows() as f64
}

fn check(private: &[&str], structure: Structure, k: u64, at_most: f64) {
    let (Some(train), Some(test)) = (adult("data"), adult("test")) else { return };
    let mut params = BoostParams::new(Guarantee::k_anonymity(k).expect("k"));
    params.structure = structure;
    let params = params.check().expect("parameters");
    let mined = mine_boost(&train, &policy(private), &params, &Silent).expect("an ensemble");
    assert!(mined.report.holds && mined.report.k >= k, "k = {}", mined.report.k);
    let error = error(&mined, &test);
    eprintln!("k = {k}: {error:.2} %");
    assert!(error <= at_most, "k = {k}: {error} %");
}

#[test]
fn five_private_attributes() {
    [(10, 13.4), (100, 13.35)].into_iter().for_each(|(k, most)| check(&PRIVATE, Structure::Free, k, most));
}

#[test]
fn five_private_attributes_and_a_large_k() {
    [(50, 13.3), (500, 13.75), (1000, 13.85)]
        .into_iter()
        .for_each(|(k, most)| check(&PRIVATE, Structure::Free, k, most));
}

#[test]
fn a_blind_structure() {
    [(10, 13.5), (50, 13.8), (100, 14.3)]
        .into_iter()
        .for_each(|(k, most)| check(&PRIVATE, Structure::Blind, k, most));
}

#[test]
fn all_attributes_public() {
    [(10, 14.4), (100, 14.6), (1000, 16.1)]
        .into_iter()
        .for_each(|(k, most)| check(&["class"], Structure::Free, k, most));
}
