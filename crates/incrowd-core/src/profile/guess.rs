//! Guesses of the roles of columns, each with its reason.
//!
//! A guess errs on the side of caution about linking: a column is public (an attacker may know it) unless there is
//! evidence against it. A public value is not protected, so the reason states both sides. Names are compared word by
//! word; of the values, only their number and their form are considered.

use super::thousands::has_thousands;
use super::understand::{is_code, is_mark};
use super::units::has_unit;
use super::words::{self, is_among};
use crate::group::{Crowds, are_nearly_all};
use crate::policy::Role;
use crate::table::{Column, Date, DateOrder, Kind, RowsLeftOut, Table, Values};
use crate::taxonomy::{Prefix, Taxonomy, TaxonomySpec};
use std::collections::HashSet;

/// What a column probably is.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Guess {
    /// What it is to an attacker.
    pub role: Role,
    /// Whether nothing suggests this role: the column counts as public until its owner decides.
    pub undecided: bool,
    /// Whether it is what a classifier would predict; at most one column is.
    pub class: bool,
    /// Whether it identifies individuals with several rows; at most one column does.
    pub subject: bool,
    /// The kind of its values.
    pub kind: Kind,
    /// How its values could be generalized.
    #[serde(skip)]
    pub taxonomy: Option<TaxonomySpec>,
    /// Why.
    pub reason: String,
}

/// A class has few values.
const MOST_CLASSES: u64 = 20;

/// The beginning of the reason for a role that nothing suggests.
const UNSURE: &str = "nothing suggests a role";

/// Texts of at least this many words are sentences.
const SENTENCE: usize = 5;

/// With this many values or fewer, a column numbers no individuals.
const SURPRISING: u64 = 20;

/// A guess for each column, given how large the groups are that it makes. `subject` is the column that identifies
/// individuals.
pub(super) fn guess(table: &Table, crowds: &[Crowds], subject: Option<&str>) -> Vec<Guess> {
    let facts = facts(table, crowds);
    let class = class(&facts, subject);
    let of = |(i, facts): (usize, &Facts<'_>)| {
        if Some(facts.column.name()) == subject {
            return facts.subject_guess();
        }
        facts.guess(class.filter(|(at, _)| *at == i), table)
    };
    let mut guesses: Vec<Guess> = facts.iter().enumerate().map(of).collect();
    share_privacy(&facts, &mut guesses);
    guesses
}

/// Guesses that a column without evidence is private if most of its values are those of a column that is private by its
/// name, such as a second diagnosis. Few values, such as yes and no, prove nothing.
fn share_privacy(facts: &[Facts<'_>], guesses: &mut [Guess]) {
    let of_name = facts.iter().zip(&*guesses).filter(|(facts, guess)| {
        guess.role == Role::Private && words::private(&facts.words).is_some() && facts.distinct > SURPRISING
    });
    let private: Vec<(&str, HashSet<&str>)> =
        of_name.filter_map(|(facts, _)| Some((facts.column.name(), facts.texts()?))).collect();
    let undecided = facts.iter().zip(guesses).filter(|(facts, guess)| {
        guess.undecided && guess.role == Role::Public && facts.distinct > SURPRISING
    });
    for (facts, guess) in undecided {
        let Some(texts) = facts.texts() else { continue };
        let shares = |(_, other): &&(&str, HashSet<&str>)| {
            texts.iter().filter(|text| other.contains(*text)).count() * 2 > texts.len()
        };
        let Some((name, _)) = private.iter().find(shares) else { continue };
        guess.reason = format!(
            "most of its values are also values of {name}, which is private; make it public if others know it"
        );
        (guess.role, guess.undecided, guess.taxonomy) = (Role::Private, false, None);
    }
}

/// The place of the column a classifier would predict.
pub(super) fn class_of(table: &Table, crowds: &[Crowds]) -> Option<usize> {
    class(&facts(table, crowds), None).map(|(at, _)| at)
}

/// The place of the column that identifies individuals, where rows are taken for individuals and the values of an
/// identifier repeat.
pub(super) fn subject_of(table: &Table, crowds: &[Crowds]) -> Option<usize> {
    let facts = facts(table, crowds);
    let class = class(&facts, None).map(|(at, _)| at);
    let ranked = facts.iter().enumerate().filter(|(i, _)| class != Some(*i));
    // Of several the surest, then the one with the fewest individuals: it counts no individual twice.
    let candidates =
        ranked.filter_map(|(i, facts)| Some((facts.tells_individuals_apart()?, facts.distinct, i)));
    candidates.min().map(|(_, _, i)| i)
}

fn facts<'a>(table: &'a Table, crowds: &[Crowds]) -> Vec<Facts<'a>> {
    let facts = table.columns().iter().zip(crowds);
    facts.map(|(column, crowds)| Facts::new(table, column, *crowds)).collect()
}

