//! What dependencies and unreachable values reveal, in audits of models and tables.

use crate::{Folder, incrowd};

/// What no value can reach needs no branch.
#[test]
fn tests_that_cannot_be_reached_may_lack_branches() {
    let folder = Folder::new();
    let policy = "class = \"c\"\n[attributes]\nn = { role = \"private\" }\nb = { role = \"private\", values = [\"k\", \"l\", \"m\"] }\n\
                  c = { role = \"private\" }\n";
    let policy = folder.file("policy.toml", policy);
    let table = folder.file("t.csv", "n,b,c\n1,k,good\n0,l,bad\n");
    let audit = |high: f64| {
        let release = serde_json::json!({
            "format": "incrowd-release", "version": 1, "family": "tree",
            "class": { "name": "c", "values": ["good", "bad"] },
            "attributes": [{ "name": "n", "numeric": true, "low": 0.0, "high": high }, { "name": "b", "values": ["k", "l"] }],
            "nodes": [
                { "test": { "attribute": "n", "thresholds": [1.5], "to": [1, 2] } },
                { "leaf": { "label": "good" } },
                { "test": { "attribute": "b", "branches": [{ "values": ["k"], "to": 3 }, { "values": ["l"], "to": 4 }] } },
                { "leaf": { "label": "good" } },
                { "leaf": { "label": "bad" } },
            ],
        });
        let release = folder.file("release.json", release.to_string());
        incrowd(&["audit", &release, "--data", &table, "--policy", &policy]).status
    };
    assert_eq!((audit(1.0), audit(2.0)), (0, 2));
}

/// Where a dependency leaves one class value, the leaves state it nevertheless.
#[test]
fn a_dependency_does_not_hide_what_leaves_state() {
    let folder = Folder::new();
    let policy = "class = \"c\"\n[attributes]\np = { role = \"public\" }\nq = { role = \"private\", kind = \"categorical\" }\n\
                  c = { role = \"private\", values = [\"x\", \"y\", \"z\"] }\n[[dependencies]]\nfrom = [\"p\", \"q\"]\n\
                  to = \"c\"\n[guarantee]\nk = 2\nconfidence = 0.6\ndistinct-l = 2\n";
    let policy = folder.file("policy.toml", policy);
    let rows = "a,0,x\na,1,x\nb,0,y\nb,1,z\n".repeat(10);
    let table = folder.file("t.csv", format!("p,q,c\n{rows}"));
    let release = serde_json::json!({
        "format": "incrowd-release", "version": 1, "family": "tree",
        "class": { "name": "c", "values": ["x", "y", "z"] },
        "attributes": [{ "name": "p", "values": ["a", "b"] }],
        "nodes": [
            { "test": { "attribute": "p", "branches": [{ "values": ["a"], "to": 1 }, { "values": ["b"], "to": 2 }] } },
            { "leaf": { "label": "x", "counts": [20, 0, 0] } },
            { "leaf": { "label": "y", "counts": [0, 10, 10] } },
        ],
    });
    let release = folder.file("release.json", release.to_string());
    let of_tree = incrowd(&["audit", &release, "--data", &table, "--policy", &policy, "--json"]);
    let of_table = incrowd(&["audit", "--table", &table, "--policy", &policy, "--json"]);
    for ran in [of_tree, of_table] {
        assert_eq!((ran.status, &ran.json()["exposed"]), (1, &20.into()), "{}", ran.err);
    }
}

