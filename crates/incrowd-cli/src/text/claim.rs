//! The headline of every release and audit (what holds, who is exposed), and its figures.

use super::{Grid, clean, count, counted, percent};
use crate::console::{CARE, GOOD, STRONG, paint};
use crate::documents::Exposure;
use incrowd::audit::ExposedTo;
use incrowd::table::RowsLeftOut;

/// The maximum number of attributes in a headline.
const NAMED: usize = 3;

/// `k = 10 holds for all 400 individuals; 3 are exposed to certain inference of diagnosis`.
pub(crate) fn holds(asked: &[String], individuals: u64, exposure: &Exposure) -> String {
    let verb = if asked.len() == 1 { "holds" } else { "hold" };
    let claim = format!("{} {verb} for all {}", asked.join(", "), counted(individuals, "individual"));
    format!("{}; {}", paint(GOOD, claim), remains(exposure))
}

/// The number of individuals exposed to certain inference, and the attributes.
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

/// The attributes with exposed individuals, the most exposed first.
fn sorted(exposed_to: &[ExposedTo]) -> Vec<&ExposedTo> {
    let mut exposed: Vec<&ExposedTo> = exposed_to.iter().filter(|to| to.individuals > 0).collect();
    exposed.sort_by_key(|to| std::cmp::Reverse(to.individuals));
    exposed
}

/// Adds the lines on exposure and confidence to a summary.
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
        || "not measured: no group distinguishes values of what the guarantee applies to".to_owned(),
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

/// Why the numbers are upper bounds, and how to lower them. `None` if they are exact or zero.
fn why_at_most(exposure: &Exposure) -> Option<String> {
    if !exposure.at_most || exposure.excluded.max(exposure.exposed) == 0 {
        return None;
    }
    Some(match exposure.alone_over_rows {
        None => "the leaves contain less than counts, and are judged as if they contained counts".to_owned(),
        Some(0) => SEVERAL_ROWS.to_owned(),
        Some(alone) => format!("{SEVERAL_ROWS}{}{}", of_their_own(alone), strict(exposure.strict_k_at_most)),
    })
}

const SEVERAL_ROWS: &str = "individuals have several rows and count unless exchanging their rows with those of others \
     shows another possibility; fewer, larger groups or fewer rows per individual lower the bound";

fn of_their_own(alone: u64) -> String {
    let have = if alone == 1 { "has" } else { "have" };
    format!(
        "; {} {have} groups over all of their rows that no other individual has, which k counts only with \
         several-rows = \"strict\"",
        count(alone)
    )
}

fn strict(at_most: Option<u64>) -> String {
    at_most.map_or_else(String::new, |k| {
        let k = count(k);
        format!(", possible up to k = {k} here: no release hides how many rows an individual has")
    })
}

/// The exposed individuals per attribute, with the share of its most frequent value. Empty if no individual is exposed.
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

/// Adds the line on rows that were left out, if any, to a summary.
pub(crate) fn left_out(grid: &mut Grid, rows: &RowsLeftOut) {
    if rows.total > 0 {
        grid.line(["left out", &clean(&rows.to_string())]);
    }
}

/// The family of a release in bold, as the start of a headline.
pub(crate) fn family(name: &str) -> String {
    paint(STRONG, format!("{name}:"))
}
