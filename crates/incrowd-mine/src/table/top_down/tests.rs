//! The search against a twin that recomputes everything from the definitions, and the papers' example.

use super::super::params::{TableMethod, TableParams};
use super::super::task::Task;
use super::super::watch::Watch;
use super::search::CutSearch;
use super::sets::sets;
use super::values::{Cuts, Way};
use crate::table::mine_table;
use crate::tree::tests::policy;
use crate::tree::tests::random::case;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::naive;
use incrowd_core::policy::Role;
use incrowd_core::progress::Silent;
use incrowd_core::table::{Column, People, Table};
use incrowd_core::taxonomy::{TaxonomyNode, TaxonomySpec, TreeSpec};
use std::collections::HashMap;

/// What each attribute's cut makes of its codes: sets of codes, and of which sets the values are suppressed.
struct Twin<'t> {
    task: &'t Task<'t>,
    watch: &'t Watch<'t>,
    sets: Vec<Vec<usize>>,
    cuts: Vec<Vec<Vec<u32>>>,
    method: TableMethod,
}

/// A way to divide a value: the attribute, the value's place in its cut, the children.
type Move = (usize, usize, Vec<Vec<u32>>);

impl Twin<'_> {
    fn rows_with(&self, attribute: usize, codes: &[u32]) -> Vec<u32> {
        let rows = 0..self.task.table.rows() as u32;
        rows.filter(|&row| codes.contains(&self.task.attributes[attribute].code(row))).collect()
    }

    fn entropy(&self, rows: &[u32]) -> f64 {
        let class = self.task.learned_class().expect("a class");
        let mut of_class: HashMap<u32, f64> = HashMap::new();
        let weight = |row: u32| f64::from(self.task.table.weight(row as usize));
        rows.iter().for_each(|&row| *of_class.entry(class.code(row as usize)).or_default() += weight(row));
        let all: f64 = of_class.values().sum();
        of_class.values().map(|n| -n / all * (n / all).log2()).sum()
    }

    fn weight(&self, rows: &[u32]) -> f64 {
        rows.iter().map(|&row| f64::from(self.task.table.weight(row as usize))).sum()
    }

    fn gain(&self, (attribute, value, children): &Move) -> f64 {
        let rows = self.rows_with(*attribute, &self.cuts[*attribute][*value]);
        let parts = children.iter().map(|codes| self.rows_with(*attribute, codes));
        let rest: f64 = parts.map(|part| self.weight(&part) / self.weight(&rows) * self.entropy(&part)).sum();
        self.entropy(&rows) - rest
    }

    /// The groups of a set under some cuts.
    fn groups(&self, set: &[usize], cuts: &[Vec<Vec<u32>>]) -> Vec<Vec<u32>> {
        let mut groups: HashMap<Vec<usize>, Vec<u32>> = HashMap::new();
        for row in 0..self.task.table.rows() as u32 {
            let place = |&attribute: &usize| {
                let code = self.task.attributes[attribute].code(row);
                cuts[attribute].iter().position(|codes| codes.contains(&code)).expect("a value")
            };
            groups.entry(set.iter().map(place).collect()).or_default().push(row);
        }
        groups.into_values().collect()
    }

    fn smallest(&self, groups: &[Vec<u32>]) -> u64 {
        groups.iter().map(|rows| self.task.table.individuals_among(rows)).min().expect("a group")
    }

    fn after(&self, (attribute, value, children): &Move) -> Vec<Vec<Vec<u32>>> {
        let mut cuts = self.cuts.clone();
        cuts[*attribute].remove(*value);
        cuts[*attribute].extend(children.iter().cloned());
        cuts
    }

    /// The score, or none if the step breaks the guarantee.
    fn score(&self, step: &Move) -> Option<f64> {
        let after = self.after(step);
        let groups = |set: &Vec<usize>| self.groups(set, &after);
        if !self.sets.iter().flat_map(groups).all(|rows| self.watch.holds(&rows)) {
            return None;
        }
        let knowing: Vec<_> = self.sets.iter().filter(|set| set.contains(&step.0)).collect();
        let lost = knowing.iter().map(|set| {
            self.smallest(&self.groups(set, &self.cuts)) as f64
                - self.smallest(&self.groups(set, &after)) as f64
        });
        Some(self.gain(step) / (lost.sum::<f64>() / knowing.len() as f64 + 1.0))
    }

    /// All steps there are. Of an interval, that is the cut of the highest gain.
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (attribute, cut) in self.cuts.iter().enumerate() {
            for (value, codes) in cut.iter().enumerate() {
                moves.extend(self.moves_of(attribute, codes).into_iter().map(|way| (attribute, value, way)));
            }
        }
        moves
    }

    fn moves_of(&self, place: usize, codes: &[u32]) -> Vec<Vec<Vec<u32>>> {
        let attribute = &self.task.attributes[place];
        let split = |is_first: &dyn Fn(u32) -> bool| {
            let (first, second): (Vec<u32>, Vec<u32>) = codes.iter().partition(|&&code| is_first(code));
            vec![first, second]
        };
        if codes.len() == 1 {
            return Vec::new();
        }
        if let Some(taxonomy) = &attribute.taxonomy {
            let cover = taxonomy.cover(codes.iter().copied()).expect("codes");
            let of = |child: TaxonomyNode| {
                codes.iter().copied().filter(move |&c| taxonomy.contains(child, taxonomy.leaf(c)))
            };
            let children = taxonomy.children(cover).map(|child| of(child).collect::<Vec<_>>());
            return vec![children.filter(|codes| !codes.is_empty()).collect()];
        }
        if !attribute.is_numeric() && self.method == TableMethod::Tds {
            return vec![codes.iter().map(|&code| vec![code]).collect()];
        }
        if !attribute.is_numeric() {
            // A value of a suppressed attribute that has several codes is the suppressed rest.
            return codes.iter().map(|&own| split(&|code| code == own)).collect();
        }
        let missing = attribute.column.missing_code();
        if codes.contains(&missing) {
            return vec![split(&|code| code != missing)];
        }
        let value = self.cuts[place].iter().position(|other| other == codes).expect("the value");
        let cuts = codes[1..].iter().map(|&cut| split(&|code| code < cut));
        let gain = |way: &Vec<Vec<u32>>| self.gain(&(place, value, way.clone()));
        // The lowest of several equally good ones, which differ by a rounding at most.
        let better = |best: Vec<Vec<u32>>, way| if gain(&way) > gain(&best) + 1e-12 { way } else { best };
        cuts.reduce(better).into_iter().collect()
    }
}

