//! Trees for Graphviz.

use super::outline::{LineContent, Outline, OutlineLine};
use super::palette::colour;
use super::words::{SEVERAL_ROWS, count, plain, shortened};

/// The maximum width of a text, as a multiple of the font size.
const WIDEST: f64 = 26.0;

/// Returns the tree in Graphviz's language: `dot -Tpng tree.dot -o tree.png`.
pub fn dot(outline: &Outline) -> String {
    let mut text = String::from(
        "digraph tree {\n  graph [rankdir=TB, nodesep=0.2, ranksep=0.5];\n  \
         node [fontname=\"Helvetica\", fontsize=11, shape=box, style=\"rounded\", color=\"#666666\"];\n  \
         edge [fontname=\"Helvetica\", fontsize=10, color=\"#888888\", arrowhead=none];\n",
    );
    if outline.several_rows {
        text += &format!("  label=\"{}\"; fontname=\"Helvetica\"; fontsize=10;\n", quoted(SEVERAL_ROWS));
    }
    for line in &outline.lines {
        text += &node(line);
        if let Some(parent) = line.parent {
            text += &edge(outline, line, outline.lines[parent].node);
        }
    }
    text + "}\n"
}

fn node(line: &OutlineLine) -> String {
    let mut words = match &line.shown {
        LineContent::Test(name) | LineContent::Leaf(name) => vec![name.clone()],
        LineContent::Folded(name) => vec![name.clone(), super::words::leaves(line.outcome.leaves)],
    };
    words.extend(line.outcome.population().map(count));
    let label: Vec<String> = words.iter().map(|word| quoted(&shortened(&plain(word), WIDEST))).collect();
    let look = match &line.shown {
        LineContent::Test(_) => String::new(),
        _ => format!(
            ", style=\"filled,rounded\", fillcolor=\"{}33\", color=\"{0}\"",
            colour(line.outcome.label as usize)
        ),
    };
    format!("  n{} [label=\"{}\"{look}];\n", line.node, label.join("\\n"))
}

fn edge(outline: &Outline, line: &OutlineLine, parent: u32) -> String {
    let label = quoted(&shortened(&plain(&line.branch), WIDEST));
    let thick = 1.0 + 7.0 * outline.share(line).unwrap_or(0.0);
    format!("  n{parent} -> n{} [label=\"{label}\", penwidth={thick:.2}];\n", line.node)
}

/// Escapes text for Graphviz's quotes.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
