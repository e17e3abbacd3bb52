//! Valid policies, invalid ones, and the places that their errors name.

mod drafts;
mod errors;
mod taxonomy_files;

use super::*;
use crate::plan::{Format, MissingRows, Quote, Reading};
use incrowd_core::guarantee::{Distance, Requirement, Scope, SeveralRows, SingleBin};
use incrowd_core::policy::Dependency;
use incrowd_core::table::Kind;
use incrowd_core::taxonomy::{Intervals, Prefix, Quantiles, TaxonomySpec};

/// All keys but those that need a taxonomy file.
const WHOLE: &str = r#"
version = 1
class = "income"
subject = "patient"
unlisted = "ignored"
undeclared-dependencies = "refuse"

[file]
format = "csv"
delimiter = "tab"
header = false
names = ["zip", "age", "education", "disease", "income", "patient", "name", "note", "extra"]
quote = "single"
comment = "|"
trailing-dot = true
skip-lines = 1
missing = ["?", ""]
missing-rows = "drop"
max-rows-left-out = 0.5

[attributes.zip]
role = "public"
kind = "categorical"
taxonomy = { prefix = { step = 2, mask = "+", pad = "0" } }

[attributes.age]
role = "public"
range = [0, 120.5]
whole = true
missing = ["-1"]
taxonomy = { intervals = { width = 5, origin = 1, factor = 3 } }

[attributes.education]
role = "public"
kind = "ordered"
order = ["low", "mid", "high"]
taxonomy = { flat = {} }

[attributes.disease]
role = "private"
values = ["flu", "cancer"]

[attributes.income]
role = "private"
taxonomy = { quantiles = { count = 8 } }

[attributes.name]
role = "identifier"

[attributes.note]
role = "ignored"
taxonomy = { round = {} }

[[dependencies]]
from = ["education", "age"]
to = "income"

[guarantee]
k = 10
single-bin = "exempt"
several-rows = "strict"
distinct-l = 2
entropy-l = 1.5
recursive = { c = 3.0, l = 2 }
confidence = 0.85
t-closeness = 0.2
t-distance = "ordered"
alpha = 0.5
beta = 1.0
smallest-bin = 11
of = ["disease", "income"]
"#;

fn parse(text: &str) -> Result<PolicyFile> {
    PolicyFile::parse(text, "policy.toml")
}

#[test]
fn every_key_arrives() {
    let policy = parse(WHOLE).unwrap().policy;
    assert_eq!((policy.class.as_deref(), policy.subject.as_deref()), (Some("income"), Some("patient")));
    assert_eq!(policy.undeclared, Undeclared::Refuse);
    let names: Vec<&str> = policy.attributes.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["zip", "age", "education", "disease", "income", "name", "note"]);
    let kinds: Vec<Option<Kind>> = policy.attributes.iter().map(|a| a.kind).collect();
    let (numeric, categorical) = (Some(Kind::Numeric), Some(Kind::Categorical));
    assert_eq!(
        kinds,
        [categorical, numeric, Some(Kind::Ordered), categorical, numeric, None, numeric],
        "a range, an order, values and intervals imply the kind"
    );
    assert_eq!(policy.attributes[1].range, Some((0.0, 120.5)));
    assert!(policy.is_whole("age") && !policy.is_whole("income"));
    assert_eq!(policy.attributes[2].values, ["low", "mid", "high"]);
    assert_eq!(policy.attributes[3].values, ["flu", "cancer"]);
    let from = vec!["education".to_owned(), "age".to_owned()];
    assert_eq!(policy.dependencies, [Dependency { from, to: "income".to_owned() }]);
}

#[test]
fn taxonomies_arrive() {
    let policy = parse(WHOLE).unwrap().policy;
    let specs: Vec<TaxonomySpec> = policy.attributes.into_iter().filter_map(|a| a.taxonomy).collect();
    let expected = [
        TaxonomySpec::Prefix(Prefix::new(2, '+', Some('0')).unwrap()),
        TaxonomySpec::Intervals(Intervals::new(5.0, 1.0, 3).unwrap()),
        TaxonomySpec::Flat,
        TaxonomySpec::Quantiles(Quantiles::new(8, 2).unwrap()),
        TaxonomySpec::Round,
    ];
    assert_eq!(specs, expected);
}

