//! Evidence found for other individuals against an exact decision for each of them.

use super::cells::{CellsOf, is_marked};
use super::choices::Combinations;
use super::several::Evidence;
use super::space::ClusterSpace;
use crate::model::{Axis, Centroid, Clusters, Model};
use crate::policy::{Attribute, Policy, Role, Undeclared};
use crate::random::Random;
use crate::span::Linking;
use crate::table::{Column, People, Table};

struct Case {
    table: Table,
    policy: Policy,
    axes: Vec<Axis>,
    centers: Vec<Vec<f64>>,
}

/// A hundred individuals with one or two public numbers, two to four private ones and perhaps a private name.
/// Coordinates of centroids are whole or halves, so that there are ties.
fn case(random: &mut Random) -> Case {
    const PEOPLE: u32 = 100;
    let (public, private) = (1 + random.below(2), 2 + random.below(3));
    let (mut columns, mut axes, mut attributes) = (Vec::new(), Vec::new(), Vec::new());
    for axis in 0..public + private {
        let name = format!("x{axis}");
        let cells: Vec<_> = (0..PEOPLE).map(|_| Some(f64::from(random.below(30)))).collect();
        columns.push(Column::from_numbers(&name, &cells).unwrap());
        let role = if axis < public { Role::Public } else { Role::Private };
        let (low, high) = if random.percent(70) { (0.0, 30.0) } else { (0.0, f64::INFINITY) };
        let (low, high) = if random.percent(15) { (f64::NEG_INFINITY, f64::INFINITY) } else { (low, high) };
        axes.push(Axis { scale: [1.0, 2.0, 3.0][random.below(3) as usize], ..Axis::new(&name, low, high) });
        attributes.push(Attribute::new(&name, role));
    }
    if random.percent(50) {
        let cells: Vec<_> = (0..PEOPLE).map(|_| Some(["a", "b", "c"][random.below(3) as usize])).collect();
        columns.push(Column::from_texts("name", &cells));
        axes.push(Axis::of_names("name", ["a", "b", "c"].map(str::to_owned).to_vec()));
        attributes.push(Attribute::new("name", Role::Private));
    }
    let center = |random: &mut Random| -> Vec<f64> {
        let numbers = (0..public + private).map(|_| f64::from(random.below(40)) / 2.0 + 5.0);
        let mut all: Vec<f64> = numbers.collect();
        if axes.len() > (public + private) as usize {
            all.extend((0..3).map(|_| f64::from(random.below(5)) / 4.0));
        }
        all
    };
    let centers = (0..3 + random.below(10)).map(|_| center(random)).collect();
    Case { table: Table::new(columns, People::Rows).unwrap(), policy: policy(attributes), axes, centers }
}

fn policy(attributes: Vec<Attribute>) -> Policy {
    Policy {
        attributes,
        class: None,
        subject: None,
        dependencies: Vec::new(),
        undeclared: Undeclared::default(),
        guarantee: crate::guarantee::Guarantee::default(),
        earlier: None,
    }
}

#[test]
fn evidence_says_what_exact_programs_say() {
    let (mut reached, mut cells_in_all) = (0_u32, 0_u32);
    for seed in 0..25 {
        let case = case(&mut Random::of(seed, 0));
        let space = ClusterSpace::new(&case.table, &case.policy, &case.axes).unwrap();
        let cells = CellsOf::new(&space, case.centers.iter().map(Vec::as_slice).collect());
        let mut evidence = Evidence::of(&cells);
        for row in 0..case.table.rows() {
            let mut places: Vec<_> = space.places(row).collect();
            let mut marks = [0_u64];
            cells.reach(row, &mut places, &mut marks, &[0], &mut evidence).unwrap();
            let mut expected = vec![false; case.centers.len()];
            let exactly = |places: &[_]| {
                for (i, expected) in expected.iter_mut().enumerate() {
                    *expected = *expected || cells.is_reached_exactly(places, i)?;
                }
                Ok(Combinations::Next)
            };
            space.choices.each(row, &cells.representatives, &mut places, exactly).unwrap();
            let found: Vec<bool> = (0..expected.len()).map(|i| is_marked(&marks, i)).collect();
            assert_eq!(found, expected, "seed {seed}, row {row}");
            reached += expected.iter().filter(|&&reached| reached).count() as u32;
            cells_in_all += expected.len() as u32;
        }
    }
    let left = cells_in_all - reached;
    assert!(reached * 10 > cells_in_all && left * 10 > cells_in_all, "{reached} of {cells_in_all}");
}

