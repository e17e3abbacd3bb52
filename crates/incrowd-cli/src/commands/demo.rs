//! `incrowd demo`: the whole story on built-in data.

use crate::Outcome;
use crate::args::{Common, Demo};
use crate::console::Console;
use crate::text;
use incrowd::audit::{Report, audit_model, audit_table};
use incrowd::guarantee::Guarantee;
use incrowd::io::policy::{DraftAttribute, PolicyDraft};
use incrowd::io::release::{ModelRelease, Origin, Release, write_release};
use incrowd::io::write::write_new;
use incrowd::io::{Format, ReadPlan, write_csv};
use incrowd::model::{Model, Tree};
use incrowd::policy::{Policy, Role};
use incrowd::profile::{Profile, ProfileOptions, profile};
use incrowd::samples::{careful_tree, careless_tree, clinic, clinic_policy, clinic_with_ids};
use incrowd::table::Table;
use incrowd::{Error, Result};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// The k of the story.
const K: u64 = 10;

/// What the story is told from, and the document of `--json`.
#[derive(Serialize)]
pub(crate) struct Story {
    /// How identifying the table is.
    pub(crate) profile: Profile,
    /// The table without names, audited.
    pub(crate) table: Report,
    /// A tree that asks too much, audited.
    pub(crate) careless: Report,
    /// A tree that does not, audited.
    pub(crate) careful: Report,
    seconds: f64,
}

pub(crate) fn run(arguments: &Demo, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    let table = clinic(arguments.patients as usize, common.seed);
    let policy = clinic_policy();
    let guarantee = Guarantee::k_anonymity(K)?;
    let (careless, careful) = (careless_tree(&table)?, careful_tree(&table)?);
    let audit = |tree: &Tree| audit_model(&table, &policy, &Model::Tree(tree.clone()), &guarantee);
    let mut options = ProfileOptions::default();
    options.columns = policy.with_role(Role::Public).map(str::to_owned).collect();
    let story = Story {
        profile: profile(&table, &options),
        table: audit_table(&table, &policy, &guarantee)?,
        careless: audit(&careless)?,
        careful: audit(&careful)?,
        seconds: start.elapsed().as_secs_f64(),
    };
    if !story.careful.holds {
        return Err(Error::new("the clinic is too small for its release").help("give it more --patients"));
    }
    if let Some(folder) = &arguments.out {
        write_files(folder, arguments.patients as usize, common, &policy, &story, careful)?;
    }
    console.result(&story, || text::demo::render(&story, arguments.out.as_deref()))?;
    Ok(Outcome::Done)
}

/// Writes the clinic's table, its policy and the audited release. The careless tree is never written.
fn write_files(
    folder: &Path,
    patients: usize,
    common: &Common,
    policy: &Policy,
    story: &Story,
    careful: Tree,
) -> Result<()> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Error::new(format!("the folder cannot be made: {error}")).in_file(folder))?;
    let table = clinic_with_ids(patients, common.seed);
    write_csv(&folder.join("patients.csv"), &table, common.force)?;
    let draft = policy_draft(policy, &table).render();
    write_new(&folder.join("policy.toml"), common.force, |file| file.write_all(draft.as_bytes()))?;
    let measured = serde_json::json!({"k": story.careful.k, "exposed": story.careful.exposed});
    let release = Release::Model(ModelRelease {
        model: Model::Tree(careful),
        individuals: Some(table.individuals()),
        origin: Origin {
            method: Some("by hand".to_owned()),
            guarantee: story.careful.asked.iter().map(|asked| asked.requirement.clone()).collect(),
            measured: measured.as_object().cloned().unwrap_or_default(),
            ..Origin::default()
        },
    });
    write_release(&folder.join("tree.json"), &release, common.force)
}

fn policy_draft(policy: &Policy, table: &Table) -> PolicyDraft {
    let attribute = |attribute: &incrowd::policy::Attribute| {
        let comment = match attribute.role {
            Role::Public => "an attacker may know it: from a register, a web page, or by looking",
            Role::Private => "known to the clinic alone",
            Role::Identifier | Role::Ignored => "names the patient; never leaves",
        };
        let kind = table.column(&attribute.name).map(incrowd::table::Column::kind);
        DraftAttribute::new(&attribute.name, attribute.role, kind, comment)
    };
    PolicyDraft {
        comment: "The policy of the demo's clinic.".to_owned(),
        class: policy.class.clone().map(|class| (class, "what a classifier would predict".to_owned())),
        file: ReadPlan { format: Some(Format::Csv), header: Some(true), ..ReadPlan::default() },
        attributes: policy.attributes.iter().map(attribute).collect(),
        k: Some((K, "how many patients everybody must be among".to_owned())),
        ..PolicyDraft::default()
    }
}
