//! The library as its users see it: the policy is the floor, and only what was audited is written.

use incrowd::guarantee::{Guarantee, Requirement, Scope};
use incrowd::mine::table::TableMethod;
use incrowd::samples::{clinic, clinic_policy};
use incrowd::{Dataset, ErrorKind, Existing};
use std::path::PathBuf;

/// A file of its own, removed when the test is over.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("incrowd-facade-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder.join(name))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        if let Some(folder) = self.0.parent() {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// A clinic whose policy requires k = 20 and a confidence of at most 0.9.
fn guarded() -> Dataset {
    let mut policy = clinic_policy();
    let requirements = vec![
        Requirement::k(20, incrowd::guarantee::SingleBin::Counted).expect("a k"),
        Requirement::confidence(0.9).expect("a share"),
    ];
    policy.guarantee = Guarantee::new(requirements, Scope::Class).expect("a guarantee");
    Dataset::of_table(clinic(1_500, 1), policy)
}

#[test]
fn the_policy_is_the_floor() {
    let data = guarded();
    let tree = data.tree().max_leaves(20).mine().expect("a tree");
    assert!(tree.report().k >= 20);
    assert_eq!(tree.guarantee(), ["k = 20", "confidence <= 0.9 of diagnosis"]);
    // More of one thing leaves the others in place.
    let tree = data.tree().max_leaves(20).k(40).mine().expect("a tree");
    assert_eq!(tree.guarantee(), ["k = 40", "confidence <= 0.9 of diagnosis"]);
    assert!(tree.weakened().is_empty());
}

#[test]
fn less_than_the_policy_is_said_and_recorded() {
    let data = guarded();
    let error = data.tree().k(5).mine().expect_err("less than the policy");
    assert_eq!((error.kind, error.place.parameter), (ErrorKind::Parameters, Some("k")));
    let tree = data.tree().max_leaves(20).k(5).weaken().mine().expect("a tree");
    assert_eq!(tree.weakened(), ["k = 20"]);
    assert!(tree.to_text().expect("a release").contains("\"weakened\""));
    // Where nothing is given up, nothing is recorded.
    let tree = data.tree().max_leaves(20).weaken().mine().expect("a tree");
    assert!(!tree.to_text().expect("a release").contains("weakened"));
}

#[test]
fn every_model_can_be_shown() {
    let data = guarded();
    let tree = data.tree().max_leaves(20).mine().expect("a tree").show().expect("a picture");
    let clusters = data.clusters().attributes(["age", "blood-pressure"]).mine().expect("clusters");
    for picture in [tree, clusters.show().expect("a picture")] {
        assert!(picture.starts_with("<svg ") && picture.contains("1,500 individuals"), "{picture}");
    }
    let rules = data.rules().min_support(0.05).min_confidence(0.5).max_length(2).mine().expect("rules");
    let lines = rules.show();
    assert_eq!(lines.len(), rules.model().rules().len());
    assert!(lines.is_sorted_by(|one, other| one.confidence >= other.confidence));
}

#[test]
fn what_is_written_reads_back_and_passes() {
    let data = guarded();
    let file = File::new("tree.json");
    let tree = data.tree().max_leaves(20).mine().expect("a tree");
    tree.write(&file.0).expect("written");
    let report = incrowd::audit(&file.0, &data).expect("an audit");
    assert_eq!((report.holds, report.k), (true, tree.report().k));
    // An existing file stays unless it may be replaced.
    let error = tree.write(&file.0).expect_err("it exists");
    assert!(error.place.file.is_some());
    tree.write_as(&file.0, Existing::Replace).expect("replaced");
    let loaded = incrowd::load(&file.0).expect("a release");
    assert_eq!(loaded.tree().expect("a tree"), tree.model());
    assert_eq!(loaded.guarantee(), tree.guarantee());
}

