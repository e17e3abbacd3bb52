//! `incrowd report` and `incrowd verify`.

use crate::{Folder, Ran, incrowd, run};
use std::fmt::Write as _;
use std::process::Command;

/// A private value that must never be in a dossier for the public, and one that nobody else has.
const CANARY: &str = "CANARYDISEASE";
const RARE: &str = "RARECANARY";

const ROLES: &str = "[attributes.age]\nrole = \"public\"\n[attributes.city]\nrole = \"public\"\n\
    [attributes.smoker]\nrole = \"private\"\n[attributes.cost]\nrole = \"private\"\n\
    [attributes.disease]\nrole = \"private\"\n[attributes.name]\nrole = \"identifier\"\n";

const DOSSIER: &str = "[dossier]\ntitle = \"Ward\"\npurpose = \"research\"\nrecipient = \"A university\"\n\
    controller = \"The clinic\"\ncontact = \"board@example.org\"\nnotes = \"SECRETNOTE\"\n\
    public-statement = \"We share what helps.\"\n";

/// A ward of 600 patients: a frequent disease, the canary and one patient with a disease of their own.
fn ward(folder: &Folder, more: &str) -> (String, String) {
    let mut data = "name,age,city,smoker,cost,disease\n".to_owned();
    for row in 0..600_u32 {
        let disease = match row {
            77 => RARE,
            row if row * 7 % 5 < 2 => CANARY,
            _ => "flu",
        };
        let smoker = ["yes", "no", "no"][(row * 11 % 17 % 3) as usize];
        let _ = writeln!(
            data,
            "p{row},{},{},{smoker},{},{disease}",
            20 + row * 13 % 50,
            ["north", "south", "east"][(row % 3) as usize],
            100 + row * 37 % 41 * 10
        );
    }
    let policy = format!("class = \"disease\"\n{ROLES}{DOSSIER}[guarantee]\nk = 10\n{more}");
    (folder.file("ward.csv", data), folder.file("policy.toml", policy))
}

/// A release of the ward by a command.
fn mined(folder: &Folder, family: &str, out: &str, flags: &[&str]) -> String {
    let (data, policy) = (folder.path("ward.csv"), folder.path("policy.toml"));
    let out = folder.path(out);
    let ran = incrowd(&[&[family, "--data", &data, "--policy", &policy, "--out", &out], flags].concat());
    assert_eq!(ran.status, 0, "{family}: {}", ran.err);
    out
}

/// A report of a release of the ward, with a fixed day.
fn report(folder: &Folder, release: &str, out: &[&str], flags: &[&str]) -> Ran {
    let (data, policy) = (folder.path("ward.csv"), folder.path("policy.toml"));
    let outs: Vec<String> = out.iter().map(|name| folder.path(name)).collect();
    let outs = outs.iter().flat_map(|out| ["--out", out]);
    let arguments: Vec<&str> = ["report", release, "--data", &data, "--policy", &policy]
        .into_iter()
        .chain(outs)
        .chain(flags.iter().copied())
        .collect();
    run(Command::new(env!("CARGO_BIN_EXE_incrowd")).args(arguments).env("SOURCE_DATE_EPOCH", "1700000000"))
}

fn text(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path(name)).expect("a file")
}

/// A release of every family, by the name of its file.
fn releases(folder: &Folder) -> Vec<String> {
    vec![
        mined(folder, "tree", "tree.json", &[]),
        mined(folder, "table", "anon.csv", &["--method", "mondrian"]),
        mined(folder, "clusters", "clusters.json", &["--attributes", "age,cost"]),
        mined(folder, "rules", "rules.json", &["--min-support", "0.05", "--min-confidence", "0.3"]),
    ]
}

