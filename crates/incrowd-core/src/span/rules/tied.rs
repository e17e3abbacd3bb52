//! Spans of rules if relations tie private attributes to others: all possible combinations are enumerated.

use super::Bound;
use super::reach::SatisfiedRules;
use crate::error::{Error, Result};
use crate::group::group_numbers;
use crate::model::Item;
use crate::span::possible::Possible;
use crate::span::relations::Component;
use crate::span::{Cells, Judgement, Sensitive, Telling, Tellings, Tells};
use crate::table::{Column, Kind, Table};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The outcome of every rule that involves something private: 0, 1 or 2.
type Vector = Vec<u8>;

/// What a vector leaves of each sensitive attribute: its possible cells.
type Meaning = Vec<BTreeSet<u32>>;

/// A private attribute of the rules, or that a relation ties to one.
struct Variable<'a> {
    column: &'a Column,
    /// Its place among the rules' attributes, if rules use it.
    attribute: Option<usize>,
    /// Whether a rule contains it and more than one value of it is possible.
    stated: bool,
    cells: usize,
    cell_of_code: Vec<u32>,
    order: Vec<u32>,
    /// The listed value that each cell is; [`u32::MAX`] if it is none.
    listed: Vec<u32>,
    /// If it is in no relation, the cells that no rule names: they all lead to the same outcome, so the first
    /// represents all.
    unnamed: Vec<u32>,
}

/// Some variables with what is possible of them together: a set of combinations of cells for each kind.
struct Choice {
    variables: Vec<usize>,
    kinds: Vec<Vec<Vec<u32>>>,
}

/// Parts of spans with all vectors that are possible for them.
pub(super) struct Enumerated<'a> {
    pub(super) span_of_row: Vec<u32>,
    /// For each span a row of each state and kind that is in it.
    pub(super) examples: Vec<Vec<u32>>,
    /// The span of each part, and how many spans there are.
    pub(super) joint: (Vec<u32>, usize),
    /// For each part its vectors and what each means.
    pub(super) parts: Vec<BTreeMap<Vector, Meaning>>,
    /// For each part the non-empty bins that it contains.
    pub(super) reach: Vec<Vec<u32>>,
    variables: Vec<Variable<'a>>,
    vector_of_bin: Vec<Vector>,
}

/// The most combinations of private values that are gone through for one part, and for all.
const MOST: (usize, usize) = (1 << 16, 1 << 22);

