//! kACTUS-2's Tables 1 and 2, and its claim of significance.

use crate::Places;
use crate::markdown::{beside, head, table, whole};
use crate::published::{AREAS, METHODS, SUPPRESSED, UNPROTECTED};
use crate::sets::{self, Set};
use incrowd::compare::ComparedMethod;
use incrowd::guarantee::Guarantee;
use incrowd::{Dataset, Error, Existing, Result};
use incrowd_eval::comparison::{Comparison, Point, Series};
use incrowd_eval::folds::Protocol;
use incrowd_eval::plot::{AxisUnit, Baseline, Line, Lines, PlotPoint};
use incrowd_eval::significance::{bonferroni_dunn, friedman};

/// The seed of every comparison here.
pub(crate) const SEED: u64 = 1;

/// Seeds of divisions that were looked at only once everything was settled.
const OTHER_SEEDS: [u64; 2] = [2, 3];

/// The papers' methods and ours.
const COMPARED: [&str; 6] = ["tds", "kadet-c45", "kactus", "kactus2", "best", "best-table"];

const INDUCERS: [(&str, &str); 4] =
    [("c45", "C4.5"), ("part", "PART"), ("naive-bayes", "Naive Bayes"), ("logistic", "Logistic")];

/// A set and what was found about it.
struct Compared {
    set: Set,
    found: Comparison,
}

/// Table 1, Table 2 and the significance of the first, and a picture of accuracy over k on Adult.
pub(crate) fn sections(places: &Places) -> Result<(String, String)> {
    let compared: Vec<Compared> =
        sets::five().into_iter().map(|set| one(places, set)).collect::<Result<_>>()?;
    let text = [
        areas(&compared),
        divisions(places, &compared)?,
        unprotected(&compared),
        suppressed(&compared),
        significance(&compared)?,
    ];
    let adult = &compared.first().ok_or_else(|| Error::input("no data set was compared"))?.found;
    Ok((text.join("\n"), picture(adult)))
}

/// Accuracy over k, of trees, and of C4.5 trees learned from tables.
fn picture(found: &Comparison) -> String {
    let is_shown = |series: &&Series| series.inducer.as_deref().is_none_or(|inducer| inducer == "c45");
    let lines = found.series.iter().filter(is_shown).filter(|series| series.method != "none").enumerate();
    let points = |series: &Series| {
        let place = |point: &Point| Some(PlotPoint { k: point.k?, number: point.mean.accuracy, error: None });
        series.points.iter().filter_map(place).collect()
    };
    let unprotected = found.series.iter().filter(is_shown).find(|series| series.method == "none");
    let level = unprotected.and_then(|series| series.points.first()).map(|point| point.mean.accuracy);
    let plot = Lines {
        title: format!("Accuracy over k on {}", found.about.data),
        measure: "accuracy".to_owned(),
        unit: AxisUnit::Share,
        from_zero: false,
        reach: Vec::new(),
        ks: found.ks.clone(),
        lines: lines
            .map(|(style, series)| Line { name: series.method.clone(), style, points: points(series) })
            .collect(),
        levels: level
            .map(|number| Baseline { name: "no protection".to_owned(), number })
            .into_iter()
            .collect(),
    };
    standalone(&plot.svg("accuracy"))
}

/// A plot outside of a report: on white, and without colours of a page around.
fn standalone(svg: &str) -> String {
    let mut parts = svg.split("var(--");
    let first = parts.next().unwrap_or_default().to_owned();
    let plain = parts.fold(first, |text, part| {
        let (name, rest) = part.split_once(')').unwrap_or((part, ""));
        text + name.split_once(',').map_or("currentColor", |(_, fallback)| fallback) + rest
    });
    plain.replacen('>', "><rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>", 1) + "\n"
}

/// Compares methods on a set; goes on where an earlier run was interrupted.
pub(crate) fn comparison(
    places: &Places,
    set: &Set,
    part: &str,
    methods: &[&str],
    inducers: &[&str],
    protocol: Protocol,
) -> Result<Comparison> {
    seeded(places, set, part, methods, inducers, protocol, SEED)
}

