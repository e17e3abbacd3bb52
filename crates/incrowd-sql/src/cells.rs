//! Counts of rows in many cells at once: one query for all of them.
//!
//! A cell is a set of rows, given by tests of columns. Cells that share no row are numbered by one `CASE` expression, in
//! which rows pass a tree of tests: a row is compared with about as many values as the tree is deep, however many cells
//! there are. Cells that share rows, such as a node and a span that it is part of, are in different *layers*, each with
//! an expression of its own. For each layer and pair of columns there is one `SELECT … GROUP BY`; all are parts of one
//! query (`UNION ALL`).

use crate::select::{Classes, Part, Writer};
use incrowd_core::Result;
use std::collections::HashSet;
use std::ops::Range;

/// A test of a row: whether the number of its value is in one of some ranges.
#[derive(Debug, Clone)]
pub struct CellRange<'a> {
    /// The numbers of the column's values.
    pub numbers: Classes<'a>,
    /// The ranges, ascending.
    pub ranges: Vec<Range<u32>>,
}

/// Rows that pass some tests: at most one for each column.
pub type Cell<'a> = Vec<CellRange<'a>>;

/// What is counted: rows of cells by pairs of parts.
#[derive(Debug)]
pub struct CellCounts<'a> {
    /// The cells.
    pub cells: &'a [Cell<'a>],
    /// The pairs.
    pub pairs: &'a [[Part<'a>; 2]],
    /// Which cell is counted by which pair.
    pub wanted: &'a [(usize, usize)],
}

