//! Auditing several releases of one table together.

use crate::dataset::OpenOptions;
use crate::files::{Data, audit_release_in};
use crate::job::Job;
use crate::loaded::{Loaded, load};
use incrowd_core::audit::{JointContent, JointRelease, JointReport, audit_together, refuse_contradicted};
use incrowd_core::group::group_rows;
use incrowd_core::guarantee::{Guarantee, Preset};
use incrowd_core::model::Model;
use incrowd_core::span::described_cells;
use incrowd_core::table::{Column, Table};
use incrowd_core::{Error, Result};
use incrowd_io::policy::PolicyFile;
use incrowd_io::release::Release;
use incrowd_io::{KeepItems, Maker, format_of_name, read_table};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A builder for the audit of several releases of one table.
#[derive(Debug, Clone)]
pub struct JointAuditWork {
    releases: Vec<PathBuf>,
    data: PathBuf,
    policy: PolicyFile,
}

impl OpenOptions {
    /// Prepares the audit of several releases of one table together: models made by incrowd, and anonymized tables made
    /// by incrowd (their release file, or the table next to it).
    pub fn audit_together<P: Into<PathBuf>>(
        &self,
        releases: impl IntoIterator<Item = P>,
        table: impl AsRef<Path>,
        policy: PolicyFile,
    ) -> Job<JointAuditWork> {
        let stated = policy.policy.clone();
        let releases = releases.into_iter().map(Into::into).collect();
        Job::new(&stated, self, JointAuditWork { releases, data: table.as_ref().to_owned(), policy })
    }
}

impl Job<JointAuditWork> {
    /// Runs the audit.
    ///
    /// # Errors
    /// When the guarantee cannot be checked. A breach is not an error: see [`JointReport::holds`].
    pub fn run(self) -> Result<JointReport> {
        let raised = self.raised()?;
        let JointAuditWork { releases: paths, data, policy } = &self.work;
        if !policy.sets.is_empty() {
            return Err(Error::parameters(
                "several releases are audited for one attacker who knows all public attributes",
            )
            .help("remove `sets` from a copy of the policy"));
        }
        let source = JointSource { data, policy, options: &self.options };
        let (mut report, read) = source.audit(paths, &raised.guarantee)?;
        let warn = |given_up: &String| format!("the policy requires more than was checked: {given_up}");
        let left_out = read.rows_left_out.warning();
        report.together.warnings.extend(read.warnings.iter().cloned().chain(left_out));
        report.together.warnings.extend(raised.weakened.iter().map(warn));
        if raised.guarantee.presets().contains(&Preset::HipaaSafeHarbor) {
            self.judge_prints(&mut report)?;
        }
        report.together.rows_left_out = read.rows_left_out;
        Ok(report)
    }
}

impl Job<JointAuditWork> {
    /// Judges what each release prints, by the preset that asks it of single releases.
    fn judge_prints(&self, report: &mut JointReport) -> Result<()> {
        let JointAuditWork { releases: paths, data, policy } = &self.work;
        let guarantee = Guarantee::default().with_preset(Preset::HipaaSafeHarbor);
        for (path, finding) in paths.iter().zip(&mut report.releases) {
            let is_table = matches!(load_release(path)?.release(), Release::Table(_));
            let data = Some(data.as_path()).filter(|_| !is_table);
            let own = audit_release_in(path, data, policy, &guarantee, self.options.reading(), None)?;
            let broken = own.presets.iter().filter(|preset| !preset.holds);
            finding.broken.extend(broken.map(|preset| format!("the preset {}", preset.preset)));
            finding.holds &= finding.broken.is_empty();
            report.holds &= finding.holds;
        }
        Ok(())
    }
}

/// What releases are audited together against.
pub(crate) struct JointSource<'a> {
    pub(crate) data: &'a Path,
    pub(crate) policy: &'a PolicyFile,
    pub(crate) options: &'a OpenOptions,
}

