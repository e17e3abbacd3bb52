//! The spans of a growing tree, updated split by split (PKDD 2006, Algorithm 1).
//!
//! A span is a set of individuals whom an attacker who knows their public attributes cannot distinguish, together with
//! the leaves they can reach by varying everything private. At the root there is one span of all individuals, or one
//! for each class value if the class is public and for each set of private values that declared dependencies leave
//! possible and each joint span of earlier releases (`ties`). A *public* split of a node divides the individuals of every span of the node by their answers; a
//! part keeps the span's other leaves and the one child its individuals go to. A *private* split divides no span: its
//! spans reach all children instead of the node. Empty parts are dropped at once: no individual will ever be in them.
//!
//! **Invariant.** After every split, two individuals are in one span here iff they can reach the same bins of the tree
//! (VLDB Journal 2008, Definition 5): tested against the reference of the core on random tables.
//!
//! The individuals of a span are a range of rows. As long as a span has been divided only together with its node, this
//! is a range of the partition by leaf, and no second partition is needed: the rows of a node stay in one range however
//! its subtree is split. A span that is divided independently of its leaves moves to a separate partition. With all
//! attributes public, spans cost no work on rows.
//!
//! Time: a public split takes time linear in the individuals of its node's spans, plus the leaves these reach; a
//! private split only the latter.

use super::grower::Node;
use super::partition::Partition;
use super::split::Split;
use super::task::Task;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use incrowd_core::table::Codes;
use std::ops::Range;
use std::sync::Arc;

/// A span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    /// Where its individuals are.
    pub(crate) place: Place,
    /// The leaves they can reach, ascending.
    pub(crate) leaves: Vec<u32>,
    /// Their class, if it is public.
    pub(crate) class: Option<u32>,
    /// A number of its own for these individuals: no other span, before or after, has it.
    pub(crate) stamp: u32,
    /// The tests that its leaves are behind.
    pub(crate) tested: Arc<TestedLists>,
}

/// The tests of private attributes that the leaves of a span are behind. Many spans have the same: a public split
/// changes nothing about them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TestedLists {
    /// A number of its own for these tests.
    pub(crate) number: u32,
    /// For each private attribute that is looked at the nodes that know what is left of it in the leaves, ascending,
    /// each once. Leaves without a test of it are reached with every value and distinguish none.
    of_attribute: Vec<Vec<u32>>,
}

impl TestedLists {
    /// The nodes that know what is left of an attribute.
    pub(crate) fn of(&self, attribute: usize) -> &[u32] {
        self.of_attribute.get(attribute).map_or(&[], Vec::as_slice)
    }
}

impl Span {
    /// The number of rows of its individuals; 0 where only counts are known.
    pub(crate) fn people(&self) -> u32 {
        match &self.place {
            Place::ByLeaf(part) | Place::BySpan(part) => part.end - part.start,
            Place::Counted(_) => 0,
        }
    }
}

/// A range of rows, or a cell where only counts are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// Of the partition by leaf.
    ByLeaf(Range<u32>),
    /// Of the partition by span.
    BySpan(Range<u32>),
    /// The number of a cell (`known`).
    Counted(Range<u32>),
}

impl Place {
    /// The range.
    pub(crate) fn part(&self) -> &Range<u32> {
        let (Self::ByLeaf(part) | Self::BySpan(part) | Self::Counted(part)) = self;
        part
    }
}

/// The spans of a growing tree.
pub(crate) struct Spans {
    all: Vec<Span>,
    of_node: Vec<Vec<u32>>,
    /// The number of times that the spans of each node were divided elsewhere.
    changes: Vec<u32>,
    /// How often private splits elsewhere have given the spans of each node other leaves.
    reveals: Vec<u32>,
    next_stamp: u32,
    /// Made when the first span needs it.
    by_span: Option<Partition>,
    /// The span of each row, where the tree is grown carefully; [`NONE`] of rows that are not in the tree.
    of_row: Vec<u32>,
    /// Where the individuals of each branch are, of the span that was divided last.
    parts: Vec<Range<u32>>,
    /// The lists of tests, by those before a private split, its attribute, and what became of the list of this.
    tested: HashMap<(u32, usize, Vec<u32>), Arc<TestedLists>>,
}

