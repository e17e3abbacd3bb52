//! The default names of branches.

use incrowd_core::table::Date;

/// The most values that are spelled out.
const SHOWN: usize = 3;

/// The label of a branch by values: `= a`, `in {a, b}`, or `otherwise` if it has none of its own.
pub(crate) fn of_values(values: &[&str]) -> String {
    match values {
        [] => "otherwise".to_owned(),
        [value] => format!("= {value}"),
        _ if values.len() > SHOWN => format!("in {{{}, …}}", values[..SHOWN].join(", ")),
        _ => format!("in {{{}}}", values.join(", ")),
    }
}

/// The labels of branches by thresholds: `<= 30.5`, `30.5 < … <= 40`, `> 40`; of dates, `<= 2026-12-31`.
pub(crate) fn of_thresholds(thresholds: &[f64], dates: bool) -> Vec<String> {
    let number = |threshold: f64| if dates { Date::text_of_days(threshold) } else { number(threshold) };
    let (Some(&first), Some(&last)) = (thresholds.first(), thresholds.last()) else {
        return vec!["any number".to_owned()];
    };
    let middle = thresholds.windows(2).map(|pair| format!("{} < … <= {}", number(pair[0]), number(pair[1])));
    let outer = [format!("<= {}", number(first)), format!("> {}", number(last))];
    let [lowest, highest] = outer;
    [lowest].into_iter().chain(middle).chain([highest]).collect()
}

/// Plain digits, or an exponent where they would be many.
pub(crate) fn number(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 || (1e-6..1e15).contains(&size) { format!("{number}") } else { format!("{number:e}") }
}
