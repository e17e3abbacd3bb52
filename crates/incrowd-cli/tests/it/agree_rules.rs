//! The miner of rules and the audit agree on what supports reveal together.

use crate::{Folder, incrowd};

/// A small cell of public items alone does not count, but with a private cell that nearly all are in it does, however
/// many other rules there are.
#[test]
fn public_items_belong_to_every_group_of_rules() {
    let folder = Folder::new();
    let fillers: Vec<String> = (0..6).map(|i| format!("F{i}")).collect();
    let names = ["A", "Q", "R"].into_iter().chain(fillers.iter().map(String::as_str));
    let role = |name: &str| if name == "A" { "public" } else { "private" };
    let roles: String = names
        .clone()
        .map(|name| format!("{name} = {{ role = {:?}, values = [\"n\", \"y\"] }}\n", role(name)))
        .collect();
    let policy = format!("[attributes]\n{roles}[guarantee]\nk = 4\nsmallest-bin = 4\n");
    let mut table = format!("A,Q,R,{}\n", fillers.join(","));
    for row in 0..12 {
        let (a, q) = (if row < 3 { "y" } else { "n" }, if row == 11 { "y" } else { "n" });
        let others = (0..6).map(|i| if (row + i) % 2 == 0 { ",y" } else { ",n" });
        table += &format!("{a},{q},{q}{}\n", others.collect::<String>());
    }
    let (policy, table) = (folder.file("policy.toml", policy), folder.file("t.csv", table));
    let item = |name: &str, value: &str| serde_json::json!({ name: value });
    let rule = |then: Vec<serde_json::Value>, both: u32| serde_json::json!({ "if": [], "then": then, "antecedent": 12, "both": both });
    let audit = |unrelated: usize| {
        let mut rules = vec![rule(vec![item("A", "y")], 3), rule(vec![item("Q", "n"), item("R", "n")], 11)];
        rules.extend(fillers.iter().take(unrelated).map(|name| rule(vec![item(name, "y")], 6)));
        let attribute = |name| serde_json::json!({ "name": name, "values": ["n", "y"] });
        let release = serde_json::json!({
            "format": "incrowd-release", "version": 1, "family": "rules", "individuals": 12,
            "attributes": names.clone().map(attribute).collect::<Vec<_>>(), "rules": rules,
        });
        let release = folder.file("rules.json", release.to_string());
        incrowd(&["audit", &release, "--data", &table, "--policy", &policy])
    };
    for unrelated in [0, 5, 6] {
        assert_eq!(audit(unrelated).status, 1, "{unrelated}");
    }
}

/// The same in the miner: all have p0 and p1, and one has a and not b. There are too many items to see this, so that
/// rules which reveal it together are not proven safe.
#[test]
fn mined_rules_have_no_small_cells_of_unrelated_items() {
    let folder = Folder::new();
    let policy = "[items]\nprivate = [\"f*\", \"p*\"]\npublic = [\"a\", \"b\"]\n[guarantee]\nk = 3\nsmallest-bin = 3\n";
    let mut baskets = String::new();
    for row in 0..40_u32 {
        let public = ["a,", "", "b,", "a,b,"][row.min(3) as usize];
        let fillers =
            (0..6).filter(|i| row >> (i % 5) & 1 == 1).map(|i| format!("f{i},")).collect::<String>();
        baskets += &format!("{public}{fillers}p0,p1\n");
    }
    let (policy, baskets) = (folder.file("policy.toml", policy), folder.file("d.csv", baskets));
    let out = folder.path("rules.json");
    let ran = incrowd(&[
        "rules",
        "--data",
        &baskets,
        "--policy",
        &policy,
        "--min-support",
        "0.4",
        "--min-confidence",
        "0.96",
        "--max-length",
        "2",
        "--out",
        &out,
        "--json",
    ]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let release: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&out).unwrap()).unwrap();
    let has = |rule: &serde_json::Value, side: &str, item: &str| {
        rule[side].to_string().contains(&format!("\"{item}\""))
    };
    let rules = release["rules"].as_array().unwrap();
    let public = rules.iter().any(|rule| has(rule, "if", "a") && has(rule, "then", "b"));
    // Such a rule publishes that all have the item; then one individual has a and the item, but not b.
    let private = rules.iter().any(|rule| has(rule, "if", "p0") || has(rule, "if", "p1"));
    assert!(!(public && private), "{}\n{release}", ran.out);
    assert_eq!(incrowd(&["audit", &out, "--data", &baskets, "--policy", &policy]).status, 0);
}

/// Where everyone has a value, the supports of rules with it follow from others before they are published; what they
/// leave over is seen nevertheless.
#[test]
fn rules_about_what_everyone_has_leave_no_small_rest() {
    let folder = Folder::new();
    let roles = [("a1", "public"), ("b1", "private"), ("b2", "private"), ("b0", "private"), ("a0", "public")];
    let roles = roles.map(|(name, role)| format!("{name} = {{ role = {role:?} }}\n")).concat();
    let policy = format!(
        "class = \"c\"\n[attributes]\n{roles}c = {{ role = \"private\" }}\n[guarantee]\nsmallest-bin = 2\n"
    );
    let table = "a1,b1,b2,b0,a0,c\nvm,m,l,m,k,bad\nvn,m,k,k,k,bad\nvn,m,n,n,k,bad\nvm,m,l,m,k,bad\n\
                 vn,m,l,n,l,bad\nvn,m,l,l,l,bad\nvm,m,m,n,l,good\nvl,m,n,n,k,bad\nvn,m,l,n,l,bad\n\
                 vk,m,m,m,k,good\nvm,m,l,l,l,bad\n";
    let (policy, table) = (folder.file("policy.toml", policy), folder.file("t.csv", table));
    let out = folder.path("rules.json");
    let ran = incrowd(&[
        "rules",
        "--data",
        &table,
        "--policy",
        &policy,
        "--min-support",
        "0.1",
        "--min-confidence",
        "0.5",
        "--max-length",
        "2",
        "--out",
        &out,
    ]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(incrowd(&["audit", &out, "--data", &table, "--policy", &policy]).status, 0);
}
