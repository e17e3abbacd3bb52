//! Files that other programs write and check: Parquet by pyarrow, releases by a JSON Schema validator.

use crate::{Folder, incrowd};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a script with the tests' own Python. Prints a note and returns `None` if there is none.
fn python(script: &str, arguments: &[&str]) -> Option<String> {
    let python = incrowd_testkit::python()?;
    let output = Command::new(python).arg("-c").arg(script).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

const WRITE: &str = r#"
import sys, pyarrow as pa, pyarrow.csv, pyarrow.parquet as pq
table = pa.csv.read_csv(sys.argv[1])
for codec in ["none", "snappy", "gzip", "zstd", "lz4"]:
    for dictionary in [True, False]:
        pq.write_table(table, f"{sys.argv[2]}-{codec}-{dictionary}.parquet", compression=codec, use_dictionary=dictionary, row_group_size=700)
"#;

#[test]
fn parquet_of_any_codec_is_audited_like_csv() {
    let folder = Folder::new();
    let out = folder.path("clinic");
    assert_eq!(incrowd(&["demo", "--patients", "2000", "--out", &out]).status, 0);
    let (csv, policy) = (format!("{out}/patients.csv"), format!("{out}/policy.toml"));
    if python(WRITE, &[&csv, &folder.path("t")]).is_none() {
        return;
    }
    let text = std::fs::read_to_string(&policy).unwrap().replace("format = \"csv\"\nheader = true\n", "");
    let policy = folder.file("policy.toml", text);
    let audit = |table: &str| {
        let flags = ["--k", "3", "--weaken", "--distinct-l", "2", "--json"];
        let mut json =
            incrowd(&[&["audit", "--table", table, "--policy", &policy], &flags[..]].concat()).json();
        assert_eq!(json["table_file"], table);
        json.as_object_mut().unwrap().retain(|name, _| name != "seconds" && name != "table_file");
        json
    };
    let expected = audit(&csv);
    assert_eq!(expected["rows"], 2000);
    let files: Vec<String> = folder.names().into_iter().filter(|name| name.ends_with(".parquet")).collect();
    assert_eq!(files.len(), 10);
    for file in files {
        assert_eq!(audit(&folder.path(&file)), expected, "{file}");
    }
}

const VALIDATE: &str = r#"
import json, re, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
blocks = re.findall(r"```json\n(.*?)```", open(sys.argv[2]).read(), re.S)
for block in blocks:
    validator.validate(json.loads(block))
    broken = json.loads(block)
    broken["surprise"] = 1
    assert not validator.is_valid(broken)
print(len(blocks))
"#;

#[test]
fn documented_releases_are_valid_by_the_published_schema() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let path = |name: &str| -> PathBuf { docs.join(name) };
    let (schema, examples) = (path("release.schema.json"), path("releases.md"));
    let arguments = [schema.to_str().unwrap(), examples.to_str().unwrap()];
    let Some(count) = python(VALIDATE, &arguments) else { return };
    assert!(count.trim().parse::<u32>().unwrap() >= 4, "{count}");
}
