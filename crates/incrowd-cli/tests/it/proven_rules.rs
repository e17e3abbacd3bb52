//! Rules under a smallest bin: what a reader derives by plain subtraction over exclusive values has no small cell, and
//! what is not proven does not pass.

use crate::{Folder, incrowd};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const LEAST: u64 = 10;
/// The columns, how many of a hundred rows have each value, and which columns are public.
const COLUMNS: [(&str, &[u32]); 4] =
    [("a", &[60, 25, 15]), ("b", &[50, 30, 20]), ("P", &[45, 25, 15, 10, 5]), ("Q", &[40, 30, 20, 10])];
const PUBLIC: [&str; 2] = ["a", "b"];

type Item = (String, String);
type Set = BTreeSet<Item>;

/// Independent columns by a plain generator.
fn table(seed: u32, rows: usize) -> Vec<Vec<Item>> {
    let mut state = u64::from(seed);
    let mut cell = |(name, shares): &(&str, &[u32])| {
        state = (state * 1_103_515_245 + 12_345) % (1 << 31);
        let mut left = ((state >> 16) % 100) as u32;
        let value = shares.iter().position(|&share| {
            let is_here = left < share;
            left = left.wrapping_sub(share);
            is_here
        });
        ((*name).to_owned(), format!("{}{}", name.to_lowercase(), value.unwrap_or(0)))
    };
    (0..rows).map(|_| COLUMNS.iter().map(&mut cell).collect()).collect()
}

fn file(rows: &[Vec<Item>]) -> String {
    let line = |row: &Vec<Item>| row.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(",");
    let lines: Vec<String> = rows.iter().map(line).collect();
    format!("a,b,P,Q\n{}\n", lines.join("\n"))
}

fn policy(smallest: bool) -> String {
    let role = |name: &str| if PUBLIC.contains(&name) { "public" } else { "private" };
    let roles = COLUMNS.map(|(name, _)| format!("{name} = {{ role = {:?} }}\n", role(name))).concat();
    let smallest = if smallest { format!("smallest-bin = {LEAST}\n") } else { String::new() };
    format!("class = \"Q\"\n[attributes]\n{roles}[guarantee]\nk = {LEAST}\n{smallest}")
}

fn sides(rule: &Value) -> [Set; 2] {
    let side = |name: &str| -> Set {
        let item = |item: &Value| {
            let (name, value) = item.as_object().unwrap().iter().next().unwrap();
            (name.clone(), value.as_str().unwrap().to_owned())
        };
        rule[name].as_array().unwrap().iter().map(item).collect()
    };
    let left = side("if");
    let all = left.union(&side("then")).cloned().collect();
    [left, all]
}

/// All sets of up to `most` items of different columns.
fn sets(most: usize) -> Vec<Set> {
    let mut all: Vec<Set> = vec![Set::new()];
    for (name, shares) in COLUMNS {
        let items =
            (0..shares.len()).map(|value| (name.to_owned(), format!("{}{value}", name.to_lowercase())));
        let items: Vec<Item> = items.collect();
        let with = |set: &Set| {
            items.iter().map(|item| &(set.clone()) | &Set::from([item.clone()])).collect::<Vec<_>>()
        };
        let more: Vec<Set> = all.iter().filter(|set| set.len() < most).flat_map(with).collect();
        all.extend(more);
    }
    all
}

