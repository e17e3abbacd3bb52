//! A blind structure: exchanging private values within cells changes nothing.

use crate::Structure;
use crate::boost::{BoostParams, CheckedBoostParams, MinedEnsemble, blind_cells, mine_boost};
use crate::exchange::{exchanged, is_known, whole_column};
use crate::tree::tests::random::{Case, case};
use incrowd_core::ErrorKind;
use incrowd_core::Result;
use incrowd_core::guarantee::{Guarantee, Requirement};
use incrowd_core::policy::{Attribute, Policy, Role, Undeclared};
use incrowd_core::progress::Silent;
use incrowd_core::random::Random;
use incrowd_core::table::{Column, People, Table};

fn params(guarantee: &Guarantee, structure: Structure) -> Option<CheckedBoostParams> {
    let params = BoostParams { rounds: 12, min_leaf: Some(1), ..BoostParams::new(guarantee.clone()) };
    BoostParams { structure, ..params }.check().ok()
}

fn mine(case: &Case, table: &Table, structure: Structure) -> Option<Result<MinedEnsemble>> {
    Some(mine_boost(table, &case.policy, &params(&case.guarantee, structure)?, &Silent))
}

/// What leaves the program: the ensemble and the figures in its file, or the refusal.
fn leaves(mined: &Result<MinedEnsemble>) -> String {
    match mined {
        Ok(mined) => format!("{:?} {:?}", mined.ensemble, (mined.report.k, mined.report.spans)),
        Err(error) => error.to_string(),
    }
}

#[test]
fn exchanging_private_values_within_cells_changes_nothing() {
    let (mut released, mut with_cells, mut refused) = (0, 0, 0);
    for seed in 0..400 {
        let case = case(seed, 40, 5);
        let Some(mined) = mine(&case, &case.table, Structure::Blind) else { continue };
        if matches!(&mined, Err(error) if error.kind == ErrorKind::Parameters) {
            continue;
        }
        let blind = params(&case.guarantee, Structure::Blind).expect("checked");
        let Ok(cells) = blind_cells(&case.table, &case.policy, &blind) else { continue };
        with_cells += u64::from(cells.iter().any(|&cell| cell != cells[0]));
        for turn in 0..3 {
            let other = exchanged(&case, &cells, &mut Random::of(seed, turn));
            let again = mine(&case, &other, Structure::Blind).expect("checked");
            assert_eq!(leaves(&mined), leaves(&again), "seed {seed}: {case:#?} {other:#?}");
        }
        released += u64::from(mined.is_ok());
        refused += u64::from(mined.is_err());
    }
    eprintln!("{released} released, {refused} refused, {with_cells} with several cells");
    assert!(released > 40 && with_cells > 20 && refused > 2, "{released}, {refused}, {with_cells}");
}

/// Trees need not distinguish all cells, but an attacker who knows the algorithm may: requirements hold in every cell.
#[test]
fn requirements_hold_in_every_cell() {
    let mined = |classes: &[&str]| {
        let numbers: Vec<Option<f64>> =
            [0.0, 0.0, 10.0, 10.0, 10.0, 20.0, 20.0, 20.0, 20.0, 20.0].map(Some).to_vec();
        let classes: Vec<Option<&str>> = classes.iter().copied().map(Some).collect();
        let columns =
            vec![Column::from_numbers("p", &numbers).expect("numbers"), Column::from_texts("c", &classes)];
        let table = Table::new(columns, People::Rows).expect("a table");
        let attributes = vec![Attribute::new("p", Role::Public), Attribute::new("c", Role::Private)];
        let policy = Policy::new(attributes).with_class("c");
        let two = Guarantee::k_anonymity(2).expect("k").with(Requirement::distinct_l(2).expect("l"));
        mine_boost(&table, &policy, &params(&two, Structure::Blind).expect("checked"), &Silent)
    };
    assert!(mined(&["y", "n", "y", "n", "n", "y", "n", "n", "n", "n"]).is_ok());
    for classes in [
        ["n", "n", "y", "y", "n", "y", "n", "n", "n", "n"],
        ["y", "n", "y", "y", "n", "n", "n", "n", "n", "n"],
    ] {
        assert_eq!(mined(&classes).map(|_| ()).unwrap_err().kind, ErrorKind::Unsatisfiable);
    }
}

/// The first test can fail: a free structure does depend on who has which private values.
#[test]
fn a_free_structure_is_not_blind() {
    let mut differs = 0;
    for seed in 0..300 {
        let case = case(seed, 40, 5);
        let Some(Ok(mined)) = mine(&case, &case.table, Structure::Free) else { continue };
        let blind = params(&case.guarantee, Structure::Blind).expect("checked");
        let Ok(cells) = blind_cells(&case.table, &case.policy, &blind) else { continue };
        let other = exchanged(&case, &cells, &mut Random::of(seed, 0));
        let again = mine(&case, &other, Structure::Free).expect("checked");
        differs += u64::from(leaves(&Ok(mined)) != leaves(&again));
    }
    assert!(differs > 5, "{differs}");
}

#[test]
fn what_cannot_be_blind_is_refused() {
    let kind = |case: &Case| {
        let error = mine(case, &case.table, Structure::Blind)?.err()?;
        Some((error.kind, error.to_string()))
    };
    let mut kinds = [0; 3];
    for seed in 0..400 {
        let mut case = case(seed, 40, 5);
        if case.guarantee.asked_k().is_none_or(|k| k < 2) || case.table.has_several_rows() {
            continue;
        }
        let mined = mine(&case, &case.table, Structure::Blind);
        if mined.is_none_or(|mined| mined.is_err()) {
            continue;
        }
        case.policy.undeclared = Undeclared::Refuse;
        let refused = kind(&case).expect("refused");
        kinds[0] += u64::from(refused.0 == ErrorKind::Parameters && refused.1.contains("undeclared"));
        case.policy.undeclared = Undeclared::Warn;
        whole_column(&mut case, "class", Role::Public);
        let refused = kind(&case).expect("refused");
        kinds[1] += u64::from(refused.1.contains("the class is public"));
        whole_column(&mut case, "class", Role::Private);
        case.guarantee = Guarantee::k_anonymity(1).expect("k");
        kinds[2] += u64::from(kind(&case).expect("refused").1.contains("without a k"));
        assert!(!is_known(&case, "class"), "seed {seed}");
    }
    // Without a private class, some guarantees are refused for other reasons.
    assert!(kinds[0] > 30 && kinds[0] == kinds[2] && kinds[1] > kinds[0] / 2, "{kinds:?}");
}
