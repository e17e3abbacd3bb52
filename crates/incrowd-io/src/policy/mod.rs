//! Policy files (`policy.toml`) and taxonomy files.
//!
//! A policy is read key by key with its place in the file, so that every error has a line and column: an unknown key, a
//! wrong type, a value out of range, two keys that contradict each other. `docs/policy.md` documents every key; a test
//! compares it with [`keys`].

mod attributes;
mod dependencies;
mod dossier;
mod draft;
mod file;
mod guarantee;
mod item;
mod items;
pub mod keys;
mod plan;
mod taxonomy;
mod taxonomy_file;
mod text;

pub use dossier::DossierFields;
pub use draft::{DraftAttribute, DraftDependency, PolicyDraft};
pub use items::ItemRoles;
pub use plan::Purpose;
pub use taxonomy_file::{parse_taxonomy, read_taxonomy};

use crate::plan::{Decimal, MissingRows, ReadPlan, Spelling, Unlisted};
use attributes::DeclaredAttribute;
use incrowd_core::nearest::did_you_mean;
use incrowd_core::policy::{Attribute, Policy, Role, Undeclared};
use incrowd_core::table::DateOrder;
use incrowd_core::{Error, Result};
use item::{Item, PolicyText, Section};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::de::DeTable;

/// The version of the format this program reads and writes.
pub const VERSION: u64 = 1;

/// A policy file: the policy itself and how to read the table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PolicyFile {
    /// Roles, dependencies and the guarantee.
    pub policy: Policy,
    /// How to read the table, without its columns: see [`PolicyFile::read_plan`].
    pub file: ReadPlan,
    /// The missing markers of attributes that have their own.
    pub missing: BTreeMap<String, Vec<String>>,
    /// What comes first in the dates of attributes that state it.
    pub date_orders: BTreeMap<String, DateOrder>,
    /// The decimal separator of attributes that state it.
    pub decimals: BTreeMap<String, Decimal>,
    /// Which spellings are one value, of attributes that state it.
    pub spellings: BTreeMap<String, Spelling>,
    /// What happens to rows without a value, of attributes that state it.
    pub missing_rows: BTreeMap<String, MissingRows>,
    /// The roles of items, where the data are baskets and not a table.
    pub items: Option<ItemRoles>,
    /// The taxonomy files that were read with the policy.
    pub taxonomy_files: Vec<PathBuf>,
    /// Sets of public attributes that different attackers know; empty if everyone may know all of them. Only tables are
    /// judged set by set.
    pub sets: Vec<Vec<String>>,
    /// What the owner states for readers of a release's dossier.
    pub dossier: DossierFields,
    /// The file that the policy was read from.
    pub path: Option<PathBuf>,
}

impl PolicyFile {
    /// Refuses a policy of baskets where a table is expected.
    ///
    /// # Errors
    /// When it describes baskets.
    pub fn refuse_baskets(&self) -> Result<()> {
        if self.items.is_none() {
            return Ok(());
        }
        Err(Error::input("the policy describes baskets, not a table")
            .help("give each column a role under [attributes]"))
    }

    /// A policy that is not from a file, and about a table that is not either.
    pub fn of_policy(policy: Policy) -> Self {
        Self {
            policy,
            file: ReadPlan::default(),
            missing: BTreeMap::new(),
            decimals: BTreeMap::new(),
            spellings: BTreeMap::new(),
            missing_rows: BTreeMap::new(),
            date_orders: BTreeMap::new(),
            items: None,
            taxonomy_files: Vec::new(),
            sets: Vec::new(),
            dossier: DossierFields::default(),
            path: None,
        }
    }

    /// A policy that states roles and nothing else, for an audit without a policy file.
    ///
    /// # Errors
    /// When no attribute is public, or an attribute has two roles.
    pub fn of_roles(public: &[String], private: &[String], file: ReadPlan) -> Result<Self> {
        if public.is_empty() {
            return Err(Error::parameters("no attribute is public")
                .of_parameter("public")
                .help("name the attributes that an attacker may know"));
        }
        let all: Vec<&String> = public.iter().chain(private).collect();
        if let Some((_, twice)) = all.iter().enumerate().find(|(i, name)| all[..*i].contains(name)) {
            return Err(Error::parameters("the attribute is named twice")
                .of_attribute(twice.as_str())
                .help("an attribute is either public or private"));
        }
        let with = |role: Role| move |name: &String| Attribute::new(name, role);
        let attributes = public.iter().map(with(Role::Public)).chain(private.iter().map(with(Role::Private)));
        let policy = Self::of_policy(Policy::new(attributes.collect()));
        Ok(Self { file, ..policy })
    }

