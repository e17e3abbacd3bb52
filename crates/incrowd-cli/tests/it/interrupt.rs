//! Ctrl-C at any time leaves no incomplete output and no temporary file.

#![cfg(unix)]

use crate::{Folder, incrowd};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn start(arguments: &[&str]) -> Child {
    let mut program = Command::new(env!("CARGO_BIN_EXE_incrowd"));
    program.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Interrupts the program and returns its exit status.
fn interrupt(program: Child) -> Option<i32> {
    signal(program, "INT")
}

/// Sends the program a signal and returns its exit status.
fn signal(mut program: Child, name: &str) -> Option<i32> {
    let arguments = [&format!("-{name}"), &program.id().to_string()];
    let sent = Command::new("kill").args(arguments).stderr(Stdio::null()).status();
    sent.expect("kill is there");
    program.wait().unwrap().code()
}

/// A tree with one test.
const STUMP: &str = r#"{"format":"incrowd-release","version":1,"family":"tree","class":{"name":"c","values":["x","y"]},
        "attributes":[{"name":"a","numeric":true}],"nodes":[{"test":{"attribute":"a","thresholds":[0.5],"to":[1,2]}},
        {"leaf":{"label":"x","counts":[1,0]}},{"leaf":{"label":"y","counts":[1,2]}}]}"#;

const POLICY: &str = "class = \"c\"\n[attributes.a]\nrole = \"public\"\n[attributes.b]\nrole = \"public\"\n\
                      [attributes.c]\nrole = \"private\"\n[guarantee]\nk = 2\n";

/// A table that takes a while: numbers that have nothing to do with the class.
fn long(rows: u64) -> String {
    let mut text = String::from("a,b,c\n");
    let mut state = 1_u64;
    for _ in 0..rows {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text += &format!(
            "{},{},{}\n",
            state >> 48,
            state >> 40 & 0xffff,
            ["x", "y", "z"][(state >> 33) as usize % 3]
        );
    }
    text
}

