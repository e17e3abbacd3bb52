//! Trees as self-contained SVG.
//!
//! The root is on the left, every leaf has its own row, and a node is centred on its leaves. So nothing can overlap:
//! nodes of the same depth share a column and have different rows, and edges stay between columns. On the right, the
//! populations of the leaves form a chart.

use super::outline::{LineContent, Outline, OutlineLine};
use super::palette::{OWN, REST, colour};
use super::words::{SEVERAL_ROWS, count, counted, leaves, plain, shortened, width};
use crate::{Error, Result};
use incrowd_core::svg::{Element, Svg};

/// The maximum number of rows of a picture.
pub const MAX_ROWS: usize = 5000;

const MARGIN: f64 = 24.0;
const HEAD: f64 = 74.0;
const GAP: f64 = 46.0;
const FONT: f64 = 12.0;
const SMALL: f64 = 10.5;
/// The maximum width of a column.
const COLUMN: f64 = 168.0;
const CHART: f64 = 150.0;
/// The gap between a leaf's label and its bar.
const BAR: f64 = 26.0;
/// The colour of secondary text.
const SOFT: &str = "#444444";
/// The colour of edges.
const EDGE: &str = "#c9ced6";
/// The maximum width of an edge.
const THICK: f64 = 13.0;

/// Returns the tree as a self-contained picture.
///
/// # Errors
/// When there are more than [`MAX_ROWS`] leaves to display.
pub fn svg(outline: &Outline) -> Result<String> {
    let places = Places::new(outline);
    if places.rows > MAX_ROWS {
        return Err(Error::limit(format!("a picture of {} leaves is too large", places.rows))
            .help("display fewer levels (`depth`), or use Graphviz DOT"));
    }
    let (wide, high) = (places.wide(), places.high());
    let mut svg = Svg::new();
    on_white(&mut svg, (wide, high), FONT);
    head(&mut svg, outline, wide);
    draw(&mut svg, outline, &places);
    Ok(svg.done())
}

/// Draws the nodes and edges of a tree.
fn draw(svg: &mut Svg, outline: &Outline, places: &Places<'_>) {
    for (i, line) in outline.lines.iter().enumerate() {
        edge(svg, outline, places, i, line);
    }
    for (i, line) in outline.lines.iter().enumerate() {
        node(svg, outline, places, i, line);
    }
}

/// The bars of a tree whose leaves have scores: those of leaves to the right or to the left of a line.
pub(super) struct ScoreBars<'a> {
    /// The score of a node.
    pub(super) of_node: &'a dyn Fn(u32) -> Option<f64>,
    /// The largest score, whatever its sign.
    pub(super) largest: f64,
}

/// A tree within a picture: what is left of it, and its size.
pub(super) struct Panel<'a> {
    outline: &'a Outline,
    places: Places<'a>,
}

impl<'a> Panel<'a> {
    /// A tree whose leaves have scores, or only names.
    pub(super) fn new(outline: &'a Outline, scores: Option<ScoreBars<'a>>) -> Self {
        Self { outline, places: Places { scores, ..Places::new(outline) } }
    }

    /// Its width and height.
    pub(super) fn size(&self) -> (f64, f64) {
        (self.places.wide(), self.places.high() - HEAD)
    }

    /// Draws it with its upper end at `y`.
    pub(super) fn draw(&self, svg: &mut Svg, y: f64) {
        svg.element("g").set("transform", format_args!("translate(0 {:.1})", y - HEAD)).open();
        draw(svg, self.outline, &self.places);
        svg.close();
    }
}

/// Starts a separate picture on white.
pub(super) fn on_white(svg: &mut Svg, (wide, high): (f64, f64), font: f64) {
    let root = svg.root((wide, high));
    let root = root.set("width", format_args!("{wide:.0}")).set("height", format_args!("{high:.0}"));
    root.set("font-size", font).set("fill", "#1a1a1a").open();
    svg.element("rect").all(&[("width", "100%"), ("height", "100%"), ("fill", "#ffffff")]).empty();
}

/// The layout of the picture.
struct Places<'a> {
    /// The middle of each line's node from top to bottom.
    y: Vec<f64>,
    /// The left end of each column, and, last, of the chart.
    x: Vec<f64>,
    rows: usize,
    row: f64,
    /// The widest label of a leaf.
    label: f64,
    /// The widest figures of a leaf.
    figures: f64,
    /// The share of the most populated leaf.
    largest: f64,
    /// Scores, if leaves have these instead of populations.
    scores: Option<ScoreBars<'a>>,
}

