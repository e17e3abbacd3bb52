//! Codes that lose their last characters level by level.

use super::spec::Prefix;
use super::tree::Grower;
use crate::error::Result;
use crate::table::Values;

/// Grows 12345 → 1234\* → 123\*\* → … → the mask alone; returns the leaf of each code.
pub(super) fn grow(rule: Prefix, values: &Values) -> Result<(Grower, Vec<u32>)> {
    let texts: Vec<String> = (0..values.len()).map(|code| values.text(code).into_owned()).collect();
    let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let root = rule.mask.to_string();
    let mut grower = Grower::with_root(&root);
    let leaves = texts
        .iter()
        .map(|text| padded(text, rule.pad, longest))
        .map(|text| {
            let groups = masked(&text, rule).chain([root.clone()]);
            grower.add_value(&text, groups)
        })
        .collect::<Result<_>>()?;
    Ok((grower, leaves))
}

fn padded(text: &str, pad: Option<char>, longest: usize) -> String {
    let missing = pad.map_or(0, |_| longest - text.chars().count());
    pad.into_iter().cycle().take(missing).chain(text.chars()).collect()
}

/// The text with more and more of its end masked, as long as one character stays.
fn masked(text: &str, rule: Prefix) -> impl Iterator<Item = String> {
    let length = text.chars().count();
    let step = rule.step as usize;
    (1..).map(move |level| level * step).take_while(move |hidden| *hidden < length).map(move |hidden| {
        let shown = text.chars().take(length - hidden);
        shown.chain(std::iter::repeat_n(rule.mask, hidden)).collect()
    })
}