impl<'a> Enumerated<'a> {
    pub(super) fn new(
        bound: &Bound<'a>,
        components: &[Component<'a>],
        (state_of_row, states): (&[u32], &[SatisfiedRules]),
        outcomes: &[SatisfiedRules],
    ) -> Result<Self> {
        let (variables, choices) = variables(bound, components);
        let numbers: Vec<&[u32]> = [state_of_row]
            .into_iter()
            .chain(components.iter().map(|component| component.kind_of_row.as_slice()))
            .collect();
        let pairs = group_numbers(&numbers);
        let mut found = Self {
            span_of_row: Vec::new(),
            examples: Vec::new(),
            joint: (Vec::new(), 0),
            parts: Vec::new(),
            reach: Vec::new(),
            variables,
            vector_of_bin: outcomes.iter().map(|met| vector(met, bound.parts.len())).collect(),
        };
        let (mut left, mut part_of_pair) = (MOST.1, Vec::new());
        let mut known: HashMap<BTreeMap<Vector, Meaning>, u32> = HashMap::new();
        let mut joint: HashMap<Vec<Vector>, u32> = HashMap::new();
        for row in pairs.first_rows() {
            let state = &states[state_of_row[row as usize] as usize];
            let kinds: Vec<u32> = numbers[1..].iter().map(|of_row| of_row[row as usize]).collect();
            let part = found.look(bound, &choices, state, &kinds, &mut left)?;
            let next = (known.len() as u32, joint.len() as u32);
            let number = *known.entry(part).or_insert_with_key(|part| {
                let vectors = part.keys().cloned().collect();
                found.joint.0.push(*joint.entry(vectors).or_insert(next.1));
                found.parts.push(part.clone());
                next.0
            });
            part_of_pair.push(number);
            found.examples.resize(joint.len(), Vec::new());
            found.examples[found.joint.0[number as usize] as usize].push(row);
        }
        found.joint.1 = joint.len();
        found.span_of_row = pairs.of_row.iter().map(|&pair| part_of_pair[pair as usize]).collect();
        let bins = |part: &BTreeMap<Vector, Meaning>| {
            let bins = (0..).zip(&found.vector_of_bin).filter(|(_, vector)| part.contains_key(*vector));
            bins.map(|(bin, _)| bin).collect()
        };
        found.reach = found.parts.iter().map(bins).collect();
        Ok(found)
    }

    /// All vectors that individuals in this state, with these kinds of what relations leave, can have.
    fn look(
        &self,
        bound: &Bound<'_>,
        choices: &[Choice],
        state: &SatisfiedRules,
        kinds: &[u32],
        left: &mut usize,
    ) -> Result<BTreeMap<Vector, Meaning>> {
        let kind = |choice: usize| kinds.get(choice).copied().unwrap_or(0) as usize;
        let sets: Vec<&Vec<Vec<u32>>> =
            choices.iter().enumerate().map(|(i, choice)| &choice.kinds[kind(i)]).collect();
        let all = sets.iter().try_fold(1_usize, |all, set| all.checked_mul(set.len()));
        let all = all.filter(|&all| all <= MOST.0.min(*left)).ok_or_else(too_many)?;
        *left -= all;
        let mut found: BTreeMap<Vector, Meaning> = BTreeMap::new();
        let mut cells = vec![0; self.variables.len()];
        for mut number in 0..all {
            for (choice, set) in choices.iter().zip(&sets) {
                let chosen = &set[number % set.len()];
                number /= set.len();
                choice.variables.iter().zip(chosen).for_each(|(&variable, &cell)| cells[variable] = cell);
            }
            let meaning = found
                .entry(self.outcome(bound, state, &cells))
                .or_insert_with(|| vec![BTreeSet::new(); self.variables.len()]);
            meaning.iter_mut().zip(&cells).for_each(|(values, &cell)| {
                values.insert(cell);
            });
        }
        Ok(self.with_unnamed(found))
    }

    /// The outcome of every rule for an individual in a state with these private values.
    fn outcome(&self, bound: &Bound<'_>, state: &SatisfiedRules, cells: &[u32]) -> Vector {
        let has = |item: &Item| {
            let mut own =
                self.variables.iter().zip(cells).filter(|(v, _)| v.attribute == Some(item.attribute));
            own.any(|(variable, &cell)| variable.listed[cell as usize] == item.value)
        };
        let rules = bound.parts.iter().enumerate();
        rules
            .map(|(rule, part)| match () {
                () if !state.left.contains(rule) || !part.private_left.iter().all(has) => 0,
                () if state.all.contains(rule) && part.private_right.iter().all(has) => 2,
                () => 1,
            })
            .collect()
    }

    /// Adds the values that another one spoke for.
    fn with_unnamed(&self, mut found: BTreeMap<Vector, Meaning>) -> BTreeMap<Vector, Meaning> {
        for (place, variable) in self.variables.iter().enumerate() {
            let Some(first) = variable.unnamed.first() else { continue };
            for meaning in found.values_mut().filter(|meaning| meaning[place].contains(first)) {
                meaning[place].extend(&variable.unnamed);
            }
        }
        found
    }

    pub(super) fn sensitive(&self, table: &Table) -> Vec<Sensitive> {
        let of_variable = |(place, variable): (usize, &Variable<'_>)| {
            let mut tellings = Tellings::default();
            for part in &self.parts {
                let mark = |meaning: &Meaning| {
                    (0..variable.cells as u32)
                        .map(|cell| meaning[place].contains(&cell))
                        .collect::<Vec<bool>>()
                };
                let marks: Vec<Vec<bool>> = part.values().map(mark).collect();
                let telling = Telling::by_possible(variable.cells, &marks, variable.stated);
                tellings.push(telling.map(|telling| telling.in_order(&variable.order)));
            }
            let name = variable.column.name();
            let column = table.columns().iter().position(|column| column.name() == name);
            let cell_of_code = variable.cell_of_code.clone();
            Sensitive {
                name: name.to_owned(),
                about: vec![name.to_owned()],
                is_class: false,
                ordered: variable.column.kind() != Kind::Categorical,
                source: Cells::Column { column: column.unwrap_or_default(), cell_of_code },
                cells: variable.cells,
                intervals: Vec::new(),
                open: false,
                tellings: tellings.all,
                telling_of_span: tellings.of_span,
                said: None,
                settled: Vec::new(),
                ruled_out: Vec::new(),
                judged: Judgement::Fully,
            }
        };
        self.variables.iter().enumerate().map(of_variable).collect()
    }

    pub(super) fn tells(self) -> EnumeratedTells {
        EnumeratedTells { parts: self.parts, vector_of_bin: self.vector_of_bin }
    }
}

/// The private attributes with what is possible of them: those of components together, the others one by one.
fn variables<'a>(bound: &Bound<'a>, components: &[Component<'a>]) -> (Vec<Variable<'a>>, Vec<Choice>) {
    let (mut variables, mut choices) = (Vec::new(), Vec::new());
    for component in components {
        let places = 0..component.columns.len();
        let kinds =
            component.kinds.iter().map(|kind| kind.iter().map(|all| all.to_vec()).collect()).collect();
        choices
            .push(Choice { variables: places.clone().map(|place| variables.len() + place).collect(), kinds });
        variables.extend(places.map(|place| tied(bound, component, place)));
    }
    for spoken in bound.private_attributes() {
        let column = bound.having.columns[spoken.attribute];
        if components.iter().any(|component| component.place(column.name()).is_some()) {
            continue;
        }
        let named = named(bound, spoken.attribute);
        let unnamed: Vec<u32> = (0..spoken.values).filter(|cell| !named.contains(cell)).collect();
        let tried = named.iter().chain(unnamed.first()).map(|&cell| vec![cell]).collect();
        choices.push(Choice { variables: vec![variables.len()], kinds: vec![tried] });
        let possible = bound.possible[spoken.attribute].as_ref();
        variables.push(Variable {
            column,
            attribute: Some(spoken.attribute),
            stated: spoken.values > 1,
            cells: spoken.values as usize,
            cell_of_code: possible.map_or_else(Vec::new, |possible| possible.cell_of_code(column)),
            order: possible.map_or_else(Vec::new, |possible| possible.order(column)),
            listed: (0..spoken.values).collect(),
            unnamed,
        });
    }
    (variables, choices)
}

/// An attribute of a component; its cells are the values that occur.
fn tied<'a>(bound: &Bound<'a>, component: &Component<'a>, place: usize) -> Variable<'a> {
    let column = component.columns[place];
    let attribute = bound.rules.attributes().iter().position(|attribute| attribute.name == column.name());
    let possible = attribute.and_then(|attribute| bound.possible[attribute].as_ref());
    let listed = possible.map(|possible| possible.cell_of_code(column));
    let value = |&code: &u32| listed.as_ref().map_or(u32::MAX, |listed| listed[code as usize]);
    let codes = &component.codes[place];
    let is_named = attribute.is_some_and(|attribute| !named(bound, attribute).is_empty());
    Variable {
        column,
        attribute,
        stated: is_named && possible.is_some_and(Possible::has_choice),
        cells: codes.len(),
        cell_of_code: component.value_of_code(place),
        order: (0..codes.len() as u32).collect(),
        listed: codes.iter().map(value).collect(),
        unnamed: Vec::new(),
    }
}

/// The values of an attribute that rules name.
fn named(bound: &Bound<'_>, attribute: usize) -> BTreeSet<u32> {
    let items = bound.parts.iter().flat_map(|part| part.private_left.iter().chain(&part.private_right));
    items.filter(|item| item.attribute == attribute).map(|item| item.value).collect()
}

/// What being in a bin means where relations tie private attributes.
pub(super) struct EnumeratedTells {
    parts: Vec<BTreeMap<Vector, Meaning>>,
    vector_of_bin: Vec<Vector>,
}

impl Tells for EnumeratedTells {
    fn cells(&self, span: usize, bin: u32, sensitive: usize) -> Result<Vec<u32>> {
        let meaning = self.parts[span].get(&self.vector_of_bin[bin as usize]);
        Ok(meaning.map_or_else(Vec::new, |meaning| meaning[sensitive].iter().copied().collect()))
    }
}

fn vector(met: &SatisfiedRules, rules: usize) -> Vector {
    (0..rules).map(|rule| u8::from(met.left.contains(rule)) + u8::from(met.all.contains(rule))).collect()
}

fn too_many() -> Error {
    Error::limit("declared dependencies leave too many combinations of private values to check")
        .help("release fewer rules about private attributes, or declare the dependency's attributes public")
}
