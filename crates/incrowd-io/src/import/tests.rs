//! Foreign files: what is read, and that no bytes make reading panic.

mod ensembles;

use super::*;
use crate::export::tests::Draw;
use crate::export::{Target, export};
use incrowd_core::model::{Domain, Node, Split};
use proptest::prelude::*;

const SKLEARN: &str = r#"{"format": "scikit-learn-tree", "version": 1, "class": {"name": "c", "values": ["no", "yes"]},
  "columns": [{"name": "n"}, {"name": "sex", "equals": "m", "values": ["f", "x"], "unknown": 0}, {"name": "edu", "codes": ["low", "mid", "high"]},
              {"name": "sex", "equals": "f"}],
  "left": [1, -1, 3, -1, -1], "right": [2, -1, 4, -1, -1], "feature": [1, -2, 2, -2, -2], "threshold": [0.5, -2.0, 0.5, -2.0, -2.0],
  "label": [0, 0, 1, 1, 0], "counts": [[5, 4], [3, 1], [2, 3], [0, 3], [2, 0]]}"#;

fn parse(bytes: &[u8]) -> Result<Tree> {
    let Release::Model(release) = parse_model(bytes.to_vec(), Path::new("model"))? else { panic!() };
    let Model::Tree(tree) = release.model else { panic!() };
    Ok(tree)
}

#[test]
fn one_hot_and_ordinal_codes_become_values() {
    let tree = parse(SKLEARN.as_bytes()).unwrap();
    let domains: Vec<&Domain> = tree.attributes().iter().map(|attribute| &attribute.domain).collect();
    let values = |names: &[&str]| Domain::Values(names.iter().map(|&name| name.to_owned()).collect());
    assert!(matches!(domains[0], Domain::Numbers { .. }));
    assert_eq!(domains[1..], [&values(&["m", "f", "x"]), &values(&["low", "mid", "high"])]);
    let Node::Test(sex) = &tree.nodes()[0] else { panic!() };
    assert_eq!((&sex.split, sex.otherwise), (&Split::Values(vec![Some(1), Some(0), Some(0)]), Some(0)));
    let strict = parse(SKLEARN.replace(", \"unknown\": 0", "").as_bytes()).unwrap();
    let Node::Test(strict) = &strict.nodes()[0] else { panic!() };
    assert_eq!((&strict.split, strict.otherwise), (&sex.split, None));
    let Node::Test(education) = &tree.nodes()[2] else { panic!() };
    assert_eq!(education.split, Split::Values(vec![Some(0), Some(1), Some(1)]));
    assert_eq!((education.otherwise, &education.labels[1]), (None, &"in {mid, high}".to_owned()));
    let Node::Leaf(leaf) = &tree.nodes()[3] else { panic!() };
    assert_eq!((leaf.label, leaf.told.counts()), (1, Some(&[0, 3][..])));
}

#[test]
fn thresholds_route_as_single_precision_and_are_called_by_their_name() {
    let text = SKLEARN.replace("\"feature\": [1,", "\"feature\": [0,").replace("[0.5, -2.0,", "[0.1, -2.0,");
    let tree = parse(text.as_bytes()).unwrap();
    let Node::Test(test) = &tree.nodes()[0] else { panic!() };
    let Split::Thresholds(thresholds) = &test.split else { panic!() };
    // In single precision 0.1 is a little more than in double, so it goes right.
    assert!(thresholds[0] < 0.1 && thresholds[0] > 0.099_999_99, "{thresholds:?}");
    assert_eq!(test.labels, ["<= 0.1", "> 0.1"]);
}

#[test]
fn faults_of_scikit_learn_files_are_told() {
    let cases = [
        (SKLEARN.replace("\"version\": 1", "\"version\": 2"), "version"),
        (SKLEARN.replace("\"left\": [1,", "\"left\": [0,"), "not a tree"),
        (SKLEARN.replace("\"left\": [1,", "\"left\": [9,"), "not a tree"),
        (SKLEARN.replace("\"left\": [1,", "\"left\": [2,"), "not a tree"),
        (SKLEARN.replace("\"left\": [1,", "\"left\": [-1,"), "only one branch"),
        (SKLEARN.replace("\"feature\": [1,", "\"feature\": [7,"), "not listed"),
        (SKLEARN.replace("\"label\": [0, 0, 1,", "\"label\": [0, 0,"), "one entry per node"),
        (SKLEARN.replace("[0, 3]", "[0]"), "does not match the class"),
        (SKLEARN.replace("\"label\": [0, 0, 1, 1,", "\"label\": [0, 0, 1, 5,"), "does not match the class"),
        (SKLEARN.replace("{\"name\": \"n\"}", "{\"name\": \"sex\"}"), "numbers and for values"),
        (
            SKLEARN.replace("\"codes\"", "\"equals\": \"low\", \"codes\""),
            "give \"equals\", \"codes\" or neither",
        ),
    ];
    for (text, part) in cases {
        let error = parse(text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(part), "{part}: {error}");
    }
}

