//! Spans of association rules.
//!
//! To someone who sees only public items, a rule is in one of three states: its public antecedent is not there (nothing is told), it is there but
//! the public consequent is not, or both are. Two people have the same span iff every rule is in the same state for them: in state 0 the only
//! outcome is *not met*, state 1 adds *antecedent only*, and *all of it* can be reached in state 2 alone, by having every private item of the rule.
//! So spans are found without enumerating private items (VLDB Journal 2008, section 4.3). Which outcomes of *all* rules can occur together
//! ([`reach`]) is needed only to say what the populations give away.
//!
//! Deviation from the paper: a rule about public items alone plays no part. It says nothing that whoever has the public table does not know.
//!
//! Rules do not publish the populations of bins but supports, so what is small is asked of the cells that follow from
//! these ([`channels`](super::channels)).
//!
//! Running time: O(rows) for each different public part of a rule and each different set of items, then O(spans · bins · rules / 64).

mod classes;
mod derived;
mod having;
mod reach;

pub(crate) use having::Having;

use super::bind::cell_order;
use super::{Bins, Cells, Linking, Sensitive, Telling, Tellings};
use crate::bits::Bits;
use crate::error::Result;
use crate::model::{Domain, Item, Rule, Rules};
use crate::policy::Policy;
use crate::table::{Kind, Table};
use classes::Classes;
use hashbrown::{HashMap, HashSet};
use reach::{Met, Reach, Spoken};

pub(super) fn link<'a>(table: &'a Table, policy: &Policy, rules: &'a Rules) -> Result<Linking<'a>> {
    let bound = Bound::new(table, policy, rules)?;
    let (span_of_row, spans) = bound.classes(|part| [&part.public_left, &part.public_all]);
    let (bin_of_row, bins) = bound.classes(|part| [&part.left, &part.all]);
    let states = bound.met(&spans, |part| [&part.public_left, &part.public_all]);
    let outcomes = bound.met(&bins, |part| [&part.left, &part.all]);
    let sensitive = bound.sensitive(table, &states);
    let silent = |span: usize| sensitive.iter().all(|attribute| attribute.telling(span).is_none());
    let single_bin = (0..spans.len()).map(silent).collect();
    let possible = Reach::new(&bound.parts, bound.private_attributes(), states, outcomes);
    let reach = possible.all()?;
    let bound = std::sync::Arc::new(bound);
    let (derived, first) = (bound.clone(), spans.clone());
    Ok(Linking {
        span_of_row,
        spans: spans.len(),
        single_bin,
        sensitive,
        bins: Some(Bins {
            of_row: bin_of_row,
            count: bins.len(),
            place: Vec::new(),
            reach,
            tells: Box::new(possible),
        }),
        derived: Some(Box::new(move |limits| derived.derived(table, &first, limits))),
        rules: Box::new(move |span| bound.describe(spans[span])),
    })
}

/// A rule, its items sorted by what the attacker sees.
struct Parts {
    /// The antecedent, and all items.
    left: Vec<Item>,
    all: Vec<Item>,
    /// The public ones of them.
    public_left: Vec<Item>,
    public_all: Vec<Item>,
    /// The private ones of the antecedent, and of the consequent.
    private_left: Vec<Item>,
    private_right: Vec<Item>,
}

struct Bound<'a> {
    rules: &'a Rules,
    having: Having<'a>,
    public: Vec<bool>,
    /// The rules that speak of something private.
    parts: Vec<Parts>,
}

impl<'a> Bound<'a> {
    fn new(table: &'a Table, policy: &Policy, rules: &'a Rules) -> Result<Self> {
        let having = Having::new(table, rules)?;
        let public =
            rules.attributes().iter().map(|a| policy.knows(&a.name)).collect::<Result<Vec<bool>>>()?;
        let split = |items: &[Item], seen: bool| -> Vec<Item> {
            items.iter().copied().filter(|item| public[item.attribute] == seen).collect()
        };
        let speaks = |rule: &&Rule| rule.items().any(|item| !public[item.attribute]);
        let parts = rules.rules().iter().filter(speaks).map(|rule| {
            let all = sorted(rule.items());
            Parts {
                left: sorted(rule.antecedent.iter()),
                public_left: split(&sorted(rule.antecedent.iter()), true),
                public_all: split(&all, true),
                private_left: split(&rule.antecedent, false),
                private_right: split(&rule.consequent, false),
                all,
            }
        });
        let parts = parts.collect();
        Ok(Self { rules, having, public, parts })
    }

    /// Divides the rows by who has all of each of these sets: the class of each row, and a group of each class.
    fn classes(&self, sets: impl Fn(&Parts) -> [&Vec<Item>; 2]) -> (Vec<u32>, Vec<usize>) {
        let mut classes = Classes::new(self.having.groups());
        let mut seen = HashSet::new();
        for set in self.parts.iter().flat_map(&sets) {
            if seen.insert(set) {
                classes.split(&self.having.all(set));
            }
        }
        let (of_group, first) = classes.numbered();
        let of_row = self.having.grouping.of_row.iter().map(|&group| of_group[group as usize]);
        (of_row.collect(), first)
    }

