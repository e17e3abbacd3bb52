//! Ensembles whose files do not name the class: it is the policy's, with the values of the table.

use crate::policy::{Policy, Role};
use crate::table::Table;
use crate::{Error, Result};
use incrowd_core::model::{Class, Model};
use incrowd_io::Maker;
use std::collections::BTreeSet;

/// Gives a model whose file does not name the class that of the policy. Its values are still numbers.
///
/// # Errors
/// When the policy has no class, or the model tests it.
pub(crate) fn with_class_name(model: Model, maker: &Maker, policy: &Policy) -> Result<Model> {
    let Model::Ensemble(ensemble) = model else { return Ok(model) };
    if !is_unnamed(maker) {
        return Ok(Model::Ensemble(ensemble));
    }
    let Some(name) = &policy.class else {
        return Err(Error::input("the file does not name the class that the model predicts")
            .help("state it in the policy: class = \"...\""));
    };
    let class = Class { name: name.clone(), ..ensemble.class().clone() };
    ensemble.with_class(class).map(Model::Ensemble)
}

/// Gives the class of such a model the values of the table. An audit does not depend on which of them has which number.
///
/// # Errors
/// When the table has no such column, or another number of class values than the model.
pub(crate) fn with_class_values(model: Model, maker: &Maker, table: &Table) -> Result<Model> {
    let Model::Ensemble(ensemble) = model else { return Ok(model) };
    if !is_unnamed(maker) {
        return Ok(Model::Ensemble(ensemble));
    }
    let column = table.require(&ensemble.class().name)?;
    let codes: BTreeSet<u32> = column.codes().iter().filter(|&code| code != column.missing_code()).collect();
    let values = codes.into_iter().map(|code| column.values().text(code as usize).into_owned()).collect();
    let class = Class { name: column.name().to_owned(), values };
    let named = ensemble.with_class(class);
    named.map(Model::Ensemble).map_err(|error| error.help("audit a model against the table it was made from"))
}

/// Fails for a model that needs the names of class values.
///
/// # Errors
/// When its file does not contain them.
pub(crate) fn refuse_unnamed(maker: &Maker) -> Result<()> {
    if !is_unnamed(maker) {
        return Ok(());
    }
    Err(Error::input(
        "the file does not contain the class and its values, so the model can only be audited and displayed",
    )
    .help("write the model with Python's incrowd.write_model"))
}

fn is_unnamed(maker: &Maker) -> bool {
    matches!(maker, Maker::Elsewhere(elsewhere) if elsewhere.unnamed_class)
}

/// Warnings about what a file contains besides its trees.
pub(crate) fn beside_the_trees(maker: &Maker, policy: &Policy) -> Result<Vec<String>> {
    let Maker::Elsewhere(elsewhere) = maker else { return Ok(Vec::new()) };
    let mut warnings = Vec::new();
    let mut private = Vec::new();
    for name in &elsewhere.extremes {
        let is_private = policy.attribute(name).is_some_and(|attribute| attribute.role == Role::Private);
        if is_private && !policy.knows(name)? {
            private.push(format!("`{name}`"));
        }
    }
    if !private.is_empty() {
        warnings.push(format!(
            "the file also contains the smallest and the largest value of {}, which the audit does not check; \
             release a file written by incrowd.write_model instead",
            private.join(", ")
        ));
    }
    if elsewhere.pruned {
        warnings.push(
            "the file also contains figures of nodes that pruning has removed, which the audit does not check; \
             release a file written by incrowd.write_model instead"
                .to_owned(),
        );
    }
    Ok(warnings)
}
