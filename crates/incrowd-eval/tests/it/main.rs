//! Measures and reports compared with other programs.

mod browser;
mod page;
mod peers;
mod report;
mod sample;
