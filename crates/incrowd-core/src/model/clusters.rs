//! Clusterings by nearest centroid.

use super::domain::check_names;
use crate::error::{Error, Result};

/// A numeric attribute the distance is taken over.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The column's name.
    pub name: String,
    /// The lowest number it can take, known to everybody.
    pub low: f64,
    /// The highest.
    pub high: f64,
    /// What a coordinate is divided by before the distance is taken.
    pub scale: f64,
}

impl Axis {
    /// An unscaled axis with a declared range.
    pub fn new(name: &str, low: f64, high: f64) -> Self {
        Self { name: name.to_owned(), low, high, scale: 1.0 }
    }
}

/// One cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct Centroid {
    /// Its centre, one number an axis, in the axes' own units.
    pub center: Vec<f64>,
    /// Its released population, where released.
    pub population: Option<u64>,
}

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
    /// When there is no axis or centroid, a centre has the wrong number of coordinates, a number is not finite (only the ends of a range may be
    /// infinite), a range is empty, or a scale is not positive.
    pub fn new(axes: Vec<Axis>, centroids: Vec<Centroid>) -> Result<Self> {
        if axes.is_empty() || centroids.is_empty() {
            return Err(Error::new("a clustering needs attributes and centroids"));
        }
        check_names(axes.iter().map(|axis| axis.name.as_str()))?;
        for axis in &axes {
            if !(axis.low <= axis.high && axis.scale.is_finite() && axis.scale > 0.0) {
                return Err(Error::new("the range must not be empty and the scale must be above 0")
                    .of_attribute(&axis.name));
            }
        }
        for (i, centroid) in centroids.iter().enumerate() {
            let finite = centroid.center.iter().all(|x| x.is_finite());
            if !finite || centroid.center.len() != axes.len() {
                return Err(Error::new(format!("centroid {i} needs one finite number for every attribute")));
            }
        }
        Ok(Self { axes, centroids })
    }

    /// The attributes the distance is taken over.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The clusters.
    pub fn centroids(&self) -> &[Centroid] {
        &self.centroids
    }
}
