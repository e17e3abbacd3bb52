//! Spans of models with a finite private domain, by trying every combination of private values.

use super::linked::{Attribute, Bin, Bins, CountedValues, Linked, View};
use super::relations::{others, tied};
use super::value::Value;
use crate::error::{Error, Result};
use crate::policy::Policy;
use crate::table::{Column, Kind, Table};
use std::collections::{BTreeMap, BTreeSet};

/// An attribute the model is a function of.
pub(super) struct Argument<'a> {
    pub(super) column: &'a Column,
    pub(super) known: bool,
    pub(super) is_class: bool,
    /// Whether the release contains it and so may reveal it.
    pub(super) mention: Mention,
    /// How many values of it are possible by the release, the policy and the table, whatever relations are.
    choices: usize,
    /// All values to be tried: those of the table and, if private, enough of the domain to reach every bin.
    values: Vec<Value>,
    /// The value of each row.
    of_row: Vec<usize>,
}

/// Where an attribute occurs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mention {
    /// The release does not reveal it.
    Nowhere,
    /// Relations tie it to what the release contains.
    InRelations,
    /// The release contains it.
    InRelease,
}

impl Mention {
    /// Where something occurs that the release contains or not.
    pub(super) fn of(is_contained: bool) -> Self {
        if is_contained { Self::InRelease } else { Self::Nowhere }
    }
}

impl<'a> Argument<'a> {
    /// An argument that takes the values of `domain` besides those of the table.
    pub(super) fn new(column: &'a Column, known: bool, domain: Vec<Value>) -> Self {
        let mut values = if known { Vec::new() } else { domain };
        let cells: Vec<Value> = (0..column.len()).map(|row| Value::of_row(column, row)).collect();
        values.extend(cells.iter().cloned());
        values.sort_by(|a, b| a.order(b, column));
        let mut distinct: Vec<Value> = Vec::new();
        for value in values {
            if !distinct.contains(&value) {
                distinct.push(value);
            }
        }
        let place = |cell| distinct.iter().position(|value| value == cell).unwrap_or(0);
        let of_row = cells.iter().map(place).collect();
        let choices = distinct.len();
        Self { column, known, is_class: false, mention: Mention::Nowhere, choices, values: distinct, of_row }
    }

    /// All values to be tried.
    pub(super) fn values(&self) -> &[Value] {
        &self.values
    }
}

/// A model as a function of its arguments; `None` where a value has no place in it.
pub(super) type Function<'a> = dyn Fn(&[&Value]) -> Option<Bin> + 'a;

/// What the attacker computes from one combination of known values.
#[derive(Clone)]
struct Observation {
    span: Bins,
    views: Vec<View>,
}

/// Adds what relations name besides the arguments of the model: known attributes, and private ones that follow from
/// others.
pub(super) fn with_relations<'a>(
    table: &'a Table,
    policy: &Policy,
    mut arguments: Vec<Argument<'a>>,
) -> Result<(Vec<Argument<'a>>, Vec<Relation>)> {
    let own: BTreeSet<&str> = arguments.iter().map(|argument| argument.column.name()).collect();
    let spoken: BTreeSet<&str> = arguments
        .iter()
        .filter(|argument| argument.mention == Mention::InRelease)
        .map(|argument| argument.column.name())
        .collect();
    let relations = tied(policy, &spoken);
    let mut more = Vec::new();
    for (column, known) in others(table, policy, &relations, &own)? {
        let mut argument = Argument::new(column, known, Vec::new());
        argument.mention = Mention::InRelations;
        more.push(argument);
    }
    for argument in &mut arguments {
        let named = relations.iter().any(|relation| relation.contains(argument.column.name()));
        argument.mention = argument.mention.max(if named { Mention::InRelations } else { Mention::Nowhere });
        // A combination that occurs has only values that do.
        if named && !argument.is_class {
            let (mention, choices) = (argument.mention, argument.choices);
            *argument =
                Argument { mention, choices, ..Argument::new(argument.column, argument.known, Vec::new()) };
        }
    }
    arguments.extend(more);
    let place = |name: &&str| arguments.iter().position(|argument| argument.column.name() == *name);
    let relations = relations.iter().map(|relation| relation.iter().filter_map(place).collect()).collect();
    Ok((arguments, relations))
}

/// The places of a relation's attributes among the arguments.
pub(super) type Relation = Vec<usize>;

