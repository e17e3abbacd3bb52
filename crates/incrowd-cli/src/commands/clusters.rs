//! `incrowd clusters`: finds k-anonymous clusters.

use super::{flags, mining, report};
use crate::Outcome;
use crate::args::{Clusters as Arguments, Common};
use crate::console::Console;
use crate::documents::ClusterDocument;
use crate::text;
use incrowd::Result;
use incrowd::mine::clusters::Scaling;
use std::time::Instant;

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    mining::refuse_table_name(&arguments.files.out)?;
    let data = mining::open(&arguments.files, &arguments.guarantee, common, console)?;
    let job = data
        .clusters()
        .request(arguments.guarantee.request())
        .method(arguments.method)
        .clusters(arguments.most)
        .attributes(arguments.attributes.clone())
        .seed(common.seed)
        .with(|params| params.scaling = scaling(arguments));
    let clusters = mining::recorded(job, &arguments.files).mine().map_err(flags::of_ledger)?;
    mining::warn(&clusters, console);
    clusters.write_as(&arguments.files.out, mining::existing(common))?;
    let document = ClusterDocument::new(arguments.method, &clusters, start);
    let shown = text::clusters::centroids(&clusters.clusters, clusters.report().has_several_rows());
    console.result(&document, || text::clusters::mined(&document, &shown, &arguments.files.out))?;
    report::of_mined(&arguments.files.out, &arguments.files, &arguments.guarantee, common, console)?;
    Ok(Outcome::Done)
}

fn scaling(arguments: &Arguments) -> Scaling {
    if arguments.no_scaling { Scaling::None } else { Scaling::Deviation }
}
