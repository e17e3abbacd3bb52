//! Colours for class values, told apart by colour-blind people too (Okabe and Ito 2008), without its yellow, which white swallows.

/// The colours of the first class values.
const COLOURS: [&str; 7] = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#7f6000"];

/// The colour of all others.
pub(super) const REST: &str = "#9a9a9a";

/// The colour of a class value.
pub(super) fn colour(class: usize) -> &'static str {
    COLOURS.get(class).copied().unwrap_or(REST)
}

/// The colour of one of many things; colours come again after the last.
pub(super) fn cycled(thing: usize) -> &'static str {
    COLOURS[thing % COLOURS.len()]
}

/// Whether a thing comes in the second round of colours, and must be told from the first by something else.
pub(super) fn is_hollow(thing: usize) -> bool {
    thing / COLOURS.len() % 2 == 1
}

/// How many class values have a colour of their own.
pub(super) const OWN: usize = COLOURS.len();
