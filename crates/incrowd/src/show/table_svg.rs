//! A released table as self-contained SVG: how many groups have how many rows, how wide the cells of each column are,
//! and, beside the source, distributions before and after.

use super::palette::{REST, colour};
use super::svg::on_white;
use super::table::{ColumnOutline, TableOutline};
use super::words::{count, counted, percent, plain, shortened, width};
use incrowd_core::svg::Svg;

const MARGIN: f64 = 24.0;
const FONT: f64 = 12.0;
const SMALL: f64 = 10.5;
/// The height of a bar with its gap.
const ROW: f64 = 20.0;
/// The space above a section, with its heading.
const HEADING: f64 = 44.0;
/// The widest name beside a bar.
const NAME: f64 = 200.0;
/// The length of the longest bar.
const LONGEST: f64 = 260.0;
/// The most columns with a bar, and with distributions.
const COLUMNS: usize = 60;
const WIDE: f64 = 680.0;
/// The colour of secondary text.
const SOFT: &str = "#444444";

/// Returns a released table as a self-contained picture.
pub fn table_svg(outline: &TableOutline) -> String {
    let recoded: Vec<&ColumnOutline> =
        outline.columns.iter().filter(|column| column.recoded).take(COLUMNS).collect();
    let compared: Vec<&&ColumnOutline> = recoded.iter().filter(|column| !column.bins.is_empty()).collect();
    let sizes = outline.sizes.len() as f64 * ROW;
    let bars = recoded.len() as f64 * ROW;
    let of_bins: f64 = compared.iter().map(|column| HEADING + column.bins.len() as f64 * ROW).sum();
    let mut svg = Svg::new();
    on_white(&mut svg, (WIDE, 60.0 + 2.0 * HEADING + sizes + bars + of_bins + MARGIN), FONT);
    head(&mut svg, outline);
    let mut y = 60.0;
    y = section(&mut svg, y, "rows in groups of this size", &size_bars(outline));
    y = section(&mut svg, y, "mean width of cells (0: single values, 1: any value)", &width_bars(&recoded));
    for column in compared {
        y = distribution(&mut svg, y, column);
    }
    svg.done()
}

/// A bar: its name, its length as a share, and the words behind it.
struct Bar {
    name: String,
    share: f64,
    words: String,
    fill: &'static str,
}

fn size_bars(outline: &TableOutline) -> Vec<Bar> {
    let largest = outline.sizes.iter().map(|class| class.rows).max().unwrap_or(1).max(1) as f64;
    let bar = |class: &super::table::GroupSizes| Bar {
        name: format!("{} to {}", count(class.from), count(class.to)),
        share: class.rows as f64 / largest,
        words: format!("{} in {}", counted(class.rows, "row"), counted(class.groups, "group")),
        fill: colour(0),
    };
    outline.sizes.iter().map(bar).collect()
}

fn width_bars(columns: &[&ColumnOutline]) -> Vec<Bar> {
    let bar = |column: &&ColumnOutline| {
        let width = column.width.map_or_else(|| "width unknown".to_owned(), |width| format!("{width:.3}"));
        let cells = counted(column.cells, "different cell");
        Bar {
            name: column.name.clone(),
            share: column.width.unwrap_or(0.0),
            words: format!("{width} · {cells} · {} suppressed", percent(column.suppressed)),
            fill: colour(2),
        }
    };
    columns.iter().map(bar).collect()
}

fn head(svg: &mut Svg, outline: &TableOutline) {
    let heading =
        svg.element("text").set("x", MARGIN).set("y", 28).set("font-size", 15).set("font-weight", 600);
    heading.text(&shortened(&plain(&outline.file), 36.0));
    let before = outline.rows_before.map(|rows| format!(" of {} in the source", count(rows)));
    let words = format!(
        "{}{} in {} of {} to {} rows",
        counted(outline.rows, "row"),
        before.unwrap_or_default(),
        counted(outline.groups, "group"),
        count(outline.smallest),
        count(outline.largest)
    );
    svg.element("text").set("x", MARGIN).set("y", 50).set("fill", SOFT).text(&words);
}

fn heading(svg: &mut Svg, y: f64, title: &str) {
    let text = svg.element("text").set("x", MARGIN).at("y", y + 28.0).set("font-size", 13);
    text.set("font-weight", 600).text(&plain(title));
}

/// Draws bars under a heading; returns where the next section begins.
fn section(svg: &mut Svg, y: f64, title: &str, bars: &[Bar]) -> f64 {
    heading(svg, y, title);
    let names = bars.iter().map(|bar| width(&plain(&bar.name)) * FONT).fold(40.0, f64::max).min(NAME);
    for (place, bar) in bars.iter().enumerate() {
        let middle = y + HEADING + ROW * (place as f64 + 0.5);
        svg.element("g").open();
        svg.element("title").text(&plain(&bar.name));
        let name = svg.element("text").set("x", MARGIN).at("y", middle + 4.0);
        name.text(&shortened(&plain(&bar.name), names / FONT + 0.1));
        let (x, long) = (MARGIN + names + 12.0, bar.share.clamp(0.0, 1.0) * LONGEST);
        let drawn = svg.element("rect").at("x", x).at("y", middle - 6.0).at("width", long).set("height", 12);
        drawn.set("fill", bar.fill).empty();
        let figure = svg.element("text").at("x", x + long + 6.0).at("y", middle + 4.0);
        figure.set("font-size", SMALL).set("fill", SOFT).text(&bar.words);
        svg.close();
    }
    y + HEADING + bars.len() as f64 * ROW
}

/// Draws a distribution before (grey) and after; returns where the next section begins.
fn distribution(svg: &mut Svg, y: f64, column: &ColumnOutline) -> f64 {
    heading(svg, y, &shortened(&format!("{}: before (grey) and after", plain(&column.name)), 60.0));
    let largest = column.bins.iter().map(|bin| bin.1.max(bin.2)).fold(f64::MIN_POSITIVE, f64::max);
    for (place, (label, before, after)) in column.bins.iter().enumerate() {
        let middle = y + HEADING + ROW * (place as f64 + 0.5);
        svg.element("g").open();
        svg.element("title").text(&plain(label));
        let name = svg.element("text").set("x", MARGIN).at("y", middle + 4.0);
        name.text(&shortened(&plain(label), NAME / FONT));
        let x = MARGIN + NAME + 12.0;
        for (share, top, fill) in [(before, -7.0, REST), (after, 0.0, colour(2))] {
            let long = share / largest * LONGEST;
            let bar = svg.element("rect").at("x", x).at("y", middle + top).at("width", long).set("height", 6);
            bar.set("fill", fill).empty();
        }
        let long = before.max(*after) / largest * LONGEST;
        let figure = svg.element("text").at("x", x + long + 6.0).at("y", middle + 4.0);
        let words = format!("{} → {}", percent(*before), percent(*after));
        figure.set("font-size", SMALL).set("fill", SOFT).text(&words);
        svg.close();
    }
    y + HEADING + column.bins.len() as f64 * ROW
}
