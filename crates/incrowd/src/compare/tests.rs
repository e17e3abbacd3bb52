//! A comparison against the same steps done separately, and interrupted comparisons.

use super::*;
use crate::guarantee::{Guarantee, Requirement, SingleBin};
use crate::policy::{Attribute, Policy, Role};
use crate::predict::{evaluate, evaluate_labels, predict, predict_scores};
use crate::progress::Silent;
use crate::samples::{clinic, clinic_policy, tic_tac_toe};
use crate::table::{Column, Kind, People, Table};
use crate::taxonomy::TaxonomySpec;
use incrowd_eval::comparison::Series;
use incrowd_eval::folds::{Protocol, divide};
use incrowd_mine::boost::{BoostParams, mine_boost};
use incrowd_mine::table::{self, TableParams, mine_table};
use incrowd_mine::tree::{self, TreeParams, mine_tree};

const PROTOCOL: Protocol = Protocol::Repeated { times: 2, folds: 2 };

fn params(methods: &[&str], ks: &[u64], inducers: &[&str]) -> CompareParams {
    CompareParams {
        methods: methods.iter().map(|name| ComparedMethod::named(name).expect("a method")).collect(),
        ks: ks.to_vec(),
        guarantee: Guarantee::default(),
        inducers: inducers.iter().map(|&name| name.to_owned()).collect(),
        protocol: PROTOCOL,
        sample: None,
        seed: 7,
    }
}

/// Tic-tac-toe with all squares public.
fn game() -> (Table, Policy) {
    let table = tic_tac_toe();
    let class = table.columns().last().expect("a class").name().to_owned();
    let role = |name: &str| if name == class { Role::Private } else { Role::Public };
    let policy =
        Policy::new(table.columns().iter().map(|c| Attribute::new(c.name(), role(c.name()))).collect())
            .with_class(class.clone());
    (table, policy)
}

fn run(table: &Table, policy: &Policy, params: CompareParams, cells: &Cells) -> Comparison {
    let source = CompareData { name: "a table", table, test: None, policy, sample_of: None };
    compare(source, &params.check().expect("parameters"), cells, &Silent).expect("a comparison")
}

/// The comparison without figures that differ between runs.
fn timeless(mut comparison: Comparison) -> Comparison {
    for released in &mut comparison.releases {
        released.seconds = 0.0;
        released.peak_bytes = None;
    }
    comparison
}

fn series<'a>(comparison: &'a Comparison, method: &str, inducer: Option<&str>) -> &'a Series {
    let found = comparison.series.iter().find(|s| s.method == method && s.inducer.as_deref() == inducer);
    found.expect("the series")
}

#[test]
fn a_tree_scores_what_it_scores_by_hand() {
    let (table, policy) = game();
    let found = run(&table, &policy, params(&["kadet-c45"], &[5, 20], &[]), &Cells::in_memory());
    let class = policy.class.as_deref().expect("a class");
    let codes: Vec<u32> = table.require(class).expect("it").codes().iter().collect();
    let folds = divide(&codes, table.people(), PROTOCOL, 7).expect("folds");
    let points = &series(&found, "kadet-c45", None).points;
    assert_eq!(points.len(), 2);
    for point in points {
        assert_eq!(point.folds.len(), 4);
        for (fold, scores) in folds.iter().zip(&point.folds) {
            let guarantee = Guarantee::k_anonymity(point.k.expect("a k")).expect("k");
            let asked = TreeParams::new(tree::TreeMethod::KadetC45, guarantee).check().expect("checked");
            let tree = mine_tree(&table.select(&fold.train), &policy, &asked, &Silent).expect("a tree").tree;
            let test = table.select(&fold.test);
            let error =
                evaluate(&test, &tree, &predict(&test, &tree).expect("predicted")).expect("a class").error();
            assert!((scores.accuracy - (1.0 - error)).abs() < 1e-12, "{scores:?} against {error}");
        }
    }
}

#[test]
fn boosted_trees_score_what_they_score_by_hand() {
    let table = clinic(400, 3);
    let policy = clinic_policy();
    let found = run(&table, &policy, params(&["boost"], &[10], &[]), &Cells::in_memory());
    let class = policy.class.as_deref().expect("a class");
    let codes: Vec<u32> = table.require(class).expect("it").codes().iter().collect();
    let folds = divide(&codes, table.people(), PROTOCOL, 7).expect("folds");
    let asked = || BoostParams::new(Guarantee::k_anonymity(10).expect("k")).check().expect("checked");
    let point = &series(&found, "boost", None).points[0];
    for (fold, scores) in folds.iter().zip(&point.folds) {
        let mined =
            mine_boost(&table.select(&fold.train), &policy, &asked(), &Silent).expect("boosted trees");
        let test = table.select(&fold.test);
        let labels = predict_scores(&test, &mined.ensemble).expect("predicted").label_of_row;
        let error =
            evaluate_labels(&test, mined.ensemble.class(), |row| labels[row]).expect("a class").error();
        assert!((scores.accuracy - (1.0 - error)).abs() < 1e-12, "{scores:?} against {error}");
    }
    let mined = mine_boost(&table, &policy, &asked(), &Silent).expect("boosted trees");
    let released = &found.releases[0];
    assert_eq!(
        (released.k_held, released.exposed, released.at_most, released.leaves),
        (mined.report.k, mined.report.exposed, true, Some(mined.summary.leaves))
    );
}

