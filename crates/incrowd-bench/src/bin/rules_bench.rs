//! Mines association rules from baskets in memory; prints the cost as one line of JSON.
//!
//! - `rules_bench all FILE SUPPORT CONFIDENCE OUT`: all rules, with right sides of any length, the best of five times.
//!   OUT gets one line per rule, sorted: left side, right side, how many have the left side and both;
//! - `rules_bench safe FILE SUPPORT CONFIDENCE K`: the largest useful subset under k, every third item (by name)
//!   private; the audit included. Channels between supports are closed, and the output states how much time that adds
//!   and how many rules it removes.

use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::progress::Silent;
use incrowd_core::{Error, Result};
use incrowd_io::policy::ItemRoles;
use incrowd_io::{BasketsRead, KeepItems, read_baskets};
use incrowd_mine::rules::{CheckedRuleParams, Items, MinedRule, RuleParams, find_rules, mine_rules};
use std::path::Path;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["all", file, support, confidence, out] => all(file, support, confidence, out),
        ["safe", file, support, confidence, k] => safe(file, support, confidence, k),
        _ => Err(Error::input("usage: rules_bench all|safe ...")),
    };
    if let Err(error) = done {
        eprintln!("{error}");
        std::process::exit(2);
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T> {
    text.parse().map_err(|_| Error::input("not a number"))
}

fn read(file: &str, support: &str) -> Result<BasketsRead> {
    let plan = ItemRoles { otherwise: Role::Public, patterns: Vec::new(), delimiter: None, skip_lines: 0 };
    read_baskets(Path::new(file), &plan, KeepItems::Share(number(support)?), &Silent)
}

/// Rules of any length under a k.
fn params(support: &str, confidence: &str, k: u64, keep_channels: bool) -> Result<CheckedRuleParams> {
    let mut params = RuleParams::new(Guarantee::k_anonymity(k)?, number(support)?, number(confidence)?);
    (params.max_length, params.max_consequent, params.most) = (32, 32, 10_000_000);
    params.items = Items::Baskets;
    params.keep_channels = keep_channels;
    params.check()
}

/// Every item public, or every third one private.
fn policy(read: &BasketsRead, private: bool) -> Policy {
    let role = |place: usize| if private && place.is_multiple_of(3) { Role::Private } else { Role::Public };
    let attribute =
        |(place, column): (usize, &incrowd_core::table::Column)| Attribute::new(column.name(), role(place));
    Policy::new(read.table.columns().iter().enumerate().map(attribute).collect())
}

fn all(file: &str, support: &str, confidence: &str, out: &str) -> Result<()> {
    let read = read(file, support)?;
    let (policy, params) = (policy(&read, false), params(support, confidence, 1, true)?);
    let mut best = f64::INFINITY;
    let mut rules = Vec::new();
    for _ in 0..5 {
        let start = Instant::now();
        rules = find_rules(&read.table, &policy, &params)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    let line = |rule: &MinedRule| {
        let side = |items: &[String]| items.join("|");
        let MinedRule { antecedent, consequent, counts } = rule;
        format!("{}=>{} {} {}\n", side(antecedent), side(consequent), counts.antecedent, counts.both)
    };
    let mut lines: Vec<String> = rules.iter().map(line).collect();
    lines.sort_unstable();
    std::fs::write(out, lines.concat()).map_err(|error| Error::input(error.to_string()).in_file(out))?;
    println!(
        "{}",
        json(&[("rows", read.table.rows() as f64), ("rules", rules.len() as f64), ("seconds", best)])
    );
    Ok(())
}

fn safe(file: &str, support: &str, confidence: &str, k: &str) -> Result<()> {
    let read = read(file, support)?;
    let policy = policy(&read, true);
    let mine = |keep_channels: bool| {
        let params = params(support, confidence, number(k)?, keep_channels)?;
        let start = Instant::now();
        let mined = mine_rules(&read.table, &policy, &params, &Silent)?;
        Ok::<_, Error>((mined.summary, start.elapsed().as_secs_f64()))
    };
    let ((open, open_seconds), (closed, seconds)) = (mine(true)?, mine(false)?);
    let params = params(support, confidence, number(k)?, false)?;
    let start = Instant::now();
    let found = find_rules(&read.table, &policy, &params)?;
    let mining = start.elapsed().as_secs_f64();
    let figures = [
        ("rules", found.len() as f64),
        ("released", closed.rules as f64),
        ("released_open", open.rules as f64),
        ("spans", closed.spans as f64),
        ("k", closed.k as f64),
        ("seconds", seconds),
        ("guarantee_seconds", seconds - mining),
        ("closing_seconds", seconds - open_seconds),
    ];
    println!("{}", json(&figures));
    Ok(())
}

fn json(figures: &[(&str, f64)]) -> String {
    let figures: Vec<String> = figures.iter().map(|(name, number)| format!("\"{name}\": {number}")).collect();
    format!("{{{}}}", figures.join(", "))
}
