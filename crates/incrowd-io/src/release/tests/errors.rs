//! What is refused, with which message, and that no cell or value is quoted that must not be.

use super::{examples, parse};

/// A release of the documentation with one change, and the expected error.
fn refused(example: usize, from: &str, to: &str, says: &str) {
    let text = &examples()[example];
    assert!(text.contains(from), "the example has no {from}");
    let error = parse(&text.replacen(from, to, 1)).expect_err(says);
    assert!(error.to_string().contains(says), "`{error}` does not say `{says}`");
    assert!(error.help.is_some(), "no help: {error}");
    assert_eq!(error.place.file.as_deref(), Some(std::path::Path::new("release.json")));
}

#[test]
fn what_is_not_a_release() {
    for (text, says) in [
        ("", "the file is empty"),
        ("age,zip\n1,2\n", "invalid JSON"),
        ("[1, 2]", "not a release"),
        ("{}", "not a release"),
        ("{\"format\": \"geojson\"}", "not a release"),
        ("{\"format\": \"incrowd-release\"}", "this version of the release format is not supported"),
        (
            "{\"format\": \"incrowd-release\", \"version\": 7}",
            "version 7 of the release format is not supported (version 1 is",
        ),
        ("{\"format\": \"incrowd-release\", \"version\": 1}", "family"),
        (
            "{\"format\": \"incrowd-release\", \"version\": 1, \"family\": \"forest\"}",
            "\"tree\", \"ensemble\", \"clusters\", \"rules\"",
        ),
        ("[\"incrowd-release\", 1, \"table\", null, null, {}, [], {}, \"a\", 1]", "not a release"),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.to_string().contains(says), "`{error}` does not say `{says}`");
        assert!(error.help.is_some());
    }
}

#[test]
fn syntax_has_a_line_and_a_column() {
    let error = parse("{\n \"format\": \"incrowd-release\",\n \"version\": 1,,\n}").unwrap_err();
    assert_eq!((error.place.line, error.place.column), (Some(3), Some(15)), "{error}");
    let text = examples()[0].replacen("\"to\": 1", "\"to\": 1.5", 1);
    let error = parse(&text).unwrap_err();
    assert_eq!(error.place.line, Some(12), "{error}");
    assert!(
        error.to_string().contains("found a decimal number, expected a whole number of at least 0"),
        "{error}"
    );
    let error = parse(&examples()[0][..200]).unwrap_err();
    assert!(error.to_string().contains("truncated"), "{error}");
}

#[test]
fn leaves_tell_counts_or_rounded_shares() {
    let counts = "\"counts\": [3, 2]";
    refused(0, counts, "\"counts\": [3, 2], \"shares\": [0.6, 0.4]", "both counts and shares");
    refused(0, counts, "\"shares\": [0.6, 0.4]", "digits are not stated");
    let stated = |shares: &str, digits: u8, says: &str| {
        let text = examples()[0].replacen(counts, shares, 1);
        let text = text.replacen("\"nodes\"", &format!("\"digits\": {digits}, \"nodes\""), 1);
        match parse(&text) {
            Ok(_) => assert_eq!(says, "", "{shares} is read"),
            Err(error) => assert!(!says.is_empty() && error.to_string().contains(says), "{error}"),
        }
    };
    stated("\"shares\": [0.6, 0.4]", 1, "");
    stated("\"shares\": [1, 0]", 2, "");
    stated("\"shares\": [0.66, 0.34]", 1, "with 1 decimal digit");
    stated("\"shares\": [1.1, 0]", 1, "from 0 to 1");
    stated("\"shares\": [-0.1, 0]", 1, "from 0 to 1");
    stated("\"shares\": [0.6]", 1, "does not match the class");
    stated("\"shares\": [0.6, 0.4]", 0, "number of digits");
    stated("\"shares\": [0.6, 0.4]", 10, "number of digits");
}

#[test]
fn keys_are_exact() {
    refused(0, "\"counts\"", "\"count\"", "unknown key `count`");
    refused(0, "\"individuals\"", "\"people\"", "unknown key `people`");
    refused(
        0,
        "\"version\": 1,",
        "\"version\": 1, \"class\": {\"name\": \"c\", \"values\": [\"x\"]},",
        "duplicate key `class`",
    );
    refused(1, "\"center\": [11001, 80000], ", "", "missing key `center`");
}

