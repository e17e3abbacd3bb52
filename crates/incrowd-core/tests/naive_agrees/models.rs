//! Random small models.

use crate::random::Random;
use crate::tables::Domain;
use incrowd_core::model::{
    self, Axis, Centroid, Class, Clusters, Combination, Ensemble, Item, Leaf, LeafContents, Member,
    MissingRoute, ModelAttribute, Node, Rule, Rules, Scoring, Split, Test, Tree,
};
use incrowd_core::policy::Policy;
use incrowd_core::table::Kind;

/// A random tree; the last of the domains is the class.
pub(crate) fn tree(random: &mut Random, domains: &[Domain]) -> Tree {
    let (attributes, class) = columns(random, domains);
    let depth = random.between(0, 4);
    let nodes = nodes(random, &attributes, &class, depth);
    Tree::new(attributes, class, nodes).expect("a total function")
}

/// A random ensemble of up to three trees over the same attributes; the last of the domains is the class.
pub(crate) fn ensemble(random: &mut Random, domains: &[Domain]) -> Ensemble {
    let (attributes, class) = columns(random, domains);
    ensemble_over(random, attributes, class, None)
}

/// The same with cells over public attributes; trees test what the cells define, and sometimes the attributes.
pub(crate) fn ensemble_with_cells(random: &mut Random, domains: &[Domain], policy: &Policy) -> Ensemble {
    let (attributes, class) = columns(random, domains);
    let is_tested = |attribute: &&ModelAttribute| policy.knows(&attribute.name).is_ok_and(|known| known);
    let mut public: Vec<ModelAttribute> = attributes.iter().filter(is_tested).cloned().collect();
    if random.percent(3) {
        public.clone_from(&attributes);
    }
    let (count, depth) = (random.between(1, 4), if public.is_empty() { 0 } else { random.between(0, 3) });
    let names: Vec<String> = (0..count).map(|cell| format!("c{cell}")).collect();
    let of_cells = Class { name: "cells".to_owned(), values: names.clone() };
    let mut tree = nodes(random, &public, &of_cells, depth);
    for node in &mut tree {
        if let Node::Test(test) = node {
            let name = &public[test.attribute].name;
            test.attribute = attributes.iter().position(|own| own.name == *name).expect("one of them");
        }
    }
    let value = |random: &mut Random, cell: u32| {
        let name = if random.percent(80) { cell } else { 0 };
        vec![model::CellValue::Name(name), model::CellValue::Number(random.between(0, 2) as f64)]
    };
    let plan = model::CellPlan {
        attributes: vec![ModelAttribute::categorical("cell", names), ModelAttribute::numeric("level")],
        nodes: tree,
        values: (0..count as u32).map(|cell| value(random, cell)).collect(),
    };
    ensemble_over(random, attributes, class, Some(plan))
}

fn ensemble_over(
    random: &mut Random,
    attributes: Vec<ModelAttribute>,
    class: Class,
    cells: Option<model::CellPlan>,
) -> Ensemble {
    let derived = cells.iter().flat_map(|cells| cells.attributes.iter().cloned());
    let all: Vec<ModelAttribute> = attributes.iter().cloned().chain(derived).collect();
    let member = |random: &mut Random| {
        let depth = random.between(0, 3);
        let nodes = nodes(random, &all, &class, depth);
        let scores = nodes.iter().map(|node| match node {
            Node::Leaf(_) => vec![0.5],
            Node::Test(_) => Vec::new(),
        });
        Member { scores: scores.collect(), output: Some(0), nodes }
    };
    let members = (0..random.between(1, 3)).map(|_| member(random)).collect();
    let base = vec![0.0; class.values.len()];
    let scoring = Scoring {
        combination: Combination::Sum,
        base,
        link: model::Link::Softmax,
        tie: model::TieRule::First,
    };
    Ensemble::with_cells(attributes, class, cells, members, scoring).expect("total functions")
}

/// The attributes of a model and its class, in any order.
fn columns(random: &mut Random, domains: &[Domain]) -> (Vec<ModelAttribute>, Class) {
    let (class, tested) = domains.split_last().expect("a class");
    let mut attributes: Vec<ModelAttribute> = tested.iter().map(|domain| attribute(random, domain)).collect();
    random.shuffle(&mut attributes);
    let mut values = class.values.clone();
    random.shuffle(&mut values);
    (attributes, Class { name: class.name.clone(), values })
}

