//! The one writer of SVG: every value is escaped and every element is closed.
//!
//! ```
//! use incrowd_core::svg::Svg;
//!
//! let mut svg = Svg::new();
//! svg.root((120.0, 40.0)).open();
//! svg.element("text").at("x", 10.0).at("y", 25.0).text("age <= 40");
//! assert!(svg.done().contains("<text x=\"10.0\" y=\"25.0\">age &lt;= 40</text>"));
//! ```

use crate::xml::escape;
use std::fmt::{Display, Write};

/// The fonts of every picture, the first that a reader has.
const FONTS: &str = "system-ui, Segoe UI, DejaVu Sans, Arial, sans-serif";

/// A picture under construction.
#[derive(Debug, Default)]
pub struct Svg {
    text: String,
    /// The names of the elements that are not closed yet.
    open: Vec<&'static str>,
}

impl Svg {
    /// Creates a picture without elements.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts the outermost element of a picture of this size.
    pub fn root(&mut self, (wide, high): (f64, f64)) -> Element<'_> {
        let root = self.element("svg").set("xmlns", "http://www.w3.org/2000/svg");
        root.set("viewBox", format_args!("0 0 {wide:.0} {high:.0}")).set("font-family", FONTS)
    }

    /// Starts an element.
    pub fn element(&mut self, name: &'static str) -> Element<'_> {
        self.text.push('<');
        self.text.push_str(name);
        Element { svg: self, name }
    }

    /// Adds text to the element that is open.
    pub fn words(&mut self, text: &str) {
        self.text.push_str(&escape(text));
    }

    /// Closes the last element that is still open.
    pub fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.end(name);
        }
    }

    /// Closes all elements and returns the picture.
    pub fn done(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn end(&mut self, name: &str) {
        self.text.push_str("</");
        self.text.push_str(name);
        self.text.push('>');
        self.end_line();
    }

    /// Ends a line, except within text, where it would be a space.
    fn end_line(&mut self) {
        if self.open.last() != Some(&"text") {
            self.text.push('\n');
        }
    }
}

/// An element whose attributes are being written. It is part of the picture once it is [left empty](Self::empty),
/// [filled with text](Self::text) or [opened](Self::open) for others.
#[must_use = "the element is not finished"]
pub struct Element<'s> {
    svg: &'s mut Svg,
    name: &'static str,
}

impl Element<'_> {
    /// Adds an attribute.
    pub fn set(self, name: &str, value: impl Display) -> Self {
        // Writing to a string cannot fail.
        let _ = write!(self.svg.text, " {name}=\"{}\"", escape(&value.to_string()));
        self
    }

    /// Adds a coordinate or a length, with one decimal.
    pub fn at(self, name: &str, number: f64) -> Self {
        self.set(name, format_args!("{number:.1}"))
    }

    /// Adds several attributes.
    pub fn all(self, attributes: &[(&str, &str)]) -> Self {
        attributes.iter().fold(self, |element, (name, value)| element.set(name, value))
    }

    /// Ends the element without content.
    pub fn empty(self) {
        self.svg.text.push_str("/>");
        self.svg.end_line();
    }

    /// Ends the element with this text as its content.
    pub fn text(self, text: &str) {
        self.svg.text.push('>');
        self.svg.words(text);
        self.svg.end(self.name);
    }

    /// Leaves the element open for others, until [`Svg::close`].
    pub fn open(self) {
        self.svg.text.push('>');
        self.svg.open.push(self.name);
        self.svg.end_line();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_escaped_and_elements_closed() {
        let mut svg = Svg::new();
        svg.root((10.0, 20.4)).open();
        svg.element("g").open();
        svg.element("title").text("</title><script>");
        svg.element("rect").at("x", 0.25).set("fill", "\"red\"").all(&[("rx", "2")]).empty();
        svg.element("text").open();
        svg.element("tspan").text("A");
        svg.words(" & B");
        let expected = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 20\" \
             font-family=\"system-ui, Segoe UI, DejaVu Sans, Arial, sans-serif\">\n\
             <g>\n<title>&lt;/title&gt;&lt;script&gt;</title>\n\
             <rect x=\"0.2\" fill=\"&quot;red&quot;\" rx=\"2\"/>\n\
             <text><tspan>A</tspan> &amp; B</text>\n</g>\n</svg>\n";
        assert_eq!(svg.done(), expected);
    }
}
