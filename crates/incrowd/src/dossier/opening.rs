//! The beginning of a dossier: the verdict, the main figures, purpose and approval, the files.

use super::content::{Content, LedgerFacts, RequirementFacts, RequirementState};
use super::covered;
use super::page::{Block, Fact, Mood, Table, Tile};
use incrowd_core::audit::{Report, listed_sets};
use incrowd_core::words::{all, between, bounds, count, counted};
use incrowd_eval::words::percent;
use incrowd_io::dossier::{DossierForm, FileRecord, FileRole};

/// The verdict: a headline, and what follows from it.
pub(super) fn verdict(content: &Content) -> (String, Vec<String>) {
    match &content.audit {
        Some(report) if !report.holds => (failed(content).to_owned(), broken(content, report)),
        Some(report) if !content.holds => (FAILS_TOGETHER.to_owned(), remaining(content, report)),
        Some(report) => (headline(content).to_owned(), remaining(content, report)),
        None => {
            let said = [promised(&content.guarantee)].into_iter().chain(covered::warning(content));
            let unsearched = content.unsearched.then(|| covered::UNSEARCHED.to_owned());
            let sets = (!content.sets.is_empty()).then(|| APART.to_owned());
            let is_explained =
                !content.sets.is_empty() || !content.unlimited.is_empty() || content.unsearched;
            let other = (content.mood == Mood::Care && !is_explained).then(|| RESERVED.to_owned());
            (MEETS.to_owned(), said.chain(sets).chain(unsearched).chain(other).collect())
        }
    }
}

/// How serious the verdict is.
pub(super) fn mood(content: &Content) -> Mood {
    let is_reserved = headline(content) != MEETS
        || !content.weakened.is_empty()
        || content.unsearched
        || content.mood == Mood::Care
        || !content.sets.is_empty()
        || !content.unlimited.is_empty()
        || content.audit.as_ref().is_some_and(|report| {
            !report.not_judged.is_empty()
                || report.alone_over_rows.is_some_and(|alone| alone > 0)
                || is_certain_for_many(report)
        });
    match (content.holds, is_reserved) {
        (false, _) => Mood::Bad,
        (true, true) => Mood::Care,
        (true, false) => Mood::Good,
    }
}

/// Whether a private value may be certain for more than one individual in twenty.
fn is_certain_for_many(report: &Report) -> bool {
    report.exposed.saturating_mul(20) > report.individuals
}

/// That someone who knows several of the sets of attributes can tell more.
fn apart(content: &Content) -> Option<String> {
    (!content.sets.is_empty()).then(|| format!("{} {APART}", one_of(&content.sets)))
}

/// For whom a guarantee of sets holds.
pub(super) fn one_of(sets: &[Vec<String>]) -> String {
    format!("This holds only for someone who knows one of these sets of attributes: {}.", listed_sets(sets))
}

const APART: &str = "Someone who knows attributes of several sets can tell more individuals apart.";
const RESERVED: &str = "The audit found reasons for caution, which the report for the owner names.";
const LESS: &str = "The release meets less than the policy requires.";
const MEETS: &str = "The release meets the required guarantee.";
const FAILS: &str = "The release does not meet the required guarantee. Do not publish it.";
const FAILS_TOGETHER: &str = "The release meets the required guarantee alone, but not together with the other releases of the ledger. Do not publish it.";
const NOTHING: &str = "No guarantee was required. The audit only measured what the release reveals.";
const UNPROVEN: &str = "The required guarantee is not proven: nothing was found that breaks it, but not everything could be searched. Do not \
     publish it.";

/// The headline of a release that does not pass.
fn failed(content: &Content) -> &'static str {
    let is = |state: RequirementState| content.guarantee.iter().any(|asked| asked.result == state);
    let is_broken = is(RequirementState::Broken) || !is(RequirementState::NotProven);
    if is_broken || content.audit.as_ref().is_some_and(|report| !report.column_breaches.is_empty()) {
        FAILS
    } else {
        UNPROVEN
    }
}