/// Why a column is taken for the class by its name.
const NAMED: &str = "its name suggests a class, and it has few values";

/// The column to predict and why: by name, or else the last one. Names of private attributes count less than names of
/// classes, and the last column before bands of such an attribute.
fn class(facts: &[Facts<'_>], subject: Option<&str>) -> Option<(usize, &'static str)> {
    let could_be = |facts: &Facts<'_>| {
        (2..=MOST_CLASSES).contains(&facts.distinct)
            && facts.identifier().is_none()
            && !facts.is_free_text()
            && Some(facts.column.name()) != subject
    };
    let named = |by_name: &dyn Fn(&Facts<'_>) -> bool| {
        facts.iter().rposition(|facts| could_be(facts) && by_name(facts)).map(|at| (at, NAMED))
    };
    let is_banded = |facts: &Facts<'_>| facts.named(words::BANDED);
    let last = facts
        .last()
        .filter(|facts| could_be(facts) && !facts.named(words::DEMOGRAPHIC) && !facts.named(words::BANDED));
    named(&|facts| facts.named(words::CLASS))
        .or_else(|| named(&|facts| facts.named(words::MAYBE_CLASS) && !is_banded(facts)))
        .or_else(|| last.map(|_| (facts.len() - 1, "the last column, with few values")))
        .or_else(|| named(&|facts| facts.named(words::MAYBE_CLASS)))
}

fn rows_without_value(table: &Table, column: &Column) -> u64 {
    let rows = column.codes().iter().enumerate().filter(|&(_, code)| code == column.missing_code());
    rows.map(|(row, _)| u64::from(table.weight(row))).sum()
}

struct Facts<'a> {
    column: &'a Column,
    words: Vec<String>,
    individuals: u64,
    distinct: u64,
    alone: u64,
    /// The rows without a value.
    missing: u64,
}

impl<'a> Facts<'a> {
    fn new(table: &Table, column: &'a Column, crowds: Crowds) -> Self {
        Self {
            column,
            words: words::words(column.name()),
            individuals: table.individuals(),
            distinct: crowds.groups - u64::from(column.has_missing()),
            alone: crowds.alone,
            missing: if column.has_missing() { rows_without_value(table, column) } else { 0 },
        }
    }

    /// The values of a column of names.
    fn texts(&self) -> Option<HashSet<&str>> {
        let Values::Categorical(texts) = self.column.values() else { return None };
        Some(texts.iter().collect())
    }

    /// Whether the name suggests something private, and the values are numbers with separated thousands.
    fn are_private_numbers(&self) -> bool {
        words::private(&self.words).is_some() && has_thousands(self.column, is_mark)
    }

    fn named(&self, names: &str) -> bool {
        self.words.iter().any(|word| is_among(word, names))
    }

    /// Whether the word the name ends in is one of these: a `customer` is a person, a `customer-age` is not.
    fn means(&self, names: &str) -> bool {
        let word = self.words.iter().rfind(|word| !is_among(word, words::TRAILING));
        word.is_some_and(|word| is_among(word, names))
    }

    /// Whether the column is called by persons or their numbers: `patient`, `patient_nbr`, `PatientID`, `custid`.
    fn names_persons(&self) -> bool {
        let is_person = |word: &str| is_among(word, words::PERSONS);
        let is_number = |word: &&String| is_among(word, words::NUMBERS);
        let of_persons = |word: &String| {
            let stem = ["id", "nbr", "no", "nr", "num"].iter().find_map(|end| word.strip_suffix(end));
            is_person(word) || stem.is_some_and(is_person)
        };
        self.words.iter().rfind(|word| !is_number(word)).or(self.words.last()).is_some_and(of_persons)
    }

    /// Whether the name suggests that the column numbers something: `encounter`, `order_no`.
    fn numbers_something(&self) -> bool {
        let last = self.words.last().is_some_and(|word| is_among(word, "id number no nr nbr key"));
        self.means(words::NUMBERING) || (last && self.words.len() > 1)
    }

    /// Whether nearly everyone, or at least one in twenty rows, has another value.
    fn has_many(&self) -> bool {
        self.distinct > SURPRISING && self.distinct * 20 >= self.individuals
    }

    /// Whether the values are free text: by name, or because most of them are sentences.
    fn is_free_text(&self) -> bool {
        let Values::Categorical(texts) = self.column.values() else { return false };
        let is_sentence = |text: &&str| text.split_whitespace().count() >= SENTENCE;
        let sentences = texts.iter().filter(is_sentence).count();
        let is_named = self.means(words::FREE_TEXT) && self.distinct > 2;
        is_named || (self.distinct > SURPRISING && sentences * 2 > texts.len())
    }

