//! Trees in PMML: a `TreeModel` for classification.
//!
//! Each node's branches must ask one field. What a branch takes is worked out as a set of the field's values: intervals or names. A value
//! belongs to the first branch that takes it, as PMML has it; the tests that come out are those of a release, so a branch may not take two
//! intervals with a gap between them.

mod predicate;
mod tests_of;

use super::HELP;
use incrowd_core::model::{Class, Domain, Leaf, ModelAttribute, Node, Tree};
use incrowd_core::{Error, Result};
use roxmltree::{Document, Node as Element, ParsingOptions};
use std::collections::HashMap;
use tests_of::Branch;

/// The most elements a file may have.
const MOST: u32 = 1 << 26;

pub(super) fn read(text: &str) -> Result<Tree> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let position = error.pos();
        Error::new("the file is not sound XML")
            .at_line(u64::from(position.row))
            .at_column(u64::from(position.col))
            .help("check that it is PMML, and where it was changed last")
    })?;
    Reader::new(document.root_element())?
        .tree()
        .map_err(|error| if error.help.is_some() { error } else { error.help(HELP) })
}

/// What a PMML file says.
struct Reader<'a> {
    model: Element<'a, 'a>,
    fields: Fields,
    class: Class,
    labels: HashMap<String, u32>,
}

/// The fields a tree may ask.
struct Fields {
    attributes: Vec<ModelAttribute>,
    /// The place of each field, and whether its numbers are rounded to single precision.
    places: HashMap<String, (usize, bool)>,
}

impl<'a> Reader<'a> {
    fn new(root: Element<'a, 'a>) -> Result<Self> {
        let wrong = |what: &str| Error::new(what.to_owned()).help(HELP);
        if root.tag_name().name() != "PMML" {
            return Err(wrong("the file is XML, but not PMML"));
        }
        let model = child(root, "TreeModel").ok_or_else(|| wrong("the file has no TreeModel"))?;
        if model.attribute("functionName") != Some("classification") {
            return Err(wrong("the tree is not for classification"));
        }
        let target = child(model, "MiningSchema")
            .into_iter()
            .flat_map(|schema| schema.children())
            .find(|field| matches!(field.attribute("usageType"), Some("target" | "predicted")));
        let target = target.and_then(|field| field.attribute("name"));
        let target = target.ok_or_else(|| wrong("the tree does not say which field it predicts"))?.to_owned();
        let (fields, values) = Fields::new(root, model, &target)?;
        let labels = values.iter().cloned().zip(0..).collect();
        Ok(Self { model, fields, class: Class { name: target, values }, labels })
    }

    fn tree(mut self) -> Result<Tree> {
        let root = child(self.model, "Node").ok_or_else(|| Error::new("the tree has no nodes"))?;
        self.collect_labels(root);
        self.collect_values(root)?;
        let mut nodes: Vec<Option<Node>> = vec![None];
        let mut waiting = vec![(root, 0)];
        let mut cells = 0;
        while let Some((element, place)) = waiting.pop() {
            let (element, branches) = asking(element);
            nodes[place] = Some(if branches.is_empty() {
                Node::Leaf(self.leaf(element, false)?)
            } else {
                let made = self.test(element, &branches, nodes.len() as u32, &mut cells)?;
                for branch in &made.1 {
                    match branch {
                        Branch::Node(i) => waiting.push((branches[*i], nodes.len())),
                        Branch::Stop => {}
                    }
                    let stop =
                        matches!(branch, Branch::Stop).then(|| self.leaf(element, true)).transpose()?;
                    nodes.push(stop.map(Node::Leaf));
                }
                Node::Test(made.0)
            });
        }
        let nodes = nodes.into_iter().flatten().collect();
        Tree::new(self.fields.attributes, self.class, nodes)
    }

    /// Class values that the field's declaration leaves out.
    fn collect_labels(&mut self, root: Element<'a, 'a>) {
        for node in root.descendants().filter(|element| element.tag_name().name() == "Node") {
            if let Some(score) = node.attribute("score")
                && !self.labels.contains_key(score)
            {
                self.labels.insert(score.to_owned(), self.class.values.len() as u32);
                self.class.values.push(score.to_owned());
            }
        }
    }

    /// Values of fields that their declarations leave out.
    fn collect_values(&mut self, root: Element<'a, 'a>) -> Result<()> {
        let mut known: Vec<std::collections::HashSet<String>> = Vec::new();
        for attribute in &self.fields.attributes {
            known.push(crate::release::attribute_values(attribute).iter().cloned().collect());
        }
        for element in root.descendants() {
            let Some(&(place, _)) = element.attribute("field").and_then(|name| self.fields.places.get(name))
            else {
                continue;
            };
            if let Domain::Values(values) = &mut self.fields.attributes[place].domain {
                for value in predicate::values_named(element)? {
                    if known[place].insert(value.clone()) {
                        values.push(value);
                    }
                }
            }
        }
        // A field that no test asks may have no values at all.
        for attribute in &mut self.fields.attributes {
            if let Domain::Values(values) = &mut attribute.domain
                && values.is_empty()
            {
                values.push(String::new());
            }
        }
        Ok(())
    }

