//! Releases and exports in the formats of earlier versions still load and state the same. Trees, clusters, rules and
//! tables are the examples of the first documentation; the others follow their formats as they were. The files must
//! never be written anew.

use incrowd::predict::predict;
use incrowd::table::{Column, People, Table};
use incrowd::{Loaded, load_bytes};

fn loaded(bytes: &[u8]) -> Loaded {
    load_bytes(bytes.to_vec()).expect("an earlier file loads")
}

#[test]
fn releases_of_every_family_load() {
    let files = [
        ("tree", include_str!("../earlier/tree.json"), 12),
        ("tree", include_str!("../earlier/shares.json"), 12),
        ("clusters", include_str!("../earlier/clusters.json"), 6),
        ("rules", include_str!("../earlier/rules.json"), 1000),
        ("table", include_str!("../earlier/table.json"), 12),
    ];
    for (family, text, individuals) in files {
        let release = loaded(text.as_bytes());
        assert_eq!((release.family(), release.individuals()), (family, Some(individuals)));
        let written = release.to_text().expect("a text");
        assert_eq!(loaded(written.as_bytes()).to_text().expect("a text"), written, "{family}");
    }
    assert_eq!(loaded(include_bytes!("../earlier/table.json")).table_file(), Some("anon.csv"));
    let clusters = loaded(include_bytes!("../earlier/clusters.json"));
    let populations: Vec<Option<u64>> = clusters
        .clusters()
        .expect("clusters")
        .centroids()
        .iter()
        .map(|centroid| centroid.population)
        .collect();
    assert_eq!(populations, [Some(2), Some(4)]);
    let rules = loaded(include_bytes!("../earlier/rules.json"));
    let rule = &rules.rules().expect("rules").rules()[0];
    assert_eq!((rule.antecedent_count, rule.both_count), (Some(112), Some(84)));
}

#[test]
fn exports_predict_as_the_tree_they_were_made_from() {
    let gender = Column::from_texts("Gender", &["Male", "Male", "Female"].map(Some));
    let age = Column::from_numbers("age", &[30.0, 31.0, 30.0].map(Some)).expect("finite");
    let table = Table::new(vec![gender, age], People::Rows).expect("a table");
    let files = [
        &include_bytes!("../earlier/tree.json")[..],
        include_bytes!("../earlier/tree.pmml"),
        include_bytes!("../earlier/tree.onnx"),
    ];
    for file in files {
        let model = loaded(file);
        let tree = model.tree().expect("a tree");
        let predictions = predict(&table, tree).expect("predictions");
        let label = |&node: &u32| {
            let label = predictions.outcomes[node as usize].label;
            tree.class().values[label as usize].as_str()
        };
        let labels: Vec<&str> = predictions.node_of_row.iter().map(label).collect();
        assert_eq!(labels, ["bad", "good", "good"]);
    }
}
