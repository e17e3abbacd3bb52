//! From the predicates of a node's branches to one test.

use super::field::{Field, FieldValue, Kind};
use super::fields::Precision;
use super::predicate::{self, Truth, ValueSet, Values};
use super::{Element, MissingStrategy, Reader};
use crate::bounds::check_cells;
use crate::release::labels;
use incrowd_core::model::{MissingRoute, Node, Split, Test};
use incrowd_core::{Error, Result};
use std::rc::Rc;

/// The maximum number of steps, in all, to find out whether a value can reach a node.
const STEPS: usize = 1 << 24;

/// Where values go from a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// On with a branch of the file.
    Node(usize),
    /// Continues with the branches of the same node that test another field.
    Rest,
    /// The node's own score is predicted.
    Score,
    /// Nothing is predicted.
    Nothing,
}

/// A node with branches, and what these take.
pub(super) struct BranchingNode {
    field: usize,
    /// What the first branches take, up to one that tests another field.
    pub(super) taken: Vec<ValueSet>,
    /// Whether more branches follow.
    has_more: bool,
    /// The branch of missing values where the file names one.
    default: Option<usize>,
    has_score: bool,
}

impl BranchingNode {
    pub(super) fn new(
        reader: &Reader<'_>,
        node: Element<'_, '_>,
        branches: &[Element<'_, '_>],
    ) -> Result<Self> {
        let (mut asked, mut taken) = (None, Vec::new());
        for branch in branches {
            let next = predicate::of_node(&reader.fields, *branch)?;
            if let ValueSet::Of { field, .. } = next
                && *asked.get_or_insert(field) != field
            {
                break;
            }
            let is_last = next == ValueSet::Everything;
            taken.push(next);
            if is_last && asked.is_some() {
                break;
            }
        }
        let field = asked.ok_or_else(|| Error::input("the branches of a node ask no field"))?;
        let is_open = taken.last() != Some(&ValueSet::Everything);
        let child = node.attribute("defaultChild");
        let default = child.and_then(|child| branches.iter().position(|b| b.attribute("id") == Some(child)));
        // A branch after these is reached by those whom these do not take, and cannot be reached by others, too.
        let default = default.filter(|&default| default < taken.len());
        let has_more = is_open && taken.len() < branches.len();
        Ok(Self { field, taken, has_more, default, has_score: node.attribute("score").is_some() })
    }
}

/// A tree in the making.
pub(super) struct Making {
    pub(super) nodes: Vec<Option<Node>>,
    /// The parent of each node, and the branch that leads to it.
    parents: Vec<(u32, u32)>,
    /// The attribute of each field.
    attributes: Rc<[usize]>,
    cells: usize,
    steps: usize,
}

impl Making {
    /// A tree whose fields are these attributes, after others whose tests cover `cells` values.
    pub(super) fn new(attributes: Rc<[usize]>, cells: usize) -> Self {
        Self { nodes: vec![None], parents: vec![(0, 0)], attributes, cells, steps: 0 }
    }

    /// The number of values that tests cover.
    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    /// A place for a node.
    pub(super) fn add(&mut self, parent: u32, branch: u32) -> usize {
        self.nodes.push(None);
        self.parents.push((parent, branch));
        self.nodes.len() - 1
    }

    /// The tests of an attribute above a node, with the branches that lead here.
    fn above(&mut self, node: usize, attribute: usize) -> Result<Vec<(&Split, u32)>> {
        let mut found = Vec::new();
        let mut at = node;
        while at != 0 {
            self.steps += 1;
            let (parent, branch) = self.parents[at];
            if let Some(Node::Test(test)) = &self.nodes[parent as usize]
                && test.attribute == attribute
            {
                found.push((&test.split, branch));
            }
            at = parent as usize;
        }
        if self.steps > STEPS {
            return Err(Error::input("the tree leaves too many values without a prediction"));
        }
        Ok(found)
    }

    /// The numbers that can reach a node: above the first, and up to the second.
    fn numbers_at(&mut self, node: usize, attribute: usize) -> Result<(f64, f64)> {
        let mut reach = (f64::NEG_INFINITY, f64::INFINITY);
        for (split, branch) in self.above(node, attribute)? {
            let Split::Thresholds(thresholds) = split else { continue };
            let branch = branch as usize;
            if let Some(low) = branch.checked_sub(1).and_then(|before| thresholds.get(before)) {
                reach.0 = reach.0.max(*low);
            }
            if let Some(high) = thresholds.get(branch) {
                reach.1 = reach.1.min(*high);
            }
            if branch > thresholds.len() {
                reach = (f64::INFINITY, f64::NEG_INFINITY);
            }
        }
        Ok(reach)
    }

