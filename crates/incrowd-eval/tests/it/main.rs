//! Measures and reports beside the programs other people use.

mod peers;
