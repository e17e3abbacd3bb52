//! Adult in DuckDB, in Parquet files, and on a PostgreSQL server whose role can only select.

use crate::{Folder, document, duckdb, same, write};
use incrowd::engines::Source;
use incrowd::io::policy::PolicyFile;
use incrowd::mine::tree::{TreeMethod, TreeParams};
use incrowd::{OpenOptions, Result};
use incrowd_testkit::{ADULT, PostgresServer};
use std::path::Path;

const POLICY: &str = r#"
version = 1
class = "class"
unlisted = "ignored"
[file]
missing = ["?"]
missing-rows = "drop"
[attributes]
age = { role = "public" }
sex = { role = "public" }
race = { role = "public" }
education = { role = "public" }
workclass = { role = "public" }
occupation = { role = "private" }
hours-per-week = { role = "private", range = [0, 100] }
class = { role = "private" }
fnlwgt = { role = "identifier" }
"#;

/// Adult with a first line of names.
fn with_names(folder: &Folder) -> Option<std::path::PathBuf> {
    let text = std::fs::read_to_string(incrowd_testkit::data("adult/adult.data")?).expect("the data");
    let lines = text.lines().filter(|line| !line.trim().is_empty()).map(|line| line.replace(", ", ","));
    let file = folder.file("adult.csv");
    let lines: Vec<String> = std::iter::once(ADULT.join(",")).chain(lines).collect();
    std::fs::write(&file, lines.join("\n") + "\n").expect("a file");
    Some(file)
}

fn policy(folder: &Folder) -> PolicyFile {
    let file = folder.file("policy.toml");
    std::fs::write(&file, POLICY).expect("a file");
    PolicyFile::read(&file).expect("a policy")
}

/// Trees of several methods, some of which test private attributes.
fn trees(folder: &Folder, data: &Path, policy: &PolicyFile) -> Result<Vec<std::path::PathBuf>> {
    let open = OpenOptions::new().open_under(data, policy.clone())?;
    let mined = |(number, method): (usize, TreeMethod)| {
        let file = folder.file(&format!("tree-{number}.json"));
        open.tree().method(method).k(10).mine()?.write(&file)?;
        Ok(file)
    };
    [TreeMethod::KadetC45, TreeMethod::Best].into_iter().enumerate().map(mined).collect()
}

fn check(folder: &Folder, data: &Path, sources: &[Source]) {
    let (policy, options) = (policy(folder), OpenOptions::new());
    for tree in trees(folder, data, &policy).expect("trees") {
        for k in [10, 200] {
            let here =
                options.audit(&tree, Some(data), policy.clone()).k(k).distinct_l(2).risk_threshold(0.1);
            let here = document(here.run());
            assert!(here.is_ok(), "{here:?}");
            for source in sources {
                let there = options.audit_in_engine(&tree, source.clone(), policy.clone()).k(k).distinct_l(2);
                assert_eq!(here, document(there.risk_threshold(0.1).run()));
            }
        }
    }
}

/// Trees mined in each engine are those of the file.
fn check_mined(folder: &Folder, data: &Path, sources: &[Source]) {
    let (policy, options) = (policy(folder), OpenOptions::new());
    let open = options.open_under(data, policy.clone()).expect("a table");
    let mined = [(TreeMethod::KadetC45, 100), (TreeMethod::KadetId3, 100), (TreeMethod::Best, 100)];
    for (method, k) in mined {
        let alike = |params: &mut TreeParams| params.sample = method != TreeMethod::Best;
        let here = open.tree().method(method).with(alike).k(k).confidence(0.99).mine().expect("a tree");
        assert!(here.summary.leaves > 5, "{} leaves", here.summary.leaves);
        for source in sources {
            let there = options.tree_in_engine(source.clone(), policy.clone()).method(method).with(alike);
            let there = there.k(k).confidence(0.99).mine().expect("a tree");
            same(folder, &here, &open.warnings(), &there);
        }
    }
}

#[test]
fn in_duckdb() {
    let Some(library) = incrowd_testkit::duckdb() else { return };
    let folder = Folder::new("adult-duckdb");
    let Some(data) = with_names(&folder) else { return };
    let (file, parquet) = (folder.file("adult.db"), folder.file("adult.parquet"));
    let csv = data.display().to_string().replace('\'', "''");
    let statements = [
        format!(
            "CREATE TABLE adult AS SELECT * FROM read_csv('{csv}', nullstr = 'none') ORDER BY hash(age, fnlwgt)"
        ),
        format!("COPY adult TO '{}'", parquet.display()),
    ];
    write(&library, &file, &statements);
    let sources = [duckdb(&file, "adult"), Source::parquet(parquet.display().to_string())];
    check(&folder, &data, &sources);
    check_mined(&folder, &data, &sources);
}

#[test]
fn in_postgresql() {
    let Some(server) = PostgresServer::start("adult") else { return };
    let folder = Folder::new("adult-postgresql");
    let Some(data) = with_names(&folder) else { return };
    let numbers = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"];
    let column = |name: &str| format!("\"{name}\" {}", if numbers.contains(&name) { "int" } else { "text" });
    let columns: Vec<String> = ADULT.map(column).to_vec();
    server.run(&format!(
        "CREATE TABLE adult ({});\n\\copy adult from '{}' csv header\nCREATE ROLE reader LOGIN; GRANT SELECT ON adult TO reader;",
        columns.join(", "),
        data.display()
    ));
    let address = format!("postgresql://reader@/postgres?table=adult&host={}", server.socket().display());
    let sources = [Source::parse(&address).expect("an address")];
    check(&folder, &data, &sources);
    check_mined(&folder, &data, &sources);
}
