//! Items that declared dependencies tie together.

use super::Knowledge;

/// Which private items are possible, for kinds of individuals who can be distinguished by it.
#[derive(Debug, Clone, Default)]
pub struct Ties {
    /// An item for each kind that marks its individuals; none if there is one kind.
    pub kinds: Vec<u32>,
    /// What is possible, by parts that vary independently of each other.
    pub parts: Vec<TiedItems>,
}

/// Items whose possible combinations are listed.
#[derive(Debug, Clone)]
pub struct TiedItems {
    /// The items.
    pub items: Vec<u32>,
    /// For each kind of individuals all that they can have of them.
    pub possible: Vec<Vec<Vec<u32>>>,
}

impl TiedItems {
    /// Whether individuals of a kind can have some items and lack others; what is not stated about the tied items is
    /// open.
    pub fn allows(&self, kind: usize, present: &[u32], absent: &[u32]) -> bool {
        let is_own = |item: &&u32| self.items.contains(item);
        self.possible[kind].iter().any(|set| {
            present.iter().filter(is_own).all(|item| set.contains(item))
                && !absent.iter().filter(is_own).any(|item| set.contains(item))
        })
    }
}

impl Ties {
    /// Whether any individual can have some items and lack others, if the items of kinds are among them.
    fn allow(&self, present: &[u32], absent: &[u32]) -> bool {
        let kind = self.kinds.iter().position(|item| present.contains(item)).unwrap_or(0);
        self.parts.iter().all(|part| part.allows(kind, present, absent))
    }
}

impl Knowledge {
    /// Restricts the worlds that [`Knowledge::exact`] considers to those in which every individual has only items that
    /// are possible for them. Deductions from ranges remain true, but may be incomplete.
    pub fn tie(&mut self, ties: Ties) {
        self.ties = Some(ties);
    }

    /// Whether declared dependencies allow an individual to have exactly these of some items.
    pub(super) fn is_allowed(&self, items: &[u32], basket: usize) -> bool {
        let Some(ties) = &self.ties else { return true };
        let side = |has: usize| -> Vec<u32> {
            (0..items.len()).filter(|place| basket >> place & 1 == has).map(|place| items[place]).collect()
        };
        ties.allow(&side(1), &side(0))
    }

    /// Some items with those of all kinds, where some are tied.
    pub(super) fn tied(&self, mut items: Vec<u32>) -> Option<Vec<u32>> {
        items.extend(&self.ties.as_ref()?.kinds);
        items.sort_unstable();
        Some(items)
    }
}
