//! Tables as they would be given away, audited with everything in their files.

use crate::{Folder, Ran, incrowd};

const POLICY: &str = "unlisted = \"ignored\"\n[attributes]\nzip = { role = \"public\" }\nill = { role = \"private\" }\n\
                      name = { role = \"identifier\" }\nnote = { role = \"ignored\" }\n";

/// Audits a table under a policy.
fn audit(table: &str, policy: &str, flags: &[&str]) -> Ran {
    let folder = Folder::new();
    let (table, policy) = (folder.file("t.csv", table), folder.file("policy.toml", policy));
    incrowd(&[&["audit", "--table", &table, "--policy", &policy], flags].concat())
}

#[test]
fn names_in_a_table_are_a_breach() {
    let table = "name,zip,ill\nAnn,1,flu\nBen,1,none\n";
    let ran = audit(table, POLICY, &["--k", "2", "--json"]);
    let json = ran.json();
    assert_eq!((ran.status, &json["holds"], &json["k"]), (1, &false.into(), &2.into()), "{}", ran.err);
    assert_eq!(json["column_breaches"], serde_json::json!([{ "column": "name", "role": "identifier" }]));
    let ran = audit(table, POLICY, &["--k", "2"]);
    assert!(
        ran.out.starts_with(
            "fails (table): column `name` identifies individuals and must not be released; no private value"
        ),
        "{}",
        ran.out
    );
    // It is a breach with any requirement, and without one.
    assert_eq!(audit(table, POLICY, &[]).status, 1);
    assert_eq!(audit(table, POLICY, &["--k", "2", "--without", "name"]).status, 0);
}

#[test]
fn columns_that_nobody_judged_are_listed_with_how_identifying_they_are() {
    let table = "zip,note,extra,ill\n1,a,x,flu\n1,b,x,none\n1,b,y,none\n1,b,,none\n";
    let ran = audit(table, POLICY, &["--k", "4", "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let listed = serde_json::json!([
        { "column": "note", "why": "ignored", "values": 2, "singled_out": 1 },
        { "column": "extra", "why": "unlisted", "values": 3, "singled_out": 2 },
    ]);
    assert_eq!(ran.json()["not_judged"], listed);
    let ran = audit(table, POLICY, &["--k", "4"]);
    let headline = ran.out.lines().next().unwrap_or_default();
    assert!(headline.ends_with("; 2 columns not checked (`extra` singles out 2 individuals)"), "{headline}");
    let accepted = POLICY.replace(
        "note = { role = \"ignored\" }",
        "note = { role = \"ignored\", harmless = true }\nextra = { role = \"ignored\", harmless = true }",
    );
    let ran = audit(table, &accepted, &["--k", "4", "--json"]);
    assert!(ran.status == 0 && ran.json().get("not_judged").is_none(), "{}", ran.out);
}

#[test]
fn an_unlisted_column_is_refused_unless_it_is_left_out() {
    let policy = POLICY.replace("unlisted = \"ignored\"\n", "");
    let table = "zip,secret,ill\n1,a,flu\n1,b,none\n";
    let ran = audit(table, &policy, &["--k", "2"]);
    assert!(
        ran.status == 2 && ran.err.contains("attribute `secret`: the policy does not mention"),
        "{}",
        ran.err
    );
    assert_eq!(audit(table, &policy, &["--k", "2", "--without", "secret"]).status, 0);
    let ran = audit(table, &policy, &["--k", "2", "--without", "secret,sceret"]);
    assert!(ran.status == 2 && ran.err.contains("`sceret`"), "{}", ran.err);
}

#[test]
fn only_ignored_columns_can_be_harmless() {
    let ran = audit(
        "zip,ill\n1,flu\n",
        &POLICY.replace("role = \"public\"", "role = \"public\", harmless = true"),
        &[],
    );
    assert!(ran.status == 2 && ran.err.contains("harmless"), "{}", ran.err);
}

