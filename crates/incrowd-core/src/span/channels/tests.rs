//! The parts of the search for small cells, one by one. Their results together are compared with a naive search of all
//! worlds in the integration tests.

use super::determined::Determined;
use super::world::Program;
use super::*;

/// Items of attributes: for each the number of its items, how many values it has in all (0 if that is not known), and
/// whether it is public.
fn facts(attributes: &[(u32, u32, bool)]) -> Vec<ItemFacts> {
    let of = |(attribute, &(items, values, public)): (u32, &(u32, u32, bool))| {
        (0..items).map(move |_| ItemFacts { public, attribute, values })
    };
    (0..).zip(attributes).flat_map(of).collect()
}

/// Private items, each of an attribute of its own, of which each of some sets is published with a support of one half.
fn published(items: u32, sets: &[&[u32]]) -> Knowledge {
    let mut knowledge = Knowledge::new(100, facts(&vec![(1, 2, false); items as usize]));
    for set in sets {
        knowledge.publish(set, &|set| if set.is_empty() { 100 } else { 50 }).unwrap();
    }
    knowledge
}

#[test]
fn combinations_of_known_sums_are_known() {
    let mut sums = Determined::default();
    for sum in [vec![2, 2, 0, 0], vec![0, 3, 3, 0], vec![2, 5, 3, 0]] {
        sums.add(sum);
    }
    let has = |sum: [u64; 4]| sums.is_combination(sum.to_vec());
    assert!(has([1, 1, 0, 0]) && has([0, 1, 1, 0]) && has([1, 2, 1, 0]) && has([5, 7, 2, 0]) && has([0; 4]));
    assert!(!has([1, 0, 0, 0]) && !has([0, 1, 0, 0]) && !has([1, 1, 1, 0]) && !has([0, 0, 0, 1]));
    sums.add(vec![0, 0, 7, 1]);
    assert!(sums.is_combination(vec![0, 3, 10, 1]) && !sums.is_combination(vec![0, 0, 0, 1]));
}

/// Half of 100 have the first item, half the second, and 20 both: with all four cells known, every cell is determined;
/// without the support of both, only the two halves are.
#[test]
fn cells_that_follow_from_sums_need_no_search() {
    let support = |set: &[u32]| [100, 50, 20][set.len()];
    for (sets, expected) in [(vec![&[0][..], &[1], &[0, 1]], true), (vec![&[0][..], &[1]], false)] {
        let mut knowledge = Knowledge::new(100, facts(&[(1, 2, false), (1, 2, false)]));
        sets.iter().for_each(|set| drop(knowledge.publish(set, &support).unwrap()));
        let program = Program::new(&knowledge, &[0, 1], &support).unwrap();
        let determined = Determined::by_sums(&program);
        for sides in program.cells(&knowledge) {
            let cell = program.cell(sides, 0, 0);
            let one_item = cell.present.len() + cell.absent.len() == 1;
            assert_eq!(determined.has(&program, sides), one_item || expected, "{cell:?}");
        }
    }
}

#[test]
fn baskets_that_are_the_same_in_every_world_are_found() {
    // No individual has both, so that the others are known as well, though no set of two is published.
    let support = |set: &[u32]| [10, 5, 0][set.len()];
    let mut knowledge = Knowledge::new(10, facts(&[(1, 2, false), (1, 2, false), (1, 2, false)]));
    for set in [&[0][..], &[1], &[2], &[0, 1]] {
        knowledge.publish(set, &support).unwrap();
    }
    let program = Program::new(&knowledge, &[0, 1, 2], &support).unwrap();
    let mut determined = Determined::by_sums(&program);
    let both = program.one(3);
    assert!(!determined.has(&program, both), "with the third item or without");
    // 5 with the first and not the third, and 5 with the second and the third.
    let world = (0..8).map(|basket| if basket == 1 || basket == 6 { 5 } else { 0 }).collect();
    let mut open: Vec<_> = program.cells(&knowledge).into_iter().map(|sides| (sides, 3)).collect();
    let before = open.len();
    determined.add_fixed(&program, &world, &mut open);
    assert!(determined.has(&program, both) && determined.has(&program, program.one(7)));
    assert!(!determined.has(&program, program.one(1)), "it can have from 0 to 5");
    assert!(open.len() < before, "other worlds strike off cells");
}

