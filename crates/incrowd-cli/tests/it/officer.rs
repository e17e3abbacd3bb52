//! What a privacy officer sees who uses the program for the first time.

use crate::{Folder, incrowd};
use std::fmt::Write;

/// A class that nearly all have in common does not raise the cap of the other private columns.
#[test]
fn a_skewed_class_is_left_out_of_the_first_cap() {
    let mut pupils = "age,sex,medication,promoted\n".to_owned();
    for row in 0..600_u32 {
        let medication = ["none", "asthma", "migraine", "allergy", "none"][(row * 7 % 5) as usize];
        let promoted = if row % 43 == 0 { "no" } else { "yes" };
        let _ =
            writeln!(pupils, "{},{},{medication},{promoted}", 6 + row % 11, ["f", "m"][(row % 2) as usize]);
    }
    let folder = Folder::new();
    let (data, policy) = (folder.file("pupils.csv", &pupils), folder.path("policy.toml"));
    assert_eq!(incrowd(&["profile", &data, "--out", &policy]).status, 0);
    let text = std::fs::read_to_string(&policy).unwrap();
    assert!(text.contains("class = \"promoted\"\n"), "{text}");
    assert!(text.contains("\nconfidence = 0.7\nof = \"all\"\nexcept = [\"promoted\"]\n"), "{text}");
    assert!(text.contains("in the whole table: medication 40.0 %.\n"), "{text}");
    assert!(text.contains("nearly all individuals have the same value: promoted 97.7 %."), "{text}");
    assert!(text.contains("replace `confidence` by `beta`, which limits how much"), "{text}");
    let out = folder.path("released.csv");
    let made =
        incrowd(&["table", "--data", &data, "--policy", &policy, "--method", "mondrian", "--out", &out]);
    assert!(
        made.out.contains("confidence <= 0.7 of medication hold for all 600"),
        "{}{}",
        made.out,
        made.err
    );
    // Without another private column, there is nothing whose cap it raises.
    let alone = pupils.replace("medication", "room").replace("asthma", "none");
    let data = folder.file("alone.csv", alone);
    assert_eq!(incrowd(&["profile", &data, "--out", &policy, "--force"]).status, 0);
    let text = std::fs::read_to_string(&policy).unwrap();
    assert!(text.contains("\nconfidence = 0.99\nof = \"all\"\n") && !text.contains("except"), "{text}");
}

/// A cap on single values does not protect salaries that are all different.
#[test]
fn a_cap_on_numbers_that_all_differ_is_warned_about() {
    let mut pay = "age,office,salary,bonus,ill\n".to_owned();
    for row in 0..240_u32 {
        let salary = f64::from(200_000 + row * 7919 % 100_003) / 100.0;
        let ill = ["yes", "no", "no"][(row % 3) as usize];
        let _ = writeln!(
            pay,
            "{},{},{salary},{},{ill}",
            20 + row % 40,
            ["n", "s"][(row % 2) as usize],
            20 + row % 13
        );
    }
    let roles = "[attributes.age]\nrole = \"public\"\n[attributes.office]\nrole = \"public\"\n\
                 [attributes.salary]\nrole = \"private\"\n[attributes.bonus]\nrole = \"private\"\n\
                 [attributes.ill]\nrole = \"private\"\n";
    let folder = Folder::new();
    let data = folder.file("pay.csv", &pay);
    let made = |guarantee: &str| {
        let text = format!("class = \"ill\"\n{roles}[guarantee]\nk = 10\n{guarantee}\nof = \"all\"\n");
        let (policy, out) = (folder.file("policy.toml", text), folder.path("out.csv"));
        let files = ["--data", &data, "--policy", &policy, "--method", "mondrian", "--out", &out, "--force"];
        let table = incrowd(&[&["table"], &files[..]].concat());
        assert_eq!(table.status, 0, "{}", table.err);
        let audit = incrowd(&["audit", "--table", &out, "--policy", &policy]);
        assert_eq!(audit.status, 0, "{}", audit.err);
        [table.err, audit.err]
    };
    let warning = |limit: &str| {
        format!(
            "`salary` has nearly as many different values as there are individuals, so a limit on single values \
             ({limit}) does not protect them: round the values, or remove the column"
        )
    };
    for err in made("confidence = 0.9") {
        assert!(err.contains(&warning("confidence <= 0.9")), "{err}");
    }
    for err in made("distinct-l = 2") {
        assert!(err.contains(&warning("distinct l = 2")), "{err}");
    }
    // Closeness in their order does protect them.
    for err in made("t-closeness = 0.5\nt-distance = \"ordered\"") {
        assert!(!err.contains("different values"), "{err}");
    }
}

