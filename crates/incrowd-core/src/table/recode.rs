//! Columns with reinterpreted values: some are missing, or texts are numbers.

use super::{Codes, Column, Date, Texts, Values};
use crate::error::Result;

impl Column {
    /// The same column where these values are missing.
    ///
    /// # Errors
    /// Never for a column that is valid.
    pub fn without_values(&self, is_missing: impl Fn(&str) -> bool) -> Result<Self> {
        let values = self.values();
        let kept: Vec<usize> = (0..values.len()).filter(|&code| !is_missing(&values.text(code))).collect();
        let texts = |texts: &Texts| kept.iter().map(|&code| texts.get(code)).collect();
        let new = match values {
            Values::Numeric(numbers) => Values::Numeric(kept.iter().map(|&code| numbers[code]).collect()),
            Values::Categorical(all) => Values::Categorical(texts(all)),
            Values::Ordered(all) => Values::Ordered(texts(all)),
        };
        let mut number = vec![kept.len() as u32; values.len() + 1];
        (0..).zip(&kept).for_each(|(new, &old)| number[old] = new);
        self.renumbered(new, &number)
    }

    /// The same column as numbers: the meaning of each value, `None` where it is missing.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn with_numbers(&self, number_of: impl Fn(&str) -> Option<f64>) -> Result<Self> {
        let values = self.values();
        // Adding zero turns -0.0 into 0.0, so that equal numbers get one code.
        let numbers: Vec<Option<f64>> =
            (0..values.len()).map(|code| number_of(&values.text(code)).map(|number| number + 0.0)).collect();
        let mut different: Vec<f64> = numbers.iter().flatten().copied().collect();
        different.sort_unstable_by(f64::total_cmp);
        different.dedup();
        let missing = different.len() as u32;
        let place = |number: f64| different.partition_point(|other| *other < number) as u32;
        let number: Vec<u32> =
            numbers.iter().map(|number| number.map_or(missing, place)).chain([missing]).collect();
        self.renumbered(Values::Numeric(different), &number)
    }

    /// The same column as dates: the meaning of each value, `None` where it is missing.
    ///
    /// # Errors
    /// Never for a column that is valid.
    pub fn with_dates(&self, date_of: impl Fn(&str) -> Option<Date>) -> Result<Self> {
        let values = self.values();
        let dates: Vec<Option<Date>> = (0..values.len()).map(|code| date_of(&values.text(code))).collect();
        let mut different: Vec<Date> = dates.iter().flatten().copied().collect();
        different.sort_unstable();
        different.dedup();
        let missing = different.len() as u32;
        let place = |date: Date| different.partition_point(|other| *other < date) as u32;
        let number: Vec<u32> =
            dates.iter().map(|date| date.map_or(missing, place)).chain([missing]).collect();
        let texts: Texts = different.iter().map(ToString::to_string).collect();
        self.renumbered(Values::Ordered(texts), &number)
    }

    fn renumbered(&self, values: Values, number: &[u32]) -> Result<Self> {
        let codes = self.codes().iter().map(|code| number[code as usize]);
        let codes = Codes::collect(values.len() + 1, codes);
        Self::new(self.name(), values, codes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(column: &Column) -> Vec<Option<String>> {
        let text = |code: u32| {
            (code < column.missing_code()).then(|| column.values().text(code as usize).into_owned())
        };
        column.codes().iter().map(text).collect()
    }

    #[test]
    fn marks_become_missing_and_texts_numbers() {
        let column = Column::from_texts("a", &[Some("10"), Some("?"), Some("9"), None, Some("10.0")]);
        let numbers = column.with_numbers(|text| text.parse().ok()).expect("finite");
        assert_eq!(numbers.values().numbers(), Some([9.0, 10.0].as_slice()));
        let cells = [Some("10"), None, Some("9"), None, Some("10")].map(|cell| cell.map(str::to_owned));
        assert_eq!(texts(&numbers), cells);
        let names = column.without_values(|text| text == "?").expect("valid");
        assert_eq!(texts(&names)[..3], [Some("10".to_owned()), None, Some("9".to_owned())]);
        assert!(names.has_missing() && names.values().len() == 3);
    }
}