    fn leaf(&self, element: Element<'a, 'a>, empty: bool) -> Result<Leaf> {
        let mut counts: Option<Vec<u64>> = Some(vec![0; self.class.values.len()]);
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        for share in named(element, "ScoreDistribution") {
            let label = share.attribute("value").and_then(|value| self.labels.get(value)).copied();
            let label = label.ok_or_else(|| Error::new("a node counts a class value that is not listed"))?;
            let number: f64 = share.attribute("recordCount").and_then(|n| n.parse().ok()).unwrap_or(f64::NAN);
            if number > most {
                (best, most) = (Some(label), number);
            }
            let whole = (number.fract() == 0.0 && (0.0..9e15).contains(&number)).then_some(number as u64);
            counts = counts.zip(whole).map(|(mut counts, count)| {
                counts[label as usize] = count;
                counts
            });
        }
        let counts = counts.filter(|_| best.is_some());
        let score = element.attribute("score").and_then(|score| self.labels.get(score)).copied();
        let label = score.or(best).ok_or_else(|| Error::new("a node without branches has no score"))?;
        // A node that does not say how many are there may tell their shares.
        let is_share = |counts: &Vec<u64>| {
            element.attribute("recordCount").is_none()
                && counts.iter().map(|&count| u128::from(count)).sum::<u128>() <= 1
        };
        let counts = counts.filter(|counts| !is_share(counts));
        let counts = if empty { counts.map(|counts| vec![0; counts.len()]) } else { counts };
        Ok(Leaf { label, told: counts.into() })
    }
}

impl Fields {
    /// The fields a tree may ask, and the values of the class.
    fn new(root: Element<'_, '_>, model: Element<'_, '_>, target: &str) -> Result<(Self, Vec<String>)> {
        let mut fields = Self { attributes: Vec::new(), places: HashMap::new() };
        let mut class = Vec::new();
        let dictionary = child(root, "DataDictionary")
            .ok_or_else(|| Error::new("the file declares no fields").help(HELP))?;
        for field in named(dictionary, "DataField") {
            let Some(name) = field.attribute("name") else { continue };
            let valid =
                |value: &Element<'_, '_>| !matches!(value.attribute("property"), Some("missing" | "invalid"));
            let values = named(field, "Value").filter(valid).filter_map(|value| value.attribute("value"));
            let mut values: Vec<String> = values.map(str::to_owned).collect();
            dedup(&mut values);
            if name == target {
                class = values;
                continue;
            }
            let single = field.attribute("dataType") == Some("float");
            let attribute = if field.attribute("optype") == Some("continuous") {
                ModelAttribute::numeric(name)
            } else {
                ModelAttribute::categorical(name, values)
            };
            fields.places.insert(name.to_owned(), (fields.attributes.len(), single));
            fields.attributes.push(attribute);
        }
        fields.derive(root, "TransformationDictionary");
        fields.derive(model, "LocalTransformations");
        Ok((fields, class))
    }

    /// Fields that are others under another name, perhaps rounded.
    fn derive(&mut self, parent: Element<'_, '_>, list: &'static str) {
        for field in child(parent, list).into_iter().flat_map(|list| named(list, "DerivedField")) {
            let from = child(field, "FieldRef").and_then(|from| from.attribute("field"));
            let from = from.and_then(|from| self.places.get(from)).copied();
            if let (Some((place, single)), Some(name)) = (from, field.attribute("name")) {
                let single = single || field.attribute("dataType") == Some("float");
                self.places.insert(name.to_owned(), (place, single));
            }
        }
    }
}

/// The first node from here on that asks something, and its branches; none if it is a leaf. A node whose branches ask nothing leads to the first
/// of them that takes everything.
fn asking<'a>(mut node: Element<'a, 'a>) -> (Element<'a, 'a>, Vec<Element<'a, 'a>>) {
    loop {
        let branches: Vec<Element<'a, 'a>> = named(node, "Node").collect();
        let asks = |branch: &Element<'a, 'a>| child(*branch, "True").or(child(*branch, "False")).is_none();
        if branches.iter().any(asks) {
            return (node, branches);
        }
        match branches.iter().find(|branch| child(**branch, "True").is_some()) {
            Some(branch) => node = *branch,
            None => return (node, Vec::new()),
        }
    }
}

fn dedup(values: &mut Vec<String>) {
    let mut seen = std::collections::HashSet::new();
    values.retain(|value| seen.insert(value.clone()));
}

fn child<'a>(element: Element<'a, 'a>, name: &'static str) -> Option<Element<'a, 'a>> {
    named(element, name).next()
}

fn named<'a>(element: Element<'a, 'a>, name: &'static str) -> impl Iterator<Item = Element<'a, 'a>> {
    element.children().filter(move |child| child.tag_name().name() == name)
}
