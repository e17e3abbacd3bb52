//! `incrowd compare`: compares methods over k.

use super::warn_left_out;
use crate::Outcome;
use crate::args::{Common, Compare as Arguments};
use crate::console::Console;
use crate::progress::Bar;
use crate::text;
use incrowd::compare::{CheckedCompareParams, CompareParams, Method, ReportFolder, Source, compare};
use incrowd::eval::folds::Protocol;
use incrowd::files::Reading;
use incrowd::io::policy::{PolicyFile, Purpose};
use incrowd::{Error, Result};
use std::path::Path;

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let policy = PolicyFile::read(&arguments.policy)?;
    let params = params(arguments, common, &policy)?;
    let bar = Bar::new(common.quiet);
    let reading = Reading { threads: common.threads, progress: &bar };
    let read = |path: &Path| {
        let read = reading.table(path, &policy, Purpose::Source)?;
        warn_left_out(console, &read.rows_left_out);
        Ok(read.table)
    };
    let table = read(&arguments.data)?;
    let test = arguments.test.as_deref().map(read).transpose()?;
    let name = arguments.data.file_name().unwrap_or_default().to_string_lossy();
    let source = Source { name: &name, table: &table, test: test.as_ref(), policy: &policy.policy };
    let of_data = |error: Error| error.in_file(&arguments.data);
    let folder = ReportFolder::take(&arguments.out, source, &params, common.force).map_err(of_data)?;
    let comparison = compare(source, &params, &folder.cells()?, &bar).map_err(of_data)?;
    folder.write(&comparison)?;
    comparison.notes.iter().for_each(|note| console.warn(note));
    console.result(&comparison, || text::compared::render(&comparison, &folder.report()))?;
    Ok(Outcome::Done)
}

fn params(arguments: &Arguments, common: &Common, policy: &PolicyFile) -> Result<CheckedCompareParams> {
    let trimmed =
        |names: &[String]| -> Vec<String> { names.iter().map(|name| name.trim().to_owned()).collect() };
    let methods = trimmed(&arguments.methods);
    let params = CompareParams {
        methods: methods.iter().map(|name| Method::named(name)).collect::<Result<_>>()?,
        ks: arguments.k.clone(),
        guarantee: arguments.guarantee.request().on(&policy.policy.guarantee)?.guarantee,
        inducers: trimmed(&arguments.inducers),
        protocol: if arguments.test.is_some() { Protocol::TrainTest } else { arguments.cv.parse()? },
        seed: common.seed,
    };
    params.check()
}
