//! Boosted trees that are k-anonymous.
//!
//! Public attributes are first recoded into cells of at least k individuals; then gradient boosting learns from the cells
//! and the private attributes. Every tree of the release tests public attributes through the cells only, so a joint span
//! is a union of cells, however many trees there are.
//!
//! Cells are made by dividing the public attributes where their effects on the class differ most (`divide`,
//! `effects`), or they are the leaves of a tree that is grown for the class; cross-validation chooses (`choose`).
//! With [`Structure::Blind`] they are a function of the public attributes alone (`blind`).
//!
//! **Papers.** Friedman, Greedy Function Approximation (Annals of Statistics 2001); Ke and others, `LightGBM` (NIPS 2017)
//! for histograms, growth leaf by leaf and sets of names; Lou, Caruana and Gehrke (KDD 2012) for additive models of
//! stumps; LeFevre, `DeWitt` and Ramakrishnan (ICDE 2006) for dividing by one attribute at a time; Friedman, Wolff and
//! Schuster (VLDB Journal 2008) for spans.
//!
//! **Guarantee.** Cells are made under k, or by the miner of trees under the requirements on the size of groups and on the
//! class ([`crate::tree`]). The finished ensemble is audited for the whole guarantee; if that fails because of private
//! attributes, it is learned again without those that requirements apply to, then without all. Scores are functions of
//! the populations of (cell, private bins, class), and what stands for a cell is a function of the public table
//! (`docs/proofs.md`). Thresholds of private numbers are never the number of an individual.
//!
//! **Running time.** For each round one pass over the rows and half of the features for each level of a tree, about; times
//! folds and kinds of cells for the choice by cross-validation.
//!
//! **Deviations.** Corrections have a penalty of 1, and of 10 more for sets of names; scores are rounded before the next
//! tree is grown; each tree tests a share of the features. Leaves, and the sides of thresholds of private numbers, need k
//! individuals, or 20 if k is larger: k does not depend on them, and a large k there costs up to a point of error on
//! Adult (docs/boost.md).

mod blind;
mod cells;
mod choose;
mod divide;
mod effects;
mod features;
mod fit;
mod grow;
mod packed;
mod params;
mod release;
mod rows;
mod search;
mod settings;
mod single;
#[cfg(test)]
mod tests;

pub use params::{BoostParams, CheckedBoostParams, ScoreDetail};

use crate::Structure;
use crate::alike::unmet_by_rows;
use crate::refused::prints_rare;
use crate::structure::check_blind;
use crate::tree::task::{Attribute, Task as TreeTask, check_classes};
use crate::tree::{TreeMethod, TreeParams};
use cells::{CellTask, Cells, Grain, guarantee_of_cells};
use choose::{Choice, Course, choose, course, sampled};
use divide::CellCheck;
use features::Feature;
use fit::{Boosting, Outcome};
use grow::UNIT;
use incrowd_core::audit::{Report, audit_model};
use incrowd_core::guarantee::{Guarantee, unmet};
use incrowd_core::model::{Class, Ensemble, Model, Node, ScoredTree, Tree};
use incrowd_core::policy::Policy;
use incrowd_core::predict::predict_scores;
use incrowd_core::progress::Progress;
use incrowd_core::span::all_in_days;
use incrowd_core::table::{Column, People, Table};
use incrowd_core::{Error, Result};
use rows::{Rows, Source};
use std::sync::Arc;

/// An ensemble that passed its audit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MinedEnsemble {
    /// The ensemble.
    pub ensemble: Ensemble,
    /// Its figures.
    pub summary: BoostSummary,
    /// The audit it passed.
    pub report: Report,
    /// What the owner should know.
    pub warnings: Vec<String>,
}