#[test]
fn groups_are_what_published_sets_connect() {
    // Two times seven items are too many to be looked at together.
    let chains: Vec<Vec<u32>> = (0..6).flat_map(|i| [vec![i, i + 1], vec![7 + i, 8 + i]]).collect();
    let sets: Vec<&[u32]> = chains.iter().map(Vec::as_slice).collect();
    let knowledge = published(14, &sets);
    let all = [(0..7).collect::<Vec<u32>>(), (7..14).collect()];
    assert_eq!((knowledge.groups(), knowledge.unsearched()), (all.to_vec(), Vec::new()));
    assert_eq!(knowledge.groups_of(&[3, 4]), all[..1]);
    assert_eq!(knowledge.groups_of(&[13]), all[1..]);
    // Few enough: all at once, whatever connects them.
    assert_eq!(published(4, &[&[0, 1], &[2, 3]]).groups_of(&[0, 1]), [[0, 1, 2, 3]]);
    // Thirteen in one chain.
    let chain: Vec<Vec<u32>> = (0..12).map(|i| vec![i, i + 1]).collect();
    let knowledge = published(13, &chain.iter().map(Vec::as_slice).collect::<Vec<_>>());
    assert_eq!((knowledge.groups_of(&[0, 1]).len(), knowledge.groups().len()), (0, 0));
    assert_eq!(knowledge.unsearched(), (0..13).collect::<Vec<_>>());
}

/// Items of one attribute belong together, unless that is too much.
#[test]
fn groups_follow_attributes_where_they_can() {
    let mut attributes = vec![(2, 3, false)];
    attributes.extend([(1, 2, false); 14]);
    let mut knowledge = Knowledge::new(100, facts(&attributes));
    let support = |set: &[u32]| if set.is_empty() { 100 } else { 40 };
    for set in [&[0, 2][..], &[1, 3], &[4, 5, 6, 7], &[8, 9, 10, 11], &[12, 13, 14, 15]] {
        knowledge.publish(set, &support).unwrap();
    }
    assert_eq!(knowledge.groups_of(&[0, 2]), [[0, 1, 2, 3]]);
    assert_eq!(knowledge.groups_of(&[4, 5]), [[4, 5, 6, 7]]);
}

/// Sets of public items alone add their items to the groups they touch, and to no others if all would be too many; a
/// group that is too large with them is searched without them.
#[test]
fn public_sets_extend_groups() {
    let mut attributes = vec![(1, 2, true); 10];
    attributes.extend([(1, 2, false); 2]);
    let support = |set: &[u32]| if set.is_empty() { 100 } else { 50 };
    let publish = |sets: &[&[u32]]| {
        let mut knowledge = Knowledge::new(100, facts(&attributes));
        sets.iter().for_each(|set| drop(knowledge.publish(set, &support).unwrap()));
        knowledge
    };
    let public = publish(&[&[0, 1], &[2, 3, 4, 5, 6, 7, 8, 9]]);
    assert!(public.groups().is_empty() && public.unsearched().is_empty(), "nothing is private");
    let few = publish(&[&[0, 10], &[0, 1], &[2, 3]]);
    assert_eq!((few.groups(), few.unsearched()), (vec![vec![0, 1, 2, 3, 10]], vec![]));
    let more: [&[u32]; 5] = [&[0, 10], &[0, 1], &[2, 3, 4, 5], &[6, 7, 8], &[1, 2]];
    let chain = publish(&more);
    assert_eq!(chain.groups(), [vec![0, 1, 2, 3, 4, 5, 10]], "without the set that nothing connects");
    assert_eq!(chain.unsearched(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 10], "everyone sees all public items");
    assert_eq!(chain.groups_of(&[1, 2]), chain.groups());
    let direct = publish(&[&[0, 10], &[0, 1], &[1, 2, 3, 4, 5, 6, 7, 8]]);
    assert_eq!(direct.groups(), [vec![0, 1, 10]]);
    let too_many = publish(&[&[0, 10], &[0, 1, 2, 3, 4, 5, 6, 7, 8]]);
    assert_eq!(too_many.groups(), [vec![0, 10]]);
}

