//! Parameters of the table miner: as given, and checked.

use crate::{Structure, tree};
use incrowd_core::choice::MethodParameters;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::{Error, Result, choice};

/// A way to make a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableMethod {
    /// The project's own, chosen by measurement.
    Best,
    /// As [`Self::Best`] without pruning: as many groups as the guarantee allows.
    Cells,
    /// The project's own: a division by the effects of public attributes on the class, as far as the guarantee allows.
    Effects,
    /// A table with the information of a tree (VLDB Journal 2008, sections 3 and 6.2).
    Spans,
    /// Suppression along a classification tree (Kisilevich, Rokach, Elovici and Shapira, TKDE 2010).
    Kactus,
    /// Suppression with swapping and selected records (Kisilevich, Elovici, Shapira and Rokach, 2009).
    Kactus2,
    /// A tree on noisy numbers; each group shows its mean or most frequent values.
    Aggregate,
    /// Top-down specialization (Fung, Wang and Yu, ICDE 2005).
    Tds,
    /// Top-down refinement (Fung, Wang and Yu, TKDE 2007).
    Tdr,
    /// Multidimensional partitioning (LeFevre, DeWitt and Ramakrishnan, ICDE 2006, KDD 2006).
    Mondrian,
    /// The project's own: the finest cells first, then rows move to where the table loses least.
    Finest,
}

choice!(TableMethod, "method" {
    Best => "best", "Groups are the leaves of the tree that best predicts the class.";
    Cells => "cells", "Like best, with as many groups as the guarantee allows.";
    Effects => "effects", "Groups differ in the effects of public attributes on the class; for models that others train on the table.";
    Spans => "spans", "A table that reveals exactly what a tree under the guarantee reveals.";
    Kactus => "kactus", "Suppression along a classification tree.";
    Kactus2 => "kactus2", "Like kactus, but swaps values and selects records by class.";
    Aggregate => "aggregate", "A tree on noisy numbers; groups show means and most frequent values.";
    Tds => "tds", "Top-down specialization: one cut through each taxonomy.";
    Tdr => "tdr", "Top-down refinement: specialization with suppressed values.";
    Mondrian => "mondrian", "Multidimensional partitioning.";
    Finest => "finest", "The lowest loss that a longer search finds, regardless of the class.";
});

impl MethodParameters for TableMethod {
    const PARAMETERS: &'static [(&'static str, &'static [Self])] = &[
        ("tree", &[Self::Spans]),
        ("swapping", &[Self::Kactus2]),
        ("as_printed", &[Self::Kactus2]),
        ("noise", &[Self::Aggregate]),
        ("average", &[Self::Aggregate]),
        ("common", &[Self::Aggregate]),
        ("criterion", &[Self::Mondrian]),
        ("structure", &[Self::Mondrian]),
        ("rounds", &[Self::Finest]),
        ("max_suppressed", &[Self::Mondrian, Self::Finest]),
    ];
}

/// What numbers of a group become where a method aggregates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Average {
    /// Their mean.
    #[default]
    Mean,
    /// Their median, the lower one of two.
    Median,
}

choice!(Average, "average" {
    Mean => "mean", "The mean of the numbers.";
    Median => "median", "The median of the numbers.";
});

/// What names of a group become where a method aggregates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Common {
    /// The most frequent, the first of several.
    #[default]
    Frequent,
    /// Their lowest common ancestor in the taxonomy; without a taxonomy `*` unless all are equal.
    Ancestor,
}

choice!(Common, "common value" {
    Frequent => "frequent", "The most frequent category.";
    Ancestor => "ancestor", "The lowest common ancestor of the categories in the taxonomy.";
});

/// What Mondrian divides by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Criterion {
    /// The widest range, at the median (ICDE 2006).
    Width,
    /// The highest information gain about the class (KDD 2006); by width where there is none.
    Gain,
    /// The largest decrease of the loss metric.
    #[default]
    Loss,
}

choice!(Criterion, "criterion" {
    Width => "width", "The widest range, at the median.";
    Gain => "gain", "The highest information gain about the class.";
    Loss => "loss", "The largest decrease of the loss metric.";
});

