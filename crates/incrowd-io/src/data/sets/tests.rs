use super::*;
use crate::PolicyFile;

#[test]
fn the_catalogue_is_in_order() {
    assert!(sets().windows(2).all(|pair| pair[0].name < pair[1].name));
    for set in sets() {
        assert!(!set.files.is_empty() && !set.licence.is_empty() && !set.citation.is_empty(), "{}", set.name);
        for file in set.files {
            assert_eq!(file.sha256.len(), 64, "{}", file.name);
            assert!(file.sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
            assert!(file.sources.iter().all(|source| source.address.starts_with("https://")));
            // Names become paths.
            assert!([set.name, file.name].iter().all(|name| !name.contains(['/', '\\']) && *name != ".."));
        }
    }
}

#[test]
fn every_policy_is_one_and_asks_for_k() {
    for set in sets() {
        let policy = PolicyFile::parse(set.policy, set.name).unwrap_or_else(|error| panic!("{error}"));
        assert!(policy.policy.class.is_some() != policy.items.is_some(), "{}", set.name);
        assert!(set.policy.contains("k = "), "{}", set.name);
    }
}
