//! Which attributes a model shows in ranges or sets of values.
//!
//! The confidence in a value of such an attribute is that in a range or set, so it cannot be compared with the share of a
//! single value.

use incrowd_core::model::{Domain, Model, ModelAttribute, Node, Split, Test, Tree};

/// The attributes that a model does not show value by value. Those of ensembles and rules count as such if they have more
/// than two values: their trees together, or the items of rules, divide the values in many ways.
pub(super) fn in_ranges(model: &Model) -> Vec<String> {
    let divided = |attributes: &[ModelAttribute]| {
        attributes.iter().filter(|own| has_many_values(own)).map(|own| own.name.clone()).collect()
    };
    match model {
        Model::Tree(tree) => of_tree(tree),
        Model::Ensemble(ensemble) => divided(ensemble.sources()),
        Model::Rules(rules) => divided(rules.attributes()),
        _ => Vec::new(),
    }
}

fn has_many_values(attribute: &ModelAttribute) -> bool {
    match &attribute.domain {
        Domain::Values(names) => names.len() + usize::from(attribute.missing) > 2,
        Domain::Numbers { .. } => true,
    }
}

fn of_tree(tree: &Tree) -> Vec<String> {
    let mut is_divided = vec![false; tree.attributes().len()];
    for node in tree.nodes() {
        if let Node::Test(test) = node {
            is_divided[test.attribute] |= !has_branch_per_value(test);
        }
    }
    let all = tree.attributes().iter().zip(is_divided);
    all.filter(|(_, is_divided)| *is_divided).map(|(own, _)| own.name.clone()).collect()
}

fn has_branch_per_value(test: &Test) -> bool {
    let Split::Values(branches) = &test.split else { return false };
    let mut taken: Vec<u32> = branches.iter().flatten().copied().collect();
    let separate = taken.len();
    taken.sort_unstable();
    taken.dedup();
    taken.len() == separate && (separate == branches.len() || test.otherwise.is_none())
}

#[cfg(test)]
mod tests {
    use super::has_branch_per_value;
    use incrowd_core::model::{MissingRoute, Split, Test};

    fn test(split: Split, otherwise: Option<u32>) -> Test {
        let (labels, children) = (Vec::new(), Vec::new());
        Test { attribute: 0, split, labels, children, otherwise, missing: MissingRoute::default() }
    }

    #[test]
    fn only_one_branch_per_value_shows_values() {
        for (branches, otherwise, expected) in [
            (vec![Some(0), Some(1)], None, true),
            (vec![Some(0), Some(1), Some(1)], None, false),
            (vec![Some(0), None, None], Some(1), false),
            (vec![Some(0), None, Some(1)], None, true),
        ] {
            assert_eq!(has_branch_per_value(&test(Split::Values(branches), otherwise)), expected);
        }
        assert!(!has_branch_per_value(&test(Split::Thresholds(vec![5.5]), None)));
    }
}
