//! Selects a large, useful subset of rules that meets the guarantee, greedily: starting with the most useful rule, each
//! rule is taken if it meets the guarantee together with the rules taken so far.
//!
//! Two or more rules can break the guarantee together, so finding the largest subset would need a search. Requirements
//! on private values can hold again when more is released (a value can be one of several only if the others are
//! released too), so with such requirements the rules left out are tried again until none can be added. A rule that
//! would open a cell is also tried again if a rule taken later publishes this cell directly. At the end, no rule that
//! was left out could be added.
//!
//! If a smallest bin could not be proven for some rules, the rules are chosen once more so that it is proven span by
//! span; the choice with more rules is taken.

use super::candidates::Candidate;
use super::params::CheckedRuleParams;
use super::spans::{Broken, Question, Spans};
use super::task::Task;
use super::watch::{Opened, Proof, Watch};
use incrowd_core::Result;
use incrowd_core::printed::required_holders;
use incrowd_core::progress::Progress;

/// Why a rule is left out.
pub(super) enum Why {
    /// A small group of individuals could be distinguished, or too much about them.
    Span(Broken),
    /// Too much would follow from the supports.
    Opened(Opened),
    /// It prints a private value that few individuals have; at least this many must.
    Rare(u64),
}

/// Which candidates are taken, and why the others are not.
pub(super) struct Selection {
    pub(super) taken: Vec<usize>,
    pub(super) left_out: Vec<(usize, Why)>,
}

pub(super) fn select(
    task: &Task<'_>,
    params: &CheckedRuleParams,
    candidates: &[Candidate],
    progress: &dyn Progress,
) -> Result<Selection> {
    let by_any = select_by(task, params, candidates, Proof::Any, progress)?;
    let is_unproven = |(_, why): &(usize, Why)| matches!(why, Why::Opened(Opened::Unproven(_)));
    if !by_any.left_out.iter().any(is_unproven) {
        return Ok(by_any);
    }
    let by_spans = select_by(task, params, candidates, Proof::BySpans, progress)?;
    Ok(if by_spans.taken.len() > by_any.taken.len() { by_spans } else { by_any })
}

fn select_by(
    task: &Task<'_>,
    params: &CheckedRuleParams,
    candidates: &[Candidate],
    mut proof: Proof,
    progress: &dyn Progress,
) -> Result<Selection> {
    let guarantee = &params.guarantee;
    let mut choice = Choice {
        task,
        spans: Spans::new(task, guarantee)?,
        watch: Watch::new(task, params, proof),
        required: required_holders(guarantee),
    };
    let values_matter = guarantee.looks_at_values();
    let mut taken = Vec::new();
    let mut open: Vec<usize> = (0..candidates.len()).collect();
    let mut left_out: Vec<(usize, Why)> = Vec::new();
    while !open.is_empty() {
        let before = taken.len();
        let stage = progress.stage("choosing", Some(open.len() as u64));
        for &place in &open {
            progress.check()?;
            match choice.take(&candidates[place])? {
                None => taken.push(place),
                Some(why) => left_out.push((place, why)),
            }
            progress.advance(1);
        }
        stage.finish()?;
        // What no proof by spans covers may be proven otherwise.
        let relaxed = proof == Proof::BySpans;
        if taken.len() == before && !relaxed {
            break;
        }
        if relaxed {
            choice.watch.iter_mut().for_each(Watch::allow_any_proof);
            proof = Proof::Any;
        }
        let again = |(_, why): &(usize, Why)| match why {
            Why::Rare(_) => false,
            Why::Opened(Opened::Unproven(_)) if relaxed => true,
            _ => values_matter || choice.may_hold_now(why),
        };
        let (retry, still): (Vec<_>, Vec<_>) = left_out.into_iter().partition(again);
        open = retry.into_iter().map(|(place, _)| place).collect();
        open.sort_unstable();
        left_out = still;
    }
    taken.sort_unstable();
    left_out.sort_by_key(|(place, _)| *place);
    Ok(Selection { taken, left_out })
}

/// The rules taken so far, as the checks of further rules see them.
struct Choice<'a> {
    task: &'a Task<'a>,
    spans: Spans<'a>,
    watch: Option<Watch<'a>>,
    /// The number of individuals who must have a printed private value.
    required: u64,
}

impl Choice<'_> {
    /// Takes a rule if every requirement still holds with it; returns the reason otherwise.
    fn take(&mut self, rule: &Candidate) -> Result<Option<Why>> {
        if rule.left.iter().chain(&rule.right).any(|&item| self.task.is_rare(item, self.required)) {
            return Ok(Some(Why::Rare(self.required)));
        }
        let question = Question::new(self.task, &rule.left, &rule.right);
        let divisions = match self.spans.ask(&question) {
            Ok(divisions) => divisions,
            Err(broken) => return Ok(Some(Why::Span(broken))),
        };
        let counts = question.tells() || !self.task.table.has_several_rows();
        if let Some(watch) = self.watch.as_mut().filter(|_| counts)
            && let Some(opened) = watch.publish(rule)?
        {
            return Ok(Some(Why::Opened(opened)));
        }
        self.spans.take(question, divisions);
        Ok(None)
    }

    /// Whether what kept a rule out may not keep it out any more, numbers of individuals being all that matters.
    fn may_hold_now(&self, why: &Why) -> bool {
        match (why, &self.watch) {
            (Why::Opened(opened), Some(watch)) => watch.has_come_to_hold(opened),
            _ => false,
        }
    }
}
