//! The summary of a released table.

use super::{Grid, claim, clean, count, counted, percent};
use crate::documents::TableDocument;
use incrowd::mine::table::Measures;
use incrowd::tables::TableFiles;

pub(crate) fn render(table: &TableDocument, files: &TableFiles) -> String {
    let mut grid = Grid::new(&["", ""]);
    let people = format!("{} in {}", count(table.individuals), counted(table.rows, "row"));
    grid.line(["method", table.method]);
    grid.line(["individuals", &people]);
    claim::left_out(&mut grid, &table.rows_left_out);
    grid.line(["rows lost", &rows_lost(table.rows_lost, table.rows)]);
    claim::k(&mut grid, table.k, table.spans, &table.guarantee);
    claim::ledger(&mut grid, table.raised_k, table.together.as_ref());
    claim::figures(&mut grid, &table.exposure);
    grid.line(["suppressed", &format!("{} of the public cells", percent(table.suppressed))]);
    if table.swapped > 0.0 {
        let how = match table.loss {
            None => "averaged",
            Some(_) if table.method == "kactus2" => "swapped",
            Some(_) => "untrue",
        };
        grid.line([how, &format!("{} of the public cells differ from their row", percent(table.swapped))]);
    }
    let loss = match table.loss {
        Some(loss) => format!("{loss:.3} per public cell"),
        None => "- (not defined for means)".to_owned(),
    };
    grid.line(["loss", &loss]);
    if let Some(cm) = table.cm {
        let lost = if table.rows_lost > 0 { ", or lost" } else { "" };
        let each = if table.rows > table.individuals { ", counted once per group and class" } else { "" };
        let people = counted(cm, "individual");
        grid.line([
            "minority",
            &format!("{people} outside the most frequent class of their group{lost}{each}"),
        ]);
    }
    let mut text = format!(
        "{} {}\nthe written table passed its audit: {} (release file: {})\n\n{}{}",
        claim::family(if table.suppressed >= 1.0 { "table (all public cells suppressed)" } else { "table" }),
        claim::holds(&table.guarantee, table.individuals, &table.exposure),
        files.table.display(),
        files.sidecar.file_name().unwrap_or_default().display(),
        grid.render(),
        claim::exposed_to(&table.exposure, table.individuals)
    );
    if let Some(measures) = &table.report {
        text += &format!("\n{}", report(measures));
    }
    text
}

/// The rows that the table does not have, with the figures that a report states.
fn rows_lost(lost: u64, released: u64) -> String {
    match lost {
        0 => count(lost),
        _ => format!("{} ({})", count(lost), percent(lost as f64 / (lost + released) as f64)),
    }
}

/// All measures; `docs/measures.md` defines them.
fn report(measures: &Measures) -> String {
    let mut grid = Grid::new(&["measure", "value"]);
    grid.line(["loss metric", &measures.loss.map_or_else(|| "-".to_owned(), |loss| format!("{loss:.4}"))]);
    for of in &measures.loss_of {
        grid.line([format!("  {}", clean(&of.attribute)), format!("{:.4}", of.loss)]);
    }
    if let Some(loss) = measures.loss_released.filter(|_| measures.rows_lost > 0) {
        grid.line(["  of released rows", &format!("{loss:.4}")]);
    }
    if let Some(ncp) = measures.ncp {
        grid.line(["ncp", &format!("{ncp:.4}")]);
    }
    grid.line(["entropy loss", &format!("{:.4}", measures.entropy_loss)]);
    grid.line(["suppressed cells", &format!("{:.4}", measures.suppressed)]);
    grid.line(["swapped cells", &format!("{:.4}", measures.swapped)]);
    grid.line(["discernibility", &count(measures.discernibility as u64)]);
    grid.line(["rows per group", &format!("{:.1}", measures.average_group)]);
    grid.line(["average class size", &format!("{:.1}", measures.average_class_size)]);
    if let Some(average) = measures.average_group_by_k {
        grid.line(["rows per group / k", &format!("{average:.2}")]);
    }
    if let Some(cm) = measures.cm {
        grid.line(["cm", &count(cm)]);
    }
    grid.line(["rows lost", &count(measures.rows_lost)]);
    grid.render()
}
