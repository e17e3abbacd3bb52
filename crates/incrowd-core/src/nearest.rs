//! "Did you mean …?"

/// At most this many words are listed.
const SHOWN: usize = 16;

/// Longer words, in bytes, are not compared with others: a file may contain any.
const LONGEST: usize = 100;

/// At most this many words are compared.
const COMPARED: usize = 10_000;

/// The help for an unknown word: the nearest known word, or all of them.
pub fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    if let Some(other) = nearest(word, known.clone()) {
        return format!("did you mean `{other}`?");
    }
    let more = if known.clone().count() > SHOWN { ", …" } else { "" };
    // A mark alone, such as a comma, would look like a part of the list.
    let quoted = |word: &str| {
        if word.contains(char::is_alphanumeric) { word.to_owned() } else { format!("\"{word}\"") }
    };
    format!("expected one of: {}{more}", known.take(SHOWN).map(quoted).collect::<Vec<_>>().join(", "))
}

/// The help for the name of a column that is not there: the nearest name, and all of them.
pub fn which_column<S: AsRef<str>>(name: &str, columns: &[S]) -> String {
    let columns: Vec<&str> = columns.iter().map(AsRef::as_ref).collect();
    let near = nearest(name, columns.iter().copied());
    let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
    format!("{near}its columns are: {}", columns.join(", "))
}

/// The known word that a misspelled one is nearest to, if one is near.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = |other: &str| (word.chars().count() / 3 + 1).min(other.len().saturating_sub(1));
    let can_be = |other: &&str| word.len().max(other.len()) <= LONGEST;
    let known: Vec<&str> = known.filter(can_be).take(COMPARED).collect();
    if let Some(other) = known.iter().find(|other| !other.is_empty() && other.eq_ignore_ascii_case(word)) {
        return Some(other);
    }
    // Short words have too few letters to change, but one letter too many is still recognized: `kk` is `k`.
    let one_more = |other: &str| !other.is_empty() && word.len() == other.len() + 1 && word.contains(other);
    let near = known.into_iter().map(|other| (distance(word, other), other));
    let near = near.filter(|(far, other)| *far <= most(other) || one_more(other));
    near.min_by_key(|(far, _)| *far).map(|(_, other)| other)
}

/// How many characters must be put in, taken out or changed (Levenshtein), in time length × length.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let change = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_edit_distances() {
        for (a, b, expected) in [("", "", 0), ("rôle", "role", 1), ("kitten", "sitting", 3), ("", "abc", 3)]
        {
            assert_eq!(distance(a, b), expected);
            assert_eq!(distance(b, a), expected);
        }
    }

    #[test]
    fn the_nearest_word_is_offered() {
        let known = ["role", "range", "kind"];
        assert_eq!(did_you_mean("rolle", known.into_iter()), "did you mean `role`?");
        assert_eq!(did_you_mean("xy", ["k"].into_iter()), "expected one of: k");
        assert_eq!(did_you_mean("kk", ["k"].into_iter()), "did you mean `k`?");
        assert_eq!(did_you_mean("K", ["l", "k"].into_iter()), "did you mean `k`?");
        assert_eq!(nearest("x", [""].into_iter()), None);
        assert_eq!(did_you_mean("xyzzy", known.into_iter()), "expected one of: role, range, kind");
        assert_eq!(which_column("twon", &["age", "town"]), "did you mean `town`? its columns are: age, town");
        assert_eq!(which_column("konfession", &["Konfession"])[..26], *"did you mean `Konfession`?");
        assert_eq!(which_column("salary", &["age", "town"]), "its columns are: age, town");
        let long = "a".repeat(LONGEST + 1);
        assert_eq!(nearest(&long, [long.as_str()].into_iter()), None);
    }
}
