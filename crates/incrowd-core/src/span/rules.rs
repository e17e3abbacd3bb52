//! Spans of association rules.
//!
//! To someone who sees only public items, a rule is in one of three states: its public antecedent is not there (nothing is told), it is there but
//! the public consequent is not, or both are. Two people have the same span iff every rule is in the same state for them: in state 0 the only
//! outcome is *not met*, state 1 adds *antecedent only*, and *all of it* can be reached in state 2 alone, by having every private item of the rule.
//! So spans are found without enumerating private items. Which outcomes of *all* rules can occur together is a small constraint problem, needed
//! only to say what the populations give away.

use super::bind::{cell_order, domain_codes, outside};
use super::{Bins, Cells, Linking, Sensitive, Telling, Tellings, Tells};
use crate::error::{Error, Result};
use crate::group::group_rows;
use crate::model::{Domain, Item, ModelAttribute, Rule, Rules};
use crate::policy::Policy;
use crate::table::{Column, Kind, Table};
use hashbrown::HashMap;

pub(super) fn link<'a>(table: &'a Table, policy: &Policy, rules: &'a Rules) -> Result<Linking<'a>> {
    let bound = Bound::new(table, policy, rules)?;
    let (span_of_row, states) = classify(table.rows(), &bound.public_columns(), |row| bound.states(row));
    let (bin_of_row, outcomes) = classify(table.rows(), &bound.columns, |row| bound.outcomes(row));
    let (reach, cells) = bound.reach(&states, &outcomes)?;
    let sensitive = bound.sensitive(table, &states);
    let silent = |span: usize| sensitive.iter().all(|attribute| attribute.telling(span).is_none());
    let single_bin = (0..states.len()).map(silent).collect();
    Ok(Linking {
        span_of_row,
        spans: states.len(),
        single_bin,
        sensitive,
        bins: Some(Bins {
            of_row: bin_of_row,
            count: outcomes.len(),
            place: Vec::new(),
            reach,
            tells: Box::new(RuleTells { cells }),
        }),
        rules: Box::new(move |span| bound.describe(&states[span])),
    })
}

/// What a rule can be to someone: 0, 1 or 2, see the module's doc; also its outcome (not met, antecedent only, all of it).
type PerRule = Vec<u8>;

/// A rule, its items sorted by what the attacker sees.
struct Parts {
    public_left: Vec<Item>,
    public_right: Vec<Item>,
    private_left: Vec<Item>,
    private_right: Vec<Item>,
}

struct Bound<'a> {
    rules: &'a Rules,
    columns: Vec<&'a Column>,
    /// For each attribute the place in its domain of every code; the domain's length for a missing value.
    value_of_code: Vec<Vec<u32>>,
    public: Vec<bool>,
    parts: Vec<Parts>,
}

impl<'a> Bound<'a> {
    fn new(table: &'a Table, policy: &Policy, rules: &'a Rules) -> Result<Self> {
        let (mut columns, mut value_of_code, mut public) = (Vec::new(), Vec::new(), Vec::new());
        for attribute in rules.attributes() {
            let column = table.require(&attribute.name)?;
            value_of_code.push(values_of_codes(attribute, column)?);
            columns.push(column);
            public.push(policy.knows(&attribute.name)?);
        }
        let split = |items: &[Item], seen: bool| -> Vec<Item> {
            items.iter().copied().filter(|item| public[item.attribute] == seen).collect()
        };
        let parts = rules
            .rules()
            .iter()
            .map(|rule| Parts {
                public_left: split(&rule.antecedent, true),
                public_right: split(&rule.consequent, true),
                private_left: split(&rule.antecedent, false),
                private_right: split(&rule.consequent, false),
            })
            .collect();
        Ok(Self { rules, columns, value_of_code, public, parts })
    }

