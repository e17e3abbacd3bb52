//! Requests: requirements on top of a policy's guarantee.
//!
//! The policy's guarantee is the minimum: a request adds to it. A request for less is an error unless it explicitly
//! allows weakening the guarantee. The weakened requirements are then recorded, so that a release can state them.

use super::scope::check_private;
use super::{Distance, Guarantee, Preset, Requirement, Scope, SeveralRows, SingleBin};
use crate::error::{Error, ErrorKind, Result};
use crate::policy::{Policy, Role};

#[cfg(test)]
mod tests;

/// Requirements on top of a policy's guarantee. Requirements that are not given stay as in the policy.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct GuaranteeRequest {
    /// At least this many individuals in every span.
    pub k: Option<u64>,
    /// Whether spans with a single bin count towards k.
    pub single_bin: Option<SingleBin>,
    /// What k counts if individuals have several rows.
    pub several_rows: Option<SeveralRows>,
    /// At least this many different private values in every span.
    pub distinct_l: Option<u32>,
    /// Entropy of at least the logarithm of this.
    pub entropy_l: Option<f64>,
    /// Recursive (c,l)-diversity.
    pub recursive_l: Option<(f64, u32)>,
    /// The highest share of a span with the same private value.
    pub confidence: Option<f64>,
    /// The largest distance from the distribution in the whole table.
    pub t_closeness: Option<f64>,
    /// How that distance is measured.
    pub t_distance: Option<Distance>,
    /// The alpha of (alpha,k)-anonymity.
    pub alpha: Option<f64>,
    /// The beta of beta-likeness.
    pub beta: Option<f64>,
    /// The smallest bin.
    pub smallest_bin: Option<u64>,
    /// Which private attributes the requirements on private values apply to.
    pub of: Option<Scope>,
    /// Presets, whose requirements are added like those of the policy.
    pub presets: Vec<Preset>,
    /// Whether less than the policy's guarantee may be requested.
    pub weaken: bool,
}

/// A policy's guarantee with a request on top of it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RaisedGuarantee {
    /// What must hold.
    pub guarantee: Guarantee,
    /// The requirements of the policy that this guarantee does not meet, in words. Empty unless the request allows
    /// weakening.
    pub weakened: Vec<String>,
}

impl GuaranteeRequest {
    /// The guarantee of a policy with this request on top of it.
    ///
    /// # Errors
    /// When a number is out of its range, a distance is given without a t, requirements on private values would apply
    /// to a public class, or less is requested than the policy requires and the request does not allow weakening.
    pub fn on(&self, policy: &Policy) -> Result<RaisedGuarantee> {
        let floor =
            &self.presets.iter().fold(policy.guarantee.clone(), |floor, &preset| floor.with_preset(preset));
        let mut raised = RaisedGuarantee { guarantee: floor.clone(), weakened: Vec::new() };
        for (parameter, requirement) in self.requirements(floor) {
            let requirement = requirement.map_err(|error| out_of_range(error, parameter))?;
            if let Some(stated) = floor.requirements().iter().find(|stated| stated.is_above(&requirement)) {
                let weaker = stated.weaker_part(&requirement).unwrap_or(parameter);
                let by_policy = policy.guarantee.requirements().contains(stated);
                let by = if by_policy { "the policy" } else { "the preset" };
                self.give_up(weaker, by, &stated.to_string(), &mut raised.weakened)?;
            }
            raised.guarantee = raised.guarantee.with(requirement);
        }
        if let Some(of) = &self.of {
            check_names(of, policy)?;
            // Every policy has a scope. One that is not the default was meant, also where nothing of the policy uses
            // it.
            let is_used = floor.looks_at_values() || *floor.scope() != Scope::default();
            let of = if is_used { of.with_class_of(floor.scope(), policy) } else { of.clone() };
            if is_used && !of.includes(floor.scope(), policy) {
                let stated = format!("requirements on {}", floor.scope().in_words());
                self.give_up("of", "the policy", &stated, &mut raised.weakened)?;
            }
            raised.guarantee = raised.guarantee.of(of);
        }
        self.check_class(&raised.guarantee, policy)?;
        Ok(raised)
    }

