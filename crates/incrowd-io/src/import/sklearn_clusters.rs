//! Centroids of scikit-learn (`KMeans` and its like), written as JSON by the snippet in `docs/foreign-models.md`.

use super::HELP;
use incrowd_core::model::{Axis, Centroid, Clusters};
use incrowd_core::{Error, Result};
use serde::Deserialize;

pub(super) const FORMAT: &str = "scikit-learn-clusters";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawClusters {
    #[serde(rename = "format")]
    _format: String,
    version: u32,
    columns: Vec<RawColumn>,
    /// One list per cluster, one number per column, as the model has them.
    centers: Vec<Vec<f64>>,
    /// What a scaler subtracted from each column.
    mean: Option<Vec<f64>>,
    /// What a scaler divided each column by.
    scale: Option<Vec<f64>>,
    /// The individuals of each cluster.
    counts: Option<Vec<u64>>,
}

/// A column of the model's matrix.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawColumn {
    name: String,
    /// It is 1 where the table has this value, and 0 elsewhere.
    equals: Option<String>,
    /// The lowest and the highest possible number, which are public knowledge.
    low: Option<f64>,
    high: Option<f64>,
}

pub(super) fn read(text: &str) -> Result<Clusters> {
    let raw: RawClusters =
        serde_json::from_str(text).map_err(|error| crate::release::json_error(&error).help(HELP))?;
    if raw.version != 1 {
        return Err(
            Error::input("this version of the format is not supported").help("version 1 is supported")
        );
    }
    let width = raw.columns.len();
    let lists = raw.centers.iter().map(Vec::len);
    let scaler = [&raw.mean, &raw.scale].into_iter().flatten().map(Vec::len);
    let counts_fit = raw.counts.as_ref().is_none_or(|counts| counts.len() == raw.centers.len());
    if lists.chain(scaler).any(|length| length != width) || !counts_fit {
        return Err(Error::input("its lists do not match its columns and centres").help(HELP));
    }
    let axes = raw.axes()?;
    let centroid = |(i, center): (usize, &Vec<f64>)| Centroid {
        center: (0..width).map(|column| raw.unscaled(column, center[column])).collect(),
        population: raw.counts.as_ref().map(|counts| counts[i]),
    };
    Clusters::new(axes, raw.centers.iter().enumerate().map(centroid).collect())
}

impl RawClusters {
    /// A number of the model's matrix in the table's own unit.
    fn unscaled(&self, column: usize, number: f64) -> f64 {
        let mean = self.mean.as_ref().map_or(0.0, |means| means[column]);
        number * self.scale_of(column) + mean
    }

    fn scale_of(&self, column: usize) -> f64 {
        self.scale.as_ref().map_or(1.0, |scales| scales[column])
    }

    /// The axes; columns for values of one column of the table are adjacent and are scaled alike.
    fn axes(&self) -> Result<Vec<Axis>> {
        let mut axes: Vec<Axis> = Vec::new();
        let mut column = 0;
        while let Some(RawColumn { name, low, high, equals }) = self.columns.get(column) {
            let scale = self.scale_of(column);
            let run = self.columns[column..].iter().take_while(|c| c.name == *name && c.equals.is_some());
            let names: Vec<String> = run.filter_map(|c| c.equals.clone()).collect();
            let count = names.len().max(1);
            if (column..column + count).any(|other| self.scale_of(other).to_bits() != scale.to_bits()) {
                return Err(Error::input("the values of one attribute are scaled differently")
                    .of_attribute(name)
                    .help("leave one-hot columns unscaled, or divide all of an attribute by one number"));
            }
            let axis = match equals {
                Some(_) => Axis::of_names(name, names),
                None => Axis::new(name, low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)),
            };
            axes.push(Axis { scale, ..axis });
            column += count;
        }
        Ok(axes)
    }
}
