//! Cells about numbers: the number line, cut at the numbers that cells name.

use super::notation::{Bound, Interval, Notation};
use super::{CellContents, Cells, Runs, Unreadable, joined, number};
use crate::error::Result;

/// The numbers that cells name, and how many values lie at and between them.
struct Line {
    points: Vec<f64>,
    /// For each part of the line (before a point, the point, …, behind the last) the place it has; parts without a
    /// possible number have the next one's.
    place: Vec<u32>,
    single: Vec<bool>,
    numbers: Vec<Option<u64>>,
}

pub(super) fn said(cells: &Cells<'_>) -> Result<CellContents> {
    let line = Line::new(cells)?;
    let missing = line.single.len() as u32;
    let all = (0, missing);
    let read = cells.each(|said| line.set(said, missing))?;
    // What does not occur is nothing.
    let sets: Vec<Option<Runs>> =
        read.into_iter().map(|set| set.unwrap_or_else(|| Some(Vec::new()))).collect();
    let own_missing = if cells.has_missing { vec![(missing, missing + 1)] } else { Vec::new() };
    let is_whole_line = cells.attribute.range.is_some() || sets.iter().any(Option::is_none);
    let said = sets.iter().flatten().flatten().chain(&own_missing).copied();
    let domain = joined(said.chain(is_whole_line.then_some(all)).collect());
    let sets = sets.into_iter().chain([Some(own_missing.clone())]);
    let sets = sets.map(|set| set.unwrap_or_else(|| domain.clone())).collect();
    let mut single = line.single;
    single.push(true);
    Ok(CellContents::new(sets, single, line.numbers, domain))
}

impl Line {
    fn new(cells: &Cells<'_>) -> Result<Self> {
        let attribute = cells.attribute;
        let mut points: Vec<f64> = attribute.range.into_iter().flat_map(|(low, high)| [low, high]).collect();
        let named = cells.each(|said| {
            let parts = said.parts().filter(|part| *part != "?");
            let mut own: Vec<f64> =
                parts.map(|part| number(part).ok_or(Unreadable::NotANumber)).collect::<Result<_, _>>()?;
            if let Notation::Interval(Interval { low, high, .. }) = said {
                own.extend(low.iter().chain(high).map(|bound| bound.at));
            }
            Ok(own)
        });
        points.extend(named?.into_iter().flatten().flatten());
        points.iter_mut().for_each(|point| *point += 0.0);
        points.sort_unstable_by(f64::total_cmp);
        points.dedup();
        let (mut place, mut single, mut numbers) =
            (Vec::with_capacity(points.len() * 2 + 2), Vec::new(), Vec::new());
        for part in 0..=points.len() * 2 {
            place.push(single.len() as u32);
            match values(&points, part, attribute.range, attribute.whole) {
                0 => {}
                values => {
                    single.push(values == 1);
                    // The one whole number between two points is behind the first.
                    let between = || (points[part / 2 - 1].floor() + 1.0 + 0.0).to_bits();
                    let number = || if part % 2 == 1 { points[part / 2].to_bits() } else { between() };
                    numbers.push((values == 1).then(number));
                }
            }
        }
        place.push(single.len() as u32);
        Ok(Self { points, place, single, numbers })
    }

    /// The places of a cell; `None` where it states nothing.
    fn set(&self, said: &Notation<'_>, missing: u32) -> Result<Option<Runs>, Unreadable> {
        let mut runs: Runs = Vec::new();
        let is_missing = match said {
            Notation::Any => return Ok(None),
            Notation::Interval(interval) => {
                let from = interval.low.map_or(0, |Bound { at, held }| self.part(at) + usize::from(!held));
                let to = interval.high.map_or(self.points.len() * 2 + 1, |Bound { at, held }| {
                    self.part(at) + usize::from(held)
                });
                runs.push((self.place[from], self.place[to.max(from)]));
                interval.or_missing
            }
            _ => {
                let numbers = said.parts().filter_map(number).map(|number| self.part(number));
                runs.extend(numbers.map(|part| (self.place[part], self.place[part + 1])));
                // A number that is named and not possible contradicts the policy, whatever else is named.
                if runs.iter().any(|(from, to)| from == to) {
                    return Err(Unreadable::Contradicts);
                }
                said.parts().any(|part| part == "?")
            }
        };
        runs.extend(is_missing.then_some((missing, missing + 1)));
        let runs = joined(runs);
        if runs.is_empty() { Err(Unreadable::Contradicts) } else { Ok(Some(runs)) }
    }

    /// The part of the line that a point is.
    fn part(&self, at: f64) -> usize {
        self.points.partition_point(|point| *point < at) * 2 + 1
    }
}

/// The number of values that a part of the line has: none, one or (2) more.
fn values(points: &[f64], part: usize, range: Option<(f64, f64)>, whole: bool) -> u8 {
    let after = points.get(part / 2).copied();
    let (low, high) = range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    if part % 2 == 1 {
        let possible = |point: f64| (low..=high).contains(&point) && (!whole || point.fract() == 0.0);
        return u8::from(after.is_some_and(possible));
    }
    let before = (part / 2).checked_sub(1).map(|place| points[place]);
    if before.is_some_and(|before| before >= high) || after.is_some_and(|after| after <= low) {
        return 0;
    }
    match (before, after) {
        // Behind the last point of a range nothing is possible, nor before the first.
        (None, _) | (_, None) if range.is_some() => 0,
        (Some(before), Some(after)) if whole => {
            let between = after.ceil() - 1.0 - before.floor();
            if between < 1.0 { 0 } else { 1 + u8::from(between > 1.0) }
        }
        _ => 2,
    }
}
