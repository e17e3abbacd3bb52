//! The identifiers of the Safe Harbor method (45 CFR 164.514(b)(2)), as far as names of attributes and the form of their
//! values show them.

use super::dates::{are_packed_days, has_date};
use super::printed::{Printed, of_column};
use super::{PresetAnswer, answer};
use crate::profile::words_of;
use crate::table::{Column, Kind};
use crate::words::all;
use serde::Serialize;

/// The highest age that may be printed: all ages over 89 are one category, 90 or older.
const OLDEST: f64 = 90.0;

/// The digits of a postal code that may be printed.
const POSTAL_DIGITS: usize = 3;

/// Words of names of attributes with dates or years of birth.
const BIRTH: [&str; 12] = [
    "birth",
    "born",
    "birthdate",
    "birthday",
    "birthyear",
    "dob",
    "yob",
    "geburt",
    "geburtsjahr",
    "geburtsdatum",
    "naissance",
    "nacimiento",
];

/// Numbers that may be years of birth.
const YEARS: std::ops::Range<f64> = 1800.0..2200.0;

/// An identifier of the Safe Harbor method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SafeHarborIdentifier {
    /// Its place in the list, A to R.
    pub letter: char,
    /// What it is.
    pub name: &'static str,
    #[serde(skip)]
    words: &'static str,
    #[serde(skip)]
    form: Form,
}

/// What a release may print of an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
enum Form {
    /// Nothing.
    Nothing,
    /// The first digits of a postal code.
    Postal,
    /// Years.
    Years,
    /// Ages up to 90.
    Ages,
}

const fn identifier(
    letter: char,
    name: &'static str,
    words: &'static str,
    form: Form,
) -> SafeHarborIdentifier {
    SafeHarborIdentifier { letter, name, words, form }
}

/// The identifiers by words of names; of several the first. Words that also mean something else are left out.
const IDENTIFIERS: [SafeHarborIdentifier; 20] = [
    identifier('E', "fax numbers", "fax telefax faxnummer", Form::Nothing),
    identifier(
        'D',
        "telephone numbers",
        "tel phone telephone telefon telefonnummer rufnummer mobile mobil mobilnummer mobiltelefon cellphone handy handynummer vorwahl",
        Form::Nothing,
    ),
    identifier('F', "email addresses", "email mail courriel emailadresse mailadresse", Form::Nothing),
    identifier('O', "Internet protocol addresses", "ip ipv mac", Form::Nothing),
    identifier('N', "Web addresses", "url website homepage webpage", Form::Nothing),
    identifier(
        'G',
        "social security numbers",
        "ssn nino steuerid steuernummer idnr svnr sozialversicherungsnummer rentenversicherungsnummer svnummer",
        Form::Nothing,
    ),
    identifier(
        'H',
        "medical record numbers",
        "mrn patient patientid chart patientennummer patientnummer fallnummer aktenzeichen",
        Form::Nothing,
    ),
    identifier(
        'I',
        "health plan beneficiary numbers",
        "beneficiary member policyholder insured subscriber kvnr krankenversichertennummer versichertennummer mitgliedsnummer mitgliednummer egk chipkarte",
        Form::Nothing,
    ),
    identifier(
        'J',
        "account numbers",
        "account iban bic konto kontonummer blz bankleitzahl bankverbindung",
        Form::Nothing,
    ),
    identifier(
        'K',
        "certificate and license numbers",
        "license licence certificate passport ausweis ausweisnummer personalausweis personalausweisnummer reisepass passnummer führerschein führerscheinnummer fuehrerschein",
        Form::Nothing,
    ),
    identifier(
        'L',
        "vehicle identifiers",
        "vin plate vehicle kennzeichen kfz fahrgestellnummer",
        Form::Nothing,
    ),
    identifier(
        'M',
        "device identifiers",
        "device imei serial implant implantat implantatnummer seriennummer gerätenummer geraetenummer",
        Form::Nothing,
    ),
    identifier(
        'P',
        "biometric identifiers",
        "biometric biometrie fingerprint fingerabdruck voiceprint iris retina",
        Form::Nothing,
    ),
    identifier(
        'Q',
        "full-face photographs",
        "photo photograph picture portrait foto lichtbild passbild",
        Form::Nothing,
    ),
    identifier(
        'A',
        "names",
        "name names firstname lastname surname forename fullname vorname nachname familienname geburtsname rufname zuname nom prenom",
        Form::Nothing,
    ),
    identifier('B', "postal codes", "zip zipcode postcode postal plz postleitzahl", Form::Postal),
    identifier(
        'B',
        "geographic subdivisions smaller than a state",
        "street address city town county district precinct suburb municipality parish village straße strasse adresse anschrift hausnummer wohnort ort ortsteil stadt stadtteil gemeinde kreis landkreis bezirk gps geocode lat latitude lon lng longitude breitengrad längengrad laengengrad koordinaten",
        Form::Nothing,
    ),
    identifier(
        'C',
        "dates more specific than a year",
        "date dob birthdate birthday month day weekday week datum geburtsdatum geburtstag aufnahmedatum entlassungsdatum sterbedatum todesdatum behandlungsdatum monat wochentag",
        Form::Years,
    ),
    identifier('C', "ages over 89", "age ageyrs ageyears alter lebensalter edad", Form::Ages),
    identifier(
        'R',
        "other unique identifying numbers or codes",
        "id uid uuid guid identifier kennung kennziffer personalnummer kundennummer rechnungsnummer vertragsnummer",
        Form::Nothing,
    ),
];

