//! The input of the tree miner: the table bound to the policy, attribute by attribute.

use super::judge::Judge;
use super::known::Known;
use super::levels::{Intervals, Level};
use super::params::{CheckedTreeParams, TreeMethod, TreePurpose};
use incrowd_core::guarantee::{Guarantee, PrivateItem};
use incrowd_core::model::{Detail, Domain, ModelAttribute};
use incrowd_core::policy::{AttackerKnowledge, Policy, Role, without_class};
use incrowd_core::printed::{Holders, is_declared, required_beside, required_holders};
use incrowd_core::table::{Code, Column, People, Table, Values};
use incrowd_core::taxonomy::{MISSING, Taxonomy, TaxonomyNode};
use incrowd_core::{Error, Result, with_codes};
use rayon::prelude::*;

/// A table to be mined under a policy.
pub(crate) struct Task<'a> {
    pub(crate) table: &'a Table,
    /// What is known of the rows where only counts are; `table` has no columns then.
    pub(crate) known: Option<&'a Known>,
    /// What the finished tree is audited against: the table, unless that one was made coarser.
    pub(crate) judge: Judge<'a>,
    /// The policy; none where a tree is only learned, which is never released.
    pub(crate) policy: Option<&'a Policy>,
    pub(crate) guarantee: &'a Guarantee,
    /// Whether more is required of every split than by the guarantee.
    pub(crate) careful: bool,
    /// The number of individuals required on each side of a threshold of a private number.
    beside: u64,
    /// The detail of the release.
    pub(crate) detail: Detail,
    /// The attributes that may be tested, in the order of the table.
    pub(crate) attributes: Vec<Attribute<'a>>,
    pub(crate) class: ClassColumn<'a>,
    /// Whether the guarantee applies to the values of the class.
    pub(crate) class_in_scope: bool,
    /// For each attribute whether the guarantee applies to its values.
    pub(crate) in_scope: Vec<bool>,
    /// What dependencies leave possible for each row, and its joint span of earlier releases, by number; none if the same
    /// for all.
    pub(crate) kind_of_row: Option<Vec<u32>>,
    /// Whether dependencies tie the class or attributes that may be tested.
    pub(crate) tied: bool,
    /// What the owner should know.
    pub(crate) warnings: Vec<String>,
}

/// The class.
pub(crate) struct ClassColumn<'a> {
    /// The table of the column: one of its own where only counts are known.
    pub(crate) table: &'a Table,
    pub(crate) column: &'a Column,
    /// The number of class values in the table.
    pub(crate) count: usize,
    /// The number of possible class values: the policy may declare more.
    pub(crate) possible: usize,
    /// Whether the attacker knows it.
    pub(crate) known: bool,
}

/// An attribute that may be tested.
pub(crate) struct Attribute<'a> {
    /// The table of the column: one of its own where only counts are known.
    pub(crate) table: &'a Table,
    /// The place of the column among those of the source.
    pub(crate) place: usize,
    pub(crate) column: &'a Column,
    /// Whether the attacker knows it and so can follow its tests.
    pub(crate) known: bool,
    /// What the release states about it. The first values of a domain of names are the column's, in its order.
    pub(crate) model: ModelAttribute,
    /// Of a private attribute of names: whether each name of the domain must not be printed, as few individuals have
    /// it. Such names stay together in every split and go where it sends all other values.
    pub(crate) rare: Vec<bool>,
    pub(crate) kind: AttributeTests,
}

impl Attribute<'_> {
    /// Whether the name at a place of the domain must not be printed.
    pub(crate) fn is_rare(&self, place: usize) -> bool {
        self.rare.get(place).copied().unwrap_or(false)
    }
}

/// How an attribute can be tested.
pub(crate) enum AttributeTests {
    /// By groups of its values, from the values themselves to the coarsest that is not everything.
    Names(Vec<Level>),
    /// By intervals.
    Numbers(Numbers),
}

