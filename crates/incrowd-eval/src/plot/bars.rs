//! Horizontal bars.

use super::axis::{Axis, AxisUnit};
use super::sheet::{AXIS, Area, FONT, INK, Sheet};
use super::style::colour;
use crate::words::{plain, shortened, width};

const WIDE: f64 = 440.0;
const ROW: f64 = 26.0;
const LABEL: f64 = 12.0;

/// Horizontal bars, starting at zero.
#[derive(Debug, Clone)]
pub struct Bars {
    /// The title.
    pub title: String,
    /// The unit of the numbers.
    pub unit: AxisUnit,
    /// The suffix of a number, such as ` s`.
    pub suffix: String,
    /// The bars.
    pub bars: Vec<Bar>,
}

/// A bar.
#[derive(Debug, Clone)]
pub struct Bar {
    /// The name.
    pub name: String,
    /// The style, which decides the colour.
    pub style: usize,
    /// The length.
    pub number: f64,
}

impl Bars {
    /// Returns the plot. `id` must be unique in the page.
    pub fn svg(&self, id: &str) -> String {
        let axis = Axis::around(self.bars.iter().map(|bar| bar.number), self.unit, true);
        let label = |bar: &Bar| shortened(&plain(&bar.name), LABEL);
        let names = self.bars.iter().map(|bar| width(&label(bar)) * FONT).fold(0.0, f64::max);
        let figures = self.bars.iter().map(|bar| width(&self.figure(bar)) * FONT).fold(0.0, f64::max);
        let bottom = 6.0 + ROW * self.bars.len() as f64;
        let area = Area { left: names + 10.0, right: WIDE - figures - 10.0, top: 6.0, bottom };
        let mut sheet = Sheet::new(id, (WIDE, bottom + 6.0), &self.title, &self.story());
        for (i, bar) in self.bars.iter().enumerate() {
            let y = area.top + ROW * i as f64;
            let end = area.x(axis.at(bar.number));
            sheet.words((area.left - 6.0, y + 17.0), "end", INK, &[], &label(bar));
            let rect = sheet.element("rect").at("x", area.left).at("y", y + 4.0);
            let rect = rect.at("width", (end - area.left).max(1.0)).at("height", ROW - 8.0);
            rect.set("rx", 2).set("fill", colour(bar.style)).empty();
            sheet.words((end + 6.0, y + 17.0), "start", INK, &[], &self.figure(bar));
        }
        sheet.line((area.left, area.top), (area.left, area.bottom), AXIS, &[]);
        sheet.done()
    }

    fn figure(&self, bar: &Bar) -> String {
        format!("{}{}", self.unit.words(bar.number), self.suffix)
    }

    fn story(&self) -> String {
        let bars: Vec<String> =
            self.bars.iter().map(|bar| format!("{}: {}", bar.name, self.figure(bar))).collect();
        format!("{}.", bars.join("; "))
    }
}
