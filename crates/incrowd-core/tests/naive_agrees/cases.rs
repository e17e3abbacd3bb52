//! Random cases: a table, a policy, a guarantee, and a model or none.

use crate::models;
use crate::random::Random;
use crate::stated;
use crate::tables::{self, Domain, Sort};
use incrowd_core::guarantee::{Guarantee, Requirement};
use incrowd_core::model::Model;
use incrowd_core::policy::{Policy, Role};
use incrowd_core::table::{Kind, Table};

/// One thing to audit.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) table: Table,
    pub(crate) policy: Policy,
    pub(crate) guarantee: Guarantee,
    pub(crate) model: Option<Model>,
}

/// A random tree with its table.
pub(crate) fn of_tree(random: &mut Random) -> Case {
    let mut sorts = vec![Sort::Any; random.between(0, 4)];
    sorts.push(Sort::Class);
    let rows = rows(random);
    let (table, domains) = tables::table(random, rows, &sorts, 4);
    let mut policy = tables::policy(random, &domains, Some(domains.len() - 1));
    keep_small(&mut policy, &domains, 300);
    tables::some_whole(random, &mut policy, &domains);
    let model = Model::Tree(models::tree(random, &domains));
    finish(random, table, policy, Some(model))
}

/// A random ensemble of trees with its table.
pub(crate) fn of_ensemble(random: &mut Random) -> Case {
    let mut sorts = vec![Sort::Any; random.between(0, 4)];
    sorts.push(Sort::Class);
    let rows = random.between(1, 10);
    let (table, domains) = tables::table(random, rows, &sorts, 3);
    let mut policy = tables::policy(random, &domains, Some(domains.len() - 1));
    keep_small(&mut policy, &domains, 120);
    tables::some_whole(random, &mut policy, &domains);
    let model = Model::Ensemble(models::ensemble(random, &domains));
    finish(random, table, policy, Some(model))
}

/// A random ensemble with cells, and its table.
pub(crate) fn of_cells(random: &mut Random) -> Case {
    let mut sorts = vec![Sort::Any; random.between(1, 4)];
    sorts.push(Sort::Class);
    let rows = random.between(1, 10);
    let (table, domains) = tables::table(random, rows, &sorts, 3);
    let mut policy = tables::policy(random, &domains, Some(domains.len() - 1));
    keep_small(&mut policy, &domains, 120);
    tables::some_whole(random, &mut policy, &domains);
    let model = Model::Ensemble(models::ensemble_with_cells(random, &domains, &policy));
    finish(random, table, policy, Some(model))
}

/// A random clustering with its table.
pub(crate) fn of_clusters(random: &mut Random) -> Case {
    let sort = if random.percent(25) { Sort::LargeNumbers } else { Sort::Numbers };
    let mut sorts = vec![sort; random.between(1, 3)];
    let (names, spread) = if random.percent(40) { (random.between(1, 2), 4) } else { (0, 7) };
    sorts.extend(vec![Sort::Class; names]);
    let rows = rows(random);
    let (table, domains) = tables::table(random, rows, &sorts, spread);
    let mut policy = tables::policy(random, &domains, None);
    tables::some_whole(random, &mut policy, &domains);
    tables::tie_names(random, &mut policy, &domains);
    let model = Model::Clusters(models::clusters(random, &domains, &mut policy));
    finish(random, table, policy, Some(model))
}

/// A random clustering with three or four numbers, most of them private, and sometimes names.
pub(crate) fn of_private_clusters(random: &mut Random) -> Case {
    let numbers = if random.percent(70) { 3 } else { 4 };
    let mut sorts = vec![Sort::Numbers; numbers];
    sorts.extend(vec![Sort::Class; random.pick(&[0, 1, 1, 2])]);
    let rows = rows(random);
    let (table, domains) = tables::table(random, rows, &sorts, 4);
    let mut policy = tables::policy(random, &domains, None);
    for attribute in policy.attributes.iter_mut().take(numbers) {
        if random.percent(80) {
            attribute.role = Role::Private;
        }
    }
    if random.percent(30) {
        tables::some_whole(random, &mut policy, &domains);
    }
    tables::tie_names(random, &mut policy, &domains);
    let model = Model::Clusters(models::clusters(random, &domains, &mut policy));
    finish(random, table, policy, Some(model))
}

