//! Whatever `incrowd table` writes passes `incrowd audit` under the same policy, with the same figures.

use crate::{Folder, Ran, incrowd};

/// What both commands must agree on.
const FIGURES: [&str; 5] = ["k", "spans", "individuals", "exposed", "max_confidence"];

struct Clinic {
    folder: Folder,
    data: String,
    policy: String,
}

/// Visits of people, a number each for what is random, by a small generator.
fn clinic(subject: bool, seed: u64, extra: &str) -> Clinic {
    let folder = Folder::new();
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = move |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % n
    };
    let mut text = if subject { "who,".to_owned() } else { String::new() };
    text += "sex,age,zip,grade,visits,ill\n";
    let people: Vec<(u64, u64, u64)> = (0..60).map(|_| (below(2), 20 + below(9), 10 + below(3))).collect();
    for row in 0..150 {
        let who = if subject { below(60) } else { row % 60 };
        let (sex, age, zip) = people[who as usize];
        let id = if subject { format!("p{who},") } else { String::new() };
        let grade = ["low", "mid", "high"][((age / 4 + below(2)) % 3) as usize];
        let ill = ["flu", "none", "asthma"][((age + below(2)) % 3) as usize];
        text += &format!("{id}{},{age},{zip},{grade},{},{ill}\n", ["f", "m"][sex as usize], below(4));
    }
    let subject = if subject { "subject = \"who\"\n" } else { "" };
    let policy = format!(
        "class = \"ill\"\n{subject}{extra}[attributes]\nsex = {{ role = \"public\", taxonomy = {{ flat = {{}} }} }}\n\
         age = {{ role = \"public\", taxonomy = {{ round = {{}} }} }}\nzip = {{ role = \"public\", taxonomy = {{ prefix = {{}} }} }}\n\
         grade = {{ role = \"private\", order = [\"low\", \"mid\", \"high\"] }}\nvisits = {{ role = \"private\" }}\nill = {{ role = \"private\" }}\n"
    );
    let (data, policy) = (folder.file("visits.csv", text), folder.file("policy.toml", policy));
    Clinic { folder, data, policy }
}

/// Makes a table and audits it both ways; false if none could be made.
fn agrees(clinic: &Clinic, name: &str, method: &str, flags: &[&str]) -> bool {
    let out = clinic.folder.path(name);
    let base =
        ["table", "--data", &clinic.data, "--policy", &clinic.policy, "--out", &out, "--force", "--json"];
    let made = incrowd(&[&base[..], &["--method", method], flags].concat());
    if made.status != 0 {
        let spoken = ["bug in incrowd", "refuses", ".tmp"].iter().any(|word| made.err.contains(word));
        assert!(!spoken, "{method} {flags:?}: {}", made.err);
        return false;
    }
    let made = made.json();
    let sidecar = clinic.folder.path(&format!("{}.json", name.rsplit_once('.').unwrap().0));
    let check = |audited: Ran| {
        assert_eq!(audited.status, 0, "{method} {flags:?}: {}{}", audited.err, audited.out);
        let audited = audited.json();
        for figure in FIGURES {
            assert_eq!(audited[figure], made[figure], "{method} {flags:?}: {figure}");
        }
    };
    let policy = ["--policy", &clinic.policy, "--json"];
    check(incrowd(&[&["audit", "--table", &out], &policy[..], flags].concat()));
    check(incrowd(&[&["audit", &sidecar], &policy[..], flags].concat()));
    true
}

const METHODS: [&str; 9] =
    ["best", "effects", "spans", "kactus", "kactus2", "aggregate", "tds", "tdr", "mondrian"];

const ASKED: [&[&str]; 8] = [
    &["--k", "4"],
    &["--k", "3", "--confidence", "0.8"],
    &["--k", "2", "--distinct-l", "2", "--of", "all"],
    &["--k", "2", "--t-closeness", "0.4", "--t-distance", "ordered", "--of", "all"],
    &["--k", "2", "--recursive", "5,2"],
    &["--k", "2", "--entropy-l", "1.5", "--of", "grade"],
    &["--smallest-bin", "2"],
    &["--beta", "2", "--alpha", "0.9"],
];