/// The children of a step as the search would make them.
fn children(search: &CutSearch<'_>, task: &Task<'_>, step: usize) -> Vec<Vec<u32>> {
    let step = &search.cuts.steps[step];
    let value = &search.cuts.values[step.value];
    let attribute = &task.attributes[value.attribute];
    let mut children = vec![Vec::new(); step.way.count(attribute)];
    value.codes.iter().for_each(|&code| children[step.way.child(code, attribute)].push(code));
    children.retain(|codes| !codes.is_empty());
    children
}

/// Follows the search step by step; returns how many steps there were.
fn compare(task: &Task<'_>, method: TableMethod, sets: Vec<Vec<usize>>, seed: u64) -> Option<usize> {
    let watch = Watch::new(task);
    let cuts = Cuts::new(task, method == TableMethod::Tdr).ok()?;
    let mut search = CutSearch::new(task, &watch, sets.clone(), cuts);
    let start = (0..task.attributes.len()).map(|attribute| {
        let codes = search.cuts.values.iter().find(|value| value.attribute == attribute);
        vec![codes.expect("a value").codes.clone()]
    });
    let mut twin = Twin { task, watch: &watch, sets, cuts: start.collect(), method };
    for made in 0.. {
        let scores: Vec<f64> = twin.moves().iter().filter_map(|step| twin.score(step)).collect();
        let best = scores.into_iter().fold(0.0, f64::max);
        let Some(step) = search.best() else {
            assert!(best < 1e-9, "seed {seed}: a step of score {best} is left");
            return Some(made);
        };
        let value = &search.cuts.values[search.cuts.steps[step].value];
        let place = twin.cuts[value.attribute].iter().position(|codes| *codes == value.codes);
        let own: Move = (value.attribute, place.expect("a value of the cut"), children(&search, task, step));
        let score = twin.score(&own).expect("a safe step");
        assert!((score - search.score(&search.cuts.steps[step])).abs() < 1e-9, "seed {seed}");
        assert!((score - best).abs() < 1e-9, "seed {seed}: {score}, and {best} is there");
        twin.cuts = twin.after(&own);
        search.make(step);
    }
    None
}

