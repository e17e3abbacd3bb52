//! What a [`Job`](crate::Job) does: one file per family, and the audit.

mod auditing;
mod clusters;
mod rules;
mod table;
mod tree;

pub use auditing::{AuditWork, TableAuditWork, audit, audit_table};
pub use clusters::ClusterWork;
pub use rules::RuleWork;
pub use table::TableWork;
pub use tree::TreeWork;
