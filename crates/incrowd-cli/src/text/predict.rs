//! Predictions and their error.

use super::{Grid, bar, clean, count, counted, percent};
use crate::console::{FAINT, GOOD, STRONG, paint};
use crate::documents::PredictionDocument;
use incrowd::predict::{Calibration, Evaluation};

/// The width of the bar of a share.
const BAR: usize = 12;
/// The maximum number of class values of a displayed confusion matrix.
const CLASSES: usize = 12;
/// What shares are where the tree was made from individuals with several rows.
const SHARES: &str = "p(value) and share are shares of the counts in the row's leaf; an individual counts once for each \
    class value they have there";

pub(crate) fn render(document: &PredictionDocument, with_rows: bool) -> String {
    let mut parts = vec![summary(document)];
    if let Some(evaluation) = &document.evaluation {
        parts.push(confusion(evaluation, &document.classes));
        parts.extend(evaluation.calibration.as_ref().map(calibration));
    }
    if with_rows {
        parts.push(rows(document));
    }
    if document.several_rows && document.first.iter().any(|first| first.shares.is_some()) {
        parts.push(format!("  {}\n", paint(FAINT, SHARES)));
    }
    parts.join("\n")
}

fn summary(document: &PredictionDocument) -> String {
    let head = format!("{} {}", paint(STRONG, "predicted"), counted(document.rows, "row"));
    match &document.evaluation {
        None => head + "; the table has no class to compare with\n",
        Some(evaluation) => format!(
            "{head}: error {} ({} of {} wrong)\n",
            paint(STRONG, format!("{:.2} %", evaluation.error() * 100.0)),
            count(evaluation.wrong),
            count(evaluation.judged)
        ),
    }
}

fn calibration(fit: &Calibration) -> String {
    format!(
        "  predicted shares: log loss {:.4}, Brier score {:.4}, calibration error {:.2} %\n",
        fit.log_loss,
        fit.brier_score,
        fit.calibration_error * 100.0
    )
}

fn confusion(evaluation: &Evaluation, classes: &[String]) -> String {
    if classes.len() > CLASSES {
        return format!("  --json prints the confusion matrix of {} classes\n", classes.len());
    }
    let names: Vec<String> = classes.iter().map(|class| clean(class)).collect();
    let mut headings = vec!["actual \\ predicted".to_owned()];
    headings.extend(names.iter().map(|name| format!(">{name}")));
    headings.push(">right".to_owned());
    let mut grid = Grid::new(&headings.iter().map(String::as_str).collect::<Vec<_>>());
    for (i, counts) in evaluation.confusion.iter().enumerate() {
        let name = names.get(i).cloned().unwrap_or_else(|| "another value".to_owned());
        let all: u64 = counts.iter().sum();
        let right = counts.get(i).filter(|_| all > 0).map(|&right| percent(right as f64 / all as f64));
        let cell = |(j, &n): (usize, &u64)| if i == j { paint(GOOD, count(n)) } else { count(n) };
        let cells = counts.iter().enumerate().map(cell);
        grid.line([name].into_iter().chain(cells).chain([right.unwrap_or_default()]));
    }
    grid.render()
}

fn rows(document: &PredictionDocument) -> String {
    let mut grid = Grid::new(&[">row", "prediction", ">share", ""]);
    for (i, first) in (1..).zip(&document.first) {
        let label = document.classes.iter().position(|class| *class == first.prediction);
        let share = first.shares.as_ref().zip(label).map(|(shares, label)| shares[label]);
        let (text, chart) = share.map_or_else(Default::default, |share| (percent(share), bar(share, BAR)));
        grid.line([count(i), clean(&first.prediction), text, paint(FAINT, chart)]);
    }
    let left = document.rows.saturating_sub(document.first.len() as u64);
    let more = match left {
        0 => String::new(),
        left => format!("  and {} more; --out FILE writes all rows\n", count(left)),
    };
    grid.render() + &more
}
