//! `cargo xtask docs`: writes generated files, or checks that they are up to date and that links are valid.

use crate::shell::{Done, command, output, root};
use crate::{api, links};

/// A generated file, and the command that prints it.
struct Generated {
    path: &'static str,
    program: &'static str,
    made_by: &'static [&'static str],
}

const GENERATED: [Generated; 3] = [
    Generated {
        path: "docs/release.schema.json",
        program: "cargo",
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
        program: "cargo",
        made_by: &["run", "--quiet", "--package", "incrowd-cli", "--", "man", "--markdown"],
    },
    Generated {
        path: "docs/python-api.md",
        program: "python3",
        made_by: &["-I", "xtask/peers/python_reference.py", "python/incrowd"],
    },
];

impl Generated {
    fn text(&self) -> Result<String, String> {
        output(&mut command(self.program, self.made_by))
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