#[test]
fn groups_are_small_by_baskets_and_cells() {
    let items = |attributes: &[(u32, u32, bool)]| {
        let facts = facts(attributes);
        let all: Vec<u32> = (0..facts.len() as u32).collect();
        Knowledge::new(100, facts).is_small(&all)
    };
    let single = |count: usize| vec![(1, 2, false); count];
    // 2^8 and 2^9 baskets.
    assert!(items(&single(8)) && !items(&single(9)));
    // 2 · 2^7 baskets if everyone has one of the two values, otherwise 3 · 2^7.
    let with = |first: &[(u32, u32, bool)], count: usize| [first, &single(count)].concat();
    assert!(items(&with(&[(2, 2, false)], 7)) && !items(&with(&[(2, 3, false)], 7)));
    // (2 + 2^2)^5 · 3 = 23,328 and (2 + 2^2)^6 = 46,656 cells.
    assert!(items(&with(&[(2, 2, false); 5], 1)) && !items(&[(2, 2, false); 6]));
    assert!(items(&[(12, 0, false)]) && !items(&[(13, 0, false)]));
}

/// 100 have the first item; of the values of another attribute 60 and 38 have it as well: 2 have none of both. What is
/// left of a single value is a cell of its set, and no rest.
#[test]
fn rests_of_several_values_are_looked_at() {
    let support = |set: &[u32]| match set {
        [] => 200,
        [0] => 100,
        [0, 1] => 60,
        [0, 2] => 38,
        _ => 70,
    };
    let limits = Limits { every: 5, joint: 5 };
    let mut knowledge = Knowledge::new(200, facts(&[(1, 2, true), (2, 4, false)]));
    let one = knowledge.publish(&[0, 1], &support).unwrap();
    assert!(knowledge.small_rests(&one, &Limits { every: 50, joint: 50 }).is_empty());
    let both = knowledge.publish(&[0, 2], &support).unwrap();
    let rest = Cell { low: 2, high: 2, present: vec![0], absent: vec![1, 2] };
    assert_eq!(knowledge.small_rests(&both, &limits), [rest]);
    assert!(knowledge.small_rests(&both, &Limits { every: 2, joint: 2 }).is_empty(), "2 is enough");
    assert_eq!(knowledge.small_rests(&both, &Limits { every: 3, joint: 0 }).len(), 1);
}

#[test]
fn limits_are_what_a_guarantee_requires() {
    use crate::guarantee::{Guarantee, Requirement};
    let k = |k| Guarantee::k_anonymity(k).unwrap();
    let smallest = |n| Requirement::smallest_bin(n).unwrap();
    assert_eq!(Limits::asked(&k(1)), None);
    assert_eq!(Limits::asked(&k(2)), Some(Limits { every: 0, joint: 2 }));
    assert_eq!(Limits::asked(&k(1).with(smallest(1))), Some(Limits { every: 1, joint: 1 }));
    let both = Limits::asked(&k(5).with(smallest(3))).unwrap();
    assert_eq!((both.most(), both.of(true), both.of(false)), (5, 3, 5));
    assert_eq!(both.without_joint(), Some(Limits { every: 3, joint: 0 }));
    assert_eq!(Limits { every: 0, joint: 5 }.without_joint(), None);
    let larger = Limits { every: 9, joint: 5 };
    assert_eq!((larger.most(), larger.of(true), larger.of(false)), (9, 9, 9));
}

