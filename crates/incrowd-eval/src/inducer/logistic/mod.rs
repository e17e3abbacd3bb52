//! Multinomial logistic regression with a ridge (le Cessie and van Houwelingen, Applied Statistics 1992), with the
//! details of Weka's `Logistic`.
//!
//! Every category has an indicator column. All columns are standardized. Missing values are replaced by the mean or the
//! most frequent category. The loss is minus the log-likelihood plus the ridge times the squares of all coefficients
//! except the intercepts; the last class has no coefficients. Inputs with one value are left out, and so are attributes
//! in which nearly every row has a unique category. A category that is not in the training table has no effect: the
//! effects of categories are centred on their mean, so this is the same as an unknown category.
//!
//! **Running time.** Equal rows are merged first, with counts by class; generalized tables have few distinct rows. A
//! row is stored as its numbers and one index per categorical attribute, so the cost of a pass does not depend on the
//! number of categories. With up to 600 coefficients c, Newton's method is used (a pass costs rows × cells² for two
//! classes, a step c³/3; about ten steps), otherwise L-BFGS with ten pairs (rows × cells). Work is divided into blocks
//! whose number depends only on the table, and sums are taken in order, so the result does not depend on threads.
//!
//! **Deviations from Weka.** Newton's method runs until the loss cannot decrease by more than 1e-9. Weka's quasi-Newton
//! method may stop earlier or at 200 steps; this was observed for classes that can be separated without errors, where
//! coefficients grow until the ridge stops them. Attributes with two categories have two columns, not one: with a small
//! ridge the shares are the same. Classes that do not occur are never predicted.

mod cholesky;
mod design;
mod lbfgs;
mod loss;
mod newton;
#[cfg(test)]
pub(super) mod testing;

use super::additive::{Additive, Effect, Term};
use super::{Classifier, Examples, Inducer};
use design::{Design, Input};
use incrowd_core::{Error, Result};
use loss::Loss;

/// The number of coefficients above which L-BFGS is used.
const NEWTON_MOST: usize = 600;

/// Multinomial logistic regression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Logistic {
    /// The weight of the squares of standardized coefficients in the loss.
    pub ridge: f64,
}

impl Default for Logistic {
    fn default() -> Self {
        Self { ridge: 1e-8 }
    }
}

impl Inducer for Logistic {
    fn name(&self) -> &'static str {
        "logistic"
    }

    fn learn(&self, examples: Examples<'_>) -> Result<Box<dyn Classifier>> {
        if !(self.ridge.is_finite() && self.ridge >= 0.0) {
            return Err(Error::parameters("the ridge must be a finite number of at least 0"));
        }
        let bound = examples.bind()?;
        let design = Design::new(&bound);
        let loss = Loss::new(&design, self.ridge);
        let coefficients =
            if loss.len() <= NEWTON_MOST { newton::minimize(&loss) } else { lbfgs::minimize(&loss) };
        Ok(Box::new(
            BoundCoefficients { design: &design, coefficients: &coefficients }.additive(bound.classes()),
        ))
    }
}

/// Coefficients with their inputs.
struct BoundCoefficients<'a> {
    design: &'a Design,
    coefficients: &'a [f64],
}

impl BoundCoefficients<'_> {
    /// The coefficients at an index for each class of the table; 0 for the last class that occurs, and for those that
    /// do not.
    fn by_class(&self, place: usize, classes: usize) -> Vec<f64> {
        let mut all = vec![0.0; classes];
        let free = &self.design.present[..self.design.present.len() - 1];
        for (own, &class) in self.coefficients.chunks_exact(self.design.width).zip(free) {
            all[class] = own[place];
        }
        all
    }

    fn additive(&self, classes: Vec<String>) -> Additive {
        let count = classes.len();
        let mut base = vec![f64::NEG_INFINITY; count];
        let intercepts = self.by_class(0, count);
        self.design.present.iter().for_each(|&class| base[class] = intercepts[class]);
        let terms = self.design.inputs.iter().map(|input| self.term(input, &mut base)).collect();
        Additive { classes, base, terms }
    }

    fn term(&self, input: &Input, base: &mut [f64]) -> Term {
        let classes = base.len();
        match input {
            Input::Number { name, place, mean, deviation } => {
                let slopes = self.by_class(*place, classes).iter().map(|slope| slope / deviation).collect();
                let effect = Effect::Line { mean: *mean, slopes };
                Term { name: name.clone(), effect, missing: vec![0.0; classes] }
            }
            Input::Names { name, first, names, shares, most } => {
                let mut effects: Vec<f64> =
                    (0..names.len()).flat_map(|value| self.by_class(first + value, classes)).collect();
                let mut mean = vec![0.0; classes];
                for (of_name, share) in effects.chunks_exact(classes).zip(shares) {
                    mean.iter_mut().zip(of_name).for_each(|(mean, effect)| *mean += share * effect);
                }
                effects.iter_mut().enumerate().for_each(|(i, effect)| *effect -= mean[i % classes]);
                base.iter_mut().zip(&mean).for_each(|(base, mean)| *base += mean);
                let missing = effects[most * classes..(most + 1) * classes].to_vec();
                Term { name: name.clone(), effect: Effect::Names(names.clone(), effects), missing }
            }
        }
    }
}
