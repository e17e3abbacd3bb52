//! What published supports reveal together: cells that anyone can derive.
//!
//! A set of rules publishes supports: how many individuals have all items of a set. For sets I ⊆ J the *cell* of I and
//! J contains those who have all of I and none of J∖I, and inclusion and exclusion gives its population, f(I, J) = Σ
//! over I ⊆ X ⊆ J of (−1)^|X∖I| · supp(X). A cell of 1 to n − 1 individuals that is not published but can be derived is
//! an *inference channel* (Atzori, Bonchi, Giannotti, Pedreschi, "Anonymity preserving pattern discovery", VLDB Journal
//! 17, 2008).
//!
//! The supports of sets that are not published can often be bounded, and a bound can be enough. No cell is negative:
//! solved for any one support, f(I, J) ≥ 0 bounds it by the others (Calders and Goethals, "Mining all non-derivable
//! frequent itemsets", PKDD 2002, use this for the support of J; here it is applied to every X). [`Knowledge`] keeps a
//! range for every subset of a published set and applies these rules until nothing changes. The supports of public sets
//! and the number of individuals are known from the start. Two known sets that differ in one item each and must overlap
//! (supp(I∪a) + supp(I∪b) > supp(I), Bonferroni) make their union such a set too, published or not.
//!
//! Every range contains all possible values, so a cell whose range is within 1 to n − 1 is certainly small. The
//! converse does not hold: each support has a separate range, so a deduction that needs several unknown supports
//! together is missed. If connected published sets have few items in total, integer programs find these cells too
//! ([`Knowledge::exact`]).
//!
//! Items of one attribute exclude each other. So a set with two of them has no support, and if the supports of a set
//! together with some values of an attribute are known, the number of individuals with the set and none of these values
//! follows by subtraction ([`Knowledge::small_cells`] uses both). If exactly the proper subsets of a set are known, its
//! range is exact (Calders and Goethals).
//!
//! A single rule publishes three cells: its left side, both sides, and the left side without the right side if that is
//! one item. These are its [own](Knowledge::is_own) cells; every other cell needs several supports. [`Limits`] states
//! what is required of which cells.
//!
//! If individuals have several rows, an individual has a set if one of their rows has it, and inclusion and exclusion
//! does not hold. Whatever is certain then is also certain under the assumption that every individual has only one row,
//! so the same deduction errs on the safe side, unless the supports [contradict](Knowledge::contradicts) this
//! assumption.
//!
//! Running time: publishing a set of m items takes O(m·2^m) steps for each time a range inside it narrows; memory
//! O(3^m) for each largest set.

mod bounds;
mod by_spans;
mod determined;
mod exact;
mod groups;
mod limits;
mod own;
mod publish;
mod rest;
#[cfg(test)]
mod tests;
mod ties;
mod waiting;
mod world;

pub use by_spans::{ItemRows, SpanProof};
pub use exact::Exact;
pub use limits::Limits;
pub use own::ItemFacts;
pub use ties::{TiedItems, Ties};

use bounds::Bounds;
use groups::Neighbours;
use hashbrown::{HashMap, HashSet};
use waiting::Waiting;

/// The most items a published set may have: it has 2^12 subsets.
pub const MOST_ITEMS: usize = 12;

/// More individuals than anyone counts; sums of 2^12 such numbers fit into 64 bits.
const MOST: u64 = 1 << 50;

/// How often the deduction looks at a set, on average, before it stops narrowing ranges.
const ROUNDS: usize = 256;

/// What is known of the support of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    low: i64,
    high: i64,
}

/// A cell: those who have all of some items and none of some others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// At least this many individuals are in it, as anyone can derive.
    pub low: u64,
    /// At most this many.
    pub high: u64,
    /// The items they have, ascending.
    pub present: Vec<u32>,
    /// The items they do not have, ascending.
    pub absent: Vec<u32>,
}

/// A set of items someone may know the support of.
struct KnownSupport {
    items: Vec<u32>,
    range: Range,
    /// Its subsets by mask: bit i states whether the i-th item is in it; the last is the set itself.
    subsets: Vec<u32>,
    /// The sets it is a subset of, itself included.
    above: Vec<u32>,
    /// Whether it has a private item.
    private: bool,
    published: bool,
}

/// What is known about the supports of sets, extended by publishing them one by one.
pub struct Knowledge {
    individuals: i64,
    facts: Vec<ItemFacts>,
    /// The items of each attribute.
    of_attribute: HashMap<u32, Vec<u32>>,
    number: HashMap<Vec<u32>, u32>,
    sets: Vec<KnownSupport>,
    /// For each set I the items a of which the support of I∪a is known, and the same in the order it became known.
    joins: HashMap<Vec<u32>, Vec<u32>>,
    joined: Vec<(Vec<u32>, u32)>,
    /// Ranges as they were, so that what was deduced can be taken back.
    trail: Vec<(u32, Range)>,
    /// The sets published, and for each item those of them that have it.
    published: Vec<u32>,
    published_with: HashMap<u32, Vec<u32>>,
    /// The items of published sets with private items, and of the others, by the items they are together with.
    near_by_private_sets: Neighbours,
    near_by_public_sets: Neighbours,
    /// The cells that single rules publish, as a set and in order.
    own: HashSet<own::Shape>,
    owned: Vec<own::Shape>,
    /// Whether no world agrees with the published supports.
    contradicts: bool,
    /// What declared dependencies leave of private items, where they tie some.
    ties: Option<Ties>,
}

