//! What the spans of a decision tree reveal about private attributes, and what being in a bin means for them.

use super::allowance::Allowance;
use super::groups::Span;
use super::tied::{AtLeaves, Tied, untested};
use super::tree::{Bound, CellsAt};
use super::{Cells, Judgement, Sensitive, Telling, Tellings, Tells};
use crate::error::Result;
use crate::table::{Kind, Table};
use std::sync::Arc;

/// A private attribute that spans reveal something about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RevealedAttribute {
    /// The class.
    Class,
    /// A tested attribute that no relation names, by its place among the tested ones.
    Tested(usize),
    /// An attribute of a component, tested or not.
    Tied(usize, usize),
}

impl Bound<'_> {
    /// What the spans reveal something about, in the order of [`Bound::sensitive`].
    fn told(&self) -> Vec<RevealedAttribute> {
        let class = (!self.class_public).then_some(RevealedAttribute::Class);
        let tested = self.private.iter().enumerate().map(|(place, private)| match private.tied {
            Some((component, place)) => RevealedAttribute::Tied(component, place),
            None => RevealedAttribute::Tested(place),
        });
        let is_told = |component, place| {
            let here = Some((component, place));
            self.class_tied == here || self.private.iter().any(|private| private.tied == here)
        };
        let follow = untested(&self.components, is_told)
            .map(|(component, place)| RevealedAttribute::Tied(component, place));
        class.into_iter().chain(tested).chain(follow).collect()
    }

    /// What the spans can reveal about private attributes: the class, those tested, and those that relations tie to
    /// them.
    ///
    /// # Errors
    /// When the spans reach too many values to be enumerated.
    pub(super) fn sensitive(
        &self,
        table: &Table,
        spans: &[Span],
        at_leaves: &AtLeaves,
    ) -> Result<Vec<Sensitive>> {
        let allowance = Allowance::of_tellings();
        let of_told = |told| match told {
            RevealedAttribute::Class => Ok(self.sensitive_class(table, spans)),
            RevealedAttribute::Tested(place) => {
                let leaves: usize = spans.iter().map(|span| span.leaves.len()).sum();
                allowance.take(leaves.saturating_mul(self.private[place].map.cells))?;
                Ok(self.sensitive_tested(table, place, spans))
            }
            RevealedAttribute::Tied(component, place) => {
                Ok(self.sensitive_tied(table, (component, place), spans, at_leaves))
            }
        };
        self.told().into_iter().map(of_told).collect()
    }

    fn sensitive_class(&self, table: &Table, spans: &[Span]) -> Sensitive {
        let classes = self.classes();
        let source = Cells::Column {
            column: position(table, self.class.name()),
            cell_of_code: self.class_of_code.clone(),
        };
        let ordered = self.class.kind() != Kind::Categorical;
        if self.class_tied.is_none() {
            let mut plain = Sensitive::plain(self.class.name(), source, classes);
            let in_order = |telling: Telling| telling.in_order(&self.class_order);
            plain.tellings = plain.tellings.into_iter().map(in_order).collect();
            if classes == 1 {
                plain.telling_of_span = vec![Sensitive::SILENT; spans.len()];
            }
            return Sensitive { is_class: true, ordered, ..plain };
        }
        let mut tellings = Tellings::default();
        for span in spans {
            let values = self.bins_of(span).into_iter().map(|(_, class)| class);
            let telling = Telling::of_class(classes, values);
            tellings.push(telling.map(|telling| telling.in_order(&self.class_order)));
        }
        Sensitive {
            name: self.class.name().to_owned(),
            about: vec![self.class.name().to_owned()],
            is_class: true,
            ordered,
            source,
            cells: classes,
            intervals: Vec::new(),
            open: false,
            tellings: tellings.all,
            telling_of_span: tellings.of_span,
            said: None,
            judged: Judgement::Fully,
            settled: Vec::new(),
            ruled_out: Vec::new(),
        }
    }

    fn sensitive_tested(&self, table: &Table, place: usize, spans: &[Span]) -> Sensitive {
        let private = &self.private[place];
        let name = &self.tree.attributes()[private.attribute].name;
        let mut tellings = Tellings::default();
        for span in spans {
            let marks = span.leaves.iter().map(|&leaf| &*private.cells_at[leaf as usize]);
            let telling = Telling::by_marks(private.map.cells, marks);
            tellings.push(telling.map(|telling| telling.in_order(&private.map.order)));
        }
        let column = position(table, name);
        Sensitive {
            name: name.clone(),
            about: vec![name.clone()],
            is_class: false,
            ordered: table.columns()[column].kind() != Kind::Categorical,
            source: Cells::Column { column, cell_of_code: private.map.cell_of_code.clone() },
            cells: private.map.cells,
            intervals: private.map.intervals.clone(),
            open: false,
            tellings: tellings.all,
            telling_of_span: tellings.of_span,
            said: None,
            judged: Judgement::Fully,
            settled: Vec::new(),
            ruled_out: Vec::new(),
        }
    }

    fn sensitive_tied(
        &self,
        table: &Table,
        (number, place): (usize, usize),
        spans: &[Span],
        at_leaves: &AtLeaves,
    ) -> Sensitive {
        let component = &self.components[number];
        let (column, values) = (component.columns[place], component.codes[place].len());
        let own = self.private.iter().find(|private| private.tied == Some((number, place)));
        let stated = own.is_some_and(|private| private.has_choice);
        let mut tellings = Tellings::default();
        for tied in spans.iter().filter_map(|span| span.tied.as_ref()) {
            let mark = |&bin: &(u32, u32)| {
                let mut mark = vec![false; values];
                at_leaves
                    .values(number, place, tied, bin)
                    .iter()
                    .for_each(|&value| mark[value as usize] = true);
                mark
            };
            let marks: Vec<Vec<bool>> = tied.bins.iter().map(mark).collect();
            let telling = Telling::by_possible(values, &marks, stated);
            let order: Vec<u32> = (0..values as u32).collect();
            tellings.push(telling.map(|telling| telling.in_order(&order)));
        }
        Sensitive {
            name: column.name().to_owned(),
            about: vec![column.name().to_owned()],
            is_class: false,
            ordered: column.kind() != Kind::Categorical,
            source: Cells::Column {
                column: position(table, column.name()),
                cell_of_code: component.value_of_code(place),
            },
            cells: values,
            intervals: Vec::new(),
            open: false,
            tellings: tellings.all,
            telling_of_span: tellings.of_span,
            said: None,
            judged: Judgement::Fully,
            settled: Vec::new(),
            ruled_out: Vec::new(),
        }
    }

    /// What being in one of these bins (by leaf and class) means.
    pub(super) fn tells(&self, spans: &[Span], place: Vec<(u32, u32)>, at_leaves: AtLeaves) -> TreeTells {
        let tied = spans.iter().filter_map(|span| span.tied.clone()).collect();
        let cells_at = self.private.iter().map(|private| Arc::clone(&private.cells_at)).collect();
        TreeTells { place, told: self.told(), cells_at, tied, at_leaves }
    }
}

fn position(table: &Table, name: &str) -> usize {
    table.columns().iter().position(|column| column.name() == name).unwrap_or_default()
}

/// What being in a bin of a tree means for private attributes.
pub(super) struct TreeTells {
    /// The leaf and class of each bin.
    place: Vec<(u32, u32)>,
    told: Vec<RevealedAttribute>,
    /// For each tested attribute the cells at each node.
    cells_at: Vec<CellsAt>,
    /// What relations leave of each span, where there are any.
    tied: Vec<Tied>,
    at_leaves: AtLeaves,
}

impl Tells for TreeTells {
    fn cells(&self, span: usize, bin: u32, sensitive: usize) -> Result<Vec<u32>> {
        let (leaf, class) = self.place[bin as usize];
        Ok(match self.told[sensitive] {
            RevealedAttribute::Class => vec![class],
            RevealedAttribute::Tested(place) => {
                let cells = (0..).zip(self.cells_at[place][leaf as usize].iter());
                cells.filter(|&(_, &can)| can).map(|(cell, _)| cell).collect()
            }
            RevealedAttribute::Tied(component, place) => {
                self.at_leaves.values(component, place, &self.tied[span], (leaf, class)).to_vec()
            }
        })
    }
}
