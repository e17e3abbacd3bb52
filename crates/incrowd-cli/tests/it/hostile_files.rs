//! Files that ask for more than they are worth: each is refused with a message, without a crash, within a bound on
//! memory. How long it takes is measured by hand (docs/bounds.md); here only what does not end is ended.

use super::{Folder, Ran, run_within};
use std::fmt::Write as _;
use std::process::Command;
use std::time::Duration;

/// How long a run may take on a slow machine that is busy with other tests.
const LIMIT: Duration = Duration::from_secs(300);

/// The address space a run may have, in KiB: memory and some for the stacks of threads.
const SPACE: usize = 2 << 20;

const TABLE: &str = "p,q,class\n1,4,a\n2,5,b\n1,4,b\n2,5,a\n";
const POLICY: &str = "class = \"class\"\n[attributes.p]\nrole = \"public\"\n[attributes.q]\nrole = \"private\"\n\
                      [attributes.class]\nrole = \"private\"\n[guarantee]\nk = 2\n";

/// Runs the program with little memory and little time.
fn limited(arguments: &[&str]) -> Ran {
    let program = env!("CARGO_BIN_EXE_incrowd");
    let mut command = if cfg!(target_os = "linux") {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {SPACE}; exec \"$@\""), "sh", program]);
        shell
    } else {
        Command::new(program)
    };
    run_within(command.args(arguments).args(["--threads", "2"]), LIMIT)
}

/// Audits a model of this text, which must be refused for this reason.
#[track_caller]
fn refused(name: &str, model: impl AsRef<[u8]>, why: &str) {
    let folder = Folder::new();
    let (model, table) = (folder.file(name, model), folder.file("t.csv", TABLE));
    let policy = folder.file("p.toml", POLICY);
    is_refused(&limited(&["audit", &model, "--data", &table, "--policy", &policy]), why);
}

#[track_caller]
fn is_refused(ran: &Ran, why: &str) {
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains(why), "{}", ran.err);
    assert!(ran.err.contains("help:") && !ran.err.contains("defect"), "{}", ran.err);
}

fn release(family: &str, rest: &str) -> String {
    format!("{{\"format\":\"incrowd-release\",\"version\":1,\"family\":\"{family}\",{rest}}}")
}

fn tree(attributes: &str, classes: usize, nodes: &[String]) -> String {
    let classes: Vec<String> =
        ["a", "b"].map(str::to_owned).into_iter().chain((2..classes).map(|i| format!("c{i}"))).collect();
    release(
        "tree",
        &format!(
            "\"class\":{{\"name\":\"class\",\"values\":{classes:?}}},\"attributes\":[{attributes}],\"nodes\":[{}]",
            nodes.join(",")
        ),
    )
}

const NUMBERS: &str = "{\"name\":\"p\",\"numeric\":true},{\"name\":\"q\",\"numeric\":true}";
const LEAF: &str = "{\"leaf\":{\"label\":\"a\"}}";

/// One test with a number of thresholds.
fn wide_test(thresholds: usize, classes: usize) -> String {
    let at: Vec<usize> = (0..thresholds).collect();
    let to: Vec<usize> = (1..=thresholds + 1).collect();
    let test = format!("{{\"test\":{{\"attribute\":\"q\",\"thresholds\":{at:?},\"to\":{to:?}}}}}");
    let mut nodes = vec![test];
    nodes.extend(std::iter::repeat_n(LEAF.to_owned(), thresholds + 1));
    tree(NUMBERS, classes, &nodes)
}

/// So many tests of one number, each behind the one before.
fn chain(tests: usize) -> String {
    let mut nodes = Vec::new();
    for i in 0..tests {
        let (leaf, next) = (2 * i + 1, 2 * i + 2);
        nodes.push(format!(
            "{{\"test\":{{\"attribute\":\"q\",\"thresholds\":[{i}],\"to\":[{leaf},{next}]}}}}"
        ));
        nodes.push(LEAF.to_owned());
    }
    nodes.push(LEAF.to_owned());
    tree(NUMBERS, 2, &nodes)
}

#[test]
fn trees_of_too_many_private_tests_thresholds_and_class_values() {
    let divided = "split their values in too many ways";
    refused("t.json", chain(200_000), divided);
    refused("t.json", wide_test(100_000, 2), divided);
    refused("t.json", wide_test(2000, 20_000), "too many nodes for its class values");
}