fn headline(content: &Content) -> &'static str {
    let is = |state: RequirementState| content.guarantee.iter().any(|asked| asked.result == state);
    match is(RequirementState::Holds) {
        true if content.weakened.is_empty() => MEETS,
        true => LESS,
        false => NOTHING,
    }
}

/// The promise of a guarantee that holds.
fn promised(guarantee: &[RequirementFacts]) -> String {
    let first = guarantee.iter().find(|asked| asked.k.is_some()).or_else(|| guarantee.first());
    first.map_or_else(String::new, |asked| asked.meaning.clone())
}

/// What remains to be said about a release that is not a breach.
fn remaining(content: &Content, report: &Report) -> Vec<String> {
    let mut said = vec![crowd(content, report), exposed(report)];
    said.extend(of_all_attributes(content, report));
    said.extend(covered::warning(content));
    said.extend(content.unsearched.then(|| covered::UNSEARCHED.to_owned()));
    said.extend(over_rows(report));
    said.extend(content.ledger.as_ref().and_then(together));
    if !content.weakened.is_empty() {
        said.push(format!("The policy requires more than was checked: {}.", all(&content.weakened)));
    }
    if !report.not_judged.is_empty() {
        let columns = counted(report.not_judged.len() as u64, "released column");
        let is = if report.not_judged.len() == 1 { "is" } else { "are" };
        said.push(format!(
            "{columns} {is} not covered by the guarantee, because the policy does not judge them."
        ));
    }
    if !report.warnings.is_empty() {
        let warnings = counted(report.warnings.len() as u64, "warning");
        let them = if report.warnings.len() == 1 { "it" } else { "them" };
        said.push(format!("The audit has {warnings}. Read {them} under \u{201c}Remaining risks\u{201d}."));
    }
    said
}

/// What someone finds who knows the attributes of all sets.
fn of_all_attributes(content: &Content, report: &Report) -> Option<String> {
    let said = apart(content)?;
    let Some(all) = &report.all_attributes else { return Some(format!("{said} This was not checked.")) };
    Some(format!(
        "{said} With all public attributes there are {}; the smallest has {}, and {} alone in a group.",
        counted(all.spans, "group"),
        counted(all.k, "individual"),
        if all.alone == 1 {
            "1 individual is".to_owned()
        } else {
            format!("{} individuals are", count(all.alone))
        },
    ))
}

fn crowd(content: &Content, report: &Report) -> String {
    let required = content.guarantee.iter().find_map(|asked| asked.k);
    let required = required.map_or_else(
        || "No size of groups was required.".to_owned(),
        |k| {
            let was = if k == 1 { "was" } else { "were" };
            let how = if content.weakened.is_empty() { "required" } else { "checked" };
            format!("At least {} {was} {how}.", count(k))
        },
    );
    if !content.sets.is_empty() {
        return format!(
            "The release is about {}. For someone who knows only one of the {} of attributes below, the smallest group of \
             individuals who look alike has {}. {required}",
            people(content, report),
            counted(content.sets.len() as u64, "set"),
            counted(report.k, "individual"),
        );
    }
    if content.release.several_rows == Some(true) && !content.rows_apart {
        return format!(
            "The release is about {}. Someone who knows all public attributes in all rows of everyone finds at least {} who \
             look alike; one row leads to one of {}. {required}",
            people(content, report),
            counted(report.k, "individual"),
            counted(report.spans, "group"),
        );
    }
    let knows = if content.rows_apart {
        "the public attributes of one row of every individual"
    } else {
        "all their public attributes"
    };
    format!(
        "The release is about {}. Someone who knows {knows} finds {} of individuals who look alike; the smallest has {}. \
         {required}",
        people(content, report),
        counted(report.spans, "group"),
        counted(report.k, "individual"),
    )
}

/// The individuals of the release, and of how many it is about them.
fn people(content: &Content, report: &Report) -> String {
    match content.release.individuals_of_data.filter(|&all| all > report.individuals) {
        Some(all) => format!("{} of {}", count(report.individuals), counted(all, "individual")),
        None => counted(report.individuals, "individual"),
    }
}

