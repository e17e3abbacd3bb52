//! Private cells in tables of any origin: sets of values, checked against the policy.

use crate::{Folder, Ran, incrowd};

/// Audits a table with a public column `g` and a private column `y`.
fn audit(table: &str, private: &str, flags: &[&str]) -> Ran {
    let folder = Folder::new();
    let policy =
        format!("[attributes.g]\nrole = \"public\"\n[attributes.y]\nrole = \"private\"\n{private}\n");
    let (table, policy) = (folder.file("released.csv", table), folder.file("policy.toml", policy));
    incrowd(&[&["audit", "--table", &table, "--policy", &policy, "--json"], flags].concat())
}

const L: [&str; 6] = ["--k", "2", "--distinct-l", "2", "--of", "all"];

/// `{x}` is `x`, and one group has no other value.
#[test]
fn a_set_of_one_is_a_value() {
    let ran = audit("g,y\nf,x\nf,{x}\nm,x\nm,y\n", "values = [\"x\", \"y\"]", &L);
    let json = ran.json();
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert_eq!((&json["exposed"], &json["breaches"]), (&2.into(), &1.into()));
    assert_eq!(json["attributes"][0]["max_confidence"], 1.0);
}

#[test]
fn the_order_in_a_set_says_nothing() {
    let ran = audit("g,y\nf,\"{x, y}\"\nf,\"{y, x}\"\n", "values = [\"x\", \"y\", \"z\"]", &L);
    let json = ran.json();
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert_eq!((&json["exposed"], &json["excluded"]), (&0.into(), &2.into()));
}

/// Cells that may be the same value count as one; sets without a common value count as they are.
#[test]
fn cells_that_overlap_are_one_value() {
    for (cells, status) in [
        (["[1, 3)", "2"], 1),
        (["[1, 3)", "3"], 0),
        (["<= 4", "> 4"], 0),
        (["*", "5"], 1),
        (["(4, 5]", "{5}"], 1),
    ] {
        let table = format!("g,y\nf,\"{}\"\nf,\"{}\"\n", cells[0], cells[1]);
        let ran = audit(&table, "range = [0, 9]\nwhole = true", &L);
        assert_eq!(ran.status, status, "{cells:?}: {}", ran.err);
    }
    let ran = audit("g,y\nf,\"{x, y}\"\nf,x\n", "", &["--t-closeness", "0.5", "--of", "all"]);
    assert_eq!(ran.status, 2, "{}", ran.out);
    assert!(ran.err.contains("overlap") && ran.err.contains("`y`"), "{}", ran.err);
}

/// Nothing is certain about an individual whose cell contains no information.
#[test]
fn cells_that_say_nothing_expose_no_individual() {
    for cell in ["*", "\"{x, y}\"", "\"{y,x}\""] {
        let table = format!("g,y\n{}", format!("f,{cell}\n").repeat(4));
        let json = audit(&table, "values = [\"x\", \"y\"]", &["--k", "2"]).json();
        assert_eq!((&json["exposed"], &json["excluded"]), (&0.into(), &0.into()), "{cell}");
    }
}

/// An interval with one whole number is that number; all whole numbers of a range exclude none.
#[test]
fn whole_numbers_of_a_range() {
    let whole = "range = [0, 1]\nwhole = true";
    let json = audit("g,y\nf,0\nf,1\n", whole, &["--k", "2"]).json();
    assert_eq!((&json["exposed"], &json["excluded"]), (&0.into(), &0.into()));
    let json = audit("g,y\nf,\"(0, 1]\"\nf,\"(0, 1]\"\n", whole, &["--k", "2"]).json();
    assert_eq!((&json["exposed"], &json["excluded"]), (&2.into(), &2.into()));
}

/// Where only one number is possible beforehand, stating it exposes no one.
#[test]
fn a_range_of_one_number_tells_nothing() {
    let one = "g,y\nf,\"[1, 1]\"\nf,\"[1, 1]\"\n";
    assert_eq!(audit(one, "range = [1, 1]", &["--k", "2"]).json()["exposed"], 0);
    assert_eq!(audit(one, "range = [0, 1]", &["--k", "2"]).json()["exposed"], 2);
}

