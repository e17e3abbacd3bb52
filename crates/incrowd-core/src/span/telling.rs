//! Which cells of a private attribute a span can distinguish.

use super::Sensitive;
use crate::table::{Code, Column};
use crate::with_codes;

/// Which cells of an attribute a span can distinguish: equal locals are one to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Telling {
    /// The local value of each cell.
    pub(crate) local_of_cell: Vec<u32>,
    /// The number of local values.
    pub(crate) locals: usize,
    /// How many of them the span's individuals can have, as long as populations are not known.
    pub(crate) possible: usize,
}

impl Telling {
    /// Divides cells by marks: each mark is a set of cells, and cells in the same sets are one. `None` if all are one.
    pub(super) fn by_marks<'a>(cells: usize, marks: impl Iterator<Item = &'a [bool]>) -> Option<Self> {
        let mut local_of_cell = vec![0_u32; cells];
        let mut locals = usize::from(cells > 0);
        for mark in marks {
            // The pair (local so far, marked or not), numbered again in order of first appearance.
            let mut number = vec![u32::MAX; locals * 2];
            let mut next = 0;
            for (local, &marked) in local_of_cell.iter_mut().zip(mark) {
                let slot = &mut number[*local as usize * 2 + usize::from(marked)];
                if *slot == u32::MAX {
                    *slot = next;
                    next += 1;
                }
                *local = *slot;
            }
            locals = next as usize;
        }
        (locals > 1).then_some(Self { local_of_cell, locals, possible: locals })
    }

    /// Divides cells by what bins leave possible of them: cells that the same bins allow are one; each that none allows
    /// stays apart, for it is known beforehand that the span's individuals do not have it. `None` if the bins exclude
    /// nothing that another one allows, unless the release states the attribute and one cell is left of it.
    pub(super) fn by_possible(cells: usize, marks: &[Vec<bool>], stated: bool) -> Option<Self> {
        if stated && (0..cells).filter(|&cell| marks.iter().any(|mark| mark[cell])).count() == 1 {
            return Some(Self::of_one(cells));
        }
        let mut telling = Self::by_marks(cells, marks.iter().map(Vec::as_slice))?;
        let is_allowed = |cell: usize| marks.iter().any(|mark| mark[cell]);
        let allowed = (0..cells).filter(|&cell| is_allowed(cell));
        let possible: hashbrown::HashSet<u32> = allowed.map(|cell| telling.local_of_cell[cell]).collect();
        // The first keeps the number they share.
        for cell in (0..cells).filter(|&cell| !is_allowed(cell)).skip(1) {
            telling.local_of_cell[cell] = telling.locals as u32;
            telling.locals += 1;
        }
        (possible.len() > 1).then_some(Self { possible: possible.len(), ..telling })
    }

    /// One cell is possible, and each other cell stays apart. Some other value is declared, even if no cell is it.
    pub(super) fn of_one(cells: usize) -> Self {
        Self { local_of_cell: (0..cells as u32).collect(), locals: cells.max(2), possible: 1 }
    }

    /// Whether a model states the only value that relations leave, of several that are declared.
    pub(crate) fn states_one(&self) -> bool {
        self.possible == 1 && self.locals > 1
    }

    /// The class values of a span that are possible, each distinguished from every other. Where relations leave one,
    /// the leaves still state it: everyone in the span is exposed to it.
    pub(super) fn of_class(classes: usize, values: impl IntoIterator<Item = u32>) -> Option<Self> {
        let mut possible: Vec<u32> = values.into_iter().collect();
        possible.sort_unstable();
        possible.dedup();
        let local_of_cell = (0..classes as u32).collect();
        (classes > 1 && !possible.is_empty()).then_some(Self {
            local_of_cell,
            locals: classes,
            possible: possible.len(),
        })
    }

    /// The same division, its local values numbered by the first of their cells in this order. Cells that some
    /// individual has come first in it ([`occurring_first`]): only these have a rank.
    pub(super) fn in_order(mut self, order: &[u32]) -> Self {
        let mut number = vec![u32::MAX; self.locals];
        let mut next = 0;
        for &cell in order {
            let slot = &mut number[self.local_of_cell[cell as usize] as usize];
            if *slot == u32::MAX {
                *slot = next;
                next += 1;
            }
        }
        self.local_of_cell.iter_mut().for_each(|local| *local = number[*local as usize]);
        self
    }
}

/// Cells in their order, those that some individual has before those that none has.
pub(super) fn occurring_first(mut order: Vec<u32>, cell_of_code: &[u32], column: &Column) -> Vec<u32> {
    let mut has_code = vec![false; cell_of_code.len()];
    with_codes!(column.codes(), codes => codes.iter().for_each(|code| has_code[code.wide() as usize] = true));
    let mut occurs = vec![false; order.len()];
    for (&cell, _) in cell_of_code.iter().zip(has_code).filter(|(_, occurs)| *occurs) {
        // Cells outside the domain have no place in the order.
        if let Some(mark) = occurs.get_mut(cell as usize) {
            *mark = true;
        }
    }
    order.sort_by_key(|&cell| !occurs[cell as usize]);
    order
}

/// Collects the tellings of a sensitive attribute, one per span, equal ones once.
#[derive(Default)]
pub(super) struct Tellings {
    pub(super) all: Vec<Telling>,
    pub(super) number: hashbrown::HashMap<Telling, u32>,
    pub(super) of_span: Vec<u32>,
}

impl Tellings {
    pub(super) fn push(&mut self, telling: Option<Telling>) {
        let number = telling.map_or(Sensitive::SILENT, |telling| {
            *self.number.entry(telling.clone()).or_insert_with(|| {
                self.all.push(telling);
                self.all.len() as u32 - 1
            })
        });
        self.of_span.push(number);
    }
}
