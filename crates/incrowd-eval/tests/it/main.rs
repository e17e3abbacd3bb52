//! Measures and reports beside the programs other people use.

mod browser;
mod page;
mod peers;
mod report;
mod sample;