/// How a numeric attribute can be tested.
pub(crate) struct Numbers {
    /// The numbers that occur in the table, ascending. A column may know more, of rows that are not to be learned from.
    pub(crate) values: Vec<f64>,
    /// Their codes.
    pub(crate) codes: Vec<u32>,
    /// The intervals of its taxonomy from the finest to the coarsest, where it has one.
    pub(crate) levels: Vec<Intervals>,
    /// Whether they are dates.
    pub(crate) dates: bool,
    /// Of a private attribute: whether a threshold behind each number has enough individuals on both sides. Empty where
    /// any may be printed.
    parts_enough: Vec<bool>,
    /// Of a private attribute: whether each number is that of few individuals, so that no threshold may be it. Empty
    /// where any may be printed.
    is_of_few: Vec<bool>,
}

impl Numbers {
    fn of(column: &Column, numbers: &[f64], taxonomy: Option<&Taxonomy>) -> Self {
        let mut occurs = vec![false; numbers.len() + 1];
        with_codes!(column.codes(), codes => {
            codes.iter().for_each(|code| occurs[code.wide() as usize] = true);
        });
        let codes: Vec<u32> = (0..numbers.len() as u32).filter(|&code| occurs[code as usize]).collect();
        let values = codes.iter().map(|&code| numbers[code as usize]).collect();
        let levels = Intervals::of(taxonomy, &codes);
        let dates = column.is_in_days();
        Self { values, codes, levels, dates, parts_enough: Vec::new(), is_of_few: Vec::new() }
    }

    /// As before, with thresholds only where at least `beside` individuals are on both sides, and which are no number of
    /// fewer than `required`.
    fn with_enough(mut self, holders: &Holders, required: u64, beside: u64) -> Self {
        let enough = |&code: &u32| {
            let (low, high) = holders.sides(code as usize + 1);
            low.min(high) >= beside
        };
        self.parts_enough = self.codes.iter().map(enough).collect();
        self.is_of_few = self.codes.iter().map(|&code| holders.of(code) < required).collect();
        self
    }

    /// Whether a threshold may be printed.
    pub(crate) fn may_cut(&self, threshold: f64) -> bool {
        // The last number up to the threshold is the threshold if it is not below.
        let is_someones = |last: usize| self.values[last] >= threshold && self.is_of_few[last];
        self.parts_enough.is_empty()
            || self.last_up_to(threshold).is_some_and(|last| self.parts_enough[last] && !is_someones(last))
    }

    /// Whether a threshold behind a number, and not the number itself, may be printed.
    pub(crate) fn may_cut_behind(&self, number: f64) -> bool {
        self.parts_enough.is_empty() || self.last_up_to(number).is_some_and(|last| self.parts_enough[last])
    }

    /// The place of the last number that occurs and is not above another.
    fn last_up_to(&self, number: f64) -> Option<usize> {
        self.values.partition_point(|&value| value <= number).checked_sub(1)
    }

    /// The place of a code that occurs.
    pub(crate) fn rank(&self, code: u32) -> usize {
        // Codes ascend, so one that is at its own place has all codes before it.
        if self.codes.get(code as usize) == Some(&code) {
            return code as usize;
        }
        self.codes.partition_point(|&other| other < code)
    }
}

impl<'a> Task<'a> {
    /// Binds a table to a policy.
    ///
    /// # Errors
    /// When there is nothing to learn from, or the policy and the table do not fit.
    pub(crate) fn new(table: &'a Table, policy: &'a Policy, params: &'a CheckedTreeParams) -> Result<Self> {
        let input = Input { table, columns: columns_of(table), known: None, judge: Judge::Rows(table) };
        Self::bound(input, Some(policy), class(table, policy)?, params)
    }