/// Ten rows of one patient are one individual's, however the table is audited.
#[test]
fn rows_of_one_individual_are_never_a_crowd() {
    let policy = format!("subject = \"who\"\n{POLICY}");
    let rows: String = (0..10).map(|i| format!("p1,1,{}\n", ["flu", "none"][i % 2])).collect();
    let with = format!("who,zip,ill\n{rows}");
    let ran = audit(&with, &policy, &["--json"]);
    let json = ran.json();
    assert_eq!((ran.status, &json["k"], &json["individuals"]), (1, &1.into(), &1.into()), "{}", ran.err);
    assert_eq!(json["column_breaches"][0]["role"], "subject");
    // Counted by the column that is left out.
    let ran = audit(&with, &policy, &["--k", "2", "--without", "who", "--json"]);
    assert_eq!((ran.status, &ran.json()["k"]), (1, &1.into()), "{}", ran.err);
    let two = format!("{with}p2,1,flu\n");
    let ran = audit(&two, &policy, &["--k", "2", "--without", "who", "--json"]);
    assert_eq!(
        (ran.status, &ran.json()["k"], &ran.json()["rows"]),
        (0, &2.into(), &11.into()),
        "{}",
        ran.err
    );
    // Without the column nothing can be counted.
    let ran = audit(&with.replace("who,", "").replace("p1,", ""), &policy, &["--k", "10"]);
    assert!(ran.status == 2 && ran.err.contains("`who`"), "{}", ran.err);
}

/// Comments and skipped lines are released with the table, and are not judged.
#[test]
fn lines_that_are_not_read_are_mentioned() {
    let folder = Folder::new();
    let audit = |name: &str, text: &str, more: &str| {
        let policy = folder.file("policy.toml", format!("{POLICY}{more}"));
        let table = folder.file(name, text);
        incrowd(&["audit", "--table", &table, "--policy", &policy, "--k", "2"])
    };
    let arff = "% made by Ann\n@relation r\n@attribute zip numeric\n@attribute ill {flu,none}\n@data\n1,flu\n\
                % next: Bea\n1,none\n";
    let plain = "zip,ill\n1,flu\n1,none\n";
    let commented = "about Ann\nzip,ill\n1,flu\n#Bea\n1,none\n";
    let lines = "[file]\nmissing = []\ncomment = \"#\"\nskip-lines = 1\n";
    for (name, text, more) in [("t.arff", arff, ""), ("t.csv", commented, lines)] {
        let ran = audit(name, text, more);
        assert!(ran.status == 0 && ran.err.contains("does not check them (2)"), "{name}: {}", ran.err);
        assert!(!ran.err.contains("Bea") && !ran.err.contains("Ann"), "{}", ran.err);
    }
    let ran = audit("t.csv", plain, "");
    assert!(ran.status == 0 && !ran.err.contains("comments"), "{}", ran.err);
}

/// Where all have the same private value, anyone who reads the table knows it.
#[test]
fn a_private_column_with_one_value_is_mentioned() {
    let table = "zip,ill\n1,flu\n1,flu\n2,flu\n2,flu\n";
    let ran = audit(table, POLICY, &["--k", "2"]);
    assert!(ran.status == 0 && ran.err.contains("same value of `ill`"), "{}", ran.err);
    assert!(!ran.err.contains("flu"), "{}", ran.err);
    let declared = POLICY
        .replace("ill = { role = \"private\"", "ill = { role = \"private\", values = [\"flu\", \"none\"]");
    let ran = audit(table, &declared, &["--k", "2", "--json"]);
    assert!(!ran.err.contains("same value of") && ran.json()["exposed"] == 4, "{}", ran.err);
    let ran = audit("zip,ill\n1,*\n1,*\n", POLICY, &["--k", "2"]);
    assert!(!ran.err.contains("same value of"), "{}", ran.err);
}

/// An attacker knows a public attribute, and what follows from it, whether the table has it or not.
#[test]
fn what_follows_from_a_column_left_out_stays_known() {
    let policy = "[attributes]\nzip = { role = \"public\" }\nage = { role = \"public\" }\ncity = { role = \"private\" }\nill = { role = \"private\" }\n\
                  [[dependencies]]\nfrom = [\"zip\"]\nto = \"city\"\n";
    let table = "zip,age,city,ill\n1,9,a,flu\n2,9,b,none\n";
    let k = |flags: &[&str]| audit(table, policy, &[flags, &["--json"]].concat()).json()["k"].clone();
    assert_eq!((k(&["--without", "zip"]), k(&["--without", "zip,city"])), (1.into(), 2.into()));
}

