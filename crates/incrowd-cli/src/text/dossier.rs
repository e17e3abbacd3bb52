//! The result of `incrowd report` and of `incrowd verify`.

use super::{Grid, clean, counted};
use crate::console::{BAD, CARE, FAINT, GOOD, paint};
use incrowd::Dossier;
use incrowd::dossier::{FileState, Verification};
use std::path::{Path, PathBuf};

pub(crate) fn render(dossier: &Dossier, out: &[PathBuf]) -> String {
    let (headline, sentences) = dossier.verdict();
    let style = if dossier.holds() { GOOD } else { BAD };
    let sentences: String = sentences.iter().map(|sentence| format!("  {}\n", clean(sentence))).collect();
    let written: String = out.iter().map(|path| written(path) + "\n").collect();
    format!("{}\n{sentences}{written}", paint(style, clean(&headline)))
}

/// A line about a report that was written.
pub(crate) fn written(path: &Path) -> String {
    format!("report written to {}", clean(&path.display().to_string()))
}

pub(crate) fn verified(found: &Verification) -> String {
    let wrong =
        found.files.iter().filter(|file| !matches!(file.state, FileState::Same | FileState::NotChecked));
    let wrong = wrong.count() as u64;
    let headline = if wrong > 0 {
        let are = if wrong == 1 { "is not the file" } else { "are not the files" };
        paint(BAD, format!("{} {are} of the report of {}", counted(wrong, "file"), clean(&found.date)))
    } else if found.guarantee_held {
        paint(GOOD, format!("these are the files of the report of {}", clean(&found.date)))
    } else {
        let held = "but that report says that the release does not meet its guarantee";
        paint(CARE, format!("these are the files of the report of {}, {held}", clean(&found.date)))
    };
    let mut grid = Grid::new(&["", "file", ""]);
    for file in &found.files {
        let state = match file.state {
            FileState::Same => paint(GOOD, "same"),
            FileState::Differs => paint(BAD, "differs"),
            FileState::Missing => paint(BAD, "missing"),
            FileState::Unknown => paint(BAD, "not in the report"),
            FileState::NotChecked => paint(FAINT, "not checked"),
        };
        // The file that was compared; files of the report that were not given have only the name that it records.
        let name = file.path.as_ref().map_or_else(|| file.name.clone(), |path| path.display().to_string());
        grid.line([file.role.map_or("", |role| role.name()).to_owned(), clean(&name), state]);
    }
    format!("{headline}\n{}", grid.render())
}
