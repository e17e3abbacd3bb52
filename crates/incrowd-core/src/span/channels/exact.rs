//! Cells of few items by linear programming.
//!
//! A world gives every individual a basket, and all that is known are sums over baskets: those that hold a published set, and those that look alike from
//! outside. Over the items of published sets that hang together (share items, directly or through others; all where they are few) these sums are equations in the
//! populations of baskets, which are not negative. The least and the greatest population of a cell under them, rounded inwards, hold in every
//! world. This sees everything that follows from several open supports together, which ranges kept support by support do not; what follows only
//! from people being whole is seen as far as rounding goes.
//!
//! Each solution is itself a witness: a cell that is empty or large enough in it need not be asked about. So most programs are never solved.
//! 2^m unknowns for m items; the number of programs is at the most twice that of cells, 3^m, and far lower as a rule.

use super::bounds::each_bit;
use super::{Cell, Knowledge, Known, Limits};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};

/// The most items of a group that are looked at together.
pub(super) const MOST_TOGETHER: usize = 8;

/// What a linear program says of the cells of a group of items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exact {
    /// Nothing: too many items hang together, or the solver failed.
    Unknown,
    /// No world agrees with the supports.
    Contradiction,
    /// The cells that hold somebody for certain, but fewer than is asked of them, by their items.
    Cells(Vec<Cell>),
}

impl Knowledge {
    /// What follows of the cells over all items that hang together with these, through published sets. `support` is asked for public sets; with `first` one
    /// cell is enough.
    pub fn exact(
        &self,
        items: &[u32],
        limits: &Limits,
        support: &dyn Fn(&[u32]) -> u64,
        first: bool,
    ) -> Exact {
        let Some(group) = self.group(items) else { return Exact::Unknown };
        let Some(program) = Program::new(self, &group, support) else { return Exact::Contradiction };
        let world = match program.solve(OptimizationDirection::Minimize, |_| false) {
            Solved::World(world) => world,
            Solved::Impossible => return Exact::Contradiction,
            Solved::Failed => return Exact::Unknown,
        };
        let own = |sides: Sides| {
            let cell = program.cell(sides, 1, 1);
            limits.of(self.is_own(&cell))
        };
        let asked = program.cells().map(|sides| (sides, own(sides))).filter(|(_, least)| *least > 1);
        let mut open: Vec<(Sides, u64)> = asked.collect();
        program.keep(&mut open, &world);
        let mut found = Vec::new();
        while let Some((sides, least)) = open.pop() {
            let is_in = |basket: usize| sides.has(basket);
            let low = match program.solve(OptimizationDirection::Minimize, is_in) {
                Solved::World(world) => {
                    program.keep(&mut open, &world);
                    program.people(sides, &world)
                }
                _ => return Exact::Unknown,
            };
            if low <= program.tolerance {
                continue;
            }
            let high = match program.solve(OptimizationDirection::Maximize, is_in) {
                Solved::World(world) => {
                    program.keep(&mut open, &world);
                    program.people(sides, &world)
                }
                _ => return Exact::Unknown,
            };
            let low = (low - program.tolerance).ceil().max(1.0) as u64;
            let high = (high + program.tolerance).floor() as u64;
            if high < least {
                found.push(program.cell(sides, low, high));
                if first {
                    break;
                }
            }
        }
        found.sort_unstable();
        Exact::Cells(found)
    }

    /// The groups of published sets that hang together, by one set of each: those with few enough items.
    pub fn groups(&self) -> Vec<&[u32]> {
        let mut seen = hashbrown::HashSet::new();
        let mut groups = Vec::new();
        for &set in &self.published {
            let items = &self.sets[set as usize].items;
            if items.first().is_none_or(|item| seen.contains(item)) {
                continue;
            }
            if let Some(group) = self.group(items) {
                seen.extend(group);
                groups.push(items.as_slice());
            }
        }
        groups
    }

    /// The published sets made of some items alone.
    fn published_within<'k>(&'k self, items: &'k [u32]) -> impl Iterator<Item = &'k Known> {
        let with = |item: &u32| self.published_with.get(item).map_or(&[][..], Vec::as_slice);
        // Each where its first item is.
        let sets = items.iter().flat_map(move |item| with(item).iter().map(move |set| (item, *set)));
        let sets = sets.map(|(item, set)| (item, &self.sets[set as usize]));
        sets.filter(|(item, set)| {
            set.items.first() == Some(item) && set.items.iter().all(|i| items.contains(i))
        })
        .map(|(_, set)| set)
    }

    /// All items that hang together with these, ascending: simply all, if they are few enough. `None` if there are too many.
    fn group(&self, items: &[u32]) -> Option<Vec<u32>> {
        if self.published_with.len() <= MOST_TOGETHER {
            let mut all: Vec<u32> = self.published_with.keys().copied().collect();
            all.sort_unstable();
            return Some(all);
        }
        let mut group = items.to_vec();
        let mut next = 0;
        while next < group.len() {
            if group.len() > MOST_TOGETHER {
                return None;
            }
            for &set in self.published_with.get(&group[next]).map_or(&[][..], Vec::as_slice) {
                let more = self.sets[set as usize].items.iter().filter(|item| !group.contains(item));
                let more: Vec<u32> = more.copied().collect();
                group.extend(more);
                if group.len() > MOST_TOGETHER {
                    return None;
                }
            }
            next += 1;
        }
        group.sort_unstable();
        Some(group)
    }
}

