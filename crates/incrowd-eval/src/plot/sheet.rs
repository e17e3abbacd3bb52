//! The sheet of a plot: its size, title, description, frame and axes.

use super::axis::Axis;
use crate::words::{plain, width};
use incrowd_core::svg::{Element, Svg};
use std::fmt::Display;

/// Attributes of an element.
pub(super) type Attributes<'a> = &'a [(&'a str, &'a str)];

/// The font size.
pub(super) const FONT: f64 = 12.0;
/// The attribute for bold text.
pub(super) const BOLD: Attributes<'_> = &[("font-weight", "600")];
/// The colour of text.
pub(super) const INK: &str = "var(--ink,#1a1a1a)";
/// The colour of secondary text.
pub(super) const SOFT: &str = "var(--soft,#5a5f66)";
/// The colour of axes.
pub(super) const AXIS: &str = "var(--axis,#8a9099)";
/// The colour of grid lines.
pub(super) const GRID: &str = "var(--grid,#e3e6ea)";

/// A plot under construction.
#[derive(Debug)]
pub(super) struct Sheet {
    svg: Svg,
}

impl Sheet {
    /// Creates a sheet of this size. `id` must be unique in the page.
    pub(super) fn new(id: &str, size: (f64, f64), title: &str, description: &str) -> Self {
        let mut svg = Svg::new();
        let root = svg.root(size).set("class", "plot").set("role", "img");
        root.set("aria-labelledby", format_args!("{id}-t {id}-d")).set("font-size", FONT).open();
        svg.element("title").set("id", format_args!("{id}-t")).text(&plain(title));
        svg.element("desc").set("id", format_args!("{id}-d")).text(&plain(description));
        Self { svg }
    }

    /// The writer, for markers.
    pub(super) fn svg(&mut self) -> &mut Svg {
        &mut self.svg
    }

    /// Starts an element.
    pub(super) fn element(&mut self, name: &'static str) -> Element<'_> {
        self.svg.element(name)
    }

    /// Starts a path, which is not filled.
    pub(super) fn path(&mut self, path: impl Display, colour: &str) -> Element<'_> {
        self.svg.element("path").set("d", path).set("stroke", colour).set("fill", "none")
    }

    /// Starts a group of elements with a tooltip.
    pub(super) fn open_group(&mut self, tooltip: &str) {
        self.svg.element("g").open();
        self.svg.element("title").text(&plain(tooltip));
    }

    /// Closes a group.
    pub(super) fn close_group(&mut self) {
        self.svg.close();
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, more: Attributes<'_>) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.path(format_args!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}"), colour).all(more).empty();
    }

    /// Adds text whose start, middle or end is at a point.
    pub(super) fn words(
        &mut self,
        (x, y): (f64, f64),
        anchor: &str,
        colour: &str,
        more: Attributes<'_>,
        text: &str,
    ) {
        let element = self.element("text").at("x", x).at("y", y).set("text-anchor", anchor);
        element.set("fill", colour).all(more).text(&plain(text));
    }

    pub(super) fn done(self) -> String {
        self.svg.done()
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
            sheet.line((self.left, y), (self.right, y), GRID, &[]);
            sheet.words((self.left - 6.0, y + 4.0), "end", SOFT, &[], label);
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
            sheet.line((x, self.bottom), (x, self.bottom + 4.0), AXIS, &[]);
            let fits = x - half(i) > free;
            let leaves_last = i == last || x + half(i) + 3.0 < place(last) - half(last);
            if fits && leaves_last {
                sheet.words((x, self.bottom + 17.0), "middle", SOFT, &[], label);
                free = x + half(i) + 3.0;
            }
        }
        let middle = f64::midpoint(self.left, self.right);
        let scale = if axis.is_log() { " (logarithmic)" } else { "" };
        sheet.words((middle, self.bottom + 34.0), "middle", SOFT, &[], &format!("{name}{scale}"));
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