/// The same for an attribute that a tree, both trees of an ensemble or rules contain: the dependency leaves one value
/// of it for half of the individuals, and the policy declares more.
#[test]
fn a_dependency_does_not_hide_what_a_model_contains() {
    let folder = Folder::new();
    let policy = "class = \"c\"\n[attributes]\np = { role = \"public\" }\n\
                  q = { role = \"private\", kind = \"categorical\", values = [\"u\", \"v\", \"w\"] }\n\
                  c = { role = \"private\", values = [\"x\", \"y\"] }\n[[dependencies]]\nfrom = [\"q\"]\nto = \"p\"\n\
                  [guarantee]\nk = 2\n";
    let strict = folder.file("strict.toml", format!("{policy}distinct-l = 2\nof = \"all\"\n"));
    let plain = folder.file("plain.toml", policy);
    let table = folder.file("t.csv", format!("p,q,c\n{}", "a,u,x\na,u,y\nb,v,x\nb,w,y\n".repeat(5)));
    let nodes = serde_json::json!([
        { "test": { "attribute": "q", "branches": [
            { "values": ["u"], "to": 1 }, { "values": ["v"], "to": 2 }, { "values": ["w"], "to": 3 }] } },
        { "leaf": { "label": "x", "counts": [5, 5] } },
        { "leaf": { "label": "x", "counts": [5, 0] } },
        { "leaf": { "label": "y", "counts": [0, 5] } },
    ]);
    let class = serde_json::json!({ "name": "c", "values": ["x", "y"] });
    let attributes = serde_json::json!([{ "name": "q", "values": ["u", "v", "w"] }]);
    let tree = serde_json::json!({
        "format": "incrowd-release", "version": 1, "family": "tree", "class": class, "attributes": attributes,
        "nodes": nodes,
    });
    let of_ensemble =
        serde_json::json!([nodes[0], { "scores": [0.0] }, { "scores": [-1.0] }, { "scores": [1.0] }]);
    let ensemble = serde_json::json!({
        "format": "incrowd-release", "version": 1, "family": "ensemble", "individuals": 20, "class": class,
        "attributes": attributes, "scoring": { "combination": "sum", "link": "logistic", "base": [0.0] },
        "trees": [{ "nodes": of_ensemble }, { "nodes": of_ensemble }],
    });
    let rules = serde_json::json!({
        "format": "incrowd-release", "version": 1, "family": "rules", "individuals": 20,
        "attributes": attributes.as_array().unwrap().iter().chain([&class]).collect::<Vec<_>>(),
        "rules": [{ "if": [{ "q": "v" }], "then": [{ "c": "x" }], "antecedent": 5, "both": 5 }],
    });
    for (name, release) in [("tree.json", tree), ("rules.json", rules), ("both.json", ensemble)] {
        let release = folder.file(name, release.to_string());
        // Requirements on values of tied attributes cannot be judged in ensembles.
        let policies = [(&plain, 0), (&strict, 1)];
        for (policy, status) in policies.into_iter().take(if name == "both.json" { 1 } else { 2 }) {
            let ran = incrowd(&["audit", &release, "--data", &table, "--policy", policy, "--json"]);
            assert_eq!(ran.status, status, "{name}: {}{}", ran.err, ran.out);
            let json = ran.json();
            let of_q = json["exposed_to"].as_array().unwrap().iter().find(|each| each["attribute"] == "q");
            assert_eq!(of_q.unwrap()["individuals"], 10, "{name}: {}", ran.out);
        }
    }
}

/// A policy about a public `p` and private `s` and `t`, with what is added.
fn tied_policy(p: &str, added: &str) -> String {
    format!(
        "[attributes]\np = {{ role = \"public\", {p} }}\ns = {{ role = \"private\", values = [\"a\", \"b\", \"c\"] }}\n\
         t = {{ role = \"private\", values = [\"x\", \"y\"] }}\n{added}"
    )
}

