//! Advice of the library in terms of the program: flags instead of keys of a policy, and files next to those named.

use incrowd::{Error, Loaded, Result};
use std::path::Path;

/// Advice on the layout of a file in terms of a policy, and in terms of flags. The longer of two that begin alike is
/// first.
const LAYOUT: [(&str, &str); 14] = [
    (", or set `names` under [file] in the policy; ", "; "),
    ("rename the columns in the policy", "give other --names"),
    (" under [file] in the policy", ""),
    ("set `header = false` and `names` there", "give --names NAME,NAME,..."),
    ("set `header = false` and `names`", "give --no-header and --names"),
    ("set `header = false`", "give --no-header"),
    ("set `delimiter` to", "give --delimiter"),
    ("leave `delimiter` out", "leave --delimiter out"),
    ("`delimiter`", "--delimiter"),
    (
        "declare its encoding, such as `encoding = \"windows-1252\"`,",
        "declare its encoding, such as --encoding windows-1252,",
    ),
    ("declare `encoding = \"utf-16\"`", "give --encoding utf-16"),
    ("`encoding`", "--encoding"),
    ("set `sheet` to the name of the one to read", "give the name of the one to read as --sheet"),
    ("set `quote = \"none\"`", "set quote = \"none\" under [file] in a policy and give it with --policy"),
];

/// Parameters of an audit, and their flags.
const AUDIT: [(&str, &str); 2] = [("(`without`)", "(--without)"), ("(`closed`)", "(incrowd table --closed)")];

/// Parameters of a ledger, and their flags.
const LEDGER: [(&str, &str); 2] =
    [("(`earlier`)", "(--earlier)"), ("(`closed`)", "(incrowd table --closed)")];

/// Parameters of trees, and their flags.
const TREE: [(&str, &str); 1] = [("choose nothing (no sample)", "add --no-sample")];

/// Names the flags of `incrowd tree` in the help of an error.
pub(super) fn of_tree(error: Error) -> Error {
    replaced(of_ledger(error), &TREE)
}

/// Parameters of rules in a warning, and their flags.
const RULES: (&str, &str) = (
    "use shorter rules, a higher minimum support or fewer attributes",
    "use a smaller --max-length, a higher --min-support or fewer attributes",
);

/// Names the flags of `incrowd rules` in a warning of mining.
pub(super) fn of_mining(warning: &str) -> String {
    warning.replace(RULES.0, RULES.1)
}

/// Names flags for the layout of a file in the help of an error, for a command without a policy.
pub(super) fn of_layout(error: Error) -> Error {
    replaced(error, &LAYOUT)
}

/// Names the flags of an audit in the help of an error.
pub(super) fn of_audit(error: Error) -> Error {
    replaced(error, &AUDIT)
}

/// Advice on columns without a role, for roles that are given as flags.
pub(super) fn of_roles(mut error: Error) -> Error {
    if let Some(others) = error.what.strip_prefix("the policy does not mention this column") {
        error.what = format!("no flag gives this column a role{others}");
        error.help = Some(
            "name each with --public or --private; or add --unlisted ignored: columns without a role are then not checked"
                .to_owned(),
        );
    }
    of_layout(error)
}

/// Names the flags of a ledger in the help of an error.
pub(super) fn of_ledger(error: Error) -> Error {
    replaced(error, &LEDGER)
}

/// Loads a release. If the file is a released table, the error names its release file, which is next to it.
pub(super) fn load(path: &Path) -> Result<Loaded> {
    incrowd::load(path).map_err(|error| {
        let beside = path.with_extension("json");
        let is_of_table = beside != path && incrowd::load(&beside).is_ok_and(|other| is_of(&other, path));
        let help = format!("this is a released table; its release file is {}", beside.display());
        if is_of_table { error.help(help) } else { error }
    })
}

/// Whether this is the release of the table at a path.
fn is_of(release: &Loaded, table: &Path) -> bool {
    release.table_file().is_some_and(|file| table.file_name().is_some_and(|name| name == file))
}

fn replaced(mut error: Error, words: &[(&str, &str)]) -> Error {
    let replace = |help: String| words.iter().fold(help, |help, (key, flag)| help.replace(key, flag));
    error.help = error.help.map(replace);
    error
}
