//! Random models are unchanged after writing and reading; random and damaged bytes never make reading panic.

use super::{examples, parse};
use crate::release::*;
use incrowd_core::model::{
    Axis, CellPlan, CellValue, Centroid, Class, Clusters, Combination, Domain, Ensemble, Item, Leaf,
    LeafContents, Link, Member, MissingRoute, ModelAttribute, Node, Rule, Rules, Scoring, Shares, Split,
    Test, TieRule, Tree,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Random choices, taken from a list that proptest can shrink.
struct Draw {
    choices: Vec<u64>,
    next: usize,
}

impl Draw {
    fn number(&mut self) -> u64 {
        self.next += 1;
        let choice = self.choices[self.next % self.choices.len()];
        choice.wrapping_mul(self.next as u64 | 1)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.number() >> 7) as usize % n
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(3) > 0).then(|| make(self))
    }

    /// Any finite number, odd ones most of all.
    fn float(&mut self) -> f64 {
        let number = f64::from_bits(self.number());
        let usual = [0.0, -0.0, 0.1, 30.5, 1e-300, f64::MAX, f64::MIN_POSITIVE, 5e-324][self.below(8)];
        if number.is_finite() && self.below(4) > 0 { number } else { usual }
    }

    fn text(&mut self) -> String {
        let odd = ["", "a", "\"", "\\", "\u{1f}", "é", "𝄞", "\u{2028}", "= ", "null"];
        (0..=self.below(3)).map(|_| odd[self.below(odd.len())]).collect()
    }

    /// Different names.
    fn names(&mut self, least: usize) -> Vec<String> {
        let count = least + self.below(4);
        (0..count).map(|i| format!("{}{i}", self.text())).collect()
    }

    fn range(&mut self) -> (f64, f64) {
        let (a, b) = (self.float(), self.float());
        let low = if self.below(3) == 0 { f64::NEG_INFINITY } else { a.min(b) };
        let high = if self.below(3) == 0 { f64::INFINITY } else { a.max(b) };
        (low, high)
    }

    fn attribute(&mut self, name: String, numeric: bool) -> ModelAttribute {
        let domain = if numeric {
            let (low, high) = self.range();
            Domain::Numbers { low, high }
        } else {
            Domain::Values(self.names(1))
        };
        ModelAttribute { name, domain, missing: self.below(2) == 0, dates: numeric && self.below(3) == 0 }
    }

    fn tree(&mut self) -> Tree {
        let names = self.names(2);
        let (class, rest) = names.split_first().unwrap();
        let attributes: Vec<ModelAttribute> = rest
            .iter()
            .map(|name| {
                let numeric = self.below(2) == 0;
                self.attribute(name.clone(), numeric)
            })
            .collect();
        let class = Class { name: class.clone(), values: self.names(1) };
        let digits = 1 + self.below(9) as u8;
        let mut nodes: Vec<Node> = Vec::new();
        let mut announced = 1;
        while nodes.len() < announced {
            let node = if announced < 20 && self.below(2) == 0 {
                let test = self.test(&attributes, announced as u32);
                announced += test.children.len();
                Node::Test(test)
            } else {
                Node::Leaf(self.leaf(class.values.len(), digits))
            };
            nodes.push(node);
        }
        Tree::new(attributes, class, nodes).unwrap()
    }

    fn leaf(&mut self, classes: usize, digits: u8) -> Leaf {
        let label = self.below(classes) as u32;
        let told = match self.below(3) {
            0 => LeafContents::Nothing,
            1 => LeafContents::Counts((0..classes).map(|_| self.number() >> 10).collect()),
            _ => {
                let unit = 10_usize.pow(u32::from(digits));
                let parts = (0..classes).map(|_| self.below(unit + 1) as u32).collect();
                LeafContents::Shares(Shares::new(parts, digits).unwrap())
            }
        };
        Leaf { label, told }
    }

    fn test(&mut self, attributes: &[ModelAttribute], child: u32) -> Test {
        let attribute = self.below(attributes.len());
        let (split, branches) = match &attributes[attribute].domain {
            Domain::Values(values) => {
                let branches = 1 + self.below(4);
                let of_value = values.iter().map(|_| self.maybe(|draw| draw.below(branches) as u32));
                (Split::Values(of_value.collect()), branches)
            }
            Domain::Numbers { .. } => {
                let mut thresholds: Vec<f64> = (0..self.below(4)).map(|_| self.float()).collect();
                thresholds.sort_by(f64::total_cmp);
                thresholds.dedup();
                let branches = thresholds.len() + 1;
                (Split::Thresholds(thresholds), branches)
            }
        };
        let labels = self.labels(&split, &attributes[attribute], branches);
        let children = (child..child + branches as u32).collect();
        let missing =
            [MissingRoute::Otherwise, MissingRoute::Branch(self.below(branches) as u32)][self.below(2)];
        Test { attribute, split, labels, children, otherwise: Some(self.below(branches) as u32), missing }
    }

    /// Default labels, others, or a mixture.
    fn labels(&mut self, split: &Split, attribute: &ModelAttribute, branches: usize) -> Vec<String> {
        let mut labels = match (split, &attribute.domain) {
            (Split::Values(of_value), Domain::Values(values)) => (0..branches as u32)
                .map(|branch| {
                    let mine = values.iter().zip(of_value).filter(|(_, of)| **of == Some(branch));
                    labels::of_values(&mine.map(|(value, _)| value.as_str()).collect::<Vec<_>>())
                })
                .collect(),
            (Split::Thresholds(thresholds), _) => labels::of_thresholds(thresholds, attribute.dates),
            (Split::Values(_), Domain::Numbers { .. }) => Vec::new(),
        };
        for label in &mut labels {
            if self.below(3) == 0 {
                *label = self.text();
            }
        }
        labels
    }

    fn clusters(&mut self) -> Clusters {
        let axes: Vec<Axis> = self
            .names(1)
            .into_iter()
            .map(|name| {
                let numeric = self.below(3) > 0;
                let scale = self.float().abs();
                let domain = self.attribute(name.clone(), numeric).domain;
                let dates = numeric && self.below(3) == 0;
                Axis { name, domain, scale: if scale > 0.0 { scale } else { 1.0 }, dates }
            })
            .collect();
        let centroid = |draw: &mut Self| Centroid {
            center: (0..axes.iter().map(Axis::width).sum()).map(|_| draw.float()).collect(),
            population: draw.maybe(|draw| draw.number() >> 10),
        };
        let centroids = (0..=self.below(5)).map(|_| centroid(self)).collect();
        Clusters::new(axes, centroids).unwrap()
    }

    fn rules(&mut self) -> Rules {
        let names = self.names(1);
        let attributes: Vec<ModelAttribute> =
            names.into_iter().map(|name| self.attribute(name, false)).collect();
        let rules = (0..self.below(5)).map(|_| self.rule(&attributes)).collect();
        Rules::new(attributes, rules).unwrap()
    }

    fn rule(&mut self, attributes: &[ModelAttribute]) -> Rule {
        let mut items: Vec<Item> = Vec::new();
        for (attribute, about) in attributes.iter().enumerate() {
            let Domain::Values(values) = &about.domain else { continue };
            items.push(Item { attribute, value: self.below(values.len()) as u32 });
        }
        let consequent = items.split_off(self.below(items.len()));
        let both = self.number() >> 10;
        Rule {
            antecedent: items,
            consequent,
            antecedent_count: self.maybe(|draw| both + (draw.number() >> 10)),
            both_count: Some(both),
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => Value::from(self.number()),
            2 => Value::from(self.float()),
            3 => Value::from(self.text()),
            4 => Value::from(self.number().cast_signed()),
            5 => Value::Array((0..self.below(3)).map(|_| self.value(depth - 1)).collect()),
            _ => Value::Object(self.map(depth - 1)),
        }
    }

    fn map(&mut self, depth: usize) -> Map<String, Value> {
        (0..self.below(3)).map(|_| (self.text(), self.value(depth))).collect()
    }

    fn origin(&mut self) -> Origin {
        Origin {
            method: self.maybe(Self::text),
            parameters: self.map(3),
            guarantee: self.names(0),
            weakened: self.names(0),
            measured: self.map(2),
        }
    }

    /// The tests of a tree as cells: a name and a number for each of its class values.
    fn cells(&mut self, tree: &Tree) -> CellPlan {
        let names = vec!["cell 1".to_owned(), "cell 2".to_owned()];
        let attributes =
            vec![ModelAttribute::categorical("cell no.", names), ModelAttribute::numeric("cell size")];
        let value = |_: &String| vec![CellValue::Name(self.below(2) as u32), CellValue::Number(self.float())];
        let values = tree.class().values.iter().map(value).collect();
        CellPlan { attributes, nodes: tree.nodes().to_vec(), values }
    }

    fn ensemble(&mut self) -> Ensemble {
        let tree = self.tree();
        let classes = tree.class().values.len();
        let logistic = classes == 2 && self.below(2) == 0;
        let outputs = if logistic { 1 } else { classes };
        let members = (0..=self.below(3)).map(|_| {
            let output = self.maybe(|draw| draw.below(outputs) as u32);
            let width = if output.is_some() { 1 } else { outputs };
            let scores = tree.nodes().iter().map(|node| match node {
                Node::Leaf(_) => (0..width).map(|_| self.float()).collect(),
                Node::Test(_) => Vec::new(),
            });
            Member { scores: scores.collect(), nodes: tree.nodes().to_vec(), output }
        });
        let members = members.collect();
        let scoring = Scoring {
            combination: if self.below(2) == 0 { Combination::Sum } else { Combination::Mean },
            base: (0..outputs).map(|_| self.float()).collect(),
            link: if logistic { Link::Logistic } else { Link::Identity },
            tie: if self.below(2) == 0 { TieRule::First } else { TieRule::Last },
        };
        let (attributes, class) = (tree.attributes().to_vec(), tree.class().clone());
        let cells = self.maybe(|draw| draw.cells(&tree));
        Ensemble::with_cells(attributes, class, cells, members, scoring).unwrap()
    }

    fn release(&mut self) -> Release {
        let origin = self.origin();
        let individuals = self.maybe(|draw| u64::MAX - (draw.number() >> 20));
        let model = match self.below(5) {
            0 => Model::Tree(self.tree()),
            3 => Model::Ensemble(self.ensemble()),
            1 => Model::Clusters(self.clusters()),
            2 => Model::Rules(self.rules()),
            _ => {
                let (file, rows) = (format!("{}.csv", self.number()), self.number());
                return Release::Table(TableRelease {
                    file,
                    rows,
                    individuals,
                    origin,
                    ..TableRelease::default()
                });
            }
        };
        Release::Model(ModelRelease { model, individuals, origin })
    }
}