    fn public_columns(&self) -> Vec<&'a Column> {
        self.columns.iter().zip(&self.public).filter(|&(_, &seen)| seen).map(|(&column, _)| column).collect()
    }

    fn has(&self, row: usize, items: &[Item]) -> bool {
        items.iter().all(|item| {
            let code = self.columns[item.attribute].code(row);
            self.value_of_code[item.attribute][code as usize] == item.value
        })
    }

    fn states(&self, row: usize) -> PerRule {
        let state = |parts: &Parts| {
            let left = self.has(row, &parts.public_left);
            u8::from(left) + u8::from(left && self.has(row, &parts.public_right))
        };
        self.parts.iter().map(state).collect()
    }

    fn outcomes(&self, row: usize) -> PerRule {
        let outcome = |rule: &Rule| {
            let left = self.has(row, &rule.antecedent);
            u8::from(left) + u8::from(left && self.has(row, &rule.consequent))
        };
        self.rules.rules().iter().map(outcome).collect()
    }

    /// For each span the bins it contains, and for each of those the values of every private attribute that fit.
    fn reach(&self, states: &[PerRule], outcomes: &[PerRule]) -> Result<(Vec<Vec<u32>>, CellTable)> {
        let mut reach = vec![Vec::new(); states.len()];
        let mut cells: CellTable = HashMap::new();
        for (span, state) in states.iter().enumerate() {
            for (bin, outcome) in (0_u32..).zip(outcomes) {
                if !self.fits(state, outcome, None)? {
                    continue;
                }
                reach[span].push(bin);
                for (sensitive, attribute) in self.private_attributes().into_iter().enumerate() {
                    let mut values = Vec::new();
                    for value in 0..self.value_count(attribute) {
                        if self.fits(state, outcome, Some(Item { attribute, value }))? {
                            values.push(value);
                        }
                    }
                    cells.insert((span, bin, sensitive), values);
                }
            }
        }
        Ok((reach, cells))
    }

    /// Whether private values exist under which rules in these states have these outcomes, `fixed` being one of them.
    fn fits(&self, states: &[u8], outcomes: &[u8], fixed: Option<Item>) -> Result<bool> {
        let mut search =
            Search { bound: self, value: vec![None; self.columns.len()], not_all: Vec::new(), steps: 0 };
        search.value.iter_mut().zip(0..).for_each(|(value, attribute)| {
            *value = fixed.filter(|item| item.attribute == attribute).map(|item| item.value);
        });
        for ((parts, &state), &outcome) in self.parts.iter().zip(states).zip(outcomes) {
            let possible = match (state, outcome) {
                (0, outcome) => outcome == 0,
                (_, 0) => search.forbid(&parts.private_left),
                (1, 1) => search.require(&parts.private_left),
                (2, 1) => search.require(&parts.private_left) && search.forbid(&parts.private_right),
                (2, 2) => search.require(&parts.private_left) && search.require(&parts.private_right),
                _ => false,
            };
            if !possible {
                return Ok(false);
            }
        }
        search.solve(0)
    }

    /// The private attributes that rules speak of.
    fn private_attributes(&self) -> Vec<usize> {
        let spoken = |&attribute: &usize| {
            self.rules.rules().iter().any(|rule| rule.items().any(|item| item.attribute == attribute))
        };
        (0..self.columns.len()).filter(|&attribute| !self.public[attribute]).filter(spoken).collect()
    }

    fn value_count(&self, attribute: usize) -> u32 {
        let attribute = &self.rules.attributes()[attribute];
        match &attribute.domain {
            Domain::Values(values) => values.len() as u32 + u32::from(attribute.missing),
            Domain::Numbers { .. } => 0,
        }
    }

    fn sensitive(&self, table: &Table, states: &[PerRule]) -> Vec<Sensitive> {
        let of_attribute = |attribute: usize| {
            let column = self.columns[attribute];
            let cells = self.value_count(attribute) as usize;
            let order = cell_order(&self.rules.attributes()[attribute], column, cells);
            let mut tellings = Tellings::default();
            for state in states {
                let marks = self.told(state, attribute, cells);
                let telling = Telling::by_marks(cells, marks.iter().map(Vec::as_slice));
                tellings.push(telling.map(|telling| telling.in_order(&order)));
            }
            let position = table.columns().iter().position(|other| other.name() == column.name());
            Sensitive {
                name: column.name().to_owned(),
                is_class: false,
                ordered: column.kind() != Kind::Categorical,
                source: Cells::Column {
                    column: position.unwrap_or_default(),
                    cell_of_code: self.value_of_code[attribute].clone(),
                },
                cells,
                tellings: tellings.all,
                telling_of_span: tellings.of_span,
            }
        };
        self.private_attributes().into_iter().map(of_attribute).collect()
    }

    /// The values of an attribute that rules in these states ask about, each as a set of its own.
    fn told(&self, states: &[u8], attribute: usize, cells: usize) -> Vec<Vec<bool>> {
        let asked = self.parts.iter().zip(states).flat_map(|(parts, &state)| {
            let left = parts.private_left.iter().filter(move |_| state >= 1);
            let right = parts.private_right.iter().filter(move |_| state == 2);
            left.chain(right)
        });
        let one = |item: &Item| (0..cells as u32).map(|value| value == item.value).collect();
        asked.filter(|item| item.attribute == attribute).map(one).collect()
    }

    fn describe(&self, states: &[u8]) -> String {
        let text = |items: &[Item]| {
            let item = |item: &Item| {
                let attribute = &self.rules.attributes()[item.attribute];
                match &attribute.domain {
                    Domain::Values(values) => format!("{} = {}", attribute.name, values[item.value as usize]),
                    Domain::Numbers { .. } => attribute.name.clone(),
                }
            };
            items.iter().map(item).collect::<Vec<_>>().join(" and ")
        };
        let mut parts: Vec<String> = Vec::new();
        for (rule, &state) in self.parts.iter().zip(states) {
            if !rule.public_left.is_empty() {
                let not = if state == 0 { "not: " } else { "" };
                parts.push(format!("{not}{}", text(&rule.public_left)));
            }
            if state > 0 && !rule.public_right.is_empty() {
                let not = if state == 1 { "not: " } else { "" };
                parts.push(format!("{not}{}", text(&rule.public_right)));
            }
        }
        parts.dedup();
        if parts.is_empty() { "everybody".to_owned() } else { parts.join("; ") }
    }
}

