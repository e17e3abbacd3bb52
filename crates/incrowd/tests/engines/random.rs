//! Small random tables in DuckDB, against Parquet files with the same rows in another order.

use crate::{Folder, document, duckdb, same, write};
use incrowd::guarantee::Distance;
use incrowd::io::policy::PolicyFile;
use incrowd::mine::tree::{TreeMethod, TreeParams};
use incrowd::random::Random;
use incrowd::{Job, OpenOptions};
use std::path::PathBuf;

/// A table and a policy. Columns are a to h; a to d are public, the others private, and h is the class.
struct Case {
    statements: Vec<String>,
    policy: String,
}

const TYPES: [&str; 8] =
    ["INTEGER", "VARCHAR", "DOUBLE", "DATE", "VARCHAR", "INTEGER", "DECIMAL(6, 2)", "VARCHAR"];

fn case(random: &mut Random, number: u64, folder: &Folder) -> Case {
    let rows = 20 + random.below(150);
    let nulls = if random.percent(50) { random.below(6) } else { 0 };
    let wide = if random.percent(30) { 20 } else { 3 };
    let mut cells = Vec::new();
    for row in 0..rows {
        let mut cell = |kind: usize| {
            let n = random.below(wide);
            let text = match kind {
                0 | 5 => n.to_string(),
                1 => format!("'v{n}'"),
                2 => format!("{}", f64::from(n) / 3.0),
                3 => format!("DATE '2020-01-{:02}'", 1 + n),
                4 => format!("'{}'", ["x", "X", "y ", "it''s"][n as usize % 4]),
                6 => format!("{n}.5"),
                _ => format!("'{}'", ["no", "yes", "maybe"][random.below(3) as usize]),
            };
            if kind < 7 && random.percent(nulls) { "NULL".to_owned() } else { text }
        };
        let all: Vec<String> = (0..8).map(&mut cell).collect();
        // The identifier repeats now and then.
        cells.push(format!("({}, {})", all.join(", "), row / (1 + number as u32 % 3)));
    }
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let columns: Vec<String> = names.iter().zip(TYPES).map(|(name, own)| format!("{name} {own}")).collect();
    let parquet = folder.file(&format!("{number}.parquet"));
    let statements = vec![
        format!("CREATE TABLE t{number} ({}, id INTEGER)", columns.join(", ")),
        format!("INSERT INTO t{number} VALUES {}", cells.join(", ")),
        format!("COPY (SELECT * FROM t{number} ORDER BY hash(id, a, b)) TO '{}'", parquet.display()),
    ];
    let drop = if random.percent(50) { "drop\"\nmax-rows-left-out = 1.0" } else { "keep\"" };
    let class = if random.percent(20) { "public" } else { "private" };
    let declared = if random.percent(30) { ", range = [0, 30]" } else { "" };
    let values = if random.percent(30) { ", values = [\"x\", \"X\", \"y\", \"it's\", \"z\"]" } else { "" };
    let policy = format!(
        "version = 1\nclass = \"h\"\n[file]\nmissing = []\nmissing-rows = \"{drop}\n[attributes]\n\
         a = {{ role = \"public\" }}\nb = {{ role = \"public\" }}\nc = {{ role = \"public\" }}\n\
         d = {{ role = \"public\", kind = \"date\" }}\ne = {{ role = \"private\"{values} }}\n\
         f = {{ role = \"private\"{declared} }}\ng = {{ role = \"private\" }}\nh = {{ role = \"{class}\" }}\n\
         id = {{ role = \"identifier\" }}\n"
    );
    Case { statements, policy }
}

/// A guarantee that may hold or not.
fn asked<W>(job: Job<W>, choice: u32) -> Job<W> {
    match choice {
        0 => job,
        1 => job.k(3),
        2 => job.k(2).distinct_l(2).confidence(0.8),
        3 => job.k(2).t_closeness(0.4, Distance::Ordered).smallest_bin(2),
        4 => job.k(4).entropy_l(1.5).beta(2.0),
        _ => job.k(2).recursive_l(2.0, 2).alpha(0.7),
    }
}

