//! Common queries of a comparison.

use crate::comparison::{Comparison, MethodRelease, Point, Scores, Series};

/// The method name of the unprotected table.
pub(super) const NONE: &str = "none";

/// A comparison with its methods and inducers, in the given order.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) of: &'a Comparison,
    /// The methods, without that of the unprotected table.
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

    /// The style (colour, dash and marker) of a method, the same in all plots.
    pub(super) fn style(&self, method: &str) -> usize {
        self.methods.iter().position(|other| *other == method).unwrap_or(0)
    }

    /// The series of this inducer and of releases that are classifiers, without the unprotected table.
    pub(super) fn protected(&self, inducer: Option<&str>) -> Vec<&'a Series> {
        let fits = |series: &&Series| {
            series.method != NONE && (series.inducer.is_none() || series.inducer.as_deref() == inducer)
        };
        self.of.series.iter().filter(fits).collect()
    }

    /// The score of an inducer on the unprotected table; the best of all if this inducer has none.
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

    /// The most accurate result at a k; the first on ties.
    pub(super) fn best(&self, k: u64) -> Option<(&'a Series, &'a Point)> {
        let series = self.of.series.iter().filter(|series| series.method != NONE);
        most_accurate(series.filter_map(|series| Some((series, at(series, k)?))))
    }

    /// The most accurate result of a method at a k.
    pub(super) fn best_of(&self, method: &str, k: u64) -> Option<(&'a Series, &'a Point)> {
        let series = self.of.series.iter().filter(|series| series.method == method);
        most_accurate(series.filter_map(|series| Some((series, at(series, k)?))))
    }

    /// The main k of the report: that of the displayed release, otherwise the middle one.
    pub(super) fn shown(&self) -> Option<u64> {
        let ks = &self.of.ks;
        let chosen = self.of.chosen.as_ref().map(|chosen| chosen.k).filter(|k| ks.contains(k));
        chosen.or_else(|| ks.get(ks.len().saturating_sub(1) / 2).copied())
    }

    pub(super) fn released(&self, method: &str, k: u64) -> Option<&'a MethodRelease> {
        self.of.releases.iter().find(|released| released.method == method && released.k == k)
    }
}

/// The score of an inducer on the unprotected table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unprotected<'a> {
    pub(super) series: &'a Series,
    pub(super) point: &'a Point,
}

/// The scores at a k.
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

/// A measure of predictions on test rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure {
    /// Its name in the page's HTML.
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    pub(super) of: fn(&Scores) -> f64,
}

/// All measures. The first is displayed at the start.
pub(super) const MEASURES: [Measure; 4] = [
    Measure { key: "accuracy", name: "Accuracy", of: |scores| scores.accuracy },
    Measure { key: "balanced", name: "Balanced accuracy", of: |scores| scores.balanced_accuracy },
    Measure { key: "f1", name: "F1", of: |scores| scores.f1 },
    Measure { key: "auc", name: "AUC", of: |scores| scores.auc },
];