/// Whole numbers between ends that are none, against all of them.
#[test]
fn whole_numbers_between_ends_that_are_not_whole() {
    let (low, high) = (0.5, 4.5);
    for seed in 0..40 {
        let random = &mut Random::of(seed, 7);
        let column = |name: &str| Column::from_numbers(name, &[1.0, 2.0, 3.0].map(Some)).unwrap();
        let names = ["a", "x", "y"];
        let role = |name: &str| if name == "a" { Role::Public } else { Role::Private };
        let attribute =
            |name: &str| Attribute { whole: role(name) == Role::Private, ..Attribute::new(name, role(name)) };
        let policy = policy(names.map(attribute).to_vec());
        let table = Table::new(names.map(column).to_vec(), People::Rows).unwrap();
        let axes = names.map(|name| Axis::new(name, low, high));
        let centers: Vec<Vec<f64>> =
            (0..5).map(|_| (0..3).map(|_| f64::from(random.below(20)) / 4.0).collect()).collect();
        let space = ClusterSpace::new(&table, &policy, &axes).unwrap();
        let cells = CellsOf::new(&space, centers.iter().map(Vec::as_slice).collect());
        for row in 0..3 {
            let places: Vec<_> = space.places(row).collect();
            let mut expected = [false; 5];
            for (x, y) in (1..=4).flat_map(|x| (1..=4).map(move |y| (f64::from(x), f64::from(y)))) {
                let at = [row as f64 + 1.0, x, y];
                let far =
                    |center: &[f64]| -> f64 { center.iter().zip(at).map(|(c, x)| (c - x) * (c - x)).sum() };
                let far: Vec<f64> = centers.iter().map(|center| far(center)).collect();
                let nearest = (0..5).min_by(|&i, &j| far[i].total_cmp(&far[j])).unwrap();
                expected[nearest] = true;
            }
            let found = [0, 1, 2, 3, 4].map(|i| cells.is_reached_exactly(&places, i).unwrap());
            assert_eq!(found, expected, "seed {seed}, row {row}");
        }
    }
}

/// A lower or upper end: a fraction with a positive denominator, and whether it is excluded.
type End = ((i64, i64), bool);

/// Whether a number of quarters between two ends, and on the right side of every other centroid, exists. A centroid is
/// nearer than another one iff `constant - 2 * slope * y` is negative, or zero where ties go to it.
fn is_possible((low, high): (i64, i64), sides: &[(i64, i64, bool)]) -> bool {
    let compare = |a: (i64, i64), b: (i64, i64)| (a.0 * b.1).cmp(&(b.0 * a.1));
    let mut lowest: End = ((low, 1), false);
    let mut highest: End = ((high, 1), false);
    for &(constant, slope, strict) in sides {
        if slope == 0 && (constant > 0 || (strict && constant == 0)) {
            return false;
        }
        let at = (constant * slope.signum(), 2 * slope.abs());
        let (end, outer) = match slope.signum() {
            1 => (&mut lowest, std::cmp::Ordering::Greater),
            -1 => (&mut highest, std::cmp::Ordering::Less),
            _ => continue,
        };
        match compare(at, end.0) {
            std::cmp::Ordering::Equal => end.1 |= strict,
            order if order == outer => *end = (at, strict),
            _ => {}
        }
    }
    match compare(lowest.0, highest.0) {
        std::cmp::Ordering::Less => true,
        std::cmp::Ordering::Equal => !lowest.1 && !highest.1,
        std::cmp::Ordering::Greater => false,
    }
}

/// A whole private number beside one that need not be whole and whose range has ends in quarters: for every whole one,
/// the other is decided in fractions.
#[test]
fn whole_numbers_beside_others() {
    let (mut reached, mut barred) = (0, 0);
    for seed in 0..60 {
        let random = &mut Random::of(seed, 11);
        let names = ["a", "x", "y"];
        let attribute = |name: &str| {
            let role = if name == "a" { Role::Public } else { Role::Private };
            Attribute { whole: name == "x", ..Attribute::new(name, role) }
        };
        let policy = policy(names.map(attribute).to_vec());
        let column = |name: &str| Column::from_numbers(name, &[1.0, 2.0, 3.0].map(Some)).unwrap();
        let table = Table::new(names.map(column).to_vec(), People::Rows).unwrap();
        let axes = [Axis::new("a", 0.0, 4.0), Axis::new("x", 1.0, 4.0), Axis::new("y", 0.25, 4.5)];
        let quarters: Vec<Vec<i64>> =
            (0..6).map(|_| (0..3).map(|_| i64::from(random.below(20))).collect()).collect();
        let centers: Vec<Vec<f64>> =
            quarters.iter().map(|center| center.iter().map(|&c| c as f64 / 4.0).collect()).collect();
        let space = ClusterSpace::new(&table, &policy, &axes).unwrap();
        let cells = CellsOf::new(&space, centers.iter().map(Vec::as_slice).collect());
        for row in 0..3_usize {
            let places: Vec<_> = space.places(row).collect();
            for i in 0..6 {
                let with = |x: i64| {
                    let at = [4 * (row as i64 + 1), 4 * x];
                    let far = |j: usize| -> i64 {
                        let fixed: i64 = (0..2).map(|axis| (quarters[j][axis] - at[axis]).pow(2)).sum();
                        fixed + quarters[j][2].pow(2)
                    };
                    let side = |j: usize| (far(i) - far(j), quarters[i][2] - quarters[j][2], j < i);
                    is_possible((1, 18), &(0..6).filter(|&j| j != i).map(side).collect::<Vec<_>>())
                };
                let expected = (1..=4).any(with);
                let found = cells.is_reached_exactly(&places, i).unwrap();
                assert_eq!(found, expected, "seed {seed}, row {row}, centroid {i}");
                *(if found { &mut reached } else { &mut barred }) += 1;
            }
        }
    }
    assert!(reached > 200 && barred > 200, "{reached} reached, {barred} not");
}

