//! `incrowd demo`: linking attacks and k-anonymous releases on built-in data.

use super::demo_clusters;
use super::mining;
use crate::Outcome;
use crate::args::{Common, Demo};
use crate::console::Console;
use crate::documents::Story;
use crate::text;
use incrowd::audit::{audit_model, audit_table};
use incrowd::guarantee::Guarantee;
use incrowd::io::policy::{DraftAttribute, PolicyDraft};
use incrowd::io::write::{make_folder, write_new};
use incrowd::io::{Format, ReadPlan, write_csv};
use incrowd::mine::rules::{Items, MinedRules};
use incrowd::mine::tree::MinedTree;
use incrowd::model::Model;
use incrowd::policy::{Attribute, Policy, Role};
use incrowd::predict::{Evaluation, evaluate};
use incrowd::profile::{ProfileOptions, profile};
use incrowd::samples::{careless_tree, cherries_and_candles, clinic, clinic_policy, clinic_with_ids};
use incrowd::table::Table;
use incrowd::{Audited, Dataset, Result};
use std::path::Path;
use std::time::Instant;

/// The k of the clinic.
const K: u64 = 10;

/// The k of the shop.
const SHOP_K: u64 = 31;

/// The maximum number of leaves of the clinic's tree, so that all of it can be displayed.
const LEAVES: u32 = 40;

pub(crate) fn run(arguments: &Demo, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    let table = clinic(arguments.patients as usize, common.seed);
    let policy = clinic_policy();
    let guarantee = Guarantee::k_anonymity(K)?;
    let careless = careless_tree(&table)?;
    let careless = audit_model(&table, &policy, &Model::Tree(careless), &guarantee)?;
    let mut options = ProfileOptions::default();
    options.columns = policy.with_role(Role::Public).map(str::to_owned).collect();
    let mined = mined(&table, &policy)?;
    // Patients of another year, drawn by another seed.
    let others = clinic(arguments.patients as usize, common.seed.wrapping_add(1));
    let predicted = mined.predict(&others)?;
    let evaluation = evaluate(&others, &mined.tree, &predicted);
    let shop = shop()?;
    let story = Story {
        profile: profile(&table, &options),
        table: audit_table(&table, &policy, &guarantee)?,
        careless,
        mined: mined.report().clone(),
        error: evaluation.as_ref().map_or(1.0, Evaluation::error),
        baseline: baseline(&others),
        clusters: demo_clusters::story(&table, &policy, K)?,
        rules: shop.report().clone(),
        tree: mined,
        shop,
        seconds: start.elapsed().as_secs_f64(),
    };
    if let Some(folder) = &arguments.out {
        write_files(folder, arguments.patients as usize, common, &policy, &story)?;
    }
    console.result(&story, || text::demo::render(&story, arguments.out.as_deref()))?;
    Ok(Outcome::Done)
}

/// The policy for a tree that supports a diagnosis: the cost and length of a stay are not known before it.
fn before_treatment(policy: &Policy) -> Policy {
    let mut policy = policy.clone();
    let late = |attribute: &&mut Attribute| ["cost", "stay"].contains(&attribute.name.as_str());
    policy.attributes.iter_mut().filter(late).for_each(|attribute| attribute.role = Role::Ignored);
    policy
}

/// A small tree of the diagnosis, grown under the guarantee.
fn mined(table: &Table, policy: &Policy) -> Result<Audited<MinedTree>> {
    let data = Dataset::of_table(table.clone(), before_treatment(policy));
    data.tree().k(K).max_leaves(LEAVES).mine()
}

/// The rules of the shop in the VLDB Journal paper, with a k that is one more than the population of its second rule.
fn shop() -> Result<Audited<MinedRules>> {
    let role = |name: &str| if ["viagra", "tylenol"].contains(&name) { Role::Private } else { Role::Public };
    let table = cherries_and_candles();
    let attributes = table.columns().iter().map(|c| Attribute::new(c.name(), role(c.name()))).collect();
    let data = Dataset::of_table(table, Policy::new(attributes));
    let rules = data.rules().k(SHOP_K).min_support(0.02).min_confidence(0.75);
    rules.with(|params| params.items = Items::Baskets).mine()
}

/// The error of always predicting the most frequent diagnosis.
fn baseline(table: &Table) -> f64 {
    let Some(class) = table.column("diagnosis") else { return 1.0 };
    let mut counts = vec![0_u64; class.code_count()];
    class.codes().iter().for_each(|code| counts[code as usize] += 1);
    1.0 - counts.iter().max().copied().unwrap_or(0) as f64 / table.rows().max(1) as f64
}

/// Writes the clinic's table, its policy and the audited release. The careless tree is never written.
fn write_files(
    folder: &Path,
    patients: usize,
    common: &Common,
    policy: &Policy,
    story: &Story,
) -> Result<()> {
    make_folder(folder)?;
    let table = clinic_with_ids(patients, common.seed);
    write_csv(&folder.join("patients.csv"), &table, common.force)?;
    let draft = policy_draft(policy, &table).render();
    write_new(&folder.join("policy.toml"), common.force, |file| file.write_all(draft.as_bytes()))?;
    story.tree.write_as(folder.join("tree.json"), mining::existing(common))
}

fn policy_draft(policy: &Policy, table: &Table) -> PolicyDraft {
    let attribute = |attribute: &incrowd::policy::Attribute| {
        let comment = match attribute.role {
            Role::Public => "an attacker may know it: from a register, a web page, or by observation",
            Role::Private => "known only to the clinic",
            Role::Identifier | Role::Ignored => "names the patient; never released",
        };
        let kind = table.column(&attribute.name).map(incrowd::table::Column::kind);
        DraftAttribute::new(&attribute.name, attribute.role, kind, comment)
    };
    let mut draft = PolicyDraft::new("The policy of the demo's clinic.");
    draft.class =
        policy.class.clone().map(|class| (class, "the attribute that a classifier predicts".to_owned()));
    draft.file = ReadPlan::default().with_format(Format::Csv).with_header(true);
    draft.attributes = policy.attributes.iter().map(attribute).collect();
    draft.k = Some((K, "the minimum number of patients in every group".to_owned()));
    draft
}
