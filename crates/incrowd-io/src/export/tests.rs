//! Exports read back as the same function, whatever the names are, and nothing escapes its quotes.

mod dates;

use super::*;
use crate::import::parse_model;
use incrowd_core::model::{Class, Detail, Domain, Leaf, MissingRoute, ModelAttribute};
use incrowd_core::predict::predict;
use incrowd_core::table::{Column, People, Table};
use proptest::prelude::*;
use std::path::Path;

const ODD: [&str; 14] =
    ["", "a", "\"", "'", "\\", "\n", " ", "é", "𝄞", "\u{2028}", "<&>", "]]>", "'); --", "\u{1}"];

/// Random choices, taken from a list that proptest can shrink.
pub(crate) struct Draw {
    pub(crate) choices: Vec<u64>,
    pub(crate) next: usize,
}

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.next += 1;
        let choice = self.choices[self.next % self.choices.len()].wrapping_mul(self.next as u64 | 1);
        (choice >> 9) as usize % n
    }

    fn names(&mut self, least: usize, nasty: usize) -> Vec<String> {
        let count = least + self.below(4);
        (0..count).map(|i| format!("{}{i}{}", ODD[self.below(nasty)], ODD[self.below(nasty)])).collect()
    }

    /// A tree with names as odd as XML allows, and odder ones with `all`.
    pub(crate) fn tree(&mut self, all: bool) -> Tree {
        let nasty = if all { ODD.len() } else { ODD.len() - 1 };
        let names = self.names(2, nasty);
        let attributes: Vec<ModelAttribute> = names[1..]
            .iter()
            .map(|name| {
                let mut attribute = ModelAttribute::numeric(name);
                if self.below(2) == 0 {
                    attribute.domain = Domain::Values(self.names(1, nasty));
                }
                attribute
            })
            .collect();
        let class = Class { name: names[0].clone(), values: self.names(2, nasty) };
        let mut nodes: Vec<Node> = Vec::new();
        let mut announced = 1;
        while nodes.len() < announced {
            let node = if announced < 24 && self.below(3) > 0 {
                let test = self.test(&attributes, announced as u32);
                announced += test.children.len();
                Node::Test(test)
            } else {
                let counts = class.values.iter().map(|_| self.below(9) as u64).collect();
                let counts = (self.below(3) > 0).then_some(counts);
                Node::Leaf(Leaf { label: self.below(class.values.len()) as u32, told: counts.into() })
            };
            nodes.push(node);
        }
        let digits = 1 + self.below(9) as u8;
        let detail = [Detail::Counts, Detail::Shares { digits }, Detail::Labels][self.below(3)];
        Tree::new(attributes, class, nodes).unwrap().in_detail(detail)
    }

    fn test(&mut self, attributes: &[ModelAttribute], child: u32) -> Test {
        let attribute = self.below(attributes.len());
        let mut branches = 1 + self.below(4);
        let mut otherwise = (self.below(2) == 0).then(|| self.below(branches) as u32);
        let (split, branches) = match &attributes[attribute].domain {
            Domain::Values(values) => {
                // Each branch has a value, or is for others.
                branches = branches.min(values.len());
                otherwise = otherwise.map(|branch| branch.min(branches as u32 - 1));
                let of_value = (0..values.len()).map(|place| {
                    let branch = if place < branches { place as u32 } else { self.below(branches) as u32 };
                    (otherwise != Some(branch) || self.below(2) == 0).then_some(branch)
                });
                (Split::Values(of_value.collect()), branches)
            }
            Domain::Numbers { .. } => {
                let mut thresholds: Vec<f64> =
                    (1..branches).map(|_| NUMBERS[self.below(NUMBERS.len())]).collect();
                thresholds.sort_by(f64::total_cmp);
                thresholds.dedup();
                let branches = thresholds.len() + 1;
                (Split::Thresholds(thresholds), branches)
            }
        };
        let otherwise = otherwise.map(|branch| branch.min(branches as u32 - 1));
        let apart = matches!(split, Split::Thresholds(_)) && self.below(4) == 0;
        let branches = branches + usize::from(apart);
        let missing = match self.below(4) {
            _ if apart => MissingRoute::Branch(branches as u32 - 1),
            0 => MissingRoute::Branch(self.below(branches) as u32),
            1 => MissingRoute::Stop,
            _ => MissingRoute::Otherwise,
        };
        let labels = vec!["x".to_owned(); branches];
        Test {
            attribute,
            split,
            labels,
            children: (child..child + branches as u32).collect(),
            otherwise,
            missing,
        }
    }

    /// Rows with values the tree knows, others, and missing ones.
    pub(crate) fn table(&mut self, tree: &Tree) -> Table {
        let columns = tree.attributes().iter().map(|attribute| match &attribute.domain {
            Domain::Values(values) => {
                let cell = |draw: &mut Self| match draw.below(values.len() + 2) {
                    0 => None,
                    1 => Some("never heard of"),
                    place => Some(values[place - 2].as_str()),
                };
                let cells: Vec<Option<&str>> = (0..40).map(|_| cell(self)).collect();
                Column::from_texts(&attribute.name, &cells)
            }
            Domain::Numbers { .. } => {
                let cell = |draw: &mut Self| match draw.below(NUMBERS.len() + 1) {
                    0 => None,
                    place => Some(near(NUMBERS[place - 1], draw.below(3))),
                };
                let cells: Vec<Option<f64>> = (0..40).map(|_| cell(self)).collect();
                Column::from_numbers(&attribute.name, &cells).unwrap()
            }
        });
        Table::new(columns.collect(), People::Rows).unwrap()
    }
}