/// Parameters of the table miner, as given. Only [checked](TableParams::check) parameters can be used.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TableParams {
    /// How the table is made.
    pub method: TableMethod,
    /// What must hold for every group.
    pub guarantee: Guarantee,
    /// The seed of everything random (`kactus`, `aggregate`, `finest`).
    pub seed: u64,
    /// Spans: how the tree is grown.
    pub tree: tree::TreeMethod,
    /// kACTUS-2: a leaf is filled up by swapping if at most this share of k is lacking.
    pub swapping: f64,
    /// kACTUS-2: as the paper prints it, including its faults, for comparison. What breaks the guarantee is refused.
    pub as_printed: bool,
    /// Aggregate: the noise's standard deviation as a share of the attribute's.
    pub noise: f64,
    /// Aggregate: what numbers become.
    pub average: Average,
    /// Aggregate: what names become.
    pub common: Common,
    /// Mondrian: what it divides by.
    pub criterion: Criterion,
    /// Finest: how many rounds of improvement the search makes; 0 takes the first groups as they are.
    pub rounds: u32,
    /// Mondrian, finest: the largest share of individuals who may be left out of the table where that lowers its loss.
    pub max_suppressed: f64,
    /// Whether every row takes the cells that the release's recoding gives it, so that recoding the source's rows
    /// gives the released table. What is learned from recoded rows then comes from the audited table. Groups that rows
    /// leave for others, and that break the guarantee afterwards, are dissolved.
    pub closed: bool,
    /// Whether the release states what stands for the cells of each group in front of a learner: means of numbers, most
    /// frequent names. Needs a closed table: these are functions of the public table and the recoding.
    pub representatives: bool,
    /// What groups may depend on. Only Mondrian by width or loss can be blind.
    pub structure: Structure,
    /// Sets of attributes that are each known to some attacker; one set of all public attributes if none is given. TDS
    /// and TDR gain from them; the others meet the guarantee for an attacker who knows all attributes, and are audited
    /// set by set.
    pub sets: Vec<Vec<String>>,
}

impl TableParams {
    /// The usual parameters of a method under a guarantee.
    pub fn new(method: TableMethod, guarantee: Guarantee) -> Self {
        Self {
            method,
            guarantee,
            seed: 1,
            tree: tree::TreeMethod::Best,
            swapping: 0.3,
            as_printed: false,
            noise: 0.1,
            average: Average::default(),
            common: Common::default(),
            criterion: Criterion::default(),
            rounds: 4,
            max_suppressed: 0.0,
            closed: false,
            representatives: false,
            structure: Structure::default(),
            sets: Vec::new(),
        }
    }

    /// Checks every parameter.
    ///
    /// # Errors
    /// When nothing is to be guaranteed, or a parameter is out of its range or belongs to another method.
    pub fn check(self) -> Result<CheckedTableParams> {
        self.changed().try_for_each(|name| self.method.check_parameter(name))?;
        if self.guarantee.is_empty() {
            return Err(Error::parameters("no guarantee is given").help(
                "set k under [guarantee] in the policy, or give a k, such as 10; k = 1 guarantees nothing",
            ));
        }
        if !(0.0..=1.0).contains(&self.swapping) {
            return Err(Error::parameters("the swapping threshold must be from 0 to 1")
                .help("0 never swaps, 1 swaps wherever possible"));
        }
        if !(self.noise >= 0.0 && self.noise <= 10.0) {
            return Err(Error::parameters("the noise must be from 0 to 10 standard deviations")
                .help("0.1 is a tenth of a standard deviation"));
        }
        self.check_suppressed()?;
        if self.representatives && !self.closed {
            return Err(Error::parameters(
                "only a table that agrees with its recoding can have representatives",
            )
            .of_parameter("representatives")
            .help("let the table be closed, or leave representatives out"));
        }
        if self.structure == Structure::Blind && self.criterion == Criterion::Gain {
            return Err(Error::parameters("only mondrian by width or loss can have a blind structure")
                .of_parameter("structure")
                .help("choose the criterion width or loss, or another structure"));
        }
        Ok(CheckedTableParams(self))
    }

    /// A limit on suppressed individuals is a share, and does not go with everything.
    fn check_suppressed(&self) -> Result<()> {
        let error =
            |what: &str, help: &str| Err(Error::parameters(what).of_parameter("max_suppressed").help(help));
        if !(0.0..=0.5).contains(&self.max_suppressed) {
            return error(
                "the limit on suppressed individuals must be from 0 to 0.5",
                "0.01 allows that one individual in a hundred is left out",
            );
        }
        if self.max_suppressed > 0.0 && self.closed {
            return error(
                "a table that agrees with its recoding contains every row, so none can be left out; tables of a ledger agree with \
                 theirs",
                "leave out the limit, or make the table without a ledger and not closed",
            );
        }
        if self.max_suppressed > 0.0 && self.structure == Structure::Blind {
            return error(
                "a table with a blind structure contains every row, so none can be left out",
                "leave out the limit, or choose a free structure",
            );
        }
        Ok(())
    }

    /// The parameters of single methods that differ from what is usual.
    fn changed(&self) -> impl Iterator<Item = &'static str> {
        let usual = Self::new(self.method, Guarantee::default());
        let changed = [
            ("tree", self.tree != usual.tree),
            ("swapping", self.swapping.to_bits() != usual.swapping.to_bits()),
            ("as_printed", self.as_printed != usual.as_printed),
            ("noise", self.noise.to_bits() != usual.noise.to_bits()),
            ("average", self.average != usual.average),
            ("common", self.common != usual.common),
            ("criterion", self.criterion != usual.criterion),
            ("structure", self.structure != usual.structure),
            ("rounds", self.rounds != usual.rounds),
            ("max_suppressed", self.max_suppressed.to_bits() != usual.max_suppressed.to_bits()),
        ];
        changed.into_iter().filter_map(|(name, changed)| changed.then_some(name))
    }
}

/// Checked parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedTableParams(TableParams);

impl std::ops::Deref for CheckedTableParams {
    type Target = TableParams;

    fn deref(&self) -> &TableParams {
        &self.0
    }
}
