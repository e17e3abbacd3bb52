//! Every key a policy may have, by section.

/// The keys outside any section.
pub const POLICY: &[&str] = &[
    "version",
    "class",
    "subject",
    "unlisted",
    "sets",
    "undeclared-dependencies",
    "file",
    "attributes",
    "items",
    "dependencies",
    "guarantee",
    "dossier",
];

/// The keys of `[file]`.
pub const FILE: &[&str] = &[
    "format",
    "encoding",
    "sheet",
    "delimiter",
    "header",
    "names",
    "quote",
    "comment",
    "trailing-dot",
    "skip-lines",
    "decimal",
    "missing",
    "spelling",
    "missing-rows",
    "max-rows-left-out",
];

/// The keys of `[attributes.NAME]`.
pub const ATTRIBUTE: &[&str] = &[
    "role",
    "kind",
    "order",
    "values",
    "range",
    "whole",
    "dates",
    "decimal",
    "missing",
    "spelling",
    "missing-rows",
    "taxonomy",
    "weight",
    "harmless",
    "undecided",
];

/// The keys of `[items]`.
pub const ITEMS: &[&str] = &["default", "public", "private", "ignored", "delimiter", "skip-lines"];

/// The rules for making a taxonomy.
pub const TAXONOMY: &[&str] = &["intervals", "quantiles", "round", "prefix", "calendar", "flat"];

/// The keys of `taxonomy.intervals`.
pub const INTERVALS: &[&str] = &["width", "origin", "factor"];

/// The keys of `taxonomy.quantiles`.
pub const QUANTILES: &[&str] = &["count", "factor"];

/// The keys of `taxonomy.prefix`.
pub const PREFIX: &[&str] = &["step", "mask", "pad"];

/// The keys of each `[[dependencies]]`.
pub const DEPENDENCY: &[&str] = &["from", "to"];

/// The keys of `[guarantee]`.
pub const GUARANTEE: &[&str] = &[
    "k",
    "single-bin",
    "several-rows",
    "distinct-l",
    "entropy-l",
    "recursive",
    "confidence",
    "t-closeness",
    "t-distance",
    "alpha",
    "beta",
    "smallest-bin",
    "preset",
    "of",
    "except",
];

/// The keys of `guarantee.recursive`.
pub const RECURSIVE: &[&str] = &["c", "l"];

/// The keys of `[dossier]`.
pub const DOSSIER: &[&str] = &[
    "title",
    "purpose",
    "recipient",
    "controller",
    "contact",
    "legal-basis",
    "reference",
    "approved-by",
    "date",
    "notes",
    "public-statement",
];

/// The keys whose value is a number.
pub(super) const NUMBERS: &[&str] = &[
    "version",
    "k",
    "distinct-l",
    "entropy-l",
    "confidence",
    "t-closeness",
    "alpha",
    "beta",
    "smallest-bin",
    "c",
    "l",
    "skip-lines",
    "max-rows-left-out",
    "weight",
];

/// All sections by their headings in the documentation, with their keys.
pub const SECTIONS: &[(&str, &[&str])] = &[
    ("The policy", POLICY),
    ("`[file]`", FILE),
    ("`[attributes.NAME]`", ATTRIBUTE),
    ("`[items]`", ITEMS),
    ("`taxonomy`", TAXONOMY),
    ("`taxonomy.intervals`", INTERVALS),
    ("`taxonomy.quantiles`", QUANTILES),
    ("`taxonomy.prefix`", PREFIX),
    ("`[[dependencies]]`", DEPENDENCY),
    ("`[guarantee]`", GUARANTEE),
    ("`guarantee.recursive`", RECURSIVE),
    ("`[dossier]`", DOSSIER),
];
