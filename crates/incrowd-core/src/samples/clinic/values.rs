//! The values of the clinic's columns; a patient stores the position of a value.

use crate::table::Values;

/// The number of public columns, which come first.
pub(super) const PUBLIC: usize = 9;

/// The number of zip codes with the same first three digits.
pub(super) const ZIPS_OF_A_PREFIX: u16 = 40;

/// The district of each three-digit prefix of a zip code (`301` to `324`).
pub(super) const DISTRICT_OF_PREFIX: [u16; 24] =
    [4, 4, 4, 1, 1, 1, 3, 3, 0, 0, 0, 5, 5, 5, 2, 2, 2, 2, 6, 6, 6, 7, 7, 7];

/// The number of individuals who live under each prefix.
pub(super) const PEOPLE_OF_PREFIX: [u32; 24] =
    [90, 80, 70, 60, 60, 50, 70, 50, 40, 40, 30, 60, 30, 20, 20, 20, 10, 10, 25, 15, 10, 8, 5, 3];

pub(super) const DISTRICTS: [&str; 8] =
    ["Brook", "Castle", "Dunes", "Harbour", "Market", "Mill", "Orchard", "Quarry"];

pub(super) const SEXES: [&str; 2] = ["female", "male"];

pub(super) const MARITAL: [&str; 5] = ["divorced", "married", "separated", "single", "widowed"];

pub(super) const EDUCATION: [&str; 6] =
    ["1 none", "2 primary", "3 secondary", "4 vocational", "5 bachelor", "6 master or above"];

pub(super) const OCCUPATIONS: [&str; 20] = [
    "builder",
    "caretaker",
    "clerk",
    "cook",
    "craftsman",
    "driver",
    "engineer",
    "farmer",
    "lawyer",
    "manager",
    "musician",
    "nurse",
    "physician",
    "police officer",
    "pupil",
    "retired",
    "salesperson",
    "student",
    "teacher",
    "unemployed",
];

pub(super) const COUNTRIES: [&str; 24] = [
    "Brazil",
    "China",
    "Denmark",
    "Egypt",
    "France",
    "Germany",
    "Ghana",
    "Greece",
    "India",
    "Iran",
    "Italy",
    "Kenya",
    "Morocco",
    "Netherlands",
    "Norway",
    "Poland",
    "Portugal",
    "Romania",
    "Spain",
    "Sweden",
    "Syria",
    "Turkey",
    "Ukraine",
    "Vietnam",
];

pub(super) const DIAGNOSES: [&str; 8] =
    ["asthma", "childbirth", "diabetes", "fracture", "heart disease", "infection", "lung disease", "stroke"];

/// The lowest blood pressure, and how many there are.
pub(super) const PRESSURE: (u16, u16) = (80, 141);

/// The lowest body mass index in tenths, and how many there are.
pub(super) const BMI: (u16, u16) = (120, 401);

/// The number of lengths of stay, from one day.
pub(super) const STAYS: u16 = 60;

/// The step of the cost, and how many steps there are.
pub(super) const COST: (u16, u16) = (50, 1400);

/// Each column's name and values, in the order of the table.
pub(super) fn all() -> Vec<(&'static str, Values)> {
    vec![
        ("age", numbers((0..100).map(f64::from))),
        ("sex", texts(&SEXES)),
        ("zip", zips()),
        ("district", texts(&DISTRICTS)),
        ("marital-status", texts(&MARITAL)),
        ("education", texts(&EDUCATION)),
        ("occupation", texts(&OCCUPATIONS)),
        ("birth-country", texts(&COUNTRIES)),
        ("admission-month", Values::Categorical((1..=12).map(|month| format!("2025-{month:02}")).collect())),
        ("smoker", texts(&["no", "yes"])),
        ("bmi", numbers((0..BMI.1).map(|step| f64::from(BMI.0 + step) / 10.0))),
        ("blood-pressure", numbers((0..PRESSURE.1).map(|step| f64::from(PRESSURE.0 + step)))),
        ("stay", numbers((1..=STAYS).map(f64::from))),
        ("cost", numbers((0..COST.1).map(|step| f64::from(u32::from(step) * u32::from(COST.0))))),
        ("diagnosis", texts(&DIAGNOSES)),
    ]
}

fn zips() -> Values {
    let prefixes = 0..DISTRICT_OF_PREFIX.len();
    let zip =
        |prefix: usize| (0..ZIPS_OF_A_PREFIX).map(move |rest| format!("{}{:02}", 301 + prefix, rest * 2 + 1));
    Values::Categorical(prefixes.flat_map(zip).collect())
}

fn numbers(numbers: impl Iterator<Item = f64>) -> Values {
    Values::Numeric(numbers.collect())
}

fn texts(texts: &[&str]) -> Values {
    Values::Categorical(texts.iter().collect())
}
