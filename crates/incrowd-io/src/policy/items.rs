//! `[items]`: the roles of the items of baskets, and how baskets are read.

use super::item::{Item, Section};
use super::{PolicyFile, keys};
use hashbrown::HashMap;
use incrowd_core::policy::{Attribute, Role};
use incrowd_core::{Error, Result};

/// Keys of a policy about a table's columns.
const OF_TABLES: [&str; 6] = ["class", "subject", "unlisted", "file", "attributes", "dependencies"];

/// The roles of the items of baskets, and how baskets are read.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemRoles {
    /// The role of items that no list names.
    pub otherwise: Role,
    /// Names and patterns (`*` for any run of characters, `?` for one) with the role of what they match, in the order
    /// of the file.
    pub patterns: Vec<(String, Role)>,
    /// What separates the items of a basket; by the file's name where not stated. A space means any run of spaces and
    /// tabs.
    pub delimiter: Option<u8>,
    /// Lines at the beginning that are not baskets.
    pub skip_lines: u64,
}

/// The `[items]` of a policy, if it has them.
pub(super) fn read(top: &Section<'_>) -> Result<Option<ItemRoles>> {
    let Some(section) = top.section("items", keys::ITEMS)? else { return Ok(None) };
    if let Some(item) = OF_TABLES.iter().find_map(|key| top.get(key)) {
        return Err(item
            .error_at_key(format!("`{}` is for tables, but [items] declares baskets", item.key))
            .help("omit one of them"));
    }
    let roles = [("public", Role::Public), ("private", Role::Private), ("ignored", Role::Ignored)];
    let mut patterns: Vec<(String, Role)> = Vec::new();
    for (key, role) in roles {
        for item in section.get(key).map_or(Ok(Vec::new()), |item| item.list())? {
            patterns.push((pattern(item, &patterns)?, role));
        }
    }
    Ok(Some(ItemRoles {
        otherwise: section.get("default").map_or(Ok(Role::Public), |item| item.choice(&roles))?,
        patterns,
        delimiter: section.get("delimiter").map(super::file::delimiter).transpose()?,
        skip_lines: section.get("skip-lines").map_or(Ok(0), |item| item.integer())?,
    }))
}

fn pattern(item: Item<'_>, others: &[(String, Role)]) -> Result<String> {
    let text = item.text()?.trim();
    if text.is_empty() {
        return Err(item.error("the name of an item is empty").help("write \"*\" for all items"));
    }
    if others.iter().any(|(other, _)| other == text) {
        return Err(item.error("the item is listed twice").help("give each item one role"));
    }
    Ok(text.to_owned())
}

impl ItemRoles {
    /// The role of each item, and the patterns that match none of them. A name takes precedence over patterns.
    ///
    /// # Errors
    /// When patterns give an item two roles.
    pub fn of<'i>(&self, items: impl Iterator<Item = &'i str>) -> Result<(Vec<Role>, Vec<&str>)> {
        let by_name: HashMap<&str, usize> =
            self.patterns.iter().enumerate().map(|(place, (pattern, _))| (pattern.as_str(), place)).collect();
        let is_pattern = |place: &usize| self.patterns[*place].0.contains(['*', '?']);
        let globs: Vec<usize> = (0..self.patterns.len()).filter(is_pattern).collect();
        let mut used = vec![false; self.patterns.len()];
        let mut roles = Vec::new();
        for item in items {
            let matching: Vec<usize> = match by_name.get(item) {
                Some(&place) => vec![place],
                None => {
                    globs.iter().copied().filter(|&place| matches(&self.patterns[place].0, item)).collect()
                }
            };
            matching.iter().for_each(|&place| used[place] = true);
            let role = matching.first().map_or(self.otherwise, |&place| self.patterns[place].1);
            if let Some(&other) = matching.iter().find(|&&place| self.patterns[place].1 != role) {
                return Err(Error::input(format!(
                    "the patterns \"{}\" and \"{}\" of [items] match the same item and give it different roles",
                    self.patterns[matching[0]].0, self.patterns[other].0
                ))
                .help("make them narrower, or name the item"));
            }
            roles.push(role);
        }
        let unused = self.patterns.iter().zip(used).filter(|(_, used)| !used);
        Ok((roles, unused.map(|((pattern, _), _)| pattern.as_str()).collect()))
    }
}

