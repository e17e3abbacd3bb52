//! The profile of baskets.

use super::{Grid, clean, count, counted, percent};
use crate::console::{STRONG, paint};
use incrowd::BasketProfile;

pub(crate) fn render(profile: &BasketProfile) -> String {
    let mut text = format!(
        "{}: the file contains baskets, not a table: {} with {}; {} of the items are in fewer than {}\n\n",
        paint(STRONG, "profile"),
        counted(profile.baskets, "basket"),
        counted(profile.items, "item"),
        count(profile.rare_items),
        counted(profile.few, "basket")
    );
    let mut grid = Grid::new(&["most frequent items", ">baskets", ">of all"]);
    for (item, baskets) in &profile.frequent {
        grid.line([clean(item), count(*baskets), percent(*baskets as f64 / profile.baskets.max(1) as f64)]);
    }
    text += &grid.render();
    if !profile.private_items.is_empty() {
        text += &format!("\n  private by name: {}\n", clean(&profile.private_items.join(", ")));
    }
    text + "\n  next: incrowd rules\n"
}