/// Calendar cells and intervals in any notation hide the values that a dependency ties private columns to.
#[test]
fn hidden_values_of_tied_columns_are_not_judged() {
    let folder = Folder::new();
    let tied =
        "[[dependencies]]\nfrom = [\"s\"]\nto = \"p\"\n[guarantee]\nk = 2\ndistinct-l = 2\nof = [\"s\"]\n";
    let audit = |kind: &str, cell: &str| {
        let policy = folder.file("p.toml", tied_policy(kind, tied));
        let table = folder.file("t.csv", format!("p,s,t\n{cell},a,x\n{cell},b,y\n"));
        incrowd(&["audit", "--table", &table, "--policy", &policy]).status
    };
    let (date, number) = ("kind = \"date\"", "kind = \"numeric\"");
    for cell in ["2020-01", "2020-Q1", "2020"] {
        assert_eq!(audit(date, cell), 2, "{cell}");
    }
    for cell in ["20-30", "20..30", "[20;30]", "abc"] {
        assert_eq!(audit(number, cell), 2, "{cell}");
    }
    assert_eq!(audit("harmless = false", "20-30"), 2, "no kind is declared");
    assert_eq!((audit(date, "2020-01-05"), audit(number, "20")), (0, 0));
    assert_eq!(audit("kind = \"categorical\"", "20-30"), 0, "the policy calls them names");
}

/// Which values of a private set are possible follows from other cells if a dependency ties them.
#[test]
fn private_sets_under_dependencies_are_not_judged() {
    let folder = Folder::new();
    let policy = |added: &str| folder.file("p.toml", tied_policy("kind = \"categorical\"", added));
    let table = folder.file("t.csv", "p,s,t\n1,a,*\n1,c,*\n2,a,x\n2,c,x\n2,b,y\n");
    let plain = incrowd(&["audit", "--table", &table, "--policy", &policy("[guarantee]\nk = 2\n")]);
    assert_eq!(plain.status, 0, "{}", plain.err);
    let tied = policy("[[dependencies]]\nfrom = [\"s\"]\nto = \"t\"\n[guarantee]\nk = 2\n");
    let ran = incrowd(&["audit", "--table", &table, "--policy", &tied]);
    assert_eq!(ran.status, 2, "{}", ran.out);
    assert!(ran.err.contains("attribute `t`"), "{}", ran.err);
}

/// What a dependency ties to a column of the table can be inferred, whether the table contains it or not.
#[test]
fn columns_that_dependencies_reveal_count_as_revealed() {
    let folder = Folder::new();
    let tied = "[[dependencies]]\nfrom = [\"s\"]\nto = \"t\"\n[guarantee]\nk = 2\n";
    let table = folder.file("t.csv", "p,s\n1,a\n1,b\n2,a\n2,c\n");
    let audit = |added: &str| {
        let policy = folder.file("p.toml", tied_policy("kind = \"categorical\"", &format!("{tied}{added}")));
        incrowd(&["audit", "--table", &table, "--policy", &policy, "--json"])
    };
    let ran = audit("");
    let json = ran.json();
    assert_eq!((ran.status, &json["exposed"], &json["at_most"]), (0, &4.into(), &true.into()), "{}", ran.err);
    assert!(!ran.err.contains("reveals nothing"), "{}", ran.err);
    let ran = audit("distinct-l = 2\nof = \"all\"\n");
    assert_eq!(ran.status, 2, "{}", ran.out);
    assert!(ran.err.contains("attribute `t`"), "{}", ran.err);
    assert_eq!(audit("distinct-l = 2\nof = [\"s\"]\n").status, 0);
}

/// A number that only one attacker can infer has no single reading.
#[test]
fn what_one_set_infers_and_another_does_not() {
    let folder = Folder::new();
    let audit = |kind: &str| {
        let policy = format!(
            "sets = [[\"a\", \"b\"], [\"b\"]]\n[attributes.a]\nrole = \"public\"\n[attributes.b]\nrole = \"public\"\n\
             kind = \"categorical\"\n[attributes.p]\nrole = \"private\"\n{kind}[[dependencies]]\nfrom = [\"a\"]\n\
             to = \"p\"\n[guarantee]\nk = 2\n"
        );
        let policy = folder.file("policy.toml", &policy);
        let table = folder.file("t.csv", "a,b,p\nx,1,3\nx,1,3\ny,1,4\ny,1,4\n");
        incrowd(&["audit", "--table", &table, "--policy", &policy])
    };
    assert_eq!(audit("kind = \"categorical\"\n").status, 0);
    for kind in ["", "range = [1, 9]\n"] {
        let ran = audit(kind);
        assert!(
            ran.status == 2 && ran.err.contains("`p`") && ran.err.contains("one of the sets"),
            "{}",
            ran.err
        );
    }
}

