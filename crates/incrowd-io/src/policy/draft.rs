//! A draft of a policy, with a comment on every guess.

use super::VERSION;
use super::attributes::word;
use crate::plan::{Decimal, Encoding, Format, MissingRows, Quote, ReadPlan};
use incrowd_core::guarantee::Scope;
use incrowd_core::policy::{Dependency, Role};
use incrowd_core::table::{DateOrder, Kind, RowsLeftOut};
use incrowd_core::taxonomy::TaxonomySpec;
use std::fmt::Write;

/// An attribute of a draft.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DraftAttribute {
    /// The column's name.
    pub name: String,
    /// The role guessed.
    pub role: Role,
    /// Whether the role is only assumed, so that the owner has to decide.
    pub undecided: bool,
    /// The kind found; an ordered one needs `order`.
    pub kind: Option<Kind>,
    /// The values of an ordered attribute from lowest to highest.
    pub order: Vec<String>,
    /// What comes first in its dates, where that has to be stated.
    pub date_order: Option<DateOrder>,
    /// The decimal separator of its numbers, where that has to be stated.
    pub decimal: Option<Decimal>,
    /// The missing markers of this column.
    pub missing: Vec<String>,
    /// How its values generalize, where that is a rule; a tree from a file is not drafted.
    pub taxonomy: Option<TaxonomySpec>,
    /// The reason for the guess.
    pub comment: String,
}

impl DraftAttribute {
    /// An attribute with a role, a kind and the reason for the guess.
    pub fn new(name: impl Into<String>, role: Role, kind: Option<Kind>, comment: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            role,
            undecided: false,
            kind,
            order: Vec::new(),
            date_order: None,
            decimal: None,
            missing: Vec::new(),
            taxonomy: None,
            comment: comment.into(),
        }
    }
}

/// A dependency of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftDependency {
    /// Which attributes determine which.
    pub dependency: Dependency,
    /// The evidence for it.
    pub comment: String,
}

/// A policy for its owner to review: every guess has a comment.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct PolicyDraft {
    /// The comment at the beginning of the file.
    pub comment: String,
    /// The class and the reason for the guess.
    pub class: Option<(String, String)>,
    /// The subject column and the reason for the guess.
    pub subject: Option<(String, String)>,
    /// How the table was read; the columns are left out.
    pub file: ReadPlan,
    /// The attributes in the order of the table.
    pub attributes: Vec<DraftAttribute>,
    /// Dependencies seen in the data.
    pub dependencies: Vec<DraftDependency>,
    /// The initial k and the reason.
    pub k: Option<(u64, String)>,
    /// The initial cap on confidence and the reason.
    pub confidence: Option<(f64, String)>,
    /// The private attributes that the cap applies to; the class if absent.
    pub of: Option<Scope>,
    /// The attributes that a scope of all leaves out.
    pub except: Vec<String>,
    /// The private items of baskets, where the data are baskets and not a table; the others are public.
    pub private_items: Option<Vec<String>>,
}

impl PolicyDraft {
    /// Creates an empty draft with a comment at the beginning.
    pub fn new(comment: impl Into<String>) -> Self {
        Self { comment: comment.into(), ..Self::default() }
    }

    /// The text of the policy file; it reads back as the draft.
    pub fn render(&self) -> String {
        let mut page = Page::default();
        page.comment(&self.comment);
        page.line(&format!("version = {VERSION}"));
        for (key, guess) in [("class", &self.class), ("subject", &self.subject)] {
            if let Some((name, comment)) = guess {
                page.comment(comment);
                page.line(&format!("{key} = {}", quoted(name)));
            }
        }
        page.file(&self.file, self.attributes.iter().any(|attribute| !attribute.missing.is_empty()));
        self.private_items.iter().for_each(|private| page.items(private));
        self.attributes.iter().for_each(|attribute| page.attribute(attribute));
        self.dependencies.iter().for_each(|dependency| page.dependency(dependency));
        if let Some((k, comment)) = &self.k {
            page.section("[guarantee]", comment);
            page.line(&format!("k = {k}"));
        }
        if let Some((cap, comment)) = &self.confidence {
            page.comment(comment);
            page.line(&format!("confidence = {cap}"));
        }
        if let Some(of) = &self.of {
            page.line(&format!("of = {}", scope(of)));
        }
        if !self.except.is_empty() {
            page.line(&format!("except = {}", list(&self.except)));
        }
        page.text
    }
}

#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Comment lines; characters that a comment may not contain become spaces.
    fn comment(&mut self, comment: &str) {
        for line in comment.lines() {
            let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            self.line(format!("# {line}").trim_end());
        }
    }

    fn section(&mut self, head: &str, comment: &str) {
        self.line("");
        self.comment(comment);
        self.line(head);
    }

    fn items(&mut self, private: &[String]) {
        let comment = "Each line of the file is a basket. Items are public (an attacker may see them) unless they are listed as private.";
        self.section("[items]", comment);
        self.line("default = \"public\"");
        self.line(&format!("private = {}", list(private)));
    }

    fn file(&mut self, file: &ReadPlan, has_marks: bool) {
        let entries = file_entries(file, has_marks);
        if entries.is_empty() {
            return;
        }
        self.section("[file]", "How to read the table.");
        for entry in &entries {
            self.line(entry);
        }
    }

    fn attribute(&mut self, attribute: &DraftAttribute) {
        self.section(&format!("[attributes.{}]", key(&attribute.name)), &attribute.comment);
        self.line(&format!("role = \"{}\"", role_word(attribute.role)));
        if attribute.undecided {
            self.line("undecided = true");
        }
        if let Some(kind) = attribute.kind {
            self.line(&format!("kind = \"{}\"", word(kind)));
        }
        if !attribute.order.is_empty() {
            self.line(&format!("order = {}", list(&attribute.order)));
        }
        match attribute.date_order {
            Some(DateOrder::DayFirst) => self.line("dates = \"day-first\""),
            Some(DateOrder::MonthFirst) => self.line("dates = \"month-first\""),
            None => {}
        }
        if let Some(decimal) = attribute.decimal {
            self.line(decimal_entry(decimal));
        }
        if !attribute.missing.is_empty() {
            self.line(&format!("missing = {}", list(&attribute.missing)));
        }
        if let Some(rule) = attribute.taxonomy.as_ref().and_then(rule) {
            self.line(&format!("taxonomy = {{ {rule} }}"));
        }
    }

    fn dependency(&mut self, draft: &DraftDependency) {
        self.section("[[dependencies]]", &draft.comment);
        self.line(&format!("from = {}", list(&draft.dependency.from)));
        self.line(&format!("to = {}", quoted(&draft.dependency.to)));
    }
}

