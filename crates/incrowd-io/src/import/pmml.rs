//! Trees in PMML: a `TreeModel` for classification, or a `MiningModel` of several trees (`ensemble`).
//!
//! Branches of a node that test one field become a test; those after them that test another one become a test behind
//! it. The values that a branch takes are computed as a set: intervals or names. A value belongs to the first branch
//! that takes it, as PMML specifies; the resulting tests are those of a release, so a branch may not take two intervals
//! with a gap between them. What the file's reader does to a value before (`fields`), and what it does with one that is
//! missing or that no branch takes (`tests_of`), is reproduced or refused: elements and attributes that are not listed
//! here are an error.

mod ensemble;
mod field;
mod fields;
mod leaves;
mod predicate;
mod scan;
mod steps;
mod tests_of;

use super::HELP;
use fields::Fields;
use incrowd_core::model::{Class, Leaf, LeafContents, Model, Node, Tree};
use incrowd_core::{Error, Result};
use roxmltree::{Document, Node as Element, ParsingOptions};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use tests_of::{BranchingNode, Goal, Making};

/// The most elements a file may have.
const MOST: u32 = 1 << 21;

/// The tree of a file, and the fields whose numbers are compared as names.
pub(super) fn read(text: &str) -> Result<(Model, Vec<String>)> {
    scan::check(text, MOST as usize)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let position = error.pos();
        let is_page =
            text.trim_start().get(..14).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype html"));
        if is_page {
            return Error::input("this is a web page, not a model")
                .help("name the model, or the JSON file of the release");
        }
        if matches!(error, roxmltree::Error::DtdDetected) {
            return Error::input("a document type declaration (DOCTYPE) is not supported")
                .help("remove it: PMML does not need one");
        }
        Error::input("invalid XML")
            .at_line(u64::from(position.row))
            .at_column(u64::from(position.col))
            .help("check that the file is PMML and that later edits are correct")
    })?;
    read_root(document.root_element())
        .map_err(|error| if error.help.is_some() { error } else { error.help(HELP) })
}

fn read_root(root: Element<'_, '_>) -> Result<(Model, Vec<String>)> {
    check_root(root)?;
    let models = ["TreeModel", "MiningModel"];
    elements_only(
        root,
        &[&["Header", "MiningBuildTask", "DataDictionary", "TransformationDictionary"][..], &models].concat(),
    )?;
    let mut models = root.children().filter(|child| models.contains(&child.tag_name().name()));
    let (Some(model), None) = (models.next(), models.next()) else {
        return Err(Error::input("the file does not have exactly one TreeModel or MiningModel"));
    };
    if model.tag_name().name() == "MiningModel" {
        return ensemble::read(root, model).map(|(ensemble, codes)| (Model::Ensemble(ensemble), codes));
    }
    let reader = Reader::new(root, model)?;
    let codes = reader.fields.codes();
    Ok((Model::Tree(reader.tree()?), codes))
}

/// What happens at a comparison with a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MissingStrategy {
    /// The next branch is tried.
    None,
    /// The node's own score is predicted.
    Last,
    /// Nothing is predicted, or something that is not supported.
    Null,
    /// The node's default branch is taken.
    DefaultChild,
}

/// The content of a PMML file.
struct Reader<'a> {
    root: Element<'a, 'a>,
    fields: Rc<Fields>,
    class: Class,
    labels: Rc<HashMap<String, u32>>,
    missing: MissingStrategy,
    /// Whether the node's own score is predicted where no branch takes a value; otherwise nothing is.
    last_prediction: bool,
    /// Whether the file contains populations, not shares.
    counted: bool,
}

impl<'a> Reader<'a> {
    /// The tree of a file.
    fn new(root: Element<'a, 'a>, model: Element<'a, 'a>) -> Result<Self> {
        check_model(model, "classification")?;
        let target = target(model)?;
        let (mut fields, values) = Fields::new(root, model, &target)?;
        let node = child(model, "Node").ok_or_else(|| Error::input("the tree has no nodes"))?;
        let mut class = Class { name: target, values };
        let labels = Rc::new(leaves::labels(node, &mut class));
        ask(node, &mut fields)?;
        Self::of(model, Rc::new(fields), class, labels)
    }

