//! The form for the public. It is made from nothing: every field is listed here, with the reason why it may be in it.
//!
//! | field | why it is not private |
//! | --- | --- |
//! | `statement` | the owner writes it for the public: title, purpose, controller, contact, public statement |
//! | `files` | digests of what everyone gets; a digest of the data would confirm guesses about it |
//! | `release` | family and size are in the release; the number of individuals only if the release file states it; texts and figures that the file states are left out |
//! | `release.attributes` | names that the release contains; their roles are what the guarantee assumes about attackers |
//! | `guarantee` | what is promised; for rules without the names of items |
//! | `sets` | what the guarantee assumes about attackers; names that the release contains |
//! | `mood` | that the owner's form is reserved, without the reasons |
//! | `unlimited` | names that the release contains; they are private attributes that nothing is promised about, and not named for rules |
//! | `unsearched` | whether small groups were searched for: a property of the rules; without it, the promise would say too much |
//! | `rows_apart` | whether k is promised for each row only: without it, the promise would be false |
//!
//! Left out: the audit and all its figures, the policy, the ledger, the rows that were left out, the command, the seed, the digests
//! of the data and the policy, usefulness, and every value of an attribute.

use super::content::{Content, ReleaseFacts, ReleasedAttribute, RequirementFacts, RequirementState, Size};
use incrowd_core::policy::Role;
use incrowd_core::{Error, Result};
use incrowd_io::dossier::{DossierForm, FileRole};
use incrowd_io::policy::DossierFields;
use serde_json::Map;

/// The form for the public, of a dossier for the owner.
pub(super) fn content(owner: &Content) -> Result<Content> {
    check(owner)?;
    let is_released = |role: FileRole| matches!(role, FileRole::Release | FileRole::Table);
    Ok(Content {
        format: owner.format,
        version: owner.version,
        form: DossierForm::Public,
        holds: true,
        date: owner.date.clone(),
        program: owner.program.clone(),
        command: None,
        seed: None,
        statement: statement(&owner.statement),
        files: owner.files.iter().filter(|file| is_released(file.role)).cloned().collect(),
        release: release(owner),
        guarantee: owner.guarantee.iter().map(|asked| requirement(asked, owner.release.family)).collect(),
        sets: sets(owner),
        mood: owner.mood,
        unlimited: owner.unlimited.clone(),
        in_ranges: Vec::new(),
        rows_apart: owner.rows_apart,
        unsearched: owner.unsearched,
        weakened: Vec::new(),
        policy: None,
        ledger: None,
        audit: None,
        utility: None,
        json_name: owner.json_name.clone(),
    })
}

/// Fails unless there is a guarantee to state, and it holds.
fn check(owner: &Content) -> Result<()> {
    let refused = |what: &str, help: &str| Err(Error::breach(what).help(help));
    let is = |state: RequirementState| owner.guarantee.iter().any(|asked| asked.result == state);
    if owner.form == DossierForm::Public {
        return Ok(());
    }
    if is(RequirementState::NotProven) {
        return refused(
            "the guarantee is not proven, so a report for the public cannot be made",
            "release fewer rules, or remove the requirement that is not proven from the policy",
        );
    }
    if !owner.holds {
        return refused(
            "the release does not meet its guarantee, so a report for the public cannot be made",
            "do not publish the release; make a report for the owner to see what is wrong",
        );
    }
    if !is(RequirementState::Holds) {
        return refused(
            "no guarantee was checked, so there is nothing to tell the public",
            "state a guarantee in the policy",
        );
    }
    if let Some(name) = undecided(owner) {
        return refused(
            &format!(
                "the policy only assumes that \u{201c}{name}\u{201d} is public, so a report for the public cannot be made"
            ),
            "decide whether an attacker knows this attribute, and delete `undecided` from it in the policy",
        );
    }
    if !owner.weakened.is_empty() {
        return refused(
            "less than the policy's guarantee was checked, so a report for the public cannot be made",
            "state in the policy what the release has to meet",
        );
    }
    Ok(())
}

/// An attribute of the release whose role is not decided.
fn undecided(owner: &Content) -> Option<&str> {
    let attributes = owner.policy.iter().flat_map(|policy| &policy.attributes);
    attributes.filter(|own| own.released && own.undecided).map(|own| own.name.as_str()).next()
}

/// The attributes of the release in each set.
fn sets(owner: &Content) -> Vec<Vec<String>> {
    let is_released = |name: &&String| owner.release.attributes.iter().any(|own| own.name == **name);
    owner.sets.iter().map(|set| set.iter().filter(is_released).cloned().collect()).collect()
}

fn statement(fields: &DossierFields) -> DossierFields {
    let mut stated = DossierFields::default();
    stated.title.clone_from(&fields.title);
    stated.purpose.clone_from(&fields.purpose);
    stated.controller.clone_from(&fields.controller);
    stated.contact.clone_from(&fields.contact);
    stated.public_statement.clone_from(&fields.public_statement);
    stated
}

fn release(owner: &Content) -> ReleaseFacts {
    let own = &owner.release;
    let k = owner.guarantee.iter().filter_map(|asked| asked.k).max().unwrap_or(1);
    let is_said = |attribute: &&ReleasedAttribute| matches!(attribute.role, Role::Public | Role::Private);
    ReleaseFacts {
        family: own.family,
        method: None,
        parameters: Map::new(),
        untrue_cells: own.untrue_cells,
        individuals: own.stated_individuals.filter(|&individuals| individuals >= k),
        size: own.size.as_ref().map(|size| Size { of: size.of, number: size.number }),
        states: Vec::new(),
        weakened: Vec::new(),
        measured: Map::new(),
        attributes: own.attributes.iter().filter(is_said).cloned().collect(),
        individuals_of_data: None,
        several_rows: None,
        stated_individuals: own.stated_individuals.filter(|&individuals| individuals >= k),
        baskets: own.baskets,
    }
}

/// A requirement. Of rules, the attributes that it applies to are left out: items can be private.
fn requirement(asked: &RequirementFacts, family: &str) -> RequirementFacts {
    let own = asked.clone();
    if family == "rules" {
        return RequirementFacts { requirement: own.bare.clone(), meaning: own.bare_meaning.clone(), ..own };
    }
    own
}
