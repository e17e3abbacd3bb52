//! The strip of spans below a picture, if they follow from the horizontal attribute.

use super::frame::Frame;
use super::plane::{Coordinates, Plane};
use super::{ClusterPicture, NUMBERED};
use crate::group::Grouping;
use crate::span::Linking;
use crate::table::Table;
use incrowd_core::svg::Svg;

/// The horizontal positions of individuals with their spans, from left to right, without duplicates.
pub(super) struct Strip {
    spans: Vec<(f64, u32)>,
}

impl Strip {
    /// `None` if spans are unknown, or individuals at the same position have different spans.
    pub(super) fn new(picture: &ClusterPicture<'_>, plane: &Plane) -> Option<Self> {
        let (table, linking) = (picture.table?, picture.linking?);
        if !plane.is_flat(picture.clusters) {
            return None;
        }
        let coordinates = Coordinates::new(picture.clusters, table);
        let place = |row: usize| plane.of_scaled(&coordinates.of_row(row)).0;
        let rows = 0..table.rows();
        let mut spans: Vec<(f64, u32)> = rows.map(|row| (place(row), linking.span_of_row[row])).collect();
        spans.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        spans.dedup();
        let told_apart = spans.windows(2).all(|pair| pair[0].0.to_bits() != pair[1].0.to_bits());
        told_apart.then_some(Self { spans })
    }

    pub(super) fn draw(&self, svg: &mut Svg, frame: &Frame) {
        let y = Frame::bottom() + 46.0;
        svg.element("text").set("x", 18).at("y", y + 15.0).set("font-weight", 600).text("spans");
        for run in self.spans.chunk_by(|a, b| a.1 == b.1) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            let (from, to) = (frame.place((first.0, 0.0)).0 - 2.0, frame.place((last.0, 0.0)).0 + 2.0);
            let fill = if first.1 % 2 == 0 { "#dfe3ea" } else { "#c3cad6" };
            let rect = svg.element("rect").at("x", from).at("y", y).at("width", to - from);
            rect.set("height", 22).set("rx", 2).set("fill", fill).empty();
            if to - from > 13.0 {
                let label = svg.element("text").at("x", f64::midpoint(from, to)).at("y", y + 15.0);
                label.all(&NUMBERED).text(&name(first.1 as usize));
            }
        }
    }
}

/// The name of a span: A, B, … Z, then numbers.
pub(super) fn name(span: usize) -> String {
    match u8::try_from(span) {
        Ok(letter) if letter < 26 => char::from(b'A' + letter).to_string(),
        _ => format!("#{}", span + 1),
    }
}

/// The numbers of the cells of a span. Three or more consecutive numbers are written as a range.
pub(super) fn cells(linking: &Linking<'_>, span: usize) -> String {
    let rule = linking.rule(span);
    let numbers: Vec<usize> = rule.split(' ').filter_map(|word| word.parse().ok()).collect();
    let run = |run: &[usize]| match run {
        [first, _, .., last] => format!("{first}–{last}"),
        few => few.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    };
    numbers.chunk_by(|a, b| a + 1 == *b).map(run).collect::<Vec<_>>().join(", ")
}

/// The number of individuals in each span.
pub(super) fn populations(table: &Table, linking: &Linking<'_>) -> Vec<u64> {
    Grouping { of_row: linking.span_of_row.clone(), count: linking.spans as u32 }.sizes(table)
}
