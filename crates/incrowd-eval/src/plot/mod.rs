//! Plots as SVG, for embedding in a page.
//!
//! Everything is encoded twice: by colour (Okabe and Ito's, which colour-blind people can distinguish) and by marker,
//! dash or label. Text and lines take their colours from CSS variables of the page, with defaults for white paper, so
//! plots are readable on light and dark pages. Each plot has a title and a description for screen readers. Equal plots
//! give equal text.

mod axis;
mod bars;
mod differences;
mod lines;
mod sheet;
mod spread;
mod style;
#[cfg(test)]
mod tests;

pub use axis::AxisUnit;
pub use bars::{Bar, Bars};
pub use differences::Differences;
pub use lines::{Baseline, Line, Lines, PlotPoint};
pub use spread::{MethodCrowds, Spread};

pub(crate) use style::swatch;
