//! The measures of a release, for one private attribute over all spans.

use crate::guarantee::{Distance, Histogram, alpha, beta, closeness, confidence, distinct, entropy};
use serde::{Deserialize, Deserializer, Serialize};

/// The recursive (c,l)-diversity that is reached: it holds for every c above this one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recursive {
    /// The bound on c; infinite (null in JSON) if no c suffices.
    #[serde(deserialize_with = "or_infinite")]
    pub c: f64,
    /// The l.
    pub l: u32,
}

fn or_infinite<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::INFINITY))
}

/// How well the values of one private attribute are hidden: the worst over all spans that distinguish them. If none
/// does, there is nothing to measure: all figures are 0, and null in JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "WrittenMeasures", from = "WrittenMeasures")]
pub struct AttributeMeasures {
    /// The attribute.
    pub name: String,
    /// The fewest different values in a span.
    pub distinct_l: u32,
    /// The smallest effective number of values, exp(entropy).
    pub entropy_l: f64,
    /// Recursive (c,l)-diversity at l = [`AttributeMeasures::distinct_l`].
    pub recursive: Recursive,
    /// The highest share of a span's individuals with one value.
    pub max_confidence: f64,
    /// The highest share of one value among a span's values: the alpha of (alpha,k)-anonymity.
    pub alpha: f64,
    /// The largest distance to the whole table, with all values 1 apart.
    pub t_equal: f64,
    /// The largest distance to the whole table by rank, for numeric and ordered attributes.
    pub t_ordered: Option<f64>,
    /// The largest relative growth of a value's share.
    pub beta: f64,
}

/// Measures in JSON: null where nothing was measured.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMeasures {
    name: String,
    distinct_l: Option<u32>,
    entropy_l: Option<f64>,
    recursive: Option<Recursive>,
    max_confidence: Option<f64>,
    alpha: Option<f64>,
    t_equal: Option<f64>,
    t_ordered: Option<f64>,
    beta: Option<f64>,
}

impl From<AttributeMeasures> for WrittenMeasures {
    fn from(measures: AttributeMeasures) -> Self {
        let is_measured = measures.is_measured();
        let measured = |figure: f64| is_measured.then_some(figure);
        Self {
            distinct_l: is_measured.then_some(measures.distinct_l),
            entropy_l: measured(measures.entropy_l),
            recursive: is_measured.then_some(measures.recursive),
            max_confidence: measured(measures.max_confidence),
            alpha: measured(measures.alpha),
            t_equal: measured(measures.t_equal),
            t_ordered: measures.t_ordered.filter(|_| is_measured),
            beta: measured(measures.beta),
            name: measures.name,
        }
    }
}

impl From<WrittenMeasures> for AttributeMeasures {
    fn from(written: WrittenMeasures) -> Self {
        Self {
            name: written.name,
            distinct_l: written.distinct_l.unwrap_or(0),
            entropy_l: written.entropy_l.unwrap_or(0.0),
            recursive: written.recursive.unwrap_or(Recursive { c: 0.0, l: 0 }),
            max_confidence: written.max_confidence.unwrap_or(0.0),
            alpha: written.alpha.unwrap_or(0.0),
            t_equal: written.t_equal.unwrap_or(0.0),
            t_ordered: written.t_ordered,
            beta: written.beta.unwrap_or(0.0),
        }
    }
}

impl AttributeMeasures {
    /// Takes the worse of each measure of two audits. Recursive diversity is that of the lower l, and at the same l
    /// that of the higher c.
    pub(super) fn join(&mut self, other: &Self) {
        if !other.is_measured() {
            return;
        }
        if !self.is_measured() {
            self.clone_from(other);
            return;
        }
        let key = |recursive: &Recursive| (std::cmp::Reverse(recursive.l), recursive.c);
        if key(&other.recursive) > key(&self.recursive) {
            self.recursive = other.recursive;
        }
        self.distinct_l = self.distinct_l.min(other.distinct_l);
        self.entropy_l = self.entropy_l.min(other.entropy_l);
        self.max_confidence = self.max_confidence.max(other.max_confidence);
        self.alpha = self.alpha.max(other.alpha);
        self.t_equal = self.t_equal.max(other.t_equal);
        self.t_ordered = self.t_ordered.into_iter().chain(other.t_ordered).reduce(f64::max);
        self.beta = self.beta.max(other.beta);
    }

