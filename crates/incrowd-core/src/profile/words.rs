//! Words in the names of columns, and what they suggest. Names are compared word by word in lower case.

/// Values of columns that only say whether something is so.
pub(super) const YES_OR_NO: [&str; 12] =
    ["yes", "no", "y", "n", "ja", "nein", "j", "true", "false", "wahr", "falsch", "x"];

/// Names of what names or reaches a person.
pub(super) const IDENTIFYING: &str = "name names firstname forename lastname surname fullname username login email mail \
    vorname nachname familienname rufname zuname geburtsname spitzname telefonnummer mobilnummer mobiltelefon rufnummer \
    faxnummer emailadresse mailadresse kontonummer bankverbindung kfz steuerid steuernummer idnr svnr \
    sozialversicherungsnummer rentenversicherungsnummer krankenversichertennummer versichertennummer kvnr \
    personalausweis personalausweisnummer ausweisnummer passnummer reisepass unterschrift prenom prénom nom apellido \
    apellidos telefon handy courriel phone telephone mobile fax ssn passport iban nino licence license signature photo url ip mac imei vin plate";

/// Names of persons: a column of their numbers identifies individuals.
pub(super) const PERSONS: &str = "patient person subject customer client member student pupil employee user individual \
    participant respondent applicant insured policyholder driver mrn nhs pid patientin kunde kundin mitglied schüler \
    schueler schülerin studierende mitarbeiter mitarbeiterin versicherter versicherte versicherten antragsteller klient \
    klientin teilnehmer teilnehmerin proband";

/// Names of what is numbered, one number for each person or each event of theirs.
pub(super) const NUMBERING: &str = "id ids uid uuid guid key identifier record account index case encounter visit \
    admission episode claim invoice order transaction ticket reference ref serial card contract policy file chart \
    sample specimen accession loan application registration row rowid rownum accident";

/// Words at the end of a name that leave its meaning to the word before.
pub(super) const TRAILING: &str = "number num no nr nbr numbers address code";

/// Trailing words, and others that suggest that a column numbers something.
pub(super) const NUMBERS: &str = "id ids number num no nr nbr key code index";

/// Names of what others can see or look up.
pub(super) const DEMOGRAPHIC: &str = "age sex gender race ethnicity ethnic zip zipcode postcode postal plz city town \
    district region county state country nationality native citizenship address street birth birthday birthdate \
    born dob occupation job profession employer workclass education school marital married spouse relationship \
    children household family language height car housing suburb province municipality cp alter lebensalter geschlecht postleitzahl hausnummer anschrift landkreis kreis gemeinde ortsteil \
    stadtteil \
    geburtsdatum geburtstag geburtsjahr geboren staatsangehörigkeit staatsangehoerigkeit staatsbürgerschaft \
    nationalität nationalitaet nationalité nationalite né née wohnort ort stadt land bundesland staat beruf familienstand kinder \
    strasse straße adresse sexe naissance ville pays sexo edad nacimiento ciudad";

/// Names of what a classifier usually predicts.
pub(super) const CLASS: &str = "class target label outcome y default churn churned response result decision readmitted \
    approved approval attrition survived dropout relapse recurrence";

/// Names of what a classifier may predict, but what may as well be one private attribute of several.
pub(super) const MAYBE_CLASS: &str = "diagnosis disease income salary risk";

/// Words of names for groups of something that is not given itself: `salary_band`.
pub(super) const BANDED: &str = "band bands bracket brackets range ranges tier level group grade bin quantile quartile \
    decile";

/// Names of health, as far as others do not see it.
const HEALTH: &str = "health diagnosis diagnoses diag disease diseases condition illness symptom symptoms icd drg cpt \
    procedure procedures hiv aids cancer tumor tumour diabetes diabetic pregnant pregnancy medication medications \
    med meds drug drugs dose dosage prescription treatment therapy prognosis glucose glu insulin cholesterol \
    creatinine hemoglobin haemoglobin hba a1c a1cresult bp systolic diastolic pressure pulse triglycerides serum plasma blood \
    lab labs laboratory allergy allergies disability mental psychiatric depression suicide harm selfharm smoker smoking smoked smokes tobacco vape vaping cannabis \
    overdose drinking binge asthma epilepsy autism adhd anxiety migraine hospitalised hospitalized hospitalisation \
    hospitalization \
    alcohol injury injuries severity mortality deceased died death los needs sen handicap handicapped impairment \
    counselling counseling sick sickness sickleave disposition triage bmi gdb comorbidity comorbidities";