/// A cell by the masks of the items present, and of all its items.
#[derive(Debug, Clone, Copy)]
struct Sides {
    present: usize,
    all: usize,
}

impl Sides {
    fn has(self, basket: usize) -> bool {
        basket & self.all == self.present
    }
}

enum Solved {
    /// The people of each possible basket.
    World(Vec<f64>),
    Impossible,
    Failed,
}

/// What is known of the baskets over a group of items.
struct Program<'g> {
    items: &'g [u32],
    /// The items nobody sees.
    private: usize,
    /// The baskets somebody may have.
    baskets: Vec<usize>,
    /// Sums that are known: of the baskets that agree with a mask in all items of another one.
    sums: Vec<(Sides, f64)>,
    individuals: f64,
    tolerance: f64,
}

impl<'g> Program<'g> {
    /// `None` if fewer than nobody would look like something from outside.
    fn new(knowledge: &Knowledge, items: &'g [u32], support: &dyn Fn(&[u32]) -> u64) -> Option<Self> {
        let private: usize =
            (0..items.len()).filter(|&i| !knowledge.public[items[i] as usize]).map(|i| 1 << i).sum();
        let seen = ((1 << items.len()) - 1) & !private;
        let individuals = knowledge.individuals as f64;
        let mut program = Self {
            items,
            private,
            baskets: Vec::new(),
            sums: Vec::new(),
            individuals,
            tolerance: 1e-9 * individuals.max(1000.0),
        };
        let mut outside: Vec<i64> = (0..1_usize << items.len())
            .map(|mask| if mask & private == 0 { support(&program.pick(mask)) as i64 } else { 0 })
            .collect();
        each_bit(outside.len(), |without, with| {
            if with & private == 0 {
                outside[without] -= outside[with];
            }
        });
        if outside.iter().any(|&people| people < 0) {
            return None;
        }
        program.baskets = (0..outside.len()).filter(|basket| outside[basket & seen] > 0).collect();
        let looks = (0..outside.len()).filter(|&present| present & private == 0 && outside[present] > 0);
        program.sums = looks.map(|present| (Sides { present, all: seen }, outside[present] as f64)).collect();
        for set in knowledge.published_within(items) {
            let mask = (0..items.len()).filter(|&i| set.items.contains(&items[i])).map(|i| 1 << i).sum();
            if set.private {
                program.sums.push((Sides { present: mask, all: mask }, set.range.low as f64));
            }
        }
        Some(program)
    }

    fn pick(&self, mask: usize) -> Vec<u32> {
        (0..self.items.len()).filter(|i| mask >> i & 1 == 1).map(|i| self.items[i]).collect()
    }

    fn cell(&self, sides: Sides, low: u64, high: u64) -> Cell {
        Cell { low, high, present: self.pick(sides.present), absent: self.pick(sides.all & !sides.present) }
    }

    /// All cells that speak of something private, those of the most items first.
    fn cells(&self) -> impl Iterator<Item = Sides> {
        let mut all: Vec<usize> = (0..1 << self.items.len()).filter(|all| all & self.private != 0).collect();
        all.sort_by_key(|all| std::cmp::Reverse(all.count_ones()));
        all.into_iter().flat_map(|all| {
            (0..=all).filter(move |present| present & !all == 0).map(move |present| Sides { present, all })
        })
    }

    /// Keeps the cells that hold somebody in a world, but fewer than is asked of them.
    fn keep(&self, open: &mut Vec<(Sides, u64)>, world: &[f64]) {
        open.retain(|&(sides, least)| {
            let people = self.people(sides, world);
            people > self.tolerance && people < least as f64 - self.tolerance
        });
    }

    fn people(&self, sides: Sides, world: &[f64]) -> f64 {
        self.baskets
            .iter()
            .zip(world)
            .filter(|(basket, _)| sides.has(**basket))
            .map(|(_, people)| people)
            .sum()
    }

    /// A world with the fewest, or the most, people in some baskets.
    fn solve(&self, direction: OptimizationDirection, counted: impl Fn(usize) -> bool) -> Solved {
        let mut problem = Problem::new(direction);
        let unknown = |&basket: &usize| {
            problem.add_var(if counted(basket) { 1.0 } else { 0.0 }, (0.0, self.individuals))
        };
        let unknowns: Vec<_> = self.baskets.iter().map(unknown).collect();
        for &(sides, people) in &self.sums {
            let row = self.baskets.iter().zip(&unknowns).filter(|(basket, _)| sides.has(**basket));
            let row: Vec<_> = row.map(|(_, unknown)| (*unknown, 1.0)).collect();
            if row.is_empty() && people > 0.0 {
                return Solved::Impossible;
            }
            if !row.is_empty() {
                problem.add_constraint(&row, ComparisonOp::Eq, people);
            }
        }
        match problem.solve() {
            Ok(SolveOutcome::Solution(solution)) => {
                Solved::World(unknowns.iter().map(|&unknown| solution[unknown]).collect())
            }
            Err(microlp::Error::Infeasible) => Solved::Impossible,
            Ok(SolveOutcome::Interrupted(_)) | Err(_) => Solved::Failed,
        }
    }
}