    /// Binds columns, each in a table of its own with the number of individuals of each value, to a policy. `empty` is
    /// a table without columns.
    ///
    /// # Errors
    /// As [`Task::new`].
    pub(crate) fn of_counts(
        empty: &'a Table,
        tables: &'a [Table],
        policy: &'a Policy,
        params: &'a CheckedTreeParams,
        (known, judge): (&'a Known, Judge<'a>),
    ) -> Result<Self> {
        let columns = tables.iter().enumerate();
        let columns = columns.flat_map(|(place, own)| own.columns().iter().map(move |c| (place, own, c)));
        let input = Input { table: empty, columns: columns.collect(), known: Some(known), judge };
        Self::bound(input, Some(policy), class_of_counts(tables, policy)?, params)
    }

    /// Binds a table to its class, to learn from all other columns without a policy: they are tested as public ones
    /// are, and nothing is required.
    ///
    /// # Errors
    /// When there is nothing to learn from.
    pub(crate) fn learning(table: &'a Table, class: &str, params: &'a CheckedTreeParams) -> Result<Self> {
        let column = class_column(table, class)?;
        let count = column.values().len();
        // As if private: spans are then the tree's leaves, and cost nothing.
        let class = ClassColumn { table, column, count, possible: count, known: false };
        let input = Input { table, columns: columns_of(table), known: None, judge: Judge::Rows(table) };
        Self::bound(input, None, class, params)
    }

    fn bound(
        Input { table, columns, known: counts, judge }: Input<'a>,
        policy: Option<&'a Policy>,
        class: ClassColumn<'a>,
        params: &'a CheckedTreeParams,
    ) -> Result<Self> {
        let mut task = Self {
            table,
            known: counts,
            judge,
            policy,
            guarantee: &params.guarantee,
            careful: params.careful,
            beside: if params.purpose == TreePurpose::Ensemble { required_beside } else { required_holders }(
                &params.guarantee,
            ),
            detail: params.detail,
            attributes: Vec::new(),
            class,
            class_in_scope: false,
            in_scope: Vec::new(),
            kind_of_row: None,
            tied: false,
            warnings: Vec::new(),
        };
        let is_other = |(_, _, column): &(usize, &Table, &Column)| column.name() != task.class.column.name();
        let others: Vec<(usize, &Table, &Column)> = columns.into_iter().filter(is_other).collect();
        let known = policy.map(Policy::knowledge);
        let bound: Vec<Result<_>> = others
            .par_iter()
            .with_min_len(columns_a_task(table))
            .map(|&column| task.bind(column, known.as_ref()))
            .collect();
        for ((_, _, column), attribute) in others.into_iter().zip(bound) {
            if let Some(attribute) = attribute? {
                let unusable =
                    matches!(&attribute.kind, AttributeTests::Numbers(numbers) if numbers.levels.is_empty());
                if unusable && params.method == TreeMethod::KadetId3 {
                    task.warnings.push(without_intervals(column.name(), policy, params.method));
                } else {
                    task.attributes.push(attribute);
                }
            }
        }
        task.resolve_scope()?;
        if counts.is_none() {
            task.tie(table)?;
        }
        Ok(task)
    }

    /// Finds out what the guarantee applies to. A tree contains the class and the attributes it tests; whether one of
    /// them is in scope does not depend on which others it tests.
    fn resolve_scope(&mut self) -> Result<()> {
        let class = (!self.class.known).then(|| PrivateItem::class(self.class.column.name()));
        let private = self.attributes.iter().filter(|attribute| !attribute.known);
        let private = private.map(|attribute| PrivateItem::attribute(attribute.column.name()));
        let contained: Vec<PrivateItem<'_>> = class.into_iter().chain(private).collect();
        let Some(policy) = self.policy else {
            self.in_scope = vec![false; self.attributes.len()];
            return Ok(());
        };
        let scope = self.guarantee.resolve(policy, &contained)?;
        let mut applies = scope.applies.into_iter();
        self.class_in_scope = !self.class.known && applies.next().unwrap_or(false);
        let mut of_attribute =
            |attribute: &Attribute<'_>| !attribute.known && applies.next().unwrap_or(false);
        self.in_scope = self.attributes.iter().map(&mut of_attribute).collect();
        Ok(())
    }