    /// Refuses requirements on private values with the scope `class` if the class is public, as policy files do.
    fn check_class(&self, raised: &Guarantee, policy: &Policy) -> Result<()> {
        let class = policy.class.as_deref().and_then(|name| policy.attribute(name));
        let is_public = class.is_some_and(|class| class.role == Role::Public);
        if !is_public || *raised.scope() != Scope::Class || !raised.looks_at_values() {
            return Ok(());
        }
        let asked = self.requirements(&policy.guarantee);
        let looks = |asked: &Result<Requirement>| asked.as_ref().is_ok_and(Requirement::looks_at_values);
        let added = asked.iter().find(|(_, asked)| looks(asked)).map(|&(parameter, _)| parameter);
        let Some(parameter) = added.or(self.of.is_some().then_some("of")) else { return Ok(()) };
        Err(Error::parameters("this applies to the class, which is public")
            .of_parameter(parameter)
            .help("set the scope (`of`) to all, or name private attributes"))
    }

    fn give_up(
        &self,
        parameter: &'static str,
        by: &str,
        stated: &str,
        weakened: &mut Vec<String>,
    ) -> Result<()> {
        if !self.weaken {
            return Err(Error::parameters(format!("this is weaker than what {by} requires: {stated}"))
                .of_parameter(parameter)
                .help(format!("leave it out, change {by}, or allow less than {by} requires (`weaken`)")));
        }
        weakened.push(stated.to_owned());
        Ok(())
    }

    /// The requested requirements, by the name of their parameter.
    fn requirements(&self, floor: &Guarantee) -> Vec<(&'static str, Result<Requirement>)> {
        let asked = [
            ("k", self.k(floor)),
            ("distinct_l", self.distinct_l.map(Requirement::distinct_l)),
            ("entropy_l", self.entropy_l.map(Requirement::entropy_l)),
            ("recursive", self.recursive_l.map(|(c, l)| Requirement::recursive_l(c, l))),
            ("confidence", self.confidence.map(Requirement::confidence)),
            ("t_closeness", self.t_closeness(floor)),
            ("alpha", self.alpha.map(Requirement::alpha)),
            ("beta", self.beta.map(Requirement::beta)),
            ("smallest_bin", self.smallest_bin.map(Requirement::smallest_bin)),
        ];
        asked.into_iter().filter_map(|(name, asked)| asked.map(|asked| (name, asked))).collect()
    }

    fn k(&self, floor: &Guarantee) -> Option<Result<Requirement>> {
        if self.k.is_none() && self.single_bin.is_none() && self.several_rows.is_none() {
            return None;
        }
        let stated = floor.requirements().iter().find_map(|requirement| match requirement {
            Requirement::K(k) => Some((k.k(), k.single_bin(), k.several_rows())),
            _ => None,
        });
        let (k, single_bin, several_rows) =
            stated.unwrap_or((1, SingleBin::default(), SeveralRows::default()));
        Some(Requirement::k_over(
            self.k.unwrap_or(k),
            self.single_bin.unwrap_or(single_bin),
            self.several_rows.unwrap_or(several_rows),
        ))
    }

    fn t_closeness(&self, floor: &Guarantee) -> Option<Result<Requirement>> {
        let stated = floor.requirements().iter().find_map(|requirement| match requirement {
            Requirement::TCloseness(t) => Some((t.t(), t.distance())),
            _ => None,
        });
        if self.t_closeness.is_none() && self.t_distance.is_none() {
            return None;
        }
        let distance = self.t_distance.or(stated.map(|(_, distance)| distance)).unwrap_or_default();
        let Some(t) = self.t_closeness.or(stated.map(|(t, _)| t)) else {
            return Some(Err(Error::parameters("this needs t-closeness")
                .of_parameter("t_distance")
                .help("give `t_closeness` as well")));
        };
        Some(Requirement::t_closeness(t, distance))
    }
}

/// Refuses a scope that names attributes without private values, before it is compared with that of the policy. The items
/// of baskets are not listed in a policy, and are checked with the baskets.
fn check_names(of: &Scope, policy: &Policy) -> Result<()> {
    match of {
        Scope::Named(names) | Scope::ClassAnd(names) if !policy.attributes.is_empty() => {
            let check = |name: &String| check_private(policy, name).map_err(|error| error.of_parameter("of"));
            names.iter().try_for_each(check)
        }
        _ => Ok(()),
    }
}

/// The error of a number that is out of its range.
fn out_of_range(mut error: Error, parameter: &'static str) -> Error {
    error.kind = ErrorKind::Parameters;
    error.help.get_or_insert_with(|| "give a number in this range, or leave it out".to_owned());
    error.place.parameter.get_or_insert(parameter);
    error
}

