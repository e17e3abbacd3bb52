//! How often, and how, rows are divided: as it is asked for and told.

use incrowd_core::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// The most divisions anybody is let wait for.
pub const MAX_FOLDS: u64 = 10_000;

/// How rows are divided into training and test rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// Once: two thirds to learn from, one third to test with.
    TrainTest,
    /// Cross-validation: every part is tested with once, the others are learned from.
    KFold {
        /// The parts, two or more.
        folds: u32,
    },
    /// Cross-validation several times, each time divided anew.
    Repeated {
        /// How many times.
        times: u32,
        /// The parts each time, two or more.
        folds: u32,
    },
}

impl Protocol {
    /// Into how many parts rows are divided each time.
    pub(super) fn parts(self) -> u32 {
        match self {
            Self::TrainTest => 3,
            Self::KFold { folds } | Self::Repeated { folds, .. } => folds,
        }
    }

    /// How many times they are.
    pub(super) fn times(self) -> u32 {
        match self {
            Self::TrainTest | Self::KFold { .. } => 1,
            Self::Repeated { times, .. } => times,
        }
    }

    /// How many times there is something to learn and to test.
    pub fn folds(self) -> u64 {
        match self {
            Self::TrainTest => 1,
            Self::KFold { .. } | Self::Repeated { .. } => u64::from(self.times()) * u64::from(self.parts()),
        }
    }

    /// The protocol in words, as reports have it.
    pub fn words(self) -> String {
        match self {
            Self::TrainTest => "two thirds to learn from, one third to test with".to_owned(),
            Self::KFold { folds } | Self::Repeated { times: 1, folds } => {
                format!("{folds}-fold cross-validation")
            }
            Self::Repeated { times, folds } => format!("{times} times {folds}-fold cross-validation"),
        }
    }

    /// Whether there is something to learn from and to test with, and an end to it.
    ///
    /// # Errors
    /// When there are fewer than two parts, no times, or more than [`MAX_FOLDS`] folds.
    pub fn check(self) -> Result<()> {
        let help = "say 5x2, 10x10, 10 or train-test";
        if self.parts() < 2 {
            return Err(Error::parameters("fewer than two parts leave nothing to learn from").help(help));
        }
        if self.times() == 0 {
            return Err(
                Error::parameters("a cross-validation that is done no times finds nothing").help(help)
            );
        }
        if self.folds() > MAX_FOLDS {
            let what = format!("{} folds are more than the {MAX_FOLDS} incrowd goes through", self.folds());
            return Err(Error::parameters(what).help(help));
        }
        Ok(())
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TrainTest => f.write_str("train-test"),
            Self::KFold { folds } => write!(f, "{folds}"),
            Self::Repeated { times, folds } => write!(f, "{times}x{folds}"),
        }
    }
}

impl FromStr for Protocol {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            Error::parameters(format!("`{text}` is no way of dividing rows")).help(
                "say 5x2 for five times 2-fold cross-validation, 10 for ten folds, or train-test for one division",
            )
        };
        let number = |word: &str| word.trim().parse::<u32>().map_err(|_| wrong());
        let protocol = match text.trim().split_once(['x', 'X', '×']) {
            _ if text.trim() == "train-test" => Self::TrainTest,
            Some((times, folds)) => Self::Repeated { times: number(times)?, folds: number(folds)? },
            None => Self::KFold { folds: number(text)? },
        };
        protocol.check()?;
        Ok(protocol)
    }
}
