//! `incrowd audit` end to end.

use crate::{Folder, adult_policy, data, incrowd};

const MORTGAGE: &str = "marital,car,risk\nUnmarried,Yes,good\nMarried,Yes,good\nMarried,No,bad\nMarried,No,bad\n\
                        Unmarried,Yes,bad\nUnmarried,No,bad\n";

/// The tree of Figure 2 of the VLDB paper.
const TREE: &str = r#"{"format":"incrowd-release","version":1,"family":"tree","individuals":6,
  "class":{"name":"risk","values":["good","bad"]},
  "attributes":[{"name":"car","values":["Yes","No"]},{"name":"marital","values":["Married","Unmarried"]}],
  "nodes":[
    {"test":{"attribute":"car","branches":[{"values":["Yes"],"to":1},{"values":["No"],"to":2}]}},
    {"test":{"attribute":"marital","branches":[{"values":["Married"],"to":3},{"values":["Unmarried"],"to":4}]}},
    {"leaf":{"label":"bad","counts":[0,3]}},
    {"leaf":{"label":"good","counts":[1,0]}},
    {"leaf":{"label":"good","counts":[1,1]}}]}"#;

fn policy(car: &str) -> String {
    format!(
        "class = \"risk\"\n[attributes.marital]\nrole = \"public\"\n[attributes.car]\nrole = \"{car}\"\n\
         [attributes.risk]\nrole = \"private\"\n"
    )
}

fn mortgage(car: &str, flags: &[&str]) -> crate::Ran {
    let folder = Folder::new();
    let (tree, data) = (folder.file("tree.json", TREE), folder.file("data.csv", MORTGAGE));
    let policy = folder.file("policy.toml", policy(car));
    incrowd(&[&["audit", &tree, "--data", &data, "--policy", &policy], flags].concat())
}

#[test]
fn figure_2_holds_at_three_if_the_car_is_private() {
    let ran = mortgage("private", &["--k", "3", "--json"]);
    let json = ran.json();
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!((&json["k"], &json["spans"], &json["individuals"]), (&3.into(), &2.into(), &6.into()));
    assert_eq!((&json["breaches"], &json["exposed"]), (&0.into(), &0.into()));
}

