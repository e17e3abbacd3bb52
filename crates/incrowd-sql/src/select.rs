//! Which rows are counted, and by what.

use crate::cells::Cell;
use crate::dialect::Dialect;
use crate::engine::{EngineColumn, SqlKind};
use incrowd_core::{Error, Result};
use std::cmp::Ordering;
use std::ops::Range;

/// What rows are counted by.
#[derive(Debug, Clone)]
pub enum Part<'a> {
    /// The values of a column, by its place in the table.
    Values(usize),
    /// Classes of the values of a column, so that only the class of a row leaves the engine.
    Classes(Classes<'a>),
    /// Cells that share no row, by their place in the list.
    Cells(&'a [Cell<'a>]),
}

/// Classes of the values of a column.
#[derive(Debug, Clone, Copy)]
pub struct Classes<'a> {
    /// The column's place in the table.
    pub column: usize,
    /// All its values, as a dictionary has them.
    pub keys: &'a [Option<String>],
    /// The class of each of them.
    pub of_key: &'a [u32],
}

/// Writes queries about one table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Writer<'a> {
    pub(crate) dialect: Dialect,
    pub(crate) relation: &'a str,
    pub(crate) columns: &'a [EngineColumn],
    /// The condition for rows that are counted; empty for all.
    pub(crate) filter: &'a str,
}

