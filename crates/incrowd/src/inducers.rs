//! The inducers of a comparison, by name.

use incrowd_core::model::{Node, Tree};
use incrowd_core::predict::{outcomes, predict};
use incrowd_core::table::Table;
use incrowd_core::{Error, Result};
use incrowd_eval::inducer::{Classifier, Examples, Inducer, Logistic, NaiveBayes};
use incrowd_mine::tree::{DecisionList, induce_rules, induce_tree};

/// The names of all inducers.
pub const INDUCERS: [&str; 4] = ["c45", "part", "naive-bayes", "logistic"];

/// Returns the inducer with this name, with its default parameters.
///
/// # Errors
/// When the name is unknown; the error lists the known names.
pub fn inducer(name: &str) -> Result<Box<dyn Inducer>> {
    match name {
        "c45" => Ok(Box::new(C45)),
        "part" => Ok(Box::new(Part)),
        "naive-bayes" => Ok(Box::new(NaiveBayes)),
        "logistic" => Ok(Box::new(Logistic::default())),
        _ => Err(Error::parameters(format!("unknown inducer `{name}`"))
            .help(format!("the inducers are: {}", INDUCERS.join(", ")))),
    }
}

/// C4.5: see [`induce_tree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct C45;

impl Inducer for C45 {
    fn name(&self) -> &'static str {
        "c45"
    }

    fn learn(&self, examples: Examples<'_>) -> Result<Box<dyn Classifier>> {
        examples.bind()?;
        let tree = induce_tree(examples.table, examples.class, examples.inputs)?;
        Ok(Box::new(LearnedTree { shares: shares(&tree), tree }))
    }
}

/// A tree with the shares of its nodes.
struct LearnedTree {
    tree: Tree,
    /// One share per node and class, in that order.
    shares: Vec<f64>,
}

impl Classifier for LearnedTree {
    fn classes(&self) -> &[String] {
        &self.tree.class().values
    }

    fn shares(&self, table: &Table) -> Result<Vec<f64>> {
        let classes = self.classes().len();
        let nodes = predict(table, &self.tree)?.node_of_row;
        let of_node = |&node: &u32| &self.shares[node as usize * classes..(node as usize + 1) * classes];
        Ok(nodes.iter().flat_map(of_node).copied().collect())
    }
}

/// The shares of each node of a tree with counts. A node without individuals has the shares of its parent.
fn shares(tree: &Tree) -> Vec<f64> {
    let classes = tree.class().values.len();
    let outcomes = outcomes(tree);
    let mut above = vec![0; tree.nodes().len()];
    let mut shares = Vec::with_capacity(outcomes.len() * classes);
    // Children come after their parents.
    for (place, (node, outcome)) in tree.nodes().iter().zip(outcomes).enumerate() {
        if let Node::Test(test) = node {
            test.children.iter().for_each(|&child| above[child as usize] = place);
        }
        match outcome.shares() {
            Some(own) => shares.extend(own),
            None => shares.extend_from_within(above[place] * classes..(above[place] + 1) * classes),
        }
    }
    shares
}

/// PART: see [`induce_rules`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Part;

impl Inducer for Part {
    fn name(&self) -> &'static str {
        "part"
    }

    fn learn(&self, examples: Examples<'_>) -> Result<Box<dyn Classifier>> {
        examples.bind()?;
        Ok(Box::new(LearnedRules(induce_rules(examples.table, examples.class, examples.inputs)?)))
    }
}

/// Rules, each with the class shares of the rows that it is the first to match.
struct LearnedRules(DecisionList);

impl Classifier for LearnedRules {
    fn classes(&self) -> &[String] {
        &self.0.class().values
    }

    fn shares(&self, table: &Table) -> Result<Vec<f64>> {
        let share = |counts: &[u64]| {
            let sum = counts.iter().sum::<u64>() as f64;
            counts.iter().map(|&count| count as f64 / sum).collect::<Vec<_>>()
        };
        let shares: Vec<Vec<f64>> = self.0.rules().iter().map(|rule| share(&rule.counts)).collect();
        Ok(self.0.first_met(table)?.iter().flat_map(|&rule| &shares[rule as usize]).copied().collect())
    }
}
