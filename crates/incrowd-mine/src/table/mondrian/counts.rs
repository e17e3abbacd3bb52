//! How often each code of an attribute occurs among some rows, and with which class.

use incrowd_core::table::{Code, Codes, Table};
use incrowd_core::with_codes;

/// Codes that occur, ascending, with the weight of their rows; and by class, where classes are asked for.
pub(super) struct Counts {
    pub(super) codes: Vec<u32>,
    pub(super) weights: Vec<u64>,
    /// The weight of each class, code by code; empty where classes are not asked for.
    of_class: Vec<u64>,
    pub(super) classes: usize,
}

/// The class of each row, and how many classes there are.
pub(super) type Class<'t> = Option<(&'t Codes, usize)>;

impl Counts {
    /// One pass where rows are many against the codes, a sort where they are few.
    pub(super) fn of(table: &Table, codes: &Codes, size: usize, class: Class<'_>, rows: &[u32]) -> Self {
        let weight = |row: u32| u64::from(table.weight(row as usize));
        let class_of = |row: u32| class.map_or(0, |(codes, _)| codes.get(row as usize));
        let classes = class.map_or(0, |(_, count)| count);
        with_codes!(codes, codes => {
            if rows.len() * 4 < size {
                sparse(codes, classes, rows, weight, class_of)
            } else {
                dense(codes, size, classes, rows, weight, class_of)
            }
        })
    }

    /// How many codes occur.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// The weight of each class of the code at a place.
    pub(super) fn of_class(&self, place: usize) -> &[u64] {
        &self.of_class[place * self.classes..][..self.classes]
    }

    fn push(&mut self, code: u32, weight: u64, of_class: &[u64]) {
        self.codes.push(code);
        self.weights.push(weight);
        self.of_class.extend_from_slice(of_class);
    }

    fn empty(classes: usize) -> Self {
        Self { codes: Vec::new(), weights: Vec::new(), of_class: Vec::new(), classes }
    }
}

fn dense<C: Code>(
    codes: &[C],
    size: usize,
    classes: usize,
    rows: &[u32],
    weight: impl Fn(u32) -> u64,
    class_of: impl Fn(u32) -> u32,
) -> Counts {
    let stride = classes.max(1);
    let mut all = vec![0_u64; size * stride];
    for &row in rows {
        let class = if classes == 0 { 0 } else { class_of(row) as usize };
        all[codes[row as usize].wide() as usize * stride + class] += weight(row);
    }
    let mut counts = Counts::empty(classes);
    for (code, of_class) in (0..).zip(all.chunks_exact(stride)) {
        let sum: u64 = of_class.iter().sum();
        if sum > 0 {
            counts.push(code, sum, &of_class[..classes]);
        }
    }
    counts
}

fn sparse<C: Code>(
    codes: &[C],
    classes: usize,
    rows: &[u32],
    weight: impl Fn(u32) -> u64,
    class_of: impl Fn(u32) -> u32,
) -> Counts {
    let cell = |&row: &u32| (codes[row as usize].wide(), class_of(row), weight(row));
    let mut cells: Vec<(u32, u32, u64)> = rows.iter().map(cell).collect();
    cells.sort_unstable();
    let mut counts = Counts::empty(classes);
    let mut of_class = vec![0; classes];
    for of_code in cells.chunk_by(|a, b| a.0 == b.0) {
        of_class.fill(0);
        if classes > 0 {
            of_code.iter().for_each(|&(_, class, weight)| of_class[class as usize] += weight);
        }
        counts.push(of_code[0].0, of_code.iter().map(|cell| cell.2).sum(), &of_class);
    }
    counts
}
