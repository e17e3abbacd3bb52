//! What a first-time user reads: sentences and figures that must not mislead, and advice that can be followed.

use crate::{Folder, Ran, incrowd};
use std::fmt::Write;

struct Case {
    folder: Folder,
    data: String,
    policy: String,
}

impl Case {
    fn new(data: &str, policy: &str) -> Self {
        let folder = Folder::new();
        let (data, policy) = (folder.file("t.csv", data), folder.file("policy.toml", policy));
        Self { folder, data, policy }
    }

    fn mine(&self, command: &str, out: &str, flags: &[&str]) -> Ran {
        let out = self.folder.path(out);
        let files = ["--data", &self.data, "--policy", &self.policy, "--out", &out, "--force"];
        incrowd(&[&[command][..], &files, flags].concat())
    }

    fn audit(&self, release: &str, flags: &[&str]) -> Ran {
        let release = self.folder.path(release);
        let against = if release.ends_with("table.json") { vec![] } else { vec!["--data", &self.data] };
        incrowd(&[&["audit", &release, "--policy", &self.policy][..], &against, flags].concat())
    }
}

/// Applications: a public age and home, private savings, disability and debts, and a decision with three values.
fn grants() -> Case {
    let mut text = "age,home,meals,savings,debts,disability,decision\n".to_owned();
    for row in 0..240_u32 {
        let mixed = row * 7919 % 240;
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{}",
            20 + mixed % 40,
            ["own", "rent"][mixed as usize % 2],
            ["yes", "no"][(mixed / 3) as usize % 2],
            ["low", "some", "high"][(mixed / 7) as usize % 3],
            if row % 5 < 3 { String::new() } else { (mixed * 11).to_string() },
            ["none", "none", "minor"][(mixed / 5) as usize % 3],
            ["approved", "refused", "deferred"][(mixed / 2) as usize % 3],
        );
    }
    let policy = "class = \"decision\"\n[file]\nmissing = [\"\"]\nmissing-rows = \"keep\"\n[attributes]\n\
                  age = { role = \"public\", taxonomy = { round = {} } }\nhome = { role = \"public\" }\n\
                  meals = { role = \"public\" }\nsavings = { role = \"private\" }\ndebts = { role = \"private\", kind = \"numeric\" }\n\
                  disability = { role = \"private\" }\ndecision = { role = \"private\" }\n\
                  [guarantee]\nk = 10\nconfidence = 0.9\nof = [\"savings\", \"disability\", \"decision\"]\n";
    Case::new(&text, policy)
}

/// Visits of patients with several rows each.
fn visits() -> Case {
    let mut text = "mrn,district,sex,diagnosis,readmitted\n".to_owned();
    for row in 0..600_u32 {
        let (who, visit) = (row % 250, row / 250);
        let _ = writeln!(
            text,
            "{who},{},{},{},{}",
            ["n", "e", "s", "w"][(who + visit) as usize % 4],
            ["f", "m"][who as usize / 4 % 2],
            ["flu", "asthma", "cold"][(who / 9 + visit * (who % 5 / 4)) as usize % 3],
            ["yes", "no"][(who / 5) as usize % 2],
        );
    }
    let policy = "class = \"readmitted\"\nsubject = \"mrn\"\n[attributes]\ndistrict = { role = \"public\" }\n\
                  sex = { role = \"public\" }\ndiagnosis = { role = \"private\" }\nreadmitted = { role = \"private\" }\n\
                  [guarantee]\nk = 10\nconfidence = 0.95\nof = \"all\"\n";
    Case::new(&text, policy)
}

