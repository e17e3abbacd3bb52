//! The nearest centre of every point, block by block.
//!
//! Points are taken in the order of a k-d tree, in blocks with their bounding boxes. A centre that is farther than
//! another one from every place in the box, by more than rounding can account for, is not looked at for the points of
//! the block. So the result is that of comparing all distances, to the last bit.

use super::lloyd::Cluster;
use super::metric::Metric;
use super::points::Points;
use incrowd_core::span::nearby_order;
use rayon::prelude::*;

/// The points of a block.
const BLOCK: usize = 32;

/// Blocks that are worked on in one go.
const TOGETHER: usize = 64;

/// More than rounding adds to a squared distance for each value of a point, as a share of what is added up.
const ROUNDING: f64 = 1e-15;

/// Points in blocks of neighbours.
pub(super) struct Near {
    /// The points, so that those of a block are near each other.
    order: Vec<u32>,
    /// The place of each point in that order.
    place: Vec<u32>,
    /// For each block its lowest, then its highest values.
    boxes: Vec<f64>,
}

impl Near {
    /// Orders points. Takes n log n steps.
    pub(super) fn new(points: &Points) -> Self {
        let value = |axis: usize, point: u32| points.at(point as usize)[axis];
        let width = |axis: usize, low: f64, high: f64| points.metric.extent(axis, low, high);
        Self::of_order(points, nearby_order(points.len(), BLOCK, points.metric.axes(), &value, &width))
    }

    /// The blocks of some of the points, given by their places among themselves, in the same order.
    pub(super) fn select(&self, selected: &Points, members: &[usize]) -> Self {
        let mut own = vec![u32::MAX; self.order.len()];
        (0..).zip(members).for_each(|(number, &point)| own[point] = number);
        let order = self.order.iter().map(|&point| own[point as usize]).filter(|&number| number != u32::MAX);
        Self::of_order(selected, order.collect())
    }

    fn of_order(points: &Points, order: Vec<u32>) -> Self {
        let mut place = vec![0; order.len()];
        (0..).zip(&order).for_each(|(at, &point)| place[point as usize] = at);
        let width = points.metric.axes();
        let bounds = |block: &[u32]| {
            let mut bounds = vec![f64::INFINITY; 2 * width];
            bounds[width..].fill(f64::NEG_INFINITY);
            let (low, high) = bounds.split_at_mut(width);
            for &point in block {
                for ((low, high), &x) in low.iter_mut().zip(high.iter_mut()).zip(points.at(point as usize)) {
                    *low = low.min(x);
                    *high = high.max(x);
                }
            }
            bounds
        };
        let boxes = order.par_chunks(BLOCK).flat_map_iter(bounds).collect();
        Self { order, place, boxes }
    }

    /// The nearest cluster of every point, the first one on a tie.
    pub(super) fn assigned(&self, points: &Points, clusters: &[Cluster]) -> Vec<u32> {
        let centers: Vec<Center<'_>> =
            clusters.iter().map(|cluster| Center::new(&points.metric, &cluster.center)).collect();
        let nearest = |point: u32, candidates: &[usize]| {
            let mut best = (f64::INFINITY, candidates[0]);
            for &i in candidates {
                let center = &centers[i];
                let distance = points.metric.to_center(points.at(point as usize), center.at, center.rest);
                if distance < best.0 {
                    best = (distance, i);
                }
            }
            best.1 as u32
        };
        let width = 2 * points.metric.axes();
        let mut found = vec![0; self.order.len()];
        let of_block = |search: &mut Search, (block, (found, own)): (usize, (&mut [u32], &[u32]))| {
            let candidates =
                search.candidates(&points.metric, &centers, &self.boxes[block * width..][..width]);
            if let [one] = *candidates {
                found.fill(one as u32);
            } else {
                let points = found.iter_mut().zip(own);
                points.for_each(|(found, &point)| *found = nearest(point, candidates));
            }
        };
        let work = found.par_chunks_mut(BLOCK).zip(self.order.par_chunks(BLOCK)).enumerate();
        work.with_min_len(TOGETHER).for_each_init(Search::default, of_block);
        self.place.par_iter().map(|&place| found[place as usize]).collect()
    }
}

/// A centre, with the part of distances that is the same for all points.
struct Center<'c> {
    at: &'c [f64],
    rest: f64,
    /// The lowest and the highest coordinate on each axis of names.
    names: Vec<(f64, f64)>,
}

impl<'c> Center<'c> {
    fn new(metric: &Metric, at: &'c [f64]) -> Self {
        Self { at, rest: metric.rest(at), names: metric.ranges(at) }
    }
}

