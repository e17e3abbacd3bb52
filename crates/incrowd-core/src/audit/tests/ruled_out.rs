//! What is stated about individuals is checked against the rows of the table.

use super::persons::of_persons;
use super::*;
use crate::guarantee::{Distance, Scope, SeveralRows};
use crate::random::Random;

/// The same table without the individuals of its rows.
fn anonymous(table: &Table) -> Table {
    Table::new(table.columns().to_vec(), People::Rows).unwrap()
}

fn asked(requirements: Vec<Result<Requirement>>) -> Guarantee {
    let requirements = requirements.into_iter().map(Result::unwrap).collect();
    Guarantee::new(requirements, Scope::All).unwrap()
}

/// Six individuals, three in each group; all four rows of the first group show u.
fn one_valued() -> (Table, Policy) {
    let table = of_persons("id x c\n 1 a u\n 2 a u\n 3 a u\n 1 a u\n 4 b u\n 5 b u\n 6 b v\n 4 b v");
    let mut policy = policy(&["x"], &["c"], "c");
    policy.attributes[1].values = ["u", "v", "w"].map(str::to_owned).to_vec();
    (table, policy)
}

type Change = fn(&mut StatedPeople);

#[test]
fn a_group_with_one_value_is_not_diverse() {
    let (table, policy) = one_valued();
    let guarantee = asked(vec![
        Requirement::k(2, SingleBin::Counted),
        Requirement::distinct_l(2),
        Requirement::confidence(0.5),
    ]);
    let report = audit_table(&table, &policy, &k(2)).unwrap();
    let right = StatedPeople::of(&table, &policy, &k(2), &report).unwrap();
    let rows = anonymous(&table);
    let audit =
        |stated: &StatedPeople| audit_stated_table(&ReleasedTable::whole(&rows), &policy, &guarantee, stated);
    assert_eq!((right.exposed, right.individuals, right.alone_over_rows), (4, 6, Some(2)));
    assert!(!audit(&right).unwrap().holds);
    let mut held = right.clone();
    held.held = vec!["k = 2".into(), "distinct l = 2 of c".into(), "confidence <= 0.5 of c".into()];
    assert!(audit(&held).unwrap_err().what.contains("distinct l = 2 of c holds"));
    let wrong: [(&str, Change); 27] = [
        ("exposed", |stated| (stated.exposed, stated.exposed_to) = (0, vec![0])),
        ("exposed", |stated| (stated.exposed, stated.exposed_to) = (2, vec![2])),
        ("exposed", |stated| (stated.exposed, stated.exposed_to) = (7, vec![7])),
        ("exposed", |stated| stated.exposed = 3),
        ("exposed", |stated| stated.exposed = 5),
        ("exposed", |stated| stated.exposed_to = vec![u64::MAX]),
        ("excluded", |stated| (stated.excluded, stated.excluded_to) = (5, vec![5])),
        ("excluded", |stated| stated.excluded = 99),
        ("distinct_l", |stated| stated.attributes[0].distinct_l = 2),
        ("distinct_l", |stated| stated.attributes[0].distinct_l = 0),
        ("entropy_l", |stated| stated.attributes[0].entropy_l = 1.01),
        ("entropy_l", |stated| stated.attributes[0].entropy_l = 0.9),
        ("recursive", |stated| stated.attributes[0].recursive.c = 0.9),
        ("recursive", |stated| stated.attributes[0].recursive.l = 2),
        ("max_confidence", |stated| stated.attributes[0].max_confidence = 0.99),
        ("max_confidence", |stated| stated.attributes[0].max_confidence = 1.01),
        ("alpha", |stated| stated.attributes[0].alpha = 0.99),
        ("alpha", |stated| stated.attributes[0].alpha = 1.5),
        ("t_equal", |stated| stated.attributes[0].t_equal = 0.0),
        ("t_equal", |stated| stated.attributes[0].t_equal = f64::NAN),
        ("t_ordered", |stated| stated.attributes[0].t_ordered = Some(0.0)),
        ("beta", |stated| stated.attributes[0].beta = 0.0),
        ("most_frequent", |stated| stated.most_frequent = vec![7.0]),
        ("most_frequent", |stated| stated.most_frequent = vec![0.6]),
        ("alone_over_rows", |stated| stated.alone_over_rows = Some(100)),
        ("alone_over_rows", |stated| stated.alone_over_rows = None),
        ("rare_values", |stated| stated.rare_values = 5),
    ];
    for (place, (key, change)) in wrong.into_iter().enumerate() {
        let mut stated = right.clone();
        change(&mut stated);
        let error = audit(&stated).unwrap_err();
        assert!(error.what.contains(&format!("(`{key}`)")), "{place}: {}", error.what);
    }
}

