//! The results of a comparison, as stored in its files and displayed in its report.

use serde::{Deserialize, Serialize};

/// The results of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The data and the setup of the comparison.
    pub about: About,
    /// The values of k, ascending.
    pub ks: Vec<u64>,
    /// The scores of each method with each inducer over k, in the given order.
    pub series: Vec<Series>,
    /// The releases of each method from all training rows, per k.
    pub releases: Vec<MethodRelease>,
    /// The release that the report displays.
    pub chosen: Option<ChosenRelease>,
    /// Notes for the reader: failures with their reasons, and warnings.
    pub notes: Vec<String>,
}

impl Comparison {
    /// Whether some method, or the unprotected table, predicts more rows correctly than the most frequent class value
    /// does. Without it, accuracies do not show what protection costs.
    pub fn beats_majority(&self) -> bool {
        let points = self.series.iter().flat_map(|series| &series.points);
        points.into_iter().any(|point| self.about.is_beaten_by(point.mean.accuracy))
    }
}

/// The data and the setup of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The table's file name.
    pub data: String,
    /// Its rows.
    pub rows: u64,
    /// The number of individuals in them.
    pub individuals: u64,
    /// The class.
    pub class: String,
    /// The number of classes.
    pub classes: u64,
    /// The share of rows with the most frequent class value: the accuracy of always predicting it.
    #[serde(default)]
    pub majority: f64,
    /// The public attributes.
    pub public: Vec<String>,
    /// The private attributes, including the class if it is private.
    pub private: Vec<String>,
    /// The requirements besides k.
    pub guarantee: Vec<String>,
    /// The division into training and test rows, in words.
    pub protocol: String,
    /// The number of pairs of training and test rows.
    pub folds: u64,
    /// The random seed.
    pub seed: u64,
    /// The version of incrowd.
    pub version: String,
}

/// Accuracies that differ by less are displayed as equal.
const DISPLAYED: f64 = 0.0005;

impl About {
    /// Whether an accuracy is visibly above that of always predicting the most frequent class value.
    pub(crate) fn is_beaten_by(&self, accuracy: f64) -> bool {
        accuracy > self.majority + DISPLAYED
    }
}

/// A method and an inducer over k.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// The name of the method; `none` for the unprotected table.
    pub method: String,
    /// The inducer that learned from the release; `None` if the release is a classifier.
    pub inducer: Option<String>,
    /// The scores per k; one point without a k for the unprotected table.
    pub points: Vec<Point>,
    /// The area under accuracy (in percent) over k, if there are two points or more.
    pub area: Option<f64>,
    /// The area of each fold.
    pub areas: Vec<f64>,
}

/// The scores at one k.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The required k.
    pub k: Option<u64>,
    /// The means over the folds.
    pub mean: Scores,
    /// The standard deviations over the folds; zero with one fold.
    pub deviation: Scores,
    /// The scores of each fold.
    pub folds: Vec<Scores>,
    /// The mean share of public cells that say nothing, for tables.
    pub suppressed: Option<f64>,
    /// The mean loss a public cell, for tables.
    pub loss: Option<f64>,
}

/// Scores of predictions on test rows; shares between 0 and 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// The share of test rows whose class was predicted correctly.
    pub accuracy: f64,
    /// The mean over classes of the share of their rows that were predicted correctly (recall).
    pub balanced_accuracy: f64,
    /// The mean over classes of F1, the harmonic mean of precision and recall.
    pub f1: f64,
    /// The area under the ROC curve: for two classes, that of the second; for more, the mean of each class against the
    /// rest, weighted by rows.
    pub auc: f64,
}

/// The release of a method from all training rows at one k.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MethodRelease {
    /// The method.
    pub method: String,
    /// The required k.
    pub k: u64,
    /// The largest k that holds.
    pub k_held: u64,
    /// The rows released (or described).
    pub rows: u64,
    /// The number of individuals in them.
    pub individuals: u64,
    /// The number of spans with individuals; for a table, of its groups.
    pub spans: u64,
    /// The sizes of the spans: size classes, ascending.
    pub sizes: Vec<Sizes>,
    /// The number of individuals exposed to certain inference of a private value.
    pub exposed: u64,
    /// Whether that is an upper bound, for example because individuals have several rows.
    pub at_most: bool,
    /// The highest confidence an attacker can have in a private value.
    pub max_confidence: Option<f64>,
    /// The share of public cells that say nothing, for tables.
    pub suppressed: Option<f64>,
    /// The mean loss a public cell, for tables.
    pub loss: Option<f64>,
    /// The number of individuals with a class other than the most frequent one of their group, if measured.
    pub cm: Option<u64>,
    /// The number of leaves of all trees, for trees and ensembles.
    pub leaves: Option<u64>,
    /// The running time in seconds. incrowd runs nothing else at the same time.
    pub seconds: f64,
    /// The peak memory of the process while making the release, if the system reports it.
    pub peak_bytes: Option<u64>,
}

/// A class of span sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// The smallest size.
    pub from: u64,
    /// The largest size.
    pub to: u64,
    /// The number of spans.
    pub spans: u64,
    /// The number of individuals in all of them.
    pub individuals: u64,
}

/// The release that the report displays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChosenRelease {
    /// The method.
    pub method: String,
    /// The k.
    pub k: u64,
    /// The reason for the choice, in words.
    pub why: String,
    /// Its picture as SVG.
    pub svg: Option<String>,
}
