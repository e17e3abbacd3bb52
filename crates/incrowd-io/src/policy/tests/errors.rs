use super::*;
use proptest::prelude::*;

/// Parses and formats the error as `line:column what (help)`.
fn told(text: &str) -> String {
    let error = parse(text).expect_err(text);
    assert_eq!(error.place.file.as_deref(), Some(Path::new("policy.toml")), "{error}");
    let help = error.help.map(|help| format!(" ({help})")).unwrap_or_default();
    let (line, column) = (error.place.line.unwrap_or(0), error.place.column.unwrap_or(0));
    format!("{line}:{column} {}{help}", error.what)
}

fn check(text: &str, expected: &str) {
    let told = told(text);
    assert!(told.starts_with(expected), "{text}\n told: {told}\n expected: {expected}");
}

const ONE: &str = "[attributes.a]\nrole = \"private\"\n";

/// Checks an attribute's keys, which begin in line 3.
fn check_attribute(keys: &str, expected: &str) {
    check(&format!("{ONE}{keys}"), expected);
}

fn check_file(keys: &str, expected: &str) {
    check(&format!("{ONE}[file]\n{keys}"), expected);
}

fn check_guarantee(keys: &str, expected: &str) {
    check(&format!("{ONE}[guarantee]\n{keys}"), expected);
}

#[test]
fn numbers_in_words_are_called_so() {
    check_guarantee("k = ten", "4:5 `k` must be a number (write it in digits");
    check_guarantee("confidence = half", "4:14 `confidence` must be a number");
    check_guarantee("of = all", "4:6 invalid TOML");
}

#[test]
fn toml_errors_have_a_place() {
    check("a = ", "1:");
    check("[attributes.a]\nrole = \"public\"\n[attributes.a]\nrole = \"private\"", "3:");
    check(&format!("{ONE}role = \"public\""), "3:1 invalid TOML: duplicate key");
}

#[test]
fn unknown_keys_are_told_with_the_nearest() {
    check(&format!("clas = \"a\"\n{ONE}"), "1:1 unknown key `clas` (did you mean `class`?)");
    check_attribute("kinds = 1", "3:1 unknown key `kinds` (did you mean `kind`?)");
    check_file("delimeter = \",\"", "4:1 unknown key `delimeter` (did you mean `delimiter`?)");
    check_guarantee("  foo = 1", "4:3 unknown key `foo` (expected one of: k, single-bin");
    check_guarantee("kk = 5", "4:1 unknown key `kk` (did you mean `k`?)");
    check_guarantee("recursive = { c = 1.0, m = 2 }", "4:24 unknown key `m`");
    check_attribute(
        "taxonomy = { interval = {} }",
        "3:14 unknown key `interval` (did you mean `intervals`?)",
    );
    check_attribute("taxonomy = { round = { width = 1 } }", "3:24 unknown key `width`");
    check(&format!("{ONE}[[dependencies]]\nfrom = [\"a\"]\non = \"a\""), "5:1 unknown key `on`");
}

#[test]
fn wrong_types_are_told() {
    check(&format!("version = \"1\"\n{ONE}"), "1:11 `version` must be a whole number, not a string");
    check(&format!("class = 1\n{ONE}"), "1:9 `class` must be a string, not an integer");
    check("attributes = 1", "1:14 `attributes` must be a table");
    check("[attributes]\na = \"public\"", "2:5 `a` must be a table");
    check_attribute("range = 3", "3:9 `range` must be a list");
    check_attribute("range = [1, \"2\"]", "3:13 `range` must be a number");
    check_attribute("order = [1]", "3:10 `order` must be a string");
    check_attribute("taxonomy = 5", "3:12 `taxonomy` must be a table");
    check_file("header = \"yes\"", "4:10 `header` must be true or false");
    check_guarantee("k = 2.5", "4:5 `k` must be a whole number, not a float");
    check_guarantee("k = -1", "4:5 `k` must be a whole number of at least 1");
    check_guarantee("k = 99999999999999999999", "4:5 `k` must be a whole number below 2^64");
    check_file("skip-lines = -1", "4:14 `skip-lines` must be a whole number of at least 0");
    check_guarantee("entropy-l = inf", "4:13 `entropy-l` must be a finite number");
    check(&format!("{ONE}[dependencies]\nfrom = [\"a\"]"), "3:1 `dependencies` must be a list");
}

