//! Mutants as branches of the program.

use super::list::{Change, Mutant};
use super::{cargo, read, write};
use crate::shell::Done;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use std::process::Stdio;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The switch, a module of core in the copy.
const SWITCH: &str = include_str!("switch.rs.txt");

/// Where a mutant was planted: lines of the copy, from one.
pub(super) struct Place {
    pub(super) id: u32,
    file: String,
    lines: Range<usize>,
}

/// Plants mutants into the copy and says where they are; those to be left out, and those that cannot be a branch, are
/// not planted.
pub(super) fn all(copy: &Path, mutants: &[Mutant], left_out: &BTreeSet<u32>) -> Result<Vec<Place>, String> {
    // Files whose mutants are all left out are written as well: without them.
    let mut by_file: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
    for mutant in mutants {
        let of_file = by_file.entry(&mutant.file).or_default();
        of_file.extend(Some(mutant).filter(|mutant| !left_out.contains(&mutant.id)));
    }
    let mut places = Vec::new();
    for (file, mutants) in by_file {
        let source = read(&crate::shell::root().join(file))?;
        let switch = if file.contains("incrowd-core") { "crate" } else { "incrowd_core" };
        let (text, ids) = File::new(&source, &mutants)?.planted(switch);
        write(&copy.join(file), text.as_bytes())?;
        places.extend(found(file, &text, &ids));
    }
    plant_switch(copy)?;
    Ok(places)
}

fn plant_switch(copy: &Path) -> Done {
    let path = "crates/incrowd-core/src/lib.rs";
    let source = read(&crate::shell::root().join(path))?;
    write(&copy.join(path), (source + SWITCH).as_bytes())
}

/// The lines that hold a mutant: from its switch to the end of the statement, at least its own line.
fn found(file: &str, text: &str, ids: &BTreeSet<u32>) -> Vec<Place> {
    let mut places = Vec::new();
    for (line, content) in text.lines().enumerate() {
        for part in content.split("mutant::on(").skip(1) {
            let id = part.split(')').next().and_then(|id| id.parse().ok());
            if let Some(id) = id.filter(|id| ids.contains(id)) {
                places.push(Place { id, file: file.to_owned(), lines: line + 1..line + 2 });
            }
        }
    }
    places
}

/// The mutants that the compiler rejects.
pub(super) fn rejected(copy: &Path, places: &[Place]) -> Result<BTreeSet<u32>, String> {
    let arguments = ["check", "--workspace", "--tests", "--message-format=json", "--keep-going", "--quiet"];
    let checked = cargo(copy, &arguments)
        .stderr(Stdio::null())
        .output()
        .map_err(|error| format!("cargo could not be run: {error}"))?;
    let mut rejected = BTreeSet::new();
    for line in String::from_utf8_lossy(&checked.stdout).lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        let message = &message["message"];
        if message["level"] != "error" {
            continue;
        }
        for span in message["spans"].as_array().into_iter().flatten().flat_map(with_callers) {
            let (from, to) = (span["line_start"].as_u64(), span["line_end"].as_u64());
            let (Some(from), Some(to), Some(file)) = (from, to, span["file_name"].as_str()) else { continue };
            let lines = from as usize..to as usize + 1;
            let hit = |place: &&Place| {
                place.file == file && place.lines.start < lines.end && lines.start < place.lines.end
            };
            rejected.extend(places.iter().filter(hit).map(|place| place.id));
        }
    }
    if rejected.is_empty() && !checked.status.success() {
        return Err("the copy does not compile, and no mutant is to blame".to_owned());
    }
    Ok(rejected)
}

/// A place that the compiler names; in a macro, also the places that it was called from.
fn with_callers(span: &Value) -> impl Iterator<Item = &Value> {
    std::iter::successors(Some(span), |span| span.pointer("/expansion/span").filter(|span| span.is_object()))
}

