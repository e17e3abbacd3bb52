//! One patient, attribute by attribute, each depending on those before it.

use super::values::{
    BMI, COST, COUNTRIES, DISTRICT_OF_PREFIX, PEOPLE_OF_PREFIX, PRESSURE, STAYS, ZIPS_OF_A_PREFIX,
};
use crate::random::Random;

/// The number of attributes that a patient has.
pub(super) const COLUMNS: usize = 15;

/// The positions of a patient's values in the order of the columns.
pub(super) type Patient = [u16; COLUMNS];

/// Patient number `number`.
pub(super) fn draw(seed: u64, number: u64) -> Patient {
    let random = &mut Random::of(seed, number);
    let age = age(random);
    let male = random.percent(48);
    let prefix = random.weighted(&PEOPLE_OF_PREFIX) as u16;
    let zip = prefix * ZIPS_OF_A_PREFIX + skewed(random, ZIPS_OF_A_PREFIX);
    let district = DISTRICT_OF_PREFIX[usize::from(prefix)];
    let education = education(random, age);
    let occupation = occupation(random, age, education, male);
    let smoker = random.percent(smoking(age, male, education));
    let bmi = 21.0 + f64::from(age.min(60)) / 12.0 + 3.8 * random.bell();
    let pressure = 104.0
        + 0.4 * f64::from(age)
        + 0.8 * (bmi - 24.0)
        + if smoker { 4.0 } else { 0.0 }
        + 11.0 * random.bell();
    let diagnosis = diagnosis(random, age, male, smoker, bmi);
    let stay = stay(random, age, diagnosis);
    let cost = 2.0 * f64::from(DAILY_COST[diagnosis])
        + f64::from(stay) * f64::from(DAILY_COST[diagnosis]) * (1.0 + random.bell() / 8.0);
    [
        age,
        u16::from(male),
        zip,
        district,
        marital(random, age),
        education,
        occupation,
        country(random, district),
        month(random, diagnosis),
        u16::from(smoker),
        step(bmi * 10.0, BMI),
        step(pressure, PRESSURE),
        stay - 1,
        step(cost / f64::from(COST.0), (0, COST.1)),
        diagnosis as u16,
    ]
}

/// The position of a number in steps of one from `lowest`, kept within `count` steps.
#[allow(clippy::cast_sign_loss, reason = "clamped to what is not negative")]
fn step(number: f64, (lowest, count): (u16, u16)) -> u16 {
    (number.round() - f64::from(lowest)).clamp(0.0, f64::from(count - 1)) as u16
}

/// A number below `count`; the lower, the likelier.
fn skewed(random: &mut Random, count: u16) -> u16 {
    let [a, b] = [(); 2].map(|()| random.below(u32::from(count)));
    a.min(b) as u16
}

fn age(random: &mut Random) -> u16 {
    let (middle, spread) = [(8.0, 5.0), (31.0, 7.0), (63.0, 15.0)][random.weighted(&[12, 26, 62])];
    step(middle + spread * random.bell(), (0, 100))
}

fn education(random: &mut Random, age: u16) -> u16 {
    let weights: [u32; 6] = match age {
        0..6 => [1, 0, 0, 0, 0, 0],
        6..12 => [1, 9, 0, 0, 0, 0],
        12..19 => [0, 4, 6, 0, 0, 0],
        19..25 => [0, 3, 45, 30, 20, 2],
        25..65 => [1, 4, 25, 35, 20, 15],
        _ => [2, 18, 35, 30, 9, 6],
    };
    random.weighted(&weights) as u16
}

fn occupation(random: &mut Random, age: u16, education: u16, male: bool) -> u16 {
    const PUPIL: u16 = 14;
    const RETIRED: u16 = 15;
    const STUDENT: u16 = 17;
    const UNEMPLOYED: u16 = 19;
    match age {
        0..6 => UNEMPLOYED,
        6..18 => PUPIL,
        18..26 if education >= 2 && random.percent(45) => STUDENT,
        67.. if random.percent(94) => RETIRED,
        60..67 if random.percent(35) => RETIRED,
        _ if random.percent(6) => UNEMPLOYED,
        _ => WORK[usize::from(education >= 4)][usize::from(male)][random.weighted(&WORKERS)],
    }
}