impl PolicyFile {
    /// The same policy with the items of baskets as its attributes, and what the owner should know.
    ///
    /// # Errors
    /// When the policy has no `[items]` section, or gives one two roles.
    pub fn with_items(&self, items: &[String]) -> Result<(Self, Vec<String>)> {
        let roles = self.items.as_ref().ok_or_else(|| {
            Error::input("the policy has no [items] section").help("add one; see docs/policy.md")
        })?;
        let (of_item, unused) = roles.of(items.iter().map(String::as_str))?;
        let mut with = self.clone();
        with.policy.attributes =
            items.iter().zip(of_item).map(|(item, role)| Attribute::new(item, role)).collect();
        let warnings =
            unused.into_iter().map(|pattern| format!("[items] names \"{pattern}\", which matches no item"));
        Ok((with, warnings.collect()))
    }
}

/// Whether a pattern matches a whole text. Takes time length × length at most.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // The position of the last star, and the end of the text that it matches.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == '?' || c == text[t] => (p, t) = (p + 1, t + 1),
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (p, t) = (at + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let yes = [
            ("*", ""),
            ("*", "a"),
            ("drug-*", "drug-x"),
            ("*a*b", "xaab"),
            ("a?c", "abc"),
            ("a", "a"),
            ("**", "é"),
        ];
        assert!(yes.iter().all(|(pattern, text)| matches(pattern, text)));
        let no = [("drug-*", "drug"), ("a?c", "ac"), ("a", "ab"), ("*b", "ba"), ("", "a")];
        assert!(no.iter().all(|(pattern, text)| !matches(pattern, text)));
    }

    fn roles(text: &str) -> Result<PolicyFile> {
        PolicyFile::parse(text, "policy.toml")
    }

    #[test]
    fn names_go_before_patterns_and_the_default_comes_last() {
        let policy =
            roles("[items]\nprivate = [\"drug-*\", \"candles\", \"nothing-*\"]\npublic = [\"drug-tea\"]\n")
                .unwrap();
        let items = ["apples", "candles", "drug-tea", "drug-x"].map(str::to_owned);
        let (with, warnings) = policy.with_items(&items).unwrap();
        let found: Vec<Role> = with.policy.attributes.iter().map(|attribute| attribute.role).collect();
        assert_eq!(found, [Role::Public, Role::Private, Role::Public, Role::Private]);
        assert_eq!(warnings, ["[items] names \"nothing-*\", which matches no item"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let wrong = [
            ("[items]\nprivat = []\n", "policy.toml, line 2, column 1: unknown key `privat`"),
            ("[items]\nprivate = [\"a\"]\npublic = [\"a\"]\n", "line 2, column 12: the item is listed twice"),
            ("[items]\nprivate = [\" \"]\n", "line 2, column 12: the name of an item is empty"),
            ("[items]\ndefault = \"secret\"\n", "line 2, column 11: unknown value of `default`"),
            ("class = \"a\"\n[items]\n", "line 1, column 1: `class` is for tables"),
            ("[items]\nprivate = \"a\"\n", "line 2, column 11: `private` must be a list"),
        ];
        for (text, expected) in wrong {
            let error = roles(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let policy = roles("[items]\nprivate = [\"a*\"]\nignored = [\"*b\"]\n").unwrap();
        let error = policy.with_items(&["ab".to_owned()]).unwrap_err();
        assert!(error.what.contains("different roles"), "{error}");
    }
}
