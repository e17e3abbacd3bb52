//! Runs every command in docs/tutorial.md and compares its output with the page.
//!
//! After a change of outputs, `INCROWD_UPDATE_TUTORIAL=1` writes them to the page. Check figures in the prose by hand.

use crate::{Folder, data, run};
use std::path::PathBuf;
use std::process::Command;

/// The mark for the rest of an output.
const REST: &str = "[...]";

/// A part of the page.
enum Part {
    /// Prose, and code that is not looked at.
    Other(String),
    /// Sections that the reader writes into the policy.
    Policy(String),
    /// Commands and their outputs.
    Console(String),
}

fn page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutorial.md")
}

/// The page in parts, in its order; put together they are the page.
fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find("```") {
        let open = rest[at..].find('\n').map_or(rest.len(), |end| at + end + 1);
        let close = rest[open..].find("```").map_or(rest.len(), |end| open + end);
        parts.push(Part::Other(rest[..open].to_owned()));
        let code = rest[open..close].to_owned();
        parts.push(match rest[at..open].trim() {
            "```console" => Part::Console(code),
            "```toml" => Part::Policy(code),
            _ => Part::Other(code),
        });
        let behind = (close + "```\n".len()).min(rest.len());
        parts.push(Part::Other(rest[close..behind].to_owned()));
        rest = &rest[behind..];
    }
    parts.push(Part::Other(rest.to_owned()));
    parts
}

/// A policy with some of its sections replaced.
fn with_sections(policy: &str, sections: &str) -> String {
    let split = |text: &str| -> Vec<String> {
        let mut all = vec![String::new()];
        for line in text.lines() {
            if line.starts_with('[') {
                all.push(String::new());
            }
            let last = all.len() - 1;
            all[last] += &format!("{line}\n");
        }
        all
    };
    let head = |section: &String| section.lines().next().unwrap_or_default().to_owned();
    let new = split(sections);
    let is_replaced =
        |section: &String| section.starts_with('[') && new.iter().any(|n| head(n) == head(section));
    split(policy).into_iter().filter(|section| !is_replaced(section)).chain(new.clone()).collect()
}

/// The output of a command, warnings first and notes last, as in a terminal.
fn said(folder: &Folder, command: &str) -> String {
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("incrowd"), "{command}");
    let ran = run(Command::new(env!("CARGO_BIN_EXE_incrowd")).args(words).current_dir(&folder.0));
    assert!(ran.status < 2, "{command}: {}", ran.err);
    let is_warning = |line: &&str| line.starts_with("warning:");
    let warnings: String = ran.err.lines().filter(is_warning).map(|line| format!("{line}\n")).collect();
    // How far a command got within a second depends on the machine.
    let is_progress = |line: &&str| line.contains(" of ") && line.ends_with(" %)");
    let is_note = |line: &&str| !is_warning(line) && !is_progress(line);
    let notes: String = ran.err.lines().filter(is_note).map(|line| format!("{line}\n")).collect();
    let trimmed: String = ran.out.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    warnings + &trimmed + &notes
}

/// What the page should have for an output that it shows up to some line.
fn shown(before: &str, now: &str) -> String {
    if before.lines().last() != Some(REST) {
        return now.to_owned();
    }
    let kept: Vec<&str> = before.lines().take_while(|line| *line != REST).collect();
    let word = |line: &&str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let last = kept.last().map(word);
    let end = now.lines().position(|line| last == Some(word(&line))).map_or(kept.len(), |at| at + 1);
    // Of lines that begin alike, as many as before.
    let alike = kept.iter().rev().take_while(|line| last == Some(word(line))).count().max(1) - 1;
    let lines = now.lines().take(end + alike).map(|line| format!("{line}\n"));
    lines.chain([format!("{REST}\n")]).collect()
}

fn console(folder: &Folder, code: &str) -> String {
    let mut text = String::new();
    for block in code.split_inclusive('\n').fold(Vec::<String>::new(), |mut blocks, line| {
        if line.starts_with("$ ") || blocks.is_empty() {
            blocks.push(String::new());
        }
        let last = blocks.len() - 1;
        blocks[last] += line;
        blocks
    }) {
        let (command, before) = block.split_once('\n').expect("a command and a line");
        let command = command.strip_prefix("$ ").expect("a command");
        if command.starts_with("incrowd data get") {
            // It needs the network, and the files are already here.
            text += &block;
            continue;
        }
        text += &format!("$ {command}\n{}", shown(before, &said(folder, command)));
    }
    text
}

#[test]
fn the_tutorial_says_what_the_program_says() {
    let (Some(table), Some(test)) = (data("adult/adult.data"), data("adult/adult.test")) else { return };
    let folder = Folder::new();
    std::fs::create_dir(folder.0.join("adult")).unwrap();
    std::fs::copy(table, folder.0.join("adult/adult.data")).unwrap();
    std::fs::copy(test, folder.0.join("adult/adult.test")).unwrap();
    let sets = incrowd::io::data::sets();
    let mut policy = sets.iter().find(|set| set.name == "adult").expect("Adult").policy.to_owned();
    folder.file("adult/policy.toml", &policy);
    let before = std::fs::read_to_string(page()).unwrap();
    let mut now = String::new();
    for part in parts(&before) {
        match part {
            Part::Other(text) => now += &text,
            Part::Policy(sections) => {
                policy = with_sections(&policy, &sections);
                folder.file("adult/policy.toml", &policy);
                now += &sections;
            }
            Part::Console(code) => now += &console(&folder, &code),
        }
    }
    if std::env::var_os("INCROWD_UPDATE_TUTORIAL").is_some() {
        std::fs::write(page(), &now).unwrap();
        return;
    }
    for (line, (before, now)) in (1..).zip(before.lines().zip(now.lines())) {
        assert_eq!(
            before, now,
            "docs/tutorial.md:{line}; INCROWD_UPDATE_TUTORIAL=1 writes what the program says"
        );
    }
    assert_eq!(before.lines().count(), now.lines().count());
}
