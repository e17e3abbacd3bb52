use super::*;
use crate::guarantee::PrivateItem;
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
        earlier: None,
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
fn a_scope_must_name_private_attributes() {
    for (name, says) in [("nosuch", "not in the policy"), ("a", "public")] {
        let refused = request(|asked| asked.of = Some(named(&[name]))).on(&policy()).unwrap_err();
        assert_eq!((refused.place.parameter, refused.place.attribute.as_deref()), (Some("of"), Some(name)));
        assert!(refused.what.contains(says), "{refused}");
    }
}

#[test]
fn a_request_adds_to_the_policy() {
    let raised = request(|asked| (asked.k, asked.distinct_l) = (Some(20), Some(2))).on(&policy()).unwrap();
    let sentences: Vec<String> = raised.guarantee.requirements().iter().map(ToString::to_string).collect();
    assert_eq!(sentences, ["k = 20", "confidence <= 0.8", "distinct l = 2"]);
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

/// The scope of a policy is a floor: names beside the class add to it, and less than a scope that the policy states
/// is less, even if the policy itself requires nothing of values.
#[test]
fn scopes_are_floors() {
    let mut three = policy();
    three.attributes.push(Attribute::new("q", Role::Private));
    let of = |scope: Scope| request(|asked| (asked.of, asked.distinct_l) = (Some(scope), Some(2)));
    let raised = of(named(&["q", "c"])).on(&three).unwrap().guarantee;
    assert_eq!(*raised.scope(), Scope::ClassAnd(vec!["q".to_owned(), "c".to_owned()]));
    let applies = |contained: &[PrivateItem<'_>]| raised.resolve(&three, contained).unwrap().applies;
    let [q, x] = ["q", "x"].map(PrivateItem::attribute);
    assert_eq!(applies(&[q.clone(), x.clone(), PrivateItem::class("c")]), [true, false, true]);
    assert_eq!(applies(&[q, x]), [true, true], "without the class, the policy means every private attribute");
    let error = of(named(&["q"])).on(&three).unwrap_err();
    assert_eq!(error.what, "this is weaker than what the policy requires: requirements on the class");
    let only_k = |scope: Scope| of_guarantee(Guarantee::k_anonymity(2).unwrap().of(scope));
    assert!(of(named(&["x"])).on(&only_k(Scope::Class)).is_ok(), "the default states nothing");
    let error = of(Scope::Class).on(&only_k(Scope::All)).unwrap_err();
    assert_eq!(
        error.what,
        "this is weaker than what the policy requires: requirements on every private attribute"
    );
    let error = of(Scope::Class).on(&only_k(named(&["x", "c"]))).unwrap_err();
    assert_eq!(error.what, "this is weaker than what the policy requires: requirements on x, c");
    assert!(of(Scope::All).on(&only_k(named(&["x"]))).is_ok());
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
    assert_eq!(error.place.parameter, Some("t_distance"));
}

/// As in policy files: a class that everyone knows cannot be protected.
#[test]
fn requirements_on_values_do_not_apply_to_a_public_class() {
    let mut public = of_guarantee(Guarantee::k_anonymity(10).unwrap());
    public.attributes[2].role = Role::Public;
    let error = request(|asked| asked.distinct_l = Some(2)).on(&public).unwrap_err();
    assert_eq!((error.kind, error.place.parameter), (ErrorKind::Parameters, Some("distinct_l")));
    assert!(request(|asked| asked.k = Some(20)).on(&public).is_ok(), "k is not about values");
    assert!(request(|asked| asked.smallest_bin = Some(20)).on(&public).is_ok());
    for of in [Scope::Tested, Scope::All, named(&["x"])] {
        let asked = request(|asked| (asked.distinct_l, asked.of) = (Some(2), Some(of.clone())));
        assert!(asked.on(&public).is_ok(), "{of:?}");
    }
    public.class = None;
    assert!(request(|asked| asked.distinct_l = Some(2)).on(&public).is_ok(), "without a class");
}

#[test]
fn numbers_out_of_range_name_their_parameter() {
    let error = request(|asked| asked.beta = Some(-1.0)).on(&policy()).unwrap_err();
    assert_eq!(error.place.parameter, Some("beta"));
}
