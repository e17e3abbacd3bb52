use super::*;
use proptest::prelude::*;

fn tested<'a>(truth: &'a [Option<u32>], classes: usize, shares: &'a [f64]) -> Tested<'a> {
    Tested { truth, classes, shares, weights: None }
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-12
}

#[test]
fn four_rows_by_hand() {
    let truth = [Some(0), Some(0), Some(1), Some(1)];
    let shares = [0.9, 0.1, 0.4, 0.6, 0.65, 0.35, 0.2, 0.8];
    let scores = tested(&truth, 2, &shares).scores().expect("they fit");
    assert!(near(scores.accuracy, 0.5) && near(scores.balanced_accuracy, 0.5) && near(scores.f1, 0.5));
    assert!(near(scores.auc, 0.75), "{}", scores.auc);
}

#[test]
fn ties_go_to_the_first_class_and_absent_classes_are_left_out() {
    let truth = [Some(0), Some(2), None];
    let shares = [0.5, 0.5, 0.0, 0.2, 0.4, 0.4, 0.0, 1.0, 0.0];
    let scores = tested(&truth, 3, &shares).scores().expect("they fit");
    assert!(near(scores.accuracy, 0.5));
    assert!(near(scores.balanced_accuracy, 0.5), "class 1 has no row, though it was predicted");
    assert!(near(scores.f1, 0.5));
    assert!(near(scores.auc, 1.0));
}

#[test]
fn unknown_classes_are_never_predicted() {
    let truth = [Some(0), Some(1), Some(2)];
    let scores = tested(&truth, 2, &[1.0, 0.0, 0.0, 1.0, 0.5, 0.5]).scores().expect("they fit");
    assert!(near(scores.accuracy, 2.0 / 3.0) && near(scores.balanced_accuracy, 2.0 / 3.0));
    assert!(near(scores.auc, (1.0 + 1.0 + 0.5) / 3.0));
}

#[test]
fn one_class_leaves_nothing_to_tell_apart() {
    let scores = tested(&[Some(1), Some(1)], 2, &[0.3, 0.7, 0.6, 0.4]).scores().expect("they fit");
    assert!(near(scores.auc, 0.5) && near(scores.accuracy, 0.5));
}

#[test]
fn what_does_not_fit_is_an_error() {
    assert!(tested(&[Some(0)], 2, &[1.0]).scores().is_err());
    assert!(tested(&[Some(0)], 0, &[]).scores().is_err());
    assert!(tested(&[None], 1, &[1.0]).scores().is_err());
    assert!(tested(&[], 1, &[]).scores().is_err());
    let weights = Some([0_u32].as_slice());
    assert!(Tested { weights, ..tested(&[Some(0)], 1, &[1.0]) }.scores().is_err());
}

#[test]
fn truth_follows_the_classifiers_numbers() {
    let column = Column::from_texts("class", &[Some("no"), Some("yes"), None, Some("maybe"), Some("never")]);
    let table = Table::new(vec![column], incrowd_core::table::People::Rows).expect("one column");
    let classes = ["yes".to_owned(), "no".to_owned()];
    let numbers = truth(&table, "class", &classes).expect("it is there");
    assert_eq!(numbers, [Some(1), Some(0), None, Some(2), Some(3)]);
    assert!(truth(&table, "other", &classes).is_err());
}

#[test]
fn means_and_deviations() {
    let folds = [0.5, 0.7, 0.9].map(|accuracy| Scores { accuracy, ..Scores::default() });
    let (mean, deviation) = summary(&folds);
    assert!(near(mean.accuracy, 0.7) && near(deviation.accuracy, 0.2) && near(deviation.auc, 0.0));
    assert_eq!(summary(&folds[..1]), (folds[0], Scores::default()));
    assert_eq!(summary(&[]), (Scores::default(), Scores::default()));
}

#[test]
fn areas_are_trapezoids_in_percent() {
    assert_eq!(area_over_k(&[(5, 0.8)]), None);
    assert_eq!(area_over_k(&[(5, 0.8), (5, 0.9)]), None);
    let area = area_over_k(&[(20, 0.7), (5, 0.8), (10, 0.9)]).expect("three k");
    assert!(near(area, 5.0 * 85.0 + 10.0 * 80.0));
}

/// Table 1 of the kACTUS-2 paper: the areas with C4.5, divided by the range of k, are accuracies somewhat under those
/// without anonymity.
#[test]
fn areas_of_the_kactus_2_paper_are_accuracies_in_percent() {
    let sets: [(&[u64], f64, f64); 5] = [
        (&[5, 20, 50, 100, 500, 1000], 82_663.22, 85.96),
        (&[5, 10, 15, 20, 30, 40, 50, 80, 100], 6646.4, 71.67),
        (&[5, 10, 15, 20, 30], 1802.35, 81.20),
        (&[5, 10, 15, 20, 30], 1372.225, 67.63),
        (&[5, 10, 15, 20, 30, 40, 50], 3252.475, 74.78),
    ];
    for (ks, area, unprotected) in sets {
        let always = |accuracy: f64| {
            area_over_k(&ks.iter().map(|&k| (k, accuracy / 100.0)).collect::<Vec<_>>()).expect("several k")
        };
        let mean = area / (ks[ks.len() - 1] - ks[0]) as f64;
        assert!((always(mean) - area).abs() < 1e-6);
        assert!(area < always(unprotected) && area > always(unprotected) * 0.8, "{area}");
    }
}