/// The identifier that an attribute may be, by its name.
pub fn safe_harbor_identifier(attribute: &str) -> Option<SafeHarborIdentifier> {
    let words = words_of(attribute);
    let pair =
        |first: &str, second: &str| words.windows(2).any(|two| two[0] == first && two[1].starts_with(second));
    if pair("medical", "record") || pair("record", "number") || pair("record", "nr") || pair("record", "no") {
        return IDENTIFIERS.iter().find(|own| own.letter == 'H').copied();
    }
    if pair("post", "code") || pair("zip", "code") {
        return IDENTIFIERS.iter().find(|own| own.form == Form::Postal).copied();
    }
    if pair("years", "old") {
        return IDENTIFIERS.iter().find(|own| own.form == Form::Ages).copied();
    }
    if pair("social", "security") || pair("steuer", "id") || pair("steuer", "nummer") {
        return IDENTIFIERS.iter().find(|own| own.letter == 'G').copied();
    }
    let words = with_numbers(words);
    let is_named = |own: &&SafeHarborIdentifier| {
        words.iter().any(|word| own.words.split(' ').any(|other| other == word))
    };
    IDENTIFIERS.iter().find(is_named).copied()
}

/// The words of a name, and those with an abbreviated or separate word for a number written out: `kontonr` and `konto nr`
/// are `kontonummer`.
fn with_numbers(mut words: Vec<String>) -> Vec<String> {
    let is_number = |word: &String| matches!(word.as_str(), "nr" | "no" | "nbr" | "nummer");
    let pairs = words.windows(2).filter(|two| is_number(&two[1])).map(|two| format!("{}nummer", two[0]));
    let stems = words.iter().filter_map(|word| Some(format!("{}nummer", word.strip_suffix("nr")?)));
    let whole: Vec<String> = pairs.chain(stems).collect();
    words.extend(whole);
    words
}