    /// A tree over known fields.
    fn of(
        model: Element<'a, 'a>,
        fields: Rc<Fields>,
        class: Class,
        labels: Rc<HashMap<String, u32>>,
    ) -> Result<Self> {
        let root = child(model, "Node").ok_or_else(|| Error::input("the tree has no nodes"))?;
        let (missing, last_prediction) = (missing_strategy(model)?, last_prediction(model)?);
        let counted = leaves::are_counted(root);
        Ok(Self { root, fields, class, labels, missing, last_prediction, counted })
    }

    fn tree(self) -> Result<Tree> {
        let (attributes, places) = self.fields.attributes();
        let (mut nodes, ends) = self.nodes(places.into(), &mut 0)?;
        for (place, (element, empty)) in ends {
            nodes[place] = Node::Leaf(self.leaf(element, empty)?);
        }
        Tree::new(attributes, self.class, nodes)
    }

    /// The nodes of the tree with blank leaves and, by their places, the elements whose scores the leaves predict;
    /// with `true` those that the file does not count individuals in. `cells` counts the values that tests cover.
    fn nodes(&self, places: Rc<[usize]>, cells: &mut usize) -> Result<(Vec<Node>, Ends<'a>)> {
        if predicate::of_node(&self.fields, self.root)? != predicate::ValueSet::Everything {
            return Err(refuse("a root whose predicate is not True"));
        }
        let blank = || Some(Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing }));
        let (mut making, mut ends) = (Making::new(places, *cells), Ends::new());
        let mut waiting = vec![(Asking::Node(self.root), 0)];
        while let Some((asking, place)) = waiting.pop() {
            let (element, branches) = match self.asking(asking)? {
                NodeEnd::Branches(element, branches) => (element, branches),
                NodeEnd::Leaf(element) => {
                    making.nodes[place] = blank();
                    ends.insert(place, (element, false));
                    continue;
                }
                NodeEnd::Score(element) => {
                    making.nodes[place] = blank();
                    ends.insert(place, (element, true));
                    continue;
                }
            };
            let asked = BranchingNode::new(self, element, &branches)?;
            let test = self.test(&asked, place, &mut making)?;
            Tree::check_size(making.nodes.len() + test.1.len(), self.class.values.len())?;
            for (i, goal) in test.1.iter().enumerate() {
                let next = making.add(place as u32, i as u32);
                match goal {
                    Goal::Node(branch) => waiting.push((Asking::Node(branches[*branch]), next)),
                    Goal::Rest => {
                        waiting.push((Asking::Rest(element, branches[asked.taken.len()..].to_vec()), next));
                    }
                    Goal::Score | Goal::Nothing => {
                        making.nodes[next] = blank();
                        ends.insert(next, (element, true));
                    }
                }
            }
            making.nodes[place] = Some(Node::Test(test.0));
        }
        *cells = making.cells();
        Ok((making.nodes.into_iter().flatten().collect(), ends))
    }

    /// The first node from here on that tests something. A node whose branches test nothing leads to the first of them
    /// that takes everything.
    fn asking(&self, asking: Asking<'a>) -> Result<NodeEnd<'a>> {
        let (mut node, mut branches) = match asking {
            Asking::Node(node) => (node, None),
            Asking::Rest(node, branches) => (node, Some(branches)),
        };
        loop {
            check_node(node)?;
            let left = match branches.take() {
                Some(rest) => rest,
                None => named(node, "Node").collect(),
            };
            let asks =
                |branch: &Element<'a, 'a>| child(*branch, "True").or(child(*branch, "False")).is_none();
            if left.iter().any(asks) {
                return Ok(NodeEnd::Branches(node, left));
            }
            if named(node, "Node").next().is_none() {
                return Ok(NodeEnd::Leaf(node));
            }
            match left.iter().find(|branch| child(**branch, "True").is_some()) {
                Some(branch) => node = *branch,
                None if self.last_prediction => return Ok(NodeEnd::Score(node)),
                None => {
                    return Err(Error::input("a node has no branch that can be taken, and no prediction"));
                }
            }
        }
    }
}

