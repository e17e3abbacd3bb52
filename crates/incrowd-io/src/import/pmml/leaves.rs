//! The predictions of nodes, and their counts.

use super::{Element, Reader, attributes_only, named, refuse};
use incrowd_core::model::{Class, Leaf};
use incrowd_core::{Error, Result};
use std::collections::HashMap;

/// How far the shares of a leaf may miss 1 by rounding.
const ROUNDED: f64 = 1e-4;

/// The class values by name; scores that the field's declaration leaves out are added to it.
pub(super) fn labels(root: Element<'_, '_>, class: &mut Class) -> HashMap<String, u32> {
    let mut labels: HashMap<String, u32> = class.values.iter().cloned().zip(0..).collect();
    for node in root.descendants().filter(|element| element.tag_name().name() == "Node") {
        if let Some(score) = node.attribute("score")
            && !labels.contains_key(score)
        {
            labels.insert(score.to_owned(), class.values.len() as u32);
            class.values.push(score.to_owned());
        }
    }
    labels
}

/// Whether the leaves' distributions are populations: whole numbers, and not all of them shares that add up to one.
pub(super) fn are_counted(root: Element<'_, '_>) -> bool {
    let mut all_shares = true;
    for node in root.descendants().filter(|element| element.tag_name().name() == "Node") {
        if named(node, "Node").next().is_some() {
            continue;
        }
        let mut sum = 0.0;
        for share in named(node, "ScoreDistribution") {
            let Some(number) = record_count(share) else { return false };
            if number.fract() != 0.0 || !(0.0..9e15).contains(&number) {
                return false;
            }
            sum += number;
        }
        all_shares &= sum <= 1.0 + ROUNDED;
    }
    !all_shares
}

/// The shares of the class values at a node, from its distribution.
pub(super) fn shares(
    element: Element<'_, '_>,
    labels: &HashMap<String, u32>,
    classes: usize,
) -> Result<Vec<f64>> {
    let mut counts = vec![None; classes];
    for share in named(element, "ScoreDistribution") {
        attributes_only(share, &["value", "recordCount"])?;
        let label = share.attribute("value").and_then(|value| labels.get(value)).copied();
        let label = label.ok_or_else(|| Error::input("a node counts a class value that is not listed"))?;
        let count = record_count(share).filter(|count| (0.0..9e15).contains(count));
        let count = count.ok_or_else(|| Error::input("a node does not count a class value"))?;
        if counts[label as usize].replace(count).is_some() {
            return Err(Error::input("a node counts a class value twice"));
        }
    }
    let counts: Vec<f64> = counts.into_iter().map(|count| count.unwrap_or(0.0)).collect();
    let sum: f64 = counts.iter().sum();
    if sum <= 0.0 {
        return Err(refuse("a node of an average that counts no class value"));
    }
    Ok(counts.into_iter().map(|count| count / sum).collect())
}

/// A vote for the label of a node.
pub(super) fn vote(
    element: Element<'_, '_>,
    labels: &HashMap<String, u32>,
    classes: usize,
) -> Result<Vec<f64>> {
    let label = element.attribute("score").and_then(|score| labels.get(score));
    let label = *label.ok_or_else(|| refuse("a node that predicts and has no listed score"))?;
    Ok((0..classes).map(|class| f64::from(u8::from(class == label as usize))).collect())
}

fn record_count(share: Element<'_, '_>) -> Option<f64> {
    share.attribute("recordCount").and_then(|number| number.trim().parse().ok())
}

impl Reader<'_> {
    /// The leaf that predicts what a node does; with `empty` one that the file does not count individuals in.
    pub(super) fn leaf(&self, element: Element<'_, '_>, empty: bool) -> Result<Leaf> {
        let mut counts: Vec<u64> = vec![0; self.class.values.len()];
        let mut seen = vec![false; counts.len()];
        let mut has_shares = false;
        for share in named(element, "ScoreDistribution") {
            attributes_only(share, &["value", "recordCount", "confidence", "probability"])?;
            let label = share.attribute("value").and_then(|value| self.labels.get(value)).copied();
            let label =
                label.ok_or_else(|| Error::input("a node counts a class value that is not listed"))?;
            if std::mem::replace(&mut seen[label as usize], true) {
                return Err(Error::input("a node counts a class value twice"));
            }
            let number = record_count(share).unwrap_or(f64::NAN);
            has_shares |= !number.is_nan();
            counts[label as usize] = number as u64;
        }
        // The standard would take the largest share; JPMML, which is the reference, refuses such a node.
        let score = element.attribute("score").and_then(|score| self.labels.get(score));
        let score = *score.ok_or_else(|| refuse("a node that predicts and has no score"))?;
        let told = (self.counted && has_shares).then(|| if empty { vec![0; counts.len()] } else { counts });
        Ok(Leaf { label: score, told: told.into() })
    }
}
