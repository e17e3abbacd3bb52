use super::*;
use proptest::prelude::*;

#[test]
fn a_draft_reads_like_a_policy() {
    let dependency = Dependency { from: vec!["education-num".into()], to: "education".into() };
    let draft = PolicyDraft {
        comment: "A first policy: look over every guess.\nSecond line.".into(),
        class: Some(("income".into(), "the last column, with two values".into())),
        file: ReadPlan {
            delimiter: Some(b'\t'),
            header: Some(true),
            missing: vec!["?".into()],
            missing_rows: MissingRows::Drop,
            ..ReadPlan::default()
        },
        attributes: vec![
            DraftAttribute::new("education-num", Role::Public, Some(Kind::Numeric), "16 values"),
            DraftAttribute::new("education", Role::Public, Some(Kind::Categorical), "16 values"),
            DraftAttribute::new("income", Role::Private, None, "the class"),
        ],
        dependencies: vec![DraftDependency { dependency, comment: "holds in every row".into() }],
        k: Some((10, "a common choice".into())),
        ..PolicyDraft::default()
    };
    let expected = r#"# A first policy: look over every guess.
# Second line.
version = 1
# the last column, with two values
class = "income"

# How to read the table.
[file]
delimiter = "tab"
header = true
missing = ["?"]
missing-rows = "drop"

# 16 values
[attributes.education-num]
role = "public"
kind = "numeric"

# 16 values
[attributes.education]
role = "public"
kind = "categorical"

# the class
[attributes.income]
role = "private"

# holds in every row
[[dependencies]]
from = ["education-num"]
to = "education"

# a common choice
[guarantee]
k = 10
"#;
    assert_eq!(draft.render(), expected);
    assert!(parse(expected).is_ok());
}

#[test]
fn marks_taxonomies_and_a_cap_read_back() {
    let mut zip = DraftAttribute::new("zip", Role::Public, Some(Kind::Categorical), "an area");
    zip.taxonomy = Some(TaxonomySpec::Prefix(Prefix::new(1, '*', Some('0')).unwrap()));
    let mut age = DraftAttribute::new("age", Role::Public, Some(Kind::Numeric), "years");
    (age.missing, age.taxonomy) = (vec!["?".to_owned(), String::new()], Some(TaxonomySpec::Round));
    let ill = DraftAttribute::new("ill", Role::Private, Some(Kind::Categorical), "the class");
    let draft = PolicyDraft {
        class: Some(("ill".into(), "the last column".into())),
        file: ReadPlan { missing_rows: MissingRows::Keep, ..ReadPlan::default() },
        attributes: vec![zip.clone(), age.clone(), ill],
        k: Some((10, "a start".into())),
        confidence: Some((0.91, "not k alone".into())),
        ..PolicyDraft::default()
    };
    let read = parse(&draft.render()).unwrap_or_else(|error| panic!("{error}\n{}", draft.render()));
    assert_eq!(read.policy.attributes[0].taxonomy, zip.taxonomy);
    assert_eq!((&read.policy.attributes[1].taxonomy, &read.missing["age"]), (&age.taxonomy, &age.missing));
    assert_eq!(read.file.missing_rows, MissingRows::Keep);
    assert!(draft.render().contains("# not k alone\nconfidence = 0.91\n"));
    let baskets =
        PolicyDraft { private_items: Some(vec!["a \"drug\"".into()]), k: draft.k, ..PolicyDraft::default() };
    assert!(parse(&baskets.render()).unwrap().items.is_some());
}

fn role() -> impl Strategy<Value = Role> {
    prop::sample::select(vec![Role::Public, Role::Private, Role::Identifier, Role::Ignored])
}

/// Any text, with the characters that are special to TOML more often.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-z\"\\\\'#\n\t\r\u{7f}\u{85}é.-]{0,8}"]
}