#[test]
fn a_report_is_written_in_all_forms_for_every_family() {
    let folder = Folder::new();
    ward(&folder, "");
    for release in releases(&folder) {
        let ran = report(&folder, &release, &["b.html", "b.md", "b.json"], &["--force"]);
        assert_eq!(ran.status, 0, "{release}: {}", ran.err);
        assert!(ran.out.starts_with("The release meets the required guarantee."), "{}", ran.out);
        let (html, markdown) = (text(&folder, "b.html"), text(&folder, "b.md"));
        for part in ["Purpose and approval", "Remaining risks", "A university", "SECRETNOTE", "2023-11-14"] {
            assert!(html.contains(part) && markdown.contains(part), "{release}: {part}");
        }
        // What is not stated is left to be filled in.
        assert!(html.contains("<dt>Legal basis</dt><dd><span class=\"blank\">"), "{html}");
        assert!(html.contains("<dt>Signature</dt><dd><span class=\"blank\">"));
        let json: serde_json::Value = serde_json::from_str(&text(&folder, "b.json")).expect("JSON");
        assert_eq!((&json["format"], &json["version"]), (&"incrowd-dossier".into(), &1.into()));
        assert_eq!((&json["form"], &json["holds"]), (&"owner".into(), &true.into()));
        assert_eq!(json["guarantee"][0]["requirement"], "k = 10");
        assert_eq!(json["audit"]["holds"], true);
        assert_eq!(json["policy"]["class"], "disease");
        let roles: Vec<&str> =
            json["files"].as_array().expect("files").iter().filter_map(|f| f["role"].as_str()).collect();
        assert!(roles.contains(&"policy") && roles.contains(&"data"), "{roles:?}");
        assert_eq!(roles.contains(&"table"), release.contains("anon"));
        // Private values are not even in the form for the owner.
        for form in [&html, &markdown, &text(&folder, "b.json")] {
            assert!(!form.contains(CANARY) && !form.contains(RARE), "{release}");
        }
        // One page: nothing is loaded, nothing runs.
        assert!(
            !html.contains("<script") && !html.contains("src=") && !html.contains("https://"),
            "{release}"
        );
    }
}

#[test]
fn a_report_for_the_public_has_nothing_private() {
    let folder = Folder::new();
    let mut canaries = 0;
    let (data, _) = ward(&folder, "");
    for release in releases(&folder) {
        let ran = report(&folder, &release, &["p.html", "p.md", "p.json"], &["--force", "--public"]);
        assert_eq!(ran.status, 0, "{release}: {}", ran.err);
        let policy = std::fs::read(folder.path("policy.toml")).expect("a policy");
        let kept = [digest(&std::fs::read(&data).expect("data")), digest(&policy)];
        for name in ["p.html", "p.md", "p.json"] {
            let form = text(&folder, name);
            for secret in [
                CANARY,
                RARE,
                "flu",
                "north",
                "SECRETNOTE",
                "A university",
                "ward.csv",
                "policy.toml",
                "--data",
            ] {
                assert!(!form.contains(secret), "{release}, {name}: {secret}");
            }
            assert!(kept.iter().all(|digest| !form.contains(digest)), "{release}, {name}");
            assert!(form.contains("We share what helps."), "{release}, {name}");
        }
        let json: serde_json::Value = serde_json::from_str(&text(&folder, "p.json")).expect("JSON");
        let keys: Vec<&String> = json.as_object().expect("an object").keys().collect();
        let allowed = [
            "format",
            "version",
            "form",
            "holds",
            "date",
            "program",
            "statement",
            "files",
            "release",
            "guarantee",
        ];
        assert_eq!(keys, allowed, "{release}");
        let mut release_keys: Vec<&str> =
            json["release"].as_object().expect("facts").keys().map(String::as_str).collect();
        release_keys.retain(|key| !["family", "individuals", "size", "attributes"].contains(key));
        assert!(release_keys.is_empty(), "{release}: {release_keys:?}");
        // No figure about fewer than k individuals: the only numbers are the size, the individuals and the requirements.
        assert_eq!(json["release"]["individuals"], 600, "{release}");
        canaries += usize::from(std::fs::read_to_string(&release).expect("a release").contains(CANARY));
    }
    assert!(canaries >= 2, "the releases themselves contain the value");
}

/// The digest of bytes, by another program's standard tool.
fn digest(bytes: &[u8]) -> String {
    let folder = Folder::new();
    let file = folder.file("x", bytes);
    let ran = run(Command::new("sha256sum").arg(file));
    ran.out.split_whitespace().next().expect("a digest").to_owned()
}

