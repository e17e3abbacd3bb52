//! What means the same for every command.

use crate::{Folder, incrowd};

#[test]
fn every_command_has_help_with_an_example() {
    for command in [
        "demo",
        "profile",
        "audit",
        "tree",
        "boost",
        "table",
        "clusters",
        "rules",
        "compare",
        "predict",
        "transform",
        "show",
        "export",
        "data",
        "completions",
        "man",
    ] {
        let ran = incrowd(&[command, "--help"]);
        assert_eq!(ran.status, 0);
        assert!(ran.out.contains("\nExample"), "{command}: {}", ran.out);
    }
    let audit = incrowd(&["audit", "--help"]).out;
    assert!(audit.contains("1 if it does not, 2 if it could not be checked"), "at length: {audit}");
    let program = [incrowd(&["--help"]).out, incrowd(&["-h"]).out, incrowd(&["man"]).out];
    for help in program {
        assert!(help.contains("Exit status:") && help.contains("130  Interrupted"), "{help}");
    }
}

#[test]
fn wrong_flags_end_with_status_two() {
    for wrong in
        [&["audit"][..], &["profile"], &["demo", "--patients", "1"], &["nothing"], &["audit", "--k", "x"]]
    {
        assert_eq!(incrowd(wrong).status, 2, "{wrong:?}");
    }
}

/// A full disk behind standard output is an error like others, also for errors as documents.
#[cfg(target_os = "linux")]
#[test]
fn a_full_output_is_an_error() {
    let folder = Folder::new();
    let policy = folder.file("policy.toml", "[attributes]\nage = { role = \"public\" }\n");
    for flags in [&["policy", "check", &policy][..], &["policy", "check", &policy, "--json"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_incrowd")).args(flags).stdout(full).output();
        let run = run.unwrap();
        let err = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{err}");
        assert!(err.contains("cannot be written to standard output") && !err.contains("panic"), "{err}");
    }
}

#[test]
fn completions_and_man_pages_are_made() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(incrowd(&["completions", shell]).out.contains("incrowd"), "{shell}");
    }
    assert!(incrowd(&["man"]).out.contains(".TH"));
    let folder = Folder::new();
    let out = folder.path("man1");
    assert_eq!(incrowd(&["man", "--out", &out]).status, 0);
    let page = std::fs::read_to_string(format!("{out}/incrowd-audit.1")).unwrap();
    assert!(page.contains("\\-\\-policy"), "{page}");
}

#[test]
fn the_page_of_commands_has_every_command_and_flag() {
    let page = incrowd(&["man", "--markdown"]).out;
    for part in [
        "## incrowd tree",
        "## incrowd data get",
        "`--k N`",
        "`kadet-id3`: The papers' ID3",
        "Required.",
        "| 130 | Interrupted. |",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(page.matches("`--smallest-bin N`").count(), 1, "shared flags come once");
}

#[test]
fn no_colour_without_a_terminal() {
    assert!(!incrowd(&["demo", "--patients", "1000"]).out.contains('\u{1b}'));
}

#[test]
fn quiet_says_nothing_on_standard_error() {
    let folder = Folder::new();
    let table = folder.file("t.csv", "age,ill\n1,flu\n2,flu\n");
    let ran = incrowd(&["profile", &table, "--out", &folder.path("p.toml"), "--quiet"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
}