/// By the definition, those with vl and vk have the same bins and are one span, of whom two are good; the audit divides
/// them by what the dependency leaves possible, and must not pass a smallest bin by that.
#[test]
fn a_smallest_bin_does_not_hold_by_dividing_spans_of_an_ensemble() {
    let folder = crate::Folder::new();
    let rows =
        ["2,vm,good", "1,vl,good", "2,vm,good", "2,vm,good", "1,vl,bad", "0,vk,good", "0,vk,bad", "0,vk,bad"];
    let data = folder.file("data.csv", format!("b,a,c\n{}\n", rows.join("\n")));
    let policy = "class = \"c\"\n[[dependencies]]\nfrom = [\"c\", \"a\"]\nto = \"b\"\n\
        [attributes.b]\nrole = \"private\"\n[attributes.a]\nrole = \"public\"\n[attributes.c]\nrole = \"private\"\n\
        [guarantee]\nsmallest-bin = 3\n";
    let policy = folder.file("policy.toml", policy);
    let release = r#"{"format": "incrowd-release", "version": 1, "family": "ensemble", "individuals": 8,
        "class": {"name": "c", "values": ["bad", "good"]}, "attributes": [],
        "scoring": {"combination": "sum", "link": "logistic", "base": [0.451985]},
        "trees": [{"output": 0, "nodes": [{"scores": [0.0]}]}]}"#;
    let release = folder.file("release.json", release);
    let ran = crate::incrowd(&["audit", &release, "--data", &data, "--policy", &policy]);
    assert_eq!(ran.status, 2, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("a smallest bin cannot be checked"), "{}", ran.err);
}

/// One wrong line in the policy would take a private attribute out of every requirement.
#[test]
fn dependencies_that_the_table_contradicts_are_refused() {
    let folder = Folder::new();
    let policy = |to: &str| {
        format!(
            "class = \"c\"\n[attributes]\na = {{ role = \"public\" }}\nb = {{ role = \"private\" }}\nc = {{ role = \"private\" }}\n\
             [[dependencies]]\nfrom = [\"a\"]\nto = \"{to}\"\n[guarantee]\nk = 2\n"
        )
    };
    let (tree, out) = (folder.path("tree.json"), folder.path("out.json"));
    let table = folder.file("t.csv", format!("a,b,c\n{}", "x,1,k\nx,2,k\ny,1,l\ny,1,l\n".repeat(5)));
    let (wrong, right) = (folder.file("wrong.toml", policy("b")), folder.file("right.toml", policy("c")));
    let with = |command: &[&str], policy: &str| {
        incrowd(&[command, &["--data", &table, "--policy", policy]].concat())
    };
    assert_eq!(with(&["tree", "--out", &tree], &right).status, 0);
    for command in [
        &["tree", "--out", &out][..],
        &["boost", "--out", &out],
        &["table", "--method", "mondrian", "--out", &folder.path("out.csv")],
        &["rules", "--min-support", "0.1", "--min-confidence", "0.1", "--out", &out],
        &["audit", &tree],
        &["audit", &tree, &tree],
        &["compare", "--k", "2", "--out", &folder.path("compared")],
        &["report", &tree, "--out", &folder.path("r.html")],
    ] {
        let ran = with(command, &wrong);
        let said = "`b` does not follow from `a` in the table, though the policy declares it: 1 of 2 values occur with \
                    several values of `b`";
        assert!(ran.status == 2 && ran.err.contains(said), "{command:?}: {} {}", ran.status, ran.err);
    }
    assert!(!folder.names().iter().any(|name| name.starts_with("out")), "{:?}", folder.names());
}
