//! Declared dependencies from which nothing is known for certain, but which an attacker takes into account.
//!
//! Attributes that follow from known attributes are known ([`Policy::known`]). Every other declared dependency is a
//! *relation*: only the combinations of its attributes that occur in the table are possible. Private attributes that
//! relations tie together form a [`Component`]; an individual's known attributes select the rows of each relation, and
//! joining these gives all combinations of private values that are possible for them.
//!
//! Attributes in different components, and those in none, vary independently of each other. Running time: one grouping
//! of the rows for each relation, then the size of the joins. There is one join for each combination of known values
//! that relations name. Joins are bounded; exceeding the bound is an error.

mod join;

use crate::error::{Error, Result};
use crate::group::group_rows;
use crate::policy::{Policy, Role};
use crate::table::{Column, Table};
use hashbrown::{HashMap, HashSet};
use join::{Budget, join};

/// A combination of values, one for each private attribute of a component.
pub(crate) type Combination = Box<[u32]>;

/// Private attributes that relations tie together, and which of their values are possible for whom.
pub(crate) struct Component<'a> {
    /// The private attributes. Their values are called by their places in `codes`.
    pub(crate) columns: Vec<&'a Column>,
    /// The codes of each that occur, ascending.
    pub(crate) codes: Vec<Vec<u32>>,
    /// For each row which of the kinds its known attributes leave.
    pub(crate) kind_of_row: Vec<u32>,
    /// The different sets of possible combinations, each ascending.
    pub(crate) kinds: Vec<Vec<Combination>>,
}

impl Component<'_> {
    /// The place of an attribute among those of the component.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name() == name)
    }

    /// The value of each code of one of the attributes; [`u32::MAX`] for codes that do not occur.
    pub(crate) fn value_of_code(&self, place: usize) -> Vec<u32> {
        let mut value = vec![u32::MAX; self.columns[place].values().len() + 1];
        self.codes[place].iter().zip(0..).for_each(|(&code, number)| value[code as usize] = number);
        value
    }
}

/// Private attributes that declared dependencies tie together.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Tie {
    /// Their names.
    pub attributes: Vec<String>,
    /// For each row which of several sets of private values is possible, by number.
    pub kind_of_row: Vec<u32>,
}

impl Tie {
    /// Whether it ties an attribute.
    pub fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|attribute| attribute == name)
    }
}

/// What the policy's dependencies tie the private attributes of these names to, as far as an attacker does not know it:
/// individuals for whom the same private values are possible have the same kind in each tie.
///
/// # Errors
/// When a dependency names an attribute that is not in the table or has no usable role, or too much is possible to be
/// listed.
pub fn ties(table: &Table, policy: &Policy, names: &[&str]) -> Result<Vec<Tie>> {
    let tie = |component: Component<'_>| Tie {
        attributes: component.columns.iter().map(|column| column.name().to_owned()).collect(),
        kind_of_row: component.kind_of_row,
    };
    Ok(components(table, policy, names)?.into_iter().map(tie).collect())
}

/// The components that contain one of the private attributes of these names.
///
/// # Errors
/// When a dependency among them names an attribute that is not in the table or has no usable role, or too much is
/// possible to be listed.
pub(crate) fn components<'a>(
    table: &'a Table,
    policy: &Policy,
    names: &[&str],
) -> Result<Vec<Component<'a>>> {
    let known: HashSet<String> = policy.known().into_iter().collect();
    let mut left = relations(policy, &known);
    let mut budget = Budget::default();
    let mut components = Vec::new();
    for name in names {
        let mut attributes: HashSet<String> = HashSet::from_iter([(*name).to_owned()]);
        let mut tied = Vec::new();
        // Every relation that shares an attribute with those found so far belongs to them.
        while let Some(next) = left.iter().position(|of| of.iter().any(|name| attributes.contains(name))) {
            let relation = left.swap_remove(next);
            attributes.extend(relation.iter().filter(|name| !known.contains(*name)).cloned());
            tied.push(relation);
        }
        if !tied.is_empty() {
            components.push(component(table, policy, &known, &tied, &mut budget)?);
        }
    }
    Ok(components)
}

/// The attributes an attacker knows that declared dependencies tie to some private ones, directly or through others, in
/// the order of the policy. The attacker knows which private values are possible with them.
pub fn tied_known(policy: &Policy, names: &[&str]) -> Vec<String> {
    let known: HashSet<String> = policy.known().into_iter().collect();
    let mut left = relations(policy, &known);
    let private = names.iter().map(|name| (*name).to_owned()).filter(|name| !known.contains(name));
    let mut reached: HashSet<String> = private.collect();
    let mut tied: HashSet<String> = HashSet::new();
    while let Some(next) = left.iter().position(|of| of.iter().any(|name| reached.contains(name))) {
        let (own, others): (Vec<String>, Vec<String>) =
            left.swap_remove(next).into_iter().partition(|name| known.contains(name));
        tied.extend(own);
        reached.extend(others);
    }
    let in_order = policy.attributes.iter().map(|attribute| attribute.name.clone());
    in_order.filter(|name| tied.contains(name)).collect()
}

