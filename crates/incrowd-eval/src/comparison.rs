//! Everything a comparison found, as its files hold it and its report draws it.

use serde::{Deserialize, Serialize};

/// Everything a comparison found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// What was compared, and how.
    pub about: About,
    /// The k that were asked for, ascending.
    pub ks: Vec<u64>,
    /// What each method is worth to each inducer, over k: in the order asked for.
    pub series: Vec<Series>,
    /// What each method released of all training rows, for each k.
    pub releases: Vec<Released>,
    /// The release the report shows.
    pub chosen: Option<Chosen>,
    /// What could not be done and why, and what the reader should know.
    pub notes: Vec<String>,
}

/// What was compared, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The table's file name.
    pub data: String,
    /// Its rows.
    pub rows: u64,
    /// The individuals they are about.
    pub individuals: u64,
    /// The class.
    pub class: String,
    /// How many classes there are.
    pub classes: u64,
    /// The public attributes.
    pub public: Vec<String>,
    /// The private ones, the class included if it is.
    pub private: Vec<String>,
    /// What was asked for besides k.
    pub guarantee: Vec<String>,
    /// How rows were divided into training and test rows, in words.
    pub protocol: String,
    /// How many times there was something to learn and to test.
    pub folds: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// The version of incrowd.
    pub version: String,
}

/// A method and an inducer over k.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// The method, as flags have it; `none` where nothing was done to the table.
    pub method: String,
    /// The inducer that learned from what was released; none where the release is a classifier itself.
    pub inducer: Option<String>,
    /// For each k what was measured; one point without a k where nothing was done to the table.
    pub points: Vec<Point>,
    /// The area under accuracy (in percent) over k, where there are two points or more.
    pub area: Option<f64>,
    /// The same for each fold.
    pub areas: Vec<f64>,
}

/// What was measured at one k.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The k asked for.
    pub k: Option<u64>,
    /// The means over the folds.
    pub mean: Scores,
    /// The standard deviations over the folds; zero with one fold.
    pub deviation: Scores,
    /// Fold by fold.
    pub folds: Vec<Scores>,
    /// The mean share of public cells that say nothing, for tables.
    pub suppressed: Option<f64>,
    /// The mean loss a public cell, for tables.
    pub loss: Option<f64>,
}

/// How well test rows were predicted; shares between 0 and 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// The share of test rows whose class was predicted.
    pub accuracy: f64,
    /// The mean over classes of the share of their rows that were predicted (recall).
    pub balanced_accuracy: f64,
    /// The mean over classes of F1, the harmonic mean of precision and recall.
    pub f1: f64,
    /// The area under the ROC curve: for two classes, that of the second; for more, the mean of each against the rest, weighted by rows.
    pub auc: f64,
}

/// What a method released of all training rows at one k.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Released {
    /// The method.
    pub method: String,
    /// The k asked for.
    pub k: u64,
    /// The largest k that holds.
    pub k_held: u64,
    /// The rows released (or described).
    pub rows: u64,
    /// The individuals they are about.
    pub individuals: u64,
    /// The spans that hold anybody; for a table, its groups.
    pub spans: u64,
    /// How many individuals spans hold: classes of sizes, ascending.
    pub sizes: Vec<Sizes>,
    /// The individuals exposed to certain inference of something private.
    pub exposed: u64,
    /// Whether that is an upper bound, as where individuals have several rows.
    pub at_most: bool,
    /// The highest confidence an attacker can have in a private value.
    pub max_confidence: Option<f64>,
    /// The share of public cells that say nothing, for tables.
    pub suppressed: Option<f64>,
    /// The mean loss a public cell, for tables.
    pub loss: Option<f64>,
    /// The rows not of their group's most frequent class, where that was measured.
    pub cm: Option<u64>,
    /// The leaves, for trees.
    pub leaves: Option<u64>,
    /// The seconds it took, alone on the machine as far as incrowd is concerned.
    pub seconds: f64,
    /// The most memory the process had while it was made, where the system tells.
    pub peak_bytes: Option<u64>,
}

/// How many spans hold so many individuals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// At least so many individuals.
    pub from: u64,
    /// At most so many.
    pub to: u64,
    /// So many spans.
    pub spans: u64,
    /// So many individuals in all of them.
    pub individuals: u64,
}

/// The release the report shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chosen {
    /// The method.
    pub method: String,
    /// The k.
    pub k: u64,
    /// Why this one, in words.
    pub why: String,
    /// A picture of it, SVG.
    pub svg: Option<String>,
}