fn draw() -> impl Strategy<Value = Draw> {
    vec(any::<u64>(), 1..300).prop_map(|choices| Draw { choices, next: 0 })
}

impl std::fmt::Debug for Draw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let release = Draw { choices: self.choices.clone(), next: 0 }.release();
        write!(f, "{release:?}")
    }
}

/// A change to a text: bytes overwritten, removed or repeated.
fn damage(text: &str, changes: &[(usize, u8, u8)]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for &(place, kind, byte) in changes {
        let place = place % bytes.len().max(1);
        match kind % 4 {
            _ if bytes.is_empty() => {}
            0 => bytes[place] = byte,
            1 => drop(bytes.remove(place)),
            2 => bytes.insert(place, b"0123456789-.e\"{}[],:"[byte as usize % 20]),
            _ => drop(bytes.drain(place..(place + byte as usize).min(bytes.len()))),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn releases_survive_writing_and_reading(mut draw in draw()) {
        let release = draw.release();
        let text = release.to_text().unwrap();
        prop_assert_eq!(&parse(&text).unwrap(), &release);
        prop_assert_eq!(release.to_text().unwrap(), text);
    }

    #[test]
    fn numbers_survive_bit_for_bit(bits in vec(any::<u64>(), 1..20)) {
        let center: Vec<f64> = bits.into_iter().map(f64::from_bits).filter(|x| x.is_finite()).collect();
        prop_assume!(!center.is_empty());
        let axes = (0..center.len()).map(|i| Axis::new(&i.to_string(), 0.0, 1.0)).collect();
        let clusters = Clusters::new(axes, vec![Centroid { center: center.clone(), population: None }]).unwrap();
        let text = Release::of_model(Model::Clusters(clusters)).to_text().unwrap();
        let Ok(Release::Model(ModelRelease { model: Model::Clusters(read), .. })) = parse(&text) else { panic!() };
        let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&read.centroids()[0].center), bits(&center));
    }

    #[test]
    fn random_text_is_refused(text in ".*") {
        prop_assert!(parse(&text).is_err());
    }

    #[test]
    fn damaged_releases_never_panic(mut draw in draw(), changes in vec(any::<(usize, u8, u8)>(), 1..6)) {
        let text = draw.release().to_text().unwrap();
        sound_or_refused(&damage(&text, &changes));
    }

    #[test]
    fn damaged_examples_never_panic(which in 0..5_usize, changes in vec(any::<(usize, u8, u8)>(), 1..4)) {
        sound_or_refused(&damage(&examples()[which], &changes));
    }
}

/// The generator is worth its name: all families, and trees with several tests.
#[test]
fn random_releases_are_of_all_sorts() {
    let mut deep = 0;
    let mut families: Vec<&str> = Vec::new();
    for seed in 1..200_u64 {
        let choices = (1..100).map(|i| seed.wrapping_mul(i).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let release = Draw { choices, next: 0 }.release();
        families.push(release.family());
        if let Release::Model(ModelRelease { model: Model::Tree(tree), .. }) = release {
            deep += usize::from(tree.nodes().iter().filter(|node| matches!(node, Node::Test(_))).count() > 3);
        }
    }
    families.sort_unstable();
    families.dedup();
    assert_eq!(families, ["clusters", "ensemble", "rules", "table", "tree"]);
    assert!(deep > 5, "{deep}");
}

/// Whatever is accepted can be written and is the same again.
fn sound_or_refused(text: &str) {
    match parse(text) {
        Ok(release) => assert_eq!(parse(&release.to_text().unwrap()).unwrap(), release),
        Err(error) => assert!(error.help.is_some(), "no help: {error}"),
    }
}
