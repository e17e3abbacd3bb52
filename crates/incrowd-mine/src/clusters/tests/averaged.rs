//! What centroids reveal about the individuals who were averaged.

use super::*;

/// Eight rows in each of many towns, of two individuals with four rows each; every other row is in the capital.
fn visits() -> (Table, Policy) {
    let (mut towns, mut ages, mut who) = (Vec::new(), Vec::new(), Vec::new());
    for person in 0..80_u32 {
        for visit in 0..5 {
            towns.push(Some(if visit < 4 { format!("t{}", person / 2) } else { "capital".to_owned() }));
            ages.push(f64::from(person % 20 + if person < 40 { 0 } else { 60 }));
            who.push(f64::from(person));
        }
    }
    let columns = vec![Column::from_texts("town", &towns), numbers("age", ages)];
    let table = Table::new(columns, People::from_subject(&numbers("who", who))).unwrap();
    (table, policy(vec![Attribute::new("town", Role::Public), Attribute::new("age", Role::Private)]))
}

#[test]
fn names_of_few_individuals_with_many_rows_have_no_share() {
    let (table, policy) = visits();
    for method in [ClusterMethod::Mst, ClusterMethod::KMeans] {
        let mut params = ClusterParams::new(method, Guarantee::k_anonymity(5).unwrap());
        params.clusters = 2;
        let mined = mine_clusters(&table, &policy, &params.check().unwrap(), &Silent).unwrap();
        let names = mined.clusters.axes()[0].names().to_vec();
        let mut capital = 0.0_f64;
        for centroid in mined.clusters.centroids() {
            for (name, &share) in names.iter().zip(&centroid.center) {
                assert!(name == "capital" || share == 0.0, "{method:?}: {name} {share}");
                capital = capital.max(if name == "capital" { share } else { 0.0 });
            }
        }
        assert!(capital > 0.1, "{method:?}: {capital}");
    }
}

/// A k that no release can have is refused before anything is computed.
#[test]
fn a_k_above_the_individuals_is_refused_at_once() {
    let (table, policy) = visits();
    let params = ClusterParams::new(ClusterMethod::Mst, Guarantee::k_anonymity(81).unwrap());
    let error = mine_clusters(&table, &policy, &params.check().unwrap(), &Refusing).unwrap_err();
    assert_eq!(error.help.as_deref(), Some("the largest k possible for this table is 80"));
}

/// Fails if any work begins.
struct Refusing;

impl incrowd_core::progress::Progress for Refusing {
    fn begin(&self, stage: &str, _: Option<u64>) {
        panic!("{stage}");
    }
}
