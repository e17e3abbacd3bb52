//! Reports for the terminal.

pub(crate) mod audit;
pub(crate) mod boosted;
mod claim;
pub(crate) mod clusters;
pub(crate) mod compared;
pub(crate) mod data;
pub(crate) mod demo;
mod demo_clusters;
pub(crate) mod dossier;
pub(crate) mod ensemble;
mod grid;
pub(crate) mod ledger;
pub(crate) mod made;
pub(crate) mod mined;
pub(crate) mod policy;
pub(crate) mod predict;
pub(crate) mod profile;
mod profile_baskets;
pub(crate) mod risk;
pub(crate) mod rules;
pub(crate) mod table;
pub(crate) mod together;
pub(crate) mod transform;
pub(crate) mod tree;

pub(crate) use grid::Grid;
pub(crate) use incrowd::show::{between, bounds, count, counted, percent};

/// Draws a bar of at most `width` blocks for a share of the largest value.
pub(crate) fn bar(share: f64, width: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    let mut text = "█".repeat(eighths / 8);
    if let Some(part) = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].get(eighths % 8) {
        text.push_str(part);
    }
    if text.is_empty() && share > 0.0 { "▏".to_owned() } else { text }
}

/// Replaces control characters, so that a name from a file cannot control the terminal.
pub(crate) fn clean(name: &str) -> String {
    name.chars().map(|character| if character.is_control() { '\u{fffd}' } else { character }).collect()
}
