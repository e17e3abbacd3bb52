//! Divides elements into classes by one set after the other, and numbers the classes at the end.

use crate::bits::Bits;

/// Things divided into classes.
pub(super) struct Classes {
    of: Vec<u32>,
    sizes: Vec<u32>,
}

impl Classes {
    /// All in one class.
    pub(super) fn new(things: usize) -> Self {
        Self { of: vec![0; things], sizes: vec![things as u32] }
    }

    /// Divides every class into those in the set and the others. Takes time linear in the set.
    pub(super) fn split(&mut self, set: &Bits) {
        let mut inside = vec![0_u32; self.sizes.len()];
        set.iter().for_each(|thing| inside[self.of[thing] as usize] += 1);
        let mut new = vec![u32::MAX; inside.len()];
        for thing in set.iter() {
            let class = self.of[thing] as usize;
            if inside[class] == self.sizes[class] {
                continue;
            }
            if new[class] == u32::MAX {
                new[class] = self.sizes.len() as u32;
                self.sizes.push(inside[class]);
            }
            self.of[thing] = new[class];
        }
        for (class, &into) in new.iter().enumerate().filter(|(_, into)| **into != u32::MAX) {
            self.sizes[class] -= self.sizes[into as usize];
        }
    }

    /// The class of each thing, numbered in order of first appearance, and the first thing of each class.
    pub(super) fn numbered(self) -> (Vec<u32>, Vec<usize>) {
        let mut number = vec![u32::MAX; self.sizes.len()];
        let mut first = Vec::new();
        let of = self.of.iter().enumerate().map(|(thing, &class)| {
            let slot = &mut number[class as usize];
            if *slot == u32::MAX {
                *slot = first.len() as u32;
                first.push(thing);
            }
            *slot
        });
        (of.collect(), first)
    }
}
