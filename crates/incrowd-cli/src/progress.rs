//! A progress bar on a terminal, displayed after one second of work.
//!
//! A separate thread waits that second, so that the bar also appears if the work does not report progress.

use crate::text::count;
use incrowd::progress::Progress;
use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The delay before a bar appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// The interval between redraws.
const TICK: Duration = Duration::from_millis(200);

/// A progress bar that appears only for long work.
pub(crate) struct Bar {
    shown: bool,
    current: Mutex<Option<ProgressBar>>,
}

impl Bar {
    /// Creates a bar. It stays hidden if standard error is not a terminal or `quiet` is set.
    pub(crate) fn new(quiet: bool) -> Self {
        Self { shown: !quiet && std::io::stderr().is_terminal(), current: Mutex::new(None) }
    }

    fn with(&self, act: impl FnOnce(&mut Option<ProgressBar>)) {
        act(&mut self.current.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Progress for Bar {
    fn begin(&self, work: &str, total: Option<u64>) {
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

    /// Calls in any order, with and without a terminal.
    #[test]
    fn a_bar_takes_any_order_of_calls() {
        for shown in [true, false] {
            let bar = Bar { shown, current: Mutex::new(None) };
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
