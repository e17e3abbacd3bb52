use super::*;
use proptest::prelude::*;

const JOBS: [&str; 4] =
    ["nurse;health;work;any", "doctor;health;work;any", "judge;judge;work;any", "idle;idle;idle;any"];

#[test]
fn short_branches_are_collapsed_and_levels_count_from_the_root() {
    let column = texts(&["doctor", "idle", "judge", "nurse"]);
    let spec = TaxonomySpec::Tree(tree(&JOBS).unwrap());
    let taxonomy = Taxonomy::build(&spec, &column).unwrap();
    assert_eq!((taxonomy.len(), taxonomy.height()), (7, 3));
    assert_eq!(path(&taxonomy, 0), ["doctor", "health", "work", "any"]);
    assert_eq!(path(&taxonomy, 1), ["idle", "any"]);
    let labels = |depth| {
        (0..4).map(|code| taxonomy.label(taxonomy.ancestor_at_depth(code, depth))).collect::<Vec<_>>()
    };
    assert_eq!(labels(0), ["any"; 4]);
    assert_eq!(labels(1), ["work", "idle", "work", "work"]);
    assert_eq!(labels(2), ["health", "idle", "judge", "health"]);
    assert_eq!(labels(3), ["doctor", "idle", "judge", "nurse"]);
    assert_eq!(labels(9), labels(3));
    assert_eq!(taxonomy.label(taxonomy.generalize(3, 1)), "health");
    assert_eq!(taxonomy.label(taxonomy.generalize(1, 2)), "idle");
    assert_eq!(taxonomy.generalize(1, 3), TaxonomyNode::ROOT);
    let work = taxonomy.find("work").unwrap();
    assert_eq!((taxonomy.leaf_count(work), taxonomy.leaf_count(TaxonomyNode::ROOT)), (3, 4));
    assert_eq!(taxonomy.cover([0, 2]), Some(work));
}

#[test]
fn missing_values_are_a_leaf_under_the_root() {
    let column = texts(&["doctor", "?", "judge"]);
    let taxonomy = Taxonomy::build(&TaxonomySpec::Tree(tree(&JOBS).unwrap()), &column).unwrap();
    assert_eq!(path(&taxonomy, column.missing_code()), ["?", "any"]);
    assert_eq!(taxonomy.code(taxonomy.find("?").unwrap()), Some(2));
    assert_eq!(taxonomy.code(taxonomy.find("nurse").unwrap()), None);
    // A tree may place them itself.
    let spec = TaxonomySpec::Tree(tree(&["doctor;known;any", "judge;known;any", "?;unknown;any"]).unwrap());
    let taxonomy = Taxonomy::build(&spec, &column).unwrap();
    assert_eq!(path(&taxonomy, 2), ["?", "unknown", "any"]);
}

#[test]
fn a_question_mark_that_is_a_value_cannot_be_missing_too() {
    let column = Column::from_texts("a", &[Some("?"), Some("x"), None]);
    let spec = TaxonomySpec::Tree(tree(&["?;any", "x;any"]).unwrap());
    assert!(Taxonomy::build(&spec, &column).unwrap_err().what.contains("missing"));
    assert!(Taxonomy::build(&TaxonomySpec::Flat, &column).is_err());
}

#[test]
fn uncovered_values_are_counted_and_not_quoted() {
    let column = texts(&["judge", "secret", "judge", "other"]);
    let error = Taxonomy::build(&TaxonomySpec::Tree(tree(&JOBS).unwrap()), &column).unwrap_err();
    assert_eq!(error.what, "the taxonomy lacks 2 of the values (the first in row 2)");
    assert_eq!(error.place.attribute.as_deref(), Some("a"));
}

