//! The result of `incrowd report` and of `incrowd verify`.

use super::{Grid, clean, counted};
use crate::console::{BAD, CARE, FAINT, GOOD, paint};
use incrowd::Dossier;
use incrowd::dossier::{FileState, Verification, VerifiedFile};
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
    let is_wrong = |file: &&VerifiedFile| !matches!(file.state, FileState::Same | FileState::NotChecked);
    let wrong: Vec<&VerifiedFile> = found.files.iter().filter(is_wrong).collect();
    let headline = if let [one] = wrong.as_slice()
        && one.state == FileState::Missing
    {
        paint(BAD, format!("{}: no such file", clean(&shown(one))))
    } else if !wrong.is_empty() {
        let wrong = wrong.len() as u64;
        let differ = if wrong == 1 { "differs" } else { "differ" };
        paint(BAD, format!("{} {differ} from the report of {}", counted(wrong, "file"), clean(&found.date)))
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
            FileState::Differs => paint(
                BAD,
                format!(
                    "differs: its digest is {}, the report has {}",
                    short(file.sha256.as_ref()),
                    short(file.recorded.as_ref())
                ),
            ),
            FileState::Missing => paint(BAD, "no such file"),
            FileState::Unknown => {
                paint(BAD, format!("not in the report (digest {})", short(file.sha256.as_ref())))
            }
            FileState::NotChecked => paint(FAINT, "not checked"),
        };
        grid.line([file.role.map_or("", |role| role.name()).to_owned(), clean(&shown(file)), state]);
    }
    format!("{headline}\n{}", grid.render())
}

/// The beginning of a digest, enough to compare by eye.
fn short(sha256: Option<&String>) -> String {
    sha256.map_or_else(String::new, |digest| digest.chars().take(16).chain(['…']).collect())
}

/// The file that was compared; files of the report that were not given have only the name that it records.
fn shown(file: &VerifiedFile) -> String {
    file.path.as_ref().map_or_else(|| file.name.clone(), |path| path.display().to_string())
}
