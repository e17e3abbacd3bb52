//! Trees from counts are the trees from rows: on random tables, with counts by a plain loop over the rows.

use super::policy;
use super::random::case;
use crate::tree::{
    CellTest, CountedBy, CountedRows, CountedValue, TreeMethod, TreeParams, Wanted, mine_tree,
    mine_tree_from_counts,
};
use hashbrown::HashMap;
use incrowd_core::Result;
use incrowd_core::audit::TreeAttributes;
use incrowd_core::guarantee::{Guarantee, Requirement, Scope};
use incrowd_core::policy::Role;
use incrowd_core::progress::Silent;
use incrowd_core::random::Random;
use incrowd_core::table::{Codes, Column, People, Table};

/// Counts of a table in memory.
struct Counter<'t> {
    table: &'t Table,
    columns: Vec<Table>,
    rounds: usize,
    /// What is added to an answer, as if the table had changed.
    more: u64,
}

impl<'t> Counter<'t> {
    fn new(table: &'t Table) -> Self {
        let alone = |column: &Column| {
            let mut counts = vec![0_u32; column.code_count()];
            (0..table.rows()).for_each(|row| counts[column.code(row) as usize] += table.weight(row));
            let occurs = || (0..).zip(&counts).filter(|&(_, &n)| n > 0);
            let codes = Codes::collect(column.code_count(), occurs().map(|(code, _)| code));
            let own = Column::new(column.name(), column.values().clone(), codes).expect("valid");
            let weights = occurs().map(|(_, &n)| n).collect();
            Table::new(vec![own], People::Weights(weights)).expect("valid")
        };
        Self { table, columns: table.columns().iter().map(alone).collect(), rounds: 0, more: 0 }
    }

    fn passes(&self, row: usize, tests: &[CellTest]) -> bool {
        tests.iter().all(|test| {
            let code = self.table.columns()[test.column].code(row);
            test.codes.iter().any(|codes| codes.contains(&code))
        })
    }

    /// The table with some columns, equal rows merged.
    fn of(&self, names: &[&str]) -> Result<Table> {
        let columns = names.iter().map(|name| self.table.column(name).expect("a column").clone()).collect();
        let weights = (0..self.table.rows()).map(|row| self.table.weight(row)).collect();
        Ok(Table::new(columns, People::Weights(weights))?.merged())
    }
}

impl CountedRows for Counter<'_> {
    fn columns(&self) -> &[Table] {
        &self.columns
    }

    fn count(&mut self, wanted: &[Wanted]) -> Result<Vec<Vec<CountedValue>>> {
        self.rounds += 1;
        let columns = self.table.columns();
        let answer = |wanted: &Wanted| {
            let mut counts: HashMap<(u32, u32), u64> = HashMap::new();
            for row in (0..self.table.rows()).filter(|&row| self.passes(row, &wanted.tests)) {
                let label = match &wanted.by {
                    CountedBy::Values(column) => columns[*column].code(row),
                    CountedBy::Classes(column, of_code) => of_code[columns[*column].code(row) as usize],
                };
                let code = match &wanted.of {
                    CountedBy::Values(column) => columns[*column].code(row),
                    CountedBy::Classes(column, of_code) => of_code[columns[*column].code(row) as usize],
                };
                let cell = (code, label);
                *counts.entry(cell).or_default() += u64::from(self.table.weight(row));
            }
            let value = |((code, label), individuals)| CountedValue {
                code,
                label,
                individuals: individuals + self.more,
            };
            counts.into_iter().map(value).collect()
        };
        Ok(wanted.iter().map(answer).collect())
    }

    fn combinations(&mut self, attributes: &TreeAttributes) -> Result<Table> {
        let classes = attributes.classes.iter().map(|(name, _)| name.as_str());
        self.of(&classes.chain(attributes.values.iter().map(String::as_str)).collect::<Vec<_>>())
    }

    fn pair(&mut self, public: &str, private: &str) -> Result<Table> {
        self.of(&[public, private])
    }
}

