//! What holds and what remains: the headline of every release and audit, and the figures behind it.

use super::{Grid, clean, count, counted, percent};
use crate::commands::exposure::Exposure;
use crate::console::{CARE, GOOD, STRONG, paint};
use incrowd::audit::ExposedTo;
use incrowd::table::RowsLeftOut;

/// How many attributes a headline names.
const NAMED: usize = 3;

/// `k = 10 holds for all 400 individuals; 3 are exposed to certain inference of diagnosis`.
pub(crate) fn holds(asked: &[String], individuals: u64, exposure: &Exposure) -> String {
    let verb = if asked.len() == 1 { "holds" } else { "hold" };
    let claim = format!("{} {verb} for all {}", asked.join(", "), counted(individuals, "individual"));
    format!("{}; {}", paint(GOOD, claim), remains(exposure))
}

/// How many individuals are exposed to certain inference, and of what.
pub(crate) fn remains(exposure: &Exposure) -> String {
    if exposure.exposed == 0 {
        return "none is exposed to certain inference".to_owned();
    }
    let at_most = bound(exposure);
    let verb = if exposure.exposed == 1 { "is" } else { "are" };
    let exposed = sorted(&exposure.exposed_to);
    let named: Vec<String> = exposed.iter().take(NAMED).map(|to| clean(&to.attribute)).collect();
    let more = match exposed.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let what = format!(
        "{at_most}{} {verb} exposed to certain inference of {}{more}",
        count(exposure.exposed),
        named.join(", ")
    );
    paint(CARE, what)
}

/// The attributes that anyone is exposed to, the most exposed first.
fn sorted(exposed_to: &[ExposedTo]) -> Vec<&ExposedTo> {
    let mut exposed: Vec<&ExposedTo> = exposed_to.iter().filter(|to| to.individuals > 0).collect();
    exposed.sort_by_key(|to| std::cmp::Reverse(to.individuals));
    exposed
}

/// The lines of a summary on exposure and confidence.
pub(crate) fn figures(grid: &mut Grid, exposure: &Exposure) {
    let at_most = bound(exposure);
    grid.line(["exposed", &format!("{at_most}{} to certain inference", count(exposure.exposed))]);
    grid.line(["excluded", &format!("{at_most}{} have a private value ruled out", count(exposure.excluded))]);
    if let Some(why) = why_at_most(exposure) {
        grid.line(["at most", &why]);
    }
    let of: Vec<String> = exposure.confidence_of.iter().map(|name| clean(name)).collect();
    let of = match of.len() {
        0..=NAMED => of.join(", "),
        many => format!("{} and {} more", of[..NAMED].join(", "), many - NAMED),
    };
    let confidence = exposure.max_confidence.map_or_else(
        || "not measured: the release tells nothing of what the guarantee looks at".to_owned(),
        |share| format!("up to {} in a value of {of}", percent(share)),
    );
    grid.line(["confidence", &confidence]);
    if let Some(smallest) = exposure.smallest_bin {
        grid.line(["smallest bin", &counted(smallest, "individual")]);
    }
    if exposure.rare_values > 0 {
        let values = counted(exposure.rare_values, "private value");
        grid.line(["rare values", &format!("{values} in print that too few individuals share")]);
    }
}

fn bound(exposure: &Exposure) -> &'static str {
    if exposure.at_most { "at most " } else { "" }
}

/// Why the numbers are upper bounds, and what makes them smaller; none where they are exact or there is nobody to count.
fn why_at_most(exposure: &Exposure) -> Option<String> {
    if !exposure.at_most || exposure.excluded.max(exposure.exposed) == 0 {
        return None;
    }
    Some(match exposure.alone_over_rows {
        None => "the leaves tell less than counts, and are judged as if they told counts".to_owned(),
        Some(alone) => format!(
            "individuals have several rows: those with the same groups in all rows are judged together, and {} the only one with theirs; several-rows = \"strict\" or one row per \
             individual makes this smaller",
            if alone == 1 { "1 is".to_owned() } else { format!("{} are", count(alone)) }
        ),
    })
}

/// Who is exposed to what, beside how common its most frequent value is; empty where nobody is.
pub(crate) fn exposed_to(exposure: &Exposure, individuals: u64) -> String {
    let exposed = sorted(&exposure.exposed_to);
    if exposed.is_empty() {
        return String::new();
    }
    let headings = ["exposed to", ">individuals", ">of all", ">its most frequent value in the whole table"];
    let mut grid = Grid::new(&headings);
    for to in exposed {
        let share = to.individuals as f64 / individuals.max(1) as f64;
        grid.line([clean(&to.attribute), count(to.individuals), percent(share), percent(to.most_frequent)]);
    }
    format!("\n{}", grid.render())
}

/// The line of a summary on rows that were left out, if any were.
pub(crate) fn left_out(grid: &mut Grid, rows: &RowsLeftOut) {
    if rows.total > 0 {
        grid.line(["left out", &clean(&rows.to_string())]);
    }
}

/// A word in bold before a headline: what was made.
pub(crate) fn family(name: &str) -> String {
    paint(STRONG, format!("{name}:"))
}
