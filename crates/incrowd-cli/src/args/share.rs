//! Shares as arguments.

/// Parses a share, also in percent: `0.01` or `1%`. Its range is checked where it is used.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim_end(), 100.0),
        None => (text, 1.0),
    };
    let number = number.parse::<f64>().ok();
    number.map(|number| number / unit).ok_or_else(|| {
        "give a number with a decimal point, such as 0.01, or a percentage, such as 1%".to_owned()
    })
}