    /// Whether the values are dates.
    fn is_date(&self) -> bool {
        let values = self.column.values();
        self.column.kind() == Kind::Ordered
            && !values.is_empty()
            && (0..values.len()).all(|code| Date::parse(&values.text(code), None).is_some())
    }

    /// Whether nearly all values read like dates, in any notation and also where day and month could be either: an
    /// `admission` that is a date does not number admissions.
    fn reads_as_dates(&self) -> bool {
        let values = self.column.values();
        let mut others = (0..values.len()).filter(|&code| !reads_like_a_date(&values.text(code)));
        // One more than may be something else is enough to know.
        let most = values.len() / 20;
        !values.is_empty() && others.nth(most).is_none()
    }

    /// Whether nearly every individual has a different value.
    fn is_different(&self) -> bool {
        are_nearly_all(self.alone, self.individuals)
    }

    fn guess(&self, class: Option<(usize, &'static str)>, table: &Table) -> Guess {
        let (role, reason) = match (self.identifier(), class) {
            (Some(reason), _) => (Role::Identifier, reason.to_owned()),
            (None, Some((_, reason))) => {
                (Role::Private, format!("class: {reason}; private unless others know it"))
            }
            (None, None) if self.is_free_text() => (
                Role::Ignored,
                "free text: it may contain names or anything else, so it is not released".to_owned(),
            ),
            (None, None) => self.public_or_private(),
        };
        let undecided = reason.starts_with(UNSURE);
        let kind = self.kind();
        let taxonomy = (role == Role::Public).then(|| self.taxonomy(kind, table)).flatten();
        Guess { role, undecided, class: class.is_some(), subject: false, kind, taxonomy, reason }
    }

    fn subject_guess(&self) -> Guess {
        let without = match self.missing {
            0 => String::new(),
            1 => "; 1 row has none and is left out, because it is unknown whose it is".to_owned(),
            rows => format!(
                "; {} rows have none and are left out, because it is unknown whose they are",
                crate::words::count(rows)
            ),
        };
        let reason = format!(
            "its values repeat, so individuals have several rows; k counts individuals by this column{without}"
        );
        let role = Role::Identifier;
        Guess {
            role,
            undecided: false,
            class: false,
            subject: true,
            kind: self.kind(),
            taxonomy: None,
            reason,
        }
    }

    /// How surely the column numbers individuals who have several rows each (0 most surely); none where it does not.
    fn tells_individuals_apart(&self) -> Option<u8> {
        let with_value = self.individuals.saturating_sub(self.missing);
        let repeats = self.distinct < with_value && !self.is_different();
        let is_mostly_there = self.missing as f64 <= RowsLeftOut::TOO_MANY * self.individuals as f64;
        if !repeats || !is_mostly_there || self.distinct <= SURPRISING || self.reads_as_dates() {
            return None;
        }
        if self.names_persons() {
            Some(0)
        } else if self.has_many() && self.numbers_something() {
            Some(1)
        } else if self.has_many() && self.is_shaped_like_numbers_of_people() {
            Some(2)
        } else {
            None
        }
    }

    /// Whether the column only says yes or no.
    fn is_yes_or_no(&self) -> bool {
        let values = self.column.values();
        (1..=2).contains(&values.len())
            && (0..values.len())
                .all(|code| words::YES_OR_NO.contains(&values.text(code).to_lowercase().as_str()))
    }

    /// Why the column names individuals, if it does.
    fn identifier(&self) -> Option<&'static str> {
        // Whether someone has a telephone is not a telephone number.
        if self.means(words::IDENTIFYING) && !self.is_yes_or_no() {
            Some("the name suggests a name or contact details")
        } else if self.has_many()
            && !self.reads_as_dates()
            && (self.names_persons() || self.numbers_something())
        {
            Some("the name suggests ID numbers of individuals or records")
        } else if self.are_private_numbers() {
            None
        } else if self.is_different()
            && self.column.values().numbers().is_none()
            && !self.reads_as_dates()
            && !self.has_unit()
        {
            Some("nearly every individual has a different text")
        } else if self.is_different() && self.counts_up() {
            Some("consecutive numbers, each of one individual only")
        } else if self.has_many() && self.is_shaped_like_numbers_of_people() {
            Some("the values look like ID numbers of individuals or records")
        } else {
            None
        }
    }