#[test]
fn trees_of_tests_that_stand_for_too_many_values() {
    let values: Vec<String> = (0..100_000).map(|i| i.to_string()).collect();
    let attributes = format!("{{\"name\":\"p\",\"numeric\":true}},{{\"name\":\"q\",\"values\":{values:?}}}");
    let mut nodes = Vec::new();
    for i in 0..200 {
        let test = format!("\"branches\":[{{\"values\":[\"1\"],\"to\":{}}}],\"otherwise\":0", i + 1);
        nodes.push(format!("{{\"test\":{{\"attribute\":\"q\",{test}}}}}"));
    }
    nodes.push(LEAF.to_owned());
    refused("t.json", tree(&attributes, 2, &nodes), "more than 16777216 values");
}

#[test]
fn clusterings_of_too_many_or_too_long_centres() {
    let axes = "\"axes\":[{\"name\":\"p\"},{\"name\":\"q\"}]";
    let centroids: Vec<String> = (0..10_000).map(|i| format!("{{\"center\":[{i},{i}]}}")).collect();
    let text = release("clusters", &format!("{axes},\"centroids\":[{}]", centroids.join(",")));
    refused("c.json", text, "more than 8192 clusters");
}

#[test]
fn sets_of_too_many_rules() {
    let attributes =
        "\"attributes\":[{\"name\":\"p\",\"values\":[\"1\"]},{\"name\":\"q\",\"values\":[\"4\"]}]";
    let rules = vec!["{\"if\":[{\"p\":\"1\"}],\"then\":[{\"q\":\"4\"}]}"; 70_000].join(",");
    refused(
        "r.json",
        release("rules", &format!("{attributes},\"rules\":[{rules}]")),
        "more than 65536 rules",
    );
    let mut lines = "\"rules\",\"support\",\"confidence\"\n".to_owned();
    (0..70_000).for_each(|i| writeln!(lines, "\"{{p={i}}} => {{q=4}}\",0.1,0.5").expect("text"));
    refused("r.csv", lines, "more than 65536 rules");
}

/// Deep nesting, many values and lines that are not a header.
#[test]
fn json_that_is_too_much() {
    refused("j.json", "[".repeat(1 << 20), "docs/foreign-models.md");
    refused("j.json", format!("{{\"format\":{}", "[".repeat(1 << 20)), "ends too early");
    let many = "[],".repeat((1 << 21) + 1);
    refused("j.json", format!("{{\"format\":[{many}[]]}}"), "more than 4194304 values");
    let folder = Folder::new();
    let (table, policy) = (folder.file("t.csv", TABLE), folder.file("p.toml", POLICY));
    let hole = folder.path("hole.json");
    std::fs::File::create(&hole).unwrap().set_len(65 << 20).unwrap();
    is_refused(&limited(&["audit", &hole, "--data", &table, "--policy", &policy]), "limit of 64 MiB");
}

fn pmml(fields: &str, nodes: &str) -> String {
    format!(
        "<PMML version=\"4.4\"><DataDictionary><DataField name=\"p\" optype=\"continuous\" dataType=\"double\"/>\
         <DataField name=\"q\" optype=\"continuous\" dataType=\"double\"/>{fields}\
         <DataField name=\"class\" optype=\"categorical\" dataType=\"string\"><Value value=\"a\"/><Value value=\"b\"/></DataField>\
         </DataDictionary><TreeModel functionName=\"classification\"><MiningSchema><MiningField name=\"p\"/>\
         <MiningField name=\"q\"/><MiningField name=\"class\" usageType=\"target\"/></MiningSchema>{nodes}</TreeModel></PMML>"
    )
}

#[test]
fn pmml_that_is_too_deep_or_too_wide() {
    let is = |operator: &str, value: usize| {
        format!("<SimplePredicate field=\"q\" operator=\"{operator}\" value=\"{value}\"/>")
    };
    let open = format!("<Node score=\"a\">{}", is("lessOrEqual", 1)).repeat(100_000);
    let deep = format!("<Node score=\"a\"><True/>{open}{}</Node>", "</Node>".repeat(100_000));
    refused("deep.pmml", pmml("", &deep), "nested more than 40000 deep");
    let attributes: String = (0..200_000).map(|i| format!(" a{i}=\"1\"")).collect();
    refused(
        "wide.pmml",
        pmml("", &format!("<Node score=\"a\"{attributes}><True/></Node>")),
        "more than 64 attributes",
    );
    let nested: String = (0..30_000).map(|i| format!("<x xmlns:x{i}=\"u{i}\">")).collect();
    refused("namespaces.pmml", pmml("", &nested), "more than 64 namespaces");
    let siblings: String =
        (0..40_000).map(|i| format!("<Node score=\"a\">{}</Node>", is("lessOrEqual", i))).collect();
    let siblings = format!("<Node score=\"a\"><True/>{siblings}</Node>");
    refused("siblings.pmml", pmml("", &siblings), "name too many values");
    let parts: String = (0..40_000).map(|i| is("equal", 2 * i)).collect();
    let or = format!("<CompoundPredicate booleanOperator=\"or\">{parts}</CompoundPredicate>");
    let compound = format!(
        "<Node score=\"a\"><True/><Node score=\"a\">{or}</Node><Node score=\"b\"><True/></Node></Node>"
    );
    refused("compound.pmml", pmml("", &compound), "name too many values");
}