/// What the attributes of a release are among the identifiers.
pub(super) fn answers(printed: &[Printed]) -> Vec<PresetAnswer> {
    let of = |form: Form| {
        let is_of = move |own: &&Printed| form_of(own) == Some(form);
        let found: Vec<&Printed> = printed.iter().filter(is_of).collect();
        let broken: Vec<String> =
            found.iter().filter(|own| is_broken(own, form)).map(|own| format!("`{}`", own.name)).collect();
        let text = if !broken.is_empty() {
            let (is, shows) = match broken.len() {
                1 => ("is", "distinguishes"),
                _ => ("are", "distinguish"),
            };
            let names = all(&broken);
            match form {
                Form::Nothing => format!("{names} may not be printed at all"),
                Form::Postal => format!("{names} {is} not cut to three digits"),
                Form::Years => format!("{names} {is} more specific than a year"),
                Form::Ages => format!("{names} {shows} ages over 89"),
            }
        } else if found.is_empty() {
            "none in the release, by the names of its attributes".to_owned()
        } else {
            format!(
                "checked: {}",
                all(&found.iter().map(|own| format!("`{}`", own.name)).collect::<Vec<_>>())
            )
        };
        (text, Some(broken.is_empty()))
    };
    let asked = |question: &'static str, form: Form| {
        let (text, holds) = of(form);
        answer(question, text, holds)
    };
    let mut answers = vec![
        asked(
            "Is no attribute a name, number, address or other identifier that may not be printed at all?",
            Form::Nothing,
        ),
        asked("Are postal codes cut to three digits?", Form::Postal),
        asked("Are dates not more specific than a year?", Form::Years),
        asked("Are all ages over 89 one category (no age above 90)?", Form::Ages),
    ];
    let of_birth: Vec<String> =
        printed.iter().filter(|own| shows_births(own)).map(|own| format!("`{}`", own.name)).collect();
    if !of_birth.is_empty() {
        let text = format!(
            "cannot be checked without the date that the data are of: {} must not show years of birth of people over 89, \
             except as one category",
            all(&of_birth)
        );
        answers.push(answer("Do dates and years of birth not show ages over 89?", text, None));
    }
    if printed.iter().any(|own| form_of(own) == Some(Form::Postal)) {
        let text = "cannot be checked from the table: compare the codes with the census, and replace those of fewer people \
                    by 000";
        answers.push(answer(
            "Do the three digits of every postal code stand for more than 20,000 people?",
            text.to_owned(),
            None,
        ));
    }
    answers
}

/// The columns of a table that break the preset if they are released as they are.
pub fn safe_harbor_breaks<'a>(columns: impl Iterator<Item = &'a Column>) -> Vec<&'a str> {
    let breaks = |column: &&Column| {
        let printed = of_column(column, column.is_in_days() || column.kind() == Kind::Date);
        form_of(&printed).is_some_and(|form| is_broken(&printed, form))
    };
    columns.filter(breaks).map(Column::name).collect()
}

fn form_of(printed: &Printed) -> Option<Form> {
    let named = safe_harbor_identifier(&printed.name).map(|own| own.form);
    let texts = || printed.texts.iter().map(String::as_str);
    let numbers = || printed.numbers.iter().map(f64::to_string).collect::<Vec<_>>();
    let has_dates = || {
        texts().any(has_date)
            || are_packed_days(texts())
            || are_packed_days(numbers().iter().map(String::as_str))
    };
    // Something that may not be printed at all is not better for being a date.
    if named != Some(Form::Nothing) && (printed.dates || has_dates()) {
        return Some(Form::Years);
    }
    named
}

/// Whether an attribute seems to print dates or years of birth.
fn shows_births(printed: &Printed) -> bool {
    let is_named = words_of(&printed.name).iter().any(|word| BIRTH.contains(&word.as_str()));
    let is_year = |number: f64| number.fract() == 0.0 && YEARS.contains(&number);
    let mut numbers =
        printed.texts.iter().flat_map(|text| numbers(text)).chain(printed.numbers.iter().copied());
    is_named && (printed.dates || numbers.any(is_year))
}

