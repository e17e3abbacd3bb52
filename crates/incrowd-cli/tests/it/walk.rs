//! The walk of a new user: from `profile` to an audited release of tables incrowd was not developed on, without editing
//! the policy.

use crate::{Folder, incrowd};
use std::fmt::Write;

/// Random numbers that are the same everywhere.
struct Draw(u64);

impl Draw {
    fn below(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    fn of<'a>(&mut self, values: &[&'a str]) -> &'a str {
        values[self.below(values.len() as u64) as usize]
    }
}

/// A hospital's encounters: several rows per patient, codes with hundreds of names, a column 97 % missing, dates,
/// postal codes.
fn hospital() -> String {
    let mut draw = Draw(7);
    let mut text = "encounter_id,patient_nbr,gender,age,zip,weight,admitted,diag_1,metformin,glucose,total_charges,readmitted\n"
        .to_owned();
    for row in 0..1500_u64 {
        let patient = row * 2 / 3;
        let mut person = Draw(patient * 7919 + 3);
        let (gender, age) = (person.of(&["F", "M"]), 20 + 5 * person.below(14));
        let zip = 10_000 + 100 * person.below(40);
        let weight = if draw.below(100) < 97 { "?".to_owned() } else { (50 + draw.below(60)).to_string() };
        let admitted = format!("2024-{:02}-{:02}", 1 + draw.below(12), 1 + draw.below(28));
        let diagnosis = format!("{}.{}", 250 + draw.below(60), draw.below(10));
        let drug = draw.of(&["No", "Steady", "Up"]);
        let glucose = if draw.below(50) == 0 {
            String::new()
        } else {
            format!("{}.{}", 4 + draw.below(9), draw.below(10))
        };
        let charges = 1000 + 10 * draw.below(900);
        let readmitted = if draw.below(100) < 30 + age / 2 { "yes" } else { "no" };
        let _ = writeln!(
            text,
            "{},{},{gender},{age},{zip},{weight},{admitted},{diagnosis},{drug},{glucose},{charges},{readmitted}",
            2_000_000 + row * 13,
            8_000_000 + patient * 17
        );
    }
    text
}

/// An application form on which `?` and `-` are answers, and the class is `+` or `-`.
fn form() -> String {
    let mut draw = Draw(11);
    let mut text = "applicant sex,age,guarantor,home,years employed,loan purpose,decision\n".to_owned();
    for _ in 0..600 {
        let age = if draw.below(60) == 0 { "?".to_owned() } else { (18 + draw.below(50)).to_string() };
        let home = draw.of(&["own", "rent", "-"]);
        let decision = if home == "own" || draw.below(3) == 0 { "+" } else { "-" };
        let _ = writeln!(
            text,
            "{},{age},{},{home},{},{},{decision}",
            draw.of(&["f", "m"]),
            draw.of(&["?", "none", "yes"]),
            draw.below(30),
            draw.of(&["car", "house", "?", "school"]),
        );
    }
    text
}

