//! The papers' data sets: their files, their columns, and their roles.

use crate::Places;
use incrowd::files::FileReader;
use incrowd::progress::Silent;
use incrowd::table::Table;
use incrowd::{Error, Result};
use incrowd_bench::accuracy::BANK;
use incrowd_bench::{ADULT, ADULT_NAMES};
use incrowd_io::policy::{PolicyFile, Purpose};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A data set as the papers use it.
pub(crate) struct Set {
    /// Its short name.
    pub(crate) name: &'static str,
    /// Its title.
    pub(crate) title: &'static str,
    /// The k asked for.
    pub(crate) ks: &'static [u64],
    columns: Vec<Column>,
    file: &'static str,
    delimiter: &'static str,
    header: bool,
}

struct Column {
    name: String,
    role: &'static str,
    kind: Option<&'static str>,
    taxonomy: Option<Taxonomy>,
}

/// How values generalize.
#[derive(Clone)]
enum Taxonomy {
    /// As this file says.
    File(String),
    /// All at once or not at all.
    Flat,
}

/// A set that is read.
pub(crate) struct Loaded {
    pub(crate) table: Table,
    pub(crate) policy: PolicyFile,
}

/// Adult's attributes without the class.
fn adult_attributes() -> Vec<&'static str> {
    ADULT.split(',').filter(|&name| name != "class").collect()
}

/// German Credit's attributes: whether they are public, and whether they are names.
const GERMAN: [(&str, bool, bool); 20] = [
    ("checking-status", true, true),
    ("duration", true, false),
    ("credit-history", true, true),
    ("purpose", true, true),
    ("amount", true, false),
    ("savings", true, true),
    ("employment", false, true),
    ("instalment-rate", true, false),
    ("personal-status", false, true),
    ("other-debtors", true, true),
    ("residence-since", false, false),
    ("property", true, true),
    ("age", false, false),
    ("other-plans", false, true),
    ("housing", false, true),
    ("existing-credits", false, false),
    ("job", false, true),
    ("liable-people", false, false),
    ("telephone", false, true),
    ("foreign-worker", false, true),
];

fn column(name: &str, role: &'static str) -> Column {
    Column { name: name.to_owned(), role, kind: None, taxonomy: None }
}

fn class() -> Column {
    Column { kind: Some("categorical"), ..column("class", "private") }
}

/// Columns that are all public, and the class.
fn all_public<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Vec<Column> {
    names.into_iter().map(|name| column(name.as_ref(), "public")).chain([class()]).collect()
}

/// The same columns, whose names generalize all at once.
fn flat(mut columns: Vec<Column>) -> Vec<Column> {
    columns
        .iter_mut()
        .filter(|column| column.role == "public")
        .for_each(|c| c.taxonomy = Some(Taxonomy::Flat));
    columns
}

/// Adult with some public attributes, the others left out; `part` is `data`, `test` or, for both, `all`.
pub(crate) fn adult(part: &'static str, public: &[&str]) -> Set {
    let columns = adult_attributes().into_iter().map(|name| {
        let role = if public.contains(&name) { "public" } else { "ignored" };
        let taxonomy =
            ADULT_NAMES.contains(&name).then(|| Taxonomy::File(format!("adult/hierarchies/{name}.csv")));
        Column { taxonomy, ..column(name, role) }
    });
    Set {
        name: "adult",
        title: "Adult",
        ks: &[5, 20, 50, 100, 500, 1000],
        columns: columns.chain([class()]).collect(),
        file: match part {
            "data" => "adult/adult.data",
            "test" => "adult/adult.test",
            _ => "adult.all",
        },
        delimiter: ",",
        header: false,
    }
}

/// The five sets of kACTUS-2.
pub(crate) fn five() -> Vec<Set> {
    let german = GERMAN.iter().map(|&(name, public, is_name)| Column {
        taxonomy: is_name.then_some(Taxonomy::Flat),
        ..column(name, if public { "public" } else { "private" })
    });
    let glass = ["RI", "Na", "Mg", "Al", "Si", "K", "Ca", "Ba", "Fe"];
    let few = &[5, 10, 15, 20, 30];
    vec![
        adult("all", &adult_attributes()),
        Set {
            name: "german",
            title: "German Credit",
            ks: &[5, 10, 15, 20, 30, 40, 50, 80, 100],
            columns: german.chain([class()]).collect(),
            file: "german-credit/german.data",
            delimiter: " ",
            header: false,
        },
        Set {
            name: "tic-tac-toe",
            title: "Tic-Tac-Toe",
            ks: few,
            columns: flat(all_public((1..=9).map(|i| format!("square-{i}")))),
            file: "tic-tac-toe/tic-tac-toe.data",
            delimiter: ",",
            header: false,
        },
        Set {
            name: "glass",
            title: "Glass",
            ks: few,
            columns: [column("Id", "identifier")].into_iter().chain(all_public(glass)).collect(),
            file: "glass/glass.data",
            delimiter: ",",
            header: false,
        },
        Set {
            name: "waveform",
            title: "Waveform",
            ks: &[5, 10, 15, 20, 30, 40, 50],
            columns: all_public((1..=40).map(|i| format!("x{i}"))),
            file: "waveform/waveform-+noise.data",
            delimiter: ",",
            header: false,
        },
    ]
}

