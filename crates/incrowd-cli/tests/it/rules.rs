//! `incrowd rules` end to end: mined, audited, written, shown; baskets, tables, and rules made elsewhere.

use crate::{Folder, Ran, data, incrowd};

/// 1,000 customers as in the paper: 112 bought cherries, 84 of them Viagra; 30 of the 112 candles too, 24 of these
/// Tylenol.
fn customers() -> String {
    let counts = [[18, 4, 6, 2], [20, 42, 8, 12], [2, 3, 15, 40], [10, 38, 160, 620]];
    let public = ["cherries, birthday candles", "cherries", "birthday candles", ""];
    let private = ["viagra,tylenol", "viagra", "tylenol", "newspaper"];
    let mut lines = String::new();
    for (seen, counts) in public.iter().zip(counts) {
        for (hidden, count) in private.iter().zip(counts) {
            let line = [*seen, *hidden]
                .iter()
                .filter(|side| !side.is_empty())
                .copied()
                .collect::<Vec<_>>()
                .join(" , ");
            (0..count).for_each(|_| lines += &format!("{line}\n"));
        }
    }
    lines
}

/// Text with every run of blanks as one.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const POLICY: &str = "[items]\nprivate = [\"viagra\", \"tyl*\"]\nignored = [\"newspaper\"]\n";

struct Shop {
    folder: Folder,
    data: String,
    policy: String,
}

impl Shop {
    fn new() -> Self {
        let folder = Folder::new();
        let (data, policy) = (folder.file("baskets.csv", customers()), folder.file("policy.toml", POLICY));
        Self { folder, data, policy }
    }

    fn mine(&self, flags: &[&str]) -> Ran {
        let out = self.folder.path("rules.json");
        let usual = ["rules", "--data", &self.data, "--policy", &self.policy, "--out", &out];
        let thresholds = ["--min-support", "0.024", "--min-confidence", "0.75"];
        incrowd(&[&usual[..], &thresholds, flags].concat())
    }

    fn audit(&self, release: &str, flags: &[&str]) -> Ran {
        incrowd(&[&["audit", release, "--data", &self.data, "--policy", &self.policy], flags].concat())
    }
}

