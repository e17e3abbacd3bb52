//! What a data protection board is told: figures of all releases together, of all rows of an individual, and of the
//! right files.

use crate::{Folder, Ran, incrowd};

const ROLES: &str = "[attributes.age]\nrole = \"public\"\n[attributes.sex]\nrole = \"public\"\n\
    [attributes.ill]\nrole = \"private\"\n[guarantee]\nk = 5\n";

/// Groups by age and sex, with illness that depends on the age.
fn people(ill: &str) -> String {
    let mut text = "age,sex,ill\n".to_owned();
    for row in 0..120 {
        let (age, sex) = (["20", "30", "40"][row % 3], ["f", "m"][row / 3 % 2]);
        let ill = if (age == "20") == (row % 7 != 0) { ill } else { "no" };
        text += &format!("{age},{sex},{ill}\n");
    }
    text
}

struct Files {
    folder: Folder,
    data: String,
    policy: String,
}

impl Files {
    fn new(data: &str, policy: &str) -> Self {
        let folder = Folder::new();
        let (data, policy) = (folder.file("data.csv", data), folder.file("policy.toml", policy));
        Self { folder, data, policy }
    }

    fn run(&self, command: &str, out: &str, more: &[&str]) -> Ran {
        let out = self.folder.path(out);
        incrowd(
            &[&[command, "--data", &self.data, "--policy", &self.policy, "--out", &out, "--force"], more]
                .concat(),
        )
    }

    fn mined(&self, command: &str, out: &str, more: &[&str]) -> Ran {
        let ran = self.run(command, out, more);
        assert_eq!(ran.status, 0, "{command}: {}", ran.err);
        ran
    }

    fn reported(&self, release: &str, more: &[&str]) -> (Ran, String) {
        let release = self.folder.path(release);
        let ran = self.run("report", "board.md", &[&[release.as_str()], more].concat());
        let text = std::fs::read_to_string(self.folder.path("board.md")).unwrap_or_default();
        (ran, text)
    }
}

#[test]
fn a_table_is_not_reported_with_another_source() {
    let files = Files::new(&people("yes"), ROLES);
    files.mined("table", "anon.csv", &["--method", "mondrian"]);
    assert_eq!(files.reported("anon.csv", &[]).0.status, 0);
    let shorter: String = people("yes").lines().take(100).map(|line| format!("{line}\n")).collect();
    let others =
        [("they have 99 rows, the released table has 120", shorter), ("attribute `ill`", people("severe"))];
    for (why, other) in others {
        files.folder.file("data.csv", other);
        let (ran, _) = files.reported("anon.csv", &[]);
        assert_eq!(ran.status, 2, "{}", ran.out);
        let refused = "the released table was not made from these data";
        assert!(ran.err.contains(refused) && ran.err.contains(why), "{}", ran.err);
        assert!(!ran.err.contains("severe"), "{}", ran.err);
        let anon = files.folder.path("anon.json");
        let shown = incrowd(&["show", &anon, "--data", &files.data, "--policy", &files.policy]);
        assert!(shown.status == 2 && shown.err.contains(refused), "{}", shown.err);
    }
}

