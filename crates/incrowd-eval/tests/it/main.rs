//! Measures and reports compared with other programs.

mod page;
mod peers;
mod report;
mod sample;
