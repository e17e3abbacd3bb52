//! The parameters of a comparison: as given, and checked.

use super::ComparedMethod;
use crate::guarantee::{Guarantee, Requirement, SeveralRows, SingleBin};
use crate::inducers::inducer;
use crate::{Error, Result};
use incrowd_eval::folds::Protocol;
use incrowd_eval::inducer::Inducer;
use incrowd_mine::{table, tree};

/// The parameters of a comparison, as given. Only [checked](CompareParams::check) parameters can be used.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CompareParams {
    /// The methods to compare.
    pub methods: Vec<ComparedMethod>,
    /// The values of k to compare.
    pub ks: Vec<u64>,
    /// The requirements besides k. A k in it is replaced by each of those above.
    pub guarantee: Guarantee,
    /// The names of the inducers that learn from tables.
    pub inducers: Vec<String>,
    /// How rows are divided; ignored if there is a separate table of test rows.
    pub protocol: Protocol,
    /// The number of individuals to compare on: a random sample, if the table has more. None compares on all.
    pub sample: Option<u64>,
    /// The random seed.
    pub seed: u64,
}

impl Default for CompareParams {
    /// Some trees and some tables, over common values of k.
    fn default() -> Self {
        Self {
            methods: vec![
                ComparedMethod::Tree(tree::TreeMethod::Best),
                ComparedMethod::Boost,
                ComparedMethod::Tree(tree::TreeMethod::KadetC45),
                ComparedMethod::Table(table::TableMethod::Best),
                ComparedMethod::Table(table::TableMethod::Kactus2),
                ComparedMethod::Table(table::TableMethod::Tds),
                ComparedMethod::Table(table::TableMethod::Mondrian),
            ],
            ks: vec![5, 10, 20, 50, 100],
            guarantee: Guarantee::default(),
            inducers: ["c45", "naive-bayes"].map(str::to_owned).into(),
            protocol: Protocol::Repeated { times: 5, folds: 2 },
            sample: None,
            seed: 1,
        }
    }
}

impl CompareParams {
    /// Checks every parameter, sorts the values of k, and removes duplicates.
    ///
    /// # Errors
    /// When there is nothing to compare, an inducer is unknown, or a k or the sample is zero.
    pub fn check(mut self) -> Result<CheckedCompareParams> {
        if self.methods.is_empty() || self.ks.is_empty() {
            return Err(
                Error::parameters("there is nothing to compare").help("name at least one method and one k")
            );
        }
        if self.ks.contains(&0) {
            return Err(Error::parameters("k must be at least 1")
                .of_parameter("k")
                .help("give 2 or more; k = 1 requires nothing"));
        }
        if self.sample == Some(0) {
            return Err(Error::parameters("a sample must have at least one individual")
                .of_parameter("sample")
                .help("use enough individuals for the largest k, such as 10000"));
        }
        self.ks.sort_unstable();
        self.ks.dedup();
        once(&mut self.methods);
        once(&mut self.inducers);
        let tables: Vec<&str> =
            self.methods.iter().filter(|m| matches!(m, ComparedMethod::Table(_))).map(|m| m.name()).collect();
        if self.inducers.is_empty() && !tables.is_empty() {
            return Err(Error::parameters(format!(
                "no inducer learns from the tables of {}",
                tables.join(", ")
            ))
            .of_parameter("inducers")
            .help("name at least one inducer, or leave these methods out"));
        }
        let inducers =
            self.inducers.iter().map(|name| inducer(name).map_err(of_inducers)).collect::<Result<_>>()?;
        Ok(CheckedCompareParams { params: self, inducers })
    }
}

fn of_inducers(error: Error) -> Error {
    error.of_parameter("inducers")
}

/// Removes duplicates and keeps the order.
fn once<T: PartialEq + Clone>(list: &mut Vec<T>) {
    let mut seen: Vec<T> = Vec::new();
    list.retain(|item| {
        let is_new = !seen.contains(item);
        if is_new {
            seen.push(item.clone());
        }
        is_new
    });
}

/// Checked parameters.
pub struct CheckedCompareParams {
    params: CompareParams,
    pub(super) inducers: Vec<Box<dyn Inducer>>,
}

impl CheckedCompareParams {
    /// The requirements besides k, in words. A k in the guarantee is left out, since the compared values of k replace
    /// it.
    pub(super) fn besides(&self) -> Vec<String> {
        let in_words = |requirement: &Requirement| match requirement {
            Requirement::K(k) => {
                let exempt = (k.single_bin() == SingleBin::Exempt)
                    .then_some("groups with a single bin are exempt from k");
                let strict = (k.several_rows() == SeveralRows::Strict)
                    .then_some("k counts individuals whose rows are in the same groups");
                exempt.into_iter().chain(strict).map(str::to_owned).collect()
            }
            other => vec![other.to_string()],
        };
        self.guarantee.requirements().iter().flat_map(in_words).collect()
    }
}

impl std::ops::Deref for CheckedCompareParams {
    type Target = CompareParams;

    fn deref(&self) -> &CompareParams {
        &self.params
    }
}
