//! Collects what a dossier states from a release, its policy and its audit.

use super::asked::{asked, rows_apart};
use super::content::{
    AttributeFacts, Content, DependencyFacts, LedgerFacts, PolicyFacts, ReleaseFacts, ReleasedAttribute,
    Size, Utility,
};
use super::covered::{is_unsearched, unlimited};
use super::opening::mood;
use super::page::Mood;
use super::ranges::in_ranges;
use incrowd_core::audit::Report;
use incrowd_core::guarantee::RaisedGuarantee;
use incrowd_core::model::{Model, Node};
use incrowd_core::policy::{Attribute, Role, Undeclared};
use incrowd_core::table::{Date, Kind, RowsLeftOut};
use incrowd_core::taxonomy::TaxonomySpec;
use incrowd_core::words::counted;
use incrowd_io::MissingRows;
use incrowd_io::dossier::{DossierForm, FORMAT, FileRecord, VERSION};
use incrowd_io::policy::{ItemRoles, PolicyFile};
use incrowd_io::release::{Origin, Release};

/// What a dossier is made from.
pub(crate) struct Sources<'a> {
    /// The release; none for a table without a release file.
    pub(crate) release: Option<&'a Release>,
    /// The columns of a released table.
    pub(crate) columns: &'a [String],
    pub(crate) policy: &'a PolicyFile,
    pub(crate) report: Report,
    pub(crate) raised: &'a RaisedGuarantee,
    pub(crate) files: Vec<FileRecord>,
    /// The rows of the data that were left out, if the data were read.
    pub(crate) rows_left_out: Option<RowsLeftOut>,
    /// The individuals of the data, also those who were left out; none if the data were not read.
    pub(crate) individuals_of_data: Option<u64>,
    pub(crate) utility: Utility,
    pub(crate) date: Date,
    pub(crate) command: Option<String>,
    pub(crate) seed: Option<u64>,
    pub(crate) ledger: Option<LedgerFacts>,
}

/// The form for the owner.
pub(crate) fn collect(sources: Sources<'_>) -> Content {
    let guarantee = asked(&sources.report, &sources.raised.guarantee);
    let release = release_facts(&sources);
    let policy = policy_facts(sources.policy, &release, sources.rows_left_out.clone());
    let sets = sources.report.sets.clone();
    let mut content = Content {
        format: FORMAT,
        version: VERSION,
        form: DossierForm::Owner,
        holds: sources.report.holds && sources.ledger.as_ref().is_none_or(LedgerFacts::holds),
        date: sources.date.to_string(),
        program: format!("incrowd {}", env!("CARGO_PKG_VERSION")),
        command: sources.command,
        seed: sources.seed,
        statement: sources.policy.dossier.clone(),
        files: sources.files,
        release,
        guarantee,
        sets,
        mood: Mood::Good,
        unlimited: unlimited(&sources.report, &sources.raised.guarantee),
        in_ranges: match sources.release {
            Some(Release::Model(model)) => in_ranges(&model.model),
            _ => Vec::new(),
        },
        rows_apart: rows_apart(&sources.report, &sources.raised.guarantee),
        unsearched: is_unsearched(&sources.report),
        weakened: sources.raised.weakened.clone(),
        policy: Some(policy),
        ledger: sources.ledger,
        audit: Some(Box::new(without_items(sources.report))),
        utility: Some(sources.utility).filter(|utility| !utility.is_empty()),
        json_name: None,
    };
    content.mood = mood(&content);
    content
}

/// The report without the items of small cells, which are private values, and without the path of the table: the dossier
/// lists its files with their digests.
fn without_items(mut report: Report) -> Report {
    report.table_file = None;
    for channel in &mut report.smallest_channels {
        channel.with.clear();
        channel.without.clear();
    }
    report
}

fn release_facts(sources: &Sources<'_>) -> ReleaseFacts {
    let origin = sources.release.map(|release| match release {
        Release::Model(model) => model.origin.clone(),
        Release::Table(table) => table.origin.clone(),
    });
    let Origin { method, parameters, guarantee, weakened, measured } = origin.unwrap_or_default();
    let model = match sources.release {
        Some(Release::Model(model)) => Some(&model.model),
        _ => None,
    };
    let baskets = sources.policy.items.is_some();
    let names: Vec<&str> = match model {
        Some(model) => model.attribute_names(),
        None => sources.columns.iter().map(String::as_str).collect(),
    };
    let policy = &sources.policy.policy;
    // In the order of the policy, whatever the release's is.
    let contained = policy.attributes.iter().filter(|own| !baskets && names.contains(&own.name.as_str()));
    let attribute = |own: &Attribute| ReleasedAttribute { name: own.name.clone(), role: own.role };
    ReleaseFacts {
        family: sources.report.family,
        method,
        parameters,
        untrue_cells: measured.get("untrue_cells").and_then(serde_json::Value::as_f64),
        individuals: Some(sources.report.individuals),
        size: model.map_or(Some(Size { of: "rows", number: sources.report.rows }), size),
        states: guarantee,
        weakened,
        measured,
        attributes: contained.map(attribute).collect(),
        individuals_of_data: sources.individuals_of_data,
        several_rows: Some(sources.report.has_several_rows()),
        stated_individuals: sources.release.and_then(Release::individuals),
        baskets,
    }
}