/// The figures of a mined ensemble.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct BoostSummary {
    /// The rows of the table.
    pub rows: u64,
    /// The individuals they are about.
    pub individuals: u64,
    /// The number of cells of public attributes.
    pub cells: u64,
    /// The number of rounds, chosen by cross-validation.
    pub rounds: u32,
    /// The most leaves of a tree, the share of the features that it may test, and how much of its correction is added:
    /// given, or chosen by cross-validation. `None` where the ensemble is a single tree.
    pub max_leaves: Option<u32>,
    /// See `max_leaves`.
    pub columns: Option<f64>,
    /// See `max_leaves`.
    pub learning_rate: Option<f64>,
    /// The number of trees.
    pub trees: u64,
    /// The leaves of all trees.
    pub leaves: u64,
    /// The number of non-empty joint spans.
    pub spans: u64,
    /// The largest k that holds.
    pub k: u64,
    /// The individuals exposed to certain inference of something private, at most.
    pub exposed: u64,
    /// The highest confidence an attacker can have in a private value that the guarantee covers; `None` where nothing
    /// was measured.
    pub max_confidence: Option<f64>,
    /// The share of the rows that the ensemble classifies wrongly.
    pub error: f64,
    /// The share of the rows that are wrong if the most frequent class value is always predicted.
    pub most_frequent_error: f64,
    /// Whether every row gets the same prediction.
    pub constant: bool,
}

/// Learns an ensemble from a table under the guarantee of `params`, and audits it.
///
/// # Errors
/// When the table and the policy do not match, even an ensemble without tests would break the guarantee, or the audit
/// does not pass the ensemble: an unsafe ensemble is never returned.
pub fn mine_boost(
    table: &Table,
    policy: &Policy,
    params: &CheckedBoostParams,
    progress: &dyn Progress,
) -> Result<MinedEnsemble> {
    let (table, policy) = &all_in_days(table, policy)?;
    check_classes(table, policy)?;
    if let Some(error) = unmet_by_rows("ensemble", table, &params.guarantee) {
        return Err(error);
    }
    let bound = TreeParams::new(TreeMethod::Best, params.guarantee.clone()).check()?.of_ensemble();
    let attributes = TreeTask::new(table, policy, &bound)?;
    let task = Task::new(table, policy, params, &attributes)?;
    if params.structure == Structure::Blind {
        check_blind(table, policy, &params.guarantee)?;
        return task.mine_blind(progress);
    }
    let stage = progress.stage("choosing", None);
    let choice = match sampled(table) {
        Some((part, share)) => choose_on(&part, share, policy, params, progress)?,
        None => choose(&task, progress)?,
    };
    stage.finish()?;
    let stage = progress.stage("boosting", None);
    let mined = task.mine(choice, progress)?;
    stage.finish()?;
    Ok(mined)
}

/// Chooses on a sample of a share of the rows, under a k that is smaller by as much.
fn choose_on(
    table: &Table,
    share: f64,
    policy: &Policy,
    params: &CheckedBoostParams,
    progress: &dyn Progress,
) -> Result<Choice> {
    let params = params.of_sample(share)?;
    let bound = TreeParams::new(TreeMethod::Best, params.guarantee.clone()).check()?.of_ensemble();
    let attributes = TreeTask::new(table, policy, &bound)?;
    choose(&Task::new(table, policy, &params, &attributes)?, progress)
}

/// Divides a table by the effects of its public attributes on the class: a tree of public tests, whose leaves are cells
/// of at least k individuals of a private class. `may_be_cell` checks some rows if more than that is required.
///
/// # Errors
/// When the table and the policy do not match.
pub(crate) fn divide_by_effects(
    table: &Table,
    policy: &Policy,
    guarantee: &Guarantee,
    may_be_cell: Option<CellCheck<'_>>,
) -> Result<Tree> {
    let (table, policy) = &all_in_days(table, policy)?;
    check_classes(table, policy)?;
    let params = BoostParams::new(guarantee.clone()).check()?;
    let bound = TreeParams::new(TreeMethod::Best, guarantee.clone()).check()?.of_ensemble();
    let attributes = TreeTask::new(table, policy, &bound)?;
    let task = Task::new(table, policy, &params, &attributes)?;
    task.cells().division(Grain::Effects, None, may_be_cell)
}