/// The elements whose scores leaves predict, by the places of the leaves.
type Ends<'a> = BTreeMap<usize, (Element<'a, 'a>, bool)>;

/// Where it is gone on.
enum Asking<'a> {
    /// With a node.
    Node(Element<'a, 'a>),
    /// With the last branches of a node, after those that test another field.
    Rest(Element<'a, 'a>, Vec<Element<'a, 'a>>),
}

/// What is found there.
enum NodeEnd<'a> {
    /// A node with branches that test something.
    Branches(Element<'a, 'a>, Vec<Element<'a, 'a>>),
    /// A leaf.
    Leaf(Element<'a, 'a>),
    /// A node whose own score is predicted, because no branch can be taken.
    Score(Element<'a, 'a>),
}

/// The file must be PMML of a version whose elements are known, and of no other namespace anywhere.
fn check_root(root: Element<'_, '_>) -> Result<()> {
    if root.tag_name().name() != "PMML" {
        return Err(Error::input("the file is XML, but not PMML"));
    }
    let namespace = root.tag_name().namespace();
    let of_namespace = namespace.and_then(|namespace| namespace.strip_prefix("http://www.dmg.org/PMML-"));
    let is_known = |version: &str| VERSIONS.contains(&version);
    let version = root.attribute("version").unwrap_or_default();
    if !is_known(version)
        || namespace.is_some() && !of_namespace.is_some_and(|of| is_known(&of.replace('_', ".")))
    {
        return Err(refuse("this version of PMML").help("versions 3.0 to 4.4 are supported"));
    }
    // A foreign element is one that the maker's reader may not know, or may know otherwise.
    let is_foreign = |node: &Element<'_, '_>| {
        let extends = node.ancestors().any(|above| above.tag_name().name() == "Extension");
        node.is_element() && node.tag_name().namespace() != namespace && !extends
    };
    match root.descendants().find(is_foreign) {
        Some(node) => {
            let line = node.document().text_pos_at(node.range().start).row;
            Err(refuse("an element from another namespace").at_line(u64::from(line)))
        }
        None => Ok(()),
    }
}

/// The versions of PMML whose trees are read.
const VERSIONS: [&str; 9] = ["3.0", "3.1", "3.2", "4.0", "4.1", "4.2", "4.2.1", "4.3", "4.4"];

fn check_model(model: Element<'_, '_>, function: &str) -> Result<()> {
    // Outputs, statistics and checks of the file add nothing to what it predicts.
    elements_only(
        model,
        &[
            "MiningSchema",
            "Output",
            "ModelStats",
            "ModelExplanation",
            "LocalTransformations",
            "ModelVerification",
            "Node",
        ],
    )?;
    attributes_only(
        model,
        &[
            "modelName",
            "functionName",
            "algorithmName",
            "missingValueStrategy",
            "missingValuePenalty",
            "noTrueChildStrategy",
            "splitCharacteristic",
            "isScorable",
        ],
    )?;
    if model.attribute("functionName") != Some(function) {
        return Err(Error::input(format!("the tree is not for {function}")));
    }
    if model.attribute("isScorable") == Some("false") {
        return Err(refuse("a tree that is not for predicting (isScorable)"));
    }
    Ok(())
}

fn check_node(node: Element<'_, '_>) -> Result<()> {
    attributes_only(node, &["id", "score", "recordCount", "defaultChild"])?;
    elements_only(
        node,
        &[
            "True",
            "False",
            "SimplePredicate",
            "SimpleSetPredicate",
            "CompoundPredicate",
            "Partition",
            "ScoreDistribution",
            "Node",
        ],
    )
}

