//! The owner's policy: the role of each attribute, and the required guarantee.

mod declared;
#[cfg(test)]
mod tests;
mod unlabelled;

pub(crate) use declared::not_allowed;
pub use unlabelled::without_class;

use crate::error::{Error, Result};
use crate::guarantee::Guarantee;
use crate::table::{Column, Kind, Table};
use crate::taxonomy::TaxonomySpec;
use crate::words;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeSet;

/// The role of an attribute: what it is to an attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The attacker knows it for every individual.
    Public,
    /// The attacker does not know it, and it must not be linked to few individuals.
    Private,
    /// It identifies individuals and is never released.
    Identifier,
    /// It is not used.
    Ignored,
}

/// The policy's entry for one attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// The column's name.
    pub name: String,
    /// What it is to an attacker.
    pub role: Role,
    /// The kind of its values; detected from the data if not stated.
    pub kind: Option<Kind>,
    /// The values of an ordered attribute from lowest to highest, or all values that a categorical attribute can take.
    pub values: Vec<String>,
    /// The lowest and highest number that the attribute can take, which are public knowledge.
    pub range: Option<(f64, f64)>,
    /// Whether only whole numbers are possible, which is public knowledge.
    pub whole: bool,
    /// How its values generalize.
    pub taxonomy: Option<TaxonomySpec>,
    /// How much its information loss counts against that of other public attributes; 1 is usual.
    pub weight: f64,
    /// Whether an ignored column may be part of a released table: the owner has decided that it reveals nothing about
    /// anyone.
    pub harmless: bool,
    /// Whether a public attribute's role is only assumed: it counts as public until the owner has decided.
    pub undecided: bool,
}

impl Attribute {
    /// An attribute for which only the role is stated.
    pub fn new(name: impl Into<String>, role: Role) -> Self {
        Self {
            name: name.into(),
            role,
            kind: None,
            values: Vec::new(),
            range: None,
            whole: false,
            taxonomy: None,
            weight: 1.0,
            harmless: false,
            undecided: false,
        }
    }
}

/// A declared dependency: knowing all of `from` means knowing `to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The attributes that determine.
    pub from: Vec<String>,
    /// The attribute that is determined.
    pub to: String,
}

/// What to do if the data shows that a private attribute follows from public ones and the policy does not declare it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Undeclared {
    /// Warn.
    #[default]
    Warn,
    /// Refuse every release.
    Refuse,
}

/// The owner's policy.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Policy {
    /// The attributes, in the order of the policy.
    pub attributes: Vec<Attribute>,
    /// The attribute a classifier predicts.
    pub class: Option<String>,
    /// The column that identifies the individual, if individuals have several rows.
    pub subject: Option<String>,
    /// Which attributes determine which.
    pub dependencies: Vec<Dependency>,
    /// What to do about dependencies that are found but not declared.
    pub undeclared: Undeclared,
    /// What must hold.
    pub guarantee: Guarantee,
    /// The column that numbers the joint spans of earlier releases, which an attacker who has these can distinguish.
    /// It is not part of a policy file and in no release: miners start from it, so that a new release holds together
    /// with the earlier ones ([`audit_last`](crate::audit::audit_last) checks that it does).
    pub earlier: Option<String>,
}

impl Policy {
    /// Creates a policy of these attributes, without a class and without requirements.
    pub fn new(attributes: Vec<Attribute>) -> Self {
        Self {
            attributes,
            class: None,
            subject: None,
            dependencies: Vec::new(),
            undeclared: Undeclared::default(),
            guarantee: Guarantee::default(),
            earlier: None,
        }
    }

    /// Sets the attribute that a classifier predicts.
    #[must_use]
    pub fn with_class(mut self, class: impl Into<String>) -> Self {
        self.class = Some(class.into());
        self
    }

    /// Sets the column that identifies individuals with several rows.
    #[must_use]
    pub fn with_subject(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// Declares which attributes determine which.
    #[must_use]
    pub fn with_dependencies(mut self, dependencies: Vec<Dependency>) -> Self {
        self.dependencies = dependencies;
        self
    }

    /// Sets the column that numbers the joint spans of earlier releases.
    #[must_use]
    pub fn with_earlier(mut self, column: impl Into<String>) -> Self {
        self.earlier = Some(column.into());
        self
    }

    /// The column of a table that numbers the joint spans of earlier releases, if it has one.
    pub fn earlier_spans<'t>(&self, table: &'t Table) -> Option<&'t Column> {
        self.earlier.as_deref().and_then(|name| table.column(name))
    }

    /// Sets what must hold.
    #[must_use]
    pub fn with_guarantee(mut self, guarantee: Guarantee) -> Self {
        self.guarantee = guarantee;
        self
    }
}

/// What an attacker knows.
#[derive(Debug, Clone)]
pub struct AttackerKnowledge<'p> {
    role: HashMap<&'p str, Role>,
    known: HashSet<&'p str>,
}

impl AttackerKnowledge<'_> {
    /// Whether an attacker knows the attribute.
    ///
    /// # Errors
    /// As [`Policy::knows`].
    pub fn knows(&self, name: &str) -> Result<bool> {
        match self.role.get(name) {
            Some(Role::Public | Role::Private) => Ok(self.known.contains(name)),
            Some(Role::Identifier | Role::Ignored) => {
                Err(Error::input("a release may use only public and private attributes")
                    .of_attribute(name)
                    .help("the role of this attribute is identifier or ignored"))
            }
            None => Err(Error::input("the policy states no role for this attribute")
                .of_attribute(name)
                .help("add it to the policy as public or private")),
        }
    }
}

