//! Models made elsewhere compare values as their maker's program does: texts as texts, numbers as numbers, and what is
//! neither is refused.

use crate::{Folder, Ran, incrowd};

/// A tree that sends one text to `n` and all others to `p`, as the documented function writes it.
fn one_hot(value: &str, others: &[&str], unknown: &str) -> String {
    let columns: Vec<String> = std::iter::once(&value)
        .chain(others)
        .map(|value| format!("{{\"name\": \"c\", \"equals\": {value:?}{unknown}}}"))
        .collect();
    format!(
        "{{\"format\": \"scikit-learn-tree\", \"version\": 1, \"class\": {{\"name\": \"y\", \"values\": [\"n\", \"p\"]}}, \"columns\": [{}], \
         \"left\": [1, -1, -1], \"right\": [2, -1, -1], \"feature\": [0, -2, -2], \"threshold\": [0.5, -2.0, -2.0], \"label\": [1, 1, 0]}}",
        columns.join(", ")
    )
}

fn table(cells: &[(&str, usize)]) -> String {
    let rows = cells.iter().flat_map(|(cell, times)| std::iter::repeat_n(*cell, *times));
    let rows: String = rows.enumerate().map(|(i, cell)| format!("{cell},{}\n", ["n", "p"][i % 2])).collect();
    "c,y\n".to_owned() + &rows
}

fn policy(of_c: &str) -> String {
    format!("class = \"y\"\n[attributes.c]\nrole = \"public\"\n{of_c}\n[attributes.y]\nrole = \"private\"\n")
}

struct Case {
    folder: Folder,
    model: String,
    data: String,
}

impl Case {
    fn new(name: &str, model: &str, data: &str) -> Self {
        let folder = Folder::new();
        let (model, data) = (folder.file(name, model), folder.file("d.csv", data));
        Self { folder, model, data }
    }

    fn audit(&self, of_c: &str) -> Ran {
        let policy = self.folder.file("policy.toml", policy(of_c));
        incrowd(&["audit", &self.model, "--data", &self.data, "--policy", &policy, "--json"])
    }

    /// The audit's k.
    fn k(&self, of_c: &str) -> u64 {
        let ran = self.audit(of_c);
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.json()["k"].as_u64().unwrap()
    }

    fn is_refused(&self, of_c: &str, why: &str) {
        let ran = self.audit(of_c);
        assert!(ran.status == 2 && ran.err.contains(why), "{} {}", ran.status, ran.err);
    }

    fn predict(&self) -> Ran {
        incrowd(&["predict", &self.model, "--data", &self.data, "--json"])
    }
}

const NUMERIC: &str = "kind = \"numeric\"";

#[test]
fn texts_that_are_one_number_stay_apart() {
    for (one, other) in [("01", "1"), ("1.0", "1"), ("+1", "1"), ("9007199254740993", "9007199254740992")] {
        let case = Case::new(
            "m.json",
            &one_hot(one, &[other, "2"], ""),
            &table(&[(one, 1), (other, 20), ("2", 20)]),
        );
        assert_eq!(case.k(""), 1, "{one} {other}");
        assert_eq!(case.k("kind = \"categorical\""), 1);
        case.is_refused(NUMERIC, "spelled in two ways");
        // The table alone may spell a number in two ways.
        let case =
            Case::new("m.json", &one_hot(one, &["2"], ""), &table(&[(one, 1), (other, 20), ("2", 20)]));
        case.is_refused(NUMERIC, "spelled in two ways");
    }
    // Numbers that a data frame made of whole ones: by number if the policy says so, and otherwise not at all.
    let case = Case::new("m.json", &one_hot("1.0", &["2.0"], ""), &table(&[("1", 3), ("2", 5)]));
    assert_eq!(case.k(NUMERIC), 3);
    case.is_refused("", "set kind = \"numeric\"");
    assert_eq!(case.predict().status, 2);
}

#[test]
fn blanks_around_texts_are_kept_as_other_programs_keep_them() {
    let case =
        Case::new("m.json", &one_hot(" a", &["a", "b"], ""), &table(&[(" a", 1), ("a", 12), ("b", 12)]));
    assert_eq!(case.k(""), 1);
    assert_eq!(case.predict().json()["first"][0]["prediction"], "n");
    assert_eq!(case.k("values = [\" a\", \"a\", \"b\"]"), 1);
    // A model that knows no blanks is not that of such a table.
    let case = Case::new("m.json", &one_hot("a", &["b"], ""), &table(&[(" a", 4), ("b", 4)]));
    case.is_refused("", "does not occur in the table");
    let quoted = Case::new("m.json", &one_hot("a", &["b"], ""), &table(&[("\"a\"", 4), ("b", 4)]));
    assert_eq!(quoted.k(""), 4);
}