#[test]
fn every_step_is_the_best_by_definition() {
    for method in [TableMethod::Tds, TableMethod::Tdr] {
        let steps = (0..1500).filter_map(|seed| {
            let case = case(seed, 24, 5);
            let task = Task::new(&case.table, &case.policy, &case.guarantee).ok()?;
            let watch = Watch::new(&task);
            let everyone: Vec<u32> = (0..task.table.rows() as u32).collect();
            if !watch.holds(&everyone) {
                return None;
            }
            let count = task.attributes.len();
            let all: Vec<usize> = (0..count).collect();
            let pairs = (0..count).map(|i| vec![i.min((i + 1) % count), i.max((i + 1) % count)]);
            let sets = if seed % 3 == 0 && count > 2 { pairs.collect() } else { vec![all] };
            compare(&task, method, sets, seed)
        });
        let steps: usize = steps.sum();
        assert!(steps > 150, "{method}: {steps}");
    }
}

/// Table 1 of ICDE 2005: 34 individuals by education, sex and working hours.
fn example() -> Table {
    let rows = [
        ("9th", "M", 30.0, 0, 3),
        ("10th", "M", 32.0, 0, 4),
        ("11th", "M", 35.0, 2, 3),
        ("12th", "F", 37.0, 3, 1),
        ("Bachelors", "F", 42.0, 4, 2),
        ("Bachelors", "F", 44.0, 4, 0),
        ("Masters", "M", 44.0, 4, 0),
        ("Masters", "F", 44.0, 3, 0),
        ("Doctorate", "F", 44.0, 1, 0),
    ];
    let class = |&(education, sex, hours, yes, no)| {
        [(education, sex, hours, "Y", yes), (education, sex, hours, "N", no)]
    };
    let rows: Vec<(&str, &str, f64, &str, u32)> =
        rows.iter().flat_map(class).filter(|row| row.4 > 0).collect();
    let texts = |name, of: fn(&(&'static str, &'static str, f64, &'static str, u32)) -> &'static str| {
        Column::from_texts(name, &rows.iter().map(|row| Some(of(row))).collect::<Vec<_>>())
    };
    let hours: Vec<Option<f64>> = rows.iter().map(|row| Some(row.2)).collect();
    let columns = vec![
        texts("education", |row| row.0),
        texts("sex", |row| row.1),
        Column::from_numbers("hours", &hours).expect("numbers"),
        texts("class", |row| row.3),
    ];
    Table::new(columns, People::Weights(rows.iter().map(|row| row.4).collect())).expect("a table")
}

fn tree(lines: &[&[&str]]) -> TaxonomySpec {
    let lines = (1..).zip(lines.iter().map(|line| line.to_vec()));
    TaxonomySpec::Tree(TreeSpec::from_lines(lines).expect("a tree"))
}

#[test]
fn the_papers_example() {
    let table = example();
    let public = Role::Public;
    let mut policy =
        policy(&[("education", public), ("sex", public), ("hours", public), ("class", Role::Private)]);
    policy.attributes[0].taxonomy = Some(tree(&[
        &["9th", "Junior Sec.", "Secondary", "ANY"],
        &["10th", "Junior Sec.", "Secondary", "ANY"],
        &["11th", "Senior Sec.", "Secondary", "ANY"],
        &["12th", "Senior Sec.", "Secondary", "ANY"],
        &["Bachelors", "Bachelors", "University", "ANY"],
        &["Masters", "Grad School", "University", "ANY"],
        &["Doctorate", "Grad School", "University", "ANY"],
    ]));
    policy.attributes[1].taxonomy = Some(tree(&[&["M", "ANY"], &["F", "ANY"]]));
    let guarantee = Guarantee::k_anonymity(4).expect("k");
    let task = Task::new(&table, &policy, &guarantee).expect("a task");
    let watch = Watch::new(&task);
    let mut params = TableParams::new(TableMethod::Tds, guarantee.clone());
    let set = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    params.sets = vec![set(&["education", "sex"]), set(&["sex", "hours"])];
    let sets = sets(&task, &params.check().expect("parameters")).expect("sets");
    let mut search = CutSearch::new(&task, &watch, sets, Cuts::new(&task, false).expect("cuts"));
    // IG(ANY_Edu) = 0.9597 − (16/34 · 0.8960 + 18/34 · 0.5033) = 0.2716, and A falls from 34 to 16.
    let education = &search.cuts.steps[0];
    assert!((education.gain - 0.2716).abs() < 1e-4, "{}", education.gain);
    assert_eq!(education.smallest, [16, u64::MAX]);
    assert!((search.score(education) - education.gain / 19.0).abs() < 1e-12);
    // Hours are cut between 35 and 37, into 12 and 22 individuals.
    let best = search.best().expect("a step");
    assert!(matches!(search.cuts.steps[best].way, Way::Cut { bound, .. } if bound > 35.0 && bound < 37.0));
    assert_eq!(search.cuts.steps[best].smallest, [u64::MAX, 12]);
    let sets = search.sets.iter().map(|set| set.attributes.clone()).collect();
    assert!(compare(&task, TableMethod::Tds, sets, 0).is_some_and(|steps| steps > 1));
}

/// A case with several public attributes, k and nothing else.
fn wide(seed: u64) -> Option<crate::tree::tests::random::Case> {
    let mut case = case(seed, 60, 4);
    case.policy.dependencies.clear();
    for attribute in case.policy.attributes.iter_mut().filter(|attribute| attribute.name != "class") {
        attribute.role = Role::Public;
    }
    case.policy.attribute("class").filter(|class| class.role == Role::Private)?;
    case.guarantee = Guarantee::k_anonymity(1 + seed % 5).expect("k");
    (case.table.columns().len() > 3).then_some(case)
}

#[test]
fn each_set_keeps_the_guarantee() {
    let mut looser = 0;
    for case in (0..400).filter_map(wide) {
        let names: Vec<String> = case.policy.with_role(Role::Public).map(str::to_owned).collect();
        let mut params = TableParams::new(TableMethod::Tdr, case.guarantee.clone());
        let made = |params: &TableParams| {
            let params = params.clone().check().expect("parameters");
            mine_table(&case.table, &case.policy, &params, &Silent)
        };
        let Ok(together) = made(&params) else { continue };
        params.sets = names.windows(2).map(<[String]>::to_vec).collect();
        let apart = made(&params).expect("less is asked");
        for set in &params.sets {
            let mut policy = case.policy.clone();
            let others = policy.attributes.iter_mut().filter(|a| a.name != "class" && !set.contains(&a.name));
            others.for_each(|attribute| attribute.role = Role::Ignored);
            let audit = naive::audit_table(&apart.table, &policy, &case.guarantee).expect("auditable");
            assert_eq!(audit.breaches, 0);
        }
        looser += usize::from(apart.summary.loss < together.summary.loss);
    }
    assert!(looser > 10, "{looser}");
}

#[test]
fn sets_must_name_all_public_attributes_and_no_others() {
    let case = (0..).find_map(wide).expect("a case");
    let error = |sets: Vec<Vec<&str>>| {
        let mut params = TableParams::new(TableMethod::Tdr, case.guarantee.clone());
        params.sets = sets.iter().map(|set| set.iter().map(|&name| name.to_owned()).collect()).collect();
        let params = params.check().expect("parameters");
        mine_table(&case.table, &case.policy, &params, &Silent).expect_err("sets that do not fit").to_string()
    };
    assert!(error(vec![vec!["a", "b"]]).contains("in none of the sets"));
    assert!(error(vec![vec!["a", "class"]]).contains("not public"));
    assert!(error(vec![vec!["a", "nobody"]]).contains("not public"));
}

#[test]
fn names_without_a_taxonomy_are_taken_as_under_a_flat_one() {
    let table = example();
    let policy = policy(&[("education", Role::Public), ("sex", Role::Public), ("class", Role::Private)]);
    let mut flat = policy.clone();
    flat.attributes.iter_mut().take(2).for_each(|attribute| attribute.taxonomy = Some(TaxonomySpec::Flat));
    let params = TableParams::new(TableMethod::Tds, Guarantee::k_anonymity(2).expect("k"))
        .check()
        .expect("parameters");
    let of = |policy| mine_table(&table, policy, &params, &Silent).expect("a table");
    let (own, declared) = (of(&policy), of(&flat));
    assert_eq!(own.table, declared.table);
    assert!(own.summary.groups > 1, "the class gains from the sexes");
}
