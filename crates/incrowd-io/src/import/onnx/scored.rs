//! A classifier of several trees, as onnxruntime adds up the weights of their leaves.
//!
//! Of more than two class values each has its own sum, and the highest wins, the first of them on a tie. Of two, the
//! weights are those of one of them, and the second is predicted if their sum is above 0 or, where no weight is
//! negative, above one half (`labels`). With `post_transform` LOGISTIC the sum is then the log-odds of the second value,
//! without one its share. Other combinations are refused.

use super::super::columns::Columns;
use super::super::scored::{ScoredNodes, of_tree};
use super::graph::Operator;
use super::labels::KNOWN;
use super::{Nodes, with_help};
use incrowd_core::model::{Class, Combination, Ensemble, Leaf, LeafContents, Link, Scoring, TieRule};
use incrowd_core::{Error, Result};
use std::collections::{HashMap, HashSet};

/// Whether a classifier is more than one tree.
pub(super) fn is_one(ensemble: &Operator) -> bool {
    let differ = |ids: &[i64]| ids.windows(2).any(|pair| pair[0] != pair[1]);
    let transform = ensemble.strings("post_transform").unwrap_or_default();
    differ(ensemble.ints("nodes_treeids"))
        || transform.first().is_some_and(|transform| transform != "NONE")
        || ensemble.numbers("base_values").iter().any(|&base| base != 0.0)
}

pub(super) fn read(
    ensemble: &Operator,
    nodes: &Nodes<'_>,
    columns: Columns,
    class: Class,
) -> Result<Ensemble> {
    ensemble.attributes_only(
        &[&KNOWN[..], &["post_transform", "base_values", "base_values_as_tensor"]].concat(),
    )?;
    let weights = Weights::new(ensemble, class.values.len())?;
    let scoring = weights.scoring(ensemble, class.values.len())?;
    let starts = starts(nodes.trees)?;
    Ensemble::check_size(starts.len(), nodes.ids.len(), scoring.base.len())?;
    let ends = starts.iter().copied().skip(1).chain([nodes.ids.len()]);
    let (mut members, mut cells) = (Vec::with_capacity(starts.len()), 0);
    for (number, (start, end)) in starts.iter().copied().zip(ends).enumerate() {
        let tree = tree(nodes, &weights, start..end, scoring.base.len());
        let member = tree.and_then(|tree| tree.member(&columns, &mut cells));
        members.push(member.map_err(of_tree(number)).map_err(with_help)?);
    }
    Ensemble::new(columns.attributes, class, members, scoring)
}

/// Where each tree starts. Nodes of a tree that are not next to each other would be several trees.
fn starts(trees: &[i64]) -> Result<Vec<usize>> {
    let starts: Vec<usize> =
        (0..trees.len()).filter(|&place| place == 0 || trees[place] != trees[place - 1]).collect();
    let distinct: HashSet<i64> = starts.iter().map(|&start| trees[start]).collect();
    if starts.is_empty() || distinct.len() < starts.len() {
        return Err(Error::input("the nodes of a tree are not next to each other, or there are none"));
    }
    Ok(starts)
}

fn tree(
    nodes: &Nodes<'_>,
    weights: &Weights,
    places: std::ops::Range<usize>,
    outputs: usize,
) -> Result<ScoredNodes> {
    let start = places.start;
    let leaf = |_: usize| Ok(Leaf { label: 0, told: LeafContents::Nothing });
    let made = places.clone().map(|place| nodes.node(place, start, &leaf)).collect::<Result<Vec<_>>>()?;
    let score = |place: usize| match nodes.modes[place].as_str() {
        "LEAF" => weights.of_leaf((nodes.trees[place], nodes.ids[place]), outputs),
        _ => Ok(Vec::new()),
    };
    let scores = places.map(score).collect::<Result<_>>()?;
    Ok(ScoredNodes { nodes: made, scores, output: (outputs == 1).then_some(0) })
}

/// The weights of all leaves.
struct Weights {
    /// By tree and node: class values and weights.
    of_leaf: HashMap<(i64, i64), Vec<(usize, f64)>>,
    /// Whether all weights are of one of two class values.
    one_sided: bool,
    none_is_negative: bool,
}

impl Weights {
    fn new(ensemble: &Operator, classes: usize) -> Result<Self> {
        let lists = ["class_treeids", "class_nodeids", "class_ids"].map(|name| ensemble.ints(name));
        let (weights, [trees, nodes, ids]) = (ensemble.numbers("class_weights"), lists);
        if lists.iter().any(|list| list.len() != weights.len()) {
            return Err(Error::input("the attributes of the model's leaves are inconsistent"));
        }
        let mut of_leaf: HashMap<(i64, i64), Vec<(usize, f64)>> = HashMap::new();
        for (((&tree, &node), &id), &weight) in trees.iter().zip(nodes).zip(ids).zip(&weights) {
            let class = usize::try_from(id).ok().filter(|&class| class < classes);
            let class = class.ok_or_else(|| Error::input("a leaf names a class value that is not listed"))?;
            of_leaf.entry((tree, node)).or_default().push((class, weight));
        }
        Ok(Self {
            of_leaf,
            one_sided: classes == 2 && ids.windows(2).all(|pair| pair[0] == pair[1]),
            none_is_negative: weights.iter().all(|&weight| weight >= 0.0),
        })
    }

    /// How sums become predictions.
    fn scoring(&self, ensemble: &Operator, classes: usize) -> Result<Scoring> {
        let transform = ensemble.strings("post_transform")?;
        let transform = transform.first().map_or("NONE", String::as_str);
        let base = ensemble.numbers("base_values");
        let (link, base) = match (classes, transform) {
            (2, _) if !self.one_sided => {
                return Err(Error::input(
                    "several trees with weights of both class values are not supported",
                ));
            }
            (2, "LOGISTIC") if !self.none_is_negative => (Link::Logistic, one(&base).map(|base| vec![base])),
            (2, "NONE") if self.none_is_negative => {
                (Link::Identity, one(&base).map(|base| vec![1.0 - base, base]))
            }
            (3.., "NONE" | "SOFTMAX") => {
                let link = if transform == "NONE" { Link::Identity } else { Link::Softmax };
                let all = if base.is_empty() { vec![0.0; classes] } else { base };
                (link, Some(all).filter(|all| all.len() == classes))
            }
            _ => {
                return Err(Error::input(
                    "this post_transform is not supported for the weights of the model's leaves",
                ));
            }
        };
        let base = base.ok_or_else(|| Error::input("the base_values do not match the class values"))?;
        Ok(Scoring { combination: Combination::Sum, base, link, tie: TieRule::First })
    }

    /// The scores of a leaf.
    fn of_leaf(&self, leaf: (i64, i64), outputs: usize) -> Result<Vec<f64>> {
        let missing = || Error::input("a leaf has no weights, or two for one class value");
        let weights = self.of_leaf.get(&leaf).ok_or_else(missing)?;
        if self.one_sided {
            let [(_, weight)] = weights[..] else { return Err(missing()) };
            return Ok(if outputs == 1 { vec![weight] } else { vec![-weight, weight] });
        }
        let mut scores = vec![None; outputs];
        for &(class, weight) in weights {
            if scores[class].replace(weight).is_some() {
                return Err(missing());
            }
        }
        Ok(scores.into_iter().map(|score| score.unwrap_or(0.0)).collect())
    }
}

/// The one base value, or 0; none if there are several.
fn one(base: &[f64]) -> Option<f64> {
    match base {
        [] => Some(0.0),
        [base] => Some(*base),
        _ => None,
    }
}
