//! Ensembles as self-contained SVG: the importance of attributes as bars, coloured by role, then the tree of cells and
//! the first trees, below each other.

use super::ensemble::{EnsembleOutline, TestedAttribute, TreeOutline};
use super::palette::{REST, colour};
use super::svg::{MAX_ROWS, Panel, ScoreBars, on_white};
use super::words::{count, counted, plain, shortened, width};
use crate::model::{Ensemble, Link};
use crate::policy::Role;
use crate::{Error, Result};
use incrowd_core::svg::Svg;

const MARGIN: f64 = 24.0;
const FONT: f64 = 12.0;
const SMALL: f64 = 10.5;
/// The height of a bar with its gap.
const ROW: f64 = 20.0;
/// The most attributes with a bar.
const BARS: usize = 30;
/// The widest name beside a bar.
const NAME: f64 = 200.0;
/// The length of the longest bar.
const LONGEST: f64 = 260.0;
/// The space above a section, with its heading.
const HEADING: f64 = 44.0;
/// The colour of secondary text.
const SOFT: &str = "#444444";

/// Returns the ensemble as a self-contained picture.
///
/// # Errors
/// When the first trees have more leaves than a picture may show.
pub fn ensemble_svg(
    ensemble: &Ensemble,
    outline: &EnsembleOutline,
    individuals: Option<u64>,
) -> Result<String> {
    let of_trees = outline.first.iter().map(|first| first.tree.lines.len());
    if of_trees.sum::<usize>() > MAX_ROWS {
        return Err(
            Error::limit("a picture of these trees is too large").help("display fewer levels (`depth`)")
        );
    }
    let scores: Vec<Scores> = (0..outline.first.len()).map(|tree| Scores::of(ensemble, tree)).collect();
    let sections = sections(ensemble, outline, &scores);
    let bars = outline.attributes.len().min(BARS) as f64 * ROW;
    let high = 60.0 + HEADING + bars + sections.iter().map(|s| HEADING + s.panel.size().1).sum::<f64>();
    let wide = sections.iter().map(|section| section.panel.size().0).fold(640.0, f64::max);
    let mut svg = Svg::new();
    on_white(&mut svg, (wide, high + MARGIN), FONT);
    head(&mut svg, ensemble, outline, individuals);
    importance(&mut svg, outline, (60.0, wide));
    let mut y = 60.0 + HEADING + bars;
    for section in &sections {
        heading(&mut svg, y, &shortened(&section.title, (wide - 2.0 * MARGIN) / 7.5));
        section.panel.draw(&mut svg, y + HEADING);
        y += HEADING + section.panel.size().1;
    }
    Ok(svg.done())
}

/// A tree with its heading.
struct Section<'a> {
    title: String,
    panel: Panel<'a>,
}

/// The scores of the leaves of a tree, by node; none if leaves have several.
struct Scores {
    of_node: Box<dyn Fn(u32) -> Option<f64>>,
    largest: f64,
}

impl Scores {
    fn of(ensemble: &Ensemble, tree: usize) -> Self {
        let scored = &ensemble.trees()[tree];
        let one = |node: u32| match scored.scores(node) {
            &[score] => Some(score),
            _ => None,
        };
        let all: Vec<Option<f64>> = (0..scored.tree().nodes().len() as u32).map(one).collect();
        let largest = all.iter().flatten().fold(0.0, |largest: f64, score| largest.max(score.abs()));
        Self { of_node: Box::new(move |node| all.get(node as usize).copied().flatten()), largest }
    }

    fn bars(&self) -> ScoreBars<'_> {
        ScoreBars { of_node: &*self.of_node, largest: self.largest }
    }
}

fn sections<'a>(ensemble: &Ensemble, outline: &'a EnsembleOutline, scores: &'a [Scores]) -> Vec<Section<'a>> {
    let cells = outline.cells.as_ref().map(|cells| Section {
        title: format!("{}, divided by {}", counted(cells.cells, "cell"), cells.divided_by.join(", ")),
        // Cells have names only.
        panel: Panel::new(&cells.tree, Some(ScoreBars { of_node: &|_| None, largest: 0.0 })),
    });
    let trees = outline.first.iter().zip(scores).enumerate().map(|(place, (first, scores))| Section {
        title: title(ensemble, outline, place, first),
        panel: Panel::new(&first.tree, Some(scores.bars())),
    });
    cells.into_iter().chain(trees).collect()
}

