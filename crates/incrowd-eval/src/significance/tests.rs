use super::*;
use proptest::prelude::*;

/// Table 6 of Demšar 2006: AUC of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 data sets. On `voting` the last two are
/// equal as printed; the paper's ranks (2 and 3) show which was larger before rounding.
const DEMSAR: [[f64; 4]; 14] = [
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.590, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000],
    [0.940, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.97501, 0.975],
    [0.957, 0.978, 0.946, 0.970],
];

fn near(one: f64, other: f64, within: f64) -> bool {
    (one - other).abs() <= within
}

fn blocks<const N: usize>(rows: &[[f64; N]]) -> Vec<Vec<f64>> {
    rows.iter().map(|row| row.to_vec()).collect()
}

#[test]
fn demsars_example() {
    let found = friedman(&blocks(&DEMSAR)).expect("fourteen blocks");
    for (rank, paper) in found.ranks.iter().zip([3.143, 2.000, 2.893, 1.964]) {
        assert!(near(*rank, paper, 5e-4), "{rank}");
    }
    assert!(near(found.chi_square, 9.28, 5e-3) && near(found.f, 3.69, 5e-3), "{found:?}");
    // According to scipy 1.15.
    assert!(near(found.p_chi_square, 0.025_807_496_707_063_2, 1e-12));
    assert!(near(found.p_f, 0.019_823_006_192_249_1, 1e-12));
    assert!(near(found.chi_square_corrected, 10.228_346_456_692_9, 1e-12));
    assert!(near(found.p_corrected, 0.016_721_580_328_441_3, 1e-12));
    // The paper compares all with all at 0.10, and with C4.5 at 0.05 and 0.10.
    assert!(near(nemenyi(4, 14, 0.10), 1.12, 5e-3), "{}", nemenyi(4, 14, 0.10));
    assert!(near(nemenyi(4, 14, 0.05), 1.25, 5e-3));
    assert!(near(bonferroni_dunn(4, 14, 0.05), 1.16, 0.02));
    assert!(near(bonferroni_dunn(4, 14, 0.10), 1.04, 0.01));
    let against = holm(&found.ranks, 14, 0);
    assert_eq!(against.iter().map(|against| against.method).collect::<Vec<_>>(), [3, 1, 2]);
    // The paper's p-values come from rounded z.
    for (found, (z, p)) in against.iter().zip([(-2.416, 0.016), (-2.342, 0.019), (-0.512, 0.607)]) {
        assert!(near(found.z, z, 2e-3) && near(found.p, p, 2e-3), "{found:?}");
    }
    // Three comparisons: both that are significant at 0.05 in the paper remain so after the correction.
    let adjusted: Vec<f64> = against.iter().map(|against| against.adjusted).collect();
    assert!(near(adjusted[0], 3.0 * against[0].p, 1e-15) && near(adjusted[1], adjusted[0], 0.01));
    assert!(adjusted.is_sorted() && adjusted[1] < 0.05 && adjusted[2] > 0.6);
}