#[test]
fn an_encoder_takes_unknown_values_only_if_it_says_so() {
    let data = table(&[("a", 4), ("b", 4), ("zzz", 1)]);
    let strict = Case::new("m.json", &one_hot("a", &["b"], ""), &data);
    let ran = strict.predict();
    assert!(ran.status == 2 && ran.err.contains("predicts nothing"), "{}", ran.err);
    strict.is_refused("values = [\"a\", \"b\", \"zzz\"]", "not in the domain");
    let lenient = Case::new("m.json", &one_hot("a", &["b"], ", \"unknown\": 0"), &data);
    assert_eq!(lenient.predict().json()["rows"], 9);
    assert_eq!(lenient.k("values = [\"a\", \"b\", \"zzz\"]"), 4);
    let wrong = Case::new("m.json", &one_hot("a", &["b"], ", \"unknown\": 1"), &data);
    assert_eq!(wrong.predict().status, 2);
}

#[test]
fn numbers_that_scikit_learn_refuses_are_refused() {
    let model = one_hot("a", &[], "").replace(", \"equals\": \"a\"", "");
    let case = Case::new("m.json", &model, &table(&[("1", 4), ("1e39", 4)]));
    case.is_refused(NUMERIC, "too large");
    assert!(case.predict().err.contains("too large"));
}

fn pmml(field: &str, predicate: &str) -> String {
    format!(
        "<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\"><Header/><DataDictionary>{field}<DataField name=\"y\" optype=\"categorical\" \
         dataType=\"string\"><Value value=\"n\"/><Value value=\"p\"/></DataField></DataDictionary><TreeModel functionName=\"classification\" \
         noTrueChildStrategy=\"returnLastPrediction\"><MiningSchema><MiningField name=\"c\" invalidValueTreatment=\"asIs\"/><MiningField name=\"y\" \
         usageType=\"target\"/></MiningSchema><Node score=\"n\"><True/><Node score=\"p\">{predicate}</Node></Node></TreeModel></PMML>"
    )
}

#[test]
fn categorical_numbers_of_pmml_are_compared_by_number() {
    let field = "<DataField name=\"c\" optype=\"categorical\" dataType=\"double\"><Value value=\"5.0\"/><Value value=\"6.0\"/></DataField>";
    let model = pmml(field, "<SimplePredicate field=\"c\" operator=\"equal\" value=\"5.0\"/>");
    let case = Case::new("m.pmml", &model, &table(&[("5.0", 3), ("6.0", 17)]));
    assert_eq!((case.k(""), case.k(NUMERIC)), (3, 3));
    assert_eq!(case.predict().json()["first"][0]["prediction"], "p");
    case.is_refused("kind = \"categorical\"", "compares this column as a number");
}

#[test]
fn only_the_blanks_of_xml_divide_arrays_of_pmml() {
    let field = "<DataField name=\"c\" optype=\"categorical\" dataType=\"string\"/>";
    let predicate = |array: &str| {
        format!(
            "<SimpleSetPredicate field=\"c\" booleanOperator=\"isIn\"><Array type=\"string\">{array}</Array></SimpleSetPredicate>"
        )
    };
    let rows = table(&[("a", 10), ("b", 9), ("\"a\u{a0}b\"", 1), ("c", 20)]);
    let values = "values = [\"a\", \"b\", \"c\", \"a\u{a0}b\"]";
    Case::new("m.pmml", &pmml(field, &predicate("a\u{a0}b")), &rows)
        .is_refused(values, "unquoted white space");
    assert_eq!(Case::new("m.pmml", &pmml(field, &predicate("\"a\u{a0}b\"")), &rows).k(values), 1);
    assert_eq!(Case::new("m.pmml", &pmml(field, &predicate("a\n\tb")), &rows).k(values), 19);
}

#[test]
fn pmml_that_its_maker_would_refuse_is_refused() {
    let field = "<DataField name=\"c\" optype=\"continuous\" dataType=\"double\"/>";
    let sound = pmml(field, "<SimplePredicate field=\"c\" operator=\"lessThan\" value=\"5\"/>");
    let rows = table(&[("1", 4), ("9", 4)]);
    assert_eq!(Case::new("m.pmml", &sound, &rows).k(""), 4);
    for (from, to, why) in [
        ("PMML-4_4", "PMML-9_9", "version of PMML"),
        ("version=\"4.4\"", "version=\"9.9\"", "version of PMML"),
        ("<Node score=\"p\">", "<Node xmlns=\"http://x\" score=\"p\">", "another namespace"),
        ("<Node score=\"p\">", "<Node><ScoreDistribution value=\"p\" recordCount=\"4\"/>", "no score"),
        ("<MiningField name=\"c\"", "<MiningField name=\"c\"/><MiningField name=\"c\"", "listed twice"),
    ] {
        Case::new("m.pmml", &sound.replacen(from, to, 1), &rows).is_refused("", why);
    }
}

