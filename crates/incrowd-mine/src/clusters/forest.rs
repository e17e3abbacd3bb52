//! A spanning tree that is split into clusters, cut by cut.

use super::mst::Edge;
use super::points::Points;

/// A rooted spanning tree with the edges that are cut. Points are known by their place: a parent comes before its
/// children, and everything below a point follows it without a gap.
pub(super) struct Forest<'p> {
    points: &'p Points,
    /// The point at each place, and the place of each point.
    point: Vec<u32>,
    place: Vec<u32>,
    parent: Vec<u32>,
    /// The place after the last one below each.
    end: Vec<u32>,
    /// The cluster of each place.
    cluster: Vec<u32>,
    /// The rows at each place and below it, in the same cluster.
    below: Vec<u64>,
    /// The first place of each cluster.
    root: Vec<u32>,
}

impl<'p> Forest<'p> {
    pub(super) fn new(points: &'p Points, edges: &[Edge]) -> Self {
        let count = points.len();
        let mut forest = Self {
            points,
            point: Vec::with_capacity(count),
            place: vec![0; count],
            parent: Vec::with_capacity(count),
            end: (1..=count as u32).collect(),
            cluster: vec![0; count],
            below: Vec::new(),
            root: vec![0],
        };
        forest.walk(&Neighbours::new(count, edges));
        forest.below = forest.point.iter().map(|&point| points.weights[point as usize]).collect();
        for place in (1..forest.point.len()).rev() {
            let parent = forest.parent[place] as usize;
            forest.below[parent] += forest.below[place];
            forest.end[parent] = forest.end[parent].max(forest.end[place]);
        }
        forest
    }

    /// Numbers the places, depth first.
    fn walk(&mut self, neighbours: &Neighbours) {
        let mut stack = vec![(0_u32, 0_u32)];
        while let Some((point, parent)) = stack.pop() {
            let place = self.point.len() as u32;
            self.point.push(point);
            self.place[point as usize] = place;
            self.parent.push(parent);
            let above = self.point[parent as usize];
            let others = neighbours.of(point).iter().filter(|&&other| place == 0 || other != above);
            stack.extend(others.map(|&other| (other, place)));
        }
    }

    /// The number of clusters.
    pub(super) fn clusters(&self) -> usize {
        self.root.len()
    }

    /// The end of an edge that is farther from the root.
    pub(super) fn lower(&self, edge: &Edge) -> u32 {
        self.place[edge.a as usize].max(self.place[edge.b as usize])
    }

    /// The number of rows in each of the two parts when cutting above a place: below it, and the rest.
    pub(super) fn sides(&self, place: u32) -> (u64, u64) {
        let below = self.below[place as usize];
        let root = self.root[self.cluster[place as usize] as usize];
        (below, self.below[root as usize] - below)
    }

    /// Whether a point is in the part below a place, or else in the rest of its cluster; `None` if it is in another
    /// cluster.
    pub(super) fn side(&self, point: usize, place: u32) -> Option<bool> {
        let own = self.place[point];
        let same = self.cluster[own as usize] == self.cluster[place as usize];
        same.then(|| place <= own && own < self.end[place as usize])
    }

    /// The centre of the part below a place, or of the rest of its cluster.
    pub(super) fn mean_of(&self, place: u32, below: bool) -> Vec<f64> {
        self.points.mean((0..self.points.len()).filter(|&point| self.side(point, place) == Some(below)))
    }

    /// The cluster of a place.
    pub(super) fn cluster_at(&self, place: u32) -> u32 {
        self.cluster[place as usize]
    }

    /// The cluster of a point.
    pub(super) fn cluster_of(&self, point: usize) -> u32 {
        self.cluster_at(self.place[point])
    }

    /// Makes what is below a place a cluster of its own, with the next number.
    pub(super) fn cut(&mut self, place: u32) {
        let (old, new) = (self.cluster[place as usize], self.root.len() as u32);
        let (mut above, rows) = (place, self.below[place as usize]);
        while above != self.root[old as usize] {
            above = self.parent[above as usize];
            self.below[above as usize] -= rows;
        }
        let below = place as usize..self.end[place as usize] as usize;
        self.cluster[below].iter_mut().filter(|cluster| **cluster == old).for_each(|cluster| *cluster = new);
        self.root.push(place);
    }
}

/// The neighbours of each point, side by side.
struct Neighbours {
    start: Vec<u32>,
    all: Vec<u32>,
}

impl Neighbours {
    fn new(count: usize, edges: &[Edge]) -> Self {
        let mut start = vec![0_u32; count + 1];
        let ends = || edges.iter().flat_map(|edge| [(edge.a, edge.b), (edge.b, edge.a)]);
        ends().for_each(|(own, _)| start[own as usize + 1] += 1);
        (0..count).for_each(|point| start[point + 1] += start[point]);
        let mut next = start.clone();
        let mut all = vec![0; 2 * edges.len()];
        for (own, other) in ends() {
            all[next[own as usize] as usize] = other;
            next[own as usize] += 1;
        }
        Self { start, all }
    }

    fn of(&self, point: u32) -> &[u32] {
        &self.all[self.start[point as usize] as usize..self.start[point as usize + 1] as usize]
    }
}
