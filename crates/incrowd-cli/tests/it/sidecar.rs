//! The release file of a table is untrusted: what it states about individuals must be possible.

use crate::{Folder, Ran, incrowd};
use serde_json::{Value, json};

/// Six individuals, three in each group; two have two rows. All rows of the first group have u.
const VISITS: &str = "id,x,c\n1,a,u\n1,a,u\n2,a,u\n3,a,u\n4,b,u\n4,b,v\n5,b,u\n6,b,v\n";
const POLICY: &str = "class = \"c\"\nsubject = \"id\"\n[attributes.x]\nrole = \"public\"\n[attributes.c]\nrole = \"private\"\n\
                      values = [\"u\", \"v\", \"w\"]\n[guarantee]\nk = 2\n";

struct Released {
    folder: Folder,
    data: String,
    policy: String,
}

fn released() -> Released {
    let folder = Folder::new();
    let (data, policy) = (folder.file("visits.csv", VISITS), folder.file("policy.toml", POLICY));
    let out = folder.path("anon.csv");
    let made =
        incrowd(&["table", "--data", &data, "--policy", &policy, "--method", "mondrian", "--out", &out]);
    assert_eq!(made.status, 0, "{}", made.err);
    Released { folder, data, policy }
}

impl Released {
    /// The audit of the release after a change of what its file states.
    fn changed(&self, change: impl Fn(&mut Value), flags: &[&str]) -> Ran {
        let text = std::fs::read_to_string(self.folder.path("anon.json")).unwrap();
        let mut sidecar: Value = serde_json::from_str(&text).unwrap();
        change(&mut sidecar);
        self.folder.file("anon.json", sidecar.to_string());
        let ran = self.audit(flags);
        self.folder.file("anon.json", text);
        ran
    }

    fn audit(&self, flags: &[&str]) -> Ran {
        incrowd(&[&["audit", &self.folder.path("anon.json"), "--policy", &self.policy], flags].concat())
    }
}

#[test]
fn what_the_rows_rule_out_is_refused() {
    let released = released();
    let flags = ["--distinct-l", "2", "--confidence", "0.5"];
    assert_eq!([released.audit(&[]).status, released.audit(&flags).status], [0, 1]);
    let held = |sidecar: &mut Value| {
        sidecar["people"][0]["held"] = json!(["k = 2", "distinct l = 2 of c", "confidence <= 0.5 of c"]);
    };
    let ran = released.changed(
        |sidecar| {
            held(sidecar);
            sidecar["people"][0]["exposed"] = json!(0);
            sidecar["people"][0]["exposed_to"] = json!([0]);
        },
        &flags,
    );
    assert!(ran.status == 2 && ran.err.contains("`exposed`"), "{}", ran.err);
    let ran = released.changed(held, &flags);
    assert!(ran.status == 2 && ran.err.contains("distinct l = 2 of c holds"), "{}", ran.err);
    for (key, value) in [("max_confidence", json!(0.5)), ("entropy_l", json!(2.0)), ("t_equal", json!(0.0))] {
        let ran = released.changed(|sidecar| sidecar["people"][0]["attributes"][0][key] = value.clone(), &[]);
        assert!(ran.status == 2 && ran.err.contains(key), "{key}: {}", ran.err);
    }
    for (key, value) in [
        ("exposed", json!(99)),
        ("most_frequent", json!([7])),
        ("alone_over_rows", json!(100)),
        ("rare_values", json!(5)),
        ("smallest_bin", json!(3)),
        ("k", json!(4)),
    ] {
        let ran = released.changed(|sidecar| sidecar["people"][0][key] = value.clone(), &[]);
        assert!(ran.status == 2 && ran.err.contains(key), "{key}: {}", ran.err);
    }
    let ran = released.changed(|sidecar| sidecar["individuals"] = json!(8), &[]);
    assert!(ran.status == 2 && ran.err.contains("number of individuals"), "{}", ran.err);
}

/// Where every row is an individual, the file's number of individuals is the table's.
#[test]
fn individuals_are_those_of_the_table() {
    let folder = Folder::new();
    let data = folder.file("rows.csv", "x,c\na,u\na,v\nb,u\nb,v\n");
    let policy =
        folder.file("policy.toml", "[attributes.x]\nrole = \"public\"\n[attributes.c]\nrole = \"private\"\n");
    let out = folder.path("anon.csv");
    let made =
        ["table", "--data", &data, "--policy", &policy, "--k", "2", "--method", "mondrian", "--out", &out];
    assert_eq!(incrowd(&made).status, 0);
    let sidecar = folder.path("anon.json");
    let text = std::fs::read_to_string(&sidecar).unwrap();
    let audit = || incrowd(&["audit", &sidecar, "--policy", &policy, "--k", "2"]);
    assert_eq!(audit().status, 0);
    std::fs::write(&sidecar, text.replace("\"individuals\": 4", "\"individuals\": 5")).unwrap();
    let ran = audit();
    assert!(ran.status == 2 && ran.err.contains("number of individuals"), "{}", ran.err);
}

/// The source is not what a released table is audited against, and must not seem to be.
#[test]
fn data_beside_a_released_table_are_refused() {
    let released = released();
    for data in [released.data.as_str(), "nowhere.csv"] {
        let ran = released.audit(&["--data", data]);
        assert!(ran.status == 2 && ran.err.contains("--data"), "{}", ran.err);
    }
}