/// Names of laboratory values. Short ones that mean something else as well (alt, ast, ph) are left out.
const LABORATORY: &str = "troponin tnt tni crp hb hgb hct haematocrit hematocrit mcv wbc rbc leukocytes leucocytes \
    lymphocytes neutrophils platelets thrombocytes albumin bilirubin bnp probnp ferritin ldh ggt tsh psa inr aptt \
    procalcitonin egfr gfr bun urea urate lactate ldl hdl lipase amylase sodium potassium calcium magnesium phosphate \
    dimer esr hormone antibody antibodies antigen titer titre";

/// Names of marks and conduct, at school and at work.
const CONDUCT: &str = "mark marks grades gpa bullied bullying bully harassed harassment abuse abused sanction sanctions \
    sanctioned discipline disciplinary misconduct suspension suspensions suspended expelled expulsion detention \
    detentions absence absences absent absenteeism truancy truant reprimand reprimands appraisal";

/// Words beside `grade` that make it a mark and not a year at school.
const GRADED: &str = "mean average avg final exam test overall";

/// Names of figures that judge a person, whatever they are about.
const JUDGED: &str = "score scores rating ratings";

/// Names that only two words together make private: one of the first and one of the second list, and what they suggest.
/// A `discharge_date` and a `heart` are not private, a `discharge_status` and a `heart_rate` are.
const PAIRS: [(&str, &str, &str); 6] = [
    ("length duration", "stay", "health"),
    ("discharge discharged", "status type destination code", "health"),
    ("heart respiratory", "rate", "health"),
    ("interest hourly", "rate rates", "money"),
    ("free", "meal meals lunch lunches", "money"),
    ("note notes", "finale finales moyenne examen", "performance or conduct"),
];

/// Names of money.
const MONEY: &str = "income salary wage wages earnings pay paid payment payments cost costs charge charges price \
    amount balance debt debts loan credit creditworthiness savings checking mortgage rent spending expenses \
    revenue tax taxes bonus capital gain loss premium assets wealth steuer fine fines penalty penalties fee fees benefit \
    benefits allowance pension subsidy subsidies donation donations euro euros eur usd gbp chf dollars";

/// Names of law and of belief.
const LAW: &str = "offence offense conviction crime criminal arrest charge felony prison vote party union sexual religion \
    religious belief faith konfession";

/// Beginnings of words of other languages, which make compounds, and what they suggest.
const STEMS: [(&str, &[&str]); 4] = [
    (
        "health",
        &[
            "diagnos",
            "gesundheit",
            "krank",
            "befund",
            "medikament",
            "therapi",
            "behandlung",
            "schwanger",
            "sante",
            "salud",
            "enferm",
            "maladie",
            "allerg",
            "laborwert",
            "traitement",
            "medicament",
            "behinder",
            "adhs",
            "rauch",
            "alkohol",
            "sucht",
            "pflege",
            "impf",
        ],
    ),
    (
        "money",
        &[
            "gehalt",
            "einkommen",
            "kosten",
            "lohn",
            "schuld",
            "kredit",
            "vermoegen",
            "salair",
            "salar",
            "revenu",
            "ingres",
            "sueldo",
            "montant",
            "betrag",
            "entgelt",
            "besoldung",
            "steuerklass",
            "boursi",
            "leistungsart",
            "sozialleistung",
            "rente",
            "bürgergeld",
            "buergergeld",
            "wohngeld",
        ],
    ),
    (
        "law or belief",
        &[
            "straf",
            "vorstraf",
            "verurteil",
            "partei",
            "gewerkschaft",
            "condamn",
            "delito",
            "religio",
            "migration",
            "asyl",
            "aufenthalt",
        ],
    ),
    (
        "performance or conduct",
        &["beurteil", "fehltag", "fehlzeit", "zeugnis", "gemobbt", "mobbing", "noten"],
    ),
];

/// Ends of the names of drugs.
const DRUGS: [&str; 26] = [
    "formin",
    "glinide",
    "glitazone",
    "zamide",
    "butamide",
    "pamide",
    "examide",
    "buride",
    "piride",
    "pizide",
    "gliptin",
    "glipton",
    "pril",
    "sartan",
    "statin",
    "olol",
    "dipine",
    "mycin",
    "cillin",
    "prazole",
    "xetine",
    "floxacin",
    "cycline",
    "zepam",
    "bose",
    "glitol",
];

/// Names of numbers that are codes.
pub(super) const CODES: &str = "zip zipcode postcode postal plz cp code codes id icd iban diag";

/// Names of postal codes: their first characters are larger areas.
pub(super) const POSTAL: &str = "zip zipcode postcode postal plz cp";

/// Names of free text, which may contain anything.
pub(super) const FREE_TEXT: &str = "comment comments note notes remark remarks memo freetext narrative feedback \
    kommentar kommentare bemerkung bemerkungen notiz notizen freitext anmerkung anmerkungen commentaire remarque";

