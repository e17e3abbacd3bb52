//! Tables of Adult: what they lose.

use crate::benchmark::{CATEGORICAL, adult, adult_policy, file};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::Policy;
use incrowd_core::progress::Silent;
use incrowd_core::table::Table;
use incrowd_io::read_taxonomy;
use incrowd_mine::table::{MinedTable, TableMethod, TableParams, mine_table};

fn make(table: &Table, policy: &Policy, method: TableMethod, k: u64) -> MinedTable {
    let guarantee = Guarantee::k_anonymity(k).expect("k");
    let params = TableParams::new(method, guarantee).check().expect("parameters");
    let made = mine_table(table, policy, &params, &Silent).expect("a table");
    assert!(made.summary.k >= k);
    let summary = &made.summary;
    eprintln!("{method}, k = {k}: loss {:.4?}, cm {:?}, {} groups", summary.loss, summary.cm, summary.groups);
    made
}

/// The attributes and taxonomies of ARX's example.
fn arx_policy() -> Policy {
    let names =
        ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"];
    let mut policy = adult_policy(&names);
    for attribute in policy.attributes.iter_mut().filter(|attribute| names.contains(&attribute.name.as_str()))
    {
        let path = format!("adult/hierarchies-arx/adult_hierarchy_{}.csv", attribute.name);
        attribute.taxonomy = Some(read_taxonomy(file(&path).expect("a taxonomy")).expect("a taxonomy"));
    }
    policy
}

/// ARX's local recoding loses this much of a cell on the same rows with the same taxonomies (settings: docs/tables.md).
#[test]
fn mondrian_loses_less_than_local_recoding() {
    let Some(table) = adult("data") else { return };
    let policy = arx_policy();
    for (k, most) in [(5, 0.0503), (10, 0.0731), (50, 0.1439), (100, 0.1873), (1000, 0.386)] {
        let made = make(&table, &policy, TableMethod::Mondrian, k);
        assert!(made.summary.loss.is_some_and(|loss| loss < most), "k = {k}: {:?}", made.summary.loss);
        assert_eq!((made.summary.rows, made.summary.rows_lost), (30_162, 0));
    }
}

/// The best figures of ARX's local recoding, with age nodes 2, 4, 8 … 64 wide (docs/tables.md). Even the first groups
/// of `finest`, without any round of improvement, lose less. Larger k take longer; docs/tables.md has them.
#[test]
fn finest_loses_less_than_local_recoding() {
    let Some(table) = adult("data") else { return };
    let policy = arx_policy();
    for (k, most) in [(5, 0.0497), (10, 0.0714)] {
        let mut params = TableParams::new(TableMethod::Finest, Guarantee::k_anonymity(k).expect("k"));
        params.rounds = 0;
        let made =
            mine_table(&table, &policy, &params.check().expect("parameters"), &Silent).expect("a table");
        eprintln!("k = {k}: loss {:.4?}, {} groups", made.summary.loss, made.summary.groups);
        assert!(made.summary.loss.is_some_and(|loss| loss < most), "k = {k}: {:?}", made.summary.loss);
        assert_eq!((made.summary.rows, made.summary.rows_lost), (30_162, 0));
    }
}

/// The papers' eight names and six numbers.
fn fourteen() -> Policy {
    let mut public = CATEGORICAL.to_vec();
    public.extend(["age", "education-num", "hours-per-week", "capital-gain", "capital-loss", "fnlwgt"]);
    adult_policy(&public)
}

/// The more individuals a group must have, the less it reveals about the class; predicting the most frequent class for
/// all errs 7,508 times.
#[test]
fn top_down_specialization_of_adult() {
    let Some(table) = adult("data") else { return };
    let cms = [10, 100, 1000].map(|k| make(&table, &fourteen(), TableMethod::Tds, k).summary.cm);
    assert!(cms[0] < cms[1] && cms[0] < cms[2], "{cms:?}");
    assert!(cms.iter().all(|cm| cm.is_some_and(|cm| cm < 7_508)), "{cms:?}");
}

/// Without a taxonomy names are suppressed or themselves.
#[test]
fn top_down_refinement_of_adult() {
    let Some(table) = adult("data") else { return };
    let mut policy = fourteen();
    policy.attributes.iter_mut().for_each(|attribute| attribute.taxonomy = None);
    let made = make(&table, &policy, TableMethod::Tdr, 10);
    assert!(made.summary.cm.is_some_and(|cm| cm < 7_508) && made.summary.suppressed > 0.0);
    let class = made.table.require("relationship").expect("a column");
    let texts: Vec<_> =
        (0..class.values().len()).map(|code| class.values().text(code).into_owned()).collect();
    let source = table.require("relationship").expect("a column");
    assert!(texts.iter().all(|text| text == "*" || source.values().find(text).is_some()), "{texts:?}");
}