/// Finds the centres that can be nearest to points of a block; keeps its lists from block to block.
#[derive(Default)]
struct Search {
    found: Vec<usize>,
    near: Vec<f64>,
}

impl Search {
    fn candidates(&mut self, metric: &Metric, centers: &[Center<'_>], bounds: &[f64]) -> &[usize] {
        let (low, high) = bounds.split_at(metric.axes());
        // The one that is nearest to the middle of the box, nearly: others are compared with it.
        self.near.clear();
        self.near.extend(centers.iter().map(|center| metric.to_middle((low, high), center.at, center.rest)));
        let reference =
            (0..centers.len()).min_by(|&a, &b| self.near[a].total_cmp(&self.near[b])).unwrap_or(0);
        let own = &centers[reference];
        let is_farther = |i: usize| {
            let other = &centers[i];
            let mut lead = other.rest - own.rest;
            let mut size = other.rest.abs() + own.rest.abs();
            for ((low, high), &at) in low.iter().zip(high).zip(&metric.numbers) {
                let (c, d) = (other.at[at], own.at[at]);
                // Linear between the ends.
                let along = |x: f64| (d - c) * (x - c + (x - d));
                lead += along(*low).min(along(*high));
                let far = |c: f64| (low - c).abs().max((high - c).abs());
                size += far(c) * far(c) + far(d) * far(d);
            }
            for (place, (other, own)) in other.names.iter().zip(&own.names).enumerate() {
                let at = metric.numbers.len() + place;
                let names = &metric.names[place];
                let (most, least) = if low[at] < high[at] {
                    (other.1, own.0)
                } else {
                    (
                        names.coordinate(centers[i].at, low[at]),
                        names.coordinate(centers[reference].at, low[at]),
                    )
                };
                lead -= names.times(most - least);
                size += names.times(most.abs() + least.abs());
            }
            lead > ROUNDING * (16 + metric.axes()) as f64 * size
        };
        self.found.clear();
        self.found.extend((0..centers.len()).filter(|&i| i == reference || !is_farther(i)));
        &self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_core::random::Random;

    /// The first of the nearest, by all distances.
    fn all_compared(points: &Points, clusters: &[Cluster]) -> Vec<u32> {
        let distance = |point: usize, cluster: &Cluster| {
            let rest = points.metric.rest(&cluster.center);
            points.metric.to_center(points.at(point), &cluster.center, rest)
        };
        let nearest = |point: usize| {
            let distances: Vec<f64> = clusters.iter().map(|cluster| distance(point, cluster)).collect();
            (0..distances.len()).min_by(|&a, &b| distances[a].total_cmp(&distances[b])).unwrap() as u32
        };
        (0..points.len()).map(nearest).collect()
    }

    #[test]
    fn blocks_find_what_comparing_all_distances_finds() {
        let mut alone = 0;
        for seed in 0..60 {
            let random = &mut Random::of(seed, 0);
            let (numbers, names) = (1 + random.below(3) as usize, random.below(3) as usize);
            let count = 40 + random.below(400) as usize;
            let is_whole = random.percent(50);
            let mut values = Vec::new();
            for _ in 0..count {
                let number = |random: &mut Random| {
                    if is_whole { f64::from(random.below(9)) } else { 20.0 * random.normal() }
                };
                values.extend((0..numbers).map(|_| number(random)));
                values.extend((0..names).map(|_| f64::from(random.below(6))));
            }
            let points = Points::of_values(numbers, names, values);
            let cluster = |_| Cluster {
                center: points.mean(std::iter::repeat_n((), 2).map(|()| random.below(count as u32) as usize)),
                rows: 0,
            };
            let clusters: Vec<Cluster> = (0..=seed % 9).map(cluster).collect();
            let near = Near::new(&points);
            assert_eq!(near.assigned(&points, &clusters), all_compared(&points, &clusters), "seed {seed}");
            let members: Vec<usize> = (0..count).filter(|point| point % 3 > 0).collect();
            let some = points.select(&members);
            let near = near.select(&some, &members);
            assert_eq!(near.assigned(&some, &clusters), all_compared(&some, &clusters), "seed {seed}");
            let centers: Vec<Center<'_>> =
                clusters.iter().map(|cluster| Center::new(&points.metric, &cluster.center)).collect();
            let bounds = near.boxes.chunks(2 * points.metric.axes());
            let mut search = Search::default();
            let few =
                |bounds: &&[f64]| search.candidates(&points.metric, &centers, bounds).len() < centers.len();
            alone += bounds.filter(few).count();
        }
        assert!(alone > 60, "{alone} blocks have fewer candidates than there are clusters");
    }
}
