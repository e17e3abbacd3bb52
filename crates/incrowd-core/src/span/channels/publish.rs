//! Publishing the supports of sets, and taking them back.

use super::waiting::Waiting;
use super::{Knowledge, KnownSupport, MOST, MOST_ITEMS, Mark, Range};
use crate::error::{Error, Result};

impl Knowledge {
    /// Publishes the support of a set of items, ascending; `support` is called for its public subsets. Returns the sets
    /// about which something new is known, for [`Knowledge::cells_of`].
    ///
    /// # Errors
    /// When the set has more than [`MOST_ITEMS`] items.
    pub fn publish(&mut self, items: &[u32], support: &dyn Fn(&[u32]) -> u64) -> Result<Vec<u32>> {
        if items.len() > MOST_ITEMS {
            return Err(Error::limit(format!(
                "a rule has {} items; what sets of more than {MOST_ITEMS} items reveal cannot be computed",
                items.len()
            ))
            .help("release shorter rules, or omit the smallest bin"));
        }
        let mut waiting = Waiting::default();
        if self.has_published(items) {
            return Ok(Vec::new());
        }
        let set = self.add(items, support, &mut waiting);
        let exact = support(items).min(MOST) as i64;
        self.narrow(set, Range { low: exact, high: exact }, &mut waiting);
        self.list(set);
        for subset in self.sets[set as usize].subsets.clone() {
            let known = subset == set || !self.sets[subset as usize].private;
            if known {
                self.join(subset, support, &mut waiting);
            }
        }
        Ok(self.deduce(waiting))
    }

    /// Whether the support of a set was published.
    pub fn has_published(&self, items: &[u32]) -> bool {
        self.number.get(items).is_some_and(|&set| self.sets[set as usize].published)
    }

    /// Lists a set among those published, once.
    fn list(&mut self, set: u32) {
        let items = &self.sets[set as usize].items;
        if items.is_empty() || self.sets[set as usize].published {
            return;
        }
        for &item in items {
            self.published_with.entry(item).or_default().push(set);
        }
        if self.sets[set as usize].private {
            self.near_by_private_sets.add(items);
        } else {
            self.near_by_public_sets.add(items);
        }
        self.sets[set as usize].published = true;
        self.published.push(set);
    }

    /// Adds the unions of a set that is known with the others it must overlap with.
    fn join(&mut self, set: u32, support: &dyn Fn(&[u32]) -> u64, waiting: &mut Waiting) {
        let items = self.sets[set as usize].items.clone();
        for (place, &item) in items.iter().enumerate() {
            let rest = [&items[..place], &items[place + 1..]].concat();
            let partners = self.joins.entry(rest.clone()).or_default();
            if partners.contains(&item) {
                return;
            }
            let others = partners.clone();
            partners.push(item);
            self.joined.push((rest.clone(), item));
            // What is left of the rest changes even if the support of the set had been deduced before.
            waiting.push(set);
            if others.is_empty() || items.len() >= MOST_ITEMS {
                continue;
            }
            let others: Vec<u32> =
                others.into_iter().filter(|&other| self.is_private(&items, other)).collect();
            if others.is_empty() {
                continue;
            }
            let (whole, own) = (support(&rest), support(&items));
            for other in others {
                let partner = with(&rest, other);
                if self.exclude(item, other) || own + support(&partner) > whole {
                    self.add(&with(&items, other), support, waiting);
                }
            }
        }
    }

    fn is_private(&self, items: &[u32], other: u32) -> bool {
        items.iter().chain([&other]).any(|&item| !self.facts[item as usize].public)
    }

    /// Takes back everything published since a mark.
    pub fn undo(&mut self, mark: Mark) {
        while let Some((set, range)) = (self.trail.len() > mark.trail).then(|| self.trail.pop()).flatten() {
            self.sets[set as usize].range = range;
        }
        for set in self.published.drain(mark.published..).rev() {
            self.sets[set as usize].published = false;
            if self.sets[set as usize].private {
                self.near_by_private_sets.remove(&self.sets[set as usize].items);
            } else {
                self.near_by_public_sets.remove(&self.sets[set as usize].items);
            }
            for item in &self.sets[set as usize].items {
                // The newest set is last in every list that contains it.
                if let Some(sets) = self.published_with.get_mut(item) {
                    sets.pop();
                    if sets.is_empty() {
                        self.published_with.remove(item);
                    }
                }
            }
        }
        for sides in self.owned.drain(mark.owned..) {
            self.own.remove(&sides);
        }
        self.contradicts = mark.contradicts;
        for (rest, item) in self.joined.drain(mark.joined..) {
            self.joins.entry(rest).or_default().retain(|&other| other != item);
        }
        while self.sets.len() > mark.sets {
            let Some(set) = self.sets.pop() else { return };
            self.number.remove(&set.items);
            // The newest set is last in every list that contains it, and its last subset is itself.
            for &subset in set.subsets.iter().rev().skip(1) {
                self.sets[subset as usize].above.pop();
            }
        }
    }

    /// The number of a set, made with all its subsets if it is new.
    fn add(&mut self, items: &[u32], support: &dyn Fn(&[u32]) -> u64, waiting: &mut Waiting) -> u32 {
        if let Some(&known) = self.number.get(items) {
            return known;
        }
        let full = (1_usize << items.len()) - 1;
        let pick = |mask: usize| -> Vec<u32> {
            items.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, &item)| item).collect()
        };
        let mut subsets: Vec<u32> = (0..full).map(|mask| self.add(&pick(mask), support, waiting)).collect();
        let number = self.sets.len() as u32;
        subsets.push(number);
        subsets.iter().filter(|&&subset| subset != number).for_each(|&subset| {
            self.sets[subset as usize].above.push(number);
        });
        let private = self.is_private(&items[1..], items[0]);
        let range = if self.is_empty(items) {
            Range { low: 0, high: 0 }
        } else if private {
            Range { low: 0, high: self.individuals }
        } else {
            let exact = support(items).min(MOST) as i64;
            Range { low: exact, high: exact }
        };
        self.sets.push(KnownSupport {
            items: items.to_vec(),
            range,
            subsets,
            above: vec![number],
            private,
            published: false,
        });
        self.number.insert(items.to_vec(), number);
        waiting.push(number);
        number
    }
}

/// A set with one item more.
pub(super) fn with(items: &[u32], item: u32) -> Vec<u32> {
    let place = items.partition_point(|&other| other < item);
    [&items[..place], &[item], &items[place..]].concat()
}
