//! Exported trees give exactly incrowd's predictions, each checked by a program that reads its language.

use crate::grow::{self, Plan};
use crate::{Folder, adult_policy, data, incrowd};
use incrowd::io::write_csv;
use incrowd::model::{Detail, Model};
use incrowd::table::{Column, Kind, People, Table};
use incrowd_io::release::{Release, parse_release};
use incrowd_testkit::ADULT;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A language and how its files end.
type Language = (&'static str, &'static str);

const LANGUAGES: [Language; 4] = [("python", "py"), ("sql", "sql"), ("onnx", "onnx"), ("pmml", "pmml")];

/// The languages that ensembles can be written in.
const OF_ENSEMBLES: [Language; 3] = [("python", "py"), ("onnx", "onnx"), ("pmml", "pmml")];

/// The Python with the consumers.
pub(crate) fn python() -> Option<String> {
    incrowd_testkit::python().map(|python| python.to_str().unwrap().to_owned())
}

/// A table that models are tried on.
pub(crate) struct Trial<'a> {
    folder: &'a Folder,
    table: &'a Table,
    csv: String,
}

impl<'a> Trial<'a> {
    pub(crate) fn new(folder: &'a Folder, table: &'a Table) -> Self {
        let csv = folder.path("data.csv");
        write_csv(Path::new(&csv), table, true).unwrap();
        Self { folder, table, csv }
    }

    /// Predicts with incrowd and with every consumer of an export of a tree.
    fn check(&self, python: &str, release: &str, class: &str) {
        self.check_in(&LANGUAGES, python, release, class);
    }

    /// Predicts with incrowd and with every consumer of an export of an ensemble.
    pub(crate) fn check_ensemble(&self, python: &str, release: &str, class: &str) {
        self.check_in(&OF_ENSEMBLES, python, release, class);
    }

    fn check_in(&self, languages: &[Language], python: &str, release: &str, class: &str) {
        let tree = self.folder.file("tree.json", release);
        let predictions = self.folder.path("predictions.csv");
        let ran = incrowd(&[
            "predict",
            &tree,
            "--data",
            &self.csv,
            "--missing",
            "",
            "--out",
            &predictions,
            "--force",
            "--json",
        ]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let numeric = self.table.columns().iter().filter(|column| column.kind() == Kind::Numeric);
        let numeric = numeric.map(Column::name).collect::<Vec<_>>().join(",");
        let start = |&(language, ending): &Language| {
            let model = self.folder.path(&format!("tree.{ending}"));
            let ran = incrowd(&["export", &tree, "--to", language, "--out", &model, "--force"]);
            assert_eq!(ran.status, 0, "{language}: {}", ran.err);
            let mut consumer = Command::new(python);
            consumer.args(["-X", "utf8", "-c", include_str!("consumers.py"), language, &model, &self.csv]);
            consumer.args([&predictions, &numeric, class]).stdout(Stdio::piped()).stderr(Stdio::piped());
            (language, consumer.spawn().unwrap())
        };
        let running: Vec<(&str, Child)> = languages.iter().map(start).collect();
        running.into_iter().for_each(|(language, child)| self.finish(language, child));
    }

    fn finish(&self, language: &str, child: Child) {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => {
                let rows = String::from_utf8_lossy(&output.stdout).trim().to_owned();
                assert_eq!(rows, self.table.rows().to_string(), "{language}");
            }
            Some(3) => {
                let what = format!("what checks {language}: {}", said.trim());
                incrowd_testkit::needed(None::<()>, &what);
            }
            _ => panic!("{language}: {said}"),
        }
    }
}

/// All test rows of Adult, those with missing values too, and some with a value no tree knows.
#[test]
fn adult() {
    let (Some(python), Some(train)) = (python(), data("adult/adult.data")) else { return };
    let Some(test) = data("adult/adult.test") else { return };
    let folder = Folder::new();
    let public: Vec<&str> = ADULT.into_iter().filter(|name| *name != "class").collect();
    let policy = adult_policy(&public, "");
    let table = grow::table(&train, &policy);
    let text = std::fs::read_to_string(test).unwrap().replace("Widowed", "Unheard-of");
    let test = folder.file("adult.test", text);
    let test = grow::table(&test, &policy.replace("\"drop\"", "\"keep\""));
    let trial = Trial::new(&folder, &test);
    assert_eq!(test.rows(), 16281);
    for (leaves, otherwise, class) in [(1, true, "class"), (100, false, "class"), (60, true, "occupation")] {
        let release = grow::release(&table, class, Plan { leaves, least: 20, otherwise });
        trial.check(&python, &release, class);
    }
    let release = grow::release(&table, "class", Plan { leaves: 20, least: 20, otherwise: false });
    for detail in [Detail::Shares { digits: 1 }, Detail::Labels] {
        trial.check(&python, &in_detail(&release, detail), "class");
    }
}

