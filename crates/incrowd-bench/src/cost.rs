//! What work costs.

use std::time::Instant;

/// What some work cost.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// Seconds from its beginning to its end.
    pub seconds: f64,
    /// Processor seconds of all threads.
    pub cpu_seconds: f64,
    /// The most memory that the process ever held, in bytes.
    pub peak_bytes: u64,
}

/// Measures the cost of some work.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let result = work();
    let (seconds, cpu_seconds) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    (result, Cost { seconds, cpu_seconds, peak_bytes: peak_bytes() })
}

/// Processor time of all threads so far, if the system reports it.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// The most memory the process ever held, if the system reports it.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap_or(0) * 1024
}