/// A random set of rules with its table.
pub(crate) fn of_rules(random: &mut Random) -> Case {
    let sorts = vec![Sort::Names; random.between(1, 5)];
    let rows = rows(random);
    let (table, domains) = tables::table(random, rows, &sorts, 3);
    let mut policy = tables::policy(random, &domains, None);
    keep_small(&mut policy, &domains, 300);
    let model = Model::Rules(models::rules(random, &domains));
    let case = finish(random, table, policy, Some(model));
    // A smallest bin of individuals with several rows is refused; a few such cases will do.
    if case.table.has_several_rows() && random.percent(80) { without_smallest_bin(case) } else { case }
}

fn without_smallest_bin(case: Case) -> Case {
    let is_kept = |requirement: &&Requirement| !matches!(requirement, Requirement::SmallestBin(_));
    let kept = case.guarantee.requirements().iter().filter(is_kept).copied().collect();
    let guarantee = Guarantee::new(kept, case.guarantee.scope().clone()).expect("one of each sort");
    Case { guarantee, ..case }
}

/// A random set of rules over few individuals, and a smallest bin, so that all worlds can be gone through.
pub(crate) fn of_few_rules(random: &mut Random) -> Case {
    let sorts = vec![Sort::Names; random.between(2, 3)];
    let rows = random.between(2, 6);
    let (table, domains) = tables::table(random, rows, &sorts, 3);
    let mut policy = tables::policy(random, &domains, None);
    keep_small(&mut policy, &domains, 60);
    tables::some_dependencies(random, &mut policy, &domains);
    let model = Model::Rules(models::rules(random, &domains));
    let case = finish(random, table, policy, Some(model));
    let smallest = Requirement::smallest_bin(random.between(2, 4) as u64).expect("a bin");
    Case { guarantee: case.guarantee.with(smallest), ..case }
}

/// A random table to be released unchanged.
pub(crate) fn of_table(random: &mut Random) -> Case {
    let sorts = vec![Sort::Any; random.between(1, 5)];
    let rows = rows(random);
    let (table, domains) = tables::table(random, rows, &sorts, 4);
    let class = random.percent(50).then(|| random.below(domains.len()));
    let mut policy = tables::policy(random, &domains, class);
    for attribute in &mut policy.attributes {
        if random.percent(10) {
            attribute.role = random.pick(&[Role::Identifier, Role::Ignored, Role::Ignored]);
            attribute.harmless = attribute.role == Role::Ignored && random.percent(30);
        }
    }
    if policy.known().is_empty() {
        policy.attributes[0].role = Role::Public;
    }
    finish(random, table, policy, None)
}

fn finish(random: &mut Random, table: Table, policy: Policy, model: Option<Model>) -> Case {
    let guarantee = tables::guarantee(random, &policy);
    let table = if random.percent(10) { some_rows(random, &table) } else { table };
    let model =
        model.map(
            |model| if random.percent(30) { stated::with_populations(random, &table, model) } else { model },
        );
    Case { table, policy, guarantee, model }
}

/// Some of the rows, in any order; values that no longer occur stay in the columns.
fn some_rows(random: &mut Random, table: &Table) -> Table {
    let mut rows: Vec<u32> = (0..table.rows() as u32).collect();
    random.shuffle(&mut rows);
    rows.truncate(random.between(0, table.rows()));
    table.select(&rows)
}

fn rows(random: &mut Random) -> usize {
    if random.percent(2) { 0 } else { random.pick(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]) }
}

/// Makes attributes public until private combinations are few enough to be tried one by one.
fn keep_small(policy: &mut Policy, domains: &[Domain], most: usize) {
    let mut combinations = 1;
    for (attribute, domain) in policy.attributes.iter_mut().zip(domains) {
        let size = domain.values.len() + if domain.kind == Kind::Numeric { 7 } else { 1 };
        if attribute.role == Role::Private && combinations * size > most {
            attribute.role = Role::Public;
        } else if attribute.role == Role::Private {
            combinations *= size;
        }
    }
}