#[test]
fn tables_are_written_with_their_release_file() {
    let data = guarded();
    let file = File::new("anon.csv");
    let table = data.table().method(TableMethod::Mondrian).mine().expect("a table");
    let files = table.write(&file.0).expect("written");
    assert!(files.table.exists() && files.sidecar.exists());
    let recoded = table.transform(&clinic(10, 2)).expect("recoded");
    assert_eq!(recoded.rows(), 10);
}

#[test]
fn rules_and_clusters_have_the_same_shape() {
    let data = guarded();
    let rules = data.rules().min_support(0.1).min_confidence(0.6).max_length(2).mine().expect("rules");
    assert_eq!(rules.useful.is_empty(), rules.to_text().is_err());
    let clusters =
        data.clusters().clusters(3).attributes(["age", "blood-pressure"]).mine().expect("clusters");
    assert!(clusters.report().holds);
    assert_eq!(clusters.predict(&clinic(7, 3)).expect("clusters").len(), 7);
}

#[test]
fn a_k_no_table_can_meet_is_unsatisfiable() {
    let error = guarded().tree().k(100_000).mine().expect_err("too large");
    assert_eq!(error.kind, ErrorKind::Unsatisfiable);
    assert!(error.is_about_the_guarantee());
}

#[test]
fn models_made_elsewhere_need_the_file_of_the_table() {
    let file = File::new("tree.pmml");
    let tree = guarded().tree().max_leaves(5).mine().expect("a tree");
    std::fs::write(&file.0, tree.export(incrowd::io::Target::Pmml).expect("PMML")).expect("written");
    let error = incrowd::audit(&file.0, &guarded()).expect_err("a table in memory");
    assert_eq!(error.kind, ErrorKind::Parameters);
}

#[test]
fn a_profile_drafts_a_policy_that_opens_the_table() {
    let (table, policy) = (File::new("clinic.csv"), File::new("policy.toml"));
    incrowd::io::write_csv(&table.0, &clinic(1_500, 1), true).expect("written");
    let profile = incrowd::profile(&table.0).expect("a profile");
    assert_eq!(profile.table().expect("a table").profile.rows, 1_500);
    profile.write_policy(&policy.0).expect("written");
    assert!(profile.write_policy(&policy.0).is_err(), "an existing policy is kept");
    let data = incrowd::open(&table.0, &policy.0).expect("the draft reads the table");
    assert_eq!(data.policy().guarantee.asked_k(), Some(10));
    // A table in memory gets the same roles.
    let memory = incrowd::OpenOptions::new().profile_table(clinic(1_500, 1)).run().expect("a profile");
    let roles = |profile: &incrowd::DataProfile| -> Vec<_> {
        profile.policy().attributes.iter().map(|a| (a.name.clone(), a.role)).collect()
    };
    assert_eq!(roles(&memory), roles(&profile));
}

#[test]
fn a_comparison_is_a_job() {
    use incrowd::compare::{ComparedMethod, ReportFolder};
    use incrowd::eval::folds::Protocol;
    let data = Dataset::of_table(clinic(300, 1), guarded().policy().clone());
    let folder = File::new("report");
    let job = || {
        let job = data.compare().methods([ComparedMethod::named("kadet-c45").expect("a method")]).ks([5, 20]);
        job.inducers(["naive-bayes"]).protocol(Protocol::KFold { folds: 2 }).folder(&folder.0)
    };
    let comparison = job().run().expect("a comparison");
    assert_eq!(comparison.ks, [5, 20]);
    // The policy's confidence applies at every k.
    assert_eq!(comparison.about.guarantee, ["confidence <= 0.9"]);
    assert!(ReportFolder::report(&folder.0).exists());
    assert_eq!(job().run().expect("resumed").series, comparison.series);
    let error = job().k(7).run().expect_err("one k");
    assert_eq!((error.kind, error.place.parameter), (ErrorKind::Parameters, Some("k")));
    let comparison = job().confidence(0.95).weaken().folder_as(&folder.0, Existing::Replace).run();
    let notes = comparison.expect("a comparison").notes;
    assert!(notes.iter().any(|note| note.contains("confidence <= 0.9")), "{notes:?}");
}
