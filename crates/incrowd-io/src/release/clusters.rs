//! Clusterings in release files.

use super::attributes::{Populations, at, bound};
use super::object::Object;
use super::raw::{RawAxis, RawCentroid, RawClusters};
use super::{ModelRelease, Release};
use incrowd_core::Result;
use incrowd_core::model::{Axis, Centroid, Clusters, Model};

pub(super) fn read(mut raw: RawClusters) -> Result<Release> {
    let (individuals, origin) = (raw.individuals, raw.take_origin());
    let mut populations = Populations::new(individuals);
    let mut centroids = Vec::with_capacity(raw.centroids.len());
    for (i, Object(centroid)) in raw.centroids.into_iter().enumerate() {
        let added = centroid.population.map_or(Ok(()), |population| populations.add(population));
        added.map_err(|error| at(format_args!("centroid {i}"), error))?;
        centroids.push(Centroid { center: centroid.center, population: centroid.population });
    }
    let axes = raw.axes.into_iter().map(|Object(axis)| read_axis(axis)).collect();
    let model = Model::Clusters(Clusters::new(axes, centroids)?);
    Ok(Release::Model(ModelRelease { model, individuals, origin }))
}

pub(super) fn write(clusters: &Clusters, release: &ModelRelease) -> RawClusters {
    let centroid = |centroid: &Centroid| {
        Object(RawCentroid { center: centroid.center.clone(), population: centroid.population })
    };
    RawClusters::new(
        release.individuals,
        &release.origin,
        clusters.axes().iter().map(write_axis).collect(),
        clusters.centroids().iter().map(centroid).collect(),
    )
}

fn read_axis(axis: RawAxis) -> Axis {
    Axis {
        name: axis.name,
        low: axis.low.unwrap_or(f64::NEG_INFINITY),
        high: axis.high.unwrap_or(f64::INFINITY),
        scale: axis.scale.unwrap_or(1.0),
    }
}

#[allow(clippy::float_cmp, reason = "a scale that is 1 to the last bit is the one that is left out")]
fn write_axis(axis: &Axis) -> Object<RawAxis> {
    let scale = (axis.scale != 1.0).then_some(axis.scale);
    Object(RawAxis { name: axis.name.clone(), low: bound(axis.low), high: bound(axis.high), scale })
}
