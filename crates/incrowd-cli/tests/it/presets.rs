//! Presets: requirements of guidelines, and what they ask about a release.

use crate::{Folder, incrowd};

const POLICY: &str = "class = \"ill\"\n[attributes.age]\nrole = \"public\"\n[attributes.zip]\nrole = \"public\"\n\
    kind = \"categorical\"\ntaxonomy = { prefix = { step = 1 } }\n[attributes.ill]\nrole = \"private\"\n\
    values = [\"yes\", \"no\"]\n[guarantee]\n";

/// Ages up to the given one, in four postal codes.
fn people(oldest: u32) -> String {
    let row = |i: u32| {
        let (age, zip) = (oldest - i % 60, 13_050 + i % 4);
        format!("{age},{zip},{}\n", if age > 60 || i.is_multiple_of(7) { "yes" } else { "no" })
    };
    "age,zip,ill\n".to_owned() + &(0..400).map(row).collect::<String>()
}

struct Clinic(Folder, String);

impl Clinic {
    fn new(oldest: u32) -> Self {
        let folder = Folder::new();
        let data = folder.file("people.csv", people(oldest));
        Self(folder, data)
    }

    fn run(&self, command: &str, guarantee: &str, out: &str, more: &[&str]) -> crate::Ran {
        let policy = self.0.file("policy.toml", format!("{POLICY}{guarantee}\n"));
        let out = self.0.path(out);
        incrowd(&[&[command, "--data", &self.1, "--policy", &policy, "--out", &out], more].concat())
    }

    fn audit(&self, release: &str, more: &[&str]) -> crate::Ran {
        let (path, policy) = (self.0.path(release), self.0.path("policy.toml"));
        let data: &[&str] = if release.ends_with("csv") { &[] } else { &["--data", &self.1] };
        incrowd(&[&["audit", &path, "--policy", &policy, "--json"], data, more].concat())
    }
}