/// Words at the end of a name that make it a point in time: the date of a loan is not the amount.
const TIMES: &str = "date dates datum day month year time";

/// Names of dates.
pub(super) const DATES: &str = "date day dob birthday birthdate datum";

/// What the words of a name suggest, where it is private.
pub(super) fn private(words: &[String]) -> Option<&'static str> {
    let any = |list: &str| words.iter().any(|word| is_among(word, list));
    let is_drug = |word: &String| word.len() >= 7 && DRUGS.iter().any(|end| word.ends_with(end));
    let is_mark = any("grade") && any(GRADED);
    let is_time = words.last().is_some_and(|word| is_among(word, TIMES));
    // The German degree of disability, which has a capital within.
    let is_degree = words.windows(2).any(|pair| pair[0] == "gd" && pair[1] == "b");
    if any(HEALTH) || any(LABORATORY) || words.iter().any(is_drug) || is_degree {
        Some("health")
    } else if (any(MONEY) && !is_time) || matches!(words, [rate] if rate == "rate") {
        Some("money")
    } else if any(LAW) {
        Some("law or belief")
    } else if any(CONDUCT) || is_mark {
        Some("performance or conduct")
    } else {
        let pair = PAIRS.iter().find(|(first, second, _)| any(first) && any(second));
        let stem = || STEMS.iter().find(|(_, stems)| has_stem(words, stems)).map(|&(meaning, _)| meaning);
        let judged = || any(JUDGED).then_some("a score or rating");
        pair.map(|&(_, _, meaning)| meaning).or_else(stem).or_else(judged)
    }
}

/// Whether a word begins with a stem or contains a long one; short ones may be parts of other words.
fn has_stem(words: &[String], stems: &[&str]) -> bool {
    let is_part = |word: &str, stem: &str| word.starts_with(stem) || (stem.len() >= 6 && word.contains(stem));
    words.iter().any(|word| stems.iter().any(|stem| is_part(word, stem)))
}

/// Whether a word is one of a list's, which are set apart by spaces.
pub(super) fn is_among(word: &str, list: &str) -> bool {
    list.split(' ').any(|other| other == word)
}

/// The words of a name in lower case: `HomeZip_code2` is home, zip, code.
pub(crate) fn words(name: &str) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_words() {
        assert_eq!(words("HomeZip_code2"), ["home", "zip", "code"]);
        assert_eq!(words("patient_nbr"), ["patient", "nbr"]);
        assert!(words("_ 7").is_empty());
    }

    #[test]
    fn health_and_money_are_private() {
        for name in ["diag_1", "metformin", "glimepiride-pioglitazone", "num_lab_procedures", "max_glu_serum"]
        {
            assert_eq!(private(&words(name)), Some("health"), "{name}");
        }
        for name in
            ["total charges", "credit_amount", "capital-gain", "fine", "amount_eur", "eur", "housing benefit"]
        {
            assert_eq!(private(&words(name)), Some("money"), "{name}");
        }
        for name in ["troponin", "crp", "hb_g_dl", "haemoglobin", "special_needs"] {
            assert_eq!(private(&words(name)), Some("health"), "{name}");
        }
        for name in
            ["q_bullied", "harassment", "sanctions", "absent_days", "mean_mark", "final_grade", "grades"]
        {
            assert_eq!(private(&words(name)), Some("performance or conduct"), "{name}");
        }
        for name in ["Allergie", "Laborwert", "sick_days", "traitement"] {
            assert_eq!(private(&words(name)), Some("health"), "{name}");
        }
        assert_eq!(private(&words("religion")), Some("law or belief"));
        assert_eq!(private(&words("montant")), Some("money"));
        for name in
            ["disposition", "triage", "length_of_stay", "discharge_status", "bmi", "GdB", "Schwerbehinderung"]
        {
            assert_eq!(private(&words(name)), Some("health"), "{name}");
        }
        for name in ["Rate", "interest_rate", "Entgeltgruppe", "Steuerklasse", "boursier", "Bruttogehalt (€)"]
        {
            assert_eq!(private(&words(name)), Some("money"), "{name}");
        }
        for name in ["note_finale", "Beurteilung", "Fehltage"] {
            assert_eq!(private(&words(name)), Some("performance or conduct"), "{name}");
        }
        assert_eq!(private(&words("Score")), Some("a score or rating"));
        assert_eq!(private(&words("performance_rating")), Some("a score or rating"));
        for name in [
            "age",
            "medical_specialty",
            "override",
            "grade",
            "discharge_date",
            "discharged",
            "growth_rate",
            "loan_date",
            "PaymentDay",
            "Note",
            "né_le",
            "Staatsangehörigkeit",
        ] {
            assert_eq!(private(&words(name)), None, "{name}");
        }
    }
}
