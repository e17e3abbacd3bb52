//! Loss measures on Adult agree with an independent script, `loss.py`, which computes them from their definitions; a
//! suppression limit, weights, the dictionary and the display of a table.

use crate::{Folder, adult_policy, data, incrowd};
use incrowd_testkit::ADULT;
use serde_json::{Value, json};
use std::process::Command;

const SCRIPT: &str = include_str!("loss.py");

const PUBLIC: &[&str] = &["age", "sex", "race", "marital-status", "native-country"];

/// The measures of a table made of Adult, and the folder with it.
#[track_caller]
fn made(folder: &Folder, adult: &str, policy: &str, more: &[&str]) -> Value {
    let policy = folder.file("p.toml", policy);
    let out = folder.path("anon.csv");
    let ran = incrowd(
        &[
            &["table", "--data", adult, "--policy", &policy, "--out", &out, "--k", "10"],
            more,
            &["--measures", "--json", "--force"],
        ]
        .concat(),
    );
    assert_eq!(ran.status, 0, "{}", ran.err);
    let audit = incrowd(&["audit", &folder.path("anon.json"), "--policy", &policy, "--k", "10"]);
    assert_eq!(audit.status, 0, "{}", audit.err);
    ran.json()
}

#[test]
fn measures_agree_with_an_independent_script_on_adult() {
    let (Some(python), Some(adult)) = (incrowd_testkit::python(), data("adult/adult.data")) else { return };
    let folder = Folder::new();
    let policy = adult_policy(PUBLIC, "");
    let kinds = json!({"age": "number", "sex": "name", "race": "name", "marital-status": "name", "native-country": "name"});
    let columns = json!({"names": ADULT, "public": kinds}).to_string();
    let cases: [&[&str]; 3] = [
        &["--method", "mondrian"],
        &["--method", "mondrian", "--max-suppressed", "5%"],
        &["--method", "tds"],
    ];
    for case in cases {
        let ours = made(&folder, &adult, &policy, case)["report"].clone();
        let run = Command::new(&python)
            .args(["-I", "-c", SCRIPT, &adult, &folder.path("anon.csv"), &columns])
            .output();
        let output = run.expect("INCROWD_PYTHON runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let theirs: Value = serde_json::from_slice(&output.stdout).expect("the script prints JSON");
        for (name, theirs) in theirs.as_object().expect("an object") {
            let Some(theirs) = theirs.as_f64() else { continue };
            let ours = ours[name].as_f64().unwrap_or_else(|| panic!("{name} in {ours}"));
            assert!(
                (ours - theirs).abs() <= 1e-9 * theirs.abs().max(1.0),
                "{case:?} {name}: {ours} is not {theirs}"
            );
        }
        let is_global = case.contains(&"tds");
        assert_eq!(theirs["entropy_loss"].is_null(), !is_global, "{case:?}");
    }
}

#[test]
fn a_limit_lowers_the_loss_and_is_kept() {
    let Some(adult) = data("adult/adult.data") else { return };
    let folder = Folder::new();
    let policy = adult_policy(PUBLIC, "");
    let of = |limit: &str| {
        let made = made(&folder, &adult, &policy, &["--method", "mondrian", "--max-suppressed", limit]);
        let (rows, lost) = (made["rows"].as_u64().unwrap(), made["rows_lost"].as_u64().unwrap());
        assert_eq!(rows + lost, 31_978);
        assert!(made["k"].as_u64() >= Some(10));
        (made["report"]["loss_released"].as_f64().unwrap(), lost)
    };
    let (none, one, five) = (of("0"), of("1%"), of("0.05"));
    assert_eq!(none.1, 0);
    assert!(one.1 > 0 && one.1 <= 319 && five.1 <= 1598, "{one:?} {five:?}");
    assert!(one.0 < none.0 && five.0 < one.0, "{none:?} {one:?} {five:?}");
    let stated: Value = serde_json::from_slice(&std::fs::read(folder.path("anon.json")).unwrap()).unwrap();
    assert_eq!(stated["parameters"]["max_suppressed"], json!(0.05));
    let refused = |more: &[&str]| {
        let policy = folder.path("p.toml");
        let ran = incrowd(
            &[
                &[
                    "table",
                    "--data",
                    &adult,
                    "--policy",
                    &policy,
                    "--out",
                    &folder.path("x.csv"),
                    "--k",
                    "10",
                ],
                more,
            ]
            .concat(),
        );
        assert_eq!(ran.status, 2, "{more:?}: {}", ran.err);
        assert!(ran.err.contains("max-suppressed"), "{more:?}: {}", ran.err);
    };
    refused(&["--method", "tds", "--max-suppressed", "1%"]);
    refused(&["--method", "mondrian", "--max-suppressed", "70%"]);
    refused(&["--method", "mondrian", "--max-suppressed", "1%", "--closed"]);
    refused(&["--method", "mondrian", "--max-suppressed", "1%", "--structure", "blind"]);
}

#[test]
fn weights_keep_attributes_precise() {
    let Some(adult) = data("adult/adult.data") else { return };
    let folder = Folder::new();
    let plain = adult_policy(PUBLIC, "");
    let of_age = |policy: &str| {
        let made = made(&folder, &adult, policy, &["--method", "mondrian"]);
        let of = made["report"]["loss_of"].as_array().unwrap().iter().find(|of| of["attribute"] == "age");
        of.unwrap()["loss"].as_f64().unwrap()
    };
    let weighted = plain.replace(
        "[attributes.age]\nrole = \"public\"\n",
        "[attributes.age]\nrole = \"public\"\nweight = 8\n",
    );
    assert!(weighted.contains("weight = 8"));
    assert!(of_age(&weighted) < 0.8 * of_age(&plain));
}

#[test]
fn a_table_is_shown_with_its_dictionary() {
    let Some(adult) = data("adult/adult.data") else { return };
    let folder = Folder::new();
    let (markdown, dictionary) = (folder.path("d.md"), folder.path("d.json"));
    let policy = adult_policy(PUBLIC, "");
    made(&folder, &adult, &policy, &["--method", "mondrian", "--dictionary", &dictionary]);
    made(&folder, &adult, &policy, &["--method", "mondrian", "--dictionary", &markdown]);
    let stated: Value = serde_json::from_slice(&std::fs::read(&dictionary).unwrap()).unwrap();
    assert_eq!((stated["rows"].as_u64(), stated["smallest"].as_u64() >= Some(10)), (Some(31_978), true));
    let text = std::fs::read_to_string(&markdown).unwrap();
    assert!(
        text.contains("| age | numeric | recoded |") && text.contains("| class | categorical | unchanged |"),
        "{text}"
    );
    let release = folder.path("anon.json");
    let shown = incrowd(&["show", &release]);
    assert_eq!(shown.status, 0, "{}", shown.err);
    assert!(shown.out.contains("31,978 rows") && shown.out.contains("native-country"), "{}", shown.out);
    let compared =
        incrowd(&["show", &release, "--data", &adult, "--policy", &folder.path("p.toml"), "--json"]);
    assert_eq!(compared.status, 0, "{}", compared.err);
    let compared = compared.json();
    assert_eq!(compared["rows_before"], json!(31_978));
    let class =
        compared["columns"].as_array().unwrap().iter().find(|column| column["name"] == "class").unwrap();
    // Private columns are compared without their values.
    assert!(class["bins"].is_null() && class["distance"].as_f64() == Some(0.0), "{class}");
    let picture = incrowd(&["show", &release, "--as", "svg"]);
    assert!(picture.status == 0 && picture.out.starts_with("<svg"), "{}", picture.err);
    assert_eq!(incrowd(&["show", &release, "--data", &adult]).status, 2);
    assert_eq!(incrowd(&["show", &release, "--as", "dot"]).status, 2);
}