/// The other private attributes that declared dependencies tie to some, directly or through others, in the order of the
/// policy.
pub(crate) fn tied_private(policy: &Policy, names: &[&str]) -> Vec<String> {
    let known: HashSet<String> = policy.known().into_iter().collect();
    let mut left = relations(policy, &known);
    let mut reached: HashSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    while let Some(next) = left.iter().position(|of| of.iter().any(|name| reached.contains(name))) {
        reached.extend(left.swap_remove(next).into_iter().filter(|name| !known.contains(name)));
    }
    let others = policy.with_role(Role::Private).map(str::to_owned);
    others.filter(|name| reached.contains(name) && !names.contains(&name.as_str())).collect()
}

/// The attributes of each dependency that an attacker cannot follow, or knows the private side of.
fn relations(policy: &Policy, known: &HashSet<String>) -> Vec<Vec<String>> {
    let names = |dependency: &crate::policy::Dependency| {
        let mut names: Vec<String> = dependency.from.iter().chain([&dependency.to]).cloned().collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let unknown = |names: &Vec<String>| names.iter().any(|name| !known.contains(name));
    policy.dependencies.iter().map(names).filter(unknown).collect()
}

/// A relation: for each combination of known values, those of the component's attributes that occur with it.
struct Relation<'a> {
    known: Vec<&'a Column>,
    /// The places of its private attributes in the component.
    places: Vec<usize>,
    rows: HashMap<Vec<u32>, Vec<Combination>>,
}

fn component<'a>(
    table: &'a Table,
    policy: &Policy,
    known: &HashSet<String>,
    tied: &[Vec<String>],
    budget: &mut Budget,
) -> Result<Component<'a>> {
    for name in tied.iter().flatten() {
        let usable = |role| matches!(role, Role::Public | Role::Private);
        if !policy.attribute(name).is_some_and(|attribute| usable(attribute.role)) {
            return Err(
                Error::input("a dependency may name only public and private attributes").of_attribute(name)
            );
        }
        table.require(name)?;
    }
    let named = |column: &&Column| tied.iter().flatten().any(|name| name == column.name());
    let (public, columns): (Vec<&Column>, Vec<&Column>) =
        table.columns().iter().filter(named).partition(|column| known.contains(column.name()));
    let codes = columns.iter().map(|column| occurring_codes(column)).collect();
    let mut component = Component { columns, codes, kind_of_row: Vec::new(), kinds: Vec::new() };
    let values: Vec<Vec<u32>> =
        (0..component.columns.len()).map(|place| component.value_of_code(place)).collect();
    let relations: Vec<Relation<'_>> =
        tied.iter().map(|names| relation(table, &component, &values, names)).collect();
    let contexts = group_rows(table.rows(), &public);
    let mut number: HashMap<Vec<Combination>, u32> = HashMap::new();
    let mut kind_of_context = Vec::new();
    for row in contexts.first_rows() {
        let part = |relation: &Relation<'_>| {
            let key: Vec<u32> = relation.known.iter().map(|column| column.code(row as usize)).collect();
            (relation.places.clone(), relation.rows.get(&key).cloned().unwrap_or_default())
        };
        let parts: Vec<(Vec<usize>, Vec<Combination>)> = relations.iter().map(part).collect();
        let possible = join(&parts, component.columns.len(), budget)?;
        let next = number.len() as u32;
        kind_of_context.push(*number.entry(possible).or_insert(next));
    }
    component.kinds = in_order(number);
    component.kind_of_row =
        contexts.of_row.iter().map(|&context| kind_of_context[context as usize]).collect();
    Ok(component)
}

/// What was numbered, by number.
fn in_order<T>(number: HashMap<T, u32>) -> Vec<T> {
    let mut numbered: Vec<(u32, T)> = number.into_iter().map(|(what, number)| (number, what)).collect();
    numbered.sort_unstable_by_key(|(number, _)| *number);
    numbered.into_iter().map(|(_, what)| what).collect()
}

/// The combinations of a relation that occur in the table.
fn relation<'a>(
    table: &'a Table,
    component: &Component<'a>,
    values: &[Vec<u32>],
    names: &[String],
) -> Relation<'a> {
    let places: Vec<usize> = names.iter().filter_map(|name| component.place(name)).collect();
    let is_known = |column: &&Column| {
        names.iter().any(|name| name == column.name()) && component.place(column.name()).is_none()
    };
    let known: Vec<&Column> = table.columns().iter().filter(is_known).collect();
    let private = places.iter().map(|&place| component.columns[place]);
    let all: Vec<&Column> = known.iter().copied().chain(private).collect();
    let mut rows: HashMap<Vec<u32>, Vec<Combination>> = HashMap::new();
    for row in group_rows(table.rows(), &all).first_rows() {
        let key = known.iter().map(|column| column.code(row as usize)).collect();
        let value = |&place: &usize| values[place][component.columns[place].code(row as usize) as usize];
        rows.entry(key).or_default().push(places.iter().map(value).collect());
    }
    Relation { known, places, rows }
}

/// The codes that occur, a missing value's among them, ascending.
fn occurring_codes(column: &Column) -> Vec<u32> {
    let mut occurs = vec![false; column.values().len() + 1];
    column.codes().iter().for_each(|code| occurs[code as usize] = true);
    (0..).zip(occurs).filter(|(_, occurs)| *occurs).map(|(code, _)| code).collect()
}