fn cases() -> u64 {
    std::env::var("INCROWD_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(40)
}

#[test]
fn reports_are_the_same() {
    let Some(library) = incrowd_testkit::duckdb() else { return };
    let folder = Folder::new("random");
    let database = folder.file("all.db");
    let seed = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut random = Random::of(seed, 0);
    let cases: Vec<Case> = (0..cases()).map(|number| case(&mut random, number, &folder)).collect();
    write(&library, &database, &cases.iter().flat_map(|case| case.statements.clone()).collect::<Vec<_>>());
    let (mut trees, mut holding, mut tables) = (0, 0, 0);
    for (number, case) in cases.iter().enumerate() {
        let file = folder.file("policy.toml");
        std::fs::write(&file, &case.policy).expect("a file");
        let policy = PolicyFile::read(&file).expect("a policy");
        let options = OpenOptions::new().threads(1);
        let (parquet, source) =
            (folder.file(&format!("{number}.parquet")), duckdb(&database, &format!("t{number}")));

        let choice = random.below(6);
        let here = asked(options.audit_table(&parquet, policy.clone()), choice).run();
        let there = asked(options.audit_table_in_engine(source.clone(), policy.clone()), choice).run();
        tables += u32::from(here.is_ok());
        assert_eq!(document(here), document(there), "table {number}");

        let method = [TreeMethod::KadetC45, TreeMethod::KadetId3, TreeMethod::Best][number % 3];
        let Some(tree) = mined(&folder, &options, &parquet, &policy, method) else { continue };
        for choice in [random.below(6), random.below(6)] {
            let here = asked(options.audit(&tree, Some(&parquet), policy.clone()), choice).run();
            let there = asked(options.audit_in_engine(&tree, source.clone(), policy.clone()), choice).run();
            trees += u32::from(here.is_ok());
            holding += u32::from(here.as_ref().is_ok_and(|report| report.holds));
            assert_eq!(document(here), document(there), "tree {number}");
        }
    }
    let few = u32::try_from(cases.len()).expect("few") / 4;
    assert!(
        trees > few && tables > few && holding > 0 && holding < trees,
        "{trees} trees, {holding} hold, {tables} tables"
    );
}

/// Trees mined where the table is: the same file, report, figures and warnings, or the same error.
#[test]
fn trees_are_the_same() {
    let Some(library) = incrowd_testkit::duckdb() else { return };
    let folder = Folder::new("random-trees");
    let database = folder.file("all.db");
    let seed = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut random = Random::of(seed, 1);
    let cases: Vec<Case> = (0..cases() * 5).map(|number| case(&mut random, number, &folder)).collect();
    write(&library, &database, &cases.iter().flat_map(|case| case.statements.clone()).collect::<Vec<_>>());
    let (mut trees, mut failed) = (0, 0);
    for (number, case) in cases.iter().enumerate() {
        let file = folder.file("policy.toml");
        std::fs::write(&file, &case.policy).expect("a file");
        let policy = PolicyFile::read(&file).expect("a policy");
        let options = OpenOptions::new().threads(1);
        let (parquet, source) =
            (folder.file(&format!("{number}.parquet")), duckdb(&database, &format!("t{number}")));
        let method = [TreeMethod::KadetC45, TreeMethod::KadetId3, TreeMethod::Best][number % 3];
        let alike = |params: &mut TreeParams| params.sample = method != TreeMethod::Best;
        let choice = 1 + random.below(5);
        let there = asked(options.tree_in_engine(source, policy.clone()), choice).method(method).with(alike);
        let there = there.mine();
        let Ok(open) = options.open_under(&parquet, policy) else {
            assert!(there.is_err(), "tree {number}");
            failed += 1;
            continue;
        };
        match (asked(open.tree(), choice).method(method).with(alike).mine(), there) {
            (Ok(here), Ok(there)) => {
                same(&folder, &here, &open.warnings(), &there);
                trees += u32::from(here.summary.leaves > 1);
            }
            // What depends on the whole tree is checked with rows.
            (Ok(_), Err(there)) if there.what.contains("smallest bin") => failed += 1,
            (here, there) => {
                let (here, there) = (here.map(|_| ()), there.map(|_| ()));
                let what = |error: incrowd::Error| error.what;
                assert_eq!(here.map_err(what), there.map_err(what), "tree {number}");
                failed += 1;
            }
        }
    }
    let few = u32::try_from(cases.len()).expect("few") / 5;
    assert!(trees > few && failed < 3 * few, "{trees} trees, {failed} failed");
}

fn mined(
    folder: &Folder,
    options: &OpenOptions,
    data: &std::path::Path,
    policy: &PolicyFile,
    method: TreeMethod,
) -> Option<PathBuf> {
    let file = folder.file("tree.json");
    let _ = std::fs::remove_file(&file);
    let open = options.open_under(data, policy.clone()).ok()?;
    open.tree().method(method).k(2).mine().ok()?.write(&file).ok()?;
    Some(file)
}
