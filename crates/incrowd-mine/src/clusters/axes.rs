//! The attributes that the distance is taken over: their scales, and how precisely centroids state them.

use super::lloyd::Cluster;
use super::params::{CheckedClusterParams, Scaling};
use crate::missing::lost_by_dropping;
use incrowd_core::model::{Axis, Domain};
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::printed::{Holders, is_declared, required_holders};
use incrowd_core::table::{Column, People, Table, Values};
use incrowd_core::{Error, Result};

/// An attribute of the clustering.
pub(super) struct ScaledAxis<'a> {
    pub(super) column: &'a Column,
    pub(super) axis: Axis,
    /// What its coordinates are divided by while clusters are looked for: the scale, and a power of two that is the
    /// same for all axes.
    pub(super) divisor: f64,
    /// Coordinates of centroids are rounded to a multiple of ten to this power.
    exponent: i32,
}

/// The axes of a clustering, and what the owner should know of them.
pub(super) struct Axes<'a> {
    pub(super) told: Vec<ScaledAxis<'a>>,
    pub(super) warnings: Vec<String>,
}

/// Shares of names are stated in whole percent.
const PERCENT: i32 = -2;

impl<'a> Axes<'a> {
    /// Chooses the axes.
    ///
    /// # Errors
    /// When an attribute cannot be clustered by, or none is left.
    pub(super) fn new(table: &'a Table, policy: &Policy, params: &CheckedClusterParams) -> Result<Self> {
        let mut axes = Self { told: Vec::new(), warnings: Vec::new() };
        let required = required_holders(&params.guarantee);
        let (mut gaps, known) = (Vec::new(), policy.knowledge());
        for column in columns(table, policy, &params.attributes)? {
            if column.has_missing() && params.attributes.is_empty() {
                gaps.push(format!("`{}` ({})", column.name(), missing_share(column)));
                continue;
            }
            let known = known.knows(column.name())?;
            if !known && rare_names(table, policy, column, required) {
                axes.leave_out(column, required, !params.attributes.is_empty())?;
                continue;
            }
            axes.add(table, policy, (column, known), params.scaling)?;
        }
        axes.leave_gaps_out(&gaps, table, policy);
        if axes.told.is_empty() {
            return Err(Error::input("no attribute to cluster by")
                .help("give attributes that differ between individuals a public or private role"));
        }
        axes.divide();
        Ok(axes)
    }