#[test]
fn objects_are_not_arrays() {
    refused(0, "{\"label\": \"good\", \"counts\": [3, 2]}", "[\"good\", [3, 2]]", "expected an object");
    refused(
        0,
        "{\"name\": \"Loan risk\", \"values\": [\"good\", \"bad\"]}",
        "[\"Loan risk\", [\"good\", \"bad\"]]",
        "an object",
    );
    refused(
        1,
        "{\"center\": [11001, 80000], \"population\": 2}",
        "[[11001, 80000], 2]",
        "expected an object",
    );
    refused(2, "{\"cherries\": \"yes\"}", "[\"cherries\", \"yes\"]", "an item, an object");
}

#[test]
fn values_are_not_quoted() {
    let text = examples()[0].replacen("\"counts\": [3, 2]", "\"counts\": \"secret, expected\"", 1);
    let error = parse(&text).unwrap_err().to_string();
    assert!(error.contains("found a string, expected a list") && !error.contains("secret"), "{error}");
    let text = examples()[0].replacen("[\"Male\"]", "[\"secret\"]", 1);
    let error = parse(&text).unwrap_err().to_string();
    assert!(
        error.contains("node 0: branch 0, value 1: it is not a value") && !error.contains("secret"),
        "{error}"
    );
    let text = examples()[0].replacen("\"counts\"", &format!("\"\\u001b[2J{}\"", "x".repeat(5000)), 1);
    let error = parse(&text).unwrap_err().to_string();
    assert!(error.len() < 400 && !error.contains('\u{1b}'), "{error}");
}

#[test]
fn unsound_trees() {
    refused(0, "\"to\": [3, 4]", "\"to\": [3, 3]", "node 1 refers to node 3, which has a parent already");
    refused(0, "\"to\": [3, 4]", "\"to\": [3, 9]", "node 1 refers to node 9, which does not exist");
    refused(0, "\"to\": [3, 4]", "\"to\": [0, 4]", "node 1 refers to node 0, which comes before it");
    refused(0, "\"to\": [3, 4]", "\"to\": [3]", "node 1: a test needs one branch more");
    refused(0, "[3, 1]}}", "[3, 1]}}, {\"leaf\": {\"label\": \"bad\"}}", "node 5 is unreachable");
    refused(0, "[30.5]", "[30.5, 31]", "node 1: a test needs one branch more than thresholds");
    refused(0, "[30.5]", "[1e999]", "number out of range");
    refused(0, ", \"otherwise\": 1", "", "node 1: missing values have no branch");
    refused(0, "\"otherwise\": 1", "\"otherwise\": 2", "node 1: no such branch");
    refused(0, "[\"Male\"]", "[]", "node 0: a value of the attribute has no branch");
    refused(0, "[\"Male\"]", "[\"Male\", \"Male\"]", "node 0: branch 0, value 2: it has a branch already");
    refused(0, "{\"attribute\": \"age\"", "{\"attribute\": \"agee\"", "node 1: the attribute is not listed");
    refused(0, "\"thresholds\": [30.5], ", "", "node 1: the test is ambiguous");
    refused(
        0,
        "{\"label\": \"good\", \"counts\": [3, 2]}",
        "{\"label\": \"so-so\"}",
        "node 2: the leaf's label",
    );
    refused(0, "[3, 2]", "[3, 2, 1]", "node 2: the leaf does not match");
    refused(0, "[3, 2]", "[3, 13]", "node 2: it contains more individuals than the release");
    refused(0, "\"numeric\": true, ", "", "attribute 2: its values are not given");
    refused(
        0,
        "\"values\": [\"Female\", \"Male\"]",
        "\"values\": [\"Female\", \"Male\"], \"numeric\": true",
        "attribute 1",
    );
    refused(
        0,
        "\"values\": [\"Female\", \"Male\"]",
        "\"values\": [\"Female\", \"Male\", \"Male\"]",
        "listed twice",
    );
    refused(0, "\"name\": \"age\"", "\"name\": \"Gender\"", "node 0");
    refused(0, "\"name\": \"Loan risk\"", "\"name\": \"age\"", "names an attribute twice");
    refused(0, "\"high\": 120", "\"high\": -1", "range is empty");
}

#[test]
fn thresholds_ascend() {
    let text = examples()[0]
        .replacen("[30.5], \"to\": [3, 4]", "[30.5, 30.5], \"to\": [3, 4, 5]", 1)
        .replacen("[3, 1]}}", "[3, 0]}}, {\"leaf\": {\"label\": \"bad\", \"counts\": [0, 1]}}", 1);
    let error = parse(&text).unwrap_err();
    assert!(error.to_string().contains("node 1: thresholds must be finite and ascending"), "{error}");
}