/// No span.
const NONE: u32 = u32::MAX;

/// A split that has just been made in the partition by leaf.
pub(crate) struct MadeSplit<'a> {
    /// The node.
    pub(crate) node: u32,
    /// Its rows.
    pub(crate) part: Range<u32>,
    /// The rows of its children.
    pub(crate) parts: &'a [Range<u32>],
    /// The split.
    pub(crate) split: &'a Split,
    /// The first child.
    pub(crate) first: u32,
    /// The nodes.
    pub(crate) nodes: &'a [Node],
}

/// Who is distinguished before any test: by the class if it is known, and by what dependencies leave possible.
fn first_parts(
    task: &Task<'_>,
    by_span: &mut Partition,
    everyone: Range<u32>,
) -> Vec<(Option<u32>, Range<u32>)> {
    let mut parts = vec![(None, everyone)];
    if task.class.known {
        let classes: Vec<u32> = (0..task.class.count as u32).collect();
        let codes = task.class.column.codes();
        let divided = by_span.divide(&parts[0].1, codes, &classes, classes.len() as u32);
        parts = (0..).map(Some).zip(divided).collect();
    }
    if let Some(kind_of_row) = &task.kind_of_row {
        let kinds: Vec<u32> = (0..=kind_of_row.iter().copied().max().unwrap_or(0)).collect();
        let codes = Codes::collect(kinds.len(), kind_of_row.iter().copied());
        let divide = |(class, part): (Option<u32>, Range<u32>)| {
            let divided = by_span.divide(&part, &codes, &kinds, kinds.len() as u32);
            divided.into_iter().map(move |part| (class, part))
        };
        parts = parts.into_iter().flat_map(divide).collect();
    }
    parts.retain(|(_, part)| !part.is_empty());
    parts
}

impl Spans {
    /// The spans of a root with these rows.
    pub(crate) fn new(task: &Task<'_>, by_leaf: &Partition) -> Self {
        let everyone = 0..by_leaf.order().len() as u32;
        let mut this = Self {
            all: Vec::new(),
            of_node: vec![Vec::new()],
            changes: vec![0],
            reveals: vec![0],
            next_stamp: 0,
            by_span: None,
            of_row: Vec::new(),
            parts: Vec::new(),
            tested: HashMap::new(),
        };
        let is_looked_at = task.guarantee.looks_at_values() && task.in_scope.contains(&true);
        let of_attribute = vec![Vec::new(); if is_looked_at { task.attributes.len() } else { 0 }];
        let tested = Arc::new(TestedLists { number: 0, of_attribute });
        if let Some(known) = task.known {
            for (class, part) in known.first_parts(task.class.known) {
                let (place, stamp, tested) =
                    (Place::Counted(part), this.all.len() as u32, Arc::clone(&tested));
                this.push(Span { place, leaves: vec![0], class, stamp, tested });
            }
        } else if task.class.known || task.kind_of_row.is_some() {
            let mut by_span = Partition::new(task.table.rows());
            for (class, part) in first_parts(task, &mut by_span, everyone) {
                let stamp = this.all.len() as u32;
                let (place, tested) = (Place::BySpan(part), Arc::clone(&tested));
                this.push(Span { place, leaves: vec![0], class, stamp, tested });
            }
            this.by_span = Some(by_span);
        } else {
            let place = Place::ByLeaf(everyone);
            this.push(Span { place, leaves: vec![0], class: None, stamp: 0, tested });
        }
        this.next_stamp = this.all.len() as u32;
        this.of_node[0] = (0..this.all.len() as u32).collect();
        if task.careful {
            this.of_row = vec![NONE; task.table.rows()];
            (0..this.all.len()).for_each(|span| this.note_rows(by_leaf, span as u32));
        }
        this
    }

