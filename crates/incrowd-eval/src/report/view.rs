//! What reports ask of a comparison again and again.

use crate::comparison::{Comparison, Point, Released, Scores, Series};

/// What nothing was done to is called.
pub(super) const NONE: &str = "none";

/// A comparison and its methods and inducers, in the order asked for.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) of: &'a Comparison,
    /// The methods that protect.
    pub(super) methods: Vec<&'a str>,
    pub(super) inducers: Vec<&'a str>,
}

impl<'a> View<'a> {
    pub(super) fn new(of: &'a Comparison) -> Self {
        let series = of.series.iter().map(|series| series.method.as_str());
        let released = of.releases.iter().map(|released| released.method.as_str());
        let methods = series.chain(released).filter(|method| *method != NONE);
        let inducers = of.series.iter().filter_map(|series| series.inducer.as_deref());
        Self { of, methods: distinct(methods), inducers: distinct(inducers) }
    }

    /// Which colour, dash and marker a method has, everywhere.
    pub(super) fn style(&self, method: &str) -> usize {
        self.methods.iter().position(|other| *other == method).unwrap_or(0)
    }

    /// What protects and was learned from by this inducer, or predicts by itself.
    pub(super) fn protected(&self, inducer: Option<&str>) -> Vec<&'a Series> {
        let fits = |series: &&Series| {
            series.method != NONE && (series.inducer.is_none() || series.inducer.as_deref() == inducer)
        };
        self.of.series.iter().filter(fits).collect()
    }

    /// What an inducer makes of the unprotected table; the best of any where there is none of this one.
    pub(super) fn unprotected(&self, inducer: Option<&str>) -> Option<Unprotected<'a>> {
        let all = self.of.series.iter().filter(|series| series.method == NONE);
        let all = all.filter_map(|series| Some(Unprotected { series, point: series.points.first()? }));
        let own = all.clone().find(|level| level.series.inducer.as_deref() == inducer);
        own.or_else(|| {
            all.reduce(
                |best, other| {
                    if other.point.mean.accuracy > best.point.mean.accuracy { other } else { best }
                },
            )
        })
    }

    /// The most accurate way at some k: the first where several are.
    pub(super) fn best(&self, k: u64) -> Option<(&'a Series, &'a Point)> {
        let series = self.of.series.iter().filter(|series| series.method != NONE);
        most_accurate(series.filter_map(|series| Some((series, at(series, k)?))))
    }

    /// The most accurate way at some k by one method.
    pub(super) fn best_of(&self, method: &str, k: u64) -> Option<(&'a Series, &'a Point)> {
        let series = self.of.series.iter().filter(|series| series.method == method);
        most_accurate(series.filter_map(|series| Some((series, at(series, k)?))))
    }

    /// The k the report speaks of: that of the release it shows, else the middle one.
    pub(super) fn shown(&self) -> Option<u64> {
        let ks = &self.of.ks;
        let chosen = self.of.chosen.as_ref().map(|chosen| chosen.k).filter(|k| ks.contains(k));
        chosen.or_else(|| ks.get(ks.len().saturating_sub(1) / 2).copied())
    }

    pub(super) fn released(&self, method: &str, k: u64) -> Option<&'a Released> {
        self.of.releases.iter().find(|released| released.method == method && released.k == k)
    }
}

/// What an inducer makes of the unprotected table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unprotected<'a> {
    pub(super) series: &'a Series,
    pub(super) point: &'a Point,
}

/// What was measured at some k.
pub(super) fn at(series: &Series, k: u64) -> Option<&Point> {
    series.points.iter().find(|point| point.k == Some(k))
}

fn most_accurate<'a>(all: impl Iterator<Item = (&'a Series, &'a Point)>) -> Option<(&'a Series, &'a Point)> {
    all.reduce(|best, other| if other.1.mean.accuracy > best.1.mean.accuracy { other } else { best })
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// A measure of how well test rows were predicted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure {
    /// Its name in the page's code.
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    pub(super) of: fn(&Scores) -> f64,
}

/// All of them; the first is shown first.
pub(super) const MEASURES: [Measure; 4] = [
    Measure { key: "accuracy", name: "Accuracy", of: |scores| scores.accuracy },
    Measure { key: "balanced", name: "Balanced accuracy", of: |scores| scores.balanced_accuracy },
    Measure { key: "f1", name: "F1", of: |scores| scores.f1 },
    Measure { key: "auc", name: "AUC", of: |scores| scores.auc },
];
