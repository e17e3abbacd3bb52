//! Private attributes for which not everything that a release reveals is known.

use crate::error::{Error, Result};
use crate::guarantee::Guarantee;
use crate::span::{Judgement, Linking, Sensitive};
use hashbrown::HashSet;

/// Fails if a requirement looks at the values of such an attribute.
pub(super) fn refuse_unjudged(
    sensitive: &[Sensitive],
    guarantee: &Guarantee,
    in_scope: &[bool],
) -> Result<()> {
    let Some(requirement) = guarantee.requirements().iter().find(|r| r.looks_at_values()) else {
        return Ok(());
    };
    let mut asked = sensitive.iter().zip(in_scope).filter(|(_, asked)| **asked).map(|(one, _)| one);
    let Some(one) = asked.find(|sensitive| sensitive.judged != Judgement::Fully) else { return Ok(()) };
    let error = match one.judged {
        Judgement::Nothing => Error::limit(format!(
            "the trees split the values of this attribute in too many ways for `{requirement}` to be checked"
        ))
        .help("make a smaller ensemble, generalize the attribute, or require this of other attributes only"),
        Judgement::Absent => Error::input(format!(
            "the table does not contain this attribute, but a declared dependency ties it to columns that it contains, \
             so `{requirement}` cannot be checked"
        ))
        .help("keep the column, leave out the private columns it is tied to, or require this of other attributes only"),
        _ => Error::input(format!(
            "a declared dependency names this attribute, or another one that the trees test, so `{requirement}` cannot be \
             judged in an ensemble"
        ))
        .help("require this of other attributes only (`of`), or leave the attribute out of the model"),
    };
    Err(error.of_attribute(&one.name))
}

/// Fails if a smallest bin is required and relations may have divided spans further than their bins do: a small cell of
/// the undivided span is then not looked at. Spans of different bins are certainly divided rightly.
pub(super) fn refuse_divided(linking: &Linking<'_>, guarantee: &Guarantee) -> Result<()> {
    let Some(bins) = linking.bins.as_ref().filter(|bins| bins.divided) else { return Ok(()) };
    let mut seen = HashSet::new();
    if guarantee.asked_smallest_bin().is_none_or(|n| n <= 1) || bins.reach.iter().all(|own| seen.insert(own))
    {
        return Ok(());
    }
    Err(Error::input(
        "declared dependencies tie private attributes of this ensemble, so it is unknown which individuals have the same \
         bins, and a smallest bin cannot be checked",
    )
    .of_parameter("smallest_bin")
    .help("remove the smallest bin, leave out the attributes that the dependencies name, or release a single tree"))
}

/// Warnings about attributes that are not followed.
pub(super) fn unknown(sensitive: &[Sensitive]) -> impl Iterator<Item = String> {
    let warning = |sensitive: &Sensitive| match sensitive.judged {
        Judgement::Nothing => Some(format!(
            "the trees split the values of `{}` in too many ways to be followed, so every individual counts as exposed to it",
            sensitive.name
        )),
        Judgement::Absent => Some(format!(
            "the table does not contain `{}`, but a declared dependency ties it to columns that it contains, so every \
             individual counts as exposed to it",
            sensitive.name
        )),
        Judgement::Fully | Judgement::Exposure => None,
    };
    sensitive.iter().filter_map(warning)
}
