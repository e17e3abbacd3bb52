//! Mine the data, release the knowledge, keep everyone in a crowd of k.
//!
//! A data owner has a table about people and wants to share what it reveals: a classifier, clusters, association rules,
//! or an anonymized table. This library makes such releases and guarantees that an attacker who knows everyone's public
//! attributes (quasi-identifiers) cannot link private data (sensitive attributes) to fewer than k individuals. It also
//! audits models and tables made elsewhere.
//!
//! ```
//! # let folder = std::env::temp_dir().join(format!("incrowd-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! # std::env::set_current_dir(&folder).unwrap();
//! # incrowd::io::write_csv("patients.csv".as_ref(), &incrowd::samples::clinic(2_000, 1), true)?;
//! # let role = |name: &str, role: &str| format!("[attributes.{name}]\nrole = \"{role}\"\n");
//! # let policy = ["sex", "age"].map(|name| role(name, "public")).concat() + &role("diagnosis", "private");
//! # std::fs::write("policy.toml", format!("class = \"diagnosis\"\nunlisted = \"ignored\"\n{policy}")).unwrap();
//! let data = incrowd::open("patients.csv", "policy.toml")?;
//! let tree = data.tree().k(10).mine()?; // Audited<MinedTree>: report(), predict(), show(), export()
//! tree.write("tree.json")?;
//! let report = incrowd::audit("tree.json", &data)?;
//! assert!(report.holds && report.k >= 10);
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok::<(), incrowd::Error>(())
//! ```
//!
//! | to | use |
//! | --- | --- |
//! | open a table with its policy | [`open`], [`OpenOptions`], [`Dataset`] |
//! | train a decision tree | [`Dataset::tree`] |
//! | make an anonymized table | [`Dataset::table`] |
//! | find clusters, mine rules | [`Dataset::clusters`], [`Dataset::rules`] |
//! | audit a release, a model made elsewhere, a table | [`audit`](audit()), [`audit_table`] |
//! | write what a data protection board needs to know about a release | [`report`], [`Dossier`] |
//! | check whether files are those that were approved | [`verify`](verify()) |
//! | make releases that hold together, and list them | [`Job::ledger`], [`ledger`](ledger()) |
//! | load a model, predict with it, export it | [`load`] |
//! | recode new rows like a released table | [`Loaded::transform`] |
//! | display a model | [`show`] |
//! | measure how identifying a table is, and draft a policy | [`profile`](profile()), [`mod@profile`] |
//! | check a policy without data, or find out whether another is weaker | [`policies`] |
//! | compare methods and learners over k | [`Dataset::compare`], [`compare`], [`eval`] |
//! | build a model by hand and audit it | [`model`], [`mod@audit`] |
//! | try things on built-in data | [`samples`] |
//!
//! Miners return [`Audited`], the only type that can be written as a release. The policy's guarantee is the minimum:
//! [`Job`] adds to it.

mod audited;
pub mod compare;
mod dataset;
pub mod dossier;
#[cfg(feature = "engines")]
pub mod engines;
pub mod eval;
pub mod files;
mod found;
#[cfg(feature = "arrow")]
mod frames;
pub mod inducers;
pub mod io;
mod job;
mod kinds;
mod layout;
mod ledger;
mod loaded;
pub mod mine;
pub mod policies;
mod profiling;
mod publication;
mod released;
pub mod show;
mod table_audit;
pub mod tables;
mod transforming;
mod unnamed;
mod work;

pub use audited::{Audited, Existing, Mined, MinedModel, RaisedK, TableWriting};
pub use dataset::{Dataset, OpenOptions, open};
pub use dossier::{Dossier, verify};
#[cfg(feature = "arrow")]
pub use frames::{FrameAuditWork, LoadedAuditWork};
pub use job::{Job, MiningWork};
pub use ledger::{FiguresTogether, LedgerReport, ListedRelease, ReleaseState, ledger};
pub use loaded::{Loaded, PredictionJob, PredictionResult, load, load_bytes};
pub use profiling::{BasketProfile, DataProfile, PolicyReads, ProfileJob, TableProfile, profile};
pub use transforming::{TransformJob, Transformed};
pub use work::{
    AuditWork, BoostWork, ClusterWork, CompareWork, JointAuditWork, ReportWork, RuleWork, TableAuditWork,
    TableWork, TreeWork, audit, audit_table, report,
};

pub use incrowd_core::{
    Error, ErrorKind, Place, Result, audit, choice, error, group, guarantee, model, policy, predict, profile,
    progress, random, recoding, samples, span, table, taxonomy,
};

/// The maximum number of threads.
pub const MAX_THREADS: usize = 1024;

/// Sets the number of threads for everything that follows; 0 means one per core. Results do not depend on it.
///
/// # Errors
/// When threads are already running, or `threads` is greater than [`MAX_THREADS`].
pub fn set_threads(threads: usize) -> Result<()> {
    if threads > MAX_THREADS {
        return Err(Error::parameters(format!("{threads} is too many threads"))
            .of_parameter("threads")
            .help(format!("give at most {MAX_THREADS}; 0 means one per core")));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build_global().map_err(|_| Error::parameters("the number of threads is already set"))
}