    /// Chooses the power of two so that numbers are about 1 at most, and neither they nor their squares overflow.
    fn divide(&mut self) {
        let largest = |told: &ScaledAxis<'_>| {
            let numbers = told.column.values().numbers().unwrap_or_default();
            numbers.iter().fold(0.0_f64, |most, x| x.abs().max(most)) / told.axis.scale
        };
        let largest = self.told.iter().map(largest).fold(0.0, f64::max);
        let exponent = if largest > 0.0 { (largest.log2() as i32).clamp(-1000, 1000) } else { 0 };
        let unit = 2_f64.powi(exponent);
        self.told.iter_mut().for_each(|told| told.divisor = told.axis.scale * unit);
    }

    /// Warns about attributes that are left out because values are missing: an individual without a value has no place
    /// on an axis.
    fn leave_gaps_out(&mut self, gaps: &[String], table: &Table, policy: &Policy) {
        if gaps.is_empty() {
            return;
        }
        let are = if gaps.len() == 1 { "is" } else { "are" };
        self.warnings.push(format!(
            "{} {are} left out: values are missing in some rows, and distances need all values (missing-rows = \
             \"drop\" in the policy would leave out {} instead)",
            gaps.join(", "),
            lost_by_dropping(table, policy)
        ));
    }

    /// Leaves out an attribute whose names must not be printed; that is an error if it was requested.
    fn leave_out(&mut self, column: &Column, required: u64, asked_for: bool) -> Result<()> {
        let what = format!(
            "centroids list every value, but fewer than {required} individuals have some of these values, and the \
             policy does not declare them"
        );
        if asked_for {
            return Err(Error::input(what)
                .of_attribute(column.name())
                .help("declare the attribute's `values` in the policy if they may be known"));
        }
        self.warnings.push(format!("`{}` is left out: {what} (`values`)", column.name()));
        Ok(())
    }

    fn add(
        &mut self,
        table: &'a Table,
        policy: &Policy,
        (column, known): (&'a Column, bool),
        scaling: Scaling,
    ) -> Result<()> {
        let name = column.name();
        if column.has_missing() {
            return Err(Error::parameters("values are missing in some rows, and distances need all values")
                .of_attribute(name)
                .help(format!(
                    "name other attributes to cluster by (`attributes`), or drop rows with missing values: missing-rows = \"drop\" in the policy leaves out {}",
                    lost_by_dropping(table, policy)
                )));
        }
        let declared = policy.attribute(name);
        let axis = axis(column, declared)?;
        let deviation = deviation(table, column);
        if deviation <= 0.0 {
            self.warnings.push(format!("`{name}` is left out: it has only one value"));
            return Ok(());
        }
        if !known
            && matches!(axis.domain, Domain::Numbers { low, high } if low.is_infinite() || high.is_infinite())
        {
            self.warnings.push(format!(
                "`{name}` is private and has no range: the audit assumes that an attacker considers every number possible; declare `range` in the policy"
            ));
        }
        let scale = match scaling {
            Scaling::Deviation => rounded(deviation, magnitude(deviation) - 1),
            Scaling::None => 1.0,
        };
        let exponent = match &axis.domain {
            // A broken number is not a date.
            Domain::Numbers { .. } if axis.dates => (magnitude(deviation) - 1).max(0),
            Domain::Numbers { .. } => magnitude(deviation) - 1,
            Domain::Values(_) => PERCENT,
        };
        self.told.push(ScaledAxis { column, axis: Axis { scale, ..axis }, divisor: scale, exponent });
        Ok(())
    }

    /// The axes of the model.
    pub(super) fn of_model(&self) -> Vec<Axis> {
        self.told.iter().map(|told| told.axis.clone()).collect()
    }

    /// The number of coordinates.
    pub(super) fn width(&self) -> usize {
        self.told.iter().map(|told| told.axis.width()).sum()
    }

    /// A centre as released: in the attributes' own units, rounded to short decimals. The share of a name that fewer
    /// than `least` of the averaged individuals have is 0: rare names, such as postal codes, would show who was
    /// averaged. `holders` are these individuals by coordinate; without it, each row is one.
    pub(super) fn released(&self, cluster: &Cluster, least: u64, holders: Option<&[u64]>) -> Vec<f64> {
        let mut rest = cluster.center.iter().enumerate();
        let of_axis = |told: &ScaledAxis<'_>| -> Vec<f64> {
            let own = rest.by_ref().take(told.axis.width());
            let is_names = told.column.values().numbers().is_none();
            let is_rare = |at: usize, share: f64| match holders {
                Some(holders) => holders[at] < least,
                None => share * (cluster.rows as f64) < least as f64 - 0.5,
            };
            let shown = |(at, x): (usize, f64)| {
                if is_names && is_rare(at, x) { 0.0 } else { rounded(x, told.exponent) }
            };
            own.map(|(at, x)| shown((at, x * told.divisor))).collect()
        };
        self.told.iter().flat_map(of_axis).collect()
    }
}

impl Axes<'_> {
    /// For each of some clusters of rows and each coordinate of a name the individuals who have the name there; none if
    /// every individual has one row.
    pub(super) fn holders(
        &self,
        table: &Table,
        clusters: usize,
        cluster_of_row: impl Fn(usize) -> u32,
    ) -> Option<Vec<Vec<u64>>> {
        let People::Subjects { of_row, .. } = table.people() else { return None };
        let mut holders = vec![vec![0; self.width()]; clusters];
        let mut start = 0;
        for told in &self.told {
            if told.column.values().numbers().is_none() {
                let row = |row: usize| (cluster_of_row(row), told.column.code(row), of_row[row]);
                let mut rows: Vec<(u32, u32, u32)> = (0..table.rows()).map(row).collect();
                rows.sort_unstable();
                rows.dedup();
                rows.iter().for_each(|&(cluster, code, _)| {
                    holders[cluster as usize][start + code as usize] += 1;
                });
            }
            start += told.axis.width();
        }
        Some(holders)
    }
}

/// In how many rows a value is missing.
fn missing_share(column: &Column) -> String {
    let missing = column.codes().iter().filter(|&code| code == column.missing_code()).count();
    let share = 100.0 * missing as f64 / column.len() as f64;
    if share < 1.0 { "under 1 %".to_owned() } else { format!("{share:.0} %") }
}

/// Whether a private attribute has names that few individuals have and that the policy does not declare.
fn rare_names(table: &Table, policy: &Policy, column: &Column, required: u64) -> bool {
    if required <= 1 || column.values().numbers().is_some() {
        return false;
    }
    let holders = Holders::new(table, column);
    let is_rare = |code: u32| {
        holders.of(code) < required
            && !is_declared(policy, column.name(), &column.values().text(code as usize))
    };
    (0..column.missing_code()).any(is_rare)
}

