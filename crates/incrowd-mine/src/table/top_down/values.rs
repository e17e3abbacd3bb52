//! The values of the cuts, and the steps that could refine them.

use super::super::cell::{Cell, Holds, Interval};
use super::super::task::{Attribute, Task};
use crate::tree::gain::{Counts, information_gain};
use incrowd_core::Result;
use incrowd_core::taxonomy::TaxonomyNode;

/// A value of a cut: what the table shows for every individual whose code is below it.
pub(super) struct Value {
    pub(super) attribute: usize,
    /// The codes under it that occur, ascending.
    pub(super) codes: Vec<u32>,
    pub(super) cell: Cell,
    /// The steps that could refine it, by number.
    pub(super) steps: Vec<usize>,
}

/// A step that could be made.
pub(super) struct Step {
    pub(super) value: usize,
    pub(super) way: Way,
    /// The information gain among the rows that show the value, in bits per row.
    pub(super) gain: f64,
    /// Whether it would break the guarantee.
    pub(super) is_out: bool,
    /// For each set the smallest group that making it would have left at some time.
    pub(super) smallest: Vec<u64>,
}

/// How a value is divided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Way {
    /// Into the children of a group of the taxonomy.
    Below(TaxonomyNode),
    /// Into numbers and missing values.
    Missing,
    /// Into the numbers before that of a code, and the others; the bound is a short decimal.
    Cut { code: u32, bound: f64 },
    /// Into one value and the others, which stay suppressed.
    Disclose(u32),
    /// Into all values, of names without a taxonomy.
    Values,
}

impl Way {
    /// The number of children, empty ones included.
    pub(super) fn count(self, attribute: &Attribute<'_>) -> usize {
        match (self, &attribute.taxonomy) {
            (Self::Below(node), Some(taxonomy)) => taxonomy.children(node).len(),
            (Self::Values, _) => attribute.column.values().len() + 1,
            _ => 2,
        }
    }

    /// The child of a code under the value.
    pub(super) fn child(self, code: u32, attribute: &Attribute<'_>) -> usize {
        match (self, &attribute.taxonomy) {
            (Self::Below(node), Some(taxonomy)) => {
                let child = taxonomy.ancestor_at_depth(code, taxonomy.depth(node) + 1);
                // Siblings are neighbours.
                taxonomy.children(node).next().map_or(0, |first| child.index() - first.index())
            }
            (Self::Below(_), None) => 0,
            (Self::Missing, _) => usize::from(code == attribute.column.missing_code()),
            (Self::Cut { code: cut, .. }, _) => usize::from(code >= cut),
            (Self::Disclose(own), _) => usize::from(code != own),
            (Self::Values, _) => code as usize,
        }
    }
}

/// A step that was made.
pub(super) struct Refined {
    pub(super) attribute: usize,
    pub(super) value: usize,
    pub(super) way: Way,
    /// The first of the values that have taken the place of `value`; the last one is the last there is.
    pub(super) first: usize,
}

/// A cut through each attribute.
pub(super) struct Cuts<'t> {
    task: &'t Task<'t>,
    classes: usize,
    /// The rows with each code and class, code by code, for each attribute.
    counts: Vec<Vec<u64>>,
    pub(super) values: Vec<Value>,
    pub(super) steps: Vec<Step>,
    /// The value over each code, for each attribute.
    pub(super) of_code: Vec<Vec<u32>>,
    /// Whether names without a taxonomy are disclosed one by one, and not all at once.
    suppress: bool,
}

/// No value: the code does not occur.
pub(super) const NONE: u32 = u32::MAX;