#[test]
fn unknown_words_are_told() {
    check("[attributes.a]\nrole = \"pubic\"", "2:8 unknown value of `role` (did you mean `public`?)");
    check_attribute("kind = \"number\"", "3:8 unknown value of `kind` (did you mean `numeric`?)");
    check_file("format = \"xls\"", "4:10 unknown value of `format` (");
    check(
        &format!("unlisted = \"keep\"\n{ONE}"),
        "1:12 unknown value of `unlisted` (expected one of: refuse, ignored)",
    );
    check_guarantee(
        "k = 5\nof = \"everything\"",
        "5:6 unknown value of `of` (expected one of: class, tested, all, or a list of private attributes)",
    );
    check(&format!("version = 2\n{ONE}"), "1:11 unknown version of the policy format");
}

#[test]
fn roles_must_be_there() {
    check("", "1:1 the policy states no roles");
    check("[attributes]", "1:2 the policy states no roles");
    check("\n[attributes.a]\nkind = \"numeric\"", "2:13 `a` lacks the key `role`");
}

#[test]
fn classes_and_subjects_must_fit() {
    check(
        &format!("class = \"b\"\n{ONE}"),
        "1:9 `class` names an attribute that is not listed under `attributes`",
    );
    check("class = \"a\"\n[attributes.a]\nrole = \"ignored\"", "1:9 the class must be a public or private");
    let error = parse("class = \"a\"\n[attributes.a]\nrole = \"ignored\"").unwrap_err();
    assert_eq!(error.help.as_deref(), Some("name another class, or give `a` the role public or private"));
    check(&format!("subject = \"a\"\n{ONE}"), "1:11 the subject column identifies individuals");
    let fine = "subject = \"a\"\n[attributes.a]\nrole = \"identifier\"";
    assert_eq!(parse(fine).unwrap().read_plan(Purpose::Source).columns["a"].reading, Reading::Subject);
}

#[test]
fn kinds_must_fit() {
    check_attribute(
        "kind = \"categorical\"\nrange = [0, 1]",
        "4:1 `range` is for numeric attributes; this one is categorical",
    );
    check_attribute(
        "kind = \"numeric\"\norder = [\"a\"]",
        "4:1 `order` is for ordered attributes; this one is numeric",
    );
    check_attribute(
        "order = [\"a\"]\nvalues = [\"a\"]",
        "4:1 `values` is for categorical attributes; this one is ordered",
    );
    check_attribute("kind = \"ordered\"", "3:8 an ordered attribute needs `order`");
    check_attribute("range = [2, 1]", "3:9 the range ends before it begins");
    check_attribute(
        "kind = \"categorical\"\nwhole = true",
        "4:1 `whole` is for numeric attributes; this one is categorical",
    );
    check_attribute("range = [0.25, 0.5]\nwhole = true", "4:9 the range contains no whole number");
    check_attribute("whole = 1", "3:9 `whole` must be true or false");
    check_attribute("range = [1]", "3:9 a range is two numbers");
    check_attribute("order = [\"a\", \"b\", \"a\"]", "3:20 `order` lists this twice");
    check_attribute("order = []", "3:9 `order` must not be empty");
    check_attribute("values = [\"?\"]\nmissing = [\"?\"]", "1:13 a declared value is also a missing marker");
}

#[test]
fn taxonomies_must_fit() {
    check_attribute(
        "kind = \"categorical\"\ntaxonomy = { intervals = { width = 1 } }",
        "4:1 `taxonomy` is for numeric attributes; this one is categorical",
    );
    check_attribute("taxonomy = { intervals = {} }", "3:14 `intervals` lacks the key `width`");
    check_attribute("taxonomy = { intervals = { width = 0 } }", "3:26 the width of intervals must be");
    check_attribute("taxonomy = { quantiles = { count = 1 } }", "3:26 the number of quantiles must be");
    check_attribute("taxonomy = { prefix = { mask = \"ab\" } }", "3:32 `mask` must be one character");
    check_attribute("taxonomy = { prefix = { step = 0 } }", "3:23 the step of a prefix taxonomy");
    check_attribute("taxonomy = {}", "3:1 `taxonomy` must be exactly one of");
    check_attribute("taxonomy = { round = {}, flat = {} }", "3:1 `taxonomy` must be exactly one of");
    check_attribute("taxonomy = \"round\"", "3:12 a string is taken as the path of a taxonomy file");
    let error = parse(&format!("{ONE}taxonomy = \"no-such-file.csv\"")).unwrap_err();
    assert_eq!(error.place.file.as_deref(), Some(Path::new("no-such-file.csv")));
    let help = error.help.as_deref();
    let fix = "check the path; in a policy it is relative to the folder of the policy";
    assert_eq!(help, Some(&*format!("{fix}; the taxonomy is named in policy.toml, line 3, column 12")));
}