    /// Which of the attribute's values can reach a node.
    fn values_at(&mut self, node: usize, attribute: usize, values: usize) -> Result<Vec<bool>> {
        let mut reach = vec![true; values];
        for (split, branch) in self.above(node, attribute)? {
            let Split::Values(of_value) = split else { continue };
            reach.iter_mut().zip(of_value).for_each(|(reach, of)| *reach &= *of == Some(branch));
        }
        Ok(reach)
    }
}

impl Reader<'_> {
    /// The test of a node, and where its branches lead.
    pub(super) fn test(
        &self,
        asked: &BranchingNode,
        place: usize,
        making: &mut Making,
    ) -> Result<(Test, Vec<Goal>)> {
        let field = self.fields.field(asked.field);
        making.cells += asked.taken.len() * (field.known.len() + 1);
        check_cells(making.cells)?;
        match field.kind {
            Kind::Number => self.by_number(asked, field, place, making),
            _ => self.by_value(asked, field, place, making),
        }
    }

    /// Where a value goes for which every branch decides whether it takes it.
    fn goal(&self, asked: &BranchingNode, truth: impl Fn(&ValueSet) -> Truth) -> Goal {
        let score = if asked.has_score { Goal::Score } else { Goal::Nothing };
        for (i, taken) in asked.taken.iter().enumerate() {
            match (truth(taken), self.missing) {
                (Truth::True, _) => return Goal::Node(i),
                (Truth::False, _) | (Truth::Unknown, MissingStrategy::None) => {}
                (Truth::Elsewhere, _) | (Truth::Unknown, MissingStrategy::Null) => return Goal::Nothing,
                (Truth::Unknown, MissingStrategy::Last) => return score,
                (Truth::Unknown, MissingStrategy::DefaultChild) => {
                    return asked.default.map_or(Goal::Nothing, Goal::Node);
                }
            }
        }
        match (asked.has_more, self.last_prediction) {
            (true, _) => Goal::Rest,
            (false, true) => score,
            (false, false) => Goal::Nothing,
        }
    }

    fn by_number(
        &self,
        asked: &BranchingNode,
        field: &Field,
        place: usize,
        making: &mut Making,
    ) -> Result<(Test, Vec<Goal>)> {
        let attribute = making.attributes[asked.field];
        let mut cells = Vec::new();
        let (mut low, mut reach) = (f64::NEG_INFINITY, None);
        let ends = ends(&asked.taken);
        self.fields.steps.take(ends.len().saturating_mul(asked.taken.iter().map(ValueSet::size).sum()))?;
        for end in ends {
            let mut goal = Some(self.goal(asked, |taken| taken.number(end)));
            if goal == Some(Goal::Nothing) {
                if reach.is_none() {
                    reach = Some(making.numbers_at(place, attribute)?);
                }
                if reach.is_some_and(|(from, up_to)| from.max(low) < up_to.min(end)) {
                    return Err(nothing_predicted());
                }
                goal = None;
            }
            cells.push((end, goal));
            low = end;
        }
        let (thresholds, mut goals) = merged(&cells)?;
        let mut labels = labels::of_thresholds(&thresholds, false);
        let missing = match field.seen_of_missing() {
            FieldValue::Value(text) => {
                let (_, number) = predicate::up_to(text, Precision::default())?;
                MissingRoute::Branch(thresholds.partition_point(|&threshold| threshold < number) as u32)
            }
            _ => match self.goal(asked, ValueSet::missing) {
                Goal::Nothing => MissingRoute::Stop,
                goal => MissingRoute::Branch(branch_of(goal, &mut goals, &mut labels)),
            },
        };
        let split = Split::Thresholds(thresholds);
        let children = children(making, &goals);
        Ok((Test { attribute, split, labels, children, otherwise: None, missing }, goals))
    }

    fn by_value(
        &self,
        asked: &BranchingNode,
        field: &Field,
        place: usize,
        making: &mut Making,
    ) -> Result<(Test, Vec<Goal>)> {
        let attribute = making.attributes[asked.field];
        let goal_of = |seen: FieldValue<'_>| match seen {
            FieldValue::Value(value) => self.goal(asked, |taken| taken.name(field.place(value))),
            FieldValue::Other => self.goal(asked, |taken| taken.name(None)),
            FieldValue::Missing => self.goal(asked, ValueSet::missing),
            FieldValue::Refused => Goal::Nothing,
        };
        let values: Vec<&String> = field.possible().collect();
        let mut found: Vec<Goal> = values.iter().map(|value| goal_of(field.seen(value))).collect();
        if found.contains(&Goal::Nothing) {
            let reach = making.values_at(place, attribute, values.len())?;
            if found.iter().zip(reach).any(|(goal, reach)| *goal == Goal::Nothing && reach) {
                return Err(nothing_predicted());
            }
            // No one comes here with these values.
            found.iter_mut().filter(|goal| **goal == Goal::Nothing).for_each(|goal| *goal = Goal::Node(0));
        }
        let mut goals: Vec<Goal> = Vec::new();
        let mut place_of = |goal: Goal| {
            let known = goals.iter().position(|other| *other == goal);
            known.unwrap_or_else(|| {
                goals.push(goal);
                goals.len() - 1
            }) as u32
        };
        let of_value: Vec<Option<u32>> = found.into_iter().map(|goal| Some(place_of(goal))).collect();
        let mut route = |seen: FieldValue<'_>| {
            Some(goal_of(seen)).filter(|goal| *goal != Goal::Nothing).map(&mut place_of)
        };
        let otherwise = route(field.seen_of_others());
        let missing = route(field.seen_of_missing()).map_or(MissingRoute::Stop, MissingRoute::Branch);
        let label = |branch: u32| {
            let own = of_value.iter().zip(&values).filter(|(of, _)| **of == Some(branch));
            let names: Vec<&str> = own.map(|(_, name)| name.as_str()).collect();
            let only_missing = names.is_empty() && otherwise != Some(branch);
            if only_missing { "missing".to_owned() } else { labels::of_values(&names) }
        };
        let labels = (0..goals.len() as u32).map(label).collect();
        let children = children(making, &goals);
        Ok((Test { attribute, split: Split::Values(of_value), labels, children, otherwise, missing }, goals))
    }
}

