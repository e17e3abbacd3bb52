//! Trees and tables on the benchmark data, held against published figures and other programs.

mod adult;
mod benchmark;
mod kactus;
mod learning;
mod tables;
