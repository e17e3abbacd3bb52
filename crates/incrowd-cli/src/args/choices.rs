//! Parser for values that are chosen by name. The list comes from the library, so a new method needs no change here.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use incrowd::choice::Choice;

/// Returns a parser for the names of a choice. Help and completions list all names.
pub(crate) fn choice<C: Choice>() -> impl TypedValueParser<Value = C> {
    // Like clap's own help texts, without the last full stop.
    let possible = |choice: C| PossibleValue::new(choice.name()).help(choice.summary().trim_end_matches('.'));
    PossibleValuesParser::new(C::all().into_iter().map(possible))
        .try_map(|name| C::named(&name).map_err(|error| error.what))
}
