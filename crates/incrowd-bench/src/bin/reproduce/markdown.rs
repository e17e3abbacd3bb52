//! Tables of Markdown.

/// A table; all columns but the first are numbers.
pub(crate) fn table(head: &[String], lines: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule: Vec<String> =
        (0..head.len()).map(|i| if i == 0 { "---".to_owned() } else { "---:".to_owned() }).collect();
    let body: String = lines.iter().map(|cells| line(cells)).collect();
    format!("{}{}{body}", line(head), line(&rule))
}

/// Headings.
pub(crate) fn head<S: AsRef<str>>(names: &[S]) -> Vec<String> {
    names.iter().map(|name| name.as_ref().to_owned()).collect()
}

/// A figure with its thousands divided.
pub(crate) fn whole(number: f64) -> String {
    incrowd::show::count(number.round().max(0.0) as u64)
}

/// A share in percent with two digits.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.2}", share * 100.0)
}

/// A published figure and ours.
pub(crate) fn beside(published: Option<String>, measured: Option<String>) -> String {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    format!("{} / **{}**", or_dash(published), or_dash(measured))
}