/// A file that expands, and one that claims to contain more than it does.
#[test]
fn onnx_and_xml_bombs() {
    let entities = "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]>";
    refused("bomb.pmml", format!("{entities}{}", pmml("", "<Node score=\"&b;\"><True/></Node>")), "DOCTYPE");
    // A message of 2^62 bytes.
    let mut onnx = vec![0x08, 0x07, 0x3a];
    onnx.extend([0xff; 8]);
    onnx.push(0x3f);
    refused("bomb.onnx", onnx, "help:");
}

#[test]
fn tables_of_too_many_columns() {
    let folder = Folder::new();
    let header: Vec<String> = (0..200_000).map(|i| format!("c{i}")).collect();
    let row = vec!["1"; 200_000].join(",");
    let csv = folder.file("wide.csv", format!("{}\n{row}\n{row}\n", header.join(",")));
    is_refused(&limited(&["profile", &csv]), "more than 32768 columns");
    let head: String = header.iter().map(|name| format!("@attribute {name} numeric\n")).collect();
    let arff = folder.file("wide.arff", format!("@relation r\n{head}@data\n{row}\n"));
    is_refused(&limited(&["profile", &arff]), "more than 32768 columns");
    let long = folder.file("long.csv", "x".repeat(80 << 20));
    is_refused(&limited(&["profile", &long]), "too long");
}

#[test]
fn policies_and_taxonomies_of_any_size() {
    let folder = Folder::new();
    let table = folder.file("t.csv", TABLE);
    let out = folder.path("tree.json");
    let mine = |policy: &str| limited(&["tree", "--data", &table, "--policy", policy, "--out", &out]);
    let large = folder.path("large.toml");
    std::fs::File::create(&large).unwrap().set_len(5 << 20).unwrap();
    is_refused(&mine(&large), "the policy file exceeds the limit of 4 MiB");
    std::fs::File::create(folder.path("large.csv")).unwrap().set_len(17 << 20).unwrap();
    let taxonomy =
        |name: &str| POLICY.replacen("\"public\"", &format!("\"public\"\ntaxonomy = \"{name}\""), 1);
    let policy = folder.file("taxonomy.toml", taxonomy("large.csv"));
    is_refused(&mine(&policy), "the taxonomy file exceeds the limit of 16 MiB");
    let deep = folder.file("deep.toml", format!("a = {}", "[".repeat(1 << 20)));
    is_refused(&mine(&deep), "TOML");
    if cfg!(unix) {
        is_refused(&mine("/dev/zero"), "the policy file exceeds the limit of 4 MiB");
        let policy = folder.file("zero.toml", taxonomy("/dev/zero"));
        is_refused(&mine(&policy), "the taxonomy is not a regular file");
    }
}

/// Each of many attributes follows from the one before, listed from the last to the first.
#[test]
fn long_chains_of_dependencies() {
    let folder = Folder::new();
    let count = 3000;
    let names: Vec<String> = (0..count).map(|i| format!("c{i}")).collect();
    let row = |value: &str, class: &str| format!("{},{class}\n", vec![value; count].join(","));
    let rows = [row("1", "a"), row("2", "b"), row("1", "b"), row("2", "a")].concat();
    let table = folder.file("t.csv", format!("{},class\n{rows}", names.join(",")));
    let mut policy = "class = \"class\"\n[attributes.class]\nrole = \"private\"\n".to_owned();
    for (i, name) in names.iter().enumerate() {
        let role = if i == 0 { "public" } else { "private" };
        writeln!(policy, "[attributes.{name}]\nrole = \"{role}\"").expect("text");
    }
    for i in (1..count).rev() {
        writeln!(policy, "[[dependencies]]\nfrom = [\"c{}\"]\nto = \"c{i}\"", i - 1).expect("text");
    }
    let policy = folder.file("p.toml", policy + "[guarantee]\nk = 2\n");
    let attributes = "{\"name\":\"c2999\",\"numeric\":true}";
    let test = "{\"test\":{\"attribute\":\"c2999\",\"thresholds\":[1.5],\"to\":[1,2]}}".to_owned();
    let model = tree(attributes, 2, &[test, LEAF.to_owned(), LEAF.to_owned()]);
    let model = folder.file("tree.json", model);
    let ran = limited(&["audit", &model, "--data", &table, "--policy", &policy]);
    assert_eq!(ran.status, 0, "{}", ran.err);
}
