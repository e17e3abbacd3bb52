//! Rows that go down a tree, node by node: all rows of a node are divided in one go, without a jump that depends on the
//! data of a row. For a block of rows this takes a fraction of the time of following each of them.

/// How the rows of a node were divided.
pub(crate) enum Divided<'n> {
    /// They end here.
    End,
    /// They go to two children, so many to the first.
    Two([u32; 2], usize),
    /// They go to several children: where the rows of each begin. Those behind the last one's end here.
    Many(&'n [u32], Vec<usize>),
}

/// What is needed to divide rows, kept from tree to tree.
#[derive(Default)]
pub(crate) struct Descent {
    order: Vec<u32>,
    scratch: Vec<u32>,
    work: Vec<(u32, std::ops::Range<usize>)>,
}

impl Descent {
    /// Writes down the node that each row ends in, rows being counted from 0. `divide` sorts the rows of a node by
    /// child, by [`in_two`](super::in_two) or [`in_many`](super::in_many), for which it is given scratch space.
    pub(crate) fn run<'n>(
        &mut self,
        ends: &mut [u32],
        divide: impl Fn(u32, &mut [u32], &mut [u32]) -> Divided<'n>,
    ) {
        self.order.clear();
        self.order.extend(0..ends.len() as u32);
        self.scratch.resize(ends.len().max(self.scratch.len()), 0);
        self.work.push((0, 0..ends.len()));
        while let Some((node, range)) = self.work.pop() {
            let rows = &mut self.order[range.clone()];
            match divide(node, rows, &mut self.scratch) {
                Divided::End => rows.iter().for_each(|&row| ends[row as usize] = node),
                Divided::Two(children, first) => {
                    let middle = range.start + first;
                    let parts = children.into_iter().zip([range.start..middle, middle..range.end]);
                    self.work.extend(parts.filter(|(_, part)| !part.is_empty()));
                }
                Divided::Many(children, starts) => {
                    let stay = &rows[starts[children.len()]..];
                    stay.iter().for_each(|&row| ends[row as usize] = node);
                    let parts = children.iter().zip(starts.windows(2)).filter(|(_, part)| part[0] < part[1]);
                    let place = |at: usize| range.start + at;
                    self.work.extend(parts.map(|(&child, part)| (child, place(part[0])..place(part[1]))));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{in_many, in_two};
    use super::*;

    #[test]
    fn rows_end_where_they_go() {
        // 0 divides in two, 1 in three of which rows can take none; the others are ends.
        let divide = |node: u32, rows: &mut [u32], scratch: &mut [u32]| match node {
            0 => Divided::Two([1, 2], in_two(rows, scratch, |row| row % 2 == 1)),
            1 => Divided::Many(&[3, 4], in_many(rows, scratch, |row| (row / 2).min(2), 3)),
            _ => Divided::End,
        };
        let mut ends = vec![9; 8];
        Descent::default().run(&mut ends, divide);
        assert_eq!(ends, [3, 2, 4, 2, 1, 2, 1, 2]);
    }
}
