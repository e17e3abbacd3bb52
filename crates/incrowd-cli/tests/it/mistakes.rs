//! Common mistakes, and messages that name them.

use crate::{Folder, incrowd};
use std::fmt::Write;

const POLICY: &str = "[file]\ndelimiter = \";\"\n[attributes]\nplz = { role = \"public\" }\n\"Bürge\" = { role = \"private\" }\n[guarantee]\nk = 1\n";

#[test]
fn names_in_another_encoding_are_called_so() {
    let folder = Folder::new();
    let data = folder.file("t.csv", b"plz;B\xFCrge\n1;ja\n2;nein\n");
    let policy = folder.file("policy.toml", POLICY);
    let ran = incrowd(&["table", "--data", &data, "--policy", &policy, "--out", &folder.path("o.csv")]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("not UTF-8") && ran.err.contains("save the file as UTF-8"), "{}", ran.err);
}

#[test]
fn another_delimiter_in_the_first_line_is_named() {
    let folder = Folder::new();
    let data = folder.file("t.csv", "plz,Bürge\n1,ja\n2,nein\n");
    let policy = folder.file("policy.toml", POLICY);
    let ran = incrowd(&["table", "--data", &data, "--policy", &policy, "--out", &folder.path("o.csv")]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.err.contains(
            "its first line contains `,`: if it separates the cells, leave `delimiter` out under [file]"
        ),
        "{}",
        ran.err
    );
}

#[test]
fn an_existing_release_file_is_called_that_of_the_table() {
    let folder = Folder::new();
    let data = folder.file("t.csv", "plz;Bürge\n1;ja\n2;nein\n");
    let (policy, _) = (folder.file("policy.toml", POLICY), folder.file("o.json", "{}"));
    let ran = incrowd(&["table", "--data", &data, "--policy", &policy, "--out", &folder.path("o.csv")]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.err.contains("the release file of the table would be written here: the file already exists"),
        "{}",
        ran.err
    );
}

#[test]
fn a_table_read_as_baskets_is_warned_about() {
    let folder = Folder::new();
    let mut table = "ward,sex,drug\n".to_owned();
    for row in 0..60_usize {
        let _ = writeln!(table, "w{},{},{}", row % 3, ["f", "m"][row % 2], ["insulin", "none"][row / 3 % 2]);
    }
    let policy = folder.file("policy.toml", "[items]\nprivate = [\"insulin\"]\n[guarantee]\nk = 2\n");
    let mine = |name: &str, text: &str| {
        let (data, out) = (folder.file(name, text), folder.path("rules.json"));
        let files = ["rules", "--data", &data, "--policy", &policy, "--out", &out, "--force"];
        let ran = incrowd(&[&files[..], &["--min-support", "0.1", "--min-confidence", "0.4"]].concat());
        assert_eq!(ran.status, 0, "{name}: {}", ran.err);
        ran.err
    };
    let err = mine("table.csv", &table);
    assert!(err.contains("the file looks like a table, but the policy describes baskets"), "{err}");
    let baskets = "milk,bread\nbread\nmilk,beer,bread\nbeer\nmilk\nbeer,milk,bread,insulin\n".repeat(5);
    assert!(!mine("baskets.csv", &baskets).contains("looks like a table"));
}

#[test]
fn ranges_of_numbers_are_given_in_words() {
    let clusters = incrowd(&["clusters", "--data", "x", "--policy", "y", "--out", "z", "--clusters", "0"]);
    assert!(
        clusters.status == 2 && clusters.err.contains("give a number from 1 to 10,000"),
        "{}",
        clusters.err
    );
    let few = incrowd(&["profile", "x", "--few", "1"]);
    assert!(few.status == 2 && few.err.contains("give 2 or more"), "{}", few.err);
}