#[test]
fn a_release_that_fails_is_reported_to_the_owner_only() {
    let folder = Folder::new();
    ward(&folder, "");
    let release = mined(&folder, "tree", "tree.json", &[]);
    let ran = report(&folder, &release, &["b.html", "b.md", "b.json"], &["--k", "500"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    let (html, markdown) = (text(&folder, "b.html"), text(&folder, "b.md"));
    let verdict = "does not meet the required guarantee. Do not publish it.";
    assert!(html.contains("<section id=\"verdict\" class=\"bad\"") && html.contains(verdict));
    assert!(markdown.contains("Fails: ") && markdown.contains("Not met: k = 500"), "{markdown}");
    let json: serde_json::Value = serde_json::from_str(&text(&folder, "b.json")).expect("JSON");
    assert_eq!((&json["holds"], &json["guarantee"][0]["result"]), (&false.into(), &"broken".into()));
    let refused = report(&folder, &release, &["p.html"], &["--k", "500", "--public"]);
    assert!(
        refused.status == 1 && refused.err.contains("a report for the public cannot be made"),
        "{}",
        refused.err
    );
    assert!(!folder.names().contains(&"p.html".to_owned()));
    // Less than the policy's guarantee is not told to the public either.
    let weak = report(&folder, &release, &["p.html"], &["--k", "2", "--weaken", "--public"]);
    assert!(weak.status == 1 && weak.err.contains("less than the policy's guarantee"), "{}", weak.err);
    let owner = report(&folder, &release, &["w.md"], &["--k", "2", "--weaken"]);
    assert!(owner.status == 0 && text(&folder, "w.md").contains("The policy requires more than was checked"));
}

#[test]
fn files_are_verified_later() {
    let folder = Folder::new();
    let (data, policy) = ward(&folder, "");
    let tree = mined(&folder, "tree", "tree.json", &[]);
    let anon = mined(&folder, "table", "anon.csv", &["--method", "mondrian"]);
    assert_eq!(report(&folder, &tree, &["tree-board.json"], &[]).status, 0);
    assert_eq!(report(&folder, &anon, &["anon-board.json"], &[]).status, 0);
    let board = folder.path("tree-board.json");
    let same = incrowd(&["verify", &board, &tree, "--policy", &policy, "--data", &data]);
    assert!(same.status == 0 && same.out.starts_with("these are the files"), "{}{}", same.out, same.err);
    // Another policy and other data are named.
    let other = folder.file("other.toml", text(&folder, "policy.toml") + "\n");
    let ran = incrowd(&["verify", &board, &tree, "--policy", &other, "--data", &data, "--json"]);
    assert_eq!(ran.status, 1);
    let states = |ran: &Ran| -> Vec<(String, String)> {
        let json = ran.json();
        let files = json["files"].as_array().expect("files");
        let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        files.iter().map(|file| (word(&file["role"]), word(&file["state"]))).collect()
    };
    let pair = |role: &str, state: &str| (role.to_owned(), state.to_owned());
    assert_eq!(states(&ran), [pair("release", "same"), pair("policy", "differs"), pair("data", "same")]);
    // A table is checked with its release file, wherever only one of them is named.
    let board = folder.path("anon-board.json");
    let sidecar = folder.path("anon.json");
    for given in [&[anon.as_str()][..], &[&sidecar], &[&anon, &sidecar], &[&sidecar, &anon]] {
        let ran = incrowd(&[&["verify", &board], given].concat());
        assert!(ran.status == 0 && ran.out.contains("not checked"), "{}{}", ran.out, ran.err);
    }
    let released = text(&folder, "anon.csv");
    folder.file("anon.csv", released.replacen("yes", "no", 1));
    let ran = incrowd(&["verify", &board, &sidecar, "--json"]);
    assert_eq!(
        (ran.status, &states(&ran)[..2]),
        (1, &[pair("release", "same"), pair("table", "differs")][..])
    );
    std::fs::remove_file(&anon).expect("a file");
    let ran = incrowd(&["verify", &board, &sidecar, "--json"]);
    assert_eq!(
        (ran.status, &states(&ran)[..2]),
        (1, &[pair("release", "same"), pair("table", "missing")][..])
    );
    let ran = incrowd(&["verify", &board, &sidecar, &tree, &data, "--json"]);
    assert!(ran.status == 1 && ran.out.contains("unknown"), "{}", ran.out);
    // A file of another release is not taken for the table, whatever was not found.
    let other = folder.file("other.csv", "a,b\n1,2\n");
    let ran = incrowd(&["verify", &board, &sidecar, &other]);
    assert!(ran.status == 1 && ran.out.contains("not in the report (digest "), "{}", ran.out);
    let ran = incrowd(&["verify", &board, &sidecar, &other, "--json"]);
    assert_eq!(states(&ran)[1], pair("table", "missing"), "{}", ran.out);
}

#[test]
fn what_cannot_be_verified_is_an_error() {
    let folder = Folder::new();
    let (data, _) = ward(&folder, "");
    let tree = mined(&folder, "tree", "tree.json", &[]);
    assert_eq!(report(&folder, &tree, &["owner.json"], &[]).status, 0);
    assert_eq!(report(&folder, &tree, &["public.json"], &["--public"]).status, 0);
    let (owner, public) = (folder.path("owner.json"), folder.path("public.json"));
    assert_eq!(incrowd(&["verify", &public, &tree]).status, 0);
    let cut = folder.file("cut.json", &text(&folder, "owner.json")[..300]);
    let newer = folder
        .file("newer.json", text(&folder, "owner.json").replacen("\"version\": 1", "\"version\": 2", 1));
    for (arguments, why) in [
        (vec!["nowhere.json", &tree], "no such file"),
        (vec![&tree, &tree], "not a report"),
        (vec![&data, &tree], "not a report"),
        (vec![&cut, &tree], "ends too early"),
        (vec![&newer, &tree], "version of the report format"),
        (vec![&public, &tree, "--data", &data], "records only what is released"),
        (vec![&owner, &tree, "--test", &data], "does not record a file of this kind"),
    ] {
        let ran = incrowd(&[&["verify"], &arguments[..]].concat());
        assert!(ran.status == 2 && ran.err.contains(why), "{why}: {} {}", ran.status, ran.err);
    }
}

#[test]
fn wrong_input_is_refused_before_anything_is_written() {
    let folder = Folder::new();
    let (data, policy) = ward(&folder, "");
    let tree = mined(&folder, "tree", "tree.json", &[]);
    let before = folder.names();
    for (out, flags, why) in [
        ("b.pdf", &[][..], "ends in .html, .md or .json"),
        ("tree.json", &[], "also an input of the command"),
        ("none/b.html", &[], "folder to write to does not exist"),
        ("b.html", &["--test", "nowhere.csv"], "nowhere.csv"),
        ("b.html", &["--population-size", "3"], "smaller than the table"),
        ("b.html", &["--k", "0"], "k must be at least 1"),
    ] {
        let ran = report(&folder, &tree, &[out], flags);
        assert!(ran.status == 2 && ran.err.contains(why), "{out}: {}", ran.err);
    }
    let ran = report(&folder, &tree, &["b.html", "b.html"], &[]);
    assert!(ran.status == 2 && ran.err.contains("two different things"), "{}", ran.err);
    let ran = run(Command::new(env!("CARGO_BIN_EXE_incrowd"))
        .args(["report", &tree, "--data", &data, "--policy", &policy, "--out", &folder.path("b.html")])
        .env("SOURCE_DATE_EPOCH", "soon"));
    assert!(ran.status == 2 && ran.err.contains("SOURCE_DATE_EPOCH"), "{}", ran.err);
    let ran = incrowd(&["report", &tree, "--policy", &policy, "--out", &folder.path("b.html")]);
    assert!(ran.status == 2 && ran.err.contains("--data"), "{}", ran.err);
    // The release file of a table is written beside it, so a report must not take its name.
    let anon = folder.path("anon.csv");
    let clash = folder.path("anon.json");
    let ran = incrowd(&["table", "--data", &data, "--policy", &policy, "--out", &anon, "--report", &clash]);
    assert!(ran.status == 2 && ran.err.contains("two different things"), "{}", ran.err);
    assert_eq!(folder.names(), before);
}

#[test]
fn names_and_values_cannot_write_into_the_report() {
    let folder = Folder::new();
    let hostile = "<img src=x onerror=alert(1)>|`*[x](http://y)";
    let mut data = format!("\"{hostile}\",ill\n");
    for row in 0..200 {
        let value = if row % 2 == 0 { "</table><script>alert(2)</script>" } else { "**b** | c" };
        let _ = writeln!(data, "{value},{}", ["yes", "no"][row / 2 % 2]);
    }
    folder.file("ward.csv", data);
    folder.file(
        "policy.toml",
        format!(
            "class = \"ill\"\n[attributes.'{hostile}']\nrole = \"public\"\n[attributes.ill]\nrole = \"private\"\n\
             [guarantee]\nk = 10\n[dossier]\ntitle = '{hostile}'\npurpose = '''one\n</dd><b>two'''\n\
             public-statement = '{hostile}'\n"
        ),
    );
    let tree = mined(&folder, "tree", "tree.json", &[]);
    let anon = mined(&folder, "table", "anon.csv", &["--method", "mondrian"]);
    for (release, flags) in [(&tree, &[][..]), (&tree, &["--public"]), (&anon, &[]), (&anon, &["--public"])] {
        let flags = [&["--force"], flags].concat();
        let ran = report(&folder, release, &["b.html", "b.md"], &flags);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let html = text(&folder, "b.html");
        for mark in ["<img", "<script", "</dd><b>", "onerror=alert(1)>|"] {
            assert!(!html.contains(mark), "{release} {flags:?}: {mark}");
        }
        assert!(html.contains("&lt;img src=x onerror=alert(1)&gt;"));
        let markdown = text(&folder, "b.md");
        assert!(
            markdown.contains("&lt;img src=x onerror=alert(1)&gt;\\|\\`\\*\\[x\\](http\\://y)"),
            "{markdown}"
        );
        assert!(!markdown.contains("<img") && !markdown.contains("<script"));
    }
}

#[test]
fn equal_runs_give_equal_bytes() {
    let folder = Folder::new();
    ward(&folder, "");
    let tree = mined(&folder, "tree", "tree.json", &[]);
    for name in ["b.html", "b.md", "b.json"] {
        let mut texts = Vec::new();
        for _ in 0..2 {
            assert_eq!(report(&folder, &tree, &[name], &["--force", "--threads", "2"]).status, 0);
            texts.push(text(&folder, name));
        }
        assert_eq!(report(&folder, &tree, &[name], &["--force", "--threads", "1"]).status, 0);
        texts.push(text(&folder, name).replace("--threads 1", "--threads 2"));
        assert!(texts[0] == texts[1] && texts[0] == texts[2], "{name}");
    }
}

#[test]
fn individuals_with_several_rows_are_reported() {
    let folder = Folder::new();
    let mut data = "who,age,ill\n".to_owned();
    for row in 0..400_u32 {
        let _ = writeln!(
            data,
            "w{},{},{}",
            row / 2,
            20 + row / 2 % 5,
            ["yes", "no", "no"][(row * 7 % 11 % 3) as usize]
        );
    }
    folder.file("ward.csv", data);
    folder.file(
        "policy.toml",
        "class = \"ill\"\nsubject = \"who\"\n[attributes.age]\nrole = \"public\"\n[attributes.ill]\nrole = \"private\"\n\
         [guarantee]\nk = 5\n",
    );
    for (family, out, flags) in
        [("tree", "tree.json", &[][..]), ("table", "anon.csv", &["--method", "mondrian"])]
    {
        let release = mined(&folder, family, out, flags);
        let ran = report(&folder, &release, &["b.md", "b.json"], &["--force"]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let markdown = text(&folder, "b.md");
        assert!(markdown.contains("200 individuals in 400 rows"), "{markdown}");
        assert!(
            markdown.contains("Rows that belong together")
                && markdown.contains("the column who identifies them")
        );
        let public = report(&folder, &release, &["p.md"], &["--force", "--public"]);
        assert_eq!(public.status, 0, "{}", public.err);
        // The rows of a released table are there to be counted; those behind a model are not.
        assert_eq!(text(&folder, "p.md").contains("400 rows"), family == "table");
    }
}

#[test]
fn mining_commands_write_reports() {
    let folder = Folder::new();
    let (data, policy) = ward(&folder, "");
    // Patients of other costs, so that they are not the rows of the ward.
    let others = text(&folder, "ward.csv").replace("0,flu", "5,flu").replace("0,CANARY", "5,CANARY");
    let (header, others) = others.split_once('\n').unwrap();
    let others: Vec<&str> = others.lines().step_by(2).collect();
    let test = folder.file("test.csv", format!("{header}\n{}\n", others.join("\n")));
    for (family, out, flags) in [
        ("tree", "tree.json", &[][..]),
        ("boost", "boost.json", &["--rounds", "3"]),
        ("table", "anon.csv", &["--method", "mondrian"]),
        ("clusters", "clusters.json", &["--attributes", "age,cost"]),
        ("rules", "rules.json", &["--min-support", "0.05", "--min-confidence", "0.3"]),
    ] {
        let (html, json) =
            (folder.path(&format!("{family}.html")), folder.path(&format!("{family}-board.json")));
        let flags = [&["--report", &html, "--report", &json, "--seed", "7", "--k", "12"], flags].concat();
        let release = mined(&folder, family, out, &flags);
        let board: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).expect("JSON");
        assert_eq!((&board["seed"], &board["guarantee"][0]["requirement"]), (&7.into(), &"k = 12".into()));
        let command = board["command"].as_str().expect("a command");
        assert!(command.starts_with(&format!("incrowd {family} --data ")), "{command}");
        let verified = incrowd(&["verify", &json, &release, "--policy", &policy, "--data", &data]);
        assert_eq!(verified.status, 0, "{}{}", verified.out, verified.err);
    }
    // Held-out rows are for classifiers.
    let tree = folder.path("tree.json");
    let ran = report(&folder, &tree, &["t.json"], &["--test", &test]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let board: serde_json::Value = serde_json::from_str(&text(&folder, "t.json")).expect("JSON");
    assert_eq!(board["utility"]["on_test"]["rows"], 300);
    assert!(
        board["utility"]["on_test"]["error"].as_f64() <= board["utility"]["on_test"]["baseline"].as_f64()
    );
    for release in ["anon.csv", "clusters.json"] {
        let ran = report(&folder, &folder.path(release), &["u.html"], &["--test", &test]);
        assert!(ran.status == 2 && ran.err.contains("--test"), "{}", ran.err);
    }
}

#[test]
fn the_policy_checks_its_dossier() {
    let folder = Folder::new();
    let (data, _) = ward(&folder, "");
    for (wrong, why) in [
        ("[dossier]\npurpos = \"x\"", "unknown key `purpos`"),
        ("[dossier]\npurpose = 3", "`purpose` must be a string"),
        ("[dossier]\npurpose = \" \"", "`purpose` is empty"),
        ("[dossier]\ndate = \"soon\"", "`date` must be a date"),
        ("dossier = 1", "`dossier` must be a table"),
    ] {
        let policy = folder.file("wrong.toml", format!("class = \"disease\"\n{wrong}\n{ROLES}"));
        let ran = incrowd(&["audit", "--table", &data, "--policy", &policy]);
        assert!(ran.status == 2 && ran.err.contains(why) && ran.err.contains("line "), "{why}: {}", ran.err);
    }
}

#[test]
fn items_of_baskets_are_not_named() {
    let folder = Folder::new();
    let mut baskets = String::new();
    for basket in 0..400_u32 {
        let secret = if basket % 5 < 2 { ",secretdrug" } else { "" };
        let _ = writeln!(
            baskets,
            "{}{secret}",
            ["bread,milk", "milk", "bread,cherries"][(basket * 7 % 3) as usize]
        );
    }
    folder.file("ward.csv", baskets);
    folder
        .file("policy.toml", "[items]\nprivate = [\"secretdrug\"]\n[guarantee]\nk = 10\nconfidence = 0.9\n");
    let release =
        mined(&folder, "rules", "rules.json", &["--min-support", "0.02", "--min-confidence", "0.2"]);
    assert!(text(&folder, "rules.json").contains("secretdrug"));
    for flags in [&["--force"][..], &["--force", "--public"]] {
        let ran = report(&folder, &release, &["b.html", "b.md", "b.json"], flags);
        assert_eq!(ran.status, 0, "{}", ran.err);
    }
    for name in ["b.html", "b.md", "b.json"] {
        let public = text(&folder, name);
        assert!(!public.contains("secretdrug") && !public.contains("cherries"), "{name}");
    }
}

/// A table from elsewhere has no release file, and may have columns that it must not have.
#[test]
fn a_table_from_elsewhere_is_reported() {
    let folder = Folder::new();
    let (_, policy) = ward(&folder, "");
    let taxonomy = "north;cold;*\nsouth;warm;*\neast;cold;*\n";
    folder.file("city.csv", taxonomy);
    let stated = text(&folder, "policy.toml").replace(
        "[attributes.city]\nrole = \"public\"\n",
        "[attributes.city]\nrole = \"public\"\ntaxonomy = \"city.csv\"\n",
    );
    folder.file("policy.toml", stated);
    let rows: String =
        (0..40).map(|row| format!("p{row},*,cold,{},100,flu\n", ["yes", "no"][row % 2])).collect();
    let table = folder.file("theirs.csv", format!("name,age,city,smoker,cost,disease\n{rows}"));
    let (board, markdown) = (folder.path("board.json"), folder.path("board.md"));
    let ran = incrowd(&["report", &table, "--policy", &policy, "--out", &board, "--out", &markdown]);
    assert_eq!(ran.status, 1, "{}{}", ran.out, ran.err);
    let markdown = text(&folder, "board.md");
    assert!(markdown.contains("must not be released: \u{201c}name\u{201d}"), "{markdown}");
    assert!(
        markdown.contains("the source of the table was not given") && markdown.contains("by a file"),
        "{markdown}"
    );
    let verified = incrowd(&["verify", &board, &table, "--policy", &policy]);
    assert!(verified.status == 0 && verified.out.contains("taxonomy"), "{}{}", verified.out, verified.err);
    assert!(verified.out.contains("does not meet its guarantee"), "{}", verified.out);
    folder.file("city.csv", taxonomy.replace("warm", "hot"));
    let verified = incrowd(&["verify", &board, &table, "--policy", &policy]);
    assert!(verified.status == 1 && verified.out.contains("differs"), "{}", verified.out);
}

/// Distributions, widths and correlations by hand: ages are 10 (30 rows) and 20 (10 rows), and cost follows the age.
#[test]
fn what_a_table_has_lost_is_measured() {
    let folder = Folder::new();
    let rows = |age: &dyn Fn(u32) -> String| -> String {
        let row = |row: u32| {
            let cost = if row < 30 { 1 } else { 3 };
            format!("{},{cost},{}\n", age(row), ["yes", "no"][row as usize % 2])
        };
        "age,cost,ill\n".to_owned() + &(0..40).map(row).collect::<String>()
    };
    let data = folder.file("data.csv", rows(&|row| if row < 30 { "10".to_owned() } else { "20".to_owned() }));
    let policy = folder.file(
        "policy.toml",
        "[attributes.age]\nrole = \"public\"\nkind = \"numeric\"\n[attributes.cost]\nrole = \"private\"\n\
         kind = \"numeric\"\n[attributes.ill]\nrole = \"private\"\n",
    );
    let change = |cell: &str| {
        let table =
            folder.file("theirs.csv", rows(&|row| cell.replace("AGE", if row < 30 { "10" } else { "20" })));
        let out = folder.path("board.json");
        let ran =
            incrowd(&["report", &table, "--data", &data, "--policy", &policy, "--out", &out, "--force"]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let json: serde_json::Value = serde_json::from_str(&text(&folder, "board.json")).expect("JSON");
        json["utility"]["table"].clone()
    };
    let near = |value: &serde_json::Value, expected: f64| {
        let value = value.as_f64().expect("a number");
        assert!((value - expected).abs() < 1e-9, "{value} is not {expected}");
    };
    // Unchanged: a cell covers one value, and age and cost are perfectly correlated.
    let same = change("AGE");
    near(&same["columns"][0]["width"], 0.0);
    near(&same["columns"][0]["distance"], 0.0);
    near(&same["correlations"][0]["before"], 1.0);
    near(&same["correlations"][0]["after"], 1.0);
    // Suppressed: 75 % and 25 % become one half each, and the correlation is lost.
    let any = change("*");
    near(&any["columns"][0]["width"], 1.0);
    near(&any["columns"][0]["bins"][0]["before"], 0.75);
    near(&any["columns"][0]["bins"][0]["after"], 0.5);
    near(&any["columns"][0]["distance"], 0.25);
    assert_eq!(any["correlations"], serde_json::json!([]));
    // An interval that covers the lower tenth of the range in all rows.
    let low = change("\"[10, 11)\"");
    near(&low["columns"][0]["width"], 0.1);
    near(&low["columns"][0]["distance"], 0.25);
    // Private attributes are unchanged, and their values are not listed.
    assert_eq!(low["columns"][1]["role"], "private");
    near(&low["columns"][1]["distance"], 0.0);
    assert!(low["columns"][1]["bins"].is_null());
}
