//! Lists the public names of the library, from its rendered documentation, in `docs/api.txt`, so that changes are
//! visible in review.

use crate::shell::{Done, command, root, run};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The path of the listing.
const LISTING: &str = "docs/api.txt";

/// The ids on an item's page that belong to the item itself.
const PARTS: [&str; 6] =
    ["variant.", "structfield.", "method.", "tymethod.", "associatedconstant.", "associatedtype."];

/// The ends of an item's own part of a page. The rest comes from traits and other types.
const ENDS: [&str; 5] = [
    "id=\"deref-methods",
    "id=\"trait-implementations\"",
    "id=\"synthetic-implementations\"",
    "id=\"blanket-implementations\"",
    "id=\"implementors\"",
];

/// Writes the listing.
pub(crate) fn write() -> Done {
    std::fs::write(root().join(LISTING), listing()?).map_err(|error| format!("{LISTING}: {error}"))
}

/// Fails if the listing differs from the committed one.
pub(crate) fn check() -> Done {
    let committed = std::fs::read_to_string(root().join(LISTING));
    if committed.map_err(|error| format!("{LISTING}: {error}"))? == listing()? {
        return Ok(());
    }
    Err(format!("{LISTING} is out of date: run `cargo xtask docs` and commit it"))
}

fn listing() -> Result<String, String> {
    run(&mut command("cargo", &["doc", "--quiet", "--package", "incrowd", "--no-deps"]))?;
    let folder = target().join("doc/incrowd");
    let all = read(&folder.join("all.html"))?;
    let mut names = BTreeSet::new();
    for page in all.split("href=\"").skip(1).filter_map(|part| part.split('"').next()) {
        let Some((kind, path)) = item(page) else { continue };
        names.insert(format!("{path} ({kind})"));
        names.extend(parts(&read(&folder.join(page))?).into_iter().map(|part| format!("{path}::{part}")));
    }
    Ok(names.into_iter().collect::<Vec<_>>().join("\n") + "\n")
}

/// The kind and the path of an item, from the path of its page: `mine/tree/struct.MinedTree.html`.
fn item(page: &str) -> Option<(&str, String)> {
    let (folders, file) = page.rsplit_once('/').unwrap_or(("", page));
    let (kind, name) = file.strip_suffix(".html")?.split_once('.')?;
    let kinds = ["struct", "enum", "trait", "fn", "constant", "macro", "type"];
    let path = folders.split('/').filter(|part| !part.is_empty()).chain([name]);
    kinds.contains(&kind).then(|| (kind, path.collect::<Vec<_>>().join("::")))
}

/// The names of the item's own fields, variants and methods on a page.
fn parts(page: &str) -> BTreeSet<String> {
    let end = ENDS.iter().filter_map(|end| page.find(end)).min().unwrap_or(page.len());
    let ids = page[..end].split("id=\"").skip(1).filter_map(|part| part.split('"').next());
    let name = |id: &str| PARTS.iter().find_map(|part| id.strip_prefix(part)).map(str::to_owned);
    ids.filter_map(name).filter(|name| !name.contains(['.', '-'])).collect()
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
