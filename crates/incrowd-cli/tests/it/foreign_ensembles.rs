//! Ensembles that other programs made: their files give the scores of their makers, and are audited.

use crate::exports::python;
use crate::{Folder, data, grow, incrowd};
use ::incrowd::predict::predict_scores;
use std::process::Command;

const POLICY: &str = "class = \"class\"\nunlisted = \"ignored\"\n[file]\nmissing = []\nmissing-rows = \"keep\"\n\
    [attributes.class]\nrole = \"private\"\n[attributes.long]\nrole = \"private\"\n\
    [attributes.relationship]\nrole = \"private\"\n[attributes.race]\nrole = \"public\"\n\
    [attributes.age]\nrole = \"public\"\nkind = \"numeric\"\n[attributes.ratio]\nrole = \"public\"\nkind = \"numeric\"\n\
    [attributes.capital-gain]\nrole = \"private\"\nkind = \"numeric\"\n[attributes.loss]\nrole = \"private\"\nkind = \"numeric\"\n";

/// The numbers of a file, line by line.
fn numbers(path: &str) -> Vec<f64> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().flat_map(|line| line.split(',')).map(|number| number.parse().unwrap()).collect()
}

fn assert_near(name: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{name}");
    let far = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(far < 1e-5, "{name}: {far}");
}

#[test]
fn files_score_as_their_makers_do() {
    let (Some(python), Some(adult)) = (python(), data("adult/adult.data")) else { return };
    let folder = Folder::new();
    let script = include_str!("foreign_ensembles.py");
    let ran =
        Command::new(python).args(["-X", "utf8", "-c", script, &adult, &folder.path("")]).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    if ran.status.code() == Some(3) {
        incrowd_testkit::needed(None::<()>, &format!("the makers of ensembles: {}", said.trim()));
        return;
    }
    assert!(ran.status.success(), "{said}");
    let csv = folder.path("adult.csv");
    let table = grow::table(&csv, POLICY);
    assert_eq!(table.rows(), 6000);
    // Those that do not name the class: scores before they become shares.
    for (name, ending) in [("lightgbm", "json"), ("xgboost", "ubj"), ("catboost", "json")] {
        for suffix in ["", "3"] {
            let file = folder.path(&format!("{name}{suffix}.{ending}"));
            let loaded = ::incrowd::load(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
            let found = predict_scores(&table, loaded.ensemble().expect("an ensemble")).unwrap();
            assert_near(&file, &found.scores, &numbers(&folder.path(&format!("{name}{suffix}.csv"))));
        }
    }
    for name in ["forest", "extra", "boosting"] {
        for file in
            [format!("{name}.onnx"), format!("{name}3.onnx"), format!("{name}.pmml"), format!("{name}3.pmml")]
        {
            let path = folder.path(&file);
            if name == "extra" && file.ends_with("pmml") {
                continue;
            }
            let loaded = ::incrowd::load(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
            let found = predict_scores(&table, loaded.ensemble().expect("an ensemble")).unwrap();
            assert_near(&file, &found.shares, &numbers(&folder.path(&format!("{file}.csv"))));
        }
    }
    audits(&folder, &csv);
}

/// What the file of another format says about the same trees is the same.
fn audits(folder: &Folder, csv: &str) {
    let policy = folder.file("policy.toml", POLICY);
    let audit = |file: &str| {
        incrowd(&["audit", &folder.path(file), "--data", csv, "--policy", &policy, "--k", "2", "--json"])
    };
    for file in
        ["lightgbm.json", "xgboost.ubj", "catboost.json", "forest.onnx", "forest.pmml", "boosting.pmml"]
    {
        let found = audit(file);
        assert!(found.status < 2, "{file}: {}", found.err);
        let json = found.json();
        assert_eq!((&json["family"], &json["individuals"]), (&"ensemble".into(), &6000.into()), "{file}");
    }
    let (onnx, pmml) = (audit("forest.onnx").json(), audit("forest.pmml").json());
    assert_eq!((&onnx["k"], &onnx["spans"]), (&pmml["k"], &pmml["spans"]));
    let refused = audit("categories.json");
    assert!(refused.status == 2 && refused.err.contains("categories"), "{}", refused.err);
}