fn size(model: &Model) -> Option<Size> {
    let size = |of, number: usize| Some(Size { of, number: number as u64 });
    match model {
        Model::Tree(tree) => {
            size("leaves", tree.nodes().iter().filter(|node| matches!(node, Node::Leaf(_))).count())
        }
        Model::Ensemble(ensemble) => size("trees", ensemble.trees().len()),
        Model::Clusters(clusters) => size("clusters", clusters.centroids().len()),
        Model::Rules(rules) => size("rules", rules.rules().len()),
        _ => None,
    }
}

fn policy_facts(
    file: &PolicyFile,
    release: &ReleaseFacts,
    rows_left_out: Option<RowsLeftOut>,
) -> PolicyFacts {
    let policy = &file.policy;
    let known = policy.known();
    let attribute = |own: &Attribute| AttributeFacts {
        name: own.name.clone(),
        role: own.role,
        follows: own.role == Role::Private && known.contains(&own.name),
        undecided: own.undecided && own.role == Role::Public,
        released: release.attributes.iter().any(|released| released.name == own.name),
        kind: own.kind,
        domain: domain(own),
        // Tables show private values as they are.
        taxonomy: own
            .taxonomy
            .as_ref()
            .filter(|_| release.family != "table" || own.role != Role::Private)
            .map(taxonomy),
    };
    let dependency = |own: &incrowd_core::policy::Dependency| DependencyFacts {
        from: own.from.clone(),
        to: own.to.clone(),
    };
    PolicyFacts {
        attributes: policy.attributes.iter().map(attribute).collect(),
        items: file.items.as_ref().map(items),
        class: policy.class.clone(),
        subject: policy.subject.clone(),
        dependencies: policy.dependencies.iter().map(dependency).collect(),
        undeclared_dependencies: match policy.undeclared {
            Undeclared::Warn => "warn",
            Undeclared::Refuse => "refuse",
        },
        sets: file.sets.clone(),
        missing_rows: word_of(file.file.missing_rows),
        missing_rows_of: file
            .missing_rows
            .iter()
            .map(|(name, &rows)| (name.clone(), word_of(rows)))
            .collect(),
        missing: file.file.missing.clone(),
        rows_left_out,
    }
}

fn word_of(rows: MissingRows) -> &'static str {
    match rows {
        MissingRows::Refuse => "refuse",
        MissingRows::Drop => "drop",
        MissingRows::Keep => "keep",
    }
}

/// The roles of items; names of items may be private.
fn items(items: &ItemRoles) -> String {
    let listed = |role: Role| items.patterns.iter().filter(|(_, own)| *own == role).count() as u64;
    let name = |role: Role| match role {
        Role::Public => "public",
        Role::Private => "private",
        Role::Identifier => "identifiers",
        Role::Ignored => "ignored",
    };
    let lists = [Role::Public, Role::Private, Role::Ignored]
        .map(|role| format!("{} for {} items", counted(listed(role), "name or pattern"), name(role)));
    format!("{}; all other items are {}", lists.join(", "), name(items.otherwise))
}

/// What values are possible. Values are counted, not listed.
fn domain(attribute: &Attribute) -> Option<String> {
    let bound = |number: f64| match attribute.kind {
        Some(Kind::Date) => Date::text_of_days(number),
        _ => number.to_string(),
    };
    let range = attribute.range.map(|(low, high)| format!("{} to {}", bound(low), bound(high)));
    let whole = attribute.whole.then(|| "whole numbers".to_owned());
    let listed = (!attribute.values.is_empty())
        .then(|| format!("{} listed", counted(attribute.values.len() as u64, "value")));
    let parts: Vec<String> = range.into_iter().chain(whole).chain(listed).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn taxonomy(spec: &TaxonomySpec) -> String {
    match spec {
        TaxonomySpec::Tree(_) => "by a file",
        TaxonomySpec::Intervals(_) => "intervals of equal width",
        TaxonomySpec::Quantiles(_) => "intervals of equal frequency",
        TaxonomySpec::Round => "intervals with round bounds",
        TaxonomySpec::Prefix(_) => "last characters masked",
        TaxonomySpec::Calendar => "by the calendar, or intervals of days",
        TaxonomySpec::Flat => "value or nothing",
        _ => "by a rule",
    }
    .to_owned()
}
