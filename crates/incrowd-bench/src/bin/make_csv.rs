//! Writes a seeded CSV of fictitious individuals, to measure how fast tables are read.
//!
//! `make_csv ROWS PATH`: fifteen columns, about 110 bytes per row, the same bytes on every machine.

use std::fs::File;
use std::io::{self, BufWriter, Write};

const WORK: [&str; 8] = [
    "Private",
    "Self-emp-not-inc",
    "Self-emp-inc",
    "Federal-gov",
    "Local-gov",
    "State-gov",
    "Without-pay",
    "Never-worked",
];
const SCHOOL: [&str; 8] =
    ["Bachelors", "Some-college", "HS-grad", "Masters", "Assoc-voc", "11th", "Doctorate", "7th-8th"];
const MARRIAGE: [&str; 5] = ["Married-civ-spouse", "Divorced", "Never-married", "Separated", "Widowed"];
const JOB: [&str; 10] = [
    "Tech-support",
    "Craft-repair",
    "Other-service",
    "Sales",
    "Exec-managerial",
    "Prof-specialty",
    "Adm-clerical",
    "Farming-fishing",
    "Transport-moving",
    "Protective-serv",
];
const HOME: [&str; 6] = ["Wife", "Own-child", "Husband", "Not-in-family", "Other-relative", "Unmarried"];
const COUNTRY: [&str; 8] =
    ["United-States", "Cambodia", "England", "Germany", "Mexico", "Philippines", "Italy", "Jamaica"];

/// `SplitMix64`: small, seeded, good enough for fictitious individuals.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    fn pick<'a>(&mut self, values: &[&'a str]) -> &'a str {
        values[self.below(values.len() as u64) as usize]
    }
}

fn write_row(out: &mut impl Write, random: &mut Random) -> io::Result<()> {
    let school = random.below(SCHOOL.len() as u64) as usize;
    write!(out, "{},{},{}", 17 + random.below(74), random.pick(&WORK), 12_285 + random.below(28_000))?;
    write!(out, ",{},{},{}", SCHOOL[school], school + 1, random.pick(&MARRIAGE))?;
    write!(out, ",{},{}", random.pick(&JOB), random.pick(&HOME))?;
    write!(out, ",{},{}", ["Female", "Male"][random.below(2) as usize], 1 + random.below(99))?;
    let gain = if random.below(10) == 0 { random.below(30_000) } else { 0 };
    write!(out, ",{gain},{}.{:02}", 40 + random.below(80), random.below(100))?;
    write!(out, ",{}.{:02},{}", 100 + random.below(400), random.below(100), random.pick(&COUNTRY))?;
    writeln!(out, ",{}", ["<=50K", ">50K"][usize::from(random.below(4) == 0)])
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(rows), Some(path)) = (arguments.next().and_then(|rows| rows.parse().ok()), arguments.next())
    else {
        return Err(io::Error::other("usage: make_csv ROWS PATH"));
    };
    let rows: u64 = rows;
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut random = Random(1);
    out.write_all(b"age,work,weight,school,school-years,marriage,job,home,sex,hours,gain,")?;
    out.write_all(b"mass,charge,country,income\n")?;
    for _ in 0..rows {
        write_row(&mut out, &mut random)?;
    }
    out.flush()
}
