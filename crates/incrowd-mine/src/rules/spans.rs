//! Every individual's span, updated rule by rule: would a rule break the guarantee?
//!
//! Spans are those of [`incrowd_core::span`]: the states of all rules so far, distinguished by public items. A rule
//! with public items L on the left and R in all divides every span into those without L, those with L but not R, and
//! those with R; it reveals its private items on the left to the second and third part and those on the right to the
//! third. A rule about public items alone changes nothing.
//!
//! A division that breaks a requirement on numbers of individuals breaks it for all finer spans too, so a rule with the
//! same public items need not be checked again. Each check takes O(rows of the spans concerned).

use super::task::Task;
use crate::alike::{Alike, strict_k};
use hashbrown::{HashMap, HashSet};
use incrowd_core::bits::Bits;
use incrowd_core::group::{Grouping, group_rows};
use incrowd_core::guarantee::{Crowd, Guarantee, Histogram, PrivateItem, Requirement, ValueCounts, Whole};
use incrowd_core::table::Kind;

/// Why a rule is left out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Broken {
    pub(super) requirement: Requirement,
    /// The number of individuals in the group that breaks it.
    pub(super) individuals: u64,
}

/// Individuals who cannot be distinguished, and what rules reveal about them.
struct Span {
    rows: Vec<u32>,
    /// The private items revealed, ascending.
    told: Vec<u32>,
}

/// A rule as spans see it.
pub(super) struct Question {
    /// The public items of the left side and of both sides, ascending.
    pub(super) public: [Vec<u32>; 2],
    /// The private items of the left side and of both sides, ascending.
    pub(super) private: [Vec<u32>; 2],
}

impl Question {
    pub(super) fn new(task: &Task<'_>, left: &[u32], right: &[u32]) -> Self {
        let mut both = [left, right].concat();
        both.sort_unstable();
        let pick = |items: &[u32], known: bool| -> Vec<u32> {
            items.iter().copied().filter(|&item| task.items[item as usize].known == known).collect()
        };
        Self {
            public: [pick(left, true), pick(&both, true)],
            private: [pick(left, false), pick(&both, false)],
        }
    }

    /// Whether it reveals anything that an attacker does not know.
    pub(super) fn tells(&self) -> bool {
        !self.private[1].is_empty()
    }
}

/// All spans of the rules taken so far.
pub(super) struct Spans<'a> {
    task: &'a Task<'a>,
    guarantee: &'a Guarantee,
    looks: bool,
    /// Whether it does not matter which private items a rule reveals.
    by_size: bool,
    all: Vec<Span>,
    span_of_row: Vec<u32>,
    /// Public parts of rules that divide nothing more, and those that no rule may have.
    divided: HashSet<[Vec<u32>; 2]>,
    refused: HashMap<[Vec<u32>; 2], Broken>,
    wholes: HashMap<(usize, Vec<u32>), Whole>,
    /// Which attributes the guarantee looks at.
    in_scope: Vec<bool>,
}

/// The parts of a span by the state of a rule, and what is revealed about each.
pub(super) struct Division {
    span: usize,
    parts: [Span; 3],
}

impl<'a> Spans<'a> {
    /// All individuals in one span, or in the joint spans of earlier releases, about whom nothing is revealed.
    ///
    /// # Errors
    /// When the guarantee names attributes that an attacker knows, or that the policy does not know.
    pub(super) fn new(task: &'a Task<'a>, guarantee: &'a Guarantee) -> incrowd_core::Result<Self> {
        let first = task.policy.earlier_spans(task.table).into_iter().collect::<Vec<_>>();
        let Grouping { of_row: span_of_row, count } = group_rows(task.table.rows(), &first);
        let mut rows = vec![Vec::new(); count.max(1) as usize];
        (0..).zip(&span_of_row).for_each(|(row, &span)| rows[span as usize].push(row));
        // Attributes that an attacker knows are never revealed, so requirements on them make no difference.
        let contained: Vec<PrivateItem<'_>> =
            task.attributes.iter().map(|attribute| PrivateItem::attribute(&attribute.model.name)).collect();
        let in_scope = guarantee.resolve(task.policy, &contained)?.applies;
        Ok(Self {
            task,
            guarantee,
            looks: guarantee.looks_at_values(),
            by_size: guarantee.only_counts(),
            all: rows.into_iter().map(|rows| Span { rows, told: Vec::new() }).collect(),
            span_of_row,
            divided: HashSet::new(),
            refused: HashMap::new(),
            wholes: HashMap::new(),
            in_scope,
        })
    }

