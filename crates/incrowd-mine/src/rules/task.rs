//! The input of the miner: the frequent items of a table, and who has them.

use super::params::{CheckedRuleParams, Items};
use super::people::People;
use incrowd_core::bits::Bits;
use incrowd_core::model::{ABSENT, Domain, ModelAttribute, PRESENT};
use incrowd_core::policy::{AttackerKnowledge, Attribute as DeclaredAttribute, Policy, Role};
use incrowd_core::printed::{Holders, is_declared};
use incrowd_core::span::ties;
use incrowd_core::table::{Column, Kind, Table};
use incrowd_core::taxonomy::TaxonomySpec;
use incrowd_core::words::{all, count};
use incrowd_core::{Error, Result};
use rayon::prelude::*;

/// An attribute that has a frequent item.
pub(super) struct Attribute<'a> {
    pub(super) column: &'a Column,
    /// What the release states about it; its values begin with the column's, in their order.
    pub(super) model: ModelAttribute,
    /// The place of each code among the model's values; the number of values for a missing one.
    pub(super) value_of_code: Vec<u32>,
}

impl Attribute<'_> {
    /// The number of values it can take, a missing one included.
    pub(super) fn values(&self) -> u32 {
        match &self.model.domain {
            Domain::Values(values) => values.len() as u32 + u32::from(self.model.missing),
            Domain::Numbers { .. } => 0,
        }
    }
}

/// A frequent item.
pub(super) struct Item {
    /// The place of its attribute among those with a frequent item.
    pub(super) attribute: usize,
    /// Its value in the model.
    pub(super) value: u32,
    /// The rows that have it.
    pub(super) rows: Bits,
    /// The number of individuals who have it.
    pub(super) support: u64,
    /// Whether the attacker knows who has it.
    pub(super) known: bool,
}

/// A table to be mined under a policy.
pub(super) struct Task<'a> {
    pub(super) table: &'a Table,
    pub(super) policy: &'a Policy,
    pub(super) people: People,
    pub(super) attributes: Vec<Attribute<'a>>,
    /// The frequent items in the order of the table.
    pub(super) items: Vec<Item>,
    /// The number of individuals who must have a set of items.
    pub(super) least: u64,
    /// What an item is.
    pub(super) kind_of_items: Items,
    /// What the owner should know.
    pub(super) warnings: Vec<String>,
}

impl<'a> Task<'a> {
    pub(super) fn new(table: &'a Table, policy: &'a Policy, params: &CheckedRuleParams) -> Result<Self> {
        let individuals = table.individuals();
        if individuals == 0 {
            return Err(Error::input("the table has no individuals").help("check that it is the right file"));
        }
        let people = People::of(table);
        let least = least_count(params.min_support, individuals);
        let known = policy.known();
        let mut warnings = Vec::new();
        let plays = |column: &&Column| {
            policy.attribute(column.name()).is_some_and(|a| matches!(a.role, Role::Public | Role::Private))
        };
        let mut columns: Vec<&Column> = table.columns().iter().filter(plays).collect();
        let tied = tied(table, policy, &columns, &known)?;
        warnings.extend(tied.iter().map(|name| {
            format!(
                "private `{name}` is left out of the items: a declared dependency ties it to other attributes"
            )
        }));
        columns.retain(|column| !tied.iter().any(|name| name == column.name()));
        let (numbers, names): (Vec<&Column>, Vec<&Column>) = columns
            .into_iter()
            .partition(|column| column.kind() == Kind::Numeric || column.in_days().is_some());
        warnings.extend(numbers_left_out(&numbers, policy));
        let bind = |column: &&'a Column| {
            let known = known.iter().any(|name| name == column.name());
            bind(column, known, policy, params.items, &people, least)
        };
        let bound: Vec<(Attribute<'a>, Vec<Item>)> = names.par_iter().map(bind).collect();
        let (mut attributes, mut items) = (Vec::new(), Vec::new());
        for (attribute, found) in bound.into_iter().filter(|(_, found)| !found.is_empty()) {
            items.extend(found.into_iter().map(|item| Item { attribute: attributes.len(), ..item }));
            attributes.push(attribute);
        }
        Ok(Self { table, policy, people, attributes, items, least, kind_of_items: params.items, warnings })
    }

    /// Whether an item is a private value that fewer individuals have than required, and that the policy does not
    /// declare.
    pub(super) fn is_rare(&self, item: u32, required: u64) -> bool {
        let item = &self.items[item as usize];
        let value = || self.attributes[item.attribute].value(item.value);
        let name = self.attributes[item.attribute].column.name();
        !item.known
            && item.support < required
            && value().is_some_and(|value| !is_declared(self.policy, name, value))
    }
}

/// The most attributes that a warning names.
const NAMED: usize = 20;

/// Whether a taxonomy is for numbers or dates only.
fn is_for_numbers(spec: &TaxonomySpec) -> bool {
    spec.needs_numbers() || *spec == TaxonomySpec::Calendar
}