#[test]
fn a_table_loses_what_it_loses_by_hand() {
    let (table, policy) = game();
    let found = run(&table, &policy, params(&["mondrian"], &[10], &["naive-bayes"]), &Cells::in_memory());
    let asked = TableParams::new(table::TableMethod::Mondrian, Guarantee::k_anonymity(10).expect("k"));
    let made = mine_table(&table, &policy, &asked.check().expect("checked"), &Silent).expect("a table");
    let released = &found.releases[0];
    assert_eq!((released.loss, released.suppressed), (made.measures.loss, Some(made.measures.suppressed)));
    assert_eq!(
        (released.k_held, released.spans, released.exposed),
        (made.report.k, made.report.spans, made.report.exposed)
    );
    assert!(series(&found, "mondrian", Some("naive-bayes")).points[0].loss.is_some());
    assert!(series(&found, "none", Some("naive-bayes")).points[0].loss.is_none());
}

/// Releases do not give a higher accuracy than the unprotected table, and every release satisfies its k.
#[test]
fn every_method_is_compared() {
    let (table, mut policy) = (clinic(300, 3), clinic_policy());
    let is_name = |name: &str| table.column(name).is_some_and(|column| column.kind() != Kind::Numeric);
    let flat = |attribute: &&mut Attribute| attribute.role == Role::Public && is_name(&attribute.name);
    policy.attributes.iter_mut().filter(flat).for_each(|a| a.taxonomy = Some(TaxonomySpec::Flat));
    let names: Vec<&str> = ComparedMethod::all().into_iter().map(ComparedMethod::name).collect();
    let inducers = ["c45", "part", "naive-bayes", "logistic"];
    let found = run(&table, &policy, params(&names, &[5], &inducers), &Cells::in_memory());
    assert_eq!(found.notes, Vec::<String>::new());
    assert_eq!(found.series.len(), 4 + (names.len() - 4 + 1) * inducers.len());
    assert_eq!(found.releases.len(), names.len());
    assert!(found.releases.iter().all(|released| released.k_held >= 5));
    assert!(found.series.iter().all(|series| series.points.len() == 1 && series.area.is_none()));
    let is_tree = |series: &&Series| series.inducer.is_none() && series.method != "boost";
    let trees = || found.series.iter().filter(is_tree);
    let most = trees().map(|series| series.points[0].mean.accuracy).fold(0.0, f64::max);
    let chosen = found.chosen.as_ref().expect("a tree is shown");
    let shown = trees().find(|series| series.method == chosen.method).expect("it was compared");
    assert_eq!((chosen.k, shown.points[0].mean.accuracy), (5, most));
}

/// Means are numbers: a learner finds thresholds among them, and test rows are not recoded.
#[test]
fn means_are_learned_from_as_numbers() {
    let number = |row: u32| f64::from((row * 37) % 101);
    let numbers: Vec<Option<f64>> = (0..400).map(|row| Some(number(row))).collect();
    let classes: Vec<Option<&str>> =
        (0..400).map(|row| Some(if number(row) > 50.0 { "high" } else { "low" })).collect();
    let columns =
        vec![Column::from_numbers("x", &numbers).expect("numbers"), Column::from_texts("class", &classes)];
    let table = Table::new(columns, People::Rows).expect("a table");
    let (_, mut policy) = game();
    policy.attributes = vec![Attribute::new("x", Role::Public), Attribute::new("class", Role::Private)];
    policy.class = Some("class".to_owned());
    let found = run(&table, &policy, params(&["aggregate"], &[5], &["c45"]), &Cells::in_memory());
    let accuracy = series(&found, "aggregate", Some("c45")).points[0].mean.accuracy;
    assert!(accuracy > 0.9, "{accuracy}");
}

