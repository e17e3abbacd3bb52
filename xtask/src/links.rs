//! Checks the links of the Markdown pages to files and headings of the project. Links to the web are not checked.

use crate::shell::{Done, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Fails with a list of all broken links.
pub(crate) fn check() -> Done {
    let broken: Vec<String> =
        pages()?.iter().map(|page| broken(page)).collect::<Result<Vec<_>, _>>()?.concat();
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}

/// The pages in the workspace's root folder and in `docs`.
fn pages() -> Result<Vec<PathBuf>, String> {
    let mut pages = Vec::new();
    for folder in [root(), root().join("docs")] {
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let files = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        pages.extend(files.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    pages.sort();
    Ok(pages)
}

fn broken(page: &Path) -> Result<Vec<String>, String> {
    let text = read(page)?;
    let mut broken = Vec::new();
    for (line, link) in links(&text) {
        if let Some(why) = wrong(page, &link)? {
            broken.push(format!("{}:{line}: {link}: {why}", page.display()));
        }
    }
    Ok(broken)
}

/// The error in a link of a page, if any.
fn wrong(page: &Path, link: &str) -> Result<Option<&'static str>, String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return Ok(None);
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let file = if path.is_empty() { page.to_path_buf() } else { page.with_file_name(path) };
    if !file.exists() {
        return Ok(Some("no such file"));
    }
    match anchor {
        Some(anchor) if !anchors(&read(&file)?).contains(anchor) => Ok(Some("no such heading")),
        _ => Ok(None),
    }
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The lines outside of code blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut code = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        (!code && !fence).then_some((number + 1, line))
    })
}

/// The targets of links, with their line numbers: `[words](goal)` outside of code.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    for (number, line) in prose(text) {
        // Text in backquotes is not a link, but the words of a link may contain backquotes.
        let line: String = line.split("](").enumerate().fold(String::new(), |told, (part, piece)| {
            let quoted = told.matches('`').count() % 2 == 1;
            if part == 0 { piece.to_owned() } else { told + if quoted { "] (" } else { "](" } + piece }
        });
        let goals = line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
        links.extend(goals.map(|goal| (number, goal.to_owned())));
    }
    links
}

/// The anchors of a page's headings, as on GitHub: a repeated one gets a number.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for (_, line) in prose(text).filter(|(_, line)| line.starts_with('#')) {
        let anchor = anchor(line.trim_start_matches('#').trim());
        let repeated = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(repeated).find(|name| !anchors.contains(name));
        anchors.extend(free);
    }
    anchors
}

/// Keeps lower-case letters, digits, `-` and `_`; spaces become `-`, everything else is removed.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_become_anchors() {
        assert_eq!(anchor("`[attributes.NAME]`"), "attributesname");
        assert_eq!(anchor("What k-anonymity does not do"), "what-k-anonymity-does-not-do");
        let page = "# A b\n## A b\n```text\n# not one\n```\n";
        assert_eq!(anchors(page), ["a-b", "a-b-1"].map(str::to_owned).into());
    }

    #[test]
    fn links_outside_of_code_are_found() {
        let page = "[a](b.md#c) and `x](y)` ![d](e.svg)\n```text\n[no](no.md)\n```\n[`f`](g.md)";
        let found = [(1, "b.md#c"), (1, "e.svg"), (5, "g.md")];
        assert_eq!(links(page), found.map(|(line, link)| (line, link.to_owned())));
    }

    #[test]
    fn links_that_lead_nowhere_are_told() {
        let page = root().join("README.md");
        assert_eq!(wrong(&page, "docs/policy.md#items").unwrap(), None);
        assert_eq!(wrong(&page, "https://example.org/nothing").unwrap(), None);
        assert!(wrong(&page, "docs/nothing.md").unwrap().is_some());
        assert!(wrong(&page, "docs/policy.md#nothing").unwrap().is_some());
    }
}
