//! The peak memory of the process, if the system reports it.
//!
//! Linux records the peak resident size of a process and lets it be reset (`proc(5)`: `clear_refs`, `VmHWM`). Other
//! systems are not supported.

use std::fs;

/// Resets the peak size to the current size.
pub(super) fn forget_peak() {
    let _unsupported = fs::write("/proc/self/clear_refs", "5");
}

/// Returns the peak size since the last reset, in bytes.
pub(super) fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
