//! Columns of machine words, numbered before it is known what the words mean.
//!
//! Other programs keep equal texts as one object with many references. The addresses of these objects are words, and
//! only one object of each address has to become text. An address never leaves this module: rows are compared by it,
//! not led to it.

use super::super::crew::for_each;
use super::super::store::{extend, widen};
use super::super::words::Words;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, RecordBatch};
use hashbrown::DefaultHashBuilder;
use incrowd_core::table::Codes;
use incrowd_core::{Error, Result};
use std::hash::BuildHasher;

/// Words that are numbered before codes are stored.
const BLOCK: usize = 1 << 14;

/// A column of words: equal words have the same code, in order of first appearance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedWords {
    /// The code of each row.
    pub codes: Codes,
    /// For each code the first row that has it.
    pub first_rows: Vec<u32>,
}

/// Numbers the words of each column of a batch, several columns at a time; none for a column with more than `most`
/// different words.
///
/// # Errors
/// When a column does not consist of unsigned words of 64 bits, or the batch has too many rows.
pub fn number_words(batch: &RecordBatch, most: usize, threads: usize) -> Result<Vec<Option<NumberedWords>>> {
    if u32::try_from(batch.num_rows()).is_err() {
        return Err(Error::input("the frame has too many rows"));
    }
    let words = |array: &std::sync::Arc<dyn Array>| {
        let words = array.as_primitive_opt::<UInt64Type>().filter(|words| words.null_count() == 0);
        words.map(|words| words.values().clone()).ok_or_else(|| Error::internal("a column is not of words"))
    };
    let columns = batch.columns().iter().map(words).collect::<Result<Vec<_>>>()?;
    for_each(columns, super::crew_of(threads), |words| number(&words, most))
}

fn number(words: &[u64], most: usize) -> Option<NumberedWords> {
    let mut known = Words::new(DefaultHashBuilder::default().hash_one(0_u64) | 1);
    let (mut codes, mut first_rows) = (Codes::U8(Vec::with_capacity(words.len())), Vec::new());
    let mut of_block = Vec::with_capacity(BLOCK);
    for (number, block) in words.chunks(BLOCK).enumerate() {
        of_block.clear();
        for (row, &word) in (number * BLOCK..).zip(block) {
            let code = known.code(word);
            if code as usize == first_rows.len() {
                first_rows.push(row as u32);
            }
            of_block.push(code);
        }
        if first_rows.len() > most {
            return None;
        }
        codes = widen(codes, first_rows.len());
        match &mut codes {
            Codes::U8(codes) => extend(codes, &of_block, None, |code| code as u8),
            Codes::U16(codes) => extend(codes, &of_block, None, |code| code as u16),
            Codes::U32(codes) => extend(codes, &of_block, None, |code| code),
        }
    }
    Some(NumberedWords { codes, first_rows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Int64Array, UInt64Array};
    use std::sync::Arc;

    fn batch(columns: Vec<Vec<u64>>) -> RecordBatch {
        let named = columns.into_iter().enumerate();
        RecordBatch::try_from_iter(
            named.map(|(place, words)| {
                (place.to_string(), Arc::new(UInt64Array::from(words)) as Arc<dyn Array>)
            }),
        )
        .unwrap()
    }

    /// The same by a search through all words before.
    fn naive(words: &[u64]) -> (Vec<u32>, Vec<u32>) {
        let (mut codes, mut first): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for (row, word) in words.iter().enumerate() {
            let known = first.iter().position(|&row| words[row as usize] == *word);
            codes.push(known.unwrap_or(first.len()) as u32);
            if known.is_none() {
                first.push(row as u32);
            }
        }
        (codes, first)
    }

    #[test]
    fn words_are_numbered_as_they_appear_for_any_number_of_threads() {
        let many = |modulus: u64| (0..3 * BLOCK as u64 + 5).map(|row| row * row % modulus * 8).collect();
        let columns: Vec<Vec<u64>> = vec![many(7), many(997), many(2), vec![u64::MAX; 3 * BLOCK + 5]];
        for threads in [1, 2, 7] {
            let numbered = number_words(&batch(columns.clone()), 1 << 20, threads).unwrap();
            for (column, numbered) in columns.iter().zip(numbered) {
                let numbered = numbered.unwrap();
                let (codes, first) = naive(column);
                assert_eq!(numbered.codes.iter().collect::<Vec<_>>(), codes);
                assert_eq!(numbered.first_rows, first);
            }
        }
    }

    #[test]
    fn codes_are_as_narrow_as_their_number_allows() {
        let numbered = number_words(&batch(vec![(0..256).collect()]), 256, 1).unwrap().remove(0).unwrap();
        assert!(matches!(numbered.codes, Codes::U8(_)));
        // The wider ones appear in a later block.
        let words = (0..BLOCK as u64).map(|row| row % 200).chain(0..70_000).collect();
        let numbered = number_words(&batch(vec![words]), 70_000, 1).unwrap().remove(0).unwrap();
        assert!(matches!(&numbered.codes, Codes::U32(codes) if codes[BLOCK + 69_999] == 69_999));
    }

    #[test]
    fn a_column_with_too_many_words_is_given_up() {
        let numbered = number_words(&batch(vec![(0..10).collect(), vec![3; 10]]), 9, 2).unwrap();
        assert!(numbered[0].is_none());
        assert_eq!(numbered[1].as_ref().unwrap().first_rows, [0]);
    }

    #[test]
    fn other_columns_are_refused() {
        let numbers = Arc::new(Int64Array::from(vec![1])) as Arc<dyn Array>;
        assert!(number_words(&RecordBatch::try_from_iter([("x", numbers)]).unwrap(), 9, 1).is_err());
        let nulls = Arc::new(UInt64Array::from(vec![Some(1), None])) as Arc<dyn Array>;
        assert!(number_words(&RecordBatch::try_from_iter([("x", nulls)]).unwrap(), 9, 1).is_err());
    }
}
