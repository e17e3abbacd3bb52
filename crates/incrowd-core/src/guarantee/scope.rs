//! Scopes: which private attributes the requirements on private values apply to.
//!
//! [`Guarantee::resolve`] is the one place where this is decided, given the policy, the guarantee and the contents of a
//! release. Every miner and every audit calls it, so that a release is mined and audited under the same guarantee.
//!
//! - `class` applies to the class where the release contains it and it is private, and to every private attribute of
//!   the release otherwise.
//! - `tested` and `all` apply to every private attribute that the release contains.
//! - A list applies to the attributes it names. Each must be private and unknown to an attacker. One that the release
//!   does not contain cannot be inferred from it: nothing is required of it, and the audit warns about this.

use super::{Guarantee, Requirement};
use crate::error::{Error, Result};
use crate::nearest::did_you_mean;
use crate::policy::{Policy, Role};

/// Requirements on more attributes than this state their number instead of their names.
const NAMED: usize = 12;

/// The scopes that have a name.
const WORDS: [&str; 3] = ["class", "tested", "all"];

/// Which private attributes the requirements on private values apply to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    /// The class if it is private; every private attribute without a class.
    #[default]
    Class,
    /// The class and every private attribute the model distinguishes.
    Tested,
    /// Every private attribute of the release; the same as [`Scope::Tested`] for a model.
    All,
    /// These.
    Named(Vec<String>),
    /// The attributes of [`Scope::Class`] and these: a list with the class on top of a policy whose scope is the class.
    ClassAnd(Vec<String>),
}

/// Something private that a release contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateItem<'a> {
    name: &'a str,
    about: Vec<&'a str>,
    is_class: bool,
}

impl<'a> PrivateItem<'a> {
    /// A private attribute.
    pub fn attribute(name: &'a str) -> Self {
        Self { name, about: vec![name], is_class: false }
    }

    /// The private class of a classifier or a table.
    pub fn class(name: &'a str) -> Self {
        Self { is_class: true, ..Self::attribute(name) }
    }

    /// The attributes that it is about.
    pub(crate) fn about(&self) -> &[&'a str] {
        &self.about
    }

    /// Something that a release derives from several private attributes, such as the cluster.
    pub fn derived(name: &'a str, about: impl IntoIterator<Item = &'a str>) -> Self {
        Self { name, about: about.into_iter().collect(), is_class: false }
    }
}

/// The scope of a guarantee for one release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedScope {
    /// For each private item that the release contains, whether the requirements on private values apply to it.
    pub applies: Vec<bool>,
    /// The attributes that the guarantee names and the release does not contain.
    pub absent: Vec<String>,
    /// What the release contains although the guarantee is about the class or names other attributes: no requirement on
    /// private values applies to it.
    pub uncovered: Vec<String>,
    /// The attributes of the release that the requirements apply to, in words.
    stated: String,
}

/// What follows a requirement on private values if a release contains no attribute that it applies to.
pub const NOTHING_TO_CHECK: &str = "(nothing to check)";

impl ResolvedScope {
    /// A requirement in words with the attributes it applies to, such as `distinct l = 2 of disease`; with
    /// [`NOTHING_TO_CHECK`] if there is none.
    pub fn statement(&self, requirement: &Requirement) -> String {
        match (requirement.looks_at_values(), self.stated.as_str()) {
            (false, _) => requirement.to_string(),
            (true, "") => format!("{requirement} {NOTHING_TO_CHECK}"),
            (true, stated) => format!("{requirement} of {stated}"),
        }
    }
}

impl Guarantee {
    /// Which of the private items in a release the requirements on private values apply to.
    ///
    /// # Errors
    /// When the guarantee names an attribute that is not in the policy, that is neither public nor private, or that an
    /// attacker knows.
    pub fn resolve(&self, policy: &Policy, contained: &[PrivateItem<'_>]) -> Result<ResolvedScope> {
        let has_class = contained.iter().any(|contained| contained.is_class);
        let names = match self.scope() {
            Scope::Named(names) => Some(names),
            Scope::ClassAnd(names) => {
                names.iter().try_for_each(|name| check_private(policy, name))?;
                Some(names).filter(|_| has_class)
            }
            Scope::Class | Scope::Tested | Scope::All => None,
        };
        let Some(names) = names else {
            let only_class = *self.scope() == Scope::Class && has_class;
            let applies: Vec<bool> = contained.iter().map(|each| each.is_class || !only_class).collect();
            let stated = contained.iter().zip(&applies).filter(|&(_, &applies)| applies);
            let stated = listed(&stated.map(|(each, _)| each.name).collect::<Vec<_>>());
            let uncovered = not_covered(contained, &applies);
            return Ok(ResolvedScope { applies, absent: Vec::new(), uncovered, stated });
        };
        names.iter().try_for_each(|name| check_private(policy, name))?;
        let is_named = |about: &&str| names.iter().any(|name| name == *about);
        let is_absent = |name: &&String| !contained.iter().any(|each| each.about.contains(&name.as_str()));
        let applies: Vec<bool> = contained.iter().map(|each| each.about.iter().any(is_named)).collect();
        let present = names.iter().filter(|name| !is_absent(name)).map(String::as_str);
        Ok(ResolvedScope {
            absent: names.iter().filter(is_absent).cloned().collect(),
            uncovered: not_covered(contained, &applies),
            stated: listed(&present.collect::<Vec<_>>()),
            applies,
        })
    }
}

/// The private items that no requirement on private values applies to.
fn not_covered(contained: &[PrivateItem<'_>], applies: &[bool]) -> Vec<String> {
    let others = contained.iter().zip(applies).filter(|&(_, &applies)| !applies);
    others.map(|(each, _)| each.name.to_owned()).collect()
}

/// A guarantee must name attributes that can be inferred, or it would guarantee nothing.
pub(super) fn check_private(policy: &Policy, name: &str) -> Result<()> {
    if policy.attribute(name).is_none() && WORDS.contains(&name) {
        return Err(Error::input(format!("`{name}` cannot be combined with other names"))
            .help("give `class`, `tested` or `all` alone, or name private attributes"));
    }
    if name.is_empty() {
        return Err(Error::input("a name of an attribute is empty")
            .help("name private attributes, or give `class`, `tested` or `all`"));
    }
    if policy.attribute(name).is_none() {
        let private = policy.with_role(Role::Private).collect::<Vec<_>>();
        return Err(Error::input("the guarantee names an attribute that is not in the policy")
            .of_attribute(name)
            .help(did_you_mean(name, private.iter().copied())));
    }
    if policy.knows(name)? {
        return Err(Error::input("the guarantee names a public attribute")
            .of_attribute(name)
            .help("name private attributes"));
    }
    Ok(())
}

fn listed(names: &[&str]) -> String {
    match names.len() {
        0..=NAMED => names.join(", "),
        more => format!("{more} private attributes"),
    }
}
