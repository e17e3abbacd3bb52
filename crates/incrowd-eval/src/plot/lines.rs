//! Lines over k.

use super::axis::{Axis, AxisUnit};
use super::sheet::{AXIS, Area, Attributes, BOLD, INK, SOFT, Sheet, bold, room};
use super::style::{colour, dashed, marker};
use crate::words::{count, plain, shortened};

const WIDE: f64 = 440.0;
const HIGH: f64 = 290.0;
/// The maximum width of a label, in font sizes.
const LABEL: f64 = 9.5;
/// The distance between labels.
const APART: f64 = 14.0;
/// The horizontal offset of lines, so that their error bars do not overlap: the maximum per line, and in total.
const ASIDE: f64 = 2.6;
const ASIDE_ALL: f64 = 13.0;
/// The distance of the first and the last k from the ends of the axis.
const INSET: f64 = 12.0;
/// Space between a line's end and its label, and for the label's marker.
const LEAD: f64 = 34.0;

/// Text that is readable on a line: small, with an outline in the colour of the background.
const OUTLINED: Attributes<'_> = &[
    ("font-size", "11"),
    ("paint-order", "stroke"),
    ("stroke", "var(--card,#fff)"),
    ("stroke-width", "4"),
    ("stroke-linejoin", "round"),
];

/// Lines over k, with their names at their ends.
#[derive(Debug, Clone)]
pub struct Lines {
    /// The title.
    pub title: String,
    /// The name of the measure.
    pub measure: String,
    /// The unit of its numbers.
    pub unit: AxisUnit,
    /// Whether the axis always starts at zero.
    pub from_zero: bool,
    /// Numbers that the axis must include, so that several plots have the same axis.
    pub reach: Vec<f64>,
    /// The values of k.
    pub ks: Vec<u64>,
    /// The lines.
    pub lines: Vec<Line>,
    /// The levels that do not depend on k.
    pub levels: Vec<Baseline>,
}

/// A line.
#[derive(Debug, Clone)]
pub struct Line {
    /// What it is called.
    pub name: String,
    /// The style: colour, dash and marker.
    pub style: usize,
    /// Its points.
    pub points: Vec<PlotPoint>,
}

/// A point of a line.
#[derive(Debug, Clone, Copy)]
pub struct PlotPoint {
    /// The k.
    pub k: u64,
    /// The number.
    pub number: f64,
    /// The length of the error bar in each direction (a standard deviation); `None` if unknown.
    pub error: Option<f64>,
}

/// A number that does not depend on k.
#[derive(Debug, Clone)]
pub struct Baseline {
    /// What it is called.
    pub name: String,
    /// The number.
    pub number: f64,
}

impl Lines {
    /// The numbers that the axis must include.
    pub fn numbers(&self) -> impl Iterator<Item = f64> {
        let points = self.lines.iter().flat_map(|line| &line.points);
        let ends = points.flat_map(|place| {
            let error = place.error.unwrap_or(0.0);
            [place.number - error, place.number + error]
        });
        ends.chain(self.levels.iter().map(|level| level.number))
    }

    /// Whether the measure's axis starts at zero.
    pub fn is_from_zero(&self) -> bool {
        self.axis().is_from_zero()
    }

    fn axis(&self) -> Axis {
        Axis::around(self.numbers().chain(self.reach.iter().copied()), self.unit, self.from_zero)
    }

    /// Returns the plot. `id` must be unique in the page.
    pub fn svg(&self, id: &str) -> String {
        let (x, y) = (Axis::of_counts(&self.ks), self.axis());
        let lines: Vec<&Line> = self.lines.iter().filter(|line| line.last().is_some()).collect();
        let labels = lines.iter().map(|line| bold(&label(line))).fold(0.0, f64::max);
        let area = Area { left: room(&y), right: WIDE - labels - LEAD, top: 14.0, bottom: HIGH - 42.0 };
        let mut sheet = Sheet::new(id, (WIDE, HIGH), &self.title, &self.story());
        area.rows(&mut sheet, &y);
        sheet.line((area.left, area.bottom), (area.right, area.bottom), AXIS, &[]);
        area.inset(INSET).columns(&mut sheet, &x, "k");
        self.levels.iter().for_each(|level| level.draw(&mut sheet, &area, &y, self.unit));
        let middle = (lines.len() as f64 - 1.0) / 2.0;
        let apart = ASIDE.min(ASIDE_ALL / lines.len().max(1) as f64);
        for (i, line) in lines.iter().enumerate() {
            let aside = (i as f64 - middle) * apart;
            let at =
                |k: u64, number: f64| (area.inset(INSET).x(x.at(k as f64)) + aside, area.y(y.at(number)));
            line.draw(&mut sheet, self.unit, &at);
        }
        let ends: Vec<f64> =
            lines.iter().filter_map(|line| line.last()).map(|last| area.y(y.at(last))).collect();
        for (line, (&end, place)) in lines.iter().zip(ends.iter().zip(spread(&ends, area.bottom))) {
            let colour = colour(line.style);
            let x = area.right;
            sheet.line((x - 2.0, end), (x + 16.0, place), &colour, &[("opacity", ".6")]);
            marker(sheet.svg(), line.style, (x + 21.0, place));
            sheet.words((x + 28.0, place + 4.0), "start", &colour, BOLD, &label(line));
        }
        sheet.done()
    }

