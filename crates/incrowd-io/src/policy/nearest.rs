//! "Did you mean …?"

/// At most this many words are listed.
const SHOWN: usize = 16;

/// The help for an unknown word: the nearest known word, or all of them.
pub(super) fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let near = |other: &&str| {
        distance(word, other) <= (word.chars().count() / 3 + 1).min(other.len().saturating_sub(1))
    };
    if let Some(other) = known.clone().filter(near).min_by_key(|other| distance(word, other)) {
        return format!("did you mean `{other}`?");
    }
    let more = if known.clone().count() > SHOWN { ", …" } else { "" };
    format!("known names: {}{more}", known.take(SHOWN).collect::<Vec<_>>().join(", "))
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
        assert_eq!(did_you_mean("xy", ["k"].into_iter()), "known names: k");
        assert_eq!(did_you_mean("xyzzy", known.into_iter()), "known names: role, range, kind");
    }
}
