//! The noise paper's two tables.

use crate::Places;
use crate::kactus::{SEED, comparison};
use crate::markdown::{beside, head, percent, table};
use crate::published::NOISE;
use crate::sets::{self, Loaded, Set};
use incrowd::Result;
use incrowd::guarantee::Guarantee;
use incrowd::inducers::inducer;
use incrowd::policy::Role;
use incrowd::progress::Silent;
use incrowd::table::Column;
use incrowd_eval::comparison::Comparison;
use incrowd_eval::folds::{Protocol, divide};
use incrowd_eval::inducer::Examples;
use incrowd_eval::score::{Tested, truth};
use incrowd_mine::table::{MinedTable, TableMethod, TableParams, mine_table};

pub(crate) fn section(places: &Places) -> Result<String> {
    let mut accuracy = Vec::new();
    let mut distance = Vec::new();
    for set in sets::three() {
        let methods = ["aggregate", "best-table", "best"];
        let found = comparison(places, &set, "noise", &methods, &["c45"], Protocol::KFold { folds: 10 })?;
        let Some((_, accuracies, losses)) = NOISE.iter().find(|(name, ..)| *name == set.name) else {
            continue;
        };
        accuracy.push(accuracy_line(&set, "aggregate", &found, "aggregate", Some(accuracies)));
        accuracy.push(own_rows_line(&set, &set.load(places, "noise")?)?);
        accuracy.push(accuracy_line(&set, "best table", &found, "best-table", None));
        accuracy.push(accuracy_line(&set, "best tree", &found, "best", None));
        accuracy.push(accuracy_line(&set, "nothing protected", &found, "none", None));
        distance.push(distance_line(&set, &set.load(places, "noise")?, losses)?);
    }
    let names = head(&["", "k = 2", "4", "6", "8", "10"]);
    Ok(format!(
        "{}\nAccuracy, %:\n\n{}\nInformation loss, `aggregate`:\n\n{}",
        include_str!("noise.md"),
        table(&names, &accuracy),
        table(&names, &distance)
    ))
}

fn accuracy_line(
    set: &Set,
    name: &str,
    found: &Comparison,
    method: &str,
    published: Option<&[f64; 5]>,
) -> Vec<String> {
    let series = found.series.iter().find(|series| series.method == method);
    let measured = |k: u64| {
        let point = series?.points.iter().find(|point| point.k.is_none_or(|of| of == k))?;
        Some(percent(point.mean.accuracy))
    };
    let cells = set.ks.iter().enumerate().map(|(i, &k)| match published {
        Some(figures) => beside(Some(format!("{:.2}", figures[i])), measured(k)),
        None => measured(k).unwrap_or_else(|| "–".to_owned()),
    });
    std::iter::once(format!("{}, {name}", set.title)).chain(cells).collect()
}

/// The accuracy of C4.5 in tenfold cross-validation on the released rows themselves.
fn own_rows_line(set: &Set, loaded: &Loaded) -> Result<Vec<String>> {
    let mut cells = vec![format!("{}, aggregate, tested on its own rows", set.title)];
    for &k in set.ks {
        let made = aggregated(loaded, k)?.table;
        let column = made.require("class")?;
        let codes: Vec<u32> = column.codes().iter().collect();
        let folds = divide(&codes, made.people(), Protocol::KFold { folds: 10 }, SEED)?;
        let inputs: Vec<String> =
            made.columns().iter().map(|c| c.name().to_owned()).filter(|name| name != "class").collect();
        let mut right = 0.0;
        for fold in &folds {
            let (train, test) = (made.select(&fold.train), made.select(&fold.test));
            let learned =
                inducer("c45")?.learn(Examples { table: &train, class: "class", inputs: &inputs })?;
            let (shares, classes) = (learned.shares(&test)?, learned.classes());
            let truth = truth(&test, "class", classes)?;
            let tested = Tested { truth: &truth, classes: classes.len(), shares: &shares, weights: None };
            right += tested.scores()?.accuracy / folds.len() as f64;
        }
        cells.push(percent(right));
    }
    Ok(cells)
}

fn aggregated(loaded: &Loaded, k: u64) -> Result<MinedTable> {
    let mut params = TableParams::new(TableMethod::Aggregate, Guarantee::k_anonymity(k)?);
    params.seed = SEED;
    mine_table(&loaded.table, &loaded.policy.policy, &params.check()?, &Silent)
}

fn distance_line(set: &Set, loaded: &Loaded, published: &[f64; 5]) -> Result<Vec<String>> {
    let mut cells = vec![set.title.to_owned()];
    for (&k, published) in set.ks.iter().zip(published) {
        let made = aggregated(loaded, k)?;
        cells.push(beside(Some(format!("{published:.3}")), Some(format!("{:.3}", distance(loaded, &made)?))));
    }
    Ok(cells)
}

/// How far a released public cell is from the true one in the mean: for a number as a share of its range, for a name 0
/// or 1.
fn distance(loaded: &Loaded, made: &MinedTable) -> Result<f64> {
    let (mut sum, mut cells) = (0.0, 0);
    for name in loaded.policy.policy.with_role(Role::Public) {
        let (source, released) = (loaded.table.require(name)?, made.table.require(name)?);
        for (row, &from) in made.source_rows.iter().enumerate() {
            sum += between(source, source.code(from as usize), released, released.code(row));
            cells += 1;
        }
    }
    Ok(sum / f64::from(cells.max(1)))
}

fn between(source: &Column, code: u32, released: &Column, shown: u32) -> f64 {
    let text = released.values().text(shown as usize);
    let Some(numbers) = source.values().numbers() else {
        return f64::from(source.values().text(code as usize) != text);
    };
    let range = numbers.last().zip(numbers.first()).map_or(0.0, |(high, low)| high - low);
    match text.parse::<f64>() {
        Ok(number) if range > 0.0 => (number - numbers[code as usize]).abs() / range,
        Ok(_) => 0.0,
        Err(_) => 1.0,
    }
}