/// More centroids than a word has bits.
#[test]
fn seventy_centroids() {
    let numbers: Vec<_> = (0..140).map(|number| Some(f64::from(number))).collect();
    let bits: Vec<_> = (0..140).map(|number| Some(f64::from(number % 2))).collect();
    let columns =
        vec![Column::from_numbers("a", &numbers).unwrap(), Column::from_numbers("x", &bits).unwrap()];
    let table = Table::new(columns, People::Rows).unwrap();
    let policy = policy(vec![Attribute::new("a", Role::Public), Attribute::new("x", Role::Private)]);
    let axes = vec![Axis::new("a", 0.0, 140.0), Axis::new("x", 0.0, 1.0)];
    let center =
        |number: u32| Centroid { center: vec![f64::from(number) * 2.0 + 0.5, 0.5], population: None };
    let model = Model::Clusters(Clusters::new(axes, (0..70).map(center).collect()).unwrap());
    let linking = crate::span::link(&table, &policy, &model).unwrap();
    assert_eq!(linking.spans, 70);
    assert!(linking.bins.unwrap().reach.iter().all(|reach| reach.len() == 1));
}

/// Whether blocks decide what single rows decide, for numbers and names, public and private ones.
#[test]
fn blocks_say_what_their_rows_say() {
    let mut settled = 0;
    for seed in 0..150 {
        let mut case = case(&mut Random::of(seed, 1));
        let random = &mut Random::of(seed, 2);
        // One private number or none, too, and public names.
        let private = random.below(3) as usize;
        let mut left = private;
        for (axis, attribute) in case.axes.iter().zip(&mut case.policy.attributes) {
            let is_number = attribute.role == Role::Private && axis.width() == 1;
            if is_number && private < 2 {
                attribute.role = if left > 0 { Role::Private } else { Role::Public };
                left = left.saturating_sub(1);
            } else if axis.width() > 1 && random.percent(50) {
                attribute.role = Role::Public;
            }
        }
        let whole = random.percent(30);
        case.policy
            .attributes
            .iter_mut()
            .for_each(|attribute| attribute.whole = whole && attribute.name != "name");
        let centers: Vec<&[f64]> = case.centers.iter().map(Vec::as_slice).collect();
        let plain = ClusterSpace::new(&case.table, &case.policy, &case.axes).unwrap();
        let blocks = ClusterSpace::new(&case.table, &case.policy, &case.axes).unwrap().in_blocks();
        let nearest = plain.nearest(&centers);
        assert_eq!(nearest, blocks.nearest(&centers), "seed {seed}");
        let (one, other) =
            (plain.link(&centers, &nearest).unwrap(), blocks.link(&centers, &nearest).unwrap());
        let span = |linking: &Linking<'_>, row: usize| {
            let span = linking.span_of_row[row] as usize;
            (linking.rules)(span)
        };
        (0..case.table.rows()).for_each(|row| assert_eq!(span(&one, row), span(&other, row), "seed {seed}"));
        settled += settled_blocks(&blocks, &centers);
    }
    assert!(settled > 40, "{settled} blocks with a cell settled");
}

fn settled_blocks(space: &ClusterSpace<'_>, centers: &[&[f64]]) -> usize {
    let cells = CellsOf::new(space, centers.to_vec());
    let mut evidence = Evidence::of(&cells);
    let points = &space.near.as_ref().unwrap().points;
    let blocks = points.rows.chunks(super::near::BLOCK).enumerate();
    let settled =
        blocks.map(|(block, rows)| cells.settle(rows, points.extents(block), &mut evidence).unwrap());
    settled.filter(|settled| settled.reached != [0] && settled.barred != [0]).count()
}