fn target(model: Element<'_, '_>) -> Result<String> {
    let schema = child(model, "MiningSchema").ok_or_else(|| Error::input("the tree has no MiningSchema"))?;
    let mut target = None;
    for field in named(schema, "MiningField") {
        match field.attribute("usageType") {
            None | Some("active" | "supplementary") => {}
            Some("target" | "predicted") if target.is_none() => target = field.attribute("name"),
            Some("target" | "predicted") => return Err(refuse("a model of several targets")),
            Some(_) => return Err(refuse("the usageType of a MiningField")),
        }
    }
    target.map(str::to_owned).ok_or_else(|| Error::input("the tree does not state which field it predicts"))
}

fn missing_strategy(model: Element<'_, '_>) -> Result<MissingStrategy> {
    match model.attribute("missingValueStrategy") {
        None | Some("none") => Ok(MissingStrategy::None),
        Some("lastPrediction") => Ok(MissingStrategy::Last),
        Some("nullPrediction" | "weightedConfidence" | "aggregateNodes") => Ok(MissingStrategy::Null),
        Some("defaultChild") => Ok(MissingStrategy::DefaultChild),
        Some(_) => Err(refuse("the missingValueStrategy")),
    }
}

fn last_prediction(model: Element<'_, '_>) -> Result<bool> {
    match model.attribute("noTrueChildStrategy") {
        None | Some("returnNullPrediction") => Ok(false),
        Some("returnLastPrediction") => Ok(true),
        Some(_) => Err(refuse("the noTrueChildStrategy")),
    }
}

/// Records which fields are tested, and which values the predicates name.
fn ask(root: Element<'_, '_>, fields: &mut Fields) -> Result<()> {
    for element in root.descendants() {
        if matches!(element.tag_name().name(), "SimplePredicate" | "SimpleSetPredicate") {
            let (place, _) = fields.asked(element)?;
            fields.ask(place, predicate::values_named(element)?)?;
        }
    }
    Ok(())
}

fn child<'a>(element: Element<'a, 'a>, name: &'static str) -> Option<Element<'a, 'a>> {
    named(element, name).next()
}

fn named<'a>(element: Element<'a, 'a>, name: &'static str) -> impl Iterator<Item = Element<'a, 'a>> {
    element.children().filter(move |child| child.tag_name().name() == name)
}

/// What is refused, by name.
fn refuse(what: &str) -> Error {
    Error::input(format!("{what} is not supported"))
}

/// Refuses an element with attributes other than these.
fn attributes_only(element: Element<'_, '_>, known: &[&str]) -> Result<()> {
    match element.attributes().find(|attribute| !known.contains(&attribute.name())) {
        None => Ok(()),
        Some(other) => Err(place(refuse(&format!("the attribute {:?}", shown(other.name()))), element)),
    }
}

/// Refuses an element with elements inside other than these.
fn elements_only(element: Element<'_, '_>, known: &[&str]) -> Result<()> {
    let other = element.children().find(|child| {
        child.is_element() && !known.contains(&child.tag_name().name()) && !is_extension(*child)
    });
    match other {
        None => Ok(()),
        Some(other) => {
            Err(place(refuse(&format!("the element {:?}", shown(other.tag_name().name()))), other))
        }
    }
}

fn is_extension(element: Element<'_, '_>) -> bool {
    element.tag_name().name() == "Extension"
}

/// A name of the file, no longer than a message bears.
fn shown(name: &str) -> String {
    name.chars().take(40).collect()
}

/// The error with the place of an element.
fn place(error: Error, element: Element<'_, '_>) -> Error {
    let position = element.document().text_pos_at(element.range().start);
    error
        .about(format_args!("{}", shown(element.tag_name().name())))
        .at_line(u64::from(position.row))
        .at_column(u64::from(position.col))
}
