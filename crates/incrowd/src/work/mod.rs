//! What a [`Job`](crate::Job) does: one file per family, the audit, and comparisons.

mod auditing;
mod blind;
mod boost;
mod clusters;
mod comparing;
mod joint;
mod reporting;
mod risk;
mod rules;
mod table;
mod tree;

#[cfg(feature = "arrow")]
pub(crate) use auditing::with_weakened;
pub use auditing::{AuditWork, TableAuditWork, audit, audit_table};
pub use boost::BoostWork;
pub use clusters::ClusterWork;
pub use comparing::CompareWork;
pub use joint::JointAuditWork;
pub(crate) use joint::{JointSource, groups, load_release};
pub use reporting::{ReportWork, report};
pub(crate) use risk::PopulationFile;
pub use rules::RuleWork;
pub use table::TableWork;
pub use tree::TreeWork;
