//! Worlds in whole numbers: which individuals can have which basket of few items, given all known sums.

use super::bounds::each_bit;
use super::{Cell, Knowledge};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};

/// Linear programs that are solved at most to find one world. Fixed, so that results do not depend on the machine.
const MOST_PROGRAMS: usize = 200;

/// Numbers this near to a whole one are taken for it; every world is checked in whole numbers afterwards.
const NEAR: f64 = 1e-6;

/// A cell by the masks of the items present, and of all its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sides {
    present: usize,
    all: usize,
}

impl Sides {
    fn has(self, basket: usize) -> bool {
        basket & self.all == self.present
    }
}

/// What is required of a world.
pub(super) enum Goal {
    Any,
    AtMost(Sides, u64),
    AtLeast(Sides, u64),
}

/// The individuals of each possible basket.
pub(super) type World = Vec<i64>;

pub(super) enum SearchResult {
    World(World),
    /// No such world exists.
    None,
    /// The search was ended.
    Unknown,
}

enum Solved {
    Numbers(Vec<f64>),
    Impossible,
    Failed,
}

/// What is known of the baskets over a group of items.
pub(super) struct Program<'g> {
    items: &'g [u32],
    /// The items an attacker does not see.
    private: usize,
    /// The baskets an individual may have.
    baskets: Vec<usize>,
    /// Sums that are known: of the baskets that agree with a mask in all items of another one.
    sums: Vec<(Sides, i64)>,
    individuals: i64,
}

impl<'g> Program<'g> {
    /// `None` if a negative number of individuals would look like something from outside.
    pub(super) fn new(
        knowledge: &Knowledge,
        items: &'g [u32],
        support: &dyn Fn(&[u32]) -> u64,
    ) -> Option<Self> {
        let hidden = (0..items.len()).filter(|&i| !knowledge.facts[items[i] as usize].public);
        let private: usize = hidden.map(|i| 1 << i).sum();
        let seen = ((1 << items.len()) - 1) & !private;
        let individuals = knowledge.individuals;
        let mut program = Self { items, private, baskets: Vec::new(), sums: Vec::new(), individuals };
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
        let attributes = knowledge.attributes_of(items);
        let exists = |basket: usize| {
            attributes.iter().all(|(attribute, places)| {
                let own = places.iter().filter(|&&place| basket >> place & 1 == 1).count();
                let needed = knowledge.is_complete(*attribute, &|item| items.contains(&item));
                own == 1 || (own == 0 && !needed)
            })
        };
        let possible = |basket: &usize| {
            outside[basket & seen] > 0 && exists(*basket) && knowledge.is_allowed(items, *basket)
        };
        program.baskets = (0..outside.len()).filter(possible).collect();
        let looks = (0..outside.len()).filter(|&present| present & private == 0 && outside[present] > 0);
        program.sums = looks.map(|present| (Sides { present, all: seen }, outside[present])).collect();
        for set in knowledge.published_within(items).filter(|set| set.private) {
            let mask = (0..items.len()).filter(|&i| set.items.contains(&items[i])).map(|i| 1 << i).sum();
            program.sums.push((Sides { present: mask, all: mask }, set.range.low));
        }
        Some(program)
    }

    fn pick(&self, mask: usize) -> Vec<u32> {
        (0..self.items.len()).filter(|i| mask >> i & 1 == 1).map(|i| self.items[i]).collect()
    }

    pub(super) fn cell(&self, sides: Sides, low: u64, high: u64) -> Cell {
        Cell { low, high, present: self.pick(sides.present), absent: self.pick(sides.all & !sides.present) }
    }

    /// All cells that involve something private, each in its simplest form, those of the most items first.
    pub(super) fn cells(&self, knowledge: &Knowledge) -> Vec<Sides> {
        let mut cells = vec![Sides { present: 0, all: 0 }];
        for (attribute, places) in knowledge.attributes_of(self.items) {
            let complete = knowledge.is_complete(attribute, &|item| self.items.contains(&item));
            let mask = |chosen: usize| -> usize {
                (0..places.len()).filter(|i| chosen >> i & 1 == 1).map(|i| 1 << places[i]).sum()
            };
            let having = places.iter().map(|&place| Sides { present: 1 << place, all: 1 << place });
            // Without all values but one is with that one.
            let most = places.len() - if complete { 2.min(places.len()) } else { 0 };
            let lacking = (1_usize..1 << places.len()).filter(|chosen| chosen.count_ones() as usize <= most);
            let lacking = lacking.map(|chosen| Sides { present: 0, all: mask(chosen) });
            let options: Vec<Sides> = having.chain(lacking).collect();
            let with = |cell: Sides, option: Sides| Sides {
                present: cell.present | option.present,
                all: cell.all | option.all,
            };
            let longer: Vec<Sides> = cells
                .iter()
                .flat_map(|&cell| options.iter().map(move |&option| with(cell, option)))
                .collect();
            cells.extend(longer);
        }
        cells.retain(|cell| cell.all & self.private != 0);
        cells.sort_by_key(|cell| (std::cmp::Reverse(cell.all.count_ones()), cell.all, cell.present));
        cells
    }

