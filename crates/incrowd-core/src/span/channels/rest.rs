//! Cells that follow from exclusive items: the individuals who have a set and none of the values of an attribute whose
//! supports together with the set are known.

use super::{Cell, Knowledge, Limits};
use hashbrown::{HashMap, HashSet};

impl Knowledge {
    /// The small ones of what is left of some sets, or of these without one item, by any attribute.
    ///
    /// Items of one attribute exclude each other, so supp(I) − Σ supp(I∪x) individuals have I and none of the values x,
    /// however many these are.
    pub(super) fn small_rests(&self, sets: &[u32], limits: &Limits) -> Vec<Cell> {
        let mut bases: HashSet<Vec<u32>> = HashSet::new();
        for &set in sets {
            let items = &self.sets[set as usize].items;
            bases.insert(items.clone());
            for place in 0..items.len() {
                bases.insert([&items[..place], &items[place + 1..]].concat());
            }
        }
        let rests = bases.iter().flat_map(|base| self.rests(base));
        rests.filter(|cell| cell.low >= 1 && cell.high < limits.of(self.is_own(cell))).collect()
    }

    /// What is left of a set by each attribute of which several values are known with it.
    fn rests(&self, base: &[u32]) -> Vec<Cell> {
        let (Some(&set), Some(joins)) = (self.number.get(base), self.joins.get(base)) else {
            return Vec::new();
        };
        let mut by_attribute: HashMap<u32, Vec<u32>> = HashMap::new();
        for &item in joins.iter().filter(|item| !base.iter().any(|&other| self.exclude(**item, other))) {
            by_attribute.entry(self.facts[item as usize].attribute).or_default().push(item);
        }
        let whole = self.sets[set as usize].range;
        let rest = |mut items: Vec<u32>| {
            items.sort_unstable();
            let (mut low, mut high) = (whole.low, whole.high);
            for &item in &items {
                let with = self.sets[*self.number.get(&super::publish::with(base, item))? as usize].range;
                (low, high) = (low - with.high, high - with.low);
            }
            let private = items.iter().chain(base).any(|&item| !self.facts[item as usize].public);
            (private && items.len() > 1).then(|| Cell {
                low: low.max(0) as u64,
                high: high.max(0) as u64,
                present: base.to_vec(),
                absent: items,
            })
        };
        by_attribute.into_values().filter_map(rest).collect()
    }
}
