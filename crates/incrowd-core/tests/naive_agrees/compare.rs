//! Both audits of a case, and what differs between them.

use crate::cases::Case;
use incrowd_core::audit::{AttributeMeasures, ExposedTo, Report, audit_model, audit_table};
use incrowd_core::error::Result;
use incrowd_core::guarantee::Requirement;
use incrowd_core::model::Model;
use incrowd_core::naive::{self, Audit, Columns};
use incrowd_core::span::{as_model_sees, link, link_table};
use incrowd_core::table::People;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

pub(crate) fn fast(case: &Case) -> Result<Report> {
    match &case.model {
        Some(model) => audit_model(&case.table, &case.policy, model, &case.guarantee),
        None => audit_table(&case.table, &case.policy, &case.guarantee),
    }
}

fn slow(case: &Case) -> Result<Audit> {
    match &case.model {
        Some(model) => naive::audit_model(&case.table, &case.policy, model, &case.guarantee),
        None => naive::audit_table(&case.table, &case.policy, &case.guarantee),
    }
}

/// What the columns of a table without a part to play reveal.
fn columns(case: &Case) -> Columns {
    match &case.model {
        Some(_) => Columns::default(),
        None => naive::columns(&case.table, &case.policy),
    }
}

/// What differs between the two audits, in words; `None` if both refuse.
pub(crate) fn differences(case: &Case) -> Option<Vec<String>> {
    let is_bound = matches!(case.model, Some(Model::Ensemble(_))) && !case.policy.dependencies.is_empty();
    match (fast(case), slow(case)) {
        (Ok(fast), Ok(slow)) if is_bound => Some(understated(case, &fast, &slow)),
        (Err(_), Ok(_)) if is_bound => None,
        (Ok(fast), Ok(slow)) => Some(between(case, &fast, &slow)),
        (Err(_), Err(_)) => None,
        (_, Err(error)) if error.what == naive::TOO_MANY => None,
        (fast, slow) => Some(vec![format!("refused by one: {:?}, {:?}", fast.err(), slow.err())]),
    }
}

/// What the fast audit presents as safer than it is.
///
/// With several rows per individual both audits state upper bounds of exposure, and that of the fast one can be lower,
/// because it divides spans further. All worlds then decide whether it is too low.
fn understated(case: &Case, fast: &Report, slow: &Audit) -> Vec<String> {
    let mut found = Differences::default();
    let certain = certain_of_persons(case);
    let mut no_more = |what: &str, fast: u64, slow: u64| found.same(what, &fast.min(slow), &fast);
    no_more("k", fast.k, slow.k);
    let rows = population_of_row(case).into_iter().zip(slow.population_of_row.iter().copied());
    rows.for_each(|(fast, slow)| no_more("population of a row", fast, slow));
    no_more("spans", slow.spans, fast.spans);
    no_more("exposed", slow.exposed, fast.exposed);
    no_more("excluded", slow.excluded, fast.excluded);
    for (place, measures) in slow.attributes.iter().enumerate() {
        let of =
            |all: &[ExposedTo]| all.iter().find(|to| to.attribute == measures.name).map(|to| to.individuals);
        let (exposed, excluded) = (slow.exposed_to[place], slow.excluded_to[place]);
        let exposed = certain.as_ref().map_or(exposed, |certain| certain[place].min(exposed));
        no_more(&format!("exposed to {}", measures.name), exposed, of(&fast.exposed_to).unwrap_or(0));
        no_more(&format!("excluded to {}", measures.name), excluded, of(&fast.excluded_to).unwrap_or(0));
    }
    found.same("holds", &(fast.holds && slow.breaches > 0), &false);
    found.0
}

/// For each attribute the individuals exposed in all worlds, if some individual has several rows and the worlds are few.
fn certain_of_persons(case: &Case) -> Option<Vec<u64>> {
    const MOST_ROWS: usize = 7;
    let rows = case.table.rows();
    let (People::Subjects { count, .. }, Some(model)) = (case.table.people(), &case.model) else {
        return None;
    };
    if rows > MOST_ROWS || *count as usize == rows {
        return None;
    }
    let certain = naive::certain_of_persons(&case.table, &case.policy, model, 1);
    Some(certain.expect("audited before").exposed_to)
}

