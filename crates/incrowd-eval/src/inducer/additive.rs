//! Classifiers whose score of a class is a sum of one term per attribute: Naive Bayes and logistic regression.
//!
//! A term depends only on a cell, so it is computed once per value of a column, and a row costs one addition per
//! attribute and class.

use super::Classifier;
use super::naive_bayes::Normal;
use incrowd_core::table::{Code, Column, Table};
use incrowd_core::{Error, Result, with_codes};
use rayon::prelude::*;
use std::collections::HashMap;

/// The number of rows per block.
const BLOCK: usize = 1 << 13;

/// An additive classifier.
pub(super) struct Additive {
    pub(super) classes: Vec<String>,
    /// The constant term of each class, a logarithm; `-∞` for classes that do not occur.
    pub(super) base: Vec<f64>,
    pub(super) terms: Vec<Term>,
}

/// The term of an attribute.
pub(super) struct Term {
    /// The column's name.
    pub(super) name: String,
    pub(super) effect: Effect,
    /// The term of a missing value for each class.
    pub(super) missing: Vec<f64>,
}

/// The terms of the values for each class.
pub(super) enum Effect {
    /// Categories: the term of each known one, per class. Others have the term 0.
    Names(Vec<String>, Vec<f64>),
    /// Numbers: the logarithm of their likelihood.
    Normals(Vec<Normal>),
    /// Numbers: a slope per class, through 0 at `mean`.
    Line { mean: f64, slopes: Vec<f64> },
}

impl Effect {
    /// The terms of each code of a column, per class, without the missing code.
    fn of_codes(&self, column: &Column, classes: usize) -> Result<Vec<f64>> {
        let values = column.values();
        let numbers = || match values.numbers() {
            Some(numbers) => Ok(numbers),
            None if values.is_empty() => Ok(&[][..]),
            None => Err(Error::input("the column was numeric in training and contains text")
                .of_attribute(column.name())
                .help("give it the same kind as in the training table")),
        };
        match self {
            Self::Names(names, effects) => {
                let places: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
                let mut all = vec![0.0; values.len() * classes];
                for (code, added) in all.chunks_exact_mut(classes).enumerate() {
                    if let Some(place) = places.get(&*values.text(code)) {
                        added.copy_from_slice(&effects[place * classes..(place + 1) * classes]);
                    }
                }
                Ok(all)
            }
            Self::Normals(normals) => {
                let likelihoods = |&number| normals.iter().map(move |normal| normal.ln_likelihood(number));
                Ok(numbers()?.iter().flat_map(likelihoods).collect())
            }
            Self::Line { mean, slopes } => {
                let heights = |&number| slopes.iter().map(move |slope| slope * (number - mean));
                Ok(numbers()?.iter().flat_map(heights).collect())
            }
        }
    }
}

impl Additive {
    /// The class shares of each row of a block.
    fn fill(&self, columns: &[(&Column, Vec<f64>)], first: usize, shares: &mut [f64]) {
        let classes = self.classes.len();
        shares.chunks_exact_mut(classes).for_each(|row| row.copy_from_slice(&self.base));
        for (column, added) in columns {
            with_codes!(column.codes(), codes => {
                for (row, code) in shares.chunks_exact_mut(classes).zip(&codes[first..]) {
                    let from = code.wide() as usize * classes;
                    row.iter_mut().zip(&added[from..from + classes]).for_each(|(sum, added)| *sum += added);
                }
            });
        }
        shares.chunks_exact_mut(classes).for_each(softmax);
    }
}

impl Classifier for Additive {
    fn classes(&self) -> &[String] {
        &self.classes
    }

    fn shares(&self, table: &Table) -> Result<Vec<f64>> {
        let classes = self.classes.len();
        let bind = |term: &Term| {
            let column = table.require(&term.name)?;
            let mut added = term.effect.of_codes(column, classes)?;
            added.extend_from_slice(&term.missing);
            Ok((column, added))
        };
        let columns: Vec<_> = self.terms.par_iter().map(bind).collect::<Result<_>>()?;
        let mut shares = vec![0.0; table.rows() * classes];
        let blocks = shares.par_chunks_mut(BLOCK * classes).enumerate();
        blocks.for_each(|(block, shares)| self.fill(&columns, block * BLOCK, shares));
        Ok(shares)
    }
}

/// Turns logarithms into shares that add up to 1.
pub(super) fn softmax(logarithms: &mut [f64]) {
    let highest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logarithms.iter_mut().for_each(|x| *x = (*x - highest).exp());
    let sum: f64 = logarithms.iter().sum();
    logarithms.iter_mut().for_each(|x| *x /= sum);
}
