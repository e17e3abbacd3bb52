//! Spans of association rules.
//!
//! To an attacker who sees only public items, a rule is in one of three states: its public antecedent is absent
//! (nothing is revealed), it is present but the public consequent is not, or both are. Two individuals have the same
//! span iff every rule is in the same state for them: in state 0 the only outcome is *not met*, state 1 adds
//! *antecedent only*, and *all of it* can be reached in state 2 alone, by having every private item of the rule. So
//! spans are found without enumerating private items (VLDB Journal 2008, section 4.3). Which outcomes of *all* rules
//! can occur together ([`reach`]) is needed only to compute what the populations reveal.
//!
//! Deviation from the paper: a rule that has only public items does not divide spans. It reveals nothing that the
//! public table does not contain.
//!
//! Rules do not publish the populations of bins but supports, so small cells are searched for among those that follow
//! from the supports of all rules ([`channels`](super::channels)). The items of rules that have only public items count
//! here: a cell may consist of such items and of private ones.
//!
//! If declared dependencies tie private attributes to others, not every combination is possible for every individual,
//! and states do not decide. The possible private values are then enumerated, for each state and each kind ([`tied`]);
//! too many of them are an error.
//!
//! Running time: O(rows) for each different public part of a rule and each different set of items, then O(spans · bins
//! · rules / 64).

mod classes;
mod derived;
mod having;
mod looks;
mod reach;
mod tied;

pub(crate) use having::Having;

use super::possible::Possible;
use super::relations::{Component, components};
use super::{Bins, Cells, Judgement, Linking, Sensitive, Telling, Tellings, Tells, alternatives, by_number};
use crate::bits::Bits;
use crate::error::Result;
use crate::model::{Domain, Item, ModelAttribute, Rule, Rules};
use crate::policy::Policy;
use crate::table::{Kind, Table};
use classes::Classes;
use hashbrown::{HashMap, HashSet};
use looks::Looks;
use reach::{Reach, SatisfiedRules, Spoken};
use tied::Enumerated;

pub(super) fn link<'a>(table: &'a Table, policy: &Policy, rules: &'a Rules) -> Result<Linking<'a>> {
    let bound = Bound::new(table, policy, rules)?;
    let (span_of_row, spans) = bound.classes(|part| [&part.public_left, &part.public_all]);
    let (bin_of_row, bins) = bound.classes(|part| [&part.left, &part.all]);
    let states = bound.met(&spans, |part| [&part.public_left, &part.public_all]);
    let outcomes = bound.met(&bins, |part| [&part.left, &part.all]);
    let spoken = bound.private_attributes();
    let names: Vec<&str> =
        spoken.iter().map(|spoken| bound.having.columns[spoken.attribute].name()).collect();
    let components = components(table, policy, &names)?;
    let of_bins = BinsOfRows { of_row: bin_of_row, count: bins.len() };
    if components.is_empty() {
        let sensitive = bound.sensitive(table, &states);
        let silent = |span: usize| sensitive.iter().all(|attribute| attribute.telling(span).is_none());
        let single_bin = (0..spans.len()).map(silent).collect();
        let possible = Reach::new(&bound.parts, spoken, states, outcomes);
        let reach = possible.all()?;
        let examples = spans.iter().map(|&group| vec![group]).collect();
        let parts = RuleSpans { span_of_row, examples, single_bin, sensitive, joint: None };
        return bound.linking(table, &components, parts, of_bins, (reach, Box::new(possible)));
    }
    let tied = Enumerated::new(&bound, &components, (&span_of_row, &states), &outcomes)?;
    let groups_of = |rows: &Vec<u32>| {
        rows.iter().map(|&row| bound.having.grouping.of_row[row as usize] as usize).collect()
    };
    let parts = RuleSpans {
        span_of_row: tied.span_of_row.clone(),
        examples: tied.joint.0.iter().map(|&joint| groups_of(&tied.examples[joint as usize])).collect(),
        single_bin: tied.parts.iter().map(|part| part.len() == 1).collect(),
        sensitive: tied.sensitive(table),
        joint: Some(tied.joint.clone()),
    };
    let reach = tied.reach.clone();
    let tells = Box::new(tied.tells());
    bound.linking(table, &components, parts, of_bins, (reach, tells))
}

/// The spans of rules.
struct RuleSpans {
    span_of_row: Vec<u32>,
    /// For each span a group of each sort of individuals in it.
    examples: Vec<Vec<usize>>,
    single_bin: Vec<bool>,
    sensitive: Vec<Sensitive>,
    joint: Option<(Vec<u32>, usize)>,
}

struct BinsOfRows {
    of_row: Vec<u32>,
    count: usize,
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

/// The maximum number of lacking sets of items in a description.
const MOST_LACKS: usize = 1000;

struct Bound<'a> {
    rules: &'a Rules,
    having: Having<'a>,
    public: Vec<bool>,
    /// What is possible of each private attribute.
    possible: Vec<Option<Possible>>,
    /// The rules that involve something private.
    parts: Vec<Parts>,
    /// The left side and all items of each of the other rules.
    public_rules: Vec<[Vec<Item>; 2]>,
}

impl<'a> Bound<'a> {
    fn new(table: &'a Table, policy: &Policy, rules: &'a Rules) -> Result<Self> {
        let having = Having::new(table, rules)?;
        let known = policy.knowledge();
        let public =
            rules.attributes().iter().map(|a| known.knows(&a.name)).collect::<Result<Vec<bool>>>()?;
        let possible = |(i, attribute): (usize, &ModelAttribute)| {
            (!public[i]).then(|| Possible::new(attribute, having.columns[i], policy)).transpose()
        };
        let possible = rules.attributes().iter().enumerate().map(possible).collect::<Result<_>>()?;
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
        let silent = rules.rules().iter().filter(|rule| !speaks(rule));
        let public_rules =
            silent.map(|rule| [sorted(rule.antecedent.iter()), sorted(rule.items())]).collect();
        Ok(Self { rules, having, public, possible, parts, public_rules })
    }