/// A misspelled column gets the name that was probably meant, in the policy and in flags.
#[test]
fn misspelled_columns_are_answered_with_the_nearest_name() {
    let folder = Folder::new();
    let data = folder.file("t.csv", "age,town,ill\n1,a,flu\n1,a,none\n2,b,flu\n2,b,none\n");
    let policy = |town: &str, ill: &str| {
        let roles = [("age", "public"), (town, "public"), (ill, "private")];
        let roles = roles.map(|(name, role)| format!("[attributes.{name}]\nrole = {role:?}\n")).concat();
        folder.file("policy.toml", format!("{roles}[guarantee]\nk = 2\n"))
    };
    let table = |policy: &str, flags: &[&str]| {
        let files = ["--data", &data, "--policy", policy, "--out", &folder.path("o.csv")];
        incrowd(&[&["table"], &files[..], flags].concat())
    };
    let ran = table(&policy("twon", "ill"), &[]);
    assert!(
        ran.status == 2 && ran.err.contains("did you mean `town`? its columns are: age, town, ill"),
        "{}",
        ran.err
    );
    // A private column may be absent from a table to audit, so the name that is not in the policy is the first mistake.
    let ran = incrowd(&["audit", "--table", &data, "--policy", &policy("town", "Ill")]);
    assert!(ran.status == 2 && ran.err.contains("the policy mentions `Ill`"), "{}", ran.err);
    let right = policy("town", "ill");
    let ran = incrowd(&["audit", "--table", &data, "--policy", &right, "--without", "twon"]);
    assert!(ran.status == 2 && ran.err.contains("did you mean `town`?"), "{}", ran.err);
    let ran = table(&right, &["--distinct-l", "2", "--of", "il"]);
    assert!(ran.status == 2 && ran.err.contains("did you mean `ill`?"), "{}", ran.err);
    let clusters = ["clusters", "--data", &data, "--policy", &right, "--out", &folder.path("c.json")];
    let ran = incrowd(&[&clusters[..], &["--attributes", "agee"]].concat());
    assert!(ran.status == 2 && ran.err.contains("did you mean `age`?"), "{}", ran.err);
}

