//! Runs a target on many inputs, all of which follow from one number.

use crate::mutate::mutated;
use crate::targets::FuzzTarget;
use incrowd::random::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// An input on which a target failed or took too long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The name of the target.
    pub target: &'static str,
    /// The number that all inputs follow from, and which of them it is.
    pub seed: u64,
    /// The place of the input in the run.
    pub number: u64,
    /// What was wrong.
    pub what: String,
    /// The input.
    pub input: Vec<u8>,
}

/// The input of a run with this number.
pub fn inputs_of(seeds: &[Vec<u8>], seed: u64, number: u64) -> Vec<u8> {
    mutated(seeds, &mut Random::of(seed, number))
}

/// Runs a target on one input after another until `enough` returns true for the number of inputs and the time taken;
/// each may take `longest`.
///
/// Returns how many inputs there were.
///
/// # Errors
/// When the target panics, or takes longer.
pub fn fuzz(
    target: &FuzzTarget,
    seed: u64,
    longest: Duration,
    enough: impl Fn(u64, Duration) -> bool,
) -> Result<u64, Finding> {
    let seeds = target.seeds();
    let start = Instant::now();
    // The seeds as they are come first: they are valid.
    for number in 0.. {
        if enough(number, start.elapsed()) {
            return Ok(number);
        }
        let input = seeds.get(number as usize).cloned().unwrap_or_else(|| inputs_of(&seeds, seed, number));
        let begun = Instant::now();
        let ended = catch_unwind(AssertUnwindSafe(|| target.run(&input)));
        let what = match ended {
            Err(panic) => format!("a panic: {}", message(panic.as_ref())),
            Ok(()) if begun.elapsed() > longest => format!("it took {:.1} s", begun.elapsed().as_secs_f64()),
            Ok(()) => continue,
        };
        return Err(Finding { target: target.name(), seed, number, what, input });
    }
    Ok(0)
}

fn message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("of no text")
}
