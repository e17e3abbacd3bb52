//! `cargo xtask docs`: writes generated files, or checks that they are up to date and that links are valid.

use crate::shell::{Done, command, output, root};
use crate::{api, links};

/// A generated file, and the cargo command that prints it.
struct Generated {
    path: &'static str,
    made_by: &'static [&'static str],
}

const GENERATED: [Generated; 2] = [
    Generated {
        path: "docs/release.schema.json",
        made_by: &[
            "run",
            "--quiet",
            "--package",
            "incrowd-io",
            "--features",
            "schema",
            "--example",
            "release_schema",
        ],
    },
    Generated {
        path: "docs/commands.md",
        made_by: &["run", "--quiet", "--package", "incrowd-cli", "--", "man", "--markdown"],
    },
];

impl Generated {
    fn text(&self) -> Result<String, String> {
        output(&mut command("cargo", self.made_by))
    }
}

/// Writes all generated files.
pub(crate) fn write() -> Done {
    for file in &GENERATED {
        std::fs::write(root().join(file.path), file.text()?)
            .map_err(|error| format!("{}: {error}", file.path))?;
    }
    api::write()
}

/// Fails if a generated file differs from the committed one, or a link is broken.
pub(crate) fn check() -> Done {
    links::check()?;
    for file in &GENERATED {
        let committed = std::fs::read_to_string(root().join(file.path));
        if committed.map_err(|error| format!("{}: {error}", file.path))? != file.text()? {
            let path = file.path;
            return Err(format!("{path} is out of date: run `cargo xtask docs` and commit it"));
        }
    }
    api::check()
}
