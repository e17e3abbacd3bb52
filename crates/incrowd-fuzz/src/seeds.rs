//! Valid files to start from, made by the program's own code from one small table.

use incrowd::guarantee::Guarantee;
use incrowd::model::Model;
use incrowd::policy::Policy;
use incrowd::progress::Silent;
use incrowd::random::Random;
use incrowd::table::Table;
use incrowd_io::import::parse_model;
use incrowd_io::release::{ModelRelease, Origin, Release};
use incrowd_io::{PolicyFile, Purpose, TableRead, Target, export, read_table};
use incrowd_mine::clusters::{self, ClusterParams, mine_clusters};
use incrowd_mine::rules::{RuleParams, mine_rules};
use incrowd_mine::tree::{TreeMethod, TreeParams, mine_tree};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// What `incrowd report` writes as JSON, without what `incrowd verify` skips.
pub(crate) const DOSSIER: &str = r#"{"format": "incrowd-dossier", "version": 1, "form": "owner", "holds": true,
"date": "2026-01-02", "program": "incrowd 0.1.0", "command": "incrowd report", "seed": 1, "statement": {"purpose": "x"},
"files": [{"role": "release", "name": "tree.json", "bytes": 12,
"sha256": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}],
"release": {"family": "tree"}, "guarantee": [], "weakened": [], "policy": {}, "audit": {}, "utility": {}}
"#;

/// A table of JSON lines with every kind of value.
pub(crate) const JSON_LINES: &str = r#"{"age": 20, "city": "north", "since": "2024-01-11", "income": 1e3, "home": "own", "risk": "good"}
{"age": 30.5, "city": "so\u0075th \"x\"", "since": null, "income": -0, "home": true, "risk": "bad", "more": 1}

{"city": "\ud83d\ude00", "age": "40", "risk": ""}
"#;

/// A policy for [`table_text`]; `MORE` marks where more may follow.
pub(crate) const POLICY: &str = r#"version = 1
class = "risk"
undeclared-dependencies = "warn"

[file]
format = "csv"
delimiter = ","
header = true
missing = ["?", "n/a"]
missing-rows = "keep"

[attributes.age]
role = "public"
kind = "numeric"
range = [0, 120]
whole = true
taxonomy = { intervals = { width = 10, factor = 2 } }

[attributes.city]
role = "public"
kind = "categorical"
values = ["north", "south", "east"]

[attributes.since]
role = "public"
kind = "date"
taxonomy = { calendar = {} }

[attributes.income]
role = "private"
kind = "numeric"

[attributes.home]
role = "private"
values = ["own", "rent"]

[attributes.risk]
role = "private"

[dossier]
purpose = "a test"
date = "2026-01-02"

[guarantee]
k = 2
distinct-l = 1
"#;

/// A file in a folder of its own, removed at the end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str, bytes: &[u8]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("incrowd-fuzz-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for a file");
        std::fs::write(folder.join(name), bytes).expect("a file");
        Self(folder.join(name))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(folder) = self.0.parent() {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// A table of 48 individuals.
pub(crate) fn table_text() -> String {
    let mut text = "age,city,since,income,home,risk\n".to_owned();
    for row in 0..48 {
        let mut random = Random::of(3, row);
        let age = 20 + random.below(4) * 10;
        let city = ["north", "south", "east"][random.below(3) as usize];
        let day = 1 + random.below(3);
        let income = if random.percent(4) { "?".to_owned() } else { (random.below(5) * 1000).to_string() };
        let home = ["own", "rent"][random.below(2) as usize];
        let risk = ["good", "bad"][usize::from(random.percent(if age > 30 { 70 } else { 20 }))];
        text += &format!("{age},{city},2024-0{day}-1{day},{income},{home},{risk}\n");
    }
    text
}

/// The table as it was read, with its policy.
pub(crate) fn people() -> &'static (Table, Policy) {
    static PEOPLE: OnceLock<(Table, Policy)> = OnceLock::new();
    PEOPLE.get_or_init(|| {
        let policy = PolicyFile::parse(POLICY, "policy.toml").expect("a policy");
        let file = Scratch::new("t.csv", table_text().as_bytes());
        let plan = policy.read_plan(Purpose::Source);
        let TableRead { table, .. } = read_table(file.path(), &plan, 1, &Silent).expect("a table");
        (table, policy.policy)
    })
}

/// The table in a format, by a file's ending.
pub(crate) fn written(name: &str) -> Vec<u8> {
    let file = Scratch::new("old", b"");
    let path = file.path().with_file_name(name);
    incrowd_io::write_table(&path, &people().0, true, |_| Ok(())).expect("a table that can be written");
    std::fs::read(path).expect("the file just written")
}

fn guarantee() -> Guarantee {
    Guarantee::k_anonymity(2).expect("a guarantee")
}

