//! Recoding new rows like a released table: how its file and the file of the new rows are read.

use crate::plan::{ColumnPlan, Format, MissingRows, ReadPlan, Reading, Unlisted};
use crate::policy::{PolicyFile, Purpose};
use incrowd_core::policy::Role;
use incrowd_core::recoding::{AttributeLegend, Legend};
use incrowd_core::{Error, Result};

/// How the public cells of a released table are read: as the texts they are. Other columns are skipped.
pub fn released_cells_plan(legend: &Legend, format: Format) -> ReadPlan {
    let mut plan = ReadPlan { format: Some(format), ..ReadPlan::default() };
    (plan.unlisted, plan.missing_rows) = (Unlisted::Skip, MissingRows::Keep);
    if format == Format::Csv {
        (plan.delimiter, plan.header) = (Some(b','), Some(true));
    }
    for attribute in &legend.attributes {
        plan.columns.insert(attribute.name.clone(), ColumnPlan::new(Reading::Verbatim));
    }
    plan
}

/// How a file of new rows is read to be recoded: the columns of the legend, as it declares them. Other columns are
/// skipped. `file` states what else is known about the file. Every row stays.
pub fn recoding_plan(legend: &Legend, mut file: ReadPlan) -> ReadPlan {
    file = file.with_unlisted(Unlisted::Skip).with_missing_rows(MissingRows::Keep);
    legend.attributes.iter().for_each(|attribute| add_column(&mut file, attribute));
    file
}

/// The same under a policy, whose private columns are read too if they are there. Rows with a missing value are left
/// out if it states this for the owner's table; otherwise they stay.
///
/// # Errors
/// When the policy is about baskets, or does not fit the legend: a public attribute of one is not recoded by the other.
pub fn recoding_plan_of(legend: &Legend, policy: &PolicyFile) -> Result<ReadPlan> {
    policy.refuse_baskets()?;
    check_roles(legend, policy)?;
    let mut plan = policy.read_plan(Purpose::Source);
    if plan.unlisted != Unlisted::Refuse {
        plan.unlisted = Unlisted::Skip;
    }
    plan.keep_where_refused();
    // Who an individual is does not matter: nothing is counted.
    if let Some(subject) = &policy.policy.subject {
        plan.columns.insert(subject.clone(), ColumnPlan::new(Reading::Skip));
    }
    plan.columns.values_mut().for_each(|column| column.optional = true);
    legend.attributes.iter().for_each(|attribute| add_column(&mut plan, attribute));
    Ok(plan)
}

fn add_column(plan: &mut ReadPlan, attribute: &AttributeLegend) {
    let column = plan.columns.entry(attribute.name.clone()).or_default();
    column.kind = column.kind.or(Some(attribute.kind));
    column.optional = false;
}

fn check_roles(legend: &Legend, policy: &PolicyFile) -> Result<()> {
    let is_recoded = |name: &str| legend.attributes.iter().any(|attribute| attribute.name == name);
    let known = policy.policy.known();
    if let Some(name) = known.iter().find(|name| !is_recoded(name)) {
        return Err(Error::input(
            "the policy calls this attribute public, but the release does not recode it",
        )
        .of_attribute(name)
        .help("use the policy that the release was made under"));
    }
    let is_kept = |name: &str| {
        let role = policy.policy.attribute(name).map(|attribute| attribute.role);
        role.is_none_or(|role| matches!(role, Role::Public | Role::Private))
            && policy.policy.subject.as_deref() != Some(name)
    };
    match legend.attributes.iter().find(|attribute| !is_kept(&attribute.name)) {
        Some(attribute) => {
            Err(Error::input("the release recodes this attribute, but the policy does not release it")
                .of_attribute(&attribute.name)
                .help("use the policy that the release was made under"))
        }
        None => Ok(()),
    }
}
