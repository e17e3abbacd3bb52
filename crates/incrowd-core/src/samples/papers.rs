//! The small tables of Friedman, Wolff and Schuster, "Providing k-anonymity in data mining", VLDB Journal 17 (2008).

use super::{sure, table};
use crate::table::{Column, People, Table};

/// A small table of a paper, with the individuals' names kept separately.
#[derive(Debug, Clone, PartialEq)]
pub struct PaperTable {
    /// The table without names.
    pub table: Table,
    /// The name of the individual of each row; empty where the paper leaves names out.
    pub names: Vec<&'static str>,
}

impl PaperTable {
    /// The row of a person.
    pub fn row_of(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| *other == name)
    }
}

/// Table 1: twelve clients of a mortgage company. All but Loan Risk is public.
pub fn mortgage_of_twelve() -> PaperTable {
    mortgage(&[
        ["Male", "Yes", "Young", "Yes", "Good"],
        ["Male", "Yes", "Young", "No", "Good"],
        ["Male", "Yes", "Young", "Yes", "Good"],
        ["Male", "Yes", "Old", "Yes", "Good"],
        ["Male", "Yes", "Old", "Yes", "Bad"],
        ["Male", "No", "Old", "Yes", "Bad"],
        ["Female", "No", "Young", "No", "Good"],
        ["Female", "No", "Old", "Yes", "Good"],
        ["Female", "No", "Young", "No", "Bad"],
        ["Female", "Yes", "Young", "No", "Bad"],
        ["Female", "Yes", "Young", "Yes", "Bad"],
        ["Female", "Yes", "Young", "Yes", "Bad"],
    ])
}

/// Table 2: Table 1 with the information of the tree of Figure 1, 3-anonymous; `*` marks what the tree does not test.
pub fn mortgage_anonymized() -> PaperTable {
    mortgage(&[
        ["Male", "*", "Young", "*", "Good"],
        ["Male", "*", "Young", "*", "Good"],
        ["Male", "*", "Young", "*", "Good"],
        ["Male", "*", "Old", "*", "Good"],
        ["Male", "*", "Old", "*", "Bad"],
        ["Male", "*", "Old", "*", "Bad"],
        ["Female", "No", "*", "*", "Good"],
        ["Female", "No", "*", "*", "Good"],
        ["Female", "No", "*", "*", "Bad"],
        ["Female", "Yes", "*", "*", "Bad"],
        ["Female", "Yes", "*", "*", "Bad"],
        ["Female", "Yes", "*", "*", "Bad"],
    ])
}

fn mortgage(rows: &[[&str; 5]; 12]) -> PaperTable {
    let header = ["Gender", "Married", "Age", "Sports Car", "Loan Risk"];
    PaperTable { table: texts(header, rows), names: TWELVE.to_vec() }
}

/// Table 3 (A): public zip codes and private incomes.
pub fn zip_original() -> PaperTable {
    let rows = [["11001", "High"], ["11001", "Low"], ["12033", "Mid"], ["12045", "High"]];
    PaperTable { table: texts(["Zipcode", "Income"], &rows), names: FOUR.to_vec() }
}

/// Table 3 (B): Table 3 (A) made 2-anonymous.
pub fn zip_anonymized() -> PaperTable {
    let rows = [["110XX", "High"], ["110XX", "Low"], ["120XX", "Mid"], ["120XX", "High"]];
    PaperTable { table: texts(["Zipcode", "Income"], &rows), names: FOUR.to_vec() }
}

/// Table 3 (C): the public table an attacker joins with the others.
pub fn zip_public() -> PaperTable {
    let rows = [["11001"], ["11001"], ["12033"], ["12045"]];
    PaperTable { table: texts(["Zipcode"], &rows), names: FOUR.to_vec() }
}

/// Table 4: six clients of a mortgage company. Marital Status is public, Loan Risk private, Sports Car either.
pub fn mortgage_of_six() -> PaperTable {
    PaperTable {
        table: texts(
            ["Marital Status", "Sports Car", "Loan Risk"],
            &[
                ["Unmarried", "Yes", "Good"],
                ["Married", "Yes", "Good"],
                ["Married", "No", "Bad"],
                ["Married", "No", "Bad"],
                ["Unmarried", "Yes", "Bad"],
                ["Unmarried", "No", "Bad"],
            ],
        ),
        names: vec!["Lisa", "John", "Ben", "Laura", "Robert", "Anna"],
    }
}

/// Table 5: six customers, numeric, with public zip codes and private incomes (`98k` is 98,000).
pub fn zip_and_income() -> PaperTable {
    let zips = [11001.0, 11001.0, 13010.0, 13010.0, 14384.0, 15013.0];
    let incomes = [98_000.0, 62_000.0, 36_000.0, 115_000.0, 44_000.0, 100_000.0];
    let column = |name, numbers: [f64; 6]| sure(Column::from_numbers(name, &numbers.map(Some)));
    PaperTable {
        table: table(vec![column("Zip Code", zips), column("Income", incomes)]),
        names: vec!["John", "Cathy", "Ben", "Laura", "William", "Lisa"],
    }
}

/// The baskets of section 4.3: 1,000 customers in weighted rows. Cherries and candles are public, the others private.
///
/// As the paper has it, 112 bought cherries, 84 of them Viagra; 30 of the 112 bought candles too, 24 of these Tylenol.
/// The paper leaves the rest open; here it is filled in without certain knowledge about anyone:
///
/// | cherries | candles | Viagra and Tylenol | Viagra only | Tylenol only | neither | together |
/// | --- | --- | --- | --- | --- | --- | --- |
/// | yes | yes | 18 | 4 | 6 | 2 | 30 |
/// | yes | no | 20 | 42 | 8 | 12 | 82 |
/// | no | yes | 2 | 3 | 15 | 40 | 60 |
/// | no | no | 10 | 38 | 160 | 620 | 828 |
pub fn cherries_and_candles() -> Table {
    let counts = [[18, 4, 6, 2], [20, 42, 8, 12], [2, 3, 15, 40], [10, 38, 160, 620]];
    let yes_no = |yes: bool| Some(if yes { "yes" } else { "no" });
    let column = |name, yes: &dyn Fn(usize) -> bool| {
        Column::from_texts(name, &(0..16).map(|row| yes_no(yes(row))).collect::<Vec<_>>())
    };
    let columns = vec![
        column("cherries", &|row| row < 8),
        column("candles", &|row| row / 4 % 2 == 0),
        column("viagra", &|row| row % 4 < 2),
        column("tylenol", &|row| row % 2 == 0),
    ];
    sure(Table::new(columns, People::Weights(counts.concat())))
}

const TWELVE: [&str; 12] = [
    "Anthony", "Brian", "Charles", "David", "Edward", "Frank", "Alice", "Barbara", "Carol", "Donna", "Emily",
    "Fiona",
];

const FOUR: [&str; 4] = ["John", "Lisa", "Ben", "Laura"];

fn texts<const N: usize>(header: [&str; N], rows: &[[&str; N]]) -> Table {
    let column = |(i, name): (usize, &&str)| {
        Column::from_texts(name, &rows.iter().map(|row| Some(row[i])).collect::<Vec<_>>())
    };
    table(header.iter().enumerate().map(column).collect())
}
