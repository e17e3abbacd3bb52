//! A queue of sets.

/// Sets to look at, each once at a time.
#[derive(Default)]
pub(super) struct Waiting {
    queue: std::collections::VecDeque<u32>,
    queued: hashbrown::HashSet<u32>,
    /// All that ever waited, by first time.
    pub(super) all: Vec<u32>,
    seen: hashbrown::HashSet<u32>,
}

impl Waiting {
    pub(super) fn push(&mut self, set: u32) {
        if self.queued.insert(set) {
            self.queue.push_back(set);
        }
        if self.seen.insert(set) {
            self.all.push(set);
        }
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        let set = self.queue.pop_front()?;
        self.queued.remove(&set);
        Some(set)
    }
}
