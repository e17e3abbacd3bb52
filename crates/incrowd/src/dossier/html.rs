//! A document as one self-contained page: no scripts, no requests, prints to A4.

use super::page::{Block, Cell, Fact, Mood, Page, Picture, Section, Table};
use incrowd_core::xml::escape as xml;
use incrowd_eval::words::plain;

const STYLE: &str = include_str!("style.css");

/// The page of a document.
pub(super) fn html(page: &Page) -> String {
    let sections: String = page.sections.iter().enumerate().map(|(i, own)| section(i + 1, own)).collect();
    let links: String = page
        .sections
        .iter()
        .map(|own| format!("<li><a href=\"#{}\">{}</a></li>", own.id, escape(own.title)))
        .collect();
    format!(
        "{}<body>\n<header><p class=\"brand\">incrowd report</p>\n<h1>{}</h1>\n<p class=\"about\">{}</p></header>\n\
         <main>\n{}{}<nav aria-label=\"Contents\"><ol>{links}</ol></nav>\n{sections}</main>\n\
         <footer>{} This file needs no network and sends no data.</footer>\n</body>\n</html>\n",
        head(&page.title),
        escape(&page.title),
        escape(&page.about),
        verdict(page),
        tiles(page),
        escape(&page.footer),
    )
}

/// Text in HTML, on one line.
fn escape(text: &str) -> String {
    xml(&plain(text))
}

/// Nothing may run and nothing may load, so that names from a table are harmless even if one were not escaped.
fn head(title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n",
        escape(title)
    )
}

fn mood(mood: Mood) -> &'static str {
    match mood {
        Mood::Good => "good",
        Mood::Care => "care",
        Mood::Bad => "bad",
    }
}

fn verdict(page: &Page) -> String {
    let own = &page.verdict;
    let sentences: String = own.sentences.iter().map(|text| format!("<p>{}</p>\n", escape(text))).collect();
    format!(
        "<section id=\"verdict\" class=\"{}\" aria-label=\"Result\">\n<p class=\"lead\">{}</p>\n{sentences}</section>\n",
        mood(own.mood),
        escape(&own.headline)
    )
}

fn tiles(page: &Page) -> String {
    if page.tiles.is_empty() {
        return String::new();
    }
    let tile = |own: &super::page::Tile| {
        format!("<div><dt>{}</dt><dd>{}</dd></div>", escape(&own.label), escape(&own.figure))
    };
    format!("<dl class=\"tiles\">{}</dl>\n", page.tiles.iter().map(tile).collect::<String>())
}

fn section(number: usize, own: &Section) -> String {
    let class = if own.breaks { " class=\"page\"" } else { "" };
    let blocks: String = own.blocks.iter().map(block).collect();
    format!(
        "<section id=\"{id}\"{class} aria-labelledby=\"{id}-h\">\n<h2 id=\"{id}-h\">{number}. {}</h2>\n{blocks}</section>\n",
        escape(own.title),
        id = own.id,
    )
}

fn block(own: &Block) -> String {
    match own {
        Block::Heading(text) => format!("<h3>{}</h3>\n", escape(text)),
        Block::Text(text) => paragraphs("", text),
        Block::Note(text) => paragraphs(" class=\"note\"", text),
        Block::Warning(lines) => {
            let lines: String = lines.iter().map(|line| format!("<li>{}</li>", escape(line))).collect();
            format!("<div class=\"caveat\"><ul>{lines}</ul></div>\n")
        }
        Block::Facts(facts) => {
            format!("<dl class=\"facts\">{}</dl>\n", facts.iter().map(fact).collect::<String>())
        }
        Block::List(items) => {
            let item = |(lead, text): &(String, String)| {
                format!("<li><strong>{}</strong> {}</li>", escape(lead), escape(text))
            };
            format!("<ul>{}</ul>\n", items.iter().map(item).collect::<String>())
        }
        Block::Table(own) => table(own),
        Block::Pictures(all) => {
            format!("<div class=\"panels\">{}</div>\n", all.iter().map(picture).collect::<String>())
        }
        Block::Signatures(facts) => {
            format!("<dl class=\"facts sign\">{}</dl>\n", facts.iter().map(fact).collect::<String>())
        }
    }
}

/// A text whose lines are paragraphs.
fn paragraphs(class: &str, text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| format!("<p{class}>{}</p>\n", escape(line))).collect()
}

fn fact(own: &Fact) -> String {
    let value = match &own.value {
        None => "<span class=\"blank\"></span>".to_owned(),
        Some(value) if own.is_code => format!("<code>{}</code>", escape(value)),
        Some(value) => {
            let lines: Vec<String> = value.lines().map(escape).collect();
            lines.join("<br>")
        }
    };
    format!("<div><dt>{}</dt><dd>{value}</dd></div>", escape(&own.name))
}

fn table(own: &Table) -> String {
    let id = own.id;
    let heads: String = own
        .heads
        .iter()
        .map(|head| format!("<th scope=\"col\"{}>{}</th>", class(head, None), escape(name(head))))
        .collect();
    let rows: String = own.rows.iter().map(|row| line(own, row)).collect();
    format!(
        "<div class=\"scroll\" role=\"region\" aria-labelledby=\"{id}-c\" tabindex=\"0\"><table id=\"{id}\"><caption id=\"{id}-c\">{}</caption>\n\
         <thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n",
        escape(&own.caption)
    )
}

fn line(own: &Table, row: &[Cell]) -> String {
    let cells = row.iter().zip(&own.heads).enumerate().map(|(place, (cell, head))| {
        let (tag, scope) = if place == 0 { ("th", " scope=\"row\"") } else { ("td", "") };
        let text = if head.starts_with('#') { halves(&cell.text) } else { escape(&cell.text) };
        format!("<{tag}{scope}{}>{text}</{tag}>", class(head, cell.mood))
    });
    format!("<tr>{}</tr>\n", cells.collect::<String>())
}

/// A digest that breaks in the middle if it is too wide.
fn halves(digest: &str) -> String {
    match digest.split_at_checked(digest.len() / 2) {
        Some((first, second)) => format!("{}<wbr>{}", escape(first), escape(second)),
        None => escape(digest),
    }
}

/// The name of a heading without the mark of its kind.
fn name(head: &str) -> &str {
    head.trim_start_matches(['>', '#'])
}

fn class(head: &str, cell: Option<Mood>) -> String {
    let kind = match head.as_bytes().first() {
        Some(b'>') => Some("n"),
        Some(b'#') => Some("code"),
        _ => None,
    };
    let classes: Vec<&str> = kind.into_iter().chain(cell.map(mood)).collect();
    if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) }
}

fn picture(own: &Picture) -> String {
    format!("<figure><figcaption>{}</figcaption>\n{}</figure>\n", escape(&own.caption), own.svg)
}
