//! One tree as an ensemble: without private attributes, every function of cells is a tree, and the miner of trees is the
//! one that chooses it best.

use super::Task;
use super::fit::rounded;
use super::params::ScoreDetail;
use crate::sample::Part;
use crate::tree::{TreeMethod, TreeParams, mine_tree};
use incrowd_core::Result;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::{
    Combination, Ensemble, Leaf, LeafContents, Link, Member, Node, Scoring, TieRule, Tree,
};
use incrowd_core::predict::predict;
use incrowd_core::progress::{Progress, Silent};

impl Task<'_> {
    /// The tree by [`TreeMethod::Best`] under the whole guarantee.
    fn best_tree(&self, guarantee: &Guarantee, part: Option<&Part>, progress: &dyn Progress) -> Result<Tree> {
        let params = TreeParams::new(TreeMethod::Best, guarantee.clone()).check()?;
        let learned = part.map(|part| part.of(self.table));
        Ok(mine_tree(learned.as_ref().unwrap_or(self.table), self.policy, &params, progress)?.tree)
    }

    /// The weight of held-out rows that a tree learned from the others classifies wrongly; everything if there is none.
    pub(super) fn wrong_of_tree(&self, guarantee: &Guarantee, learned: &Part, held: &Part) -> f64 {
        let weight = |place: usize| f64::from(held.weight(self.table, place));
        let places = 0..held.rows.len();
        let tried = self.best_tree(guarantee, Some(learned), &Silent).and_then(|tree| {
            let predicted = predict(&self.table.select(&held.rows), &tree)?;
            let class = |place: usize| self.source.class_of_row[held.rows[place] as usize];
            let is_wrong = |&place: &usize| predicted.of(place).label != class(place);
            Ok(places.clone().filter(is_wrong).map(weight).sum())
        });
        tried.unwrap_or_else(|_| places.map(weight).sum())
    }

    /// The tree by [`TreeMethod::Best`] with the log-odds of its leaves as scores, or with a vote for their labels.
    pub(super) fn single(&self, progress: &dyn Progress) -> Result<Ensemble> {
        let tree = self.best_tree(&self.params.guarantee, None, progress)?;
        let classes = self.source.classes;
        let mut counts = vec![vec![0.5; classes]; tree.nodes().len()];
        for (row, &node) in predict(self.table, &tree)?.node_of_row.iter().enumerate() {
            counts[node as usize][self.source.class_of_row[row] as usize] +=
                self.source.weight_of_row[row] as f64;
        }
        let digits = self.params.digits;
        let votes = self.params.detail == ScoreDetail::Labels;
        let of_leaf = |counts: &[f64]| -> Vec<f64> {
            let all: f64 = counts.iter().sum();
            match counts {
                [first, second] if votes => vec![f64::from(second.total_cmp(first) as i8)],
                _ if votes => {
                    // The first of several.
                    let most = counts.iter().copied().fold(0.0, f64::max);
                    let label = counts.iter().position(|&own| own >= most);
                    (0..counts.len()).map(|place| f64::from(u8::from(Some(place) == label))).collect()
                }
                [first, second] => vec![rounded((second / first).ln(), digits)],
                _ => counts.iter().map(|own| rounded((own / all).ln(), digits)).collect(),
            }
        };
        let (mut nodes, mut scores) = (tree.nodes().to_vec(), Vec::new());
        for (node, counts) in nodes.iter_mut().zip(&counts) {
            let is_leaf = matches!(node, Node::Leaf(_));
            scores.push(if is_leaf { of_leaf(counts) } else { Vec::new() });
            if is_leaf {
                *node = Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing });
            }
        }
        let is_binary = classes == 2;
        let link = if is_binary { Link::Logistic } else { Link::Softmax };
        let base = vec![0.0; if is_binary { 1 } else { classes }];
        let scoring = Scoring { combination: Combination::Sum, base, link, tie: TieRule::First };
        let member = Member { nodes, output: is_binary.then_some(0), scores };
        Ensemble::new(
            tree.attributes().to_vec(),
            super::class(self.bound.class.column),
            vec![member],
            scoring,
        )
    }
}
