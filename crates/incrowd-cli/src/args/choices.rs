//! Values that are chosen by name: the list comes from the library, so that a new method shows up here by itself.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use incrowd::choice::Choice;

/// Parses a choice by its name; help and completions list all of them.
pub(crate) fn choice<C: Choice>() -> impl TypedValueParser<Value = C> {
    let possible = |choice: C| PossibleValue::new(choice.name()).help(choice.summary());
    PossibleValuesParser::new(C::all().into_iter().map(possible))
        .try_map(|name| C::named(&name).map_err(|error| error.what))
}
