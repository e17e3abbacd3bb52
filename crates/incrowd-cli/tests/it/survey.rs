//! A survey whose columns no guess recognizes.

use crate::{Folder, incrowd};
use std::fmt::Write;

/// Answers, and a class.
fn answers() -> String {
    let mut text = "age,q1,q2,q4,q5,q6,leaves\n".to_owned();
    for row in 0..400_u32 {
        let mixed = row * 7919 % 401;
        let answer = |by: u32| ["never", "rarely", "sometimes", "often", "always"][(mixed / by) as usize % 5];
        let leaves = if (mixed / 3 % 5 + mixed % 3) > 3 { "yes" } else { "no" };
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{leaves}",
            20 + mixed % 40,
            answer(1),
            answer(3),
            answer(5),
            answer(7),
            answer(11)
        );
    }
    text
}

const WARNING: &str = "the roles of q1, q2, q4, q5 and q6 are undecided, so they are treated as public (not \
                       protected); decide, and delete `undecided` in the policy";

#[test]
fn every_command_warns_until_the_owner_has_decided() {
    let folder = Folder::new();
    let (data, policy) = (folder.file("survey.csv", answers()), folder.path("policy.toml"));
    assert_eq!(incrowd(&["profile", &data, "--out", &policy]).status, 0);
    let text = std::fs::read_to_string(&policy).unwrap();
    assert_eq!(text.matches("undecided = true").count(), 5, "{text}");
    assert!(text.contains(" In either case delete the line `undecided`.\n[attributes.q1]\n"), "{text}");
    let mine = |command: &str, policy: &str, out: &str| {
        let out = folder.path(out);
        let files = ["--data", &data, "--policy", policy, "--out", &out, "--force", "--json"];
        let of_rules: &[&str] = match command {
            "rules" => &["--min-support", "0.2", "--min-confidence", "0.5"],
            _ => &[],
        };
        let ran = incrowd(&[&[command], &files[..], of_rules].concat());
        // No rule may be safe.
        assert!(ran.status == 0 || command == "rules", "{command}: {}", ran.err);
        ran
    };
    for (command, out) in
        [("tree", "t.json"), ("table", "t.csv"), ("clusters", "c.json"), ("rules", "r.json")]
    {
        let ran = mine(command, &policy, out);
        assert_eq!(ran.err.matches(WARNING).count(), 1, "{command}: {}", ran.err);
    }
    let audit = incrowd(&["audit", &folder.path("c.json"), "--data", &data, "--policy", &policy, "--json"]);
    assert!(audit.err.contains(WARNING), "{}", audit.err);
    assert!(audit.json()["warnings"].as_array().unwrap().iter().any(|warning| warning == WARNING));
    let released = incrowd(&["audit", "--table", &folder.path("t.csv"), "--policy", &policy]);
    assert!(released.err.contains(WARNING), "{}", released.err);
    // Another role is a decision, and so is a deleted line.
    let q1 = text.find("[attributes.q1]").unwrap();
    let decided =
        format!("{}{}", &text[..q1], text[q1..].replacen("role = \"public\"", "role = \"private\"", 1));
    let other = folder.file("decided.toml", decided.replacen("undecided = true\nkind", "kind", 2));
    let err = mine("tree", &other, "t.json").err;
    assert!(err.contains("q4, q5 and q6 are undecided"), "{err}");
    let none = folder.file("none.toml", text.replace("undecided = true\n", ""));
    assert!(!mine("tree", &none, "t.json").err.contains("undecided"));
}