    /// Whether rows of one individual may be several.
    pub(crate) fn has_subjects(&self) -> bool {
        matches!(self.table.people(), People::Subjects { .. })
    }

    fn bind(
        &self,
        (place, table, column): (usize, &'a Table, &'a Column),
        known: Option<&AttackerKnowledge<'_>>,
    ) -> Result<Option<Attribute<'a>>> {
        let declared = self.policy.and_then(|policy| policy.attribute(column.name()));
        let declared = declared.filter(|a| matches!(a.role, Role::Public | Role::Private));
        if column.values().is_empty() || (self.policy.is_some() && declared.is_none()) {
            return Ok(None);
        }
        let weight = |row: usize| table.weight(row);
        let taxonomy = declared.and_then(|declared| declared.taxonomy.as_ref());
        let taxonomy = taxonomy.map(|spec| Taxonomy::build_weighted(spec, column, weight)).transpose()?;
        let is_known = known.map_or(Ok(true), |known| known.knows(column.name()))?;
        let required = required_holders(self.guarantee);
        let holders = (!is_known && required > 1).then(|| Holders::new(table, column));
        let mut rare = Vec::new();
        let (domain, kind) = match column.values() {
            Values::Numeric(numbers) => {
                let range = declared.and_then(|declared| declared.range);
                let range = range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
                let asked = Numbers::of(column, numbers, taxonomy.as_ref());
                let asked = match &holders {
                    Some(holders) => asked.with_enough(holders, required, self.beside),
                    None => asked,
                };
                (numbers_domain(column, numbers, range)?, AttributeTests::Numbers(asked))
            }
            Values::Categorical(_) | Values::Ordered(_) => {
                let declared = declared.map_or(&[][..], |declared| &declared.values);
                let values = names(column, taxonomy.as_ref(), declared);
                let levels = Level::of(taxonomy.as_ref(), column, &values);
                if let Some(holders) = &holders {
                    let is_rare = |(code, value): (u32, &String)| {
                        let is_declared = |policy| is_declared(policy, column.name(), value);
                        holders.of(code) < required && !self.policy.is_some_and(is_declared)
                    };
                    rare = (0..column.missing_code()).zip(&values).map(is_rare).collect();
                }
                // Where no name may be printed, nothing can be tested.
                if (0..values.len()).all(|place| rare.get(place).copied().unwrap_or(false)) {
                    return Ok(None);
                }
                (Domain::Values(values), AttributeTests::Names(levels))
            }
        };
        let (missing, dates) = (column.has_missing(), column.is_in_days());
        let model = ModelAttribute { name: column.name().to_owned(), domain, missing, dates };
        Ok(Some(Attribute { table, place, column, known: is_known, model, rare, kind }))
    }
}

/// What a task is made of.
struct Input<'a> {
    table: &'a Table,
    /// The columns, each with its place and its table.
    columns: Vec<(usize, &'a Table, &'a Column)>,
    known: Option<&'a Known>,
    judge: Judge<'a>,
}

fn columns_of(table: &Table) -> Vec<(usize, &Table, &Column)> {
    table.columns().iter().enumerate().map(|(place, column)| (place, table, column)).collect()
}

/// Why a method that tests numbers by the intervals of their taxonomy leaves an attribute out.
fn without_intervals(name: &str, policy: Option<&Policy>, method: TreeMethod) -> String {
    let attribute = policy.and_then(|policy| policy.attribute(name));
    let has_taxonomy = attribute.is_some_and(|attribute| attribute.taxonomy.is_some());
    if has_taxonomy {
        return format!(
            "{method} leaves out `{name}`: its taxonomy does not divide the numbers into intervals (narrower \
             intervals would, such as taxonomy = {{ intervals = {{ width = 1 }} }})"
        );
    }
    format!("{method} leaves out `{name}`: it is numeric and has no taxonomy of intervals")
}

/// How many columns one thread goes through at the least: all of a small table's, as handing them out costs more than
/// it saves.
pub(crate) fn columns_a_task(table: &Table) -> usize {
    if table.rows() < 1 << 14 { usize::MAX } else { 1 }
}

