//! Dates as numbers on the axis of time, and attributes with missing values.

use super::*;

/// Days since 1970-01-01 as a column of dates.
fn dates(cells: impl IntoIterator<Item = u32>, name: &str) -> Column {
    let cells: Vec<Option<String>> = cells.into_iter().map(|day| Some(day.to_string())).collect();
    let day = |text: &str| text.parse().ok().and_then(incrowd_core::table::Date::from_days);
    Column::from_texts(name, &cells).with_dates(day).unwrap()
}

#[test]
fn dates_are_measured_by_the_calendar_and_never_listed() {
    let days = (0..40).map(|i| 18_000 + i + if i < 20 { 0 } else { 180 });
    let columns = vec![dates(days.clone(), "admitted"), dates(days.map(|day| day + 3), "discharged")];
    let table = Table::new(columns, People::Rows).unwrap();
    let policy =
        policy(vec![Attribute::new("admitted", Role::Public), Attribute::new("discharged", Role::Private)]);
    for method in [ClusterMethod::Mst, ClusterMethod::KMeans] {
        let mut params = ClusterParams::new(method, Guarantee::k_anonymity(10).unwrap());
        params.clusters = 2;
        let mined = mine_clusters(&table, &policy, &params.clone().check().unwrap(), &Silent).unwrap();
        assert!(mined.clusters.axes().iter().all(|axis| axis.dates && axis.names().is_empty()));
        assert_eq!(mined.clusters.centroids().len(), 2, "{method:?}");
        let centers = mined.clusters.centroids().iter().flat_map(|centroid| &centroid.center);
        assert!(centers.clone().all(|day| day.fract() == 0.0), "{method:?}");
        let model = Model::Clusters(mined.clusters.clone());
        let report = audit_model(&table, &policy, &model, &params.guarantee).unwrap();
        let slow = naive::population_of_rows(&table, &policy, &model);
        assert_eq!((report.holds, report.rare_values, report.k), (true, 0, mined.summary.k));
        assert!(slow.is_err() || slow.is_ok_and(|all| all.iter().min() == Some(&report.k)));
        // Days that the table does not have belong to the nearest centroid as well.
        let strange = Table::new(
            vec![dates([18_005, 18_999], "admitted"), dates([18_008, 19_002], "discharged")],
            People::Rows,
        );
        let found = nearest_centroids(&strange.unwrap(), &mined.clusters).unwrap().cluster_of_row;
        assert_ne!(found[0], found[1]);
    }
}

#[test]
fn attributes_with_missing_values_are_left_out_with_a_word() {
    let gaps: Vec<Option<f64>> = (0..40).map(|i| (i % 4 != 0).then_some(f64::from(i))).collect();
    let columns = vec![
        numbers("age", (0..40).map(|i| f64::from(i % 7) + if i < 20 { 0.0 } else { 50.0 })),
        Column::from_numbers("hba1c", &gaps).unwrap(),
    ];
    let table = Table::new(columns, People::Rows).unwrap();
    let policy = policy(vec![Attribute::new("age", Role::Public), Attribute::new("hba1c", Role::Private)]);
    let mut params = ClusterParams::new(ClusterMethod::Mst, Guarantee::k_anonymity(5).unwrap());
    let mined = mine_clusters(&table, &policy, &params.clone().check().unwrap(), &Silent).unwrap();
    assert_eq!(mined.clusters.axes().len(), 1);
    assert!(mined.warnings[0].starts_with("`hba1c` (25 %) is left out"), "{:?}", mined.warnings);
    let model = Model::Clusters(mined.clusters.clone());
    assert!(audit_model(&table, &policy, &model, &params.guarantee).unwrap().holds);
    assert!(nearest_centroids(&table, &mined.clusters).is_ok());
    params.attributes = vec!["hba1c".to_owned()];
    let error = mine_clusters(&table, &policy, &params.check().unwrap(), &Silent).unwrap_err();
    assert!(error.what.contains("missing in some rows"), "{error}");
}