impl Guarantee {
    /// What another guarantee requires and this one does not, in words; empty if this one requires at least as much.
    /// `policy` is the policy of the other one.
    pub fn lacks(&self, other: &Self, policy: &Policy) -> Vec<String> {
        let own = |stated: &Requirement| {
            let is_same = |own: &&Requirement| std::mem::discriminant(*own) == std::mem::discriminant(stated);
            self.requirements().iter().find(is_same)
        };
        let is_lacking = |stated: &&Requirement| own(stated).is_none_or(|own| stated.is_above(own));
        let mut lacks: Vec<String> =
            other.requirements().iter().filter(is_lacking).map(ToString::to_string).collect();
        if other.looks_at_values() && !self.scope().includes(other.scope(), policy) {
            lacks.push(format!("requirements on {}", other.scope().in_words()));
        }
        lacks
    }
}

impl Requirement {
    /// Whether it is of the same kind as `asked`, and a span may satisfy `asked` but break this requirement.
    pub fn is_above(&self, asked: &Self) -> bool {
        match (self, asked) {
            (Self::K(stated), Self::K(asked)) => {
                asked.k() < stated.k()
                    || (asked.single_bin() == SingleBin::Exempt && stated.single_bin() == SingleBin::Counted)
                    || (asked.several_rows() == SeveralRows::Counted
                        && stated.several_rows() == SeveralRows::Strict)
            }
            (Self::DistinctL(stated), Self::DistinctL(asked)) => asked.l() < stated.l(),
            (Self::EntropyL(stated), Self::EntropyL(asked)) => asked.l() < stated.l(),
            (Self::RecursiveL(stated), Self::RecursiveL(asked)) => {
                asked.c() > stated.c() || asked.l() < stated.l()
            }
            (Self::Confidence(stated), Self::Confidence(asked)) => asked.cap() > stated.cap(),
            // The distances do not bound each other for every table.
            (Self::TCloseness(stated), Self::TCloseness(asked)) => {
                asked.t() > stated.t() || asked.distance() != stated.distance()
            }
            (Self::Alpha(stated), Self::Alpha(asked)) => asked.alpha() > stated.alpha(),
            (Self::Beta(stated), Self::Beta(asked)) => asked.beta() > stated.beta(),
            (Self::SmallestBin(stated), Self::SmallestBin(asked)) => asked.n() < stated.n(),
            _ => false,
        }
    }
}

impl Requirement {
    /// Of several parameters, the one that makes `asked` less than this requirement.
    fn weaker_part(&self, asked: &Self) -> Option<&'static str> {
        match (self, asked) {
            (Self::K(stated), Self::K(asked)) if asked.k() >= stated.k() => {
                Some(if asked.single_bin() == stated.single_bin() { "several_rows" } else { "single_bin" })
            }
            (Self::TCloseness(stated), Self::TCloseness(asked)) if asked.t() <= stated.t() => {
                Some("t_distance")
            }
            _ => None,
        }
    }
}

impl Scope {
    /// Whether this scope includes everything in the other scope, in every release.
    fn includes(&self, other: &Self, policy: &Policy) -> bool {
        match (self, other) {
            (Self::All | Self::Tested, _) | (Self::ClassAnd(_), Self::Class) => true,
            (Self::Named(these), Self::Named(those)) => those.iter().all(|name| these.contains(name)),
            (Self::Named(these), _) => {
                // The private items of baskets are not listed in a policy.
                let known = policy.known();
                let mut private = policy.with_role(Role::Private).peekable();
                let is_there = |name: &str| these.iter().chain(&known).any(|other| other == name);
                private.peek().is_some() && private.all(is_there)
            }
            _ => self == other,
        }
    }

    /// Returns the scope, with a list that includes the class turned into the class and the other names: the class
    /// keeps its meaning, also in releases that do not contain it.
    fn with_class_of(&self, floor: &Self, policy: &Policy) -> Self {
        match (self, floor, &policy.class) {
            (Self::Named(names), Self::Class, Some(class)) if names.iter().eq([class]) => Self::Class,
            (Self::Named(names), Self::Class, Some(class))
                if names.contains(class) && !self.includes(floor, policy) =>
            {
                Self::ClassAnd(names.clone())
            }
            _ => self.clone(),
        }
    }

    /// The attributes, in words.
    pub fn in_words(&self) -> String {
        match self {
            Self::Class => "the class".to_owned(),
            Self::Tested | Self::All => "every private attribute".to_owned(),
            Self::Named(names) | Self::ClassAnd(names) => names.join(", "),
        }
    }
}