impl<'t> Cuts<'t> {
    /// The coarsest cuts.
    ///
    /// # Errors
    /// Without a class to learn from.
    pub(super) fn new(task: &'t Task<'t>, suppress: bool) -> Result<Self> {
        let class = task.learned_class()?;
        let classes = class.code_count();
        let mut cuts = Self {
            task,
            classes,
            counts: Vec::new(),
            values: Vec::new(),
            steps: Vec::new(),
            of_code: Vec::new(),
            suppress,
        };
        for (place, attribute) in task.attributes.iter().enumerate() {
            let size = attribute.column.values().len() + 1;
            let mut counts = vec![0; size * classes];
            for row in 0..task.table.rows() {
                let slot = attribute.code(row as u32) as usize * classes + class.code(row) as usize;
                counts[slot] += u64::from(task.table.weight(row));
            }
            let occurs = |code: &u32| counts[*code as usize * classes..][..classes].iter().any(|&n| n > 0);
            let codes: Vec<u32> = (0..size as u32).filter(occurs).collect();
            cuts.counts.push(counts);
            cuts.of_code.push(vec![NONE; size]);
            cuts.add_top(place, codes);
        }
        Ok(cuts)
    }

    /// The value over all codes of an attribute.
    fn add_top(&mut self, place: usize, codes: Vec<u32>) {
        let attribute = &self.task.attributes[place];
        if attribute.taxonomy.is_some() {
            self.add_group(place, codes);
        } else if attribute.is_numeric() {
            match codes.last() {
                Some(&last) if last == attribute.column.missing_code() && codes.len() > 1 => {
                    self.add(place, codes, Cell::Any, Some(Way::Missing));
                }
                _ => self.add_numbers(place, codes, None, None),
            }
        } else {
            self.add_hidden(place, codes);
        }
    }

    /// The lowest group of the taxonomy over some codes.
    fn add_group(&mut self, place: usize, codes: Vec<u32>) {
        let cover =
            self.task.attributes[place].taxonomy.as_ref().and_then(|t| t.cover(codes.iter().copied()));
        match (&codes[..], cover) {
            (&[only], _) => self.add(place, codes, Cell::Value(only), None),
            (_, Some(node)) => self.add(place, codes, Cell::Group(node), Some(Way::Below(node))),
            (_, None) => self.add(place, codes, Cell::Any, None),
        }
    }

    /// Numbers between two bounds; or the missing value alone.
    fn add_numbers(&mut self, place: usize, codes: Vec<u32>, low: Option<f64>, high: Option<f64>) {
        let attribute = &self.task.attributes[place];
        let cell = match codes[..] {
            [only] if only == attribute.column.missing_code() => Cell::Value(only),
            _ => Cell::Interval(Interval { low, high, holds: Holds::Low, or_missing: false }),
        };
        let cut = self.best_cut(place, &codes);
        self.add(place, codes, cell, cut);
    }

    /// Where the gain of cutting numbers in two is highest, the lowest of several places.
    fn best_cut(&self, place: usize, codes: &[u32]) -> Option<Way> {
        let mut sides = vec![0; 2 * self.classes];
        for &code in codes {
            sides[self.classes..].iter_mut().zip(self.of_class(place, code)).for_each(|(sum, n)| *sum += n);
        }
        let mut best = (0.0, None);
        for pair in codes.windows(2) {
            let (below, above) = sides.split_at_mut(self.classes);
            for ((below, above), n) in below.iter_mut().zip(above).zip(self.of_class(place, pair[0])) {
                *below += n;
                *above -= n;
            }
            let gain = information_gain(Counts { all: &sides, classes: self.classes });
            if gain > best.0 {
                best = (gain, Some((pair[0], pair[1])));
            }
        }
        let (before, code) = best.1?;
        let attribute = &self.task.attributes[place];
        let bound = attribute.bound_between(attribute.number(before)?, attribute.number(code)?);
        // The bound belongs to the numbers above it, and the end of a part of the calendar to the dates below it.
        let bound = if attribute.is_date() { bound + 1.0 } else { bound };
        Some(Way::Cut { code, bound })
    }

    fn of_class(&self, place: usize, code: u32) -> &[u64] {
        &self.counts[place][code as usize * self.classes..][..self.classes]
    }

    /// Suppressed names. One alone could be inferred from the others that are disclosed, so it is disclosed too.
    fn add_hidden(&mut self, place: usize, codes: Vec<u32>) {
        if let [only] = codes[..] {
            return self.add(place, codes, Cell::Value(only), None);
        }
        let one_by_one = || codes.iter().map(|&code| Way::Disclose(code)).collect();
        let ways: Vec<Way> = if self.suppress { one_by_one() } else { vec![Way::Values] };
        self.add(place, codes, Cell::Any, ways);
    }

