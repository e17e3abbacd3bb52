//! Several threads on one file: each takes the next block, parses it, and hands it in; blocks are added to the table in
//! the file's order, so the result does not depend on the number of threads.

use super::block::{Block, Layout};
use super::rules::Rules;
use super::source::BlockSource;
use super::store::Store;
use incrowd_core::{Error, Result};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The maximum number of blocks that a thread may be ahead of the table.
const AHEAD: u64 = 2;

/// Reads the rest of a source into the store. `first` is the block that was read to begin with.
pub(super) fn read_all(
    source: &mut dyn BlockSource,
    layout: &Layout,
    rules: &Rules,
    threads: usize,
    store: Store,
    first: Block,
) -> Result<Store> {
    let crew = Crew {
        layout,
        rules,
        ahead: AHEAD * threads as u64,
        feed: Mutex::new(Feed { source, next: 1, over: false }),
        desk: Mutex::new(Desk {
            store: Some(store),
            next: 0,
            waiting: BTreeMap::new(),
            spare: Vec::new(),
            error: None,
        }),
        moved: Condvar::new(),
    };
    crew.hand_in(first);
    if threads <= 1 {
        crew.work();
    } else {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| crew.work());
            }
        });
    }
    let desk = crew.desk.into_inner().unwrap_or_else(PoisonError::into_inner);
    match (desk.error, desk.store) {
        (None, Some(store)) => Ok(store),
        (error, _) => {
            Err(error.unwrap_or_else(|| Error::internal("a thread stopped before the file was read")))
        }
    }
}

struct Feed<'a> {
    source: &'a mut dyn BlockSource,
    next: u64,
    over: bool,
}

struct Desk {
    /// The table in the making; none while a thread has it in hand.
    store: Option<Store>,
    /// The block the table needs next.
    next: u64,
    /// Blocks that are understood before their turn.
    waiting: BTreeMap<u64, Block>,
    spare: Vec<Block>,
    error: Option<Error>,
}

struct Crew<'a> {
    layout: &'a Layout,
    rules: &'a Rules,
    ahead: u64,
    feed: Mutex<Feed<'a>>,
    desk: Mutex<Desk>,
    moved: Condvar,
}

impl Crew<'_> {
    fn work(&self) {
        while let Some(mut block) = self.next_block() {
            if block.error.is_none() {
                let done = guarded(|| {
                    block.number(self.layout, self.rules);
                    block.understand(self.layout, self.rules);
                });
                block.error = done.err().or(block.error);
            }
            self.hand_in(block);
        }
    }

    /// The next block of the source; an error of the source comes as a block, so that it waits for its turn.
    fn next_block(&self) -> Option<Block> {
        let mut block = lock(&self.desk).spare.pop().unwrap_or_default();
        block.reset();
        let mut feed = lock(&self.feed);
        if feed.over {
            return None;
        }
        match feed.source.fill(&mut block) {
            Ok(false) => {
                feed.over = true;
                return None;
            }
            Ok(true) => {}
            Err(error) => {
                feed.over = true;
                block.error = Some(error);
            }
        }
        block.seq = feed.next;
        feed.next += 1;
        Some(block)
    }

    /// Leaves the block for the thread that has the store, or adds all blocks whose turn it is.
    fn hand_in(&self, mut block: Block) {
        if let Some(file) = &block.file {
            block.error = block.error.take().map(|error| error.in_file(file));
        }
        let mut desk = lock(&self.desk);
        while desk.error.is_none() && block.seq >= desk.next + self.ahead {
            desk = self.moved.wait(desk).unwrap_or_else(PoisonError::into_inner);
        }
        desk.waiting.insert(block.seq, block);
        let Some(mut store) = desk.store.take() else { return };
        while let Some(block) = desk.turn() {
            drop(desk);
            let taken = guarded(|| store.take(&block)).and_then(|taken| taken);
            desk = lock(&self.desk);
            desk.done(block, taken);
            self.moved.notify_all();
        }
        desk.store = Some(store);
        let failed = desk.error.is_some();
        drop(desk);
        if failed {
            lock(&self.feed).over = true;
        }
    }
}

impl Desk {
    /// The block whose turn it is, unless the reading has failed.
    fn turn(&mut self) -> Option<Block> {
        if self.error.is_some() { None } else { self.waiting.remove(&self.next) }
    }

    fn done(&mut self, block: Block, taken: Result<()>) {
        self.error = taken.err();
        self.next += 1;
        self.spare.push(block);
    }
}

/// Does the work on each item, several items at a time, and returns the results in the items' order.
pub(super) fn for_each<T: Send, R: Send>(
    items: Vec<T>,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
) -> Result<Vec<R>> {
    let crew = threads.clamp(1, items.len().max(1));
    let next = Mutex::new(items.into_iter().enumerate());
    let one = || {
        let mut done = Vec::new();
        // The lock is not held while the work is done.
        while let Some((place, item)) = { lock(&next).next() } {
            done.push((place, work(item)));
        }
        done
    };
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..crew).map(|_| scope.spawn(one)).collect();
        let mut done = one();
        for other in others {
            done.extend(
                other.join().map_err(|_| Error::internal("a thread stopped before its work was done"))?,
            );
        }
        Ok::<_, Error>(done)
    })?;
    done.sort_unstable_by_key(|(place, _)| *place);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// Makes an error of a panic: the other threads would wait for this one's block for ever.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        Error::internal("the reader failed on this file").help("this is a bug in incrowd; please report it")
    })
}

/// A lock whose holder panicked is taken all the same: the panic itself is passed on when the threads are joined.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
