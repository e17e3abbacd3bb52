//! Policies without data: what a policy states, and whether another policy is weaker.

use incrowd_core::policy::{Attribute, Dependency, Role, Undeclared};
use incrowd_io::policy::PolicyFile;
use incrowd_io::{MissingRows, Unlisted};
use serde::Serialize;
use std::collections::BTreeSet;

/// What a policy states.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PolicySummary {
    /// The public attributes.
    pub public: Vec<String>,
    /// The private attributes.
    pub private: Vec<String>,
    /// The identifiers.
    pub identifiers: Vec<String>,
    /// The ignored attributes.
    pub ignored: Vec<String>,
    /// The attributes with a taxonomy.
    pub taxonomies: Vec<String>,
    /// The declared dependencies, in words.
    pub dependencies: Vec<String>,
    /// The attribute that a classifier predicts.
    pub class: Option<String>,
    /// The column that identifies individuals.
    pub subject: Option<String>,
    /// The requirements, in words.
    pub guarantee: Vec<String>,
    /// The attributes that requirements on private values apply to, in words, if there are such requirements.
    pub scope: Option<String>,
    /// The sets of public attributes, each of which another attacker knows: tables are checked for each set.
    pub sets: Vec<Vec<String>>,
    /// The presets, whose requirements are among those above.
    pub presets: Vec<String>,
    /// What the policy states for readers of a report, by its keys under `[dossier]`.
    pub dossier: Vec<String>,
    /// What the owner should look at.
    pub warnings: Vec<String>,
}

impl PolicySummary {
    /// Summarizes a policy that was read.
    pub fn new(file: &PolicyFile) -> Self {
        let policy = &file.policy;
        let names = |role: Role| policy.with_role(role).map(str::to_owned).collect::<Vec<_>>();
        let with_taxonomy = policy.attributes.iter().filter(|attribute| attribute.taxonomy.is_some());
        Self {
            public: names(Role::Public),
            private: names(Role::Private),
            identifiers: names(Role::Identifier),
            ignored: names(Role::Ignored),
            taxonomies: with_taxonomy.map(|attribute| attribute.name.clone()).collect(),
            dependencies: policy.dependencies.iter().map(in_words).collect(),
            class: policy.class.clone(),
            subject: policy.subject.clone(),
            guarantee: policy.guarantee.requirements().iter().map(ToString::to_string).collect(),
            scope: policy.guarantee.looks_at_values().then(|| policy.guarantee.scope().in_words()),
            sets: file.sets.clone(),
            presets: presets(file),
            dossier: file.dossier.stated().into_iter().map(str::to_owned).collect(),
            warnings: warnings(file),
        }
    }
}

fn presets(file: &PolicyFile) -> Vec<String> {
    file.policy.guarantee.presets().iter().map(|preset| preset.name().to_owned()).collect()
}

fn in_words(dependency: &Dependency) -> String {
    format!("{} -> {}", dependency.from.join(", "), dependency.to)
}

fn warnings(file: &PolicyFile) -> Vec<String> {
    let policy = &file.policy;
    if file.items.is_some() {
        return Vec::new();
    }
    let has = |role: Role| policy.with_role(role).next().is_some();
    let found = [
        (!has(Role::Public))
            .then(|| "no attribute is public: nothing can be linked, and every audit passes".to_owned()),
        (!has(Role::Private))
            .then(|| "no attribute is private: only membership in a group is protected".to_owned()),
        policy.guarantee.asked_k().is_none().then(|| "no k is required; set k under [guarantee]".to_owned()),
        policy.undecided(),
    ];
    found.into_iter().flatten().collect()
}

/// What a change does to the protection of individuals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum PolicyEffect {
    /// Less is protected.
    Weaker,
    /// Less may be protected: it depends on the table.
    Unclear,
    /// More is protected.
    Stronger,
    /// Protection stays.
    None,
}

