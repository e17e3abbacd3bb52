//! The frame of a plot: its range and ticks.

use super::super::words::shortened;
use super::HEAD;
use incrowd_core::xml::escape;

const LEFT: f64 = 76.0;
const WIDE: f64 = 560.0;
const HIGH: f64 = 420.0;
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

    /// The border, ticks and names.
    pub(super) fn svg(&self, names: &[String; 2]) -> String {
        let (right, bottom) = (Self::right(), Self::bottom());
        let mut text = format!(
            "<rect x=\"{LEFT}\" y=\"{HEAD}\" width=\"{WIDE}\" height=\"{HIGH}\" fill=\"none\" stroke=\"#8a8f98\"/>\n"
        );
        for (at, word) in marks(self.low.0, self.high.0) {
            let x = self.place((at, 0.0)).0;
            text += &format!(
                "<line x1=\"{x:.1}\" y1=\"{bottom}\" x2=\"{x:.1}\" y2=\"{:.1}\" stroke=\"#8a8f98\"/>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"10.5\" fill=\"#444444\">{word}</text>\n",
                bottom + 4.0,
                bottom + 16.0
            );
        }
        for (at, word) in marks(self.low.1, self.high.1) {
            let y = self.place((0.0, at)).1;
            text += &format!(
                "<line x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{LEFT}\" y2=\"{y:.1}\" stroke=\"#8a8f98\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"10.5\" fill=\"#444444\">{word}</text>\n",
                LEFT - 4.0,
                LEFT - 7.0,
                y + 3.5
            );
        }
        let middle = HEAD + HIGH / 2.0;
        text + &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-weight=\"600\">{}</text>\n\
             <text x=\"18\" y=\"{middle:.1}\" text-anchor=\"middle\" font-weight=\"600\" transform=\"rotate(-90 18 {middle:.1})\">{}</text>\n",
            f64::midpoint(LEFT, right),
            bottom + 34.0,
            escape(&shortened(&names[0], 50.0)),
            escape(&shortened(&names[1], 38.0))
        )
    }
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