#[test]
fn tables_of_rows_and_of_visits_audit_as_they_were_made() {
    let mut made = 0;
    for (subject, seed) in [(true, 1), (false, 2)] {
        let clinic = clinic(subject, seed, "");
        for (i, method) in METHODS.into_iter().enumerate() {
            for (j, asked) in ASKED.into_iter().enumerate() {
                let ending = ["csv", "arff", "parquet"][(i + j) % 3];
                made += usize::from(agrees(&clinic, &format!("t{i}{j}.{ending}"), method, asked));
            }
        }
    }
    assert!(made > 70, "the cases are telling: {made}");
}

/// Different attackers know different attributes, according to the policy.
#[test]
fn sets_of_attributes_are_the_policys() {
    let sets = "sets = [[\"sex\", \"age\"], [\"age\", \"zip\"]]\n";
    let clinics = [clinic(false, 3, sets), clinic(true, 4, sets)];
    for clinic in &clinics {
        for method in ["tds", "tdr", "mondrian"] {
            assert!(agrees(clinic, "sets.csv", method, &["--k", "5"]), "{method}");
        }
    }
    let wrong = clinic(false, 3, "sets = [[\"sex\", \"age\"]]\n");
    let ran = incrowd(&["audit", "--table", &wrong.data, "--policy", &wrong.policy]);
    assert!(ran.status == 2 && ran.err.contains("`zip`"), "{}", ran.err);
}

/// Someone who knows `a` knows `b`, which follows from it, though another set names it.
#[test]
fn sets_know_what_follows_from_them() {
    let folder = Folder::new();
    let policy = |dependency: &str| {
        let text = format!(
            "class = \"p\"\nsets = [[\"a\"], [\"b\"]]\n[attributes.a]\nrole = \"public\"\n[attributes.b]\n\
             role = \"public\"\nkind = \"categorical\"\n[attributes.p]\nrole = \"private\"\n{dependency}[guarantee]\nk = 4\n"
        );
        folder.file("policy.toml", &text)
    };
    let rows = "a,b,p\nxy,1,u\nxy,1,v\nxy,2,u\nxy,2,v\nwz,1,u\nwz,1,v\nwz,2,u\nwz,2,v\n";
    let table = folder.file("t.csv", rows);
    let audit = |policy: &str| incrowd(&["audit", "--table", &table, "--policy", policy, "--json"]);
    assert_eq!(audit(&policy("")).json()["k"], 4);
    let ran = audit(&policy("[[dependencies]]\nfrom = [\"a\"]\nto = \"b\"\n"));
    assert_eq!((ran.status, &ran.json()["k"]), (1, &2.into()));
}

/// Who has which diagnosis follows from the sex, which a group of men and women does not show.
#[test]
fn tables_do_not_mix_what_private_values_depend_on() {
    let folder = Folder::new();
    let policy = |more: &str| {
        let text = format!(
            "[attributes.age]\nrole = \"public\"\n[attributes.sex]\nrole = \"public\"\n[attributes.diag]\n\
             role = \"private\"\n{more}[guarantee]\nk = 2\ndistinct-l = 2\nof = \"all\"\n"
        );
        folder.file("policy.toml", &text)
    };
    let dependency = "[[dependencies]]\nfrom = [\"diag\"]\nto = \"sex\"\n";
    let hidden = folder.file("t.csv", "age,sex,diag\n*,*,prostate\n*,*,pregnant\n");
    let audit = |table: &str, policy: &str| incrowd(&["audit", "--table", table, "--policy", policy]);
    assert_eq!(audit(&hidden, &policy("")).status, 0);
    let ran = audit(&hidden, &policy(dependency));
    assert!(ran.status == 2 && ran.err.contains("`sex`") && ran.err.contains("dependency"), "{}", ran.err);
    let few = folder.file("few.csv", "age,sex,diag\n1,m,prostate\n2,f,pregnant\n");
    let many: String = (0..40)
        .map(|i| {
            format!(
                "{},{},{}\n",
                i / 4,
                ["m", "f"][i % 2],
                ["hernia", "myoma", "prostate", "pregnant"][i % 4]
            )
        })
        .collect();
    let many = folder.file("many.csv", format!("age,sex,diag\n{many}"));
    let out = folder.path("anon.csv");
    for method in ["mondrian", "finest", "best"] {
        let made = |data: &str| {
            let files = ["table", "--data", data, "--policy", &policy(dependency), "--out", &out, "--force"];
            incrowd(&[&files[..], &["--method", method]].concat())
        };
        assert_eq!(made(&few).status, 1, "{method}");
        let ran = made(&many);
        assert_eq!(ran.status, 0, "{method}: {}", ran.err);
        let written = std::fs::read_to_string(&out).unwrap();
        assert_eq!(written.lines().count(), 41, "{method}");
        assert!(written.lines().skip(1).all(|row| row.contains(",m,") || row.contains(",f,")), "{method}");
        assert_eq!(audit(&out, &policy(dependency)).status, 0, "{method}");
    }
}