#[test]
fn populations_that_cannot_be_added_up() {
    let huge = u64::MAX.to_string();
    let text =
        examples()[0].replacen("\"individuals\": 12,", "", 1).replacen("[3, 2]", &format!("[{huge}, 2]"), 1);
    let error = parse(&text).unwrap_err();
    assert!(error.to_string().contains("node 2: the populations are too large"), "{error}");
}

#[test]
fn unsound_clusters() {
    refused(1, "[14200, 60000]", "[14200]", "centroid 1: it needs one finite number");
    refused(1, "\"scale\": 1.0", "\"scale\": 0", "the scale must be above 0");
    refused(1, "\"high\": 200000", "\"high\": -200000", "the attribute's range is empty");
    refused(1, "\"low\": 0", "\"values\": [\"a\"]", "cannot have a lowest or highest number");
    refused(1, "[14200, 60000]", "[14200, [60000]]", "centroid 1: it needs one finite number");
    refused(1, "[14200, 60000]", "[14200, \"x\"]", "a list of numbers for an axis with values");
    refused(1, "\"population\": 4", "\"population\": 7", "centroid 1: it contains more individuals");
    refused(1, "\"name\": \"income\"", "\"name\": \"zip\"", "names an attribute twice");
}

#[test]
fn unsound_rules() {
    refused(
        2,
        "{\"cherries\": \"yes\"}",
        "{\"candles\": \"yes\"}",
        "rule 1: item 1 of \"if\": the attribute is not listed",
    );
    refused(
        2,
        "{\"viagra\": \"yes\"}",
        "{\"viagra\": \"maybe\"}",
        "rule 1: item 1 of \"then\": it is not a value",
    );
    refused(2, "{\"viagra\": \"yes\"}", "{\"cherries\": \"no\"}", "rule 1: it contains an attribute twice");
    refused(2, "{\"viagra\": \"yes\"}", "", "rule 1: it has no consequent");
    refused(2, "{\"viagra\": \"yes\"}", "{}", "an item needs an attribute");
    refused(
        2,
        "{\"viagra\": \"yes\"}",
        "{\"viagra\": \"yes\", \"viagra\": \"no\"}",
        "an item has one attribute",
    );
    refused(2, "\"both\": 84", "\"both\": 113", "rule 1: the support of both sides is larger");
    refused(2, "\"antecedent\": 112", "\"antecedent\": 1001", "rule 1: it contains more individuals");
    refused(
        2,
        "{\"name\": \"viagra\", \"values\": [\"no\", \"yes\"]}",
        "{\"name\": \"viagra\", \"numeric\": true}",
        "rule 1",
    );
}

#[test]
fn tables_lie_beside_their_release() {
    for path in ["", ".", "..", "/etc/passwd", "../x.csv", "a\\\\b.csv", "c:x", "a\\u0000b"] {
        refused(
            3,
            "\"file\": \"anon.csv\"",
            &format!("\"file\": \"{path}\""),
            "not the plain name of a file",
        );
    }
}

/// A short file that would require the memory of a long one.
#[test]
fn tests_that_stand_for_too_many_values() {
    let values: Vec<String> = (0..60_000).map(|i| format!("\"{i}\"")).collect();
    let tests: Vec<String> = (0..2500)
        .map(|i| format!("{{\"test\":{{\"attribute\":\"a\",\"branches\":[{{\"values\":[],\"to\":{}}}],\"otherwise\":0}}}}", i + 1))
        .collect();
    let text = format!(
        "{{\"format\":\"incrowd-release\",\"version\":1,\"family\":\"tree\",\"class\":{{\"name\":\"c\",\"values\":[\"x\"]}},\
         \"attributes\":[{{\"name\":\"a\",\"values\":[{}]}}],\"nodes\":[{},{{\"leaf\":{{\"label\":\"x\"}}}}]}}",
        values.join(","),
        tests.join(",")
    );
    let error = parse(&text).unwrap_err();
    assert!(error.to_string().contains("cover more than"), "{error}");
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = "[".repeat(100_000);
    let text = examples()[3].replacen("{\"k\": 3}", &deep, 1);
    assert!(parse(&text).is_err());
    assert!(parse(&deep).is_err());
}
