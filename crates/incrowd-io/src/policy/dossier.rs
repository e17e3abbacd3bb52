//! `[dossier]`: what the owner states for readers of a release's dossier.

use super::item::{Item, Section};
use super::keys;
use incrowd_core::Result;
use incrowd_core::table::Date;
use serde::Serialize;

/// The most characters of a statement.
const CHARACTERS: usize = 10_000;

/// What the owner states for readers of a release's dossier. What is not stated is left blank in the dossier.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct DossierFields {
    /// The title of the dossier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the release is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// Who gets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// The organisation that is responsible for the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controller: Option<String>,
    /// Who answers questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    /// What permits the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal_basis: Option<String>,
    /// The owner's file number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Who has approved the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved_by: Option<String>,
    /// The day of the approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Notes for the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// What the owner tells the public.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_statement: Option<String>,
}

impl DossierFields {
    /// The keys that are stated, in the order of the documentation.
    pub fn stated(&self) -> Vec<&'static str> {
        let fields = [
            ("title", &self.title),
            ("purpose", &self.purpose),
            ("recipient", &self.recipient),
            ("controller", &self.controller),
            ("contact", &self.contact),
            ("legal-basis", &self.legal_basis),
            ("reference", &self.reference),
            ("approved-by", &self.approved_by),
            ("date", &self.date),
            ("notes", &self.notes),
            ("public-statement", &self.public_statement),
        ];
        fields.into_iter().filter(|(_, field)| field.is_some()).map(|(key, _)| key).collect()
    }
}

pub(super) fn read(top: &Section<'_>) -> Result<DossierFields> {
    let Some(section) = top.section("dossier", keys::DOSSIER)? else { return Ok(DossierFields::default()) };
    let field = |key| section.get(key).map(statement).transpose();
    Ok(DossierFields {
        title: field("title")?,
        purpose: field("purpose")?,
        recipient: field("recipient")?,
        controller: field("controller")?,
        contact: field("contact")?,
        legal_basis: field("legal-basis")?,
        reference: field("reference")?,
        approved_by: field("approved-by")?,
        date: section.get("date").map(date).transpose()?,
        notes: field("notes")?,
        public_statement: field("public-statement")?,
    })
}

fn statement(item: Item<'_>) -> Result<String> {
    let text = item.text()?.trim();
    if text.is_empty() {
        return Err(item
            .error(format!("`{}` is empty", item.key))
            .help("write something, or leave the key out: the report then has a blank line to fill in"));
    }
    if text.chars().count() > CHARACTERS {
        return Err(item
            .error(format!("`{}` has more than {CHARACTERS} characters", item.key))
            .help("shorten it, and attach longer texts to the report"));
    }
    Ok(text.to_owned())
}

fn date(item: Item<'_>) -> Result<String> {
    let date = Date::parse(item.text()?.trim(), None);
    let error = || item.error("`date` must be a date").help("write it in quotes, such as \"2026-12-31\"");
    date.map(|date| date.to_string()).ok_or_else(error)
}
