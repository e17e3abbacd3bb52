//! What is requested on top of a policy's guarantee.
//!
//! The policy's guarantee is the floor: a request adds to it. A request for less is an error unless it explicitly
//! allows weakening the guarantee. What was weakened is then recorded, so that a release can state it.

use super::{Distance, Guarantee, Requirement, Scope, SeveralRows, SingleBin};
use crate::error::{Error, ErrorKind, Result};
use crate::policy::{Policy, Role};

/// What is requested on top of a policy's guarantee. What is not given stays as the policy states it.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct GuaranteeRequest {
    /// At least this many individuals in every span.
    pub k: Option<u64>,
    /// Whether spans with a single bin count towards k.
    pub single_bin: Option<SingleBin>,
    /// What k counts where individuals have several rows.
    pub several_rows: Option<SeveralRows>,
    /// At least this many different private values in every span.
    pub distinct_l: Option<u32>,
    /// Entropy of at least the logarithm of this.
    pub entropy_l: Option<f64>,
    /// Recursive (c,l)-diversity.
    pub recursive_l: Option<(f64, u32)>,
    /// The highest share of a span with one private value.
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
    /// Whether less than the policy's guarantee may be requested.
    pub weaken: bool,
}

/// A policy's guarantee with a request on top of it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RaisedGuarantee {
    /// What must hold.
    pub guarantee: Guarantee,
    /// What the policy requires and this guarantee does not, in words. Empty unless the request may weaken it.
    pub weakened: Vec<String>,
}

impl GuaranteeRequest {
    /// The guarantee of a policy with this request on top of it.
    ///
    /// # Errors
    /// When a number is out of its range, a distance is given without a t, or less is requested than the policy
    /// requires and the request does not allow weakening.
    pub fn on(&self, policy: &Policy) -> Result<RaisedGuarantee> {
        let floor = &policy.guarantee;
        let mut raised = RaisedGuarantee { guarantee: floor.clone(), weakened: Vec::new() };
        for (parameter, requirement) in self.requirements(floor) {
            let requirement = requirement.map_err(|error| out_of_range(error, parameter))?;
            if let Some(stated) = floor.requirements().iter().find(|stated| stated.is_above(&requirement)) {
                let weaker = stated.weaker_part(&requirement).unwrap_or(parameter);
                self.give_up(weaker, &stated.to_string(), &mut raised.weakened)?;
            }
            raised.guarantee = raised.guarantee.with(requirement);
        }
        if let Some(of) = &self.of {
            let is_used = floor.requirements().iter().any(Requirement::looks_at_values);
            // The class by its name is the class, also in releases that do not contain it.
            if is_used && *floor.scope() == Scope::Class && of.is_class_of(policy) {
                return Ok(raised);
            }
            if is_used && !of.includes(floor.scope(), policy) {
                let stated = format!("requirements on {}", floor.scope().in_words());
                self.give_up("of", &stated, &mut raised.weakened)?;
            }
            raised.guarantee = raised.guarantee.of(of.clone());
        }
        Ok(raised)
    }

    fn give_up(&self, parameter: &'static str, stated: &str, weakened: &mut Vec<String>) -> Result<()> {
        if !self.weaken {
            return Err(Error::parameters(format!("the policy requires more: {stated}"))
                .of_parameter(parameter)
                .help("leave it out, change the policy, or weaken the guarantee explicitly (`weaken`)"));
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
            return Some(Err(Error::parameters("a distance needs a t").help("give `t_closeness` as well")));
        };
        Some(Requirement::t_closeness(t, distance))
    }
}

/// The error of a number that is out of its range.
fn out_of_range(mut error: Error, parameter: &'static str) -> Error {
    error.kind = ErrorKind::Parameters;
    error.help.get_or_insert_with(|| "give a number in this range, or omit it".to_owned());
    error.of_parameter(parameter)
}