impl JointSource<'_> {
    /// Audits releases together, and returns the report and the data.
    ///
    /// # Errors
    /// When the guarantee cannot be checked.
    pub(crate) fn audit(&self, paths: &[PathBuf], guarantee: &Guarantee) -> Result<(JointReport, Data)> {
        let loaded = paths.iter().map(|path| load_release(path)).collect::<Result<Vec<_>>>()?;
        for (path, model) in paths.iter().zip(&loaded).filter_map(|(path, own)| Some((path, own.model()?))) {
            self.refuse_unknown(path, model)?;
        }
        let read = self.read(loaded.iter().filter_map(Loaded::model))?;
        // What a release prints is judged for each of them.
        let guarantee = &guarantee.clone().with_presets_of_groups();
        let mut releases = Vec::new();
        for (path, loaded) in paths.iter().zip(&loaded) {
            let content = self.content(path, loaded, &read)?;
            releases.push(JointRelease { name: path.display().to_string(), content });
        }
        refuse_contradicted(&read.table, &read.policy).map_err(|error| error.in_file(self.data))?;
        let report = audit_together(&read.table, &read.policy, &releases, guarantee);
        Ok((report.map_err(|error| error.in_file(self.data))?, read))
    }

    /// Fails if a model contains an attribute that the policy does not mention: it was made from other data.
    fn refuse_unknown(&self, path: &Path, model: &Model) -> Result<()> {
        let is_unknown = |name: &&str| self.policy.policy.attribute(name).is_none();
        let of_table = self.policy.items.is_none();
        match model.attribute_names().into_iter().find(is_unknown).filter(|_| of_table) {
            Some(name) => Err(Error::input("the release contains an attribute that the policy does not mention")
                .of_attribute(name)
                .in_file(path)
                .help("check that the release was made from this data; if so, give the attribute a role in the policy")),
            None => Ok(()),
        }
    }

    /// The table, with the items that any of the models names.
    pub(crate) fn read<'m>(&self, models: impl Iterator<Item = &'m Model>) -> Result<Data> {
        let mut names: Vec<String> =
            models.flat_map(|model| model.attribute_names()).map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        self.options.reading().data(self.data, self.policy, KeepItems::Named(&names))
    }

    /// What a release is to a joint audit. The recoding of a table must give the source's rows exactly the released
    /// rows; groups that overlap are refused.
    pub(crate) fn content<'l>(
        &self,
        path: &Path,
        loaded: &'l Loaded,
        read: &Data,
    ) -> Result<JointContent<'l>> {
        let stated = match loaded.release() {
            Release::Model(stated) => return Ok(JointContent::Model(&stated.model)),
            Release::Table(stated) => stated,
        };
        let Self { data, policy, options } = *self;
        let transform = loaded.transform(data).policy(policy.clone()).options(options.clone());
        let recoded = transform.run()?.table;
        let file = stated.table_path(path);
        let plan = policy.written_plan(format_of_name(&file)?, &stated.kinds);
        let reading = options.reading();
        let released = read_table(&file, &plan, reading.threads, reading.progress)?.table;
        groups(&recoded, &released, read.table.rows(), policy).map_err(|error| error.in_file(path))
    }
}

/// The groups of a released table, given the source's rows as its recoding has them.
///
/// # Errors
/// When these are not the released rows.
pub(crate) fn groups(
    recoded: &Table,
    released: &Table,
    rows: usize,
    policy: &PolicyFile,
) -> Result<JointContent<'static>> {
    let names: Vec<&str> = released.columns().iter().map(Column::name).collect();
    if recoded.rows() != rows || !same_rows(recoded, released, &names) {
        return Err(Error::input(
            "the recoding of this table does not give the rows of the data their released cells, so it is unknown who \
             is in which of its groups",
        )
        .help(
            "give the data that the table was made from; if this is that data, the groups of the table overlap: make \
             a table that agrees with its recoding (`closed`), or audit this table alone",
        ));
    }
    let known = policy.policy.known();
    let is_known = |name: &&&str| known.iter().any(|known| known == **name);
    let public: Vec<&Column> =
        names.iter().filter(is_known).filter_map(|name| recoded.column(name)).collect();
    let private = names.iter().filter(|name| !is_known(name)).map(|&name| name.to_owned()).collect();
    let grouping = group_rows(recoded.rows(), &public);
    let cells = grouping.first_rows().iter().map(|&row| described_cells(&public, row as usize)).collect();
    Ok(JointContent::Table { group_of_row: grouping.of_row, cells, private })
}

/// Whether two tables have the same rows, in any order.
fn same_rows(one: &Table, other: &Table, names: &[&str]) -> bool {
    let rows = |table: &Table| -> Option<BTreeMap<Vec<String>, i64>> {
        let columns: Vec<&Column> = names.iter().map(|name| table.column(name)).collect::<Option<_>>()?;
        let mut counts = BTreeMap::new();
        for row in 0..table.rows() {
            let text = |column: &&Column| {
                let code = column.code(row);
                if code == column.missing_code() {
                    String::new()
                } else {
                    column.values().text(code as usize).into_owned()
                }
            };
            *counts.entry(columns.iter().map(text).collect()).or_insert(0) += 1;
        }
        Some(counts)
    };
    rows(one).is_some_and(|own| rows(other).is_some_and(|others| own == others))
}

/// A release of incrowd. A table stands for the release file next to it.
pub(crate) fn load_release(path: &Path) -> Result<Loaded> {
    let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let beside = path.with_extension("json");
    let loaded = match load(path) {
        Err(_) if !is_json && beside.exists() => load(&beside)?,
        loaded => loaded?,
    };
    match loaded.maker() {
        Maker::Incrowd => Ok(loaded),
        Maker::Elsewhere(_) => {
            Err(Error::parameters("only releases made by incrowd can be audited together").in_file(path))
        }
    }
}