/// A released table with several rows per individual does not show how many break a requirement on values.
#[test]
fn a_breach_of_stated_figures_has_no_invented_number() {
    let case = visits();
    let made = case.mine("table", "table.csv", &["--method", "mondrian"]);
    assert_eq!(made.status, 0, "{}{}", made.out, made.err);
    let broken = case.audit("table.json", &["--confidence", "0.4"]);
    assert_eq!(broken.status, 1, "{}{}", broken.out, broken.err);
    let headline = broken.out.lines().next().unwrap();
    let words = "does not hold for some of 250 individuals (the release file does not state how many)";
    assert!(headline.contains(words) && !headline.contains("k = 10"), "{headline}");
    assert!(
        broken.out.contains("failing      some; the release file does not state how many"),
        "{}",
        broken.out
    );
    assert!(broken.out.contains("broken by some groups"), "{}", broken.out);
    let json = case.audit("table.json", &["--confidence", "0.4", "--json"]).json();
    assert!(json["breaches"].is_null() && json["in_breach"].is_null(), "{json}");
    let small = case.audit("table.json", &["--k", "200", "--json"]).json();
    assert!(small["in_breach"].as_u64().is_some_and(|people| people > 0), "{small}");
}

#[test]
fn a_headline_names_only_what_is_broken() {
    let case = grants();
    let made = case.mine("tree", "tree.json", &["--method", "kadet-c45"]);
    assert_eq!(made.status, 0, "{}{}", made.out, made.err);
    let headline = made.out.lines().next().unwrap();
    // The tree contains no other private attribute.
    let all = "k = 10 and confidence <= 0.9 of decision hold for all 240 individuals";
    assert!(headline.contains(all), "{headline}");
    let broken = case.audit("tree.json", &["--k", "239"]);
    let headline = broken.out.lines().next().unwrap();
    assert!(headline.starts_with("fails (tree): k = 239 does not hold for "), "{headline}");
    let both = case.audit("tree.json", &["--k", "239", "--confidence", "0.3"]);
    let headline = both.out.lines().next().unwrap();
    let words = "fails (tree): k = 239 and confidence <= 0.3 of decision do not hold for ";
    assert!(headline.starts_with(words), "{headline}");
}

#[test]
fn the_largest_cluster_has_a_share() {
    let mut text = "x,y\n".to_owned();
    (0..60).for_each(|row| writeln!(text, "{},{}", row % 3, if row < 45 { 0 } else { 100 }).unwrap());
    let policy = "[attributes]\nx = { role = \"public\", kind = \"numeric\" }\n\
                  y = { role = \"private\", kind = \"numeric\", range = [0, 100] }\n[guarantee]\nk = 5\n";
    let case = Case::new(&text, policy);
    let json = case.mine("clusters", "clusters.json", &["--clusters", "2", "--json"]).json();
    let exposed = json["exposed_to"].as_array().unwrap();
    let cluster = exposed.iter().find(|to| to["attribute"] == "cluster").unwrap();
    assert_eq!(cluster["most_frequent"], 0.75, "{json}");
}

/// What a release claims is compared with what its audit finds.
#[test]
fn claims_of_a_release_are_compared() {
    let case = grants();
    let made = case.mine("tree", "tree.json", &["--method", "kadet-c45"]);
    assert_eq!(made.status, 0, "{}{}", made.out, made.err);
    let file = case.folder.path("tree.json");
    let right = case.audit("tree.json", &[]);
    assert!(!right.err.contains("the release states"), "{}", right.err);
    let text = std::fs::read_to_string(&file).unwrap();
    let mut release: serde_json::Value = serde_json::from_str(&text).unwrap();
    release["guarantee"] =
        serde_json::json!(["k = 500", "confidence <= 0.2 of decision", "smallest bin = 2"]);
    release["measured"]["k"] = 500.into();
    case.folder.file("tree.json", release.to_string());
    let audited = case.audit("tree.json", &[]);
    assert_eq!(audited.status, 0, "{}", audited.err);
    for words in [
        "warning: the release states k = 500; it does not hold",
        "warning: the release states confidence <= 0.2 of decision; it does not hold",
        "warning: the release states a measured k of 500; it is ",
    ] {
        assert!(audited.err.contains(words), "{words}: {}", audited.err);
    }
    assert!(audited.out.contains("stated by the release: smallest bin = 2"), "{}", audited.out);
    let table = case.mine("table", "table.csv", &["--method", "mondrian"]);
    assert_eq!(table.status, 0, "{}", table.err);
    let text = std::fs::read_to_string(case.folder.path("table.json")).unwrap();
    case.folder.file("table.json", text.replace("\"k = 10\"", "\"k = 100\""));
    let audited = case.audit("table.json", &[]);
    assert!(audited.err.contains("the release states k = 100; it does not hold"), "{}", audited.err);
}

