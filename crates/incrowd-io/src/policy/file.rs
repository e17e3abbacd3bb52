//! `[file]`: how the table is read.

use super::item::{Item, Section};
use crate::plan::{Decimal, Encoding, Format, MissingRows, Quote, ReadPlan, Spelling};
use incrowd_core::Result;
use incrowd_core::table::RowsLeftOut;

/// Keys that describe delimited text and nothing else.
const TEXT_ONLY: [&str; 8] =
    ["delimiter", "header", "names", "quote", "comment", "trailing-dot", "skip-lines", "decimal"];

/// Those of them that describe a sheet as well.
const OF_SHEETS: [&str; 3] = ["header", "names", "skip-lines"];

pub(super) fn read(section: &Section<'_>) -> Result<ReadPlan> {
    let get = |key| section.get(key);
    let plan = ReadPlan {
        format: get("format").map(format).transpose()?,
        encoding: get("encoding").map_or(Ok(Encoding::default()), encoding)?,
        sheet: get("sheet").map(|item| item.text().map(str::to_owned)).transpose()?,
        delimiter: get("delimiter").map(delimiter).transpose()?,
        header: get("header").map(|item| item.flag()).transpose()?,
        names: get("names").map(|item| item.some_texts()).transpose()?,
        quote: get("quote").map_or(Ok(Quote::default()), quote)?,
        comment: get("comment").map(comment).transpose()?,
        trailing_dot: get("trailing-dot").map(|item| item.flag()).transpose()?,
        skip_lines: get("skip-lines").map_or(Ok(0), |item| item.integer())?,
        decimal: get("decimal").map_or(Ok(Decimal::default()), decimal)?,
        missing: get("missing").map_or_else(|| Ok(Vec::new()), |item| item.texts())?,
        spelling: get("spelling").map_or(Ok(Spelling::default()), spelling)?,
        missing_rows: get("missing-rows").map_or(Ok(MissingRows::default()), missing_rows)?,
        max_rows_left_out: Some(get("max-rows-left-out").map_or(Ok(RowsLeftOut::TOO_MANY), share)?),
        ..ReadPlan::default()
    };
    check_format(section, &plan)?;
    check_quote(section, &plan)?;
    check_decimal(section, &plan)?;
    Ok(plan)
}

/// How a table is read under a policy without `[file]`.
pub(super) fn unsaid() -> ReadPlan {
    ReadPlan { max_rows_left_out: Some(RowsLeftOut::TOO_MANY), ..ReadPlan::default() }
}

fn format(item: Item<'_>) -> Result<Format> {
    item.choice(&[
        ("csv", Format::Csv),
        ("uci", Format::Uci),
        ("arff", Format::Arff),
        ("parquet", Format::Parquet),
        ("jsonl", Format::JsonLines),
        ("xlsx", Format::Excel),
    ])
}

pub(super) fn delimiter(item: Item<'_>) -> Result<u8> {
    if item.text()? == "tab" {
        return Ok(b'\t');
    }
    let delimiter = item.character()?;
    let usable = delimiter.is_ascii() && (!delimiter.is_ascii_control() || delimiter == '\t');
    if usable && !delimiter.is_ascii_alphanumeric() {
        return Ok(delimiter as u8);
    }
    Err(item.error("`delimiter` must be a punctuation mark, a space or \"tab\""))
}

fn quote(item: Item<'_>) -> Result<Quote> {
    item.choice(&[("double", Quote::Double), ("single", Quote::Single), ("none", Quote::None)])
}

pub(super) fn spelling(item: Item<'_>) -> Result<Spelling> {
    item.choice(&Spelling::NAMES)
}

fn encoding(item: Item<'_>) -> Result<Encoding> {
    let word = item.text()?.to_lowercase();
    // Another encoding of a similar name has other characters, such as the sign of the euro.
    let names = || Encoding::NAMES.map(|(name, _)| name);
    if word.starts_with("iso-8859-") && !names().contains(&word.as_str()) {
        return Err(item
            .error("unknown value of `encoding`")
            .help(format!("convert the file to UTF-8; incrowd reads {}", names().join(", "))));
    }
    item.choice(&Encoding::NAMES)
}