#[test]
fn a_class_with_other_values_is_explained() {
    let rows = "c,y\na,True\na,False\nb,True\nb,False\n";
    Case::new("m.json", &one_hot("a", &["b"], ""), rows).is_refused("", "the classes of the model are n, p");
}

/// A header that looks like a row is one if the model's columns are in it.
#[test]
fn a_header_of_numbers_is_known_by_its_names() {
    let model = one_hot("a", &[], "").replace(", \"equals\": \"a\"", "").replace("\"c\"", "\"1\"");
    let folder = Folder::new();
    let (model, data) = (folder.file("m.json", model), folder.file("d.csv", "1,y\n0,n\n3,p\n3,p\n"));
    let ran = incrowd(&["predict", &model, "--data", &data, "--json"]);
    assert_eq!(ran.json()["rows"], 3, "{}", ran.err);
}

fn rules_audit(rules: &str, data: &str, k: &str) -> Ran {
    let folder = Folder::new();
    let (rules, data) = (folder.file("rules.json", rules), folder.file("d.csv", data));
    let names = ["a", "a=b", "smoker"];
    let has = |name: &&str| {
        std::fs::read_to_string(&data).unwrap().lines().next().unwrap().split(',').any(|cell| cell == *name)
    };
    let public: String = names
        .iter()
        .filter(|name| has(name))
        .map(|name| format!("[attributes.{name:?}]\nrole = \"public\"\n"))
        .collect();
    let policy = folder.file("policy.toml", public + "[attributes.c]\nrole = \"private\"\n");
    incrowd(&["audit", &rules, "--data", &data, "--policy", &policy, "--k", k, "--json"])
}

fn rule(left: &str, right: &str) -> String {
    format!(
        "[{{\"antecedents\": [{left:?}], \"consequents\": [{right:?}], \"support\": 0.1, \"confidence\": 1.0}}]"
    )
}

#[test]
fn an_item_that_is_a_column_is_who_has_it() {
    for (yes, no) in [("True", "False"), ("1", "0"), ("yes", "no"), ("TRUE", "FALSE")] {
        let rows: String = (0..40)
            .map(|i| format!("{},{}\n", if i < 3 { yes } else { no }, if i < 3 { yes } else { no }))
            .collect();
        let ran = rules_audit(&rule("smoker", "c"), &format!("smoker,c\n{rows}"), "10");
        assert_eq!((ran.status, &ran.json()["k"]), (1, &3.into()), "{yes}: {}", ran.err);
    }
    let rows = "smoker,c\nheavy,yes\nlight,no\n";
    let ran = rules_audit(&rule("smoker", "c"), rows, "1");
    assert!(ran.status == 2 && ran.err.contains("do not show who has the item"), "{}", ran.err);
}

#[test]
fn an_item_that_may_be_two_is_refused() {
    let rows = |cell: &str, times: usize| format!("{cell}\n").repeat(times);
    let data = format!("a,a=b,c\n{}{}", rows("b=c,d,p", 20), rows("x,c,q", 1));
    let ran = rules_audit(&rule("a=b=c", "c=p"), &data, "1");
    assert!(ran.status == 2 && ran.err.contains("two columns"), "{}", ran.err);
    // Blanks belong to a value, and texts of one number are two values.
    for cell in [" x", "01"] {
        let other = cell.trim_start_matches([' ', '0']);
        let other = if other.is_empty() { "x" } else { other };
        let data = format!("a,c\n{}{}", rows(&format!("\"{cell}\",p"), 1), rows(&format!("{other},p"), 20));
        let ran = rules_audit(&rule(&format!("a={cell}"), "c=p"), &data, "1");
        assert_eq!(ran.json()["k"], 1, "{cell:?}: {}", ran.err);
    }
}

/// The sides of rules as `DATAFRAME(rules)` of arules has them.
#[test]
fn sides_of_arules_in_columns() {
    let folder = Folder::new();
    let rules =
        folder.file("rules.csv", "\"LHS\",\"RHS\",\"support\",\"count\"\n\"{a=x}\",\"{c=p}\",0.5,4\n");
    let data = folder.file("d.csv", "a,c\n".to_owned() + &"x,p\n".repeat(4) + &"y,q\n".repeat(4));
    let policy =
        folder.file("policy.toml", "[attributes.a]\nrole = \"public\"\n[attributes.c]\nrole = \"private\"\n");
    let ran = incrowd(&["audit", &rules, "--data", &data, "--policy", &policy, "--json"]);
    assert_eq!(ran.json()["k"], 4, "{}", ran.err);
}