#[test]
fn the_guarantee_arrives() {
    let guarantee = parse(WHOLE).unwrap().policy.guarantee;
    let expected = [
        Requirement::k_over(10, SingleBin::Exempt, SeveralRows::Strict),
        Requirement::distinct_l(2),
        Requirement::entropy_l(1.5),
        Requirement::recursive_l(3.0, 2),
        Requirement::confidence(0.85),
        Requirement::t_closeness(0.2, Distance::Ordered),
        Requirement::alpha(0.5),
        Requirement::beta(1.0),
        Requirement::smallest_bin(11),
    ];
    assert_eq!(guarantee.requirements(), expected.map(Result::unwrap));
    assert_eq!(*guarantee.scope(), Scope::Named(vec!["disease".to_owned(), "income".to_owned()]));
}

#[test]
fn file_options_arrive() {
    let file = parse(WHOLE).unwrap().file;
    assert_eq!((file.format, file.delimiter, file.header), (Some(Format::Csv), Some(b'\t'), Some(false)));
    assert_eq!((file.quote, file.comment.as_deref()), (Quote::Single, Some("|")));
    assert_eq!((file.trailing_dot, file.skip_lines), (Some(true), 1));
    assert_eq!(file.max_rows_left_out, Some(0.5));
    assert_eq!(
        (file.missing.as_slice(), file.missing_rows),
        (&["?".into(), String::new()][..], MissingRows::Drop)
    );
    assert_eq!((file.names.map(|names| names.len()), file.unlisted), (Some(9), Unlisted::Skip));
}

#[test]
fn defaults_are_strict() {
    let file = parse("[attributes.a]\nrole = \"public\"").unwrap();
    assert_eq!(
        file.file,
        ReadPlan { unlisted: Unlisted::Refuse, max_rows_left_out: Some(0.2), ..ReadPlan::default() }
    );
    assert!(file.policy.guarantee.is_empty());
    assert_eq!(file.policy.undeclared, Undeclared::Warn);
}

#[test]
fn the_source_is_read_without_identifiers() {
    let plan = parse(WHOLE).unwrap().read_plan(Purpose::Source);
    let reading = |name: &str| plan.columns[name].reading;
    assert_eq!([reading("name"), reading("note")], [Reading::Skip; 2]);
    assert_eq!([reading("age"), reading("income")], [Reading::Keep; 2]);
    assert_eq!(reading("patient"), Reading::Subject);
    assert_eq!(plan.columns["age"].missing, Some(vec!["-1".to_owned()]));
    assert_eq!(plan.columns["education"].order, ["low", "mid", "high"]);
    assert!(plan.columns["disease"].order.is_empty());
    assert_eq!((plan.unlisted, plan.missing_rows), (Unlisted::Skip, MissingRows::Drop));
}

#[test]
fn columns_of_a_release_are_read_as_an_attacker_sees_them() {
    let plan = parse(WHOLE).unwrap().read_plan(Purpose::Release);
    for name in ["zip", "age", "education"] {
        let column = &plan.columns[name];
        assert_eq!((column.reading, column.kind, &column.missing), (Reading::Exact, None, &None));
    }
    assert_eq!(plan.columns["income"].reading, Reading::Exact);
    assert_eq!((plan.columns["disease"].reading, plan.columns["disease"].optional), (Reading::Keep, true));
    let reading = |name: &str| plan.columns[name].reading;
    assert_eq!([reading("name"), reading("note")], [Reading::Skip, Reading::Bystander]);
    assert_eq!((reading("patient"), plan.columns["patient"].optional), (Reading::Subject, true));
    assert_eq!(plan.unlisted, Unlisted::Bystander);
    assert_eq!(plan.missing_rows, MissingRows::Keep);
}

/// The words of the literature and of ARX mean the same roles; a near miss is answered with the roles themselves.
#[test]
fn other_words_for_roles() {
    let role = |word: &str| {
        let text = format!("[attributes.a]\nrole = \"{word}\"\n");
        PolicyFile::parse(&text, "policy.toml").map(|file| file.policy.attributes[0].role)
    };
    let same = [
        ("quasi-identifier", Role::Public),
        ("Quasi_Identifier", Role::Public),
        ("quasi-identifying", Role::Public),
        ("qi", Role::Public),
        ("sensitive", Role::Private),
        ("insensitive", Role::Ignored),
        ("direct-identifier", Role::Identifier),
        ("identifying", Role::Identifier),
    ];
    for (word, expected) in same {
        assert_eq!(role(word).unwrap(), expected, "{word}");
    }
    assert!(role("quasi-identifer").unwrap_err().to_string().contains("expected one of: public, private"));
}
