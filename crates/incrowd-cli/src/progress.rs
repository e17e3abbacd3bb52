//! A progress bar on a terminal, displayed after one second of work; elsewhere a line every half minute.
//!
//! A separate thread waits that second, so that the bar also appears if the work does not report progress.

use crate::text::count;
use incrowd::progress::Progress;
use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The delay before a bar appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// The interval between redraws.
const TICK: Duration = Duration::from_millis(200);

/// The interval between lines without a terminal.
const PAUSE: Duration = Duration::from_secs(30);

/// A progress bar that appears only for long work.
pub(crate) struct Bar {
    shown: bool,
    current: Mutex<Option<ProgressBar>>,
    /// Work whose progress is written in lines.
    lines: Option<Mutex<Option<Lines>>>,
}

/// Work in progress, and when a line was last written about it.
struct Lines {
    work: String,
    total: Option<u64>,
    done: u64,
    since: Instant,
}

impl Lines {
    /// The line to write if it is time.
    fn due(&mut self, pause: Duration) -> Option<String> {
        if self.since.elapsed() < pause {
            return None;
        }
        self.since = Instant::now();
        let of = self.total.map(|total| {
            let percent = self.done.saturating_mul(100) / total.max(1);
            format!(" of {} ({percent} %)", count(total))
        });
        Some(format!("{}: {}{}", self.work, count(self.done), of.unwrap_or_default()))
    }
}

impl Bar {
    /// Creates a bar. Where standard error is not a terminal, it writes lines instead; with `quiet`, nothing.
    pub(crate) fn new(quiet: bool) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let lines = (!quiet && !is_terminal).then(Mutex::default);
        Self { shown: !quiet && is_terminal, current: Mutex::new(None), lines }
    }

    fn with_lines(&self, act: impl FnOnce(&mut Option<Lines>)) {
        if let Some(lines) = &self.lines {
            act(&mut lines.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    fn with(&self, act: impl FnOnce(&mut Option<ProgressBar>)) {
        act(&mut self.current.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Progress for Bar {
    fn begin(&self, work: &str, total: Option<u64>) {
        let begun = Lines { work: work.to_owned(), total, done: 0, since: Instant::now() };
        self.with_lines(|lines| *lines = Some(begun));
        if !self.shown {
            return;
        }
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let form = match total {
            Some(_) => "{msg:>12} [{wide_bar}] {percent:>3} % {eta:>5} {prefix}",
            None => "{msg:>12} {spinner} {elapsed} {prefix}",
        };
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style.progress_chars("=> "));
        }
        let size = total
            .filter(|_| matches!(work, "reading" | "fetching"))
            .map(|total| format!(" {}", HumanBytes(total)));
        bar.set_message(format!("{work}{}", size.unwrap_or_default()));
        appear_later(&bar);
        self.with(|current| *current = Some(bar));
    }

    fn advance(&self, amount: u64) {
        self.with_lines(|lines| {
            let Some(lines) = lines else { return };
            lines.done = lines.done.saturating_add(amount);
            if let Some(line) = lines.due(PAUSE) {
                // Progress that cannot be written does not stop the work.
                let _ = writeln!(std::io::stderr(), "{line}");
            }
        });
        if self.shown {
            self.with(|current| current.iter().for_each(|bar| bar.inc(amount)));
        }
    }

    fn figures(&self, figures: &[(&str, u64)]) {
        if self.shown {
            self.with(|current| {
                current.iter().filter(|bar| !bar.is_hidden()).for_each(|bar| bar.set_prefix(words(figures)));
            });
        }
    }

    fn end(&self) {
        self.with_lines(|lines| *lines = None);
        self.with(|current| {
            if let Some(bar) = current.take() {
                bar.finish_and_clear();
            }
        });
    }
}

/// Displays the bar after the delay if the work is not done. The weak reference lets a finished bar be dropped before.
fn appear_later(bar: &ProgressBar) {
    let bar = bar.downgrade();
    std::thread::spawn(move || {
        std::thread::sleep(PATIENCE);
        if let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(TICK);
        }
    });
}

/// `1,203 nodes, 640 leaves`.
fn words(figures: &[(&str, u64)]) -> String {
    figures.iter().map(|(name, number)| format!("{} {name}", count(*number))).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_told_in_words() {
        assert_eq!(words(&[("nodes", 1203), ("leaves", 640)]), "1,203 nodes, 640 leaves");
        assert_eq!(words(&[]), "");
    }

    #[test]
    fn lines_are_written_after_a_pause() {
        let mut lines =
            Lines { work: "comparing".to_owned(), total: Some(84), done: 21, since: Instant::now() };
        assert_eq!(lines.due(PAUSE), None);
        assert_eq!(lines.due(Duration::ZERO).as_deref(), Some("comparing: 21 of 84 (25 %)"));
        lines.total = None;
        assert_eq!(lines.due(Duration::ZERO).as_deref(), Some("comparing: 21"));
    }

    /// Calls in any order, with and without a terminal.
    #[test]
    fn a_bar_takes_any_order_of_calls() {
        for shown in [true, false] {
            let lines = (!shown).then(Mutex::default);
            let bar = Bar { shown, current: Mutex::new(None), lines };
            bar.advance(1);
            bar.end();
            bar.begin("growing", None);
            bar.figures(&[("nodes", 3)]);
            bar.begin("auditing", Some(2));
            bar.advance(5);
            bar.end();
        }
    }
}