/// Three individuals with the highest number, three with one number each: the distance lies below the highest rank.
#[test]
fn distances_by_rank_are_counted_at_every_rank() {
    let names = Column::from_texts("x", &["a", "a", "a", "b", "b", "b"].map(Some));
    let numbers = Column::from_numbers("c", &[3.0, 3.0, 3.0, 1.0, 2.0, 3.0].map(Some)).unwrap();
    let table = Table::new(vec![names, numbers], People::of_subjects(&[1, 2, 3, 4, 5, 6])).unwrap();
    let policy = policy(&["x"], &["c"], "");
    let report = audit_table(&table, &policy, &k(3)).unwrap();
    let right = StatedPeople::of(&table, &policy, &k(3), &report).unwrap();
    let far = right.attributes[0].t_ordered.unwrap();
    // Of six, one has 1, one has 2 and four have 3.
    assert!((far - 0.25).abs() < 1e-12, "{far}");
    let rows = anonymous(&table);
    let audit = |far: f64| {
        let mut stated = right.clone();
        stated.attributes[0].t_ordered = Some(far);
        audit_stated_table(&ReleasedTable::whole(&rows), &policy, &k(3), &stated)
    };
    assert!(audit(far).is_ok());
    for less in [0.0, far * 0.6] {
        assert!(audit(less).unwrap_err().what.contains("(`t_ordered`)"));
    }
}

/// Statements about k, bins and printed values, at what the rows allow and beyond.
#[test]
fn counts_that_rows_rule_out_are_refused() {
    let table =
        of_persons("id x c\n 1 a u\n 1 a v\n 2 a u\n 2 a v\n 3 b u\n 4 b u\n 4 b v\n 4 b u\n 5 b v\n 6 b v");
    let policy = policy(&["x"], &["c"], "c");
    let strict = Requirement::k_over(2, SingleBin::Counted, SeveralRows::Strict);
    let guarantee = asked(vec![strict, Requirement::smallest_bin(2)]);
    let report = audit_table(&table, &policy, &guarantee).unwrap();
    let right = StatedPeople::of(&table, &policy, &guarantee, &report).unwrap();
    let rows = anonymous(&table);
    let audit =
        |stated: &StatedPeople| audit_stated_table(&ReleasedTable::whole(&rows), &policy, &guarantee, stated);
    assert_eq!((right.smallest_bin, right.k, right.alone_over_rows), (Some(2), 1, Some(1)));
    let held: Vec<String> = report.asked.iter().map(|asked| asked.requirement.clone()).collect();
    assert_eq!(right.held, held[1..], "the strict reading does not hold for the one with three rows in b");
    assert!(audit(&right).is_err(), "nothing states that the strict reading holds");
    let lied = StatedPeople { held: held.clone(), ..right.clone() };
    assert!(audit(&lied).unwrap_err().what.contains(&held[0]), "k = 1 contradicts it");
    let lied = StatedPeople { k: 2, ..lied };
    assert!(audit(&lied).unwrap_err().what.contains(&held[0]), "one is alone");
    // Nothing that remains rules this out.
    let lied = StatedPeople { alone_over_rows: Some(0), ..lied };
    assert!(audit(&lied).unwrap().holds);
    let lied_about = |change: Change| {
        let mut stated = lied.clone();
        change(&mut stated);
        audit(&stated).map(|report| report.holds).map_err(|error| error.what)
    };
    let wrong: [(&str, Change); 7] = [
        ("`k`", |stated| stated.k = 3),
        ("`smallest_bin`", |stated| stated.smallest_bin = Some(3)),
        ("`smallest_bin`", |stated| stated.smallest_bin = Some(0)),
        ("smallest bin = 2 holds", |stated| stated.smallest_bin = Some(1)),
        ("smallest bin = 2 holds", |stated| stated.smallest_bin = None),
        ("`alone_over_rows`", |stated| stated.alone_over_rows = Some(5)),
        ("`rare_values`", |stated| stated.required_holders = 9),
    ];
    for (words, change) in wrong {
        let error = lied_about(change).unwrap_err();
        assert!(error.contains(words), "{words}: {error}");
    }
    // Two of the undeclared values are as rare as can be.
    assert_eq!(lied_about(|stated| (stated.required_holders, stated.rare_values) = (9, 2)), Ok(false));
}