/// Clusters state a smallest bin that the policy does not ask for; the audit mentions it.
#[test]
fn advice_states_what_it_costs() {
    let case = grants();
    let made = case.mine("clusters", "clusters.json", &[]);
    assert_eq!(made.status, 0, "{}{}", made.out, made.err);
    let words = "missing-rows = \"drop\" in the policy would leave out 144 of 240 rows (60.0 %) instead";
    assert!(made.err.contains(words), "{}", made.err);
    let audited = case.audit("clusters.json", &[]);
    assert!(audited.out.contains("stated by the release: smallest bin = 10"), "{}", audited.out);
    let rules = case.mine("rules", "rules.json", &["--min-support", "0.1", "--min-confidence", "0.3"]);
    let words = "`age`, `debts` are left out (to use one, set kind = \"categorical\" in the policy and remove `taxonomy`, ";
    assert!(rules.err.contains(words), "{}", rules.err);
    let tree = case.mine("tree", "tree.json", &["--distinct-l", "4", "--of", "decision,savings,disability"]);
    assert_eq!(tree.status, 1, "{}", tree.err);
    assert!(
        tree.err.contains("the largest l possible for this table is 3: `decision` has 3 values"),
        "{}",
        tree.err
    );
}

/// Both edits that the warning names make numbers usable, and one that does not fit says which key to remove.
#[test]
fn numbers_can_be_used_in_rules() {
    let case = grants();
    let text = std::fs::read_to_string(&case.policy).unwrap();
    let one_edit =
        text.replace("age = { role = \"public\",", "age = { role = \"public\", kind = \"categorical\",");
    let policy = case.folder.file("one.toml", &one_edit);
    let flags = ["--min-support", "0.05", "--min-confidence", "0.1"];
    let files = ["--data", &case.data, "--policy", &policy, "--out", &case.folder.path("r.json")];
    let refused = incrowd(&[&["rules"][..], &files, &flags].concat());
    assert!(refused.status == 2 && refused.err.contains("or remove `taxonomy`"), "{}", refused.err);
    let both = one_edit.replace(", taxonomy = { round = {} }", "");
    let policy = case.folder.file("both.toml", &both);
    let files = ["--data", &case.data, "--policy", &policy, "--out", &case.folder.path("r.json")];
    let ran = incrowd(&[&["rules"][..], &files, &flags].concat());
    assert!(ran.status == 0 && !ran.err.contains("`age`"), "{}", ran.err);
}

/// Rules over a table state their values also where these are yes; lift has a reason where there is none.
#[test]
fn rules_of_a_table_state_yes() {
    let case = grants();
    let mined = case.mine("rules", "rules.json", &["--min-support", "0.1", "--min-confidence", "0.3"]);
    assert_eq!(mined.status, 0, "{}", mined.err);
    assert!(mined.out.contains("rules left out"), "{}", mined.out);
    let shown = incrowd(&["show", &case.folder.path("rules.json")]);
    assert!(shown.out.contains("meals = yes"), "{}", shown.out);
    // A column of lifts has figures.
    let has_lift = shown.out.lines().any(|line| line.trim_end().ends_with(" lift"));
    assert_eq!(has_lift, shown.out.contains("lift: the confidence divided by"), "{}", shown.out);
    assert_eq!(
        shown.out.contains("does not state how many individuals have the right side"),
        shown.out.contains("  -\n"),
        "{}",
        shown.out
    );
}

#[test]
fn tables_of_means_and_empty_tables_are_called_so() {
    let case = grants();
    let text = std::fs::read_to_string(&case.policy).unwrap();
    case.folder.file("policy.toml", text.replace("[guarantee]\nk = 10", "[guarantee]\nk = 40"));
    let averaged = case.mine("table", "table.csv", &["--method", "aggregate"]);
    assert_eq!(averaged.status, 0, "{}", averaged.err);
    assert!(averaged.out.contains("loss         - (not defined for means)"), "{}", averaged.out);
    assert!(averaged.out.contains("averaged") && !averaged.out.contains("swapped"), "{}", averaged.out);
    let json = case.mine("table", "table.csv", &["--method", "aggregate", "--json", "--measures"]).json();
    assert!(json["loss"].is_null() && json["report"]["loss"].is_null(), "{json}");
    let empty = case.mine("table", "table.csv", &["--method", "best", "--k", "240"]);
    assert_eq!(empty.status, 0, "{}", empty.err);
    assert!(empty.out.starts_with("table (all public cells suppressed): k = 240 and "), "{}", empty.out);
    assert!(empty.err.contains("under the same guarantee, try the method mondrian"), "{}", empty.err);
}