const NUMBERS: [f64; 9] = [0.0, 0.1, -7.25, 30.5, 1e-300, 1e15, 123_456_789.123, -1e300, 3.0];

fn near(number: f64, which: usize) -> f64 {
    [number, number.next_up(), number.next_down()][which]
}

fn labels(tree: &Tree, table: &Table) -> Vec<String> {
    let predictions = predict(table, tree).unwrap();
    (0..table.rows()).map(|row| label(tree, predictions.of(row).label).to_owned()).collect()
}

fn released(tree: &Tree) -> ModelRelease {
    ModelRelease {
        model: Model::Tree(tree.clone()),
        individuals: None,
        origin: crate::release::Origin::default(),
    }
}

fn survives(tree: &Tree, table: &Table, target: Target) {
    let bytes = export(&released(tree), target).unwrap();
    let Release::Model(read) = parse_model(bytes, Path::new("model")).unwrap() else { panic!() };
    let Model::Tree(read) = read.model else { panic!() };
    assert_eq!(labels(&read, table), labels(tree, table), "{target:?} of {tree:?}");
}

fn choices() -> impl Strategy<Value = Vec<u64>> {
    proptest::collection::vec(any::<u64>(), 5..80)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn exports_read_back_as_the_same_function(choices in choices()) {
        let mut draw = Draw { choices, next: 0 };
        let tree = draw.tree(false);
        let table = draw.table(&tree);
        survives(&tree, &table, Target::Json);
        survives(&tree, &table, Target::Pmml);
        survives(&tree, &table, Target::Onnx);
    }

    #[test]
    fn exporting_never_panics_and_depends_on_the_tree_alone(choices in choices()) {
        let tree = Draw { choices, next: 0 }.tree(true);
        for target in [Target::Pmml, Target::Onnx, Target::Sql, Target::Python, Target::Json] {
            let first = export(&released(&tree), target);
            prop_assert_eq!(&first, &export(&released(&tree), target));
            if let Err(error) = first {
                prop_assert!(matches!(target, Target::Pmml | Target::Onnx), "{:?}: {}", target, error);
                prop_assert!(error.help.is_some(), "{:?}: {}", target, error);
            }
        }
    }

    #[test]
    fn python_strings_stay_strings(text in ".*") {
        let quoted = python::string(&text);
        let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap();
        prop_assert!(inner.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
        let mut read = String::new();
        let mut rest = inner.chars();
        while let Some(first) = rest.next() {
            prop_assert!(first != '"');
            let digits = match first {
                '\\' => match rest.next().unwrap() {
                    'u' => 4,
                    'U' => 8,
                    escaped => { read.push(escaped); continue }
                },
                other => { read.push(other); continue }
            };
            let code: String = rest.by_ref().take(digits).collect();
            read.push(char::from_u32(u32::from_str_radix(&code, 16).unwrap()).unwrap());
        }
        prop_assert_eq!(read, text);
    }

    #[test]
    fn sql_strings_stay_strings(text in "[^\u{0}]*") {
        for (quoted, mark) in [(sql::string(&text).unwrap(), '\''), (sql::identifier(&text).unwrap(), '"')] {
            let inner = &quoted[1..quoted.len() - 1];
            let double = format!("{mark}{mark}");
            prop_assert!(!inner.replace(&double, "").contains(mark));
            prop_assert_eq!(inner.replace(&double, &mark.to_string()), text.clone());
        }
    }
}

/// A chain of twenty thousand tests: no export recurses along it.
#[test]
fn deep_trees_are_written() {
    let depth: u32 = 20_000;
    let leaf = |label| Node::Leaf(Leaf { label, told: None.into() });
    let mut nodes = Vec::new();
    for i in 0..depth {
        let children = vec![2 * i + 1, 2 * i + 2];
        let split = Split::Thresholds(vec![f64::from(i)]);
        let labels = vec![String::new(); 2];
        nodes.push(Node::Test(Test {
            attribute: 0,
            split,
            labels,
            children,
            otherwise: None,
            missing: MissingRoute::Otherwise,
        }));
        nodes.push(leaf(i % 2));
    }
    nodes.push(leaf(0));
    let class = Class { name: "c".to_owned(), values: vec!["a".to_owned(), "b".to_owned()] };
    let tree = Tree::new(vec![ModelAttribute::numeric("x")], class, nodes).unwrap();
    let cells: Vec<Option<f64>> = (0..100).map(|i| Some(f64::from(i * 211) + 0.5)).collect();
    let table = Table::new(vec![Column::from_numbers("x", &cells).unwrap()], People::Rows).unwrap();
    export(&released(&tree), Target::Python).unwrap();
    let error = export(&released(&tree), Target::Sql).unwrap_err();
    assert!(error.to_string().contains("too deep"), "{error}");
    survives(&tree, &table, Target::Pmml);
    survives(&tree, &table, Target::Onnx);
}