#[test]
fn both_rules_of_the_paper_at_30_and_one_at_31() {
    let shop = Shop::new();
    let both = shop.mine(&["--k", "30"]);
    // 112 - 84 individuals have cherries and no viagra. The rule states this directly, and k = 30 allows it.
    assert!(!both.err.contains("warning"), "{}", both.err);
    assert_eq!(both.status, 0, "{}", both.err);
    assert!(both.out.starts_with("rules: k = 30 holds for all"), "{}", both.out);
    assert!(words(&both.out).contains("cherries => viagra 84 75.0 % 5.47"), "{}", both.out);
    let release = std::fs::read_to_string(shop.folder.path("rules.json")).unwrap();
    let candles = r#"{"if": [{"birthday candles": "yes"}, {"cherries": "yes"}], "then": [{"tylenol": "yes"}], "antecedent": 30, "both": 24}"#;
    assert!(release.contains(candles), "{release}");
    // The release contains nothing that only the owner may know.
    assert!(
        !release.contains("lift") && !release.contains("newspaper") && !release.contains("0.024"),
        "{release}"
    );
    let one = shop.mine(&["--k", "31", "--force", "--json"]);
    let document = one.json();
    assert_eq!((one.status, &document["k"]), (0, &serde_json::json!(112)));
    let names = |rules: &serde_json::Value| -> Vec<String> {
        let side = |side: &serde_json::Value| {
            side.as_array()
                .unwrap()
                .iter()
                .map(|item| item.as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
                .join("+")
        };
        let rules = rules.as_array().unwrap().iter();
        rules.map(|rule| format!("{}>{}", side(&rule["antecedent"]), side(&rule["consequent"]))).collect()
    };
    assert!(names(&document["released"]).contains(&"cherries>viagra".to_owned()), "{document:#}");
    assert!(
        names(&document["not_released"]).contains(&"birthday candles+cherries>tylenol".to_owned()),
        "{document:#}"
    );
    assert_eq!(
        document["not_released"][0]["why"],
        "it would distinguish a group of 30 individuals, which breaks k = 31"
    );
    let release = shop.folder.path("rules.json");
    assert_eq!(shop.audit(&release, &["--k", "112"]).status, 0);
    assert_eq!(shop.audit(&release, &["--k", "113"]).status, 1);
}

#[test]
fn rules_are_shown_with_what_their_release_tells() {
    let shop = Shop::new();
    assert_eq!(shop.mine(&["--k", "30"]).status, 0);
    let release = shop.folder.path("rules.json");
    let shown = incrowd(&["show", &release]);
    assert_eq!(shown.status, 0, "{}", shown.err);
    assert!(
        words(&shown.out).contains("birthday candles, cherries => tylenol 24 2.4 % 80.0 % -"),
        "{}",
        shown.out
    );
    let json = incrowd(&["show", &release, "--json"]).json();
    assert_eq!(
        (&json["individuals"], json["rules"][0]["confidence"].as_f64()),
        (&serde_json::json!(1000), Some(0.8))
    );
    let picture = incrowd(&["show", &release, "--as", "svg"]);
    assert!(
        picture.status == 2 && picture.err.contains("rules are displayed only as text"),
        "{}",
        picture.err
    );
    assert_eq!(incrowd(&["predict", &release, "--data", &shop.data]).status, 2);
}

#[test]
fn no_safe_rule_is_a_breach_and_writes_nothing() {
    let shop = Shop::new();
    let policy = shop.folder.file("strict.toml", format!("{POLICY}[guarantee]\nconfidence = 0.01\nk = 2\n"));
    let shop = Shop { policy, ..shop };
    let ran = shop.mine(&[]);
    assert_eq!(ran.status, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("no safe rule") && ran.out.contains("nothing is written"), "{}", ran.out);
    assert!(!shop.folder.names().contains(&"rules.json".to_owned()));
    let whole = shop.mine(&["--k", "1001"]);
    assert!(
        whole.status == 1 && whole.err.contains("the largest k possible for this table is "),
        "{}",
        whole.err
    );
}

#[test]
fn wrong_inputs_say_what_is_wrong_and_a_way_out() {
    let shop = Shop::new();
    let check = |flags: &[&str], expected: &str| {
        let ran = shop.mine(flags);
        assert!(
            ran.status == 2 && ran.err.contains(expected) && ran.err.contains("help:"),
            "{flags:?}: {}",
            ran.err
        );
    };
    check(&[], "no guarantee is given");
    let out = shop.folder.path("other.json");
    let run = |policy: &str, support: &str, confidence: &str, more: &[&str]| {
        let base = ["rules", "--data", &shop.data, "--policy", policy, "--out", &out, "--k", "5"];
        incrowd(&[&base[..], &["--min-support", support, "--min-confidence", confidence], more].concat())
    };
    for (support, confidence, expected) in [
        ("0", "0.5", "the minimum support must be above 0 and at most 1"),
        ("1.5", "0.5", "the minimum support must be"),
        ("0.1", "-1", "the minimum confidence must be"),
        ("0.1", "nan", "the minimum confidence must be"),
        ("0.99", "0.5", "no rule reaches the minimum support and confidence"),
    ] {
        let ran = run(&shop.policy, support, confidence, &[]);
        assert!(ran.status == 2 && ran.err.contains(expected), "{support} {confidence}: {}", ran.err);
    }
    let many = run(&shop.policy, "0.01", "0.1", &["--most", "2"]);
    assert!(
        many.err.contains("there are more than 2 sets of items") && many.err.contains("--most"),
        "{}",
        many.err
    );
    let missing = run(&shop.folder.path("none.toml"), "0.1", "0.5", &[]);
    assert!(missing.status == 2 && missing.err.contains("none.toml"), "{}", missing.err);
    let typo = shop.folder.file("typo.toml", "[items]\nprivat = [\"a\"]\n");
    assert!(run(&typo, "0.1", "0.5", &[]).err.contains("line 2, column 1: unknown key `privat`"));
    let unused = shop.folder.file("unused.toml", "[items]\nprivate = [\"viagra\", \"drug-*\"]\n");
    let ran = run(&unused, "0.02", "0.5", &[]);
    assert!(
        ran.status == 0 && ran.err.contains("warning: [items] names \"drug-*\", which matches no item"),
        "{}",
        ran.err
    );
    let again = run(&unused, "0.02", "0.5", &[]);
    assert!(again.status == 2 && again.err.contains("--force"), "{}", again.err);
    assert_eq!(run(&unused, "0.02", "0.5", &["--force"]).status, 0);
}

#[test]
fn bad_baskets_are_refused_with_their_line() {
    let shop = Shop::new();
    let check = |name: &str, content: &[u8], expected: &str| {
        let data = shop.folder.file(name, content);
        let ran = Shop { data, policy: shop.policy.clone(), folder: Folder::new() }.mine(&["--k", "1"]);
        assert!(ran.status == 2 && ran.err.contains(expected), "{name}: {}", ran.err);
    };
    check("quote.csv", b"a,b\n\"a,b\n", "line 2: a quote is not closed");
    check("after.csv", b"\"a\"b,c\n", "line 1: text follows a closing quote");
    check("bytes.csv", b"a\n\xff\n", "line 2: this is not UTF-8 text");
    check("empty.csv", b"\n \n", "the table has no individuals");
    let folder = Shop { data: shop.folder.path(""), policy: shop.policy.clone(), folder: Folder::new() };
    assert!(folder.mine(&["--k", "1"]).err.contains("folder"));
}

#[test]
fn channels_between_supports_are_found_and_closed() {
    let shop = Shop::new();
    let lines =
        ["a,b,P\n".repeat(77), "a,b\n".repeat(20), "a,P\n".repeat(3), "a\n".repeat(2), "c\n".repeat(50)]
            .concat();
    let data = shop.folder.file("channel.dat", lines.replace(',', " "));
    let policy =
        shop.folder.file("channel.toml", "[items]\ndefault = \"private\"\npublic = [\"a\", \"c\"]\n");
    let shop = Shop { data, policy, ..shop };
    let release = shop.folder.path("rules.json");
    // Of 102 with a, 97 have b, 80 have P and 77 both: two have neither, which no single rule states.
    let closed = shop.mine(&["--k", "4"]);
    assert!(
        closed.status == 0 && closed.out.contains("it would reveal a group of 2 individuals with"),
        "{}{}",
        closed.out,
        closed.err
    );
    let audit = shop.audit(&release, &["--k", "4", "--json"]);
    assert_eq!((audit.status, &audit.json()["channels"]), (0, &serde_json::json!(0)));
    let open = shop.mine(&["--k", "4", "--keep-channels", "--force"]);
    assert_eq!(open.status, 0, "{}", open.err);
    assert!(open.err.contains("from the combined rules"), "{}", open.err);
    // The audit lists them, but they are not a breach of k.
    let audit = shop.audit(&release, &["--k", "4"]);
    assert!(audit.status == 0 && audit.err.contains("from the combined rules"), "{}", audit.err);
    assert!(audit.out.contains("derived group has"), "{}", audit.out);
    // a => P with 80 of 100 and a, b => P with 77 of 97: three have a and P, and not b.
    let audit = shop.audit(&release, &["--k", "4", "--smallest-bin", "4", "--json"]);
    let document = audit.json();
    assert_eq!((audit.status, &document["smallest_bin"]), (1, &serde_json::json!(2)));
    let channels = document["smallest_channels"].as_array().unwrap();
    let wanted = serde_json::json!({"at_least": 3, "at_most": 3, "with": ["P = yes", "a = yes"], "without": ["b = yes"]});
    assert!(channels.contains(&wanted), "{document:#}");
    let text = shop.audit(&release, &["--k", "4", "--smallest-bin", "4"]);
    assert!(text.out.contains("derived group has"), "{}", text.out);
    let closed = shop.mine(&["--k", "4", "--smallest-bin", "4", "--force"]);
    assert!(closed.status == 0 && closed.out.contains("it would reveal a group of"), "{}", closed.out);
    assert_eq!(shop.audit(&release, &["--k", "4", "--smallest-bin", "4"]).status, 0);
}

#[test]
fn the_values_of_a_table_are_items() {
    let folder = Folder::new();
    let lines = [
        "f,young,flu\n".repeat(20),
        "m,young,cold\n".repeat(20),
        "f,old,cold\n".repeat(20),
        "m,old,flu\n".repeat(3),
    ]
    .concat();
    let table = folder.file("t.csv", format!("sex,age,ill\n{lines}"));
    let roles = "[attributes.sex]\nrole = \"public\"\n[attributes.age]\nrole = \"public\"\n[attributes.ill]\nrole = \"private\"\n";
    let policy = folder.file("p.toml", roles);
    let out = folder.path("rules.json");
    let base = ["rules", "--data", &table, "--policy", &policy, "--out", &out, "--k", "5"];
    let ran = incrowd(&[&base[..], &["--min-support", "0.2", "--min-confidence", "0.4", "--json"]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("\"ill = cold\"") && ran.json()["k"].as_u64().unwrap() >= 5, "{}", ran.out);
    assert_eq!(incrowd(&["audit", &out, "--data", &table, "--policy", &policy, "--k", "5"]).status, 0);
    // The same rules as arules calls them.
    let csv = "\"rules\",\"support\",\"confidence\",\"coverage\",\"lift\",\"count\"\n\"{sex=f,age=young} => {ill=flu}\",0.31,1,0.31,2.7,20\n";
    let foreign = folder.file("arules.csv", csv);
    let audit = incrowd(&["audit", &foreign, "--data", &table, "--policy", &policy, "--k", "5", "--json"]);
    assert_eq!((audit.status, audit.json()["k"].as_u64()), (0, Some(20)), "{}", audit.err);
    let wrong = folder.file("wrong.csv", csv.replace("age=young", "age=middle"));
    let ran = incrowd(&["audit", &wrong, "--data", &table, "--policy", &policy, "--k", "5"]);
    assert!(ran.status == 2 && ran.err.contains("neither a column of the table nor"), "{}", ran.err);
}

#[test]
fn rules_made_elsewhere_are_audited() {
    let shop = Shop::new();
    let k = |file: &str| {
        let audit = shop.audit(file, &["--k", "31", "--json"]);
        (
            audit.status,
            audit.out.parse::<serde_json::Value>().map_or(0, |json| json["k"].as_u64().unwrap_or(0)),
        )
    };
    let arules = "\"rules\",\"support\",\"confidence\",\"coverage\",\"lift\",\"count\"\n\
                  \"{cherries} => {viagra}\",0.084,0.75,0.112,5.47,84\n\
                  \"{birthday candles,cherries} => {tylenol}\",0.024,0.8,0.03,3.35,24\n";
    assert_eq!(k(&shop.folder.file("arules.csv", arules)), (1, 30));
    let one: String = arules.lines().take(2).map(|line| format!("{line}\n")).collect();
    assert_eq!(k(&shop.folder.file("one.csv", one)), (0, 112));
    let wrong = shop.audit(&shop.folder.file("wrong.csv", arules.replace(",24\n", ",25\n")), &["--k", "2"]);
    assert!(
        wrong.status == 2 && wrong.err.contains("in the release differ from those of the table"),
        "{}",
        wrong.err
    );
    let mlxtend = ",antecedents,consequents,antecedent support,consequent support,support,confidence,lift\n\
                   0,frozenset({'cherries'}),frozenset({'viagra'}),0.112,0.137,0.084,0.75,5.47\n\
                   1,\"frozenset({'birthday candles', 'cherries'})\",frozenset({'tylenol'}),0.03,0.239,0.024,0.8,3.35\n";
    assert_eq!(k(&shop.folder.file("mlxtend.csv", mlxtend)), (1, 30));
    let json = r#"[{"antecedents":["cherries"],"consequents":["viagra"],"antecedent support":0.112,"support":0.084,"confidence":0.75},
                   {"antecedents":["cherries","birthday candles"],"consequents":["tylenol"],"antecedent support":0.03,"support":0.024,"confidence":0.8}]"#;
    assert_eq!(k(&shop.folder.file("mlxtend.json", json)), (1, 30));
    let unknown =
        shop.audit(&shop.folder.file("unknown.csv", arules.replace("viagra", "aspirin")), &["--k", "2"]);
    assert!(unknown.status == 2 && unknown.err.contains("no basket has this item"), "{}", unknown.err);
    for (name, content) in [
        ("a.csv", "\"rules\",\"support\"\n\"cherries -> viagra\",1\n"),
        ("b.csv", "antecedents,consequents\nx,y\n"),
        ("c.json", "[{\"a\": 1}]"),
        ("d.json", "[1]"),
    ] {
        let ran = shop.audit(&shop.folder.file(name, content), &["--k", "2"]);
        assert!(ran.status == 2 && ran.err.contains("help:"), "{name}: {}", ran.err);
    }
}

#[test]
fn groceries_and_mushrooms() {
    let (Some(groceries), Some(mushrooms)) =
        (data("transactions/groceries.csv"), data("transactions/mushroom.dat"))
    else {
        return;
    };
    let folder = Folder::new();
    let mine = |data: &str, private: &str, flags: &[&str]| {
        let policy = folder.file("policy.toml", format!("[items]\nprivate = {private}\n"));
        let out = folder.path("rules.json");
        let base = ["rules", "--data", data, "--policy", &policy, "--out", &out, "--force", "--json"];
        let ran = incrowd(&[&base[..], flags].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        let audit = incrowd(&["audit", &out, "--data", data, "--policy", &policy, "--k", "50"]);
        assert_eq!(audit.status, 0, "{}{}", audit.out, audit.err);
        ran.json()
    };
    let found = mine(
        &groceries,
        "[\"*beer*\", \"liquor*\", \"yogurt\", \"soda\"]",
        &["--k", "50", "--min-support", "0.005", "--min-confidence", "0.2"],
    );
    assert_eq!((&found["individuals"], &found["sets"]), (&serde_json::json!(9835), &serde_json::json!(1001)));
    assert!(found["rules"].as_u64().unwrap() > 100 && found["left_out"].as_u64().unwrap() > 10);
    let found =
        mine(&mushrooms, "[\"1\", \"2\"]", &["--k", "50", "--min-support", "0.4", "--min-confidence", "0.9"]);
    assert_eq!(found["individuals"], 8124);
}
