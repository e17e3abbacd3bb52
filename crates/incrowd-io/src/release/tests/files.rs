//! Whole files: the documentation's examples, the layout of written files, reading and writing on disk.

use super::{Release, TableRelease, examples, parse};
use crate::bounds::MAX_MODEL_BYTES;
use crate::release::*;
use incrowd_core::model::{
    Class, Domain, Leaf, LeafContents, MissingRoute, ModelAttribute, Node, Split, Test, Tree,
};

fn model(release: Release) -> Model {
    match release {
        Release::Model(release) => release.model,
        Release::Table(_) => panic!("a model was expected"),
    }
}

fn leaf(label: u32, counts: [u64; 2]) -> Node {
    Node::Leaf(Leaf { label, told: LeafContents::Counts(counts.to_vec()) })
}

#[test]
fn the_examples_are_of_all_families() {
    let releases: Vec<Release> = examples().iter().map(|text| parse(text).unwrap()).collect();
    let families: Vec<&str> = releases.iter().map(Release::family).collect();
    assert_eq!(families, ["tree", "clusters", "rules", "table", "ensemble"]);
    let individuals: Vec<Option<u64>> = releases.iter().map(Release::individuals).collect();
    assert_eq!(individuals, [Some(12), Some(6), Some(1000), Some(12), Some(12)]);
}

#[test]
fn the_tree_of_the_example_is_what_it_says() {
    let age = ModelAttribute {
        name: "age".to_owned(),
        domain: Domain::Numbers { low: 0.0, high: 120.0 },
        missing: true,
        dates: false,
    };
    let gender = Test {
        attribute: 0,
        split: Split::Values(vec![Some(1), Some(0)]),
        labels: vec!["is a man".to_owned(), "= Female".to_owned()],
        children: vec![1, 2],
        otherwise: None,
        missing: MissingRoute::Otherwise,
    };
    let by_age = Test {
        attribute: 1,
        split: Split::Thresholds(vec![30.5]),
        labels: vec!["<= 30.5".to_owned(), "> 30.5".to_owned()],
        children: vec![3, 4],
        otherwise: Some(1),
        missing: MissingRoute::Otherwise,
    };
    let nodes =
        vec![Node::Test(gender), Node::Test(by_age), leaf(0, [3, 2]), leaf(1, [0, 3]), leaf(0, [3, 1])];
    let class = Class { name: "Loan risk".to_owned(), values: vec!["good".to_owned(), "bad".to_owned()] };
    let attributes = vec![ModelAttribute::categorical("Gender", ["Female", "Male"]), age];
    let tree = Tree::new(attributes, class, nodes).unwrap();
    assert_eq!(model(parse(&examples()[0]).unwrap()), Model::Tree(tree));
}

#[test]
fn missing_values_may_have_a_route_of_their_own() {
    let example = examples()[0].clone();
    let routed = |with: &str| {
        let text = example.replace("\"otherwise\": 1", &format!("\"otherwise\": 1, \"missing\": {with}"));
        let Model::Tree(tree) = model(parse(&text)?) else { panic!() };
        let Node::Test(test) = &tree.nodes()[1] else { panic!() };
        Ok::<_, incrowd_core::Error>((test.missing, test.missing_branch(), test.otherwise))
    };
    assert_eq!(routed("0").unwrap(), (MissingRoute::Branch(0), Some(0), Some(1)));
    // The example declares that the age can be missing, so it needs a branch, and one that is there.
    assert!(routed("\"stop\"").unwrap_err().to_string().contains("missing values have no branch"));
    let error = routed("2").unwrap_err().to_string();
    assert!(error.contains("one branch more than thresholds"), "{error}");
    assert!(routed("\"away\"").is_err());
    let text = example.replace("\"otherwise\": 1", "\"otherwise\": 1, \"missing\": 0");
    assert!(parse(&text).unwrap().to_text().unwrap().contains("\"otherwise\": 1, \"missing\": 0"));
}

#[test]
fn examples_look_as_they_are_written() {
    for text in examples() {
        let written = parse(&text).unwrap().to_text().unwrap();
        // Written numbers of an f64 have a decimal point, a scale of 1 is left out.
        let usual = text
            .replace("\"low\": 0, \"high\": 120,", "\"low\": 0.0, \"high\": 120.0,")
            .replace("\"low\": 0, \"high\": 200000,", "\"low\": 0.0, \"high\": 200000.0,")
            .replace(", \"scale\": 1.0}", "}")
            .replace("[11001, 80000]", "[11001.0, 80000.0]")
            .replace("[14200, 60000]", "[14200.0, 60000.0]");
        assert_eq!(written, usual);
    }
}

