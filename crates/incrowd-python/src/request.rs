//! What Python asks for: policies, guarantees and the options of miners.

use incrowd::choice::Choice;
use incrowd::guarantee::{Distance, GuaranteeRequest, Preset, Scope, SeveralRows, SingleBin};
use incrowd::io::{PolicyFile, Target};
use incrowd::policy::{Attribute, Role};
use incrowd::table::Kind;
use incrowd::{Error, Result, mine};
use pyo3::FromPyObject;
use serde_json::json;
use std::path::Path;

/// Reads a policy; taxonomy files are in `folder`.
pub(crate) fn policy(text: &str, folder: &str) -> Result<PolicyFile> {
    // Errors name the line in the policy's text, which is not a file.
    PolicyFile::parse(text, Path::new(folder).join("policy.toml")).map_err(|mut error| {
        if error.place.file.as_ref().is_some_and(|file| file.ends_with("policy.toml")) {
            error.place.file = None;
        }
        error
    })
}

/// The policy with this class, which is private where the policy states no role for it.
pub(crate) fn with_class(mut policy: PolicyFile, class: Option<&str>) -> Result<PolicyFile> {
    let Some(name) = class else { return Ok(policy) };
    if policy.policy.class.as_deref().is_some_and(|stated| stated != name) {
        return Err(Error::input("the policy names another class").of_attribute(name));
    }
    policy.policy.class = Some(name.to_owned());
    let attributes = &mut policy.policy.attributes;
    let listed = attributes.iter_mut().find(|attribute| attribute.name == name);
    let kind = |attribute: &Attribute| attribute.kind.unwrap_or(Kind::Categorical);
    match listed {
        Some(attribute) if matches!(attribute.role, Role::Public | Role::Private) => {
            attribute.kind = Some(match kind(attribute) {
                Kind::Ordered => Kind::Ordered,
                _ => Kind::Categorical,
            });
        }
        Some(_) => {
            return Err(Error::input("the class must be a public or private attribute").of_attribute(name));
        }
        None => attributes
            .push(Attribute { kind: Some(Kind::Categorical), ..Attribute::new(name, Role::Private) }),
    }
    Ok(policy)
}

/// What a policy states, as JSON.
pub(crate) fn about(text: &str, folder: &str) -> Result<String> {
    let file = policy(text, folder)?;
    let names = |role| file.policy.with_role(role).map(str::to_owned).collect::<Vec<_>>();
    let requirements: Vec<String> =
        file.policy.guarantee.requirements().iter().map(ToString::to_string).collect();
    Ok(json!({
        "public": names(Role::Public),
        "private": names(Role::Private),
        "identifier": names(Role::Identifier),
        "ignored": names(Role::Ignored),
        "class": file.policy.class,
        "subject": file.policy.subject,
        "guarantee": requirements,
        "baskets": file.items.is_some(),
    })
    .to_string())
}

/// The names that can be chosen for a parameter.
pub(crate) fn choices(of: &str) -> Vec<&'static str> {
    fn names<C: Choice>() -> Vec<&'static str> {
        C::all().into_iter().map(C::name).collect()
    }
    match of {
        "tree" => names::<mine::tree::TreeMethod>(),
        "table" => names::<mine::table::TableMethod>(),
        "clusters" => names::<mine::clusters::ClusterMethod>(),
        "rules" => names::<mine::rules::Usefulness>(),
        "export" => names::<Target>(),
        _ => Vec::new(),
    }
}

/// Requirements on top of the policy's.
#[derive(FromPyObject, Default)]
#[pyo3(from_item_all)]
pub(crate) struct Request {
    k: Option<u64>,
    single_bin: Option<String>,
    several_rows: Option<String>,
    distinct_l: Option<u32>,
    entropy_l: Option<f64>,
    recursive: Option<(f64, u32)>,
    confidence: Option<f64>,
    t_closeness: Option<f64>,
    t_distance: Option<String>,
    alpha: Option<f64>,
    beta: Option<f64>,
    smallest_bin: Option<u64>,
    preset: Option<Vec<String>>,
    of: Option<Vec<String>>,
    weaken: bool,
}

impl Request {
    pub(crate) fn read(self) -> Result<GuaranteeRequest> {
        let mut request = GuaranteeRequest::default();
        request.k = self.k;
        request.single_bin = named::<SingleBin>(self.single_bin.as_deref(), "single_bin")?;
        request.several_rows = named::<SeveralRows>(self.several_rows.as_deref(), "several_rows")?;
        request.distinct_l = self.distinct_l;
        request.entropy_l = self.entropy_l;
        request.recursive_l = self.recursive;
        request.confidence = self.confidence;
        request.t_closeness = self.t_closeness;
        request.t_distance = named::<Distance>(self.t_distance.as_deref(), "t_distance")?;
        request.alpha = self.alpha;
        request.beta = self.beta;
        request.smallest_bin = self.smallest_bin;
        let presets = self.preset.iter().flatten();
        request.presets = presets
            .map(|name| Preset::named(name).map_err(|error| error.of_parameter("preset")))
            .collect::<Result<_>>()?;
        request.of = self.of.map(scope);
        request.weaken = self.weaken;
        Ok(request)
    }
}

fn scope(names: Vec<String>) -> Scope {
    match names.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["class"] => Scope::Class,
        ["tested"] => Scope::Tested,
        ["all"] => Scope::All,
        _ => Scope::Named(names),
    }
}

/// The choice of a name, if one is given.
pub(crate) fn named<C: Choice>(name: Option<&str>, parameter: &'static str) -> Result<Option<C>> {
    name.map(|name| C::named(name).map_err(|error| error.of_parameter(parameter))).transpose()
}