/// A warning that numbers and dates are left out, and what to change in the policy to use them.
fn numbers_left_out(numbers: &[&Column], policy: &Policy) -> Option<String> {
    let names: Vec<String> =
        numbers.iter().map(|column| format!("`{}`", column.name())).take(NAMED).collect();
    let more = match numbers.len() - names.len() {
        0 => String::new(),
        more => format!(" and {} more numbers and dates", count(more as u64)),
    };
    let declared = |column: &&Column| policy.attribute(column.name());
    let has = |stated: &dyn Fn(&DeclaredAttribute) -> bool| numbers.iter().filter_map(declared).any(stated);
    let keys = [
        ("taxonomy", has(&|each| each.taxonomy.as_ref().is_some_and(is_for_numbers))),
        ("range", has(&|each| each.range.is_some())),
        ("whole", has(&|each| each.whole)),
    ];
    let keys: Vec<String> = keys.iter().filter(|(_, has)| *has).map(|(key, _)| format!("`{key}`")).collect();
    let also = if keys.is_empty() {
        String::new()
    } else {
        let are = if keys.len() == 1 { "is" } else { "are" };
        format!(" and remove {}, which {are} for numbers and dates only", all(&keys))
    };
    let are = if numbers.len() == 1 { "is" } else { "are" };
    (!numbers.is_empty()).then(|| {
        format!(
            "rules need categorical attributes: {}{more} {are} left out (to use one, set kind = \"categorical\" in the policy{also})",
            names.join(", ")
        )
    })
}

impl Attribute<'_> {
    /// The name of a value of the model.
    pub(super) fn value(&self, place: u32) -> Option<&str> {
        match &self.model.domain {
            Domain::Values(values) => values.get(place as usize).map(String::as_str),
            Domain::Numbers { .. } => None,
        }
    }

    /// The values of the model that may be printed: all of an attribute an attacker knows, and of a private one those
    /// that enough individuals have or the policy declares. Whether a product is in a basket is printed by its name.
    pub(super) fn printed(&self, task: &Task<'_>, known: &AttackerKnowledge<'_>, required: u64) -> Vec<bool> {
        let name = self.column.name();
        let Domain::Values(values) = &self.model.domain else { return Vec::new() };
        if known.knows(name).unwrap_or(false) || values.iter().eq([ABSENT, PRESENT]) {
            return vec![true; values.len()];
        }
        let mut enough: Vec<bool> =
            values.iter().map(|value| is_declared(task.policy, name, value)).collect();
        let holders = Holders::new(task.table, self.column);
        for (code, &place) in (0..self.column.missing_code()).zip(&self.value_of_code) {
            enough[place as usize] |= holders.of(code) >= required;
        }
        enough
    }
}

/// The private attributes that declared dependencies tie to others. What their items reveal depends on the individual,
/// so they have no items.
fn tied(table: &Table, policy: &Policy, columns: &[&Column], known: &[String]) -> Result<Vec<String>> {
    let private = columns.iter().map(|column| column.name());
    let private: Vec<&str> = private.filter(|name| !known.iter().any(|known| known == name)).collect();
    Ok(ties(table, policy, &private)?.into_iter().flat_map(|tie| tie.attributes).collect())
}

/// The least number whose share reaches the given one.
fn least_count(share: f64, individuals: u64) -> u64 {
    let reaches = |count: u64| count as f64 / individuals as f64 >= share;
    let near = (share * individuals as f64).floor() as u64;
    (near.saturating_sub(1)..=near.saturating_add(2))
        .find(|&count| count > 0 && reaches(count))
        .unwrap_or(near)
        .max(1)
}

/// An attribute and its frequent items; the caller sets the place of their attribute.
fn bind<'a>(
    column: &'a Column,
    known: bool,
    policy: &Policy,
    kind: Items,
    people: &People,
    least: u64,
) -> (Attribute<'a>, Vec<Item>) {
    let own: Vec<String> =
        (0..column.values().len()).map(|code| column.values().text(code).into_owned()).collect();
    let values = match kind {
        Items::Baskets => vec![ABSENT.to_owned(), PRESENT.to_owned()],
        Items::Values => {
            let declared = policy.attribute(column.name()).map_or(&[][..], |a| &a.values);
            let more = declared.iter().filter(|value| !own.contains(value)).cloned();
            own.iter().cloned().chain(more).collect()
        }
    };
    let place =
        |value: &String| values.iter().position(|other| other == value).unwrap_or(values.len()) as u32;
    let missing = values.len() as u32;
    let value_of_code: Vec<u32> = own.iter().map(place).chain([missing]).collect();
    let mut rows: Vec<Bits> = own.iter().map(|_| Bits::new(column.len())).collect();
    for (row, code) in column.codes().iter().enumerate() {
        if let Some(rows) = rows.get_mut(code as usize) {
            rows.insert(row);
        }
    }
    let is_item = |code: usize| kind == Items::Values || own[code] == PRESENT;
    let items = rows.into_iter().enumerate().filter(|&(code, _)| is_item(code)).filter_map(|(code, rows)| {
        let support = people.count(&rows);
        let value = value_of_code[code];
        (support >= least).then_some(Item { attribute: 0, value, rows, support, known })
    });
    let items = items.collect();
    let mut model = ModelAttribute::categorical(column.name(), values);
    model.missing = column.has_missing();
    (Attribute { column, model, value_of_code }, items)
}
