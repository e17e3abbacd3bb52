//! Every job stops when its progress is cancelled, and says so.

use incrowd::compare::ComparedMethod;
use incrowd::mine::clusters::ClusterMethod;
use incrowd::mine::table::TableMethod;
use incrowd::mine::tree::TreeMethod;
use incrowd::progress::{Cancel, Progress};
use incrowd::samples::{clinic, clinic_policy};
use incrowd::{Dataset, ErrorKind, OpenOptions, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

/// Cancels after this many questions.
struct After {
    left: AtomicI64,
    open: AtomicU32,
}

impl After {
    fn new(questions: i64) -> Arc<Self> {
        Arc::new(Self { left: AtomicI64::new(questions), open: AtomicU32::new(0) })
    }
}

impl Progress for After {
    fn begin(&self, _work: &str, _total: Option<u64>) {
        self.open.fetch_add(1, Ordering::Relaxed);
    }

    fn end(&self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.left.fetch_sub(1, Ordering::Relaxed) <= 0
    }
}

/// The job ends as cancelled, or it is done before; every stage that began has ended.
fn check(name: &str, job: impl Fn(Arc<After>) -> Result<()>) {
    for questions in [0, 1, 7, 40] {
        let after = After::new(questions);
        let done = job(Arc::clone(&after));
        let kind = done.err().map(|error| error.kind);
        assert!(kind == Some(ErrorKind::Cancelled) || (kind.is_none() && questions > 0), "{name}: {kind:?}");
        assert_eq!(after.open.load(Ordering::Relaxed), 0, "{name}: a stage did not end");
    }
}

fn data() -> Dataset {
    Dataset::of_table(clinic(300, 1), clinic_policy())
}

#[test]
fn trees_stop() {
    let data = data();
    for method in TreeMethod::ALL {
        check(method.name(), |after| data.tree().k(5).method(method).progress(after).mine().map(drop));
    }
}

#[test]
fn tables_stop() {
    let data = data();
    for method in [TableMethod::Best, TableMethod::Spans, TableMethod::Mondrian] {
        check(method.name(), |after| data.table().k(5).method(method).progress(after).mine().map(drop));
    }
}

#[test]
fn clusters_stop() {
    let data = data();
    for method in ClusterMethod::ALL {
        check(method.name(), |after| {
            let job = data.clusters().k(5).method(method).clusters(4).attributes(["age", "blood-pressure"]);
            job.progress(after).mine().map(drop)
        });
    }
}

#[test]
fn rules_stop() {
    let data = data();
    check("rules", |after| data.rules().k(5).min_support(0.2).max_length(2).progress(after).mine().map(drop));
}

#[test]
fn comparisons_stop() {
    let data = data();
    let method = ComparedMethod::named("kadet-c45").expect("a method");
    check("compare", |after| {
        let job = data.compare().methods([method]).ks([5]).inducers(["naive-bayes"]);
        job.progress(after).run().map(drop)
    });
}

#[test]
fn profiles_stop() {
    check("profile", |after| {
        OpenOptions::new().progress(after).profile_table(clinic(200, 1)).run().map(drop)
    });
}

#[test]
fn reading_stops() {
    let file = std::env::temp_dir().join(format!("incrowd-cancelling-{}.csv", std::process::id()));
    incrowd::io::write_csv(&file, &clinic(300, 1), true).expect("written");
    check("reading", |after| OpenOptions::new().progress(after).profile(&file).run().map(drop));
    std::fs::remove_file(&file).expect("removed");
}

#[test]
fn a_handle_cancels() {
    let cancel = Arc::new(Cancel::new());
    cancel.cancel();
    let error = data().tree().k(5).progress(cancel).mine().expect_err("cancelled");
    assert_eq!(error.kind, ErrorKind::Cancelled);
    assert!(!error.is_about_the_guarantee());
}