/// Rows that cannot be released change the shares that the groups of the others are compared with.
#[test]
fn tables_that_lose_rows_stay_close_to_the_rest() {
    let folder = Folder::new();
    let policy = "class = \"c\"\nsubject = \"s\"\n[attributes]\na0 = { role = \"public\" }\na1 = { role = \"public\" }\n\
                  b1 = { role = \"private\" }\nc = { role = \"private\" }\n\
                  [[dependencies]]\nfrom = [\"b1\", \"a0\"]\nto = \"a1\"\n[guarantee]\nbeta = 0.5\n";
    let policy = folder.file("policy.toml", policy);
    let table =
        "a0,b1,a1,c,s\nk,l,k,good,2\nk,k,l,good,0\nl,k,k,bad,1\nk,m,k,bad,5\nk,l,k,bad,11\nl,m,k,bad,6\n";
    let table = folder.file("t.csv", table);
    let out = folder.path("anon.csv");
    for method in ["best", "mondrian", "finest"] {
        let files = ["table", "--data", &table, "--policy", &policy, "--out", &out, "--force"];
        let ran = incrowd(&[&files[..], &["--method", method, "--seed", "3"]].concat());
        assert_eq!(ran.status, 0, "{method}: {}", ran.err);
        assert_eq!(incrowd(&["audit", "--table", &out, "--policy", &policy]).status, 0, "{method}");
    }
}

/// Thresholds, too, are chosen so that no small part of a span in one bin can be derived.
#[test]
fn thresholds_leave_no_small_part() {
    let folder = Folder::new();
    let policy = "class = \"c\"\n[attributes]\nb = { role = \"private\" }\na = { role = \"public\" }\n\
                  c = { role = \"private\" }\n[guarantee]\nsmallest-bin = 2\n";
    let policy = folder.file("policy.toml", policy);
    let table = "b,a,c\nk,2.5,bad\nk,2.5,bad\nk,0.5,good\nk,1.5,good\nl,0.5,good\nl,2.5,good\n";
    let table = folder.file("t.csv", table);
    let out = folder.path("tree.json");
    for method in ["best", "kadet-c45", "kadet-id3"] {
        let files = ["tree", "--data", &table, "--policy", &policy, "--out", &out, "--force"];
        let ran = incrowd(&[&files[..], &["--method", method]].concat());
        assert_eq!(ran.status, 0, "{method}: {}", ran.err);
    }
}

/// Tables are read without the spaces around a cell, so a release must not distinguish `a` from `a `.
#[test]
fn values_that_differ_only_in_spaces_are_refused() {
    let folder = Folder::new();
    let policy = "class = \"s\"\n[attributes]\nz = { role = \"public\" }\ns = { role = \"private\" }\n[guarantee]\nk = 2\n";
    let policy = folder.file("p.toml", policy);
    let table = folder.file("t.csv", "z,s\na,flu\na ,ill\nb,flu\nb,ill\n");
    let audit = |other: &str| {
        let release = serde_json::json!({
            "format": "incrowd-release", "version": 1, "family": "tree",
            "class": { "name": "s", "values": ["flu", "ill"] },
            "attributes": [{ "name": "z", "values": ["a", other, "b"] }],
            "nodes": [
                { "test": { "attribute": "z", "branches": [
                    { "values": ["a"], "to": 1 }, { "values": [other], "to": 2 }, { "values": ["b"], "to": 3 }] } },
                { "leaf": { "label": "flu" } }, { "leaf": { "label": "ill" } }, { "leaf": { "label": "flu" } },
            ],
        });
        let release = folder.file("r.json", release.to_string());
        incrowd(&["audit", &release, "--data", &table, "--policy", &policy])
    };
    assert_eq!(audit("c").status, 0);
    let refused = audit("a ");
    assert!(refused.status == 2 && refused.err.contains("spaces around them"), "{}", refused.err);
}

