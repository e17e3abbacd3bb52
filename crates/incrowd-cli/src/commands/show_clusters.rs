//! `incrowd show` with clusters: a table of centroids, or a picture.

use crate::Outcome;
use crate::args::{Common, Show, ShowForm};
use crate::console::Console;
use crate::documents::ShownClusters;
use crate::text;
use incrowd::io::PolicyFile;
use incrowd::io::write::write_new;
use incrowd::model::{Clusters, Model};
use incrowd::show::{ClusterPicture, cluster_svg};
use incrowd::span::{in_days, link};
use incrowd::table::Table;
use incrowd::{Error, Loaded, Result};

pub(crate) fn run(
    loaded: &Loaded,
    clusters: &Clusters,
    arguments: &Show,
    common: &Common,
    console: &Console,
) -> Result<Outcome> {
    let shown = match arguments.form {
        ShowForm::Text => text::clusters::centroids(clusters, loaded.has_several_rows()),
        ShowForm::Svg => picture(loaded, clusters, arguments, common, console)?,
        ShowForm::Dot => {
            return Err(Error::parameters("clusters cannot be displayed as a graph")
                .help("use --as svg or --as text"));
        }
    };
    if let Some(out) = &arguments.out {
        let plain = anstream::adapter::strip_str(&shown).to_string();
        write_new(out, common.force, |file| file.write_all(plain.as_bytes()))?;
        console.note(&format!("clusters written to {}", out.display()));
    }
    if common.json || (arguments.form == ShowForm::Text && arguments.out.is_none()) {
        console.result(&ShownClusters::new(loaded, clusters), || shown)?;
    } else if arguments.out.is_none() {
        Console::bytes(shown.as_bytes())?;
    }
    Ok(Outcome::Done)
}

fn picture(
    loaded: &Loaded,
    clusters: &Clusters,
    arguments: &Show,
    common: &Common,
    console: &Console,
) -> Result<String> {
    if arguments.policy.is_some() && arguments.data.is_none() {
        return Err(Error::parameters(
            "a policy is used only to draw the groups of rows, and no rows are given",
        )
        .help("give the table (--data FILE), too"));
    }
    let policy = arguments.policy.as_ref().map(PolicyFile::read).transpose()?;
    let table = table(loaded, policy.clone(), arguments, common, console)?;
    let model = Model::Clusters(clusters.clone());
    let in_days = match (&table, &policy) {
        (Some(table), Some(policy)) => Some(in_days(table, &policy.policy, &model)?),
        _ => None,
    };
    let linking = in_days.as_ref().map(|(table, policy)| link(table, policy, &model)).transpose()?;
    if table.is_some() {
        console
            .warn("the picture shows rows of the table: it is for the owner only, not part of the release");
    }
    cluster_svg(&ClusterPicture {
        clusters,
        individuals: loaded.individuals(),
        table: table.as_ref(),
        linking: linking.as_ref(),
        plane: arguments.plane.as_deref(),
    })
}

fn table(
    loaded: &Loaded,
    policy: Option<PolicyFile>,
    arguments: &Show,
    common: &Common,
    console: &Console,
) -> Result<Option<Table>> {
    let Some(data) = &arguments.data else { return Ok(None) };
    let rows = loaded.predict(data).options(super::mining::options(common));
    let rows = match policy {
        Some(policy) => rows.policy(policy),
        None => rows,
    };
    let read = rows.rows_of_clusters()?;
    super::warn_left_out(console, &read.rows_left_out);
    Ok(Some(read.table))
}