/// The cells of a blind structure, which a release need not contain: a cell for each row.
#[cfg(test)]
fn blind_cells(table: &Table, policy: &Policy, params: &CheckedBoostParams) -> Result<Vec<u32>> {
    let (table, policy) = &all_in_days(table, policy)?;
    let bound = TreeParams::new(TreeMethod::Best, params.guarantee.clone()).check()?.of_ensemble();
    let attributes = TreeTask::new(table, policy, &bound)?;
    let task = Task::new(table, policy, params, &attributes)?;
    Ok(task.cells().grow(Grain::Blind, None, &incrowd_core::progress::Silent)?.of_row)
}

/// A table to be learned from under a policy.
struct Task<'a> {
    table: &'a Table,
    policy: &'a Policy,
    params: &'a CheckedBoostParams,
    /// The attributes bound to the policy.
    bound: &'a TreeTask<'a>,
    source: Source,
    /// The guarantee of the tree of cells.
    of_cells: Guarantee,
    /// The public attributes.
    public: Vec<Arc<Feature>>,
    /// The private attributes that may be tested.
    private: Vec<Arc<Feature>>,
    /// For each of them whether the guarantee applies to its values.
    in_scope: Vec<bool>,
}

impl<'a> Task<'a> {
    fn new(
        table: &'a Table,
        policy: &'a Policy,
        params: &'a CheckedBoostParams,
        bound: &'a TreeTask<'a>,
    ) -> Result<Self> {
        let of_cells = guarantee_of_cells(&params.guarantee, bound.class_in_scope)?;
        let source = Source {
            class_of_row: Arc::new(bound.class.column.codes().iter().collect()),
            weight_of_row: Arc::new((0..table.rows()).map(|row| u64::from(table.weight(row))).collect()),
            individuals_of_row: Arc::new(individuals_of_rows(table)),
            classes: bound.class.count,
        };
        let feature = |attribute: &Attribute<'_>| Arc::new(Feature::of_attribute(attribute, table));
        let public = bound.attributes.iter().filter(|attribute| attribute.known).map(feature).collect();
        let own = bound.attributes.iter().zip(&bound.in_scope).filter(|(attribute, _)| !attribute.known);
        let (private, in_scope) = own.map(|(attribute, &in_scope)| (feature(attribute), in_scope)).unzip();
        Ok(Self { table, policy, params, bound, source, of_cells, public, private, in_scope })
    }

