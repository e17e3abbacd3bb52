//! Reports on data sets.

use super::{Grid, clean, count};

use crate::console::{FAINT, STRONG, paint};
use crate::documents::{DataSetEntry, DataSetFiles};
use std::path::Path;

/// The list of data sets.
pub(crate) fn list(sets: &[DataSetEntry], cache: &Path) -> String {
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
    format!("{}\nCache folder: {}\n", grid.render(), shown(cache))
}

/// The files of a data set, and the next command to run.
pub(crate) fn gotten(gotten: &DataSetFiles) -> String {
    let mut grid = Grid::new(&["", ">", ""]);
    for file in &gotten.files {
        let how = if file.fetched { "downloaded, SHA-256 verified" } else { "from the cache" };
        grid.line([shown(&file.path), format!("{} bytes", count(file.bytes)), paint(FAINT, how)]);
    }
    grid.line([shown(&gotten.policy), String::new(), paint(FAINT, "first policy, to be reviewed")]);
    format!(
        "{}\n{}\n\nlicence: {}\ncite as: {}\n\nnext:\n  {}\n",
        paint(STRONG, gotten.name),
        grid.render().trim_end(),
        gotten.licence,
        gotten.citation,
        next(gotten)
    )
}

fn next(gotten: &DataSetFiles) -> String {
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