impl Places<'_> {
    fn new(outline: &Outline) -> Self {
        let ends = outline.lines.iter().filter(|line| is_end(line)).count();
        let row = if ends <= 12 { 44.0 } else { 32.0 };
        let mut x = vec![MARGIN];
        for width in columns(outline) {
            x.push(x.last().unwrap_or(&MARGIN) + width + GAP);
        }
        let labels = outline.lines.iter().filter_map(|line| match &line.shown {
            LineContent::Leaf(name) | LineContent::Folded(name) => Some(name),
            LineContent::Test(_) => None,
        });
        // The legend lists all values of a tree that has populations.
        let values = outline.values.iter().filter(|_| outline.population.is_some());
        let label = values.chain(labels).map(|name| width(&plain(name)) * FONT).fold(40.0, f64::max);
        let shares = outline.lines.iter().filter(|line| is_end(line)).filter_map(|line| outline.share(line));
        let largest = shares.fold(f64::MIN_POSITIVE, f64::max);
        let figures =
            outline.lines.iter().filter(|line| is_end(line)).map(|line| width(&figures(line)) * SMALL);
        let figures = figures.fold(0.0, f64::max);
        Self {
            y: heights(outline, row),
            x,
            rows: ends,
            row,
            label: label.min(COLUMN),
            figures,
            largest,
            scores: None,
        }
    }

    fn chart(&self) -> f64 {
        self.x.last().copied().unwrap_or(MARGIN)
    }

    fn wide(&self) -> f64 {
        (self.chart() + self.label + BAR + CHART + self.figures + 10.0 + MARGIN).max(560.0)
    }

    fn high(&self) -> f64 {
        HEAD + self.rows as f64 * self.row + MARGIN
    }
}

/// The widths of the columns of tests, one per depth. The labels of leaves are next to the chart.
fn columns(outline: &Outline) -> Vec<f64> {
    let mut widths: Vec<f64> = Vec::new();
    for line in &outline.lines {
        if widths.len() <= line.depth {
            widths.resize(line.depth + 1, 34.0);
        }
        let title = match &line.shown {
            LineContent::Test(name) => width(&plain(name)) * FONT * 1.06,
            LineContent::Leaf(_) | LineContent::Folded(_) => 0.0,
        };
        let branch = width(&plain(&line.branch)) * SMALL;
        widths[line.depth] = widths[line.depth].max(title.max(branch).min(COLUMN) + 4.0);
    }
    widths
}

/// The middle of each line: leaves below each other, a test halfway between its first and last branch.
fn heights(outline: &Outline, row: f64) -> Vec<f64> {
    let mut y = vec![0.0; outline.lines.len()];
    let mut ends: Vec<Option<(f64, f64)>> = vec![None; outline.lines.len()];
    let mut next = HEAD + row / 2.0;
    for (i, line) in outline.lines.iter().enumerate() {
        if is_end(line) {
            y[i] = next;
            next += row;
        }
    }
    // Branches come after their test, so in reverse order the places of all branches are known before that of the test.
    for (i, line) in outline.lines.iter().enumerate().rev() {
        if let Some((last, first)) = ends[i] {
            y[i] = f64::midpoint(first, last);
        }
        if let Some(parent) = line.parent {
            let (last, _) = ends[parent].unwrap_or((y[i], y[i]));
            ends[parent] = Some((last, y[i]));
        }
    }
    y
}

fn is_end(line: &OutlineLine) -> bool {
    !matches!(line.shown, LineContent::Test(_))
}

fn head(svg: &mut Svg, outline: &Outline, wide: f64) {
    let people = outline.individuals.map(|people| format!(", {}", counted(people, "individual")));
    let title = format!("{}, depth {}{}", leaves(outline.leaves), outline.depth, people.unwrap_or_default());
    let class = shortened(&plain(&outline.class), (wide - 2.0 * MARGIN) / 16.0);
    let heading = svg.element("text").set("x", MARGIN).set("y", 28);
    heading.set("font-size", 15).set("font-weight", 600).text(&class);
    svg.element("text").set("x", MARGIN).set("y", 50).set("fill", SOFT).text(&title);
    if outline.several_rows {
        let note = svg.element("text").set("x", MARGIN).set("y", HEAD - 8.0).set("font-size", SMALL);
        note.set("fill", SOFT).text(SEVERAL_ROWS);
    }
    legend(svg, outline, MARGIN + (width(&title) + 2.0) * FONT, wide);
}