/// The three sets of the noise paper.
pub(crate) fn three() -> Vec<Set> {
    const KS: &[u64] = &[2, 4, 6, 8, 10];
    let bank = BANK;
    let pima = ["pregnant", "glucose", "pressure", "skin", "insulin", "mass", "pedigree", "age"];
    vec![
        Set {
            name: "bank",
            title: "Bank",
            ks: KS,
            columns: all_public(bank),
            file: "bank/bank.csv",
            delimiter: ";",
            header: true,
        },
        Set { ks: KS, ..adult("all", &adult_attributes()) },
        Set {
            name: "pima",
            title: "Diabetes",
            ks: KS,
            columns: all_public(pima),
            file: "pima/pima-indians-diabetes.data",
            delimiter: ",",
            header: false,
        },
    ]
}

impl Set {
    /// The same set without taxonomies.
    pub(crate) fn without_taxonomies(mut self) -> Self {
        self.columns.iter_mut().for_each(|column| column.taxonomy = None);
        self
    }

    /// The folder for what is found about it.
    pub(crate) fn folder(&self, places: &Places, part: &str) -> Result<PathBuf> {
        let folder = places.work.join(part).join(self.name);
        std::fs::create_dir_all(&folder)
            .map_err(|error| incrowd_io::write::failure(&error).in_file(&folder))?;
        Ok(folder)
    }

    /// Reads the set as its policy says, which is written beside.
    pub(crate) fn load(&self, places: &Places, part: &str) -> Result<Loaded> {
        let path = self.folder(places, part)?.join("policy.toml");
        super::write(&path, &self.policy(&places.data))?;
        let policy = PolicyFile::read(&path)?;
        let reading = FileReader { threads: 0, progress: &Silent };
        let table = reading.table(&self.path(places)?, &policy, Purpose::Source)?.table;
        Ok(Loaded { table, policy })
    }

    fn path(&self, places: &Places) -> Result<PathBuf> {
        if self.file != "adult.all" {
            return Ok(places.data.join(self.file));
        }
        let path = places.work.join("adult.all");
        let read = |name: &str| {
            let file = places.data.join(name);
            std::fs::read_to_string(&file).map_err(|e| Error::input(e.to_string()).in_file(file))
        };
        let (train, test) = (read("adult/adult.data")?, read("adult/adult.test")?);
        let test: String =
            test.lines().skip(1).map(|line| format!("{}\n", line.trim_end_matches('.'))).collect();
        super::write(&path, &(train + &test))?;
        Ok(path)
    }

    fn policy(&self, data: &Path) -> String {
        let names: Vec<String> = self.columns.iter().map(|column| format!("{:?}", column.name)).collect();
        let mut text = format!(
            "class = \"class\"\n\n[file]\nformat = \"csv\"\ndelimiter = {:?}\nheader = {}\nnames = [{}]\n",
            self.delimiter,
            self.header,
            names.join(", ")
        );
        if self.name == "adult" {
            text += "missing = [\"?\"]\nmissing-rows = \"drop\"\n";
            text = text
                .replace("format = \"csv\"", "format = \"uci\"")
                .replace("delimiter = \",\"\nheader = false\n", "");
        }
        for column in &self.columns {
            let _ = write!(text, "\n[attributes.{:?}]\nrole = {:?}\n", column.name, column.role);
            column.kind.iter().for_each(|kind| text += &format!("kind = {kind:?}\n"));
            match (&column.taxonomy, column.role) {
                (Some(Taxonomy::File(path)), "public") => {
                    text += &format!("taxonomy = {:?}\n", data.join(path).display().to_string());
                }
                (Some(Taxonomy::Flat), "public") => text += "taxonomy = { flat = {} }\n",
                _ => {}
            }
        }
        text
    }
}