#[test]
fn labels_of_numbers_are_numbers() {
    let spec = TaxonomySpec::Tree(tree(&["1;low;*", "2.0;low;*", "30;high;*"]).unwrap());
    let taxonomy = Taxonomy::build(&spec, &numbers(&[2.0, 30.0])).unwrap();
    assert_eq!(path(&taxonomy, 0), ["2.0", "low", "*"]);
    let twice = TaxonomySpec::Tree(tree(&["2;low;*", "2.0;low;*"]).unwrap());
    assert!(Taxonomy::build(&twice, &numbers(&[2.0])).unwrap_err().what.contains("same number"));
}

#[test]
fn bad_trees_are_refused_with_their_place() {
    type Case<'a> = (&'a [&'a str], &'a str, Option<u64>, Option<u64>);
    let cases: &[Case] = &[
        (&[], "empty", None, None),
        (&["a;g;*", "b;*"], "2 cells where the first line has 3", Some(2), None),
        (&["a;g;*", "b;;*"], "empty", Some(2), Some(2)),
        (&["a;g;*", "b;g;+"], "second root", Some(2), Some(3)),
        (&["a;g;*", "a;h;*"], "different parent", Some(2), Some(2)),
        (&["a;g;x;*", "b;g;y;*"], "different parent", Some(2), Some(3)),
        (&["a;b;a;*"], "cycle", Some(1), Some(3)),
        (&["*;b;a;*"], "cycle", Some(1), Some(4)),
        (&["a;b;c;*", "d;c;b;*"], "cycle", Some(2), Some(3)),
        (&["a;b;*", "b;b;*"], "both a value and a group", Some(2), Some(1)),
        (&["b;b;*", "a;b;*"], "both a value and a group", Some(2), Some(2)),
        (&["a;a"], "no group above", Some(1), Some(2)),
        (&["a"], "no group above", Some(1), Some(1)),
    ];
    for (lines, what, line, column) in cases {
        let error = tree(lines).unwrap_err();
        assert!(error.what.contains(what), "{lines:?}: {error}");
        assert_eq!((error.place.line, error.place.column), (*line, *column), "{lines:?}: {error}");
    }
}

/// A random tree: each node after the root is below an earlier one. Leaves are values.
#[derive(Debug, Clone)]
struct Random {
    parents: Vec<usize>,
}

impl Random {
    fn ancestors(&self, node: usize) -> Vec<usize> {
        std::iter::successors(Some(node), |node| (*node > 0).then(|| self.parents[*node])).collect()
    }

    fn leaves(&self) -> Vec<usize> {
        (1..self.parents.len()).filter(|node| !self.parents[1..].contains(node)).collect()
    }

    fn label(node: usize) -> String {
        format!("n{node:03}")
    }

    fn spec(&self) -> TaxonomySpec {
        let paths: Vec<Vec<usize>> = self.leaves().iter().map(|leaf| self.ancestors(*leaf)).collect();
        let width = paths.iter().map(Vec::len).max().unwrap_or(0);
        let lines = paths.iter().map(|path| {
            let padding = std::iter::repeat_n(path[0], width - path.len());
            padding.chain(path.iter().copied()).map(Self::label).collect::<Vec<_>>()
        });
        TaxonomySpec::Tree(TreeSpec::from_lines((1..).zip(lines)).unwrap())
    }

    /// The taxonomy over a column with all leaves, so that the code of a leaf is its place among them.
    fn taxonomy(&self) -> Taxonomy {
        let cells: Vec<Option<String>> =
            self.leaves().into_iter().map(|leaf| Some(Self::label(leaf))).collect();
        Taxonomy::build(&self.spec(), &Column::from_texts("a", &cells)).unwrap()
    }
}

fn random() -> impl Strategy<Value = Random> {
    let parents = (2usize..30).prop_flat_map(|len| {
        (1..len).map(|node| 0..node).collect::<Vec<_>>().prop_map(|mut parents| {
            parents.insert(0, 0);
            Random { parents }
        })
    });
    parents.boxed()
}

