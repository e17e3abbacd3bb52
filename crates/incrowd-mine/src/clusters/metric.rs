//! Squared distances, without one stored coordinate per name.
//!
//! A name is the point with `one` (1 / scale) in its own coordinate and 0 in the others. Two different names are
//! `2 one²` apart, and a name is `one² + |c|² − 2 one c_name` from a centre with the coordinates c. So a distance takes
//! one step per axis, however many names there are.

/// The places of the values of points among the coordinates of centres.
#[derive(Clone)]
pub(super) struct Metric {
    /// The number of coordinates.
    pub(super) width: usize,
    /// The coordinate of each number.
    pub(super) numbers: Vec<usize>,
    pub(super) names: Vec<Names>,
}

/// An axis of names.
#[derive(Clone)]
pub(super) struct Names {
    /// The coordinate of its first name.
    start: usize,
    count: usize,
    /// The coordinate of a name in its own place.
    one: f64,
    /// How far two different names are apart, squared.
    apart: f64,
}

impl Names {
    /// An axis with its first coordinate, the number of its names and its scale.
    pub(super) fn new(start: usize, count: usize, scale: f64) -> Self {
        let one = 1.0 / scale;
        Self { start, count, one, apart: 2.0 * one * one }
    }

    /// The coordinate of a name in a centre.
    pub(super) fn coordinate(&self, center: &[f64], name: f64) -> f64 {
        center[self.start + name as usize]
    }

    /// What a coordinate of a centre adds to a squared distance from its name, but for the sign.
    pub(super) fn times(&self, coordinate: f64) -> f64 {
        2.0 * self.one * coordinate
    }
}

impl Metric {
    /// The number of values that a point has.
    pub(super) fn axes(&self) -> usize {
        self.numbers.len() + self.names.len()
    }

    /// The squared distance of two points, added up in the order of their values. If it is more than `most`, it may be
    /// any number above `most`.
    pub(super) fn square_up_to(&self, a: &[f64], b: &[f64], most: f64) -> f64 {
        let ((numbers, names), (others, other_names)) =
            (a.split_at(self.numbers.len()), b.split_at(self.numbers.len()));
        let mut sum = square(numbers, others);
        for ((a, b), names) in names.iter().zip(other_names).zip(&self.names) {
            if sum > most {
                return sum;
            }
            sum += if a.to_bits() == b.to_bits() { 0.0 } else { names.apart };
        }
        sum
    }

    /// A squared distance that no point falls below whose values lie between those given, not even by rounding: every
    /// step of it is rounded as for such a point, and rounding keeps order.
    pub(super) fn least(&self, from: &[f64], low: &[f64], high: &[f64]) -> f64 {
        let numbers = self.numbers.len();
        let gap = |i: usize| (low[i] - from[i]).max(from[i] - high[i]).max(0.0);
        let near: f64 = (0..numbers).map(|i| gap(i) * gap(i)).sum();
        (numbers..)
            .zip(&self.names)
            .fold(near, |sum, (i, names)| sum + if gap(i) > 0.0 { names.apart } else { 0.0 })
    }

    /// How far apart two values on an axis are, at most.
    pub(super) fn extent(&self, axis: usize, low: f64, high: f64) -> f64 {
        match axis.checked_sub(self.numbers.len()) {
            Some(name) if low < high => self.names[name].apart.sqrt(),
            Some(_) => 0.0,
            None => high - low,
        }
    }

    /// The part of a squared distance to a centre that is the same for all points: that of its names' coordinates from
    /// where a name has none.
    pub(super) fn rest(&self, center: &[f64]) -> f64 {
        let mut of_names = center.to_vec();
        self.numbers.iter().for_each(|&number| of_names[number] = 0.0);
        let ones = self.names.iter().map(|names| names.one);
        of_names.into_iter().chain(ones).map(|c| c * c).sum()
    }

    /// The squared distance from a point to a centre with this rest.
    pub(super) fn to_center(&self, point: &[f64], center: &[f64], rest: f64) -> f64 {
        let (numbers, names) = point.split_at(self.numbers.len());
        let near = numbers.iter().zip(&self.numbers).fold(rest, |sum, (x, &at)| {
            let gap = x - center[at];
            sum + gap * gap
        });
        names
            .iter()
            .zip(&self.names)
            .fold(near, |sum, (&name, names)| sum - 2.0 * names.one * center[names.start + name as usize])
    }

    /// The squared distance from the middle of a box to a centre with this rest, where a name that is not the same
    /// everywhere counts as none.
    pub(super) fn to_middle(&self, (low, high): (&[f64], &[f64]), center: &[f64], rest: f64) -> f64 {
        let middle = |i: usize| f64::midpoint(low[i], high[i]);
        let gap = |(i, &at): (usize, &usize)| (middle(i) - center[at]) * (middle(i) - center[at]);
        let near = self.numbers.iter().enumerate().map(gap).sum::<f64>() + rest;
        let names = (self.numbers.len()..).zip(&self.names).filter(|&(i, _)| low[i] >= high[i]);
        names.fold(near, |sum, (i, names)| sum - names.times(names.coordinate(center, low[i])))
    }

    /// The lowest and the highest coordinate of a centre on each axis of names.
    pub(super) fn ranges(&self, center: &[f64]) -> Vec<(f64, f64)> {
        let range = |names: &Names| {
            let own = center[names.start..names.start + names.count].iter();
            own.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &c| (low.min(c), high.max(c)))
        };
        self.names.iter().map(range).collect()
    }

    /// Adds the coordinates of a point, multiplied, to sums of such.
    pub(super) fn add(&self, sums: &mut [f64], point: &[f64], times: f64) {
        let (numbers, names) = point.split_at(self.numbers.len());
        numbers.iter().zip(&self.numbers).for_each(|(x, &at)| sums[at] += x * times);
        let places = names.iter().zip(&self.names);
        places.for_each(|(&name, names)| sums[names.start + name as usize] += names.one * times);
    }
}

/// The squared distance, added up in the order of the coordinates.
pub(super) fn square(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}