fn between(case: &Case, fast: &Report, slow: &Audit) -> Vec<String> {
    let mut found = Differences::default();
    found.same("population of each row", &population_of_row(case), &slow.population_of_row);
    found.same("spans", &fast.spans, &slow.spans);
    let columns = columns(case);
    let naming: Vec<String> = fast.column_breaches.iter().map(|breach| breach.column.clone()).collect();
    found.same("columns that name individuals", &naming, &columns.naming);
    let not_judged = fast.not_judged.iter().map(|c| (c.column.clone(), c.singled_out.unwrap_or(0))).collect();
    found.same("columns not judged", &not_judged, &columns.not_judged);
    found.same("k", &fast.k, &slow.k);
    let asked = case.guarantee.requirements();
    let rare = naive::rare_values(&case.table, &case.policy, case.model.as_ref(), required(asked));
    found.same("rare values in print", &fast.rare_values, &rare);
    let rare_allowed = rare == 0 || !asked.iter().any(|r| matches!(r, Requirement::SmallestBin(_)));
    let asked: Vec<u64> = fast.asked.iter().filter_map(|asked| asked.breaches).collect();
    found.same("breaches", &fast.breaches, &Some(slow.breaches));
    found.same("holds", &fast.holds, &(slow.breaches == 0 && columns.naming.is_empty() && rare_allowed));
    found.same("breaches of each requirement", &asked, &slow.broken_by);
    found.same("in_breach", &fast.in_breach, &Some(slow.in_breach));
    found.same("smallest_bin", &fast.smallest_bin, &slow.smallest_bin);
    found.same("exposed", &fast.exposed, &slow.exposed);
    let names = slow.attributes.iter().map(|measures| measures.name.as_str());
    let exposed: BTreeMap<&str, u64> = names.zip(slow.exposed_to.iter().copied()).collect();
    let fast_exposed = fast.exposed_to.iter().map(|to| (to.attribute.as_str(), to.individuals)).collect();
    found.same("exposed_to", &fast_exposed, &exposed);
    found.same("excluded", &fast.excluded, &slow.excluded);
    let names = slow.attributes.iter().map(|measures| measures.name.as_str());
    let excluded: BTreeMap<&str, u64> = names.zip(slow.excluded_to.iter().copied()).collect();
    let fast_excluded = fast.excluded_to.iter().map(|to| (to.attribute.as_str(), to.individuals)).collect();
    found.same("excluded_to", &fast_excluded, &excluded);
    found.near("max_confidence", fast.max_confidence.unwrap_or(0.0), slow.max_confidence);
    found.measures(&fast.attributes, &slow.attributes);
    found.0
}

/// The number of individuals who must have a printed private value: as many as k and the smallest bin require.
fn required(asked: &[Requirement]) -> u64 {
    let least = asked.iter().map(|requirement| match requirement {
        Requirement::K(k) => k.k(),
        Requirement::SmallestBin(smallest) => smallest.n(),
        _ => 1,
    });
    least.max().unwrap_or(1)
}

/// For each row the individuals that share its span, by the fast linking.
fn population_of_row(case: &Case) -> Vec<u64> {
    let span_of_row = if let Some(model) = &case.model {
        let (table, policy) = as_model_sees(&case.table, &case.policy, model).expect("seen in the audit");
        link(&table, &policy, model).expect("linked in the audit").whole_span_of_row()
    } else {
        let linking = link_table(&case.table, &case.policy);
        linking.expect("linked in the audit").whole_span_of_row()
    };
    let shared = |row: usize| -> u64 {
        let rows = (0..case.table.rows()).filter(|&other| span_of_row[other] == span_of_row[row]);
        match case.table.people() {
            People::Subjects { of_row, .. } => {
                rows.map(|row| of_row[row]).collect::<BTreeSet<_>>().len() as u64
            }
            _ => rows.map(|row| u64::from(case.table.weight(row))).sum(),
        }
    };
    (0..case.table.rows()).map(shared).collect()
}

#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn same<T: Debug + PartialEq>(&mut self, what: &str, fast: &T, slow: &T) {
        if fast != slow {
            self.0.push(format!("{what}: fast {fast:?}, naive {slow:?}"));
        }
    }

    fn near(&mut self, what: &str, fast: f64, slow: f64) {
        let near = (fast - slow).abs() <= 1e-9 * slow.abs().max(1.0);
        if !near {
            self.same(what, &fast, &slow);
        }
    }

    fn measures(&mut self, fast: &[AttributeMeasures], slow: &[AttributeMeasures]) {
        let names = |all: &[AttributeMeasures]| all.iter().map(|m| m.name.clone()).collect::<BTreeSet<_>>();
        self.same("attributes", &names(fast), &names(slow));
        for fast in fast {
            if let Some(slow) = slow.iter().find(|slow| slow.name == fast.name) {
                self.measure(fast, slow);
            }
        }
    }

    fn measure(&mut self, fast: &AttributeMeasures, slow: &AttributeMeasures) {
        let what = |figure: &str| format!("{figure} of {}", fast.name);
        self.same(&what("distinct_l"), &fast.distinct_l, &slow.distinct_l);
        self.near(&what("entropy_l"), fast.entropy_l, slow.entropy_l);
        self.near(&what("recursive c"), fast.recursive.c, slow.recursive.c);
        self.same(&what("recursive l"), &fast.recursive.l, &slow.recursive.l);
        self.near(&what("max_confidence"), fast.max_confidence, slow.max_confidence);
        self.near(&what("alpha"), fast.alpha, slow.alpha);
        self.near(&what("t_equal"), fast.t_equal, slow.t_equal);
        self.same(&what("t_ordered given"), &fast.t_ordered.is_some(), &slow.t_ordered.is_some());
        self.near(&what("t_ordered"), fast.t_ordered.unwrap_or(0.0), slow.t_ordered.unwrap_or(0.0));
        self.near(&what("beta"), fast.beta, slow.beta);
    }
}
