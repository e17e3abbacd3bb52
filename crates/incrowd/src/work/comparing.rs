//! Comparing methods over k.

use crate::audited::Existing;
use crate::compare::{Cells, CompareData, CompareParams, ComparedMethod, ReportFolder, compare, sampled};
use crate::dataset::Dataset;
use crate::dossier::CopiedRows;
use crate::job::Job;
use incrowd_core::audit::refuse_contradicted;
use incrowd_core::{Error, Result};
use incrowd_eval::comparison::Comparison;
use incrowd_eval::folds::Protocol;
use incrowd_io::files_of;
use incrowd_io::write::digest_of_file;
use std::path::{Path, PathBuf};

/// A builder for a comparison.
#[derive(Debug, Clone)]
pub struct CompareWork<'d> {
    data: &'d Dataset,
    test: Option<&'d Dataset>,
    name: Option<String>,
    params: CompareParams,
    folder: Option<(PathBuf, Existing)>,
}

impl<'d> CompareWork<'d> {
    pub(crate) fn new(data: &'d Dataset) -> Self {
        Self { data, test: None, name: None, params: CompareParams::default(), folder: None }
    }

    /// The name of the table in the report: the one that was set, or that of its file.
    fn name(&self) -> String {
        let file = || self.data.path().and_then(Path::file_name).map(|name| name.to_string_lossy().into());
        self.name.clone().or_else(file).unwrap_or_else(|| "a table".to_owned())
    }
}

impl<'d> Job<CompareWork<'d>> {
    /// Sets the methods to compare.
    pub fn methods(self, methods: impl IntoIterator<Item = ComparedMethod>) -> Self {
        self.with(|params| params.methods = methods.into_iter().collect())
    }

    /// Sets the values of k to compare. They replace the policy's k.
    pub fn ks(self, ks: impl IntoIterator<Item = u64>) -> Self {
        self.with(|params| params.ks = ks.into_iter().collect())
    }

    /// Sets the names of the inducers that learn from released tables.
    pub fn inducers<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Self {
        self.with(|params| params.inducers = names.into_iter().map(Into::into).collect())
    }

    /// Sets how rows are divided into training and test rows.
    pub fn protocol(self, protocol: Protocol) -> Self {
        self.with(|params| params.protocol = protocol)
    }

    /// Compares on a random sample of so many individuals, if the table has more. The report states it.
    pub fn sample(self, individuals: u64) -> Self {
        self.with(|params| params.sample = Some(individuals))
    }

    /// Sets the random seed.
    pub fn seed(self, seed: u64) -> Self {
        self.with(|params| params.seed = seed)
    }

    /// Tests on the rows of another dataset. All rows of this one are for training then.
    pub fn test(self, test: &'d Dataset) -> Self {
        self.with_work(|work| work.test = Some(test))
    }

    /// Sets the name of the table in the report. The default is the name of its file.
    pub fn named(self, name: impl Into<String>) -> Self {
        self.with_work(|work| work.name = Some(name.into()))
    }

    /// Stores results in a folder as they are found, and writes the report there. An interrupted comparison is resumed.
    /// Files of another comparison are an error.
    pub fn folder(self, path: impl AsRef<Path>) -> Self {
        self.folder_as(path, Existing::Keep)
    }

    /// As [`Self::folder`], and replaces the files of another comparison if `existing` allows it.
    pub fn folder_as(self, path: impl AsRef<Path>, existing: Existing) -> Self {
        self.with_work(|work| work.folder = Some((path.as_ref().to_owned(), existing)))
    }

    /// Changes any parameter. The guarantee is not a parameter: set it with the methods of [`Job`].
    pub fn with(self, change: impl FnOnce(&mut CompareParams)) -> Self {
        self.with_work(|work| change(&mut work.params))
    }

    /// Compares the methods.
    ///
    /// A release that cannot be made (for example, because no table is safe at that k) is a note in the result, not an
    /// error.
    ///
    /// # Errors
    /// When a parameter is out of its range, the table and the policy do not fit, the class is missing, the rows cannot
    /// be divided as required, nothing can be made, or results cannot be stored.
    pub fn run(self) -> Result<Comparison> {
        if self.requests_k() {
            return Err(Error::parameters("a comparison replaces k by several values")
                .of_parameter("k")
                .help("set the values to compare (`ks`)"));
        }
        let raised = self.raised()?;
        let options = self.options;
        let name = self.work.name();
        let CompareWork { data, test, mut params, folder, .. } = self.work;
        params.guarantee = raised.guarantee;
        let params = params.check()?;
        let copied = test.map(|test| copied_rows(data, test)).transpose()?.flatten();
        let (table, test) = (data.source()?, test.map(Dataset::source).transpose()?);
        refuse_contradicted(table, data.policy()).map_err(|error| data.located(error))?;
        let sample = params.sample.map(|individuals| sampled(table, individuals, params.seed)).transpose()?;
        let sample = sample.flatten();
        let sample_of = sample.as_ref().map(|_| table.individuals());
        let table = sample.as_ref().unwrap_or(table);
        let source = CompareData { name: &name, table, test, policy: data.policy(), sample_of };
        let folder = folder
            .map(|(path, existing)| {
                ReportFolder::take(&path, source, &params, existing == Existing::Replace)
                    .map_err(|error| data.located(error))
            })
            .transpose()?;
        let cells = folder.as_ref().map_or_else(|| Ok(Cells::in_memory()), ReportFolder::cells)?;
        let mut comparison =
            compare(source, &params, &cells, options.receiver()).map_err(|error| data.located(error))?;
        let weakened = |given_up: &String| format!("the policy requires more than was compared: {given_up}");
        comparison.notes.extend(raised.weakened.iter().map(weakened));
        comparison.notes.extend(copied);
        folder.map_or(Ok(()), |folder| folder.write(&comparison))?;
        Ok(comparison)
    }
}

/// The digests of the files of a dataset, if it was read from files.
fn digests(data: &Dataset) -> Vec<String> {
    let files = data.path().and_then(|path| files_of(path).ok()).unwrap_or_default();
    files.iter().filter_map(|file| digest_of_file(file).ok()).collect()
}

/// A note if some of the test rows are rows of the data. Fails if most of them are: the accuracies would be those of
/// rows that the models have learned from.
fn copied_rows(data: &Dataset, test: &Dataset) -> Result<Option<String>> {
    let copied = CopiedRows::between(test.source()?, data.source()?);
    let is_same_file = digests(test).iter().any(|digest| digests(data).contains(digest));
    if is_same_file || copied.is_most() {
        let error = Error::parameters("the test rows are rows of the data, from which the models learn")
            .of_parameter("test")
            .help("give rows that are not in the data, or leave this out: rows are then divided for training and testing");
        return Err(match test.path() {
            Some(path) => error.in_file(path),
            None => error,
        });
    }
    Ok(copied.warning())
}