/// What was found out about the file, without what goes without saying.
fn file_entries(file: &ReadPlan, has_marks: bool) -> Vec<String> {
    let has_own_layout =
        matches!(file.format, Some(Format::Arff | Format::Parquet | Format::JsonLines | Format::Frame));
    let word = file.format.and_then(format_word);
    let mut entries: Vec<String> = word.map(|word| format!("format = \"{word}\"")).into_iter().collect();
    if !has_own_layout {
        entries.extend(text_entries(file));
    }
    let encoding = Some(file.encoding).filter(|&encoding| encoding != Encoding::Utf8);
    entries.extend(encoding.map(|encoding| format!("encoding = \"{}\"", encoding.name())));
    entries.extend(file.sheet.as_ref().map(|sheet| format!("sheet = {}", quoted(sheet))));
    let is_marked = !file.missing.is_empty() || has_marks;
    entries.extend((!file.missing.is_empty()).then(|| format!("missing = {}", list(&file.missing))));
    let has_own_marks = matches!(file.format, Some(Format::Arff | Format::Parquet | Format::JsonLines));
    let only_nulls = !is_marked && !has_own_marks;
    let is_stated = only_nulls && file.missing_rows != MissingRows::Refuse;
    entries.extend(is_stated.then(|| "missing = []".to_owned()));
    let rule = match file.missing_rows {
        MissingRows::Refuse => None,
        MissingRows::Drop => Some("missing-rows = \"drop\"".to_owned()),
        MissingRows::Keep => Some("missing-rows = \"keep\"".to_owned()),
    };
    entries.extend(rule);
    let most = file.max_rows_left_out.filter(|most| (most - RowsLeftOut::TOO_MANY).abs() > f64::EPSILON);
    entries.extend(most.map(|most| format!("max-rows-left-out = {most}")));
    entries
}

/// How delimited text is laid out.
fn text_entries(file: &ReadPlan) -> impl Iterator<Item = String> {
    let delimiter = |delimiter: u8| match delimiter {
        b'\t' => "delimiter = \"tab\"".to_owned(),
        other => format!("delimiter = {}", quoted(&char::from(other).to_string())),
    };
    let quote = match file.quote {
        Quote::Double => None,
        Quote::Single => Some("quote = \"single\"".to_owned()),
        Quote::None => Some("quote = \"none\"".to_owned()),
    };
    let entries = [
        file.delimiter.map(delimiter),
        file.header.map(|header| format!("header = {header}")),
        file.names.as_ref().map(|names| format!("names = {}", list(names))),
        quote,
        file.comment.as_ref().map(|comment| format!("comment = {}", quoted(comment))),
        file.trailing_dot.map(|dot| format!("trailing-dot = {dot}")),
        (file.skip_lines > 0).then(|| format!("skip-lines = {}", file.skip_lines)),
        (file.decimal == Decimal::Comma).then(|| decimal_entry(file.decimal).to_owned()),
    ];
    entries.into_iter().flatten()
}

fn decimal_entry(decimal: Decimal) -> &'static str {
    match decimal {
        Decimal::Point => "decimal = \".\"",
        Decimal::Comma => "decimal = \",\"",
    }
}

/// A rule for a taxonomy as a policy has it.
fn rule(spec: &TaxonomySpec) -> Option<String> {
    match spec {
        TaxonomySpec::Round => Some("round = {}".to_owned()),
        TaxonomySpec::Flat => Some("flat = {}".to_owned()),
        TaxonomySpec::Calendar => Some("calendar = {}".to_owned()),
        TaxonomySpec::Prefix(prefix) => {
            let pad = prefix.pad().map(|pad| format!("pad = {}", quoted(&pad.to_string())));
            Some(format!("prefix = {{{}}}", pad.map_or_else(String::new, |pad| format!(" {pad} "))))
        }
        _ => None,
    }
}

/// The word for a format of files.
fn format_word(format: Format) -> Option<&'static str> {
    match format {
        Format::Csv => Some("csv"),
        Format::Uci => Some("uci"),
        Format::Arff => Some("arff"),
        Format::Parquet => Some("parquet"),
        Format::JsonLines => Some("jsonl"),
        Format::Excel => Some("xlsx"),
        Format::Frame => None,
    }
}

fn role_word(role: Role) -> &'static str {
    match role {
        Role::Public => "public",
        Role::Private => "private",
        Role::Identifier => "identifier",
        Role::Ignored => "ignored",
    }
}

fn scope(of: &Scope) -> String {
    match of {
        Scope::Class => quoted("class"),
        Scope::Tested => quoted("tested"),
        Scope::All => quoted("all"),
        Scope::Named(names) | Scope::ClassAnd(names) => list(names),
    }
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

/// A key of a table, quoted where it must be.
fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { quoted(name) }
}

/// A string of TOML on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
