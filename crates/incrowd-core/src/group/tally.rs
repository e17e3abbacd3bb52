//! A table of keys in one partition, each with a number.

/// Keys that share their leading bits, each with a number above zero.
///
/// Open addressing by the bits after the shared ones, at most half full. Keys must have been [spread](spread) before.
pub(super) struct Tally {
    slots: Vec<Slot>,
    shared: u32,
    bits: u32,
    used: usize,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    number: u64,
}

impl Tally {
    /// An empty table for keys whose first `shared` bits are equal.
    pub(super) fn new(shared: u32) -> Self {
        Self { slots: Vec::new(), shared, bits: 0, used: 0 }
    }

    /// Forgets all keys and makes room for about `expected` different ones.
    pub(super) fn clear(&mut self, expected: usize) {
        self.resize((expected.max(8) * 2).next_power_of_two().trailing_zeros());
    }

    fn resize(&mut self, bits: u32) {
        self.bits = bits;
        self.used = 0;
        self.slots.clear();
        self.slots.resize(1 << bits, Slot::default());
    }

    /// The number of different keys.
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// The number of a key; zero if it is new, and then the caller must set it to something else.
    pub(super) fn number(&mut self, key: u64) -> &mut u64 {
        if self.used * 2 >= self.slots.len() {
            self.grow();
        }
        let place = self.place(key);
        let slot = &mut self.slots[place];
        if slot.number == 0 {
            slot.key = key;
            self.used += 1;
        }
        &mut slot.number
    }

    /// The numbers of all keys, in an order that depends on the keys alone.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        self.slots.iter().map(|slot| slot.number).filter(|&number| number != 0)
    }

    fn place(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = ((key << self.shared) >> (u64::BITS - self.bits)) as usize & mask;
        while self.slots[place].number != 0 && self.slots[place].key != key {
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        self.resize(self.bits + 2);
        for slot in old.into_iter().filter(|slot| slot.number != 0) {
            *self.number(slot.key) = slot.number;
        }
    }
}

/// Spreads keys over all 64 bits. A bijection (each step can be undone), so different keys stay different.
pub(super) fn spread(key: u64) -> u64 {
    let key = (key ^ (key >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (key ^ (key >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