#[test]
fn long_sets_are_refused_and_published_sets_change_nothing() {
    let support = |set: &[u32]| 100 - set.len() as u64;
    let mut knowledge = Knowledge::new(100, facts(&[(1, 2, false); 13]));
    assert!(knowledge.publish(&(0..13).collect::<Vec<_>>(), &support).is_err());
    assert!(!knowledge.publish(&[0, 1], &support).unwrap().is_empty());
    assert!(knowledge.publish(&[0, 1], &support).unwrap().is_empty());
    let mark = knowledge.mark();
    knowledge.publish(&(0..12).collect::<Vec<_>>(), &support).unwrap();
    assert_eq!(knowledge.sets().len(), 1 << 12);
    knowledge.undo(mark);
    assert_eq!(knowledge.sets().len(), 4);
}

/// More individuals with both items than with one of them.
#[test]
fn contradictions_are_noticed() {
    let mut knowledge = Knowledge::new(10, facts(&[(1, 2, false), (1, 2, false)]));
    knowledge.publish(&[0], &|set| if set.is_empty() { 10 } else { 5 }).unwrap();
    let mark = knowledge.mark();
    assert!(!knowledge.contradicts());
    knowledge.publish(&[0, 1], &|set| [10, 5, 6][set.len()]).unwrap();
    assert!(knowledge.contradicts());
    knowledge.undo(mark);
    assert!(!knowledge.contradicts());
}

#[test]
fn published_sets_within_items_come_once() {
    let knowledge = published(4, &[&[0, 1], &[1, 2], &[2]]);
    let within = |items: &[u32]| -> Vec<Vec<u32>> {
        knowledge.published_within(items).map(|set| set.items.clone()).collect()
    };
    assert_eq!(within(&[1, 2]), [vec![1, 2], vec![2]]);
    assert_eq!(within(&[0, 1]), [vec![0, 1]]);
    assert_eq!(within(&[0, 1, 2]), [vec![0, 1], vec![1, 2], vec![2]]);
    assert!(within(&[0, 3]).is_empty());
}

/// Two of three values of one attribute: 2 individuals who have both, in two rows, do not fit into one basket each.
#[test]
fn a_table_with_several_rows_is_no_world_of_baskets() {
    let truth = |one: u64, both: u64| {
        let support = move |set: &[u32]| [4, one, both][set.len()];
        let mut knowledge = Knowledge::new(4, facts(&[(2, 3, false)]));
        [&[0][..], &[1]].iter().for_each(|set| drop(knowledge.publish(set, &support).unwrap()));
        let program = Program::new(&knowledge, &[0, 1], &support).unwrap();
        program.truth(&support).is_some()
    };
    assert!(truth(2, 0));
    assert!(!truth(3, 2));
}

/// Everyone has the last item, so with each value of the first attribute its union with the last item is deduced before
/// it is published; publishing it still makes known what the values leave of the last item.
#[test]
fn what_was_deduced_and_is_then_published_leaves_a_rest() {
    let support = |set: &[u32]| match set.iter().find(|&&item| item < 3) {
        Some(&item) => [6, 2, 2][item as usize],
        None => 11,
    };
    let limits = Limits { every: 2, joint: 2 };
    let mut knowledge = Knowledge::new(11, facts(&[(3, 0, false), (1, 0, false)]));
    for set in [&[3][..], &[0, 3], &[1], &[1, 3], &[2]] {
        knowledge.publish(set, &support).unwrap();
    }
    let touched = knowledge.publish(&[2, 3], &support).unwrap();
    let small = knowledge.small_cells(touched, &limits);
    let expected = Cell { low: 1, high: 1, present: vec![3], absent: vec![0, 1, 2] };
    assert!(small.contains(&expected), "{small:?}");
}