/// The policy's `values`, `range` and `whole` apply to released tables; the error names the row and not the value.
#[test]
fn cells_are_held_to_the_policy() {
    for (cell, private) in [
        ("0.25", "whole = true\nrange = [0, 9]"),
        ("77.125", "range = [0, 9]"),
        ("\"[70, 80)\"", "range = [0, 9]"),
        ("\"(1, 2)\"", "whole = true"),
        ("zz", "values = [\"1\", \"x\"]"),
        ("\"{x, zz}\"", "values = [\"1\", \"x\"]"),
        ("zz", "order = [\"1\", \"x\"]"),
    ] {
        let ran = audit(&format!("g,y\nf,1\nf,{cell}\n"), private, &["--k", "2"]);
        assert_eq!(ran.status, 2, "{cell}: {}", ran.out);
        assert!(ran.err.contains("`y`") && ran.err.contains("help"), "{cell}: {}", ran.err);
        assert!(ran.err.contains("row 2") || ran.err.contains("line 3"), "{cell}: {}", ran.err);
        assert!(!ran.err.contains("zz") && !ran.err.contains("77.125"), "{cell}: {}", ran.err);
    }
    let folder = Folder::new();
    let policy = "[attributes.g]\nrole = \"public\"\nrange = [0, 9]\n[attributes.y]\nrole = \"private\"\n";
    let (table, policy) = (folder.file("t.csv", "g,y\n1,a\n77,b\n"), folder.file("p.toml", policy));
    let ran = incrowd(&["audit", "--table", &table, "--policy", &policy, "--k", "1"]);
    assert_eq!(ran.status, 2, "{}", ran.out);
    assert!(ran.err.contains("row 2") && ran.err.contains("`g`"), "{}", ran.err);
}

