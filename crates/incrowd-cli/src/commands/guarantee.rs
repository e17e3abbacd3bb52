//! The guarantee a command works under: the policy's, with the flags put before it.

use crate::args::{DistanceFlag, GuaranteeFlags, RequirementFlags, SeveralRowsFlag, SingleBinFlag};
use incrowd::guarantee::{Distance, Guarantee, Requirement, Scope, SeveralRows, SingleBin};
use incrowd::{Error, Result};

/// The policy's guarantee with the flags put before it.
pub(crate) fn guarantee(of_policy: &Guarantee, flags: &GuaranteeFlags) -> Result<Guarantee> {
    guarantee_with(of_policy, flags.k, &flags.besides)
}

/// The same, with a k from elsewhere.
pub(crate) fn guarantee_with(
    of_policy: &Guarantee,
    asked_k: Option<u64>,
    flags: &RequirementFlags,
) -> Result<Guarantee> {
    let asked = |wanted: &mut Guarantee, name: &'static str, requirement: Option<Result<Requirement>>| {
        let Some(requirement) = requirement else { return Ok(()) };
        let requirement = requirement.map_err(|error| {
            error.about(format_args!("--{name}")).help("give a number of this kind, or leave the flag out")
        })?;
        *wanted = std::mem::take(wanted).with(requirement);
        Ok::<(), Error>(())
    };
    let mut wanted = of_policy.clone();
    asked(&mut wanted, "k", k(of_policy, asked_k, flags))?;
    asked(&mut wanted, "distinct-l", flags.distinct_l.map(Requirement::distinct_l))?;
    asked(&mut wanted, "entropy-l", flags.entropy_l.map(Requirement::entropy_l))?;
    asked(&mut wanted, "recursive", flags.recursive.map(|(c, l)| Requirement::recursive_l(c, l)))?;
    asked(&mut wanted, "confidence", flags.confidence.map(Requirement::confidence))?;
    asked(&mut wanted, "t-closeness", t_closeness(of_policy, flags))?;
    asked(&mut wanted, "alpha", flags.alpha.map(Requirement::alpha))?;
    asked(&mut wanted, "beta", flags.beta.map(Requirement::beta))?;
    asked(&mut wanted, "smallest-bin", flags.smallest_bin.map(Requirement::smallest_bin))?;
    Ok(match &flags.of {
        Some(of) => wanted.of(scope(of)),
        None => wanted,
    })
}

fn k(of_policy: &Guarantee, asked: Option<u64>, flags: &RequirementFlags) -> Option<Result<Requirement>> {
    let stated = of_policy.requirements().iter().find_map(|requirement| match requirement {
        Requirement::K(k) => Some((k.k(), k.single_bin(), k.several_rows())),
        _ => None,
    });
    if asked.is_none() && flags.single_bin.is_none() && flags.several_rows.is_none() {
        return None;
    }
    let single_bin = match flags.single_bin {
        Some(SingleBinFlag::Counted) => SingleBin::Counted,
        Some(SingleBinFlag::Exempt) => SingleBin::Exempt,
        None => stated.map_or_else(SingleBin::default, |(_, single_bin, _)| single_bin),
    };
    let several_rows = match flags.several_rows {
        Some(SeveralRowsFlag::Counted) => SeveralRows::Counted,
        Some(SeveralRowsFlag::Strict) => SeveralRows::Strict,
        None => stated.map_or_else(SeveralRows::default, |(_, _, several_rows)| several_rows),
    };
    let k = asked.or(stated.map(|(k, _, _)| k)).unwrap_or(1);
    Some(Requirement::k_over(k, single_bin, several_rows))
}

fn t_closeness(of_policy: &Guarantee, flags: &RequirementFlags) -> Option<Result<Requirement>> {
    let stated = of_policy.requirements().iter().find_map(|requirement| match requirement {
        Requirement::TCloseness(t) => Some((t.t(), t.distance())),
        _ => None,
    });
    let distance = match flags.t_distance {
        Some(DistanceFlag::Equal) => Distance::Equal,
        Some(DistanceFlag::Ordered) => Distance::Ordered,
        None => stated.map_or_else(Distance::default, |(_, distance)| distance),
    };
    match (flags.t_closeness, stated) {
        (Some(t), _) => Some(Requirement::t_closeness(t, distance)),
        (None, Some((t, _))) if flags.t_distance.is_some() => Some(Requirement::t_closeness(t, distance)),
        (None, None) if flags.t_distance.is_some() => {
            Some(Err(Error::new("--t-distance needs a t").help("give --t-closeness as well")))
        }
        _ => None,
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
