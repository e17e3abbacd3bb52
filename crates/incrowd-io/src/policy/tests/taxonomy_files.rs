use super::*;
use incrowd_core::table::Column;
use incrowd_core::taxonomy::{Taxonomy, TreeSpec};
use proptest::prelude::*;

fn tree(lines: &[&[&str]]) -> TaxonomySpec {
    let lines = (1..).zip(lines).map(|(number, cells)| (number, cells.to_vec()));
    TaxonomySpec::Tree(TreeSpec::from_lines(lines).unwrap())
}

#[test]
fn layouts_are_tolerated() {
    let expected = tree(&[&["a", "g; h", "*"], &["b\"", "g; h", "*"]]);
    for text in [
        "a;\"g; h\";*\n\"b\"\"\";\"g; h\";*\n",
        "\u{feff}a;\"g; h\";*\r\n\r\n\"b\"\"\";\"g; h\";*\r\n",
        "a,g; h,*\nb\",g; h,*".replace("g; h", "\"g; h\"").as_str(),
        " a ; \"g; h\" ; *\n\n  \n b\" ;\"g; h\"; * ",
    ] {
        assert_eq!(parse_taxonomy(text).unwrap(), expected, "{text:?}");
    }
    // A comma is part of the label where semicolons divide.
    assert_eq!(parse_taxonomy("25;[20, 30);*").unwrap(), tree(&[&["25", "[20, 30)", "*"]]));
}

#[test]
fn errors_name_line_and_cell() {
    for (text, what, line, column) in [
        ("", "empty", None, None),
        ("\n \n", "empty", None, None),
        ("a;*\n\nb;g;*", "3 cells where the first line has 2", Some(3), None),
        ("a;*\nb;+", "second root", Some(2), Some(2)),
        ("a;g;*\na;h;*", "different parent", Some(2), Some(2)),
        ("a;b;c;*\nd;c;b;*", "cycle", Some(2), Some(3)),
        ("a;\"g;*", "quote is not closed", Some(1), Some(2)),
        ("a;*\n\"b\"c;*", "follows the closing quote", Some(2), Some(1)),
        ("a;;*", "empty", Some(1), Some(2)),
    ] {
        let error = parse_taxonomy(text).expect_err(text);
        assert!(error.what.contains(what), "{text:?}: {error}");
        assert_eq!((error.place.line, error.place.column), (line, column), "{text:?}: {error}");
    }
    let error = read_taxonomy("no-such-taxonomy.csv").unwrap_err();
    assert_eq!(error.what, "no such taxonomy file");
    assert!(read_taxonomy(env!("CARGO_MANIFEST_DIR")).unwrap_err().what.contains("folder"));
}

proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in "[ab;,\"*\r\n\\PC]{0,40}") {
        let _ = parse_taxonomy(&text);
    }

    #[test]
    fn quoted_labels_read_back(labels in prop::collection::btree_set("[^\r\n\u{feff}]{1,8}", 3..8), delimiter in "[;,]") {
        let labels: Vec<String> = labels.into_iter().filter(|label| label != "*").collect();
        let line = |label: &String| format!("\"{}\"{delimiter}*", label.replace('"', "\"\""));
        let text = labels.iter().map(line).collect::<Vec<_>>().join("\n");
        let TaxonomySpec::Tree(tree) = parse_taxonomy(&text).unwrap() else { panic!("a tree") };
        prop_assert_eq!(tree.values().collect::<Vec<_>>(), labels.iter().map(String::as_str).collect::<Vec<_>>());
        let column = Column::from_texts("a", &labels.iter().map(|label| Some(label.as_str())).collect::<Vec<_>>());
        prop_assert!(Taxonomy::build(&TaxonomySpec::Tree(tree), &column).is_ok());
    }
}
