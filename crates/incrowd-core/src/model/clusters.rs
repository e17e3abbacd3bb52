//! Clusterings by nearest centroid.

use super::domain::{Domain, check_names};
use crate::error::{Error, Result};

/// An attribute the distance is taken over: one coordinate if its values are numbers, one for each value if they are
/// names.
///
/// A name counts as 1 in its own coordinate and 0 in the others of its axis, so two different names are √2 apart before
/// scaling.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The column's name.
    pub name: String,
    /// The values it can take, which are public knowledge.
    pub domain: Domain,
    /// What its coordinates are divided by before the distance is taken.
    pub scale: f64,
    /// Whether its numbers are dates: days since 1970-01-01.
    pub dates: bool,
}

impl Axis {
    /// An unscaled axis of numbers with a declared range.
    pub fn new(name: &str, low: f64, high: f64) -> Self {
        Self { name: name.to_owned(), domain: Domain::Numbers { low, high }, scale: 1.0, dates: false }
    }

    /// An unscaled axis of names.
    pub fn of_names<S: Into<String>>(name: &str, values: impl IntoIterator<Item = S>) -> Self {
        let values = values.into_iter().map(Into::into).collect();
        Self { name: name.to_owned(), domain: Domain::Values(values), scale: 1.0, dates: false }
    }

    /// The number of coordinates that it has.
    pub fn width(&self) -> usize {
        match &self.domain {
            Domain::Numbers { .. } => 1,
            Domain::Values(values) => values.len(),
        }
    }

    /// The names it can take; none if its values are numbers.
    pub fn names(&self) -> &[String] {
        match &self.domain {
            Domain::Numbers { .. } => &[],
            Domain::Values(values) => values,
        }
    }

    fn check(&self) -> Result<()> {
        self.domain.check_dates(self.dates).map_err(|error| error.of_attribute(&self.name))?;
        if !(self.scale.is_finite() && self.scale > 0.0) {
            return Err(Error::input("the scale must be above 0").of_attribute(&self.name));
        }
        Ok(())
    }
}

/// One cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct Centroid {
    /// Its centre in the axes' own units, axis by axis: one number for an axis of numbers, one for each value of an
    /// axis of names.
    pub center: Vec<f64>,
    /// Its released population, where released.
    pub population: Option<u64>,
}

/// The maximum number of clusters. Who can be in which of them takes steps in their square for each public
/// point.
const MOST_CLUSTERS: usize = 1 << 13;

/// The maximum number of coordinates of all centres together.
const MOST_COORDINATES: usize = 1 << 24;

/// A clustering: every point belongs to the nearest centroid by scaled Euclidean distance, the first one on a tie.
#[derive(Debug, Clone, PartialEq)]
pub struct Clusters {
    axes: Vec<Axis>,
    centroids: Vec<Centroid>,
}

impl Clusters {
    /// A checked clustering.
    ///
    /// # Errors
    /// When an axis or centroid is lacking, a centre has the wrong number of coordinates, a number is not finite (only
    /// the ends of a range may be infinite), a range is empty, a name occurs twice, or a scale is not positive; or when
    /// there are more than 8,192 clusters or 16,777,216 coordinates.
    pub fn new(axes: Vec<Axis>, centroids: Vec<Centroid>) -> Result<Self> {
        if axes.is_empty() || centroids.is_empty() {
            return Err(Error::input("a clustering needs attributes and centroids"));
        }
        check_names(axes.iter().map(|axis| axis.name.as_str()))?;
        axes.iter().try_for_each(Axis::check)?;
        let width: usize = axes.iter().map(Axis::width).sum();
        if centroids.len() > MOST_CLUSTERS {
            return Err(Error::limit(format!("there are more than {MOST_CLUSTERS} clusters"))
                .help("make fewer clusters"));
        }
        if centroids.len().saturating_mul(width) > MOST_COORDINATES {
            return Err(Error::limit(format!("the centres have more than {MOST_COORDINATES} coordinates"))
                .help("make fewer clusters, or leave out attributes with many names"));
        }
        for (i, centroid) in centroids.iter().enumerate() {
            let finite = centroid.center.iter().all(|x| x.is_finite());
            if !finite || centroid.center.len() != width {
                return Err(Error::input(format!(
                    "centroid {i} needs one finite number per numeric attribute and per value of the others"
                )));
            }
        }
        Ok(Self { axes, centroids })
    }

    /// The attributes the distance is taken over.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The names of the attributes whose numbers are dates.
    pub fn dates(&self) -> Vec<&str> {
        self.axes.iter().filter(|axis| axis.dates).map(|axis| axis.name.as_str()).collect()
    }

    /// The clusters.
    pub fn centroids(&self) -> &[Centroid] {
        &self.centroids
    }
}
