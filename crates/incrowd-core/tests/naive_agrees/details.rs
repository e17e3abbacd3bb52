//! Trees with counts, rounded shares or labels alone: both audits agree on all of them, and what is certain from less
//! detail is never more than the audit reports, found by going through every world that agrees with the release.

use crate::cases::{self, Case};
use crate::compare::{differences, fast};
use crate::random::Random;
use incrowd_core::audit::{Report, audit_model};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::{
    Class, Detail, Leaf, LeafContents, MissingRoute, Model, ModelAttribute, Node, Split, Test, Tree,
};
use incrowd_core::naive;
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::span::populate;
use incrowd_core::table::{Column, People, Table};

const DETAILS: [Detail; 4] =
    [Detail::Labels, Detail::Shares { digits: 1 }, Detail::Shares { digits: 2 }, Detail::Counts];

/// A random tree over few individuals, with its populations, the labels being what most have.
fn small(random: &mut Random) -> Option<(Case, Tree)> {
    let case = cases::of_tree(random);
    let Some(Model::Tree(tree)) = &case.model else { return None };
    let (bins, people) = (tree.nodes().len() * tree.class().values.len(), case.table.individuals());
    let few =
        (1..=6).contains(&people) && bins <= 20 && !matches!(case.table.people(), People::Subjects { .. });
    let tree = few.then(|| populate(&case.table, tree).ok()).flatten()?;
    Some((case, tree))
}

/// The number of individuals who are exposed to each attribute, by the audit and by the worlds that agree with the
/// release.
fn exposed(case: &Case, tree: &Tree) -> (Vec<u64>, Vec<u64>) {
    let audit = naive::audit_model(&case.table, &case.policy, &Model::Tree(tree.clone()), &case.guarantee);
    let certain = naive::certain(&case.table, &case.policy, tree);
    (audit.expect("audited before").exposed_to, certain.expect("linked before"))
}

#[test]
fn less_detail_never_tells_more_than_the_audit_says() {
    let (mut audited, mut differing) = (0, 0);
    for seed in 0..4000 {
        let Some((mut case, tree)) = small(&mut Random::new(seed)) else { continue };
        let mut reports: Vec<Report> = Vec::new();
        let mut before = None;
        for detail in DETAILS {
            let told = tree.in_detail(detail);
            case.model = Some(Model::Tree(told.clone()));
            let Ok(report) = fast(&case) else { break };
            assert_eq!(differences(&case), Some(Vec::new()), "seed {seed}, {detail}");
            assert!(report.detail <= Some(detail), "seed {seed}, {detail}");
            let (exposed, certain) = exposed(&case, &told);
            assert!(
                certain.iter().zip(&exposed).all(|(a, b)| a <= b),
                "seed {seed}, {detail}: {certain:?}, {exposed:?}"
            );
            if detail == Detail::Counts {
                assert_eq!(certain, exposed, "seed {seed}");
            }
            if let (Some(labels), Detail::Shares { .. } | Detail::Counts) = (&before, detail) {
                let labels: &Vec<u64> = labels;
                assert!(
                    labels.iter().zip(&certain).all(|(less, more)| less <= more),
                    "seed {seed}, {detail}"
                );
                differing += usize::from(*labels != certain);
            }
            before.get_or_insert(certain);
            let mut report = report;
            (report.detail, report.at_most) = (None, false);
            // Without counts, lower bounds are 0.
            report.exposed_at_least = None;
            report.exposed_to.iter_mut().for_each(|to| to.at_least = None);
            reports.push(report);
        }
        // The verdict and every figure are those of the counts.
        assert!(reports.windows(2).all(|pair| pair[0] == pair[1]), "seed {seed}");
        audited += usize::from(!reports.is_empty());
    }
    assert!(
        audited >= 300 && differing >= 50,
        "{audited} audited, {differing} of them tell less with less detail"
    );
}

/// Labels of trees made by other programs need not be what most have. They are part of the model then: the true world
/// agrees with them, and they reveal no more than the audit reports.
#[test]
fn labels_of_foreign_trees_tell_nothing_of_the_counts() {
    let mut foreign = 0;
    for seed in 0..4000 {
        let Some((mut case, populated)) = small(&mut Random::new(seed)) else { continue };
        let Some(Model::Tree(given)) = &case.model else { continue };
        let is_foreign = |(given, own): (&Node, &Node)| match (given, own) {
            (Node::Leaf(given), Node::Leaf(own)) => given.label != own.label,
            _ => false,
        };
        if !given.nodes().iter().zip(populated.nodes()).any(is_foreign) {
            continue;
        }
        let labels = given.in_detail(Detail::Labels);
        case.model = Some(Model::Tree(labels.clone()));
        if fast(&case).is_err() {
            continue;
        }
        let (exposed, certain) = exposed(&case, &labels);
        assert!(certain.iter().zip(&exposed).all(|(a, b)| a <= b), "seed {seed}: {certain:?}, {exposed:?}");
        foreign += 1;
    }
    assert!(foreign >= 200, "{foreign}");
}

/// Three individuals, their class known to the attacker, and a private test. If a bin were a leaf, all three would
/// share a span; but the labels reveal who went where: the good ones went to the leaf where most are good.
#[test]
fn labels_can_single_out_people_whose_class_is_known() {
    let column = |name, cells: [&str; 3]| Column::from_texts(name, &cells.map(Some));
    let columns = vec![column("ill", ["yes", "no", "no"]), column("loan", ["good", "bad", "bad"])];
    let table = Table::new(columns, People::Rows).unwrap();
    let policy =
        Policy::new(vec![Attribute::new("ill", Role::Private), Attribute::new("loan", Role::Public)])
            .with_class("loan");
    let leaf = || Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing });
    let test = Test {
        attribute: 0,
        split: Split::Values(vec![Some(0), Some(1)]),
        labels: vec!["yes".to_owned(), "no".to_owned()],
        children: vec![1, 2],
        otherwise: None,
        missing: MissingRoute::Otherwise,
    };
    let class = Class { name: "loan".to_owned(), values: vec!["bad".to_owned(), "good".to_owned()] };
    let attributes = vec![ModelAttribute::categorical("ill", ["yes", "no"])];
    let tree = Tree::new(attributes, class, vec![Node::Test(test), leaf(), leaf()]).unwrap();
    let labels = populate(&table, &tree).unwrap().in_detail(Detail::Labels);
    assert_eq!(naive::certain(&table, &policy, &labels), Ok(vec![3]));
    let report = audit_model(&table, &policy, &Model::Tree(labels), &Guarantee::default()).unwrap();
    assert_eq!((report.k, report.spans, report.exposed), (1, 2, 3));
}
