//! Colours for class values that colour-blind people can distinguish (Okabe and Ito 2008), without yellow, which is
//! hard to see on white.

/// The colours of the first class values.
const COLOURS: [&str; 7] = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#7f6000"];

/// The colour of all others.
pub(super) const REST: &str = "#9a9a9a";

/// The colour of a class value.
pub(super) fn colour(class: usize) -> &'static str {
    COLOURS.get(class).copied().unwrap_or(REST)
}

/// The colour of the i-th item. Colours repeat after the last.
pub(super) fn cycled(thing: usize) -> &'static str {
    COLOURS[thing % COLOURS.len()]
}

/// Whether the colour of an item is a repetition, so that it needs another mark.
pub(super) fn is_hollow(thing: usize) -> bool {
    thing / COLOURS.len() % 2 == 1
}

/// The number of class values with a separate colour.
pub(super) const OWN: usize = COLOURS.len();