/// The same by another division of the rows.
pub(crate) fn seeded(
    places: &Places,
    set: &Set,
    part: &str,
    methods: &[&str],
    inducers: &[&str],
    protocol: Protocol,
    seed: u64,
) -> Result<Comparison> {
    let loaded = set.load(places, part)?;
    let methods = methods.iter().map(|name| ComparedMethod::named(name)).collect::<Result<Vec<_>>>()?;
    eprintln!("{part}: {} ({} rows)", set.title, loaded.table.rows());
    // The values of k are the set's, whatever the policy requires.
    let mut policy = loaded.policy.policy;
    policy.guarantee = Guarantee::default();
    let data = Dataset::of_table(loaded.table, policy);
    let job = data.compare().named(set.title).methods(methods).ks(set.ks.iter().copied());
    let job = job.inducers(inducers.iter().copied()).protocol(protocol).seed(seed);
    let found = job.folder_as(set.folder(places, part)?, Existing::Replace).run()?;
    found.notes.iter().for_each(|note| eprintln!("  {note}"));
    Ok(found)
}

fn one(places: &Places, set: Set) -> Result<Compared> {
    let inducers: Vec<&str> = INDUCERS.iter().map(|&(name, _)| name).collect();
    let protocol = Protocol::Repeated { times: 5, folds: 2 };
    let mut found = comparison(places, &set, "kactus", &COMPARED, &inducers, protocol)?;
    // With taxonomies for all names TDR does what TDS does; what it adds is suppression where there are none.
    let bare = set.without_taxonomies();
    let suppressing = comparison(places, &bare, "kactus-tdr", &["tdr"], &inducers, protocol)?;
    found.series.extend(suppressing.series.into_iter().filter(|series| series.method == "tdr"));
    Ok(Compared { set: bare, found })
}

impl Compared {
    fn series(&self, method: &str, inducer: &str) -> Option<&Series> {
        let fits = |series: &&Series| {
            series.method == method && series.inducer.as_deref().is_none_or(|of| of == inducer)
        };
        self.found.series.iter().find(fits)
    }

    /// The area of a method; a tree needs no learner and is listed in the row of C4.5.
    fn area(&self, method: &str, inducer: &str) -> Option<f64> {
        let series = self.series(method, inducer)?;
        series.area.filter(|_| series.inducer.is_some() || inducer == "c45")
    }
}

fn areas(compared: &[Compared]) -> String {
    let mut lines = Vec::new();
    let mut ahead = 0;
    for (set, inducer, published) in AREAS {
        let Some(of_set) = compared.iter().find(|compared| compared.set.name == set) else { continue };
        let title = INDUCERS.iter().find(|(name, _)| *name == inducer).map_or(inducer, |(_, title)| title);
        let mut cells = vec![format!("{}, {title}", of_set.set.title)];
        for (method, published) in METHODS.iter().zip(published) {
            cells.push(beside(published.map(whole), of_set.area(method, inducer).map(whole)));
        }
        let most = published.iter().flatten().copied().fold(0.0, f64::max);
        let best = [of_set.area("best-table", inducer), of_set.area("best", inducer)];
        let is_ahead = best.iter().flatten().any(|&area| area > most);
        ahead += usize::from(is_ahead);
        for area in best {
            let mark = |area: f64| if area > most { format!("**{}**", whole(area)) } else { whole(area) };
            cells.push(area.map_or_else(|| "–".to_owned(), mark));
        }
        lines.push(cells);
    }
    let names = ["", "TDS", "TDR", "kADET", "kACTUS", "kACTUS-2", "best (table)", "best (tree)"];
    format!(
        "{}\n{}\n`best` is ahead of every published figure in {ahead} of {} rows (bold in its columns).\n\n{}",
        include_str!("areas.md"),
        table(&head(&names), &lines),
        lines.len(),
        include_str!("why.md")
    )
}

