//! Trees and tables on the benchmark data, compared with published figures and other programs.

mod adult;
mod benchmark;
mod boost;
mod kactus;
mod learning;
mod small;
mod tables;