    /// The world of the table, if one basket for every individual gives its supports.
    pub(super) fn truth(&self, support: &dyn Fn(&[u32]) -> u64) -> Option<World> {
        let mut people = vec![0_i64; 1 << self.items.len()];
        let subsets = self.subsets();
        subsets.iter().for_each(|&mask| people[mask] = support(&self.pick(mask)) as i64);
        each_bit(people.len(), |without, with| people[without] -= people[with]);
        let world: World = self.baskets.iter().map(|&basket| people[basket]).collect();
        self.is_world(&world).then_some(world)
    }

    /// All sets of items that someone may have, among others perhaps: subsets of baskets.
    fn subsets(&self) -> Vec<usize> {
        let mut within = vec![false; 1 << self.items.len()];
        self.baskets.iter().for_each(|&basket| within[basket] = true);
        each_bit(within.len(), |without, with| within[without] |= within[with]);
        (0..within.len()).filter(|&mask| within[mask]).collect()
    }

    fn is_world(&self, world: &[i64]) -> bool {
        let sum = |sides: Sides| self.people(sides, world);
        world.iter().all(|&people| people >= 0) && self.sums.iter().all(|&(sides, known)| sum(sides) == known)
    }

    fn people(&self, sides: Sides, world: &[i64]) -> i64 {
        let baskets = self.baskets.iter().zip(world).filter(|(basket, _)| sides.has(**basket));
        baskets.map(|(_, people)| people).sum()
    }

    /// The number of all individuals.
    pub(super) fn individuals(&self) -> u64 {
        self.individuals.max(0) as u64
    }

    /// The cells of one item: who has it, and who does not.
    pub(super) fn single_items(&self) -> impl Iterator<Item = Sides> {
        let items = (0..self.items.len()).map(|place| 1_usize << place);
        items.flat_map(|item| [Sides { present: item, all: item }, Sides { present: 0, all: item }])
    }

    /// Whether a cell has at most some individuals in a world.
    pub(super) fn has_at_most(&self, sides: Sides, most: u64, world: &[i64]) -> bool {
        self.people(sides, world) as u64 <= most
    }

    /// The sums that are known.
    pub(super) fn known_sums(&self) -> impl Iterator<Item = Sides> {
        self.sums.iter().map(|(sides, _)| *sides)
    }

    /// For each basket whether it is in a cell, as a number.
    pub(super) fn indicator(&self, sides: Sides) -> Vec<u64> {
        self.baskets.iter().map(|&basket| u64::from(sides.has(basket))).collect()
    }

    /// One of the baskets as a cell.
    pub(super) fn one(&self, basket: usize) -> Sides {
        Sides { present: self.baskets[basket], all: (1 << self.items.len()) - 1 }
    }

    /// A cell that has the same individuals in every world.
    pub(super) fn determined(&self, sides: Sides, world: &[i64]) -> Cell {
        let people = self.people(sides, world).max(0) as u64;
        self.cell(sides, people, people)
    }

    /// Keeps the cells that are not empty in a world, but have fewer individuals than required (or than `most`).
    pub(super) fn keep(&self, open: &mut Vec<(Sides, u64)>, world: &[i64], most: u64) {
        open.retain(|&(sides, least)| {
            let people = self.people(sides, world);
            people > 0 && (people as u64) < least.max(most)
        });
    }

    /// How many individuals a cell can have that all worlds give between one and `least` − 1, starting from one of
    /// them.
    pub(super) fn range(&self, sides: Sides, least: u64, world: &[i64]) -> Cell {
        let now = self.people(sides, world).max(1) as u64;
        let is_found = |goal: &Goal| matches!(self.find(goal), SearchResult::World(_));
        let high = (now + 1..least).rev().find(|&most| is_found(&Goal::AtLeast(sides, most)));
        let low = (1..now).find(|&few| is_found(&Goal::AtMost(sides, few)));
        self.cell(sides, low.unwrap_or(now), high.unwrap_or(now))
    }

