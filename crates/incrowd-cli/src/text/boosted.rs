//! The summary of boosted trees.

use super::{Grid, claim, count, counted, percent};
use crate::documents::BoostDocument;
use std::path::Path;

pub(crate) fn render(boosted: &BoostDocument, out: &Path) -> String {
    let mut grid = Grid::new(&["", ""]);
    grid.line([
        "individuals",
        &format!("{} in {}", count(boosted.individuals), counted(boosted.rows, "row")),
    ]);
    claim::left_out(&mut grid, &boosted.rows_left_out);
    grid.line(["cells", &format!("{} of public attributes", count(boosted.cells))]);
    grid.line([
        "trees",
        &format!(
            "{} with {}",
            count(boosted.trees),
            counted(boosted.leaves, "leaf").replace("leafs", "leaves")
        ),
    ]);
    if let (Some(leaves), Some(columns), Some(rate)) =
        (boosted.max_leaves, boosted.columns, boosted.learning_rate)
    {
        let settings = format!(
            "at most {leaves} leaves per tree, a share of features of {columns}, learning rate {rate}"
        );
        grid.line(["settings", &settings]);
    }
    grid.line(["detail", boosted.detail]);
    claim::k(&mut grid, boosted.k, boosted.spans, &boosted.guarantee);
    claim::ledger(&mut grid, boosted.raised_k, boosted.together.as_ref());
    grid.line([
        "error",
        &format!(
            "{} of the training rows ({} if the most frequent class is always predicted)",
            percent(boosted.error),
            percent(boosted.most_frequent_error)
        ),
    ]);
    claim::figures(&mut grid, &boosted.exposure);
    format!(
        "{} {}\nthe ensemble passed its audit; written to {}\n\n{}{}",
        claim::family("boosted trees"),
        claim::holds(&boosted.guarantee, boosted.individuals, &boosted.exposure),
        out.display(),
        grid.render(),
        claim::exposed_to(&boosted.exposure, boosted.individuals)
    )
}
