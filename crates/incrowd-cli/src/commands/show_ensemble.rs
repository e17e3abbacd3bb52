//! `incrowd show` with an ensemble: how much attributes matter, the cells, and the first trees.

use super::show::DEEPEST;
use crate::Outcome;
use crate::args::{Common, Show, ShowForm};
use crate::console::Console;
use crate::documents::ShownEnsemble;
use crate::text;
use incrowd::io::PolicyFile;
use incrowd::io::write::write_new;
use incrowd::model::Ensemble;
use incrowd::show::{EnsembleOutline, ensemble_svg};
use incrowd::{Error, Loaded, Result};

pub(crate) fn run(
    loaded: &Loaded,
    ensemble: &Ensemble,
    arguments: &Show,
    common: &Common,
    console: &Console,
) -> Result<Outcome> {
    if arguments.form == ShowForm::Dot {
        return Err(Error::parameters("an ensemble is displayed only as text or as a picture")
            .in_file(&arguments.model)
            .help("use --as svg"));
    }
    let policy = arguments.policy.as_ref().map(PolicyFile::read).transpose()?;
    let policy = policy.as_ref().map(|file| &file.policy);
    let outline = EnsembleOutline::new(ensemble, policy, arguments.depth.or(Some(DEEPEST)));
    let is_text = arguments.form == ShowForm::Text;
    let shown = if is_text {
        text::ensemble::render(ensemble, &outline, loaded.individuals())
    } else {
        ensemble_svg(ensemble, &outline, loaded.individuals())?
    };
    if let Some(out) = &arguments.out {
        let plain = anstream::adapter::strip_str(&shown).to_string();
        write_new(out, common.force, |file| file.write_all(plain.as_bytes()))?;
        console.note(&format!("ensemble written to {}", out.display()));
    }
    if common.json || (is_text && arguments.out.is_none()) {
        console.result(&ShownEnsemble::new(ensemble, &outline, loaded.individuals()), || shown)?;
    } else if arguments.out.is_none() {
        Console::bytes(shown.as_bytes())?;
    }
    Ok(Outcome::Done)
}