fn exposed(report: &Report) -> String {
    if report.exposed == 0 {
        let by = if report.sets.is_empty() { "" } else { " by someone who knows one of the sets" };
        return format!("No private value of any individual can be inferred with certainty{by}.");
    }
    let (least, most) = (report.surely_exposed(), report.exposed);
    let share = |people: u64| percent(people as f64 / report.individuals.max(1) as f64);
    let shares = if least > 0 && least < most {
        format!("{} to {}", share(least).trim_end_matches(" %"), share(most))
    } else {
        share(most)
    };
    format!(
        "For {} ({shares} of all), a private value can still be inferred with certainty{}.",
        between(least, most, "individual"),
        if report.sets.is_empty() { "" } else { " by someone who knows one of the sets" },
    )
}

/// Who can be told apart by all of their rows, if individuals have several.
fn over_rows(report: &Report) -> Option<String> {
    let alone = report.alone_over_rows.filter(|&alone| alone > 0)?;
    let share = percent(alone as f64 / report.individuals.max(1) as f64);
    Some(format!(
        "Someone who knows all rows of an individual can tell {} ({share} of all) apart from all others.",
        counted(alone, "individual")
    ))
}

/// What the releases of the ledger reveal together.
fn together(ledger: &LedgerFacts) -> Option<String> {
    let alone = "The figures here are those of this release alone.";
    let Some(own) = &ledger.together else {
        return (ledger.releases.len() > 1).then(|| {
            format!(
                "{alone} What it reveals together with the other releases of the ledger was not measured."
            )
        });
    };
    let exposed = match own.exposed {
        Some(0) => "no private value can be inferred with certainty".to_owned(),
        Some(people) => {
            let may_be_none = if own.exposed_at_least == 0 { " (the true number may be 0)" } else { "" };
            format!(
                "for {}, a private value can be inferred with certainty{may_be_none}",
                between(own.exposed_at_least, people, "individual")
            )
        }
        None if own.exposed_at_least > 0 => format!(
            "for at least {}, a private value can be inferred with certainty; for how many more is not known, because \
             individuals have several rows",
            counted(own.exposed_at_least, "individual")
        ),
        None => "for whom a private value can be inferred with certainty is not known, because individuals have several \
                 rows"
            .to_owned(),
    };
    let highest = own.max_confidence.map_or_else(String::new, |share| {
        format!(", the highest confidence where the guarantee sets a limit is {}", percent(share))
    });
    Some(format!(
        "{alone} Someone who has all {} releases of the ledger finds {}; the smallest has {}{highest}, and {exposed}.",
        count(own.releases),
        counted(own.spans, "group"),
        counted(own.k, "individual"),
    ))
}

/// How many of the groups break a requirement.
fn breaking(groups: u64, spans: u64) -> String {
    match (groups, spans) {
        (1, 1) => "the only group breaks it".to_owned(),
        (2, 2) => "both groups break it".to_owned(),
        _ if groups == spans => format!("all {} groups break it", count(spans)),
        (1, _) => format!("1 of {} groups breaks it", count(spans)),
        _ => format!("{} of {} groups break it", count(groups), count(spans)),
    }
}

/// A requirement with its k as in the sentences beside it: `k = 5,000`.
fn with_separators(asked: &RequirementFacts) -> String {
    match asked.k {
        Some(k) => asked.requirement.replacen(&format!("k = {k}"), &format!("k = {}", count(k)), 1),
        None => asked.requirement.clone(),
    }
}

/// What breaks the guarantee.
fn broken(content: &Content, report: &Report) -> Vec<String> {
    let mut said = Vec::new();
    if !report.column_breaches.is_empty() {
        let names: Vec<String> = report
            .column_breaches
            .iter()
            .map(|breach| format!("\u{201c}{}\u{201d}", breach.column))
            .collect();
        said.push(format!(
            "The release contains columns that identify individuals and must not be released: {}.",
            all(&names)
        ));
    }
    for (asked, result) in content.guarantee.iter().zip(&report.asked) {
        if asked.result != RequirementState::Broken {
            continue;
        }
        let groups = result.is_broken_by_spans().then(|| match result.breaches {
            Some(groups) => breaking(groups, report.spans),
            None => "some groups break it".to_owned(),
        });
        let rare = (result.rare_values > 0).then(|| {
            format!(
                "{} printed although too few individuals have them",
                counted(result.rare_values, "private value")
            )
        });
        let why: Vec<String> = groups.into_iter().chain(rare).collect();
        said.push(format!(
            "Not met: {} ({}). What it requires: {}",
            with_separators(asked),
            why.join("; "),
            asked.meaning
        ));
    }
    if let Some(people) = report.in_breach.filter(|&people| people > 0) {
        said.push(format!(
            "{} of {} are affected. The smallest group has {}.",
            count(people),
            counted(report.individuals, "individual"),
            counted(report.k, "individual")
        ));
    }
    said.push(exposed(report));
    said
}

