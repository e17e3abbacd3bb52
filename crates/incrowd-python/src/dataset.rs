//! Tables with their policies, and what is made from them.

use crate::error::raised;
use crate::frame::{Source, frame};
use crate::model::Model;
use crate::request::{Request, named, policy, with_class};
use crate::table::Table;
use crate::work::{Follower, run};
use incrowd::audit::Report;
use incrowd::compare::ComparedMethod;
use incrowd::eval::folds::Protocol;
use incrowd::eval::report;
use incrowd::mine::{self, clusters, rules, table, tree};
use incrowd::model::Detail;
use incrowd::{Error, OpenOptions, Result};
use pyo3::prelude::*;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// The digits of a share in whole percent.
const WHOLE_PERCENT: u8 = 2;

/// A table in memory or in a file, with its policy.
#[pyclass(frozen)]
pub(crate) struct Dataset {
    data: Arc<incrowd::Dataset>,
    follower: Arc<Follower>,
}

#[pymethods]
impl Dataset {
    /// Opens a table under a policy.
    #[staticmethod]
    #[pyo3(signature = (source, policy_text, folder, *, class_name=None, weights=None, watch=None))]
    fn open(
        py: Python<'_>,
        source: Source<'_>,
        policy_text: &str,
        folder: &str,
        class_name: Option<&str>,
        weights: Option<String>,
        watch: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let stated = policy(policy_text, folder).and_then(|stated| with_class(stated, class_name));
        let stated = stated.map_err(raised)?;
        let follower = Follower::new();
        let options = OpenOptions::new().progress(Arc::clone(&follower) as _);
        let data = match source {
            Source::File(path) => run(py, &follower, watch, move || options.open_under(path, stated))?,
            Source::Frame(object) => {
                let frame = frame(&object, weights)?;
                run(py, &follower, watch, move || options.open_frame(frame, stated))?
            }
        };
        Ok(Self { data: Arc::new(data), follower })
    }

    /// How many rows and individuals there are, and what was left out, as JSON.
    fn about(&self) -> PyResult<String> {
        let table = self.data.source().map_err(raised)?;
        let about = json!({
            "rows": table.rows(),
            "individuals": table.individuals(),
            "rows_left_out": self.data.rows_left_out(),
            "warnings": self.data.warnings(),
            "bytes": table.bytes(),
        });
        Ok(about.to_string())
    }

