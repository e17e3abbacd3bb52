//! Parameters of the tree miner: as given, and checked.

use incrowd_core::choice::MethodParameters;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::Detail;
use incrowd_core::{Error, Result, choice};

/// A way to grow a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TreeMethod {
    /// kADET over ID3: information gain, one branch per value, no pruning (PKDD 2006, Algorithm 1).
    KadetId3,
    /// kADET over C4.5: gain ratio, thresholds, pessimistic pruning (PKDD 2006, section 3.3).
    KadetC45,
    /// The project's own: binary splits, best first, pruned by cross-validation.
    Best,
}

choice!(TreeMethod, "method" {
    Best => "best", "Binary splits, best first, pruned by cross-validation.";
    KadetC45 => "kadet-c45", "The papers' C4.5: gain ratio, thresholds, pessimistic pruning.";
    KadetId3 => "kadet-id3", "The papers' ID3: information gain, one branch per value, no pruning.";
});

impl MethodParameters for TreeMethod {
    const PARAMETERS: &'static [(&'static str, &'static [Self])] = &[
        ("min_rows", &[Self::Best, Self::KadetC45]),
        ("confidence_factor", &[Self::KadetC45]),
        ("prune", &[Self::KadetC45]),
        ("max_leaves", &[Self::Best]),
        ("sample", &[Self::Best]),
    ];
}

/// Parameters of the miner of trees, as given. Only [checked](TreeParams::check) parameters can be mined with.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TreeParams {
    /// How the tree is grown.
    pub method: TreeMethod,
    /// What must hold for every span.
    pub guarantee: Guarantee,
    /// C4.5: at least two branches of a split must have this many rows. Best: both must; unless it is set, the choice
    /// for fewer than 10,000 rows also tries k if that is smaller.
    pub min_rows: u64,
    /// C4.5: the confidence factor of the pessimistic error; smaller prunes more.
    pub confidence_factor: f64,
    /// C4.5: whether subtrees are replaced by leaves after growing.
    pub prune: bool,
    /// Best: the most leaves a tree is grown to before it is pruned.
    pub max_leaves: u32,
    /// Best: whether the impurity and the pruning are chosen by cross-validation, on a sample where rows are many;
    /// otherwise splits are by entropy, and only subtrees that save no error are cut off.
    pub sample: bool,
    /// How much the leaves of the release contain. The tree is grown, and audited, as if they contained everything.
    pub detail: Detail,
}

impl TreeParams {
    /// The usual parameters of a method under a guarantee.
    pub fn new(method: TreeMethod, guarantee: Guarantee) -> Self {
        let min_rows = if method == TreeMethod::Best { 5 } else { 2 };
        let (prune, sample, detail) = (true, true, Detail::Counts);
        Self { method, guarantee, min_rows, confidence_factor: 0.25, prune, max_leaves: 255, sample, detail }
    }

    /// Checks every parameter.
    ///
    /// # Errors
    /// When nothing is to be guaranteed, or a parameter is out of its range or belongs to another method.
    pub fn check(self) -> Result<CheckedTreeParams> {
        self.changed().try_for_each(|name| self.method.check_parameter(name))?;
        if self.guarantee.is_empty() {
            return Err(Error::parameters("no guarantee is given").help(
                "set k under [guarantee] in the policy, or give a k, such as 10; k = 1 guarantees nothing",
            ));
        }
        if self.min_rows == 0 {
            return Err(Error::parameters("a branch must contain at least one row").help("give 1 or more"));
        }
        if !(self.confidence_factor > 0.0 && self.confidence_factor <= 0.5) {
            return Err(Error::parameters(
                "the confidence factor of pruning must be above 0 and at most 0.5",
            )
            .help("the usual value is 0.25"));
        }
        if self.max_leaves == 0 {
            return Err(
                Error::parameters("the maximum number of leaves must be at least 1").help("allow 1 or more")
            );
        }
        self.detail.check()?;
        Ok(CheckedTreeParams { given: self, careful: false, whole: false, purpose: TreePurpose::Release })
    }

    /// The parameters of single methods that differ from what is usual.
    fn changed(&self) -> impl Iterator<Item = &'static str> {
        let usual = Self::new(self.method, Guarantee::default());
        let changed = [
            ("min_rows", self.min_rows != usual.min_rows),
            ("confidence_factor", self.confidence_factor.to_bits() != usual.confidence_factor.to_bits()),
            ("prune", self.prune != usual.prune),
            ("max_leaves", self.max_leaves != usual.max_leaves),
            ("sample", self.sample != usual.sample),
        ];
        changed.into_iter().filter_map(|(name, changed)| changed.then_some(name))
    }
}

/// Checked parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedTreeParams {
    given: TreeParams,
    /// Whether more is required of every split than by the guarantee, so that what depends on the whole tree holds,
    /// too.
    pub(crate) careful: bool,
    /// Best: whether the tree is released as it was grown, without a choice by cross-validation.
    pub(crate) whole: bool,
    pub(crate) purpose: TreePurpose,
}

/// What a tree is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TreePurpose {
    /// To be released.
    Release,
    /// To be one of an ensemble, whose thresholds need fewer individuals.
    Ensemble,
    /// To make groups of a table of its branches, which are of use even if it predicts nothing.
    Table,
}

impl CheckedTreeParams {
    /// The same under another guarantee, which must not be empty.
    pub(crate) fn with_guarantee(&self, guarantee: Guarantee) -> Self {
        let given = TreeParams { guarantee, ..self.given.clone() };
        Self { given, ..self.clone() }
    }

    /// Whether the fewest rows of a branch are those that are usual for the method.
    pub(crate) fn has_usual_min_rows(&self) -> bool {
        self.min_rows == TreeParams::new(self.method, Guarantee::default()).min_rows
    }

    /// The same for a tree whose branches become groups of a table.
    pub(crate) fn of_table(self) -> Self {
        Self { purpose: TreePurpose::Table, ..self }
    }

    /// The same for a tree whose splits ensure what depends on the whole tree.
    pub(crate) fn carefully(&self) -> Self {
        Self { careful: true, ..self.clone() }
    }

    /// The same for the trees of an ensemble.
    pub(crate) fn of_ensemble(self) -> Self {
        Self { purpose: TreePurpose::Ensemble, ..self }
    }

    /// The same for a tree that is not pruned.
    pub(crate) fn unpruned(self) -> Self {
        Self { whole: true, ..self }
    }
}

impl std::ops::Deref for CheckedTreeParams {
    type Target = TreeParams;

    fn deref(&self) -> &TreeParams {
        &self.given
    }
}
