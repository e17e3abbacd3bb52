//! Which values a distance to the whole table is taken over: those that occur, each by its own rank, and all of them,
//! also where a dependency rules some out for a span.

use crate::{Folder, incrowd};
use serde_json::Value;

/// The status of an audit, and the measures of one private attribute.
fn measured(policy: &str, data: &str, tree: &str, of: &str, flags: &[&str]) -> (i32, Value) {
    let folder = Folder::new();
    let (data, policy) = (folder.file("d.csv", data), folder.file("p.toml", policy));
    let tree = folder.file("t.json", tree);
    let files = ["audit", &tree, "--data", &data, "--policy", &policy, "--json"];
    let ran = incrowd(&[&files[..], flags].concat());
    assert!(ran.status < 2, "{}", ran.err);
    let json = ran.json();
    let all = json["attributes"].as_array().unwrap();
    (ran.status, all.iter().find(|attribute| attribute["name"] == of).unwrap().clone())
}

fn tree(values: &[&str], attributes: &str, nodes: &str) -> String {
    let values = serde_json::to_string(values).unwrap();
    format!(
        "{{\"format\": \"incrowd-release\", \"version\": 1, \"family\": \"tree\", \"class\": {{\"name\": \"c\", \
         \"values\": {values}}}, \"attributes\": [{attributes}], \"nodes\": [{nodes}]}}"
    )
}

/// A branch takes a declared value that no individual has together with one that occurs: the latter's rank counts.
#[test]
fn values_that_do_not_occur_do_not_move_others() {
    let data = "sex,grade,c\nm,o0,y\nm,o0,n\nm,o1,y\nm,o1,n\nf,o1,y\nf,o1,n\nf,o2,y\nf,o2,n\n";
    let tested = |own: &str, rest: &str| {
        let policy = format!(
            "class = \"c\"\n[attributes.sex]\nrole = \"public\"\n[attributes.c]\nrole = \"private\"\n\
             [attributes.grade]\nrole = \"private\"\norder = [{own}\"o0\", \"o1\", \"o2\"]\n\
             [guarantee]\nk = 2\nof = [\"grade\"]\n"
        );
        let test = |first: u32| {
            let to =
                |values: &str, place: u32| format!("{{\"values\": [{values}], \"to\": {}}}", first + place);
            let branches = [to("\"o0\"", 0), to(&format!("\"o1\"{rest}"), 1), to("\"o2\"", 2)].join(", ");
            format!("{{\"test\": {{\"attribute\": \"grade\", \"branches\": [{branches}]}}}}")
        };
        let root = "{\"test\": {\"attribute\": \"sex\", \"branches\": [{\"values\": [\"m\"], \"to\": 1}, \
                    {\"values\": [\"f\"], \"to\": 2}]}}";
        let leaf = |n: u32| format!("{{\"leaf\": {{\"label\": \"y\", \"counts\": [{n}, {n}]}}}}");
        let leaves = [1, 1, 0, 0, 1, 1].map(leaf).join(", ");
        let nodes = format!("{root}, {}, {}, {leaves}", test(3), test(6));
        let attributes = format!(
            "{{\"name\": \"sex\", \"values\": [\"m\", \"f\"]}}, \
             {{\"name\": \"grade\", \"values\": [{own}\"o0\", \"o1\", \"o2\"]}}"
        );
        let flags = ["--t-closeness", "0.2", "--t-distance", "ordered"];
        let tree = tree(&["y", "n"], &attributes, &nodes);
        let (status, measures) = measured(&policy, data, &tree, "grade", &flags);
        (status, measures["t_ordered"].as_f64())
    };
    assert_eq!(tested("", ""), (1, Some(0.25)));
    assert_eq!(tested("\"r0\", ", ", \"r0\""), (1, Some(0.25)));
}

const SEXES: &str =
    "class = \"c\"\n[attributes.sex]\nrole = \"public\"\n[attributes.c]\nrole = \"private\"\n";

/// Men cannot have b, d or e; these are values all the same.
#[test]
fn impossible_classes_keep_their_ranks() {
    let policy = format!(
        "{SEXES}order = [\"a\", \"b\", \"c\", \"d\", \"e\"]\n[[dependencies]]\nfrom = [\"c\"]\nto = \"sex\"\n\
         [guarantee]\nk = 5\nt-closeness = 0.4\nt-distance = \"ordered\"\n"
    );
    let rows = ["m,a\n".repeat(5), "f,b\nm,c\n".to_owned(), "f,d\n".repeat(5), "f,e\n".repeat(5)].concat();
    let one =
        tree(&["a", "b", "c", "d", "e"], "", "{\"leaf\": {\"label\": \"a\", \"counts\": [5, 1, 1, 5, 5]}}");
    let (status, measures) = measured(&policy, &format!("sex,c\n{rows}"), &one, "c", &[]);
    assert_eq!(status, 1);
    // Men have 5 a and 1 c of 6, the whole table 5, 1, 1, 5, 5 of 17.
    let far = [5.0 / 6.0 - 5.0 / 17.0, 5.0 / 6.0 - 6.0 / 17.0, 1.0 - 7.0 / 17.0, 1.0 - 12.0 / 17.0];
    let expected: f64 = far.iter().sum::<f64>() / 4.0;
    let found = measures["t_ordered"].as_f64().unwrap();
    assert!((found - expected).abs() < 1e-12, "{found}");
}

/// Individual 2 has d and e, which no individual with x = 1 can have, and counts for both in the whole table.
#[test]
fn impossible_classes_are_counted_one_by_one() {
    let policy = "class = \"c\"\nsubject = \"id\"\n[attributes.x]\nrole = \"public\"\n[attributes.c]\nrole = \"private\"\n\
                  [[dependencies]]\nfrom = [\"c\"]\nto = \"x\"\n[guarantee]\nk = 2\n";
    let data = "x,c,id\n1,a,1\n1,b,1\n0,d,2\n0,e,2\n1,a,3\n0,d,4\n";
    let one = tree(&["a", "b", "d", "e"], "", "{\"leaf\": {\"label\": \"a\", \"counts\": [2, 1, 2, 1]}}");
    let (status, measures) = measured(policy, data, &one, "c", &["--beta", "0.7"]);
    assert_eq!(status, 1);
    assert_eq!((measures["t_equal"].as_f64(), measures["beta"].as_f64()), (Some(0.5), Some(1.0)));
}
