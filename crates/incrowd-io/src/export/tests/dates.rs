//! Dates in other languages.

use super::*;

fn dated() -> ModelRelease {
    let attribute = ModelAttribute { dates: true, ..ModelAttribute::numeric("day") };
    let test = Test {
        attribute: 0,
        split: Split::Thresholds(vec![19_478.0]),
        labels: vec!["<= 2023-05-01".to_owned(), "> 2023-05-01".to_owned()],
        children: vec![1, 2],
        otherwise: Some(0),
        missing: MissingRoute::Otherwise,
    };
    let leaf = |label| Node::Leaf(Leaf { label, told: None.into() });
    let class = Class { name: "class".to_owned(), values: vec!["no".to_owned(), "yes".to_owned()] };
    let tree = Tree::new(vec![attribute], class, vec![Node::Test(test), leaf(0), leaf(1)]).expect("a tree");
    ModelRelease { model: Model::Tree(tree), individuals: None, origin: crate::release::Origin::default() }
}

#[test]
fn dates_are_compared_by_the_calendar_or_refused() {
    let text = |target| String::from_utf8(export(&dated(), target).expect("exported")).expect("text");
    let sql = text(Target::Sql);
    assert!(sql.contains("CAST(\"day\" AS CHAR(10)) < '2023-05-02'"), "{sql}");
    assert!(sql.starts_with("/* dates must be of type DATE or text such as 2026-12-31 */\nCASE"), "{sql}");
    let pmml = text(Target::Pmml);
    assert!(pmml.contains("dataType=\"date\"") && pmml.contains("value=\"2023-05-01\""), "{pmml}");
    let python = text(Target::Python);
    assert!(python.contains("v0 = _days(row.get(\"day\"))"), "{python}");
    assert!(python.contains("raise ValueError(\"a date such as 2026-12-31 is expected\")"), "{python}");
    let json = text(Target::Json);
    assert!(json.contains("\"dates\": true") && json.contains("<= 2023-05-01"), "{json}");
    let error = export(&dated(), Target::Onnx).expect_err("no dates in ONNX");
    assert!(error.what.contains("cannot take dates"), "{error}");
}