    /// Looks for a world in whole numbers, by branch and bound.
    pub(super) fn find(&self, goal: &Goal) -> SearchResult {
        let mut open = vec![vec![(0, self.individuals); self.baskets.len()]];
        let mut doubt = false;
        for _ in 0..MOST_PROGRAMS {
            let Some(bounds) = open.pop() else {
                return if doubt { SearchResult::Unknown } else { SearchResult::None };
            };
            let numbers = match self.solve(goal, &bounds) {
                Solved::Numbers(numbers) => numbers,
                Solved::Impossible => continue,
                Solved::Failed => {
                    doubt = true;
                    continue;
                }
            };
            let part = |number: f64| (number - number.round()).abs();
            let broken = (0..numbers.len()).max_by(|&a, &b| part(numbers[a]).total_cmp(&part(numbers[b])));
            if let Some(unknown) = broken.filter(|&unknown| part(numbers[unknown]) > NEAR) {
                branch(&bounds, unknown, numbers[unknown], &mut open);
                continue;
            }
            let world: World = numbers.iter().map(|number| number.round() as i64).collect();
            if self.is_world(&world) && self.meets(goal, &world) {
                return SearchResult::World(world);
            }
            doubt = true;
        }
        SearchResult::Unknown
    }

    fn meets(&self, goal: &Goal, world: &[i64]) -> bool {
        match *goal {
            Goal::Any => true,
            Goal::AtMost(sides, most) => self.people(sides, world) as u64 <= most,
            Goal::AtLeast(sides, least) => self.people(sides, world) as u64 >= least,
        }
    }

    /// Real numbers of individuals that agree with all that is known and with a goal.
    fn solve(&self, goal: &Goal, bounds: &[(i64, i64)]) -> Solved {
        let (direction, asked) = match *goal {
            Goal::Any => (OptimizationDirection::Minimize, None),
            Goal::AtMost(sides, most) => {
                (OptimizationDirection::Minimize, Some((sides, ComparisonOp::Le, most)))
            }
            Goal::AtLeast(sides, least) => {
                (OptimizationDirection::Maximize, Some((sides, ComparisonOp::Ge, least)))
            }
        };
        let mut problem = Problem::new(direction);
        let counted = |basket: usize| asked.as_ref().is_some_and(|(sides, _, _)| sides.has(basket));
        let unknown = |(&basket, &(low, high)): (&usize, &(i64, i64))| {
            problem.add_var(if counted(basket) { 1.0 } else { 0.0 }, (low as f64, high as f64))
        };
        let unknowns: Vec<_> = self.baskets.iter().zip(bounds).map(unknown).collect();
        let sums = self.sums.iter().map(|&(sides, people)| (sides, ComparisonOp::Eq, people as f64));
        let asked = asked.map(|(sides, how, people)| (sides, how, people as f64));
        for (sides, how, people) in sums.chain(asked) {
            let row = self.baskets.iter().zip(&unknowns).filter(|(basket, _)| sides.has(**basket));
            let row: Vec<_> = row.map(|(_, unknown)| (*unknown, 1.0)).collect();
            let is_met = match how {
                ComparisonOp::Eq => people == 0.0,
                ComparisonOp::Le => true,
                ComparisonOp::Ge => people <= 0.0,
            };
            match (row.is_empty(), is_met) {
                (true, false) => return Solved::Impossible,
                (true, true) => {}
                (false, _) => problem.add_constraint(&row, how, people),
            }
        }
        match problem.solve() {
            Ok(SolveOutcome::Solution(solution)) => {
                Solved::Numbers(unknowns.iter().map(|&unknown| solution[unknown]).collect())
            }
            Err(microlp::Error::Infeasible) => Solved::Impossible,
            Ok(SolveOutcome::Interrupted(_)) | Err(_) => Solved::Failed,
        }
    }
}

/// The two ways to make an unknown whole, the nearer one to be tried first.
fn branch(bounds: &[(i64, i64)], unknown: usize, number: f64, open: &mut Vec<Vec<(i64, i64)>>) {
    let (low, high) = bounds[unknown];
    let mut below = bounds.to_vec();
    below[unknown] = (low, number.floor() as i64);
    let mut above = bounds.to_vec();
    above[unknown] = (number.ceil() as i64, high);
    let pair = if number - number.floor() < 0.5 { [above, below] } else { [below, above] };
    open.extend(pair.into_iter().filter(|bounds| bounds[unknown].0 <= bounds[unknown].1));
}