/// The colours of class values, from left to right as far as there is room.
fn legend(svg: &mut Svg, outline: &Outline, mut x: f64, wide: f64) {
    for (class, value) in outline.values.iter().enumerate() {
        let (name, last) = if class < OWN { (plain(value), false) } else { ("others".to_owned(), true) };
        let name = shortened(&name, 14.0);
        let next = x + 16.0 + (width(&name) + 1.5) * FONT;
        if next > wide {
            break;
        }
        swatch(svg, (x, 40.0), 11.0, colour(class));
        svg.element("text").at("x", x + 16.0).set("y", 50).text(&name);
        x = next;
        if last {
            break;
        }
    }
}

/// A small square in the colour of a class value.
fn swatch(svg: &mut Svg, (x, y): (f64, f64), size: f64, fill: &str) {
    let rect = svg.element("rect").at("x", x).at("y", y).set("width", size).set("height", size);
    rect.set("rx", 2).set("fill", fill).empty();
}

fn edge(svg: &mut Svg, outline: &Outline, places: &Places<'_>, i: usize, line: &OutlineLine) {
    let Some(parent) = line.parent else { return };
    let (x0, x1) = (places.x[line.depth] - GAP + 2.0, places.x[line.depth] - 6.0);
    let (y0, y1) = (places.y[parent], places.y[i]);
    let middle = f64::midpoint(x0, x1);
    let path = format_args!("M{x0:.1} {y0:.1}C{middle:.1} {y0:.1} {middle:.1} {y1:.1} {x1:.1} {y1:.1}");
    let path = svg.element("path").set("d", path).set("fill", "none").set("stroke", EDGE);
    path.at("stroke-width", thickness(outline, line)).empty();
}

fn node(svg: &mut Svg, outline: &Outline, places: &Places<'_>, i: usize, line: &OutlineLine) {
    let (x, y) = (places.x[line.depth], places.y[i]);
    let width = places.x[line.depth + 1] - x - GAP;
    svg.element("g").open();
    svg.element("title").text(&story(line));
    if !line.branch.is_empty() {
        let high = if is_end(line) { y + 4.0 } else { y - 5.0 };
        let branch = svg.element("text").at("x", x).at("y", high).set("font-size", SMALL);
        branch.set("fill", "#555555").text(&shortened(&plain(&line.branch), (width + 2.0) / SMALL));
    }
    match &line.shown {
        LineContent::Test(name) => {
            let high = if line.branch.is_empty() { y + 4.0 } else { y + 8.0 };
            let test = svg.element("text").at("x", x).at("y", high).set("font-weight", 600);
            test.text(&shortened(&plain(name), (width + 2.0) / FONT / 1.06));
            stack(svg, line, (x, high + 3.5), 3.0, width * outline.share(line).unwrap_or(0.0));
            stem(svg, outline, line, name, (x, x + width, y));
        }
        LineContent::Leaf(name) | LineContent::Folded(name) => end(svg, outline, places, line, name, y),
    }
    svg.close();
}

/// The line from a test's text to the end of its column, where its edges start.
fn stem(svg: &mut Svg, outline: &Outline, line: &OutlineLine, name: &str, (x, end, y): (f64, f64, f64)) {
    let words = (width(&plain(name)) * FONT * 1.06).max(width(&plain(&line.branch)) * SMALL);
    let (from, to) = (x + words + 6.0, end + 2.5);
    if from < to {
        let stem = level(svg, from, to, y).set("stroke", EDGE);
        stem.at("stroke-width", thickness(outline, line)).empty();
    }
}

/// Starts a horizontal line.
fn level(svg: &mut Svg, from: f64, to: f64, y: f64) -> Element<'_> {
    svg.element("line").at("x1", from).at("y1", y).at("x2", to).at("y2", y)
}

fn thickness(outline: &Outline, line: &OutlineLine) -> f64 {
    outline.share(line).map_or(1.5, |share| (share * THICK).max(1.0))
}

