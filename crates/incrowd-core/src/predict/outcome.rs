//! What a tree predicts at each of its nodes.

use crate::model::{Leaf, LeafContents, Node, Shares, Tree};

/// What a tree predicts at a node, and the individuals there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The class value it predicts.
    pub label: u32,
    /// What is released about the individuals at the node or below it: populations where every leaf there has them,
    /// shares at leaves only.
    pub told: LeafContents,
    /// The number of leaves at the node or below it.
    pub leaves: u32,
}

impl Outcome {
    /// The population of each class value; `None` where this is not released.
    pub fn counts(&self) -> Option<&[u64]> {
        self.told.counts()
    }

    /// The number of individuals that the tree knows there; `None` where this is not released.
    pub fn population(&self) -> Option<u64> {
        self.counts().map(|counts| counts.iter().fold(0, |sum: u64, &count| sum.saturating_add(count)))
    }

    /// The share of each class value, rounded where only this is released; `None` where nothing is released or there
    /// are no individuals.
    pub fn shares(&self) -> Option<Vec<f64>> {
        let Some(counts) = self.counts() else { return self.told.shares().map(Shares::numbers) };
        let sum = self.population().filter(|&sum| sum > 0)?;
        Some(counts.iter().map(|&count| count as f64 / sum as f64).collect())
    }

    fn of_leaf(leaf: &Leaf) -> Self {
        Self { label: leaf.label, told: leaf.told.clone(), leaves: 1 }
    }

    fn add(&mut self, other: &Self) {
        self.leaves += other.leaves;
        match (&mut self.told, &other.told) {
            (LeafContents::Counts(counts), LeafContents::Counts(more)) => {
                counts.iter_mut().zip(more).for_each(|(count, more)| *count = count.saturating_add(*more));
            }
            // Shares cannot be put together by someone who does not know of how many individuals they are.
            (told, _) => *told = LeafContents::Nothing,
        }
    }
}

/// What a tree predicts at each node, in the order of its nodes. Takes time in proportion to nodes and class values.
pub fn outcomes(tree: &Tree) -> Vec<Outcome> {
    let classes = tree.class().values.len();
    let empty = || Outcome { label: 0, told: LeafContents::Counts(vec![0; classes]), leaves: 0 };
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut votes: Vec<Vec<u32>> = vec![Vec::new(); tree.nodes().len()];
    outcomes.resize_with(tree.nodes().len(), empty);
    // Children come after their parents, so from the end on everything below a node is known when it is met.
    for (i, node) in tree.nodes().iter().enumerate().rev() {
        match node {
            Node::Leaf(leaf) => {
                outcomes[i] = Outcome::of_leaf(leaf);
                votes[i] = vec![0; classes];
                votes[i][leaf.label as usize] = 1;
            }
            Node::Test(test) => {
                let (mut sum, mut below) = (empty(), vec![0; classes]);
                for &child in &test.children {
                    sum.add(&outcomes[child as usize]);
                    let of_child = std::mem::take(&mut votes[child as usize]);
                    below.iter_mut().zip(of_child).for_each(|(votes, more)| *votes += more);
                }
                sum.label = majority(&sum, &below);
                (outcomes[i], votes[i]) = (sum, below);
            }
        }
    }
    outcomes
}

fn majority(outcome: &Outcome, votes: &[u32]) -> u32 {
    match outcome.counts() {
        Some(counts) if counts.iter().any(|&count| count > 0) => first_highest(counts),
        _ => first_highest(votes),
    }
}

fn first_highest<T: Ord>(numbers: &[T]) -> u32 {
    let best = (0..numbers.len()).rev().max_by_key(|&i| &numbers[i]);
    best.map_or(0, |class| class as u32)
}
