//! Guarantees.

/// What must hold for every span.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Guarantee {}