/// An interrupted run ends with a message.
#[test]
fn an_interruption_is_reported() {
    let folder = Folder::new();
    let (table, policy) = (folder.file("t.csv", long(200_000)), folder.file("p.toml", POLICY));
    let mut program = Command::new(env!("CARGO_BIN_EXE_incrowd"));
    let out = folder.path("tree.json");
    program.args(["tree", "--data", &table, "--policy", &policy, "--max-leaves", "100000", "--out", &out]);
    let mut program = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    if program.try_wait().unwrap().is_some() {
        eprintln!("not tested: it was done by then");
        return;
    }
    let sent = Command::new("kill").args(["-INT", &program.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
    let ended = program.wait_with_output().unwrap();
    let err = String::from_utf8(ended.stderr).unwrap();
    if ended.status.code() == Some(130) {
        assert!(err.contains("interrupted; no unfinished file is left"), "{err}");
    }
}

#[test]
fn mining_leaves_nothing() {
    let folder = Folder::new();
    let (table, policy) = (folder.file("t.csv", long(200_000)), folder.file("p.toml", POLICY));
    let out = folder.path("tree.json");
    for wait in [0, 30, 300] {
        let flags = ["--max-leaves", "100000", "--out", &out];
        let mut program = start(&[&["tree", "--data", &table, "--policy", &policy], &flags[..]].concat());
        std::thread::sleep(Duration::from_millis(wait));
        if program.try_wait().unwrap().is_some() {
            eprintln!("not tested after {wait} ms: it was done by then");
            std::fs::remove_file(&out).unwrap();
            continue;
        }
        let status = interrupt(program);
        // Before the program handles signals, the signal ends it, without an exit status.
        assert!(status.is_none_or(|status| status == 130), "after {wait} ms: {status:?}");
        assert_eq!(folder.names(), ["p.toml", "t.csv"], "after {wait} ms");
    }
}

#[test]
fn recoding_leaves_nothing() {
    let folder = Folder::new();
    let (table, policy) = (folder.file("t.csv", long(2_000)), folder.file("p.toml", POLICY));
    let anon = folder.path("anon.csv");
    let files = ["--data", &table, "--policy", &policy, "--out", &anon, "--method", "mondrian"];
    assert_eq!(incrowd(&[&["table"], &files[..]].concat()).status, 0);
    let new = folder.file("t.csv", long(300_000));
    let (release, out) = (folder.path("anon.json"), folder.path("new.csv"));
    for wait in [0, 100, 1000] {
        let mut program = start(&["transform", &release, "--data", &new, "--policy", &policy, "--out", &out]);
        std::thread::sleep(Duration::from_millis(wait));
        if program.try_wait().unwrap().is_some() {
            eprintln!("not tested after {wait} ms: it was done by then");
            std::fs::remove_file(&out).unwrap();
            continue;
        }
        let status = interrupt(program);
        assert!(status.is_none_or(|status| status == 130), "after {wait} ms: {status:?}");
        assert_eq!(folder.names(), ["anon.csv", "anon.json", "p.toml", "t.csv"], "after {wait} ms");
    }
}

/// Interrupted while it writes, as soon as there is a temporary file.
#[test]
fn writing_leaves_nothing_or_all() {
    let folder = Folder::new();
    let rows = 400_000;
    let table = folder.file("t.csv", format!("a\n{}", "1\n".repeat(rows)));
    let tree = folder.file("tree.json", STUMP);
    let out = folder.path("out.csv");
    let mut interrupted = 0;
    for _ in 0..10 {
        let mut program = start(&["predict", &tree, "--data", &table, "--out", &out, "--force"]);
        let begin = Instant::now();
        while program.try_wait().unwrap().is_none() && begin.elapsed() < Duration::from_secs(60) {
            if folder.names().iter().any(|name| name.starts_with(".incrowd-")) {
                break;
            }
        }
        interrupted += usize::from(interrupt(program) == Some(130));
        assert!(folder.names().iter().all(|name| !name.starts_with(".incrowd-")), "{:?}", folder.names());
        if let Ok(written) = std::fs::read_to_string(&out) {
            assert_eq!(written.lines().count(), rows + 1);
        }
    }
    if interrupted == 0 {
        eprintln!("not tested: the file was always written before the interruption came");
    }
    assert_eq!(incrowd(&["predict", &tree, "--data", &table, "--out", &out, "--force"]).status, 0);
}

/// Every signal that would end the program and can be handled.
#[test]
fn no_signal_leaves_a_temporary_file() {
    let folder = Folder::new();
    let table = folder.file("t.csv", format!("a\n{}", "1\n".repeat(400_000)));
    let tree = folder.file("tree.json", STUMP);
    let out = folder.path("out.csv");
    let signals =
        [("HUP", 1), ("QUIT", 3), ("USR1", 10), ("USR2", 12), ("ALRM", 14), ("TERM", 15), ("XCPU", 24)];
    for (name, number) in signals {
        let mut program = start(&["predict", &tree, "--data", &table, "--out", &out, "--force"]);
        while program.try_wait().unwrap().is_none()
            && !folder.names().iter().any(|name| name.starts_with(".incrowd-"))
        {}
        let status = signal(program, name);
        assert!(status == Some(0) || status == Some(128 + number), "{name}: {status:?}");
        assert!(
            folder.names().iter().all(|name| !name.starts_with(".incrowd-")),
            "{name}: {:?}",
            folder.names()
        );
    }
}

/// Interrupted again and again, a comparison comes to the same end.
#[test]
fn a_comparison_goes_on() {
    let folder = Folder::new();
    let (table, policy) = (folder.file("t.csv", long(2_000)), folder.file("p.toml", POLICY));
    let (whole, broken) = (folder.path("whole"), folder.path("broken"));
    let asked = |out| {
        let what = ["--methods", "best,mondrian", "--inducers", "c45", "--k", "5,50", "--cv", "3x2"];
        [&["compare", "--data", &table, "--policy", &policy, "--out", out], &what[..]].concat()
    };
    for wait in [20, 60, 120, 240] {
        let program = start(&asked(&broken));
        std::thread::sleep(Duration::from_millis(wait));
        let status = interrupt(program);
        assert!(status.is_none_or(|status| status == 130 || status == 0), "after {wait} ms: {status:?}");
    }
    let [whole, broken] = [&whole, &broken].map(|out| {
        let mut json = incrowd(&[&asked(out)[..], &["--json"]].concat()).json();
        for released in json["releases"].as_array_mut().unwrap() {
            released["seconds"] = serde_json::json!(0);
            released["peak_bytes"] = serde_json::json!(0);
        }
        json
    });
    assert_eq!(whole, broken);
}
