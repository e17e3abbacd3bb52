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

/// The policy's `values`, `range` and `whole` apply to released tables; the error names the row and not the value.
#[test]
fn cells_are_held_to_the_policy() {
    for (cell, private) in [
        ("0.25", "whole = true\nrange = [0, 9]"),
        ("77", "range = [0, 9]"),
        ("\"[70, 80)\"", "range = [0, 9]"),
        ("\"(1, 2)\"", "whole = true"),
        ("zz", "values = [\"1\", \"x\"]"),
        ("\"{x, zz}\"", "values = [\"1\", \"x\"]"),
        ("zz", "order = [\"1\", \"x\"]"),
    ] {
        let ran = audit(&format!("g,y\nf,1\nf,{cell}\n"), private, &["--k", "2"]);
        assert_eq!(ran.status, 2, "{cell}: {}", ran.out);
        assert!(ran.err.contains("`y`") && ran.err.contains("help"), "{cell}: {}", ran.err);
        assert!(!ran.err.contains("zz") && !ran.err.contains("77"), "{cell}: {}", ran.err);
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
        assert!(ran.err.contains("row 2") && !ran.err.contains("zz"), "{command}: {}", ran.err);
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

/// A masked code and `other values` do not name the values they cover, which matters where the policy declares them.
#[test]
fn cells_that_do_not_name_declared_values_are_refused() {
    let folder = Folder::new();
    let policy = "[attributes]\ng = { role = \"public\" }\ny = { role = \"private\", kind = \"categorical\", values = [\"123\", \"124\", \"223\"], taxonomy = { prefix = {} } }\n[guarantee]\nk = 2\n";
    let policy = folder.file("p.toml", policy);
    for cell in ["22*", "3**", "other values"] {
        let table = folder.file("t.csv", format!("g,y\nf,{cell}\nf,223\nm,123\nm,124\n"));
        let ran = incrowd(&["audit", "--table", &table, "--policy", &policy]);
        assert!(
            ran.status == 2 && ran.err.contains("does not name the values"),
            "{cell}: {}{}",
            ran.out,
            ran.err
        );
    }
}

/// Which other days a declared range leaves is not followed where private dates are names.
#[test]
fn ranges_of_private_dates_by_name_are_refused() {
    let folder = Folder::new();
    let policy = "[attributes]\ng = { role = \"public\" }\nd = { role = \"private\", kind = \"date\", range = [\"2020-01-01\", \"2020-12-31\"] }\n[guarantee]\nk = 2\n";
    let policy = folder.file("p.toml", policy);
    let table = folder.file("t.csv", "g,d\nf,2020-02-01\nf,2020-02-01\nm,2020-02-01\nm,2020-02-01\n");
    let ran = incrowd(&["audit", "--table", &table, "--policy", &policy]);
    assert!(ran.status == 2 && ran.err.contains("`range`"), "{}{}", ran.out, ran.err);
}