/// The same tree with the same figures, report and warnings; or the same error.
#[test]
fn trees_from_counts_are_trees_from_rows() {
    let (mut trees, mut private, mut rounds) = (0, 0, 0);
    for seed in 0..1500 {
        let case = case(seed, 60, 8);
        if matches!(case.table.people(), People::Subjects { .. }) || !case.policy.dependencies.is_empty() {
            continue;
        }
        let method = [TreeMethod::KadetId3, TreeMethod::KadetC45, TreeMethod::Best][seed as usize % 3];
        let mut params = TreeParams::new(method, case.guarantee.clone());
        params.prune = method != TreeMethod::KadetC45 || seed % 2 > 0;
        params.sample = method != TreeMethod::Best;
        let params = params.check().expect("valid");
        let mut counter = Counter::new(&case.table);
        let there = mine_tree_from_counts(&mut counter, &case.policy, &params, &Silent);
        let mut here = mine_tree(&case.table, &case.policy, &params, &Silent);
        if let Ok(here) = &mut here {
            // Rows are individuals in counts, however equal ones are merged.
            here.summary.rows = here.summary.individuals;
            here.report.rows = here.report.individuals;
            here.report.rows_left_out.of = here.report.individuals;
            trees += u32::from(here.summary.leaves > 1);
            private += u32::from(here.summary.spans < here.summary.leaves);
            rounds += counter.rounds;
        }
        match (here, there) {
            (Ok(here), Ok(there)) => assert_eq!(here, there, "case {seed}: {case:?}"),
            (Err(here), Err(there)) => assert_eq!(here.what, there.what, "case {seed}"),
            (Ok(_), Err(there)) if there.what.contains("smallest bin") => {}
            (here, there) => panic!("case {seed}: {here:?}, {there:?}"),
        }
    }
    assert!(trees > 300 && private > 50 && rounds > 600, "{trees} trees, {private}, {rounds} rounds");
}

/// Numbers with so many values that the method puts them into bins.
#[test]
fn bins_are_those_of_rows() {
    for seed in 0..12 {
        let random = &mut Random::of(seed, 3);
        let rows = 1500 + 100 * seed as usize;
        let wide: Vec<u32> = (0..rows).map(|_| random.below(700)).collect();
        let narrow: Vec<u32> = (0..rows).map(|_| random.below(6)).collect();
        let number = |name: &str, spread: f64, random: &mut Random| {
            let cell = |&n: &u32| (!random.percent(3)).then(|| f64::from(n) * spread);
            Column::from_numbers(name, &wide.iter().map(cell).collect::<Vec<_>>()).expect("finite numbers")
        };
        let (a, b) = (number("a", 1.5, random), number("b", -0.25, random));
        let names = ["v0", "v1", "v2", "v3", "v4", "v5"];
        let c = Column::from_texts("c", &narrow.iter().map(|&n| Some(names[n as usize])).collect::<Vec<_>>());
        let class = |(&wide, &narrow): (&u32, &u32)| {
            let is_high = wide > 100 * (narrow + 1);
            Some(if is_high == random.percent(15) { "no" } else { "yes" })
        };
        let class: Vec<Option<&str>> = wide.iter().zip(&narrow).map(class).collect();
        let columns = vec![a, b, c, Column::from_texts("class", &class)];
        let table = Table::new(columns, People::Rows).expect("columns of one length");
        let [b, c] =
            if seed % 2 == 0 { [Role::Private, Role::Public] } else { [Role::Public, Role::Private] };
        let policy = policy(&[("a", Role::Public), ("b", b), ("c", c), ("class", Role::Private)]);
        let mut guarantee = Guarantee::k_anonymity(5 + seed).expect("k");
        if seed % 3 == 0 {
            guarantee = guarantee.with(Requirement::confidence(0.97).expect("a cap")).of(Scope::All);
        }
        let mut params = TreeParams::new(TreeMethod::Best, guarantee);
        params.sample = false;
        let params = params.check().expect("valid");
        let there = mine_tree_from_counts(&mut Counter::new(&table), &policy, &params, &Silent);
        let here = mine_tree(&table, &policy, &params, &Silent).expect("a tree");
        assert!(here.summary.leaves > 5, "{} leaves", here.summary.leaves);
        assert_eq!(here, there.expect("a tree"), "case {seed}");
    }
}

#[test]
fn counts_that_do_not_agree_are_an_error() {
    let table = incrowd_core::samples::clinic(500, 1);
    let policy = incrowd_core::samples::clinic_policy();
    let guarantee = incrowd_core::guarantee::Guarantee::k_anonymity(5).expect("k");
    let params = TreeParams::new(TreeMethod::KadetC45, guarantee).check().expect("valid");
    let mut counter = Counter::new(&table);
    let mined = mine_tree_from_counts(&mut counter, &policy, &params, &Silent);
    assert!(mined.is_ok_and(|mined| mined.summary.leaves > 1) && counter.rounds < 30, "{}", counter.rounds);
    counter.more = 1;
    let error =
        mine_tree_from_counts(&mut counter, &policy, &params, &Silent).expect_err("they do not agree");
    assert!(error.what.contains("changed while it was read"), "{error}");
}
