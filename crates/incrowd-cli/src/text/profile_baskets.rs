//! The profile of baskets.

use super::{Grid, clean, count, counted, percent};
use crate::commands::profile_baskets::Document;
use crate::console::{STRONG, paint};

pub(crate) fn render(document: &Document) -> String {
    let mut text = format!(
        "{}: the file contains baskets, not a table: {} with {}; {} of the items are in fewer than {} baskets\n\n",
        paint(STRONG, "profile"),
        counted(document.baskets, "basket"),
        counted(document.items, "item"),
        count(document.rare_items),
        document.few
    );
    let mut grid = Grid::new(&["most frequent items", ">baskets", ">of all"]);
    for (item, baskets) in &document.frequent {
        grid.line([clean(item), count(*baskets), percent(*baskets as f64 / document.baskets.max(1) as f64)]);
    }
    text += &grid.render();
    if !document.private_items.is_empty() {
        text +=
            &format!("\n  private, judging by their names: {}\n", clean(&document.private_items.join(", ")));
    }
    text + "\n  `incrowd rules` mines baskets\n"
}
