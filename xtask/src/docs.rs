//! `cargo xtask docs`: what is generated from the source, and whether it is up to date.

use crate::shell::{Done, command, output, root};

const SCHEMA: &str = "docs/release.schema.json";

fn schema() -> Result<String, String> {
    let example =
        ["run", "--quiet", "--package", "incrowd-io", "--features", "schema", "--example", "release_schema"];
    output(&mut command("cargo", &example))
}

/// Writes everything that is generated.
pub(crate) fn write() -> Done {
    std::fs::write(root().join(SCHEMA), schema()?).map_err(|error| format!("{SCHEMA}: {error}"))
}

/// Fails if something generated differs from what is committed.
pub(crate) fn check() -> Done {
    let committed =
        std::fs::read_to_string(root().join(SCHEMA)).map_err(|error| format!("{SCHEMA}: {error}"))?;
    if committed == schema()? {
        return Ok(());
    }
    Err(format!("{SCHEMA} is not what the source says: run `cargo xtask docs` and commit it"))
}