fn title(ensemble: &Ensemble, outline: &EnsembleOutline, place: usize, first: &TreeOutline) -> String {
    let values = &ensemble.class().values;
    let of = match (ensemble.scoring().link, first.output) {
        (Link::Logistic, _) => format!(": log-odds of {}", values[1]),
        (_, Some(output)) => format!(": score of {}", values[output as usize]),
        (_, None) => ": scores of all class values".to_owned(),
    };
    format!("tree {} of {}{of}", place + 1, count(outline.trees))
}

fn head(svg: &mut Svg, ensemble: &Ensemble, outline: &EnsembleOutline, individuals: Option<u64>) {
    let cells = outline.cells.as_ref().map(|cells| counted(cells.cells, "cell"));
    let people = individuals.map(|people| counted(people, "individual"));
    let leaves =
        if outline.leaves == 1 { "1 leaf".to_owned() } else { format!("{} leaves", count(outline.leaves)) };
    let parts = [counted(outline.trees, "tree"), leaves].into_iter().chain(cells).chain(people);
    let heading =
        svg.element("text").set("x", MARGIN).set("y", 28).set("font-size", 15).set("font-weight", 600);
    heading.text(&shortened(&plain(&ensemble.class().name), 36.0));
    let line = svg.element("text").set("x", MARGIN).set("y", 50).set("fill", SOFT);
    line.text(&parts.collect::<Vec<_>>().join(", "));
}

fn heading(svg: &mut Svg, y: f64, title: &str) {
    let text = svg.element("text").set("x", MARGIN).at("y", y + 28.0).set("font-size", 13);
    text.set("font-weight", 600).text(&plain(title));
}

/// The bars of attributes from `y` on.
fn importance(svg: &mut Svg, outline: &EnsembleOutline, (y, wide): (f64, f64)) {
    heading(svg, y, "importance of attributes");
    legend(svg, outline, (y + 28.0, wide));
    let shown = || outline.attributes.iter().take(BARS);
    let names = shown().map(|own| width(&plain(&own.name)) * FONT).fold(40.0, f64::max).min(NAME);
    let largest = shown().map(|own| own.importance).fold(f64::MIN_POSITIVE, f64::max);
    for (place, own) in shown().enumerate() {
        let middle = y + HEADING + ROW * (place as f64 + 0.5);
        svg.element("g").open();
        svg.element("title").text(&plain(&own.name));
        let name = svg.element("text").set("x", MARGIN).at("y", middle + 4.0);
        name.text(&shortened(&plain(&own.name), names / FONT + 0.1));
        let (x, long) = (MARGIN + names + 12.0, own.importance / largest * LONGEST);
        let bar = svg.element("rect").at("x", x).at("y", middle - 6.0).at("width", long).set("height", 12);
        bar.set("fill", fill(own)).empty();
        let figure = svg.element("text").at("x", x + long + 6.0).at("y", middle + 4.0);
        let words = format!("{:.1} % · {}", own.importance * 100.0, counted(own.tests, "test"));
        figure.set("font-size", SMALL).set("fill", SOFT).text(&words);
        svg.close();
    }
}

fn fill(own: &TestedAttribute) -> &'static str {
    match own.role {
        Some(Role::Public) => colour(2),
        Some(Role::Private) => colour(4),
        _ => REST,
    }
}

/// The roles that occur, each with its importance.
fn legend(svg: &mut Svg, outline: &EnsembleOutline, (y, wide): (f64, f64)) {
    let by_cells = outline.attributes.iter().any(|own| own.of_cells);
    let public = if by_cells { "public, by cells" } else { "public" };
    let names = [(public, colour(2)), ("private", colour(4)), ("role not stated", REST)];
    let mut x = MARGIN + 200.0;
    for ((name, fill), share) in names.into_iter().zip(outline.by_role()) {
        let text = format!("{name} {:.0} %", share * 100.0);
        let next = x + 16.0 + (width(&text) + 1.5) * FONT;
        if share <= 0.0 || next > wide {
            continue;
        }
        let swatch = svg.element("rect").at("x", x).at("y", y - 10.0).set("width", 11).set("height", 11);
        swatch.set("rx", 2).set("fill", fill).empty();
        svg.element("text").at("x", x + 16.0).at("y", y).text(&text);
        x = next;
    }
}
