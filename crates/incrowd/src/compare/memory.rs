//! The most memory the process had in some stretch of time, where the system tells.
//!
//! Linux keeps the highest resident size of a process and lets it be set back (`proc(5)`: `clear_refs`, `VmHWM`). Elsewhere nothing is known.

use std::fs;

/// Sets the highest size back to the present one.
pub(super) fn forget_peak() {
    let _unsupported = fs::write("/proc/self/clear_refs", "5");
}

/// The highest size since, in bytes.
pub(super) fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