proptest! {
    #[test]
    fn structure_agrees_with_the_definition(random in random()) {
        let taxonomy = random.taxonomy();
        prop_assert_eq!(taxonomy.len(), random.parents.len());
        for node in 0..random.parents.len() {
            let found = taxonomy.find(&Random::label(node)).unwrap();
            prop_assert_eq!(taxonomy.depth(found) as usize, random.ancestors(node).len() - 1);
            let parent = taxonomy.parent(found).map(|parent| taxonomy.label(parent).to_owned());
            prop_assert_eq!(parent, (node > 0).then(|| Random::label(random.parents[node])));
            let under: Vec<u32> = (0u32..).zip(random.leaves())
                .filter(|(_, leaf)| random.ancestors(*leaf).contains(&node)).map(|(code, _)| code).collect();
            let mut codes: Vec<u32> = taxonomy.codes_under(found).collect();
            codes.sort_unstable();
            prop_assert_eq!(taxonomy.leaf_count(found), under.len());
            prop_assert_eq!(codes, under);
            let children = taxonomy.children(found).map(|child| taxonomy.parent(child));
            prop_assert!(children.into_iter().all(|parent| parent == Some(found)));
        }
    }

    #[test]
    fn common_ancestors_agree_with_ancestor_sets(random in random(), picks in (0usize..30, 0usize..30)) {
        let taxonomy = random.taxonomy();
        let pick = |pick: usize| pick % random.parents.len();
        let (a, b) = (pick(picks.0), pick(picks.1));
        let above = random.ancestors(b);
        let expected = random.ancestors(a).into_iter().find(|node| above.contains(node)).unwrap();
        let node = |node: usize| taxonomy.find(&Random::label(node)).unwrap();
        prop_assert_eq!(taxonomy.lowest_common_ancestor(node(a), node(b)), node(expected));
        prop_assert_eq!(taxonomy.contains(node(a), node(b)), above.contains(&a));
    }

    #[test]
    fn levels_agree_with_padded_paths(random in random(), depth in 0u32..12) {
        let taxonomy = random.taxonomy();
        let cut = Cut::at(&taxonomy, Level(depth));
        for (code, leaf) in (0u32..).zip(random.leaves()) {
            let mut from_root = random.ancestors(leaf);
            from_root.reverse();
            let expected = Random::label(from_root[(depth as usize).min(from_root.len() - 1)]);
            let found = taxonomy.ancestor_at_depth(code, depth);
            prop_assert_eq!(taxonomy.label(found), expected);
            prop_assert_eq!(cut.map(code), found);
        }
        prop_assert_eq!(Cut::new(&taxonomy, cut.nodes().to_vec()).unwrap(), cut);
    }

    #[test]
    fn cuts_hold_every_leaf_exactly_once(random in random(), picked in prop::collection::vec(0usize..30, 0..8)) {
        let taxonomy = random.taxonomy();
        let picked: Vec<usize> = picked.into_iter().map(|node| node % random.parents.len()).collect();
        let nodes = picked.iter().map(|node| taxonomy.find(&Random::label(*node)).unwrap()).collect();
        let once = |leaf: &usize| {
            let above = random.ancestors(*leaf);
            picked.iter().filter(|node| above.contains(node)).count() == 1
        };
        let cut = Cut::new(&taxonomy, nodes);
        prop_assert_eq!(cut.is_ok(), random.leaves().iter().all(once));
    }

    #[test]
    fn arbitrary_lines_never_panic(lines in prop::collection::vec("[ab*;?]{0,9}", 0..6)) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        if let Ok(spec) = tree(&lines) {
            let values: Vec<Option<String>> = spec.values().map(|value| Some(value.to_owned())).collect();
            let taxonomy = Taxonomy::build(&TaxonomySpec::Tree(spec), &Column::from_texts("a", &values)).unwrap();
            prop_assert!(taxonomy.nodes().all(|node| taxonomy.leaf_count(node) > 0));
        }
    }
}
