//! The design matrix: standardized numbers, categories as indices, and equal rows merged, with counts by class.

use crate::inducer::Bound;
use incrowd_core::group::group_rows;
use incrowd_core::table::Column;

/// The share of rows with a unique category above which an attribute is left out.
const OWN_NAMES: f64 = 0.99;

/// The rows.
pub(super) struct Design {
    /// The number of coefficients of a class: the intercept, the numbers, the categories of each attribute.
    pub(super) width: usize,
    /// The number of numeric inputs.
    pub(super) numbers: usize,
    /// The number of categorical inputs.
    pub(super) names: usize,
    pub(super) inputs: Vec<Input>,
    /// The classes that occur.
    pub(super) present: Vec<usize>,
    /// The variance of each coefficient's column, for the ridge: 1 for numbers, which are standardized, 0 for the
    /// intercept.
    pub(super) variances: Vec<f64>,
    /// The standardized numbers of each distinct row.
    pub(super) cells: Vec<f64>,
    /// The coefficients of the categories of each distinct row, ascending.
    pub(super) places: Vec<u32>,
    /// The number of rows of each class that occurs, per distinct row.
    pub(super) counts: Vec<f64>,
}

/// An input that is not left out.
pub(super) enum Input {
    /// Numbers.
    Number { name: String, place: usize, mean: f64, deviation: f64 },
    /// Categories that occur, with their shares and the most frequent one.
    Names { name: String, first: usize, names: Vec<String>, shares: Vec<f64>, most: usize },
}

/// An input in preparation.
struct Coded<'a> {
    column: &'a Column,
    /// The weighted number of rows with each code; the missing code is last.
    sizes: Vec<u64>,
}

impl Design {
    pub(super) fn new(bound: &Bound<'_>) -> Self {
        let classes = bound.class.values().len();
        let sizes = bound.sizes();
        let present: Vec<usize> = (0..classes).filter(|&class| sizes[class] > 0).collect();
        let used: Vec<Coded<'_>> = bound
            .inputs
            .iter()
            .map(|&column| Coded { column, sizes: by_code(&bound.counts(column), classes) })
            .filter(Coded::is_useful)
            .collect();
        let (numbers, names): (Vec<_>, Vec<_>) =
            used.into_iter().partition(|coded| coded.column.values().numbers().is_some());
        let mut design = Self {
            width: 1,
            numbers: numbers.len(),
            names: names.len(),
            inputs: Vec::new(),
            present,
            variances: vec![0.0],
            cells: Vec::new(),
            places: Vec::new(),
            counts: Vec::new(),
        };
        let cells: Vec<Vec<f64>> = numbers.iter().map(|coded| design.number(coded)).collect();
        let places: Vec<Vec<u32>> = names.iter().map(|coded| design.names(coded)).collect();
        let columns: Vec<&Column> = numbers.iter().chain(&names).map(|coded| coded.column).collect();
        let first_rows = design.count(bound, &columns);
        for row in first_rows {
            let code = |coded: &Coded<'_>| coded.column.code(row as usize) as usize;
            design.cells.extend(numbers.iter().zip(&cells).map(|(coded, cells)| cells[code(coded)]));
            design.places.extend(names.iter().zip(&places).map(|(coded, places)| places[code(coded)]));
        }
        design
    }

    /// The number of distinct rows.
    pub(super) fn rows(&self) -> usize {
        self.counts.len() / self.present.len()
    }

    /// Counts the classes of each distinct row. Returns one row index for each that has a class.
    fn count(&mut self, bound: &Bound<'_>, columns: &[&Column]) -> Vec<u32> {
        let grouping = group_rows(bound.table.rows(), columns);
        let mut place = vec![usize::MAX; bound.class.values().len() + 1];
        self.present.iter().enumerate().for_each(|(new, &class)| place[class] = new);
        let classes = self.present.len();
        let mut counts = vec![0.0; grouping.count as usize * classes];
        for (row, class) in bound.class.codes().iter().enumerate() {
            let place = place[class as usize];
            if place < classes {
                counts[grouping.of_row[row] as usize * classes + place] += f64::from(bound.table.weight(row));
            }
        }
        let mut rows = grouping.first_rows();
        let has_class: Vec<bool> =
            counts.chunks_exact(classes).map(|counts| counts.iter().any(|&n| n > 0.0)).collect();
        self.counts = counts
            .chunks_exact(classes)
            .zip(&has_class)
            .filter(|(_, has)| **has)
            .flat_map(|(n, _)| n.to_vec())
            .collect();
        let mut has_class = has_class.into_iter();
        rows.retain(|_| has_class.next().unwrap_or(false));
        rows
    }

    /// Adds a numeric input. Returns the standardized number of each code.
    fn number(&mut self, coded: &Coded<'_>) -> Vec<f64> {
        let numbers = coded.column.values().numbers().unwrap_or(&[]);
        let weighted = || numbers.iter().zip(&coded.sizes).map(|(&number, &size)| (number, size as f64));
        let weight: f64 = weighted().map(|(_, size)| size).sum();
        let mean = weighted().map(|(number, size)| number * (size / weight)).sum::<f64>();
        let squares: f64 = weighted().map(|(number, size)| size * (number - mean).powi(2)).sum();
        let deviation = (squares / (weight - 1.0).max(1.0)).sqrt();
        let deviation = if deviation > 0.0 && deviation.is_finite() { deviation } else { 1.0 };
        let name = coded.column.name().to_owned();
        self.inputs.push(Input::Number { name, place: self.width, mean, deviation });
        self.width += 1;
        self.variances.push(1.0);
        numbers.iter().map(|number| (number - mean) / deviation).chain([0.0]).collect()
    }

    /// Adds a categorical input. Returns the coefficient of each code.
    fn names(&mut self, coded: &Coded<'_>) -> Vec<u32> {
        let values = coded.column.values();
        let (own, first) = (&coded.sizes[..values.len()], self.width);
        let occur: Vec<usize> = (0..own.len()).filter(|&code| own[code] > 0).collect();
        let all: u64 = coded.sizes.iter().sum();
        let most = (0..occur.len()).rev().max_by_key(|&place| own[occur[place]]).unwrap_or(0);
        // A missing value counts as the most frequent category.
        let size =
            |place: usize| own[occur[place]] + if place == most { coded.sizes[values.len()] } else { 0 };
        let shares: Vec<f64> = (0..occur.len()).map(|place| size(place) as f64 / all as f64).collect();
        self.variances.extend(shares.iter().map(|share| share * (1.0 - share)));
        self.width += occur.len();
        let mut places = vec![(first + most) as u32; values.len() + 1];
        (first as u32..).zip(&occur).for_each(|(place, &code)| places[code] = place);
        let names = occur.iter().map(|&code| values.text(code).into_owned()).collect();
        self.inputs.push(Input::Names { name: coded.column.name().to_owned(), first, names, shares, most });
        places
    }
}

impl Coded<'_> {
    /// Whether there are at least two values, and categories that several rows have.
    fn is_useful(&self) -> bool {
        let own = &self.sizes[..self.column.values().len()];
        let different = own.iter().filter(|&&size| size > 0).count();
        let rows: u64 = own.iter().sum();
        let is_number = self.column.values().numbers().is_some();
        different > 1 && (is_number || different as f64 <= OWN_NAMES * rows as f64)
    }
}

fn by_code(counts: &[u64], classes: usize) -> Vec<u64> {
    counts.chunks_exact(classes).map(|of_code| of_code.iter().sum()).collect()
}