/// Numbers the rows by what `of` says of them, which rests on `columns` alone; in order of first appearance.
fn classify(rows: usize, columns: &[&Column], of: impl Fn(usize) -> PerRule) -> (Vec<u32>, Vec<PerRule>) {
    let grouping = group_rows(rows, columns);
    let mut number: HashMap<PerRule, u32> = HashMap::new();
    let mut all: Vec<PerRule> = Vec::new();
    let of_group: Vec<u32> = grouping
        .first_rows()
        .iter()
        .map(|&row| {
            *number.entry(of(row as usize)).or_insert_with_key(|key| {
                all.push(key.clone());
                all.len() as u32 - 1
            })
        })
        .collect();
    (grouping.of_row.iter().map(|&group| of_group[group as usize]).collect(), all)
}

fn values_of_codes(attribute: &ModelAttribute, column: &Column) -> Result<Vec<u32>> {
    let Domain::Values(domain) = &attribute.domain else {
        return Err(Error::new("rules speak of categorical attributes only").of_attribute(&attribute.name));
    };
    let codes = domain_codes(attribute, column.values());
    let occurs = |code: usize| column.codes().iter().any(|other| other as usize == code);
    let stray = codes.iter().enumerate().any(|(code, value)| value.is_none() && occurs(code));
    if stray || (column.has_missing() && !attribute.missing) {
        return Err(outside(column.name()));
    }
    let missing = domain.len() as u32;
    Ok(codes.into_iter().map(|value| value.unwrap_or(missing)).chain([missing]).collect())
}

/// For each span, bin and sensitive attribute the values that fit.
type CellTable = HashMap<(usize, u32, usize), Vec<u32>>;

struct RuleTells {
    cells: CellTable,
}

impl Tells for RuleTells {
    fn cells(&self, span: usize, bin: u32, sensitive: usize) -> Vec<u32> {
        self.cells.get(&(span, bin, sensitive)).cloned().unwrap_or_default()
    }
}

/// A search for private values: some are settled, and of some lists of items not all may be had.
struct Search<'b> {
    bound: &'b Bound<'b>,
    value: Vec<Option<u32>>,
    not_all: Vec<Vec<Item>>,
    steps: u32,
}

impl Search<'_> {
    /// Beyond this many steps the rules are too entangled to be judged.
    const LIMIT: u32 = 1_000_000;

    fn require(&mut self, items: &[Item]) -> bool {
        items.iter().all(|item| {
            let value = self.value[item.attribute].get_or_insert(item.value);
            *value == item.value
        })
    }

    fn forbid(&mut self, items: &[Item]) -> bool {
        self.not_all.push(items.to_vec());
        !items.is_empty()
    }

    fn solve(&mut self, done: usize) -> Result<bool> {
        self.steps += 1;
        if self.steps > Self::LIMIT {
            return Err(Error::new("the rules are too entangled to say what their populations give away")
                .help("release fewer rules that share private attributes"));
        }
        let Some(items) = self.not_all.get(done).cloned() else { return Ok(true) };
        if items.iter().any(|item| self.value[item.attribute].is_some_and(|value| value != item.value)) {
            return self.solve(done + 1);
        }
        for item in items.iter().filter(|item| self.value[item.attribute].is_none()).collect::<Vec<_>>() {
            for value in (0..self.bound.value_count(item.attribute)).filter(|&value| value != item.value) {
                self.value[item.attribute] = Some(value);
                if self.solve(done + 1)? {
                    return Ok(true);
                }
            }
            self.value[item.attribute] = None;
        }
        Ok(false)
    }
}
