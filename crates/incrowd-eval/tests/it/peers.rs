//! The measures agree with scikit-learn, the tests with scipy.

use incrowd_core::random::Random;
use incrowd_eval::score::Tested;
use incrowd_eval::significance::{friedman, holm, nemenyi};
use serde_json::{Value, json};
use std::process::Command;

const SCRIPT: &str = include_str!("peers.py");
const ROWS: usize = 120;

/// Test rows of a number of classes, with ties among the shares, and weights.
struct Case {
    classes: usize,
    truth: Vec<u32>,
    shares: Vec<f64>,
    weights: Vec<u32>,
}

impl Case {
    fn new(classes: usize, seed: u64) -> Self {
        let random = &mut Random::of(seed, classes as u64);
        let truth: Vec<u32> = (0..ROWS).map(|_| random.below(classes as u32)).collect();
        let mut shares = Vec::new();
        for &class in &truth {
            // Quarters add up exactly, so ties are ties in both programs.
            let mut own = vec![0.0; classes];
            for _ in 0..4 {
                let of = if random.percent(40) { class } else { random.below(classes as u32) };
                own[of as usize] += 0.25;
            }
            shares.extend(own);
        }
        let weights = (0..ROWS).map(|_| 1 + random.below(3)).collect();
        Self { classes, truth, shares, weights }
    }

    fn json(&self) -> Value {
        json!({ "classes": self.classes, "truth": self.truth, "shares": self.shares, "weights": self.weights })
    }

    fn agrees(&self, theirs: &Value) {
        let truth: Vec<Option<u32>> = self.truth.iter().copied().map(Some).collect();
        let tested = Tested {
            truth: &truth,
            classes: self.classes,
            shares: &self.shares,
            weights: Some(&self.weights),
        };
        let ours = serde_json::to_value(tested.scores().expect("they fit")).expect("numbers");
        for name in ["accuracy", "balanced_accuracy", "f1", "auc"] {
            near(number(&ours[name]), number(&theirs[name]), 1e-12, name);
        }
    }
}

#[test]
fn measures_agree_with_scikit_learn_and_scipy() {
    let Some(python) = incrowd_testkit::python() else { return };
    let cases: Vec<Case> = (0..12).map(|seed| Case::new(2 + seed as usize % 4, seed)).collect();
    let blocks: Vec<Vec<Vec<f64>>> = (0..6).map(some_blocks).collect();
    let asked = json!({ "cases": cases.iter().map(Case::json).collect::<Vec<_>>(), "blocks": blocks });
    let run = Command::new(python).args(["-I", "-c", SCRIPT, &asked.to_string()]).output();
    let output = run.expect("INCROWD_PYTHON runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let theirs: Value = serde_json::from_slice(&output.stdout).expect("the script prints JSON");
    for (case, theirs) in cases.iter().zip(theirs["cases"].as_array().expect("a list")) {
        case.agrees(theirs);
    }
    for (blocks, theirs) in blocks.iter().zip(theirs["blocks"].as_array().expect("a list")) {
        tests_agree(blocks, theirs);
    }
}

/// What three to eight methods got in ten blocks, rounded so that some are tied.
fn some_blocks(seed: u64) -> Vec<Vec<f64>> {
    let random = &mut Random::of(seed, 99);
    let methods = 3 + seed as u32;
    let number = |random: &mut Random, method: u32| f64::from(method / 2 + random.below(6)) / 8.0;
    (0..10).map(|_| (0..methods).map(|method| number(random, method)).collect()).collect()
}

fn tests_agree(blocks: &[Vec<f64>], theirs: &Value) {
    let ours = friedman(blocks).expect("whole blocks");
    near(ours.chi_square_corrected, number(&theirs["chi_square"]), 1e-9, "chi-square");
    near(ours.p_corrected, number(&theirs["p"]), 1e-9, "p of chi-square");
    near(ours.p_f, number(&theirs["p_f"]), 1e-9, "p of F");
    near(nemenyi(ours.ranks.len(), 10, 0.05), number(&theirs["nemenyi"]), 1e-6, "critical difference");
    let smallest = holm(&ours.ranks, 10, 0).iter().map(|against| against.p).fold(1.0, f64::min);
    near(smallest, number(&theirs["smallest"]), 1e-9, "p against the first");
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn near(ours: f64, theirs: f64, within: f64, what: &str) {
    assert!((ours - theirs).abs() <= within, "{what}: {ours} here, {theirs} there");
}
