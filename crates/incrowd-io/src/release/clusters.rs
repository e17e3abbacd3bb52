//! Clusterings in release files.

use super::attributes::{Populations, at, bound};
use super::coordinate::RawCoordinate;
use super::object::Object;
use super::raw::{RawAxis, RawCentroid, RawClusters};
use super::{ModelRelease, Release};
use incrowd_core::model::{Axis, Centroid, Clusters, Domain, Model};
use incrowd_core::{Error, Result};

pub(super) fn read(mut raw: RawClusters) -> Result<Release> {
    let (individuals, origin) = (raw.individuals, raw.take_origin());
    let mut populations = Populations::new(individuals);
    let axes = raw.axes.into_iter().map(|Object(axis)| read_axis(axis)).collect::<Result<Vec<_>>>()?;
    let mut centroids = Vec::with_capacity(raw.centroids.len());
    for (i, Object(centroid)) in raw.centroids.into_iter().enumerate() {
        let added = centroid.population.map_or(Ok(()), |population| populations.add(population));
        let center = added.and_then(|()| center(&axes, centroid.center));
        let center = center.map_err(|error| at(format_args!("centroid {i}"), error))?;
        centroids.push(Centroid { center, population: centroid.population });
    }
    let model = Model::Clusters(Clusters::new(axes, centroids)?);
    Ok(Release::Model(ModelRelease { model, individuals, origin }))
}

pub(super) fn write(clusters: &Clusters, release: &ModelRelease) -> RawClusters {
    let centroid = |centroid: &Centroid| {
        let mut rest = centroid.center.as_slice();
        let coordinate = |axis: &Axis| {
            let (own, others) = rest.split_at(axis.width());
            rest = others;
            match (&axis.domain, own) {
                (Domain::Numbers { .. }, [number]) => RawCoordinate::Number(*number),
                _ => RawCoordinate::Shares(own.to_vec()),
            }
        };
        let center = clusters.axes().iter().map(coordinate).collect();
        Object(RawCentroid { center, population: centroid.population })
    };
    RawClusters::new(
        release.individuals,
        &release.origin,
        clusters.axes().iter().map(write_axis).collect(),
        clusters.centroids().iter().map(centroid).collect(),
    )
}

/// The coordinates one after the other; each must be of its axis's sort, or a list could be taken for other axes.
fn center(axes: &[Axis], raw: Vec<RawCoordinate>) -> Result<Vec<f64>> {
    let fits = |(axis, coordinate): (&Axis, &RawCoordinate)| match (coordinate, &axis.domain) {
        (RawCoordinate::Number(_), Domain::Numbers { .. }) => true,
        (RawCoordinate::Shares(shares), Domain::Values(values)) => shares.len() == values.len(),
        _ => false,
    };
    if raw.len() != axes.len() || !axes.iter().zip(&raw).all(fits) {
        return Err(Error::input(
            "it needs one finite number per axis, or for an axis with values a list with one number per value",
        )
        .help("write one coordinate per axis, in the order of \"axes\""));
    }
    let numbers = |coordinate| match coordinate {
        RawCoordinate::Number(number) => vec![number],
        RawCoordinate::Shares(shares) => shares,
    };
    Ok(raw.into_iter().flat_map(numbers).collect())
}

fn read_axis(axis: RawAxis) -> Result<Axis> {
    let domain = match axis.values {
        Some(_) if axis.low.or(axis.high).is_some() => {
            return Err(Error::input("an axis with values cannot have a lowest or highest number")
                .of_attribute(axis.name)
                .help("remove one of the two"));
        }
        Some(values) => Domain::Values(values),
        None => Domain::Numbers {
            low: axis.low.unwrap_or(f64::NEG_INFINITY),
            high: axis.high.unwrap_or(f64::INFINITY),
        },
    };
    Ok(Axis { name: axis.name, domain, scale: axis.scale.unwrap_or(1.0), dates: axis.dates })
}

#[allow(clippy::float_cmp, reason = "a scale that is 1 to the last bit is the one that is left out")]
fn write_axis(axis: &Axis) -> Object<RawAxis> {
    let scale = (axis.scale != 1.0).then_some(axis.scale);
    let (values, low, high) = match &axis.domain {
        Domain::Values(values) => (Some(values.clone()), None, None),
        Domain::Numbers { low, high } => (None, bound(*low), bound(*high)),
    };
    Object(RawAxis { name: axis.name.clone(), values, low, high, scale, dates: axis.dates })
}
