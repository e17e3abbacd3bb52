//! Whether it matters that a foreign model compares texts where the policy has numbers.
//!
//! `1`, `01` and `1.0` are one number and three texts. Where the policy declares a column numeric and the model
//! compares its values as texts, both agree only if every number is spelled in one way.

use crate::plan::{ReadPlan, Reading};
use crate::read::read_table;
use hashbrown::HashSet;
use incrowd_core::model::{Domain, Model, ModelAttribute};
use incrowd_core::progress::Progress;
use incrowd_core::table::Kind;
use incrowd_core::{Error, Result};
use std::borrow::Cow;
use std::path::Path;

/// Refuses a table, or a model made by other programs, that spells one number in several ways in a column that the
/// model compares by text and the plan by number.
///
/// # Errors
/// When there is such a number, or the table cannot be read.
pub fn check_spelling(
    path: &Path,
    plan: &ReadPlan,
    model: &Model,
    threads: usize,
    progress: &dyn Progress,
) -> Result<()> {
    let names = doubtful(plan, model);
    for attribute in of_text(model).filter(|attribute| names.contains(&attribute.name)) {
        let Domain::Values(values) = &attribute.domain else { continue };
        once(&attribute.name, values.iter().map(|value| Cow::Borrowed(value.as_str())))?;
    }
    if names.is_empty() {
        return Ok(());
    }
    let mut as_texts = plan.clone();
    for (_, column) in as_texts.columns.iter_mut().filter(|(name, _)| names.contains(name)) {
        (column.kind, column.reading) = (Some(Kind::Categorical), Reading::Verbatim);
    }
    let table = read_table(path, &as_texts, threads, progress)?.table;
    for column in names.iter().filter_map(|name| table.column(name)) {
        let texts = (0..column.values().len()).map(|code| column.values().text(code));
        once(column.name(), texts).map_err(|error| error.in_file(path))?;
    }
    Ok(())
}

/// The columns that are read as numbers and compared as texts.
fn doubtful(plan: &ReadPlan, model: &Model) -> Vec<String> {
    let numeric = plan.columns.iter().filter(|(_, column)| column.kind == Some(Kind::Numeric));
    let is_compared = |name: &str| match model {
        Model::Rules(rules) => {
            let is_item = |item: &str| item.strip_prefix(name).is_some_and(|rest| rest.starts_with('='));
            rules.attributes().iter().any(|attribute| is_item(&attribute.name))
        }
        model => of_text(model).any(|attribute| attribute.name == name),
    };
    numeric.map(|(name, _)| name.clone()).filter(|name| is_compared(name)).collect()
}

fn of_text(model: &Model) -> impl Iterator<Item = &ModelAttribute> {
    let attributes = match model {
        Model::Tree(tree) => tree.attributes(),
        Model::Ensemble(ensemble) => ensemble.attributes(),
        _ => &[],
    };
    attributes.iter().filter(|attribute| matches!(attribute.domain, Domain::Values(_)))
}

/// Refuses two texts that are the same number.
fn once<'a>(name: &str, mut texts: impl Iterator<Item = Cow<'a, str>>) -> Result<()> {
    let mut seen = HashSet::new();
    let mut is_new =
        |text: &str| text.trim().parse::<f64>().is_ok_and(|number| !seen.insert((number + 0.0).to_bits()));
    if texts.any(|text| is_new(&text)) {
        return Err(Error::input("a number is spelled in two ways, and the model compares text")
            .of_attribute(name)
            .help("set kind = \"categorical\" for the column, or spell its numbers consistently"));
    }
    Ok(())
}
