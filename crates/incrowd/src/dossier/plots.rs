//! The pictures of a dossier.

use super::change::ColumnChange;
use super::page::Picture;
use incrowd_core::audit::{AttributeMeasures, ExposedTo, SizeClass};
use incrowd_core::words::count;
use incrowd_eval::plot::{AxisUnit, Bar, Bars};
use incrowd_eval::words::percent;

/// The style of figures of the whole table or before, and of a group or after.
const BEFORE: usize = 7;
const AFTER: usize = 0;

/// The individuals by the sizes of their groups.
pub(super) fn sizes(sizes: &[SizeClass]) -> Option<Picture> {
    let label = |class: &SizeClass| match (class.from, class.to) {
        (from, to) if from == to => count(from),
        (from, to) => format!("{}–{}", count(from), count(to)),
    };
    let bar = |class: &SizeClass| Bar { name: label(class), style: AFTER, number: class.individuals as f64 };
    let row = |class: &SizeClass| vec![label(class), count(class.spans), count(class.individuals)];
    let title = "Individuals by the size of their group".to_owned();
    (!sizes.is_empty()).then(|| Picture {
        svg: svg("sizes", &title, AxisUnit::Number, sizes.iter().map(bar).collect()),
        caption: title,
        heads: ["size of group", ">groups", ">individuals"].map(str::to_owned).to_vec(),
        rows: sizes.iter().map(row).collect(),
    })
}

/// The highest confidence in a group against the share in the whole table, for each private attribute that is not shown
/// in ranges or sets of values.
pub(super) fn confidence(
    measures: &[AttributeMeasures],
    base: &[ExposedTo],
    in_ranges: &[String],
) -> Option<Picture> {
    let pairs: Vec<(&str, f64, f64)> = measures
        .iter()
        .filter(|own| own.is_measured() && !in_ranges.contains(&own.name))
        .filter_map(|own| {
            let base = base.iter().find(|base| base.attribute == own.name)?;
            Some((own.name.as_str(), base.most_frequent, own.max_confidence))
        })
        .take(12)
        .collect();
    let bars = pairs.iter().flat_map(|&(name, base, highest)| {
        [
            Bar { name: name.to_owned(), style: BEFORE, number: base },
            Bar { name: "in a group".to_owned(), style: AFTER, number: highest },
        ]
    });
    let title =
        "Most frequent value: its share in the whole table (grey), and the highest share in a group (blue)"
            .to_owned();
    (!pairs.is_empty()).then(|| Picture {
        svg: svg("confidence", &title, AxisUnit::Share, bars.collect()),
        caption: title,
        heads: ["attribute", ">whole table", ">highest in a group"].map(str::to_owned).to_vec(),
        rows: pairs
            .iter()
            .map(|&(name, base, highest)| vec![name.to_owned(), percent(base), percent(highest)])
            .collect(),
    })
}

/// The distribution of a public attribute before and after.
pub(super) fn change(place: usize, own: &ColumnChange) -> Option<Picture> {
    let bars = own.bins.iter().flat_map(|bin| {
        [
            Bar { name: bin.label.clone(), style: BEFORE, number: bin.before },
            Bar { name: String::new(), style: AFTER, number: bin.after },
        ]
    });
    let title = format!("{}: before (grey) and after (blue)", own.name);
    (!own.bins.is_empty()).then(|| Picture {
        svg: svg(&format!("change-{place}"), &title, AxisUnit::Share, bars.collect()),
        caption: title,
        heads: [own.name.as_str(), ">before", ">after"].map(str::to_owned).to_vec(),
        rows: own
            .bins
            .iter()
            .map(|bin| vec![bin.label.clone(), percent(bin.before), percent(bin.after)])
            .collect(),
    })
}

fn svg(id: &str, title: &str, unit: AxisUnit, bars: Vec<Bar>) -> String {
    Bars { title: title.to_owned(), unit, suffix: String::new(), bars }.svg(id)
}