    /// Reads a policy file and the taxonomy files it names.
    ///
    /// # Errors
    /// When a file cannot be read or is invalid; the error names the file, the line and the column.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let policy = Self::parse(&text::read(path, "policy")?, path)?;
        Ok(Self { path: Some(path.to_owned()), ..policy })
    }

    /// The same; the policy need not state roles: it may only say how a table is read.
    ///
    /// # Errors
    /// As [`PolicyFile::read`].
    pub fn read_layout(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let policy = Self::parsed(&text::read(path, "policy")?, path, false)?;
        Ok(Self { path: Some(path.to_owned()), ..policy })
    }

    /// Reads a policy from text; taxonomy files are searched for in the directory of `path`, which errors name.
    ///
    /// # Errors
    /// As [`PolicyFile::read`].
    pub fn parse(text: &str, path: impl AsRef<Path>) -> Result<Self> {
        Self::parsed(text, path.as_ref(), true)
    }

    fn parsed(text: &str, path: &Path, needs_roles: bool) -> Result<Self> {
        let source = PolicyText { path, text };
        let table = DeTable::parse(text).map_err(|error| {
            if let Some(at) = typographic_quote(text) {
                return source
                    .error(at..at, "invalid TOML: typographic quotes")
                    .help("write texts in straight quotes, such as \"diagnosis\"");
            }
            if let Some(key) = error.span().and_then(|span| worded_number(text, span.start)) {
                return source
                    .error(error.span().unwrap_or(0..0), format!("`{key}` must be a number"))
                    .help("write it in digits, such as 10 or 0.5, without quotes");
            }
            if let Some(name) = error.span().and_then(|span| unquoted_name(text, span.start)) {
                return source
                    .error(error.span().unwrap_or(0..0), "invalid TOML: this name must be in quotes")
                    .help(format!("write [attributes.\"{name}\"]"));
            }
            let at = error.span().map_or(0, |span| span.start);
            if is_table(text) {
                return source
                    .error(0..0, "this looks like a table, not a policy")
                    .help("give a policy file; `incrowd profile` drafts one from a table");
            }
            if let Some(number) = comma_number(text, at) {
                return source
                    .error(at..at, "invalid TOML: a number with a comma")
                    .help(format!("write {number} with a decimal point and without separators of thousands"));
            }
            let what = error.message().lines().collect::<Vec<_>>().join(", ");
            source
                .error(error.span().unwrap_or(0..0), format!("invalid TOML: {what}"))
                .help("correct the line: write text in quotes and sections in square brackets, and use each name only once")
        })?;
        let section = Section::new(&source, "", table.span(), table.get_ref(), keys::POLICY);
        section.and_then(|section| read(&section, needs_roles)).map_err(with_way_out)
    }
}

/// Whether the first line has cells and no key.
fn is_table(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let has_cells = |delimiter: char| first.matches(delimiter).count() >= 2;
    !first.contains(['=', '[', '#']) && [';', ',', '\t', '|'].into_iter().any(has_cells)
}

/// The number with a decimal comma in the line of a place, with a point instead.
fn comma_number(text: &str, at: usize) -> Option<String> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let (_, value) = text.get(start..)?.lines().next()?.split_once('=')?;
    let value = value.split('#').next()?.trim();
    let (whole, decimals) = value.split_once(',')?;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(whole) && is_number(decimals)).then(|| format!("{whole}.{decimals}"))
}

/// Where the first value begins with a quote as word processors write it.
fn typographic_quote(text: &str) -> Option<usize> {
    const QUOTES: [char; 6] = ['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{ab}'];
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let value =
            line.split_once('=').filter(|(key, _)| !key.contains(['#', '"', '\''])).map(|(_, value)| value);
        let value = value.map(|value| value.trim_start_matches([' ', '\t', '[']));
        if let Some(value) = value.filter(|value| value.starts_with(QUOTES)) {
            return Some(start + line.len() - value.len());
        }
        start += line.len();
    }
    None
}