pub(super) fn decimal(item: Item<'_>) -> Result<Decimal> {
    item.choice(&[(".", Decimal::Point), (",", Decimal::Comma)])
}

fn comment(item: Item<'_>) -> Result<String> {
    let text = item.text()?;
    if text.is_empty() || text.contains(['\n', '\r']) {
        return Err(item
            .error("`comment` must be the characters that begin a comment line")
            .help("such as \"|\" or \"#\""));
    }
    Ok(text.to_owned())
}

pub(super) fn missing_rows(item: Item<'_>) -> Result<MissingRows> {
    item.choice(&[("refuse", MissingRows::Refuse), ("drop", MissingRows::Drop), ("keep", MissingRows::Keep)])
}

fn share(item: Item<'_>) -> Result<f64> {
    let share = item.number()?;
    if (0.0..=1.0).contains(&share) {
        return Ok(share);
    }
    Err(item.error(format!("`{}` must be a share from 0 to 1", item.key)))
}

/// A format implies much; what contradicts it is refused.
fn check_format(section: &Section<'_>, plan: &ReadPlan) -> Result<()> {
    let is_foreign = |key: &&&str| match plan.format {
        Some(Format::Arff | Format::Parquet | Format::JsonLines) => true,
        Some(Format::Excel) => !OF_SHEETS.contains(key),
        _ => false,
    };
    if let Some(item) = TEXT_ONLY.iter().filter(is_foreign).find_map(|key| section.get(key)) {
        return Err(item
            .error_at_key(format!("`{}` is for delimited text, not for this format", item.key))
            .help("omit it, or change `format`"));
    }
    let is_text = !matches!(plan.format, Some(Format::Parquet | Format::Excel));
    if let Some(item) = section.get("encoding").filter(|_| !is_text) {
        return Err(item
            .error_at_key("`encoding` is for text, not for this format")
            .help("omit it, or change `format`"));
    }
    let is_workbook = matches!(plan.format, None | Some(Format::Excel));
    if let Some(item) = section.get("sheet").filter(|_| !is_workbook) {
        return Err(item
            .error_at_key("`sheet` is for Excel workbooks, not for this format")
            .help("omit it, or set format = \"xlsx\""));
    }
    let is_uci = plan.format == Some(Format::Uci);
    if let Some(item) = section.get("header").filter(|_| is_uci && plan.header == Some(true)) {
        return Err(item.error("UCI files have no header").help("set format = \"csv\""));
    }
    let nameless = section.get(if is_uci { "format" } else { "header" });
    match nameless.filter(|_| plan.names.is_none() && (is_uci || plan.header == Some(false))) {
        Some(item) => Err(item
            .error("a table without a header needs the names of its columns")
            .help("add names = [\"…\", \"…\"] with one name per column")),
        None => Ok(()),
    }
}

/// A comma that divides cells is in none of them, unless they are quoted.
fn check_decimal(section: &Section<'_>, plan: &ReadPlan) -> Result<()> {
    let is_delimiter = plan.delimiter == Some(b',') && plan.quote == Quote::None;
    match section.get("decimal").filter(|_| is_delimiter && plan.decimal == Decimal::Comma) {
        Some(item) => {
            Err(item.error("the decimal comma is also the delimiter").help("change `delimiter` or `decimal`"))
        }
        None => Ok(()),
    }
}

fn check_quote(section: &Section<'_>, plan: &ReadPlan) -> Result<()> {
    let quote = match plan.quote {
        Quote::Double => b'"',
        Quote::Single => b'\'',
        Quote::None => return Ok(()),
    };
    match section.get("delimiter").filter(|_| plan.delimiter == Some(quote)) {
        Some(item) => {
            Err(item.error("the delimiter is also the quote").help("change `quote` or `delimiter`"))
        }
        None => Ok(()),
    }
}
