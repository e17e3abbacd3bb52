//! Joining relations: all combinations of values that agree with each of them.

use super::Combination;
use crate::error::{Error, Result};
use hashbrown::HashMap;

/// A value that is not chosen yet.
const OPEN: u32 = u32::MAX;

/// What may still be listed, for all individuals together.
pub(super) struct Budget {
    combinations: usize,
    /// The values in these: a combination has one for each attribute, however many there are.
    values: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { combinations: 1 << 23, values: 1 << 26 }
    }
}

impl Budget {
    fn take(&mut self, combinations: usize, attributes: usize) -> Result<()> {
        let fail = || {
            Error::limit(
                "the declared dependencies allow too many combinations of private values to be checked",
            )
            .help("declare fewer dependencies between private attributes, or ones with fewer values")
        };
        self.combinations = self.combinations.checked_sub(combinations).ok_or_else(fail)?;
        let values = combinations.saturating_mul(attributes);
        self.values = self.values.checked_sub(values).ok_or_else(fail)?;
        Ok(())
    }
}

/// All combinations of `attributes` values that agree with every relation (its places, and what it allows at them),
/// ascending.
pub(super) fn join(
    relations: &[(Vec<usize>, Vec<Combination>)],
    attributes: usize,
    budget: &mut Budget,
) -> Result<Vec<Combination>> {
    let mut all: Vec<Combination> = vec![vec![OPEN; attributes].into()];
    let mut chosen = vec![false; attributes];
    let mut left: Vec<&(Vec<usize>, Vec<Combination>)> = relations.iter().collect();
    // The relation with the most values chosen already adds the fewest combinations.
    let open = |chosen: &[bool], places: &[usize]| places.iter().filter(|&&place| !chosen[place]).count();
    while let Some(next) = (0..left.len()).min_by_key(|&i| (open(&chosen, &left[i].0), left[i].1.len())) {
        let (places, rows) = left.swap_remove(next);
        all = extend(&all, &chosen, places, rows, budget)?;
        places.iter().for_each(|&place| chosen[place] = true);
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// Every combination with every row that agrees with it.
fn extend(
    all: &[Combination],
    chosen: &[bool],
    places: &[usize],
    rows: &[Combination],
    budget: &mut Budget,
) -> Result<Vec<Combination>> {
    let shared: Vec<usize> = (0..places.len()).filter(|&i| chosen[places[i]]).collect();
    let mut by_shared: HashMap<Vec<u32>, Vec<&Combination>> = HashMap::new();
    for row in rows {
        by_shared.entry(shared.iter().map(|&i| row[i]).collect()).or_default().push(row);
    }
    let mut extended = Vec::new();
    for combination in all {
        let key: Vec<u32> = shared.iter().map(|&i| combination[places[i]]).collect();
        let fitting = by_shared.get(&key).map_or(&[][..], Vec::as_slice);
        budget.take(fitting.len(), chosen.len())?;
        extended.extend(fitting.iter().map(|row| {
            let mut combination = combination.clone();
            places.iter().zip(row.iter()).for_each(|(&place, &value)| combination[place] = value);
            combination
        }));
    }
    Ok(extended)
}

#[cfg(test)]
mod tests {
    use super::{Budget, Combination, join};
    use crate::error::ErrorKind;

    fn numbers(many: u32) -> Vec<Combination> {
        (0..many).map(|value| Combination::from([value])).collect()
    }

    #[test]
    fn combinations_are_counted_with_their_attributes() {
        let relations = [(vec![0], numbers(1 << 13))];
        let few = join(&relations, 8, &mut Budget::default()).expect("few values");
        assert_eq!(few.len(), 1 << 13);
        let error = join(&relations, (1 << 13) + 1, &mut Budget::default()).expect_err("many values");
        assert_eq!(error.kind, ErrorKind::Limit);
    }

    #[test]
    fn all_joins_together_are_counted() {
        let relations = [(vec![0], numbers(8)), (vec![1], numbers(4))];
        // The four combinations of the smaller relation are listed on the way.
        let mut budget = Budget { combinations: 36, values: 72 };
        assert_eq!(join(&relations, 2, &mut budget).expect("enough").len(), 32);
        assert_eq!((budget.combinations, budget.values), (0, 0));
        for mut budget in [Budget { combinations: 35, values: 72 }, Budget { combinations: 36, values: 71 }] {
            let error = join(&relations, 2, &mut budget).expect_err("too few");
            assert_eq!(error.kind, ErrorKind::Limit);
        }
    }
}