#[test]
fn releases_of_a_ledger_are_reported_with_their_figures_together() {
    let files = Files::new(&people("yes"), &format!("class = \"ill\"\n{ROLES}"));
    let ledger = files.folder.path("ledger.jsonl");
    let first = files.mined("tree", "tree.json", &["--ledger", &ledger, "--json"]);
    assert!(first.json().get("together").is_none(), "{}", first.out);
    let second = files.mined("table", "anon.csv", &["--method", "mondrian", "--ledger", &ledger, "--json"]);
    let together = &second.json()["together"];
    let (tree, anon) = (files.folder.path("tree.json"), files.folder.path("anon.csv"));
    let audit =
        incrowd(&["audit", &tree, &anon, "--data", &files.data, "--policy", &files.policy, "--json"]).json();
    for key in ["k", "spans", "exposed"] {
        assert_eq!(together[key], audit["together"][key], "{key}");
    }
    let (ran, text) = files.reported("tree.json", &["--ledger", &ledger]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let said = format!(
        "Someone who has all 2 releases of the ledger finds {} groups; the smallest has {} individuals",
        together["spans"], together["k"]
    );
    assert!(text.contains(&said) && text.contains("smallest group found, all releases together"), "{text}");
    // The figures of all releases need the data of the ledger.
    let other = Files::new(&people("severe"), &format!("class = \"ill\"\n{ROLES}"));
    other.mined("tree", "other.json", &[]);
    let (ran, _) = other.reported("other.json", &["--ledger", &ledger]);
    assert!(ran.status == 2 && ran.err.contains("this ledger is about other data"), "{}", ran.err);
}

/// Everyone has two rows. By one row, everyone is in a group of ten; by both, two are alone.
#[test]
fn presets_count_all_rows_of_an_individual() {
    let mut data = "person,age,ill\n".to_owned();
    for person in 0..40 {
        let (one, other) = match person {
            0 => ("20", "30"),
            1 => ("20", "40"),
            _ if person < 20 => ("20", "20"),
            _ if person < 30 => ("30", "30"),
            _ => ("40", "40"),
        };
        let ill = ["yes", "no"][person % 2];
        data += &format!("p{person},{one},{ill}\np{person},{other},{ill}\n");
    }
    let policy = "subject = \"person\"\nclass = \"ill\"\n[attributes.person]\nrole = \"identifier\"\n\
        [attributes.age]\nrole = \"public\"\n[attributes.ill]\nrole = \"private\"\n[guarantee]\nk = 5\n";
    let files = Files::new(&data, policy);
    files.mined("table", "anon.csv", &["--method", "mondrian"]);
    let anon = files.folder.path("anon.csv");
    for preset in ["wp216", "ema-0070"] {
        let ran = incrowd(&["audit", &anon, "--policy", &files.policy, "--preset", preset, "--json"]);
        assert_eq!(ran.status, 1, "{preset}: {}", ran.out);
        let answer = ran.json()["presets"][0]["answers"][0].clone();
        assert_eq!(answer["holds"], false, "{answer}");
        assert!(
            answer["answer"].as_str().is_some_and(|text| text.contains("as few as 1 individual")),
            "{answer}"
        );
    }
    let (ran, text) = files.reported("anon.csv", &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(text.contains("can tell 2 individuals (5.0 % of all) apart from all others"), "{text}");
    let tile = text.lines().find(|line| line.contains("highest risk of being recognized, by all rows"));
    assert!(tile.is_some_and(|tile| tile.contains("100")), "{text}");
}

#[test]
fn nothing_is_told_to_the_public_while_a_role_is_undecided() {
    let undecided = ROLES.replacen("role = \"public\"\n", "role = \"public\"\nundecided = true\n", 1);
    let files = Files::new(&people("yes"), &undecided);
    files.mined("table", "anon.csv", &["--method", "mondrian"]);
    assert_eq!(files.reported("anon.csv", &[]).0.status, 0);
    let (ran, _) = files.reported("anon.csv", &["--public"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.err.contains("only assumes that “age” is public"), "{}", ran.err);
}

#[test]
fn a_file_that_is_given_twice_is_verified_once() {
    let files = Files::new(&people("yes"), ROLES);
    files.mined("table", "anon.csv", &["--method", "mondrian"]);
    let (anon, board) = (files.folder.path("anon.csv"), files.folder.path("board.json"));
    files.mined("report", "board.json", &[&anon]);
    let ran = incrowd(&["verify", &board, &anon, &anon]);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
}

/// Predictions stay beside their rows, and errors name the right line, if rows are left out.
#[test]
fn rows_that_are_left_out_do_not_move_others() {
    let policy = format!("class = \"ill\"\n[file]\nmissing = [\"?\"]\nmissing-rows = \"drop\"\n{ROLES}");
    let mut rows: Vec<String> = people("yes").lines().map(str::to_owned).collect();
    (rows[3], rows[120]) = ("?,f,no".to_owned(), "20,?,no".to_owned());
    let files = Files::new(&(rows.join("\n") + "\n"), &policy);
    files.mined("tree", "tree.json", &[]);
    files.mined("predict", "p.csv", &[&files.folder.path("tree.json")]);
    let text = std::fs::read_to_string(files.folder.path("p.csv")).expect("predictions");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), rows.len());
    for (row, line) in rows.iter().zip(&lines).skip(1) {
        assert_eq!(row.contains('?'), line.trim_matches(',').is_empty(), "{row}: {line}");
        let expected = if row.starts_with("20") { "yes" } else { "no" };
        assert!(row.contains('?') || line.starts_with(expected), "{row}: {line}");
    }
    let narrow = policy.replace("[attributes.ill]\n", "[attributes.ill]\nvalues = [\"no\", \"yes\"]\n");
    rows[50] = "30,f,severe".to_owned();
    let files = Files::new(&(rows.join("\n") + "\n"), &narrow);
    let ran = files.run("tree", "tree.json", &[]);
    assert_eq!(ran.status, 2, "{}", ran.out);
    assert!(ran.err.contains("line 51, column 3, attribute `ill`"), "{}", ran.err);
}

#[test]
fn wrong_quotes_and_encodings_are_named() {
    let curly = ROLES.replacen("\"public\"", "\u{201d}public\u{201d}", 1);
    let files = Files::new(&people("yes"), &curly);
    let ran = incrowd(&["policy", "check", &files.policy]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("line 2") && ran.err.contains("typographic quotes"), "{}", ran.err);
    let ran = incrowd(&["profile", &files.data, "--encoding", "utf-16"]);
    assert!(ran.status == 2 && ran.err.contains("the text is not UTF-16"), "{}", ran.err);
}

/// What a release file says beside the table, and dates without a declaration, count for Safe Harbor.
#[test]
fn safe_harbor_looks_at_everything_that_is_released() {
    let mut data = "visit,zip,age,ill\n".to_owned();
    for row in 0..60 {
        let (day, ill) = (1 + row % 3, ["yes", "no"][row % 2]);
        data += &format!("2026-05-0{day},1234{},{},{ill}\n", row % 2, 91 + row % 4);
    }
    let role = |name: &str, role: &str, more: &str| format!("[attributes.{name}]\nrole = \"{role}\"\n{more}");
    let text = "kind = \"categorical\"\n";
    // Tables are made coarser until the preset holds; a table as it stands is not.
    let visits: String = data
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>())
        .fold(String::new(), |all, cells| all + cells[0] + "," + cells[3] + "\n");
    let policy = format!("{}{}", role("visit", "public", text), role("ill", "private", ""));
    let files = Files::new(&visits, &policy);
    let flags = ["--policy", &files.policy, "--k", "5", "--preset", "hipaa-safe-harbor"];
    let ran = incrowd(&[&["audit", "--table", files.data.as_str()], &flags[..]].concat());
    assert!(
        ran.status == 1 && ran.out.contains("`visit` is more specific than a year"),
        "{}{}",
        ran.out,
        ran.err
    );
    let ignored = role("visit", "ignored", text) + &role("zip", "ignored", text);
    let policy =
        format!("class = \"ill\"\n{}{ignored}", role("age", "public", "")) + &role("ill", "private", "");
    let files = Files::new(&data, &policy);
    let flags = ["--k", "5", "--method", "effects", "--representatives", "--preset", "hipaa-safe-harbor"];
    let ran = files.run("table", "anon.csv", &flags);
    assert_eq!(ran.status, 1, "{}{}", ran.out, ran.err);
    assert!(!std::path::Path::new(&files.folder.path("anon.csv")).exists());
}