/// The occupations without and with a degree, of women and men, the most frequent first.
const WORK: [[[u16; 8]; 2]; 2] = [
    [[16, 11, 2, 1, 3, 4, 5, 7], [4, 5, 0, 16, 1, 3, 7, 13]],
    [[18, 11, 2, 9, 12, 8, 6, 10], [6, 9, 18, 2, 12, 8, 13, 10]],
];

const WORKERS: [u32; 8] = [30, 24, 18, 12, 8, 5, 2, 1];

fn marital(random: &mut Random, age: u16) -> u16 {
    let weights: [u32; 5] = match age {
        0..18 => [0, 0, 0, 1, 0],
        18..28 => [1, 14, 1, 84, 0],
        28..45 => [8, 55, 4, 32, 1],
        45..67 => [16, 60, 4, 15, 5],
        _ => [9, 48, 2, 7, 34],
    };
    random.weighted(&weights) as u16
}

/// Nearly every individual is born in one country, except near the harbour.
fn country(random: &mut Random, district: u16) -> u16 {
    const HOME: u16 = 13;
    const HARBOUR: u16 = 3;
    let away = if district == HARBOUR { 45 } else { 15 };
    if random.percent(away) { skewed(random, COUNTRIES.len() as u16) } else { HOME }
}

fn smoking(age: u16, male: bool, education: u16) -> u32 {
    match age {
        0..15 => 0,
        15..30 => 26 - 2 * u32::from(education) + 4 * u32::from(male),
        30..70 => 36 - 4 * u32::from(education) + 6 * u32::from(male),
        _ => 12 + 4 * u32::from(male),
    }
}

const ASTHMA: usize = 0;
const CHILDBIRTH: usize = 1;
const DIABETES: usize = 2;
const HEART: usize = 4;
const LUNG: usize = 6;
const STROKE: usize = 7;

fn diagnosis(random: &mut Random, age: u16, male: bool, smoker: bool, bmi: f64) -> usize {
    let mut weights: [u32; 8] = match age {
        0..18 => [30, 0, 5, 28, 1, 35, 1, 0],
        18..45 => [8, 0, 9, 26, 6, 22, 3, 1],
        45..65 => [5, 0, 20, 14, 30, 15, 8, 8],
        _ => [3, 0, 17, 20, 34, 18, 10, 16],
    };
    if !male && (18..45).contains(&age) {
        weights[CHILDBIRTH] = 90;
    }
    if smoker {
        times(&mut weights, &[(ASTHMA, 2), (HEART, 2), (LUNG, 7), (STROKE, 2)]);
    }
    if bmi > 30.0 {
        times(&mut weights, &[(DIABETES, 4), (HEART, 2)]);
    }
    random.weighted(&weights)
}

fn times(weights: &mut [u32; 8], factors: &[(usize, u32)]) {
    for &(which, factor) in factors {
        weights[which] *= factor;
    }
}

/// The usual days of stay, and what one of them costs, for each diagnosis.
const USUAL_STAY: [f64; 8] = [3.0, 3.0, 5.0, 6.0, 8.0, 6.0, 9.0, 13.0];
const DAILY_COST: [u16; 8] = [420, 760, 480, 910, 1350, 560, 640, 1180];

fn stay(random: &mut Random, age: u16, diagnosis: usize) -> u16 {
    let usual = USUAL_STAY[diagnosis] * (0.7 + f64::from(age) / 130.0);
    // The product of two such factors has the long tail of real stays.
    let days = usual * (1.0 + 0.28 * random.bell()) * (1.0 + 0.28 * random.bell());
    1 + step(days - 1.0, (0, STAYS))
}

/// Infections come in winter.
fn month(random: &mut Random, diagnosis: usize) -> u16 {
    const INFECTION: usize = 5;
    let winter: [u32; 12] = [18, 18, 13, 8, 5, 3, 3, 3, 5, 8, 12, 16];
    let weights = if diagnosis == INFECTION { winter } else { [1; 12] };
    random.weighted(&weights) as u16
}