/// The name of an attribute in a heading, if it must be quoted and is not; the heading is in the line of this place.
fn unquoted_name(text: &str, at: usize) -> Option<&str> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..)?.lines().next()?.trim();
    let name = line.strip_prefix("[attributes.")?.strip_suffix(']')?;
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let is_quotable = !name.contains(['"', '\'', '\\']) && !name.is_empty();
    (is_quotable && !name.chars().all(is_bare)).then_some(name)
}

/// The key of a number that is written as a word without quotes, such as `k = ten`, if that is at a place of the text.
fn worded_number(text: &str, at: usize) -> Option<&str> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let (key, value) = text.get(start..)?.lines().next()?.split_once('=')?;
    let (key, value) = (key.trim(), value.trim_start());
    let is_word = value.starts_with(char::is_alphabetic) && at > start + key.len();
    (is_word && keys::NUMBERS.contains(&key)).then_some(key)
}

fn with_way_out(error: Error) -> Error {
    if error.help.is_some() {
        error
    } else {
        error.help("correct this line; docs/policy.md describes every key")
    }
}

fn read(top: &Section<'_>, needs_roles: bool) -> Result<PolicyFile> {
    top.get("version").map_or(Ok(()), check_version)?;
    let mut file = top.section("file", keys::FILE)?.map_or_else(|| Ok(file::unsaid()), |s| file::read(&s))?;
    file.unlisted = unlisted(top)?;
    let items = items::read(top)?;
    let states_roles = items.is_none() && (needs_roles || top.get("attributes").is_some());
    let declared = if states_roles { attributes::read(top)? } else { Vec::new() };
    let class = top.get("class").map(|item| class(item, &declared)).transpose()?;
    let subject = top.get("subject").map(|item| subject(item, &declared)).transpose()?;
    check_names(top, &file, &declared, subject.as_deref())?;
    attributes::check_missing(top, &file, &declared)?;
    attributes::check_spelling(&file, &declared)?;
    let sets = top.get("sets").map(|item| sets(item, &declared)).transpose()?.unwrap_or_default();
    let mut policy = Policy::new(declared.iter().map(|d| d.attribute.clone()).collect());
    policy.dependencies = dependencies::read(top, &declared)?;
    policy.undeclared = undeclared(top)?;
    policy.guarantee = guarantee::read(top, &declared, class.as_deref(), &policy.known())?;
    (policy.class, policy.subject) = (class, subject);
    let taxonomy_files = declared.iter().filter_map(|d| d.taxonomy_file.clone()).collect();
    let date_orders =
        declared.iter().filter_map(|d| Some((d.attribute.name.clone(), d.date_order?))).collect();
    let decimals = declared.iter().filter_map(|d| Some((d.attribute.name.clone(), d.decimal?))).collect();
    let spellings = declared.iter().filter_map(|d| Some((d.attribute.name.clone(), d.spelling?))).collect();
    let missing_rows =
        declared.iter().filter_map(|d| Some((d.attribute.name.clone(), d.missing_rows?))).collect();
    let missing = declared.into_iter().filter_map(|d| d.missing.map(|m| (d.attribute.name, m))).collect();
    let dossier = dossier::read(top)?;
    Ok(PolicyFile {
        policy,
        file,
        missing,
        date_orders,
        decimals,
        spellings,
        missing_rows,
        items,
        taxonomy_files,
        sets,
        dossier,
        path: None,
    })
}

/// Sets of public attributes, each attribute in one of them at least: otherwise someone would see it unchanged.
fn sets(item: Item<'_>, declared: &[DeclaredAttribute<'_>]) -> Result<Vec<Vec<String>>> {
    let of_set = |set: &Item<'_>| -> Result<Vec<String>> {
        let names = set.list()?;
        names.iter().map(|name| public(name, declared)).collect()
    };
    let sets = item.list()?.iter().map(of_set).collect::<Result<Vec<_>>>()?;
    let is_public = |d: &&DeclaredAttribute<'_>| d.attribute.role == Role::Public;
    let in_none = |d: &&DeclaredAttribute<'_>| !sets.iter().any(|set| set.contains(&d.attribute.name));
    match declared.iter().filter(is_public).find(in_none) {
        Some(d) if !sets.is_empty() => Err(item
            .error("a public attribute is in none of the sets")
            .of_attribute(&d.attribute.name)
            .help("add it to a set, or give it another role")),
        _ => Ok(sets),
    }
}