/// Values that the policy declares and no individual has take no rank: m is the same to miners and audits.
#[test]
fn ordered_values_that_do_not_occur() {
    let folder = Folder::new();
    let policy = "[attributes.x]\nrole = \"public\"\n[attributes.p]\nrole = \"private\"\norder = [\"a\", \"b\", \"c\", \"d\"]\n";
    let policy = folder.file("policy.toml", policy);
    let made = |data: &str, ending: &str, flags: &[&str]| {
        let (data, out) = (folder.file("d.csv", data), folder.path(&format!("anon.{ending}")));
        let files = ["table", "--data", &data, "--policy", &policy, "--out", &out, "--force", "--json"];
        incrowd(&[&files[..], &["--k", "2", "--method", "mondrian"], flags].concat())
    };
    for ending in ["csv", "arff", "parquet"] {
        let ran = made("x,p\nu,a\nu,b\nv,b\nv,b\n", ending, &[]);
        assert_eq!(ran.status, 0, "{}", ran.err);
    }
    let data = "x,p\nu,a\nu,a\nv,c\nv,b\n";
    let table = folder.file("d2.csv", data);
    let groups = |t: &str| {
        let flags = ["--t-closeness", t, "--t-distance", "ordered"];
        let mined = made(data, "csv", &flags);
        assert_eq!(mined.status, 0, "{}", mined.err);
        let audit = ["audit", "--table", &table, "--policy", &policy];
        (mined.json()["spans"].clone(), incrowd(&[&audit[..], &flags].concat()).status)
    };
    // With three values that occur, both groups are at 3/8 of the whole.
    assert_eq!(groups("0.37"), (1.into(), 1));
    assert_eq!(groups("0.375"), (2.into(), 0));
    // The same of individuals, two of whom have a row more.
    let visits = "id,x,p\n1,u,a\n1,u,a\n2,u,a\n3,v,c\n4,v,b\n4,v,b\n";
    let policy = "subject = \"id\"\n".to_owned() + &std::fs::read_to_string(&policy).unwrap();
    folder.file("policy.toml", policy);
    let mined = made(visits, "csv", &["--t-closeness", "0.375", "--t-distance", "ordered"]);
    assert_eq!((mined.status, &mined.json()["spans"]), (0, &2.into()), "{}", mined.err);
}

/// Dependencies with private attributes that the tree of `best` does not look at.
#[test]
fn dependencies_between_private_attributes() {
    let folder = Folder::new();
    let data = folder.file("d.csv", "x,p,q,c\nu,b,m,c\nv,b,m,a\nv,b,m,a\nv,b,m,b\n");
    // A dependency with `x` is another matter: one individual has u, and only some of c and p are possible for them.
    let all =
        [("c", "p", 0), ("p\",\"c", "q", 0), ("x\",\"c", "p", 1), ("p\",\"c", "x", 1), ("x\",\"c", "q", 1)];
    for (from, to, status) in all {
        let role = |name: &str, role: &str| format!("[attributes.{name}]\nrole = \"{role}\"\n");
        let roles = role("x", "public") + &["p", "q", "c"].map(|name| role(name, "private")).concat();
        let tie = format!("[[dependencies]]\nfrom = [\"{from}\"]\nto = \"{to}\"\n");
        let policy = folder.file("policy.toml", format!("class = \"c\"\n{roles}{tie}"));
        let out = folder.path("anon.csv");
        let files = ["--data", &data, "--policy", &policy, "--out", &out, "--force"];
        let ran = incrowd(&[&["table", "--k", "4"], &files[..]].concat());
        assert_eq!(ran.status, status, "{from} -> {to}: {}", ran.err);
    }
}