/// A state of a [`Knowledge`] to go back to.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    sets: usize,
    joined: usize,
    trail: usize,
    published: usize,
    owned: usize,
    contradicts: bool,
}

impl Knowledge {
    /// What is known before anything is published.
    pub fn new(individuals: u64, facts: Vec<ItemFacts>) -> Self {
        let individuals = individuals.min(MOST) as i64;
        let everyone = Range { low: individuals, high: individuals };
        let none = KnownSupport {
            items: Vec::new(),
            range: everyone,
            subsets: vec![0],
            above: vec![0],
            private: false,
            published: false,
        };
        let number = HashMap::from([(Vec::new(), 0)]);
        Self {
            individuals,
            of_attribute: own::by_attribute(&facts),
            facts,
            number,
            sets: vec![none],
            joins: HashMap::new(),
            joined: Vec::new(),
            trail: Vec::new(),
            published: Vec::new(),
            published_with: HashMap::new(),
            near_by_private_sets: Neighbours::default(),
            near_by_public_sets: Neighbours::default(),
            own: HashSet::new(),
            owned: Vec::new(),
            contradicts: false,
            ties: None,
        }
    }

    /// Its position.
    pub fn mark(&self) -> Mark {
        Mark {
            sets: self.sets.len(),
            joined: self.joined.len(),
            trail: self.trail.len(),
            published: self.published.len(),
            owned: self.owned.len(),
            contradicts: self.contradicts,
        }
    }

    /// Whether no world agrees with what was published, as far as deduction sees. Supports of a table with a row for
    /// every individual never do.
    pub fn contradicts(&self) -> bool {
        self.contradicts
    }

    /// The cells that are certainly not empty and involve something private.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        (0..self.sets.len() as u32).flat_map(|set| self.cells_of(set))
    }

    /// The small cells that consist of the items of one set.
    pub fn cells_of(&self, set: u32) -> Vec<Cell> {
        let known = &self.sets[set as usize];
        if !known.private {
            return Vec::new();
        }
        let bounds = Bounds::of(known.subsets.iter().map(|&subset| self.sets[subset as usize].range));
        let certain = (0..known.subsets.len()).filter(|&mask| bounds.low[mask] >= 1);
        certain.map(|mask| known.cell(mask, bounds.low[mask], bounds.high[mask])).collect()
    }

    /// The cells made of the items of some sets, and of what exclusive items leave of them, that are certainly not
    /// empty, but have fewer individuals than required: each once, the smallest first.
    pub fn small_cells(&self, sets: impl IntoIterator<Item = u32>, limits: &Limits) -> Vec<Cell> {
        let most = limits.most() as i64;
        let sets: Vec<u32> = sets.into_iter().collect();
        let mut cells = self.small_rests(&sets, limits);
        for known in sets.into_iter().map(|set| &self.sets[set as usize]).filter(|known| known.private) {
            let bounds = Bounds::of(known.subsets.iter().map(|&subset| self.sets[subset as usize].range));
            let small = |&mask: &usize| bounds.low[mask] >= 1 && bounds.high[mask] < most;
            let found = (0..known.subsets.len()).filter(small);
            let found = found.map(|mask| known.cell(mask, bounds.low[mask], bounds.high[mask]));
            let found = found.map(|cell| self.simplest(cell));
            cells.extend(found.filter(|cell| cell.high < limits.of(self.is_own(cell))));
        }
        cells.sort_unstable_by(|a, b| (a.high, a).cmp(&(b.high, b)));
        cells.dedup();
        cells
    }

    /// All sets about which something is known.
    pub fn sets(&self) -> std::ops::Range<u32> {
        0..self.sets.len() as u32
    }

    fn narrow(&mut self, set: u32, to: Range, waiting: &mut Waiting) {
        let known = &mut self.sets[set as usize];
        let range = Range { low: known.range.low.max(to.low), high: known.range.high.min(to.high) };
        if range != known.range {
            self.contradicts |= range.low > range.high;
            self.trail.push((set, known.range));
            known.range = range;
            known.above.iter().for_each(|&above| waiting.push(above));
        }
    }

    /// Applies the rules to the sets that wait until none is left; returns all that ever waited.
    fn deduce(&mut self, mut waiting: Waiting) -> Vec<u32> {
        let mut steps = 0;
        while let Some(set) = waiting.pop().filter(|_| !self.contradicts) {
            steps += 1;
            if steps > ROUNDS * waiting.all.len().max(self.sets[set as usize].subsets.len()) {
                break;
            }
            let subsets = self.sets[set as usize].subsets.clone();
            let bounds = Bounds::of(subsets.iter().map(|&subset| self.sets[subset as usize].range));
            if !bounds.is_exact || bounds.high.iter().any(|&high| high < 0) {
                for (&subset, range) in subsets.iter().zip(bounds.narrowed()) {
                    self.narrow(subset, range, &mut waiting);
                }
            }
        }
        waiting.all
    }
}

impl KnownSupport {
    fn cell(&self, mask: usize, low: i64, high: i64) -> Cell {
        let side = |present: bool| {
            let on = |i: &usize| (mask >> i & 1 == 1) == present;
            (0..self.items.len()).filter(on).map(|i| self.items[i]).collect()
        };
        Cell { low: low as u64, high: high as u64, present: side(true), absent: side(false) }
    }
}