/// A public column that was removed from a table is left out of its audit by name, and divides no groups.
#[test]
fn a_table_without_a_public_column_is_audited_without_it() {
    let policy = "[attributes]\nzip = { role = \"public\" }\nborn = { role = \"public\" }\nill = { role = \"private\" }\n\
                  [guarantee]\nk = 2\n";
    let table = "zip,ill\n1,flu\n1,none\n2,flu\n2,none\n";
    let ran = audit(table, policy, &[]);
    assert!(
        ran.status == 2 && ran.err.contains("leave it out of the audit as well (--without)"),
        "{}",
        ran.err
    );
    let ran = audit(table, policy, &["--without", "born", "--json"]);
    assert_eq!((ran.status, &ran.json()["k"]), (0, &2.into()), "{}", ran.err);
    // The same as if the column were there and left out.
    let whole = "zip,born,ill\n1,a,flu\n1,b,none\n2,c,flu\n2,d,none\n";
    let left_out = audit(whole, policy, &["--without", "born", "--json"]).json();
    for figure in ["k", "spans", "exposed", "holds"] {
        assert_eq!(ran.json()[figure], left_out[figure], "{figure}");
    }
    // An attacker who knows when individuals were born knows which illnesses are possible: this cannot be judged.
    let tied = format!("{policy}[[dependencies]]\nfrom = [\"born\", \"ill\"]\nto = \"zip\"\n");
    for table in [table, whole] {
        let ran = audit(table, &tied, &["--without", "born"]);
        assert!(ran.status == 2 && ran.err.contains("private values are possible for whom"), "{}", ran.err);
    }
    let ran = audit(whole, policy, &["--without", "bron"]);
    assert!(ran.status == 2 && ran.err.contains("no such column to leave out"), "{}", ran.err);
}

/// An attacker distinguishes everything that the file distinguishes.
#[test]
fn blanks_quotes_and_marks_are_told_apart() {
    let policy = format!("{POLICY}[file]\nmissing = [\"?\", \"\"]\nmissing-rows = \"keep\"\n");
    let k = |cells: &[&str]| {
        let rows: String = cells.iter().map(|cell| format!("{cell},flu\n{cell},none\n")).collect();
        let json = audit(&format!("zip,ill\n{rows}"), &policy, &["--json"]).json();
        (json["k"].as_u64().unwrap_or(0), json["spans"].as_u64().unwrap_or(0))
    };
    assert_eq!(k(&["10", "10"]), (4, 1));
    for pair in [
        ["10", "10 "],
        ["10", " 10"],
        ["10", "\"10\""],
        ["\"\"", ""],
        ["?", ""],
        ["?", "\"?\""],
        ["10", "10.0"],
    ] {
        assert_eq!(k(&pair), (2, 2), "{pair:?}");
    }
}

/// To leave private columns out is the safest thing to do, whether the guarantee names them or not.
#[test]
fn private_columns_may_be_left_out_of_a_table() {
    let policy = |of: &str| {
        format!(
            "[attributes]\nzip = {{ role = \"public\" }}\nill = {{ role = \"private\" }}\ncost = {{ role = \"private\", \
             kind = \"numeric\" }}\nallergy = {{ role = \"private\" }}\n[guarantee]\nk = 2\ndistinct-l = 2\n{of}\n"
        )
    };
    let table = "zip,ill\n1,flu\n1,none\n2,flu\n2,none\n";
    for of in ["of = \"all\"", ""] {
        let ran = audit(table, &policy(of), &[]);
        assert_eq!(ran.status, 0, "{of}: {}", ran.err);
        let note =
            "the table does not contain the private columns cost and allergy: it reveals nothing about them";
        assert!(ran.err.contains(note), "{of}: {}", ran.err);
    }
    for of in ["of = [\"ill\", \"cost\"]", "of = \"all\"\nexcept = [\"allergy\"]"] {
        let ran = audit(table, &policy(of), &[]);
        assert_eq!(ran.status, 0, "{of}: {}", ran.err);
        let note = "does not contain the private column allergy: it reveals nothing about it";
        assert!(ran.err.contains(note) && ran.err.contains("does not contain `cost`"), "{of}: {}", ran.err);
    }
    let bare = audit("zip\n1\n1\n", &policy("of = \"all\""), &[]);
    assert_eq!(bare.status, 0, "{}", bare.err);
    let headline = "table: k = 2 holds for all 2 individuals; distinct l = 2: nothing to check, because the release has no \
                    private attribute that it applies to; no private value can be inferred with certainty";
    assert!(bare.out.starts_with(headline), "{}", bare.out);
    assert!(bare.out.contains("  distinct l = 2  nothing to check\n"), "{}", bare.out);
    // A public column is still needed.
    assert_eq!(audit("ill\nflu\nnone\n", &policy(""), &[]).status, 2);
}