/// The columns to cluster by, in the order of the table.
fn columns<'a>(table: &'a Table, policy: &Policy, names: &[String]) -> Result<Vec<&'a Column>> {
    let known = policy.knowledge();
    for name in names {
        check_role(policy, name)?;
        table.require(name)?;
        known.knows(name)?;
    }
    let role = |column: &&Column| policy.attribute(column.name()).map(|attribute| attribute.role);
    let is_class = |column: &&Column| policy.class.as_deref() == Some(column.name());
    let usual =
        |column: &&Column| matches!(role(column), Some(Role::Public | Role::Private)) && !is_class(column);
    let chosen = |column: &&Column| names.iter().any(|name| name == column.name());
    let all = table.columns().iter();
    Ok(if names.is_empty() { all.filter(usual).collect() } else { all.filter(chosen).collect() })
}

/// Columns that name individuals or play no part are not read, so the table lacks them.
fn check_role(policy: &Policy, name: &str) -> Result<()> {
    let role = match policy.attribute(name).map(|attribute| attribute.role) {
        Some(Role::Identifier) => "an identifier",
        Some(Role::Ignored) => "ignored",
        _ => return Ok(()),
    };
    Err(Error::input(format!("the policy declares this attribute {role}, so clusters cannot use it"))
        .of_attribute(name)
        .help("name public or private attributes, or change its role"))
}

fn axis(column: &Column, declared: Option<&Attribute>) -> Result<Axis> {
    let name = column.name();
    match column.values() {
        Values::Numeric(numbers) => {
            let (low, high) = declared.and_then(|a| a.range).unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
            let stray = |code: u32| numbers.get(code as usize).is_some_and(|&n| n < low || n > high);
            if column.codes().iter().any(stray) {
                return Err(Error::input("the table contains a number outside the declared range")
                    .of_attribute(name)
                    .help("widen `range` in the policy, or correct the table"));
            }
            Ok(Axis { dates: column.is_in_days(), ..Axis::new(name, low, high) })
        }
        values @ (Values::Categorical(_) | Values::Ordered(_)) => {
            let mut names: Vec<String> =
                (0..values.len()).map(|code| values.text(code).into_owned()).collect();
            let more = declared.map(|attribute| attribute.values.as_slice()).unwrap_or_default();
            names.extend(more.iter().filter(|name| values.find(name).is_none()).cloned());
            Ok(Axis::of_names(name, names))
        }
    }
}

/// The root of the attribute's variance, of all its coordinates together: the standard deviation of numbers, √(1 − Σp²)
/// of names with shares p.
fn deviation(table: &Table, column: &Column) -> f64 {
    let mut counts = vec![0_u64; column.code_count()];
    column
        .codes()
        .iter()
        .enumerate()
        .for_each(|(row, code)| counts[code as usize] += u64::from(table.weight(row)));
    let total = counts.iter().sum::<u64>() as f64;
    let share = |&n: &u64| n as f64 / total;
    match column.values() {
        Values::Numeric(numbers) => {
            // In units of the largest number, squares neither overflow nor vanish.
            let largest = numbers.iter().fold(0.0_f64, |most, x| x.abs().max(most));
            let exponent = if largest > 0.0 { (largest.log2() as i32).clamp(-1000, 1000) } else { 0 };
            let (unit, inverse) = (2_f64.powi(exponent), 2_f64.powi(-exponent));
            let mean: f64 = numbers.iter().zip(&counts).map(|(x, n)| x * inverse * share(n)).sum();
            let square = |x: &f64| (x * inverse - mean) * (x * inverse - mean);
            let squares = numbers.iter().zip(&counts).map(|(x, n)| square(x) * share(n));
            (squares.sum::<f64>().sqrt() * unit).min(f64::MAX)
        }
        Values::Categorical(_) | Values::Ordered(_) => {
            let squares: f64 = counts.iter().map(|n| share(n) * share(n)).sum();
            if counts.iter().filter(|&&n| n > 0).count() > 1 { (1.0 - squares).max(0.0).sqrt() } else { 0.0 }
        }
    }
}

/// The power of ten of a number's first digit.
fn magnitude(number: f64) -> i32 {
    number.abs().log10().floor() as i32
}

/// The nearest multiple of a power of ten; never −0.
pub(super) fn rounded(number: f64, exponent: i32) -> f64 {
    let near = if exponent < 0 {
        let places = exponent.unsigned_abs() as usize;
        format!("{number:.places$}").parse().unwrap_or(number)
    } else {
        let unit = 10_f64.powi(exponent);
        (number / unit).round() * unit
    };
    // Rounded up, the largest numbers would be none.
    if near.is_finite() { near + 0.0 } else { number }
}