    /// The description of the plot for screen readers.
    fn story(&self) -> String {
        let levels =
            self.levels.iter().map(|level| format!("{}: {}.", level.name, self.unit.words(level.number)));
        let lines = self.lines.iter().map(|line| {
            let points: Vec<String> = line
                .finite()
                .map(|place| format!("{} at k = {}", self.unit.words(place.number), count(place.k)))
                .collect();
            format!(
                "{}: {}.",
                line.name,
                if points.is_empty() { "nothing".to_owned() } else { points.join(", ") }
            )
        });
        let parts: Vec<String> = levels.chain(lines).collect();
        format!("{} over k. {}", self.measure, parts.join(" "))
    }
}

impl Line {
    fn finite(&self) -> impl Iterator<Item = &PlotPoint> {
        self.points.iter().filter(|place| place.number.is_finite())
    }

    /// The end of the line.
    fn last(&self) -> Option<f64> {
        self.finite().last().map(|place| place.number)
    }

    fn draw(&self, sheet: &mut Sheet, unit: AxisUnit, at: &dyn Fn(u64, f64) -> (f64, f64)) {
        let colour = colour(self.style);
        let places: Vec<(f64, f64)> = self.finite().map(|place| at(place.k, place.number)).collect();
        let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        let path = sheet.path(format_args!("M{}", path.join("L")), &colour);
        path.set("stroke-width", 2).all(dashed(self.style).as_slice()).empty();
        for (place, &(x, y)) in self.finite().zip(&places) {
            sheet.open_group(&self.point(place, unit));
            if let Some(error) = place.error.filter(|error| *error > 0.0) {
                let (low, high) = (at(place.k, place.number - error).1, at(place.k, place.number + error).1);
                let left = x - 2.5;
                let bar =
                    format_args!("M{x:.1} {low:.1}V{high:.1}M{left:.1} {low:.1}h5M{left:.1} {high:.1}h5");
                sheet.path(bar, &colour).set("opacity", ".65").empty();
            }
            marker(sheet.svg(), self.style, (x, y));
            sheet.close_group();
        }
    }

    /// The tooltip of a point.
    fn point(&self, place: &PlotPoint, unit: AxisUnit) -> String {
        let error = place.error.map(|error| format!(" ± {}", unit.words(error))).unwrap_or_default();
        format!("{}, k = {}: {}{error}", self.name, count(place.k), unit.words(place.number))
    }
}

impl Baseline {
    fn draw(&self, sheet: &mut Sheet, area: &Area, axis: &Axis, unit: AxisUnit) {
        let y = area.y(axis.at(self.number));
        let dashes = [("stroke-width", "1.4"), ("stroke-dasharray", "5 4")];
        sheet.line((area.left, y), (area.right, y), INK, &dashes);
        let label = format!("{} {}", self.name, unit.words(self.number));
        sheet.words((area.right - 2.0, y - 5.0), "end", SOFT, OUTLINED, &label);
    }
}

fn label(line: &Line) -> String {
    shortened(&plain(&line.name), LABEL)
}

/// The positions of labels: as close to the ends of their lines as possible without overlap, in the order of the ends.
pub(super) fn spread(ends: &[f64], bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by(|&one, &other| ends[one].total_cmp(&ends[other]));
    let mut places = ends.to_vec();
    let mut free = f64::NEG_INFINITY;
    for &line in &order {
        places[line] = ends[line].max(free);
        free = places[line] + APART;
    }
    // Labels beyond the bottom move those above them up.
    let mut most = bottom;
    for &line in order.iter().rev() {
        places[line] = places[line].min(most);
        most = places[line] - APART;
    }
    places
}
