//! The targets, which take the bytes of a file.

use crate::seeds::{self, Scratch, people};
use incrowd::audit::audit_model;
use incrowd::guarantee::Guarantee;
use incrowd::model::Model;
use incrowd::predict::{nearest_centroids, predict, predict_scores};
use incrowd::profile::{ProfileOptions, profile};
use incrowd::progress::Silent;
use incrowd::show::{EnsembleOutline, Outline, dot, ensemble_svg, rule_lines, svg};
use incrowd::table::Table;
use incrowd::taxonomy::Taxonomy;
use incrowd_io::dossier::parse_dossier;
use incrowd_io::import::parse_model;
use incrowd_io::policy::parse_taxonomy;
use incrowd_io::release::{Release, parse_release};
use incrowd_io::{
    Encoding, Format, KeepItems, MissingRows, PolicyFile, Purpose, ReadPlan, Target, read_any_model,
    read_baskets, read_table, rules_over_table,
};
use std::path::Path;

/// A reader of files, or a use of what was read.
#[derive(Debug, Clone, Copy)]
pub struct FuzzTarget {
    name: &'static str,
    seeds: fn() -> Vec<Vec<u8>>,
    run: fn(&[u8]),
}

impl FuzzTarget {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Valid inputs.
    pub fn seeds(&self) -> Vec<Vec<u8>> {
        (self.seeds)()
    }

    /// Reads the bytes of a file. It must return, whatever they are.
    pub fn run(&self, bytes: &[u8]) {
        (self.run)(bytes);
    }
}

/// All targets: every reader, and the audit, the prediction and the writing of what was read.
pub fn targets() -> Vec<FuzzTarget> {
    vec![
        FuzzTarget {
            name: "csv",
            seeds: || vec![seeds::written("t.csv"), bytes(&seeds::table_text())],
            run: |b| table("t.csv", b, None),
        },
        FuzzTarget {
            name: "uci",
            seeds: || vec![bytes(seeds::table_text().split_once('\n').map_or("", |cut| cut.1))],
            run: |b| table("t.data", b, Some(Format::Uci)),
        },
        FuzzTarget {
            name: "arff",
            seeds: || vec![seeds::written("t.arff")],
            run: |b| table("t.arff", b, Some(Format::Arff)),
        },
        FuzzTarget {
            name: "parquet",
            seeds: || vec![seeds::written("t.parquet")],
            run: |b| table("t.parquet", b, Some(Format::Parquet)),
        },
        FuzzTarget {
            name: "jsonl",
            seeds: || {
                let nested = seeds::JSON_LINES.replace("\"more\": 1", "\"more\": [1, {\"a\": \"]\"}]");
                vec![bytes(seeds::JSON_LINES), bytes(&nested)]
            },
            run: |b| table("t.jsonl", b, Some(Format::JsonLines)),
        },
        FuzzTarget { name: "zip", seeds: || vec![seeds::zipped()], run: |b| table("t.zip", b, None) },
        FuzzTarget {
            name: "encodings",
            seeds: || vec![bytes(&seeds::table_text()), seeds::wide(&seeds::table_text())],
            run: encoded,
        },
        FuzzTarget {
            name: "baskets",
            seeds: || seeds::BASKETS.iter().map(|t| bytes(t)).collect(),
            run: baskets,
        },
        FuzzTarget { name: "policy", seeds: || vec![bytes(seeds::POLICY)], run: policy },
        FuzzTarget {
            name: "taxonomy",
            seeds: || seeds::TAXONOMIES.iter().map(|t| bytes(t)).collect(),
            run: taxonomy,
        },
        FuzzTarget { name: "release", seeds: seeds::releases, run: release },
        FuzzTarget { name: "dossier", seeds: || vec![bytes(seeds::DOSSIER)], run: dossier },
        FuzzTarget { name: "scikit-learn-tree", seeds: || vec![bytes(seeds::SKLEARN_TREE)], run: model },
        FuzzTarget { name: "tree-ensemble", seeds: || vec![bytes(seeds::ENSEMBLE)], run: model },
        FuzzTarget { name: "lightgbm", seeds: || vec![bytes(seeds::LIGHTGBM)], run: model },
        FuzzTarget { name: "xgboost", seeds: || vec![bytes(seeds::XGBOOST)], run: model },
        FuzzTarget { name: "lightgbm-json", seeds: || vec![bytes(seeds::LIGHTGBM_JSON)], run: model },
        FuzzTarget { name: "xgboost-ubjson", seeds: || vec![seeds::UBJSON.to_vec()], run: model },
        FuzzTarget { name: "catboost", seeds: || vec![bytes(seeds::CATBOOST)], run: model },
        FuzzTarget {
            name: "onnx-ensemble",
            seeds: || seeds::ONNX_ENSEMBLES.map(<[u8]>::to_vec).into(),
            run: model,
        },
        FuzzTarget {
            name: "pmml-ensemble",
            seeds: || vec![seeds::exported_ensemble(Target::Pmml)],
            run: model,
        },
        FuzzTarget {
            name: "scikit-learn-clusters",
            seeds: || vec![bytes(seeds::SKLEARN_CLUSTERS)],
            run: model,
        },
        FuzzTarget { name: "pmml", seeds: || seeds::exported(Target::Pmml), run: model },
        FuzzTarget { name: "onnx", seeds: || seeds::exported(Target::Onnx), run: model },
        FuzzTarget { name: "arules", seeds: || vec![bytes(seeds::ARULES)], run: model },
        FuzzTarget {
            name: "mlxtend",
            seeds: || vec![bytes(seeds::MLXTEND_CSV), bytes(seeds::MLXTEND_JSON)],
            run: model,
        },
        FuzzTarget { name: "audit-tree", seeds: || seeds::exported(Target::Json), run: audit },
        FuzzTarget { name: "audit-ensemble", seeds: || vec![bytes(seeds::ENSEMBLE)], run: audit },
        FuzzTarget {
            name: "audit-clusters",
            seeds: || vec![seeds::clusters(), bytes(seeds::SKLEARN_CLUSTERS)],
            run: audit,
        },
        FuzzTarget { name: "audit-rules", seeds: || vec![seeds::rules(), bytes(seeds::ARULES)], run: audit },
    ]
}

