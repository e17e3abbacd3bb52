//! All inducers by name, on a built-in table.

use incrowd::inducers::{INDUCERS, inducer};
use incrowd::samples::tic_tac_toe;
use incrowd::table::{Column, Table};
use incrowd_eval::inducer::Examples;

#[test]
fn every_inducer_learns_the_end_of_a_game() {
    let table = tic_tac_toe();
    let names: Vec<String> = table.columns().iter().map(|column| column.name().to_owned()).collect();
    let Some((class, inputs)) = names.split_last() else { panic!("columns") };
    let column = table.require(class).expect("a class");
    for name in INDUCERS {
        let inducer = inducer(name).expect("an inducer");
        assert_eq!(inducer.name(), name);
        let learned = inducer.learn(Examples { table: &table, class, inputs }).expect("learned");
        let shares = learned.shares(&table).expect("shares");
        let own = |(row, shares): (usize, &[f64])| shares[column.code(row) as usize];
        let rows = || shares.chunks_exact(learned.classes().len());
        assert!(rows().all(|shares| (shares.iter().sum::<f64>() - 1.0).abs() < 1e-9), "{name}");
        let mean = rows().enumerate().map(own).sum::<f64>() / table.rows() as f64;
        // Saying the frequencies of the classes would be 0.55.
        assert!(mean > 0.56, "{name}: {mean}");
    }
}

#[test]
fn values_that_were_not_there_can_be_asked_about() {
    let table = tic_tac_toe();
    let names: Vec<String> = table.columns().iter().map(|column| column.name().to_owned()).collect();
    let Some((class, inputs)) = names.split_last() else { panic!("columns") };
    let strange =
        |(place, name): (usize, &String)| Column::from_texts(name, &[Some("z"), (place > 3).then_some("x")]);
    let columns: Vec<Column> = inputs.iter().enumerate().map(strange).collect();
    let asked = Table::new(columns, incrowd::table::People::Rows).expect("a table");
    for name in INDUCERS {
        let learned =
            inducer(name).and_then(|inducer| inducer.learn(Examples { table: &table, class, inputs }));
        let shares = learned.expect("learned").shares(&asked).expect("shares");
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)) && shares.len() == 4, "{name}");
    }
}

#[test]
fn a_wrong_name_is_told_the_right_ones() {
    let error = inducer("c4.5").err().expect("no such inducer");
    assert!(INDUCERS.iter().all(|name| error.help.as_ref().is_some_and(|help| help.contains(name))));
}
