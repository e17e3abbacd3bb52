//! PART: as many rules, and as many test errors.

use super::{Weka, inputs, last, parted_set};
use crate::benchmark::adult;
use incrowd::table::Table;
use incrowd_mine::tree::{DecisionList, induce_rules};

/// Rules, and errors on test rows.
type Figures = (usize, usize);

fn part(weka: &Weka, name: &str, train: &Table, test: &Table) -> Figures {
    let text = weka.classify(name, &["weka.classifiers.rules.PART"], train, test);
    (last(&text, "Number of Rules  :"), last(&text, "Incorrectly Classified Instances"))
}

fn wrong(list: &DecisionList, test: &Table) -> usize {
    let class = test.require("class").expect("a class");
    let best = |counts: &[u64]| (0..counts.len()).rev().max_by_key(|&class| counts[class]).unwrap_or(0);
    let met = list.first_met(test).expect("the same columns");
    let predicted = met.iter().map(|&rule| best(&list.rules()[rule as usize].counts));
    predicted
        .enumerate()
        .filter(|&(row, predicted)| {
            list.class().values[predicted] != class.values().text(class.code(row) as usize)
        })
        .count()
}

fn compare(name: &str, train: &Table, test: &Table) {
    let Some(weka) = Weka::find() else { return };
    let list = induce_rules(train, "class", &inputs(train)).expect("rules");
    let (ours, theirs) = ((list.rules().len(), wrong(&list, test)), part(&weka, name, train, test));
    assert_eq!(ours, theirs, "{name}: (rules, test errors)");
}

#[test]
fn parted_sets() {
    for set in ["glass", "german", "tic-tac-toe", "waveform"] {
        let Some((train, test)) = parted_set(set) else { return };
        compare(set, &train, &test);
    }
}

/// Weka takes its time for all of Adult, so some of it.
#[test]
fn some_of_adult() {
    let (Some(train), Some(test)) = (adult("data"), adult("test")) else { return };
    compare("adult", &train.select(&(0..4000).collect::<Vec<_>>()), &test);
}
