//! Current software, at the same k and on the same folds.

use crate::kactus::{SEED, comparison};
use crate::markdown::{head, table, whole};
use crate::sets::{self, Loaded, Set};
use crate::{Peers, Places};
use incrowd::policy::Role;
use incrowd::table::{Column, Kind, Table};
use incrowd::{Error, Result};
use incrowd_eval::comparison::Comparison;
use incrowd_eval::folds::{Protocol, divide};
use incrowd_eval::score::area_over_k;
use std::collections::BTreeMap;
use std::process::Command;

const PROGRAMS: [(&str, &str); 4] = [
    ("sklearn", "scikit-learn, `min_samples_leaf` = k"),
    ("lightgbm", "LightGBM, one tree, `min_data_in_leaf` = k"),
    ("toolkit", "ai-privacy-toolkit, then scikit-learn"),
    ("anonypy", "anonypy, then scikit-learn"),
];

/// Rows beyond which slow programs get one division into two.
const LARGE: usize = 2_000;

/// Accuracies by program, k and fold; none where the program failed.
pub(crate) type Accuracies = BTreeMap<String, BTreeMap<String, Vec<Option<f64>>>>;

pub(crate) fn section(places: &Places) -> Result<String> {
    let Some(peers) = &places.peers else {
        return Ok("## What people would use today\n\nNot run: Python is not there.\n".to_owned());
    };
    let mut lines: Vec<Vec<String>> = Vec::new();
    let mut columns = vec![String::new()];
    let sets = sets::five();
    let found: Vec<(Accuracies, Comparison)> =
        sets.iter().map(|set| one(places, peers, set)).collect::<Result<_>>()?;
    columns.extend(sets.iter().map(|set| set.title.to_owned()));
    for (method, title) in
        [("best", "**incrowd, `best` tree**"), ("best-table", "**incrowd, `best` table, then C4.5**")]
    {
        let cells = found.iter().map(|(_, ours)| {
            let series = ours.series.iter().find(|series| series.method == method);
            series
                .and_then(|series| series.area)
                .map_or_else(|| "–".to_owned(), |area| format!("**{}**", whole(area)))
        });
        lines.push(std::iter::once(title.to_owned()).chain(cells).collect());
    }
    for (program, title) in PROGRAMS {
        let cells = sets
            .iter()
            .zip(&found)
            .map(|(set, (theirs, _))| area(theirs, program, set).map_or_else(|| "failed".to_owned(), whole));
        lines.push(std::iter::once(title.to_owned()).chain(cells).collect());
    }
    Ok(format!("{}\n{}", include_str!("today.md"), table(&head(&columns), &lines)))
}

/// A program's area, where it managed every fold.
pub(crate) fn area(found: &Accuracies, program: &str, set: &Set) -> Option<f64> {
    let of_program = found.get(program)?;
    let mean = |k: &u64| {
        let folds: Option<Vec<f64>> = of_program.get(&k.to_string())?.iter().copied().collect();
        let folds = folds.filter(|folds| !folds.is_empty())?;
        Some((*k, folds.iter().sum::<f64>() / folds.len() as f64))
    };
    let points: Vec<(u64, f64)> = set.ks.iter().map(mean).collect::<Option<_>>()?;
    area_over_k(&points)
}

fn one(places: &Places, peers: &Peers, set: &Set) -> Result<(Accuracies, Comparison)> {
    let protocol = Protocol::Repeated { times: 5, folds: 2 };
    let ours = comparison(places, set, "today", &["best", "best-table"], &["c45"], protocol)?;
    let loaded = set.load(places, "today")?;
    let all = 10;
    let slow = if loaded.table.rows() > LARGE { 2 } else { all };
    let asked = [("sklearn", all), ("lightgbm", all), ("toolkit", slow), ("anonypy", slow)];
    let division = Division { part: "today", protocol, seed: SEED };
    Ok((others(places, peers, set, &loaded, division, &asked)?, ours))
}

/// How rows are divided into training and test rows, and where its findings are kept.
#[derive(Clone, Copy)]
pub(crate) struct Division<'a> {
    /// The folder of the findings.
    pub(crate) part: &'a str,
    /// The kind of division.
    pub(crate) protocol: Protocol,
    /// Its seed.
    pub(crate) seed: u64,
}

/// The accuracies of other programs on the folds of a division; each program is asked for the first folds only.
pub(crate) fn others(
    places: &Places,
    (python, script): &Peers,
    set: &Set,
    loaded: &Loaded,
    division: Division,
    asked: &[(&str, usize)],
) -> Result<Accuracies> {
    let folder = set.folder(places, division.part)?;
    let file = |name: &str| folder.join(name);
    super::write(&file("table.csv"), &csv(&loaded.table))?;
    let codes: Vec<u32> = loaded.table.require("class")?.codes().iter().collect();
    let folds = divide(&codes, loaded.table.people(), division.protocol, division.seed)?;
    let names = loaded.table.columns().iter().filter(|c| c.kind() != Kind::Numeric && c.name() != "class");
    let plan = serde_json::json!({
        "class": "class",
        "public": loaded.policy.policy.with_role(Role::Public).collect::<Vec<_>>(),
        "names": names.map(Column::name).collect::<Vec<_>>(),
        "k": set.ks,
        "folds": folds.iter().map(|fold| &fold.test).collect::<Vec<_>>(),
        "programs": asked,
    });
    super::write(&file("folds.json"), &plan.to_string())?;
    eprintln!("{}: {}, others", division.part, set.title);
    let ran = Command::new(python)
        .arg(script)
        .args([file("table.csv"), file("folds.json"), file("others.json")])
        .status()
        .map_err(|error| Error::input(format!("Python cannot be run: {error}")))?;
    if !ran.success() {
        return Err(Error::input(format!("the other programs failed: {ran}")));
    }
    let text =
        std::fs::read_to_string(file("others.json")).map_err(|error| Error::input(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| Error::input(error.to_string()))
}

/// The table for other programs; the sets have no quotes or commas in their cells.
fn csv(table: &Table) -> String {
    let names: Vec<&str> = table.columns().iter().map(Column::name).collect();
    let mut text = names.join(",") + "\n";
    for row in 0..table.rows() {
        let cells = table.columns().iter().map(|c| c.values().text(c.code(row) as usize).into_owned());
        text += &(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    text
}
