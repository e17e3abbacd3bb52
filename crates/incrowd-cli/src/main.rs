//! The `incrowd` program: parses the arguments and runs the command. This is the only crate that prints.
//!
//! Exit status: 0 success (and the guarantee holds), 1 the guarantee does not hold or no release can meet it, 2 error,
//! 130 interrupted.

mod args;
mod commands;
mod console;
mod documents;
mod faults;
mod progress;
mod signals;
mod text;

use args::{Arguments, Command};
use console::Console;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match Arguments::read(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => return args::refused(&error),
    };
    let console = Console::new(&arguments.common);
    if signals::listen().is_err() {
        console.warn("signals cannot be handled: an interrupted run may leave a temporary file");
    }
    match faults::caught(|| run(&arguments, &console)) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Breach) => ExitCode::from(1),
        Err(error) => {
            console.error(&error);
            ExitCode::from(if error.is_about_the_guarantee() { 1 } else { 2 })
        }
    }
}

/// The result of a command that ran without error.
enum Outcome {
    /// Success, and the required guarantee, if any, holds.
    Done,
    /// The guarantee does not hold.
    Breach,
}

fn run(arguments: &Arguments, console: &Console) -> incrowd::Result<Outcome> {
    incrowd::set_threads(arguments.common.threads)?;
    arguments.check_methods()?;
    arguments.command.check_files()?;
    let common = &arguments.common;
    match &arguments.command {
        Command::Demo(demo) => commands::demo::run(demo, common, console),
        Command::Profile(profile) => commands::profile::run(profile, common, console),
        Command::Audit(audit) => commands::audit::run(audit, common, console),
        Command::Report(report) => commands::report::run(report, common, console),
        Command::Verify(verify) => commands::verify::run(verify, console),
        Command::Ledger(ledger) => commands::ledger::run(ledger, console),
        Command::Boost(boost) => commands::boost::run(boost, common, console),
        Command::Tree(tree) => commands::tree::run(tree, common, console),
        Command::Table(table) => commands::table::run(table, common, console),
        Command::Rules(rules) => commands::rules::run(rules, common, console),
        Command::Clusters(clusters) => commands::clusters::run(clusters, common, console),
        Command::Predict(predict) => commands::predict::run(predict, common, console),
        Command::Transform(transform) => commands::transform::run(transform, common, console),
        Command::Show(show) => commands::show::run(show, common, console),
        Command::Export(export) => commands::export::run(export, common, console),
        Command::Policy(policy) => commands::policy::run(policy, console),
        Command::Data(data) => commands::data::run(data, common, console),
        Command::Compare(compare) => commands::compare::run(compare, common, console),
        Command::Completions(shell) => commands::generate::completions(shell),
        Command::Man(man) => commands::generate::man(man, common),
    }
}
