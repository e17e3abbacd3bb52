//! The input of a requirement: one span's individuals, as counts.

/// The individuals of one span.
#[derive(Debug, Clone, Copy)]
pub struct Crowd<'a> {
    /// The number of individuals who share the span.
    pub population: u64,
    /// The smallest number of individuals who have the same spans, over all their rows, as one of the span's
    /// individuals: equal to `population` if every individual has one row.
    pub alike: u64,
    /// Whether the span has a single bin, so that it reveals nothing private (VLDB Claim 2).
    pub single_bin: bool,
    /// The population of the smallest bin in the span that is not empty, or the number of the span's individuals in one
    /// bin if that is smaller and can be derived.
    pub smallest_bin: u64,
    /// The private values of the span's individuals, one histogram for each sensitive attribute that requirements apply
    /// to. Requirements look at one attribute at a time, so a caller may also check them one after the other.
    pub histograms: &'a [Histogram<'a>],
}

/// The number of occurrences of each private value among the individuals of a span.
#[derive(Debug, Clone, Copy)]
pub struct Histogram<'a> {
    /// The individuals who have each value.
    pub counts: ValueCounts<'a>,
    /// The sum of the counts. It exceeds the number of individuals if one of them has several values.
    pub total: u64,
    /// The individuals of the span.
    pub individuals: u64,
    /// The same attribute in the whole table.
    pub whole: &'a Whole,
}

/// Values and the number of individuals who have each, as the caller has counted them.
#[derive(Debug, Clone, Copy)]
pub enum ValueCounts<'a> {
    /// Values that occur and their counts, by ascending value.
    Occurring(&'a [(u32, u64)]),
    /// One count for each value, zero if it does not occur.
    ByValue(&'a [u64]),
}

impl<'a> ValueCounts<'a> {
    /// The values that occur and their counts, by ascending value.
    pub fn iter(self) -> impl Iterator<Item = (u32, u64)> + use<'a> {
        let (occurring, by_value) = match self {
            Self::Occurring(counts) => (counts, [].as_slice()),
            Self::ByValue(counts) => ([].as_slice(), counts),
        };
        let by_value = (0..).zip(by_value.iter().copied()).filter(|&(_, count)| count > 0);
        occurring.iter().copied().chain(by_value)
    }

    /// The number of values that occur.
    pub fn occurring(self) -> usize {
        match self {
            Self::Occurring(counts) => counts.len(),
            Self::ByValue(counts) => counts.iter().filter(|&&count| count > 0).count(),
        }
    }
}

impl<'a> Histogram<'a> {
    /// The values of so many individuals, and the same attribute in the whole table.
    pub fn new(counts: ValueCounts<'a>, individuals: u64, whole: &'a Whole) -> Self {
        Self { counts, total: counts.iter().map(|(_, count)| count).sum(), individuals, whole }
    }

    /// The highest count.
    pub fn highest(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).max().unwrap_or(0)
    }
}

/// The number of occurrences of each private value in the whole table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whole {
    counts: Vec<u64>,
    total: u64,
    /// The number of occurring values below each value: its rank, if it occurs.
    ranks: Vec<u32>,
    /// `up_to[i]` is the number of those with a value of a rank up to `i`.
    up_to: Vec<u64>,
    /// `sums[i]` is the sum of `up_to[..i]`, for areas under the cumulative curve.
    sums: Vec<u128>,
    ordered: bool,
}

impl Whole {
    /// From the count of every value, in the order of the values.
    pub fn new(counts: Vec<u64>) -> Self {
        let mut ranks = Vec::with_capacity(counts.len());
        let mut up_to = Vec::with_capacity(counts.len());
        let mut sums = vec![0_u128];
        let mut total = 0;
        for &count in &counts {
            ranks.push(up_to.len() as u32);
            if count > 0 {
                total += count;
                up_to.push(total);
                sums.push(sums[sums.len() - 1] + u128::from(total));
            }
        }
        Self { counts, total, ranks, up_to, sums, ordered: true }
    }

    /// Declares that the order of the values has no meaning.
    #[must_use]
    pub fn without_order(self) -> Self {
        Self { ordered: false, ..self }
    }

    /// Whether the order of the values has a meaning.
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// The count of a value.
    pub fn count(&self, value: u32) -> u64 {
        self.counts[value as usize]
    }

    /// The number of values, occurring or not.
    pub fn values(&self) -> usize {
        self.counts.len()
    }

    /// The number of values that occur. Ranks are counted among these values: a declared value that no individual has
    /// does not affect the distance of others.
    pub(super) fn occurring(&self) -> usize {
        self.up_to.len()
    }

    /// The rank of a value among those that occur.
    pub(super) fn rank(&self, value: u32) -> usize {
        self.ranks[value as usize] as usize
    }

    /// The sum of all counts.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// `Σ |level − factor·up_to(i)|` for ranks `i` in `from..to`: the area between a step of a span's cumulative curve
    /// and the table's. As `up_to` only grows, the sign changes once, so two prefix sums give it.
    pub(super) fn area(&self, from: usize, to: usize, level: u128, factor: u128) -> u128 {
        let turn = from + self.up_to[from..to].partition_point(|&n| factor * u128::from(n) <= level);
        let sum = |a: usize, b: usize| factor * (self.sums[b] - self.sums[a]);
        let width = |a: usize, b: usize| level * (b - a) as u128;
        (width(from, turn) - sum(from, turn)) + (sum(turn, to) - width(turn, to))
    }
}
