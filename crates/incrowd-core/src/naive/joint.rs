//! Several models together: the vector of their bins, by trying every combination of private values.

use super::enumerate::{self, Argument, Mention};
use super::known::knows;
use super::linked::{Attribute as PrivateAttribute, Bin, Bins, CountedValues, Linked, View, individuals};
use super::relations::tied;
use super::tree::{argument, route, thresholds};
use super::value::Value;
use super::{Audit, cells, rules, tree};
use crate::audit::JointContent;
use crate::error::{Error, Result};
use crate::guarantee::Guarantee;
use crate::model::{Axis, Clusters, Domain, Model, ModelAttribute, Node, Rule};
use crate::policy::{Attribute, Policy, Role};
use crate::table::{Column, Kind, Table};
use std::collections::BTreeSet;

/// For each row the individuals that share its joint span under all models.
///
/// Numbers that clusters measure must be public, or whole numbers of a declared range, all of which are tried.
///
/// # Errors
/// When the table, the policy and a model do not fit, or the private domain cannot be tried.
pub fn joint_population_of_rows(table: &Table, policy: &Policy, models: &[&Model]) -> Result<Vec<u64>> {
    let contents: Vec<JointContent<'_>> = models.iter().map(|model| JointContent::Model(model)).collect();
    let joint = Joint::of(table, policy, &contents)?;
    let spans = joint.link(&contents)?.spans;
    Ok(spans.iter().map(|own| individuals(table, |row| spans[row] == *own)).collect())
}

