//! The page.

use super::view::View;
use super::{crowds, curves, figures, headline, prose, real};
use crate::comparison::{Chosen, Comparison};
use crate::words::{count, escape};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// The one script that may run, by what it says: `openssl dgst -sha256 -binary script.js | base64`.
const SCRIPT_HASH: &str = include_str!("script.sha256");

/// The report: one page that needs nothing else.
pub fn html(comparison: &Comparison) -> String {
    let view = View::new(comparison);
    let sections = sections(&view);
    let links: String = sections
        .iter()
        .map(|section| format!("<li><a href=\"#{}\">{}</a></li>", section.id, section.title))
        .collect();
    let body: String = sections.iter().map(Section::html).collect();
    format!(
        "{}<body>\n<a class=\"skip\" href=\"#main\">To the results</a>\n<header><p class=\"brand\">incrowd compare</p>\n<h1>What protection costs: {}</h1>\n\
         <p class=\"about\">{}</p></header>\n\
         <main id=\"main\">\n<section id=\"summary\" aria-label=\"Summary\">\n{}{}</section>\n\
         <nav aria-label=\"Contents\"><ul>{links}</ul></nav>\n{body}</main>\n\
         <footer>Made by incrowd {}. This file needs no network and sends nothing anywhere.</footer>\n\
         <p id=\"said\" class=\"unseen\" role=\"status\"></p>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        head(comparison),
        escape(&comparison.about.data),
        escape(&about(comparison)),
        headline::headline(&view),
        notes(comparison),
        escape(&comparison.about.version)
    )
}

fn head(comparison: &Comparison) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>What protection costs: {}</title>\n<style>\n{STYLE}</style>\n</head>\n",
        SCRIPT_HASH.trim(),
        escape(&comparison.about.data)
    )
}

/// The table in a line.
fn about(comparison: &Comparison) -> String {
    let about = &comparison.about;
    let people = if about.individuals == about.rows {
        String::new()
    } else {
        format!(" about {} people", count(about.individuals))
    };
    let guarantee = if about.guarantee.is_empty() {
        String::new()
    } else {
        format!(" Besides k: {}.", about.guarantee.join(", "))
    };
    format!(
        "{} rows{people}; to be predicted is {} ({} classes). {}.{guarantee}",
        count(about.rows),
        about.class,
        count(about.classes),
        capitalized(&about.protocol)
    )
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn notes(comparison: &Comparison) -> String {
    if comparison.notes.is_empty() {
        return String::new();
    }
    let notes: String = comparison.notes.iter().map(|note| format!("<li>{}</li>", escape(note))).collect();
    format!("<div class=\"caveat\"><strong>To be known</strong><ul>{notes}</ul></div>\n")
}

/// A part of the page under a title of its own.
struct Section {
    id: &'static str,
    title: &'static str,
    html: String,
}

impl Section {
    fn html(&self) -> String {
        let Self { id, title, html } = self;
        format!(
            "<section id=\"{id}\" aria-labelledby=\"{id}-h\">\n<h2 id=\"{id}-h\">{title}</h2>\n{html}</section>\n"
        )
    }
}

fn sections(view: &View<'_>) -> Vec<Section> {
    let section = |id, title, html| Section { id, title, html };
    let chosen =
        view.of.chosen.as_ref().map(|chosen| section("chosen", "The release shown", chosen_release(chosen)));
    let mut sections = vec![
        section("curves", "How well releases predict", curves_section(view)),
        section("losses", "What tables lose", crowds::losses(view)),
        section("risks", "What an attacker learns", crowds::risks(view)),
        section("crowds", "How large the crowds are", sizes_section(view)),
        section("real", "Are the differences real?", real::real(view)),
        section("over", "Over all k", figures::areas(view)),
    ];
    sections.extend(chosen);
    sections.extend([
        section("released", "Releases, seconds and memory", crowds::seconds(view) + &figures::releases(view)),
        section("all", "All results", figures::results(view)),
        section("words", "What the measures mean", prose::MEASURES.to_owned()),
        section("limits", "What k does not protect against", prose::LIMITS.to_owned()),
        section("again", "How to repeat it", again(view)),
    ]);
    sections
}

fn curves_section(view: &View<'_>) -> String {
    let bars = if view.of.about.folds > 1 { " Bars are standard deviations over folds." } else { "" };
    let itself = view.of.series.iter().any(|series| series.inducer.is_none()) && !view.inducers.is_empty();
    let itself =
        if itself { " Releases that predict by themselves have the same line in every panel." } else { "" };
    format!(
        "<p>A panel a learner: what it makes of each method's release, tried on rows it has not seen. The dashed line is the same learner without protection.{bars}{itself}</p>\n{}",
        curves::curves(view)
    )
}

fn sizes_section(view: &View<'_>) -> String {
    format!(
        "<p>How many people are in crowds of which size: the further right, the better hidden, and the less is told. Heights are shares of people.</p>\n{}",
        crowds::sizes(view)
    )
}

/// The picture is an image of its own, in which nothing runs.
fn chosen_release(chosen: &Chosen) -> String {
    let picture = chosen.svg.as_ref().map(|svg| {
        format!(
            "<div class=\"scroll picture\" tabindex=\"0\" role=\"region\" aria-label=\"Picture of the release\"><img alt=\"Picture of what {} released at k = {}\" src=\"data:image/svg+xml,{}\"></div>\n",
            escape(&chosen.method),
            chosen.k,
            encoded(svg)
        )
    });
    format!(
        "<p><strong>{}</strong> at k = {}. {}</p>\n{}",
        escape(&chosen.method),
        count(chosen.k),
        escape(&chosen.why),
        picture.unwrap_or_default()
    )
}

/// A text as it stands in an address.
fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'-'
            | b'_'
            | b'.'
            | b'~'
            | b'/'
            | b':'
            | b','
            | b';'
            | b'=' => {
                encoded.push(byte as char);
            }
            other => encoded += &format!("%{other:02X}"),
        }
    }
    encoded
}

fn again(view: &View<'_>) -> String {
    let about = &view.of.about;
    let list = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let names = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let ks: Vec<String> = view.of.ks.iter().map(u64::to_string).collect();
    let facts = [
        ("Data", about.data.clone()),
        ("Class", about.class.clone()),
        ("Public attributes", list(&about.public)),
        ("Private attributes", list(&about.private)),
        ("Besides k", list(&about.guarantee)),
        ("k", ks.join(", ")),
        ("Methods", names(&view.methods)),
        ("Learners", names(&view.inducers)),
        (
            "Protocol",
            format!(
                "{}, {} folds, stratified by class, nobody in both training and test rows",
                about.protocol,
                count(about.folds)
            ),
        ),
        ("Seed", about.seed.to_string()),
        ("Version", format!("incrowd {}", about.version)),
    ];
    let rows: String = facts
        .iter()
        .map(|(what, fact)| format!("<div><dt>{what}</dt><dd>{}</dd></div>", escape(fact)))
        .collect();
    format!(
        "<p>The same data, options, seed and version give the same figures on any machine and with any number of threads, but for seconds and memory.</p>\n<dl class=\"facts\">{rows}</dl>\n"
    )
}