/// A difference between two policies.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PolicyChange {
    /// What differs, such as "role of `age`".
    pub part: String,
    /// What the first policy states.
    pub before: Option<String>,
    /// What the second policy states.
    pub after: Option<String>,
    /// What the change does to the protection of individuals.
    pub effect: PolicyEffect,
}

/// The differences between two policies.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PolicyComparison {
    /// Whether the second policy protects less, or may do so.
    pub is_weaker: bool,
    /// The differences.
    pub changes: Vec<PolicyChange>,
}

impl PolicyComparison {
    /// Compares two policies. Whatever is not known to protect as much counts as weaker.
    pub fn new(before: &PolicyFile, after: &PolicyFile) -> Self {
        let mut changes = Changes { before, after, found: Vec::new() };
        changes.roles();
        changes.guarantee();
        changes.presets();
        changes.dependencies();
        changes.people();
        changes.file();
        changes.others();
        let found = changes.found;
        let is_weaker =
            found.iter().any(|c| matches!(c.effect, PolicyEffect::Weaker | PolicyEffect::Unclear));
        Self { is_weaker, changes: found }
    }
}

struct Changes<'a> {
    before: &'a PolicyFile,
    after: &'a PolicyFile,
    found: Vec<PolicyChange>,
}

impl Changes<'_> {
    fn add(
        &mut self,
        part: impl Into<String>,
        before: Option<String>,
        after: Option<String>,
        effect: PolicyEffect,
    ) {
        if before != after {
            self.found.push(PolicyChange { part: part.into(), before, after, effect });
        }
    }

    fn roles(&mut self) {
        let (before, after) = (self.before, self.after);
        let names: Vec<&String> = before.policy.attributes.iter().map(|a| &a.name).collect();
        let added = after.policy.attributes.iter().filter(|a| !names.contains(&&a.name)).map(|a| &a.name);
        for name in names.iter().copied().chain(added) {
            let (old, new) = (before.policy.attribute(name), after.policy.attribute(name));
            let role = |attribute: Option<&Attribute>| attribute.map(|a| word(a.role).to_owned());
            let effect = effect_of_roles(old.map(|a| a.role), new.map(|a| a.role));
            self.add(format!("role of `{name}`"), role(old), role(new), effect);
            if let (Some(old), Some(new)) = (old, new) {
                self.attribute(old, new);
            }
        }
        let items = |file: &PolicyFile| file.items.as_ref().map(|items| format!("{items:?}"));
        if items(before) != items(after) {
            let stated = |file: &PolicyFile| file.items.as_ref().map(|_| "declared".to_owned());
            let (old, new) = (stated(before), stated(after).map(|_| "declared otherwise".to_owned()));
            self.add("roles of items", old, new, PolicyEffect::Unclear);
        }
    }

    /// What is stated about an attribute besides its role.
    fn attribute(&mut self, old: &Attribute, new: &Attribute) {
        let name = &old.name;
        let yes = |is: bool| Some(if is { "yes" } else { "no" }.to_owned());
        let (weaker, stronger) = (PolicyEffect::Weaker, PolicyEffect::Stronger);
        let harmless = if new.harmless { weaker } else { stronger };
        self.add(format!("`{name}` is harmless"), yes(old.harmless), yes(new.harmless), harmless);
        let of = |is_same: bool, what: &str| {
            Some(if is_same { what.to_owned() } else { format!("{what}, changed") })
        };
        let mut changed = |what: &str, is_same: bool, effect: PolicyEffect| {
            self.add(format!("{what} of `{name}`"), of(true, "stated"), of(is_same, "stated"), effect);
        };
        // What an attacker believes to be possible decides who is exposed.
        changed("values", old.values == new.values, PolicyEffect::Unclear);
        changed("range", old.range == new.range && old.whole == new.whole, PolicyEffect::Unclear);
        changed("kind", old.kind == new.kind, PolicyEffect::Unclear);
        changed("taxonomy", old.taxonomy == new.taxonomy, PolicyEffect::None);
        self.add(
            format!("`{name}` is undecided"),
            yes(old.undecided),
            yes(new.undecided),
            PolicyEffect::None,
        );
    }

    fn guarantee(&mut self) {
        let (before, after) = (&self.before.policy, &self.after.policy);
        let lost: BTreeSet<String> = after.guarantee.lacks(&before.guarantee, before).into_iter().collect();
        let gained: BTreeSet<String> = before.guarantee.lacks(&after.guarantee, after).into_iter().collect();
        let same_kind = |requirement: &String, others: &BTreeSet<String>| {
            let kind = |text: &str| text.split([' ', '=']).next().unwrap_or_default().to_owned();
            others.iter().find(|other| kind(other) == kind(requirement)).cloned()
        };
        let all_after: BTreeSet<String> =
            after.guarantee.requirements().iter().map(ToString::to_string).collect();
        let all_before: BTreeSet<String> =
            before.guarantee.requirements().iter().map(ToString::to_string).collect();
        for requirement in &lost {
            let now = same_kind(requirement, &all_after);
            self.add("guarantee", Some(requirement.clone()), now, PolicyEffect::Weaker);
        }
        for requirement in gained.iter().filter(|gained| same_kind(gained, &lost).is_none()) {
            let then = same_kind(requirement, &all_before);
            self.add("guarantee", then, Some(requirement.clone()), PolicyEffect::Stronger);
        }
    }

    /// A preset asks more than its requirements.
    fn presets(&mut self) {
        let (before, after) = (presets(self.before), presets(self.after));
        for gone in before.iter().filter(|preset| !after.contains(preset)) {
            self.add("preset", Some(gone.clone()), None, PolicyEffect::Weaker);
        }
        for new in after.iter().filter(|preset| !before.contains(preset)) {
            self.add("preset", None, Some(new.clone()), PolicyEffect::Stronger);
        }
    }

    fn dependencies(&mut self) {
        let (before, after) = (&self.before.policy.dependencies, &self.after.policy.dependencies);
        for gone in before.iter().filter(|dependency| !after.contains(dependency)) {
            self.add("dependency", Some(in_words(gone)), None, PolicyEffect::Weaker);
        }
        for new in after.iter().filter(|dependency| !before.contains(dependency)) {
            self.add("dependency", None, Some(in_words(new)), PolicyEffect::Stronger);
        }
        let rule = |undeclared: Undeclared| {
            Some(if undeclared == Undeclared::Refuse { "refuse" } else { "warn" }.to_owned())
        };
        let (old, new) = (self.before.policy.undeclared, self.after.policy.undeclared);
        let effect = if new == Undeclared::Warn { PolicyEffect::Weaker } else { PolicyEffect::Stronger };
        self.add("undeclared dependencies", rule(old), rule(new), effect);
    }

    /// Who is counted, what is predicted, and what attackers know together.
    fn people(&mut self) {
        let (before, after) = (self.before, self.after);
        let subject = match (&before.policy.subject, &after.policy.subject) {
            // Without a subject, several rows of an individual count as several individuals.
            (Some(_), None) => PolicyEffect::Weaker,
            (None, Some(_)) => PolicyEffect::Stronger,
            _ => PolicyEffect::Unclear,
        };
        self.add("subject", before.policy.subject.clone(), after.policy.subject.clone(), subject);
        // The scope of requirements on private values may be the class.
        let is_used = [before, after].iter().any(|file| file.policy.guarantee.looks_at_values());
        let class = if is_used { PolicyEffect::Unclear } else { PolicyEffect::None };
        self.add("class", before.policy.class.clone(), after.policy.class.clone(), class);
        let sets = |file: &PolicyFile| {
            let sets: Vec<String> = file.sets.iter().map(|set| set.join(" + ")).collect();
            Some(if sets.is_empty() { "all public attributes".to_owned() } else { sets.join("; ") })
        };
        let effect = if after.sets.is_empty() { PolicyEffect::Stronger } else { PolicyEffect::Weaker };
        self.add("known together", sets(before), sets(after), effect);
    }

    fn file(&mut self) {
        let (before, after) = (&self.before.file, &self.after.file);
        let unlisted = |unlisted: Unlisted| {
            Some(if unlisted == Unlisted::Refuse { "refuse" } else { "ignored" }.to_owned())
        };
        let effect =
            if after.unlisted == Unlisted::Refuse { PolicyEffect::Stronger } else { PolicyEffect::Weaker };
        self.add("unlisted columns", unlisted(before.unlisted), unlisted(after.unlisted), effect);
        let rows = |rows: MissingRows| {
            let word = match rows {
                MissingRows::Refuse => "refuse",
                MissingRows::Drop => "drop",
                MissingRows::Keep => "keep",
            };
            Some(word.to_owned())
        };
        self.add(
            "rows with missing values",
            rows(before.missing_rows),
            rows(after.missing_rows),
            PolicyEffect::Unclear,
        );
        let names: BTreeSet<&String> =
            self.before.missing_rows.keys().chain(self.after.missing_rows.keys()).collect();
        for name in names {
            let own = |file: &PolicyFile| file.missing_rows.get(name).copied().and_then(rows);
            let (before, after) = (own(self.before), own(self.after));
            self.add(format!("rows without a value of `{name}`"), before, after, PolicyEffect::Unclear);
        }
    }
}