/// A file, its mutants, and the places of its expressions.
struct File<'a> {
    source: &'a str,
    /// What is planted, by the part of the text it replaces.
    changes: BTreeMap<(usize, std::cmp::Reverse<usize>), Planted<'a>>,
}

/// A part of the text with its mutants.
enum Planted<'a> {
    /// `left operator right`.
    Binary { left: Range<usize>, operator: Range<usize>, right: Range<usize>, mutants: Vec<&'a Mutant> },
    /// An operator and what it applies to.
    Unary { operand: Range<usize>, mutant: &'a Mutant },
    /// A guard.
    Guard { mutants: Vec<&'a Mutant> },
    /// The start of a body.
    Body { mutants: Vec<&'a Mutant> },
}

impl<'a> File<'a> {
    fn new(source: &'a str, mutants: &[&'a Mutant]) -> Result<Self, String> {
        let parsed = syn::parse_file(source).map_err(|error| error.to_string())?;
        let mut places = Places::default();
        places.visit_file(&parsed);
        let starts: Vec<usize> =
            std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let byte = |(line, column): (usize, usize)| {
            let start = starts[line - 1];
            let chars = source[start..].char_indices().nth(column - 1);
            chars.map_or(source.len(), |(at, _)| start + at)
        };
        let mut file = Self { source, changes: BTreeMap::new() };
        for mutant in mutants {
            file.add(mutant, byte(mutant.from)..byte(mutant.to), &places);
        }
        Ok(file)
    }

    fn add(&mut self, mutant: &'a Mutant, at: Range<usize>, places: &Places) {
        match mutant.change {
            Change::Operator => {
                let Some((left, right)) = places.binary.get(&at.start) else { return };
                let planted = self.changes.entry(key(left.start..right.end)).or_insert_with(|| {
                    let (left, right) = (left.clone(), right.clone());
                    Planted::Binary { left, operator: at, right, mutants: Vec::new() }
                });
                if let Planted::Binary { mutants, .. } = planted {
                    mutants.push(mutant);
                }
            }
            Change::Unary => {
                let Some(operand) = places.unary.get(&at.start) else { return };
                let operand = operand.clone();
                self.changes.insert(key(at.start..operand.end), Planted::Unary { operand, mutant });
            }
            Change::Guard => {
                let planted =
                    self.changes.entry(key(at)).or_insert_with(|| Planted::Guard { mutants: Vec::new() });
                if let Planted::Guard { mutants } = planted {
                    mutants.push(mutant);
                }
            }
            Change::Body if places.constants.iter().any(|part| part.contains(&at.start)) => {}
            Change::Body => {
                let start = at.start..at.start;
                let planted =
                    self.changes.entry(key(start)).or_insert_with(|| Planted::Body { mutants: Vec::new() });
                if let Planted::Body { mutants } = planted {
                    mutants.push(mutant);
                }
            }
        }
    }

    /// The text with its mutants, and which they are.
    fn planted(&self, switch: &str) -> (String, BTreeSet<u32>) {
        let mut ids = BTreeSet::new();
        (self.rendered(0..self.source.len(), None, switch, &mut ids), ids)
    }

    /// A part of the text; `within` is the change whose own part this is.
    fn rendered(
        &self,
        part: Range<usize>,
        within: Option<(usize, usize)>,
        switch: &str,
        ids: &mut BTreeSet<u32>,
    ) -> String {
        let (mut text, mut at) = (String::new(), part.start);
        for (&(start, std::cmp::Reverse(end)), planted) in
            self.changes.range((part.start, std::cmp::Reverse(usize::MAX))..)
        {
            if start >= part.end && !(start == part.end && start == end) {
                break;
            }
            if start < at || end > part.end || within == Some((start, end)) {
                continue;
            }
            text += &self.source[at..start];
            text += &self.branch(planted, (start, end), switch, ids);
            at = end;
        }
        text + &self.source[at..part.end]
    }

    fn branch(
        &self,
        planted: &Planted,
        whole: (usize, usize),
        switch: &str,
        ids: &mut BTreeSet<u32>,
    ) -> String {
        let mut text = String::new();
        let mut on = |mutant: &Mutant| {
            ids.insert(mutant.id);
            format!("{switch}::mutant::on({})", mutant.id)
        };
        match planted {
            Planted::Body { mutants } => {
                for mutant in mutants {
                    let _ = write!(text, "if {} {{ return {}; }} ", on(mutant), mutant.replacement);
                }
            }
            Planted::Guard { mutants } => {
                let conditions: Vec<(String, String)> =
                    mutants.iter().map(|mutant| (on(mutant), mutant.replacement.clone())).collect();
                for (on, replacement) in conditions {
                    let _ = write!(text, "if {on} {{ {replacement} }} else ");
                }
                let guard = self.rendered(whole.0..whole.1, Some(whole), switch, ids);
                let _ = write!(text, "{{ {guard} }}");
                text = format!("({text})");
            }
            Planted::Unary { operand, mutant } => {
                let on = on(mutant);
                let operand = self.rendered(operand.clone(), None, switch, ids);
                let operator = &self.source[whole.0..=whole.0];
                text = format!("(if {on} {{ {operand} }} else {{ {operator}{operand} }})");
            }
            Planted::Binary { left, operator, right, mutants } => {
                let conditions: Vec<(String, &str)> =
                    mutants.iter().map(|mutant| (on(mutant), mutant.replacement.as_str())).collect();
                let left = self.rendered(left.clone(), None, switch, ids);
                let right = self.rendered(right.clone(), None, switch, ids);
                for (on, replacement) in conditions {
                    let _ = write!(text, "if {on} {{ ({left}) {replacement} ({right}) }} else ");
                }
                let _ = write!(text, "{{ ({left}) {} ({right}) }}", &self.source[operator.clone()]);
                text = format!("({text})");
            }
        }
        text
    }
}

fn key(part: Range<usize>) -> (usize, std::cmp::Reverse<usize>) {
    (part.start, std::cmp::Reverse(part.end))
}

/// Where a file's expressions are, by where their operators begin.
#[derive(Default)]
struct Places {
    binary: BTreeMap<usize, (Range<usize>, Range<usize>)>,
    unary: BTreeMap<usize, Range<usize>>,
    /// Constants and constant functions, which cannot ask for a switch.
    constants: Vec<Range<usize>>,
    in_constant: bool,
}

impl<'ast> Visit<'ast> for Places {
    fn visit_expr_binary(&mut self, node: &'ast syn::ExprBinary) {
        if !self.in_constant && !has_let(&node.left) && !has_let(&node.right) {
            let parts = (node.left.span().byte_range(), node.right.span().byte_range());
            self.binary.insert(node.op.span().byte_range().start, parts);
        }
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_unary(&mut self, node: &'ast syn::ExprUnary) {
        if !self.in_constant {
            self.unary.insert(node.op.span().byte_range().start, node.expr.span().byte_range());
        }
        visit::visit_expr_unary(self, node);
    }

    fn visit_item_const(&mut self, node: &'ast syn::ItemConst) {
        let was = std::mem::replace(&mut self.in_constant, true);
        visit::visit_item_const(self, node);
        self.in_constant = was;
    }

    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        let was = std::mem::replace(&mut self.in_constant, node.sig.constness.is_some());
        if self.in_constant {
            self.constants.push(node.span().byte_range());
        }
        visit::visit_item_fn(self, node);
        self.in_constant = was;
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        let was = std::mem::replace(&mut self.in_constant, node.sig.constness.is_some());
        if self.in_constant {
            self.constants.push(node.span().byte_range());
        }
        visit::visit_impl_item_fn(self, node);
        self.in_constant = was;
    }
}

/// Whether an operand binds names for what follows, as in `if let … && …`; it cannot be moved into a branch.
fn has_let(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}
