//! The flags of a guarantee.

use super::{choice, share};
use clap::Args;
use incrowd::guarantee::{Distance, GuaranteeRequest, Preset, Scope, SeveralRows, SingleBin};

/// Requirements added to the policy's guarantee.
#[derive(Debug, Args)]
#[command(next_help_heading = "Guarantee (added to the policy's)")]
pub(crate) struct GuaranteeFlags {
    /// Require at least N individuals in every group that an attacker can tell apart (span).
    #[arg(long, value_name = "N")]
    pub(crate) k: Option<u64>,
    #[command(flatten)]
    pub(crate) besides: RequirementFlags,
}

/// Requirements other than k.
#[derive(Debug, Args)]
#[command(next_help_heading = "Guarantee (added to the policy's)")]
pub(crate) struct RequirementFlags {
    /// Whether k applies to a group whose members all have the same bin (a leaf with a class value, or a cluster), whatever their private values.
    #[arg(long, value_name = "HOW", value_parser = choice::<SingleBin>())]
    pub(crate) single_bin: Option<SingleBin>,
    /// How individuals with several rows are counted for k.
    #[arg(long, value_name = "HOW", value_parser = choice::<SeveralRows>())]
    pub(crate) several_rows: Option<SeveralRows>,
    /// Require at least L distinct private values in every group (distinct l-diversity).
    #[arg(long, value_name = "L")]
    pub(crate) distinct_l: Option<u32>,
    /// Require the entropy of the private values in every group to be at least log L (entropy l-diversity).
    #[arg(long, value_name = "L")]
    pub(crate) entropy_l: Option<f64>,
    /// Require recursive (c,l)-diversity: the most frequent private value of a group occurs less than C times as often
    /// as the values from the L-th most frequent one on together.
    #[arg(long, value_name = "C,L", value_parser = pair)]
    pub(crate) recursive: Option<(f64, u32)>,
    /// Maximum share of the individuals of a group who may have the same private value.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) confidence: Option<f64>,
    /// Require t-closeness: the distribution of the private values in a group is at most T away from that in the whole
    /// table.
    #[arg(long, value_name = "T")]
    pub(crate) t_closeness: Option<f64>,
    /// Distance between two values for t-closeness.
    #[arg(long, value_name = "HOW", value_parser = choice::<Distance>())]
    pub(crate) t_distance: Option<Distance>,
    /// Maximum share of one private value among all private values of a group; with k, (alpha,k)-anonymity.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) alpha: Option<f64>,
    /// Require basic beta-likeness: the share of a private value in a group exceeds its share in the whole table by at
    /// most BETA times that share.
    #[arg(long, value_name = "BETA")]
    pub(crate) beta: Option<f64>,
    /// Minimum cell size: every count that is published or can be derived is 0 or at least N individuals.
    #[arg(long, value_name = "N")]
    pub(crate) smallest_bin: Option<u64>,
    /// Add the requirements of a guideline, and what it asks about the release. Can be given several times.
    #[arg(long, value_name = "NAME", value_parser = choice::<Preset>())]
    pub(crate) preset: Vec<Preset>,
    /// Private attributes that the requirements on private values apply to: class, tested, all, or names separated by
    /// commas.
    #[arg(long, value_name = "WHICH")]
    pub(crate) of: Option<String>,
    /// Allow flags to require less than the policy. The release or report lists the requirements that were weakened.
    #[arg(long)]
    pub(crate) weaken: bool,
}

impl GuaranteeFlags {
    /// Returns the flags as a request.
    pub(crate) fn request(&self) -> GuaranteeRequest {
        let mut request = self.besides.request();
        request.k = self.k;
        request
    }
}

impl RequirementFlags {
    /// Returns the flags as a request.
    pub(crate) fn request(&self) -> GuaranteeRequest {
        let mut request = GuaranteeRequest::default();
        request.single_bin = self.single_bin;
        request.several_rows = self.several_rows;
        request.distinct_l = self.distinct_l;
        request.entropy_l = self.entropy_l;
        request.recursive_l = self.recursive;
        request.confidence = self.confidence;
        request.t_closeness = self.t_closeness;
        request.t_distance = self.t_distance;
        request.alpha = self.alpha;
        request.beta = self.beta;
        request.smallest_bin = self.smallest_bin;
        request.of = self.of.as_deref().map(scope);
        request.presets.clone_from(&self.preset);
        request.weaken = self.weaken;
        request
    }
}

fn scope(text: &str) -> Scope {
    match text {
        "class" => Scope::Class,
        "tested" => Scope::Tested,
        "all" => Scope::All,
        names => Scope::Named(names.split(',').map(|name| name.trim().to_owned()).collect()),
    }
}

fn pair(text: &str) -> Result<(f64, u32), String> {
    let pair = text.split_once(',').and_then(|(c, l)| Some((c.trim().parse().ok()?, l.trim().parse().ok()?)));
    pair.ok_or_else(|| "give two numbers, for example 3,2".to_owned())
}
