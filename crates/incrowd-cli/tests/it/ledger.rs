//! Releases that hold together with all releases before them, and the ledger that records them.

use crate::{Folder, Ran, incrowd, run};
use std::process::{Command, Stdio};
use std::time::Duration;

const ROLES: &str = "[attributes.age]\nrole = \"public\"\n[attributes.sex]\nrole = \"public\"\n\
    [attributes.ill]\nrole = \"private\"\n[attributes.smokes]\nrole = \"private\"\n[guarantee]\nk = 5\n";

/// Age decides who is ill, sex who smokes. Two women are young; every other combination is common.
fn people() -> String {
    let groups = [("young", "f", 2), ("young", "m", 20), ("old", "f", 20), ("old", "m", 20)];
    let mut text = "age,sex,ill,smokes\n".to_owned();
    for (age, sex, count) in groups {
        for i in 0..count {
            let ill = if (age == "old") == (i % 10 != 0) { "yes" } else { "no" };
            let smokes = if (sex == "m") == (i % 10 != 0) { "yes" } else { "no" };
            text += &format!("{age},{sex},{ill},{smokes}\n");
        }
    }
    text
}

/// A policy for each of two classes: a tree for one divides by age, for the other by sex.
struct Clinic {
    folder: Folder,
    data: String,
    ledger: String,
}

impl Clinic {
    fn new() -> Self {
        let folder = Folder::new();
        for class in ["ill", "smokes"] {
            folder.file(&format!("{class}.toml"), format!("class = \"{class}\"\n{ROLES}"));
        }
        let (data, ledger) = (folder.file("people.csv", people()), folder.path("releases.jsonl"));
        Self { folder, data, ledger }
    }

    fn arguments<'a>(&'a self, command: &'a str, class: &str, out: &str) -> Vec<String> {
        let policy = self.folder.path(&format!("{class}.toml"));
        [command, "--data", &self.data, "--policy", &policy, "--out", &self.folder.path(out)]
            .map(str::to_owned)
            .into()
    }

    fn mine(&self, command: &str, class: &str, out: &str, more: &[&str]) -> Ran {
        let own = self.arguments(command, class, out);
        let own: Vec<&str> = own.iter().map(String::as_str).chain(more.iter().copied()).collect();
        incrowd(&own)
    }

    fn record(&self, command: &str, class: &str, out: &str, more: &[&str]) -> Ran {
        self.mine(command, class, out, &[&["--ledger", self.ledger.as_str()], more].concat())
    }

    /// The largest k of two releases together.
    fn together(&self, one: &str, other: &str) -> u64 {
        let policy = self.folder.file("both.toml", ROLES);
        let (one, other) = (self.folder.path(one), self.folder.path(other));
        let ran = incrowd(&["audit", &one, &other, "--data", &self.data, "--policy", &policy, "--json"]);
        ran.json()["together"]["k"].as_u64().unwrap()
    }

    fn lines(&self) -> usize {
        std::fs::read_to_string(&self.ledger).map_or(0, |text| text.lines().count())
    }
}

