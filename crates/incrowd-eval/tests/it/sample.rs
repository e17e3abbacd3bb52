//! A comparison of made-up figures, shaped like those of Adult.

use incrowd_core::random::Random;
use incrowd_eval::comparison::{
    About, ChosenRelease, Comparison, MethodRelease, Point, Scores, Series, Sizes,
};
use incrowd_eval::score::{area_over_k, mean_and_deviation, summary};

const KS: [u64; 6] = [5, 20, 50, 100, 500, 1000];
const FOLDS: usize = 10;
const ROWS: u64 = 30_162;
/// Tables: their names, and how much they lose with each k.
const TABLES: [(&str, f64); 4] =
    [("kactus2", 0.006), ("mondrian", 0.011), ("tds", 0.017), ("aggregate", 0.022)];
/// Learners, and how far they get without protection.
const INDUCERS: [(&str, f64); 4] =
    [("c45", 0.859), ("part", 0.853), ("naive-bayes", 0.838), ("logistic", 0.847)];

/// Five methods, four learners, six k, ten folds.
pub(crate) fn comparison() -> Comparison {
    let random = &mut Random::of(1, 0);
    let mut series = Vec::new();
    for (inducer, level) in INDUCERS {
        series.push(one("none", Some(inducer), vec![point(random, None, level, None)]));
        for (method, cost) in TABLES {
            let points = (0_u32..).zip(KS).map(|(i, k)| {
                point(
                    random,
                    Some(k),
                    level - cost * f64::from(i + 1),
                    Some(0.2 + cost * 8.0 + 0.05 * f64::from(i)),
                )
            });
            series.push(one(method, Some(inducer), points.collect()));
        }
    }
    let points = (0_u32..).zip(KS).map(|(i, k)| point(random, Some(k), 0.836 - 0.003 * f64::from(i), None));
    series.push(one("kadet-c45", None, points.collect()));
    Comparison {
        about: about(),
        ks: KS.to_vec(),
        series,
        releases: releases(random),
        chosen: Some(ChosenRelease {
            method: "kactus2".to_owned(),
            k: 50,
            why: "Of all releases at the middle k, it lets learners predict best.".to_owned(),
            svg: Some(PICTURE.to_owned()),
        }),
        notes: vec![
            "tdr was left out: it takes two sets of public attributes, and the policy has one.".to_owned(),
        ],
    }
}

const PICTURE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"420\" height=\"120\" viewBox=\"0 0 420 120\" font-family=\"sans-serif\" font-size=\"12\">\
    <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/><path d=\"M110 60C150 60 150 30 190 30M110 60C150 60 150 90 190 90\" stroke=\"#c9ced6\" stroke-width=\"6\" fill=\"none\"/>\
    <text x=\"16\" y=\"64\" font-weight=\"600\">marital-status</text><text x=\"198\" y=\"34\">married: &gt;50K 44 %</text><text x=\"198\" y=\"94\">others: ≤50K 93 %</text></svg>";

fn about() -> About {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    About {
        data: "adult.data".to_owned(),
        rows: ROWS,
        individuals: ROWS,
        class: "income".to_owned(),
        classes: 2,
        majority: 0.751,
        public: names(&["age", "education", "marital-status", "occupation", "race", "sex", "native-country"]),
        private: names(&["income", "capital-gain"]),
        guarantee: names(&["confidence at most 0.95"]),
        protocol: "5 times 2-fold cross-validation".to_owned(),
        folds: FOLDS as u64,
        seed: 1,
        version: "0.1.0".to_owned(),
    }
}

fn point(random: &mut Random, k: Option<u64>, accuracy: f64, loss: Option<f64>) -> Point {
    let folds: Vec<Scores> = (0..FOLDS)
        .map(|_| {
            let accuracy = accuracy + 0.004 * random.bell();
            Scores { accuracy, balanced_accuracy: accuracy - 0.09, f1: accuracy - 0.07, auc: accuracy + 0.05 }
        })
        .collect();
    let (mean, deviation) = summary(&folds);
    Point { k, mean, deviation, folds, suppressed: loss.map(|loss| loss * 0.8), loss }
}

fn one(method: &str, inducer: Option<&str>, points: Vec<Point>) -> Series {
    let area = |fold: usize| {
        let curve: Option<Vec<(u64, f64)>> =
            points.iter().map(|point| Some((point.k?, point.folds[fold].accuracy))).collect();
        area_over_k(&curve?)
    };
    let areas: Vec<f64> = (0..FOLDS).filter_map(area).collect();
    let mean = (!areas.is_empty()).then(|| mean_and_deviation(areas.iter().copied()).0);
    Series { method: method.to_owned(), inducer: inducer.map(str::to_owned), points, area: mean, areas }
}

fn releases(random: &mut Random) -> Vec<MethodRelease> {
    let methods =
        TABLES.iter().map(|(method, cost)| (*method, *cost, false)).chain([("kadet-c45", 0.004, true)]);
    let mut releases = Vec::new();
    for (method, cost, tree) in methods {
        for (i, k) in (0_u32..).zip(KS) {
            let spans = (ROWS / k / 3).max(4);
            let loss = (!tree).then(|| 0.2 + cost * 8.0 + 0.05 * f64::from(i));
            let exposed = (900.0 * cost * 100.0 / f64::from(i * i * i + 1)).floor() as u64;
            releases.push(MethodRelease {
                method: method.to_owned(),
                k,
                k_held: k + u64::from(random.below(3)),
                rows: ROWS,
                individuals: ROWS,
                spans,
                sizes: sizes(k, spans),
                exposed: if i == 5 { 0 } else { exposed },
                at_most: false,
                max_confidence: Some(if i == 5 { 0.97 - cost } else { 1.0 }),
                suppressed: loss.map(|loss| loss * 0.8),
                loss,
                cm: (!tree).then(|| 5198 + 60 * u64::from(i)),
                leaves: tree.then_some(spans),
                seconds: 0.2 + cost * 60.0 / f64::from(i + 1),
                peak_bytes: Some((60 + u64::from(random.below(40))) << 20),
            });
        }
    }
    releases
}

/// Doubling classes from k on, falling off.
fn sizes(k: u64, spans: u64) -> Vec<Sizes> {
    let mut left = ROWS;
    let mut sizes = Vec::new();
    let mut from = k;
    while left > 0 && sizes.len() < 8 {
        let individuals = if sizes.len() == 7 { left } else { left.div_ceil(3) };
        let spans = (spans >> sizes.len()).max(1);
        sizes.push(Sizes { from, to: (from * 2 - 1).min(ROWS), spans, individuals });
        left -= individuals;
        from *= 2;
        if from > ROWS {
            break;
        }
    }
    sizes
}
