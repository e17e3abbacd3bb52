//! Protocols for dividing rows, with their text forms.

use incrowd_core::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// The maximum number of folds.
pub const MAX_FOLDS: u64 = 10_000;

/// How rows are divided into training and test rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// One division: two thirds for training, one third for testing.
    TrainTest,
    /// Cross-validation: every part is the test part once, and the others are for training.
    KFold {
        /// The number of parts, two or more.
        folds: u32,
    },
    /// Repeated cross-validation, with a new division each time.
    Repeated {
        /// The number of repetitions.
        times: u32,
        /// The number of parts each time, two or more.
        folds: u32,
    },
}

impl Protocol {
    /// Returns the number of parts of a division.
    pub(super) fn parts(self) -> u32 {
        match self {
            Self::TrainTest => 3,
            Self::KFold { folds } | Self::Repeated { folds, .. } => folds,
        }
    }

    /// Returns the number of divisions.
    pub(super) fn times(self) -> u32 {
        match self {
            Self::TrainTest | Self::KFold { .. } => 1,
            Self::Repeated { times, .. } => times,
        }
    }

    /// Returns the number of pairs of training and test rows.
    pub fn folds(self) -> u64 {
        match self {
            Self::TrainTest => 1,
            Self::KFold { .. } | Self::Repeated { .. } => u64::from(self.times()) * u64::from(self.parts()),
        }
    }

    /// Returns the protocol in words, as in reports.
    pub fn words(self) -> String {
        match self {
            Self::TrainTest => "two thirds for training, one third for testing".to_owned(),
            Self::KFold { folds } | Self::Repeated { times: 1, folds } => {
                format!("{folds}-fold cross-validation")
            }
            Self::Repeated { times, folds } => format!("{times} times {folds}-fold cross-validation"),
        }
    }

    /// Checks the numbers of parts, repetitions and folds.
    ///
    /// # Errors
    /// When there are fewer than two parts, no repetitions, or more than [`MAX_FOLDS`] folds.
    pub fn check(self) -> Result<()> {
        let help = "use 5x2, 10x10, 10 or train-test";
        if self.parts() < 2 {
            return Err(Error::parameters("cross-validation needs at least two folds").help(help));
        }
        if self.times() == 0 {
            return Err(Error::parameters("cross-validation needs at least one repetition").help(help));
        }
        if self.folds() > MAX_FOLDS {
            let what = format!("{} folds are more than the maximum of {MAX_FOLDS}", self.folds());
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
            Error::parameters(format!("unknown protocol `{text}`")).help(
                "use 5x2 for five times 2-fold cross-validation, 10 for ten folds, or train-test for one division",
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