#[test]
fn columns_that_are_not_released_are_named() {
    let case = grants();
    let spans = case.mine("table", "table.csv", &["--method", "spans"]);
    assert_eq!(spans.status, 0, "{}", spans.err);
    let header = std::fs::read_to_string(case.folder.path("table.csv")).unwrap();
    let header = header.lines().next().unwrap();
    for name in ["savings", "debts", "disability"] {
        let is_named = spans.err.lines().any(|line| {
            line.contains("the table does not contain the private column")
                && line.contains(&format!("`{name}`"))
        });
        assert_ne!(header.contains(name), is_named, "{name}: {header}\n{}", spans.err);
    }
}

/// `except` leaves single attributes out of `of = "all"`.
#[test]
fn a_cap_on_all_but_some() {
    let case = visits();
    let text = std::fs::read_to_string(&case.policy).unwrap();
    case.folder.file("policy.toml", text + "except = [\"readmitted\"]\n");
    let made = case.mine("table", "table.csv", &["--method", "mondrian"]);
    let headline = made.out.lines().next().unwrap();
    assert!(headline.contains("confidence <= 0.95 of diagnosis hold for all"), "{headline}{}", made.err);
    let hopeless = case.mine("table", "table.csv", &["--method", "mondrian", "--confidence", "0.1"]);
    assert!(hopeless.status == 1 && hopeless.err.contains("`except`"), "{}", hopeless.err);
}

#[test]
fn a_model_that_cannot_predict_is_answered_with_those_that_can() {
    let case = grants();
    case.mine("rules", "rules.json", &["--min-support", "0.1", "--min-confidence", "0.3"]);
    let ran = incrowd(&["predict", &case.folder.path("rules.json"), "--data", &case.data]);
    assert!(
        ran.status == 2 && ran.err.contains("expected a tree, an ensemble or clusters, found rules"),
        "{}",
        ran.err
    );
}

/// The confidence line names the attribute with the highest one.
#[test]
fn the_highest_confidence_is_one_attributes() {
    let case = grants();
    let made = case.mine("table", "table.csv", &["--method", "mondrian"]);
    let line = made.out.lines().find(|line| line.contains("confidence   up to")).unwrap();
    assert!(line.contains("the highest of 3 attributes"), "{line}");
    assert!(!made.out.contains("at most 0"), "{}", made.out);
}

/// What is counted if individuals have several rows is said where the counts are.
#[test]
fn counts_of_individuals_with_several_rows_are_explained() {
    let case = visits();
    let rules = case.mine("rules", "rules.json", &["--min-support", "0.05", "--min-confidence", "0.3"]);
    assert_eq!(rules.status, 0, "{}{}", rules.out, rules.err);
    let several = "individuals have several rows: an individual counts once for a rule, or for a side of it";
    let shown = incrowd(&["show", &case.folder.path("rules.json")]);
    for out in [&rules.out, &shown.out] {
        assert!(out.contains(several) && out.contains("confidence of a rule: the share"), "{out}");
    }
    assert_eq!(case.mine("tree", "tree.json", &[]).status, 0);
    let audit = case.audit("tree.json", &[]);
    assert!(!audit.out.contains("linking attack  exposed to"), "{}", audit.out);
    let raw = incrowd(&["audit", "--table", &case.data, "--policy", &case.policy, "--without", "mrn"]);
    assert!(
        raw.out.contains("an individual with several rows is counted in each of their groups"),
        "{}",
        raw.out
    );
    let once = grants();
    assert_eq!(once.mine("tree", "tree.json", &[]).status, 0);
    let audit = once.audit("tree.json", &[]).out;
    assert!(audit.contains("exposed to") && !audit.contains("several rows"), "{audit}");
}