fn released(model: Model) -> ModelRelease {
    let individuals = Some(people().0.individuals());
    ModelRelease { model, individuals, origin: Origin::default() }
}

/// Released trees, grown in all ways.
pub(crate) fn trees() -> Vec<ModelRelease> {
    let (table, policy) = people();
    let grown = |method| {
        let params = TreeParams::new(method, guarantee()).check().expect("parameters");
        released(Model::Tree(mine_tree(table, policy, &params, &Silent).expect("a tree").tree))
    };
    [TreeMethod::KadetId3, TreeMethod::KadetC45, TreeMethod::Best].map(grown).into()
}

/// All trees in another language.
pub(crate) fn exported(target: Target) -> Vec<Vec<u8>> {
    trees().iter().filter_map(|tree| export(tree, target).ok()).collect()
}

fn text(release: ModelRelease) -> Vec<u8> {
    Release::Model(release).to_text().expect("a release that can be written").into_bytes()
}

/// A release file of every family.
pub(crate) fn releases() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = trees().into_iter().map(text).collect();
    all.push(clusters());
    all.push(rules());
    all.push(SIDECAR.as_bytes().to_vec());
    all
}

pub(crate) fn clusters() -> Vec<u8> {
    let (table, policy) = people();
    let mut params = ClusterParams::new(clusters::ClusterMethod::KMeans, guarantee());
    params.attributes = ["age", "home", "city"].map(str::to_owned).into();
    let params = params.check().expect("parameters");
    let mined = mine_clusters(table, policy, &params, &Silent).expect("clusters");
    text(released(Model::Clusters(mined.clusters)))
}

pub(crate) fn rules() -> Vec<u8> {
    let (table, policy) = people();
    let mut policy = policy.clone();
    policy.attributes.retain(|attribute| !["age", "income", "since"].contains(&attribute.name.as_str()));
    let params = RuleParams::new(guarantee(), 0.05, 0.1).check().expect("parameters");
    let mined = mine_rules(table, &policy, &params, &Silent).expect("rules");
    text(released(Model::Rules(mined.rules)))
}

const SIDECAR: &str = r#"{
 "format": "incrowd-release",
 "version": 1,
 "family": "table",
 "individuals": 48,
 "method": "spans",
 "parameters": {"k": 3},
 "guarantee": ["k = 3"],
 "measured": {"k": 3},
 "file": "anon.csv",
 "rows": 48,
 "sha256": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
 "kinds": {"income": "numeric", "home": "categorical"}
}"#;

pub(crate) const SKLEARN_TREE: &str = r#"{"format": "scikit-learn-tree", "version": 1, "class": {"name": "risk", "values": ["bad", "good"]},
 "columns": [{"name": "age"}, {"name": "city", "equals": "north"}, {"name": "city", "equals": "south"}, {"name": "city", "equals": "east"}, {"name": "home", "order": ["own", "rent"]}],
 "left": [1, 3, -1, -1, -1], "right": [2, 4, -1, -1, -1], "feature": [0, 1, -2, -2, -2], "threshold": [30.5, 0.5, -2, -2, -2], "label": [1, 0, 1, 0, 1],
 "counts": [[20, 28], [10, 9], [10, 19], [6, 3], [4, 6]], "missing_left": [true, false, false, false, false]}"#;

pub(crate) const ENSEMBLE: &str = r#"{"format": "tree-ensemble", "version": 1, "class": {"name": "risk", "values": ["bad", "good"]},
 "columns": [{"name": "age"}, {"name": "city", "codes": ["east", "north", "south"], "missing": true}, {"name": "home", "equals": "own", "unknown": 0}],
 "precision": "single", "strict": true, "combination": "sum", "link": "logistic", "ties": "last", "base": [-0.5],
 "trees": [{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -2, -2], "threshold": [30.5, 0, 0], "scores": [[], [0.25], [-0.5]], "missing_left": [true, false, false]},
  {"left": [1, 3, -1, -1, -1], "right": [2, 4, -1, -1, -1], "feature": [1, 2, -2, -2, -2], "threshold": [0, 0.5, 0, 0, 0], "scores": [[], [], [0.125], [1e-3], [-2]],
   "missing_left": [false, true, false, false, false], "codes": [[0, 2], null, null, null, null]}]}"#;

pub(crate) const LIGHTGBM: &str = include_str!("../../incrowd-io/src/import/tests/ensemble.txt");

pub(crate) const XGBOOST: &str = include_str!("../../incrowd-io/src/import/tests/ensemble.json");

pub(crate) const LIGHTGBM_JSON: &str = include_str!("../../incrowd-io/src/import/tests/lightgbm.json");

pub(crate) const CATBOOST: &str = include_str!("../../incrowd-io/src/import/tests/catboost.json");

