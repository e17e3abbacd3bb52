//! The columns of a model and their categories.

use super::super::columns::{Columns, RawColumn};
use super::fault;
use super::section::Section;
use crate::bounds::{check_columns, check_json};
use incrowd_core::{Error, Result};
use serde::Deserialize;

/// The features of a model.
pub(super) struct Features {
    all: Vec<Feature>,
}

struct Feature {
    name: String,
    /// Its categories as texts, in the order of their codes.
    categories: Option<Vec<String>>,
    /// Whether the file lists its smallest and largest number.
    has_extremes: bool,
}

/// A category of pandas.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Category {
    Text(String),
    Flag(bool),
    Number(serde_json::Number),
}

impl From<Category> for String {
    fn from(category: Category) -> Self {
        match category {
            Category::Text(text) => text,
            // As pandas writes it.
            Category::Flag(true) => "True".to_owned(),
            Category::Flag(false) => "False".to_owned(),
            Category::Number(number) => number.to_string(),
        }
    }
}

impl Features {
    /// The features that the header lists, with the categories that follow the trees.
    pub(super) fn read(header: &Section<'_>, rest: &str) -> Result<Self> {
        let (names, infos) = (header.words("feature_names")?, header.words("feature_infos")?);
        let count = names.clone().take(crate::bounds::MAX_COLUMNS + 1).count();
        check_columns(count)?;
        let last: usize = header.number("max_feature_idx")?;
        if Some(count) != last.checked_add(1) || infos.clone().take(count + 1).count() != count {
            return Err(fault("`feature_names` or `feature_infos` does not have one entry per column"));
        }
        Self::new(names.zip(infos), categories(rest)?)
    }

    /// The features with these names and the information on each, and lists of categories.
    pub(super) fn new<'t>(
        all: impl Iterator<Item = (&'t str, &'t str)> + Clone,
        lists: Vec<Vec<Category>>,
    ) -> Result<Self> {
        check_columns(all.clone().take(crate::bounds::MAX_COLUMNS + 1).count())?;
        let feature = |(name, info): (&str, &str)| Feature {
            name: name.to_owned(),
            categories: None,
            has_extremes: info.starts_with('['),
        };
        let mut features = Self { all: all.clone().map(feature).collect() };
        features.give(lists, all.map(|(_, info)| info))?;
        Ok(features)
    }

    /// Gives columns their categories: those that list codes, and those without any information if there are as many.
    fn give<'t>(
        &mut self,
        mut lists: Vec<Vec<Category>>,
        infos: impl Iterator<Item = &'t str> + Clone,
    ) -> Result<()> {
        let is_open = |info: &str| info == "none";
        let is_coded = |info: &str| !is_open(info) && !info.starts_with('[');
        let coded = infos.clone().filter(|info| is_coded(info)).count();
        let open = infos.clone().filter(|info| is_open(info)).count();
        let with_open = lists.len() == coded + open;
        if lists.is_empty() || !(with_open || lists.len() == coded) {
            return if lists.is_empty() { Ok(()) } else { Err(unclear()) };
        }
        let mut lists = lists.drain(..);
        for (feature, info) in self.all.iter_mut().zip(infos) {
            if is_coded(info) || (with_open && is_open(info)) {
                let list = lists.next().ok_or_else(unclear)?;
                feature.categories = Some(list.into_iter().map(String::from).collect());
            }
        }
        Ok(())
    }

    /// The number of categories of a column.
    pub(super) fn categories(&self, feature: usize) -> Result<usize> {
        let feature =
            self.all.get(feature).ok_or_else(|| fault("a test names a column that is not listed"))?;
        feature.categories.as_ref().map(Vec::len).ok_or_else(|| {
            Error::input("the model uses the numbers of this column as categories")
                .of_attribute(&feature.name)
                .help("train the model on a column of pandas categories")
        })
    }

    /// The columns whose smallest and largest number the file lists.
    pub(super) fn with_extremes(&self) -> Vec<String> {
        self.all.iter().filter(|feature| feature.has_extremes).map(|feature| feature.name.clone()).collect()
    }

    /// The columns as attributes.
    pub(super) fn columns(&self) -> Result<Columns> {
        let column = |feature: &Feature| match &feature.categories {
            Some(values) => RawColumn::coded(feature.name.clone(), values.clone()),
            None => RawColumn::numeric(feature.name.clone()),
        };
        Columns::new(self.all.iter().map(column).collect(), false)
    }
}

/// The lists of categories, one for each categorical column of the frame that the model was trained on.
fn categories(rest: &str) -> Result<Vec<Vec<Category>>> {
    let Some((_, text)) = rest.rsplit_once("\npandas_categorical:") else { return Ok(Vec::new()) };
    check_json(text)?;
    let lists: Option<Vec<Vec<Category>>> =
        serde_json::from_str(text).map_err(|_| fault("`pandas_categorical` is not a list of categories"))?;
    Ok(lists.unwrap_or_default())
}

fn unclear() -> Error {
    Error::input("it is not clear which columns the lists of `pandas_categorical` belong to")
        .help("leave out constant columns, or write the model with Python's incrowd.write_model")
}