fn bytes(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// What a report records about files.
fn dossier(bytes: &[u8]) {
    if let Ok(recorded) = parse_dossier(bytes) {
        // Names are looked up beside other files.
        assert!(recorded.files.iter().all(|file| !file.name.contains('/')));
    }
}

/// A table, read with and without a policy.
fn table(name: &str, bytes: &[u8], format: Option<Format>) {
    let file = Scratch::new(name, bytes);
    for missing_rows in [MissingRows::Keep, MissingRows::Drop] {
        let plan = ReadPlan::default()
            .with_format(format)
            .with_missing_rows(missing_rows)
            .with_missing(vec!["?".to_owned()]);
        if let Ok(read) = read_table(file.path(), &plan, 1, &Silent) {
            let mut options = ProfileOptions::default();
            options.largest = 2;
            let _ = profile(&read.table, &options);
        }
    }
    let policy = PolicyFile::parse(seeds::POLICY, "policy.toml").expect("a policy");
    for purpose in [Purpose::Source, Purpose::Release] {
        let plan = policy.read_plan(purpose).with_format(format);
        let _ = read_table(file.path(), &plan, 1, &Silent);
    }
}

/// A table in other encodings than UTF-8.
fn encoded(bytes: &[u8]) {
    let file = Scratch::new("t.csv", bytes);
    for encoding in [Encoding::Windows1252, Encoding::Utf16, Encoding::Utf16Be] {
        let plan = ReadPlan::default().with_encoding(encoding).with_missing_rows(MissingRows::Keep);
        let _ = read_table(file.path(), &plan, 1, &Silent);
    }
}

fn baskets(bytes: &[u8]) {
    let policy = "[items]\ndefault = \"public\"\n[guarantee]\nk = 2\n";
    let policy = PolicyFile::parse(policy, "policy.toml").expect("a policy");
    let items = policy.items.expect("items");
    for name in ["t.csv", "t.dat"] {
        let _ = read_baskets(Scratch::new(name, bytes).path(), &items, KeepItems::Share(0.1), &Silent);
    }
}

fn policy(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // Taxonomy files would be looked for beside it, where none are.
    let Ok(policy) = PolicyFile::parse(text, "nowhere/policy.toml") else { return };
    let _ = (policy.read_plan(Purpose::Source), policy.read_plan(Purpose::Release), policy.policy.known());
    let table = &people().0;
    for column in table.columns() {
        if let Some(spec) = policy.policy.attribute(column.name()).and_then(|a| a.taxonomy.as_ref()) {
            let _ = Taxonomy::build(spec, column);
        }
    }
    let _ = incrowd::audit::audit_table(table, &policy.policy, &policy.policy.guarantee);
}

fn taxonomy(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(spec) = parse_taxonomy(text) else { return };
    for column in people().0.columns() {
        let _ = Taxonomy::build(&spec, column);
    }
}

/// What reads as a release writes back to the same release.
fn release(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(release) = parse_release(text, Path::new("r.json")) else { return };
    if let Ok(text) = release.to_text() {
        assert_eq!(
            parse_release(&text, Path::new("r.json")).as_ref(),
            Ok(&release),
            "it reads back otherwise"
        );
    }
}

fn model(bytes: &[u8]) {
    let Ok(release) = parse_model(bytes.to_vec(), Path::new("model")) else { return };
    let _ = release.to_text();
    let Release::Model(release) = release else { return };
    match &release.model {
        Model::Tree(tree) => drop(predict(&people().0, tree)),
        Model::Ensemble(ensemble) => drop(predict_scores(&people().0, ensemble)),
        _ => return,
    }
    for target in [Target::Pmml, Target::Onnx, Target::Sql, Target::Python, Target::Json] {
        let _ = incrowd_io::export(&release, target);
    }
}

/// Whatever passes the checks of a reader can be audited, shown and used.
fn audit(bytes: &[u8]) {
    let file = Scratch::new("model", bytes);
    let Ok((Release::Model(release), _)) = read_any_model(file.path()) else { return };
    let (table, policy) = people();
    let model = match release.model {
        Model::Rules(rules) => match rules_over_table(&rules, table) {
            Ok(rules) => Model::Rules(rules),
            Err(_) => return,
        },
        other => other,
    };
    for guarantee in guarantees() {
        let _ = audit_model(table, policy, &model, &guarantee);
    }
    show(&model, table);
}

fn guarantees() -> Vec<Guarantee> {
    let of = |text: &str| {
        let text = seeds::POLICY.replace("k = 2\ndistinct-l = 1\n", text);
        PolicyFile::parse(&text, "policy.toml").expect("a policy").policy.guarantee
    };
    vec![of("k = 2\n"), of("k = 2\nsmallest-bin = 2\nconfidence = 0.9\nt-closeness = 0.5\n")]
}

fn show(model: &Model, table: &Table) {
    match model {
        Model::Tree(tree) => {
            let outline = Outline::new(tree, None);
            let _ = (svg(&outline), dot(&outline));
            let _ = predict(table, tree);
        }
        Model::Ensemble(ensemble) => {
            let _ = ensemble_svg(ensemble, &EnsembleOutline::new(ensemble, None, None), None);
            let _ = predict_scores(table, ensemble);
        }
        Model::Clusters(clusters) => {
            let _ = nearest_centroids(table, clusters);
        }
        Model::Rules(rules) => {
            let _ = rule_lines(rules, Some(table.individuals()));
        }
        _ => {}
    }
}
