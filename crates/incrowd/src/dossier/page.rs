//! A document of plain parts, from which HTML and Markdown are written. All texts are plain: writers escape them.

/// A document.
#[derive(Debug, Clone, Default)]
pub(super) struct Page {
    pub(super) title: String,
    /// One line below the title.
    pub(super) about: String,
    pub(super) verdict: Verdict,
    pub(super) tiles: Vec<Tile>,
    pub(super) sections: Vec<Section>,
    pub(super) footer: String,
}

/// The verdict at the top.
#[derive(Debug, Clone, Default)]
pub(super) struct Verdict {
    pub(super) mood: Mood,
    pub(super) headline: String,
    pub(super) sentences: Vec<String>,
}

/// How serious something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Mood {
    #[default]
    Good,
    Care,
    Bad,
}

/// A figure at the top, and what it is.
#[derive(Debug, Clone)]
pub(super) struct Tile {
    pub(super) figure: String,
    pub(super) label: String,
}

/// A section.
#[derive(Debug, Clone)]
pub(super) struct Section {
    /// Unique in the document.
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    /// Whether it begins a new page on paper.
    pub(super) breaks: bool,
    pub(super) blocks: Vec<Block>,
}

impl Section {
    pub(super) fn new(id: &'static str, title: &'static str, blocks: Vec<Block>) -> Self {
        Self { id, title, breaks: false, blocks }
    }

    /// The same on a new page.
    pub(super) fn on_new_page(self) -> Self {
        Self { breaks: true, ..self }
    }
}

/// A part of a section.
#[derive(Debug, Clone)]
pub(super) enum Block {
    Heading(String),
    Text(String),
    /// A paragraph of less weight.
    Note(String),
    /// A box that a reader must not miss.
    Warning(Vec<String>),
    /// Names and what they stand for. A value that is missing is a blank line to be filled in.
    Facts(Vec<Fact>),
    /// Paragraphs with a short bold beginning.
    List(Vec<(String, String)>),
    Table(Table),
    /// Pictures side by side.
    Pictures(Vec<Picture>),
    /// Lines to be signed.
    Signatures(Vec<Fact>),
}

#[derive(Debug, Clone)]
pub(super) struct Fact {
    pub(super) name: String,
    pub(super) value: Option<String>,
    /// Whether it is to be copied letter by letter.
    pub(super) is_code: bool,
}

impl Fact {
    pub(super) fn new(name: &str, value: impl Into<String>) -> Self {
        Self { name: name.to_owned(), value: Some(value.into()), is_code: false }
    }

    pub(super) fn code(name: &str, value: impl Into<String>) -> Self {
        Self { is_code: true, ..Self::new(name, value) }
    }

    pub(super) fn blank(name: &str, value: Option<&String>) -> Self {
        Self { name: name.to_owned(), value: value.cloned(), is_code: false }
    }
}

/// A table. The first column has the names of its rows.
#[derive(Debug, Clone)]
pub(super) struct Table {
    /// Unique in the document.
    pub(super) id: &'static str,
    pub(super) caption: String,
    /// Headings; those of numbers begin with `>`, those of codes with `#`.
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(super) fn new(id: &'static str, caption: impl Into<String>, heads: &[&str]) -> Self {
        let heads = heads.iter().map(|&head| head.to_owned()).collect();
        Self { id, caption: caption.into(), heads, rows: Vec::new() }
    }

    pub(super) fn row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
}

#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) mood: Option<Mood>,
}

impl Cell {
    pub(super) fn new(text: impl Into<String>, mood: Mood) -> Self {
        Self { text: text.into(), mood: Some(mood) }
    }
}

impl<S: Into<String>> From<S> for Cell {
    fn from(text: S) -> Self {
        Self { text: text.into(), mood: None }
    }
}

/// A picture, and the same figures as text for documents without pictures.
#[derive(Debug, Clone)]
pub(super) struct Picture {
    pub(super) caption: String,
    /// SVG, which is already escaped.
    pub(super) svg: String,
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}