fn unprotected(compared: &[Compared]) -> String {
    let names = compared.iter().map(|compared| compared.set.title);
    let cells = compared.iter().map(|compared| {
        let published = UNPROTECTED.iter().find(|(name, _)| *name == compared.set.name);
        let measured = compared.series("none", "c45").and_then(|series| series.points.first());
        beside(
            published.map(|(_, accuracy)| format!("{accuracy:.2}")),
            measured.map(|point| format!("{:.2}", point.mean.accuracy * 100.0)),
        )
    });
    let lines = [std::iter::once("C4.5, nothing protected, %".to_owned()).chain(cells).collect()];
    table(&std::iter::once(String::new()).chain(names.map(str::to_owned)).collect::<Vec<_>>(), &lines)
}

fn suppressed(compared: &[Compared]) -> String {
    let mut lines = Vec::new();
    for (set, published) in SUPPRESSED {
        let Some(of_set) = compared.iter().find(|compared| compared.set.name == set) else { continue };
        for (k, published) in published {
            let mut cells = vec![format!("{}, k = {k}", of_set.set.title)];
            for (method, published) in ["tds", "tdr", "kactus", "kactus2"].iter().zip(published) {
                cells.push(beside(Some(format!("{published:.2}")), share(of_set, method, *k)));
            }
            cells.push(share(of_set, "best-table", *k).unwrap_or_default());
            lines.push(cells);
        }
    }
    let names = ["", "TDS", "TDR", "kACTUS", "kACTUS-2", "best (table)"];
    format!("{}\n{}", include_str!("suppressed.md"), table(&head(&names), &lines))
}

/// Table 1 by divisions that nothing was chosen on.
fn divisions(places: &Places, compared: &[Compared]) -> Result<String> {
    let inducers: Vec<&str> = INDUCERS.iter().map(|&(name, _)| name).collect();
    let protocol = Protocol::Repeated { times: 5, folds: 2 };
    let methods = ["best", "best-table", "kadet-c45"];
    let mut others: Vec<Vec<Compared>> = Vec::new();
    for seed in OTHER_SEEDS {
        let part = format!("kactus-seed-{seed}");
        let found = |set: Set| -> Result<Compared> {
            let found = seeded(places, &set, &part, &methods, &inducers, protocol, seed)?;
            Ok(Compared { set, found })
        };
        others.push(sets::five().into_iter().map(found).collect::<Result<_>>()?);
    }
    let mut lines = Vec::new();
    let mut ahead = [0; 3];
    for (set, inducer, published) in AREAS {
        let most = published.iter().flatten().copied().fold(0.0, f64::max);
        let title = INDUCERS.iter().find(|(name, _)| *name == inducer).map_or(inducer, |(_, title)| title);
        let mut cells = vec![format!("{set}, {title}"), whole(most)];
        let all = std::iter::once(compared).chain(others.iter().map(Vec::as_slice));
        for (count, compared) in ahead.iter_mut().zip(all) {
            let Some(of_set) = compared.iter().find(|compared| compared.set.name == set) else { continue };
            let of_best = [of_set.area("best-table", inducer), of_set.area("best", inducer)];
            let area = of_best.into_iter().flatten().fold(0.0, f64::max);
            *count += usize::from(area > most);
            let kadet = of_set.area("kadet-c45", inducer).map(|kadet| format!(" ({})", whole(kadet)));
            let shown = if area > most { format!("**{}**", whole(area)) } else { whole(area) };
            cells.push(shown + &kadet.unwrap_or_default());
        }
        lines.push(cells);
    }
    let names = ["", "highest published", "seed 1", "seed 2", "seed 3"];
    Ok(format!(
        "{}\n{}\nAhead of every published figure: {}, {} and {} of {} rows.\n",
        include_str!("divisions.md"),
        table(&head(&names), &lines),
        ahead[0],
        ahead[1],
        ahead[2],
        lines.len()
    ))
}