fn is_broken(printed: &Printed, form: Form) -> bool {
    let texts = || printed.texts.iter().map(String::as_str);
    let is_silent = printed.texts.iter().all(|text| is_nothing(text)) && printed.numbers.is_empty();
    if printed.unread {
        return true;
    }
    match form {
        Form::Nothing => !is_silent,
        Form::Postal => {
            !printed.numbers.is_empty()
                || texts().any(|text| digits(text).any(|run| run.len() > POSTAL_DIGITS))
        }
        Form::Years => {
            (printed.dates && !printed.numbers.is_empty()) || texts().any(|text| !is_of_years(text)) || {
                let is_year = |number: &f64| number.fract() == 0.0 && (1000.0..3000.0).contains(number);
                !printed.dates && !printed.numbers.iter().all(is_year)
            }
        }
        Form::Ages => {
            // Also numbers such as 9.5e1.
            let whole = texts().filter_map(|text| text.trim().parse().ok());
            let numbers = texts().flat_map(numbers).chain(whole).chain(printed.numbers.iter().copied());
            let are_over = numbers.into_iter().any(|number| number > OLDEST && number.is_finite());
            // A test at 90 tells people of 90 from older ones, as a cell `> 90` does.
            are_over
                || printed.cuts.iter().any(|&cut| cut >= OLDEST && cut.is_finite())
                || texts().any(is_above_oldest)
        }
    }
}

/// Whether a text is about people who are older than 90, and so not about all who are over 89.
fn is_above_oldest(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let above = ["over", "above", "more than", "older than", "über", "ueber", "mehr als", "älter als", ">"];
    let Some(rest) = above.iter().find_map(|word| text.strip_prefix(word)) else { return false };
    !rest.starts_with('=') && numbers(rest).next().is_some_and(|number| number >= OLDEST)
}

/// Whether a cell says nothing.
fn is_nothing(text: &str) -> bool {
    matches!(text, "" | "*" | "?" | "any date")
}

/// Whether a text of a date names years only.
fn is_of_years(text: &str) -> bool {
    is_nothing(text)
        || (!text.contains(['-', '/', '.'])
            && digits(text).all(|run| run.len() == 4)
            && digits(text).next().is_some())
}

/// The runs of digits of a text.
fn digits(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_digit()).filter(|run| !run.is_empty())
}