/// A tree that is one leaf reveals nothing but the class, and still exposes customers with many rows.
#[test]
fn exposure_of_individuals_with_several_rows_is_explained() {
    let mut baskets = "customer,age,apples\n".to_owned();
    for row in 0..1200_u32 {
        let apples = if row % 13 == 0 { "no" } else { "yes" };
        let _ = writeln!(baskets, "c{:03},{},{apples}", row / 20, 20 + row / 20 % 3);
    }
    let folder = Folder::new();
    let data = folder.file("baskets.csv", &baskets);
    let policy = folder.file(
        "policy.toml",
        "class = \"apples\"\nsubject = \"customer\"\n[attributes.customer]\nrole = \"identifier\"\n\
         [attributes.age]\nrole = \"public\"\n[attributes.apples]\nrole = \"private\"\n[guarantee]\nk = 10\n",
    );
    let (out, files) = (folder.path("tree.json"), ["--data", &data, "--policy", &policy]);
    let tree = incrowd(&[&["tree", "--out", &out], &files[..]].concat());
    assert_eq!(tree.status, 0, "{}", tree.err);
    assert!(tree.out.contains("1 (no tests: the leaf is the whole table)"), "{}", tree.out);
    assert!(
        tree.err.contains("it contains only how often each class value occurs in the whole table"),
        "{}",
        tree.err
    );
    let audit = incrowd(&[&["audit", &out], &files[..]].concat());
    for out in [&tree.out, &audit.out] {
        let exposed =
            "at most 60 individuals with a private value in at least one of their rows that can be inferred";
        assert!(out.contains(exposed), "{out}");
        assert!(out.contains("share with its most frequent value (in any row)\n"), "{out}");
    }
    let cap =
        incrowd(&[&["tree", "--out", &folder.path("t.json"), "--confidence", "0.9"], &files[..]].concat());
    let said = "counting individuals who have the value in at least one row";
    assert!(cap.status == 1 && cap.err.contains(said), "{}", cap.err);
}

/// A board that strikes a private column from a release can check the rest of it.
#[test]
fn private_columns_can_be_left_out_of_a_release_with_several_rows() {
    let mut school = "pupil,class,need,meal,grade\n".to_owned();
    for row in 0..600_u32 {
        let pupil = row / 3;
        let need = ["none", "dyslexia", "none", "hearing"][(pupil % 4) as usize];
        let (meal, grade) = (["yes", "no"][(pupil / 2 % 2) as usize], 1 + row * 7 % 6);
        let _ = writeln!(school, "p{pupil:03},{},{need},{meal},{grade}", 5 + pupil % 4);
    }
    let folder = Folder::new();
    let data = folder.file("school.csv", &school);
    let roles = [("pupil", "identifier"), ("class", "public"), ("need", "private"), ("meal", "private")];
    let roles = roles.map(|(name, role)| format!("[attributes.{name}]\nrole = {role:?}\n")).concat();
    let policy = folder.file(
        "policy.toml",
        format!(
            "subject = \"pupil\"\n{roles}[attributes.grade]\nrole = \"private\"\nkind = \"numeric\"\n[guarantee]\n\
             k = 10\nconfidence = 0.9\nof = \"all\"\n"
        ),
    );
    let out = folder.path("out.csv");
    let made =
        incrowd(&["table", "--data", &data, "--policy", &policy, "--method", "mondrian", "--out", &out]);
    assert_eq!(made.status, 0, "{}", made.err);
    let audit = |without: &str| {
        incrowd(&["audit", "--table", &out, "--policy", &policy, "--without", without, "--json"])
    };
    let ran = audit("need,meal");
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(ran.json()["individuals"], 200);
    assert_eq!(ran.json()["confidence_of"], serde_json::json!(["grade"]));
    let ran = audit("class");
    assert!(ran.status == 2 && ran.err.contains("leave out private columns only"), "{}", ran.err);
    // A copy without the column has no release file, and the error says what to audit.
    let copy = folder.file("copy.csv", "class,grade\n5,1\n5,2\n");
    let ran = incrowd(&["audit", "--table", &copy, "--policy", &policy]);
    assert!(ran.status == 2 && ran.err.contains("audit the table as it was made"), "{}", ran.err);
}

