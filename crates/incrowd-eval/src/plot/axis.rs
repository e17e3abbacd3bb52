//! Axes: positions of numbers, and ticks.

use crate::words::{count, decimals};

/// The unit of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisUnit {
    /// Shares, displayed in percent.
    Share,
    /// Plain numbers.
    Number,
}

impl AxisUnit {
    /// Formats a number of this unit.
    pub(super) fn words(self, number: f64) -> String {
        match self {
            Self::Share => crate::words::percent(number),
            Self::Number if number.fract().abs() < 1e-9 => decimals(number, 0),
            Self::Number => decimals(number, if number.abs() < 10.0 { 2 } else { 1 }),
        }
    }
}

/// An axis from a number to a larger one.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    from: f64,
    to: f64,
    log: bool,
    /// The positions and labels of the ticks.
    pub(super) ticks: Vec<(f64, String)>,
}

impl Axis {
    /// Creates an axis of k or of crowd sizes: logarithmic if it spans more than a decade, with a tick at each of these
    /// numbers.
    pub(super) fn of_counts(numbers: &[u64]) -> Self {
        let from = numbers.iter().copied().min().unwrap_or(1).max(1) as f64;
        let to = (numbers.iter().copied().max().unwrap_or(1) as f64).max(from);
        let log = to > 10.0 * from;
        let ticks = numbers.iter().map(|&number| (number as f64, count(number))).collect();
        Self { from, to, log, ticks }
    }

    /// Creates an axis of measures around these numbers, with its ends at ticks, optionally from zero. Shares end at
    /// 100 %.
    pub(super) fn around(numbers: impl Iterator<Item = f64>, unit: AxisUnit, zero: bool) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in numbers.filter(|number| number.is_finite()) {
            (low, high) = (low.min(number), high.max(number));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if zero {
            low = low.min(0.0);
        }
        if high - low < 1e-6 {
            high = low + if unit == AxisUnit::Share { 0.05 } else { 1.0 };
        }
        let step = step(high - low);
        let first = (low / step + 1e-9).floor() as i64;
        let mut last = (high / step - 1e-9).ceil() as i64;
        if unit == AxisUnit::Share && high <= 1.0 {
            last = last.min((1.0 / step + 1e-9).floor() as i64).max(first + 1);
        }
        let ticks = (first..=last).map(|tick| tick as f64 * step);
        Self {
            from: first as f64 * step,
            to: (last as f64 * step).max(high),
            log: false,
            ticks: ticks.map(|tick| (tick, label(tick, step, unit))).collect(),
        }
    }

    /// The position of a number on the axis: 0 at its start, 1 at its end, clamped outside.
    pub(super) fn at(&self, number: f64) -> f64 {
        let place = |number: f64| if self.log { number.max(f64::MIN_POSITIVE).ln() } else { number };
        let wide = place(self.to) - place(self.from);
        if wide > 0.0 { ((place(number) - place(self.from)) / wide).clamp(0.0, 1.0) } else { 0.5 }
    }

    /// Whether the axis is logarithmic.
    pub(super) fn is_log(&self) -> bool {
        self.log
    }

    /// Whether it starts at zero.
    pub(super) fn is_from_zero(&self) -> bool {
        self.from.abs() < 1e-12
    }
}

/// A round step that divides a range into about five.
fn step(range: f64) -> f64 {
    let rough = range / 4.5;
    let power = 10_f64.powf(rough.log10().floor());
    let round = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|round| round * power >= rough);
    round.unwrap_or(10.0) * power
}

fn label(tick: f64, step: f64, unit: AxisUnit) -> String {
    let (tick, step) = if unit == AxisUnit::Share { (tick * 100.0, step * 100.0) } else { (tick, step) };
    let exact = |places: &usize| {
        let scaled = step * 10_f64.powi(*places as i32);
        (scaled - scaled.round()).abs() < 1e-6
    };
    let places = (0..6).find(exact).unwrap_or(6);
    let text = decimals(tick, places);
    if unit == AxisUnit::Share { format!("{text} %") } else { text }
}
