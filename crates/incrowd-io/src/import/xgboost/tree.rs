//! A tree of a model.

use super::super::binary::{Binary, Comparison};
use super::super::scored::{ScoredNodes, leaf};
use super::fault;
use incrowd_core::{Error, Result};
use serde::{Deserialize, Deserializer};

/// The lists of a tree, one entry for each node.
#[derive(Deserialize)]
pub(super) struct RawTree {
    tree_param: RawParameters,
    /// The node for yes, negative for a leaf.
    left_children: Vec<i64>,
    right_children: Vec<i64>,
    split_indices: Vec<usize>,
    /// The threshold of a test, or the score of a leaf.
    split_conditions: Vec<f32>,
    #[serde(deserialize_with = "flags")]
    default_left: Vec<bool>,
    /// 1 for a test by categories, else 0. Without this list, `XGBoost` reads no categories.
    split_type: Option<Vec<i64>>,
    /// For each test by categories its node, and where its codes start and how many there are.
    #[serde(default)]
    categories_nodes: Vec<usize>,
    #[serde(default)]
    categories_segments: Vec<usize>,
    #[serde(default)]
    categories_sizes: Vec<usize>,
    #[serde(default)]
    categories: Vec<u32>,
}

#[derive(Deserialize)]
struct RawParameters {
    size_leaf_vector: Option<String>,
}

/// Flags as 0 and 1 or, in older versions, as false and true.
fn flags<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Vec<bool>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Flag {
        Number(u8),
        Word(bool),
    }
    let flags = Vec::<Flag>::deserialize(deserializer)?;
    let flag = |flag| match flag {
        Flag::Number(number) => number != 0,
        Flag::Word(word) => word,
    };
    Ok(flags.into_iter().map(flag).collect())
}

impl RawTree {
    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.left_children.len()
    }

    /// The nodes that can be reached, and whether there are others.
    pub(super) fn read(mut self, output: Option<u32>) -> Result<(ScoredNodes, bool)> {
        let lengths = [
            self.right_children.len(),
            self.split_indices.len(),
            self.split_conditions.len(),
            self.default_left.len(),
            self.split_type.as_ref().map_or(self.len(), Vec::len),
        ];
        if lengths.iter().any(|&length| length != self.len()) {
            return Err(fault("its lists do not all have one entry per node"));
        }
        if !matches!(self.tree_param.size_leaf_vector.as_deref(), None | Some("0" | "1")) {
            return Err(Error::input("leaves with several scores are not supported")
                .help("train the model with multi_strategy=\"one_output_per_tree\""));
        }
        let mut codes = self.codes()?;
        let (order, place) = self.reached()?;
        let node = |&node: &usize| self.node(node, &place, codes[node].take());
        let nodes = order.iter().map(node).collect::<Result<Vec<_>>>()?;
        let score = |(&node, made): (&usize, &Binary)| match made {
            Binary::Leaf(_) => vec![f64::from(self.split_conditions[node])],
            Binary::Test(_) => Vec::new(),
        };
        let scores = order.iter().zip(&nodes).map(score).collect();
        Ok((ScoredNodes { nodes, scores, output }, order.len() < self.len()))
    }

    /// For each node the codes that it lists, ascending.
    fn codes(&mut self) -> Result<Vec<Option<Vec<f64>>>> {
        let wrong = || fault("its lists of categories do not match");
        let (starts, sizes) = (&self.categories_segments, &self.categories_sizes);
        if starts.len() != self.categories_nodes.len() || sizes.len() != self.categories_nodes.len() {
            return Err(wrong());
        }
        // XGBoost goes through the nodes once, and would not find the lists of nodes in another order.
        if !self.categories_nodes.is_sorted_by(|one, next| one < next) {
            return Err(wrong());
        }
        let (mut codes, mut taken) = (vec![None; self.len()], 0_usize);
        for ((&node, &start), &size) in self.categories_nodes.iter().zip(starts).zip(sizes) {
            // Lists do not overlap, so a small file cannot make many codes.
            taken = taken.saturating_add(size);
            let end = start.checked_add(size).filter(|_| taken <= self.categories.len());
            let own = end.and_then(|end| self.categories.get(start..end)).ok_or_else(wrong)?;
            // XGBoost does not load a test without categories.
            if own.is_empty() {
                return Err(fault("a test by categories lists none"));
            }
            let mut own: Vec<f64> = own.iter().copied().map(f64::from).collect();
            own.sort_unstable_by(f64::total_cmp);
            let slot = codes.get_mut(node).ok_or_else(wrong)?;
            *slot = Some(own);
        }
        let agrees = |(node, codes): (usize, &Option<Vec<f64>>)| {
            let kind = self.split_type.as_ref().map_or(0, |kinds| kinds[node]);
            kind == i64::from(codes.is_some())
        };
        if codes.iter().enumerate().all(agrees) {
            return Ok(codes);
        }
        Err(fault("`split_type` does not match the lists of categories"))
    }

    /// The children of a node; none of a leaf.
    fn children(&self, node: usize) -> Result<Option<[usize; 2]>> {
        let place = |number: i64| usize::try_from(number).ok().filter(|&place| place < self.len());
        match (self.left_children[node], self.right_children[node]) {
            (left, right) if left < 0 && right < 0 => Ok(None),
            (left, right) => place(left)
                .zip(place(right))
                .map(|(left, right)| Some([left, right]))
                .ok_or_else(|| fault(format!("node {node} leads to a node that does not exist"))),
        }
    }

    /// The nodes that can be reached from the root, parents first, and the place of each of them.
    fn reached(&self) -> Result<(Vec<usize>, Vec<usize>)> {
        if self.len() == 0 {
            return Err(fault("it has no node"));
        }
        let (mut order, mut place) = (vec![0], vec![usize::MAX; self.len()]);
        place[0] = 0;
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            for child in self.children(node)?.into_iter().flatten() {
                if place[child] != usize::MAX {
                    return Err(fault("the nodes are not a tree: a node has two parents"));
                }
                place[child] = order.len();
                order.push(child);
            }
        }
        Ok((order, place))
    }

    fn node(&self, node: usize, place: &[usize], codes: Option<Vec<f64>>) -> Result<Binary> {
        let Some([left, right]) = self.children(node)? else { return Ok(leaf()) };
        let (left, right, default_left) = (place[left], place[right], self.default_left[node]);
        let feature = self.split_indices[node];
        // A number equal to the threshold goes right, and so do the codes that are listed.
        Ok(Binary::Test(match codes {
            Some(_) => Comparison {
                feature,
                threshold: 0.0,
                strict: true,
                goals: [right, left],
                missing: Some(u32::from(default_left)),
                codes,
            },
            None => Comparison {
                feature,
                threshold: f64::from(self.split_conditions[node]),
                strict: true,
                goals: [left, right],
                missing: Some(u32::from(!default_left)),
                codes: None,
            },
        }))
    }
}
