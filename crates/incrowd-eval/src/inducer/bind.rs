//! Examples bound to the columns they name.

use super::Examples;
use incrowd_core::table::{Code, Column, Table};
use incrowd_core::{Error, Result, with_codes};

/// The maximum number of values of a numeric class.
pub const MAX_CLASSES: usize = 100;

/// Examples with their columns.
#[derive(Debug, Clone)]
pub struct Bound<'a> {
    /// The table.
    pub table: &'a Table,
    /// The column to predict.
    pub class: &'a Column,
    /// The columns to predict it from.
    pub inputs: Vec<&'a Column>,
}

impl<'a> Examples<'a> {
    /// Finds the columns.
    ///
    /// # Errors
    /// When a column is missing or a duplicate, no row has a class, or the class is numeric with more than
    /// [`MAX_CLASSES`] values.
    pub fn bind(self) -> Result<Bound<'a>> {
        let class = self.table.require(self.class)?;
        for (place, name) in self.inputs.iter().enumerate() {
            if name == self.class {
                return Err(Error::input("a class cannot be predicted from itself").of_attribute(name));
            }
            if self.inputs[..place].contains(name) {
                return Err(Error::input("duplicate input attribute").of_attribute(name));
            }
        }
        let inputs = self.inputs.iter().map(|name| self.table.require(name)).collect::<Result<_>>()?;
        let bound = Bound { table: self.table, class, inputs };
        bound.check()?;
        Ok(bound)
    }
}

impl Bound<'_> {
    /// Returns the classes as text, in the order of the table's values.
    pub fn classes(&self) -> Vec<String> {
        (0..self.class.values().len()).map(|code| self.class.values().text(code).into_owned()).collect()
    }

    /// The rows that have a class.
    pub fn rows(&self) -> Vec<u32> {
        let missing = self.class.missing_code();
        (0..).zip(self.class.codes()).filter(|&(_, code)| code != missing).map(|(row, _)| row).collect()
    }

    /// The weighted number of rows of each code of an input (the missing one last) and class.
    pub(super) fn counts(&self, input: &Column) -> Vec<u64> {
        let classes = self.class.values().len();
        let mut counts = vec![0; (input.values().len() + 1) * classes];
        with_codes!(input.codes(), codes => with_codes!(self.class.codes(), class => {
            for (row, (code, class)) in codes.iter().zip(class).enumerate() {
                if (class.wide() as usize) < classes {
                    let slot = code.wide() as usize * classes + class.wide() as usize;
                    counts[slot] += u64::from(self.table.weight(row));
                }
            }
        }));
        counts
    }

    /// The weighted number of rows of each class.
    pub(super) fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0; self.class.values().len() + 1];
        for (row, class) in self.class.codes().iter().enumerate() {
            sizes[class as usize] += u64::from(self.table.weight(row));
        }
        sizes.truncate(self.class.values().len());
        sizes
    }

    fn check(&self) -> Result<()> {
        let name = self.class.name();
        if self.class.values().numbers().is_some_and(|numbers| numbers.len() > MAX_CLASSES) {
            return Err(Error::input(format!(
                "a numeric class with more than {MAX_CLASSES} values is not supported"
            ))
            .of_attribute(name)
            .help("use a categorical column, or group the numbers into intervals"));
        }
        let missing = self.class.missing_code();
        if self.class.codes().iter().all(|code| code == missing) {
            return Err(Error::input("no row has a class to learn from").of_attribute(name));
        }
        Ok(())
    }
}
