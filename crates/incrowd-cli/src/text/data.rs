//! Data sets in words.

use super::{Grid, clean, count};
use crate::commands::data::{Gotten, Listed};
use crate::console::{FAINT, STRONG, paint};
use std::path::Path;

/// The list.
pub(crate) fn list(sets: &[Listed], cache: &Path) -> String {
    let mut grid = Grid::new(&["name", ">rows", ">bytes", "", "what"]);
    for set in sets {
        let cached = if set.cached { "cached" } else { "" };
        grid.line([
            paint(STRONG, set.name),
            count(set.rows),
            count(set.bytes),
            cached.to_owned(),
            set.title.to_owned(),
        ]);
    }
    format!("{}\nThe cache is {}.\n", grid.render(), shown(cache))
}

/// What was got, and what to do with it.
pub(crate) fn gotten(gotten: &Gotten) -> String {
    let mut grid = Grid::new(&["", ">", ""]);
    for file in &gotten.files {
        let how = if file.fetched { "fetched, SHA-256 as it should be" } else { "from the cache" };
        grid.line([shown(&file.path), format!("{} bytes", count(file.bytes)), paint(FAINT, how)]);
    }
    grid.line([shown(&gotten.policy), String::new(), paint(FAINT, "a policy to begin with: look over it")]);
    format!(
        "{}\n{}\n\nlicence: {}\nto cite: {}\n\nto go on:\n  {}\n",
        paint(STRONG, gotten.name),
        grid.render().trim_end(),
        gotten.licence,
        gotten.citation,
        next(gotten)
    )
}

fn next(gotten: &Gotten) -> String {
    let data = gotten.files.first().map(|file| shown(&file.path)).unwrap_or_default();
    let files = format!("--data {data} --policy {}", shown(&gotten.policy));
    if gotten.baskets {
        format!("incrowd rules {files} --min-support 0.005 --min-confidence 0.3 --out rules.json")
    } else {
        format!("incrowd tree {files} --out tree.json")
    }
}

fn shown(path: &Path) -> String {
    clean(&path.display().to_string())
}