    fn add(&mut self, place: usize, codes: Vec<u32>, cell: Cell, ways: impl IntoIterator<Item = Way>) {
        let value = self.values.len();
        codes.iter().for_each(|&code| self.of_code[place][code as usize] = value as u32);
        let together = self.together(place, &codes);
        self.values.push(Value { attribute: place, codes, cell, steps: Vec::new() });
        for way in ways {
            let gain = self.gain(value, way, &together);
            self.values[value].steps.push(self.steps.len());
            self.steps.push(Step { value, way, gain, is_out: false, smallest: Vec::new() });
        }
    }

    /// The rows of each class under some codes.
    fn together(&self, place: usize, codes: &[u32]) -> Vec<u64> {
        let mut together = vec![0; self.classes];
        for &code in codes {
            together.iter_mut().zip(self.of_class(place, code)).for_each(|(sum, n)| *sum += n);
        }
        together
    }

    fn gain(&self, value: usize, way: Way, together: &[u64]) -> f64 {
        let Value { attribute: place, codes, .. } = &self.values[value];
        let attribute = &self.task.attributes[*place];
        let mut all = vec![0; way.count(attribute) * self.classes];
        if let Way::Disclose(code) = way {
            let own = self.of_class(*place, code);
            all[..self.classes].copy_from_slice(own);
            all[self.classes..].iter_mut().zip(together).zip(own).for_each(|((n, sum), own)| *n = sum - own);
        } else {
            for &code in codes {
                let from = way.child(code, attribute) * self.classes;
                let of_child = &mut all[from..from + self.classes];
                of_child.iter_mut().zip(self.of_class(*place, code)).for_each(|(sum, n)| *sum += n);
            }
        }
        information_gain(Counts { all: &all, classes: self.classes })
    }

    /// Puts the children of a step in place of its value.
    pub(super) fn refine(&mut self, step: usize) -> Refined {
        let Step { value, way, .. } = self.steps[step];
        let place = self.values[value].attribute;
        let attribute = &self.task.attributes[place];
        let mut children = vec![Vec::new(); way.count(attribute)];
        for code in std::mem::take(&mut self.values[value].codes) {
            children[way.child(code, attribute)].push(code);
        }
        let first = self.values.len();
        let cell = self.values[value].cell.clone();
        for (child, codes) in children.into_iter().enumerate().filter(|(_, codes)| !codes.is_empty()) {
            match (way, &cell) {
                (Way::Below(_), _) => self.add_group(place, codes),
                (Way::Disclose(_), _) if child == 0 => self.add_hidden(place, codes),
                (Way::Values, _) => self.add_hidden(place, codes),
                (Way::Disclose(_), _) => self.add_rest(place, codes, step),
                (Way::Cut { bound, .. }, Cell::Interval(of)) if child == 0 => {
                    self.add_numbers(place, codes, of.low, Some(bound));
                }
                (Way::Cut { bound, .. }, Cell::Interval(of)) => {
                    self.add_numbers(place, codes, Some(bound), of.high);
                }
                (Way::Missing | Way::Cut { .. }, _) => self.add_numbers(place, codes, None, None),
            }
        }
        Refined { attribute: place, value, way, first }
    }

    /// What stays suppressed after a disclosure. The steps that would disclose more of it stay too, with what was found
    /// out about them; only their gain is another one.
    fn add_rest(&mut self, place: usize, codes: Vec<u32>, made: usize) {
        if codes.len() == 1 {
            return self.add_hidden(place, codes);
        }
        let together = self.together(place, &codes);
        let rest = self.values.len();
        self.add(place, codes, Cell::Any, None);
        let mut steps = std::mem::take(&mut self.values[self.steps[made].value].steps);
        steps.retain(|&step| step != made && !self.steps[step].is_out);
        for &step in &steps {
            self.steps[step].value = rest;
            self.steps[step].gain = self.gain(rest, self.steps[step].way, &together);
        }
        self.values[rest].steps = steps;
    }
}