/// A leaf: a line to the chart, its label, its bar and its figures.
fn end(svg: &mut Svg, outline: &Outline, places: &Places<'_>, line: &OutlineLine, name: &str, y: f64) {
    let words = width(&shortened(&plain(&line.branch), COLUMN / SMALL)) * SMALL;
    let (from, to) = (places.x[line.depth] + words + 6.0, places.chart() - 8.0);
    if to > from {
        level(svg, from, to, y).set("stroke", "#d5d9df").set("stroke-dasharray", "1 4").empty();
    }
    let x = places.chart();
    if let Some(scores) = &places.scores {
        return score(svg, places, scores, (line, name), y);
    }
    swatch(svg, (x, y - 4.5), 9.0, colour(line.outcome.label as usize));
    let label = svg.element("text").at("x", x + 14.0).at("y", y + 4.0);
    label.text(&shortened(&plain(name), places.label / FONT + 0.1));
    let bar = x + places.label + BAR;
    // If the release has shares without populations, all bars have the same width.
    let whole = if line.outcome.shares().is_some() { places.largest / 2.0 } else { 0.0 };
    let long = outline.share(line).unwrap_or(whole) / places.largest * CHART;
    stack(svg, line, (bar, y - 6.0), 12.0, long);
    let label = svg.element("text").at("x", bar + long + 6.0).at("y", y + 4.0).set("font-size", SMALL);
    label.set("fill", SOFT).text(&figures(line));
}

/// The score of a leaf: its number, and a bar to the right or, if it is negative, to the left.
fn score(
    svg: &mut Svg,
    places: &Places<'_>,
    scores: &ScoreBars<'_>,
    (line, name): (&OutlineLine, &str),
    y: f64,
) {
    let label = svg.element("text").at("x", places.chart()).at("y", y + 4.0);
    match line.shown {
        LineContent::Folded(_) => label.set("fill", SOFT).text(&format!("… {}", figures(line))),
        _ => label.text(&shortened(&plain(name), places.label / FONT + 0.1)),
    }
    let Some(score) = (scores.of_node)(line.node) else { return };
    let middle = places.chart() + places.label + BAR + CHART / 2.0;
    let long = score.abs() / scores.largest.max(f64::MIN_POSITIVE) * CHART / 2.0;
    let (from, fill) = if score < 0.0 { (middle - long, colour(0)) } else { (middle, colour(1)) };
    let bar = svg.element("rect").at("x", from).at("y", y - 6.0).at("width", long).set("height", 12);
    bar.set("fill", fill).empty();
    let axis = svg.element("line").at("x1", middle).at("x2", middle);
    axis.at("y1", y - places.row / 2.0).at("y2", y + places.row / 2.0).set("stroke", SOFT).empty();
}

/// The population of a node by class, as one bar.
fn stack(svg: &mut Svg, line: &OutlineLine, (x, y): (f64, f64), high: f64, long: f64) {
    let Some(shares) = line.outcome.shares() else { return };
    let mut from = x;
    for (class, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
        let wide = share * long;
        let fill = if class < OWN { colour(class) } else { REST };
        let rect = svg.element("rect").set("x", format_args!("{from:.2}")).at("y", y);
        rect.set("width", format_args!("{wide:.2}")).set("height", high).set("fill", fill).empty();
        from += wide;
    }
}

fn figures(line: &OutlineLine) -> String {
    let mut words = Vec::new();
    if let LineContent::Folded(_) = line.shown {
        words.push(leaves(line.outcome.leaves));
    }
    words.extend(line.outcome.population().map(count));
    let share = line.outcome.shares().and_then(|shares| shares.get(line.outcome.label as usize).copied());
    words.extend(share.map(|share| format!("{:.0} %", share * 100.0)));
    words.join(" · ")
}

/// The tooltip of a node, with full names.
fn story(line: &OutlineLine) -> String {
    let name = match &line.shown {
        LineContent::Test(name) => format!("{} ?", plain(name)),
        LineContent::Leaf(name) | LineContent::Folded(name) => plain(name),
    };
    let branch = if line.branch.is_empty() { String::new() } else { format!("{}: ", plain(&line.branch)) };
    format!("{branch}{name} {}", figures(line)).trim_end().to_owned()
}