/// Links every row by the function.
pub(super) fn link(
    table: &Table,
    arguments: &[Argument<'_>],
    relations: &[Relation],
    function: &Function<'_>,
) -> Result<Linked> {
    let mut seen: BTreeMap<Vec<usize>, Observation> = BTreeMap::new();
    let mut rows = Vec::new();
    for row in 0..table.rows() {
        let known: Vec<usize> = arguments.iter().filter(|a| a.known).map(|a| a.of_row[row]).collect();
        if !seen.contains_key(&known) {
            seen.insert(known.clone(), look(table, arguments, relations, function, row)?);
        }
        rows.push(seen[&known].clone());
    }
    let own = |row| arguments.iter().map(|argument| argument.of_row[row]).collect::<Vec<_>>();
    let bins = (0..table.rows()).map(|row| apply(arguments, function, &own(row)));
    let told = |argument: &&Argument<'_>| argument.mention > Mention::Nowhere && !argument.known;
    let attribute = |(i, argument): (usize, &Argument<'_>)| Attribute {
        name: argument.column.name().to_owned(),
        about: vec![argument.column.name().to_owned()],
        is_class: argument.is_class,
        ordered: argument.column.kind() != Kind::Categorical,
        views: rows.iter().map(|seen| seen.views[i].clone()).collect(),
    };
    Ok(Linked {
        cells: None,
        overlapping: false,
        single_bin: rows.iter().map(|seen| seen.span.len() == 1).collect(),
        bins: bins.collect::<Result<_>>()?,
        attributes: arguments.iter().filter(told).enumerate().map(attribute).collect(),
        spans: rows.iter().map(|seen| seen.span.clone()).collect(),
    })
}

/// Tries every combination of private values with the known values of a row that agrees with all relations.
fn look(
    table: &Table,
    arguments: &[Argument<'_>],
    relations: &[Relation],
    function: &Function<'_>,
    row: usize,
) -> Result<Observation> {
    let mut combinations: Vec<Vec<usize>> = vec![Vec::new()];
    for argument in arguments {
        let choices: Vec<usize> =
            if argument.known { vec![argument.of_row[row]] } else { (0..argument.values.len()).collect() };
        let extended = |start: Vec<usize>| {
            choices.iter().map(move |&choice| [start.as_slice(), &[choice]].concat()).collect::<Vec<_>>()
        };
        combinations = combinations.into_iter().flat_map(extended).collect();
    }
    let occurs = |combination: &Vec<usize>, relation: &Relation| {
        (0..table.rows()).any(|row| relation.iter().all(|&i| arguments[i].of_row[row] == combination[i]))
    };
    combinations.retain(|combination| relations.iter().all(|relation| occurs(combination, relation)));
    let world = |combination: Vec<usize>| Ok((apply(arguments, function, &combination)?, combination));
    let worlds: Vec<(Bin, Vec<usize>)> = combinations.into_iter().map(world).collect::<Result<_>>()?;
    let told = arguments
        .iter()
        .enumerate()
        .filter(|(_, argument)| argument.mention > Mention::Nowhere && !argument.known);
    let views = told.map(|(place, argument)| view(table, argument, &reach(&worlds, place, argument)));
    Ok(Observation { views: views.collect(), span: worlds.iter().map(|(bin, _)| bin.clone()).collect() })
}

fn apply(arguments: &[Argument<'_>], function: &Function<'_>, combination: &[usize]) -> Result<Bin> {
    let values: Vec<&Value> = arguments.iter().zip(combination).map(|(a, &i)| &a.values[i]).collect();
    function(&values).ok_or_else(|| Error::input("the model has no place for a value of the table"))
}

/// For each value of an argument the bins that it can lead to, whatever the other private values are.
fn reach(worlds: &[(Bin, Vec<usize>)], place: usize, argument: &Argument<'_>) -> Vec<Bins> {
    let with = |value: usize| {
        worlds.iter().filter(|(_, c)| c[place] == value).map(|(bin, _)| bin.clone()).collect::<Bins>()
    };
    (0..argument.values.len()).map(with).collect()
}

/// Two values are one to the span iff they lead to the same bins, and to some. They are ranked by those that occur.
fn view(table: &Table, argument: &Argument<'_>, reach: &[Bins]) -> View {
    let (occurring, others): (Vec<usize>, Vec<usize>) =
        (0..reach.len()).partition(|value| argument.of_row.contains(value));
    let mut told: Vec<Bins> = Vec::new();
    let mut of_value = vec![0; reach.len()];
    for value in occurring.into_iter().chain(others) {
        let same = told.iter().position(|bins| *bins == reach[value] && !bins.is_empty());
        of_value[value] = same.unwrap_or(told.len());
        if same.is_none() {
            told.push(reach[value].clone());
        }
    }
    let of_row = (0..table.rows()).map(|row| of_value[argument.of_row[row]]).collect();
    // What the release contains is stated even where relations leave one value of it.
    let is_one = reach.iter().filter(|bins| !bins.is_empty()).count() == 1;
    let tells = (is_one && argument.mention == Mention::InRelease && argument.choices > 1)
        || told.iter().filter(|bins| !bins.is_empty()).count() > 1;
    let possible = told.iter().map(|bins| !bins.is_empty()).collect();
    let counted = CountedValues::apart(told.len());
    View {
        counted,
        told,
        of_value,
        possible,
        of_row,
        tells,
        measured: tells,
        open: false,
        reach: reach.to_vec(),
    }
}
