//! The flags of a guarantee.

use super::choice;
use clap::Args;
use incrowd::guarantee::{Distance, GuaranteeRequest, Scope, SeveralRows, SingleBin};

/// What is asked for on top of the policy's guarantee.
#[derive(Debug, Args)]
#[command(next_help_heading = "Guarantee (added to the policy's)")]
pub(crate) struct GuaranteeFlags {
    /// At least N individuals in every span.
    #[arg(long, value_name = "N")]
    pub(crate) k: Option<u64>,
    #[command(flatten)]
    pub(crate) besides: RequirementFlags,
}

/// What can be asked for besides k.
#[derive(Debug, Args)]
#[command(next_help_heading = "Guarantee (added to the policy's)")]
pub(crate) struct RequirementFlags {
    /// Whether spans with a single bin need k individuals.
    #[arg(long, value_name = "HOW", value_parser = choice::<SingleBin>())]
    pub(crate) single_bin: Option<SingleBin>,
    /// What k counts where individuals have several rows.
    #[arg(long, value_name = "HOW", value_parser = choice::<SeveralRows>())]
    pub(crate) several_rows: Option<SeveralRows>,
    /// At least L different private values.
    #[arg(long, value_name = "L")]
    pub(crate) distinct_l: Option<u32>,
    /// Entropy of the private values of at least log L.
    #[arg(long, value_name = "L")]
    pub(crate) entropy_l: Option<f64>,
    /// Recursive (c,l)-diversity.
    #[arg(long, value_name = "C,L", value_parser = pair)]
    pub(crate) recursive: Option<(f64, u32)>,
    /// No private value held by more than this share of a span.
    #[arg(long, value_name = "SHARE")]
    pub(crate) confidence: Option<f64>,
    /// t-closeness.
    #[arg(long, value_name = "T")]
    pub(crate) t_closeness: Option<f64>,
    /// How far apart two values are for t-closeness.
    #[arg(long, value_name = "HOW", value_parser = choice::<Distance>())]
    pub(crate) t_distance: Option<Distance>,
    /// The alpha of (alpha,k)-anonymity.
    #[arg(long, value_name = "SHARE")]
    pub(crate) alpha: Option<f64>,
    /// Basic beta-likeness.
    #[arg(long, value_name = "BETA")]
    pub(crate) beta: Option<f64>,
    /// No published or derivable cell with 1 to N - 1 individuals.
    #[arg(long, value_name = "N")]
    pub(crate) smallest_bin: Option<u64>,
    /// Which private attributes these look at: class, tested, all, or names separated by commas.
    #[arg(long, value_name = "WHICH")]
    pub(crate) of: Option<String>,
    /// Let these flags ask for less than the policy; the release states what was given up.
    #[arg(long)]
    pub(crate) weaken: bool,
}

impl GuaranteeFlags {
    /// The flags as a request.
    pub(crate) fn request(&self) -> GuaranteeRequest {
        let mut request = self.besides.request();
        request.k = self.k;
        request
    }
}

impl RequirementFlags {
    /// The flags as a request.
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