    fn cells(&self) -> CellTask<'_> {
        let class = self.bound.class.column.name();
        CellTask {
            table: self.table,
            policy: self.policy,
            guarantee: &self.of_cells,
            class,
            class_known: self.bound.class.known,
            source: &self.source,
            public: &self.public,
            private: &self.private,
        }
    }

    /// Whether public attributes may be divided under k alone: nothing else is required of cells, individuals have one
    /// row each, and what is possible for them does not depend on public attributes.
    fn may_divide(&self) -> bool {
        let has_subjects = matches!(self.table.people(), People::Subjects { .. });
        self.of_cells.is_only_k().is_some() && !has_subjects && !self.bound.tied && !self.public.is_empty()
    }

    /// What trees may test: what cells define, and private attributes.
    fn features(&self, cells: &Cells) -> Vec<Arc<Feature>> {
        self.features_with(cells, |_| true)
    }

    fn features_with(&self, cells: &Cells, takes: impl Fn(usize) -> bool) -> Vec<Arc<Feature>> {
        let of_cells = cells.tree.iter().flat_map(|tree| {
            (0..tree.attributes().len()).map(|place| Arc::new(Feature::of_cells(tree, place, &cells.of_row)))
        });
        let private = (0..self.private.len()).filter(|&place| takes(place));
        of_cells.chain(private.map(|place| self.private[place].clone())).collect()
    }

    /// Learns with cells that public attributes alone determine. What breaks the guarantee is refused: a second try
    /// would reveal that the first one failed.
    fn mine_blind(&self, progress: &dyn Progress) -> Result<MinedEnsemble> {
        if self.bound.class.known {
            return Err(Error::parameters("a structure cannot be blind if the class is public")
                .of_parameter("structure")
                .help("cells would have to be of one class value each; choose another structure"));
        }
        let stage = progress.stage("choosing", None);
        let cells = self.cells().grow(Grain::Blind, None, progress)?;
        if !blind::cells_hold(self, &cells)? {
            return Err(breaks_blindly());
        }
        let course = course(self, &cells, progress)?;
        stage.finish()?;
        let _stage = progress.stage("boosting", None);
        self.learned(&cells, &|_| true, course)?
            .map_err(|report| prints_rare(&report).unwrap_or_else(breaks_blindly))
    }

    /// Learns with what was chosen, and with less if the audit fails.
    fn mine(&self, choice: Choice, progress: &dyn Progress) -> Result<MinedEnsemble> {
        if choice.grain == Grain::Tree
            && let Ok(mined) = self.audited(self.single(progress)?, None)?
        {
            return Ok(mined);
        }
        let cells = self.cells().grow(choice.grain, None, progress)?;
        let one = self.cells().grow(Grain::One, None, progress)?;
        let takes: [(&Cells, &dyn Fn(usize) -> bool); 4] = [
            (&cells, &|_| true),
            (&cells, &|place| !self.in_scope[place]),
            (&cells, &|_| false),
            (&one, &|_| false),
        ];
        let mut refused = None;
        for (cells, takes) in takes {
            progress.check()?;
            match self.learned(cells, takes, choice.course)? {
                Ok(mined) => return Ok(mined),
                Err(report) => refused = Some(report),
            }
        }
        Err(match refused.as_deref().and_then(prints_rare) {
            Some(error) => error,
            None => self.hopeless(refused.as_deref()),
        })
    }

    /// The ensemble with its audit; the report if that fails.
    fn learned(
        &self,
        cells: &Cells,
        takes: &dyn Fn(usize) -> bool,
        course: Course,
    ) -> Result<std::result::Result<MinedEnsemble, Box<Report>>> {
        let features = self.features_with(cells, takes);
        let rows = Rows::new(&self.source, &features, None);
        let is_blind = self.params.structure == Structure::Blind;
        let rows = if is_blind { rows.merged() } else { rows };
        let mut boosting = Boosting::new(rows, None, self.params.plan(course.setting));
        boosting.advance(course.rounds);
        let fitted = boosting.fitted();
        let ensemble = release::ensemble(&fitted, cells, &features, class(self.bound.class.column))?;
        self.audited(ensemble, Some((course, fitted.outcome)))
    }

    /// An ensemble with its audit; the report if that fails.
    fn audited(
        &self,
        ensemble: Ensemble,
        learned: Option<(Course, Outcome)>,
    ) -> Result<std::result::Result<MinedEnsemble, Box<Report>>> {
        let model = Model::Ensemble(ensemble);
        let report = audit_model(self.table, self.policy, &model, &self.params.guarantee)?;
        if !report.holds {
            return Ok(Err(Box::new(report)));
        }
        let Model::Ensemble(ensemble) = model else { return Err(Error::internal("an ensemble is lost")) };
        // Scores are added up while learning as in predicting.
        let outcome = learned.map_or_else(|| self.outcome(&ensemble), |(_, outcome)| Ok(outcome))?;
        let course = learned.map(|(course, _)| course);
        let summary = self.summary(&ensemble, course, &report, outcome);
        let warnings = self.bound.warnings.iter().chain(&report.warnings).cloned();
        let warnings = warnings.chain(same_for_all(&summary)).collect();
        Ok(Ok(MinedEnsemble { ensemble, summary, report, warnings }))
    }

    /// The error for a guarantee that even the coarsest ensemble breaks, by the first requirement that its audit found
    /// broken.
    fn hopeless(&self, refused: Option<&Report>) -> Error {
        let requirements = self.params.guarantee.requirements();
        let results = refused.map_or(&[][..], |report| &report.asked);
        let broken = requirements.iter().zip(results).find(|(_, result)| result.is_broken_by_spans());
        let column = self.bound.class.column;
        broken.map(|(requirement, _)| requirement).or(requirements.first()).map_or_else(
            || Error::internal("an ensemble without requirements was refused"),
            |broken| unmet("ensemble", broken, self.table.individuals(), (self.table, &[column])),
        )
    }

    /// How an ensemble classifies the rows.
    fn outcome(&self, ensemble: &Ensemble) -> Result<Outcome> {
        let predicted = predict_scores(self.table, ensemble)?.label_of_row;
        let rows = predicted.iter().zip(&*self.source.class_of_row).zip(&*self.source.weight_of_row);
        let wrong = rows.filter(|((label, class), _)| label != class).map(|(_, weight)| weight).sum();
        Ok(Outcome { wrong, constant: predicted.windows(2).all(|pair| pair[0] == pair[1]) })
    }

    fn summary(
        &self,
        ensemble: &Ensemble,
        course: Option<Course>,
        report: &Report,
        outcome: Outcome,
    ) -> BoostSummary {
        let mut of_class = vec![0_u64; self.source.classes];
        let weights = self.source.class_of_row.iter().zip(&*self.source.weight_of_row);
        weights.for_each(|(&class, weight)| of_class[class as usize] += weight);
        let all: u64 = of_class.iter().sum();
        let share = |rows: u64| rows as f64 / all.max(1) as f64;
        // The leaves of a single tree of public tests are its cells.
        let without = if self.private.is_empty() { report.spans } else { 1 };
        let nodes = ensemble.trees().iter().map(ScoredTree::tree).flat_map(Tree::nodes);
        BoostSummary {
            rows: report.rows,
            individuals: report.individuals,
            cells: ensemble.cells().map_or(without, |cells| cells.values().len() as u64),
            rounds: course.map_or(1, |course| course.rounds),
            max_leaves: course.map(|course| course.setting.leaves),
            columns: course.map(|course| course.setting.columns),
            learning_rate: course.map(|course| course.setting.learning_rate),
            trees: ensemble.trees().len() as u64,
            leaves: nodes.filter(|node| matches!(node, Node::Leaf(_))).count() as u64,
            spans: report.spans,
            k: report.k,
            exposed: report.exposed,
            max_confidence: report.max_confidence,
            error: share(outcome.wrong),
            most_frequent_error: share(all - of_class.iter().max().copied().unwrap_or(0)),
            constant: outcome.constant,
        }
    }
}

