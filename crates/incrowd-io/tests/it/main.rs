//! Files as their owners use them together: policies with tables, taxonomies with columns, documents with the parser.

mod adult_taxonomies;
mod policy_and_table;
mod policy_docs;
