//! `incrowd predict` end to end.

use crate::grow::{self, Plan};
use crate::{ADULT, Folder, adult_policy, data, incrowd};

const TREE: &str = r#"{"format":"incrowd-release","version":1,"family":"tree","individuals":12,
  "class":{"name":"risk","values":["good","bad"]},
  "attributes":[{"name":"sex","values":["f","m"]},{"name":"age","numeric":true,"missing":true},{"name":"untested","values":["x"]}],
  "nodes":[
    {"test":{"attribute":"sex","branches":[{"values":["m"],"to":1},{"values":["f"],"to":2}]}},
    {"test":{"attribute":"age","thresholds":[30.5],"to":[3,4],"otherwise":1}},
    {"leaf":{"label":"good","counts":[3,1]}},
    {"leaf":{"label":"bad","counts":[0,4]}},
    {"leaf":{"label":"good","counts":[3,1]}}]}"#;

#[test]
fn labels_and_shares_of_every_row() {
    let folder = Folder::new();
    let (tree, out) = (folder.file("tree.json", TREE), folder.path("out.csv"));
    let table = folder.file("t.csv", "age,other,sex\n20,1,m\n31,2,m\n,3,m\n99,4,f\n30.5,5,?\n");
    let ran = incrowd(&["predict", &tree, "--data", &table, "--out", &out]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("5 rows; the table has no class"), "{}", ran.out);
    // The last row stops at the root: 6 good and 6 bad below it, and good is listed first.
    let expected =
        "prediction,p(good),p(bad)\nbad,0,1\ngood,0.75,0.25\ngood,0.75,0.25\ngood,0.75,0.25\ngood,0.5,0.5\n";
    assert_eq!(std::fs::read_to_string(&out).unwrap(), expected);
    let again = incrowd(&["predict", &tree, "--data", &table, "--out", &out]);
    assert!(again.status == 2 && again.err.contains("--force"), "{}", again.err);
    assert_eq!(incrowd(&["predict", &tree, "--data", &table, "--out", &out, "--force"]).status, 0);
}

#[test]
fn the_error_and_who_is_taken_for_whom() {
    let folder = Folder::new();
    let tree = folder.file("tree.json", TREE);
    let table = folder.file("t.csv", "sex,age,risk\nm,20,bad\nm,20,good\nf,1,good\nf,1,\n");
    let ran = incrowd(&["predict", &tree, "--data", &table, "--missing", "", "--json"]);
    let json = ran.json();
    assert_eq!((&json["rows"], &json["judged"], &json["wrong"]), (&4.into(), &3.into(), &1.into()));
    assert_eq!(json["error"], serde_json::json!(1.0 / 3.0));
    assert_eq!(json["confusion"], serde_json::json!([[1, 1], [0, 1]]));
    assert_eq!(json["classes"], serde_json::json!(["good", "bad"]));
    assert_eq!(json["first"][0], serde_json::json!({"prediction": "bad", "shares": [0.0, 1.0]}));
    let text = incrowd(&["predict", &tree, "--data", &table, "--missing", ""]).out;
    assert!(text.contains("error 33.33 % (1 of 3 wrong)") && text.contains("actual \\ predicted"), "{text}");
}

#[test]
fn without_populations_there_are_labels_only() {
    let folder = Folder::new();
    let bare = TREE.replace(",\"counts\":[3,1]", "").replace(",\"counts\":[0,4]", "");
    let (tree, out) = (folder.file("tree.json", bare), folder.path("out.csv"));
    let table = folder.file("t.csv", "age,sex\n20,m\n31,m\n");
    assert_eq!(incrowd(&["predict", &tree, "--data", &table, "--out", &out]).status, 0);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "prediction\nbad\ngood\n");
}

#[test]
fn what_cannot_be_predicted_is_said() {
    let folder = Folder::new();
    let tree = folder.file("tree.json", TREE);
    let lacking = folder.file("lacking.csv", "age\n20\n");
    let ran = incrowd(&["predict", &tree, "--data", &lacking]);
    assert!(ran.status == 2 && ran.err.contains("attribute `sex`"), "{}", ran.err);
    let clusters = r#"{"format":"incrowd-release","version":1,"family":"clusters","axes":[{"name":"a"}],"centroids":[{"center":[1]}]}"#;
    let clusters = folder.file("clusters.json", clusters);
    let ran = incrowd(&["predict", &clusters, "--data", &lacking]);
    assert!(ran.status == 2 && ran.err.contains("attribute `a`"), "{}", ran.err);
    let ran = incrowd(&["export", &clusters, "--to", "sql"]);
    assert!(
        ran.status == 2 && ran.err.contains("expected a tree or an ensemble, found clusters"),
        "{}",
        ran.err
    );
}

/// Error and rows on Adult, with the policy that drops rows with missing values, and by names alone.
#[test]
fn adult_with_and_without_a_policy() {
    let (Some(train), Some(test)) = (data("adult/adult.data"), data("adult/adult.test")) else { return };
    let folder = Folder::new();
    let public: Vec<&str> = ADULT.into_iter().filter(|name| *name != "class").collect();
    let text = adult_policy(&public, "");
    let table = grow::table(&train, &text);
    let plan = Plan { leaves: 30, least: 50, otherwise: false };
    let tree = folder.file("tree.json", grow::release(&table, "class", plan));
    let policy = folder.file("policy.toml", &text);
    let json = incrowd(&["predict", &tree, "--data", &test, "--policy", &policy, "--json"]).json();
    assert_eq!((&json["rows"], &json["rows_left_out"]["total"]), (&15060.into(), &1221.into()));
    let error = json["error"].as_f64().unwrap();
    assert!((0.1..0.2).contains(&error), "{error}");
    let text = incrowd(&["predict", &tree, "--data", &test, "--policy", &policy]);
    assert!(text.out.contains("  <=50K   >50K   right"), "{}", text.out);
    assert!(
        text.err.contains("1,221 of 16,281 rows (7.5 %) with a missing value in occupation (966)"),
        "{}",
        text.err
    );
    let bare = incrowd(&["predict", &tree, "--data", &test, "--names", &ADULT.join(","), "--json"]).json();
    assert_eq!((&bare["rows"], &bare["judged"]), (&16281.into(), &16281.into()));
}