#[test]
fn every_share_can_be_given_in_percent() {
    let case = grants();
    assert_eq!(case.mine("tree", "tree.json", &["--confidence", "80%"]).status, 0);
    let same = |flags: &[&str], percent: &[&str]| {
        let run = |flags| case.mine("rules", "rules.json", flags);
        let (one, other) = (run(flags), run(percent));
        assert_eq!((one.status, one.out), (other.status, other.out), "{}", other.err);
    };
    same(
        &["--min-support", "0.2", "--min-confidence", "0.5"],
        &["--min-support", "20%", "--min-confidence", "50%"],
    );
    let audited = case.audit("tree.json", &["--risk-threshold", "9%", "--json"]);
    assert_eq!(audited.status, 0, "{}", audited.err);
    let wrong = case.mine("tree", "tree.json", &["--confidence", "much"]);
    assert!(
        wrong.status == 2 && wrong.err.contains("such as 0.01, or a percentage, such as 1%"),
        "{}",
        wrong.err
    );
}

#[test]
fn private_attributes_that_the_default_scope_leaves_out_are_named() {
    let mut case = grants();
    let policy = std::fs::read_to_string(&case.policy).unwrap();
    let of = "of = [\"savings\", \"disability\", \"decision\"]";
    case.policy = case.folder.file("class.toml", policy.replace(of, ""));
    let ran = case.mine("table", "table.csv", &[]);
    assert!(ran.err.contains("no requirement limits what can be inferred about `savings`"), "{}", ran.err);
    assert!(ran.err.contains("of = \"tested\" under [guarantee] covers all"), "{}", ran.err);
    case.policy = case.folder.file("tested.toml", policy.replace(of, "of = \"tested\""));
    let ran = case.mine("tree", "tree.json", &[]);
    assert!(!ran.err.contains("no requirement limits"), "{}", ran.err);
}

#[test]
fn lost_rows_have_the_same_words_in_the_summary_and_the_report() {
    let case = grants();
    let flags = ["--method", "mondrian", "--max-suppressed", "10%"];
    let lost =
        case.mine("table", "table.csv", &[&flags[..], &["--json"]].concat()).json()["rows_lost"].as_u64();
    let (lost, rows) = (lost.unwrap(), 240.0);
    assert!(lost > 0, "rows must be lost for this test");
    let share = format!("({:.1} %)", lost as f64 / rows * 100.0);
    let made = case.mine("table", "table.csv", &flags);
    let has_figures = |line: &str| line.contains("rows lost") && line.ends_with(&format!("{lost} {share}"));
    assert!(made.out.lines().any(has_figures), "{}", made.out);
    let (table, board) = (case.folder.path("table.csv"), case.folder.path("board.md"));
    let ran = incrowd(&["report", &table, "--data", &case.data, "--policy", &case.policy, "--out", &board]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let text = std::fs::read_to_string(&board).unwrap();
    assert!(text.contains(&format!("{lost} rows lost {share}")), "{text}");
}

/// Without a subject k counts rows; an identifier that repeats shows that rows are not individuals.
#[test]
fn identifiers_that_repeat_are_warned_about() {
    let case = visits();
    let policy = std::fs::read_to_string(&case.policy).unwrap();
    assert!(policy.contains("subject = \"mrn\"\n"), "{policy}");
    let counted = case.mine("tree", "tree.json", &[]);
    assert!(!counted.err.contains("repeats"), "{}", counted.err);
    let rows = policy.replace("subject = \"mrn\"\n", "");
    let rows = if rows.contains("\nmrn") {
        rows
    } else {
        rows.replace("[attributes]\n", "[attributes]\nmrn = { role = \"identifier\" }\n")
    };
    case.folder.file("policy.toml", rows);
    for made in [case.mine("tree", "tree.json", &[]), case.audit("tree.json", &[])] {
        assert!(
            made.err.contains("every row counts as an individual, and `mrn` repeats: "),
            "{}{}",
            made.out,
            made.err
        );
        assert!(made.err.contains("set `subject = \"mrn\"` in the policy"), "{}", made.err);
    }
}