/// A later policy of a ledger may not assume an attacker for whom less is public or more is possible, nor drop a preset.
#[test]
fn a_ledger_keeps_assumptions_and_presets() {
    let domain = ROLES.replacen("[attributes.ill]\n", "[attributes.ill]\nvalues = [\"no\", \"yes\"]\n", 1);
    let class = "class = \"ill\"\n";
    let files = Files::new(&people("yes"), &format!("{class}{domain}"));
    let ledger = files.folder.path("ledger.jsonl");
    files.mined("tree", "tree.json", &["--ledger", &ledger, "--preset", "wp216"]);
    let ran = files.run("tree", "again.json", &["--ledger", &ledger]);
    assert!(ran.status == 2 && ran.err.contains("promises the preset wp216"), "{}", ran.err);
    files.folder.file("policy.toml", format!("{class}{}", domain.replace("\"yes\"]", "\"yes\", \"maybe\"]")));
    let ran = files.run("tree", "again.json", &["--ledger", &ledger, "--preset", "wp216"]);
    assert!(ran.status == 2 && ran.err.contains("other possible values"), "{}", ran.err);
    files
        .folder
        .file("policy.toml", format!("{class}{}", domain.replace("[\"no\", \"yes\"]", "[\"yes\", \"no\"]")));
    files.mined("tree", "again.json", &["--ledger", &ledger, "--preset", "wp216"]);
    let dictionary = files.folder.path("tree.json");
    let ran = files.run(
        "table",
        "anon.csv",
        &["--ledger", &ledger, "--preset", "wp216", "--dictionary", &dictionary],
    );
    assert!(ran.status == 2 && ran.err.contains("tree.json"), "{}", ran.err);
}

