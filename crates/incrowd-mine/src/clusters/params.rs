//! Parameters of the clustering miner: as given, and checked.

use incrowd_core::choice::MethodParameters;
use incrowd_core::guarantee::{Guarantee, Requirement};
use incrowd_core::{Error, Result, choice};

/// A way to find clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClusterMethod {
    /// A minimum spanning tree, its longest edges cut (VLDB Journal 2008, section 5.2).
    Mst,
    /// Lloyd's iterations, clusters merged until the guarantee holds and divided again while it does.
    KMeans,
}

choice!(ClusterMethod, "method" {
    Mst => "mst", "Cut the longest edges of a minimum spanning tree while the guarantee holds.";
    KMeans => "k-means", "Lloyd's iterations, clusters merged until the guarantee holds.";
});

impl MethodParameters for ClusterMethod {
    const PARAMETERS: &'static [(&'static str, &'static [Self])] = &[("tries", &[Self::Mst])];
}

/// How attributes of different units are made comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scaling {
    /// Each attribute is divided by its standard deviation, rounded to two digits.
    #[default]
    Deviation,
    /// Attributes are not scaled.
    None,
}

/// Parameters of the miner of clusters, as given. Only [checked](ClusterParams::check) parameters can be mined with.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ClusterParams {
    /// How the clusters are found.
    pub method: ClusterMethod,
    /// What must hold for every span.
    pub guarantee: Guarantee,
    /// The most clusters.
    pub clusters: u32,
    /// The attributes to cluster by; if there are none, all public and private ones of the policy, except the class.
    pub attributes: Vec<String>,
    /// How attributes are made comparable.
    pub scaling: Scaling,
    /// The seed of k-means.
    pub seed: u64,
    /// Mst: the most cuts that are tried, safe or not.
    pub tries: u32,
}

impl ClusterParams {
    /// The default maximum number of clusters.
    pub const CLUSTERS: u32 = 10;

    /// The usual parameters of a method under a guarantee.
    pub fn new(method: ClusterMethod, guarantee: Guarantee) -> Self {
        Self {
            method,
            guarantee,
            clusters: Self::CLUSTERS,
            attributes: Vec::new(),
            scaling: Scaling::default(),
            seed: 1,
            tries: 500,
        }
    }

    /// Checks every parameter. Where the guarantee has a k and no smallest bin, k becomes the smallest bin too: a
    /// centroid is a mean, and a mean of few individuals reveals their values.
    ///
    /// # Errors
    /// When nothing is to be guaranteed, or a parameter is out of its range or belongs to another method.
    pub fn check(mut self) -> Result<CheckedClusterParams> {
        if self.tries != Self::new(self.method, Guarantee::default()).tries {
            self.method.check_parameter("tries")?;
        }
        if self.guarantee.is_empty() {
            return Err(Error::parameters("no guarantee is given").help(
                "set k under [guarantee] in the policy, or give a k, such as 10; k = 1 guarantees nothing",
            ));
        }
        if self.clusters == 0 {
            return Err(
                Error::parameters("the number of clusters must be at least 1").help("allow 1 or more")
            );
        }
        if let (Some(k), None) = (self.guarantee.asked_k(), self.guarantee.asked_smallest_bin()) {
            self.guarantee = self.guarantee.with(Requirement::smallest_bin(k)?);
        }
        Ok(CheckedClusterParams(self))
    }
}

/// Checked parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedClusterParams(ClusterParams);

impl CheckedClusterParams {
    /// The fewest individuals of a cluster.
    pub(super) fn smallest(&self) -> u64 {
        self.0.guarantee.asked_smallest_bin().unwrap_or(1)
    }
}

impl std::ops::Deref for CheckedClusterParams {
    type Target = ClusterParams;

    fn deref(&self) -> &ClusterParams {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_other_methods_are_refused() {
        let checked = |method, tries| {
            let mut params = ClusterParams::new(method, Guarantee::k_anonymity(2).unwrap());
            params.tries = tries;
            params.check().map_err(|error| error.place.parameter)
        };
        assert!(checked(ClusterMethod::Mst, 7).is_ok() && checked(ClusterMethod::KMeans, 500).is_ok());
        assert_eq!(checked(ClusterMethod::KMeans, 7), Err(Some("tries")));
    }
}