/// Who can be linked to a value of a private column that is left out, although a declared dependency ties it to
/// another one, is not stated in the release file, and the error says so.
#[test]
fn a_tied_private_column_cannot_be_left_out_alone() {
    let mut clinic = "who,ward,diagnosis,drug\n".to_owned();
    for row in 0..600_u32 {
        let person = row / 3;
        let diagnosis = (person / 4 + u32::from(person % 5 == 0) * row) % 4;
        let _ = writeln!(clinic, "p{person:03},{},d{diagnosis},g{}", person % 4, diagnosis / 2);
    }
    let folder = Folder::new();
    let data = folder.file("clinic.csv", &clinic);
    let policy = folder.file(
        "policy.toml",
        "subject = \"who\"\n[attributes]\nward = { role = \"public\" }\ndiagnosis = { role = \"private\" }\n\
         drug = { role = \"private\" }\n[[dependencies]]\nfrom = [\"diagnosis\"]\nto = \"drug\"\n\
         [guarantee]\nk = 10\nconfidence = 0.9\nof = \"all\"\n",
    );
    let out = folder.path("out.csv");
    let made =
        incrowd(&["table", "--data", &data, "--policy", &policy, "--method", "mondrian", "--out", &out]);
    assert_eq!(made.status, 0, "{}", made.err);
    let audit = |without: &str| {
        incrowd(&["audit", "--table", &out, "--policy", &policy, "--without", without, "--json"])
    };
    let ran = audit("drug");
    assert!(ran.status == 2 && ran.err.contains("attribute `drug`: this column is left out"), "{}", ran.err);
    let ran = audit("diagnosis,drug");
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(ran.json()["individuals"], 200);
}

