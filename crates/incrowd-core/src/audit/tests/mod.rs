//! The audit on the papers' examples and on what is subtle or wrong in them.

mod clusters;
mod domains;
mod papers;
mod persons;
mod reports;
mod ruled_out;
mod soundness;
mod stated;

use super::*;
use crate::guarantee::{Requirement, SingleBin};
use crate::model::{Class, Leaf, LeafContents, MissingRoute, ModelAttribute, Node, Split, Test, Tree};
use crate::policy::{Attribute, Role};
use crate::table::{Column, People};

/// A policy from the names of public and private attributes, space-free names separated by spaces.
fn policy(public: &[&str], private: &[&str], class: &str) -> Policy {
    let with = |role: Role| move |name: &&str| Attribute::new(*name, role);
    let class = (!class.is_empty()).then(|| class.to_owned());
    Policy {
        attributes: public
            .iter()
            .map(with(Role::Public))
            .chain(private.iter().map(with(Role::Private)))
            .collect(),
        class,
        subject: None,
        dependencies: Vec::new(),
        undeclared: Undeclared::Warn,
        guarantee: Guarantee::default(),
        earlier: None,
    }
}

/// A table of text columns, written as a header line and lines of cells, all separated by spaces.
fn table(text: &str) -> Table {
    let mut lines =
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(|l| !l.is_empty());
    let header = lines.next().unwrap();
    let rows: Vec<Vec<&str>> = lines.collect();
    let column =
        |i: usize| Column::from_texts(header[i], &rows.iter().map(|row| Some(row[i])).collect::<Vec<_>>());
    Table::new((0..header.len()).map(column).collect(), People::Rows).unwrap()
}

/// A tree written as nested lists: `split` tests a categorical attribute of the table, one branch per value; `leaf`
/// ends.
enum Sketch {
    Split(&'static str, Vec<(&'static str, Sketch)>),
    Leaf,
}

/// A tree over the columns of a table from a sketch, without populations.
fn tree(table: &Table, class: &str, sketch: Sketch) -> Model {
    let domain = |column: &Column| -> Vec<String> {
        (0..column.values().len()).map(|code| column.values().text(code).into_owned()).collect()
    };
    let inputs: Vec<&Column> = table.columns().iter().filter(|column| column.name() != class).collect();
    let attributes: Vec<ModelAttribute> =
        inputs.iter().map(|column| ModelAttribute::categorical(column.name(), domain(column))).collect();
    let mut nodes = Vec::new();
    let mut queue = std::collections::VecDeque::from([sketch]);
    let mut next = 1;
    while let Some(sketch) = queue.pop_front() {
        let Sketch::Split(name, branches) = sketch else {
            nodes.push(Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing }));
            continue;
        };
        let attribute = inputs.iter().position(|column| column.name() == name).unwrap();
        let mut of_value = vec![None; inputs[attribute].values().len()];
        for (branch, (value, _)) in (0..).zip(&branches) {
            of_value[inputs[attribute].values().find(value).unwrap() as usize] = Some(branch);
        }
        nodes.push(Node::Test(Test {
            attribute,
            split: Split::Values(of_value),
            labels: branches.iter().map(|(value, _)| format!("= {value}")).collect(),
            children: (next..next + branches.len() as u32).collect(),
            otherwise: None,
            missing: MissingRoute::Otherwise,
        }));
        next += branches.len() as u32;
        queue.extend(branches.into_iter().map(|(_, sketch)| sketch));
    }
    let values = domain(table.column(class).unwrap());
    Model::Tree(Tree::new(attributes, Class { name: class.to_owned(), values }, nodes).unwrap())
}

fn k(k: u64) -> Guarantee {
    Guarantee::k_anonymity(k).unwrap()
}

/// The populations of all groups that the report lists, ascending.
fn sizes(report: &Report) -> Vec<u64> {
    let mut sizes: Vec<u64> = report.groups.iter().map(|group| group.individuals).collect();
    sizes.sort_unstable();
    sizes
}

fn exposed_to(report: &Report, attribute: &str) -> u64 {
    report.exposed_to.iter().find(|exposed| exposed.attribute == attribute).map_or(0, |e| e.individuals)
}

fn also(guarantee: Guarantee, requirement: Result<Requirement>) -> Guarantee {
    guarantee.with(requirement.unwrap())
}
