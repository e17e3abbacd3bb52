//! `incrowd demo`: the story, and the files it leaves to go on with.

use crate::{Folder, incrowd};

#[test]
fn the_story_is_told_in_order() {
    let ran = incrowd(&["demo", "--patients", "2000"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let places: Vec<usize> = [
        "1. People",
        "2. The table",
        "3. A decision tree",
        "fails",
        "4. A tree with k = 10",
        "5. Clusters",
        "6. Rules",
        "k = 31 holds",
        "Left out",
        "Next steps",
    ]
    .iter()
    .map(|part| ran.out.rfind(part).unwrap_or_else(|| panic!("{part} is not in\n{}", ran.out)))
    .collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn its_files_can_be_audited() {
    let folder = Folder::new();
    let out = folder.path("clinic");
    assert_eq!(incrowd(&["demo", "--patients", "3000", "--out", &out, "--quiet"]).status, 0);
    let path = |name: &str| format!("{out}/{name}");
    let (tree, data, policy) = (path("tree.json"), path("patients.csv"), path("policy.toml"));
    let audit = incrowd(&["audit", &tree, "--data", &data, "--policy", &policy, "--json"]);
    assert_eq!(audit.status, 0, "{}", audit.err);
    assert_eq!(audit.json()["individuals"], 3000);
    assert_eq!(incrowd(&["audit", "--table", &data, "--policy", &policy]).status, 1);
    let again = incrowd(&["demo", "--out", &out]);
    assert_eq!(again.status, 2);
    assert!(again.err.contains("--force"), "{}", again.err);
}

#[test]
fn the_same_seed_tells_the_same_story_with_any_number_of_threads() {
    let run = |threads: &str, seed: &str| {
        incrowd(&["demo", "--patients", "1500", "--threads", threads, "--seed", seed]).out
    };
    assert_eq!(run("1", "7"), run("8", "7"));
    assert_ne!(run("1", "7"), run("1", "8"));
}