/// A copy of a release without its release file has commas and points, whatever the policy says about the source.
#[test]
fn a_copy_of_a_release_is_read_as_it_was_written() {
    let mut pay = "Abteilung;Alter;Gehalt;Konfession\n".to_owned();
    for row in 0..240_u32 {
        let office = ["Finance, Tax", "Sales", "Production"][(row % 3) as usize];
        let faith = ["ev", "rk", "ohne"][(row * 7 % 11 % 3) as usize];
        let _ = writeln!(pay, "{office};{};{},5;{faith}", 20 + row % 40, 20 + row % 13);
    }
    let folder = Folder::new();
    let data = folder.file("pay.csv", &pay);
    let roles = "[attributes.Abteilung]\nrole = \"public\"\n[attributes.Alter]\nrole = \"public\"\nkind = \"numeric\"\n\
                 [attributes.Gehalt]\nrole = \"private\"\nkind = \"numeric\"\n\
                 [attributes.Konfession]\nrole = \"private\"\n[guarantee]\nk = 10\nconfidence = 0.9\nof = \"all\"\n";
    let file = "class = \"Konfession\"\n[file]\ndelimiter = \";\"\ndecimal = \",\"\n";
    let policy = folder.file("policy.toml", format!("{file}{roles}"));
    let out = folder.path("out.csv");
    let made =
        incrowd(&["table", "--data", &data, "--policy", &policy, "--method", "mondrian", "--out", &out]);
    assert_eq!(made.status, 0, "{}", made.err);
    let released = std::fs::read_to_string(&out).unwrap();
    let copy = folder.file("copy.csv", &released);
    let figures = |table: &str| {
        let ran = incrowd(&["audit", "--table", table, "--policy", &policy, "--json"]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let json = ran.json();
        let figures = ["k", "spans", "exposed", "max_confidence", "attributes"].map(|key| json[key].clone());
        (figures, ran.err)
    };
    let ((own, err), (copied, warned)) = (figures(&out), figures(&copy));
    assert_eq!(own, copied);
    let warning = "with commas between cells and points in numbers";
    assert!(warned.contains(warning) && !err.contains(warning), "{warned}");
    // A file that is laid out as the policy states is read like that, even if it is not a release.
    let source = incrowd(&["audit", "--table", &data, "--policy", &policy, "--json"]);
    assert!(source.status == 1 && !source.err.contains(warning), "{}", source.err);
    // Decimal commas in such a copy are not guessed.
    let quoted = folder.file("quoted.csv", released.replace(".5", ",5").replace("ev", "\"ev\""));
    assert_eq!(incrowd(&["audit", "--table", &quoted, "--policy", &policy]).status, 2);
}

/// Numbers with separated thousands are text, and the profile says so.
#[test]
fn separated_thousands_are_named_by_the_profile() {
    for (delimiter, pair) in [(';', ['.', ',']), (',', [',', '.'])] {
        let mut pay = format!("age{delimiter}salary{delimiter}ill\n");
        for row in 0..120_u32 {
            let [thousands, decimal] = pair;
            let salary =
                format!("{}{thousands}{:03}{decimal}{:02}", 20 + row % 7, row * 37 % 1000, row % 100);
            let ill = ["yes", "no"][(row % 2) as usize];
            let _ = writeln!(pay, "{}{delimiter}\"{salary}\"{delimiter}{ill}", 20 + row % 40);
        }
        let folder = Folder::new();
        let (data, policy) = (folder.file("pay.csv", &pay), folder.path("policy.toml"));
        let ran = incrowd(&["profile", &data, "--out", &policy]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        for said in [ran.out, std::fs::read_to_string(&policy).unwrap()] {
            assert!(said.contains("numbers with separated thousands, which are read as text"), "{said}");
        }
    }
}

/// One of something is not several.
#[test]
fn one_is_not_called_several() {
    let folder = Folder::new();
    let policy = |names: &str| {
        let roles = "[attributes.zip]\nrole = \"public\"\n[attributes.ill]\nrole = \"private\"\n";
        folder.file("policy.toml", format!("[file]\nheader = false\nnames = [{names}]\n{roles}"))
    };
    let data = folder.file("one.csv", "1,flu\n");
    let audit = incrowd(&["audit", "--table", &data, "--policy", &policy("\"zip\", \"ill\"")]);
    assert!(audit.out.contains("k = 1 for 1 individual"), "{}", audit.out);
    let other = folder.file("other.csv", "1\n2\n");
    let audit = incrowd(&["audit", "--table", &other, "--policy", &policy("\"zip\", \"ill\"")]);
    assert!(audit.err.contains("2 names are given for 1 column\n"), "{}", audit.err);
}

/// A copy of a release is read with another usual delimiter, whatever the delimiter of the policy.
#[test]
fn a_copy_of_a_release_may_have_another_delimiter() {
    let mut pay = "office,age,salary,faith\n".to_owned();
    for row in 0..240_u32 {
        let (office, faith) = (["tax", "sales"][row as usize % 2], ["ev", "rk"][(row * 7 % 11 % 2) as usize]);
        let _ = writeln!(pay, "{office},{},{}.5,{faith}", 20 + row % 40, 20 + row % 13);
    }
    let folder = Folder::new();
    let data = folder.file("pay.csv", &pay);
    let roles = "[file]\ndelimiter = \",\"\n[attributes]\noffice = { role = \"public\" }\n\
                 age = { role = \"public\", kind = \"numeric\" }\nsalary = { role = \"private\", kind = \"numeric\" }\n\
                 faith = { role = \"private\" }\n[guarantee]\nk = 10\n";
    let policy = folder.file("policy.toml", roles);
    let out = folder.path("out.csv");
    let made =
        incrowd(&["table", "--data", &data, "--policy", &policy, "--method", "mondrian", "--out", &out]);
    assert_eq!(made.status, 0, "{}", made.err);
    let audit = |table: &str| incrowd(&["audit", "--table", table, "--policy", &policy, "--json"]);
    let own = audit(&out).json();
    let released = std::fs::read_to_string(&out).unwrap();
    for (delimiter, name) in [(";", "semicolons"), ("\t", "tabs"), ("|", "bars")] {
        let cells = |line: &str| split(line).join(delimiter) + "\n";
        let copy = folder.file("copy.csv", released.lines().map(cells).collect::<String>());
        let ran = audit(&copy);
        assert!(ran.err.contains(&format!("with {name} between cells")), "{}", ran.err);
        let copied = ran.json();
        for key in ["rows", "k", "spans", "attributes"] {
            assert_eq!(own[key], copied[key], "{key}: {}", ran.err);
        }
    }
    let other = folder.file("other.csv", released.replace(',', "^"));
    let ran = audit(&other);
    assert!(ran.status == 2 && ran.err.contains("`delimiter` under [file] in the policy"), "{}", ran.err);
}

/// The cells of a line of CSV, with their quotes.
fn split(line: &str) -> Vec<String> {
    let (mut cells, mut is_quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        is_quoted ^= letter == '"';
        match cells.last_mut() {
            Some(cell) if letter != ',' || is_quoted => cell.push(letter),
            _ => cells.push(String::new()),
        }
    }
    cells
}