pub(crate) const UBJSON: &[u8] = include_bytes!("../../incrowd-io/src/import/tests/ensemble.ubj");

/// Classifiers of several trees.
pub(crate) const ONNX_ENSEMBLES: [&[u8]; 2] = [
    include_bytes!("../../incrowd-io/src/import/tests/forest.onnx"),
    include_bytes!("../../incrowd-io/src/import/tests/boosting.onnx"),
];

/// The ensemble in another language.
pub(crate) fn exported_ensemble(target: Target) -> Vec<u8> {
    let release = parse_model(ENSEMBLE.as_bytes().to_vec(), Path::new("e.json")).expect("an ensemble");
    let Release::Model(release) = release else { panic!("a table") };
    export(&release, target).expect("an ensemble that can be exported")
}

pub(crate) const SKLEARN_CLUSTERS: &str = r#"{"format": "scikit-learn-clusters", "version": 1,
 "columns": [{"name": "age", "low": 0, "high": 120}, {"name": "home", "equals": "own"}, {"name": "home", "equals": "rent"}],
 "centers": [[-1.5, 0.5, 0.5], [0.25, 0.9, 0.1], [1e0, 0, 1]], "mean": [35, 0, 0], "scale": [11.5, 1, 1], "counts": [20, 18, 10]}"#;

pub(crate) const ARULES: &str = "\"rules\",\"support\",\"confidence\",\"coverage\",\"lift\",\"count\"\n\
    \"{city=north} => {home=own}\",0.25,0.5,0.5,1.1,12\n\"{city=south,home=rent} => {risk=bad}\",0.125,0.5,0.25,1.3,6\n\
    \"{} => {risk=good}\",0.5,0.5,1,1,24\n";

pub(crate) const MLXTEND_CSV: &str = ",antecedents,consequents,antecedent support,consequent support,support,confidence\n\
    0,frozenset({'city=north'}),frozenset({'home=own'}),0.5,0.5,0.25,0.5\n\
    1,\"frozenset({'city=south', 'home=rent'})\",frozenset({'risk=bad'}),0.25,0.5,0.125,0.5\n";

pub(crate) const MLXTEND_JSON: &str = r#"[{"antecedents": ["city=north"], "consequents": ["home=own"], "antecedent support": 0.5, "support": 0.25, "confidence": 0.5},
 {"antecedents": ["city=south", "home=rent"], "consequents": ["risk=bad"], "antecedent support": 0.25, "support": 0.125, "confidence": 0.5}]"#;

pub(crate) const TAXONOMIES: [&str; 3] = [
    "north;up;*\nsouth;down;*\neast;up;*\n",
    "\"a, b\",group,any\n\"c \"\"d\"\"\",group,any\ne,e,any\n",
    "1;1-2;1-4;*\n2;1-2;1-4;*\n3;3-4;1-4;*\n4;3-4;1-4;*\n",
];

pub(crate) const BASKETS: [&str; 2] = ["milk,bread\nbread\nmilk,\"beer, dark\"\n", "1 2 3\n2 3\n1\n3 1 2\n"];

/// A text as UTF-16 with a byte-order mark.
pub(crate) fn wide(text: &str) -> Vec<u8> {
    [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// A ZIP archive of one stored table.
pub(crate) fn zipped() -> Vec<u8> {
    let (name, content) = (b"t.csv", table_text().into_bytes());
    let (length, crc) = ((content.len() as u32).to_le_bytes(), crc32(&content).to_le_bytes());
    let common = [&[0; 6][..], &crc, &length, &length, &[name.len() as u8, 0, 0, 0]].concat();
    let local = [b"PK\x03\x04\x14\0\0\0", &common[..], name, &content[..]].concat();
    let entry = [b"PK\x01\x02\x14\0\x14\0\0\0", &common[..], &[0; 14][..], name].concat();
    let (size, begin) = ((entry.len() as u32).to_le_bytes(), (local.len() as u32).to_le_bytes());
    let end = [b"PK\x05\x06\0\0\0\0\x01\0\x01\0", &size[..], &begin, &[0, 0]].concat();
    [local, entry, end].concat()
}

/// The checksum of ZIP, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| step(crc)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seeds that a reader refuses at once would test nothing behind that.
    #[test]
    fn seeds_of_tables_are_read() {
        let plan = incrowd_io::ReadPlan::default().with_missing_rows(incrowd_io::MissingRows::Keep);
        let rows = |name: &str, bytes: &[u8]| {
            read_table(Scratch::new(name, bytes).path(), &plan, 1, &Silent).map(|read| read.rows_read)
        };
        assert_eq!(rows("t.zip", &zipped()), Ok(48));
        assert_eq!(rows("t.jsonl", JSON_LINES.as_bytes()), Ok(3));
    }
}