    fn linking(
        self,
        table: &'a Table,
        components: &[Component<'a>],
        found: RuleSpans,
        bins: BinsOfRows,
        (reach, tells): (Vec<Vec<u32>>, Box<dyn Tells>),
    ) -> Result<Linking<'a>> {
        let spans = found.examples.len();
        let looks = Looks::new(&self, table, components, (&found.span_of_row, spans))?;
        let bound = std::sync::Arc::new(self);
        let derived = bound.clone();
        Ok(Linking {
            span_of_row: found.span_of_row,
            spans,
            single_bin: found.single_bin,
            sensitive: found.sensitive,
            joint: found.joint,
            bins: Some(Bins {
                of_row: bins.of_row,
                count: bins.count,
                place: Vec::new(),
                reach,
                divided: false,
                tells,
            }),
            derived: Some(Box::new(move |limits| derived.derived(table, &looks, limits))),
            within: Vec::new(),
            first_trees: Vec::new(),
            rules: Box::new(move |span| {
                alternatives(found.examples[span].iter().map(|&group| bound.describe(group)))
            }),
            order: by_number(),
        })
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
    fn met(&self, groups: &[usize], sets: impl Fn(&Parts) -> [&Vec<Item>; 2]) -> Vec<SatisfiedRules> {
        let rules = self.parts.len();
        let met = |&group: &usize| {
            let has =
                |side: usize| Bits::of(rules, |rule| self.having.has(group, sets(&self.parts[rule])[side]));
            SatisfiedRules { left: has(0), all: has(1) }
        };
        groups.iter().map(met).collect()
    }

    /// The private attributes of the rules.
    fn private_attributes(&self) -> Vec<Spoken> {
        let items = self.parts.iter().flat_map(|part| part.private_left.iter().chain(&part.private_right));
        let mut spoken: Vec<usize> = items.map(|item| item.attribute).collect();
        spoken.sort_unstable();
        spoken.dedup();
        spoken.into_iter().map(|attribute| Spoken { attribute, values: self.values(attribute) }).collect()
    }

    /// The number of values that an attribute can take, a missing one included.
    fn values(&self, attribute: usize) -> u32 {
        self.possible[attribute].as_ref().map_or(0, |possible| possible.values() as u32)
    }

    fn sensitive(&self, table: &Table, states: &[SatisfiedRules]) -> Vec<Sensitive> {
        let told: Vec<HashMap<usize, Vec<u32>>> = states.iter().map(|state| self.told(state)).collect();
        let of_attribute = |spoken: Spoken| {
            let column = self.having.columns[spoken.attribute];
            let cells = spoken.values as usize;
            let possible = self.possible[spoken.attribute].as_ref();
            let order = possible.map_or_else(Vec::new, |possible| possible.order(column));
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
                    cell_of_code: possible.map_or_else(Vec::new, |possible| possible.cell_of_code(column)),
                },
                cells,
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
        self.private_attributes().into_iter().map(of_attribute).collect()
    }

    /// The private values that rules in these states name, by attribute.
    fn told(&self, state: &SatisfiedRules) -> HashMap<usize, Vec<u32>> {
        let mut told: HashMap<usize, Vec<u32>> = HashMap::new();
        let mut seen: HashSet<Item> = HashSet::new();
        for rule in state.left.iter() {
            let right = self.parts[rule].private_right.iter().filter(|_| state.all.contains(rule));
            for item in self.parts[rule].private_left.iter().chain(right) {
                if seen.insert(*item) {
                    told.entry(item.attribute).or_default().push(item.value);
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

    /// What the individuals of a span, by one of its groups, have and do not have.
    fn describe(&self, group: usize) -> String {
        let sets = self.parts.iter().flat_map(|part| [&part.public_left, &part.public_all]);
        let (met, unmet): (Vec<_>, Vec<_>) = sets.partition(|set| self.having.has(group, set));
        let (mut has, mut seen): (Vec<Item>, HashSet<Item>) = (Vec::new(), HashSet::new());
        has.extend(met.into_iter().flatten().filter(|item| seen.insert(**item)));
        let mut lacks: Vec<Vec<Item>> = Vec::new();
        let mut told = HashSet::new();
        for set in unmet.into_iter().filter(|set| told.insert(*set)) {
            if lacks.len() == MOST_LACKS {
                break;
            }
            let rest: Vec<Item> = set.iter().copied().filter(|item| !seen.contains(item)).collect();
            let within = |a: &[Item], b: &[Item]| a.iter().all(|item| b.contains(item));
            if !lacks.iter().any(|other| within(other, &rest)) {
                lacks.retain(|other| !within(&rest, other));
                lacks.push(rest);
            }
        }
        let joined = |items: &[Item]| items.iter().map(|i| self.text(i)).collect::<Vec<_>>().join(" and ");
        let has = (!has.is_empty()).then(|| joined(&has));
        let more = (lacks.len() == MOST_LACKS).then(|| "…".to_owned());
        let lacks = lacks.iter().map(|items| format!("not: {}", joined(items)));
        let parts: Vec<String> = has.into_iter().chain(lacks).chain(more).collect();
        if parts.is_empty() { "everyone".to_owned() } else { parts.join("; ") }
    }
}

fn sorted<'i>(items: impl Iterator<Item = &'i Item>) -> Vec<Item> {
    let mut items: Vec<Item> = items.copied().collect();
    items.sort_unstable();
    items
}