#[test]
fn a_ledger_of_baskets_keeps_the_roles_of_items() {
    let folder = Folder::new();
    let baskets: String = (0..60).map(|row| ["a,b,x\n", "a,x\n", "b,y\n"][row % 3]).collect();
    let (data, ledger) = (folder.file("b.csv", baskets), folder.path("ledger.jsonl"));
    let mine = |policy: &str, out: &str| {
        let policy = folder.file("policy.toml", format!("{policy}\n[guarantee]\nk = 5\n"));
        let out = folder.path(out);
        incrowd(&[
            "rules",
            "--data",
            &data,
            "--policy",
            &policy,
            "--out",
            &out,
            "--ledger",
            &ledger,
            "--min-support",
            "0.1",
            "--min-confidence",
            "0.1",
        ])
    };
    let first = mine("[items]\npublic = [\"a\", \"b\"]\ndefault = \"private\"", "one.json");
    assert_eq!(first.status, 0, "{}", first.err);
    let second = mine("[items]\npublic = [\"b\"]\ndefault = \"private\"", "two.json");
    assert!(second.status == 2 && second.err.contains("other roles of items"), "{}", second.err);
}

#[test]
fn a_taxonomy_that_cannot_be_read_is_not_the_approved_one() {
    let policy = ROLES.replacen(
        "role = \"public\"\n",
        "role = \"public\"\nkind = \"categorical\"\ntaxonomy = \"tax.csv\"\n",
        1,
    );
    let files = Files::new(&people("yes"), &policy);
    let taxonomy = "20;young;any\n30;old;any\n40;old;any\n";
    files.folder.file("tax.csv", taxonomy);
    files.mined("table", "anon.csv", &["--method", "mondrian"]);
    let (anon, board) = (files.folder.path("anon.csv"), files.folder.path("board.json"));
    files.mined("report", "board.json", &[&anon]);
    let verify = || incrowd(&["verify", &board, &anon, "--policy", &files.policy]);
    assert_eq!(verify().status, 0, "{}", verify().out);
    files.folder.file("tax.csv", taxonomy.replacen("any", "anx", 1));
    assert!(verify().status == 1 && verify().out.contains("differs"), "{}", verify().out);
    std::fs::remove_file(files.folder.path("tax.csv")).expect("a file");
    assert!(verify().status == 1 && verify().out.contains("no such file"), "{}", verify().out);
}
