//! Output of the program: results to standard output, everything else to standard error.

use crate::args::{Arguments, Common};
use crate::text::clean;
use anstyle::{AnsiColor, Style};
use clap::{Command, CommandFactory};
use incrowd::{Error, ErrorKind, Place};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;

/// Bold.
pub(crate) const STRONG: Style = Style::new().bold();
/// For success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// For errors and breaches.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// For warnings.
pub(crate) const CARE: Style = AnsiColor::Yellow.on_default().bold();
/// For details.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// Returns the word in a style.
pub(crate) fn paint(style: Style, word: impl std::fmt::Display) -> String {
    format!("{style}{word}{style:#}")
}

/// Prints results, notes and errors. Without a terminal or with `NO_COLOR`, there are no colours.
pub(crate) struct Console {
    json: bool,
    quiet: bool,
}

impl Console {
    pub(crate) fn new(common: &Common) -> Self {
        Self { json: common.json, quiet: common.quiet }
    }

    /// Prints a result: the document with `--json`, the text otherwise.
    pub(crate) fn result(
        &self,
        document: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> incrowd::Result<()> {
        let output = if self.json {
            let json = serde_json::to_string_pretty(document);
            json.map_err(|error| Error::internal(format!("the result cannot be written as JSON: {error}")))?
        } else {
            text()
        };
        let mut stdout = anstream::stdout().lock();
        done(writeln!(stdout, "{}", output.trim_end()).and_then(|()| stdout.flush()))
    }

    /// Writes a machine-readable result unchanged.
    pub(crate) fn bytes(bytes: &[u8]) -> incrowd::Result<()> {
        let mut stdout = std::io::stdout().lock();
        done(stdout.write_all(bytes).and_then(|()| stdout.flush()))
    }

    /// Prints a note to standard error, unless `--quiet` is given.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            anstream::eprintln!("{text}");
        }
    }

    /// Prints a warning to standard error, unless `--quiet` is given.
    pub(crate) fn warn(&self, text: &str) {
        self.note(&format!("{} {}", paint(CARE, "warning:"), clean(text)));
    }

    /// Prints an error; with `--json` also as a document.
    pub(crate) fn error(&self, error: &Error) {
        let place = match place(&error.place) {
            place if place.is_empty() => place,
            place => format!("{place}: "),
        };
        anstream::eprintln!("{} {}", paint(BAD, "error:"), clean(&format!("{place}{}", error.what)));
        let help = error.help.as_deref().map(|help| with_flags(error.kind, help));
        if let Some(help) = &help {
            anstream::eprintln!("  {} {}", paint(GOOD, "help:"), clean(help));
        }
        if self.json {
            let document = serde_json::json!({"error": {
                "kind": error.kind,
                "what": error.what,
                "file": error.place.file,
                "line": error.place.line,
                "column": error.place.column,
                "attribute": error.place.attribute,
                "parameter": error.place.parameter,
                "help": help,
            }});
            // Where nothing can be written, standard error has the error.
            _ = writeln!(anstream::stdout().lock(), "{document:#}");
        }
    }
}

/// The place of an error, with the parameter as a flag.
fn place(place: &Place) -> String {
    let flag = place.parameter.map(flag_of);
    let mut rest = place.clone();
    rest.parameter = None;
    let rest = rest.to_string();
    flag.into_iter().chain((!rest.is_empty()).then_some(rest)).collect::<Vec<_>>().join(", ")
}

/// The flag of a parameter: `--k`, or `--no-prune` if only that exists.
fn flag_of(parameter: &str) -> String {
    let name = parameter.replace('_', "-");
    let negated = format!("no-{name}");
    let is_negated = with_longs(|longs| !longs.contains(name.as_str()) && longs.contains(negated.as_str()));
    format!("--{}", if is_negated { negated } else { name })
}

/// Replaces parameter names in the library's help by flags. Help on input files names keys of the files, which do not
/// change.
fn with_flags(kind: ErrorKind, help: &str) -> String {
    if matches!(kind, ErrorKind::Input | ErrorKind::Breach) {
        return help.to_owned();
    }
    with_longs(|longs| {
        longs.iter().fold(help.to_owned(), |help, long| {
            help.replace(&format!("`{}`", long.replace('-', "_")), &format!("`--{long}`"))
        })
    })
}

/// The names of the flags of a command and of its subcommands.
fn flags(command: &Command) -> Box<dyn Iterator<Item = &str> + '_> {
    let own = command.get_arguments().filter_map(|flag| flag.get_long());
    Box::new(own.chain(command.get_subcommands().flat_map(flags)))
}

/// Passes on the names of all flags.
fn with_longs<T>(then: impl FnOnce(&BTreeSet<&str>) -> T) -> T {
    let program = Arguments::command();
    then(&flags(&program).collect())
}

fn done(written: std::io::Result<()>) -> incrowd::Result<()> {
    match written {
        // The reader of a pipe may close it early.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::io(format!("the result cannot be written to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