/// Audits several releases of one table together, as if the population of every vector of bins were published: what is
/// certain then is certain of no fewer individuals than for an attacker who knows the populations of each release.
///
/// # Errors
/// As [`joint_population_of_rows`].
pub fn audit_together(
    table: &Table,
    policy: &Policy,
    contents: &[JointContent<'_>],
    guarantee: &Guarantee,
) -> Result<Audit> {
    let joint = Joint::of(table, policy, contents)?;
    let linked = joint.link(contents)?;
    super::finish(&joint.table, &joint.policy, &linked, guarantee, false)
}

/// The table and the policy with what all releases define: cells of ensembles, and the groups of released tables.
struct Joint {
    table: Table,
    policy: Policy,
}

impl Joint {
    fn of(table: &Table, policy: &Policy, contents: &[JointContent<'_>]) -> Result<Self> {
        policy.check_whole(table)?;
        let (mut table, mut policy) = (table.clone(), policy.clone());
        for (number, content) in contents.iter().enumerate() {
            match content {
                JointContent::Model(model) => (table, policy) = cells::with_cells(&table, &policy, model)?,
                JointContent::Table { group_of_row, .. } => {
                    let groups: Vec<_> = group_of_row.iter().map(|&group| Some(f64::from(group))).collect();
                    let column = Column::from_numbers(&group_name(number), &groups)?;
                    let columns = table.columns().iter().cloned().chain([column]).collect();
                    table = Table::new(columns, table.people().clone())?;
                    policy.attributes.push(Attribute::new(group_name(number), Role::Public));
                }
            }
        }
        Ok(Self { table, policy })
    }

    /// Links every row by the vector of its bins.
    fn link(&self, contents: &[JointContent<'_>]) -> Result<Linked> {
        let (table, policy) = (&self.table, &self.policy);
        let of_release =
            contents.iter().enumerate().map(|(number, content)| mentions(number, content, table, policy));
        let of_release: Vec<Vec<Mentioned>> = of_release.collect::<Result<_>>()?;
        let mut arguments: Vec<Argument<'_>> = Vec::new();
        let mut places = Vec::new();
        for mentioned in of_release.iter().flatten() {
            let name = mentioned.attribute.name.as_str();
            let known = arguments.iter().position(|argument| argument.column.name() == name);
            if known.is_none() {
                arguments.push(joint_argument(table, policy, name, contents, &of_release)?);
            }
            places.push(known.unwrap_or(arguments.len() - 1));
        }
        let (arguments, relations) = enumerate::with_relations(table, policy, arguments)?;
        let columns: Vec<&Column> = arguments.iter().map(|argument| argument.column).collect();
        let function = |values: &[&Value]| -> Option<Bin> {
            let (mut bins, mut places) = (Vec::new(), places.as_slice());
            for (content, mentioned) in contents.iter().zip(&of_release) {
                let (own, rest) = places.split_at(mentioned.len());
                places = rest;
                let columns: Vec<&Column> = own.iter().map(|&place| columns[place]).collect();
                let own: Vec<&Value> = own.iter().map(|&place| values[place]).collect();
                bins.push(match content {
                    JointContent::Model(model) => bin(model, policy, &columns, &own)?,
                    JointContent::Table { .. } => own.iter().map(|value| code(table, value)).collect(),
                });
            }
            Some(numbered(&bins))
        };
        let mut linked = enumerate::link(table, &arguments, &relations, &function)?;
        let is_clusters: Vec<bool> = contents.iter().map(is_clusters).collect();
        for attribute in &mut linked.attributes {
            attribute.views.iter_mut().for_each(|view| without_clusters(view, &is_clusters));
        }
        for (release, content) in contents.iter().enumerate() {
            match content {
                JointContent::Model(Model::Clusters(clusters)) => {
                    let attribute = self.clusters(&linked, release, clusters)?;
                    linked.attributes.push(attribute);
                }
                JointContent::Model(_) => {}
                // A table shows its columns also where all cells are equal.
                JointContent::Table { private, .. } => {
                    if !private.is_empty() {
                        linked.single_bin.fill(false);
                    }
                    let shown = linked.attributes.iter_mut().filter(|own| private.contains(&own.name));
                    shown.flat_map(|own| &mut own.views).for_each(|view| view.measured = true);
                }
            }
        }
        Ok(linked)
    }

    /// The cluster of one release, as a private attribute of all of them.
    fn clusters(&self, linked: &Linked, release: usize, clusters: &Clusters) -> Result<PrivateAttribute> {
        let axes: BTreeSet<&str> = clusters.axes().iter().map(|axis| axis.name.as_str()).collect();
        let mut about: BTreeSet<&str> = tied(&self.policy, &axes).into_iter().flatten().collect();
        about.extend(axes);
        let mut private = Vec::new();
        for name in about {
            if !knows(&self.policy, name)? {
                private.push(name.to_owned());
            }
        }
        let cluster = |bin: &Bin| part_of(bin, release)[0];
        let of_row: Vec<usize> = linked.bins.iter().map(|bin| cluster(bin) as usize).collect();
        let cells = clusters.centroids().len();
        let view = |span: &Bins| {
            let of_cell =
                |cell: usize| span.iter().filter(|bin| cluster(bin) as usize == cell).cloned().collect();
            let told: Vec<Bins> = (0..cells).map(of_cell).collect();
            let tells = told.iter().filter(|bins| !bins.is_empty()).count() > 1;
            View {
                of_value: (0..cells).collect(),
                possible: told.iter().map(|bins| !bins.is_empty()).collect(),
                told,
                of_row: of_row.clone(),
                counted: CountedValues::apart(cells),
                tells,
                measured: tells,
                open: false,
                reach: Vec::new(),
            }
        };
        Ok(PrivateAttribute {
            name: format!("cluster of release {release}"),
            about: private,
            is_class: false,
            ordered: false,
            views: linked.spans.iter().map(view).collect(),
        })
    }
}

fn group_name(release: usize) -> String {
    format!("group in release {release}")
}

/// The bins of each release in one list, each with its length before it.
fn numbered(bins: &[Bin]) -> Bin {
    bins.iter().flat_map(|bin| [&[bin.len() as u32], bin.as_slice()].concat()).collect()
}

/// The bin of one of the releases.
fn part_of(bin: &[u32], release: usize) -> &[u32] {
    let length = bin[0] as usize;
    if release == 0 { &bin[1..=length] } else { part_of(&bin[1 + length..], release - 1) }
}

fn is_clusters(content: &JointContent<'_>) -> bool {
    matches!(content, JointContent::Model(Model::Clusters(_)))
}

/// What clusters reveal is measured for the cluster alone: values that all other releases take for one are one.
fn without_clusters(view: &mut View, is_clusters: &[bool]) {
    let others = |bin: &Bin| -> Vec<Bin> {
        let of_release = is_clusters.iter().enumerate().filter(|(_, is_clusters)| !**is_clusters);
        of_release.map(|(release, _)| part_of(bin, release).to_vec()).collect()
    };
    let projected: Vec<BTreeSet<Vec<Bin>>> =
        view.told.iter().map(|bins| bins.iter().map(others).collect()).collect();
    let first = |told: usize| {
        let same = |other: &usize| projected[*other] == projected[told] && !projected[told].is_empty();
        (0..told).find(same).unwrap_or(told)
    };
    let kept: Vec<usize> = (0..projected.len()).filter(|&told| first(told) == told).collect();
    let number = |told: usize| kept.iter().position(|&kept| kept == first(told)).unwrap_or(0);
    let of_told: Vec<usize> = (0..projected.len()).map(number).collect();
    let mut told = vec![Bins::new(); kept.len()];
    for (bins, &own) in view.told.iter().zip(&of_told) {
        told[own].extend(bins.iter().cloned());
    }
    view.possible = told.iter().map(|bins| !bins.is_empty()).collect();
    view.of_value.iter_mut().chain(&mut view.of_row).for_each(|value| *value = of_told[*value]);
    view.counted = CountedValues::apart(told.len());
    if kept.len() < projected.len() {
        view.tells = told.iter().filter(|bins| !bins.is_empty()).count() > 1;
        view.measured = view.tells;
    }
    view.told = told;
}

/// The number of a value among all values of the table and all that are tried, the same for equal values.
fn code(table: &Table, value: &Value) -> u32 {
    let cells =
        table.columns().iter().flat_map(|column| (0..column.len()).map(|row| Value::of_row(column, row)));
    cells.into_iter().position(|cell| cell == *value).map_or(u32::MAX, |place| place as u32)
}

/// An attribute of a release, and whether the release reveals something about it.
struct Mentioned {
    attribute: ModelAttribute,
    is_contained: bool,
    is_class: bool,
}

fn mentions(
    number: usize,
    content: &JointContent<'_>,
    table: &Table,
    policy: &Policy,
) -> Result<Vec<Mentioned>> {
    let model = match content {
        JointContent::Model(model) => model,
        JointContent::Table { private, .. } => {
            let of_column = |name: &str| {
                let column = table.require(name)?;
                let attribute = match column.kind() {
                    Kind::Numeric => ModelAttribute::numeric(name),
                    _ => ModelAttribute::categorical(name, texts(column)),
                };
                let is_class = policy.class.as_deref() == Some(name);
                Ok(Mentioned { attribute, is_contained: true, is_class })
            };
            let names = [group_name(number)];
            return names.iter().chain(private).map(|name| of_column(name)).collect();
        }
    };
    let is_tested = |place: usize| match model {
        Model::Rules(rules) => rules.rules().iter().flat_map(Rule::items).any(|item| item.attribute == place),
        Model::Clusters(_) => false,
        _ => model.trees().iter().flat_map(|tree| tree.nodes()).any(|node| match node {
            Node::Test(test) => test.attribute == place,
            Node::Leaf(_) => false,
        }),
    };
    let all = attributes(model);
    let class = matches!(model, Model::Tree(_) | Model::Ensemble(_)).then(|| all.len() - 1);
    let of_place = |(place, attribute): (usize, ModelAttribute)| {
        let is_class = Some(place) == class;
        Mentioned { attribute, is_contained: is_class || is_tested(place), is_class }
    };
    Ok(all.into_iter().enumerate().map(of_place).collect())
}

fn texts(column: &Column) -> Vec<String> {
    let texts = (0..column.len()).filter_map(|row| match Value::of_row(column, row) {
        Value::Text(text) => Some(text),
        _ => None,
    });
    texts.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The attributes of a model, its class last.
fn attributes(model: &Model) -> Vec<ModelAttribute> {
    match model {
        Model::Tree(_) | Model::Ensemble(_) => {
            let tree = model.trees()[0];
            let class = ModelAttribute::categorical(&tree.class().name, tree.class().values.clone());
            tree.attributes().iter().cloned().chain([class]).collect()
        }
        Model::Rules(rules) => rules.attributes().to_vec(),
        Model::Clusters(clusters) => {
            let of_axis = |axis: &Axis| ModelAttribute {
                name: axis.name.clone(),
                domain: axis.domain.clone(),
                missing: false,
                dates: axis.dates,
            };
            clusters.axes().iter().map(of_axis).collect()
        }
    }
}

/// An attribute with every value that some release makes worth trying.
fn joint_argument<'a>(
    table: &'a Table,
    policy: &Policy,
    name: &str,
    contents: &[JointContent<'_>],
    of_release: &[Vec<Mentioned>],
) -> Result<Argument<'a>> {
    let column = table.require(name)?;
    let (known, mut values) = (knows(policy, name)?, Vec::new());
    let models = |content: &JointContent<'_>| match content {
        JointContent::Model(model) => cuts(model, name),
        JointContent::Table { .. } => Vec::new(),
    };
    // A cut of one model may lie between the values that are tried for another.
    let cuts: Vec<f64> = contents.iter().flat_map(models).collect();
    let (mut is_contained, mut is_class) = (false, false);
    for (content, mentioned) in contents.iter().zip(of_release) {
        let Some(own) = mentioned.iter().find(|own| own.attribute.name == name) else { continue };
        (is_contained, is_class) = (is_contained || own.is_contained, is_class || own.is_class);
        // Without a declared range, the numbers of a table are those that it has.
        let is_table = matches!(content, JointContent::Table { .. });
        let is_ranged = policy.attribute(name).is_some_and(|attribute| attribute.range.is_some());
        if is_table && is_numbers(&own.attribute) && !is_ranged {
            continue;
        }
        values.extend(argument(table, policy, &own.attribute, &cuts)?.values().to_vec());
        let is_clusters = matches!(content, JointContent::Model(Model::Clusters(_)));
        if is_clusters && is_numbers(&own.attribute) && !known {
            values.extend(whole_numbers(policy, name)?);
        }
    }
    let mut argument = Argument::new(column, known, values);
    (argument.mention, argument.is_class) = (Mention::of(is_contained), is_class);
    Ok(argument)
}

fn cuts(model: &Model, name: &str) -> Vec<f64> {
    let trees = model.trees();
    let of_tree = |tree: &&crate::model::Tree| {
        let place = tree.attributes().iter().position(|attribute| attribute.name == name);
        place.map_or_else(Vec::new, |place| thresholds(tree, place))
    };
    trees.iter().flat_map(of_tree).collect()
}

/// All whole numbers of a declared range.
fn whole_numbers(policy: &Policy, name: &str) -> Result<Vec<Value>> {
    let range = policy.attribute(name).filter(|attribute| attribute.whole).and_then(|own| own.range);
    let (low, high) = range.filter(|(low, high)| high - low < 50.0).ok_or_else(|| {
        Error::input("only few whole numbers of a declared range can be tried").of_attribute(name)
    })?;
    Ok((low.ceil() as i64..=high.floor() as i64).map(|number| Value::Number(number as f64)).collect())
}

fn bin(model: &Model, policy: &Policy, columns: &[&Column], values: &[&Value]) -> Option<Bin> {
    match model {
        Model::Tree(_) | Model::Ensemble(_) => {
            let trees = model.trees();
            let declared = policy.attribute(&trees[0].class().name).map_or(&[][..], |class| &class.values);
            route(&trees, declared, columns, values)
        }
        Model::Rules(rules) => {
            let knows = |place: usize| tree::is_known(policy, &rules.attributes()[place].name);
            Some(rules::told_outcomes(rules, columns, values, &knows))
        }
        Model::Clusters(clusters) => Some(vec![nearest(clusters, values)?]),
    }
}

/// The nearest centroid, the first on a tie. Exact for small numbers and scales that are powers of two.
fn nearest(clusters: &Clusters, values: &[&Value]) -> Option<u32> {
    let mut best: Option<(f64, u32)> = None;
    for (number, centroid) in (0..).zip(clusters.centroids()) {
        let (mut distance, mut at) = (0.0, 0);
        for (axis, value) in clusters.axes().iter().zip(values) {
            let point: Vec<f64> = match (&axis.domain, value) {
                (Domain::Numbers { .. }, Value::Number(number)) => vec![*number],
                (Domain::Values(names), Value::Text(text)) => {
                    names.iter().map(|name| f64::from(u8::from(name == text))).collect()
                }
                _ => return None,
            };
            for coordinate in point {
                let difference = (coordinate - centroid.center[at]) / axis.scale;
                distance += difference * difference;
                at += 1;
            }
        }
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, number));
        }
    }
    best.map(|(_, number)| number)
}

fn is_numbers(attribute: &ModelAttribute) -> bool {
    matches!(attribute.domain, Domain::Numbers { .. })
}
