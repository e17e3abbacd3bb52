//! Plots as SVG, to stand in a page.
//!
//! Everything is told twice: by colour (Okabe and Ito's, which colour-blind people tell apart) and by marker, dash or label. Text and lines take their colours
//! from CSS variables of the page around, with colours for white paper where there are none, so light and dark pages both read well. Each plot has a title and
//! a description for those who do not see it. The same plot is the same text.

mod axis;
mod bars;
mod differences;
mod lines;
mod sheet;
mod spread;
mod style;
#[cfg(test)]
mod tests;

pub use axis::Unit;
pub use bars::{Bar, Bars};
pub use differences::Differences;
pub use lines::{Level, Line, Lines, Place};
pub use spread::{Crowds, Spread};

pub(crate) use style::swatch;
