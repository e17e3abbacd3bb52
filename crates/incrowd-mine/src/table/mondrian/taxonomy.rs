//! Divisions of names along their taxonomy.

use super::super::params::Criterion;
use super::super::scale::Scale;
use super::counts::Counts;
use super::score::{Judge, Shortlist, Side, Way};
use incrowd_core::taxonomy::{Taxonomy, TaxonomyNode};

/// Proposes each group below the common one against the rest, and all groups directly below it.
pub(super) fn propose(
    place: usize,
    scale: &Scale<'_>,
    taxonomy: &Taxonomy,
    counts: &Counts,
    judge: &Judge,
    shortlist: &mut Shortlist,
) {
    let Some(cover) = taxonomy.cover(counts.codes.iter().copied()) else { return };
    let groups = Groups::below(scale, taxonomy, cover, counts);
    groups.propose_all(place, judge, shortlist);
    for i in 0..groups.list.len() {
        groups.propose_one(place, i, judge, shortlist);
    }
}

/// A group that occurs.
struct Group {
    node: TaxonomyNode,
    weight: u64,
    of_class: Vec<u64>,
    /// The lowest group over all that occurs in it.
    tight: TaxonomyNode,
}

/// The groups that occur below a common one, level by level.
struct Groups<'a> {
    scale: &'a Scale<'a>,
    taxonomy: &'a Taxonomy,
    cover: TaxonomyNode,
    all: u64,
    of_class: Vec<u64>,
    list: Vec<Group>,
    /// The places of those directly below the common one.
    top: Vec<usize>,
}

impl<'a> Groups<'a> {
    fn below(scale: &'a Scale<'a>, taxonomy: &'a Taxonomy, cover: TaxonomyNode, counts: &Counts) -> Self {
        let mut list: Vec<Group> = Vec::new();
        for i in 0..counts.len() {
            let mut node = taxonomy.leaf(counts.codes[i]);
            while node != cover {
                let of_class = if counts.classes > 0 { counts.of_class(i).to_vec() } else { Vec::new() };
                list.push(Group { node, weight: counts.weights[i], of_class, tight: node });
                let Some(parent) = taxonomy.parent(node) else { break };
                node = parent;
            }
        }
        list.sort_by_key(|group| group.node);
        list.dedup_by(|next, group| {
            let same = next.node == group.node;
            if same {
                group.weight += next.weight;
                group.of_class.iter_mut().zip(&next.of_class).for_each(|(sum, n)| *sum += n);
            }
            same
        });
        let mut of_class = vec![0; counts.classes];
        for i in 0..counts.len() {
            if counts.classes > 0 {
                of_class.iter_mut().zip(counts.of_class(i)).for_each(|(sum, n)| *sum += n);
            }
        }
        let is_top = |place: &usize| taxonomy.parent(list[*place].node) == Some(cover);
        let top = (0..list.len()).filter(is_top).collect();
        let mut groups =
            Self { scale, taxonomy, cover, all: counts.weights.iter().sum(), of_class, list, top };
        groups.tighten();
        groups
    }

    /// A group of which all is in one group below is as tight as that. The lowest come last, so they are known when
    /// they are needed.
    fn tighten(&mut self) {
        for i in (0..self.list.len()).rev() {
            let Some(above) = self.taxonomy.parent(self.list[i].node).and_then(|parent| self.find(parent))
            else {
                continue;
            };
            if self.list[above].weight == self.list[i].weight {
                self.list[above].tight = self.list[i].tight;
            }
        }
    }

    fn find(&self, node: TaxonomyNode) -> Option<usize> {
        self.list.binary_search_by_key(&node, |group| group.node).ok()
    }

    /// The groups directly below the common one.
    fn top(&self) -> impl Iterator<Item = &Group> {
        self.top.iter().map(|&place| &self.list[place])
    }

    fn side(&self, group: &Group) -> Side {
        (group.weight, self.scale.loss_of_group(self.taxonomy, group.tight))
    }

    /// What is left outside a group.
    fn outside(&self, group: &Group) -> Side {
        // Every group is in one of those directly below. Only where these are two can the rest be all of one of them.
        let node = match self.top[..] {
            [first, second] => {
                let (first, second) = (&self.list[first], &self.list[second]);
                let is_in_first = self.taxonomy.contains(first.node, group.node);
                let (own, other) = if is_in_first { (first, second) } else { (second, first) };
                if own.weight == group.weight { other.tight } else { self.cover }
            }
            _ => self.cover,
        };
        (self.all - group.weight, self.scale.loss_of_group(self.taxonomy, node))
    }

    /// One group against the rest.
    fn propose_one(&self, place: usize, i: usize, judge: &Judge, shortlist: &mut Shortlist) {
        let group = &self.list[i];
        let parent = self.taxonomy.parent(group.node).and_then(|parent| self.find(parent));
        if parent.is_some_and(|parent| self.list[parent].weight == group.weight) {
            return; // The group above is the same people.
        }
        let rest = self.of_class.iter().zip(&group.of_class).map(|(all, own)| all - own);
        let of_class: Vec<u64> = group.of_class.iter().copied().chain(rest).collect();
        let own = self.side(group);
        let way = || Way::Group(group.node);
        if let Some(score) = judge.score(&[own, self.outside(group)], &of_class) {
            shortlist.propose(place, score, false, way);
        }
        if let Some(score) = judge.score_aside(own) {
            shortlist.propose(place, score, true, way);
        }
    }

    /// All groups directly below, those too small by themselves together.
    fn propose_all(&self, place: usize, judge: &Judge, shortlist: &mut Shortlist) {
        let (large, small): (Vec<&Group>, Vec<&Group>) =
            self.top().partition(|top| top.weight >= judge.least);
        let mut sides: Vec<Side> = large.iter().map(|group| self.side(group)).collect();
        let mut of_class: Vec<u64> = large.iter().flat_map(|group| &group.of_class).copied().collect();
        match &small[..] {
            [] => {}
            [only] => sides.push(self.side(only)),
            _ => {
                let weight = small.iter().map(|group| group.weight).sum();
                sides.push((weight, self.scale.loss_of_group(self.taxonomy, self.cover)));
            }
        }
        let classes = if judge.criterion == Criterion::Gain { judge.classes } else { 0 };
        if !small.is_empty() {
            of_class.extend((0..classes).map(|class| small.iter().map(|g| g.of_class[class]).sum::<u64>()));
        }
        // Two groups against each other are proposed one against the rest.
        if sides.len() < 3 {
            return;
        }
        if let Some(score) = judge.score(&sides, &of_class) {
            shortlist.propose(place, score, false, || {
                let part = |child: TaxonomyNode| {
                    large.iter().position(|group| group.node == child).unwrap_or(large.len())
                };
                let parts = self.taxonomy.children(self.cover).map(|child| part(child) as u32).collect();
                Way::Children(self.cover, parts)
            });
        }
    }
}