    /// The span of a row, if it is in the tree; only where the tree is grown carefully.
    pub(crate) fn of_row(&self, row: u32) -> Option<u32> {
        self.of_row.get(row as usize).copied().filter(|&span| span != NONE)
    }

    /// Notes which span the rows of a new span are in.
    fn note_rows(&mut self, by_leaf: &Partition, number: u32) {
        let mut of_row = std::mem::take(&mut self.of_row);
        let span = &self.all[number as usize];
        self.rows(by_leaf, span).iter().for_each(|&row| of_row[row as usize] = number);
        self.of_row = of_row;
    }

    /// All spans.
    pub(crate) fn all(&self) -> &[Span] {
        &self.all
    }

    /// The spans that reach a leaf.
    pub(crate) fn of(&self, node: u32) -> impl Iterator<Item = &Span> {
        self.of_node[node as usize].iter().map(|&span| &self.all[span as usize])
    }

    /// A number that grows whenever a split elsewhere divides a span of the node.
    pub(crate) fn changes(&self, node: u32) -> u32 {
        self.changes[node as usize]
    }

    /// A number that grows whenever a private split elsewhere changes what a span of the node reveals.
    pub(crate) fn reveals(&self, node: u32) -> u32 {
        self.reveals[node as usize]
    }

    /// The rows of a span.
    pub(crate) fn rows<'a>(&'a self, by_leaf: &'a Partition, span: &Span) -> &'a [u32] {
        match (&span.place, &self.by_span) {
            (Place::ByLeaf(part), _) => by_leaf.rows(part),
            (Place::BySpan(part), Some(by_span)) => by_span.rows(part),
            (Place::BySpan(_), None) | (Place::Counted(_), _) => &[],
        }
    }

    /// Follows a split.
    pub(crate) fn split(&mut self, task: &Task<'_>, by_leaf: &Partition, made: &MadeSplit<'_>) {
        let ids = std::mem::take(&mut self.of_node[made.node as usize]);
        let nodes = (made.first + made.split.branches) as usize;
        self.of_node.resize(nodes, Vec::new());
        self.changes.resize(nodes, 0);
        self.reveals.resize(nodes, 0);
        if task.attributes[made.split.attribute].known {
            ids.into_iter().for_each(|id| self.divide(task, by_leaf, made, id));
        } else {
            self.reach_children(task, made, &ids);
        }
    }

    fn push(&mut self, span: Span) -> u32 {
        self.all.push(span);
        self.all.len() as u32 - 1
    }

    /// A private split: the spans of the node reach all of its children.
    fn reach_children(&mut self, task: &Task<'_>, made: &MadeSplit<'_>, ids: &[u32]) {
        let children = made.first..made.first + made.split.branches;
        for &id in ids {
            let leaves = &mut self.all[id as usize].leaves;
            leaves.retain(|&leaf| leaf != made.node);
            leaves.iter().for_each(|&leaf| self.reveals[leaf as usize] += 1);
            if task.in_scope[made.split.attribute] {
                self.note_test(made, id);
            }
            self.all[id as usize].leaves.extend(children.clone());
        }
        children.for_each(|child| self.of_node[child as usize] = ids.to_vec());
    }

