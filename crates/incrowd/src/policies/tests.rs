use super::*;

const BASE: &str = "class = \"sick\"\nsubject = \"id\"\n[attributes]\nage = { role = \"public\" }\nsick = { role = \"private\" }\nplace = { role = \"public\" }\n[attributes.note]\nrole = \"ignored\"\n[[dependencies]]\nfrom = [\"age\"]\nto = \"sick\"\n[guarantee]\nk = 10\nconfidence = 0.8\n";

fn policy(text: &str) -> PolicyFile {
    PolicyFile::parse(text, "policy.toml").expect("a policy")
}

fn compared(from: &str, to: &str) -> PolicyComparison {
    PolicyComparison::new(&policy(BASE), &policy(&BASE.replace(from, to)))
}

#[track_caller]
fn check(from: &str, to: &str, part: &str, effect: PolicyEffect) {
    let found = compared(from, to);
    assert!(found.changes.iter().any(|c| c.part == part && c.effect == effect), "{found:?}");
    assert_eq!(found.is_weaker, matches!(effect, PolicyEffect::Weaker | PolicyEffect::Unclear), "{found:?}");
}

#[test]
fn equal_policies_do_not_differ() {
    assert_eq!(compared("x", "x").changes, []);
}

#[test]
fn changes_have_effects() {
    use PolicyEffect::{Stronger, Weaker};
    check("k = 10", "k = 9", "guarantee", Weaker);
    check("k = 10", "k = 11", "guarantee", Stronger);
    check("confidence = 0.8", "confidence = 0.9", "guarantee", Weaker);
    check("confidence = 0.8\n", "", "guarantee", Weaker);
    check("confidence = 0.8", "confidence = 0.8\ndistinct-l = 2", "guarantee", Stronger);
    check("place = { role = \"public\" }", "place = { role = \"private\" }", "role of `place`", Weaker);
    check("place = { role = \"public\" }", "place = { role = \"identifier\" }", "role of `place`", Stronger);
    check("role = \"ignored\"", "role = \"public\"", "role of `note`", Stronger);
    check("role = \"ignored\"", "role = \"ignored\"\nharmless = true", "`note` is harmless", Weaker);
    check("[[dependencies]]\nfrom = [\"age\"]\nto = \"sick\"\n", "", "dependency", Weaker);
    check("subject = \"id\"\n", "", "subject", Weaker);
    check("class =", "unlisted = \"ignored\"\nclass =", "unlisted columns", Weaker);
    check("k = 10", "preset = \"hipaa-safe-harbor\"\nk = 10", "preset", Stronger);
    check("class =", "sets = [[\"age\"], [\"place\"]]\nclass =", "known together", Weaker);
}

/// Removing a preset is weaker, even if it requires nothing that can be counted; other statements are compared as well.
#[test]
fn presets_and_other_statements_are_compared() {
    let with = BASE.replace("k = 10", "preset = \"hipaa-safe-harbor\"\nk = 10");
    let found = PolicyComparison::new(&policy(&with), &policy(BASE));
    assert!(found.is_weaker && found.changes[0].before.as_deref() == Some("hipaa-safe-harbor"), "{found:?}");
    let found = PolicyComparison::new(&policy(BASE), &policy(&format!("{BASE}[dossier]\npurpose = \"x\"\n")));
    assert!(
        !found.is_weaker && found.changes.len() == 1 && found.changes[0].part == "[dossier]",
        "{found:?}"
    );
    let marked = BASE.replace("[attributes]", "[file]\nmissing = [\"NA\"]\n[attributes]");
    assert!(PolicyComparison::new(&policy(BASE), &policy(&marked)).is_weaker);
}

/// A guarantee of another kind does not replace one that is gone.
#[test]
fn other_requirements_do_not_make_up() {
    let found = compared("k = 10\nconfidence = 0.8", "k = 20\nalpha = 0.1");
    assert!(found.is_weaker, "{found:?}");
}

#[test]
fn a_policy_is_summarized() {
    let summary = PolicySummary::new(&policy(BASE));
    assert_eq!(summary.public, ["age", "place"]);
    assert_eq!((summary.private, summary.ignored), (vec!["sick".to_owned()], vec!["note".to_owned()]));
    assert_eq!(summary.dependencies, ["age -> sick"]);
    assert_eq!(summary.warnings, [""; 0]);
    let bare = PolicySummary::new(&policy("[attributes]\na = { role = \"private\" }\n"));
    assert_eq!(bare.warnings.len(), 2, "{:?}", bare.warnings);
}