/// Bytes overwritten, removed or repeated.
fn damage(bytes: &[u8], changes: &[(usize, u8, u8)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for &(place, kind, byte) in changes {
        let place = place % bytes.len().max(1);
        match kind % 4 {
            _ if bytes.is_empty() => {}
            0 => bytes[place] = byte,
            1 => drop(bytes.remove(place)),
            2 => bytes.insert(place, byte),
            _ => drop(bytes.drain(place..(place + byte as usize).min(bytes.len()))),
        }
    }
    bytes
}

/// Whatever is accepted is a tree that can be written; whatever is not has a help text.
fn sound_or_refused(bytes: &[u8]) {
    match parse_model(bytes.to_vec(), Path::new("model")) {
        Ok(release) => drop(release.to_text()),
        Err(error) => assert!(error.help.is_some(), "no help: {error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn damaged_files_never_panic(
        choices in proptest::collection::vec(any::<u64>(), 5..60),
        changes in proptest::collection::vec(any::<(usize, u8, u8)>(), 1..6),
    ) {
        let tree = Draw { choices, next: 0 }.tree(false);
        let Release::Model(release) = of_tree(tree) else { panic!() };
        for target in [Target::Pmml, Target::Onnx] {
            sound_or_refused(&damage(&export(&release, target).unwrap(), &changes));
        }
        sound_or_refused(&damage(SKLEARN.as_bytes(), &changes));
    }

    #[test]
    fn random_bytes_are_refused(mut bytes in proptest::collection::vec(any::<u8>(), 0..200), look in 0..3_usize) {
        bytes.splice(0..0, [&[onnx::FIRST_BYTE][..], b"<", b"{"][look].iter().copied());
        sound_or_refused(&bytes);
    }
}

fn parse_rules(text: &str) -> Result<incrowd_core::model::Rules> {
    let Release::Model(release) = parse_model(text.as_bytes().to_vec(), Path::new("rules"))? else {
        panic!()
    };
    let Model::Rules(rules) = release.model else { panic!() };
    Ok(rules)
}

const ARULES: &str = "\"rules\",\"support\",\"confidence\",\"coverage\",\"count\"\n\"{a,b c} => {P}\",0.5,0.8,0.6,24\n\"{} => {a}\",0.9,0.9,1,27\n";
const MLXTEND: &str = ",antecedents,consequents,support,lift\n0,\"frozenset({'a', 'b c'})\",frozenset({'P'}),0.5,1.2\n1,frozenset({'P'}),frozenset({'a'}),0.5,1.2\n";

#[test]
fn rules_of_arules_and_mlxtend() {
    let sides = |rules: &incrowd_core::model::Rules| -> Vec<String> {
        let name = |item: &incrowd_core::model::Item| rules.attributes()[item.attribute].name.as_str();
        let side = |items: &[incrowd_core::model::Item]| items.iter().map(name).collect::<Vec<_>>().join("+");
        let of_rule = |rule: &incrowd_core::model::Rule| {
            format!("{}>{} {:?}", side(&rule.antecedent), side(&rule.consequent), rule.both_count)
        };
        rules.rules().iter().map(of_rule).collect()
    };
    assert_eq!(sides(&parse_rules(ARULES).unwrap()), ["a+b c>P Some(24)", ">a Some(27)"]);
    // Lift reveals how many have the right side: a separate rule.
    let told = [">P None", "a+b c>P None", ">a None", "P>a None"];
    assert_eq!(sides(&parse_rules(MLXTEND).unwrap()), told);
    let json = r#"[{"antecedents": ["a", "b c"], "consequents": ["P"], "support": 0.5, "lift": 1.2}, {"antecedents": ["P"], "consequents": ["a"], "support": 0.5}]"#;
    assert_eq!(sides(&parse_rules(json).unwrap()), [">P None", "a+b c>P None", "P>a None"]);
}

proptest! {
    #[test]
    fn damaged_rules_never_panic(which in 0_usize..2, place in any::<prop::sample::Index>(), with in "\\PC{0,4}|[{}\"',\\n\\\\]{0,4}", cut in 0_usize..4) {
        let text: Vec<char> = [ARULES, MLXTEND][which].chars().collect();
        let at = place.index(text.len());
        let damaged: String = text[..at].iter().copied().chain(with.chars()).chain(text[(at + cut).min(text.len())..].iter().copied()).collect();
        let _ = parse_model(damaged.into_bytes(), Path::new("rules"));
    }
}

const CENTERS: &str = r#"{"format": "scikit-learn-clusters", "version": 1,
  "columns": [{"name": "age", "low": 0, "high": 120}, {"name": "sex", "equals": "f"}, {"name": "sex", "equals": "m"}],
  "centers": [[-1.0, 0.25, 0.75], [0.5, 1.0, 0.0]], "mean": [40.0, 0.0, 0.0], "scale": [10.0, 1.0, 1.0], "counts": [3, 4]}"#;

#[test]
fn centroids_of_scikit_learn_are_in_the_tables_units() {
    let read = |text: &str| parse_model(text.as_bytes().to_vec(), Path::new("model"));
    let Ok(Release::Model(release)) = read(CENTERS) else { panic!() };
    let Model::Clusters(clusters) = release.model else { panic!() };
    assert_eq!(clusters.axes()[0].scale.to_bits(), 10.0_f64.to_bits());
    assert_eq!(clusters.axes()[1].names(), ["f", "m"]);
    assert_eq!(clusters.centroids()[0].center, [30.0, 0.25, 0.75]);
    assert_eq!(clusters.centroids()[1].population, Some(4));
    let cases = [
        (CENTERS.replace("\"version\": 1", "\"version\": 2"), "version"),
        (CENTERS.replace("[40.0, 0.0, 0.0]", "[40.0]"), "do not match"),
        (CENTERS.replace("\"counts\": [3, 4]", "\"counts\": [3]"), "do not match"),
        (CENTERS.replace("[10.0, 1.0, 1.0]", "[10.0, 1.0, 2.0]"), "scaled differently"),
        (CENTERS.replace("[10.0, 1.0, 1.0]", "[0.0, 1.0, 1.0]"), "the scale must be above 0"),
        (CENTERS.replace("\"equals\": \"m\"", "\"equals\": \"f\""), "listed twice"),
    ];
    for (text, fault) in cases {
        let error = read(&text).unwrap_err();
        assert!(error.to_string().contains(fault), "{fault}: {error}");
    }
}
