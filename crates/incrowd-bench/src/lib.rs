//! Benchmarks of incrowd, and the figures of its papers redone: programs that `cargo xtask bench` and
//! `cargo xtask reproduce` run, and what they share.

/// The names of the columns of Adult, whose files have none, separated by commas; the class is last.
pub const ADULT: &str = "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,\
                         capital-gain,capital-loss,hours-per-week,native-country,class";