#[test]
fn two_safe_releases_single_people_out_together_and_the_ledger_prevents_it() {
    let clinic = Clinic::new();
    for (class, out) in [("ill", "a.json"), ("smokes", "b.json")] {
        assert_eq!(clinic.mine("tree", class, out, &[]).status, 0);
    }
    assert_eq!(clinic.together("a.json", "b.json"), 2, "the two young women");
    assert_eq!(clinic.record("tree", "ill", "c.json", &[]).status, 0);
    let ran = clinic.record("tree", "smokes", "d.json", &["--json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("recorded as release 2 of"), "{}", ran.err);
    assert!(clinic.together("c.json", "d.json") >= 5);
    // A table that shows sex would be the same.
    let ran = clinic.record("table", "smokes", "e.csv", &["--method", "mondrian"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(clinic.together("c.json", "e.csv") >= 5);
    let listed = incrowd(&["ledger", &clinic.ledger, "--json"]).json();
    assert_eq!(listed["holds"], true);
    assert_eq!(listed["releases"][2]["table"]["file"], "e.csv");
    assert_eq!(listed["releases"][2]["guarantee"][0], "k = 5");
}

#[test]
fn what_no_release_can_meet_with_the_earlier_ones_is_refused() {
    let clinic = Clinic::new();
    assert_eq!(clinic.record("tree", "ill", "a.json", &[]).status, 0);
    // The earlier release does not meet the new k.
    let ran = clinic.record("tree", "smokes", "b.json", &["--k", "30"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.err.contains("a.json`, a release of the ledger, breaks k = 30 already"), "{}", ran.err);
    // The policy must know what the earlier release contains.
    let policy = std::fs::read_to_string(clinic.folder.path("smokes.toml")).unwrap();
    let policy =
        policy.replace("[attributes.ill]\nrole = \"private\"", "[attributes.ill]\nrole = \"ignored\"");
    clinic.folder.file("short.toml", policy);
    let ran = clinic.record("tree", "short", "b.json", &[]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("releases of the ledger") && ran.err.contains("a role"), "{}", ran.err);
    // What the earlier release promises must go on to hold.
    let ran = clinic.record("tree", "smokes", "b.json", &["--k", "2", "--weaken"]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("release 1 of the ledger promises k = 5"), "{}", ran.err);
    // Neither tables that generalize private values nor data in several files can be recorded.
    let ran = clinic.record("table", "ill", "c.csv", &["--method", "spans"]);
    assert!(ran.status == 2 && ran.err.contains("generalize private values"), "{}", ran.err);
    let more = clinic.folder.file("more.csv", people());
    let ran = clinic.record("tree", "ill", "b.json", &["--data", &more]);
    assert!(ran.status == 2 && ran.err.contains("several data files"), "{}", ran.err);
    // Small cells of several releases are not searched.
    let ran = clinic.record("tree", "smokes", "b.json", &["--smallest-bin", "2"]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(!clinic.folder.names().contains(&"b.json".to_owned()));
    assert_eq!(clinic.lines(), 1);
}

/// All releases are judged under the newest policy, which must not assume an attacker who knows less.
#[test]
fn policies_with_a_weaker_attacker_are_refused() {
    let clinic = Clinic::new();
    let policy = std::fs::read_to_string(clinic.folder.path("ill.toml")).unwrap();
    let dependency = "[[dependencies]]\nfrom = [\"ill\"]\nto = \"smokes\"\n";
    clinic.folder.file("tied.toml", policy.replace("[guarantee]", &format!("{dependency}[guarantee]")));
    let ran = clinic.record("tree", "tied", "a.json", &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("store this digest elsewhere"), "{}", ran.err);
    let hidden = "[attributes.sex]\nrole = \"private\"";
    clinic.folder.file("weak.toml", policy.replace("[attributes.sex]\nrole = \"public\"", hidden));
    let ran = clinic.record("tree", "weak", "b.json", &[]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("release 1 of the ledger, `sex` is public"), "{}", ran.err);
    assert!(ran.err.contains("help: give `sex` the role"), "{}", ran.err);
    let ran = clinic.record("tree", "ill", "b.json", &[]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("the dependency `ill -> smokes` is declared"), "{}", ran.err);
    assert_eq!(clinic.lines(), 1);
}

#[test]
fn other_data_are_refused_and_the_same_in_another_order_are_not() {
    let clinic = Clinic::new();
    assert_eq!(clinic.record("tree", "ill", "a.json", &[]).status, 0);
    let text = people();
    let (header, rows) = text.split_once('\n').unwrap();
    let mut rows: Vec<&str> = rows.lines().collect();
    rows.reverse();
    clinic.folder.file("people.csv", format!("{header}\n{}\n", rows.join("\n")));
    let ran = clinic.record("tree", "ill", "b.json", &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    // One more individual.
    clinic.folder.file("people.csv", text.clone() + "young,f,yes,yes\n");
    let ran = clinic.record("tree", "ill", "c.json", &[]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("was made from other data") && ran.err.contains("help:"), "{}", ran.err);
    assert_eq!(clinic.lines(), 2);
}

#[test]
fn releases_must_be_found_and_be_the_recorded_ones() {
    let clinic = Clinic::new();
    assert_eq!(clinic.record("tree", "ill", "a.json", &[]).status, 0);
    let path = clinic.folder.path("a.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let ran = clinic.record("tree", "ill", "b.json", &[]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("cannot be found") && ran.err.contains("(--earlier)"), "{}", ran.err);
    assert_eq!(incrowd(&["ledger", &clinic.ledger]).status, 1);
    let moved = clinic.folder.file("elsewhere.json", &text);
    assert_eq!(incrowd(&["ledger", &clinic.ledger, "--earlier", &moved]).status, 0);
    let ran = clinic.record("tree", "ill", "b.json", &["--earlier", &moved]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    std::fs::write(&path, text.replace("tree", "tree ")).unwrap();
    let ran = incrowd(&["ledger", &clinic.ledger]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.out.contains("its digest differs"), "{}", ran.out);
    // What was released once is not overwritten.
    std::fs::write(&path, text).unwrap();
    let ran = clinic.record("tree", "ill", "a.json", &["--force"]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("this file is release 1 of the ledger"), "{}", ran.err);
}

#[test]
fn changed_ledgers_are_noticed() {
    let clinic = Clinic::new();
    for out in ["a.json", "b.json"] {
        assert_eq!(clinic.record("tree", "ill", out, &[]).status, 0);
    }
    let listed = incrowd(&["ledger", &clinic.ledger, "--json"]).json();
    let head = listed["head"].as_str().unwrap();
    assert_eq!(incrowd(&["ledger", &clinic.ledger, "--head", head]).status, 0);
    let text = std::fs::read_to_string(&clinic.ledger).unwrap();
    for private in ["young", "old", "yes"] {
        assert!(!text.contains(&format!("\"{private}\"")), "no value of the table is in it");
    }
    std::fs::write(&clinic.ledger, text.lines().next().unwrap().to_owned() + "\n").unwrap();
    let ran = incrowd(&["ledger", &clinic.ledger, "--head", head]);
    assert!(ran.status == 1 && ran.out.contains("no line of the ledger has this digest"), "{}", ran.out);
    std::fs::write(&clinic.ledger, text.lines().nth(1).unwrap().to_owned() + "\n").unwrap();
    let ran = clinic.record("tree", "ill", "c.json", &[]);
    assert!(ran.status == 2 && ran.err.contains("line 1: the line does not follow"), "{}", ran.err);
    let ran = incrowd(&["ledger", &clinic.folder.path("none.jsonl")]);
    assert!(ran.status == 2 && ran.err.contains("no such file"), "{}", ran.err);
    let ran = clinic.mine("tree", "ill", "x.json", &["--ledger", &clinic.folder.path("x.json")]);
    assert!(ran.status == 2 && ran.err.contains("two different things"), "{}", ran.err);
}

#[test]
fn reports_list_the_releases() {
    let clinic = Clinic::new();
    let board = clinic.folder.path("board.md");
    assert_eq!(clinic.record("tree", "ill", "a.json", &[]).status, 0);
    let json = clinic.folder.path("board.json");
    let ran = clinic.record("tree", "ill", "b.json", &["--report", &board, "--report", &json]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let ran = incrowd(&["verify", &json, &clinic.folder.path("b.json")]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let text = std::fs::read_to_string(&board).unwrap();
    assert!(text.contains("Releases of the same data") && text.contains("2 (this one)"), "{text}");
    assert!(text.contains("a.json") && !text.contains("not in the ledger. It"), "{text}");
    assert_eq!(clinic.mine("tree", "ill", "c.json", &["--k", "20"]).status, 0);
    let (out, public) = (clinic.folder.path("c.md"), clinic.folder.path("public.json"));
    let policy = clinic.folder.path("ill.toml");
    let report = |more: &[&str]| {
        let c = clinic.folder.path("c.json");
        let own = ["report", &c, "--data", &clinic.data, "--policy", &policy, "--ledger", &clinic.ledger];
        let ran = incrowd(&[&own, more].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
    };
    report(&["--out", &out]);
    assert!(std::fs::read_to_string(&out).unwrap().contains("This release is not in the ledger."));
    report(&["--public", "--out", &public]);
    assert!(!std::fs::read_to_string(&public).unwrap().contains("a.json"), "the ledger is the owner's");
}

/// Programs that end at any time, and programs at once, leave a ledger that has every release and nothing else.
#[test]
#[cfg(unix)]
fn interrupted_programs_and_programs_at_once_lose_no_release() {
    let clinic = Clinic::new();
    let start = |out: &str| {
        let mut own = clinic.arguments("tree", "ill", out);
        own.extend(["--ledger".to_owned(), clinic.ledger.clone()]);
        let mut program = Command::new(env!("CARGO_BIN_EXE_incrowd"));
        program.args(own).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    for wait in 0..12 {
        let mut program = start(&format!("killed-{wait}.json"));
        std::thread::sleep(Duration::from_millis(wait * 3));
        let _over = program.kill();
        program.wait().unwrap();
    }
    let programs: Vec<_> = (0..4).map(|n| start(&format!("at-once-{n}.json"))).collect();
    for mut program in programs {
        assert!(program.wait().unwrap().success());
    }
    let ran = run(Command::new(env!("CARGO_BIN_EXE_incrowd")).args(["ledger", &clinic.ledger, "--json"]));
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    let listed = ran.json();
    let mut recorded: Vec<String> = listed["releases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| own["release"]["file"].as_str().unwrap().to_owned())
        .collect();
    recorded.sort();
    let is_release = |name: &String| name.starts_with("killed") || name.starts_with("at-once");
    let written: Vec<String> = clinic.folder.names().into_iter().filter(is_release).collect();
    assert_eq!(recorded, written);
    assert!(written.len() >= 4);
}

/// Measured people without any structure, always the same.
fn measured() -> String {
    let mut state = 4_u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut text = "age,weight,sex,ill\n".to_owned();
    for _ in 0..600 {
        let (age, weight) = (18 + next(73), 45 + next(76));
        let (sex, ill) = (["f", "m"][next(2) as usize], ["yes", "no", "no"][next(3) as usize]);
        text += &format!("{age},{weight},{sex},{ill}\n");
    }
    text
}

#[test]
fn a_k_that_was_raised_is_stated() {
    let clinic = Clinic::new();
    clinic.folder.file("people.csv", measured());
    clinic.folder.file("ill.toml", format!("class = \"ill\"\n{}", ROLES.replace("smokes", "weight")));
    let first = clinic.record("clusters", "ill", "a.json", &["--clusters", "2", "--json"]);
    assert_eq!(first.status, 0, "{}", first.err);
    assert!(first.json().get("raised_k").is_none());
    let ledger = std::fs::read_to_string(&clinic.ledger).unwrap();
    let second = clinic.record("clusters", "ill", "b.json", &["--clusters", "3"]);
    let words = "k = 160: with k = 5 the release would break the guarantee together with the ledger";
    assert!(second.status == 0 && second.out.contains(words), "{}{}", second.out, second.err);
    std::fs::write(&clinic.ledger, ledger).unwrap();
    let second = clinic.record("clusters", "ill", "b.json", &["--clusters", "3", "--force", "--json"]);
    assert_eq!(second.json()["raised_k"], serde_json::json!({ "required": 5, "mined": 160 }));
    // The release does not say that others failed.
    let release = std::fs::read_to_string(clinic.folder.path("b.json")).unwrap();
    assert!(release.contains("\"k = 5\"") && !release.contains("k = 160"), "{release}");
}

#[test]
fn an_empty_ledger_and_something_else_than_a_digest_are_pointed_out() {
    let folder = Folder::new();
    let empty = folder.file("empty.jsonl", "");
    let ran = incrowd(&["ledger", &empty]);
    assert!(ran.status == 0 && ran.out.contains("the ledger is empty"), "{}{}", ran.out, ran.err);
    let ran = incrowd(&["ledger", &empty, "--head", "abc"]);
    assert!(ran.status == 2 && ran.err.contains("64 hexadecimal digits"), "{}{}", ran.out, ran.err);
    let ran = incrowd(&["ledger", &empty, "--head", &"0".repeat(64)]);
    assert!(ran.status == 1 && ran.out.contains("no line of the ledger has this digest"), "{}", ran.out);
}