#[test]
fn file_options_must_fit() {
    check_file("missing-rows = \"drop\"", "4:1 `missing-rows` is given, but nothing marks");
    // Nulls of a frame, and empty cells of numbers, are missing without a mark.
    assert!(parse(&format!("{ONE}[file]\nmissing-rows = \"drop\"\nmissing = []")).is_ok());
    assert!(parse(&format!("{ONE}missing-rows = \"drop\"\nmissing = [\"?\"]")).is_ok());
    assert!(told(&format!("{ONE}missing-rows = \"drop\"")).contains("nothing marks"));
    assert!(parse(&format!("{ONE}[file]\nmissing-rows = \"drop\"\nformat = \"parquet\"")).is_ok());
    assert!(parse(&format!("{ONE}missing = [\"?\"]\n[file]\nmissing-rows = \"drop\"")).is_ok());
    check_file("header = false", "4:10 a table without a header needs the names");
    check_file("format = \"uci\"", "4:10 a table without a header needs the names");
    check_file("format = \"uci\"\nnames = [\"a\"]\nheader = true", "6:10 UCI files have no header");
    check_file("format = \"arff\"\ndelimiter = \",\"", "5:1 `delimiter` is for delimited text");
    check_file("format = \"parquet\"\nnames = [\"a\"]", "5:1 `names` is for delimited text");
    check_file("names = [\"a\", \"a\"]", "4:15 `names` lists this twice");
    check_file("names = [\"a\", \"b\"]", "4:9 the policy states no role for this column (add it");
    check_file("names = [\"aa\"]", "1:13 `names` in [file] has no column of this name (did you mean `aa`?)");
    check(&format!("subject = \"s\"\n{ONE}[file]\nnames = [\"a\"]"), "1:11 `names` in [file] has no column");
    check_file("delimiter = \"ab\"", "4:13 `delimiter` must be one character");
    check_file("delimiter = \"x\"", "4:13 `delimiter` must be a punctuation mark");
    check_file("delimiter = \"\\n\"", "4:13 `delimiter` must be a punctuation mark");
    check_file("delimiter = \"é\"", "4:13 `delimiter` must be a punctuation mark");
    check_file("delimiter = '\"'", "4:13 the delimiter is also the quote");
    check_file("comment = \"\"", "4:11 `comment` must be the characters that begin a comment line");
}

#[test]
fn dependencies_must_fit() {
    let with = |dependency: &str| {
        format!("{ONE}[attributes.i]\nrole = \"identifier\"\n[[dependencies]]\n{dependency}")
    };
    check(
        &with("from = [\"a\"]\nto = \"b\""),
        "7:6 `to` names an attribute that is not listed under `attributes`",
    );
    check(
        &with("from = [\"b\"]\nto = \"a\""),
        "6:9 `from` names an attribute that is not listed under `attributes`",
    );
    check(&with("from = [\"a\"]\nto = \"a\""), "7:6 an attribute cannot depend on itself");
    check(&with("from = []\nto = \"a\""), "6:8 `from` must not be empty");
    check(&with("from = [\"i\"]\nto = \"a\""), "6:9 a dependency may name only public and private");
    check(&with("to = \"a\""), "5:1 `dependencies` lacks the key `from`");
    check(&with("from = [\"i\"]\n[[dependencies]]\nto = \"a\""), "5:1 `dependencies` lacks the key `to`");
    check(&with("from = [\"a\"]\nto = \"x\"\n\n[[dependencies]]\nto = \"a\""), "7:6 `to` names");
    let two = "[attributes.b]\nrole = \"public\"\n[[dependencies]]\nfrom = [\"a\"]\nto = \"b\"\n[[dependencies]]\nto = \"b\"";
    check(&format!("{ONE}{two}"), "8:1 `dependencies` lacks the key `from`");
}