fn nodes(random: &mut Random, attributes: &[ModelAttribute], class: &Class, depth: usize) -> Vec<Node> {
    let (mut nodes, mut depths) = (vec![None], vec![depth]);
    while let Some(place) = nodes.iter().position(Option::is_none) {
        let node = node(random, attributes, class, depths[place], nodes.len() as u32);
        if let Node::Test(test) = &node {
            nodes.extend(test.children.iter().map(|_| None));
            depths.extend(vec![depths[place].saturating_sub(1); test.children.len()]);
        }
        nodes[place] = Some(node);
    }
    nodes.into_iter().flatten().collect()
}

/// An attribute of a model over a column, its domain listed in any order.
fn attribute(random: &mut Random, domain: &Domain) -> ModelAttribute {
    let by_number = domain.kind == Kind::Numeric && random.percent(80);
    let declared = if by_number {
        let low = domain.values[0].parse::<f64>().expect("a number");
        let high = domain.values[domain.values.len() - 1].parse::<f64>().expect("a number");
        model::Domain::Numbers {
            low: random.pick(&[low, low - 0.5, low - 2.0, f64::NEG_INFINITY, f64::NEG_INFINITY]),
            high: random.pick(&[high, high + 0.5, high + 2.0, f64::INFINITY, f64::INFINITY]),
        }
    } else {
        model::Domain::Values(partly_listed(random, &domain.values))
    };
    let missing = domain.missing || random.percent(5);
    ModelAttribute { name: domain.name.clone(), domain: declared, missing, dates: false }
}

fn listed(random: &mut Random, values: &[String]) -> Vec<String> {
    let mut values = values.to_vec();
    if random.percent(15) {
        values.push(random.pick(&["99".to_owned(), "none".to_owned()]));
    }
    random.shuffle(&mut values);
    values
}

/// The same, sometimes without one of them.
fn partly_listed(random: &mut Random, values: &[String]) -> Vec<String> {
    let mut values = listed(random, values);
    if values.len() > 1 && random.percent(3) {
        values.pop();
    }
    values
}

fn node(random: &mut Random, attributes: &[ModelAttribute], class: &Class, depth: usize, next: u32) -> Node {
    if attributes.is_empty() || depth == 0 || next > 24 || random.percent(15) {
        return Node::Leaf(Leaf {
            label: random.below(class.values.len()) as u32,
            told: LeafContents::Nothing,
        });
    }
    let attribute = random.below(attributes.len());
    let missing = attributes[attribute].missing;
    let (split, branches) = match &attributes[attribute].domain {
        model::Domain::Numbers { .. } => {
            let thresholds = thresholds(random);
            let branches = thresholds.len() + 1;
            (Split::Thresholds(thresholds), branches)
        }
        model::Domain::Values(values) => {
            let branches = random.between(1, values.len().max(2));
            let gaps = random.percent(30);
            let branch =
                |random: &mut Random| (!(gaps && random.percent(40))).then(|| random.below(branches) as u32);
            (Split::Values(values.iter().map(|_| branch(random)).collect()), branches)
        }
    };
    let open = matches!(&split, Split::Values(of_value) if of_value.contains(&None));
    let otherwise = (open || missing || random.percent(40)).then(|| random.below(branches) as u32);
    Node::Test(Test {
        attribute,
        split,
        labels: (0..branches).map(|branch| branch.to_string()).collect(),
        children: (next..next + branches as u32).collect(),
        otherwise,
        missing: missing_route(random, missing, branches),
    })
}

/// Any route; one to a branch where missing values occur and nothing else takes them.
fn missing_route(random: &mut Random, occurs: bool, branches: usize) -> MissingRoute {
    match random.below(4) {
        0 => MissingRoute::Branch(random.below(branches) as u32),
        1 if !occurs => MissingRoute::Stop,
        _ => MissingRoute::Otherwise,
    }
}

fn thresholds(random: &mut Random) -> Vec<f64> {
    let mut thresholds: Vec<f64> =
        (0..random.between(1, 3)).map(|_| random.between(0, 12) as f64 / 2.0 - 2.0).collect();
    thresholds.sort_by(f64::total_cmp);
    thresholds.dedup();
    thresholds
}