/// The headline of an audit for several attackers names what individuals are exposed to, no matter which attacker
/// exposes them.
#[test]
fn exposure_is_reported_for_every_attacker() {
    let folder = Folder::new();
    let table = folder.file("s.csv", "x,y,p,c\na,1,m,u\na,2,n,v\nb,1,m,u\nb,2,n,v\n");
    let role = |name: &str, role: &str| format!("[attributes.{name}]\nrole = \"{role}\"\n");
    let roles = ["x", "y"].map(|name| role(name, "public")).concat()
        + &["p", "c"].map(|n| role(n, "private")).concat();
    let policy = folder.file("policy.toml", format!("class = \"c\"\nsets = [[\"x\"], [\"y\"]]\n{roles}"));
    let audit = ["audit", "--table", &table, "--policy", &policy, "--k", "2"];
    let ran = incrowd(&audit);
    assert!(ran.out.contains("for 4 individuals, at least one of p and c can be inferred"), "{}", ran.out);
    let report = incrowd(&[&audit[..], &["--json"]].concat()).json();
    assert_eq!(report["attributes"][0]["distinct_l"], 1);
    assert_eq!(report["exposed_to"][1]["individuals"], 4);
}

#[test]
fn a_sidecar_is_about_its_table_and_no_other() {
    let clinic = clinic(true, 5, "");
    assert!(agrees(&clinic, "anon.csv", "mondrian", &["--k", "3"]));
    let (table, sidecar) = (clinic.folder.path("anon.csv"), clinic.folder.path("anon.json"));
    let audit =
        |what: &[&str]| incrowd(&[&["audit"], what, &["--policy", &clinic.policy, "--k", "3"]].concat());
    let text = std::fs::read_to_string(&table).unwrap();
    std::fs::write(&table, text.replacen("flu", "none", 1)).unwrap();
    for what in [&["--table", &table][..], &[&sidecar]] {
        let ran = audit(what);
        assert!(ran.status == 2 && ran.err.contains("digest"), "{what:?}: {}", ran.err);
    }
    std::fs::write(&table, text).unwrap();
    // Nor may it state another number of rows.
    let release = std::fs::read_to_string(&sidecar).unwrap();
    let mut other: serde_json::Value = serde_json::from_str(&release).unwrap();
    other["rows"] = 1.into();
    std::fs::write(&sidecar, other.to_string()).unwrap();
    for what in [&["--table", &table][..], &[&sidecar]] {
        let ran = audit(what);
        assert!(ran.status == 2 && ran.err.contains("number of rows"), "{what:?}: {}", ran.err);
    }
    // Without what was counted when it was made, rows are not people.
    std::fs::remove_file(&sidecar).unwrap();
    let ran = audit(&["--table", &table]);
    assert!(ran.status == 2 && ran.err.contains("`who`"), "{}", ran.err);
}

/// Asking for more than the table was made to guarantee is answered by what was counted, or refused.
#[test]
fn more_than_was_asked_for_is_judged_by_what_was_counted() {
    let clinic = clinic(true, 6, "");
    assert!(agrees(&clinic, "anon.csv", "mondrian", &["--k", "3"]));
    let table = clinic.folder.path("anon.csv");
    let status = |flags: &[&str]| {
        incrowd(&[&["audit", "--table", &table, "--policy", &clinic.policy], flags].concat()).status
    };
    assert_eq!([status(&["--k", "2"]), status(&["--k", "61"]), status(&["--confidence", "0.01"])], [0, 1, 1]);
    assert_eq!(status(&["--smallest-bin", "2"]), 2);
}

/// `1`, `1.0` and `1.00` are one private value, unless the policy calls them names.
#[test]
fn a_sidecar_does_not_turn_numbers_into_names() {
    let folder = Folder::new();
    let policy = |kind: &str| {
        let text = format!("[attributes.x]\nrole = \"public\"\n[attributes.p]\nrole = \"private\"\n{kind}");
        folder.file("policy.toml", &text)
    };
    let table = folder.file("t.csv", "x,p\nu,1\nu,1.0\nu,1.00\n");
    let audit = |kind: &str| {
        let ran = incrowd(&[
            "audit",
            "--table",
            &table,
            "--policy",
            &policy(kind),
            "--k",
            "2",
            "--distinct-l",
            "2",
        ]);
        (ran.status, ran.err)
    };
    assert_eq!(audit("").0, 1);
    let sidecar = "{\"format\": \"incrowd-release\", \"version\": 1, \"family\": \"table\", \"file\": \"t.csv\", \
                   \"rows\": 3, \"kinds\": {\"p\": \"categorical\"}}";
    folder.file("t.json", sidecar);
    let (status, message) = audit("");
    assert!(
        status == 2 && message.contains("attribute `p`") && message.contains("several forms"),
        "{message}"
    );
    assert_eq!(audit("kind = \"categorical\"\n").0, 0);
}