fn public(name: &Item<'_>, declared: &[DeclaredAttribute<'_>]) -> Result<String> {
    let attribute = name.attribute(declared)?;
    if attribute.role == Role::Public {
        return Ok(attribute.name.clone());
    }
    Err(name
        .error("a set names an attribute that is not public")
        .of_attribute(&attribute.name)
        .help("name only public attributes that one attacker knows together"))
}

fn check_version(item: Item<'_>) -> Result<()> {
    if item.integer()? == VERSION {
        return Ok(());
    }
    Err(item.error("unknown version of the policy format").help(format!("write version = {VERSION}")))
}

fn unlisted(top: &Section<'_>) -> Result<Unlisted> {
    let choices = [("refuse", Unlisted::Refuse), ("ignored", Unlisted::Skip)];
    top.get("unlisted").map_or(Ok(Unlisted::Refuse), |item| item.choice(&choices))
}

fn undeclared(top: &Section<'_>) -> Result<Undeclared> {
    let choices = [("warn", Undeclared::Warn), ("refuse", Undeclared::Refuse)];
    top.get("undeclared-dependencies").map_or(Ok(Undeclared::Warn), |item| item.choice(&choices))
}

fn class(item: Item<'_>, declared: &[DeclaredAttribute<'_>]) -> Result<String> {
    let attribute = item.attribute(declared)?;
    match attribute.role {
        Role::Public | Role::Private => Ok(attribute.name.clone()),
        Role::Identifier | Role::Ignored => Err(item
            .error("the class must be a public or private attribute")
            .of_attribute(&attribute.name)
            .help(format!("name another class, or give `{}` the role public or private", attribute.name))),
    }
}

fn subject(item: Item<'_>, declared: &[DeclaredAttribute<'_>]) -> Result<String> {
    let name = item.text()?;
    match declared.iter().find(|d| d.attribute.name == name) {
        Some(d) if d.attribute.role != Role::Identifier => Err(item
            .error("the subject column identifies individuals, so its role must be identifier")
            .of_attribute(name)
            .help("make it an identifier, or omit its entry")),
        _ => Ok(name.to_owned()),
    }
}

/// With the columns' names in the policy, its statements about them can be checked before any table is read.
fn check_names(
    top: &Section<'_>,
    file: &ReadPlan,
    declared: &[DeclaredAttribute<'_>],
    subject: Option<&str>,
) -> Result<()> {
    let Some(names) = &file.names else { return Ok(()) };
    if let Some(d) = declared.iter().find(|d| !names.contains(&d.attribute.name)) {
        return Err(d
            .item
            .error_at_key("`names` in [file] has no column of this name")
            .help(did_you_mean(&d.attribute.name, names.iter().map(String::as_str))));
    }
    if let (Some(item), Some(name)) = (top.get("subject"), subject)
        && !names.iter().any(|other| other == name)
    {
        return Err(item.error("`names` in [file] has no column of this name"));
    }
    let has_role =
        |name: &String| Some(name.as_str()) == subject || declared.iter().any(|d| d.attribute.name == *name);
    match names.iter().find(|name| !has_role(name)) {
        Some(name) if file.unlisted == Unlisted::Refuse => Err(names_item(top)
            .map_or_else(|| Error::input(NO_ROLE), |item| item.error(NO_ROLE))
            .of_attribute(name)
            .help("add it to [attributes], or set unlisted = \"ignored\"")),
        _ => Ok(()),
    }
}

const NO_ROLE: &str = "the policy states no role for this column";

fn names_item<'a>(top: &Section<'a>) -> Option<Item<'a>> {
    top.section("file", keys::FILE).ok().flatten().and_then(|file| file.get("names"))
}

#[cfg(test)]
mod tests;
