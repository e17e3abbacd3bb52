//! The headline of every release and audit (what holds, who is exposed), and its figures.

use super::{Grid, between, bounds, clean, count, counted, percent};
use crate::console::{CARE, GOOD, STRONG, paint};
use crate::documents::Exposure;
use incrowd::audit::ExposedTo;
use incrowd::guarantee::NOTHING_TO_CHECK;
use incrowd::table::RowsLeftOut;
use incrowd::{FiguresTogether, RaisedK};

/// The maximum number of attributes in a headline.
const NAMED: usize = 3;

/// `k = 10 holds for all 400 individuals; for 3 individuals, diagnosis can be inferred with certainty`.
pub(crate) fn holds(asked: &[String], individuals: u64, exposure: &Exposure) -> String {
    let nothing: Vec<&str> = asked.iter().filter_map(|asked| idle(asked)).collect();
    let checked: Vec<&str> = asked.iter().map(String::as_str).filter(|asked| idle(asked).is_none()).collect();
    let verb = if checked.len() == 1 { "holds" } else { "hold" };
    let people = counted(individuals, "individual");
    let claim = match checked.as_slice() {
        [] => paint(CARE, format!("no requirement was checked for {people}")),
        checked if exposure.sets > 0 => paint(
            CARE,
            format!(
                "{} {verb} for all {people} if an attacker knows only one of the {} of attributes",
                listed(checked),
                counted(exposure.sets as u64, "set")
            ),
        ),
        checked => paint(GOOD, format!("{} {verb} for all {people}", listed(checked))),
    };
    let nothing =
        if nothing.is_empty() { String::new() } else { format!("; {}", nothing_to_check(&nothing)) };
    format!("{claim}{nothing}; {}", remains(exposure))
}

/// The bare requirement, if it applies to no attribute of the release.
pub(crate) fn idle(asked: &str) -> Option<&str> {
    asked.strip_suffix(NOTHING_TO_CHECK).map(str::trim_end)
}

/// What is said about requirements that apply to no attribute of the release.
fn nothing_to_check(idle: &[&str]) -> String {
    let (requirements, it, applies) = match idle {
        [one] => ((*one).to_owned(), "it", "applies"),
        several => (listed(several), "they", "apply"),
    };
    format!(
        "{requirements}: nothing to check, because the release has no private attribute that {it} {applies} to"
    )
}

/// What is said of requirements that nothing was found to break, although not everything could be searched.
pub(crate) fn unproven(requirements: &[String]) -> Option<String> {
    let (it, is) = if requirements.len() == 1 { ("it", "is") } else { ("them", "are") };
    let open = || {
        format!(
            "{} {is} not proven: nothing was found that breaks {it}, but not everything could be searched",
            listed(requirements)
        )
    };
    (!requirements.is_empty()).then(open)
}

/// The line on k of a summary.
pub(crate) fn k(grid: &mut Grid, k: u64, spans: u64, asked: &[String]) {
    // A group of thousands can have a k of 11 where individuals must have the same groups in all of their rows.
    let over_rows = if asked.iter().any(|asked| asked.starts_with("k = ") && asked.contains("over all rows"))
    {
        " (counting individuals who have the same groups over all of their rows)"
    } else {
        ""
    };
    let (groups, ours) = (counted(spans, "group"), if spans == 1 { "span" } else { "spans" });
    grid.line(["k", &format!("{}, the size of the smallest of {groups} ({ours}){over_rows}", count(k))]);
}