/// Random centroids over numbers and names; the policy may declare ranges of its own.
pub(crate) fn clusters(random: &mut Random, domains: &[Domain], policy: &mut Policy) -> Clusters {
    let axes: Vec<Axis> = domains.iter().map(|domain| axis(random, domain, policy)).collect();
    let most = random.pick(&[3, 5, 10]);
    let unit = random.pick(&[1.0, 1.0, 1.0, 0.5, 0.125]);
    let coordinates = |random: &mut Random, (axis, domain): (&Axis, &Domain)| -> Vec<f64> {
        if !axis.names().is_empty() {
            return axis.names().iter().map(|_| random.between(0, 4) as f64 / 4.0).collect();
        }
        let number = |i: usize| domain.values[i].parse::<f64>().expect("a number");
        let step = if domain.values.len() > 1 { number(1) - number(0) } else { 1.0 };
        vec![number(0) + (random.between(0, most) as f64 - (most / 3) as f64) * step * unit]
    };
    let centroids = (0..random.between(1, 5)).map(|_| Centroid {
        center: axes.iter().zip(domains).flat_map(|both| coordinates(random, both)).collect(),
        population: None,
    });
    let centroids = centroids.collect();
    Clusters::new(axes, centroids).expect("finite numbers")
}

/// An axis over a column, its names in any order and sometimes one of them unknown.
fn axis(random: &mut Random, domain: &Domain, policy: &mut Policy) -> Axis {
    let scale = random.pick(&[1.0, 1.0, 2.0, 0.5]);
    let declared = policy.attributes.iter_mut().find(|attribute| attribute.name == domain.name);
    // Names for numbers seldom have a coordinate for every number of a range.
    let ranged = declared.as_ref().is_some_and(|attribute| attribute.range.is_some());
    if domain.kind != Kind::Numeric || random.percent(if ranged { 1 } else { 10 }) {
        let mut names = listed(random, &domain.values);
        let declared = declared.map(|attribute| attribute.values.clone()).unwrap_or_default();
        // Every name that the policy declares needs a coordinate.
        if !declared.is_empty() && random.percent(97) {
            names = listed(random, &[]);
            names.retain(|name| declared.contains(name));
            names.extend(declared.into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
            random.shuffle(&mut names);
        } else if random.percent(5) && names.len() > 1 {
            names.pop();
        }
        return Axis { scale, ..Axis::of_names(&domain.name, names) };
    }
    let low = domain.values[0].parse::<f64>().expect("a number");
    let high = domain.values[domain.values.len() - 1].parse::<f64>().expect("a number");
    // The naive audit tries whole numbers one by one, so there must be an end to them.
    let is_whole = declared.as_ref().is_some_and(|attribute| attribute.whole);
    let mut beyond = 3.0;
    if let Some(attribute) = declared {
        if is_whole || random.percent(30) {
            attribute.range = Some((low - 1.0, high + 1.0));
        }
        // A release that declares more than the policy contradicts it.
        if attribute.range.is_some() && random.percent(99) {
            beyond = 0.0;
        }
    }
    let low = random.pick(&[low, low, low - beyond, f64::NEG_INFINITY]);
    let high = random.pick(&[high, high, high + beyond, f64::INFINITY]);
    Axis { scale, ..Axis::new(&domain.name, low, high) }
}

/// Random rules over items of all columns.
pub(crate) fn rules(random: &mut Random, domains: &[Domain]) -> Rules {
    let attributes: Vec<ModelAttribute> = domains
        .iter()
        .map(|domain| ModelAttribute {
            name: domain.name.clone(),
            domain: model::Domain::Values(partly_listed(random, &domain.values)),
            missing: domain.missing || random.percent(5),
            dates: false,
        })
        .collect();
    let rules = (0..random.between(0, 4)).map(|_| rule(random, &attributes)).collect();
    Rules::new(attributes, rules).expect("listed items")
}

fn rule(random: &mut Random, attributes: &[ModelAttribute]) -> Rule {
    let mut places: Vec<usize> = (0..attributes.len()).collect();
    random.shuffle(&mut places);
    places.truncate(random.between(1, 3));
    let item = |random: &mut Random, attribute: usize| {
        let model::Domain::Values(values) = &attributes[attribute].domain else {
            panic!("items speak of names")
        };
        Item { attribute, value: random.below(values.len()) as u32 }
    };
    let items: Vec<Item> = places.into_iter().map(|place| item(random, place)).collect();
    let right = random.between(1, items.len());
    let (consequent, antecedent) = items.split_at(right);
    Rule {
        antecedent: antecedent.to_vec(),
        consequent: consequent.to_vec(),
        antecedent_count: None,
        both_count: None,
    }
}