fn children(making: &Making, goals: &[Goal]) -> Vec<u32> {
    (making.nodes.len() as u32..).take(goals.len()).collect()
}

fn nothing_predicted() -> Error {
    Error::input("the tree predicts nothing for a value that no branch of a node takes")
        .help("write it with noTrueChildStrategy=\"returnLastPrediction\" and a score for every node")
}

/// The branch that leads to a goal; a new one, for missing values alone, if there is none.
fn branch_of(goal: Goal, goals: &mut Vec<Goal>, labels: &mut Vec<String>) -> u32 {
    let place = goals.iter().position(|other| *other == goal);
    place.unwrap_or_else(|| {
        goals.push(goal);
        labels.push("missing".to_owned());
        goals.len() - 1
    }) as u32
}

/// The upper ends of the cells of numbers that no branch parts, the last infinite.
fn ends(taken: &[ValueSet]) -> Vec<f64> {
    let mut ends: Vec<f64> = vec![f64::INFINITY];
    for taken in taken {
        if let ValueSet::Of { values: Values::Numbers(intervals), .. } = taken {
            ends.extend(intervals.iter().flat_map(|&(low, high)| [low, high]).filter(|end| end.is_finite()));
        }
    }
    ends.sort_unstable_by(f64::total_cmp);
    ends.dedup();
    ends
}

/// Cells side by side that lead to the same goal are one branch; one that no number reaches goes with its neighbour.
fn merged(cells: &[(f64, Option<Goal>)]) -> Result<(Vec<f64>, Vec<Goal>)> {
    let (mut thresholds, mut goals): (Vec<f64>, Vec<Goal>) = (Vec::new(), Vec::new());
    let mut before = None;
    for &(end, goal) in cells {
        if let Some(goal) = goal
            && goals.last() != Some(&goal)
        {
            // What no number reaches goes with the goal before it, or with the first.
            if !goals.is_empty() {
                thresholds.extend(before);
            }
            goals.push(goal);
        }
        before = Some(end);
    }
    if goals.is_empty() {
        goals.push(Goal::Node(0));
    }
    let mut nodes: Vec<usize> = goals
        .iter()
        .filter_map(|goal| match goal {
            Goal::Node(node) => Some(*node),
            Goal::Rest => Some(usize::MAX),
            Goal::Score | Goal::Nothing => None,
        })
        .collect();
    nodes.sort_unstable();
    if nodes.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Error::input("a branch takes intervals with a gap between them"));
    }
    Ok((thresholds, goals))
}
