//! Memory that is used again. What is counted for every candidate split would otherwise be allocated for each of them.

use std::cell::Cell;
use std::thread::LocalKey;

/// A list of each thread.
pub(crate) type Scratch<T> = Cell<Vec<T>>;

/// Longer lists, in bytes, are not kept: filling them takes much longer than allocating them.
const MOST: usize = 1 << 22;

/// Hands over an empty list that keeps its memory until the next time. If `work` asks for the same one, it gets
/// another.
pub(crate) fn with_scratch<T, R>(
    scratch: &'static LocalKey<Scratch<T>>,
    work: impl FnOnce(&mut Vec<T>) -> R,
) -> R {
    let mut list = scratch.take();
    list.clear();
    let result = work(&mut list);
    if list.capacity() * size_of::<T>() <= MOST {
        scratch.set(list);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static NUMBERS: Scratch<u64> = const { Cell::new(Vec::new()) };
    }

    #[test]
    fn lists_are_empty_and_keep_their_memory_unless_they_are_long() {
        let room = with_scratch(&NUMBERS, |list| {
            list.extend(0..100);
            with_scratch(&NUMBERS, |inner| assert_eq!(*inner, []));
            list.capacity()
        });
        with_scratch(&NUMBERS, |list| {
            assert_eq!((list.len(), list.capacity()), (0, room));
            list.reserve(MOST);
        });
        with_scratch(&NUMBERS, |list| assert_eq!(list.capacity(), 0));
    }
}
