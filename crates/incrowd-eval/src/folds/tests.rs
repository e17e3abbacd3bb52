use super::*;
use proptest::prelude::*;

fn parse(text: &str) -> Result<Protocol> {
    text.parse()
}

#[test]
fn protocols_are_read_as_they_are_written() {
    assert_eq!(parse("5x2"), Ok(Protocol::Repeated { times: 5, folds: 2 }));
    assert_eq!(parse(" 10×10 "), Ok(Protocol::Repeated { times: 10, folds: 10 }));
    assert_eq!(parse("10"), Ok(Protocol::KFold { folds: 10 }));
    assert_eq!(parse("train-test"), Ok(Protocol::TrainTest));
    for text in ["5x2", "10", "train-test"] {
        assert_eq!(parse(text).map(|protocol| protocol.to_string()), Ok(text.to_owned()));
    }
    assert_eq!(parse("5x2").map(Protocol::words), Ok("5 times 2-fold cross-validation".to_owned()));
    assert_eq!(parse("5x2").map(Protocol::folds), Ok(10));
}

#[test]
fn wrong_protocols_name_a_way_out() {
    for text in ["", "x", "5x", "x2", "five", "5x2x2", "-1", "1", "5x1", "0x2", "0", "1.5", "1000x1000"] {
        let error = parse(text).expect_err(text);
        assert!(error.help.is_some_and(|help| help.contains("5x2")), "{text}");
    }
}

#[test]
fn what_cannot_be_divided_is_an_error() {
    let ten = Protocol::KFold { folds: 10 };
    let error = divide(&[0; 9], &People::Rows, ten, 1).expect_err("nine in ten parts");
    assert_eq!(
        error.to_string(),
        "there are fewer individuals (9) than parts (10) (use more individuals, or fewer folds)"
    );
    assert!(divide(&[0; 20], &People::Weights(vec![1; 19]), ten, 1).is_err());
    assert!(divide(&[0; 20], &People::of_subjects(&[1; 20]), ten, 1).is_err());
    assert!(divide(&[0; 20], &People::Rows, Protocol::KFold { folds: 0 }, 1).is_err());
}

#[test]
fn seeds_and_repetitions_differ_and_nothing_else_does() {
    let classes: Vec<u32> = (0..60).map(|row| row % 3).collect();
    let divided = |protocol, seed| divide(&classes, &People::Rows, protocol, seed).expect("it divides");
    let five_by_two = Protocol::Repeated { times: 5, folds: 2 };
    let folds = divided(five_by_two, 7);
    assert_eq!(folds, divided(five_by_two, 7));
    assert_eq!(folds[..2], divided(Protocol::KFold { folds: 2 }, 7));
    assert_ne!(folds, divided(five_by_two, 8));
    assert_ne!(folds[0], folds[2]);
    assert_eq!(folds[0].train, folds[1].test);
}

/// Classes, subjects and a protocol that fits.
fn cases() -> impl Strategy<Value = (Vec<u32>, Option<Vec<u32>>, Protocol, u64)> {
    let rows = 1..40_usize;
    rows.prop_flat_map(|rows| {
        let classes = prop::collection::vec(0..4_u32, rows);
        let subjects = prop::option::of(prop::collection::vec(0..12_u32, rows));
        let protocol = prop_oneof![
            Just(Protocol::TrainTest),
            (2..6_u32).prop_map(|folds| Protocol::KFold { folds }),
            (1..4_u32, 2..5_u32).prop_map(|(times, folds)| Protocol::Repeated { times, folds }),
        ];
        (classes, subjects, protocol, any::<u64>())
    })
}

proptest! {
    #[test]
    fn folds_are_what_they_are_said_to_be((classes, subjects, protocol, seed) in cases()) {
        let people = subjects.as_ref().map_or(People::Rows, |numbers| People::of_subjects(numbers));
        let rows: Vec<u32> = (0..classes.len() as u32).collect();
        let units: Vec<u32> = subjects.unwrap_or_else(|| rows.clone());
        let mut distinct = units.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let Ok(folds) = divide(&classes, &people, protocol, seed) else {
            prop_assert!(distinct.len() < protocol.parts() as usize);
            return Ok(());
        };
        prop_assert_eq!(folds.len() as u64, protocol.folds());
        for fold in &folds {
            prop_assert!(fold.train.is_sorted() && fold.test.is_sorted());
            prop_assert!(!fold.train.is_empty() && !fold.test.is_empty());
            let mut all = [fold.train.clone(), fold.test.clone()].concat();
            all.sort_unstable();
            prop_assert_eq!(&all, &rows);
            let trained: Vec<u32> = fold.train.iter().map(|&row| units[row as usize]).collect();
            prop_assert!(fold.test.iter().all(|&row| !trained.contains(&units[row as usize])));
        }
        if protocol != Protocol::TrainTest {
            for time in folds.chunks(protocol.parts() as usize) {
                let mut tested: Vec<u32> = time.iter().flat_map(|fold| fold.test.clone()).collect();
                tested.sort_unstable();
                prop_assert_eq!(&tested, &rows);
            }
        }
    }

    #[test]
    fn every_part_has_its_share_of_every_class((classes, _, protocol, seed) in cases()) {
        let Ok(folds) = divide(&classes, &People::Rows, protocol, seed) else { return Ok(()) };
        let parts = protocol.parts() as usize;
        for fold in &folds {
            prop_assert!(fold.test.len() >= classes.len() / parts);
            prop_assert!(fold.test.len() <= classes.len().div_ceil(parts));
            for class in 0..4 {
                let all = classes.iter().filter(|&&other| other == class).count();
                let tested = fold.test.iter().filter(|&&row| classes[row as usize] == class).count();
                prop_assert!(tested >= all / parts && tested <= all.div_ceil(parts));
            }
        }
    }
}