/// The main figures.
pub(super) fn tiles(content: &Content) -> Vec<Tile> {
    let tile = |figure: String, label: &str| Tile { figure, label: label.to_owned() };
    let Some(report) = &content.audit else {
        let people =
            content.release.individuals.map(|people| tile(count(people), "individuals in the release"));
        let k = content.guarantee.iter().find_map(|asked| asked.k);
        let k = k.map(|k| tile(count(k), "individuals required in every group (k)"));
        return people.into_iter().chain(k).collect();
    };
    let required = content.guarantee.iter().find_map(|asked| asked.k);
    let (confidence, of) = covered::highest(content, report);
    let together = content.ledger.as_ref().and_then(|ledger| ledger.together.as_ref());
    let (k, exposed, least, all) = match together {
        Some(own) => (own.k, own.exposed, own.exposed_at_least, ", all releases together"),
        None if !content.sets.is_empty() => {
            (report.k, Some(report.exposed), report.surely_exposed(), ", knowing one set of attributes")
        }
        None => (report.k, Some(report.exposed), report.surely_exposed(), ""),
    };
    let exposed = match (exposed, least) {
        (Some(most), least) => bounds(least, most),
        (None, 0) => "not known".to_owned(),
        (None, least) => format!("≥ {}", count(least)),
    };
    // The fewest individuals among whom someone looks for another.
    let fewest = report.k_over_rows.map_or(k, |over_rows| over_rows.min(k)).max(1);
    let highest = report.risk.prosecutor.highest.max(1.0 / fewest as f64);
    let by_rows =
        if report.k_over_rows.is_some_and(|own| own < k) { ", by all rows of an individual" } else { all };
    vec![
        tile(count(report.individuals), "individuals in the release"),
        tile(required_k(content, required), "smallest group required (k)"),
        tile(count(k), &format!("smallest group found{all}")),
        tile(exposed, &format!("individuals with a certain private value{all}")),
        tile(confidence, &of),
        tile(percent(highest), &format!("highest risk of being recognized{by_rows}")),
    ]
}

/// The k that was checked, and that of the policy if it is larger.
fn required_k(content: &Content, checked: Option<u64>) -> String {
    let own = checked.map_or_else(|| "none".to_owned(), count);
    let policy = content.weakened.iter().find_map(|given_up| given_up.strip_prefix("k = "));
    policy.map_or(own.clone(), |policy| format!("{own} (policy: {policy})"))
}

/// Purpose and approval.
pub(super) fn purpose(content: &Content) -> Vec<Block> {
    let own = &content.statement;
    if content.form == DossierForm::Public {
        let stated = own.public_statement.clone().map(Block::Text);
        let facts = [("Purpose", &own.purpose), ("Controller", &own.controller), ("Contact", &own.contact)];
        let facts =
            facts.into_iter().filter_map(|(name, value)| value.clone().map(|value| Fact::new(name, value)));
        return stated.into_iter().chain([Block::Facts(facts.chain(released(content)).collect())]).collect();
    }
    let mut facts = vec![
        Fact::blank("Purpose of the release", own.purpose.as_ref()),
        Fact::blank("Recipient", own.recipient.as_ref()),
        Fact::blank("Controller", own.controller.as_ref()),
        Fact::blank("Contact", own.contact.as_ref()),
        Fact::blank("Legal basis", own.legal_basis.as_ref()),
        Fact::blank("Reference", own.reference.as_ref()),
    ];
    facts.extend(own.notes.as_ref().map(|notes| Fact::new("Notes", notes)));
    let mut blocks = vec![Block::Facts(facts)];
    blocks.push(Block::Signatures(vec![
        Fact::blank("Approved by", own.approved_by.as_ref()),
        Fact::blank("Date", own.date.as_ref()),
        Fact::blank("Signature", None),
    ]));
    blocks
}

