//! Finds the few bytes that structure delimited text, 64 bytes at a time.

/// The number of bytes that are examined together.
pub(super) const CHUNK: usize = 64;

/// Up to four bytes to look for (fewer are repeated).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks(pub(super) [u8; 4]);

impl Marks {
    /// One bit a byte: whether it is one of the marks, the first byte in the lowest bit.
    ///
    /// Eight bytes are compared at a time in a plain register: a byte that equals the mark becomes zero, and only a
    /// zero byte keeps its high bit clear through the addition.
    #[inline]
    pub(super) fn hits(self, chunk: &[u8; CHUNK]) -> u64 {
        const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        // Moves the lowest bit of each byte into the highest byte.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        let marks = self.0.map(|mark| u64::from_ne_bytes([mark; 8]));
        let mut hits = 0;
        for (i, part) in chunk.chunks_exact(8).enumerate() {
            let word = word(part);
            let none = marks.iter().fold(u64::MAX, |none, mark| {
                let apart = word ^ mark;
                none & (((apart & LOW) + LOW) | apart)
            });
            hits |= (((!none & !LOW) >> 7).wrapping_mul(GATHER) >> 56) << (8 * i);
        }
        hits
    }
}

/// Eight bytes as a number, the first lowest; fewer are none.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn hits_are_the_marks(bytes in prop::collection::vec(0_u8..8, CHUNK), marks: [u8; 4]) {
            let chunk: &[u8; CHUNK] = bytes.first_chunk().unwrap();
            let marks = Marks(marks.map(|mark| mark % 10));
            let slow = bytes.iter().enumerate().fold(0, |all, (i, byte)| {
                all | (u64::from(marks.0.contains(byte)) << i)
            });
            prop_assert_eq!(marks.hits(chunk), slow);
        }

        #[test]
        fn hits_are_exact_on_all_bytes(bytes in prop::collection::vec(any::<u8>(), CHUNK), mark: u8) {
            let chunk: &[u8; CHUNK] = bytes.first_chunk().unwrap();
            let marks = Marks([mark, bytes[0], bytes[1] ^ 1, bytes[2] ^ 0x80]);
            let slow = bytes.iter().enumerate().fold(0, |all, (i, byte)| {
                all | (u64::from(marks.0.contains(byte)) << i)
            });
            prop_assert_eq!(marks.hits(chunk), slow);
        }
    }
}
