//! Cells in aligned columns.

use crate::console::{FAINT, paint};

/// Lines of cells. Numbers are right-aligned, words left-aligned.
#[derive(Default)]
pub(crate) struct Grid {
    header: Vec<String>,
    right: Vec<bool>,
    lines: Vec<Vec<String>>,
}

impl Grid {
    /// Creates a grid with these headings. A heading that starts with `>` is for a column of numbers.
    pub(crate) fn new(headings: &[&str]) -> Self {
        Self {
            header: headings
                .iter()
                .map(|heading| heading.strip_prefix('>').unwrap_or(heading).to_owned())
                .collect(),
            right: headings.iter().map(|heading| heading.starts_with('>')).collect(),
            lines: Vec::new(),
        }
    }

    /// Adds a line.
    pub(crate) fn line<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.lines.push(cells.into_iter().map(Into::into).collect());
    }

    /// Returns the grid as text, indented by two spaces.
    pub(crate) fn render(&self) -> String {
        let all = || std::iter::once(&self.header).chain(&self.lines);
        let width =
            |i: usize| all().filter_map(|line| line.get(i)).map(|cell| visible(cell)).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        let line = |cells: &Vec<String>| {
            let aligned = cells.iter().enumerate().map(|(i, cell)| {
                let pad = " ".repeat(widths[i].saturating_sub(visible(cell)));
                if self.right[i] { format!("{pad}{cell}") } else { format!("{cell}{pad}") }
            });
            format!("  {}", aligned.collect::<Vec<_>>().join("  ")).trim_end().to_owned()
        };
        let mut text = String::new();
        if self.header.iter().any(|heading| !heading.is_empty()) {
            text.push_str(&paint(FAINT, line(&self.header)));
            text.push('\n');
        }
        for cells in &self.lines {
            text.push_str(&line(cells));
            text.push('\n');
        }
        text
    }
}

/// The number of visible characters, without colour codes.
fn visible(text: &str) -> usize {
    let mut count = 0;
    let mut painting = false;
    for character in text.chars() {
        match character {
            '\u{1b}' => painting = true,
            'm' if painting => painting = false,
            _ if painting => {}
            _ => count += 1,
        }
    }
    count
}