#[test]
fn an_interrupted_comparison_goes_on() {
    let folder = std::env::temp_dir().join(format!("incrowd-compare-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("cells.jsonl");
    let _old = std::fs::remove_file(&path);
    let (table, policy) = game();
    let asked = || params(&["best", "tds"], &[5, 10], &["c45"]);
    let whole = run(&table, &policy, asked(), &Cells::open(&path).expect("cells"));
    let lines = std::fs::read_to_string(&path).expect("the file");
    // An interruption in the middle of a line: complete lines are used, the rest is computed again.
    std::fs::write(&path, &lines[..lines.len() / 2]).expect("written");
    let again = run(&table, &policy, asked(), &Cells::open(&path).expect("cells"));
    assert_eq!(timeless(again), timeless(whole.clone()));
    // Nothing is left to compute: only stored results are used.
    let before = std::fs::metadata(&path).expect("the file").len();
    let third = run(&table, &policy, asked(), &Cells::open(&path).expect("cells"));
    assert_eq!(std::fs::metadata(&path).expect("the file").len(), before);
    assert_eq!(timeless(third), timeless(whole));
    // Another seed, guarantee or table has another key.
    let mut other = asked();
    other.seed = 8;
    run(&table, &policy, other, &Cells::open(&path).expect("cells"));
    assert!(std::fs::metadata(&path).expect("the file").len() > before);
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn what_cannot_be_made_is_a_note() {
    let (table, policy) = game();
    let mut asked = params(&["best", "mondrian"], &[5], &["c45"]);
    // Two classes: nothing has a confidence of at most a half.
    asked.guarantee = Guarantee::default().with(Requirement::confidence(0.5).expect("a share"));
    let source = CompareData { name: "a table", table: &table, test: None, policy: &policy, sample_of: None };
    let error =
        compare(source, &asked.check().expect("parameters"), &Cells::in_memory(), &Silent).unwrap_err();
    assert_eq!(error.kind, crate::ErrorKind::Unsatisfiable);
    let notes = error.help.expect("why");
    assert!(notes.contains("best at k = 5 is left out: "), "{notes}");
    assert!(notes.contains("mondrian with c45 at k = 5 is left out: "), "{notes}");
}

#[test]
fn what_needs_more_than_the_policy_has_is_a_note() {
    let (table, mut policy) = game();
    let class = policy.class.clone();
    let is_class = |attribute: &&mut Attribute| Some(&attribute.name) == class.as_ref();
    policy.attributes.iter_mut().filter(is_class).for_each(|class| class.role = Role::Public);
    let found = run(&table, &policy, params(&["best", "tds"], &[5], &["c45"]), &Cells::in_memory());
    assert_eq!(found.notes.len(), 1, "one for each method and reason: {:?}", found.notes);
    assert!(
        found.notes[0].starts_with("tds") && found.notes[0].contains("a private class"),
        "{:?}",
        found.notes
    );
    assert!(found.series.iter().all(|series| !series.points.is_empty() && series.method != "tds"));
}

#[test]
fn test_rows_of_their_own_are_tested_with() {
    let (table, policy) = game();
    let rows: Vec<u32> = (0..table.rows() as u32).collect();
    let (test, train): (Vec<u32>, Vec<u32>) = rows.iter().partition(|&row| row % 3 == 0);
    let (train, test) = (table.select(&train), table.select(&test));
    let source =
        CompareData { name: "a table", table: &train, test: Some(&test), policy: &policy, sample_of: None };
    let asked = params(&["kadet-c45"], &[5], &["c45"]).check().expect("parameters");
    let found = compare(source, &asked, &Cells::in_memory(), &Silent).expect("a comparison");
    assert_eq!(found.about.folds, 1);
    assert_eq!(series(&found, "kadet-c45", None).points[0].folds.len(), 1);
    assert_eq!(found.releases[0].rows, train.rows() as u64);
}

#[test]
fn a_comparison_states_its_sample() {
    let (table, policy) = game();
    let data = crate::Dataset::of_table(table.clone(), policy);
    let compared = |individuals: u64| {
        let job = data.compare().with(|own| *own = params(&["kadet-c45"], &[5], &["c45"]));
        job.sample(individuals).run().expect("a comparison")
    };
    let found = compared(400);
    assert_eq!((found.about.individuals, found.releases[0].rows), (400, 400));
    let words = format!("a random sample of 400 of {} individuals", table.individuals());
    assert!(found.about.protocol.ends_with(&words), "{}", found.about.protocol);
    assert!(found.notes[0].contains(&words), "{:?}", found.notes);
    let all = compared(table.individuals());
    assert_eq!(all.about.individuals, table.individuals());
    assert!(!all.about.protocol.contains("sample") && all.notes.is_empty(), "{:?}", all.notes);
}

#[test]
fn wrong_parameters_have_a_way_out() {
    let wrong = |change: fn(&mut CompareParams)| {
        let mut params = params(&["best", "tds"], &[5], &["c45"]);
        change(&mut params);
        let error = params.check().err().expect("an error");
        assert!(error.help.is_some(), "{error}");
        error.to_string()
    };
    assert!(wrong(|p| p.ks.clear()).contains("nothing to compare"));
    assert!(wrong(|p| p.methods.clear()).contains("nothing to compare"));
    assert!(wrong(|p| p.ks.push(0)).contains("at least 1"));
    assert!(wrong(|p| p.sample = Some(0)).contains("at least one individual"));
    assert!(wrong(|p| p.inducers.clear()).contains("tds"));
    assert!(wrong(|p| p.inducers.push("c5".to_owned())).contains("c5"));
    assert!(
        ComparedMethod::named("kactus3")
            .expect_err("no such method")
            .help
            .is_some_and(|help| help.contains("kactus2"))
    );
}

/// If a tree of all rows cannot be made, there is a note, and the comparison continues.
#[test]
fn only_a_tree_that_was_made_is_shown() {
    let (table, policy) = game();
    let found = run(&table, &policy, params(&["kadet-c45"], &[5, 10], &[]), &Cells::in_memory());
    let source = CompareData { name: "a table", table: &table, test: None, policy: &policy, sample_of: None };
    let params = params(&["kadet-c45"], &[5, 10], &[]).check().expect("parameters");
    let divided = Divided::new(source, &params).expect("divided");
    let chosen = |releases: &[MethodRelease]| {
        choose::choose(&divided, &params, &found.series, releases, Unreported(&Silent))
            .expect("a choice")
            .map(|chosen| chosen.k)
    };
    assert_eq!(chosen(&found.releases), found.chosen.as_ref().map(|chosen| chosen.k));
    assert_eq!(chosen(&found.releases[..1]), Some(5));
    assert_eq!(chosen(&[]), None);
}

#[test]
fn one_note_tells_of_every_k() {
    let (table, policy) = game();
    let found = run(&table, &policy, params(&["best"], &[5, 2000, 3000], &[]), &Cells::in_memory());
    assert_eq!(found.notes.len(), 1, "{:?}", found.notes);
    assert!(
        found.notes[0].starts_with("k = 2000, 3000 is left out: the largest k possible is 479"),
        "{:?}",
        found.notes
    );
    assert_eq!(found.ks, [5]);
}

/// The content of a file of findings, however damaged, does not change the comparison.
#[test]
fn damaged_findings_are_found_anew() {
    let folder = std::env::temp_dir().join(format!("incrowd-damaged-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("cells.jsonl");
    let _old = std::fs::remove_file(&path);
    let (table, policy) = game();
    let asked = || params(&["kadet-c45", "mondrian"], &[5, 10], &["naive-bayes"]);
    let whole = timeless(run(&table, &policy, asked(), &Cells::open(&path).expect("cells")));
    let lines = std::fs::read_to_string(&path).expect("the file");
    let damaged = |pointer: &str, value: serde_json::Value| -> Vec<u8> {
        let damage = |line: &str| {
            let mut line: serde_json::Value = serde_json::from_str(line).expect("a line");
            line.pointer_mut(pointer).into_iter().for_each(|place| *place = value.clone());
            format!("{line}\n")
        };
        lines.lines().map(damage).collect::<String>().into_bytes()
    };
    let crowd = serde_json::json!({"from": 1, "to": 2, "spans": 1, "individuals": u64::MAX});
    for bytes in [
        b"\xff\x00\n\xfe".to_vec(),
        [b"[".repeat(100_000), lines.as_bytes().to_vec()].concat(),
        damaged("/found", serde_json::json!({"Ok": {"scores": 5}})),
        damaged("/found", serde_json::Value::Null),
        damaged("/found/Ok/scores/accuracy", serde_json::json!(1e308)),
        damaged("/found/Ok/scores/auc", serde_json::json!(-1)),
        damaged("/found/Ok/loss", serde_json::json!(2)),
        damaged("/found/Ok/sizes", serde_json::json!([crowd, crowd])),
        damaged("/found/Ok/max_confidence", serde_json::json!(-1e308)),
    ] {
        std::fs::write(&path, bytes).expect("written");
        let again = run(&table, &policy, asked(), &Cells::open(&path).expect("cells"));
        assert_eq!(timeless(again), whole);
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}

/// The report does not claim a k that was not required.
#[test]
fn a_k_of_the_guarantee_gives_way() {
    let (table, policy) = game();
    for single_bin in [SingleBin::Counted, SingleBin::Exempt] {
        let mut asked = params(&["mondrian"], &[5], &["naive-bayes"]);
        let k = Requirement::k(400, single_bin).expect("a k");
        asked.guarantee = Guarantee::default().with(k).with(Requirement::confidence(0.99).expect("a share"));
        let told = run(&table, &policy, asked, &Cells::in_memory()).about.guarantee.join("; ");
        assert!(!told.contains("400") && told.contains("0.99"), "{told}");
        assert_eq!(told.contains("exempt from k"), single_bin == SingleBin::Exempt, "{told}");
    }
}