/// What `profile` writes for a table, as text.
fn first_policy(folder: &Folder, data: &str) -> (String, String) {
    let policy = folder.path("policy.toml");
    let ran = incrowd(&["profile", data, "--out", &policy]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    (policy.clone(), std::fs::read_to_string(policy).unwrap())
}

/// Makes a release with a command and audits it; nothing is edited in between.
fn released(folder: &Folder, command: &str, data: &str, policy: &str, rows: u64) {
    let out = folder.path(if command == "table" { "released.csv" } else { "released.json" });
    let ran = incrowd(&[command, "--data", data, "--policy", policy, "--out", &out, "--force", "--json"]);
    assert_eq!(ran.status, 0, "{command}: {}{}", ran.out, ran.err);
    let json = ran.json();
    assert_eq!(json["rows"].as_u64().unwrap() + json["rows_left_out"]["total"].as_u64().unwrap(), rows);
    assert!(json["k"].as_u64().unwrap() >= 10, "{json}");
    let audit = match command {
        "table" => incrowd(&["audit", &folder.path("released.json"), "--policy", policy]),
        _ => incrowd(&["audit", &out, "--data", data, "--policy", policy]),
    };
    assert_eq!(audit.status, 0, "{command}: {}{}", audit.out, audit.err);
    let asked = audit.out.lines().next().unwrap();
    assert!(
        asked.contains("k = 10") && asked.contains("confidence <= ") && asked.contains("hold for all"),
        "{asked}"
    );
    assert!(!asked.contains("safe"), "{asked}");
}

#[test]
fn a_hospital_table_goes_from_profile_to_audited_releases() {
    let folder = Folder::new();
    let data = folder.file("encounters.csv", hospital());
    let profile = incrowd(&["profile", &data, "--json"]).json();
    assert_eq!((&profile["individuals"], &profile["subject"]), (&1000.into(), &"patient_nbr".into()));
    assert!(profile["policy_reads"]["rows"].as_u64().unwrap() > 1400, "{}", profile["policy_reads"]);
    let (policy, text) = first_policy(&folder, &data);
    let section = |name: &str| {
        let from = text.find(&format!("[attributes.{name}]")).unwrap_or_else(|| panic!("{name}: {text}"));
        text[from..].split("\n\n").next().unwrap().to_owned()
    };
    assert!(text.contains("subject = \"patient_nbr\"") && text.contains("confidence = "), "{text}");
    assert!(text.contains("in the whole table (individuals with at least one such row): "), "{text}");
    assert!(section("encounter_id").contains("role = \"identifier\""));
    for private in ["diag_1", "metformin", "glucose", "total_charges", "readmitted"] {
        assert!(section(private).contains("role = \"private\""), "{private}: {text}");
    }
    for public in ["gender", "age", "zip"] {
        assert!(section(public).contains("role = \"public\""), "{public}: {text}");
    }
    assert!(section("zip").contains("taxonomy = { prefix = {} }"), "{text}");
    assert!(section("age").contains("taxonomy = { round = {} }"), "{text}");
    assert!(section("admitted").contains("kind = \"date\"\ntaxonomy = { calendar = {} }"), "{text}");
    released(&folder, "tree", &data, &policy, 1500);
    released(&folder, "table", &data, &policy, 1500);
}

#[test]
fn an_application_form_keeps_its_answers() {
    let folder = Folder::new();
    let data = folder.file("form.csv", form());
    let (policy, text) = first_policy(&folder, &data);
    let stated: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(!stated.concat().contains("\"-\""), "a dash is an answer: {text}");
    assert!(text.contains("# \"-\" is read as a value; if it means that the value is missing"), "{text}");
    assert!(
        text.contains("of = \"all\"") || text.contains("of = ["),
        "private attributes besides the class: {text}"
    );
    assert!(text.contains("class = \"decision\""), "{text}");
    let guarantor =
        text[text.find("[attributes.guarantor]").unwrap()..].split("\n\n").next().unwrap().to_owned();
    assert!(!guarantor.contains("missing"), "a frequent answer is not missing: {guarantor}");
    let show =
        incrowd(&["tree", "--data", &data, "--policy", &policy, "--out", &folder.path("t.json"), "--json"]);
    assert_eq!(show.status, 0, "{}", show.err);
    assert!(show.json()["rows_left_out"]["total"].as_u64().unwrap() <= 30, "{}", show.out);
    released(&folder, "tree", &data, &policy, 600);
    released(&folder, "table", &data, &policy, 600);
}

/// Methods that need something the policy lacks, and k that are too large, are left out with one line per reason.
#[test]
fn a_comparison_of_the_first_policy_never_says_failed() {
    let folder = Folder::new();
    let data = folder.file("form.csv", form());
    let (policy, _) = first_policy(&folder, &data);
    let out = folder.path("report");
    let ran = incrowd(&[
        "compare",
        "--data",
        &data,
        "--policy",
        &policy,
        "--out",
        &out,
        "--cv",
        "2",
        "--k",
        "5,5000",
        "--methods",
        "best,tds,mondrian",
        "--inducers",
        "naive-bayes",
    ]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(!ran.out.contains("failed") && !ran.err.contains("failed"), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("k = 5000 is left out: the largest k possible is"), "{}", ran.err);
    assert!(
        !ran.err.contains("tds") && !ran.err.contains("mondrian"),
        "every method makes a release: {}",
        ran.err
    );
}

/// File-wide marks, one of them a class value and one frequent, left a table of one class, or next to none of it.
#[test]
fn rows_left_out_are_told_and_too_many_are_refused() {
    let folder = Folder::new();
    let rows = |missing: u32| {
        let row = |i: u32| {
            format!(
                "{},{}\n",
                if i < missing { "?".to_owned() } else { (i % 9).to_string() },
                ["yes", "no"][i as usize % 2]
            )
        };
        format!("age,ill\n{}", (0..100).map(row).collect::<String>())
    };
    let policy = |more: &str| {
        format!(
            "class = \"ill\"\n[file]\nmissing = [\"?\", \"no\"]\nmissing-rows = \"drop\"\n{more}[attributes.age]\nrole = \"public\"\n\
             kind = \"numeric\"\n[attributes.ill]\nrole = \"private\"\nmissing = []\n[guarantee]\nk = 5\n"
        )
    };
    let tree = |missing: u32, policy: &str| {
        let (data, policy) = (folder.file("t.csv", rows(missing)), folder.file("p.toml", policy));
        incrowd(&["tree", "--data", &data, "--policy", &policy, "--out", &folder.path("o.json"), "--force"])
    };
    let few = tree(4, &policy(""));
    assert_eq!(few.status, 0, "{}", few.err);
    assert!(few.out.contains("4 of 100 rows (4.0 %) with a missing value in age (4)"), "{}", few.out);
    assert!(!few.err.contains("left out"), "{}", few.err);
    let many = tree(10, &policy(""));
    assert!(many.status == 0 && many.err.contains("warning: 10 of 100 rows (10.0 %)"), "{}", many.err);
    let most = tree(30, &policy(""));
    assert!(
        most.status == 2
            && most
                .err
                .contains("30 of 100 rows (30.0 %) with a missing value in age (30) would be left out"),
        "{}",
        most.err
    );
    assert!(most.err.contains("max-rows-left-out = 0.30"), "{}", most.err);
    let allowed = tree(30, &policy("max-rows-left-out = 0.3\n"));
    assert_eq!(allowed.status, 0, "{}", allowed.err);
    let one_class = policy("max-rows-left-out = 0.6\n").replace("missing = []\n", "");
    let ran = tree(0, &one_class);
    assert!(ran.status == 2 && ran.err.contains("all other rows have the same class value"), "{}", ran.err);
}

/// Empty cells do not make baskets of a table.
#[test]
fn a_table_with_empty_cells_is_no_file_of_baskets() {
    let folder = Folder::new();
    let rows: String = (0..90)
        .map(|i| format!("{},{}\n", if i % 3 == 0 { "7.1" } else { "" }, ["NO", ">30"][i % 2]))
        .collect();
    let data = folder.file("encounters.csv", format!("hba1c,readmitted\n{rows}"));
    let ran = incrowd(&["profile", &data, "--json"]);
    assert!(ran.status == 0 && ran.json()["columns"].is_array(), "{}{}", ran.out, ran.err);
}

/// A value of the owner's table that the policy rules out is an error in every command, and is not shown.
#[test]
fn values_against_the_policy_are_refused() {
    let folder = Folder::new();
    let data =
        folder.file("d.csv", "g,n,y,c\n".to_owned() + &"f,1,x,u\nm,0.5,zz,v\nf,77,x,v\nm,2,y,u\n".repeat(5));
    for (of_n, of_y, name) in [
        ("whole = true", "", "`n`"),
        ("range = [0, 9]", "", "`n`"),
        ("values = [\"1\", \"2\"]", "", "`n`"),
        ("", "values = [\"x\", \"y\"]", "`y`"),
    ] {
        let policy = folder.file(
            "policy.toml",
            format!("class = \"c\"\n[attributes.g]\nrole = \"public\"\n[attributes.n]\nrole = \"private\"\n{of_n}\n[attributes.y]\nrole = \"private\"\n{of_y}\n[attributes.c]\nrole = \"private\"\n"),
        );
        for command in ["tree", "table"] {
            let out = folder.path(if command == "table" { "out.csv" } else { "out.json" });
            let ran = incrowd(&[
                command, "--data", &data, "--policy", &policy, "--k", "2", "--out", &out, "--force",
            ]);
            assert!(
                ran.status == 2 && ran.err.contains("that the policy allows") && ran.err.contains(name),
                "{command}: {}",
                ran.err
            );
            let said = ran.err.replace(&data, "");
            assert!(!said.contains("zz") && !said.contains("77"), "{said}");
        }
    }
}

#[test]
fn baskets_are_recognized() {
    let folder = Folder::new();
    let lines: String = (0..60)
        .map(|i| ["milk,bread\n", "bread\n", "milk,insulin,beer\n", "beer,bread,milk,eggs\n"][i % 4])
        .collect();
    let data = folder.file("baskets.csv", lines);
    let policy = folder.path("policy.toml");
    let ran = incrowd(&["profile", &data, "--out", &policy]);
    assert!(ran.status == 0 && ran.out.contains("contains baskets"), "{}{}", ran.out, ran.err);
    let text = std::fs::read_to_string(&policy).unwrap();
    assert!(text.contains("[items]") && text.contains("private = [\"insulin\"]"), "{text}");
    let out = folder.path("rules.json");
    let ran = incrowd(&[
        "rules",
        "--data",
        &data,
        "--policy",
        &policy,
        "--min-support",
        "0.1",
        "--min-confidence",
        "0.5",
        "--out",
        &out,
    ]);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    assert_eq!(incrowd(&["audit", &out, "--data", &data, "--policy", &policy]).status, 0);
}
