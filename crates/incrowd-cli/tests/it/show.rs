//! `incrowd show` end to end.

use crate::{Folder, incrowd};

const TREE: &str = r#"{"format":"incrowd-release","version":1,"family":"tree","individuals":12,
  "class":{"name":"risk","values":["good","bad"]},
  "attributes":[{"name":"sex","values":["f","m"]},{"name":"age","numeric":true,"missing":true}],
  "nodes":[
    {"test":{"attribute":"sex","branches":[{"values":["m"],"to":1},{"values":["f"],"to":2}]}},
    {"test":{"attribute":"age","thresholds":[30.5],"to":[3,4],"otherwise":1}},
    {"leaf":{"label":"good","counts":[3,1]}},
    {"leaf":{"label":"bad","counts":[0,4]}},
    {"leaf":{"label":"good","counts":[3,1]}}]}"#;

#[test]
fn a_tree_in_the_terminal() {
    let folder = Folder::new();
    let tree = folder.file("tree.json", TREE);
    let ran = incrowd(&["show", &tree]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let expected = "\
tree: 3 leaves, depth 2, 12 individuals; class risk: ■ good  ■ bad
sex?                                     12          ██████████████████████████████
├─ = m  age?                              8          ████████████████████
│  ├─ <= 30.5  → bad                      4  100.0 % ██████████
│  └─ > 30.5 or missing  → good           4   75.0 % ██████████
└─ = f  → good                            4   75.0 % ██████████
";
    assert_eq!(ran.out, expected);
    let folded = incrowd(&["show", &tree, "--depth", "1"]).out;
    assert!(
        folded.contains("├─ = m  → bad (2 leaves folded)") && folded.contains("3 leaves, depth 2"),
        "{folded}"
    );
}

#[test]
fn without_populations_there_are_no_bars() {
    let folder = Folder::new();
    let bare = TREE.replace(",\"counts\":[3,1]", "").replace(",\"counts\":[0,4]", "");
    let tree = folder.file("tree.json", bare.replace("\"individuals\":12,", ""));
    let out = incrowd(&["show", &tree]).out;
    assert!(out.starts_with("tree: 3 leaves, depth 2; class risk") && !out.contains('█'), "{out}");
    for form in ["dot", "svg"] {
        assert_eq!(incrowd(&["show", &tree, "--as", form]).status, 0);
    }
}

#[test]
fn pictures_go_to_a_file_or_to_standard_output() {
    let folder = Folder::new();
    let tree = folder.file("tree.json", TREE);
    let (dot, svg) = (incrowd(&["show", &tree, "--as", "dot"]), incrowd(&["show", &tree, "--as", "svg"]));
    assert!(
        dot.out.starts_with("digraph tree {") && dot.out.contains("n0 -> n2 [label=\"= f\""),
        "{}",
        dot.out
    );
    assert!(svg.out.starts_with("<svg ") && svg.out.ends_with("</svg>\n"), "{}", svg.out);
    let out = folder.path("tree.svg");
    assert_eq!(incrowd(&["show", &tree, "--as", "svg", "--out", &out]).status, 0);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), svg.out);
    let again = incrowd(&["show", &tree, "--as", "svg", "--out", &out]);
    assert!(again.status == 2 && again.err.contains("--force"), "{}", again.err);
}

#[test]
fn the_document_lists_the_nodes() {
    let folder = Folder::new();
    let json = incrowd(&["show", &folder.file("tree.json", TREE), "--json"]).json();
    assert_eq!((&json["leaves"], &json["depth"], &json["individuals"]), (&3.into(), &2.into(), &12.into()));
    let first = serde_json::json!({"node": 0, "depth": 0, "branch": "", "attribute": "sex", "prediction": "good",
        "leaves": 3, "counts": [6, 6]});
    assert_eq!(json["nodes"][0], first);
}

/// A name cannot command the terminal it is shown in.
#[test]
fn names_stay_text() {
    let folder = Folder::new();
    let nasty = TREE.replace("\"risk\"", "\"ri\\u001b[2Jsk\"").replace("\"sex\"", "\"se\\nx\"");
    let out = incrowd(&["show", &folder.file("tree.json", nasty)]).out;
    assert!(!out.contains('\u{1b}') && out.contains("se\u{fffd}x?"), "{out:?}");
}