impl Writer<'_> {
    /// The number of rows.
    pub(crate) fn rows(&self) -> String {
        format!("SELECT {} FROM {}{}", Self::whole("count(*)"), self.relation, self.where_filter())
    }

    /// Counts rows by parts.
    pub(crate) fn counts(&self, parts: &[Part<'_>], most: usize) -> Result<String> {
        let inner: Vec<String> = parts.iter().map(|part| self.part(part)).collect::<Result<_>>()?;
        let inner = inner.iter().enumerate().map(|(place, part)| format!("{part} AS k{place}"));
        let outer: Vec<String> =
            parts.iter().enumerate().map(|(k, part)| self.shown(part, k)).collect::<Result<_>>()?;
        let outer = outer.into_iter().chain([Self::whole("count(*)")]);
        let keys: Vec<String> = (0..parts.len()).map(|place| format!("k{place}")).collect();
        let (inner, outer) = (inner.collect::<Vec<_>>().join(", "), outer.collect::<Vec<_>>().join(", "));
        Ok(format!(
            "SELECT {outer} FROM (SELECT {inner} FROM {}{}) AS counted GROUP BY {} LIMIT {}",
            self.relation,
            self.where_filter(),
            keys.join(", "),
            most + 1
        ))
    }

    /// Counts the rows without a value in some columns: in any of them first, then in each.
    pub(crate) fn missing(&self, conditions: &[String]) -> String {
        let count = |condition: &String| Self::whole(&format!("count(CASE WHEN {condition} THEN 1 END)"));
        let any = conditions.join(" OR ");
        let counts: Vec<String> = [&any].into_iter().chain(conditions).map(count).collect();
        format!("SELECT {} FROM {}", counts.join(", "), self.relation)
    }

    /// How often the values of a column repeat, except for some: the rows with a value of an earlier one, and the most
    /// rows of one value.
    pub(crate) fn repeats(&self, column: usize, except: &[String]) -> Result<String> {
        let (kind, name) = self.column(column)?;
        let key = self.dialect.key(kind, &name);
        let except: Vec<String> =
            except.iter().map(|text| self.dialect.value(SqlKind::Text, text)).collect::<Result<_>>()?;
        let but = if except.is_empty() {
            String::new()
        } else {
            format!(" AND NOT {key} IN ({})", except.join(", "))
        };
        Ok(format!(
            "SELECT {}, {} FROM (SELECT count(*) AS n FROM {} WHERE {name} IS NOT NULL{but} GROUP BY {}) AS counted",
            Self::whole("coalesce(sum(n - 1), 0)"),
            Self::whole("coalesce(max(n), 0)"),
            self.relation,
            self.dialect.grouped(kind, &name)
        ))
    }

    /// The condition for rows with one of these values.
    pub(crate) fn is_one_of(&self, column: usize, keys: &[Option<String>]) -> Result<String> {
        let (kind, name) = self.column(column)?;
        let texts: Vec<&String> = keys.iter().flatten().collect();
        let mut either = Vec::new();
        if texts.len() < keys.len() {
            either.push(format!("{name} IS NULL"));
        }
        if !texts.is_empty() {
            either.push(self.is_in(kind, &name, &texts)?);
        }
        Ok(format!("({})", either.join(" OR ")))
    }

    fn is_in(&self, kind: SqlKind, name: &str, keys: &[&String]) -> Result<String> {
        let values: Vec<String> =
            keys.iter().map(|key| self.dialect.value(SqlKind::Text, key)).collect::<Result<_>>()?;
        // A null is in no list, and its condition must be false, not unknown.
        Ok(format!("({name} IS NOT NULL AND {} IN ({}))", self.key_of(kind, name), values.join(", ")))
    }

    fn key_of(&self, kind: SqlKind, name: &str) -> String {
        self.dialect.key(kind, name)
    }

    pub(crate) fn where_filter(&self) -> String {
        if self.filter.is_empty() { String::new() } else { format!(" WHERE {}", self.filter) }
    }

    pub(crate) fn whole(expression: &str) -> String {
        format!("CAST({expression} AS BIGINT)")
    }

    fn column(&self, column: usize) -> Result<(SqlKind, String)> {
        let own = self.columns.get(column).ok_or_else(|| Error::internal("the table has no such column"))?;
        Ok((own.kind.ok_or_else(|| unmapped(own))?, self.dialect.identifier(&own.name)?))
    }

    pub(crate) fn part(&self, part: &Part<'_>) -> Result<String> {
        match part {
            Part::Values(column) => {
                let (kind, name) = self.column(*column)?;
                Ok(self.dialect.grouped(kind, &name))
            }
            Part::Classes(classes) => self.classes(classes),
            Part::Cells(cells) => {
                let cells = cells.iter().enumerate().map(|(place, cell)| (place, cell.iter().collect()));
                self.cell_number(cells.collect())
            }
        }
    }

    /// A part as the outer query shows it.
    pub(crate) fn shown(&self, part: &Part<'_>, place: usize) -> Result<String> {
        Ok(match part {
            Part::Values(column) => match self.column(*column)?.0 {
                SqlKind::Text => format!("k{place}"),
                kind => self.dialect.key(kind, &format!("k{place}")),
            },
            Part::Classes(_) | Part::Cells(_) => Self::whole(&format!("k{place}")),
        })
    }

    /// The condition for rows whose value has a class in one of some ranges.
    pub(crate) fn condition(&self, classes: &Classes<'_>, ranges: &[Range<u32>]) -> Result<String> {
        let (kind, name) = self.column(classes.column)?;
        let passes = |class: u32| ranges.iter().any(|range| range.contains(&class));
        let known = || classes.keys.iter().zip(classes.of_key);
        let texts = known().filter_map(|(key, class)| Some((key.as_ref()?, u32::from(passes(*class)))));
        let (ordered, others) = in_few_runs(kind, texts.collect());
        let is_ordered = others.is_empty();
        let mut either = Vec::new();
        if known().any(|(key, class)| key.is_none() && passes(*class)) {
            either.push(format!("{name} IS NULL"));
        }
        let others: Vec<&String> =
            others.iter().filter(|(_, passes)| *passes == 1).map(|(key, _)| *key).collect();
        if !others.is_empty() {
            either.push(self.is_in(kind, &name, &others)?);
        }
        let (number, mut start) = (self.dialect.grouped(kind, &name), 0);
        for run in ordered.chunk_by(|a, b| a.1 == b.1) {
            let end = start + run.len();
            if run[0].1 == 1 {
                let low = format!("{number} >= {}", self.dialect.value(kind, run[0].0)?);
                let high = format!("{number} <= {}", self.dialect.value(kind, run[run.len() - 1].0)?);
                // Values that are not ordered here are somewhere among the others.
                let (is_first, is_last) = (is_ordered && start == 0, is_ordered && end == ordered.len());
                either.push(match (is_first, is_last) {
                    (false, false) if run.len() == 1 => {
                        format!("{number} = {}", self.dialect.value(kind, run[0].0)?)
                    }
                    (true, true) => format!("{name} IS NOT NULL"),
                    (true, false) => high,
                    (false, true) => low,
                    (false, false) => format!("({low} AND {high})"),
                });
            }
            start = end;
        }
        Ok(if either.is_empty() { "(1 = 0)".to_owned() } else { format!("({})", either.join(" OR ")) })
    }

    /// The class of a row as an expression; null for a value that is not in the dictionary.
    fn classes(&self, classes: &Classes<'_>) -> Result<String> {
        let (kind, name) = self.column(classes.column)?;
        let Classes { keys, of_key, .. } = classes;
        if of_key.windows(2).all(|pair| pair[0] == pair[1]) {
            return Ok(of_key.first().copied().unwrap_or(0).to_string());
        }
        let null = keys.iter().zip(*of_key).find(|(key, _)| key.is_none()).map(|(_, class)| *class);
        let texts = keys.iter().zip(*of_key).filter_map(|(key, class)| Some((key.as_ref()?, *class)));
        let (ordered, others) = in_few_runs(kind, texts.collect());
        let mut cases: Vec<String> =
            null.map(|class| format!("WHEN {name} IS NULL THEN {class}")).into_iter().collect();
        for class in distinct(&others) {
            let own: Vec<&String> =
                others.iter().filter(|(_, other)| *other == class).map(|(key, _)| *key).collect();
            cases.push(format!("WHEN {} THEN {class}", self.is_in(kind, &name, &own)?));
        }
        let ends: Vec<Classed<'_>> =
            ordered.chunk_by(|a, b| a.1 == b.1).map(|run| run[run.len() - 1]).collect();
        if let Some(&(last, _)) = ends.last() {
            let (number, last) = (self.dialect.grouped(kind, &name), self.dialect.value(kind, last)?);
            cases.push(format!("WHEN {number} <= {last} THEN {}", self.searched(kind, &number, &ends)?));
        }
        Ok(format!("CASE {} END", cases.join(" ")))
    }

    /// The class of a value up to the last of some values, each of which ends a class: by a binary search.
    fn searched(&self, kind: SqlKind, number: &str, ends: &[Classed<'_>]) -> Result<String> {
        if let [(_, class)] = ends {
            return Ok(class.to_string());
        }
        let (low, high) = ends.split_at(ends.len() / 2);
        let end = self.dialect.value(kind, low[low.len() - 1].0)?;
        let (low, high) = (self.searched(kind, number, low)?, self.searched(kind, number, high)?);
        Ok(format!("CASE WHEN {number} <= {end} THEN {low} ELSE {high} END"))
    }
}

/// The error for a column whose type cannot be read.
pub(crate) fn unmapped(column: &EngineColumn) -> Error {
    Error::input(format!("columns of the type {} cannot be read", column.type_name))
        .of_attribute(&column.name)
        .help("read a view that converts the column to text, numbers or dates, or give it the role `ignored`")
}

fn distinct(keys: &[(&String, u32)]) -> Vec<u32> {
    let mut classes: Vec<u32> = keys.iter().map(|(_, class)| *class).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// A value of a dictionary with its class.
type Classed<'k> = (&'k String, u32);

/// The most runs of texts of one class that are compared one by one. Longer lists are looked up.
const MOST_RUNS: usize = 64;

/// The values that are compared by order, ascending; and all others. Comparing is cheaper than looking texts up in a
/// list, for which some engines join a table, unless there are very many of them.
fn in_few_runs(kind: SqlKind, keys: Vec<Classed<'_>>) -> (Vec<Classed<'_>>, Vec<Classed<'_>>) {
    let (ordered, others) = in_order(kind, keys.clone());
    let runs = ordered.chunk_by(|a, b| a.1 == b.1).count();
    if kind == SqlKind::Text && runs > MOST_RUNS { (Vec::new(), keys) } else { (ordered, others) }
}

/// The values that the engine orders as numbers, days or bytes are ordered, ascending; and all others.
fn in_order(kind: SqlKind, keys: Vec<Classed<'_>>) -> (Vec<Classed<'_>>, Vec<Classed<'_>>) {
    let (ordered, others): (Vec<_>, Vec<_>) =
        keys.iter().copied().partition(|(key, _)| place(kind, key).is_some());
    let mut ordered: Vec<(Place, Classed<'_>)> =
        ordered.into_iter().filter_map(|classed| Some((place(kind, classed.0)?, classed))).collect();
    ordered.sort_by(|a, b| a.0.order(&b.0));
    // Decimals that no double distinguishes are not ordered here.
    if ordered.windows(2).any(|pair| pair[0].0.order(&pair[1].0) == Ordering::Equal) {
        return (Vec::new(), keys);
    }
    (ordered.into_iter().map(|(_, classed)| classed).collect(), others)
}

/// Where a value is among those of its kind.
enum Place<'k> {
    Whole(i128),
    Number(f64),
    Text(&'k str),
}

impl Place<'_> {
    fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => a.cmp(b),
            (Self::Number(a), Self::Number(b)) => a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            _ => Ordering::Equal,
        }
    }
}

