//! How many rare private values are printed, by attribute.

use crate::words::{count, counted};

/// A warning names at most this many attributes.
const NAMED: usize = 5;

/// The number of rare private values that a release prints, for each attribute that has some.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RareValues {
    of_attribute: Vec<(String, u64)>,
    /// Rare numbers that count as declared because the policy declares a range.
    in_range: Vec<(String, u64)>,
}

impl RareValues {
    /// Adds the values of an attribute.
    pub(super) fn add(&mut self, attribute: &str, values: u64) {
        add(&mut self.of_attribute, attribute, values);
    }

    /// Adds numbers of an attribute that count as declared because they are in its range.
    pub(super) fn add_in_range(&mut self, attribute: &str, numbers: u64) {
        add(&mut self.in_range, attribute, numbers);
    }

    /// The number of all of them.
    pub fn total(&self) -> u64 {
        self.of_attribute.iter().map(|(_, values)| values).sum()
    }

    /// A warning about `total` such values, where they break nothing. A release may state more of them than can be
    /// counted in its rows; then only the attributes are named.
    pub(crate) fn warning(&self, total: u64, required: u64) -> String {
        let each = if total == 1 { "" } else { " each" };
        let (values, required) = (counted(total, "rare private value"), counted(required, "individual"));
        format!(
            "the release shows {values} (fewer than {required}{each}){}; round or group such values; if they are not secret, \
             declare them in the policy (`range` for numbers, `values` otherwise); to forbid them, set `smallest-bin`",
            named(&self.of_attribute, self.total() == total)
        )
    }

    /// A warning about rare numbers that only a declared range allows to be printed.
    pub(crate) fn warning_of_ranges(&self, required: u64) -> Option<String> {
        let total: u64 = self.in_range.iter().map(|(_, values)| values).sum();
        let each = if total == 1 { "" } else { " each" };
        let (values, required) = (counted(total, "rare private number"), counted(required, "individual"));
        (total > 0).then(|| {
            format!(
                "the release shows {values} (fewer than {required}{each}){}; they are not counted as rare values because the \
                 policy declares a `range`, but a range does not state which numbers occur in it: round or group them",
                named(&self.in_range, true)
            )
        })
    }
}

fn add(of_attribute: &mut Vec<(String, u64)>, attribute: &str, values: u64) {
    if values == 0 {
        return;
    }
    match of_attribute.iter_mut().find(|(name, _)| name == attribute) {
        Some((_, own)) => *own += values,
        None => of_attribute.push((attribute.to_owned(), values)),
    }
}

/// The attributes, those with the most values first.
fn named(of_attribute: &[(String, u64)], is_counted: bool) -> String {
    let mut of_attribute: Vec<&(String, u64)> = of_attribute.iter().collect();
    of_attribute.sort_by_key(|(_, values)| std::cmp::Reverse(*values));
    let named = of_attribute
        .iter()
        .take(NAMED)
        .map(|(name, values)| if is_counted { format!("{name} ({})", count(*values)) } else { name.clone() });
    let named: Vec<String> = named.collect();
    let more = match of_attribute.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if named.is_empty() { String::new() } else { format!(": {}{more}", named.join(", ")) }
}
