//! A document as Markdown. Pictures become tables of the same figures.

use super::page::{Block, Cell, Fact, Mood, Page, Picture, Table};
use incrowd_eval::words::plain;

/// A line to be filled in.
const BLANK: &str = "\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_";

/// The Markdown of a document.
pub(super) fn markdown(page: &Page) -> String {
    let mut text = format!("# {}\n\n{}\n\n", escape(&page.title), escape(&page.about));
    let mark = match page.verdict.mood {
        Mood::Good => "",
        Mood::Care => "Caution: ",
        Mood::Bad => "Fails: ",
    };
    text += &format!("> **{mark}{}**\n", escape(&page.verdict.headline));
    page.verdict.sentences.iter().for_each(|own| text += &format!(">\n> {}\n", escape(own)));
    text.push('\n');
    if !page.tiles.is_empty() {
        let rows = page.tiles.iter().map(|tile| vec![tile.label.clone(), tile.figure.clone()]);
        text += &grid(&[String::new(), ">".to_owned()], &rows.collect::<Vec<_>>());
    }
    for (number, section) in page.sections.iter().enumerate() {
        text += &format!("## {}. {}\n\n", number + 1, escape(section.title));
        section.blocks.iter().for_each(|own| text += &block(own));
    }
    text += &format!("---\n\n{}\n", escape(&page.footer));
    text
}

/// Text that Markdown shows as it is, on one line. Nothing in it is a mark, a tag, an entity or a link.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let text = plain(text);
    let mut characters = text.trim().chars().peekable();
    let mut is_first = true;
    while let Some(character) = characters.next() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '|' | '#' | '!' | '~' | '$' | '@' | '^' => {
                escaped.extend(['\\', character]);
            }
            '+' | '-' | '=' if is_first => escaped.extend(['\\', character]),
            // `1.` and `1)` begin a list, `://` and `www.` a link.
            '.' | ')'
                if !escaped.is_empty()
                    && escaped.chars().all(|own| own.is_ascii_digit())
                    && characters.peek().is_none_or(|next| *next == ' ') =>
            {
                escaped.extend(['\\', character]);
            }
            '.' if escaped.to_ascii_lowercase().ends_with("www") => escaped.push_str("\\."),
            ':' if characters.peek() == Some(&'/') => escaped.push_str("\\:"),
            other => escaped.push(other),
        }
        is_first = false;
    }
    escaped
}

fn block(own: &Block) -> String {
    match own {
        Block::Heading(text) => format!("### {}\n\n", escape(text)),
        Block::Text(text) | Block::Note(text) => paragraphs(text),
        Block::Warning(lines) => {
            let lines: String = lines.iter().map(|line| format!("> - {}\n", escape(line))).collect();
            lines + "\n"
        }
        Block::Facts(facts) | Block::Signatures(facts) => facts.iter().map(fact).collect::<String>() + "\n",
        Block::List(items) => {
            let item = |(lead, text): &(String, String)| format!("- **{}** {}\n", escape(lead), escape(text));
            items.iter().map(item).collect::<String>() + "\n"
        }
        Block::Table(own) => table(own),
        Block::Pictures(all) => all.iter().map(picture).collect(),
    }
}

fn paragraphs(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| format!("{}\n\n", escape(line))).collect()
}

fn fact(own: &Fact) -> String {
    let value = match &own.value {
        None => BLANK.to_owned(),
        Some(value) if own.is_code => code(value),
        Some(value) => value.lines().map(escape).collect::<Vec<_>>().join("  \n  "),
    };
    format!("- {}: {value}\n", escape(&own.name))
}

/// Text as code. A text with a backtick cannot be in simple code marks.
fn code(text: &str) -> String {
    let text = plain(text);
    if text.contains(['`', '|']) { escape(&text) } else { format!("`{}`", text.trim()) }
}

fn table(own: &Table) -> String {
    let cell = |cell: &Cell| match cell.mood {
        Some(Mood::Bad) => format!("**{}**", escape(&cell.text)),
        _ => escape(&cell.text),
    };
    let rows: Vec<Vec<String>> = own.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    format!("{}\n\n{}", escape(&own.caption), lines(&own.heads, &rows))
}

fn picture(own: &Picture) -> String {
    format!("{}\n\n{}", escape(&own.caption), grid(&own.heads, &own.rows))
}

/// A table of plain texts.
fn grid(heads: &[String], rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| escape(cell)).collect()).collect();
    lines(heads, &rows)
}

/// A table of cells that are escaped.
fn lines(heads: &[String], rows: &[Vec<String>]) -> String {
    let names: Vec<String> = heads.iter().map(|head| escape(head.trim_start_matches(['>', '#']))).collect();
    let marks: Vec<&str> =
        heads.iter().map(|head| if head.starts_with('>') { "---:" } else { "---" }).collect();
    let rows: String = rows.iter().map(|row| format!("| {} |\n", row.join(" | "))).collect();
    format!("| {} |\n| {} |\n{rows}\n", names.join(" | "), marks.join(" | "))
}
