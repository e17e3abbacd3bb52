//! The content of the report and the files.

use crate::sample::comparison;
use incrowd_eval::comparison::{About, Comparison, Point, Scores};
use incrowd_eval::report::{csv, html, releases_csv};

/// The sample with other accuracies: without protection, and of `kactus2` with `c45` at k = 50.
fn costing(level: f64, accuracy: f64, deviation: f64) -> Comparison {
    let mut comparison = comparison();
    let set = |point: &mut Point, accuracy: f64| {
        point.mean.accuracy = accuracy;
        point.deviation.accuracy = deviation;
    };
    for series in comparison.series.iter_mut().filter(|series| series.inducer.as_deref() == Some("c45")) {
        for point in &mut series.points {
            match (series.method.as_str(), point.k) {
                ("none", _) => set(point, level),
                ("kactus2", Some(50)) => set(point, accuracy),
                _ => {}
            }
        }
    }
    comparison
}

fn lead(comparison: &Comparison) -> String {
    let page = html(comparison);
    let start = page.find("<p class=\"lead\">").expect("there is a headline") + "<p class=\"lead\">".len();
    page[start..].split("</p>").next().unwrap_or_default().to_owned()
}

#[test]
fn the_headline_says_what_k_costs() {
    let lost = lead(&costing(0.872, 0.864, 0.001));
    assert_eq!(lost, "At k = 50, kactus2 loses 0.8 points of accuracy compared with no protection.");
    let one = lead(&costing(0.880, 0.870, 0.001));
    assert_eq!(one, "At k = 50, kactus2 loses 1.0 point of accuracy compared with no protection.");
    let gained = lead(&costing(0.860, 0.8731, 0.001));
    assert_eq!(gained, "At k = 50, kactus2 is at least as accurate as c45 without protection.");
    let none = lead(&costing(0.8702, 0.870, 0.001));
    assert_eq!(none, "At k = 50, kactus2 loses no accuracy compared with no protection.");
}

/// Where nothing can be learned, protection does not seem to be free.
#[test]
fn a_headline_on_methods_that_are_no_better_than_the_most_frequent_value() {
    let mut flat = costing(0.9, 0.862, 0.001);
    flat.about.majority = 0.862;
    assert_eq!(
        lead(&flat),
        "At k = 50, kactus2 predicts no more rows correctly than always predicting the most frequent class value (86.2 %)."
    );
    for point in flat.series.iter_mut().flat_map(|series| &mut series.points) {
        point.mean.accuracy = point.mean.accuracy.min(0.8623);
    }
    assert_eq!(
        lead(&flat),
        "No method predicts more rows correctly than always predicting the most frequent class value (86.2 %), not even \
         without protection. This comparison does not show what protection costs."
    );
    flat.series.retain(|series| series.method != "none");
    assert!(!lead(&flat).contains("not even"), "{}", lead(&flat));
}

#[test]
fn a_difference_within_the_noise_is_said_to_be() {
    let noisy = html(&costing(0.872, 0.864, 0.012));
    assert!(noisy.contains("within the variation over folds, which is ± 1.2 points"));
    let clear = html(&costing(0.872, 0.864, 0.001));
    assert!(!clear.contains("within the variation over folds"));
}

#[test]
fn a_headline_is_found_without_a_level_or_a_choice() {
    let mut comparison = comparison();
    comparison.chosen = None;
    comparison.series.retain(|series| series.method != "none");
    assert!(lead(&comparison).starts_with("At k = 50, kactus2 predicts 8"), "{}", lead(&comparison));
    comparison.series.clear();
    assert!(lead(&comparison).starts_with("No release was made"));
}

#[test]
fn the_report_is_the_same_and_says_how_to_repeat_it() {
    let page = html(&comparison());
    assert!(page == html(&comparison()));
    for words in [
        "5 times 2-fold cross-validation, 10 folds",
        "<dt>Seed</dt><dd>1</dd>",
        "incrowd 0.1.0",
        "folds of one data set share rows",
        "tdr was left out",
        "Two releases that each satisfy k can",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn small_comparisons_make_reports_too() {
    let mut one = comparison();
    one.ks = vec![50];
    one.about.folds = 1;
    for series in &mut one.series {
        series.points.retain(|point| point.k.is_none_or(|k| k == 50));
        series.points.iter_mut().for_each(|point| point.folds.truncate(1));
        (series.area, series.areas) = (None, Vec::new());
    }
    one.releases.retain(|released| released.k == 50);
    let page = html(&one);
    assert!(page.contains("An area needs at least two values of k.") && page.contains("two folds or more"));
    let trees = |mut comparison: Comparison| {
        comparison.series.retain(|series| series.inducer.is_none());
        comparison.releases.retain(|released| released.leaves.is_some());
        comparison
    };
    assert!(html(&trees(one)).contains("releases a table, so no cells"));
    let empty = Comparison {
        about: About { folds: 0, ..comparison().about },
        ks: Vec::new(),
        series: Vec::new(),
        releases: Vec::new(),
        chosen: None,
        notes: Vec::new(),
    };
    assert!(html(&empty).contains("<!DOCTYPE html>"));
}

#[test]
fn csv_has_a_line_a_fold() {
    let mut comparison = comparison();
    comparison.series[1].method = "a \"b\", c".to_owned();
    comparison.series[1].points[0].folds[0] =
        Scores { accuracy: 0.5, balanced_accuracy: 0.25, f1: 0.125, auc: 1.0 };
    let text = csv(&comparison);
    let lines: Vec<&str> = text.lines().collect();
    // A header, four learners without protection, four methods with four learners and a tree over six k, all ten times.
    assert_eq!(lines.len(), 1 + 10 * (4 + 16 * 6 + 6));
    assert_eq!(lines[0], "method,inducer,k,fold,accuracy,balanced_accuracy,f1,auc");
    assert!(lines[1].starts_with("none,c45,,1,0.8"));
    assert_eq!(lines[11], "\"a \"\"b\"\", c\",c45,5,1,0.5,0.25,0.125,1");
    assert!(lines[lines.len() - 1].starts_with("kadet-c45,,1000,10,0.8"));
    let released = releases_csv(&comparison);
    assert_eq!(released.lines().count(), 1 + 5 * 6);
    assert!(released.lines().all(|line| line.split(',').count() == 15));
}

#[test]
fn json_comes_back_as_it_was() {
    let comparison = comparison();
    let value = serde_json::to_value(&comparison).expect("it is JSON");
    assert!(serde_json::from_value::<Comparison>(value).expect("it is a comparison") == comparison);
    // As text, a number may come back a last bit off.
    let text = serde_json::to_string(&comparison).expect("it is JSON");
    let back: Comparison = serde_json::from_str(&text).expect("it is a comparison");
    assert_eq!(back.releases.len(), comparison.releases.len());
    assert_eq!(lead(&back), lead(&comparison));
}
