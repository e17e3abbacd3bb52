//! Pictures contain what they should, for any names, and nothing in them overlaps.

use super::*;
use crate::model::{Class, Leaf, MissingRoute, ModelAttribute, Node, Split, Test, Tree};
use roxmltree::Document;

const NASTY: [&str; 6] = [
    "</text><script>alert(1)</script>",
    "a\"b\\",
    "two\nlines",
    "é𝄞\u{1}",
    "&amp;]]>",
    "a name as long as names can get, and longer still, and then some",
];

/// A full tree that tests one attribute per depth.
fn tree(depth: u32, branches: u32, counts: bool) -> Tree {
    let name = |i: u32| format!("{i} {}", NASTY[i as usize % NASTY.len()]);
    let names = |n: u32| (0..n).map(name).collect::<Vec<_>>();
    let attribute =
        |i| ModelAttribute { missing: true, ..ModelAttribute::categorical(&name(i), names(branches)) };
    let attributes = (0..depth).map(attribute).collect();
    let test = |node: u32, attribute: u32| {
        let children = (node * branches + 1..=node * branches + branches).collect();
        let split = Split::Values((0..branches).map(Some).collect());
        let labels = names(branches);
        Node::Test(Test {
            attribute: attribute as usize,
            split,
            labels,
            children,
            otherwise: Some(0),
            missing: MissingRoute::Otherwise,
        })
    };
    let leaf = |node: u32| {
        let counts = counts.then(|| (0..9).map(|class| u64::from((class * node) % 70)).collect());
        Node::Leaf(Leaf { label: node % 9, told: counts.into() })
    };
    let mut nodes = Vec::new();
    for level in 0..=depth {
        for _ in 0..branches.pow(level) {
            let node = nodes.len() as u32;
            nodes.push(if level < depth { test(node, level) } else { leaf(node) });
        }
    }
    Tree::new(attributes, Class { name: NASTY[0].to_owned(), values: names(9) }, nodes).unwrap()
}

#[test]
fn an_outline_runs_from_top_to_bottom() {
    let outline = Outline::new(&tree(2, 2, true), None);
    let nodes: Vec<u32> = outline.lines.iter().map(|line| line.node).collect();
    assert_eq!(nodes, [0, 1, 3, 4, 2, 5, 6]);
    let parents: Vec<Option<usize>> = outline.lines.iter().map(|line| line.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(1), Some(0), Some(4), Some(4)]);
    assert!(
        outline.lines[2].branch.ends_with(" or missing") && !outline.lines[3].branch.ends_with(" or missing")
    );
    assert_eq!((outline.leaves, outline.depth), (4, 2));
    let folded = Outline::new(&tree(2, 2, true), Some(1));
    assert_eq!((folded.lines.len(), folded.leaves, folded.depth), (3, 4, 2));
    assert!(matches!(folded.lines[1].shown, LineContent::Folded(_)));
    assert_eq!(folded.population, outline.population);
}

/// The boxes of all texts of a picture, with their maximum width.
fn boxes(svg: &str) -> Vec<(f64, f64, f64, f64)> {
    let document = Document::parse(svg).unwrap();
    let texts = document.descendants().filter(|element| element.tag_name().name() == "text");
    let number = |text: Option<&str>, usual: f64| text.map_or(usual, |text| text.parse().unwrap());
    texts
        .map(|text| {
            let size = number(text.attribute("font-size"), 12.0);
            let bold = if text.attribute("font-weight").is_some() { 1.06 } else { 1.0 };
            let (x, y) = (number(text.attribute("x"), 0.0), number(text.attribute("y"), 0.0));
            (x, y - size * 0.75, x + words::width(text.text().unwrap_or("")) * size * bold, y + size * 0.2)
        })
        .collect()
}

#[test]
fn no_text_of_a_picture_meets_another_or_the_edge() {
    for (depth, branches) in [(0, 2), (1, 5), (2, 2), (3, 3), (6, 2), (2, 10)] {
        for counts in [true, false] {
            let svg = svg(&Outline::new(&tree(depth, branches, counts), None)).unwrap();
            let root: Vec<f64> = {
                let document = Document::parse(&svg).unwrap();
                let size = |name| document.root_element().attribute(name).unwrap().parse().unwrap();
                vec![size("width"), size("height")]
            };
            let boxes = boxes(&svg);
            for (i, a) in boxes.iter().enumerate() {
                assert!(
                    a.0 >= 0.0 && a.1 >= 0.0 && a.2 <= root[0] && a.3 <= root[1],
                    "{a:?} leaves {root:?}"
                );
                for b in &boxes[..i] {
                    let apart = a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1;
                    assert!(apart, "depth {depth}, {branches} branches: {a:?} meets {b:?}");
                }
            }
        }
    }
}

#[test]
fn names_stay_text() {
    let outline = Outline::new(&tree(3, 3, true), None);
    let svg = svg(&outline).unwrap();
    let document = Document::parse(&svg).unwrap();
    assert!(document.descendants().all(|element| element.tag_name().name() != "script"));
    let dot = dot(&outline);
    // Every line is a statement: no name ended its quotation or its line.
    for line in dot.lines().skip(1) {
        let unescaped = line.replace("\\\\", "").replace("\\\"", "");
        assert!(
            unescaped.matches('"').count() % 2 == 0 && (line.ends_with(';') || line.ends_with('}')),
            "{line}"
        );
    }
}

#[test]
fn pictures_have_an_end() {
    let many = Outline::new(&tree(1, MAX_ROWS as u32 + 1, false), None);
    assert!(svg(&many).unwrap_err().help.is_some());
    let folded = Outline::new(&tree(1, MAX_ROWS as u32 + 1, false), Some(0));
    assert!(svg(&folded).is_ok());
}
