//! Trees as pictures: [Graphviz DOT](dot()) and [SVG](svg()). Both come from one [outline](Outline), which also serves a terminal.
//!
//! Names and values are untrusted: whatever they hold, they stay text.

mod dot;
mod outline;
mod palette;
mod svg;
#[cfg(test)]
mod tests;
mod words;

pub use dot::dot;
pub use outline::{Line, Outline, Shown};
pub use svg::{MAX_ROWS, svg};
