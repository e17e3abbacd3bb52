//! When the phases of some work begin and end.

use incrowd_core::progress::Progress;
use std::sync::Mutex;
use std::time::Instant;

/// When each piece of work began and ended.
pub struct Phases {
    start: Instant,
    told: Mutex<Vec<String>>,
}

impl Phases {
    /// Nothing has begun yet.
    pub fn new() -> Self {
        Self { start: Instant::now(), told: Mutex::new(Vec::new()) }
    }

    fn note(&self, what: &str) {
        let at = self.start.elapsed().as_secs_f64();
        if let Ok(mut told) = self.told.lock() {
            let place = told.len();
            told.push(format!("\"{place} {what}\": {at:.4}"));
        }
    }

    /// All times so far, as the members of a JSON object.
    pub fn told(&self) -> String {
        self.told.lock().map(|told| told.join(", ")).unwrap_or_default()
    }
}

impl Progress for Phases {
    fn begin(&self, work: &str, _: Option<u64>) {
        self.note(work);
    }

    fn end(&self) {
        self.note("end");
    }
}

impl Default for Phases {
    fn default() -> Self {
        Self::new()
    }
}