fn attributes() -> impl Strategy<Value = Vec<DraftAttribute>> {
    let values = prop::collection::btree_set(text(), 1..4);
    let one = (text(), role(), 0usize..4, values, text());
    prop::collection::vec(one, 1..8).prop_map(|list| {
        let mut attributes: Vec<DraftAttribute> = Vec::new();
        for (name, role, kind, values, comment) in list {
            let kind = [None, Some(Kind::Numeric), Some(Kind::Categorical), Some(Kind::Ordered)][kind];
            let order = if kind == Some(Kind::Ordered) { values.into_iter().collect() } else { Vec::new() };
            if attributes.iter().all(|other| other.name != name) {
                attributes.push(DraftAttribute { order, ..DraftAttribute::new(name, role, kind, comment) });
            }
        }
        attributes
    })
}

fn file() -> impl Strategy<Value = ReadPlan> {
    let delimiter = prop::option::of(prop::sample::select(b",;\t |:".to_vec()));
    let quote = prop::sample::select(vec![Quote::Double, Quote::Single, Quote::None]);
    let rows = prop::sample::select(vec![MissingRows::Refuse, MissingRows::Drop, MissingRows::Keep]);
    let comment = prop::option::of("[|#\"a]{1,3}");
    (delimiter, quote, rows, comment, any::<Option<bool>>(), 0u64..3).prop_map(
        |(delimiter, quote, missing_rows, comment, trailing_dot, skip_lines)| ReadPlan {
            delimiter,
            quote,
            comment,
            trailing_dot,
            skip_lines,
            missing: vec!["\u{1}a marker\"".into(), "another marker".into()],
            missing_rows,
            max_rows_left_out: Some(0.2),
            ..ReadPlan::default()
        },
    )
}

proptest! {
    #[test]
    fn drafts_read_back(attributes in attributes(), file in file(), named in any::<bool>(), k in 1u64.., note in text()) {
        let names: Vec<String> = attributes.iter().map(|a| a.name.clone()).collect();
        let usable: Vec<&DraftAttribute> =
            attributes.iter().filter(|a| matches!(a.role, Role::Public | Role::Private)).collect();
        let class = usable.last().map(|a| (a.name.clone(), note.clone()));
        let subject = attributes.iter().find(|a| a.role == Role::Identifier).map(|a| (a.name.clone(), note.clone()));
        let dependencies: Vec<DraftDependency> = usable
            .windows(2)
            .map(|pair| Dependency { from: vec![pair[0].name.clone()], to: pair[1].name.clone() })
            .map(|dependency| DraftDependency { dependency, comment: note.clone() })
            .collect();
        let file = ReadPlan {
            header: named.then_some(false), names: named.then_some(names), unlisted: Unlisted::Refuse, ..file
        };
        let draft = PolicyDraft {
            comment: note.clone(), class: class.clone(), subject: subject.clone(), file: file.clone(),
            attributes: attributes.clone(), dependencies: dependencies.clone(), k: Some((k % (1 << 62) + 1, note)), ..PolicyDraft::default()
        };
        let read = parse(&draft.render()).map_err(|error| TestCaseError::fail(format!("{error}\n{}", draft.render())))?;
        prop_assert_eq!(read.file, file);
        prop_assert_eq!(read.policy.class, class.map(|class| class.0));
        prop_assert_eq!(read.policy.subject, subject.map(|subject| subject.0));
        prop_assert_eq!(read.policy.attributes.len(), attributes.len());
        for (read, draft) in read.policy.attributes.iter().zip(&attributes) {
            prop_assert_eq!((&read.name, read.role, read.kind), (&draft.name, draft.role, draft.kind));
            prop_assert_eq!(&read.values, &draft.order);
        }
        let drafted: Vec<Dependency> = dependencies.into_iter().map(|d| d.dependency).collect();
        prop_assert_eq!(read.policy.dependencies, drafted);
        prop_assert_eq!(read.policy.guarantee.asked_k(), draft.k.map(|k| k.0));
    }
}
