//! `incrowd data`: lists and downloads public data sets.

use crate::Outcome;
use crate::args::{CacheFlag, Common, Data, DataCommand, DataGet, DataList};
use crate::console::Console;
use crate::documents::{DataSetEntry, DataSetFile, DataSetFiles};
use crate::progress::Bar;
use crate::text;
use incrowd::Result;
use incrowd::io::data::{
    DataSet, Getting, Placement, default_cache, is_cached, place_file, place_policy, sets,
};
use std::path::PathBuf;

pub(crate) fn run(arguments: &Data, common: &Common, console: &Console) -> Result<Outcome> {
    match &arguments.command {
        DataCommand::List(list) => run_list(list, console),
        DataCommand::Get(get) => run_get(get, common, console),
    }
}

fn run_list(arguments: &DataList, console: &Console) -> Result<Outcome> {
    let cache = cache(&arguments.cache)?;
    let listed = |set: &DataSet| DataSetEntry {
        name: set.name,
        title: set.title,
        rows: set.rows,
        bytes: set.files.iter().map(|file| file.bytes).sum(),
        licence: set.licence,
        cached: set.files.iter().all(|file| is_cached(&cache, set, file)),
    };
    let list: Vec<DataSetEntry> = sets().iter().map(listed).collect();
    console.result(&list, || text::data::list(&list, &cache))?;
    Ok(Outcome::Done)
}

fn run_get(arguments: &DataGet, common: &Common, console: &Console) -> Result<Outcome> {
    let set = arguments.set;
    let cache = cache(&arguments.cache)?;
    let bar = Bar::new(common.quiet);
    let getting = Getting { cache: &cache, mirror: arguments.from.as_deref(), progress: &bar };
    let mut files = Vec::new();
    for file in set.files {
        let got = getting.file(set, file)?;
        let path = match &arguments.out {
            Some(folder) => place_file(file, &got.path, folder, common.force)?.0,
            None => got.path,
        };
        files.push(DataSetFile { path, bytes: file.bytes, sha256: file.sha256, fetched: got.fetched });
    }
    let folder = arguments.out.clone().unwrap_or_else(|| cache.join(set.name));
    let (policy, placed) = place_policy(set, &folder, common.force)?;
    let gotten = DataSetFiles {
        name: set.name,
        files,
        policy,
        licence: set.licence,
        citation: set.citation,
        baskets: set.policy.contains("\n[items]"),
    };
    console.result(&gotten, || text::data::gotten(&gotten))?;
    if placed == Placement::Kept {
        let path = gotten.policy.display();
        console.warn(&format!(
            "{path} differs from the policy that comes with the data and was not changed; --force replaces it"
        ));
    }
    Ok(Outcome::Done)
}

fn cache(flag: &CacheFlag) -> Result<PathBuf> {
    flag.cache.clone().map_or_else(default_cache, Ok)
}