/// True classes, shares and weights of a few rows, with few distinct shares, so that there are ties.
type Case = (Vec<Option<u32>>, usize, Vec<f64>, Vec<u32>);

fn cases() -> impl Strategy<Value = Case> {
    (1..4_usize, 1..9_usize).prop_flat_map(|(classes, rows)| {
        let truth = prop::collection::vec(prop::option::weighted(0.9, 0..classes as u32 + 1), rows);
        let shares =
            prop::collection::vec((0..5_u32).prop_map(|share| f64::from(share) / 4.0), rows * classes);
        (truth, Just(classes), shares, prop::collection::vec(0..4_u32, rows))
    })
}

/// AUC over all pairs of rows.
fn naive_auc((truth, classes, shares, weights): &Case, class: u32) -> Option<f64> {
    let share = |row: usize| {
        if (class as usize) < *classes { shares[row * classes + class as usize] } else { 0.0 }
    };
    let (mut won, mut all) = (0.0, 0.0);
    for one in (0..truth.len()).filter(|&row| truth[row] == Some(class)) {
        for other in (0..truth.len()).filter(|&row| truth[row].is_some_and(|truth| truth != class)) {
            let weight = f64::from(weights[one]) * f64::from(weights[other]);
            let ahead = share(one) - share(other);
            all += weight;
            won += weight
                * if ahead > 0.0 {
                    1.0
                } else if ahead < 0.0 {
                    0.0
                } else {
                    0.5
                };
        }
    }
    (all > 0.0).then(|| won / all)
}

/// The measures from their definitions, with each row repeated according to its weight.
fn naive(case: &Case) -> Option<Scores> {
    let (truth, classes, shares, weights) = case;
    let mut rows = Vec::new();
    for (row, class) in truth.iter().enumerate() {
        let own = &shares[row * classes..(row + 1) * classes];
        let largest = own.iter().copied().fold(f64::MIN, f64::max);
        let predicted = own.iter().position(|share| *share >= largest)? as u32;
        let class = class.map(|class| (class, predicted));
        rows.extend(
            class.iter().cycle().take(if class.is_some() { weights[row] as usize } else { 0 }).copied(),
        );
    }
    let share = |of: &dyn Fn(&(u32, u32)) -> bool, among: &dyn Fn(&(u32, u32)) -> bool| {
        let among: Vec<_> = rows.iter().filter(|row| among(row)).collect();
        (!among.is_empty()).then(|| among.iter().filter(|row| of(row)).count() as f64 / among.len() as f64)
    };
    let mut there: Vec<u32> = rows.iter().map(|row| row.0).collect();
    there.sort_unstable();
    there.dedup();
    let recall = |class: u32| share(&|row| row.1 == class, &|row| row.0 == class);
    let precision = |class: u32| share(&|row| row.0 == class, &|row| row.1 == class);
    let f1 = |class: u32| match (precision(class), recall(class)) {
        (Some(precision), Some(recall)) if precision + recall > 0.0 => {
            2.0 * precision * recall / (precision + recall)
        }
        _ => 0.0,
    };
    let mean =
        |of: &dyn Fn(u32) -> f64| there.iter().map(|&class| of(class)).sum::<f64>() / there.len() as f64;
    let areas: Vec<(f64, f64)> = there
        .iter()
        .filter_map(|&class| {
            Some((rows.iter().filter(|row| row.0 == class).count() as f64, naive_auc(case, class)?))
        })
        .collect();
    let weight: f64 = areas.iter().map(|area| area.0).sum();
    let auc = if areas.is_empty() {
        0.5
    } else {
        areas.iter().map(|(rows, area)| rows * area).sum::<f64>() / weight
    };
    let known = truth.iter().flatten().max().map_or(0, |&class| class as usize + 1).max(*classes);
    let second = if known == 2 { naive_auc(case, 1).unwrap_or(0.5) } else { auc };
    Some(Scores {
        accuracy: share(&|row| row.0 == row.1, &|_| true)?,
        balanced_accuracy: mean(&|class| recall(class).unwrap_or(0.0)),
        f1: mean(&f1),
        auc: second,
    })
}

proptest! {
    #[test]
    fn scores_agree_with_their_definitions(case in cases()) {
        let (truth, classes, shares, weights) = &case;
        let fast = Tested { truth, classes: *classes, shares, weights: Some(weights) }.scores();
        let Some(naive) = naive(&case) else {
            prop_assert!(fast.is_err());
            return Ok(());
        };
        let fast = fast.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert!(near(fast.accuracy, naive.accuracy), "{fast:?} {naive:?}");
        prop_assert!(near(fast.balanced_accuracy, naive.balanced_accuracy), "{fast:?} {naive:?}");
        prop_assert!(near(fast.f1, naive.f1), "{fast:?} {naive:?}");
        prop_assert!(near(fast.auc, naive.auc), "{fast:?} {naive:?}");
    }
}
