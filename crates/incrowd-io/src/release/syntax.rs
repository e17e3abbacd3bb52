//! From text to a release: the header first, then the family's own reader; errors have a line and column.

use super::raw::{RawClusters, RawEnsemble, RawRules, RawTable, RawTree};
use super::{Release, VERSION, clusters, ensemble, object::Object, rules, table, tree};
use crate::bounds::{Scalar, check_bytes, check_json};
use incrowd_core::{Error, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use std::string::FromUtf8Error;

/// The most characters of a parser's message that are repeated: it may quote a key, and keys can be long.
const MESSAGE: usize = 160;

/// The header of every release. Read leniently: another version may have other keys.
#[derive(Deserialize)]
struct Header {
    format: Option<Scalar>,
    version: Option<Scalar>,
    family: Option<Scalar>,
}

/// Reads and checks a release.
pub(super) fn parse(text: &str) -> Result<Release> {
    if text.is_empty() {
        return Err(Error::input("the file is empty").help("check that it is complete"));
    }
    check_bytes(text.len() as u64)?;
    check_json(text)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let family = family(text)?;
    let release = match family.as_str() {
        "tree" => tree::read(read::<RawTree>(text)?),
        "ensemble" => ensemble::read(read::<RawEnsemble>(text)?),
        "clusters" => clusters::read(read::<RawClusters>(text)?),
        "rules" => rules::read(read::<RawRules>(text)?),
        "table" => table::read(read::<RawTable>(text)?),
        _ => Err(Error::input("unknown family of releases")
            .help("the families are \"tree\", \"ensemble\", \"clusters\", \"rules\" and \"table\"")),
    };
    release.map_err(with_way_out)
}

pub(super) fn not_utf8(error: &FromUtf8Error) -> Error {
    let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
    let line = memchr::memchr_iter(b'\n', sound).count();
    let start = memchr::memrchr(b'\n', sound).map_or(0, |newline| newline + 1);
    Error::input("the text is not UTF-8")
        .at_line(line as u64 + 1)
        .at_column((sound.len() - start) as u64 + 1)
        .help("releases and models are read as UTF-8; save the file in this encoding")
}

/// The family of a release of the right format and version.
fn family(text: &str) -> Result<String> {
    let header = match serde_json::from_str::<Object<Header>>(text) {
        Ok(Object(header)) => header,
        Err(error) if error.classify() == Category::Data => return Err(not_a_release()),
        Err(error) => return Err(in_words(&error)),
    };
    if header.format != Some(Scalar::Text("incrowd-release".to_owned())) {
        return Err(not_a_release());
    }
    if header.version != Some(Scalar::Whole(u64::from(VERSION))) {
        let stated = match header.version {
            Some(Scalar::Whole(version)) => format!("version {version}"),
            _ => "this version".to_owned(),
        };
        return Err(Error::input(format!("{stated} of the release format is not supported"))
            .help(format!("version {VERSION} is supported; a newer incrowd may support more")));
    }
    match header.family {
        Some(Scalar::Text(family)) => Ok(family),
        _ => Ok(String::new()),
    }
}

fn not_a_release() -> Error {
    Error::input("the file is JSON, but not a release of incrowd")
        .help("a release is an object with \"format\": \"incrowd-release\"")
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str::<Object<T>>(text).map(|object| object.0).map_err(|error| in_words(&error))
}

pub(crate) fn in_words(error: &serde_json::Error) -> Error {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = without_values(message.strip_suffix(&place).unwrap_or(&message));
    let error_here = match error.classify() {
        Category::Data => Error::input(message).help("docs/releases.md describes the format"),
        Category::Eof => {
            Error::input("the JSON ends too early").help("the file may be truncated; copy or make it again")
        }
        _ if message == "recursion limit exceeded" => {
            Error::limit("the JSON is nested deeper than any release")
                .help("check that the file is a release")
        }
        Category::Syntax | Category::Io => Error::input(format!("invalid JSON: {message}"))
            .help(match message.as_str() {
                "trailing characters" => {
                    "check that the file is a release and that later edits are correct; a ledger is checked with `incrowd ledger`"
                }
                _ => "check that the file is a release and that later edits are correct",
            }),
    };
    // The parser counts from 0 at the start of a line, and has no line for an empty file.
    error_here.at_line(error.line().max(1) as u64).at_column(error.column().max(1) as u64)
}

/// Leaves values out of a parser's message; only keys and kinds of values may be named.
fn without_values(message: &str) -> String {
    let wrong = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    if let Some(shown) = of_key(message) {
        return shortened(&shown);
    }
    let shown = match wrong.and_then(|rest| rest.rsplit_once(", expected ")) {
        Some((found, expected)) => {
            let expected = match expected {
                "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number of at least 0",
                "f64" => "a number",
                "a map" => "an object",
                "a sequence" => "a list",
                other => other,
            };
            format!("found {}, expected {expected}", kind_of(found))
        }
        None => message.to_owned(),
    };
    shortened(&shown)
}

/// What a parser found, without the value.
fn kind_of(found: &str) -> &str {
    match found.split(['"', '`']).next().unwrap_or_default().trim_end() {
        "integer" if found.contains("`-") => "a negative number",
        "integer" => "a whole number",
        "floating point" => "a decimal number",
        "string" => "a string",
        "boolean" => "a boolean",
        "map" => "an object",
        "sequence" => "a list",
        other => other,
    }
}

/// A parser's message about a key or an unknown word, in our words.
fn of_key(message: &str) -> Option<String> {
    let key = |rest: &str| rest.split('`').nth(1).unwrap_or_default().to_owned();
    if let Some(rest) = message.strip_prefix("unknown field ") {
        Some(format!("unknown key `{}`", key(rest)))
    } else if let Some(rest) = message.strip_prefix("duplicate field ") {
        Some(format!("duplicate key `{}`", key(rest)))
    } else if let Some(rest) = message.strip_prefix("missing field ") {
        Some(format!("missing key `{}`", key(rest)))
    } else {
        let (_, words) = message.strip_prefix("unknown variant ")?.rsplit_once(", expected ")?;
        Some(format!("unknown word, expected {words}"))
    }
}

fn shortened(shown: &str) -> String {
    let printable = shown.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let mut short: String = printable.clone().take(MESSAGE).collect();
    if printable.count() > MESSAGE {
        short.push('…');
    }
    short
}

fn with_way_out(error: Error) -> Error {
    match error.help {
        None => {
            error.help("correct the file or make the release again; docs/releases.md describes the format")
        }
        Some(_) => error,
    }
}
