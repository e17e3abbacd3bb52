//! `incrowd profile` of baskets: counts items, and writes a first policy with `[items]`.

use crate::Outcome;
use crate::args::{Common, Profile as Arguments};
use crate::console::Console;
use crate::progress::Bar;
use crate::text;
use incrowd::Result;
use incrowd::io::policy::PolicyDraft;
use incrowd::io::write::write_new;
use incrowd::io::{BasketCounts, count_baskets};
use incrowd::profile::speaks_of_private;
use serde::Serialize;
use std::time::Instant;

/// The document of `--json`.
#[derive(Serialize)]
pub(crate) struct Document {
    pub(crate) baskets: u64,
    pub(crate) items: u64,
    /// The number of items in fewer than `few` baskets.
    pub(crate) rare_items: u64,
    /// The number of baskets below which an item is rare.
    pub(crate) few: u64,
    /// The items whose names suggest health, money or law.
    pub(crate) private_items: Vec<String>,
    /// The most frequent items, and the number of baskets with each.
    pub(crate) frequent: Vec<(String, u64)>,
    seconds: f64,
}

/// The maximum number of frequent items in the list.
const LISTED: usize = 10;

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    let counts = count_baskets(&arguments.file, &Bar::new(common.quiet))?;
    let mut document = document(counts, arguments.few);
    if let Some(out) = &arguments.out {
        let text = draft(&document).render();
        write_new(out, common.force, |file| file.write_all(text.as_bytes()))?;
    }
    document.seconds = start.elapsed().as_secs_f64();
    console.result(&document, || text::profile_baskets::render(&document))?;
    if let Some(out) = &arguments.out {
        console.note(&format!("first policy written to {}: list the private items in it", out.display()));
    }
    Ok(Outcome::Done)
}

fn document(counts: BasketCounts, few: u64) -> Document {
    let private = counts.items.iter().filter(|(item, _)| speaks_of_private(item));
    let private_items = private.map(|(item, _)| item.clone()).collect();
    let rare_items = counts.items.iter().filter(|(_, baskets)| *baskets < few).count() as u64;
    let items = counts.items.len() as u64;
    let mut frequent = counts.items;
    frequent.sort_by_key(|(_, baskets)| std::cmp::Reverse(*baskets));
    frequent.truncate(LISTED);
    Document { baskets: counts.baskets, items, rare_items, few, private_items, frequent, seconds: 0.0 }
}

fn draft(document: &Document) -> PolicyDraft {
    PolicyDraft {
        comment: "A first policy for baskets. List the items that an attacker cannot see as private: only the owner knows them."
            .to_owned(),
        private_items: Some(document.private_items.clone()),
        k: Some((10, "the minimum number of individuals in every group; 10 is a common choice".to_owned())),
        ..PolicyDraft::default()
    }
}
