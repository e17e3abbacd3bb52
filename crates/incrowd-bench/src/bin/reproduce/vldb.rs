//! The experiments of the PKDD and VLDB papers on Adult: error, exposure and confidence limits over k, and Table 6.

use crate::Places;
use crate::markdown::{head, percent, table, whole};
use crate::published::CLASSIFICATION_METRIC;
use crate::sets::{self, Loaded};
use incrowd::Result;
use incrowd::guarantee::{Guarantee, Requirement};
use incrowd::inducers::inducer;
use incrowd::model::Tree;
use incrowd::predict::{evaluate, predict};
use incrowd::progress::Silent;
use incrowd::table::Table;
use incrowd_bench::ADULT_NAMES;
use incrowd_eval::inducer::Examples;
use incrowd_eval::score::{Tested, truth};
use incrowd_mine::table::{self as tables, TableParams, mine_table};
use incrowd_mine::tree::{MinedTree, TreeMethod, TreeParams, mine_tree};

const KS: [u64; 12] = [10, 25, 50, 75, 100, 200, 300, 500, 750, 1000, 1500, 2000];
const LIMITS: [f64; 9] = [1.0, 0.99, 0.98, 0.96, 0.94, 0.92, 0.9, 0.85, 0.8];

/// Training and test rows with the same public attributes.
struct Experiment {
    title: &'static str,
    method: TreeMethod,
    train: Loaded,
    test: Table,
}

pub(crate) fn section(places: &Places) -> Result<String> {
    let all = [
        &ADULT_NAMES[..],
        &["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"],
    ]
    .concat();
    let id3 = experiment(places, "ID3, 8 attributes", TreeMethod::KadetId3, &ADULT_NAMES)?;
    let c45 = experiment(places, "C4.5, 14 attributes", TreeMethod::KadetC45, &all)?;
    let seven: Vec<&str> = ADULT_NAMES.iter().copied().filter(|&name| name != "relationship").collect();
    let metric = experiment(places, "Table 6", TreeMethod::KadetId3, &seven)?;
    Ok([
        include_str!("vldb.md").to_owned(),
        over_k(&id3)?,
        over_k(&c45)?,
        include_str!("limits.md").to_owned(),
        limits(&id3, &c45)?,
        include_str!("metric.md").to_owned(),
        classification_metric(&metric)?,
    ]
    .join("\n"))
}

fn experiment(
    places: &Places,
    title: &'static str,
    method: TreeMethod,
    public: &[&str],
) -> Result<Experiment> {
    let part = format!("vldb-{}", public.len());
    let train = sets::adult("data", public).load(places, &part)?;
    let test = sets::adult("test", public).load(places, &part)?.table;
    Ok(Experiment { title, method, train, test })
}

impl Experiment {
    fn tree(&self, method: TreeMethod, guarantee: Guarantee) -> Result<MinedTree> {
        let params = TreeParams::new(method, guarantee).check()?;
        mine_tree(&self.train.table, &self.train.policy.policy, &params, &Silent)
    }

    fn error(&self, tree: &Tree) -> Result<f64> {
        Ok(evaluate(&self.test, tree, &predict(&self.test, tree)?).map_or(1.0, |found| found.error()))
    }

    /// The error of the same inducer without a guarantee on what TDS releases.
    fn tds_error(&self, k: u64) -> Result<f64> {
        let params = TableParams::new(tables::TableMethod::Tds, Guarantee::k_anonymity(k)?).check()?;
        let policy = &self.train.policy.policy;
        let made = mine_table(&self.train.table, policy, &params, &Silent)?;
        let met = made.recoding.apply(&self.test)?;
        if self.method == TreeMethod::KadetId3 {
            let mut open = policy.clone();
            open.attributes.iter_mut().for_each(|attribute| attribute.taxonomy = None);
            let params = TreeParams::new(TreeMethod::KadetId3, Guarantee::k_anonymity(1)?).check()?;
            let tree = mine_tree(&made.table, &open, &params, &Silent)?.tree;
            return Ok(evaluate(&met, &tree, &predict(&met, &tree)?).map_or(1.0, |found| found.error()));
        }
        let inputs: Vec<String> =
            made.table.columns().iter().map(|c| c.name().to_owned()).filter(|name| name != "class").collect();
        let examples = Examples { table: &made.table, class: "class", inputs: &inputs };
        let learned = inducer("c45")?.learn(examples)?;
        let shares = learned.shares(&met)?;
        let truth = truth(&met, "class", learned.classes())?;
        let tested =
            Tested { truth: &truth, classes: learned.classes().len(), shares: &shares, weights: None };
        Ok(1.0 - tested.scores()?.accuracy)
    }
}

fn over_k(experiment: &Experiment) -> Result<String> {
    eprintln!("VLDB: {}", experiment.title);
    let people = experiment.train.table.individuals() as f64;
    let name = experiment.method.name();
    let mut lines = Vec::new();
    for k in [1].into_iter().chain(KS) {
        let guarantee = || Guarantee::k_anonymity(k);
        let own = experiment.tree(experiment.method, guarantee()?)?;
        let best = experiment.tree(TreeMethod::Best, guarantee()?)?;
        let exposed = |mined: &MinedTree| {
            format!(
                "{} ({} %)",
                whole(mined.summary.exposed as f64),
                percent(mined.summary.exposed as f64 / people)
            )
        };
        lines.push(vec![
            k.to_string(),
            percent(experiment.error(&own.tree)?),
            percent(experiment.tds_error(k)?),
            percent(experiment.error(&best.tree)?),
            exposed(&own),
            exposed(&best),
        ]);
    }
    let names = [
        "k",
        &format!("{name}, error %"),
        "TDS, error %",
        "best, error %",
        &format!("{name}, exposed"),
        "best, exposed",
    ];
    Ok(format!("### {}\n\n{}", experiment.title, table(&head(&names), &lines)))
}

fn limits(id3: &Experiment, c45: &Experiment) -> Result<String> {
    let mut lines = Vec::new();
    for limit in LIMITS {
        let mut cells = vec![format!("{:.0} %", limit * 100.0)];
        for experiment in [id3, c45] {
            for method in [experiment.method, TreeMethod::Best] {
                let mut guarantee = Guarantee::k_anonymity(10)?;
                if limit < 1.0 {
                    guarantee = guarantee.with(Requirement::confidence(limit)?);
                }
                let mined = experiment.tree(method, guarantee)?;
                cells.push(format!(
                    "{} ({} leaves)",
                    percent(experiment.error(&mined.tree)?),
                    mined.summary.leaves
                ));
            }
        }
        lines.push(cells);
    }
    let names = [
        "confidence at most",
        "kadet-id3, error %",
        "best, 8 attributes",
        "kadet-c45, error %",
        "best, 14 attributes",
    ];
    Ok(table(&head(&names), &lines))
}

fn classification_metric(experiment: &Experiment) -> Result<String> {
    let mut lines = Vec::new();
    for (k, optimal, published) in CLASSIFICATION_METRIC {
        let own = experiment.tree(TreeMethod::KadetId3, Guarantee::k_anonymity(k)?)?;
        let best = experiment.tree(TreeMethod::Best, Guarantee::k_anonymity(k)?)?;
        lines.push(vec![
            k.to_string(),
            optimal.to_owned(),
            published.to_string(),
            own.summary.cm.to_string(),
            best.summary.cm.to_string(),
        ]);
    }
    let names = ["k", "k-Optimal (published)", "anonymous tree (published)", "kadet-id3", "best"];
    Ok(table(&head(&names), &lines))
}