/// Fails where the class has one value in all rows: such a tree predicts nothing, and rows that were dropped may be the
/// reason.
pub(crate) fn check_classes(table: &Table, policy: &Policy) -> Result<()> {
    let column = class(table, policy)?.column;
    let first = column.code(0);
    if column.codes().iter().any(|code| code != first) {
        return Ok(());
    }
    Err(Error::input("the class has the same value in all rows, so there is nothing to learn")
        .of_attribute(column.name())
        .help("check that the rows of the other values were not dropped because of missing values, or name another class"))
}

/// The class among columns that are each in a table of its own.
///
/// # Errors
/// When it is not there, has a single value, or is missing in some rows.
pub(crate) fn class_of_counts<'a>(tables: &'a [Table], policy: &Policy) -> Result<ClassColumn<'a>> {
    let name = class_name(policy)?;
    let mut own = tables.iter().filter(|table| table.column(name).is_some());
    let table = own.next().ok_or_else(|| Error::input("the table has no such column").of_attribute(name))?;
    if table.column(name).is_some_and(Column::has_missing) {
        return Err(without_class(name, None));
    }
    check_classes(table, policy)?;
    class(table, policy)
}

fn class_name(policy: &Policy) -> Result<&str> {
    policy.class.as_deref().ok_or_else(|| {
        Error::input("the policy names no class to learn").help("set class = \"name\" in the policy")
    })
}

fn class<'a>(table: &'a Table, policy: &Policy) -> Result<ClassColumn<'a>> {
    let name = class_name(policy)?;
    let column = class_column(table, name)?;
    let count = column.values().len();
    let declared = policy.attribute(name).map_or(&[][..], |class| &class.values);
    let others = declared.iter().filter(|value| column.values().find(value).is_none()).count();
    Ok(ClassColumn { table, column, count, possible: count + others, known: policy.knows(name)? })
}

fn class_column<'a>(table: &'a Table, name: &str) -> Result<&'a Column> {
    let column = table.require(name)?;
    if table.rows() == 0 {
        return Err(Error::input("the table has no rows to learn from"));
    }
    if column.has_missing() {
        return Err(without_class(name, Some(column)));
    }
    Ok(column)
}

fn numbers_domain(column: &Column, numbers: &[f64], (low, high): (f64, f64)) -> Result<Domain> {
    // A column may list values that no row has; those do no harm.
    let outside = |code: u32| numbers.get(code as usize).is_some_and(|&n| n < low || n > high);
    let ends = [numbers.first(), numbers.last()].into_iter().flatten();
    if ends.into_iter().any(|&n| n < low || n > high) && column.codes().iter().any(outside) {
        return Err(Error::input("the table contains a number outside the declared range")
            .of_attribute(column.name())
            .help("widen `range` in the policy, or correct the table"));
    }
    Ok(Domain::Numbers { low, high })
}

/// All names the attribute can take: the column's, then those only the taxonomy or the policy knows.
fn names(column: &Column, taxonomy: Option<&Taxonomy>, declared: &[String]) -> Vec<String> {
    let values = column.values();
    let mut names: Vec<String> = (0..values.len()).map(|code| values.text(code).into_owned()).collect();
    match taxonomy {
        Some(taxonomy) => {
            let leaves = taxonomy.leaves(TaxonomyNode::ROOT).iter().copied();
            let others = leaves.filter(|&leaf| taxonomy.code(leaf).is_none());
            // What the policy declares wins; a taxonomy may know more values.
            let is_declared = |label: &&str| declared.is_empty() || declared.iter().any(|name| name == label);
            let others = others.map(|leaf| taxonomy.label(leaf)).filter(|label| *label != MISSING);
            let others = others.filter(is_declared);
            names.extend(others.map(str::to_owned));
        }
        None => names.extend(declared.iter().filter(|name| values.find(name).is_none()).cloned()),
    }
    names
}