/// The small cells that follow from published supports, those of public sets and the number of rows, by subtracting
/// supports over all values of a column until nothing new follows.
fn derived(rules: &[Value], rows: &[Vec<Item>]) -> Vec<String> {
    let count =
        |set: &Set| rows.iter().filter(|row| set.iter().all(|item| row.contains(item))).count() as u64;
    let is_public = |set: &Set| set.iter().all(|(name, _)| PUBLIC.contains(&name.as_str()));
    let published = rules.iter().flat_map(sides);
    let all = sets(3);
    let known = published.chain(all.iter().filter(|set| is_public(set)).cloned());
    let mut known: BTreeMap<Set, u64> = known.map(|set| (set.clone(), count(&set))).collect();
    let families: Vec<(&Set, Vec<Set>)> = all
        .iter()
        .filter(|base| base.len() < 3)
        .flat_map(|base| {
            let free = COLUMNS.iter().filter(|(name, _)| !base.iter().any(|(own, _)| own == name));
            free.map(move |(name, shares)| {
                let item = |value| ((*name).to_owned(), format!("{}{value}", name.to_lowercase()));
                (base, (0..shares.len()).map(|value| base | &Set::from([item(value)])).collect())
            })
        })
        .collect();
    let mut before = 0;
    while known.len() > before {
        before = known.len();
        for (base, family) in &families {
            let unknown: Vec<&Set> = family.iter().filter(|set| !known.contains_key(*set)).collect();
            let sum: u64 = family.iter().filter_map(|set| known.get(set)).sum();
            match (known.get(*base).copied(), unknown.as_slice()) {
                (Some(whole), [last]) => drop(known.insert((*last).clone(), whole - sum)),
                (None, []) => drop(known.insert((*base).clone(), sum)),
                _ => (),
            }
        }
    }
    let small = |cell: &u64| (1..LEAST).contains(cell);
    let cells = known.iter().filter(|(set, cell)| small(cell) && !is_public(set));
    let mut found: Vec<String> = cells.map(|(set, cell)| format!("{cell}: {set:?}")).collect();
    for (base, family) in &families {
        let Some(whole) = known.get(*base) else { continue };
        let lacking: Vec<&Set> = family.iter().filter(|set| known.contains_key(*set)).collect();
        let rest = whole - lacking.iter().map(|set| known[*set]).sum::<u64>();
        if small(&rest) && lacking.iter().any(|set| !is_public(set)) {
            found.push(format!("{rest}: {base:?} without {lacking:?}"));
        }
    }
    found
}

fn mine(folder: &Folder, rows: &[Vec<Item>], smallest: bool) -> (Vec<Value>, [String; 3], String) {
    let data = folder.file("d.csv", file(rows));
    let policy = folder.file("policy.toml", policy(smallest));
    let out = folder.path("rules.json");
    let flags = ["--min-support", "0.05", "--min-confidence", "0.2", "--max-length", "2"];
    let ran =
        incrowd(&[&["rules", "--data", &data, "--policy", &policy, "--out", &out], &flags[..]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let release: Value = serde_json::from_str(&std::fs::read_to_string(&out).unwrap()).unwrap();
    (release["rules"].as_array().unwrap().clone(), [data, policy, out], ran.out)
}

#[test]
fn mined_rules_leave_nothing_small_to_subtract() {
    let (folder, rows) = (Folder::new(), table(1, 300));
    let (rules, [data, policy, out], said) = mine(&folder, &rows, true);
    let found = derived(&rules, &rows);
    assert!(found.is_empty(), "{} cells, first {}", found.len(), found[0]);
    assert!(!said.contains("is not proven") && said.contains("could not be proven"), "{said}");
    let private =
        rules.iter().filter(|rule| sides(rule)[1].iter().any(|(name, _)| !PUBLIC.contains(&name.as_str())));
    assert!(private.count() >= 5, "{said}");
    let ran = incrowd(&["audit", &out, "--data", &data, "--policy", &policy]);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
}

/// Rules mined for k alone reveal small cells, which the search for cells below k does not all find. Under a smallest
/// bin they do not pass, whether a cell is found or not.
#[test]
fn rules_that_are_not_proven_fail_their_audit() {
    let (folder, rows) = (Folder::new(), table(1, 600));
    let (rules, [data, _, out], _) = mine(&folder, &rows, false);
    assert!(!derived(&rules, &rows).is_empty());
    let required = folder.file("required.toml", policy(true));
    let ran = incrowd(&["audit", &out, "--data", &data, "--policy", &required, "--json"]);
    assert_eq!(ran.status, 1, "{}", ran.out);
    let report = ran.json();
    assert_eq!(report["holds"], false);
}