#[test]
fn labels_have_defaults() {
    let head = r#"{"format":"incrowd-release","version":1,"family":"tree","class":{"name":"c","values":["x"]},
        "attributes":[{"name":"a","values":["p","q","r","s","t","u","v"]},{"name":"n","numeric":true}],"nodes":[
        {"test":{"attribute":"a","otherwise":2,"branches":[{"values":["q","p"],"to":1},{"values":["r","s","t","u"],"to":2},{"values":[],"to":3}]}},
        {"test":{"attribute":"n","thresholds":[-1e300,0.25,1234567.5],"to":[4,5,6,7]}},
        {"test":{"attribute":"n","thresholds":[],"to":[8]}}"#;
    let leaves = ",{\"leaf\":{\"label\":\"x\"}}".repeat(6);
    let Model::Tree(tree) = model(parse(&format!("{head}{leaves}]}}")).unwrap()) else { panic!() };
    let labels = |node: usize| match &tree.nodes()[node] {
        Node::Test(test) => test.labels.clone(),
        Node::Leaf(_) => Vec::new(),
    };
    assert_eq!(labels(0), ["in {q, p}", "in {r, s, t, …}", "otherwise"]);
    assert_eq!(labels(1), ["<= -1e300", "-1e300 < … <= 0.25", "0.25 < … <= 1234567.5", "> 1234567.5"]);
    assert_eq!(labels(2), ["any number"]);
}

#[test]
fn files_are_written_once_and_read_back() {
    let directory = std::env::temp_dir().join(format!("incrowd-release-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join("tree.json");
    let release = parse(&examples()[0]).unwrap();
    write_release(&path, &release, true).unwrap();
    assert_eq!(read_release(&path).unwrap(), release);
    let refused = write_release(&path, &release, false).unwrap_err();
    assert!(refused.to_string().contains("`force`"), "{refused}");
    std::fs::write(&path, b"{\"a\":\n \"\xff\"}").unwrap();
    let error = read_release(&path).unwrap_err();
    assert_eq!((error.place.line, error.place.column), (Some(2), Some(3)), "{error}");
    let error = read_release(&directory).unwrap_err();
    assert!(error.to_string().contains("folder"), "{error}");
    let error = read_release(&directory.join("none.json")).unwrap_err();
    assert!(error.to_string().contains("no such file"), "{error}");
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn a_file_that_is_too_large_is_refused_before_it_is_parsed() {
    let path = std::env::temp_dir().join(format!("incrowd-large-{}.json", std::process::id()));
    // A hole takes no space on the disk.
    std::fs::File::create(&path).unwrap().set_len(MAX_MODEL_BYTES + 1).unwrap();
    let error = read_release(&path).unwrap_err();
    std::fs::remove_file(&path).unwrap();
    assert!(error.to_string().contains("limit of 64 MiB"), "{error}");
}

#[test]
fn a_release_that_would_not_read_back_is_not_written() {
    let axis = incrowd_core::model::Axis::new("x", f64::INFINITY, f64::INFINITY);
    let centroid = incrowd_core::model::Centroid { center: vec![0.0], population: Some(7) };
    let clusters = incrowd_core::model::Clusters::new(vec![axis], vec![centroid]).unwrap();
    let mut release =
        ModelRelease { model: Model::Clusters(clusters), individuals: None, origin: Origin::default() };
    assert!(Release::Model(release.clone()).to_text().is_err());
    release.individuals = Some(6);
    assert!(Release::Model(release).to_text().is_err());
    let table = TableRelease { file: "../t.csv".to_owned(), rows: 1, ..TableRelease::default() };
    assert!(Release::Table(table).to_text().is_err());
}

#[test]
fn a_table_lies_beside_its_release() {
    let Release::Table(table) = parse(&examples()[3]).unwrap() else { panic!() };
    assert_eq!(table.table_path(Path::new("out/anon.json")), Path::new("out/anon.csv"));
    assert_eq!(table.table_path(Path::new("anon.json")), Path::new("anon.csv"));
}

/// A path of tests, each with a leaf on one side: as deep as a tree can be.
#[test]
fn four_hundred_thousand_nodes_in_a_chain() {
    let tests = 200_000_u32;
    let test = |i: u32| {
        Node::Test(Test {
            attribute: 0,
            split: Split::Values(vec![Some(0), Some(1)]),
            labels: vec!["= a".to_owned(), "= b".to_owned()],
            children: vec![2 * i + 1, 2 * i + 2],
            otherwise: None,
            missing: MissingRoute::Otherwise,
        })
    };
    let mut nodes: Vec<Node> = (0..tests).flat_map(|i| [test(i), leaf(0, [1, 0])]).collect();
    nodes.push(leaf(1, [0, 1]));
    let class = Class { name: "c".to_owned(), values: vec!["x".to_owned(), "y".to_owned()] };
    let tree = Tree::new(vec![ModelAttribute::categorical("a", ["a", "b"])], class, nodes).unwrap();
    let release = Release::of_model(Model::Tree(tree));
    // Writing reads back what it has written.
    assert_eq!(release.to_text().unwrap().matches("\n  {").count(), 400_002);
}

#[cfg(feature = "schema")]
#[test]
fn the_schema_in_the_documentation_is_up_to_date() {
    let text = format!("{:#}\n", crate::release::schema());
    assert!(
        super::document("release.schema.json") == text,
        "run `cargo xtask docs` and commit what it writes"
    );
}
