//! The cap on confidence of a first policy.

use crate::show::percent;
use incrowd_core::guarantee::cap_above;
use incrowd_core::policy::Role;
use incrowd_core::printed::Holders;
use incrowd_core::profile::{ColumnProfile, FoundDependency, Profile, RecognizedTable};
use incrowd_core::table::{Kind, Table};
use std::collections::BTreeSet;

/// A value that more than this share of individuals have is so frequent that a cap above the share would protect
/// nothing else.
const DOMINANT: f64 = 0.9;

/// Numbers with more different values than this are not covered by the cap, unless one is frequent.
const MANY_NUMBERS: u64 = 255;

/// From this share of individuals on, a value is frequent. Missing counts as a value.
const FREQUENT: f64 = 0.05;

/// A proposed cap on confidence for all private attributes but some.
pub(super) struct Proposal {
    /// The cap and the reason.
    pub(super) cap: (f64, String),
    /// The attributes it does not apply to.
    pub(super) except: Vec<String>,
}

/// A private column and the share of the individuals who have its most frequent value.
#[derive(Clone, Copy)]
struct Share<'a> {
    column: &'a ColumnProfile,
    of_most_frequent: f64,
    /// Whether the most frequent value is a missing one.
    missing: bool,
}

impl<'a> Share<'a> {
    fn of(column: &'a ColumnProfile, table: &Table) -> Option<Self> {
        let own = table.column(&column.name)?;
        let share = table.most_frequent_share(own);
        let individuals = table.individuals().max(1) as f64;
        let holders = || Holders::new(table, own).of(own.missing_code()) as f64;
        let missing = own.has_missing() && holders() / individuals >= share;
        Some(Self { column, of_most_frequent: share, missing })
    }

    /// Whether nearly all individuals have the same value.
    fn is_dominated(&self) -> bool {
        self.of_most_frequent > DOMINANT
    }

    /// Whether it contains many numbers, none of which is frequent.
    fn has_many_numbers(&self) -> bool {
        let ColumnProfile { guess, distinct, .. } = self.column;
        guess.kind == Kind::Numeric
            && *distinct > MANY_NUMBERS
            && self.of_most_frequent < FREQUENT
            && !guess.class
    }
}

/// Which private attributes a cap covers.
struct Cover<'a> {
    covered: Vec<Share<'a>>,
    /// Not covered, because nearly all individuals have the same value.
    dominated: Vec<Share<'a>>,
    /// Not covered, because they contain many numbers.
    many: Vec<Share<'a>>,
}

impl<'a> Cover<'a> {
    /// One cap applies to all that are covered, so one that nearly all individuals share would raise it for the others.
    /// A class like that is covered only if there is nothing else to cover.
    fn of(shares: &[Share<'a>]) -> Self {
        let (many, few): (Vec<_>, Vec<_>) = shares.iter().partition(|share| share.has_many_numbers());
        let (mut dominated, mut covered): (Vec<Share<'a>>, Vec<Share<'a>>) =
            few.into_iter().partition(Share::is_dominated);
        if covered.is_empty() {
            let is_class = |share: &mut Share<'a>| share.column.guess.class;
            covered = dominated.extract_if(.., is_class).collect();
        }
        Self { covered, dominated, many }
    }

    fn reason(&self, has_several_rows: bool) -> String {
        let counted = if has_several_rows { " (individuals with at least one such row)" } else { "" };
        let mut why = format!(
            "no value of a private attribute may be inferred with more confidence than this: k alone allows groups\n\
             in which all individuals have the same value. The shares of the most frequent values in the whole table{counted}: {}.\n\
             No release can meet a cap that is below this share for an attribute it contains.",
            listed(&self.covered)
        );
        if !self.dominated.is_empty() {
            why += &format!(
                "\nNot covered, because nearly all individuals have the same value: {}. Only a cap above this share could \
                 be met.\n\
                 To protect rare values of these, too, replace `confidence` by `beta`, which limits how much more frequent a \
                 value may be\n\
                 in a group than in the whole table, and remove them from `except`.",
                listed(&self.dominated)
            );
        }
        if !self.many.is_empty() {
            why += &format!(
                "\nNot covered: {}. Their numbers nearly all differ, so a cap on single numbers protects little.\n\
                 Models reveal intervals of numbers. To cap these, too, remove the attributes from `except`; mining then \
                 takes longer.",
                listed(&self.many)
            );
        }
        why
    }
}

fn listed(some: &[Share<'_>]) -> String {
    let each = some.iter().map(|Share { column, of_most_frequent: share, missing }| {
        let which = if *missing { " (missing, which counts as a value)" } else { "" };
        format!("{} {}{which}", column.name, percent(*share))
    });
    each.collect::<Vec<_>>().join(", ")
}

impl Proposal {
    /// A cap on confidence halfway between the share of the most frequent value and certainty, for the private
    /// attributes. An attribute with a value that nearly all individuals have would need a cap near certainty: it is
    /// left out, with the reason. Numbers are left out as well if nearly all of them differ.
    pub(super) fn new(profile: &Profile, understood: &RecognizedTable) -> Option<Self> {
        let known = known(profile);
        let is_private = |column: &&ColumnProfile| {
            column.guess.role == Role::Private && !known.contains(column.name.as_str())
        };
        let private = profile.columns.iter().filter(is_private);
        let shares: Vec<Share<'_>> =
            private.filter_map(|column| Share::of(column, &understood.table)).collect();
        let cover = Cover::of(&shares);
        let highest = cover.covered.iter().map(|share| share.of_most_frequent).reduce(f64::max)?;
        let cap = cap_above(f64::midpoint(1.0, highest));
        let left_out = cover.dominated.iter().chain(&cover.many);
        let except = left_out.map(|share| share.column.name.clone()).collect();
        (cap < 1.0).then(|| Self { cap: (cap, cover.reason(understood.table.has_several_rows())), except })
    }
}

/// The names of the attributes that an attacker knows: the public ones, and those that follow from them.
fn known(profile: &Profile) -> BTreeSet<&str> {
    let public = profile.columns.iter().filter(|column| column.guess.role == Role::Public);
    let mut known: BTreeSet<&str> = public.map(|column| column.name.as_str()).collect();
    loop {
        let follows = |found: &&FoundDependency| {
            !known.contains(found.to.as_str()) && found.from.iter().all(|name| known.contains(name.as_str()))
        };
        let Some(next) = profile.dependencies.iter().find(follows) else { return known };
        known.insert(&next.to);
    }
}
