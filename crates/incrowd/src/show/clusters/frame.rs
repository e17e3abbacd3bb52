//! The frame of a plot: its range and ticks.

use super::super::words::shortened;
use super::HEAD;
use incrowd_core::svg::Svg;

const LEFT: f64 = 76.0;
const WIDE: f64 = 560.0;
const HIGH: f64 = 420.0;
/// The colour of the border, ticks and cells.
pub(super) const BORDER: &str = "#8a8f98";
/// The approximate number of ticks of an axis.
const MARKS: f64 = 6.0;

/// The displayed part of the plane.
pub(super) struct Frame {
    low: (f64, f64),
    high: (f64, f64),
}

impl Frame {
    /// Creates a frame around some places, with more space if they are few.
    pub(super) fn around(places: impl Iterator<Item = (f64, f64)>, few: bool) -> Self {
        let (mut low, mut high) = ((f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        for (x, y) in places {
            (low.0, low.1, high.0, high.1) = (low.0.min(x), low.1.min(y), high.0.max(x), high.1.max(y));
        }
        let room = if few { 0.4 } else { 0.04 };
        let margin = |low: f64, high: f64| if high > low { (high - low) * room } else { 1.0 };
        let (x, y) = (margin(low.0, high.0), margin(low.1, high.1));
        Self { low: (low.0 - x, low.1 - y), high: (high.0 + x, high.1 + y) }
    }

    /// The corners, in order around.
    pub(super) fn corners(&self) -> [(f64, f64); 4] {
        [self.low, (self.high.0, self.low.1), self.high, (self.low.0, self.high.1)]
    }

    pub(super) fn right() -> f64 {
        LEFT + WIDE
    }

    pub(super) fn bottom() -> f64 {
        HEAD + HIGH
    }

    /// The position of a place in the picture.
    pub(super) fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let along = (x - self.low.0) / (self.high.0 - self.low.0);
        let up = (y - self.low.1) / (self.high.1 - self.low.1);
        (LEFT + along * WIDE, HEAD + (1.0 - up) * HIGH)
    }

    /// Draws the border, ticks and names.
    pub(super) fn draw(&self, svg: &mut Svg, names: &[String; 2]) {
        let (right, bottom) = (Self::right(), Self::bottom());
        let border = svg.element("rect").set("x", LEFT).set("y", HEAD).set("width", WIDE).set("height", HIGH);
        border.set("fill", "none").set("stroke", BORDER).empty();
        for (at, word) in marks(self.low.0, self.high.0) {
            let x = self.place((at, 0.0)).0;
            tick(svg, (x, bottom), (x, bottom + 4.0));
            label(svg, (x, bottom + 16.0), "middle", &word);
        }
        for (at, word) in marks(self.low.1, self.high.1) {
            let y = self.place((0.0, at)).1;
            tick(svg, (LEFT - 4.0, y), (LEFT, y));
            label(svg, (LEFT - 7.0, y + 3.5), "end", &word);
        }
        let middle = HEAD + HIGH / 2.0;
        let bold = [("text-anchor", "middle"), ("font-weight", "600")];
        let below = svg.element("text").at("x", f64::midpoint(LEFT, right)).at("y", bottom + 34.0);
        below.all(&bold).text(&shortened(&names[0], 50.0));
        let aside = svg.element("text").set("x", 18).at("y", middle).all(&bold);
        let upwards = format_args!("rotate(-90 18 {middle:.1})");
        aside.set("transform", upwards).text(&shortened(&names[1], 38.0));
    }
}

fn tick(svg: &mut Svg, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    let line = svg.element("line").at("x1", x1).at("y1", y1).at("x2", x2).at("y2", y2);
    line.set("stroke", BORDER).empty();
}

fn label(svg: &mut Svg, (x, y): (f64, f64), anchor: &str, word: &str) {
    let label = svg.element("text").at("x", x).at("y", y).set("text-anchor", anchor);
    label.set("font-size", 10.5).set("fill", "#444444").text(word);
}

/// Round numbers from low to high, with their labels.
fn marks(low: f64, high: f64) -> Vec<(f64, String)> {
    let raw = (high - low) / MARKS;
    let unit = 10_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * unit).find(|&step| step >= raw).unwrap_or(raw);
    let places = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
    let first = (low / step).ceil() as i64;
    let last = ((high / step).floor() as i64).min(first.saturating_add(20));
    (first..=last)
        .map(|i| i as f64 * step)
        .map(|at| (at, format!("{:.places$}", at + 0.0).replace('-', "−")))
        .collect()
}