    /// For each of some groups the rules of which it has the first set, and the second.
    fn met(&self, groups: &[usize], sets: impl Fn(&Parts) -> [&Vec<Item>; 2]) -> Vec<Met> {
        let rules = self.parts.len();
        let met = |&group: &usize| {
            let has =
                |side: usize| Bits::of(rules, |rule| self.having.has(group, sets(&self.parts[rule])[side]));
            Met { left: has(0), all: has(1) }
        };
        groups.iter().map(met).collect()
    }

    /// The private attributes that rules speak of.
    fn private_attributes(&self) -> Vec<Spoken> {
        let items = self.parts.iter().flat_map(|part| part.private_left.iter().chain(&part.private_right));
        let mut spoken: Vec<usize> = items.map(|item| item.attribute).collect();
        spoken.sort_unstable();
        spoken.dedup();
        spoken.into_iter().map(|attribute| Spoken { attribute, values: self.values(attribute) }).collect()
    }

    /// How many values an attribute can take, a missing one included.
    fn values(&self, attribute: usize) -> u32 {
        let attribute = &self.rules.attributes()[attribute];
        match &attribute.domain {
            Domain::Values(values) => values.len() as u32 + u32::from(attribute.missing),
            Domain::Numbers { .. } => 0,
        }
    }

    fn sensitive(&self, table: &Table, states: &[Met]) -> Vec<Sensitive> {
        let told: Vec<HashMap<usize, Vec<u32>>> = states.iter().map(|state| self.told(state)).collect();
        let of_attribute = |spoken: Spoken| {
            let column = self.having.columns[spoken.attribute];
            let cells = spoken.values as usize;
            let order = cell_order(&self.rules.attributes()[spoken.attribute], column, cells);
            let mut tellings = Tellings::default();
            for told in &told {
                let values = told.get(&spoken.attribute).map_or(&[][..], Vec::as_slice);
                let one = |value: &u32| (0..cells as u32).map(|cell| cell == *value).collect::<Vec<bool>>();
                let marks: Vec<Vec<bool>> = values.iter().map(one).collect();
                let telling = Telling::by_marks(cells, marks.iter().map(Vec::as_slice));
                tellings.push(telling.map(|telling| telling.in_order(&order)));
            }
            let position = table.columns().iter().position(|other| other.name() == column.name());
            Sensitive {
                name: column.name().to_owned(),
                about: vec![column.name().to_owned()],
                is_class: false,
                ordered: column.kind() != Kind::Categorical,
                source: Cells::Column {
                    column: position.unwrap_or_default(),
                    cell_of_code: self.having.value_of_code[spoken.attribute].clone(),
                },
                cells,
                tellings: tellings.all,
                telling_of_span: tellings.of_span,
            }
        };
        self.private_attributes().into_iter().map(of_attribute).collect()
    }

    /// The private values that rules in these states ask about, by attribute.
    fn told(&self, state: &Met) -> HashMap<usize, Vec<u32>> {
        let mut told: HashMap<usize, Vec<u32>> = HashMap::new();
        for rule in state.left.iter() {
            let right = self.parts[rule].private_right.iter().filter(|_| state.all.contains(rule));
            for item in self.parts[rule].private_left.iter().chain(right) {
                let values = told.entry(item.attribute).or_default();
                if !values.contains(&item.value) {
                    values.push(item.value);
                }
            }
        }
        told
    }

    fn text(&self, item: &Item) -> String {
        let attribute = &self.rules.attributes()[item.attribute];
        match &attribute.domain {
            Domain::Values(values) => format!("{} = {}", attribute.name, values[item.value as usize]),
            Domain::Numbers { .. } => attribute.name.clone(),
        }
    }

    /// What the people of a span, by one of its groups, have and do not have.
    fn describe(&self, group: usize) -> String {
        let sets = self.parts.iter().flat_map(|part| [&part.public_left, &part.public_all]);
        let (met, unmet): (Vec<_>, Vec<_>) = sets.partition(|set| self.having.has(group, set));
        let mut has: Vec<Item> = Vec::new();
        met.into_iter().flatten().for_each(|item| {
            if !has.contains(item) {
                has.push(*item);
            }
        });
        let mut lacks: Vec<Vec<Item>> = Vec::new();
        for set in unmet {
            let rest: Vec<Item> = set.iter().copied().filter(|item| !has.contains(item)).collect();
            let within = |a: &[Item], b: &[Item]| a.iter().all(|item| b.contains(item));
            if !lacks.iter().any(|other| within(other, &rest)) {
                lacks.retain(|other| !within(&rest, other));
                lacks.push(rest);
            }
        }
        let joined = |items: &[Item]| items.iter().map(|i| self.text(i)).collect::<Vec<_>>().join(" and ");
        let has = (!has.is_empty()).then(|| joined(&has));
        let parts: Vec<String> =
            has.into_iter().chain(lacks.iter().map(|items| format!("not: {}", joined(items)))).collect();
        if parts.is_empty() { "everybody".to_owned() } else { parts.join("; ") }
    }
}

fn sorted<'i>(items: impl Iterator<Item = &'i Item>) -> Vec<Item> {
    let mut items: Vec<Item> = items.copied().collect();
    items.sort_unstable();
    items
}
