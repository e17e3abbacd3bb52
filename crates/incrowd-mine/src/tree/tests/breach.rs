//! What the miner foresees of a split is what the audit finds once it is made: no breach is missed and nothing is refused for nothing.

use super::random::{Case, case};
use super::{Method, mine, policy};
use crate::tree::TreeParams;
use crate::tree::grower::Grower;
use crate::tree::id3;
use crate::tree::release::{Cut, model};
use crate::tree::split::{Split, threshold_behind, threshold_between};
use crate::tree::task::{Asked, Task};
use incrowd_core::audit::audit_model;
use incrowd_core::guarantee::{Guarantee, Requirement, Scope, SingleBin};
use incrowd_core::model::Model;
use incrowd_core::policy::Role;
use incrowd_core::samples::Random;
use incrowd_core::table::{Column, People, Table};

/// Whether the audit passes a tree as it is.
fn holds(case: &Case, grower: &Grower<'_>) -> bool {
    let tree = model(grower, &Cut::nothing(grower)).expect("a tree");
    let guarantee = grower.task.guarantee;
    audit_model(&case.table, &case.policy, &Model::Tree(tree), guarantee).expect("an audit").holds
}

/// A random split of a leaf: a level of an attribute, or a threshold anywhere.
fn proposal(random: &mut Random, grower: &Grower<'_>, node: u32) -> Option<Split> {
    let index = random.below(grower.task.attributes.len() as u32) as usize;
    let rows = grower.histogram(node, index);
    let attribute = &grower.task.attributes[index];
    match &attribute.kind {
        Asked::Names(levels) => {
            id3::split(grower, node, index, random.below(levels.len() as u32) as usize, &rows)
        }
        Asked::Numbers(numbers) => {
            let last = (numbers.values.len() as u32).checked_sub(1).filter(|&last| last > 0)?;
            let low = random.below(last) as usize;
            let threshold = if random.percent(50) {
                threshold_behind(&numbers.values, low)?
            } else {
                threshold_between(&numbers.values, low, last as usize)?
            };
            let reach = grower.node(node).reach_of(index);
            reach
                .is_none_or(|reach| reach.divided_by(threshold))
                .then(|| Split::by_thresholds(index, attribute, vec![threshold], &rows))
        }
    }
}

#[test]
fn the_miner_foresees_exactly_what_the_audit_finds() {
    let (mut safe, mut broken) = (0, 0);
    for seed in 0..3000 {
        let case = case(seed, 24, 5);
        let params = TreeParams::new(Method::KadetC45, case.guarantee.clone()).check().expect("parameters");
        let task = Task::new(&case.table, &case.policy, &params).expect("a task");
        // With dependencies it errs on the safe side.
        if task.tied {
            continue;
        }
        let mut grower = Grower::new(&task);
        let mut fine = grower.root_breach().is_none();
        assert_eq!(fine, holds(&case, &grower), "seed {seed}, root");
        let random = &mut Random::of(seed, 1);
        for _ in 0..6 {
            let node = random.below(grower.nodes.len() as u32);
            if !fine || task.attributes.is_empty() || grower.node(node).split.is_some() {
                continue;
            }
            let Some(split) = proposal(random, &grower, node) else { continue };
            let rows = grower.histogram(node, split.attribute);
            fine = !grower.would_breach(node, &split, &rows);
            grower.commit(node, split);
            assert_eq!(fine, holds(&case, &grower), "seed {seed}, node {node}");
            if fine { safe += 1 } else { broken += 1 }
        }
    }
    assert!(safe > 1000 && broken > 500, "{safe} safe, {broken} broken");
}

/// Rows of a private x, a public M or U, and the class.
fn seven() -> Table {
    let rows = [
        ["yes", "M", "good"],
        ["yes", "M", "good"],
        ["yes", "M", "bad"],
        ["yes", "M", "bad"],
        ["yes", "U", "good"],
        ["no", "U", "bad"],
        ["no", "U", "bad"],
        ["no", "U", "bad"],
    ];
    let column = |i: usize, name: &str| Column::from_texts(name, &rows.map(|row| Some(row[i])));
    Table::new(vec![column(0, "x"), column(1, "status"), column(2, "class")], People::Rows).unwrap()
}

/// All of M have x = yes: diversity of the class does not see it, diversity of what is tested does.
#[test]
fn diversity_of_the_class_alone_is_not_enough() {
    let policy = policy(&[("x", Role::Private), ("status", Role::Public), ("class", Role::Private)]);
    let guarantee = |scope| {
        let asked = [Requirement::k(4, SingleBin::Counted), Requirement::distinct_l(2)];
        Guarantee::new(asked.into_iter().collect::<Result<_, _>>().unwrap(), scope).unwrap()
    };
    let mined = |scope| mine(&seven(), &policy, Method::KadetId3, &guarantee(scope)).unwrap();
    assert_eq!(mined(Scope::Class).summary.spans, 2);
    let careful = mined(Scope::Tested);
    assert_eq!((careful.summary.spans, careful.summary.exposed), (1, 0));
}

/// Under Claim 3 a public split may leave few people in a span of one bin; a private split must then not divide that bin.
#[test]
fn the_exemption_of_single_bins_makes_private_splits_unsafe() {
    let rows = [["a", "x", "yes"], ["a", "y", "yes"], ["b", "x", "no"], ["b", "y", "no"], ["b", "x", "no"]];
    let column = |i: usize, name: &str| Column::from_texts(name, &rows.map(|row| Some(row[i])));
    let columns = vec![column(0, "public"), column(1, "private"), column(2, "class")];
    let table = Table::new(columns, People::Rows).unwrap();
    let policy = policy(&[("public", Role::Public), ("private", Role::Private), ("class", Role::Public)]);
    let guarantee =
        Guarantee::new(vec![Requirement::k(3, SingleBin::Exempt).unwrap()], Scope::Class).unwrap();
    let params = TreeParams::new(Method::KadetId3, guarantee).check().unwrap();
    let task = Task::new(&table, &policy, &params).unwrap();
    let mut grower = Grower::new(&task);
    let split = |grower: &Grower<'_>, node, index| {
        let rows = grower.histogram(node, index);
        let split = id3::split(grower, node, index, 0, &rows).unwrap();
        (grower.would_breach(node, &split, &rows), split)
    };
    assert!(split(&grower, 0, 1).0, "two of class yes would be told apart by something private");
    let (breach, by_public) = split(&grower, 0, 0);
    assert!(!breach, "each span has one bin");
    grower.commit(0, by_public);
    assert!(split(&grower, 1, 1).0, "the span of a has two people");
    assert!(!split(&grower, 2, 1).0, "the span of b has three");
}

/// A private split divides nobody, but can leave a bin of one.
#[test]
fn a_smallest_bin_makes_private_splits_unsafe() {
    let policy = policy(&[("x", Role::Private), ("status", Role::Ignored), ("class", Role::Private)]);
    let mined = |n| {
        let guarantee = Guarantee::new(vec![Requirement::smallest_bin(n).unwrap()], Scope::Class).unwrap();
        mine(&seven(), &policy, Method::KadetId3, &guarantee).unwrap().summary.leaves
    };
    assert_eq!((mined(2), mined(3)), (2, 1));
}