/// The warning about an ensemble that predicts the same for every row.
fn same_for_all(summary: &BoostSummary) -> Option<String> {
    let what = if summary.leaves == summary.trees {
        "the ensemble has no tests: it predicts the same class for every row; no test was found that \
         predicts new rows better under this guarantee: other attributes, more rows or a weaker guarantee may help"
    } else {
        "the ensemble predicts the same class for every row: only its scores differ; a weaker guarantee (such as \
         a smaller k), more attributes or balanced class values may help"
    };
    summary.constant.then(|| what.to_owned())
}

/// The error if a blind structure breaks a requirement on private values.
fn breaks_blindly() -> Error {
    Error::unsatisfiable("an ensemble with a blind structure breaks the guarantee").of_parameter("structure").help(
        "a blind structure does not adapt to requirements on private values, which must hold in every cell; choose \
         weaker ones, a larger k or another structure",
    )
}

fn class(column: &Column) -> Class {
    let values = column.values();
    let values = (0..values.len()).map(|code| values.text(code).into_owned()).collect();
    Class { name: column.name().to_owned(), values }
}

/// For each row the individuals it counts for, in units. The rows of one individual together count for one, so that
/// rows never count for more individuals than they are of.
fn individuals_of_rows(table: &Table) -> Vec<i64> {
    let unit = UNIT as i64;
    match table.people() {
        People::Subjects { of_row, count } => {
            let mut rows = vec![0_i64; *count as usize];
            of_row.iter().for_each(|&subject| rows[subject as usize] += 1);
            of_row.iter().map(|&subject| unit / rows[subject as usize].max(1)).collect()
        }
        _ => (0..table.rows()).map(|row| i64::from(table.weight(row)) * unit).collect(),
    }
}
