//! `incrowd export`: exports a tree or an ensemble for other programs.

use crate::Outcome;
use crate::args::{Common, Export};
use crate::console::Console;
use crate::documents::ExportDocument;
use incrowd::io::Target;
use incrowd::io::write::write_new;
use incrowd::{Error, Result};
use std::io::IsTerminal;

pub(crate) fn run(arguments: &Export, common: &Common, console: &Console) -> Result<Outcome> {
    let loaded = incrowd::load(&arguments.model)?;
    let bytes = loaded.export(arguments.to)?;
    if let Some(out) = &arguments.out {
        write_new(out, common.force, |file| file.write_all(&bytes))?;
        console.note(&format!("{} written to {}", loaded.family(), out.display()));
    }
    if common.json {
        let text = if arguments.out.is_none() { String::from_utf8(bytes.clone()).ok() } else { None };
        console.result(&ExportDocument { text, bytes: bytes.len() }, String::new)?;
    } else if arguments.out.is_none() {
        if arguments.to == Target::Onnx && std::io::stdout().is_terminal() {
            return Err(Error::parameters("ONNX is binary and cannot be printed to a terminal")
                .help("name a file with --out"));
        }
        Console::bytes(&bytes)?;
    }
    Ok(Outcome::Done)
}
