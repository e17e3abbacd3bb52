//! Two trees that a clinic might want to publish, written by hand rather than by a miner.

use crate::error::Result;
use crate::model::{Class, Leaf, LeafContents, MissingRoute, ModelAttribute, Node, Split, Test, Tree};
use crate::span::populate;
use crate::table::Table;

/// A test at every node of one depth.
enum Question {
    /// Age groups, by the last age of each but the last.
    Ages(&'static [f64]),
    /// One branch for each value.
    Each(&'static str),
}

/// A tree with few tests, one of them private: age group, smoker (private), sex.
///
/// # Errors
/// When the table is not the clinic's.
pub fn careful_tree(table: &Table) -> Result<Tree> {
    grow(table, &[Question::Ages(&[17.5, 39.5, 64.5]), Question::Each("smoker"), Question::Each("sex")])
}

/// A tree with many public tests, so that few patients share all answers: age by ten years, sex, district, occupation.
///
/// # Errors
/// When the table is not the clinic's.
pub fn careless_tree(table: &Table) -> Result<Tree> {
    const AGES: &[f64] = &[9.5, 19.5, 29.5, 39.5, 49.5, 59.5, 69.5, 79.5, 89.5];
    let each = Question::Each;
    grow(table, &[Question::Ages(AGES), each("sex"), each("district"), each("occupation")])
}

/// Applies all tests to every individual, one per depth, and counts who ends where.
fn grow(table: &Table, questions: &[Question]) -> Result<Tree> {
    let class = table.require("diagnosis")?;
    let mut attributes = Vec::new();
    let mut forms = Vec::new();
    for (attribute, question) in questions.iter().enumerate() {
        let (described, form) = describe(table, attribute, question)?;
        attributes.push(described);
        forms.push(form);
    }
    let mut nodes = Vec::new();
    let mut width = 1;
    for form in forms {
        let (first, branches) = ((nodes.len() + width) as u32, form.labels.len());
        let children = |node: usize| (0..branches).map(|b| first + (node * branches + b) as u32).collect();
        nodes.extend((0..width).map(|node| Node::Test(Test { children: children(node), ..form.clone() })));
        width *= branches;
    }
    nodes.extend((0..width).map(|_| Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing })));
    let values = (0..class.values().len()).map(|code| class.values().text(code).into_owned()).collect();
    populate(table, &Tree::new(attributes, Class { name: "diagnosis".to_owned(), values }, nodes)?)
}

/// The attribute of a test, and the test without its children.
fn describe(table: &Table, attribute: usize, question: &Question) -> Result<(ModelAttribute, Test)> {
    let (described, split, labels) = match question {
        Question::Ages(ends) => {
            let interval = |i: usize| match (i.checked_sub(1).map(|i| ends[i]), ends.get(i)) {
                (None, Some(end)) => format!("<= {end}"),
                (Some(start), Some(end)) => format!("in ({start}, {end}]"),
                (start, None) => format!("> {}", start.unwrap_or_default()),
            };
            let labels: Vec<String> = (0..=ends.len()).map(interval).collect();
            (ModelAttribute::numeric("age"), Split::Thresholds(ends.to_vec()), labels)
        }
        Question::Each(name) => {
            let column = table.require(name)?;
            let values: Vec<String> =
                (0..column.values().len()).map(|code| column.values().text(code).into_owned()).collect();
            let split = Split::Values((0..values.len() as u32).map(Some).collect());
            let labels = values.iter().map(|value| format!("= {value}")).collect();
            (ModelAttribute::categorical(name, values), split, labels)
        }
    };
    Ok((
        described,
        Test {
            attribute,
            split,
            labels,
            children: Vec::new(),
            otherwise: None,
            missing: MissingRoute::Otherwise,
        },
    ))
}