/// The share of all cells that say nothing, private ones counted, as the paper counts.
fn share(compared: &Compared, method: &str, k: u64) -> Option<String> {
    let points = &compared.series(method, "c45")?.points;
    let of_public = points.iter().find(|point| point.k == Some(k))?.suppressed?;
    let about = &compared.found.about;
    let (public, private) = (about.public.len() as f64, about.private.len() as f64);
    Some(format!("{:.2}", of_public * public / (public + private)))
}

fn significance(compared: &[Compared]) -> Result<String> {
    let trees: Vec<Vec<f64>> = published_rows(|inducer| inducer == "c45", &[0, 1, 2, 3, 4]);
    let tables: Vec<Vec<f64>> = published_rows(|_| true, &[0, 1, 3, 4]);
    let measured = |methods: &[&str], inducers: &[&str]| -> Vec<Vec<f64>> {
        let rows = compared.iter().flat_map(|of| inducers.iter().map(move |&inducer| (of, inducer)));
        let row = |(of, inducer): (&Compared, &str)| {
            methods.iter().map(|method| of.area(method, inducer)).collect::<Option<Vec<f64>>>()
        };
        rows.filter_map(row).collect()
    };
    let all: Vec<&str> = INDUCERS.iter().map(|&(name, _)| name).collect();
    let with_best = ["tds", "tdr", "kadet-c45", "kactus", "kactus2", "best"];
    let tables_with_best = ["tds", "tdr", "kactus", "kactus2", "best-table"];
    let claims = [
        ("published, the rows of C4.5", head(&METHODS), trees),
        ("published, all rows without kADET", head(&["tds", "tdr", "kactus", "kactus2"]), tables),
        ("measured, the rows of C4.5, with `best` trees", head(&with_best), measured(&with_best, &["c45"])),
        (
            "measured, all rows, with `best` tables",
            head(&tables_with_best),
            measured(&tables_with_best, &all),
        ),
    ];
    let lines: Vec<Vec<String>> =
        claims.iter().map(|(title, methods, blocks)| claim(title, methods, blocks)).collect::<Result<_>>()?;
    let names = [
        "areas",
        "rows",
        "mean ranks",
        "F (Iman–Davenport)",
        "p",
        "critical difference",
        "worse than the last by more",
    ];
    Ok(format!("{}\n{}", include_str!("significance.md"), table(&head(&names), &lines)))
}

/// A probability, as far as it says anything.
fn p_value(p: f64) -> String {
    if p < 0.0001 { "under 0.0001".to_owned() } else { format!("{p:.4}") }
}

fn published_rows(wanted: impl Fn(&str) -> bool, columns: &[usize]) -> Vec<Vec<f64>> {
    let rows = AREAS.iter().filter(|(_, inducer, _)| wanted(inducer));
    rows.filter_map(|(_, _, areas)| columns.iter().map(|&column| areas[column]).collect()).collect()
}

/// One line of the table of tests; the last method is the one that is claimed to be better.
fn claim(title: &str, methods: &[String], blocks: &[Vec<f64>]) -> Result<Vec<String>> {
    let test = friedman(blocks)?;
    let difference = bonferroni_dunn(methods.len(), blocks.len(), 0.05);
    let control = test.ranks.last().copied().unwrap_or_default();
    let ranks = methods.iter().zip(&test.ranks).map(|(method, rank)| format!("{method} {rank:.2}"));
    let worse: Vec<&str> = methods
        .iter()
        .zip(&test.ranks)
        .filter(|&(_, &rank)| rank - control > difference)
        .map(|(method, _)| method.as_str())
        .collect();
    Ok(vec![
        title.to_owned(),
        blocks.len().to_string(),
        ranks.collect::<Vec<_>>().join(", "),
        format!("{:.2}", test.f),
        p_value(test.p_f),
        format!("{difference:.3}"),
        if worse.is_empty() { "none".to_owned() } else { worse.join(", ") },
    ])
}
