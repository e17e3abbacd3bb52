//! Rows sorted by branch, stably and in place: what dividing the rows of a node or a group is made of.

/// Puts the rows that are not `second` before the others, in one pass without a jump that depends on the data; returns
/// how many they are. `scratch` is at least as long as `rows`.
pub fn in_two(rows: &mut [u32], scratch: &mut [u32], second: impl Fn(u32) -> bool) -> usize {
    let (mut low, mut high) = (0, 0);
    for place in 0..rows.len() {
        let row = rows[place];
        let is_second = second(row);
        rows[low] = row;
        scratch[high] = row;
        low += usize::from(!is_second);
        high += usize::from(is_second);
    }
    rows[low..].copy_from_slice(&scratch[..high]);
    low
}

/// Sorts rows by branch; returns where each branch begins, and the end. `scratch` is at least as long as `rows`.
pub fn in_many(
    rows: &mut [u32],
    scratch: &mut [u32],
    branch: impl Fn(u32) -> u32,
    branches: usize,
) -> Vec<usize> {
    let mut next = vec![0_usize; branches + 1];
    rows.iter().for_each(|&row| next[branch(row) as usize + 1] += 1);
    (0..branches).for_each(|i| next[i + 1] += next[i]);
    let starts = next.clone();
    for &row in rows.iter() {
        let place = &mut next[branch(row) as usize];
        scratch[*place] = row;
        *place += 1;
    }
    rows.copy_from_slice(&scratch[..rows.len()]);
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_their_order_within_a_branch() {
        let (mut rows, mut scratch) = (vec![5, 2, 9, 4, 7], vec![0; 8]);
        assert_eq!(in_two(&mut rows, &mut scratch, |row| row > 4), 2);
        assert_eq!(rows, [2, 4, 5, 9, 7]);
        assert_eq!(in_many(&mut rows, &mut scratch, |row| 2 - row % 3, 4), [0, 2, 4, 5, 5]);
        assert_eq!(rows, [2, 5, 4, 7, 9]);
    }
}
