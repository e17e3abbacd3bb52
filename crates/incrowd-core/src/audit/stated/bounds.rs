//! The best possible measures of the individuals of a table, given its rows.
//!
//! A group has *n* individuals, as stated, and `r_v` rows with the value v. Of the individuals, `n_v` have v in one of
//! their rows: at least 1 where v occurs, at most min(`r_v`, *n*), and all `n_v` together are at least *n*, since every
//! individual has a value. Every such choice of `n_v` is possible for one group, so the best measures among them are
//! bounds that no true statement exceeds. The most even choice has the best measures of one group: every value has as
//! many individuals as it can, up to a level. Shares in the whole table are bounded in the same way.
//!
//! If every individual has one row, the bounds are the measures themselves.

use super::super::census::Order;
use super::super::measures::{AttributeMeasures, Recursive};
use super::super::view::{Tally, View};
use crate::guarantee::Histogram;
use crate::span::{Linking, Sensitive};
use crate::table::Table;

/// The measures of one private attribute that the rows allow.
pub(super) struct Allowed<'a> {
    sensitive: &'a Sensitive,
    /// One for each group.
    rooms: Vec<Room>,
    whole: Whole,
    /// The rows of the table, where cells that differ can be the same value.
    blurred: Option<u64>,
}

/// The choices that the rows of one group allow.
struct Room {
    people: u64,
    /// The values that occur, ascending, with the most individuals who can have each.
    most: Vec<(u32, u64)>,
    sum: u64,
    /// The level of the most even choice.
    level: f64,
}

/// The smallest and the largest possible value.
type Range<T> = (T, T);

impl<'a> Allowed<'a> {
    /// For each private attribute of a table in which each row is counted, and whose groups have these individuals.
    pub(super) fn by(table: &'a Table, linking: &'a Linking<'_>, groups: &[u64], people: u64) -> Vec<Self> {
        let order = Order::new(table, linking, true);
        let of_one = |sensitive: &'a Sensitive| {
            let view = View::new(table, linking, sensitive);
            let mut tally = Tally::default();
            let mut room = |(span, &people): (usize, &u64)| {
                Some(Room::new(&tally.count(table, &view, span, order.of(span), people)?))
            };
            let rooms: Vec<Room> = groups.iter().enumerate().filter_map(&mut room).collect();
            let values = sensitive.tellings.first().map_or(0, |telling| telling.locals);
            let blurred = view.blurred().map(|_| table.rows() as u64);
            Self { sensitive, whole: Whole::new(&rooms, values, people), rooms, blurred }
        };
        linking.sensitive.iter().map(of_one).collect()
    }

    /// The best possible value of each measure; the number of different values is exact.
    pub(super) fn best(&self) -> AttributeMeasures {
        let distinct_l = self.rooms.iter().map(|room| room.most.len() as u32).min().unwrap_or(0);
        AttributeMeasures {
            name: self.sensitive.name.clone(),
            distinct_l,
            entropy_l: if self.rooms.is_empty() { 0.0 } else { self.least(f64::INFINITY, Room::entropy) },
            recursive: Recursive { c: self.recursive(distinct_l), l: distinct_l },
            max_confidence: self.most(Room::confidence),
            alpha: self.most(|room| room.recursive(1)),
            t_equal: self.most(|room| self.apart(room, Whole::equal)),
            t_ordered: self.sensitive.ordered.then(|| self.most(|room| self.apart(room, Whole::ordered))),
            beta: self.most(|room| self.growth(room)),
        }
    }

    /// The least c of recursive (c,l)-diversity.
    pub(super) fn recursive(&self, l: u32) -> f64 {
        self.most(|room| room.recursive(l))
    }

    fn apart(&self, room: &Room, distance: fn(&Whole, &Room) -> f64) -> f64 {
        match self.blurred {
            Some(rows) => rows.saturating_sub(room.people) as f64 / rows as f64,
            None => distance(&self.whole, room),
        }
    }

    fn growth(&self, room: &Room) -> f64 {
        match self.blurred {
            Some(rows) => rows.saturating_sub(room.people) as f64 / room.people as f64,
            None => self.whole.growth(room),
        }
    }

    fn most(&self, of: impl Fn(&Room) -> f64) -> f64 {
        self.rooms.iter().map(of).fold(0.0, f64::max)
    }

    fn least(&self, from: f64, of: impl Fn(&Room) -> f64) -> f64 {
        self.rooms.iter().map(of).fold(from, f64::min)
    }
}

