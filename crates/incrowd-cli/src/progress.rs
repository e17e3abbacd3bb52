//! A progress bar on a terminal, once work has lasted over a second.

use incrowd::progress::Progress;
use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long work may last before a bar appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that appears when it is worth it.
pub(crate) struct Bar {
    shown: bool,
    current: Mutex<Option<Work>>,
}

struct Work {
    bar: ProgressBar,
    since: Instant,
    visible: bool,
}

impl Bar {
    /// A bar for people; none if standard error is no terminal or nothing is to be said.
    pub(crate) fn new(quiet: bool) -> Self {
        Self { shown: !quiet && std::io::stderr().is_terminal(), current: Mutex::new(None) }
    }

    fn with(&self, act: impl FnOnce(&mut Option<Work>)) {
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
            Some(_) => "{msg:>12} [{wide_bar}] {percent:>3} % {eta:>5}",
            None => "{msg:>12} {spinner} {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style.progress_chars("=> "));
        }
        let size = total.filter(|_| work == "reading").map(|total| format!(" {}", HumanBytes(total)));
        bar.set_message(format!("{work}{}", size.unwrap_or_default()));
        self.with(|current| *current = Some(Work { bar, since: Instant::now(), visible: false }));
    }

    fn advance(&self, amount: u64) {
        if !self.shown {
            return;
        }
        self.with(|current| {
            let Some(work) = current else { return };
            work.bar.inc(amount);
            if !work.visible && work.since.elapsed() > PATIENCE {
                work.visible = true;
                work.bar.set_draw_target(ProgressDrawTarget::stderr());
            }
        });
    }

    fn end(&self) {
        self.with(|current| {
            if let Some(work) = current.take() {
                work.bar.finish_and_clear();
            }
        });
    }
}
