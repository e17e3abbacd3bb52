//! The profile of baskets.

use super::draft::initial_k;
use incrowd_core::profile::speaks_of_private;
use incrowd_io::BasketCounts;
use incrowd_io::policy::PolicyDraft;
use serde::Serialize;

/// The maximum number of frequent items in the list.
const LISTED: usize = 10;

/// The items of baskets, and a first policy for them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BasketProfile {
    /// The number of baskets.
    pub baskets: u64,
    /// The number of items.
    pub items: u64,
    /// The number of items in fewer than `few` baskets.
    pub rare_items: u64,
    /// The number of baskets below which an item is rare.
    pub few: u64,
    /// The items whose names suggest health, money or law.
    pub private_items: Vec<String>,
    /// The most frequent items, and the number of baskets with each.
    pub frequent: Vec<(String, u64)>,
    /// The first policy.
    #[serde(skip)]
    pub policy: PolicyDraft,
}

impl BasketProfile {
    pub(super) fn new(counts: BasketCounts, few: u64) -> Self {
        let private = counts.items.iter().filter(|(item, _)| speaks_of_private(item));
        let private_items: Vec<String> = private.map(|(item, _)| item.clone()).collect();
        let rare_items = counts.items.iter().filter(|(_, baskets)| *baskets < few).count() as u64;
        let items = counts.items.len() as u64;
        let mut frequent = counts.items;
        frequent.sort_by_key(|(_, baskets)| std::cmp::Reverse(*baskets));
        frequent.truncate(LISTED);
        let policy = draft(private_items.clone());
        Self { baskets: counts.baskets, items, rare_items, few, private_items, frequent, policy }
    }
}

fn draft(private_items: Vec<String>) -> PolicyDraft {
    let mut draft = PolicyDraft::new(
        "A first policy for baskets. List the items that an attacker cannot see as private: only the owner knows them.",
    );
    draft.private_items = Some(private_items);
    draft.k = Some(initial_k());
    draft
}