impl Policy {
    /// The policy's entry for the attribute of that name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// Whether the attribute of that name can only have whole numbers.
    pub fn is_whole(&self, name: &str) -> bool {
        self.attribute(name).is_some_and(|attribute| attribute.whole)
    }

    /// Checks that the columns of `table` that the policy declares `whole` contain only whole numbers.
    ///
    /// # Errors
    /// When one of them has a number that is not whole, or is not numeric.
    pub fn check_whole(&self, table: &Table) -> Result<()> {
        let whole = self.attributes.iter().filter(|attribute| attribute.whole);
        for column in whole.filter_map(|attribute| table.column(&attribute.name)) {
            let Some(numbers) = column.values().numbers() else {
                return Err(Error::input(
                    "the policy declares this attribute `whole`, but it is not numeric",
                )
                .of_attribute(column.name())
                .help("add kind = \"numeric\", or omit `whole`"));
            };
            let broken: Vec<bool> = numbers.iter().map(|number| number.fract() != 0.0).collect();
            let occurs = |code: u32| broken.get(code as usize).is_some_and(|&broken| broken);
            if broken.contains(&true) && column.codes().iter().any(occurs) {
                return Err(Error::input(
                    "the policy declares this attribute `whole`, but some of its numbers are not whole",
                )
                .of_attribute(column.name())
                .help("remove `whole` from the policy, or correct the table"));
            }
        }
        Ok(())
    }

    /// The names of all attributes with that role, in the order of the policy.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &str> {
        self.attributes.iter().filter(move |a| a.role == role).map(|a| a.name.as_str())
    }

    /// Whether an attacker knows the attribute: it is public, or follows from attributes they know.
    /// [`Policy::knowledge`] answers many such queries at once.
    ///
    /// # Errors
    /// When the policy does not name the attribute, or it is an identifier or ignored: a release must not use it.
    pub fn knows(&self, name: &str) -> Result<bool> {
        self.knowledge().knows(name)
    }

    /// The warning about attributes that count as public because the owner has not decided on their roles.
    pub fn undecided(&self) -> Option<String> {
        let open = self.attributes.iter().filter(|attribute| attribute.undecided);
        let names: Vec<&str> = open.map(|attribute| attribute.name.as_str()).collect();
        let open = match names[..] {
            [] => return None,
            [one] => format!("the role of {one} is undecided, so it is"),
            // All of them, so that none that is sensitive is overlooked.
            _ => format!("the roles of {} are undecided, so they are", words::all(&names)),
        };
        Some(format!(
            "{open} treated as public (not protected); decide, and delete `undecided` in the policy"
        ))
    }

    /// The warning about private attributes that attackers can compute from public ones.
    pub fn unprotected(&self) -> Option<String> {
        let known = self.known();
        let computed =
            self.attributes.iter().filter(|one| one.role == Role::Private && known.contains(&one.name));
        let names: Vec<&str> = computed.map(|attribute| attribute.name.as_str()).collect();
        let open = match names[..] {
            [] => return None,
            [one] => format!("{one} is private, but follows from public attributes"),
            _ => format!("{} are private, but follow from public attributes", words::all(&names)),
        };
        Some(format!(
            "{open} by a declared dependency: attackers can compute it (not protected); make what it follows from \
             private, or remove the dependency if it is wrong"
        ))
    }

    /// What an attacker knows, for many queries.
    pub fn knowledge(&self) -> AttackerKnowledge<'_> {
        let role = self.attributes.iter().rev().map(|attribute| (attribute.name.as_str(), attribute.role));
        AttackerKnowledge { role: role.collect(), known: self.follow().into_iter().collect() }
    }

    /// The policy for an attacker who knows these attributes and what follows from them, and no other public ones.
    #[must_use]
    pub fn known_to(&self, set: &[String]) -> Self {
        let mut policy = self.clone();
        for attribute in &mut policy.attributes {
            if attribute.role == Role::Public && !set.contains(&attribute.name) {
                // Another attacker knows it, and the audit for them judges it.
                (attribute.role, attribute.harmless) = (Role::Ignored, true);
            }
        }
        // A public attribute that follows is known like one of the set.
        let known: HashSet<String> = policy.known().into_iter().collect();
        for (own, attribute) in policy.attributes.iter_mut().zip(&self.attributes) {
            if attribute.role == Role::Public && known.contains(&attribute.name) {
                own.clone_from(attribute);
            }
        }
        policy
    }

    /// All attributes that an attacker knows: the public ones and all attributes that follow from known ones.
    pub fn known(&self) -> Vec<String> {
        self.follow().into_iter().map(str::to_owned).collect()
    }

    /// Takes time linear in the policy, except for sorting.
    fn follow(&self) -> Vec<&str> {
        let mut known: Vec<&str> = self.with_role(Role::Public).collect();
        let mut is_known: HashSet<&str> = self.with_role(Role::Public).collect();
        let mut needed_by: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut missing: Vec<usize> = Vec::with_capacity(self.dependencies.len());
        for (place, dependency) in self.dependencies.iter().enumerate() {
            let open: HashSet<&str> =
                dependency.from.iter().map(String::as_str).filter(|name| !is_known.contains(name)).collect();
            open.iter().for_each(|name| needed_by.entry(name).or_default().push(place));
            missing.push(open.len());
        }
        // What can be followed, the first of the policy first: each step may make more of them so.
        let mut ready: BTreeSet<usize> = (0..missing.len()).filter(|&place| missing[place] == 0).collect();
        while let Some(place) = ready.pop_first() {
            let name = self.dependencies[place].to.as_str();
            if !is_known.insert(name) {
                continue;
            }
            known.push(name);
            for &place in needed_by.get(name).into_iter().flatten() {
                missing[place] -= 1;
                if missing[place] == 0 {
                    ready.insert(place);
                }
            }
        }
        known
    }
}
