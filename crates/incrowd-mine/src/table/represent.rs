//! What stands for the groups of a released table in front of a learner, as a part of its recoding.
//!
//! The recoding states which group a row of public values is in, so representatives are functions of the released cells
//! and the public table: anyone who knows both can compute them. The table agrees with its recoding
//! ([`TableParams::closed`](super::TableParams::closed)), so each is taken over a group that was audited.

use super::task::{Attribute, Task};
use crate::representatives::{means, most_frequent};
use incrowd_core::Result;
use incrowd_core::progress::Silent;
use incrowd_core::recoding::{Recoding, Representatives};
use incrowd_core::table::Kind;

/// The significant digits of a mean.
const DIGITS: usize = 6;

/// The recoding with what stands for its cells.
pub(super) fn represented(task: &Task<'_>, recoding: Recoding) -> Result<Recoding> {
    let places = recoding.places(task.table, &Silent)?;
    let of_attribute = |(place, attribute): (usize, &Attribute<'_>)| {
        let kind = recoding.legend().attributes[place].kind;
        one(task, attribute, kind, places.of(place))
    };
    let all = task.attributes.iter().enumerate().map(of_attribute).collect();
    recoding.with_representatives(all)
}

/// The representatives of one attribute. A mean is taken over at least k individuals, or not stated.
fn one(task: &Task<'_>, attribute: &Attribute<'_>, kind: Kind, groups: (&[u32], usize)) -> Representatives {
    let fewest = task.guarantee.asked_k().unwrap_or(1);
    let in_days = if kind == Kind::Date { attribute.column.in_days() } else { None };
    let column = in_days.as_ref().unwrap_or(attribute.column);
    match (kind, column.values().numbers()) {
        (Kind::Numeric | Kind::Date, Some(numbers)) => {
            Representatives::Numbers(means(task.table, (column, numbers), groups, (DIGITS, fewest)))
        }
        (Kind::Numeric | Kind::Date, None) => Representatives::Numbers(vec![None; groups.1]),
        _ => {
            let name = |code: u32| (code != column.missing_code()).then(|| attribute.value_text(code));
            let codes = most_frequent(task.table, column, groups);
            Representatives::Names(codes.into_iter().map(name).collect())
        }
    }
}
