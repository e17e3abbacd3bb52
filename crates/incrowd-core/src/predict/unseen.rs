//! Values of new rows that a model does not know.

use crate::model::{Domain, Model, ModelAttribute};
use crate::recoding::UnseenValues;
use crate::table::Table;
use hashbrown::HashSet;

/// For each attribute of a tree or an ensemble with names as values, how many rows have a value that is not among them.
/// A missing value is not such a value. Attributes without such rows are not listed.
pub fn unseen_values(table: &Table, model: &Model) -> Vec<UnseenValues> {
    let attributes: &[ModelAttribute] = match model {
        Model::Tree(tree) => tree.attributes(),
        Model::Ensemble(ensemble) => ensemble.sources(),
        Model::Clusters(_) | Model::Rules(_) => &[],
    };
    attributes.iter().filter_map(|attribute| unseen(table, attribute)).collect()
}

fn unseen(table: &Table, attribute: &ModelAttribute) -> Option<UnseenValues> {
    let Domain::Values(known) = &attribute.domain else { return None };
    let known: HashSet<&str> = known.iter().map(String::as_str).collect();
    let column = table.column(&attribute.name)?;
    let values = column.values();
    let is_unseen: Vec<bool> = (0..values.len()).map(|code| !known.contains(&*values.text(code))).collect();
    let rows =
        column.codes().iter().filter(|&code| is_unseen.get(code as usize) == Some(&true)).count() as u64;
    (rows > 0).then(|| UnseenValues { attribute: attribute.name.clone(), rows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Class, Leaf, LeafContents, Node, Tree};
    use crate::table::{Column, People};

    #[test]
    fn new_names_are_counted_and_missing_ones_are_not() {
        let attributes =
            vec![ModelAttribute::categorical("town", ["x", "y"]), ModelAttribute::numeric("age")];
        let class = Class { name: "ill".to_owned(), values: vec!["no".to_owned(), "yes".to_owned()] };
        let leaf = Node::Leaf(Leaf { label: 0, told: LeafContents::Nothing });
        let tree = Tree::new(attributes, class, vec![leaf]).expect("a tree");
        let town = Column::from_texts("town", &[Some("x"), Some("z"), None, Some("w"), Some("z")]);
        let age = Column::from_numbers("age", &[Some(1.0); 5]).expect("numbers");
        let table = Table::new(vec![town, age], People::Rows).expect("a table");
        let found = unseen_values(&table, &Model::Tree(tree));
        assert_eq!(found, [UnseenValues { attribute: "town".to_owned(), rows: 3 }]);
    }
}
