//! How the span of a tree reads: the answers of its individuals to public tests, without those that follow from others.

use super::groups::Route;
use crate::table::Column;
use hashbrown::HashMap;
use std::fmt;
use std::ops::Range;

/// The answer of a row to a public test.
pub(super) struct Answer<'a> {
    pub(super) column: &'a Column,
    pub(super) route: &'a Route,
    pub(super) branch: u32,
    pub(super) label: &'a str,
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.column.name(), self.label)
    }
}

/// The values of a column that give all answers so far, as codes.
struct LeftCodes {
    range: Range<u32>,
    /// Which of all codes are left, once an answer is not about a range.
    each: Option<Vec<bool>>,
}

impl LeftCodes {
    fn all(column: &Column) -> Self {
        Self { range: 0..column.code_count() as u32, each: None }
    }

    /// Keeps the codes that give an answer. Returns whether others were left.
    fn meet(&mut self, answer: &Answer<'_>) -> bool {
        match answer.route {
            Route::From(first) => {
                let Range { start, end } = self.range.clone();
                let first = *first;
                let left = if answer.branch == 0 { start..end.min(first) } else { start.max(first)..end };
                let is_narrower = left != self.range;
                self.range = left;
                is_narrower
            }
            Route::Each(_) => {
                let codes = answer.column.code_count();
                let each = self.each.get_or_insert_with(|| vec![true; codes]);
                let mut is_narrower = false;
                for code in self.range.clone() {
                    let left = &mut each[code as usize];
                    let gives = answer.route.branch(code) == answer.branch;
                    is_narrower |= *left && !gives;
                    *left &= gives;
                }
                is_narrower
            }
        }
    }
}

/// The answers in the given order, without those that follow from other answers about the same attribute, given the
/// values of the table. It takes time linear in the answers and the values of their columns.
pub(super) fn needed(mut answers: Vec<Answer<'_>>) -> Vec<Answer<'_>> {
    // Tests are narrower the deeper they are, so an answer is compared with those after it first.
    for _ in 0..2 {
        let mut left: HashMap<&str, LeftCodes> = HashMap::new();
        answers.reverse();
        answers.retain(|answer| {
            let left = left.entry(answer.column.name()).or_insert_with(|| LeftCodes::all(answer.column));
            left.meet(answer)
        });
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_follow_from_later_ones_are_left_out() {
        let age = Column::from_numbers("age", &[10.0, 20.0, 30.0, 40.0].map(Some)).expect("numbers");
        let city = Column::from_texts("city", &["a", "b", "c", "d"].map(Some));
        let to = [2, 1, 3].map(Route::From);
        let one_of_three = Route::Each(vec![1, 1, 1, 0]);
        let one = Route::Each(vec![0, 1, 0, 0]);
        let answer = |column, route, branch, label| Answer { column, route, branch, label };
        let answers = vec![
            answer(&age, &to[0], 0, "<= 25"),
            answer(&city, &one_of_three, 1, "in {a, b, c}"),
            answer(&age, &to[1], 1, "> 15"),
            answer(&city, &one, 1, "= b"),
            answer(&age, &to[2], 0, "<= 35"),
        ];
        let kept: Vec<String> = needed(answers).iter().map(ToString::to_string).collect();
        assert_eq!(kept, ["age <= 25", "age > 15", "city = b"]);
    }
}