impl Changes<'_> {
    /// What is not compared one by one: a difference must not go unnoticed.
    fn others(&mut self) {
        let (before, after) = (self.before, self.after);
        let mut changed = |part: &str, is_same: bool, effect: PolicyEffect| {
            let after = if is_same { "stated" } else { "stated, changed" };
            self.add(part, Some("stated".to_owned()), Some(after.to_owned()), effect);
        };
        changed("[dossier]", before.dossier == after.dossier, PolicyEffect::None);
        let weights =
            |file: &PolicyFile| file.policy.attributes.iter().map(|own| own.weight).collect::<Vec<_>>();
        if before.policy.attributes.len() == after.policy.attributes.len() {
            changed("weights of attributes", weights(before) == weights(after), PolicyEffect::None);
        }
        let markers = (&before.missing, &before.file.missing) == (&after.missing, &after.file.missing);
        changed("markers of missing values", markers, PolicyEffect::Unclear);
        // Where the files are does not matter.
        let bare = |file: &PolicyFile| {
            let mut file = file.clone();
            file.path = None;
            file.taxonomy_files.clear();
            file
        };
        if self.found.is_empty() && bare(before) != bare(after) {
            let stated = |text: &str| Some(text.to_owned());
            self.add("other statements", stated("stated"), stated("stated, changed"), PolicyEffect::Unclear);
        }
    }
}

fn word(role: Role) -> &'static str {
    match role {
        Role::Public => "public",
        Role::Private => "private",
        Role::Identifier => "identifier",
        Role::Ignored => "ignored",
    }
}

/// What another role does. A column without a role is refused or ignored.
fn effect_of_roles(before: Option<Role>, after: Option<Role>) -> PolicyEffect {
    use Role::{Identifier, Ignored, Private, Public};
    let (before, after) = (before.unwrap_or(Ignored), after.unwrap_or(Ignored));
    match (before, after) {
        _ if before == after => PolicyEffect::None,
        // Fewer attributes are assumed to be known, a value is no longer protected, or a column is no longer examined;
        // and what was never released can now be.
        (Public, Private | Ignored) | (Private, Public | Ignored) | (Identifier, _) => PolicyEffect::Weaker,
        (Ignored, _) | (_, Identifier) => PolicyEffect::Stronger,
        _ => PolicyEffect::Unclear,
    }
}

#[cfg(test)]
mod tests;