    /// What is broken before there is any rule.
    pub(super) fn broken(&mut self) -> Option<Broken> {
        let all = std::mem::take(&mut self.all);
        let broken = all.iter().filter(|span| !span.rows.is_empty()).find_map(|span| self.breach(span));
        self.all = all;
        broken
    }

    /// How a rule divides the spans, if the guarantee holds with it; what it breaks otherwise.
    pub(super) fn ask(&mut self, rule: &Question) -> Result<Vec<Division>, Broken> {
        if !rule.tells() || (self.by_size && self.divided.contains(&rule.public)) {
            return Ok(Vec::new());
        }
        if let Some(broken) = self.refused.get(&rule.public) {
            return Err(broken.clone());
        }
        let divisions = self.divide(rule);
        if let Some(broken) = self.worst(&divisions).or_else(|| self.few_alike(&divisions)) {
            if self.by_size {
                self.refused.insert(rule.public.clone(), broken.clone());
            }
            return Err(broken);
        }
        Ok(divisions)
    }

    /// Takes a rule that was just checked.
    pub(super) fn take(&mut self, rule: Question, divisions: Vec<Division>) {
        divisions.into_iter().for_each(|division| self.apply(division));
        if rule.tells() {
            self.divided.insert(rule.public);
        }
    }

    /// What the smallest group breaks among those that are new or about which more is revealed.
    fn worst(&mut self, divisions: &[Division]) -> Option<Broken> {
        let mut worst: Option<Broken> = None;
        for division in divisions {
            let old = &self.all[division.span];
            let is_new = |part: &&Span| part.rows.len() != old.rows.len() || part.told != old.told;
            let parts = division.parts.iter().filter(|part| !part.rows.is_empty());
            for part in parts.filter(is_new).collect::<Vec<_>>() {
                let broken = self.breach(part);
                worst = [worst, broken].into_iter().flatten().min_by_key(|broken| broken.individuals);
            }
        }
        worst
    }

    /// With the strict reading of k: whether too few individuals would have the same spans over all of their rows.
    /// Finer spans make fewer alike.
    fn few_alike(&self, divisions: &[Division]) -> Option<Broken> {
        let (k, &requirement) = strict_k(self.task.table, self.guarantee)?;
        let mut span_of_row: Vec<u32> = self.span_of_row.clone();
        let parts = divisions.iter().flat_map(|division| &division.parts);
        for (number, part) in (self.all.len() as u32..).zip(parts) {
            part.rows.iter().for_each(|&row| span_of_row[row as usize] = number);
        }
        let individuals = Alike::new(self.task.table, |row| Some(span_of_row[row])).fewest()?;
        (individuals < k).then_some(Broken { requirement, individuals })
    }

    /// How a rule divides the spans of those with its public left side.
    fn divide(&self, rule: &Question) -> Vec<Division> {
        let [left, both] = rule.public.each_ref().map(|items| self.rows(items));
        let mut seen = vec![false; self.all.len()];
        let mut concerned = Vec::new();
        for row in left.iter() {
            let span = self.span_of_row[row] as usize;
            if !seen[span] {
                seen[span] = true;
                concerned.push(span);
            }
        }
        let division = |span: usize| {
            let old = &self.all[span];
            let more = rule.private.each_ref().map(|items| merged(&old.told, items));
            let [one, two] = more;
            let mut parts = [old.told.clone(), one, two].map(|told| Span { rows: Vec::new(), told });
            for &row in &old.rows {
                let state =
                    usize::from(left.contains(row as usize)) + usize::from(both.contains(row as usize));
                parts[state].rows.push(row);
            }
            Division { span, parts }
        };
        concerned.into_iter().map(division).collect()
    }

    fn apply(&mut self, division: Division) {
        let mut parts = division.parts.into_iter().filter(|part| !part.rows.is_empty());
        if let Some(first) = parts.next() {
            self.all[division.span] = first;
        }
        for part in parts {
            let number = self.all.len() as u32;
            part.rows.iter().for_each(|&row| self.span_of_row[row as usize] = number);
            self.all.push(part);
        }
    }

