//! Releases and exports that earlier versions wrote still load and state the same. The files are as the first version
//! with each format wrote them: they must never be written anew.

use incrowd::model::Tree;
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
fn exports_load_as_the_tree_they_were_made_from() {
    let shape = |tree: &Tree| (tree.class().clone(), tree.nodes().len(), tree.attributes().len());
    let release = loaded(include_bytes!("../earlier/tree.json"));
    for export in [&include_bytes!("../earlier/tree.pmml")[..], include_bytes!("../earlier/tree.onnx")] {
        let export = loaded(export);
        assert_eq!(shape(export.tree().expect("a tree")), shape(release.tree().expect("a tree")));
    }
}