    /// Notes the test of a private split, of a span with the leaves that were not split.
    fn note_test(&mut self, made: &MadeSplit<'_>, id: u32) {
        let (attribute, Span { leaves, tested, .. }) = (made.split.attribute, &mut self.all[id as usize]);
        if tested.of_attribute.is_empty() {
            return;
        }
        let tested_at = |&leaf: &u32| made.nodes[leaf as usize].tested_at(attribute);
        let mut list: Vec<u32> = leaves.iter().filter_map(tested_at).collect();
        list.sort_unstable();
        list.dedup();
        list.extend(made.first..made.first + made.split.branches);
        let number = self.tested.len() as u32 + 1;
        let put = |list: &Vec<u32>| {
            let mut of_attribute = tested.of_attribute.clone();
            of_attribute[attribute].clone_from(list);
            Arc::new(TestedLists { number, of_attribute })
        };
        let entry = self.tested.entry((tested.number, attribute, list));
        let new = match entry {
            Entry::Occupied(known) => Arc::clone(known.get()),
            Entry::Vacant(vacant) => {
                let new = put(&vacant.key().2);
                Arc::clone(vacant.insert(new))
            }
        };
        *tested = new;
    }

    /// A public split: a span of the node is divided by its individuals' answers. The first part takes its place.
    fn divide(&mut self, task: &Task<'_>, by_leaf: &Partition, made: &MadeSplit<'_>, id: u32) {
        let place_of = self.find_parts(task, by_leaf, made, id);
        let parts = std::mem::take(&mut self.parts);
        let class = self.all[id as usize].class;
        let mut leaves = std::mem::take(&mut self.all[id as usize].leaves);
        leaves.retain(|&leaf| leaf != made.node);
        let (mut first, new) = (None, self.all.len() as u32);
        for (child, part) in (made.first..).zip(&parts).filter(|(_, part)| !part.is_empty()) {
            let part = part.clone();
            let place = place_of(part);
            let stamp = self.next_stamp;
            self.next_stamp += 1;
            let number = if first.is_none() {
                first = Some(child);
                (self.all[id as usize].place, self.all[id as usize].stamp) = (place, stamp);
                id
            } else {
                let mut own = Vec::with_capacity(leaves.len() + 1);
                own.extend_from_slice(&leaves);
                own.push(child);
                let tested = Arc::clone(&self.all[id as usize].tested);
                self.push(Span { place, leaves: own, class, stamp, tested })
            };
            self.of_node[child as usize].push(number);
        }
        let new = new..self.all.len() as u32;
        for &leaf in &leaves {
            self.of_node[leaf as usize].extend(new.clone());
            self.changes[leaf as usize] += 1;
        }
        leaves.extend(first);
        self.all[id as usize].leaves = leaves;
        self.parts = parts;
        if task.careful {
            new.for_each(|number| self.note_rows(by_leaf, number));
        }
    }

    /// Finds where the individuals of each branch are, and returns what kind of place that is.
    fn find_parts(
        &mut self,
        task: &Task<'_>,
        by_leaf: &Partition,
        made: &MadeSplit<'_>,
        id: u32,
    ) -> fn(Range<u32>) -> Place {
        self.parts.clear();
        let part = match &self.all[id as usize].place {
            Place::ByLeaf(part) if *part == made.part => {
                self.parts.extend_from_slice(made.parts);
                return Place::ByLeaf;
            }
            Place::Counted(part) => {
                let attribute = &task.attributes[made.split.attribute];
                let parts = task.known.map(|known| known.divide(part, attribute, made.split));
                self.parts.extend(parts.unwrap_or_default());
                return Place::Counted;
            }
            Place::ByLeaf(part) => {
                let part = part.clone();
                let by_span = self.by_span.get_or_insert_with(|| Partition::new(by_leaf.order().len()));
                by_span.fill(&part, by_leaf.rows(&part));
                if task.has_subjects() {
                    // So that the rows of each individual stay together.
                    by_span.sort(&part);
                }
                part
            }
            Place::BySpan(part) => part.clone(),
        };
        if let Some(by_span) = &mut self.by_span {
            let codes = task.attributes[made.split.attribute].column.codes();
            let MadeSplit { split, .. } = made;
            by_span.divide_into(&part, codes, &split.branch_of_code, split.branches, &mut self.parts);
        }
        Place::BySpan
    }
}