/// The lines on the earlier releases of a ledger: a k that was raised because of them, and what all releases reveal
/// together.
pub(crate) fn ledger(grid: &mut Grid, raised: Option<RaisedK>, together: Option<&FiguresTogether>) {
    if let Some(RaisedK { required, mined, .. }) = raised {
        let (required, mined) = (count(required), count(mined));
        grid.line([
            "mined with",
            &format!("k = {mined}: with k = {required} the release would break the guarantee together with the ledger"),
        ]);
    }
    if let Some(own) = together {
        let exposed = match own.exposed {
            Some(0) => "no private value can be inferred with certainty".to_owned(),
            Some(people) => format!(
                "a private value can be inferred with certainty for {}{}",
                between(own.exposed_at_least, people, "individual"),
                if own.exposed_at_least == 0 { " (the true number may be 0)" } else { "" }
            ),
            None => unknown_together(own.exposed_at_least),
        };
        let highest = own
            .max_confidence
            .map_or_else(String::new, |share| format!("; highest confidence {}", percent(share)));
        grid.line([
            "with the ledger",
            &format!(
                "all {} releases together: k = {}, the size of the smallest of {}{highest}; {exposed}",
                count(own.releases),
                count(own.k),
                counted(own.spans, "group"),
            ),
        ]);
    }
}

/// Requirements as a list. Three or more are separated by semicolons, because a requirement may itself be a list with
/// commas.
pub(crate) fn listed<S: AsRef<str>>(asked: &[S]) -> String {
    let asked: Vec<String> = asked.iter().map(|asked| worded(asked.as_ref())).collect();
    match asked.as_slice() {
        [first, second] => format!("{first} and {second}"),
        [others @ .., last] if others.len() > 1 => format!("{}; and {last}", others.join("; ")),
        _ => asked.concat(),
    }
}

/// A requirement in words. What clusters reveal is the cluster, which is not an attribute with a name.
pub(crate) fn worded(asked: &str) -> String {
    asked
        .strip_suffix(" of cluster")
        .map_or_else(|| asked.to_owned(), |asked| format!("{asked} of the cluster"))
}

/// What is said of exposure by several releases, if only a lower bound is known.
fn unknown_together(at_least: u64) -> String {
    match at_least {
        0 => format!("for whom a private value can be inferred with certainty {UNKNOWN_TOGETHER}"),
        some => format!(
            "for at least {}, a private value can be inferred with certainty; for how many more {UNKNOWN_TOGETHER}",
            counted(some, "individual")
        ),
    }
}

/// Why exposure by several releases is not known.
const UNKNOWN_TOGETHER: &str =
    "is not known, because individuals have several rows (the bound is every individual)";