/// Every command checks the owner's table against the policy.
#[test]
fn every_command_holds_the_table_to_the_policy() {
    let folder = Folder::new();
    let data = folder.file("d.csv", "g,y,c\nf,x,u\nf,zz,v\nf,x,v\nf,y,u\n");
    let policy = "class = \"c\"\n[attributes.g]\nrole = \"public\"\n[attributes.c]\nrole = \"public\"\n\
                  [attributes.y]\nrole = \"private\"\nvalues = [\"x\", \"y\"]\n";
    let policy = folder.file("p.toml", policy);
    let rules = ["--min-support", "0.1", "--min-confidence", "0.1"];
    for (command, more) in [("table", &[][..]), ("tree", &[]), ("clusters", &[]), ("rules", &rules)] {
        let out = folder.path(if command == "table" { "o.csv" } else { "o.json" });
        let asked = [command, "--data", &data, "--policy", &policy, "--k", "1", "--out", &out];
        let ran = incrowd(&[&asked[..], more].concat());
        assert_eq!(ran.status, 2, "{command}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("line 3, column 2") && !ran.err.contains("zz"), "{command}: {}", ran.err);
    }
}

/// Someone with several rows may be certain to have a value and have none ruled out.
#[test]
fn the_exposed_may_have_nothing_excluded_where_they_have_several_rows() {
    let folder = Folder::new();
    let table = folder.file("d.csv", "s,g,p\n1,f,a\n1,f,b\n1,f,a\n2,m,b\n2,m,a\n3,m,a\n");
    let policy = "subject = \"s\"\n[attributes.g]\nrole = \"public\"\n[attributes.p]\nrole = \"private\"\n\
                  values = [\"a\", \"b\"]\n";
    let policy = folder.file("p.toml", policy);
    let ran =
        incrowd(&["audit", "--table", &table, "--policy", &policy, "--k", "1", "--without", "s", "--json"]);
    let json = ran.json();
    assert_eq!((&json["exposed"], &json["excluded"], &json["at_most"]), (&3.into(), &1.into(), &true.into()));
}

/// `other values` does not name the values it covers, which matters where the policy declares them; a masked code
/// covers the declared ones that fit.
#[test]
fn cells_that_do_not_name_declared_values() {
    let folder = Folder::new();
    let policy = "[attributes]\ng = { role = \"public\" }\ny = { role = \"private\", kind = \"categorical\", values = [\"123\", \"124\", \"223\"], taxonomy = { prefix = {} } }\n[guarantee]\nk = 2\n";
    let policy = folder.file("p.toml", policy);
    let audit = |cell: &str| {
        let table = folder.file("t.csv", format!("g,y\nf,{cell}\nf,223\nm,123\nm,124\n"));
        incrowd(&["audit", "--table", &table, "--policy", &policy, "--json"])
    };
    // Both of f have 223; with 12* one of them has another one.
    for (cell, exposed, excluded) in [("22*", 2, 4), ("2**", 2, 4), ("12*", 0, 2), ("***", 0, 2)] {
        let ran = audit(cell);
        let json = ran.json();
        let found = (&json["exposed"], &json["excluded"]);
        assert_eq!(found, (&exposed.into(), &excluded.into()), "{cell}: {}", ran.err);
    }
    for (cell, what) in [("3**", "row 1"), ("12**", "row 1"), ("other values", "does not name the values")] {
        let ran = audit(cell);
        assert!(ran.status == 2 && ran.err.contains(what), "{cell}: {}{}", ran.out, ran.err);
    }
}

const DATES: &str = "kind = \"date\"\nrange = [\"2020-01-01\", \"2020-01-04\"]";

/// What a declared range leaves of private dates: single dates, sets and intervals.
#[test]
fn private_dates_are_days_of_their_range() {
    for (cells, exposed, excluded) in [
        (["2020-01-02", "2020-01-02"], 2, 2),
        (["2020-01-01", "2020-01-02"], 0, 2),
        (["*", "2020-01-02"], 0, 0),
        (["[2020-01-02, 2020-01-03)", "{2020-01-02}"], 2, 2),
        (["<= 2020-01-02", "> 2020-01-02"], 0, 0),
        (["(2020-01-01, 2020-01-04]", "{2020-01-01, 2020-01-02}"], 0, 0),
        (["> 2020-01-03", ">= 2020-01-04"], 2, 2),
    ] {
        let ran = audit(&format!("g,y\nf,\"{}\"\nf,\"{}\"\n", cells[0], cells[1]), DATES, &["--k", "2"]);
        let json = ran.json();
        let found = (&json["exposed"], &json["excluded"]);
        assert_eq!(found, (&exposed.into(), &excluded.into()), "{cells:?}: {}", ran.err);
    }
    // Overlapping intervals can be one day, with and without a kind.
    for (cell, status) in [("[2020-01-01, 2020-02-01]", 1), ("[2020-01-01, 2020-01-05)", 0)] {
        for kind in ["", "kind = \"date\""] {
            let ran = audit(&format!("g,y\nf,\"{cell}\"\nf,2020-01-05\n"), kind, &L);
            assert_eq!(ran.status, status, "{cell} {kind}: {}{}", ran.out, ran.err);
        }
    }
    for cell in ["2020-01-05", "{2020-01-02, 2020-01-05}", "[2020-02-01, 2020-02-03]", "x", "{x, 2020-01-02}"]
    {
        let ran = audit(&format!("g,y\nf,2020-01-01\nf,*\nf,\"{cell}\"\n"), DATES, &["--k", "2"]);
        assert!(
            ran.status == 2 && ran.err.contains("row 3") && ran.err.contains("`y`"),
            "{cell}: {}{}",
            ran.out,
            ran.err
        );
    }
}

/// Public cells outside the declared range or values are an error that names the row, as private ones are.
#[test]
fn public_cells_are_held_to_the_policy() {
    let date = "kind = \"date\"\nrange = [\"2018-01-01\", \"2019-12-31\"]";
    for (public, right, wrong) in [
        (date, "2018-01-01", "2021-01-01"),
        (date, "\"[2018-01-01, 2018-02-01)\"", "foo"),
        (date, "\"{2018-01-01, 2018-02-01}\"", "20180"),
        ("range = [0, 5]", "5", "foo"),
        ("range = [0, 5]", "2.5", "9"),
        ("range = [0, 5]", "<= 3", "5.1"),
        ("range = [0, 5]\ndecimal = \",\"", "\"2,5\"", "\"5,1\""),
        ("values = [\"a\", \"b\"]", "\"{a, b}\"", "c"),
    ] {
        let folder = Folder::new();
        let policy = format!(
            "[attributes.g]\nrole = \"public\"\n{public}\n[attributes.y]\nrole = \"private\"\n[guarantee]\nk = 2\n"
        );
        let policy = folder.file("p.toml", policy);
        for (cell, status) in [(right, 0), (wrong, 2)] {
            let table = folder.file("t.csv", format!("g,y\n{right},a\n{right},b\n{cell},a\n{cell},b\n"));
            let ran = incrowd(&["audit", "--table", &table, "--policy", &policy]);
            assert_eq!(ran.status, status, "{public} {cell}: {}{}", ran.out, ran.err);
            assert!(
                status == 0 || (ran.err.contains("row 3") && ran.err.contains("`g`")),
                "{cell}: {}",
                ran.err
            );
        }
    }
}

/// With a decimal comma, `{1,5}` may be one number or two.
#[test]
fn commas_of_numbers_do_not_separate_values() {
    let private = "range = [0, 10]\ndecimal = \",\"";
    for cell in ["{1,5}", "[1,5)"] {
        let ran = audit(&format!("g,y\nf,3\nf,\"{cell}\"\n"), private, &["--k", "2"]);
        assert!(
            ran.status == 2 && ran.err.contains("line 3") && ran.err.contains("comma"),
            "{cell}: {}{}",
            ran.out,
            ran.err
        );
    }
    for (cells, exposed) in [(["1,5", "{1, 5}"], 0), (["2,5", "[2, 3)"], 0), (["<= 0,0", "0,0"], 2)] {
        let ran = audit(&format!("g,y\nf,\"{}\"\nf,\"{}\"\n", cells[0], cells[1]), private, &["--k", "2"]);
        assert_eq!(ran.json()["exposed"], exposed, "{cells:?}: {}", ran.err);
    }
}

/// Numbers of a declared range are not rare values, and neither are intervals of them.
#[test]
fn declared_numbers_beside_intervals_are_not_rare() {
    for cells in [["5", "6"], ["5", "[0, 3)"], ["{5, 6}", "<= 3"]] {
        let table = format!("g,y\nf,\"{}\"\nf,\"{}\"\n", cells[0], cells[1]);
        let ran = audit(&table, "range = [0, 10]", &["--k", "2", "--smallest-bin", "1"]);
        assert_eq!((ran.status, &ran.json()["rare_values"]), (0, &0.into()), "{cells:?}: {}", ran.out);
        let ran = audit(&table, "", &["--k", "2", "--smallest-bin", "1"]);
        assert_eq!((ran.status, &ran.json()["rare_values"]), (1, &2.into()), "{cells:?}: {}", ran.out);
    }
}

/// A scope that contains the policy's is not less; what is less is named by its own flag.
#[test]
fn requests_are_refused_by_their_own_names() {
    let folder = Folder::new();
    let policy = "class = \"c\"\n[attributes]\ng = { role = \"public\" }\nc = { role = \"private\" }\ny = { role = \"private\" }\n[guarantee]\nk = 2\ndistinct-l = 2\n";
    let table = folder.file("t.csv", "g,c,y\nf,x,1\nf,y,2\nm,x,1\nm,y,2\n");
    for (of, flags, expected) in [
        ("", ["--of", "c"], None),
        ("", ["--of", "c,y"], None),
        ("", ["--of", "y"], Some("--of")),
        ("of = \"all\"", ["--of", "c,y"], None),
        ("of = \"all\"", ["--of", "c"], Some("--of")),
        ("", ["--single-bin", "exempt"], Some("--single-bin")),
        ("", ["--k", "1"], Some("--k")),
    ] {
        let policy = folder.file("p.toml", format!("{policy}{of}\n"));
        let ran = incrowd(&[&["audit", "--table", &table, "--policy", &policy], &flags[..]].concat());
        assert_eq!(
            ran.status,
            if expected.is_some() { 2 } else { 0 },
            "{of} {flags:?}: {}{}",
            ran.out,
            ran.err
        );
        assert!(expected.is_none_or(|flag| ran.err.contains(&format!("{flag}:"))), "{flags:?}: {}", ran.err);
    }
}

/// A table of the spans of a tree that tests private dates, with and without a declared range, passes its own audit and
/// one as a table of any origin.
#[test]
fn spans_of_a_tree_of_private_dates() {
    let folder = Folder::new();
    let day =
        |row: usize| format!("{},2020-01-{:02},{}\n", ["m", "f"][row % 2], row / 2 + 1, ["x", "y"][row / 12]);
    let data = folder.file("d.csv", format!("g,b,c\n{}", (0..24).map(day).collect::<String>()));
    for declared in ["kind = \"date\"", "range = [\"2020-01-01\", \"2020-12-31\"]"] {
        let policy = format!(
            "class = \"c\"\n[attributes.g]\nrole = \"public\"\n[attributes.b]\nrole = \"private\"\n{declared}\n\
             [attributes.c]\nrole = \"private\"\n[guarantee]\nk = 2\n"
        );
        let (policy, out) = (folder.file("p.toml", policy), folder.path("o.csv"));
        let made = incrowd(&[
            "table", "--method", "spans", "--data", &data, "--policy", &policy, "--out", &out, "--force",
            "--json",
        ]);
        assert_eq!(made.status, 0, "{declared}: {}{}", made.out, made.err);
        let audited = incrowd(&["audit", &folder.path("o.json"), "--policy", &policy, "--json"]);
        let as_table = incrowd(&["audit", "--table", &out, "--policy", &policy, "--json"]);
        for (ran, name) in [(&audited, "release"), (&as_table, "table")] {
            assert_eq!(ran.status, 0, "{declared} {name}: {}{}", ran.out, ran.err);
            for figure in ["k", "exposed", "excluded", "spans"] {
                assert_eq!(ran.json()[figure], made.json()[figure], "{declared} {name} {figure}");
            }
        }
    }
}

/// Names with commas are quoted within sets; unquoted ones are never read as more values than there may be.
#[test]
fn names_with_commas_are_quoted_within_sets() {
    let table = |cells: [&str; 2]| {
        let cell = |text: &str| format!("f,\"{}\"\n", text.replace('"', "\"\""));
        format!("g,y\n{}{}", cell(cells[0]), cell(cells[1]))
    };
    let quoted = table(["{\"cancer, lung\", flu}", "{\"cancer, skin\"}"]);
    assert_eq!(audit(&quoted, "", &L).status, 0);
    let values = "values = [\"cancer, lung\", \"cancer, skin\", \"flu\", \"say \\\"ah\\\"\"]";
    assert_eq!(audit(&quoted, values, &L).status, 0);
    let one = table(["{\"cancer, lung\"}", "cancer, lung"]);
    let ran = audit(&one, values, &L);
    assert_eq!((ran.status, &ran.json()["exposed"]), (1, &2.into()), "{}", ran.err);
    let quotes = table(["{\"say \"\"ah\"\"\", flu}", "{flu, \"say \"\"ah\"\"\"}"]);
    assert_eq!(audit(&quotes, values, &L).json()["excluded"], 2);
    for cells in [["{cancer, lung, cancer, skin}", "flu"], ["{cancer, lung}", "cancer, lung"]] {
        let ran = audit(&table(cells), "", &L);
        assert!(ran.status == 2 && ran.err.contains("contain commas"), "{cells:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("`values`") && !ran.err.contains("cancer"), "{}", ran.err);
    }
    let declared = audit(&table(["{cancer, lung, cancer, skin}", "flu"]), values, &L);
    assert_eq!(declared.status, 0, "{}", declared.err);
}

/// What a table prints is what its audit and its recoding read.
#[test]
fn released_sets_of_names_with_commas_read_back() {
    let folder = Folder::new();
    let kinds = ["cancer, lung", "cancer, skin", "flu", "fracture, open", "fracture, \"closed\"", "burn"];
    let mut text = "town,disease,ill\n".to_owned();
    for row in 0..240_usize {
        let (town, kind) = (kinds[row * 7 % 6].replace('"', "\"\""), kinds[row * 5 % 6].replace('"', "\"\""));
        text += &format!("\"{town}\",\"{kind}\",{}\n", ["yes", "no"][row * 7 % 6 % 2]);
    }
    let data = folder.file("t.csv", text);
    let policy = "class = \"ill\"\n[attributes]\ntown = { role = \"public\" }\ndisease = { role = \"private\" }\nill = { role = \"private\" }\n[guarantee]\nk = 50\n";
    let policy = folder.file("policy.toml", policy);
    for method in ["spans", "mondrian", "best", "finest"] {
        let out = folder.path("out.csv");
        let made = incrowd(&[
            "table", "--data", &data, "--policy", &policy, "--method", method, "--out", &out, "--force",
        ]);
        assert_eq!(made.status, 0, "{method}: {}", made.err);
        let audited = incrowd(&["audit", "--table", &out, "--policy", &policy]);
        assert_eq!(audited.status, 0, "{method}: {}", audited.err);
        let released = std::fs::read_to_string(&out).unwrap();
        assert!(!released.contains("{cancer, lung"), "{method}: {released}");
        let new = folder.path("new.csv");
        let ran =
            incrowd(&["transform", &folder.path("out.json"), "--data", &data, "--out", &new, "--force"]);
        assert_eq!(ran.status, 0, "{method}: {}", ran.err);
    }
}
