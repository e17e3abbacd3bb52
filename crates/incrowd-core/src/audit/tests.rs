//! Tests of the audit.