/// What is released.
fn released(content: &Content) -> Vec<Fact> {
    let own = &content.release;
    let size = own
        .size
        .as_ref()
        .map(|size| format!(" with {} {}", count(size.number), singular(size.of, size.number)));
    let mut facts = vec![Fact::new("Release", format!("{}{}", family(own.family), size.unwrap_or_default()))];
    facts.extend(own.method.as_ref().map(|method| Fact::new("Method", method)));
    if !own.parameters.is_empty() {
        let parameters = serde_json::Value::Object(own.parameters.clone()).to_string();
        facts.push(Fact::code("Parameters", parameters));
    }
    facts.extend(own.individuals.map(|people| Fact::new("Individuals", count(people))));
    facts.extend(own.untrue_cells.map(|share| Fact::new("Cells that are not true", untrue(share))));
    facts
}

/// What a reader must know about a table some of whose cells are not true.
pub(crate) fn untrue(share: f64) -> String {
    format!(
        "{} of the public cells do not cover the value of their row: the row shows the cells of another group, so that the \
         table agrees with its recoding or meets the guarantee",
        if share < 0.001 { "less than 0.1 %".to_owned() } else { percent(share) }
    )
}

/// A family in plain words.
pub(super) fn family(name: &str) -> &'static str {
    match name {
        "tree" => "a decision tree",
        "ensemble" => "an ensemble of decision trees",
        "clusters" => "clusters, each described by its centre",
        "rules" => "association rules",
        _ => "an anonymized table",
    }
}

/// The word for one of several things.
fn singular(of: &str, number: u64) -> String {
    match (number, of) {
        (1, "leaves") => "leaf".to_owned(),
        (1, of) => of.trim_end_matches('s').to_owned(),
        (_, of) => of.to_owned(),
    }
}

/// What is released, how this report was made, and the files.
pub(super) fn files(content: &Content) -> Vec<Block> {
    let mut blocks = Vec::new();
    if content.form == DossierForm::Owner {
        let mut facts = released(content);
        let own = &content.release;
        if !own.states.is_empty() {
            facts.push(Fact::new("The release file states", own.states.join("; ")));
        }
        if !own.weakened.is_empty() {
            facts.push(Fact::new("Weakened when it was made", own.weakened.join("; ")));
        }
        facts
            .push(Fact::new("This report", format!("made by {} on {} (UTC)", content.program, content.date)));
        facts.extend(content.command.as_ref().map(|command| Fact::code("Command", command)));
        let seed =
            content.seed.map_or_else(|| "not stated in release files".to_owned(), |seed| seed.to_string());
        facts.push(Fact::new("Random seed", seed));
        blocks.push(Block::Facts(facts));
    }
    blocks.push(Block::Text(
        "The digest of a file changes whenever a byte of the file changes. The digests below are those of the files that \
         this report is about."
            .to_owned(),
    ));
    blocks.push(Block::Table(digests(&content.files)));
    let report = content.json_name.as_deref().unwrap_or("REPORT.json");
    blocks.push(Block::Note(format!(
        "To check later whether files are these files, keep the JSON form of this report and run: incrowd verify \
         {report} RELEASE. Any other program for SHA-256 digests will do as well."
    )));
    blocks
}

fn digests(files: &[FileRecord]) -> Table {
    let mut table = Table::new("digests", "The files", &["what", "file", ">bytes", "#SHA-256"]);
    for file in files {
        table.row([what(file.role), file.name.clone(), count(file.bytes), file.sha256.clone()]);
    }
    table
}

fn what(role: FileRole) -> String {
    match role {
        FileRole::Release => "release file",
        FileRole::Table => "released table",
        FileRole::Policy => "policy",
        FileRole::Taxonomy => "taxonomy",
        FileRole::Data => "data",
        FileRole::Test => "test rows",
        _ => "population",
    }
    .to_owned()
}
