//! The sheet of a plot: its size, title, description, frame and axes.

use super::axis::Axis;
use crate::words::{escape, width};

/// The font size.
pub(super) const FONT: f64 = 12.0;
/// The attribute for bold text.
pub(super) const BOLD: &str = " font-weight=\"600\"";
/// The colour of text.
pub(super) const INK: &str = "var(--ink,#1a1a1a)";
/// The colour of secondary text.
pub(super) const SOFT: &str = "var(--soft,#5a5f66)";
/// The colour of axes.
pub(super) const AXIS: &str = "var(--axis,#8a9099)";
/// The colour of grid lines.
pub(super) const GRID: &str = "var(--grid,#e3e6ea)";

/// An SVG under construction.
#[derive(Debug)]
pub(super) struct Sheet {
    text: String,
}

impl Sheet {
    /// Creates a sheet of this size. `id` must be unique in the page.
    pub(super) fn new(id: &str, (wide, high): (f64, f64), title: &str, description: &str) -> Self {
        let id = escape(id);
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\" viewBox=\"0 0 {wide:.0} {high:.0}\" \
             font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif\" font-size=\"{FONT}\">\n\
             <title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>\n",
            escape(title),
            escape(description)
        );
        Self { text }
    }

    /// Adds SVG.
    pub(super) fn add(&mut self, svg: &str) {
        self.text += svg;
        self.text.push('\n');
    }

    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str, more: &str) {
        self.add(&format!(
            "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"{colour}\" fill=\"none\"{more}/>"
        ));
    }

    /// Adds text whose start, middle or end is at a point.
    pub(super) fn words(&mut self, (x, y): (f64, f64), anchor: &str, colour: &str, more: &str, text: &str) {
        self.add(&format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\"{more}>{}</text>",
            escape(text)
        ));
    }

    pub(super) fn done(self) -> String {
        self.text + "</svg>\n"
    }
}

/// The data area of a sheet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Area {
    /// Returns the area, narrower on both sides.
    pub(super) fn inset(self, by: f64) -> Self {
        Self { left: self.left + by, right: self.right - by, ..self }
    }

    pub(super) fn x(&self, share: f64) -> f64 {
        self.left + share * (self.right - self.left)
    }

    pub(super) fn y(&self, share: f64) -> f64 {
        self.bottom - share * (self.bottom - self.top)
    }

    /// Draws the axis on the left with grid lines.
    pub(super) fn rows(&self, sheet: &mut Sheet, axis: &Axis) {
        for (tick, label) in &axis.ticks {
            let y = self.y(axis.at(*tick));
            sheet.line((self.left, y), (self.right, y), GRID, "");
            sheet.words((self.left - 6.0, y + 4.0), "end", SOFT, "", label);
        }
    }

    /// Draws the ticks, labels and name of the axis at the bottom. Labels that would touch the one before are left out,
    /// except the last.
    pub(super) fn columns(&self, sheet: &mut Sheet, axis: &Axis, name: &str) {
        let last = axis.ticks.len().saturating_sub(1);
        let place = |tick: usize| self.x(axis.at(axis.ticks[tick].0));
        let half = |tick: usize| width(&axis.ticks[tick].1) * FONT / 2.0;
        let mut free = f64::NEG_INFINITY;
        for (i, (_, label)) in axis.ticks.iter().enumerate() {
            let x = place(i);
            sheet.line((x, self.bottom), (x, self.bottom + 4.0), AXIS, "");
            let fits = x - half(i) > free;
            let leaves_last = i == last || x + half(i) + 3.0 < place(last) - half(last);
            if fits && leaves_last {
                sheet.words((x, self.bottom + 17.0), "middle", SOFT, "", label);
                free = x + half(i) + 3.0;
            }
        }
        let middle = f64::midpoint(self.left, self.right);
        let scale = if axis.is_log() { " (logarithmic)" } else { "" };
        sheet.words((middle, self.bottom + 34.0), "middle", SOFT, "", &format!("{name}{scale}"));
    }
}

/// Space for the labels of an axis.
pub(super) fn room(axis: &Axis) -> f64 {
    axis.ticks.iter().map(|(_, label)| width(label) * FONT).fold(20.0, f64::max) + 10.0
}

/// The approximate width of bold text.
pub(super) fn bold(text: &str) -> f64 {
    width(text) * FONT * 1.12
}