    /// Whether the values look like numbers given to individuals: long whole numbers or codes of one length, or numbers
    /// without a gap; and nothing in the name suggests something else.
    fn is_shaped_like_numbers_of_people(&self) -> bool {
        let says_other = self.named(words::DEMOGRAPHIC)
            || self.named(words::CODES)
            || self.named(words::DATES)
            || words::private(&self.words).is_some();
        if says_other || self.has_unit() {
            return false;
        }
        match self.column.values() {
            _ if self.reads_as_dates() => false,
            Values::Numeric(numbers) => {
                let (low, high) = (numbers.first().copied(), numbers.last().copied());
                let digits =
                    |number: Option<f64>| number.filter(|&n| n >= 1e5).map(|n| n.log10().floor() as i32);
                let are_long = digits(low).is_some() && digits(low) == digits(high);
                let run_on =
                    self.distinct > 100 && self.distinct * 10 >= self.individuals && self.counts_up();
                is_whole(numbers) && (are_long || run_on)
            }
            Values::Categorical(texts) | Values::Ordered(texts) => {
                let first = texts.iter().next().map_or(0, |text| text.chars().count());
                let is_code = |text: &str| {
                    let digits = text.chars().filter(char::is_ascii_digit).count();
                    digits >= 3 && text.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
                };
                let alike =
                    texts.iter().filter(|text| text.chars().count() == first && is_code(text)).count();
                (4..=40).contains(&first) && alike * 20 >= texts.len() * 19
            }
        }
    }

    /// Whether the values are numbers with a unit, such as `172 cm`, which are read as text.
    fn has_unit(&self) -> bool {
        has_unit(self.column)
    }

    /// Whether the numbers are as many as there are whole numbers between the lowest and the highest.
    fn counts_up(&self) -> bool {
        let Some(numbers @ [first, .., last]) = self.column.values().numbers() else { return false };
        (last - first + 1.0 - self.distinct as f64).abs() < 0.5 && is_whole(numbers)
    }

    fn public_or_private(&self) -> (Role, String) {
        if let Some(of) = words::private(&self.words) {
            return (Role::Private, format!("the name suggests {of}; make it public if others know it"));
        }
        if self.named(words::DEMOGRAPHIC) {
            return (Role::Public, "demographic: others can know it".to_owned());
        }
        let missing = || {
            let missing = self.column.missing_code();
            self.column.codes().iter().filter(|&code| code == missing).count()
        };
        let note = match self.column.values() {
            _ if self.is_date() => "; others may know the date",
            _ if self.has_unit() => {
                "; numbers with a unit, read as text: to use them as numbers, write the unit only into the column's name"
            }
            _ if self.distinct <= 1 => {
                "; all individuals have the same value, so it identifies no individual"
            }
            Values::Numeric(numbers) if !is_whole(numbers) => {
                "; a measurement with decimals: make it private if others cannot measure it"
            }
            Values::Numeric(_) if missing() * 2 > self.column.len() => {
                "; a number that most individuals lack, such as a measurement: make it private if others cannot \
                 measure it"
            }
            Values::Numeric(_) if self.distinct * 4 > self.individuals => {
                "; a number with very many values, which single out individuals"
            }
            _ => "",
        };
        (Role::Public, format!("{UNSURE}{note}"))
    }

    fn kind(&self) -> Kind {
        if self.column.kind() == Kind::Numeric && self.named(words::CODES) {
            Kind::Categorical
        } else if self.is_date() {
            Kind::Date
        } else {
            self.column.kind()
        }
    }

    /// Whether the values are codes of digits of one length, some with a leading zero.
    fn has_codes_of_one_length(&self) -> bool {
        let Values::Categorical(texts) = self.column.values() else { return false };
        let first = texts.iter().next().map_or(0, str::len);
        let is_alike = |text: &str| text.len() == first && text.bytes().all(|byte| byte.is_ascii_digit());
        first >= 3 && texts.iter().all(is_alike) && texts.iter().any(is_code)
    }

    /// How values of this kind could be made coarser: codes by their first characters, numbers by round intervals.
    fn taxonomy(&self, kind: Kind, table: &Table) -> Option<TaxonomySpec> {
        let is_numeric = kind == Kind::Numeric && self.distinct > 2;
        let is_postal = self.named(words::POSTAL) || self.has_codes_of_one_length();
        let spec = if kind == Kind::Categorical && is_postal {
            let values = self.column.values();
            let mut lengths: Vec<usize> = (0..values.len()).map(|code| values.text(code).len()).collect();
            lengths.dedup();
            let pad = (self.column.kind() == Kind::Numeric && lengths.len() > 1).then_some('0');
            TaxonomySpec::Prefix(Prefix::new(1, '*', pad).ok()?)
        } else if is_numeric {
            TaxonomySpec::Round
        } else if kind == Kind::Date {
            TaxonomySpec::Calendar
        } else {
            return None;
        };
        Taxonomy::build_weighted(&spec, self.column, |row| table.weight(row)).is_ok().then_some(spec)
    }
}

fn is_whole(numbers: &[f64]) -> bool {
    numbers.iter().all(|number| number.fract() == 0.0)
}

/// Whether a text is a date in any notation.
fn reads_like_a_date(text: &str) -> bool {
    [None, Some(DateOrder::DayFirst), Some(DateOrder::MonthFirst)]
        .iter()
        .any(|&order| Date::parse(text, order).is_some())
}
