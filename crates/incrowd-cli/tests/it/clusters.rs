//! `incrowd clusters` end to end: found, audited, written, used, shown.

use crate::{Folder, incrowd};

const POLICY: &str = r#"
[attributes.age]
role = "public"

[attributes.income]
role = "private"
range = [0, 20000]

[attributes.home]
role = "private"

[guarantee]
k = 8
"#;

/// Two towns of people: young tenants with little, old owners with more.
fn people() -> String {
    let mut text = "age,income,home\n".to_owned();
    for i in 0..60 {
        text += &format!(
            "{},{},{}\n",
            22 + i % 9,
            1500 + 37 * (i % 11),
            if i % 5 == 0 { "owner" } else { "tenant" }
        );
        text += &format!(
            "{},{},{}\n",
            58 + i % 9,
            4500 + 41 * (i % 13),
            if i % 4 == 0 { "tenant" } else { "owner" }
        );
    }
    text
}

fn mined(folder: &Folder, method: &str) -> (String, String, String, serde_json::Value) {
    let (data, policy) = (folder.file("people.csv", people()), folder.file("policy.toml", POLICY));
    let out = folder.path(&format!("{method}.json"));
    let flags = ["--method", method, "--clusters", "3", "--out", &out, "--json"];
    let ran = incrowd(&[&["clusters", "--data", &data, "--policy", &policy], &flags[..]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let document = ran.json();
    (data, policy, out, document)
}

#[test]
fn clusters_are_found_audited_and_used() {
    let folder = Folder::new();
    for method in ["mst", "k-means"] {
        let (data, policy, out, document) = mined(&folder, method);
        assert_eq!((&document["rows"], &document["individuals"]), (&120.into(), &120.into()));
        assert!(document["clusters"].as_u64().unwrap() >= 2, "{document}");
        assert!(document["k"].as_u64().unwrap() >= 8, "{document}");
        assert!(document["inertia"].as_f64().unwrap() > 0.0, "{document}");
        let audit =
            incrowd(&["audit", &out, "--data", &data, "--policy", &policy, "--smallest-bin", "8", "--json"]);
        assert_eq!(audit.status, 0, "{}", audit.err);
        assert_eq!(audit.json()["k"], document["k"]);
        let numbers = folder.path(&format!("{method}.csv"));
        let predicted = incrowd(&["predict", &out, "--data", &data, "--out", &numbers, "--json"]).json();
        let release: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&out).unwrap()).unwrap();
        let stated: Vec<_> =
            release["centroids"].as_array().unwrap().iter().map(|c| c["population"].clone()).collect();
        assert_eq!(predicted["clusters"], serde_json::Value::from(stated));
        let lines = std::fs::read_to_string(&numbers).unwrap();
        assert_eq!((lines.lines().count(), lines.lines().next()), (121, Some("cluster")));
    }
}

#[test]
fn clusters_are_shown_as_a_table_and_as_a_picture() {
    let folder = Folder::new();
    let (data, policy, out, document) = mined(&folder, "k-means");
    let shown = incrowd(&["show", &out]);
    assert!(shown.status == 0 && shown.out.contains("income") && shown.out.contains(" %"), "{}", shown.out);
    let shown = incrowd(&["show", &out, "--json"]).json();
    assert_eq!(shown["clusters"], document["clusters"]);
    let pictures = [
        vec!["--data", &data],
        vec!["--data", &data, "--policy", &policy, "--plane", "age,income"],
        vec!["--plane", "income,age"],
        vec![],
    ];
    for flags in pictures {
        let shown = incrowd(&[&["show", &out, "--as", "svg"], &flags[..]].concat());
        assert_eq!(shown.status, 0, "{}", shown.err);
        assert!(shown.out.starts_with("<svg") && shown.out.trim_end().ends_with("</svg>"), "{}", shown.out);
        let with_people = flags.contains(&"--data");
        assert_eq!(shown.out.matches("r=\"2\"").count(), if with_people { 120 } else { 0 });
        assert_eq!(shown.err.contains("not part of the release"), with_people, "{}", shown.err);
    }
    let wrong = incrowd(&["show", &out, "--as", "svg", "--plane", "age,home"]);
    assert!(wrong.status == 2 && wrong.err.contains("attribute `home`"), "{}", wrong.err);
    assert_eq!(incrowd(&["show", &out, "--as", "dot"]).status, 2);
}

#[test]
fn what_is_not_safe_is_not_written() {
    let folder = Folder::new();
    let (data, policy) = (folder.file("people.csv", people()), folder.file("policy.toml", POLICY));
    let out = folder.path("none.json");
    let ran = incrowd(&["clusters", "--data", &data, "--policy", &policy, "--k", "121", "--out", &out]);
    assert!(
        ran.status == 1 && ran.err.contains("the largest k possible for this table is 120"),
        "{}",
        ran.err
    );
    assert!(!folder.names().contains(&"none.json".to_owned()));
}

#[test]
fn centroids_made_elsewhere_are_audited() {
    let folder = Folder::new();
    let (data, policy) = (folder.file("people.csv", people()), folder.file("policy.toml", POLICY));
    let centers = r#"{"format": "scikit-learn-clusters", "version": 1,
        "columns": [{"name": "age"}, {"name": "income"}, {"name": "home", "equals": "owner"}, {"name": "home", "equals": "tenant"}],
        "centers": [[-1.0, -1.0, 0.2, 0.8], [1.0, 1.0, 0.8, 0.2]], "mean": [44.0, 3200.0, 0.0, 0.0], "scale": [18.0, 1500.0, 1.0, 1.0]}"#;
    let model = folder.file("kmeans.json", centers);
    let audit = incrowd(&["audit", &model, "--data", &data, "--policy", &policy, "--json"]);
    assert_eq!(audit.status, 0, "{}", audit.err);
    assert_eq!(audit.json()["individuals"], 120);
}

/// Distance needs every value: the error names the column and both ways on.
#[test]
fn attributes_with_missing_values_are_left_out_unless_asked_for() {
    let folder = crate::Folder::new();
    let table = folder.file("t.csv", "x,y\n1,1\n1,?\n2,2\n2,2\n");
    let policy = |rows: &str| {
        format!(
            "[file]\nmissing = [\"?\"]\nmissing-rows = \"{rows}\"\nmax-rows-left-out = 1\n[attributes.x]\nrole = \"public\"\n\
             [attributes.y]\nrole = \"private\"\n[guarantee]\nk = 1\n"
        )
    };
    let (keep, drop) = (folder.file("keep.toml", policy("keep")), folder.file("drop.toml", policy("drop")));
    let out = folder.path("c.json");
    let mine = |policy: &str, more: &[&str]| {
        let all = ["clusters", "--data", &table, "--policy", policy, "--out", &out, "--force"];
        crate::incrowd(&[&all[..], more].concat())
    };
    let left_out = mine(&keep, &[]);
    assert_eq!(left_out.status, 0, "{}", left_out.err);
    assert!(left_out.err.contains("`y` (25 %) is left out"), "{}", left_out.err);
    assert_eq!(crate::incrowd(&["audit", &out, "--data", &table, "--policy", &keep]).status, 0);
    let refused = mine(&keep, &["--attributes", "x,y"]);
    assert_eq!(refused.status, 2, "{}", refused.err);
    for said in ["attribute `y`", "missing-rows = \"drop\"", "--attributes"] {
        assert!(refused.err.contains(said), "{}", refused.err);
    }
    assert_eq!(mine(&keep, &["--attributes", "x"]).status, 0);
    assert_eq!(mine(&drop, &[]).status, 0);
}