fn place(kind: SqlKind, key: &str) -> Option<Place<'_>> {
    match kind {
        SqlKind::Whole => key.parse().ok().map(Place::Whole),
        SqlKind::Single | SqlKind::Double | SqlKind::Decimal => {
            key.parse().ok().filter(|number: &f64| number.is_finite()).map(Place::Number)
        }
        // Texts are compared byte by byte.
        SqlKind::Text => Some(Place::Text(key)),
        // Days of four-digit years are in the order of their texts.
        SqlKind::Date if key.len() == 10 && key.as_bytes()[0].is_ascii_digit() => Some(Place::Text(key)),
        SqlKind::Date | SqlKind::Boolean => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, kind: SqlKind) -> EngineColumn {
        EngineColumn { name: name.to_owned(), kind: Some(kind), type_name: String::new() }
    }

    fn keys(texts: &[&str]) -> Vec<Option<String>> {
        texts.iter().map(|text| (*text != "-").then(|| (*text).to_owned())).collect()
    }

    #[test]
    fn classes_of_numbers_are_ranges() {
        let columns = [column("n", SqlKind::Double)];
        let writer = Writer { dialect: Dialect::DuckDb, relation: "t", columns: &columns, filter: "" };
        let keys = keys(&["10.0", "-", "9.5", "2.0", "nan"]);
        let classes = Classes { column: 0, keys: &keys, of_key: &[1, 2, 0, 0, 2] };
        let sql = writer.classes(&classes).expect("valid");
        let number = "(\"n\" + CAST(0 AS DOUBLE))";
        assert_eq!(
            sql,
            format!(
                "CASE WHEN \"n\" IS NULL THEN 2 WHEN (\"n\" IS NOT NULL AND CAST({number} AS VARCHAR) IN (('nan' COLLATE \"binary\"))) THEN 2 \
                 WHEN {number} <= CAST('10.0' AS DOUBLE) THEN CASE WHEN {number} <= CAST('9.5' AS DOUBLE) THEN 0 ELSE 1 END END"
            )
        );
        let one = Classes { of_key: &[3; 5], ..classes };
        assert_eq!(writer.classes(&one).expect("valid"), "3");
    }

    #[test]
    fn counts_hide_what_is_not_asked() {
        let columns = [column("a", SqlKind::Text), column("b", SqlKind::Whole)];
        for dialect in [Dialect::PostgreSql, Dialect::SparkSql, Dialect::DataFusion] {
            let writer = Writer { dialect, relation: "t", columns: &columns, filter: "x" };
            let keys = keys(&["1", "2"]);
            let parts = [Part::Values(0), Part::Classes(Classes { column: 1, keys: &keys, of_key: &[0, 1] })];
            let sql = writer.counts(&parts, 5).expect("valid");
            assert!(
                sql.starts_with("SELECT k0, CAST(k1 AS BIGINT), CAST(count(*) AS BIGINT) FROM (SELECT "),
                "{sql}"
            );
            assert!(sql.ends_with("FROM t WHERE x) AS counted GROUP BY k0, k1 LIMIT 6"), "{sql}");
        }
    }

    #[test]
    fn decimals_beyond_doubles_are_listed() {
        let columns = [column("d", SqlKind::Decimal)];
        let writer = Writer { dialect: Dialect::PostgreSql, relation: "t", columns: &columns, filter: "" };
        let keys = keys(&["0.10000000000000000001", "0.10000000000000000002"]);
        let sql = writer.classes(&Classes { column: 0, keys: &keys, of_key: &[0, 1] }).expect("valid");
        assert!(!sql.contains("<=") && sql.contains(" IN "), "{sql}");
    }
}