#[test]
fn cms_requires_eleven_individuals_in_groups_and_cells() {
    let clinic = Clinic::new(80);
    let ran = clinic.run("tree", "preset = \"cms-small-cells\"", "tree.json", &["--json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let report = clinic.audit("tree.json", &[]).json();
    assert_eq!(report["presets"][0]["preset"], "cms-small-cells");
    assert_eq!(report["presets"][0]["holds"], true);
    assert!(report["k"].as_u64().unwrap() >= 11 && report["smallest_bin"].as_u64().unwrap() >= 11);
    let asked = report["asked"].to_string();
    assert!(asked.contains("k = 11") && asked.contains("smallest bin = 11"), "{asked}");
    // A table of another guarantee has smaller groups.
    assert_eq!(clinic.run("table", "k = 5", "small.csv", &["--method", "mondrian"]).status, 0);
    let ran = clinic.audit("small.csv", &["--preset", "cms-small-cells"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert_eq!(ran.json()["presets"][0]["holds"], false);
}

#[test]
fn ema_requires_a_risk_of_at_most_nine_percent() {
    let clinic = Clinic::new(80);
    assert_eq!(clinic.run("tree", "preset = \"ema-0070\"", "tree.json", &[]).status, 0);
    let report = clinic.audit("tree.json", &[]).json();
    assert_eq!(report["asked"][0]["requirement"], "k = 12");
    assert!(report["k"].as_u64().unwrap() >= 12);
    // 1/11 is too much.
    let ran = clinic.run("tree", "preset = \"ema-0070\"\nk = 11", "other.json", &[]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("the preset ema-0070 requires more: k = 12"), "{}", ran.err);
    let ran = clinic.run("tree", "preset = \"ema-0070\"\nk = 20", "other.json", &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let ran = clinic.audit("tree.json", &["--preset", "ema-0070", "--k", "3"]);
    assert!(ran.status == 2 && ran.err.contains("weaker"), "{}", ran.err);
    let ran = clinic.run("tree", "preset = \"ema-70\"", "none.json", &[]);
    assert!(ran.status == 2 && ran.err.contains("ema-0070"), "{}", ran.err);
}

/// What was weakened is not said to hold.
#[test]
fn a_preset_that_was_weakened_does_not_hold() {
    let clinic = Clinic::new(80);
    assert_eq!(clinic.run("tree", "k = 2", "tree.json", &[]).status, 0);
    let ran = clinic.audit("tree.json", &["--preset", "ema-0070", "--k", "2", "--weaken"]);
    let report = ran.json();
    assert_eq!(report["presets"][0]["holds"], report["k"].as_u64().unwrap() >= 12);
    assert_eq!(ran.status == 0, report["k"].as_u64().unwrap() >= 12);
}

#[test]
fn safe_harbor_looks_at_what_is_printed() {
    // No one is older than 90: ages may be printed, whole postal codes may not.
    let clinic = Clinic::new(90);
    assert_eq!(clinic.run("table", "k = 5", "anon.csv", &["--method", "mondrian"]).status, 0);
    let harbor = ["--preset", "hipaa-safe-harbor"];
    let report = clinic.audit("anon.csv", &harbor).json();
    let preset = &report["presets"][0];
    let text = std::fs::read_to_string(clinic.0.path("anon.csv")).unwrap();
    assert_eq!(preset["holds"], !text.contains("1305"), "{preset}");
    assert!(preset["answers"].to_string().contains("20,000 people"), "{preset}");
    assert!(!preset.to_string().contains("1305"), "no value is stated: {preset}");
    // The data themselves.
    let policy = clinic.0.path("policy.toml");
    let ran = incrowd(
        &[&["audit", "--table", &clinic.1, "--policy", &policy, "--weaken", "--k", "1"], &harbor[..]]
            .concat(),
    );
    assert_eq!(ran.status, 1, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("`zip` is not cut to three digits") && ran.out.contains("checked: `age`"),
        "{}",
        ran.out
    );
    // With older people, no age is printed: what breaks the preset is made coarser, here until nothing is left.
    let clinic = Clinic::new(100);
    let ran =
        clinic.run("table", "k = 5\npreset = \"hipaa-safe-harbor\"", "anon.csv", &["--method", "mondrian"]);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("all public cells suppressed"), "{}", ran.out);
    let text = std::fs::read_to_string(clinic.0.path("anon.csv")).unwrap();
    assert!(text.lines().skip(1).all(|line| line.starts_with("*,*,")), "{text}");
    let ran = incrowd(&["profile", &clinic.1, "--preset", "hipaa-safe-harbor"]);
    assert!(ran.out.contains("postal codes") && ran.out.contains("ages over 89"), "{}", ran.out);
}

#[test]
fn wp216_has_three_questions_and_reports_state_them() {
    let clinic = Clinic::new(80);
    let board = clinic.0.path("board.md");
    let ran =
        clinic.run("tree", "k = 5\npreset = [\"wp216\", \"ema-0070\"]", "tree.json", &["--report", &board]);
    assert_eq!(ran.status, 2, "k = 5 is less than one of them requires: {}", ran.err);
    let ran = clinic.run("tree", "preset = [\"wp216\", \"ema-0070\"]", "tree.json", &["--report", &board]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let text = std::fs::read_to_string(&board).unwrap();
    for word in
        ["Guidelines", "Singling out", "Linkability", "Inference", "WP 216", "Policy 0070", "does not mean"]
    {
        assert!(text.contains(word), "{word}: {text}");
    }
    let report = clinic.audit("tree.json", &[]).json();
    let of = |name: &str| {
        report["presets"].as_array().unwrap().iter().find(|own| own["preset"] == name).unwrap().clone()
    };
    let answers = of("wp216")["answers"].as_array().unwrap().clone();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["holds"], true);
    assert!(answers[1].get("holds").is_none() && answers[2].get("holds").is_none());
    let tree = clinic.0.path("tree.json");
    let policy = clinic.0.path("policy.toml");
    // Together they are judged by the groups of both; what is printed is a question about each of them.
    let files = ["audit", &tree, &tree, "--data", &clinic.1, "--policy", &policy];
    let ran = incrowd(&[&files[..], &["--json"]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(ran.json()["together"]["presets"].as_array().map(Vec::len), Some(2));
    let ran = incrowd(&[&files[..], &["--preset", "hipaa-safe-harbor"]].concat());
    assert_eq!(ran.status, 0, "nothing that they print breaks it: {}", ran.err);
}

/// Two releases that meet a preset alone may break it together: someone who knows all rows is alone then.
#[test]
fn presets_hold_for_several_releases_together() {
    let folder = Folder::new();
    let data = folder.file("d.csv", "s,p,q,c\n0,0,10,n\n0,10,10,n\n1,0,0,n\n1,10,10,n\n2,0,10,y\n2,0,0,y\n3,0,0,y\n3,10,0,n\n4,10,10,y\n4,0,10,y\n5,0,0,n\n5,10,10,n\n6,10,0,y\n6,10,0,y\n7,10,10,y\n7,10,0,n\n8,10,10,n\n8,0,0,y\n9,10,10,y\n9,0,0,n\n10,10,0,y\n10,10,0,y\n11,10,10,n\n11,10,0,n\n12,0,10,n\n12,0,10,n\n13,10,10,n\n13,0,10,n\n14,10,10,n\n14,10,10,y\n15,0,10,n\n15,10,0,y\n");
    let policy = folder.file(
        "p.toml",
        "class = \"c\"\nsubject = \"s\"\n[attributes]\np = { role = \"public\" }\nq = { role = \"public\" }\nc = { role = \"private\" }\n",
    );
    let (ledger, base) =
        (folder.path("led.jsonl"), ["--data", &data, "--policy", &policy, "--preset", "wp216"]);
    let (a, b) = (folder.path("a.json"), folder.path("b.json"));
    let mine = |by: &str, out: &str, more: &[&str]| {
        let flags = ["clusters", "--attributes", by, "--clusters", "2", "--out", out];
        incrowd(&[&flags[..], &base, more].concat())
    };
    assert_eq!(mine("p", &a, &["--ledger", &ledger]).status, 0);
    let refused = mine("q", &b, &["--ledger", &ledger]);
    assert_eq!(refused.status, 1, "{}", refused.err);
    assert_eq!(mine("q", &b, &[]).status, 0, "alone it holds");
    let together = incrowd(&[&["audit", &a, &b, "--json"][..], &base].concat());
    let json = together.json();
    assert_eq!(
        (together.status, &json["holds"], &json["together"]["k_over_rows"]),
        (1, &false.into(), &1.into()),
        "{json}"
    );
    assert_eq!(json["together"]["presets"][0]["holds"], false, "{json}");
}

/// What a release prints is judged for each release.
#[test]
fn safe_harbor_is_judged_for_each_of_several_releases() {
    let folder = Folder::new();
    let data = folder.file("d.csv", format!("phone,ill\n{}", "555-1,yes\n555-2,no\n".repeat(40)));
    let roles = "class = \"ill\"\n[attributes]\nphone = { role = \"public\" }\nill = { role = \"private\" }\n[guarantee]\n";
    let policy = folder.file("p.toml", format!("{roles}k = 5\n"));
    let (a, b) = (folder.path("a.json"), folder.path("b.json"));
    let base = ["--data", &data, "--policy", &policy];
    for out in [&a, &b] {
        assert_eq!(incrowd(&[&["tree", "--out", out][..], &base].concat()).status, 0);
    }
    let audit = |files: &[&str], more: &[&str]| incrowd(&[&["audit", "--json"], files, &base, more].concat());
    let harbor = ["--preset", "hipaa-safe-harbor"];
    assert_eq!((audit(&[&a, &b], &[]).status, audit(&[&a], &harbor).status), (0, 1));
    let ran = audit(&[&a, &b], &harbor);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert_eq!(ran.json()["releases"][0]["broken"][0], "the preset hipaa-safe-harbor", "{}", ran.out);
}