/// The lowest level of at least 1 up to which `most` must be filled for this sum.
pub(super) fn level(most: impl Iterator<Item = u64>, sum: u64) -> f64 {
    let mut most: Vec<u64> = most.collect();
    most.sort_unstable();
    let mut below = 0;
    for (place, &highest) in most.iter().enumerate() {
        let others = (most.len() - place) as u64;
        if u128::from(below) + u128::from(highest) * u128::from(others) >= u128::from(sum) {
            return (sum.saturating_sub(below) as f64 / others as f64).max(1.0);
        }
        below += highest;
    }
    most.last().map_or(0.0, |&highest| highest as f64)
}

impl Room {
    fn new(values: &Histogram<'_>) -> Self {
        let people = values.individuals;
        let most: Vec<(u32, u64)> =
            values.counts.iter().map(|(value, rows)| (value, rows.min(people))).collect();
        let sum = most.iter().map(|&(_, most)| most).sum();
        let level = level(most.iter().map(|&(_, most)| most), people);
        Self { people, most, sum, level }
    }

    /// The most even choice.
    fn even(&self) -> impl Iterator<Item = f64> {
        self.most.iter().map(|&(_, most)| self.level.min(most as f64))
    }

    fn entropy(&self) -> f64 {
        let total: f64 = self.even().sum();
        let sum: f64 = self.even().map(|count| count * count.ln()).sum();
        (total.ln() - sum / total).exp()
    }

    fn confidence(&self) -> f64 {
        self.level.ceil() / self.people as f64
    }

    fn recursive(&self, l: u32) -> f64 {
        let mut counts: Vec<f64> = self.even().collect();
        counts.sort_unstable_by(|a, b| b.total_cmp(a));
        let rare: f64 = counts.iter().skip(l.saturating_sub(1) as usize).sum();
        match counts.first() {
            None => 0.0,
            Some(_) if rare == 0.0 => f64::INFINITY,
            Some(most) => most / rare,
        }
    }

    /// How many individuals can have one of some values, at least `least` and at most `most`, and how many one of the
    /// others.
    fn sides(&self, (least, most): Range<u64>, others: u64) -> (Range<u64>, Range<u64>) {
        let rest = self.sum - most;
        (
            (least.max(self.people.saturating_sub(rest)), most),
            (others.max(self.people.saturating_sub(most)), rest),
        )
    }

    /// The share of each value that occurs.
    fn shares(&self) -> impl Iterator<Item = (u32, Range<f64>)> {
        let others = self.most.len() as u64 - 1;
        self.most.iter().map(move |&(value, most)| (value, share(self.sides((1, most), others))))
    }

    /// The share of all values up to each that occurs.
    fn cumulative(&self) -> impl Iterator<Item = (u32, Range<f64>)> {
        let mut up_to = 0;
        (1..).zip(&self.most).map(move |(count, &(value, most))| {
            up_to += most;
            (value, share(self.sides((count, up_to), self.most.len() as u64 - count)))
        })
    }
}

/// The share of a part, given how many it and the rest can have.
fn share((part, rest): (Range<u64>, Range<u64>)) -> Range<f64> {
    let of = |part: u64, rest: u64| if part == 0 { 0.0 } else { part as f64 / (part + rest) as f64 };
    (of(part.0, rest.1), of(part.1, rest.0))
}

