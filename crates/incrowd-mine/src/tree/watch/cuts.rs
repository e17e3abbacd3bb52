//! Which thresholds of an attribute break nothing: all of them at once, by one sweep over each span.

use crate::tree::grower::Grower;
use crate::tree::histogram::Histogram;

/// The safe thresholds of an attribute at a node.
pub(crate) struct SafeCuts {
    /// For each span the codes its people have, ascending, and whether it may be cut before each of them and behind the last.
    spans: Vec<(Vec<u32>, Vec<bool>)>,
}

impl SafeCuts {
    /// Whether a threshold just behind a code breaks nothing.
    pub(crate) fn behind(&self, code: u32) -> bool {
        self.spans.iter().all(|(codes, safe)| safe[codes.partition_point(|&other| other <= code)])
    }

    /// Whether it makes no difference where between two codes a threshold is: nobody has a value in between.
    pub(crate) fn alike_between(&self, low: u32, high: u32) -> bool {
        self.spans.iter().all(|(codes, _)| {
            let next = codes.partition_point(|&other| other <= low);
            codes.get(next).is_none_or(|&other| other >= high)
        })
    }
}

impl Grower<'_> {
    /// The safe thresholds; none where they can only be asked for one by one. `rows` are the attribute's counts at the node.
    pub(crate) fn safe_cuts(&self, node: u32, attribute: usize, rows: &Histogram) -> Option<SafeCuts> {
        if !self.task.attributes[attribute].known {
            return (!self.watch.minds_private(attribute)).then(|| SafeCuts { spans: Vec::new() });
        }
        if !self.watch.is_plain() {
            return None;
        }
        let missing = self.task.attributes[attribute].column.missing_code();
        let mut spans = Vec::new();
        for span in self.spans.of(node) {
            let counted = self.span_histogram(node, span, attribute, rows);
            // Where missing values go depends on the threshold, so a sweep does not do.
            if counted.codes().last() == Some(&missing) {
                return None;
            }
            spans.push((counted.codes().to_vec(), self.sweep(&counted, self.is_single(span, 1))));
        }
        Some(SafeCuts { spans })
    }

    /// Whether a span may be cut before each of its codes, and behind the last.
    fn sweep(&self, counted: &Histogram, single_bin: bool) -> Vec<bool> {
        let mut below = vec![0; self.task.class.count];
        let mut above = below.clone();
        counted.iter().for_each(|(_, counts)| above.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n));
        let mut safe = vec![true];
        for (_, counts) in counted.iter() {
            for ((below, above), n) in below.iter_mut().zip(&mut above).zip(counts) {
                *below += n;
                *above -= n;
            }
            let holds = |part: &[u64]| self.watch.holds_by_class(part, single_bin);
            safe.push(holds(&below) && holds(&above));
        }
        safe
    }
}