    /// The rows that have all of some items.
    fn rows(&self, items: &[u32]) -> Bits {
        let mut rows = Bits::full(self.task.table.rows());
        items.iter().for_each(|&item| rows.keep(&self.task.items[item as usize].rows));
        rows
    }

    /// The requirement a group of individuals would break, if any. Cells are another matter: see
    /// [`incrowd_core::span::channels`].
    fn breach(&mut self, span: &Span) -> Option<Broken> {
        let individuals = self.task.people.count_list(&span.rows);
        let told = self.told(span);
        let crowd = Crowd {
            population: individuals,
            alike: individuals,
            single_bin: told.is_empty(),
            smallest_bin: u64::MAX,
            histograms: &[],
        };
        let guarantee = self.guarantee;
        let mut broken = guarantee.broken_by(&crowd).next();
        let looked_at = told.into_iter().filter(|(attribute, _)| self.looks && self.in_scope[*attribute]);
        for (attribute, values) in looked_at.collect::<Vec<_>>() {
            if broken.is_some() {
                break;
            }
            let counts = self.counts(attribute, &values, &span.rows);
            let whole = self.whole(attribute, values);
            let values = Histogram::new(ValueCounts::ByValue(&counts), individuals, whole);
            broken = guarantee.broken_by(&Crowd { histograms: &[values], ..crowd }).next();
        }
        broken.map(|&requirement| Broken { requirement, individuals })
    }

    /// The private attributes distinguished in a span, each with the values revealed.
    fn told(&self, span: &Span) -> Vec<(usize, Vec<u32>)> {
        let mut told: Vec<(usize, Vec<u32>)> = Vec::new();
        for item in span.told.iter().map(|&item| &self.task.items[item as usize]) {
            match told.last_mut() {
                Some((attribute, values)) if *attribute == item.attribute => values.push(item.value),
                _ => told.push((item.attribute, vec![item.value])),
            }
        }
        told.retain(|&(attribute, _)| self.cells(attribute) > 1);
        told
    }

    /// The number of values that an attribute can have, a missing one included.
    fn cells(&self, attribute: usize) -> usize {
        let attribute = &self.task.attributes[attribute];
        let values = attribute.value_of_code.last().map_or(0, |&missing| missing as usize);
        values + usize::from(attribute.model.missing)
    }

    /// For each value the number it goes by where these values are revealed and the others are one.
    fn locals(&self, attribute: usize, told: &[u32]) -> Vec<u32> {
        let (mut next, mut rest) = (0, None);
        let mut local = |value: u32| {
            if let (false, Some(rest)) = (told.contains(&value), rest) {
                return rest;
            }
            next += 1;
            if !told.contains(&value) {
                rest = Some(next - 1);
            }
            next - 1
        };
        (0..self.cells(attribute) as u32).map(&mut local).collect()
    }

    /// The individuals among some rows with each value that is revealed, the others as one.
    fn counts(&self, attribute: usize, told: &[u32], rows: &[u32]) -> Vec<u64> {
        let locals = self.locals(attribute, told);
        let bound = &self.task.attributes[attribute];
        let mut rows_of: Vec<Vec<u32>> =
            vec![Vec::new(); locals.iter().max().map_or(0, |&max| max as usize + 1)];
        for &row in rows {
            let value = bound.value_of_code[bound.column.code(row as usize) as usize];
            rows_of[locals[value as usize] as usize].push(row);
        }
        rows_of.iter().map(|rows| self.task.people.count_list(rows)).collect()
    }

    /// Counts the whole table by the values revealed, once.
    fn whole(&mut self, attribute: usize, told: Vec<u32>) -> &Whole {
        let key = (attribute, told);
        if !self.wholes.contains_key(&key) {
            let rows: Vec<u32> = (0..self.task.table.rows() as u32).collect();
            let whole = Whole::new(self.counts(attribute, &key.1, &rows));
            let ordered = self.task.attributes[attribute].column.kind() != Kind::Categorical;
            self.wholes.insert(key.clone(), if ordered { whole } else { whole.without_order() });
        }
        &self.wholes[&key]
    }
}

/// Both lists as one, ascending, without repeats.
fn merged(one: &[u32], other: &[u32]) -> Vec<u32> {
    let mut all = [one, other].concat();
    all.sort_unstable();
    all.dedup();
    all
}