/// A wrong delimiter is called so, and not a matter of quotes.
#[test]
fn a_wrong_delimiter_is_named_before_quotes() {
    let folder = Folder::new();
    let rows = "a1,\"95,969\",x\nb2,\"69,620\",y\n".repeat(9);
    let data = folder.file("t.csv", format!("no,income,paid\n{rows}"));
    let ran = incrowd(&["profile", &data, "--delimiter", ";"]);
    assert!(
        ran.status == 2 && ran.err.contains("the delimiter that is set does not fit this file"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("`,` makes several") && ran.err.contains("give --delimiter ','"), "{}", ran.err);
    assert!(!ran.err.contains("quote"), "{}", ran.err);
    let policy =
        folder.file("policy.toml", "[file]\ndelimiter = \"tab\"\n[attributes.no]\nrole = \"public\"\n");
    let ran = incrowd(&["profile", &data, "--policy", &policy]);
    assert!(ran.err.contains("set `delimiter` to '"), "{}", ran.err);
    // Without quotes, one column may be right.
    let plain = folder.file("plain.csv", "no,paid\na1,x\nb2,y\n");
    let ran = incrowd(&["profile", &plain, "--delimiter", ";"]);
    assert!(ran.status == 0 && ran.err.contains("only one column, and its name contains `,`"), "{}", ran.err);
    assert!(ran.err.contains("give it as --delimiter"), "{}", ran.err);
}

/// Help names the flags of a command that has them, and keys of the policy where there is one.
#[test]
fn help_names_flags_where_there_is_no_policy() {
    let folder = Folder::new();
    let twice = folder.file("t.csv", "age,age,ill\n1,2,yes\n3,4,no\n");
    let ran = incrowd(&["profile", &twice]);
    assert!(
        ran.status == 2 && ran.err.contains("if the first line is a row, give --no-header"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("policy"), "{}", ran.err);
    let roles = "[attributes.age]\nrole = \"public\"\n[attributes.ill]\nrole = \"private\"\n";
    let policy = folder.file("policy.toml", roles);
    let ran = incrowd(&["audit", "--table", &twice, "--policy", &policy]);
    assert!(ran.status == 2 && ran.err.contains("set `header = false`"), "{}", ran.err);
    let quote = folder.file("quote.csv", "age,ill\n1,5\"yes\n3,no\n");
    let ran = incrowd(&["profile", &quote]);
    assert!(
        ran.err.contains("quote = \"none\" under [file] in a policy and give it with --policy"),
        "{}",
        ran.err
    );
}

/// A released table that is named instead of its release file is answered with that file.
#[test]
fn a_released_table_is_answered_with_its_release_file() {
    let folder = Folder::new();
    let rows: String =
        (0..40).map(|row| format!("{},{}\n", 20 + row % 4, ["flu", "none"][row % 2])).collect();
    let data = folder.file("t.csv", format!("age,ill\n{rows}"));
    let roles =
        "[attributes.age]\nrole = \"public\"\n[attributes.ill]\nrole = \"private\"\n[guarantee]\nk = 2\n";
    let (policy, out) = (folder.file("policy.toml", roles), folder.path("mon.csv"));
    let files = ["--data", &data, "--policy", &policy, "--out", &out];
    assert_eq!(incrowd(&[&["table", "--method", "mondrian"], &files[..]].concat()).status, 0);
    let transform = ["transform", &out, "--data", &data, "--out", &folder.path("new.csv")];
    for arguments in [&["show", &out][..], &transform] {
        let ran = incrowd(arguments);
        let help = format!("this is a released table; its release file is {}", folder.path("mon.json"));
        assert!(ran.status == 2 && ran.err.contains(&help), "{}", ran.err);
    }
    let ran = incrowd(&["show", &data]);
    assert!(ran.status == 2 && !ran.err.contains("released table"), "{}", ran.err);
}

/// The help of a command is about that command.
#[test]
fn help_is_about_its_command() {
    for (command, words) in [("table", "must end in .csv"), ("rules", "baskets"), ("compare", "train-test")] {
        let help = incrowd(&[command, "--help"]).out;
        assert!(help.contains(words), "{help}");
    }
    for command in ["tree", "clusters"] {
        let help = incrowd(&[command, "--help"]).out;
        assert!(!help.contains("baskets") && !help.contains("must end in .csv"), "{help}");
    }
}

/// Numbers in messages have separated thousands, and one of something is not several.
#[test]
fn counts_in_messages_are_formatted() {
    let folder = Folder::new();
    let roles = "subject = \"mrn\"\n[attributes]\nage = { role = \"public\" }\nill = { role = \"private\" }\n\
                 [guarantee]\nk = 10\nseveral-rows = \"strict\"\n";
    let rows = |row: usize| format!("{},{},{}\n", row % 1200, 20 + row % 3, ["flu", "none"][row % 1200 % 2]);
    let data = folder.file("t.csv", format!("mrn,age,ill\n{}", (0..1201).map(rows).collect::<String>()));
    let files = ["--data", &data, "--policy", &folder.file("policy.toml", roles)];
    let table = ["table", "--method", "mondrian", "--out", &folder.path("o.csv")];
    let ran = incrowd(&[&table[..], &files].concat());
    assert!(ran.status == 1 && ran.err.contains("1 of 1,200 individuals has"), "{}", ran.err);
    let baskets = folder.file("b.csv", "milk,bread\nmilk\nmilk,beer\n".repeat(9));
    let policy = folder.file("items.toml", "[items]\nprivate = [\"beer\"]\n[guarantee]\nk = 2\n");
    let files = ["--data", &baskets, "--policy", &policy, "--out", &folder.path("r.json")];
    let ran = incrowd(&[&["rules", "--min-support", "0.9", "--min-confidence", "0.9"], &files[..]].concat());
    assert!(ran.err.contains("is reached by 1 single item and 0 larger sets"), "{}", ran.err);
}

/// A table of 80 individuals, and a policy with a private class without an order.
fn clinic(folder: &Folder) -> (String, String) {
    let mut table = "age,ward,result\n".to_owned();
    for row in 0..80_usize {
        let _ = writeln!(table, "{},{},{}", 20 + 10 * (row % 4), row % 3, ["good", "poor"][row * 7 % 5 % 2]);
    }
    let policy = "class = \"result\"\n[attributes]\nage = { role = \"public\", kind = \"numeric\" }\n\
        ward = { role = \"public\", kind = \"categorical\" }\nresult = { role = \"private\" }\n[guarantee]\nk = 2\n";
    (folder.file("t.csv", table), folder.file("policy.toml", policy))
}

#[test]
fn flags_that_have_no_effect_are_refused() {
    let folder = Folder::new();
    let (data, policy) = clinic(&folder);
    let (tree, clusters) = (folder.path("tree.json"), folder.path("clusters.json"));
    let files = |command, out| [command, "--data", &data, "--policy", &policy, "--out", out];
    let refused = |arguments: &[&str], parts: &[&str]| {
        let ran = incrowd(arguments);
        assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.err);
        assert!(parts.iter().all(|part| ran.err.contains(part)), "{arguments:?}: {}", ran.err);
    };
    let mining = [&files("tree", &tree)[..], &["--method", "kadet-id3"]].concat();
    refused(
        &[&mining[..], &["--max-leaves", "9"]].concat(),
        &["--max-leaves: ", "method kadet-id3", "method best"],
    );
    refused(
        &[&mining[..], &["--no-prune"]].concat(),
        &["--no-prune: ", "method kadet-id3", "method kadet-c45"],
    );
    let table = folder.path("a.csv");
    let mining = [&files("table", &table)[..], &["--method", "mondrian", "--noise", "0.1"]].concat();
    refused(&mining, &["--noise: ", "method mondrian", "method aggregate"]);
    assert_eq!(folder.names(), ["policy.toml", "t.csv"], "nothing was written");

    assert_eq!(incrowd(&files("tree", &tree)).status, 0);
    assert_eq!(incrowd(&files("clusters", &clusters)).status, 0);
    refused(&["show", &tree, "--plane", "age,ward"], &["--plane", "only for clusters as a picture"]);
    refused(&["show", &tree, "--data", &data], &["--data", "only for tables and for clusters as a picture"]);
    refused(&["show", &tree, "--policy", &policy], &["--policy", "only for tables, ensembles"]);
    refused(&["show", &clusters, "--depth", "3"], &["--depth", "only for trees and ensembles"]);
    refused(&["show", &clusters, "--plane", "age,ward"], &["--plane", "--as svg"]);
    let audit = ["audit", &tree, "--data", &data, "--policy", &policy, "--without", "age"];
    refused(&audit, &["--without", "given with --table"]);
    refused(&["data", "get", "adult", "--from", "ftp://a", "--cache", &folder.path("c")], &["http://"]);
}

#[test]
fn the_ordered_distance_of_values_without_an_order_is_called_so() {
    let folder = Folder::new();
    let (data, policy) = clinic(&folder);
    let asked = |distance| {
        let files = ["audit", "--table", &data, "--policy", &policy, "--t-closeness", "0.9"];
        incrowd(&[&files[..], &["--t-distance", distance]].concat()).err
    };
    assert!(asked("ordered").contains("`result` has no order, so the equal distance is used for its values"));
    assert!(!asked("equal").contains("no order"));
    let ordered = folder.file(
        "ordered.toml",
        std::fs::read_to_string(&policy).unwrap().replace(
            "result = { role = \"private\" }",
            "result = { role = \"private\", order = [\"poor\", \"good\"] }",
        ),
    );
    let files =
        ["audit", "--table", &data, "--policy", &ordered, "--t-closeness", "0.9", "--t-distance", "ordered"];
    assert!(!incrowd(&files).err.contains("no order"));
}

#[test]
fn a_requirement_on_a_public_class_is_refused_in_flags_as_in_policies() {
    let folder = Folder::new();
    let (data, policy) = clinic(&folder);
    let text = std::fs::read_to_string(&policy).unwrap().replace("private", "public");
    let public = folder.file(
        "public.toml",
        format!("{text}\n").replace("ward = { role = \"public\"", "ward = { role = \"private\""),
    );
    let audit = ["audit", "--table", &data, "--policy", &public];
    let ran = incrowd(&[&audit[..], &["--distinct-l", "2"]].concat());
    assert!(
        ran.status == 2 && ran.err.contains("--distinct-l: this applies to the class, which is public"),
        "{}",
        ran.err
    );
    assert!(incrowd(&[&audit[..], &["--distinct-l", "2", "--of", "all"]].concat()).status < 2);
}
