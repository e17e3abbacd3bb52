//! Cells about names: each name is a place, and so are all names that a cell covers without naming them.

use super::notation::Notation;
use super::{CellContents, Cells, Runs, Unreadable, joined};
use crate::error::Result;
use crate::printed::OTHER_VALUES;
use crate::taxonomy::{MISSING, Prefix, TaxonomySpec};
use hashbrown::{HashMap, HashSet};

pub(super) fn said(cells: &Cells<'_>) -> Result<CellContents> {
    let places = Places::new(cells);
    let (missing, rest) = (places.names.len() as u32, places.names.len() as u32 + 1);
    let read = cells.each(|said| match said {
        Notation::Any => Ok(None),
        said => places.set(said, missing).map(Some),
    });
    // What does not occur is nothing.
    let sets: Vec<Option<Runs>> =
        read?.into_iter().map(|set| set.unwrap_or_else(|| Some(Vec::new()))).collect();
    let own_missing = if cells.has_missing { vec![(missing, missing + 1)] } else { Vec::new() };
    let declared = &cells.attribute.values;
    let is_open = declared.is_empty() && sets.iter().any(Option::is_none);
    let declared = declared.iter().filter_map(|name| places.number.get(name.as_str()).map(|&n| (n, n + 1)));
    let said = sets.iter().flatten().flatten().chain(&own_missing).copied();
    let domain = joined(said.chain(declared).chain(is_open.then_some((rest, rest + 1))).collect());
    let sets = sets.into_iter().chain([Some(own_missing.clone())]);
    let sets = sets.map(|set| set.unwrap_or_else(|| domain.clone())).collect();
    let mut single: Vec<bool> = places.names.iter().map(|name| places.is_single(name)).collect();
    single.extend([true, false]);
    Ok(CellContents::new(sets, single, Vec::new(), domain))
}

/// All names, in an order that keeps those of a taxonomy's group together.
struct Places<'a> {
    names: Vec<&'a str>,
    number: HashMap<&'a str, u32>,
    prefix: Option<Prefix>,
    declared: HashSet<&'a str>,
}

impl<'a> Places<'a> {
    fn new(cells: &'a Cells<'_>) -> Self {
        let (attribute, mut names) = (cells.attribute, Vec::new());
        let prefix = match &attribute.taxonomy {
            Some(TaxonomySpec::Prefix(prefix)) => Some(*prefix),
            Some(TaxonomySpec::Tree(tree)) => {
                names.extend(tree.values());
                None
            }
            _ => None,
        };
        let declared: HashSet<&str> = attribute.values.iter().map(String::as_str).collect();
        names.extend(attribute.values.iter().map(String::as_str));
        let parts = cells.of_code.iter().flatten().flat_map(|(_, said)| said.parts());
        names.extend(parts.filter(|part| *part != MISSING || declared.contains(part)));
        if prefix.is_some() {
            names.sort_unstable();
        }
        let mut number = HashMap::new();
        names.retain(|name| {
            let next = number.len() as u32;
            let mut is_new = false;
            number.entry(*name).or_insert_with(|| {
                is_new = true;
                next
            });
            is_new
        });
        Self { names, number, prefix, declared }
    }

    /// Whether a name is one value: not a name for others.
    fn is_single(&self, name: &str) -> bool {
        let is_mask = self.prefix.is_some_and(|prefix| name.ends_with(prefix.mask()));
        self.declared.contains(name) || (!is_mask && name != OTHER_VALUES)
    }

    fn set(&self, said: &Notation<'_>, missing: u32) -> Result<Runs, Unreadable> {
        let mut runs: Runs = Vec::new();
        for part in said.parts() {
            match self.number.get(part) {
                Some(&place) if self.is_single(part) => {
                    let is_allowed = self.declared.is_empty() || self.declared.contains(part);
                    if !is_allowed {
                        return Err(Unreadable::Contradicts);
                    }
                    runs.push((place, place + 1));
                }
                // Which of the declared values the others are depends on who wrote the cell.
                Some(_) if !self.declared.is_empty() && part == OTHER_VALUES => {
                    return Err(Unreadable::Unlisted);
                }
                Some(&place) => {
                    let named = self.masked(part);
                    if self.declared.is_empty() {
                        runs.push((place, place + 1));
                    } else if named.is_empty() {
                        return Err(Unreadable::Contradicts);
                    }
                    runs.extend(named);
                }
                None => runs.push((missing, missing + 1)),
            }
        }
        Ok(joined(runs))
    }

    /// The names that a masked code covers: as long as it is, with the same beginning. Of declared names, those alone.
    fn masked(&self, mask: &str) -> Runs {
        let Some(prefix) = self.prefix else { return Vec::new() };
        let beginning = mask.trim_end_matches(prefix.mask());
        let length = mask.chars().count();
        let filled = |name: &str| {
            let lack = length.saturating_sub(name.chars().count());
            let pad = prefix.pad().map_or_else(String::new, |pad| String::from(pad).repeat(lack));
            pad + name
        };
        let stands_for = |name: &str| {
            let is_possible = self.declared.is_empty() || self.declared.contains(name);
            let name = filled(name);
            is_possible && name.starts_with(beginning) && name.chars().count() == length
        };
        let places = (0..).zip(&self.names).filter(|(_, name)| stands_for(name));
        places.map(|(place, _)| (place, place + 1)).collect()
    }
}
