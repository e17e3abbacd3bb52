//! Running other programs, and paths of the project.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The result of a task; the error is printed.
pub(crate) type Done = Result<(), String>;

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// The folder for files that can be generated again: a cache folder in CI, the target folder elsewhere.
pub(crate) fn cache() -> PathBuf {
    match (std::env::var_os("CI"), std::env::var_os("HOME")) {
        (Some(_), Some(home)) => Path::new(&home).join(".cache/incrowd"),
        _ => root().join("target/xtask"),
    }
}

/// The folder of benchmark data, if it exists.
pub(crate) fn data() -> Option<PathBuf> {
    let folder =
        std::env::var_os("INCROWD_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// A command in the workspace's folder.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Runs a command and displays its output.
pub(crate) fn run(command: &mut Command) -> Done {
    eprintln!("$ {}", words(command));
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{}` failed: {status}", words(command))),
        Err(error) => Err(format!("`{}` could not be run: {error}", words(command))),
    }
}

/// Runs a command and returns its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    eprintln!("$ {}", words(command));
    let output = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| format!("`{}` could not be run: {error}", words(command)))?;
    if !output.status.success() {
        return Err(format!("`{}` failed: {}", words(command), output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Installs Debian packages of a missing program.
pub(crate) fn install(what: &str, packages: &[&str]) -> Done {
    eprintln!("{what} is missing: installing it");
    run(&mut command("apt-get", &["update"]))?;
    run(command("apt-get", &["install", "--yes", "--no-install-recommends"]).args(packages))
}

/// Installs a program that some tests need. Only in CI a failure is an error: elsewhere those tests are skipped with a
/// note.
pub(crate) fn install_for_tests(what: &str, packages: &[&str]) -> Done {
    match install(what, packages) {
        Err(error) if std::env::var_os("CI").is_none() => {
            eprintln!("{error}; tests that need {what} will be skipped");
            Ok(())
        }
        done => done,
    }
}

/// Whether a program is installed and runs successfully.
pub(crate) fn works(program: &str, arguments: &[&str]) -> bool {
    command(program, arguments).output().is_ok_and(|output| output.status.success())
}

fn words(command: &Command) -> String {
    let name =
        Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let rest = command.get_args().map(|word| word.to_string_lossy().into_owned());
    std::iter::once(name).chain(rest).collect::<Vec<_>>().join(" ")
}