/// Table 5 of Demšar 2006, two to ten methods.
#[test]
fn critical_values_are_demsars() {
    type Difference = fn(usize, usize, f64) -> f64;
    let tables: [(Difference, f64, [f64; 9]); 4] = [
        (nemenyi, 0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (nemenyi, 0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
        // The table has 2.724 for nine methods, which is a misprint.
        (bonferroni_dunn, 0.05, [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.734, 2.773]),
        (bonferroni_dunn, 0.10, [1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539]),
    ];
    for (difference, level, values) in tables {
        for (methods, value) in (2..).zip(values) {
            let q = difference(methods, 14, level) / critical::scale(methods, 14);
            assert!(near(q, value, 1.1e-3), "{methods} methods at {level}: {q}, not {value}");
        }
    }
}

#[test]
fn studentized_ranges_are_scipys() {
    let expected = [(3, 3.314_493_2), (4, 3.633_159_6), (20, 5.011_688_8), (50, 5.646_026_0)];
    for (count, value) in expected {
        let q = critical::studentized_range(count, 0.95);
        assert!(near(q, value, 1e-6), "{count}: {q}");
    }
}

/// The C4.5 rows of Table 1 of the kACTUS-2 paper: TDS, TDR, kADET, kACTUS, kACTUS-2.
#[test]
fn kactus_2_is_not_shown_to_be_better() {
    let areas = [
        [76_414.025, 75_472.2, 80_843.275, 81_830.7, 82_663.22],
        [6583.175, 6621.625, 6596.7, 6645.725, 6646.4],
        [1731.175, 1658.75, 1771.3, 1789.725, 1802.35],
        [1292.3, 964.475, 1350.35, 1383.2, 1372.225],
        [2860.2, 1837.65, 3113.85, 3185.825, 3252.475],
    ];
    let found = friedman(&blocks(&areas)).expect("five blocks");
    let gap = |method: usize| found.ranks[method] - found.ranks[4];
    let difference = bonferroni_dunn(5, 5, 0.05);
    assert!(near(gap(2), 2.0, 1e-12) && near(gap(3), 0.6, 1e-12), "{:?}", found.ranks);
    assert!(near(difference, 2.498, 5e-4) && gap(2) < difference && gap(3) < difference);
    assert!(gap(1) > difference, "it is shown to be better than TDR");
}

#[test]
fn blocks_that_say_nothing() {
    let equal = friedman(&[vec![1.0, 1.0, 1.0], vec![2.0, 2.0, 2.0]]).expect("two blocks");
    assert!(
        near(equal.chi_square, 0.0, 0.0) && near(equal.p_f, 1.0, 0.0) && near(equal.p_corrected, 1.0, 0.0)
    );
    let agreed = friedman(&vec![vec![3.0, 2.0, 1.0]; 4]).expect("four blocks");
    assert!(agreed.f.is_infinite() && near(agreed.p_f, 0.0, 0.0) && agreed.p_chi_square < 0.02);
    let one = friedman(&[vec![3.0, 2.0, 1.0]]).expect("one block");
    assert!(near(one.p_f, 1.0, 0.0));
    for wrong in [vec![], vec![vec![1.0]], vec![vec![1.0, 2.0], vec![1.0]], vec![vec![1.0, f64::NAN]]] {
        assert!(friedman(&wrong).is_err());
    }
    assert!(holm(&[1.0, 2.0], 3, 2).is_empty());
}

#[test]
fn groups_are_as_large_as_can_be() {
    assert_eq!(groups(&[1.0, 3.0, 1.5, 2.4], 1.0), [vec![0, 2], vec![2, 3], vec![3, 1]]);
    assert_eq!(groups(&[1.0, 1.2, 1.4], 1.0), [vec![0, 1, 2]]);
    assert!(groups(&[1.0, 3.0], 1.0).is_empty() && groups(&[], 1.0).is_empty());
}

/// A rank from its definition: the number of larger values, and half of the equal ones.
fn naive_rank(numbers: &[f64], method: usize) -> f64 {
    let larger = numbers.iter().filter(|number| **number > numbers[method]).count();
    let equal = numbers.iter().filter(|number| near(**number, numbers[method], 0.0)).count();
    larger as f64 + f64::midpoint(equal as f64, 1.0)
}

proptest! {
    #[test]
    fn ranks_agree_with_their_definition(numbers in prop::collection::vec((-2..3_i32).prop_map(f64::from), 0..8)) {
        for (method, rank) in ranks(&numbers).into_iter().enumerate() {
            prop_assert!(near(rank, naive_rank(&numbers, method), 1e-12));
        }
    }

    #[test]
    fn a_group_is_within_the_difference_and_no_pair_within_is_missed(
        ranks in prop::collection::vec(1.0..5.0_f64, 0..7), difference in 0.0..3.0_f64,
    ) {
        let groups = groups(&ranks, difference);
        for one in 0..ranks.len() {
            for other in 0..one {
                let together = groups.iter().any(|group| group.contains(&one) && group.contains(&other));
                prop_assert_eq!(together, (ranks[one] - ranks[other]).abs() <= difference);
            }
        }
    }
}
