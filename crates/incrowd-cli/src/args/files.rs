//! The files that a command reads and writes. An output must not replace an input.

use super::{Command, DataCommand, MiningFiles};
use incrowd::compare::ReportFolder;
use incrowd::io::write::refuse_input;
use incrowd::io::{PolicyFile, files_of};
use incrowd::{Error, Result};
use std::path::{Path, PathBuf};

impl Command {
    /// Fails if the command would write a file that it also reads, even with `--force`.
    ///
    /// # Errors
    /// When an output is an input.
    pub(crate) fn check_files(&self) -> Result<()> {
        let (inputs, outputs) = (self.inputs(), self.outputs());
        outputs.iter().try_for_each(|output| refuse_input(output, &inputs))?;
        match outputs.iter().enumerate().find(|(place, output)| outputs[..*place].contains(output)) {
            Some((_, twice)) => {
                Err(Error::parameters("the command would write two different things to this file")
                    .in_file(twice)
                    .help("give each of them a file of its own; a released table has its release file next to it, with the ending .json"))
            }
            None => Ok(()),
        }
    }

    /// The input files: those named in the arguments, and the taxonomies of the policy.
    fn inputs(&self) -> Vec<PathBuf> {
        let (named, policy) = self.named_inputs();
        // The command itself reports a policy that cannot be read.
        let taxonomies =
            policy.and_then(|path| PolicyFile::read(path).ok()).map(|policy| policy.taxonomy_files);
        // A path may name several files; the command itself reports one that names none.
        let files = |path: &Path| files_of(path).unwrap_or_else(|_| vec![path.to_owned()]);
        let named = named.into_iter().flat_map(files).chain(policy.map(Path::to_owned));
        named.chain(taxonomies.into_iter().flatten()).collect()
    }

    fn named_inputs(&self) -> (Vec<&Path>, Option<&Path>) {
        match self {
            Self::Profile(profile) => (vec![&profile.file], profile.policy.as_deref()),
            Self::Tree(tree) => tree.files.inputs(),
            Self::Boost(boost) => boost.files.inputs(),
            Self::Table(table) => table.files.inputs(),
            Self::Clusters(clusters) => clusters.files.inputs(),
            Self::Rules(rules) => rules.files.inputs(),
            Self::Predict(predict) => (vec![&predict.model, &predict.data], predict.policy.as_deref()),
            Self::Transform(transform) => {
                (vec![&transform.release, &transform.data], transform.policy.as_deref())
            }
            Self::Show(show) => {
                let data = show.data.as_deref();
                (std::iter::once(show.model.as_path()).chain(data).collect(), show.policy.as_deref())
            }
            Self::Export(export) => (vec![&export.model], None),
            Self::Report(report) => {
                let others = [&report.data, &report.test, &report.risk.population, &report.ledger];
                let others = others.into_iter().flatten().map(PathBuf::as_path);
                (std::iter::once(report.release.as_path()).chain(others).collect(), Some(&report.policy))
            }
            Self::Compare(compare) => {
                let test = compare.test.as_deref();
                (std::iter::once(compare.data.as_path()).chain(test).collect(), Some(&compare.policy))
            }
            Self::Demo(_)
            | Self::Audit(_)
            | Self::Verify(_)
            | Self::Ledger(_)
            | Self::Data(_)
            | Self::Policy(_)
            | Self::Completions(_)
            | Self::Man(_) => (Vec::new(), None),
        }
    }

    fn outputs(&self) -> Vec<PathBuf> {
        let one = |path: &Option<PathBuf>| path.iter().cloned().collect();
        match self {
            Self::Profile(profile) => one(&profile.out),
            Self::Tree(tree) => tree.files.outputs(),
            Self::Boost(boost) => boost.files.outputs(),
            Self::Table(table) => {
                let beside = table.files.out.with_extension("json");
                // A table must not end in .json, which the command itself reports.
                let beside = (beside != table.files.out).then_some(beside);
                table.files.outputs().into_iter().chain(beside).chain(table.dictionary.clone()).collect()
            }
            Self::Clusters(clusters) => clusters.files.outputs(),
            Self::Rules(rules) => rules.files.outputs(),
            Self::Report(report) => report.out.clone(),
            Self::Predict(predict) => one(&predict.out),
            Self::Transform(transform) => vec![transform.out.clone()],
            Self::Show(show) => one(&show.out),
            Self::Export(export) => one(&export.out),
            Self::Compare(compare) => ReportFolder::files(&compare.out).into(),
            Self::Data(data) => match &data.command {
                DataCommand::Get(get) => one(&get.out),
                DataCommand::List(_) => Vec::new(),
            },
            Self::Demo(_)
            | Self::Audit(_)
            | Self::Verify(_)
            | Self::Policy(_)
            | Self::Ledger(_)
            | Self::Completions(_)
            | Self::Man(_) => Vec::new(),
        }
    }
}

impl MiningFiles {
    fn outputs(&self) -> Vec<PathBuf> {
        std::iter::once(&self.out).chain(&self.report).chain(&self.ledger.ledger).cloned().collect()
    }

    fn inputs(&self) -> (Vec<&Path>, Option<&Path>) {
        let earlier = self.ledger.earlier.iter();
        (self.data.iter().chain(earlier).map(PathBuf::as_path).collect(), Some(&self.policy))
    }
}
