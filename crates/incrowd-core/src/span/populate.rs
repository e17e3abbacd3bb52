//! Filling in a tree's populations from a table.

use super::bind::{Places, branches, domain_codes, outside};
use crate::error::Result;
use crate::group::Grouping;
use crate::model::{Class, Leaf, LeafContents, ModelAttribute, Node, Tree};
use crate::table::Table;

/// The tree with the population of every bin counted in `table`, and each leaf labelled with its most frequent class
/// value (the first one on a tie, and where there are no individuals).
///
/// # Errors
/// When the table lacks a column of the tree or contains a value outside its domain.
pub fn populate(table: &Table, tree: &Tree) -> Result<Tree> {
    let (leaf_of_row, class_of_row) = (leaves(table, tree)?, classes(table, tree.class())?);
    let count = tree.class().values.len() as u32;
    let of_row = leaf_of_row.iter().zip(&class_of_row).map(|(leaf, class)| leaf * count + class).collect();
    let bins = tree.nodes().len() as u32 * count;
    let sizes = Grouping { of_row, count: bins }.sizes(table);
    let fill = |(node, counts): (&Node, &[u64])| match node {
        Node::Test(test) => Node::Test(test.clone()),
        Node::Leaf(_) => {
            Node::Leaf(Leaf { label: most_frequent(counts), told: LeafContents::Counts(counts.to_vec()) })
        }
    };
    let nodes = tree.nodes().iter().zip(sizes.chunks(count as usize)).map(fill).collect();
    Tree::new(tree.attributes().to_vec(), tree.class().clone(), nodes)
}

fn most_frequent(counts: &[u64]) -> u32 {
    let best = (0..counts.len()).rev().max_by_key(|&class| counts[class]);
    best.map_or(0, |class| class as u32)
}

/// The leaf of each row.
fn leaves(table: &Table, tree: &Tree) -> Result<Vec<u32>> {
    let bind = |node| match node {
        &Node::Leaf(_) => Ok(None),
        Node::Test(test) => {
            let attribute = &tree.attributes()[test.attribute];
            let column = table.require(&attribute.name)?;
            Ok(Some((column, branches(test, &Places::new(attribute, column), column)?, &test.children)))
        }
    };
    let tests = tree.nodes().iter().map(bind).collect::<Result<Vec<_>>>()?;
    let leaf = |row: usize| {
        let mut node = 0;
        while let Some((column, branch_of_code, children)) = &tests[node as usize] {
            node = children[branch_of_code[column.code(row) as usize] as usize];
        }
        node
    };
    Ok((0..table.rows()).map(leaf).collect())
}

/// The class value of each row.
fn classes(table: &Table, class: &Class) -> Result<Vec<u32>> {
    let column = table.require(&class.name)?;
    let domain = ModelAttribute::categorical(&class.name, class.values.clone());
    let of_code: Option<Vec<u32>> = domain_codes(&domain.domain, column.values()).into_iter().collect();
    match of_code {
        Some(of_code) if !column.has_missing() => {
            Ok(column.codes().iter().map(|code| of_code[code as usize]).collect())
        }
        _ => Err(outside(&class.name)),
    }
}
