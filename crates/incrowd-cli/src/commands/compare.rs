//! `incrowd compare`: compares methods over k.

use super::mining::{existing, options};
use crate::Outcome;
use crate::args::{Common, Compare as Arguments};
use crate::console::Console;
use crate::signals::keep_results;
use crate::text;
use incrowd::compare::{CompareParams, ComparedMethod, ReportFolder};
use incrowd::eval::folds::Protocol;
use incrowd::io::policy::PolicyFile;
use incrowd::{Dataset, Error, Result};
use std::path::Path;

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let policy = PolicyFile::read(&arguments.policy)?;
    let request = arguments.guarantee.request();
    let mut params = params(arguments, common)?;
    // Wrong arguments are reported before a table is read.
    params.guarantee = request.on(&policy.policy)?.guarantee;
    params.clone().check()?;
    let open = |path: &Path| -> Result<Dataset> {
        let data = options(common).open_under(path, policy.clone())?;
        data.warnings().iter().for_each(|warning| console.warn(warning));
        Ok(data)
    };
    let data = open(&arguments.data)?;
    let test = arguments.test.as_deref().map(open).transpose()?;
    let job = data.compare().request(request).with(|of_job| *of_job = params);
    let job = test.iter().fold(job, incrowd::Job::test);
    keep_results();
    let comparison = job.folder_as(&arguments.out, existing(common)).run()?;
    comparison.notes.iter().for_each(|note| console.warn(note));
    let report = ReportFolder::report(&arguments.out);
    console.result(&comparison, || text::compared::render(&comparison, &report))?;
    Ok(Outcome::Done)
}

fn params(arguments: &Arguments, common: &Common) -> Result<CompareParams> {
    let trimmed = |names: &[String]| names.iter().map(|name| name.trim().to_owned()).collect::<Vec<_>>();
    let mut params = CompareParams::default();
    let method = |name: &String| ComparedMethod::named(name).map_err(|error| error.of_parameter("methods"));
    params.methods = trimmed(&arguments.methods).iter().map(method).collect::<Result<_>>()?;
    params.ks.clone_from(&arguments.k);
    params.inducers = trimmed(&arguments.inducers);
    params.protocol = match &arguments.test {
        Some(_) => Protocol::TrainTest,
        None => arguments.cv.parse().map_err(|error: Error| error.of_parameter("cv"))?,
    };
    params.sample = arguments.sample;
    params.seed = common.seed;
    Ok(params)
}
