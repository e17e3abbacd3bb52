//! The sizes of crowds: for each method, the share of individuals in spans of each size.

use super::axis::Axis;
use super::sheet::{AXIS, Area, FONT, GRID, INK, SOFT, Sheet};
use super::style::colour;
use crate::comparison::Sizes;
use crate::words::{count, counted, percent, plain, shortened, width};

const WIDE: f64 = 440.0;
const ROW: f64 = 46.0;
const LABEL: f64 = 9.5;

/// The sizes of crowds, one row per method.
#[derive(Debug, Clone)]
pub struct Spread {
    /// The title.
    pub title: String,
    /// The required k, drawn as a line.
    pub k: u64,
    /// The methods.
    pub rows: Vec<MethodCrowds>,
}

/// The crowds of a method.
#[derive(Debug, Clone)]
pub struct MethodCrowds {
    /// The name.
    pub name: String,
    /// The style, which decides the colour.
    pub style: usize,
    /// The number of individuals in spans of each size.
    pub sizes: Vec<Sizes>,
}

impl MethodCrowds {
    /// The share of individuals in crowds of a size class.
    fn share(&self, sizes: &Sizes) -> f64 {
        let all: u64 = self.sizes.iter().map(|sizes| sizes.individuals).sum();
        if all == 0 { 0.0 } else { sizes.individuals as f64 / all as f64 }
    }

    /// A description of the largest size class.
    fn story(&self) -> String {
        let most = self.sizes.iter().max_by_key(|sizes| (sizes.individuals, u64::MAX - sizes.from));
        most.map_or_else(
            || format!("{}: no individuals.", self.name),
            |sizes| {
                format!(
                    "{}: most individuals, {}, are in {}.",
                    self.name,
                    percent(self.share(sizes)),
                    range(sizes)
                )
            },
        )
    }
}

/// A size class in words.
fn range(sizes: &Sizes) -> String {
    if sizes.from == sizes.to {
        format!("crowds of {}", count(sizes.from))
    } else {
        format!("crowds of {} to {}", count(sizes.from), count(sizes.to))
    }
}

impl Spread {
    /// Returns the plot. `id` must be unique in the page.
    ///
    /// A block reaches from the smallest to the largest size of its class. Its height is the share of individuals in
    /// it, on the same scale in all rows.
    pub fn svg(&self, id: &str) -> String {
        let axis = self.axis();
        let names = self.rows.iter().map(|row| width(&label(row)) * FONT).fold(0.0, f64::max);
        let bottom = 20.0 + ROW * self.rows.len() as f64;
        let area = Area { left: names + 12.0, right: WIDE - 26.0, top: 20.0, bottom };
        let story: Vec<String> = self.rows.iter().map(MethodCrowds::story).collect();
        let mut sheet = Sheet::new(id, (WIDE, bottom + 40.0), &self.title, &story.join(" "));
        for (i, row) in self.rows.iter().enumerate() {
            let base = area.top + ROW * (i as f64 + 1.0);
            sheet.line((area.left, base), (area.right, base), GRID, &[]);
            sheet.words((area.left - 6.0, base - 8.0), "end", INK, &[], &label(row));
            self.blocks(&mut sheet, &area, &axis, row, base);
        }
        let x = area.x(axis.at(self.k as f64));
        sheet.line((x, area.top - 4.0), (x, bottom), AXIS, &[("stroke-dasharray", "3 3")]);
        sheet.words((x, area.top - 8.0), "middle", SOFT, &[], &format!("k = {}", count(self.k)));
        sheet.line((area.left, bottom), (area.right, bottom), AXIS, &[]);
        area.columns(&mut sheet, &axis, "individuals in the crowd");
        sheet.done()
    }

    fn axis(&self) -> Axis {
        let all = || self.rows.iter().flat_map(|row| &row.sizes);
        let least = all().map(|sizes| sizes.from).min().unwrap_or(self.k).min(self.k).max(1);
        let most = all().map(|sizes| sizes.to).max().unwrap_or(self.k).max(self.k).max(least + 1);
        let mut ticks = vec![least];
        ticks.extend((0..19).map(|power| 10_u64.pow(power)).filter(|&tick| tick > least && tick < most));
        ticks.push(most);
        Axis::of_counts(&ticks)
    }

    fn blocks(&self, sheet: &mut Sheet, area: &Area, axis: &Axis, row: &MethodCrowds, base: f64) {
        let shares = self.rows.iter().flat_map(|row| row.sizes.iter().map(|sizes| row.share(sizes)));
        let highest = shares.fold(f64::MIN_POSITIVE, f64::max);
        for sizes in row.sizes.iter().filter(|sizes| sizes.individuals > 0) {
            let (from, to) = (area.x(axis.at(sizes.from as f64)), area.x(axis.at(sizes.to as f64 + 1.0)));
            let high = (row.share(sizes) / highest * (ROW - 10.0)).max(1.0);
            let tooltip = format!(
                "{}: {} of the individuals, {}",
                range(sizes),
                percent(row.share(sizes)),
                counted(sizes.spans, "crowd")
            );
            sheet.open_group(&tooltip);
            let rect = sheet.element("rect").at("x", from).at("y", base - high);
            let rect = rect.at("width", (to - from - 1.0).max(2.0)).at("height", high);
            rect.set("fill", colour(row.style)).set("opacity", ".85").empty();
            sheet.close_group();
        }
    }
}

fn label(row: &MethodCrowds) -> String {
    shortened(&plain(&row.name), LABEL)
}