/// The shares in the whole table that the rows allow.
struct Whole {
    /// The share of each value.
    shares: Vec<Range<f64>>,
    /// The sum of the least of them.
    least: f64,
    /// The rank of each value among those that occur.
    ranks: Vec<u32>,
    /// By rank, the share of the values up to it, with running sums of both bounds.
    cumulative: Vec<Range<f64>>,
    sums: Vec<Range<f64>>,
}

impl Whole {
    fn new(rooms: &[Room], values: usize, people: u64) -> Self {
        let (mut least, mut most) = (vec![0_u64; values], vec![0_u64; values]);
        for room in rooms {
            for &(value, own) in &room.most {
                let (least, most) = (&mut least[value as usize], &mut most[value as usize]);
                *least = (*least).max(room.sides((1, own), 0).0.0);
                *most = (*most + own).min(people);
            }
        }
        let (all_least, all_most): (u64, u64) = (least.iter().sum(), most.iter().sum());
        let range = |least: u64, most: u64| {
            let (others, rest) = (all_least - least, all_most - most);
            let part = (least.max(people.saturating_sub(rest)), most);
            share((part, (others.max(people.saturating_sub(most)), rest)))
        };
        let shares: Vec<Range<f64>> = least.iter().zip(&most).map(|(&l, &m)| range(l, m)).collect();
        let (mut ranks, mut cumulative, mut sums) = (Vec::new(), Vec::new(), vec![(0.0, 0.0)]);
        let (mut least_up_to, mut most_up_to, mut sum) = (0, 0, (0.0, 0.0));
        for (own_least, own_most) in least.into_iter().zip(most) {
            ranks.push(cumulative.len() as u32);
            if own_most > 0 {
                (least_up_to, most_up_to) = (least_up_to + own_least, most_up_to + own_most);
                let share = range(least_up_to, most_up_to);
                sum = (sum.0 + share.0, sum.1 + share.1);
                cumulative.push(share);
                sums.push(sum);
            }
        }
        Self { least: shares.iter().map(|share| share.0).sum(), shares, ranks, cumulative, sums }
    }

    /// The least distance with all values 1 apart: what grew, or what shrank.
    fn equal(&self, room: &Room) -> f64 {
        let (mut grew, mut shrank) = (0.0, self.least);
        for (value, here) in room.shares() {
            let whole = self.shares[value as usize];
            grew += (here.0 - whole.1).max(0.0);
            shrank += (whole.0 - here.1).max(0.0) - whole.0;
        }
        f64::max(grew, shrank)
    }

    /// The least distance by rank.
    fn ordered(&self, room: &Room) -> f64 {
        let (mut area, mut from, mut here) = (0.0, 0, (0.0, 0.0));
        for (value, share) in room.cumulative() {
            let rank = self.ranks[value as usize] as usize;
            area += self.area(from, rank, here);
            (from, here) = (rank, share);
        }
        area += self.area(from, self.cumulative.len(), here);
        area / self.cumulative.len().saturating_sub(1).max(1) as f64
    }

    /// How far the shares up to the ranks `from..to` are from `here`, at least.
    fn area(&self, from: usize, to: usize, (least, most): Range<f64>) -> f64 {
        let ranks = &self.cumulative[from..to];
        let above = from + ranks.partition_point(|whole| whole.0 <= most);
        let below = from + ranks.partition_point(|whole| whole.1 < least);
        let above_by = self.sums[to].0 - self.sums[above].0 - most * (to - above) as f64;
        let below_by = least * (below - from) as f64 - (self.sums[below].1 - self.sums[from].1);
        above_by.max(0.0) + below_by.max(0.0)
    }

    /// The least growth of a value's share, for the value for which it is largest.
    fn growth(&self, room: &Room) -> f64 {
        let growth = |(value, here): (u32, Range<f64>)| here.0 / self.shares[value as usize].1 - 1.0;
        room.shares().map(growth).fold(0.0, f64::max)
    }
}