fn random_table(random: &mut Random) -> Table {
    let (rows, people) = (1 + random.below(9), 1 + random.below(6));
    let (groups, values) = (1 + random.below(3), 1 + random.below(4));
    let mut text = "id x c d".to_owned();
    for _ in 0..rows {
        let [id, x, c] = [people, groups, values].map(|count| random.below(count));
        text += &format!("\n{id} {x} v{c} {}", ["p", "q", "{p,q}", "r"][random.below(4) as usize]);
    }
    let table = of_persons(&text);
    let ordered: Vec<Option<f64>> =
        (0..table.rows()).map(|row| Some(f64::from(table.columns()[1].code(row)))).collect();
    let mut columns = table.columns().to_vec();
    if random.percent(50) {
        columns[1] = Column::from_numbers("c", &ordered).unwrap();
    }
    Table::new(columns, table.people().clone()).unwrap()
}

fn random_guarantee(random: &mut Random) -> Guarantee {
    let mut guarantee = k(u64::from(1 + random.below(3)));
    for _ in 0..2 {
        let share = [0.3, 0.5, 0.6, 0.75][random.below(4) as usize];
        let distance = if random.percent(50) { Distance::Equal } else { Distance::Ordered };
        let requirement = match random.below(8) {
            0 => Requirement::distinct_l(1 + random.below(3)),
            1 => Requirement::entropy_l(1.0 + share),
            2 => Requirement::recursive_l(4.0 * share, 1 + random.below(3)),
            3 => Requirement::confidence(share),
            4 => Requirement::alpha(share),
            5 => Requirement::beta(2.0 * share),
            6 => Requirement::t_closeness(share, distance),
            _ => Requirement::smallest_bin(u64::from(1 + random.below(2))),
        };
        guarantee = guarantee.with(requirement.unwrap());
    }
    let named = Scope::Named(vec!["c".to_owned()]);
    guarantee.of(if random.percent(50) { Scope::All } else { named })
}

/// Whatever is true of individuals is possible given the rows, and is judged as it was.
#[test]
fn true_statements_are_never_ruled_out() {
    let mut judged = 0;
    for seed in 0..4_000 {
        let random = &mut Random::of(seed, 1);
        let (table, guarantee) = (random_table(random), random_guarantee(random));
        let policy = policy(&["x"], &["c", "d"], "");
        let Ok(report) = audit_table(&table, &policy, &guarantee) else { continue };
        let stated = StatedPeople::of(&table, &policy, &guarantee, &report).unwrap();
        let rows = anonymous(&table);
        let again = match audit_stated_table(&ReleasedTable::whole(&rows), &policy, &guarantee, &stated) {
            Ok(again) => again,
            // Recursive diversity that did not hold may not be decided, and overlapping cells are refused.
            Err(error) => {
                assert!(
                    error.what.contains("does not state whether") || error.what.contains("overlap"),
                    "{seed}: {}",
                    error.what
                );
                continue;
            }
        };
        assert_eq!(
            (again.holds, again.k, again.individuals),
            (report.holds, report.k, report.individuals),
            "{seed}"
        );
        assert_eq!((again.exposed, again.attributes), (report.exposed, report.attributes), "{seed}");
        judged += 1;
    }
    assert!(judged > 2_000, "{judged}");
}

/// The bound on confidence is attained: of all ways to assign the rows of a group to its individuals, the best has it.
#[test]
fn the_best_that_rows_allow_is_possible() {
    let policy = policy(&["x"], &["c"], "");
    for values in [vec![0, 0, 0, 1], vec![0, 0, 1, 1, 1], vec![0, 0, 0, 1, 2], vec![0, 0, 0, 0, 0]] {
        let mut best: Vec<(StatedPeople, Table)> = Vec::new();
        for assigned in 0..5_u32.pow(values.len() as u32) {
            let people = (0..values.len() as u32).map(|row| assigned / 5_u32.pow(row) % 5);
            let lines = people.zip(&values).map(|(person, value)| format!("\n{person} a v{value}"));
            let table = of_persons(&("id x c".to_owned() + &lines.collect::<String>()));
            let report = audit_table(&table, &policy, &k(1)).unwrap();
            let stated = StatedPeople::of(&table, &policy, &k(1), &report).unwrap();
            match best.iter_mut().find(|(other, _)| other.individuals == stated.individuals) {
                None => best.push((stated, table)),
                Some((other, _)) => {
                    let better = stated.attributes[0].max_confidence < other.attributes[0].max_confidence;
                    if better {
                        *other = stated;
                    }
                }
            }
        }
        for (mut stated, table) in best {
            let rows = anonymous(&table);
            let audit = |stated: &StatedPeople| {
                audit_stated_table(&ReleasedTable::whole(&rows), &policy, &k(1), stated)
            };
            assert!(audit(&stated).is_ok());
            let confidence = &mut stated.attributes[0].max_confidence;
            *confidence -= 1e-6;
            assert!(audit(&stated).unwrap_err().what.contains("max_confidence"), "{values:?}");
        }
    }
}
