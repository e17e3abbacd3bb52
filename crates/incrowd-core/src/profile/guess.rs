//! Guesses at what a column is to an attacker, each with its reason.
//!
//! A guess errs on the side of care: a column is called public (an attacker may know it) unless something speaks against
//! it. Names are compared word by word in lower case; values are looked at by their number only.

use crate::group::Crowds;
use crate::policy::Role;
use crate::table::{Column, Kind, Table, Values};

/// What a column probably is.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Guess {
    /// What it is to an attacker.
    pub role: Role,
    /// Whether it is what a classifier would predict; at most one column is.
    pub class: bool,
    /// What its values should be taken for.
    pub kind: Kind,
    /// Why.
    pub reason: String,
}

/// Names that stand for a person.
const IDENTIFYING: &str = "name names firstname forename lastname surname fullname username email mail phone telephone mobile \
    fax ssn passport iban mrn nino licence license signature";

/// Names that stand for a person where their values are many.
const NUMBERING: &str =
    "id ids uid uuid guid key identifier record account patient subject customer client person index";

/// Words at the end of a name that leave its meaning to the word before.
const TRAILING: &str = "number num no nr address";

/// Names of what others can see or look up.
const DEMOGRAPHIC: &str = "age sex gender race ethnicity ethnic zip zipcode postcode postal plz city town district region \
    county state country nationality native citizenship address street birth birthday birthdate born \
    dob occupation job profession employer workclass education school marital married spouse \
    relationship children household family religion language height car";

/// Names of what a classifier usually predicts.
const CLASS: &str = "class target label outcome y diagnosis disease income salary risk default churn response result \
    decision";

/// Names of what people keep to themselves.
const SENSITIVE: &str = "diagnosis disease condition illness hiv income salary wage wages earnings debt creditworthiness \
    medication drug prognosis offence conviction";

/// Names of numbers that are codes.
const CODES: &str = "zip zipcode postcode postal plz code id icd iban";

/// A class has few values.
const MOST_CLASSES: u64 = 20;

/// Below this many individuals, all values being different is no surprise.
const SURPRISING: u64 = 20;

/// A guess for each column, given how large the groups are that it makes.
pub(super) fn guess(table: &Table, crowds: &[Crowds]) -> Vec<Guess> {
    let facts = table.columns().iter().zip(crowds);
    let facts: Vec<Facts<'_>> = facts.map(|(column, crowds)| Facts::new(table, column, *crowds)).collect();
    let class = class(&facts);
    facts.iter().enumerate().map(|(i, facts)| facts.guess(class.filter(|(at, _)| *at == i))).collect()
}

/// The column to predict and why: by name, or else the last one.
fn class(facts: &[Facts<'_>]) -> Option<(usize, &'static str)> {
    let could_be =
        |facts: &Facts<'_>| (2..=MOST_CLASSES).contains(&facts.distinct) && facts.identifier().is_none();
    let named = facts.iter().rposition(|facts| could_be(facts) && facts.named(CLASS));
    let last = facts.last().filter(|facts| could_be(facts) && !facts.named(DEMOGRAPHIC));
    named
        .map(|at| (at, "the name is one of a class, and it has few values"))
        .or_else(|| last.map(|_| (facts.len() - 1, "the last column, and it has few values")))
}

struct Facts<'a> {
    column: &'a Column,
    words: Vec<String>,
    individuals: u64,
    distinct: u64,
    alone: u64,
}

impl<'a> Facts<'a> {
    fn new(table: &Table, column: &'a Column, crowds: Crowds) -> Self {
        Self {
            column,
            words: words(column.name()),
            individuals: table.individuals(),
            distinct: crowds.groups - u64::from(column.has_missing()),
            alone: crowds.alone,
        }
    }

    fn named(&self, names: &str) -> bool {
        self.words.iter().any(|word| is_among(word, names))
    }

    /// Whether the word the name ends in is one of these: a `customer` is a person, a `customer-age` is not.
    fn means(&self, names: &str) -> bool {
        let word = self.words.iter().rfind(|word| !is_among(word, TRAILING));
        word.is_some_and(|word| is_among(word, names))
    }

    fn guess(&self, class: Option<(usize, &'static str)>) -> Guess {
        let (role, reason) = match (self.identifier(), class) {
            (Some(reason), _) => (Role::Identifier, reason.to_owned()),
            (None, Some((_, reason))) => {
                (Role::Private, format!("class: {reason}; private unless others know it"))
            }
            (None, None) => self.public_or_private(),
        };
        Guess { role, class: class.is_some(), kind: self.kind(), reason }
    }

    /// Why the column names people, if it does.
    fn identifier(&self) -> Option<&'static str> {
        let many = self.distinct > SURPRISING && self.distinct * 20 >= self.individuals;
        let different = self.individuals >= SURPRISING && self.alone * 20 >= self.individuals * 19;
        let numeric = self.column.kind() == Kind::Numeric;
        if self.means(IDENTIFYING) {
            Some("the name speaks of naming or reaching a person")
        } else if self.means(NUMBERING) && many {
            Some("the name speaks of numbering people; if one of them has several rows, make it the subject")
        } else if different && !numeric {
            Some("nearly everybody has a text of their own")
        } else if different && self.counts_up() {
            Some("the numbers run on without a gap, one for each")
        } else {
            None
        }
    }

    /// Whether the numbers are as many as there are whole numbers between the lowest and the highest.
    fn counts_up(&self) -> bool {
        let Some(numbers @ [first, .., last]) = self.column.values().numbers() else { return false };
        (last - first + 1.0 - self.distinct as f64).abs() < 0.5 && is_whole(numbers)
    }

    fn public_or_private(&self) -> (Role, String) {
        if self.named(SENSITIVE) {
            let reason = "the name speaks of health, money or law; make it public if others know it";
            return (Role::Private, reason.to_owned());
        }
        if self.named(DEMOGRAPHIC) {
            return (Role::Public, "demographic: others can know it".to_owned());
        }
        let note = match self.column.values() {
            _ if self.distinct <= 1 => "; the same for everybody, it identifies nobody",
            Values::Numeric(numbers) if !is_whole(numbers) => {
                "; a measurement with decimals, private if nobody else can measure it"
            }
            Values::Numeric(_) if self.distinct * 4 > self.individuals => {
                "; a number with very many values, which singles out whoever knows it"
            }
            _ => "",
        };
        (Role::Public, format!("unsure: public is the careful guess{note}"))
    }

    fn kind(&self) -> Kind {
        if self.column.kind() == Kind::Numeric && self.named(CODES) {
            Kind::Categorical
        } else {
            self.column.kind()
        }
    }
}

/// Whether a word is one of a list's, which are set apart by blanks.
fn is_among(word: &str, list: &str) -> bool {
    list.split(' ').any(|other| other == word)
}

fn is_whole(numbers: &[f64]) -> bool {
    numbers.iter().all(|number| number.fract() == 0.0)
}

/// The words of a name in lower case: `HomeZip_code2` is home, zip, code.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        if !letter.is_alphabetic() || (letter.is_uppercase() && before.is_lowercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphabetic()) {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}
