//! The sidecar of a released table.

use super::object::Object;
use super::raw::{RawKind, RawTable};
use super::{Release, TableRelease, recoding};
use incrowd_core::audit::StatedPeople;
use incrowd_core::table::Kind;
use incrowd_core::{Error, Result};
use serde_json::{Map, Value};

pub(super) fn read(mut raw: RawTable) -> Result<Release> {
    let (individuals, origin) = (raw.individuals, raw.take_origin());
    check_file(&raw.file)?;
    check_digest(raw.sha256.as_deref())?;
    let kinds = raw.kinds.into_iter().map(|(name, kind)| (name, kind.into())).collect();
    let people = raw.people.into_iter().map(people).collect::<Result<_>>()?;
    let recoding = raw.recoding.map(|raw| recoding::read(raw.0)).transpose()?;
    let (file, rows, sha256) = (raw.file, raw.rows, raw.sha256);
    Ok(Release::Table(TableRelease { file, rows, individuals, sha256, kinds, people, recoding, origin }))
}

pub(super) fn write(release: &TableRelease) -> RawTable {
    let kinds = release.kinds.iter().map(|(name, &kind)| (name.clone(), kind.into())).collect();
    let object = |people: &StatedPeople| match serde_json::to_value(people) {
        Ok(Value::Object(object)) => object,
        // Plain numbers and names always make an object; an empty one does not read back, and is refused then.
        _ => Map::new(),
    };
    RawTable::new(
        release.individuals,
        &release.origin,
        release.file.clone(),
        release.rows,
        release.sha256.clone(),
        kinds,
        release.people.iter().map(object).collect(),
        release.recoding.as_ref().map(recoding::write).map(Object),
    )
}

fn people(object: Map<String, Value>) -> Result<StatedPeople> {
    serde_json::from_value(Value::Object(object))
        .map_err(|_| Error::input("\"people\" does not match the contents of the table"))
}

impl From<RawKind> for Kind {
    fn from(raw: RawKind) -> Self {
        match raw {
            RawKind::Numeric => Self::Numeric,
            RawKind::Categorical => Self::Categorical,
            RawKind::Ordered => Self::Ordered,
        }
    }
}

impl From<Kind> for RawKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Numeric => Self::Numeric,
            Kind::Ordered | Kind::Date => Self::Ordered,
            _ => Self::Categorical,
        }
    }
}

/// A file from elsewhere must not make anyone open a file elsewhere.
fn check_file(file: &str) -> Result<()> {
    let plain = !file.is_empty() && file != "." && file != ".." && !file.contains(['/', '\\', ':', '\0']);
    if plain {
        return Ok(());
    }
    Err(Error::input("\"file\" is not the plain name of a file")
        .help("the table is in the same folder as its release; give its name without a path"))
}

fn check_digest(digest: Option<&str>) -> Result<()> {
    let is_hex = |digest: &str| {
        digest.len() == 64
            && digest.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    if digest.is_none_or(is_hex) {
        return Ok(());
    }
    Err(Error::input("\"sha256\" is not a SHA-256 digest").help("it has 64 digits from 0 to 9 and a to f"))
}