#[test]
fn figure_2_breaches_if_the_car_is_public_and_the_report_says_who() {
    let ran = mortgage("public", &["--k", "3"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    for part in [
        "fails (tree): k = 3 does not hold for 3 of 6 individuals",
        "car = Yes, marital = Married",
        "broken by 2 groups",
    ] {
        assert!(ran.out.contains(part), "{part} is not in\n{}", ran.out);
    }
}

#[test]
fn without_k_the_largest_k_that_holds_is_reported() {
    let ran = mortgage("private", &[]);
    assert_eq!(ran.status, 0);
    assert!(ran.out.starts_with("tree: k = 3 for 6 individuals (no guarantee to check)"), "{}", ran.out);
}

#[test]
fn further_guarantees_by_flag() {
    assert_eq!(mortgage("private", &["--distinct-l", "2"]).status, 0);
    assert_eq!(mortgage("private", &["--distinct-l", "2", "--of", "all", "--k", "3"]).status, 0);
    assert_eq!(mortgage("private", &["--confidence", "0.6"]).status, 1);
    assert_eq!(mortgage("private", &["--smallest-bin", "2"]).status, 1);
    let wrong = mortgage("private", &["--confidence", "1.5"]);
    assert_eq!(wrong.status, 2);
    assert!(wrong.err.contains("--confidence") && wrong.err.contains("at most 1"), "{}", wrong.err);
}

#[test]
fn a_release_of_another_table_cannot_be_checked() {
    let folder = Folder::new();
    let tree = folder.file("tree.json", TREE.replace("[0,3]", "[1,2]"));
    let (data, policy) = (folder.file("data.csv", MORTGAGE), folder.file("policy.toml", policy("private")));
    let ran = incrowd(&["audit", &tree, "--data", &data, "--policy", &policy]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("populations"), "{}", ran.err);
}

#[test]
fn the_sidecar_of_a_table_names_the_table() {
    let folder = Folder::new();
    folder.file("anon.csv", "marital,risk\n*,good\n*,bad\n*,bad\n");
    let sidecar = |rows: u32| {
        format!(
            "{{\"format\":\"incrowd-release\",\"version\":1,\"family\":\"table\",\"file\":\"anon.csv\",\"rows\":{rows}}}"
        )
    };
    let (good, bad) = (folder.file("good.json", sidecar(3)), folder.file("bad.json", sidecar(4)));
    let policy = folder.file(
        "policy.toml",
        "[attributes.marital]\nrole = \"public\"\n[attributes.risk]\nrole = \"private\"\n",
    );
    assert_eq!(incrowd(&["audit", &good, "--policy", &policy, "--k", "3"]).status, 0);
    assert_eq!(incrowd(&["audit", &good, "--policy", &policy, "--k", "4"]).status, 1);
    assert_eq!(incrowd(&["audit", &bad, "--policy", &policy]).status, 2);
}

/// A table as others release it: intervals and stars in public columns, numbers in private ones.
#[test]
fn a_generalized_table_is_audited_as_it_stands() {
    let folder = Folder::new();
    let table =
        folder.file("t.csv", "age,zip,pay\n[20-30),1**,10\n[20-30),1**,20\n*,2**,10\n*,2**,30\n*,2**,?\n");
    let policy = "[file]\nmissing = [\"?\"]\nmissing-rows = \"drop\"\n[attributes.age]\nrole = \"public\"\nkind = \"numeric\"\n\
                  [attributes.zip]\nrole = \"public\"\n[attributes.pay]\nrole = \"private\"\nkind = \"numeric\"\n";
    let policy = folder.file("policy.toml", policy);
    let json = incrowd(&["audit", "--table", &table, "--policy", &policy, "--json"]).json();
    assert_eq!((&json["k"], &json["spans"], &json["rows"]), (&2.into(), &2.into(), &5.into()));
    assert!(json["attributes"][0]["t_ordered"].is_number());
}

/// Undeclared: private education follows from public education-num.
#[test]
fn adult_warns_that_education_follows_from_its_number() {
    let Some(adult) = data("adult/adult.data") else { return };
    let folder = Folder::new();
    let text = adult_policy(&["education-num", "sex"], "")
        .replace("[attributes.education]\nrole = \"ignored\"", "[attributes.education]\nrole = \"private\"");
    let tree = r#"{"format":"incrowd-release","version":1,"family":"tree",
      "class":{"name":"class","values":["<=50K",">50K"]},
      "attributes":[{"name":"education","values":["Preschool","1st-4th","5th-6th","7th-8th","9th","10th","11th","12th","HS-grad",
        "Some-college","Assoc-voc","Assoc-acdm","Bachelors","Masters","Prof-school","Doctorate"]}],
      "nodes":[{"test":{"attribute":"education","branches":[{"values":["Preschool"],"to":1},{"values":["HS-grad"],"to":2}],"otherwise":1}},
        {"leaf":{"label":"<=50K"}},{"leaf":{"label":"<=50K"}}]}"#;
    let tree = folder.file("tree.json", tree);
    let audit = |policy: String, more: &[&str]| {
        let policy = folder.file("policy.toml", policy);
        incrowd(&[&["audit", &tree, "--data", &adult, "--policy", &policy, "--k", "50"], more].concat())
    };
    let warned = audit(text.clone(), &["--json"]);
    // Columns that are ignored are not read, so what is missing there drops no row.
    assert_eq!((warned.status, &warned.json()["k"]), (0, &32561.into()), "{}", warned.err);
    assert!(warned.err.contains("`education` follows from public `education-num`"), "{}", warned.err);
    let refused = audit(format!("undeclared-dependencies = \"refuse\"\n{text}"), &[]);
    assert_eq!(refused.status, 2, "{}", refused.out);
    let declared =
        audit(text + "[[dependencies]]\nfrom = [\"education-num\"]\nto = \"education\"\n", &["--json"]);
    assert_eq!((declared.status, &declared.json()["spans"]), (0, &2.into()), "{}", declared.err);
}

#[test]
fn adult_reads_as_it_is() {
    let (Some(train), Some(test)) = (data("adult/adult.data"), data("adult/adult.test")) else { return };
    let folder = Folder::new();
    let policy = folder.file("policy.toml", adult_policy(&["sex", "race"], ""));
    let table = |path: &str| incrowd(&["audit", "--table", path, "--policy", &policy, "--json"]).json();
    // A released table is taken whole; the rows without a missing value are counted in `reads_adult` of the readers.
    assert_eq!((&table(&train)["rows"], &table(&test)["rows"]), (&32561.into(), &16281.into()));
}

/// Rules without counts are judged as if they had counts, and the report states this.
#[test]
fn rules_without_counts_are_judged_as_if_they_were_published() {
    let folder = Folder::new();
    let rules = r#"{"format":"incrowd-release","version":1,"family":"rules","individuals":9,
      "attributes":[{"name":"a","values":["u","v"]},{"name":"b","values":["u","v"]}],
      "rules":[{"if":[{"a":"u"}],"then":[{"b":"u"}]},{"if":[],"then":[{"b":"u"},{"a":"v"}]},
               {"if":[],"then":[{"b":"u"}],"antecedent":9,"both":3}]}"#;
    let rules = folder.file("r.json", rules);
    let data = folder.file("d.csv", "a,b\nv,v\nu,u\nu,v\nu,u\nu,v\nv,v\nv,u\nv,v\nu,v\n");
    let policy =
        "[attributes.a]\nrole = \"private\"\nkind = \"categorical\"\n[attributes.b]\nrole = \"public\"\n";
    let policy = folder.file("p.toml", policy);
    let ran =
        incrowd(&["audit", &rules, "--data", &data, "--policy", &policy, "--k", "3", "--smallest-bin", "2"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    let said = format!("{}{}", ran.out, ran.err);
    assert!(said.contains("checked as if counts were published"), "{said}");
}

#[test]
fn a_table_in_the_place_of_a_model_is_answered_with_the_flag() {
    let folder = Folder::new();
    let policy =
        folder.file("p.toml", "[attributes.x]\nrole = \"public\"\n[attributes.y]\nrole = \"private\"\n");
    let table = folder.file("t.csv", "x,y\n1,a\n1,b\n");
    let ran = incrowd(&["audit", &table, "--data", &table, "--policy", &policy, "--k", "2"]);
    assert!(ran.status == 2 && ran.err.contains("incrowd audit --table"), "{}", ran.err);
}