/// The numbers of a text.
fn numbers(text: &str) -> impl Iterator<Item = f64> {
    text.split(|letter: char| !letter.is_ascii_digit() && letter != '.')
        .filter_map(|run| run.trim_matches('.').parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(name: &str, texts: &[&str], numbers: &[f64]) -> Printed {
        let texts = texts.iter().map(|&text| text.to_owned()).collect();
        Printed { name: name.to_owned(), texts, numbers: numbers.to_vec(), ..Printed::default() }
    }

    fn holds(printed: Printed) -> bool {
        answers(&[printed]).iter().all(|answer| answer.holds != Some(false))
    }

    #[test]
    fn attributes_are_recognized_by_their_names() {
        for (name, letter) in [
            ("patient_name", 'H'),
            ("LastName", 'A'),
            ("home_phone", 'D'),
            ("EmailAddress", 'F'),
            ("ip-address", 'O'),
            ("SSN", 'G'),
            ("zip", 'B'),
            ("city", 'B'),
            ("dob", 'C'),
            ("age", 'C'),
            ("record_id", 'R'),
            ("Steuer-ID", 'G'),
            ("Krankenversichertennummer", 'I'),
            ("IBAN", 'J'),
            ("PLZ", 'B'),
            ("Straße", 'B'),
            ("Geburtsdatum", 'C'),
            ("Telefon", 'D'),
            ("Lebensalter", 'C'),
            ("Aktenzeichen", 'H'),
            ("Patientennr", 'H'),
            ("Telefon-Nr.", 'D'),
            ("kontonr", 'J'),
            ("Führerscheinnr", 'K'),
            ("Personalnr", 'R'),
            ("SV-Nummer", 'G'),
            ("Längengrad", 'B'),
            ("post code", 'B'),
            ("years_old", 'C'),
        ] {
            assert_eq!(safe_harbor_identifier(name).map(|own| own.letter), Some(letter), "{name}");
        }
        for name in [
            "sex",
            "diagnosis",
            "state",
            "stage",
            "average",
            "hours-per-week-worked x".split('-').next().unwrap(),
        ] {
            assert_eq!(safe_harbor_identifier(name), None, "{name}");
        }
    }

    #[test]
    fn values_decide_where_some_may_be_printed() {
        assert!(holds(printed("age", &[], &[18.0, 89.5, 90.0])));
        assert!(!holds(printed("age", &[], &[18.0, 92.0])));
        assert!(holds(printed("age", &["90+", "[20,30)", "*"], &[])));
        assert!(!holds(printed("age", &["[85,95)"], &[])));
        assert!(
            !holds(printed("age", &["[40, 89]", "90", "> 90"], &[]))
                && !holds(printed("age", &["über 90"], &[]))
        );
        assert!(holds(printed("age", &["over 89", ">= 90", "> 89"], &[])));
        assert!(!holds(Printed { cuts: vec![90.0], ..printed("age", &[], &[90.0]) }));
        assert!(holds(Printed { cuts: vec![89.5], ..printed("age", &[], &[89.5]) }));
        assert!(!holds(printed("admission", &[], &[20_260_531.0, 20_260_601.0])));
        assert!(holds(printed("zip", &["130**", "*"], &[])));
        assert!(!holds(printed("zip", &["13053"], &[])));
        assert!(!holds(printed("zip", &[], &[13052.5])));
        assert!(holds(printed("admission date", &["2020", "2020 or 2021", "any date"], &[])));
        assert!(!holds(printed("admission date", &["2020-03"], &[])));
        assert!(!holds(Printed { dates: true, ..printed("seen", &[], &[18_000.0]) }));
        assert!(!holds(printed("email", &["a@b.c"], &[])));
        assert!(holds(printed("email", &["*"], &[])));
        assert!(!holds(Printed { unread: true, ..printed("email", &[], &[]) }));
        assert!(holds(printed("diagnosis", &["flu"], &[92.0])));
    }

    #[test]
    fn years_of_birth_are_left_to_the_owner() {
        let asks = |name: &str, texts: &[&str], numbers: &[f64]| {
            let answers = answers(&[printed(name, texts, numbers)]);
            answers.iter().any(|own| own.holds.is_none() && own.answer.contains("years of birth"))
        };
        assert!(asks("birth_year", &["[1925, 1930]", "*"], &[]));
        assert!(asks("YearOfBirth", &[], &[1925.0]));
        assert!(!asks("birth-country", &["Kenya"], &[]));
        assert!(!asks("year", &[], &[1925.0]));
    }

    #[test]
    fn what_cannot_be_checked_is_said() {
        let answers = answers(&[printed("zip", &["130"], &[])]);
        assert!(answers.iter().any(|own| own.holds.is_none() && own.answer.contains("cannot be checked")));
    }

    #[test]
    fn dates_are_recognized_by_their_form() {
        for text in [
            "2026-05-31",
            "2026-05",
            "2026-Q2",
            "31.12.2026",
            "5/31/2026",
            "2026-05-31T10:30:00",
            "[2026-01-01, 2026-03-31]",
            "{2026-05, 2026-06}",
        ] {
            assert!(has_date(text), "{text}");
            assert!(!holds(printed("visit", &[text], &[])), "{text}");
        }
        for text in ["2026", "1999.5", "[1000, 2000)", "10-20", "A-12-B", "1-2-3", "2020-2025", "*", ""] {
            assert!(!has_date(text), "{text}");
        }
        assert!(holds(printed("visit", &["2026", "2027"], &[])));
        for name in ["record_number", "medical_record", "social_security", "tel", "patientid"] {
            assert!(!holds(printed(name, &["17"], &[])), "{name}");
        }
        assert!(!holds(printed("age", &["9.5e1"], &[])));
    }
}