    /// Trains a decision tree.
    #[pyo3(signature = (request, options, watch=None))]
    fn tree(
        &self,
        py: Python<'_>,
        request: Request,
        options: TreeOptions,
        watch: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Model> {
        self.run(py, watch, move |data| {
            let detail = options.detail()?;
            let mut job = data.tree().request(request.read()?).detail(detail);
            if let Some(method) = named::<tree::TreeMethod>(options.method.as_deref(), "method")? {
                job = job.method(method);
            }
            if let Some(leaves) = options.max_leaves {
                job = job.max_leaves(leaves);
            }
            job = job.prune(options.prune.unwrap_or(true));
            Model::of_audited(job.mine()?)
        })
    }

    /// Trains boosted trees.
    #[pyo3(signature = (request, options, watch=None))]
    fn boost(
        &self,
        py: Python<'_>,
        request: Request,
        options: BoostOptions,
        watch: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Model> {
        self.run(py, watch, move |data| {
            let mut job = data
                .boost()
                .request(request.read()?)
                .rounds(options.rounds)
                .leaves(options.max_leaves)
                .learning_rate(options.learning_rate)
                .columns(options.columns)
                .min_leaf(options.min_leaf)
                .balanced(options.balanced);
            if let Some(detail) = named::<mine::boost::ScoreDetail>(Some(&options.detail), "detail")? {
                job = job.detail(detail);
            }
            match options.digits {
                Some(_) if options.detail == mine::boost::ScoreDetail::Labels.name() => {
                    return Err(Error::parameters("digits apply to scores only")
                        .of_parameter("digits")
                        .help("set detail=\"scores\", or leave digits out"));
                }
                Some(digits) => job = job.digits(digits),
                None => {}
            }
            if let Some(structure) = named::<mine::Structure>(Some(&options.structure), "structure")? {
                job = job.structure(structure);
            }
            Model::of_audited(job.mine()?)
        })
    }

    /// Makes an anonymized table.
    #[pyo3(signature = (request, options, watch=None))]
    fn table(
        &self,
        py: Python<'_>,
        request: Request,
        options: TableOptions,
        watch: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Table> {
        self.run(py, watch, move |data| {
            let mut job = data.table().request(request.read()?);
            if let Some(method) = named::<table::TableMethod>(options.method.as_deref(), "method")? {
                job = job.method(method);
            }
            if let Some(seed) = options.seed {
                job = job.seed(seed);
            }
            if options.closed {
                job = job.closed();
            }
            if options.representatives {
                job = job.representatives();
            }
            Ok(Table::of_audited(job.mine()?))
        })
    }

    /// Finds clusters.
    #[pyo3(signature = (request, options, watch=None))]
    fn clusters(
        &self,
        py: Python<'_>,
        request: Request,
        options: ClusterOptions,
        watch: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Model> {
        self.run(py, watch, move |data| {
            let mut job = data.clusters().request(request.read()?);
            if let Some(method) = named::<clusters::ClusterMethod>(options.method.as_deref(), "method")? {
                job = job.method(method);
            }
            if let Some(most) = options.n_clusters {
                job = job.clusters(most);
            }
            if let Some(seed) = options.seed {
                job = job.seed(seed);
            }
            Model::of_audited(job.attributes(options.attributes.unwrap_or_default()).mine()?)
        })
    }

    /// Mines association rules.
    #[pyo3(signature = (request, options, watch=None))]
    fn rules(
        &self,
        py: Python<'_>,
        request: Request,
        options: RuleOptions,
        watch: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Model> {
        self.run(py, watch, move |data| {
            let mut job = data.rules().request(request.read()?);
            if let Some(share) = options.min_support {
                job = job.min_support(share);
            }
            if let Some(share) = options.min_confidence {
                job = job.min_confidence(share);
            }
            if let Some(items) = options.max_length {
                job = job.max_length(items);
            }
            if let Some(first) = named::<rules::Usefulness>(options.first.as_deref(), "first")? {
                job = job.first(first);
            }
            Model::of_rules(job.mine()?)
        })
    }

    /// Compares methods over k. Returns the comparison as JSON, its scores as CSV, and the report as HTML.
    #[pyo3(signature = (request, options, watch=None))]
    fn compare(
        &self,
        py: Python<'_>,
        request: Request,
        options: CompareOptions,
        watch: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(String, String, String)> {
        self.run(py, watch, move |data| {
            let mut job = data.compare().request(request.read()?).named(options.name);
            if let Some(methods) = options.methods {
                let method = |name: &String| {
                    ComparedMethod::named(name).map_err(|error| error.of_parameter("methods"))
                };
                job = job.methods(methods.iter().map(method).collect::<Result<Vec<_>>>()?);
            }
            if let Some(ks) = options.ks {
                job = job.ks(ks);
            }
            if let Some(inducers) = options.inducers {
                job = job.inducers(inducers);
            }
            if let Some((times, folds)) = options.protocol {
                job = job.protocol(Protocol::Repeated { times, folds });
            }
            if let Some(seed) = options.seed {
                job = job.seed(seed);
            }
            if let Some(folder) = options.folder {
                job = job.folder(folder);
            }
            let comparison = job.run()?;
            let json = serde_json::to_string(&comparison)
                .map_err(|_| Error::internal("a comparison cannot be written"))?;
            Ok((json, report::csv(&comparison), report::html(&comparison)))
        })
    }
}

impl Dataset {
    fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        watch: Option<&Bound<'_, PyAny>>,
        work: impl FnOnce(&incrowd::Dataset) -> Result<T> + Send + 'static,
    ) -> PyResult<T> {
        let data = Arc::clone(&self.data);
        run(py, &self.follower, watch, move || work(&data))
    }
}

/// Audits a model against the frame that it was made from, and returns the report as JSON.
#[pyfunction]
#[pyo3(signature = (model, table, policy_text, folder, request, *, class_name=None, watch=None))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn audit_model(
    py: Python<'_>,
    model: &Model,
    table: &Bound<'_, PyAny>,
    policy_text: &str,
    folder: &str,
    request: Request,
    class_name: Option<&str>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let stated =
        policy(policy_text, folder).and_then(|stated| with_class(stated, class_name)).map_err(raised)?;
    let (loaded, frame) = (model.loaded()?, frame(table, None)?);
    let request = request.read().map_err(raised)?;
    let follower = Follower::new();
    let options = OpenOptions::new().progress(Arc::clone(&follower) as _);
    run(py, &follower, watch, move || {
        json_of(&options.audit_loaded((*loaded).clone(), frame, stated).request(request).run()?)
    })
}

/// Audits a release file, or the file of a model made elsewhere, against the file of the table that it was made from,
/// and returns the report as JSON.
#[pyfunction]
#[pyo3(signature = (release, data, policy_text, folder, request, *, watch=None))]
pub(crate) fn audit_files(
    py: Python<'_>,
    release: PathBuf,
    data: PathBuf,
    policy_text: &str,
    folder: &str,
    request: Request,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let stated = policy(policy_text, folder).map_err(raised)?;
    let request = request.read().map_err(raised)?;
    let follower = Follower::new();
    let options = OpenOptions::new().progress(Arc::clone(&follower) as _);
    run(py, &follower, watch, move || {
        json_of(&options.audit(release, Some(&data), stated).request(request).run()?)
    })
}

/// Audits a table of any origin, and returns the report as JSON.
#[pyfunction]
#[pyo3(signature = (source, policy_text, folder, request, without, *, watch=None))]
pub(crate) fn audit_table(
    py: Python<'_>,
    source: Source<'_>,
    policy_text: &str,
    folder: &str,
    request: Request,
    without: Vec<String>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let stated = policy(policy_text, folder).map_err(raised)?;
    let request = request.read().map_err(raised)?;
    let follower = Follower::new();
    let options = OpenOptions::new().progress(Arc::clone(&follower) as _);
    match source {
        Source::File(path) => run(py, &follower, watch, move || {
            json_of(&options.audit_table(path, stated).request(request).without(without).run()?)
        }),
        Source::Frame(object) => {
            let frame = frame(&object, None)?;
            run(py, &follower, watch, move || {
                json_of(&options.audit_frame(frame, stated).request(request).without(without).run()?)
            })
        }
    }
}

/// A report as JSON.
pub(crate) fn json_of(report: &Report) -> Result<String> {
    serde_json::to_string(report).map_err(|_| Error::internal("a report cannot be written"))
}

/// Parameters of trees.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct TreeOptions {
    method: Option<String>,
    max_leaves: Option<u32>,
    prune: Option<bool>,
    detail: Option<String>,
    digits: Option<u8>,
}

impl TreeOptions {
    fn detail(&self) -> Result<Detail> {
        match (self.detail.as_deref(), self.digits) {
            (None | Some("counts"), None) => Ok(Detail::Counts),
            (Some("labels"), None) => Ok(Detail::Labels),
            (Some("shares"), digits) => Ok(Detail::Shares { digits: digits.unwrap_or(WHOLE_PERCENT) }),
            (None | Some("counts" | "labels"), Some(_)) => {
                Err(Error::parameters("digits apply to shares only")
                    .of_parameter("digits")
                    .help("set detail=\"shares\", or leave digits out"))
            }
            (Some(other), _) => Err(Error::parameters(format!("unknown detail `{other}`"))
                .of_parameter("detail")
                .help("choose one of: counts, shares, labels")),
        }
    }
}

/// Parameters of boosted trees.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct BoostOptions {
    rounds: u32,
    max_leaves: Option<u32>,
    learning_rate: Option<f64>,
    columns: Option<f64>,
    min_leaf: Option<u64>,
    detail: String,
    digits: Option<u8>,
    structure: String,
    balanced: bool,
}

/// Parameters of tables.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct TableOptions {
    method: Option<String>,
    seed: Option<u64>,
    closed: bool,
    representatives: bool,
}

/// Parameters of clusters.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ClusterOptions {
    method: Option<String>,
    n_clusters: Option<u32>,
    attributes: Option<Vec<String>>,
    seed: Option<u64>,
}

/// Parameters of comparisons.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct CompareOptions {
    name: String,
    methods: Option<Vec<String>>,
    ks: Option<Vec<u64>>,
    inducers: Option<Vec<String>>,
    protocol: Option<(u32, u32)>,
    seed: Option<u64>,
    folder: Option<PathBuf>,
}

/// Parameters of rules.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct RuleOptions {
    min_support: Option<f64>,
    min_confidence: Option<f64>,
    max_length: Option<usize>,
    first: Option<String>,
}