#[test]
fn guarantees_must_make_sense() {
    for bad in [
        "k = 0",
        "distinct-l = 0",
        "entropy-l = 0.9",
        "confidence = 0",
        "confidence = 1.1",
        "t-closeness = -0.1",
        "t-closeness = 1.5",
        "alpha = 0.0",
        "alpha = 2",
        "beta = 0",
        "smallest-bin = 0",
        "recursive = { c = 0, l = 2 }",
        "recursive = { c = 1, l = 0 }",
    ] {
        let value = bad.find('=').unwrap_or(0) + 3;
        check_guarantee(bad, &format!("4:{value} "));
    }
    check_guarantee("distinct-l = 5_000_000_000", "4:14 `distinct-l` is too large");
    check_guarantee("t-distance = \"equal\"", "4:1 `t-distance` modifies `t-closeness`");
    check_guarantee("single-bin = \"exempt\"", "4:1 `single-bin` modifies `k`");
    check_guarantee("several-rows = \"strict\"", "4:1 `several-rows` modifies `k`");
    check_guarantee("recursive = { c = 1 }", "4:1 `recursive` lacks the key `l`");
    check_guarantee("of = [\"b\"]", "4:7 `of` names an attribute that is not listed under `attributes`");
    let public = "class = \"a\"\n[attributes.a]\nrole = \"public\"\n[guarantee]\n";
    check(&format!("{public}distinct-l = 2"), "5:1 `distinct-l` applies to the class, which is public");
    check(&format!("{public}of = [\"a\"]"), "5:7 `of` may name only private attributes");
    let all = format!("{public}of = \"all\"\n");
    check(&format!("{all}except = [\"a\"]"), "6:11 `except` may name only private attributes");
    let private = "[attributes.a]\nrole = \"private\"\n[guarantee]\nof = \"all\"\n";
    check(&format!("{private}except = [\"a\"]"), "5:10 `except` names every private attribute");
    assert!(parse(&format!("{public}k = 2")).is_ok());
    // Without a class it means every private attribute.
    let no_class = parse("[attributes.a]\nrole = \"private\"\n[guarantee]\ndistinct-l = 2\nof = \"class\"");
    assert_eq!(*no_class.unwrap().policy.guarantee.scope(), incrowd_core::guarantee::Scope::Class);
}

#[test]
fn files_that_cannot_be_read_are_told() {
    let error = PolicyFile::read("no-such-policy.toml").unwrap_err();
    assert_eq!(error.what, "no such policy file");
    let error = PolicyFile::read(env!("CARGO_MANIFEST_DIR")).unwrap_err();
    assert_eq!(error.what, "this is a folder, not a policy file");
    let error = text::decode(b"a = 1\nb = \xff".to_vec()).unwrap_err();
    assert_eq!((error.place.line, error.place.column), (Some(2), Some(5)));
    assert_eq!(text::decode(b"\xef\xbb\xbfa".to_vec()).unwrap(), "a");
}

proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in "\\PC*") {
        let _ = parse(&text);
    }

    #[test]
    fn arbitrary_tokens_never_panic(
        tokens in prop::collection::vec(prop::sample::select(vec![
            "[", "]", "[[", "]]", "=", "\n", "\"", "a", "attributes", ".", "role", "\"public\"", "1", "-0.5", "{", "}",
            ",", "guarantee", "k", "file", "names", "taxonomy", "intervals", "width", "é", "'", "\"\"\"", "1e400", "0x",
        ]), 0..40)
    ) {
        let _ = parse(&tokens.concat());
    }

    /// A valid policy with a piece cut out, doubled or replaced.
    #[test]
    fn mutated_policies_never_panic(
        from in 0..WHOLE.len(), length in 0usize..60, insert in "[a-z0-9=\\[\\]{}\".,\n -]{0,6}", double in any::<bool>()
    ) {
        let to = (from + length).min(WHOLE.len());
        let kept = if double { &WHOLE[from..to] } else { "" };
        let text = format!("{}{kept}{insert}{kept}{}", &WHOLE[..from], &WHOLE[to..]);
        if let Err(error) = parse(&text) {
            prop_assert!(error.place.line.is_some() || error.place.file.as_deref() != Some(Path::new("policy.toml")));
        }
    }
}
