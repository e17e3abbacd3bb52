//! Tables that readers can sort by mouse or keyboard.

use crate::comparison::MethodRelease;
use crate::words::{count, decimals, escape, percent};

/// A cell: HTML, and the number to sort by, if any.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    html: String,
    sort: Option<f64>,
    numeric: bool,
    /// Whether it is emphasized.
    strong: bool,
}

impl Cell {
    pub(super) fn text(text: &str) -> Self {
        Self::html(escape(text))
    }

    /// Creates a cell from HTML.
    pub(super) fn html(html: String) -> Self {
        Self { html, sort: None, numeric: false, strong: false }
    }

    /// Creates a cell from a number and its text; a dash without a number.
    pub(super) fn number(number: Option<f64>, words: impl Fn(f64) -> String) -> Self {
        let number = number.filter(|number| number.is_finite());
        Self {
            html: number.map_or_else(|| "–".to_owned(), |number| escape(&words(number))),
            sort: number,
            numeric: true,
            strong: false,
        }
    }

    pub(super) fn count(number: Option<u64>) -> Self {
        let words = number.map(count).unwrap_or_default();
        Self::number(number.map(|number| number as f64), |_| words.clone())
    }

    /// Creates a cell with the number of exposed individuals.
    pub(super) fn exposed(released: Option<&MethodRelease>) -> Self {
        let words = released.map(exposed).unwrap_or_default();
        Self::number(released.map(|released| released.exposed as f64), |_| words.clone())
    }

    pub(super) fn share(number: Option<f64>) -> Self {
        Self::number(number, percent)
    }

    /// Creates a cell from a share and its standard deviation over folds.
    pub(super) fn spread(share: f64, deviation: f64) -> Self {
        let with = |share| format!("{} ± {}", percent(share), decimals(deviation * 100.0, 1));
        Self::number(Some(share), |share| if deviation > 0.0 { with(share) } else { percent(share) })
    }

    pub(super) fn strong(self, strong: bool) -> Self {
        Self { strong, ..self }
    }
}

/// The number of individuals that a release exposes, with "at most" if it is an upper bound.
pub(super) fn exposed(released: &MethodRelease) -> String {
    let at_most = if released.at_most && released.exposed > 0 { "at most " } else { "" };
    format!("{at_most}{}", count(released.exposed))
}

/// A table. The first cell of a row is its heading.
#[derive(Debug)]
pub(super) struct Table<'a> {
    pub(super) id: &'a str,
    pub(super) caption: String,
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Table<'_> {
    pub(super) fn html(&self) -> String {
        let id = self.id;
        let numeric =
            |column: usize| self.rows.iter().any(|row| row.get(column).is_some_and(|cell| cell.numeric));
        let heads: String =
            self.heads.iter().enumerate().map(|(i, head)| self::head(head, numeric(i))).collect();
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!(
            "<div class=\"scroll\" role=\"region\" aria-labelledby=\"{id}-c\" tabindex=\"0\">\
             <table id=\"{id}\" class=\"sortable\"><caption id=\"{id}-c\">{}</caption>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n",
            escape(&self.caption)
        )
    }
}

fn head(head: &str, numeric: bool) -> String {
    let class = if numeric { " class=\"n\"" } else { "" };
    format!("<th scope=\"col\"{class}>{}</th>", escape(head))
}

fn line(row: &[Cell]) -> String {
    let cells: String = row.iter().enumerate().map(|(i, cell)| data(cell, i == 0)).collect();
    format!("<tr>{cells}</tr>\n")
}

fn data(cell: &Cell, first: bool) -> String {
    let (tag, scope) = if first { ("th", " scope=\"row\"") } else { ("td", "") };
    let class = if cell.numeric { " class=\"n\"" } else { "" };
    let sort = cell.sort.map(|sort| format!(" data-v=\"{sort}\"")).unwrap_or_default();
    let (open, close) = if cell.strong { ("<strong>", "</strong>") } else { ("", "") };
    format!("<{tag}{scope}{class}{sort}>{open}{}{close}</{tag}>", cell.html)
}
