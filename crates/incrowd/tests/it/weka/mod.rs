//! What is learned here against what Weka 3.6 learns from the same rows.
//!
//! Needs Java and Debian's package `weka` (or `WEKA_JAR` names the archive).

mod additive;
mod j48;
mod part;

use crate::benchmark::table;
use incrowd::inducers::inducer;
use incrowd::random::Random;
use incrowd::table::{Column, Kind, Table};
use incrowd_eval::inducer::Examples;
use std::path::PathBuf;
use std::process::Command;

/// Weka.
struct Weka {
    jar: PathBuf,
}

impl Weka {
    fn find() -> Option<Self> {
        incrowd_testkit::weka().map(|jar| Self { jar })
    }

    /// What a classifier prints about training and test rows.
    fn classify(&self, name: &str, classifier: &[&str], train: &Table, test: &Table) -> String {
        let name = format!("{name}-{}", classifier[0].rsplit('.').next().unwrap_or(""));
        let folder = std::env::temp_dir().join(format!("incrowd-weka-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let write = |part: &str, table: &Table| {
            let path = folder.join(part);
            std::fs::write(&path, arff(&name, train, table)).expect("a file");
            path
        };
        let (train, test) = (write("train.arff", train), write("test.arff", test));
        let ran = self.java().args(classifier).arg("-t").arg(train).arg("-T").arg(test).output();
        let text = String::from_utf8_lossy(&ran.expect("Java").stdout).into_owned();
        std::fs::remove_dir_all(&folder).expect("the folder");
        text
    }

    /// The predictions of a classifier for each test row.
    fn ask(&self, name: &str, classifier: &str, train: &Table, test: &Table) -> Vec<WekaPrediction> {
        let text = self.classify(name, &[classifier, "-p", "0", "-distribution"], train, test);
        let told = text.lines().skip_while(|line| !line.contains("inst#")).skip(1);
        told.map_while(WekaPrediction::read).collect()
    }

    fn java(&self) -> Command {
        let mut command = Command::new("java");
        command.args(["-Djava.awt.headless=true", "-Xmx1g", "-cp"]).arg(&self.jar);
        command
    }
}

/// Weka's prediction for a row.
struct WekaPrediction {
    /// The class, by its place.
    class: usize,
    /// The share of each, to three decimals.
    shares: Vec<f64>,
}

impl WekaPrediction {
    /// From a line: number, actual and predicted class as `place:name` from 1 on, `+` if they differ, shares with `*`
    /// at the highest.
    fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let class: usize = words.get(2)?.split(':').next()?.parse().ok()?;
        let share = |share: &str| share.trim_start_matches('*').parse().ok();
        Some(Self { class: class - 1, shares: words.last()?.split(',').map(share).collect::<Option<_>>()? })
    }
}

/// The shares an inducer gives each test row.
fn shares(name: &str, train: &Table, test: &Table) -> Vec<Vec<f64>> {
    let inputs = inputs(train);
    let examples = Examples { table: train, class: "class", inputs: &inputs };
    let learned = inducer(name).expect("an inducer").learn(examples).expect("learned");
    let shares = learned.shares(test).expect("shares");
    shares.chunks(learned.classes().len()).map(<[f64]>::to_vec).collect()
}

/// Everything but the class.
fn inputs(table: &Table) -> Vec<String> {
    table.columns().iter().map(|c| c.name().to_owned()).filter(|name| name != "class").collect()
}

/// A figure of what Weka printed last behind a mark.
fn last(text: &str, mark: &str) -> usize {
    let line = text.lines().rfind(|line| line.starts_with(mark));
    let word = line.and_then(|line| line[mark.len()..].split_whitespace().next());
    word.and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("no {mark} in {text}"))
}

/// A table in Weka's format; names are those of the training table, so that both files declare the same.
fn arff(name: &str, train: &Table, table: &Table) -> String {
    let mut text = format!("@relation {name}\n");
    for column in train.columns() {
        let kind = match column.kind() {
            Kind::Numeric if column.name() != "class" => "numeric".to_owned(),
            _ => {
                let values =
                    (0..column.values().len()).map(|code| format!("'{}'", column.values().text(code)));
                format!("{{{}}}", values.collect::<Vec<_>>().join(","))
            }
        };
        text += &format!("@attribute '{}' {kind}\n", column.name());
    }
    text += "@data\n";
    for row in 0..table.rows() {
        let cell = |column: &Column| {
            if column.code(row) == column.missing_code() {
                return "?".to_owned();
            }
            let value = column.values().text(column.code(row) as usize);
            if column.kind() == Kind::Numeric && column.name() != "class" {
                value.into_owned()
            } else {
                format!("'{value}'")
            }
        };
        text += &table.columns().iter().map(cell).collect::<Vec<_>>().join(",");
        text.push('\n');
    }
    text
}

/// Two thirds of the rows to learn from, the rest to test with.
fn parted(table: &Table) -> (Table, Table) {
    let mut rows: Vec<u32> = (0..table.rows() as u32).collect();
    let random = &mut Random::of(1, 0);
    for last in (1..rows.len()).rev() {
        rows.swap(last, random.below(last as u32 + 1) as usize);
    }
    let (train, test) = rows.split_at(rows.len() * 2 / 3);
    (table.select(train), table.select(test))
}

/// The data sets of which a third is kept for testing.
fn parted_set(name: &str) -> Option<(Table, Table)> {
    let whole = match name {
        "glass" => table("glass/glass.data", b',', 11, &[0]),
        "german" => table("german-credit/german.data", b' ', 21, &[]),
        "tic-tac-toe" => table("tic-tac-toe/tic-tac-toe.data", b',', 10, &[]),
        "waveform" => table("waveform/waveform-+noise.data", b',', 41, &[]),
        _ => panic!("no such data set: {name}"),
    };
    Some(parted(&whole?))
}
