//! Critical-difference diagrams (Demšar).

use super::sheet::{AXIS, Area, Attributes, BOLD, INK, SOFT, Sheet, bold};
use super::style::{colour, marker};
use crate::significance::groups;
use crate::words::{decimals, plain, shortened};

const WIDE: f64 = 440.0;
const ROW: f64 = 20.0;
const LABEL: f64 = 9.5;
/// The vertical position of the axis of ranks.
const RULE: f64 = 52.0;
/// The bar that joins methods.
const JOIN: Attributes<'_> = &[("stroke-width", "4"), ("stroke-linecap", "round")];

/// Average ranks on a line, the best on the left. Bars join methods whose difference is not significant.
#[derive(Debug, Clone)]
pub struct Differences {
    /// The title.
    pub title: String,
    /// The methods: names, styles and average ranks.
    pub methods: Vec<(String, usize, f64)>,
    /// The critical difference.
    pub difference: f64,
}

impl Differences {
    /// Returns the plot. `id` must be unique in the page.
    pub fn svg(&self, id: &str) -> String {
        let ranks: Vec<f64> = self.methods.iter().map(|method| method.2).collect();
        let groups = groups(&ranks, self.difference);
        let names = self.methods.iter().map(|method| bold(&figure(method))).fold(0.0, f64::max);
        let joins = RULE + 10.0 + 8.0 * groups.len() as f64;
        let bottom = joins + 10.0 + ROW * self.methods.len().div_ceil(2) as f64;
        let area = Area { left: names + 14.0, right: WIDE - names - 14.0, top: RULE, bottom };
        let mut sheet = Sheet::new(id, (WIDE, bottom + 4.0), &self.title, &self.story(&ranks, &groups));
        self.rule(&mut sheet, &area);
        for (i, group) in groups.iter().enumerate() {
            let y = RULE + 12.0 + 8.0 * i as f64;
            let ends = group.iter().map(|&method| self.x(&area, ranks[method]));
            let (from, to) = ends.fold((f64::MAX, f64::MIN), |(from, to), x| (from.min(x), to.max(x)));
            sheet.line((from - 3.0, y), (to + 3.0, y), INK, JOIN);
        }
        self.names(&mut sheet, &area, joins);
        sheet.done()
    }

    fn x(&self, area: &Area, rank: f64) -> f64 {
        area.x((rank - 1.0) / (self.methods.len() as f64 - 1.0).max(1.0))
    }

    /// The axis of ranks, with the critical difference as a length above it.
    fn rule(&self, sheet: &mut Sheet, area: &Area) {
        sheet.line((area.left, RULE), (area.right, RULE), AXIS, &[("stroke-width", "1.5")]);
        // Ranks with two digits need more space.
        let each = (24.0 / (area.right - area.left) * self.methods.len() as f64).ceil().max(1.0) as usize;
        for rank in 1..=self.methods.len() {
            let x = self.x(area, rank as f64);
            sheet.line((x, RULE - 5.0), (x, RULE), AXIS, &[]);
            if !(rank - 1).is_multiple_of(each) {
                continue;
            }
            sheet.words((x, RULE - 9.0), "middle", SOFT, &[], &rank.to_string());
        }
        let whole = self.methods.len() as f64 - 1.0;
        let end = self.x(area, 1.0 + self.difference.min(whole));
        let more = if self.difference > whole { " and more" } else { "" };
        let start = area.left;
        let length = format_args!("M{start:.1} 16V24M{start:.1} 20H{end:.1}M{end:.1} 16V24");
        sheet.path(length, INK).set("stroke-width", 1.5).empty();
        let label = format!("critical difference {}{more}", decimals(self.difference, 2));
        sheet.words((area.left, 11.0), "start", SOFT, &[("font-size", "11")], &label);
    }

    /// Draws the names: the better half on the left, the others on the right, from the outside to the middle.
    fn names(&self, sheet: &mut Sheet, area: &Area, top: f64) {
        let mut order: Vec<usize> = (0..self.methods.len()).collect();
        order.sort_by(|&one, &other| self.methods[one].2.total_cmp(&self.methods[other].2));
        let left = self.methods.len().div_ceil(2);
        for (i, &method) in order.iter().enumerate() {
            let (_, style, rank) = &self.methods[method];
            let row = if i < left { i } else { order.len() - 1 - i };
            let y = top + 8.0 + ROW * row as f64;
            let x = self.x(area, *rank);
            let (end, anchor, aside) =
                if i < left { (area.left - 6.0, "end", -4.0) } else { (area.right + 6.0, "start", 4.0) };
            let path = format_args!("M{x:.1} {RULE}V{y:.1}H{end:.1}");
            sheet.path(path, &colour(*style)).set("stroke-width", 1.4).empty();
            marker(sheet.svg(), *style, (x, RULE));
            let label = figure(&self.methods[method]);
            sheet.words((end + aside, y + 4.0), anchor, &colour(*style), BOLD, &label);
        }
    }

    fn story(&self, ranks: &[f64], groups: &[Vec<usize>]) -> String {
        let name = |&method: &usize| self.methods[method].0.clone();
        let ranks: Vec<String> = (0..ranks.len())
            .map(|method| format!("{} {}", name(&method), decimals(ranks[method], 2)))
            .collect();
        let joined = groups.iter().map(|group| group.iter().map(name).collect::<Vec<_>>().join(", "));
        let joined: Vec<String> =
            joined.map(|names| format!("No significant difference: {names}.")).collect();
        format!(
            "Average ranks, 1 being the best: {}. Ranks differ if they are more than {} apart. {}",
            ranks.join(", "),
            decimals(self.difference, 2),
            joined.join(" ")
        )
    }
}

/// A method's name and average rank.
fn figure((name, _, rank): &(String, usize, f64)) -> String {
    format!("{} {}", shortened(&plain(name), LABEL), decimals(*rank, 2))
}
