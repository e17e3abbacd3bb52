//! Checks the tags of an XML file before it is parsed: parsers take quadratic time in some quantities.

use incrowd_core::{Error, Result};

/// How deep elements may be nested.
const DEEPEST: usize = 40_000;
/// The most attributes an element may have.
const ATTRIBUTES: usize = 64;
/// The most namespaces a file may declare: every element below knows all of them.
const NAMESPACES: usize = 64;

/// Refuses files with more than `most` tags or twice as many attributes, and elements that are nested too deep or have
/// too many attributes. What is not XML is left to the parser.
pub(super) fn check(text: &str, most: usize) -> Result<()> {
    let count = |wanted: u8| text.bytes().filter(|byte| *byte == wanted).count();
    // The parser takes memory for each of these before it looks at them.
    if count(b'<') > most || count(b'=') > 2 * most {
        return Err(Error::limit(format!("the file has more than {most} tags, or too many attributes"))
            .help("export a smaller model"));
    }
    if memchr::memmem::find_iter(text.as_bytes(), "xmlns").count() > NAMESPACES {
        return Err(Error::limit(format!("the file declares more than {NAMESPACES} namespaces"))
            .help("check that it is PMML"));
    }
    let mut rest = text;
    let mut depth: usize = 0;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let end = match rest.as_bytes().first() {
            Some(b'!') if rest.starts_with("!--") => after(rest, "-->"),
            Some(b'!') if rest.starts_with("![CDATA[") => after(rest, "]]>"),
            Some(b'?') => after(rest, "?>"),
            Some(b'/') => {
                depth = depth.saturating_sub(1);
                after(rest, ">")
            }
            _ => {
                let tag = tag(rest)?;
                depth += usize::from(!tag.is_closed);
                tag.length
            }
        };
        if depth > DEEPEST {
            return Err(Error::limit(format!("elements are nested more than {DEEPEST} deep"))
                .help("prune the tree, or write it in another format"));
        }
        rest = rest.get(end..).unwrap_or_default();
    }
    Ok(())
}

fn after(text: &str, end: &str) -> usize {
    text.find(end).map_or(text.len(), |place| place + end.len())
}

/// A tag that opens an element.
struct Tag {
    length: usize,
    is_closed: bool,
}

fn tag(text: &str) -> Result<Tag> {
    let (mut quote, mut attributes, mut before) = (None, 0, b' ');
    for (place, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            (None, b'=') => attributes += 1,
            (None, b'>') => return Ok(Tag { length: place + 1, is_closed: before == b'/' }),
            _ => {}
        }
        if attributes > ATTRIBUTES {
            return Err(Error::limit(format!("an element has more than {ATTRIBUTES} attributes")));
        }
        before = byte;
    }
    Ok(Tag { length: text.len(), is_closed: true })
}
