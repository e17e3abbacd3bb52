//! The `incrowd` program.
fn main() {}
