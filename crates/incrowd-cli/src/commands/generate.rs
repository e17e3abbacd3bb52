//! `incrowd completions` and `incrowd man`, generated from the same definitions as `--help`.

use crate::Outcome;
use crate::args::{Arguments, Common, Completions, Man};
use crate::console::Console;
use clap::CommandFactory;
use incrowd::io::write::{make_folder, write_new};
use incrowd::{Error, Result};

pub(crate) fn completions(arguments: &Completions) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "incrowd", &mut script);
    Console::bytes(&script)?;
    Ok(Outcome::Done)
}

pub(crate) fn man(arguments: &Man, common: &Common) -> Result<Outcome> {
    let mut command = Arguments::command();
    command.build();
    if arguments.markdown {
        Console::bytes(super::markdown::page(&command).as_bytes())?;
        return Ok(Outcome::Done);
    }
    let Some(folder) = &arguments.out else {
        Console::bytes(&page(command)?)?;
        return Ok(Outcome::Done);
    };
    make_folder(folder)?;
    let subcommands: Vec<clap::Command> = command.get_subcommands().cloned().collect();
    for command in std::iter::once(command).chain(subcommands) {
        let name = command.get_display_name().unwrap_or("incrowd").to_owned();
        let page = page(command)?;
        write_new(&folder.join(format!("{name}.1")), common.force, |file| file.write_all(&page))?;
    }
    Ok(Outcome::Done)
}

fn page(command: clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(command).render(&mut page);
    rendered.map_err(|error| Error::internal(format!("the man page cannot be generated: {error}")))?;
    Ok(page)
}
