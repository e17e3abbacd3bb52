//! Rows by span, and runs of spans.

use super::*;

fn order(sizes: &[usize]) -> Order {
    let mut start = vec![0_u32];
    sizes.iter().for_each(|&size| start.push(start[start.len() - 1] + size as u32));
    Order { rows: (0..start[sizes.len()]).collect(), start, populations: Vec::new() }
}

/// As many whole spans as have at most so many rows together, and at least one.
#[test]
fn runs_are_whole_spans() {
    let runs = |sizes: &[usize]| -> Vec<(usize, usize)> {
        order(sizes).runs().into_iter().map(|run| (run.start, run.end)).collect()
    };
    assert!(runs(&[]).is_empty());
    assert_eq!(runs(&[1, 2, 3]), [(0, 3)]);
    assert_eq!(runs(&[RUN, 1]), [(0, 1), (1, 2)]);
    assert_eq!(runs(&[RUN + 1, 1]), [(0, 1), (1, 2)]);
    assert_eq!(runs(&[RUN - 1, 1, 1]), [(0, 2), (2, 3)]);
    assert_eq!(runs(&[5, RUN, RUN, 5]), [(0, 1), (1, 2), (2, 3), (3, 4)]);
    assert_eq!(runs(&[1, 3 * RUN, 1]), [(0, 1), (1, 2), (2, 3)]);
}

#[test]
fn rows_of_a_span() {
    let order = order(&[2, 0, 3]);
    assert_eq!((order.of(0), order.of(1), order.of(2)), (&[0, 1][..], &[][..], &[2, 3, 4][..]));
    let counted = Order { rows: Vec::new(), start: vec![0, 1, 2], populations: vec![4, 5] };
    assert!(counted.of(0).is_empty() && counted.of(1).is_empty());
}

#[test]
fn populations_count_individuals() {
    let column = Column::from_texts("x", &[Some("a"); 4]);
    let of = |people: People, rows: &[u32]| {
        population(&Table::new(vec![column.clone()], people).unwrap(), rows, &mut vec![7, 7])
    };
    assert_eq!(of(People::Rows, &[0, 2, 3]), 3);
    assert_eq!(of(People::Weights(vec![5, 1, 2, 3]), &[0, 2, 3]), 10);
    assert_eq!(of(People::of_subjects(&[1, 2, 1, 2]), &[0, 2, 3]), 2);
    assert_eq!(of(People::of_subjects(&[1, 2, 1, 2]), &[0, 2]), 1);
}