/// A release with less detail.
fn in_detail(release: &str, detail: Detail) -> String {
    let Ok(Release::Model(mut release)) = parse_release(release, Path::new("tree.json")) else {
        panic!("no tree")
    };
    let Model::Tree(tree) = &release.model else { panic!("no tree") };
    release.model = Model::Tree(tree.in_detail(detail));
    Release::Model(release).to_text().unwrap()
}

/// Names and values that would break out of a careless quotation.
#[test]
fn nasty_names() {
    let Some(python) = python() else { return };
    let nasty = [
        "'); DROP TABLE data; --",
        "a\"b",
        "\\",
        "\"\"\"",
        "</Value><True/>",
        "é𝄞",
        "two\nlines",
        "{0} %s ${x}",
        "&amp;",
        "/* x */",
        "' OR '1'='1",
        "tab\there",
        "]]>",
        "#{}",
        "\u{2028}",
        "label",
    ];
    let rows = 400;
    let value = |row: usize, by: usize| Some(nasty[(row / by + row * row / 7) % nasty.len()]);
    let texts = |name: &str, by: usize| {
        Column::from_texts(name, &(0..rows).map(|row| value(row, by)).collect::<Vec<_>>())
    };
    let numbers: Vec<Option<f64>> = (0..rows).map(|row| Some((row * 37 % 101) as f64 / 8.0)).collect();
    let class: Vec<Option<&str>> = (0..rows)
        .map(|row| {
            value(row, 1).map(|text| if numbers[row] > Some(6.0) { text } else { nasty[text.len() % 3] })
        })
        .collect();
    let columns = vec![
        texts("'); DROP TABLE data; --", 1),
        texts("a\"b\\", 3),
        texts("label", 5),
        Column::from_numbers("n'\"\n<é𝄞", &numbers).unwrap(),
        Column::from_texts("the \"class\" </x>", &class),
    ];
    let table = Table::new(columns, People::Rows).unwrap();
    let folder = Folder::new();
    let trial = Trial::new(&folder, &table);
    for otherwise in [true, false] {
        let release = grow::release(&table, "the \"class\" </x>", Plan { leaves: 25, least: 1, otherwise });
        trial.check(&python, &release, "the \"class\" </x>");
    }
}

#[test]
fn what_a_language_cannot_say_is_said() {
    let folder = Folder::new();
    let tree = r#"{"format":"incrowd-release","version":1,"family":"tree","class":{"name":"c","values":["a\u0000","b"]},
      "attributes":[{"name":"x","numeric":true}],"nodes":[{"leaf":{"label":"b"}}]}"#;
    let tree = folder.file("tree.json", tree.replace("\"label\":\"b\"", "\"label\":\"a\\u0000\""));
    for language in ["sql", "pmml"] {
        let ran = incrowd(&["export", &tree, "--to", language]);
        assert!(ran.status == 2 && ran.err.contains("cannot represent"), "{language}: {}", ran.err);
    }
    assert_eq!(incrowd(&["export", &tree, "--to", "python"]).status, 0);
}

#[test]
fn json_is_the_release_itself() {
    let folder = Folder::new();
    let text = "{\n \"format\": \"incrowd-release\",\n \"version\": 1,\n \"family\": \"tree\",\n \
                \"class\": {\"name\": \"c\", \"values\": [\"a\"]},\n \"attributes\": [\n ],\n \"nodes\": [\n  \
                {\"leaf\": {\"label\": \"a\"}}\n ]\n}\n";
    let tree = folder.file("tree.json", text.replace("[\n ]", "[]"));
    let ran = incrowd(&["export", &tree, "--to", "json"]);
    assert_eq!(ran.out, std::fs::read_to_string(&tree).unwrap(), "{}", ran.err);
    let out = folder.path("copy.json");
    assert_eq!(incrowd(&["export", &tree, "--to", "json", "--out", &out]).status, 0);
    let again = incrowd(&["export", &tree, "--to", "json", "--out", &out]);
    assert!(again.status == 2 && again.err.contains("--force"), "{}", again.err);
}