impl Requirement {
    /// Whether it is of the same kind as `asked` and something may satisfy `asked` and break it.
    fn is_above(&self, asked: &Self) -> bool {
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
    /// The parameter of one of several that makes `asked` less than this requirement.
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
    /// Whether requirements under this scope apply to all that they apply to under the other one, in every release.
    fn includes(&self, other: &Self, policy: &Policy) -> bool {
        match (self, other) {
            (Self::All | Self::Tested, _) => true,
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

    /// Whether it is the class of a policy, by its name.
    fn is_class_of(&self, policy: &Policy) -> bool {
        matches!((self, &policy.class), (Self::Named(names), Some(class)) if names.iter().eq([class]))
    }

    fn in_words(&self) -> String {
        match self {
            Self::Class => "the class".to_owned(),
            Self::Tested | Self::All => "every private attribute".to_owned(),
            Self::Named(names) => names.join(", "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Attribute, Undeclared};

    fn policy() -> Policy {
        let requirements =
            vec![Requirement::k(10, SingleBin::Counted).unwrap(), Requirement::confidence(0.8).unwrap()];
        of_guarantee(Guarantee::new(requirements, Scope::Class).unwrap())
    }

    /// A policy with the private class c, the private attribute x and the public attribute a.
    fn of_guarantee(guarantee: Guarantee) -> Policy {
        let roles = [("a", Role::Public), ("x", Role::Private), ("c", Role::Private)];
        Policy {
            attributes: roles.map(|(name, role)| Attribute::new(name, role)).to_vec(),
            class: Some("c".to_owned()),
            subject: None,
            dependencies: Vec::new(),
            undeclared: Undeclared::default(),
            guarantee,
        }
    }

    fn named(names: &[&str]) -> Scope {
        Scope::Named(names.iter().map(|&name| name.to_owned()).collect())
    }

    fn request(change: impl FnOnce(&mut GuaranteeRequest)) -> GuaranteeRequest {
        let mut request = GuaranteeRequest::default();
        change(&mut request);
        request
    }

    #[test]
    fn a_request_adds_to_the_policy() {
        let raised =
            request(|asked| (asked.k, asked.distinct_l) = (Some(20), Some(2))).on(&policy()).unwrap();
        let sentences: Vec<String> =
            raised.guarantee.requirements().iter().map(ToString::to_string).collect();
        assert_eq!(sentences, ["confidence <= 0.8", "k = 20", "distinct l = 2"]);
        assert!(raised.weakened.is_empty());
    }

    #[test]
    fn nothing_asked_is_the_policy() {
        assert_eq!(GuaranteeRequest::default().on(&policy()).unwrap().guarantee, policy().guarantee);
    }

    #[test]
    fn less_than_the_policy_must_be_said() {
        type Change = fn(&mut GuaranteeRequest);
        let weaker: [(&str, Change); 8] = [
            ("k", |asked| asked.k = Some(9)),
            ("k", |asked| (asked.k, asked.single_bin) = (Some(9), Some(SingleBin::Exempt))),
            ("single_bin", |asked| asked.single_bin = Some(SingleBin::Exempt)),
            ("single_bin", |asked| (asked.k, asked.single_bin) = (Some(11), Some(SingleBin::Exempt))),
            ("several_rows", |asked| asked.several_rows = Some(SeveralRows::Counted)),
            ("confidence", |asked| asked.confidence = Some(0.9)),
            ("t_distance", |asked| asked.t_distance = Some(Distance::Ordered)),
            ("of", |asked| asked.of = Some(named(&["x"]))),
        ];
        let strict = Requirement::k_over(10, SingleBin::Counted, SeveralRows::Strict).unwrap();
        let closeness = Requirement::t_closeness(0.5, Distance::Equal).unwrap();
        let policy = || of_guarantee(policy().guarantee.with(strict).with(closeness));
        for (parameter, change) in weaker {
            let error = request(change).on(&policy()).unwrap_err();
            assert_eq!((error.kind, error.place.parameter), (ErrorKind::Parameters, Some(parameter)));
            let mut asked = request(change);
            asked.weaken = true;
            assert_eq!(asked.on(&policy()).unwrap().weakened.len(), 1);
        }
        assert!(request(|asked| asked.of = Some(Scope::All)).on(&policy()).is_ok());
    }

    /// What is equal or stricter is not less than what is stated, for every requirement.
    #[test]
    fn only_weaker_requirements_are_less() {
        let is_above = |stated: &Result<Requirement>, asked: &Result<Requirement>| {
            stated.as_ref().unwrap().is_above(asked.as_ref().unwrap())
        };
        let k = |k, single_bin, several_rows| Requirement::k_over(k, single_bin, several_rows);
        let t = Requirement::t_closeness;
        // Each strictest first.
        let chains = [
            [6, 5, 4].map(|n| k(n, SingleBin::Counted, SeveralRows::Counted)),
            [6, 5, 4].map(Requirement::distinct_l),
            [2.5, 2.0, 1.5].map(Requirement::entropy_l),
            [2.0, 3.0, 4.0].map(|c| Requirement::recursive_l(c, 3)),
            [4, 3, 2].map(|l| Requirement::recursive_l(3.0, l)),
            [0.2, 0.3, 0.4].map(Requirement::confidence),
            [0.2, 0.3, 0.4].map(|limit| t(limit, Distance::Equal)),
            [0.2, 0.3, 0.4].map(Requirement::alpha),
            [1.0, 2.0, 3.0].map(Requirement::beta),
            [6, 5, 4].map(Requirement::smallest_bin),
        ];
        for chain in &chains {
            let [strict, stated, weak] = chain;
            assert!(is_above(stated, weak), "{stated:?} {weak:?}");
            assert!(!is_above(stated, stated) && !is_above(stated, strict), "{stated:?}");
        }
        for (place, stated) in chains.iter().enumerate() {
            let others = chains.iter().enumerate().filter(|(other, _)| {
                // Both are about recursive l.
                *other != place && ![(3, 4), (4, 3)].contains(&(place, *other))
            });
            others.for_each(|(_, other)| assert!(!is_above(&stated[1], &other[2])));
        }
        let counted = k(5, SingleBin::Counted, SeveralRows::Counted);
        let exempt = k(5, SingleBin::Exempt, SeveralRows::Counted);
        let strict = k(5, SingleBin::Counted, SeveralRows::Strict);
        assert!(is_above(&counted, &exempt) && !is_above(&exempt, &counted) && !is_above(&exempt, &exempt));
        assert!(is_above(&strict, &counted) && !is_above(&counted, &strict) && !is_above(&strict, &strict));
        // Neither distance bounds the other.
        let (equal, ordered) = (t(0.3, Distance::Equal), t(0.1, Distance::Ordered));
        assert!(is_above(&equal, &ordered) && is_above(&ordered, &equal));
    }

    #[test]
    fn scopes_include_one_another() {
        let includes = |scope: &Scope, other: &Scope| scope.includes(other, &policy());
        let (one, two) = (named(&["x"]), named(&["c", "x"]));
        for other in [&Scope::Class, &Scope::Tested, &Scope::All, &one] {
            assert!(includes(&Scope::All, other) && includes(&Scope::Tested, other) && includes(&two, other));
        }
        assert!(includes(&one, &one) && !includes(&one, &two) && includes(&Scope::Class, &Scope::Class));
        assert!(!includes(&Scope::Class, &Scope::All) && !includes(&Scope::Class, &one));
        assert!(!includes(&one, &Scope::Class) && !includes(&one, &Scope::All));
    }

    /// The class by its name is what `class` means, and every private attribute is more; the class alone is less than
    /// every private attribute.
    #[test]
    fn the_class_can_be_named() {
        let scope = |policy: &Policy, names: &[&str]| {
            request(|asked| asked.of = Some(named(names)))
                .on(policy)
                .map(|raised| raised.guarantee.scope().clone())
        };
        assert_eq!(scope(&policy(), &["c"]), Ok(Scope::Class));
        assert_eq!(scope(&policy(), &["c", "x"]), Ok(named(&["c", "x"])));
        let all = of_guarantee(policy().guarantee.of(Scope::All));
        assert_eq!(scope(&all, &["x", "c"]), Ok(named(&["x", "c"])));
        assert!(scope(&all, &["c"]).is_err() && scope(&policy(), &["x"]).is_err());
    }

    /// Single bins and several rows alone change the k of the policy; without one they are about k = 1.
    #[test]
    fn parts_of_a_requirement_keep_the_rest() {
        let strict = request(|asked| asked.several_rows = Some(SeveralRows::Strict));
        let sentences = |floor: &Policy, asked: &GuaranteeRequest| -> Vec<Requirement> {
            asked.on(floor).unwrap().guarantee.requirements().to_vec()
        };
        let expected = Requirement::k_over(10, SingleBin::Counted, SeveralRows::Strict).unwrap();
        assert!(sentences(&policy(), &strict).contains(&expected));
        let expected = Requirement::k_over(1, SingleBin::Counted, SeveralRows::Strict).unwrap();
        assert_eq!(sentences(&of_guarantee(Guarantee::default()), &strict), [expected]);
        let ordered = Requirement::t_closeness(0.2, Distance::Ordered).unwrap();
        let floor = of_guarantee(policy().guarantee.with(ordered));
        let closer = request(|asked| asked.t_closeness = Some(0.1));
        let expected = Requirement::t_closeness(0.1, Distance::Ordered).unwrap();
        assert!(sentences(&floor, &closer).contains(&expected));
        let again = request(|asked| asked.t_distance = Some(Distance::Ordered));
        assert!(sentences(&floor, &again).contains(&ordered));
    }

    #[test]
    fn a_distance_needs_a_t() {
        let error = request(|asked| asked.t_distance = Some(Distance::Ordered)).on(&policy()).unwrap_err();
        assert_eq!(error.place.parameter, Some("t_closeness"));
    }

    #[test]
    fn numbers_out_of_range_name_their_parameter() {
        let error = request(|asked| asked.beta = Some(-1.0)).on(&policy()).unwrap_err();
        assert_eq!(error.place.parameter, Some("beta"));
    }
}
