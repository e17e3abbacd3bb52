//! What errors advise, and what they call flags, files and numbers.

use crate::{Folder, incrowd};

const ROLES: &str =
    "class = \"ill\"\n[attributes.age]\nrole = \"public\"\n[attributes.ill]\nrole = \"private\"\n";

/// A table of 12 individuals, its policy, and a tree.
struct Clinic {
    folder: Folder,
    data: String,
    policy: String,
    tree: String,
}

impl Clinic {
    fn new() -> Self {
        let folder = Folder::new();
        let rows: String = (0..12).map(|row| format!("{},{}\n", row % 4, ["no", "yes"][row % 2])).collect();
        let data = folder.file("t.csv", format!("age,ill\n{rows}"));
        let policy = folder.file("policy.toml", format!("{ROLES}[guarantee]\nk = 2\n"));
        let tree = folder.path("tree.json");
        let ran = incrowd(&["tree", "--data", &data, "--policy", &policy, "--out", &tree]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        Self { folder, data, policy, tree }
    }

    /// Runs a command on the table, which writes to a file.
    fn mine(&self, command: &str, out: &str, flags: &[&str]) -> String {
        let files = [command, "--data", &self.data, "--policy", &self.policy, "--out", out];
        refused(&[&files[..], flags].concat())
    }

    fn audit(&self, flags: &[&str]) -> String {
        refused(&[&["audit", "--table", &self.data, "--policy", &self.policy], flags].concat())
    }

    fn audit_of(&self, release: &str) -> String {
        refused(&["audit", release, "--data", &self.data, "--policy", &self.policy])
    }
}

/// The error of a command that is refused.
fn refused(arguments: &[&str]) -> String {
    let ran = incrowd(arguments);
    assert_eq!(ran.status, 2, "{arguments:?}: {}{}", ran.out, ran.err);
    ran.err
}

#[track_caller]
fn says(error: &str, parts: &[&str]) {
    assert!(parts.iter().all(|part| error.contains(part)), "{parts:?} are not all in\n{error}");
}

#[test]
fn parameters_are_called_by_their_flags() {
    let clinic = Clinic::new();
    let out = clinic.folder.path("out");
    says(&clinic.mine("compare", &out, &["--k", "5,0"]), &["--k: k must be at least 1"]);
    says(&clinic.mine("compare", &out, &["--methods", "bset"]), &["--methods: unknown method `bset`"]);
    says(&clinic.mine("compare", &out, &["--inducers", "c5"]), &["--inducers: unknown inducer `c5`"]);
    says(&clinic.mine("compare", &out, &["--cv", "often"]), &["--cv: unknown protocol `often`"]);
    let clusters = clinic.folder.path("c.json");
    let files = ["clusters", "--data", &clinic.data, "--policy", &clinic.policy, "--out", &clusters];
    assert_eq!(incrowd(&files).status, 0);
    let plane = |names| refused(&["show", &clusters, "--as", "svg", "--plane", names]);
    says(&plane("age"), &["--plane: a picture needs exactly two attributes", "name two, such as age,cost"]);
    says(&plane("age,aeg"), &["--plane, attribute `aeg`: the clusters have no numeric attribute"]);
}

#[test]
fn numbers_that_are_none_are_answered_with_the_smallest() {
    says(&refused(&["audit", "x", "--k", "-3"]), &["'--k <N>': give a whole number of at least 1"]);
    says(&refused(&["audit", "x", "--seed", "-3"]), &["'--seed <N>': give a whole number of at least 0"]);
    says(&refused(&["show", "x", "--depth", ""]), &["'--depth <N>': give a whole number of at least 0"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_to_is_not_missing() {
    let clinic = Clinic::new();
    says(&clinic.mine("tree", "/proc/out.json", &[]), &["/proc/out.json: the folder cannot be written to"]);
    says(&refused(&["man", "--out", "/proc/none"]), &["/proc/none: the folder cannot be written to"]);
    says(&clinic.mine("tree", "/proc/none/o.json", &[]), &["the folder to write to does not exist"]);
}

#[test]
fn empty_inputs_are_called_empty() {
    let clinic = Clinic::new();
    let out = clinic.folder.path("o.json");
    let ran = ["tree", "--data", "-", "--policy", &clinic.policy, "--out", &out];
    says(&refused(&ran), &["standard input is empty", "pipe a table to it"]);
    let onnx = clinic.folder.file("e.onnx", "");
    says(&clinic.audit_of(&onnx), &["e.onnx: the file is empty"]);
}

#[test]
fn models_of_other_encodings_and_shapes_are_named() {
    let clinic = Clinic::new();
    let pmml = clinic.folder.file("m.pmml", b"<PMML><Header description=\"B\xFCrge\"/></PMML>");
    says(&clinic.audit_of(&pmml), &["the text is not UTF-8", "save the file in this encoding"]);
    let text = std::fs::read_to_string(&clinic.tree).unwrap();
    let start = text.find("\"nodes\"").expect("nodes");
    let digit = start + text[start..].find("\"counts\": [").expect("counts") + "\"counts\": [".len();
    let changed = |with: &str| {
        let end = digit + text[digit..].find([',', ']']).expect("an end");
        clinic.folder.file("changed.json", format!("{}{with}{}", &text[..digit], &text[end..]))
    };
    says(
        &clinic.audit_of(&changed("-1")),
        &["found a negative number, expected a whole number of at least 0"],
    );
    says(&clinic.audit_of(&changed("\"1\"")), &["found a string, expected a whole number of at least 0"]);
}

#[test]
fn names_of_columns_come_with_where_they_are_named() {
    let clinic = Clinic::new();
    let policy = |text: String| clinic.folder.file("other.toml", text);
    let audit = |policy: &str| refused(&["audit", "--table", &clinic.data, "--policy", policy, "--k", "2"]);
    let subject = policy(format!("subject = \"mrn\"\n{ROLES}"));
    let tree = ["tree", "--data", &clinic.data, "--policy", &subject, "--out", &clinic.folder.path("o.json")];
    says(
        &refused(&tree),
        &["attribute `mrn`: the file has no such column, which the policy names as its `subject`"],
    );
    let identifier = policy(ROLES.replace("\"private\"", "\"identifier\""));
    says(&audit(&identifier), &["name another class, or give `ill` the role public or private"]);
    let taxonomy = policy(ROLES.replacen("\"public\"\n", "\"public\"\ntaxonomy = \"none.csv\"\n", 1));
    says(&audit(&taxonomy), &["none.csv", "no such taxonomy file", "check the path", "line 4, column 12"]);
    let twice = clinic.folder.file("twice.csv", "age,age,ill\n1,2,yes\n3,4,no\n");
    let audit = ["audit", "--table", &twice, "--policy", &clinic.policy];
    says(&refused(&audit), &["rename the columns in the file, or set `names` under [file] in the policy"]);
    says(&refused(&["profile", &twice]), &["rename the columns in the file; if the first line is a row"]);
}

#[test]
fn scopes_with_a_name_stand_alone() {
    let clinic = Clinic::new();
    says(
        &clinic.audit(&["--distinct-l", "2", "--of", "all,class"]),
        &["--of: `all` cannot be combined with other names", "alone"],
    );
    says(&clinic.audit(&["--distinct-l", "2", "--of", ""]), &["--of: a name of an attribute is empty"]);
}

#[test]
fn ledgers_say_what_they_cannot_record() {
    let clinic = Clinic::new();
    let (out, ledger) = (clinic.folder.path("o.json"), clinic.folder.path("l.jsonl"));
    let rest = ["--policy", &clinic.policy, "--out", &out, "--ledger", &ledger];
    let both =
        ["tree", "--data", &clinic.data, "--data", &clinic.folder.file("u.csv", "age,ill\n1,no\n1,no\n")];
    says(
        &refused(&[&both[..], &rest].concat()),
        &["--ledger", "several data files cannot be used with a ledger"],
    );
    // A report is not a ledger.
    let report = clinic.folder.path("board.json");
    let flags = ["--data", &clinic.data, "--policy", &clinic.policy, "--out", &report];
    assert_eq!(incrowd(&[&["report", &clinic.tree], &flags[..]].concat()).status, 0);
    says(&refused(&["ledger", &report]), &["board.json, line 1: this is not a ledger of incrowd"]);
    // Files that differ are counted.
    std::fs::write(&clinic.tree, "{}").unwrap();
    let ran = incrowd(&["verify", &report, &clinic.tree]);
    assert!(ran.status == 1 && ran.out.starts_with("1 file differs from the report of "), "{}", ran.out);
}

#[test]
fn reports_count_the_groups_that_break_the_guarantee() {
    let clinic = Clinic::new();
    let report = clinic.folder.path("board.md");
    let flags = ["--data", &clinic.data, "--policy", &clinic.policy, "--out", &report, "--k", "5000"];
    let ran = incrowd(&[&["report", &clinic.tree], &flags[..]].concat());
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.out.contains("Do not publish it."), "{}", ran.out);
    assert!(ran.out.contains("Not met: k = 5,000 (") && ran.out.contains("break"), "{}", ran.out);
}

#[test]
fn undecided_roles_have_one_wording() {
    let clinic = Clinic::new();
    let text =
        format!("{ROLES}[guarantee]\nk = 2\n").replacen("\"public\"\n", "\"public\"\nundecided = true\n", 1);
    let policy = clinic.folder.file("undecided.toml", text);
    let warning = "the role of age is undecided, so it is treated as public (not protected); decide, and delete \
                   `undecided` in the policy";
    let ran = incrowd(&["policy", "check", &policy]);
    assert!(ran.err.contains(warning), "{}{}", ran.out, ran.err);
    let ran = incrowd(&["audit", "--table", &clinic.data, "--policy", &policy]);
    assert!(ran.err.contains(warning), "{}", ran.err);
}

/// Rows without a class can be left out alone.
#[test]
fn rows_without_a_class_are_counted_and_can_be_left_out() {
    let folder = Folder::new();
    let policy = |of_class: &str| {
        format!(
            "class = \"c d\"\n[file]\nmissing = [\"?\"]\nmissing-rows = \"keep\"\n[attributes.a]\nrole = \"public\"\n\
             [attributes.\"c d\"]\nrole = \"private\"\n{of_class}[guarantee]\nk = 2\n"
        )
    };
    let table = folder.file("t.csv", format!("a,c d\n?,k\nx,?\n{}", "x,k\ny,l\n".repeat(8)));
    let out = folder.path("out.json");
    let mine = |of_class: &str| {
        let policy = folder.file("p.toml", policy(of_class));
        incrowd(&["tree", "--data", &table, "--policy", &policy, "--out", &out, "--json"])
    };
    let refused = mine("");
    says(
        &refused.err,
        &[
            "attribute `c d`: 1 of 18 rows (5.6 %) has no class",
            "missing-rows = \"drop\" under [attributes.\"c d\"]",
        ],
    );
    let ran = mine("missing-rows = \"drop\"\n");
    assert_eq!((ran.status, &ran.json()["rows"]), (0, &17.into()), "{}", ran.err);
}

/// A tree without tests says whether the guarantee is the cause.
#[test]
fn a_single_leaf_says_why() {
    let folder = Folder::new();
    let policy = folder.file(
        "p.toml",
        "class = \"c\"\n[attributes]\na = { role = \"public\" }\nb = { role = \"public\" }\nc = { role = \"private\" }\n",
    );
    let signal = folder.file("signal.csv", format!("a,b,c\n{}", "1,5,k\n2,5,l\n".repeat(20)));
    let noise = folder.file("noise.csv", format!("a,b,c\n{}", "1,5,k\n1,5,l\n2,5,l\n2,5,k\n".repeat(20)));
    let mine = |table: &str, more: &[&str]| {
        let out = folder.path("out.json");
        let ran = incrowd(
            &[&["tree", "--data", table, "--policy", &policy, "--out", &out, "--force"], more].concat(),
        );
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.err
    };
    says(&mine(&signal, &["--k", "30"]), &["with k = 1 and no other requirement it would have tests"]);
    says(&mine(&noise, &["--k", "5"]), &["so the guarantee is not the cause"]);
    says(&mine(&signal, &["--k", "5", "--max-leaves", "1"]), &["it may have no more leaves"]);
    let refused = incrowd(&[
        "tree",
        "--data",
        &signal,
        "--policy",
        &policy,
        "--k",
        "2",
        "--out",
        &folder.path("x.csv"),
    ]);
    says(&refused.err, &["x.csv: a model is written as JSON", "ends in .json"]);
}

/// What the first line says to Excel, and titles above a header, are no cells.
#[test]
fn lines_above_the_header_are_skipped() {
    let folder = Folder::new();
    let rows = "age;ill\n1;no\n2;yes\n1;no\n2;yes\n";
    let names = |text: String, flags: &[&str]| {
        let data = folder.file("t.csv", text);
        let ran = incrowd(&[&["profile", &data, "--json"], flags].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        let columns = ran.json()["columns"].as_array().expect("columns").clone();
        columns.iter().map(|column| column["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(format!("sep=;\r\n{rows}"), &[]), ["age", "ill"]);
    assert_eq!(names(format!("Report;\nof 2026;\n{rows}"), &["--skip-lines", "2"]), ["age", "ill"]);
}

/// Codes are not numbers, in any command.
#[test]
fn leading_zeros_are_kept() {
    let folder = Folder::new();
    let policy = folder.file(
        "p.toml",
        "[attributes]\na = { role = \"public\" }\nb = { role = \"private\" }\n[guarantee]\nk = 2\n",
    );
    let out = folder.path("out.csv");
    let mine = |rows: &str| {
        let table = folder.file("t.csv", format!("a,b\n{}", rows.repeat(3)));
        incrowd(&["table", "--method", "mondrian", "--data", &table, "--policy", &policy, "--out", &out])
    };
    let ran = mine("01067,007\n01067,12\n04109,0815\n04109,34\n");
    assert_eq!(ran.status, 0, "{}", ran.err);
    let text = std::fs::read_to_string(&out).expect("a table");
    assert!(["01067", ",007", ",0815"].iter().all(|cell| text.contains(cell)), "{text}");
    // Whether 7 and 007 are one value, only the owner knows.
    std::fs::remove_file(&out).and_then(|()| std::fs::remove_file(folder.path("out.json"))).expect("removed");
    let ran = mine("01067,007\n01067,7\n");
    assert_eq!(ran.status, 2, "{}", ran.out);
    says(
        &ran.err,
        &["attribute `b`: some numbers are written in several forms", "\"categorical\" keeps them apart"],
    );
}

/// Advice on cells depends on their form; no cell is shown.
#[test]
fn wrong_cells_are_explained() {
    let folder = Folder::new();
    let wrong = |declared: &str, cell: &str| {
        let policy = format!(
            "[attributes]\na = {{ role = \"public\" }}\nb = {{ role = \"private\", {declared} }}\n[guarantee]\nk = 1\n"
        );
        let policy = folder.file("p.toml", policy);
        let table = folder.file("t.csv", format!("a,b\n1,{cell}\n"));
        let ran = incrowd(&[
            "table",
            "--method",
            "mondrian",
            "--data",
            &table,
            "--policy",
            &policy,
            "--out",
            &folder.path("o.csv"),
        ]);
        assert!(ran.status == 2 && (cell == "*" || !ran.err.contains(cell)), "{}", ran.err);
        ran.err
    };
    says(&wrong("kind = \"date\"", "29.02.2025"), &["this day does not exist"]);
    says(&wrong("kind = \"date\"", "15.06.72"), &["years with four digits"]);
    says(&wrong("kind = \"numeric\"", "5 %"), &["remove units"]);
    says(&wrong("order = [\"low\", \"high\"]", "HIGH"), &["spelling = \"ignore-case\""]);
    says(&wrong("kind = \"categorical\"", "*"), &["attribute `b`", "row 1", "written like a recoded cell"]);
    let policy = |text: &str| incrowd(&["policy", "check", &folder.file("q.toml", text)]).err;
    says(&policy("a;b;c\n1;2;3\n"), &["this looks like a table, not a policy"]);
    says(&policy("[guarantee]\nk = 10.0\n[attributes.a]\nrole = \"public\"\n"), &["write k = 10"]);
    says(&policy("[guarantee]\nk = 10\nconfidence = 0,8\n"), &["write 0.8 with a decimal point"]);
    says(
        &policy("[guarantee]\nl-diversity = 2\n[attributes.a]\nrole = \"public\"\n"),
        &["did you mean `distinct-l`?"],
    );
}

/// An ordered private attribute has a dictionary.
#[test]
fn tables_with_ordered_private_values_can_be_displayed() {
    let folder = Folder::new();
    let policy = folder.file(
        "p.toml",
        "[attributes]\na = { role = \"public\" }\nb = { role = \"private\", order = [\"lo\", \"hi\"] }\n[guarantee]\nk = 2\n",
    );
    let table = folder.file("t.csv", format!("a,b\n{}", "x,lo\ny,hi\n".repeat(5)));
    let (out, dictionary) = (folder.path("o.csv"), folder.path("d.md"));
    let flags = ["--data", &table, "--policy", &policy, "--out", &out, "--dictionary", &dictionary];
    let ran = incrowd(&[&["table", "--method", "mondrian"], &flags[..]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(std::fs::read_to_string(&dictionary).expect("a dictionary").contains("lo (50.0 %)"));
    assert_eq!(incrowd(&["show", &folder.path("o.json")]).status, 0);
}

/// Values that a model does not know are counted.
#[test]
fn new_rows_with_unknown_values_are_counted() {
    let folder = Folder::new();
    let policy = folder.file(
        "p.toml",
        "class = \"c\"\n[attributes]\na = { role = \"public\" }\nc = { role = \"private\" }\n[guarantee]\nk = 2\n",
    );
    let table = folder.file("t.csv", format!("a,c\n{}", "x,k\ny,l\n".repeat(20)));
    let tree = folder.path("tree.json");
    assert_eq!(incrowd(&["tree", "--data", &table, "--policy", &policy, "--out", &tree]).status, 0);
    let new = folder.file("new.csv", "a,c\nx,k\nw,l\nv,l\n");
    let ran = incrowd(&["predict", &tree, "--data", &new, "--json"]);
    assert_eq!((ran.status, &ran.json()["unseen"][0]["rows"]), (0, &2.into()), "{}", ran.err);
    says(&ran.err, &["2 rows have a value of `a` that the model does not know"]);
}

/// A set that names a group of the taxonomy is as wide as the group, also if some of its values do not occur.
#[test]
fn groups_in_sets_count_all_their_values() {
    let folder = Folder::new();
    folder.file("p.csv", "v1;G1;ALL\nv2;G1;ALL\nv4;H2;ALL\nv5;H2;ALL\nv6;H2;ALL\nv7;v7;ALL\n");
    let policy = folder.file(
        "p.toml",
        "class = \"c\"\n[attributes.p]\nrole = \"public\"\nkind = \"categorical\"\ntaxonomy = \"p.csv\"\n[attributes.c]\n\
         role = \"private\"\nkind = \"categorical\"\n[guarantee]\nk = 3\n",
    );
    let table = folder.file("t.csv", format!("p,c\n{}v2,y\nv2,y\nv5,y\nv6,y\nv5,y\n", "v1,n\n".repeat(3)));
    let out = folder.path("o.csv");
    let flags = ["--data", &table, "--policy", &policy, "--out", &out, "--measures", "--json"];
    let ran = incrowd(&[&["table", "--method", "cells"], &flags[..]].concat());
    assert!(std::fs::read_to_string(&out).expect("a table").contains("{v2, H2}"), "{}", ran.err);
    let json = ran.json();
    let figure = |name: &str| json["report"][name].as_f64().expect(name);
    assert!(
        (figure("loss") - 0.375).abs() < 1e-12 && (figure("ncp") - 5.0 / 8.0 * 4.0 / 6.0).abs() < 1e-12,
        "{json}"
    );
}

/// A policy that only says how the table is read is enough for a profile.
#[test]
fn profiles_need_no_roles() {
    let folder = Folder::new();
    let data = folder.file("t.csv", "Report\nage;ill\n1,5;no\n2,5;yes\n1,5;no\n");
    let policy = folder.file("p.toml", "[file]\nskip-lines = 1\ndelimiter = \";\"\ndecimal = \",\"\n");
    let ran = incrowd(&["profile", &data, "--policy", &policy, "--json"]);
    assert_eq!((ran.status, &ran.json()["columns"][0]["kind"]), (0, &"numeric".into()), "{}", ran.err);
    let ran = incrowd(&["policy", "check", &policy]);
    assert!(ran.status == 2 && ran.err.contains("states no roles"), "{}", ran.err);
    let ran = incrowd(&["profile", "https://example.org/t.csv"]);
    assert!(ran.status == 2 && ran.err.contains("download the file"), "{}", ran.err);
}