/// The number of individuals exposed to certain inference, and the attributes.
pub(crate) fn remains(exposure: &Exposure) -> String {
    if exposure.exposed == 0 {
        return "no private value can be inferred with certainty".to_owned();
    }
    if exposure.is_unknown() {
        return paint(CARE, unknown_together(exposure.surely()));
    }
    let exposed = sorted(&exposure.exposed_to);
    let name = |to: &&ExposedTo| match to.attribute.as_str() {
        "cluster" if exposure.family == "clusters" => "the cluster".to_owned(),
        name => clean(name),
    };
    let named: Vec<String> = exposed.iter().take(NAMED).map(name).collect();
    let more = match exposed.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let how_sure = if exposure.at_most && exposure.may_be_none { " (the true number may be 0)" } else { "" };
    let named = match named.as_slice() {
        [one] => one.clone(),
        [others @ .., last] if more.is_empty() => format!("at least one of {} and {last}", others.join(", ")),
        several => format!("at least one of {}{more}", several.join(", ")),
    };
    let what = format!(
        "for {}, {named} can be inferred with certainty{how_sure}",
        between(exposure.surely(), exposure.exposed, "individual"),
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
    let (exposed, excluded) = (exposure.exposed, exposure.excluded);
    let surely = if exposure.at_most { 0 } else { excluded };
    let in_rows = if exposure.has_several_rows() { IN_A_ROW } else { "" };
    let whom = match exposure.surely() {
        0 if exposure.is_unknown() => "not known: individuals".to_owned(),
        some if exposure.is_unknown() => format!("at least {}", counted(some, "individual")),
        some => between(some, exposed, "individual"),
    };
    let inferred = format!("{whom} with a private value{in_rows} that can be inferred with certainty");
    grid.line(["exposed", &inferred]);
    let out = match excluded {
        _ if exposure.is_unknown() => "not known: individuals".to_owned(),
        excluded => between(surely, excluded, "individual"),
    };
    grid.line(["ruled out", &format!("{out} for whom some private value can be ruled out")]);
    for (line, why) in why_at_most(exposure).iter().enumerate() {
        grid.line([if line == 0 { "at most" } else { "" }, why]);
    }
    let of = highest_in(exposure);
    let confidence = exposure.max_confidence.map_or_else(
        || {
            "not measured: the release does not distinguish any values of the attributes that the guarantee applies \
             to"
                .to_owned()
        },
        |share| match of.as_str() {
            "cluster" if exposure.family == "clusters" => format!("up to {} in a cluster", percent(share)),
            of => format!("up to {} in a value of {of}", percent(share)),
        },
    );
    grid.line(["confidence", &confidence]);
    if let Some(smallest) = exposure.smallest_bin {
        let bin = match exposure.family {
            "tree" => " of one class value in one leaf",
            "ensemble" => " of one class value in one vector of leaves",
            "clusters" => " in one cluster",
            _ => "",
        };
        grid.line(["smallest bin", &format!("{}{bin}", counted(smallest, "individual"))]);
    }
    if exposure.rare_values > 0 {
        let values = counted(exposure.rare_values, "private value");
        grid.line(["rare values", &format!("{values} in the release that too few individuals have")]);
    }
}

/// What exposure means if individuals have several rows.
const IN_A_ROW: &str = " in at least one of their rows";

/// The attributes in whose values the confidence is highest, and among how many.
fn highest_in(exposure: &Exposure) -> String {
    let of: Vec<String> = exposure.highest_in.iter().map(|name| clean(name)).collect();
    let of = match of.len() {
        0..=NAMED => of.join(", "),
        many => format!("{} and {} more", of[..NAMED].join(", "), many - NAMED),
    };
    match exposure.confidence_of.len() {
        measured if measured > exposure.highest_in.len() => {
            format!("{of}, the highest of {measured} attributes")
        }
        _ => of,
    }
}

/// Why the numbers are upper bounds, one line per sentence. Empty if they are exact or zero.
fn why_at_most(exposure: &Exposure) -> Vec<String> {
    if !exposure.at_most || exposure.excluded.max(exposure.exposed) == 0 {
        return Vec::new();
    }
    let bound = if exposure.is_unknown() {
        "the bound is every individual, because"
    } else if exposure.may_be_none {
        "an upper bound (the true number may be 0), because"
    } else {
        "an upper bound, because"
    };
    let Some(alone) = exposure.alone_over_rows else {
        let why = if exposure.family == "releases" {
            "the audit assumes that the number of individuals in every combination of bins is released"
        } else if exposure.family == "ensemble" {
            "the audit assumes that the number of individuals in every vector of leaves is released"
        } else {
            "the audit assumes that the leaves contain counts, which they do not"
        };
        return vec![format!("{bound} {why}")];
    };
    let mut lines = vec![format!("{bound} individuals have several rows")];
    if alone > 0 {
        lines.extend([of_their_own(alone), strict(exposure.strict_k_at_most)]);
    }
    lines
}

fn of_their_own(alone: u64) -> String {
    format!(
        "someone who knows all rows of an individual can tell {} apart from all others",
        counted(alone, "individual")
    )
}

/// What prevents that individuals are alone with their rows in all groups; the largest k is not always known.
fn strict(at_most: Option<u64>) -> String {
    let here = match at_most {
        None | Some(0 | 1) => String::new(),
        Some(k) => format!(" (here k can be at most {})", count(k)),
    };
    format!("several-rows = \"strict\" prevents this{here}")
}

/// The exposed individuals per attribute, with the share of its most frequent value. Empty if no individual is exposed.
pub(crate) fn exposed_to(exposure: &Exposure, individuals: u64) -> String {
    let exposed = sorted(&exposure.exposed_to);
    if exposed.is_empty() {
        return String::new();
    }
    let most_frequent = if exposure.has_several_rows() {
        ">share with its most frequent value (in any row)"
    } else {
        ">share with its most frequent value"
    };
    let mut grid = Grid::new(&["exposed to", ">individuals", ">share of all", most_frequent]);
    for to in exposed {
        let share = |some: u64| percent(some as f64 / individuals.max(1) as f64);
        let (least, most) = (to.surely(), to.individuals);
        let (people, share) = match least {
            0 if exposure.is_unknown() => ("not known".to_owned(), String::new()),
            _ if exposure.is_unknown() => (format!("≥ {}", count(least)), format!("≥ {}", share(least))),
            0 => (bounds(least, most), format!("≤ {}", share(most))),
            _ if least < most => {
                (bounds(least, most), format!("{}–{}", share(least).trim_end_matches(" %"), share(most)))
            }
            _ => (count(most), share(most)),
        };
        grid.line([clean(&to.attribute), people, share, percent(to.most_frequent)]);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Exact figures on exposed individuals with several rows.
    fn exact() -> Exposure {
        Exposure {
            exposed: 1522,
            exposed_at_least: None,
            exposed_to: Vec::new(),
            excluded: 1522,
            at_most: false,
            alone_over_rows: Some(0),
            strict_k_at_most: None,
            smallest_bin: None,
            rare_values: 0,
            max_confidence: Some(0.96),
            confidence_of: vec!["crp".to_owned(), "troponin".to_owned()],
            highest_in: vec!["crp".to_owned()],
            sets: 0,
            family: "tree",
            may_be_none: false,
        }
    }

    /// A bound is called one beside the number, and the text states whether perhaps no individual is exposed.
    #[test]
    fn bounds_are_called_so_in_the_headline() {
        let to = |attribute: &str, individuals| ExposedTo {
            attribute: attribute.to_owned(),
            individuals,
            at_least: None,
            most_frequent: 0.5,
        };
        let exact = Exposure { exposed_to: vec![to("troponin", 1522), to("crp", 0)], ..exact() };
        let said = |exposure: &Exposure| anstream::adapter::strip_str(&remains(exposure)).to_string();
        assert_eq!(said(&exact), "for 1,522 individuals, troponin can be inferred with certainty");
        let within = Exposure { at_most: true, exposed_at_least: Some(1_400), ..exact.clone() };
        let words = "for between 1,400 and 1,522 individuals, troponin can be inferred with certainty";
        assert_eq!(said(&within), words);
        let equal = Exposure { exposed_at_least: Some(1_522), ..within };
        assert_eq!(said(&equal), "for 1,522 individuals, troponin can be inferred with certainty");
        let lower = Exposure { at_most: true, exposed_at_least: Some(0), ..exact.clone() };
        assert_eq!(said(&lower), "for at most 1,522 individuals, troponin can be inferred with certainty");
        let none = Exposure { may_be_none: true, ..lower };
        assert_eq!(
            said(&none),
            "for at most 1,522 individuals, troponin can be inferred with certainty (the true number may be 0)"
        );
        assert_eq!(highest_in(&none), "crp, the highest of 2 attributes");
    }

    /// Three short sentences, one per line.
    #[test]
    fn the_reasons_for_a_bound_are_separate_sentences() {
        let bound = Exposure {
            at_most: true,
            alone_over_rows: Some(772),
            strict_k_at_most: Some(240),
            may_be_none: true,
            ..exact()
        };
        let lines = [
            "an upper bound (the true number may be 0), because individuals have several rows",
            "someone who knows all rows of an individual can tell 772 individuals apart from all others",
            "several-rows = \"strict\" prevents this (here k can be at most 240)",
        ];
        assert_eq!(why_at_most(&bound), lines);
        let hopeless = Exposure { strict_k_at_most: Some(1), alone_over_rows: Some(1), ..bound };
        assert!(why_at_most(&hopeless)[1].ends_with("can tell 1 individual apart from all others"));
        assert!(why_at_most(&hopeless)[2].ends_with("prevents this"));
    }
}
