//! All commands on one page of Markdown, made from the same description of the arguments as `--help`.
//!
//! Flags under a heading of their own are shared by several commands: they come once, in a section of their own at the end.

use clap::builder::PossibleValue;
use clap::{Arg, Command};

/// The page of a program.
pub(crate) fn page(program: &Command) -> String {
    let mut page = format!(
        "# Commands\n\n<!-- Made by `cargo xtask docs` from the program's own description; changes here are lost. -->\n\n{}\n\n{}",
        about(program),
        example(program)
    );
    page += "| command | |\n| --- | --- |\n";
    let mut sections = String::new();
    let mut shared: Vec<(String, String)> = Vec::new();
    for command in leaves(program) {
        let name = command.get_display_name().unwrap_or_default().replace('-', " ");
        let short = command.get_about().map(ToString::to_string).unwrap_or_default();
        page += &format!("| [`{name}`](#{}) | {} |\n", name.replace(' ', "-"), cell(&short));
        sections += &section(&name, command, &mut shared);
    }
    page += &sections;
    for (heading, table) in shared {
        page += &format!("\n## {heading}\n\n{table}");
    }
    // Parts may be empty; the blank lines around them are not doubled.
    while page.contains("\n\n\n") {
        page = page.replace("\n\n\n", "\n\n");
    }
    format!("{}\n", page.trim_end())
}

/// The commands that do something: those that have commands of their own are named by them.
fn leaves(command: &Command) -> Vec<&Command> {
    let own = command.get_subcommands().filter(|own| own.get_name() != "help");
    own.flat_map(|own| if own.has_subcommands() { leaves(own) } else { vec![own] }).collect()
}

fn section(name: &str, command: &Command, shared: &mut Vec<(String, String)>) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = format!("\n## {name}\n\n{}\n\n```text\n{usage}\n```\n\n", about(command));
    let visible = || command.get_arguments().filter(|argument| !argument.is_hide_set() && !is_help(argument));
    text += &table(visible().filter(|argument| argument.get_help_heading().is_none()));
    let mut also = Vec::new();
    for heading in headings(command) {
        let title = title(&heading);
        if !shared.iter().any(|(known, _)| *known == title) {
            let flags = visible().filter(|argument| argument.get_help_heading() == Some(&heading));
            shared.push((title.clone(), table(flags)));
        }
        let title = title.to_lowercase();
        also.push(format!("[{title}](#{})", title.replace(' ', "-")));
    }
    text + &format!("Also: {}.\n\n", also.join(", ")) + &example(command)
}

/// The headings of a command's flags, each once.
fn headings(command: &Command) -> Vec<String> {
    let mut headings: Vec<String> = Vec::new();
    for heading in command.get_arguments().filter_map(Arg::get_help_heading) {
        if !headings.iter().any(|known| known == heading) {
            headings.push(heading.to_owned());
        }
    }
    headings
}

/// "Guarantee (added to …)" is about guarantee flags.
fn title(heading: &str) -> String {
    match heading.split(" (").next().unwrap_or(heading) {
        "Everywhere" => "Flags of every command".to_owned(),
        heading => format!("{heading} flags"),
    }
}

fn is_help(argument: &Arg) -> bool {
    matches!(argument.get_id().as_str(), "help" | "version")
}

fn about(command: &Command) -> String {
    let about = command.get_long_about().or_else(|| command.get_about());
    about.map(|about| sentence(&about.to_string())).unwrap_or_default()
}

/// clap leaves out the last full stop.
fn sentence(text: &str) -> String {
    if text.ends_with(['.', '?', '!', ':']) { text.to_owned() } else { format!("{text}.") }
}

/// The lines after `Example:` of a command's help.
fn example(command: &Command) -> String {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines: Vec<String> = help.lines().skip(1).map(|line| format!("$ {}\n", line.trim())).collect();
    if lines.is_empty() { String::new() } else { format!("```console\n{}```\n\n", lines.concat()) }
}

fn table<'a>(arguments: impl Iterator<Item = &'a Arg>) -> String {
    let rows: String =
        arguments.map(|argument| format!("| {} | {} |\n", written(argument), meaning(argument))).collect();
    if rows.is_empty() { rows } else { format!("| | |\n| --- | --- |\n{rows}\n") }
}

/// How it is written: `--k N`, `-q`, `FILE`.
fn written(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    let values = names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let takes = argument.get_action().takes_values();
    let flags = argument.get_long().map(|long| format!("--{long}"));
    let flags = argument.get_short().map(|short| format!("-{short}")).into_iter().chain(flags);
    let flags = flags.collect::<Vec<_>>().join(", ");
    match (flags.is_empty(), takes) {
        (true, _) => format!("`{values}`"),
        (false, true) => format!("`{flags} {values}`"),
        (false, false) => format!("`{flags}`"),
    }
}

fn meaning(argument: &Arg) -> String {
    let help = argument.get_long_help().or_else(|| argument.get_help());
    let mut text = help.map(|help| sentence(&help.to_string())).unwrap_or_default();
    text += &possible(argument);
    let defaults = argument.get_default_values().iter().map(|value| value.to_string_lossy());
    let defaults = defaults.collect::<Vec<_>>().join(", ");
    if argument.get_action().takes_values() && !defaults.is_empty() {
        text += &format!(" Default: `{defaults}`.");
    }
    if argument.is_required_set() {
        text += " Required.";
    }
    cell(&text)
}

/// The values there are: a line each where they are explained.
fn possible(argument: &Arg) -> String {
    let values = argument.get_possible_values();
    if !argument.get_action().takes_values() || values.is_empty() {
        return String::new();
    }
    let names = || values.iter().map(|value| format!("`{}`", value.get_name()));
    if values.iter().all(|value| value.get_help().is_none()) {
        return format!(" One of {}.", names().collect::<Vec<_>>().join(", "));
    }
    let help = |value: &PossibleValue| value.get_help().map(|help| sentence(&help.to_string()));
    let line = |(name, value)| format!("<br>{name}: {}", help(value).unwrap_or_default());
    names().zip(&values).map(line).collect::<String>() + "<br>"
}

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
