//! A plain greedy tree, to have something to use: it knows nothing of privacy and little of learning.

use incrowd::io::read_table;
use incrowd::model::{
    Class, Domain, Leaf, LeafContents, MissingRoute, Model, ModelAttribute, Node, Split, Test, Tree,
};
use incrowd::progress::Silent;
use incrowd::span::populate;
use incrowd::table::{Column, Table, Values};
use incrowd_io::release::{ModelRelease, Origin, Release};
use incrowd_io::{PolicyFile, Purpose};
use std::path::Path;

/// How a tree is grown.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    /// The most leaves, roughly.
    pub(crate) leaves: usize,
    /// The fewest rows a branch may take.
    pub(crate) least: usize,
    /// Whether tests have a branch for other values.
    pub(crate) otherwise: bool,
}

/// The text of a release of a tree grown on a table, with its populations.
pub(crate) fn release(table: &Table, class: &str, plan: Plan) -> String {
    let tree = grow(table, class, plan);
    let tree = populate(table, &tree).unwrap();
    let release = ModelRelease {
        model: Model::Tree(tree),
        individuals: Some(table.individuals()),
        origin: Origin::default(),
    };
    Release::Model(release).to_text().unwrap()
}

/// Reads a table as described by a policy.
pub(crate) fn table(path: &str, policy: &str) -> Table {
    let policy = PolicyFile::parse(policy, "policy.toml").unwrap();
    read_table(Path::new(path), &policy.read_plan(Purpose::Source), 0, &Silent).unwrap().table
}

struct Growing<'a> {
    columns: Vec<&'a Column>,
    class: &'a Column,
    plan: Plan,
}

/// Rows by branch, and the test that parts them.
type Parted = (f64, Test, Vec<Vec<u32>>);

fn grow(table: &Table, class: &str, plan: Plan) -> Tree {
    let columns: Vec<&Column> = table.columns().iter().filter(|column| column.name() != class).collect();
    let growing = Growing { columns, class: table.column(class).unwrap(), plan };
    let mut nodes = Vec::new();
    let mut waiting = std::collections::VecDeque::from([(0..table.rows() as u32).collect::<Vec<_>>()]);
    let mut leaves = 1;
    while let Some(rows) = waiting.pop_front() {
        let best = (leaves < plan.leaves).then(|| growing.best(&rows)).flatten();
        nodes.push(match best {
            None => Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing }),
            Some((_, mut test, parts)) => {
                let first = (nodes.len() + waiting.len() + 1) as u32;
                test.children = (first..).take(parts.len()).collect();
                leaves += parts.len() - 1;
                waiting.extend(parts);
                Node::Test(test)
            }
        });
    }
    let attributes = growing.columns.iter().map(|column| attribute(column)).collect();
    let class = Class { name: class.to_owned(), values: names(growing.class) };
    Tree::new(attributes, class, nodes).unwrap()
}

fn attribute(column: &Column) -> ModelAttribute {
    let domain = match column.values() {
        Values::Numeric(_) => Domain::Numbers { low: f64::NEG_INFINITY, high: f64::INFINITY },
        _ => Domain::Values(names(column)),
    };
    ModelAttribute { name: column.name().to_owned(), domain, missing: false, dates: false }
}

fn names(column: &Column) -> Vec<String> {
    (0..column.values().len()).map(|code| column.values().text(code).into_owned()).collect()
}

impl Growing<'_> {
    fn best(&self, rows: &[u32]) -> Option<Parted> {
        let whole = self.gini(rows);
        let all = (0..self.columns.len()).flat_map(|attribute| self.tests(attribute, rows));
        let best = all.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (best.0 < whole - 1e-9).then_some(best)
    }

    /// The impurity of rows, times their number.
    fn gini(&self, rows: &[u32]) -> f64 {
        let mut counts = vec![0_f64; self.class.values().len()];
        rows.iter().for_each(|&row| counts[self.class.code(row as usize) as usize] += 1.0);
        let n = rows.len() as f64;
        n - counts.iter().map(|count| count * count).sum::<f64>() / n.max(1.0)
    }

    fn tests(&self, attribute: usize, rows: &[u32]) -> Vec<Parted> {
        let column = self.columns[attribute];
        let codes = column.values().len();
        let ways: Vec<(Split, Vec<u32>, usize)> = if let Values::Numeric(numbers) = column.values() {
            let mut met: Vec<u32> = rows.iter().map(|&row| column.code(row as usize)).collect();
            met.sort_unstable();
            let mut cuts: Vec<u32> = (1..8).map(|i| met[met.len() * i / 8]).collect();
            cuts.dedup();
            cuts.retain(|&cut| (cut as usize) + 1 < codes);
            let threshold = |cut: u32| f64::midpoint(numbers[cut as usize], numbers[cut as usize + 1]);
            let way = |cut: u32| {
                let of_code = (0..codes as u32).map(|code| u32::from(code > cut)).collect();
                (Split::Thresholds(vec![threshold(cut)]), of_code, 2)
            };
            cuts.into_iter().map(way).collect()
        } else {
            let each: Vec<u32> = (0..codes as u32).collect();
            let one = |value: u32| each.iter().map(|&code| u32::from(code == value)).collect::<Vec<_>>();
            let mut ways: Vec<Vec<u32>> = each.iter().map(|&value| one(value)).collect();
            ways.push(each.iter().map(|code| code % 3).collect());
            let split = |of_code: &[u32]| Split::Values(of_code.iter().map(|&branch| Some(branch)).collect());
            ways.into_iter()
                .map(|of_code| {
                    let branches = of_code.iter().max().map_or(1, |&most| most as usize + 1);
                    (split(&of_code), of_code, branches)
                })
                .collect()
        };
        ways.into_iter().filter_map(|way| self.part(attribute, rows, way)).collect()
    }

    fn part(&self, attribute: usize, rows: &[u32], way: (Split, Vec<u32>, usize)) -> Option<Parted> {
        let (split, of_code, branches) = way;
        let mut parts = vec![Vec::new(); branches];
        for &row in rows {
            parts[of_code[self.columns[attribute].code(row as usize) as usize] as usize].push(row);
        }
        if parts.iter().any(|part| part.len() < self.plan.least) {
            return None;
        }
        let gini = parts.iter().map(|part| self.gini(part)).sum();
        let labels = (0..branches).map(|branch| self.label(attribute, &split, branch as u32)).collect();
        let otherwise = self.plan.otherwise.then_some(branches as u32 - 1);
        Some((
            gini,
            Test {
                attribute,
                split,
                labels,
                children: Vec::new(),
                otherwise,
                missing: MissingRoute::Otherwise,
            },
            parts,
        ))
    }

    fn label(&self, attribute: usize, split: &Split, branch: u32) -> String {
        match split {
            Split::Thresholds(cuts) if branch == 0 => format!("<= {}", cuts[0]),
            Split::Thresholds(cuts) => format!("> {}", cuts[0]),
            Split::Values(of_value) => {
                let names = names(self.columns[attribute]);
                let own: Vec<&str> = of_value
                    .iter()
                    .zip(&names)
                    .filter(|(of, _)| **of == Some(branch))
                    .map(|(_, name)| name.as_str())
                    .collect();
                format!("in {{{}}}", own.join(", "))
            }
        }
    }
}