impl Writer<'_> {
    /// Counts the rows of cells: the number of a pair, that of a cell, both keys, and the rows.
    pub(crate) fn cell_counts(&self, counts: &CellCounts<'_>, most: usize) -> Result<String> {
        let wanted: HashSet<(usize, usize)> = counts.wanted.iter().copied().collect();
        let mut parts = Vec::new();
        for layer in layers(counts.cells) {
            for (number, pair) in counts.pairs.iter().enumerate() {
                let is_wanted = |cell: &&usize| wanted.contains(&(**cell, number));
                let own: Vec<usize> = layer.iter().filter(is_wanted).copied().collect();
                if !own.is_empty() {
                    parts.push(self.cell_count(counts.cells, &own, (number, pair))?);
                }
            }
        }
        Ok(format!("SELECT * FROM ({}) AS together LIMIT {}", parts.join(" UNION ALL "), most + 1))
    }

    fn cell_count(
        &self,
        cells: &[Cell<'_>],
        own: &[usize],
        (number, pair): (usize, &[Part<'_>; 2]),
    ) -> Result<String> {
        let tests: Vec<(usize, Vec<&CellRange<'_>>)> =
            own.iter().map(|&cell| (cell, cells[cell].iter().collect())).collect();
        let cell = self.cell_number(tests)?;
        let [a, b] = [self.part(&pair[0])?, self.part(&pair[1])?];
        let [key_a, key_b] = [self.text_of(&pair[0], 0)?, self.text_of(&pair[1], 1)?];
        let (count, number_of) = (Self::whole("count(*)"), Self::whole("cell"));
        Ok(format!(
            "SELECT {} AS pair, {number_of} AS cell, {key_a} AS a, {key_b} AS b, {count} AS n FROM \
             (SELECT {cell} AS cell, {a} AS k0, {b} AS k1 FROM {}{}) AS counted WHERE cell IS NOT NULL GROUP BY cell, k0, k1",
            Self::whole(&number.to_string()),
            self.relation,
            self.where_filter()
        ))
    }

    /// The key of a part as a text.
    fn text_of(&self, part: &Part<'_>, place: usize) -> Result<String> {
        let shown = self.shown(part, place)?;
        Ok(format!("CAST({shown} AS {})", self.dialect.text_type()))
    }

    /// The number of a row's cell as an expression; null for rows in none. The cells share no row.
    pub(crate) fn cell_number(&self, cells: Vec<(usize, Vec<&CellRange<'_>>)>) -> Result<String> {
        if let [(cell, tests)] = &cells[..] {
            let conditions: Vec<String> = tests
                .iter()
                .map(|test| self.condition(&test.numbers, &test.ranges))
                .collect::<Result<_>>()?;
            if conditions.is_empty() {
                return Ok(cell.to_string());
            }
            return Ok(format!("CASE WHEN {} THEN {cell} END", conditions.join(" AND ")));
        }
        let Some((column, groups)) = best_division(&cells) else {
            let case =
                |cell: (usize, Vec<&CellRange<'_>>)| Ok(format!("({})", self.cell_number(vec![cell])?));
            let cases: Vec<String> = cells.into_iter().map(case).collect::<Result<_>>()?;
            return Ok(format!("coalesce({})", cases.join(", ")));
        };
        let mut cells: Vec<Option<(usize, Vec<&CellRange<'_>>)>> = cells.into_iter().map(Some).collect();
        let mut cases = Vec::new();
        for Group { ranges, cells: own } in groups {
            let mut own: Vec<_> = own.into_iter().filter_map(|place| cells[place].take()).collect();
            let Some(numbers) = own[0].1.iter().find(|test| test.numbers.column == column) else { continue };
            let condition = self.condition(&numbers.numbers, &ranges)?;
            for (_, tests) in &mut own {
                tests.retain(|test| test.numbers.column != column || test.ranges != ranges);
            }
            cases.push(format!("WHEN {condition} THEN {}", self.cell_number(own)?));
        }
        Ok(format!("CASE {} END", cases.join(" ")))
    }
}

/// Cells that share no row with the others, by what they have of one column.
struct Group {
    /// What they have together.
    ranges: Vec<Range<u32>>,
    /// The places of the cells.
    cells: Vec<usize>,
}

/// The column that divides cells best, and the groups: the largest has the fewest cells. None where no column does.
fn best_division(cells: &[(usize, Vec<&CellRange<'_>>)]) -> Option<(usize, Vec<Group>)> {
    let columns = cells[0].1.iter().map(|test| test.numbers.column);
    let divisions = columns.filter_map(|column| {
        let groups = division(cells, column)?;
        let largest = groups.iter().map(|group| group.cells.len()).max()?;
        (groups.len() > 1).then_some((largest, column, groups))
    });
    divisions
        .min_by_key(|(largest, column, _)| (*largest, *column))
        .map(|(_, column, groups)| (column, groups))
}

/// The cells in groups that share no value of a column; none if a cell has all values.
fn division(cells: &[(usize, Vec<&CellRange<'_>>)], column: usize) -> Option<Vec<Group>> {
    let mut all: Vec<(Range<u32>, usize)> = Vec::new();
    for (place, (_, tests)) in cells.iter().enumerate() {
        let own = tests.iter().find(|test| test.numbers.column == column)?;
        all.extend(own.ranges.iter().map(|range| (range.clone(), place)));
    }
    all.sort_unstable_by_key(|(range, place)| (range.start, range.end, *place));
    let mut group_of: Vec<usize> = (0..cells.len()).collect();
    let mut end: Option<(u32, usize)> = None;
    for (range, place) in &all {
        end = match end {
            Some((last, other)) if range.start < last => {
                join(&mut group_of, *place, other);
                Some((last.max(range.end), other))
            }
            _ => Some((range.end, *place)),
        };
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut number = vec![usize::MAX; cells.len()];
    for (range, place) in all {
        let root = root(&group_of, place);
        if number[root] == usize::MAX {
            number[root] = groups.len();
            groups.push(Group { ranges: Vec::new(), cells: Vec::new() });
        }
        let group = &mut groups[number[root]];
        match group.ranges.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => group.ranges.push(range),
        }
        group.cells.push(place);
    }
    for group in &mut groups {
        group.cells.sort_unstable();
        group.cells.dedup();
    }
    Some(groups)
}

fn root(group_of: &[usize], mut place: usize) -> usize {
    while group_of[place] != place {
        place = group_of[place];
    }
    place
}

fn join(group_of: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(group_of, a), root(group_of, b));
    group_of[a.max(b)] = a.min(b);
}

/// The cells in layers; those of a layer share no row.
fn layers(cells: &[Cell<'_>]) -> Vec<Vec<usize>> {
    let mut layers: Vec<Vec<usize>> = Vec::new();
    for (place, cell) in cells.iter().enumerate() {
        let fits = |layer: &&mut Vec<usize>| layer.iter().all(|&other| are_apart(cell, &cells[other]));
        match layers.iter_mut().find(fits) {
            Some(layer) => layer.push(place),
            None => layers.push(vec![place]),
        }
    }
    layers
}

/// Whether no row can be in both of two cells.
fn are_apart(one: &Cell<'_>, other: &Cell<'_>) -> bool {
    one.iter().any(|test| {
        let own = other.iter().find(|own| own.numbers.column == test.numbers.column);
        own.is_some_and(|own| !overlap(&test.ranges, &own.ranges))
    })
}

fn overlap(one: &[Range<u32>], other: &[Range<u32>]) -> bool {
    let (mut a, mut b) = (0, 0);
    while let (Some(one), Some(other)) = (one.get(a), other.get(b)) {
        if one.end <= other.start {
            a += 1;
        } else if other.end <= one.start {
            b += 1;
        } else {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::engine::{EngineColumn, SqlKind};

    fn keys(count: u32) -> (Vec<Option<String>>, Vec<u32>) {
        ((0..count).map(|n| Some(n.to_string())).collect(), (0..count).collect())
    }

    fn ranges(ends: &[(u32, u32)]) -> Vec<Range<u32>> {
        ends.iter().map(|&(start, end)| start..end).collect()
    }

    /// The expression for cells with tests of columns.
    fn expression(cells: &[&[(usize, (u32, u32))]]) -> String {
        let column = |name: &str| EngineColumn {
            name: name.to_owned(),
            kind: Some(SqlKind::Whole),
            type_name: String::new(),
        };
        let columns = [column("x"), column("y")];
        let writer = Writer { dialect: Dialect::PostgreSql, relation: "t", columns: &columns, filter: "" };
        let (keys, of_key) = keys(10);
        let test = |(column, ends): &(usize, (u32, u32))| CellRange {
            numbers: Classes { column: *column, keys: &keys, of_key: &of_key },
            ranges: ranges(&[*ends]),
        };
        let cells: Vec<Cell<'_>> = cells.iter().map(|tests| tests.iter().map(test).collect()).collect();
        let own = cells.iter().enumerate().map(|(place, cell)| (place, cell.iter().collect())).collect();
        writer.cell_number(own).expect("valid").replace("CAST('", "").replace("' AS BIGINT)", "")
    }

    #[test]
    fn cells_are_numbered_by_a_tree_of_tests() {
        assert_eq!(expression(&[&[]]), "0");
        let low = (0, (0, 4));
        let sql = expression(&[&[low, (1, (0, 5))], &[low, (1, (5, 10))], &[(0, (4, 10))]]);
        assert_eq!(
            sql,
            "CASE WHEN (\"x\" <= 3) THEN CASE WHEN (\"y\" <= 4) THEN 0 WHEN (\"y\" >= 5) THEN 1 END \
             WHEN (\"x\" >= 4) THEN 2 END"
        );
    }

    #[test]
    fn layers_share_no_row() {
        let (keys, of_key) = keys(10);
        let test = |column, ends: &[(u32, u32)]| CellRange {
            numbers: Classes { column, keys: &keys, of_key: &of_key },
            ranges: ranges(ends),
        };
        let cells = vec![
            vec![test(0, &[(0, 4), (6, 8)])],
            vec![test(0, &[(4, 6), (8, 10)])],
            vec![test(1, &[(0, 4)])],
            vec![test(0, &[(0, 1)]), test(1, &[(4, 10)])],
        ];
        assert_eq!(layers(&cells), [vec![0, 1], vec![2, 3]]);
        // Interleaved values of two cells are two groups.
        let own: Vec<_> =
            cells[..2].iter().enumerate().map(|(place, cell)| (place, cell.iter().collect())).collect();
        assert_eq!(division(&own, 0).map(|groups| groups.len()), Some(2));
    }
}
