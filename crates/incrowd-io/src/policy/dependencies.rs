//! `[[dependencies]]`: which attributes determine which.

use super::attributes::DeclaredAttribute;
use super::item::{Item, Section};
use super::keys;
use incrowd_core::Result;
use incrowd_core::policy::{Dependency, Role};

pub(super) fn read(top: &Section<'_>, declared: &[DeclaredAttribute<'_>]) -> Result<Vec<Dependency>> {
    let items = top.get("dependencies").map_or_else(|| Ok(Vec::new()), |item| item.list())?;
    items.into_iter().map(|item| read_one(&item.section(keys::DEPENDENCY)?, declared)).collect()
}

fn read_one(section: &Section<'_>, declared: &[DeclaredAttribute<'_>]) -> Result<Dependency> {
    let (from_item, to_item) = (section.require("from")?, section.require("to")?);
    let from = from_item.some_texts()?;
    for item in from_item.list()? {
        usable(item, declared)?;
    }
    let to = usable(to_item, declared)?;
    if from.contains(&to) {
        return Err(to_item.error("an attribute cannot depend on itself").of_attribute(&to));
    }
    Ok(Dependency { from, to })
}

fn usable(item: Item<'_>, declared: &[DeclaredAttribute<'_>]) -> Result<String> {
    let attribute = item.attribute(declared)?;
    match attribute.role {
        Role::Public | Role::Private => Ok(attribute.name.clone()),
        Role::Identifier | Role::Ignored => Err(item
            .error("a dependency may name only public and private attributes")
            .of_attribute(&attribute.name)
            .help("the role of this attribute is identifier or ignored")),
    }
}
