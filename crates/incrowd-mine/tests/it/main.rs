//! Trees and tables on the benchmark data, held against published figures and other programs.

mod adult;
mod benchmark;
mod learning;
mod kactus;
mod tables;
mod weka;