    /// Whether some span distinguishes values of the attribute, so that there was something to measure.
    pub fn is_measured(&self) -> bool {
        self.distinct_l > 0
    }
}

/// Intermediate measures. They can be merged in any order, with the same result.
#[derive(Debug, Clone)]
pub(super) struct WorstMeasures {
    distinct_l: u64,
    entropy_l: f64,
    max_confidence: f64,
    alpha: f64,
    t_equal: f64,
    t_ordered: f64,
    beta: f64,
}

impl Default for WorstMeasures {
    fn default() -> Self {
        let (distinct_l, entropy_l) = (u64::MAX, f64::INFINITY);
        Self {
            distinct_l,
            entropy_l,
            max_confidence: 0.0,
            alpha: 0.0,
            t_equal: 0.0,
            t_ordered: 0.0,
            beta: 0.0,
        }
    }
}

impl WorstMeasures {
    pub(super) fn note(&mut self, values: &Histogram<'_>, ordered: bool) {
        self.distinct_l = self.distinct_l.min(distinct::measure(values));
        self.entropy_l = self.entropy_l.min(entropy::measure(values));
        self.max_confidence = self.max_confidence.max(confidence::measure(values));
        self.alpha = self.alpha.max(alpha::measure(values));
        self.t_equal = self.t_equal.max(closeness::measure(values, Distance::Equal));
        if ordered {
            self.t_ordered = self.t_ordered.max(closeness::measure(values, Distance::Ordered));
        }
        self.beta = self.beta.max(beta::measure(values));
    }

    /// Like `note`, if cells that differ can be the same value, so that shares in the whole table are not
    /// known. The whole table contains the span's `people` of all `rows`: a share in the whole table is at least that
    /// part of the share in the span, which bounds their distance.
    pub(super) fn note_blurred(&mut self, values: &Histogram<'_>, ordered: bool, people: u64, rows: u64) {
        let (t_equal, t_ordered, beta) = (self.t_equal, self.t_ordered, self.beta);
        self.note(values, false);
        let outside = rows.saturating_sub(people) as f64;
        self.t_equal = t_equal.max(outside / rows as f64);
        self.t_ordered = if ordered { t_ordered.max(outside / rows as f64) } else { t_ordered };
        self.beta = beta.max(outside / people as f64);
    }

    /// Notes bounds: a value of a span has at most the share that it has in these values. An entropy is at least that of
    /// the most frequent value, −ln alpha; nothing is known about distances.
    pub(super) fn note_bound(&mut self, values: &Histogram<'_>, ordered: bool) {
        let alpha = alpha::measure(values);
        self.entropy_l = self.entropy_l.min(1.0 / alpha);
        self.alpha = self.alpha.max(alpha);
        self.max_confidence = self.max_confidence.max(confidence::measure(values));
        self.beta = self.beta.max(beta::measure(values));
        self.t_equal = 1.0;
        self.t_ordered = if ordered { 1.0 } else { self.t_ordered };
    }

    pub(super) fn join(&mut self, other: &Self) {
        self.distinct_l = self.distinct_l.min(other.distinct_l);
        self.entropy_l = self.entropy_l.min(other.entropy_l);
        self.max_confidence = self.max_confidence.max(other.max_confidence);
        self.alpha = self.alpha.max(other.alpha);
        self.t_equal = self.t_equal.max(other.t_equal);
        self.t_ordered = self.t_ordered.max(other.t_ordered);
        self.beta = self.beta.max(other.beta);
    }

    /// The fewest different values; 0 if no span distinguishes any.
    pub(super) fn distinct_l(&self) -> u32 {
        if self.distinct_l == u64::MAX { 0 } else { self.distinct_l as u32 }
    }

    /// The c of recursive (c,l)-diversity for l up to 1: the share of the most frequent value.
    pub(super) fn recursive_1(&self) -> f64 {
        self.alpha
    }

    pub(super) fn measures(&self, name: &str, ordered: bool, c: f64) -> AttributeMeasures {
        let told = self.distinct_l != u64::MAX;
        AttributeMeasures {
            name: name.to_owned(),
            distinct_l: self.distinct_l(),
            entropy_l: if told { self.entropy_l } else { 0.0 },
            recursive: Recursive { c, l: self.distinct_l() },
            max_confidence: self.max_confidence,
            alpha: self.alpha,
            t_equal: self.t_equal,
            t_ordered: ordered.then_some(self.t_ordered),
            beta: self.beta,
        }
    }
}
