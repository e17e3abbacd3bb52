//! Spans of several releases together: what an attacker can distinguish who has all of them.
//!
//! The joint span of public attributes a is the set of tuples (M₁(a,b), M₂(a,b), …) over the possible private values b.
//! Individuals are put into one joint span if they are in one span of every release. For trees, ensembles, rules and
//! tables, individuals of one span have the same function b ↦ M(a,b), so they then have the same tuples, and exchanging
//! their private values changes none of the releases (`docs/proofs.md`).
//!
//! With clusters, equal spans do not mean equal functions. If a clustering has several clusters in a span and shares a
//! private attribute with another release, or the policy declares dependencies, its individuals are put together only
//! if all public attributes of the clustering are equal. This may divide a joint span, which errs on the safe side if every individual has one row. With several
//! rows, requirements on private values need not hold in a union of spans in which they hold; `Linking::within` says
//! which spans may be parts of one joint span, and the census checks their unions.
//!
//! With relations, a bin of one release can leave values of one attribute and a bin of another release values of a
//! second one, such that only some pairs are possible. So where two releases reveal something about attributes that
//! dependencies tie together ([`Entangled`]), individuals are put together only if the same combinations are possible
//! for them, and every value that no individual of the span has counts as ruled out.
//!
//! What a joint span reveals about a private attribute is the common refinement of what the releases reveal.
//! Populations of tuples are not published, so exposure is an upper bound: someone counts as exposed if all individuals
//! of their joint span have the same distinguished value, or the same one of those that a single release distinguishes:
//! more releases reveal no less.
//!
//! Running time: that of the spans of each release, and one pass over the rows.

use super::relations::{Tie, ties};
use super::{Cells, Interval, Judgement, Linking, Sensitive, Telling, Tellings, by_number, occurring_first};
use crate::error::Result;
use crate::group::{Grouping, group_numbers, group_rows};
use crate::policy::Policy;
use crate::table::{Column, Table};
use hashbrown::{HashMap, HashSet};

/// One of several releases, linked to the table.
pub(crate) struct JointPart<'a> {
    /// What it is called in descriptions of spans.
    pub(crate) name: String,
    pub(crate) linking: Linking<'a>,
    /// For clusters: the public attributes that they use.
    pub(crate) clusters_by: Option<Vec<String>>,
}

impl JointPart<'_> {
    fn private(&self) -> impl Iterator<Item = &String> {
        self.linking.sensitive.iter().flat_map(|sensitive| &sensitive.about)
    }

    /// Whether the function of private values is not the same for all individuals of a span and this matters to
    /// another release.
    fn is_entangled(&self, others: &[&Self], policy: &Policy) -> bool {
        let shares = |other: &&&Self| other.private().any(|name| self.private().any(|own| own == name));
        let others: Vec<&&Self> = others.iter().filter(|other| !std::ptr::eq(**other, self)).collect();
        self.clusters_by.is_some()
            && !others.is_empty()
            && (!policy.dependencies.is_empty() || others.iter().any(shares))
    }

    /// For each row a number that differs where functions may, within a span.
    fn functions(&self, table: &Table) -> Vec<u32> {
        let names = self.clusters_by.iter().flatten();
        let columns: Vec<&Column> = names.filter_map(|name| table.column(name)).collect();
        let points = group_rows(table.rows(), &columns);
        let is_single = |span: u32| self.linking.single_bin.get(span as usize).copied().unwrap_or(false);
        let rows = points.of_row.iter().zip(&self.linking.span_of_row);
        rows.map(|(&point, &span)| if is_single(span) { u32::MAX } else { point }).collect()
    }
}

/// The joint spans of releases, and the table that they refer to: the given one and a column for each clustering.
pub(crate) fn joined<'p>(
    table: &Table,
    policy: &Policy,
    parts: &'p [&'p JointPart<'p>],
) -> Result<(Linking<'p>, Table)> {
    let entangled: Vec<Vec<u32>> = parts
        .iter()
        .filter(|part| part.is_entangled(parts, policy))
        .map(|part| part.functions(table))
        .collect();
    let ties = Entangled::of(table, policy, parts)?;
    let kinds: Vec<Vec<u32>> = (0..ties.ties.len()).map(|tie| ties.kinds(tie)).collect();
    let numbers: Vec<&[u32]> = parts
        .iter()
        .map(|part| part.linking.span_of_row.as_slice())
        .chain(entangled.iter().chain(&kinds).map(Vec::as_slice))
        .collect();
    let Grouping { of_row, count } = group_numbers(&numbers);
    let first = Grouping { of_row: of_row.clone(), count }.first_rows();
    let components: Vec<Vec<u32>> = first
        .iter()
        .map(|&row| parts.iter().map(|part| part.linking.span_of_row[row as usize]).collect())
        .collect();
    let merging = Merging { table, parts, ties: &ties, span_of_row: &of_row, components: &components };
    let (sensitive, table) = merging.sensitive()?;
    let is_single = |spans: &Vec<u32>| {
        let single = |(part, &span): (&&JointPart<'_>, &u32)| {
            part.linking.single_bin.get(span as usize).copied().unwrap_or(false)
        };
        parts.iter().zip(spans).all(single)
    };
    let single_bin = components.iter().map(is_single).collect();
    let rules = move |span: usize| {
        let each = parts.iter().zip(&components[span]);
        let texts = each.map(|(part, &own)| format!("{}: {}", part.name, part.linking.rule(own as usize)));
        texts.collect::<Vec<_>>().join("; ")
    };
    let linking = Linking {
        span_of_row: of_row,
        spans: count as usize,
        single_bin,
        sensitive,
        joint: None,
        bins: None,
        within: within(&table, parts, &first),
        derived: None,
        first_trees: Vec::new(),
        rules: Box::new(rules),
        order: by_number(),
    };
    Ok((linking, table))
}

/// For each of some spans, with their first rows, a number that is the same for individuals who are in one span of every
/// release. Empty if these are the spans, or if every individual has one row.
fn within(table: &Table, parts: &[&JointPart<'_>], first: &[u32]) -> Vec<u32> {
    if !table.has_several_rows() {
        return Vec::new();
    }
    let numbers: Vec<&[u32]> = parts.iter().map(|part| part.linking.span_of_row.as_slice()).collect();
    let Grouping { of_row, count } = group_numbers(&numbers);
    let is_divided = first.len() > count as usize;
    first.iter().filter(|_| is_divided).map(|&row| of_row[row as usize]).collect()
}

/// Private attributes that dependencies tie together, and which spans of which releases reveal something about them.
struct Entangled<'m> {
    parts: &'m [&'m JointPart<'m>],
    ties: Vec<Tie>,
    /// For each tie, for each release, for each of its spans: whether it reveals something about a tied attribute.
    touching: Vec<Vec<Vec<bool>>>,
}

impl<'m> Entangled<'m> {
    fn of(table: &Table, policy: &Policy, parts: &'m [&'m JointPart<'m>]) -> Result<Self> {
        let mut names: Vec<&str> = parts.iter().flat_map(|part| part.private()).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let is_single = parts.len() < 2 || policy.dependencies.is_empty();
        let mut ties = if is_single { Vec::new() } else { ties(table, policy, &names)? };
        ties.retain(|tie| tie.attributes.len() > 1);
        let touches = |tie: &Tie, part: &JointPart<'_>, span: usize| {
            let mut own = part.linking.sensitive.iter().filter(|own| own.telling(span).is_some());
            own.any(|own| own.about.iter().any(|name| tie.has(name)))
        };
        let of_part = |tie: &Tie, part: &&JointPart<'_>| {
            (0..part.linking.spans).map(|span| touches(tie, part, span)).collect()
        };
        let touching = ties.iter().map(|tie| parts.iter().map(|part| of_part(tie, part)).collect()).collect();
        Ok(Self { parts, ties, touching })
    }

    /// Whether several releases reveal something about attributes of a tie, in these spans.
    fn is_in(&self, tie: usize, span_of_part: impl Fn(usize) -> u32) -> bool {
        let touching = self.touching[tie].iter().enumerate();
        touching.filter(|(part, touching)| touching[span_of_part(*part) as usize]).count() > 1
    }

    /// For each row a number that differs where different combinations of the tied attributes are possible.
    fn kinds(&self, tie: usize) -> Vec<u32> {
        let rows = self.ties[tie].kind_of_row.iter().enumerate();
        let spans = |row: usize| move |part: usize| self.parts[part].linking.span_of_row[row];
        rows.map(|(row, &kind)| if self.is_in(tie, spans(row)) { kind } else { u32::MAX }).collect()
    }
}

/// The place of a sensitive attribute among those of its release.
fn place_of(part: &JointPart<'_>, sensitive: &Sensitive) -> usize {
    part.linking.sensitive.iter().position(|own| std::ptr::eq(own, sensitive)).unwrap_or_default()
}

/// What joint spans reveal about private attributes.
struct Merging<'m> {
    table: &'m Table,
    parts: &'m [&'m JointPart<'m>],
    ties: &'m Entangled<'m>,
    /// The joint span of each row.
    span_of_row: &'m [u32],
    /// For each joint span its span in each release.
    components: &'m [Vec<u32>],
}

/// What one release reveals about an attribute: its place among the releases, and the cell of each code.
type Source<'m> = (usize, &'m Sensitive, &'m [u32]);

impl Merging<'_> {
    fn sensitive(&self) -> Result<(Vec<Sensitive>, Table)> {
        let mut merged = Vec::new();
        for (place, column) in self.table.columns().iter().enumerate() {
            let sources = self.sources(place);
            if !sources.is_empty() {
                merged.push(self.of_column(place, column, &sources));
            }
        }
        self.add_absent(&mut merged);
        let mut columns = self.table.columns().to_vec();
        for (place, part) in self.parts.iter().enumerate() {
            let Some(bins) = &part.linking.bins else { continue };
            for sensitive in part.linking.sensitive.iter().filter(|one| one.source == Cells::Bin) {
                let name = format!("{} of {}", sensitive.name, part.name);
                let cell_of_code = (0..bins.count as u32).chain([bins.count as u32]).collect();
                let source = Cells::Column { column: columns.len(), cell_of_code };
                columns.push(Column::from_codes_of_numbers(&name, &bins.of_row));
                let telling = |spans: &Vec<u32>| {
                    sensitive
                        .telling(spans[place] as usize)
                        .map_or(Sensitive::SILENT, |telling| telling as u32)
                };
                let telling_of_span = self.components.iter().map(telling).collect();
                // Someone in a span can be in a bin that nobody is in.
                let possible =
                    |span: usize| bins.tells.possible(span, place_of(part, sensitive)).unwrap_or(0);
                let open = (0..part.linking.spans).any(|span| possible(span) > bins.reach[span].len());
                merged.push(Sensitive { name, source, open, telling_of_span, ..sensitive.clone() });
            }
        }
        Ok((merged, Table::new(columns, self.table.people().clone())?))
    }

    /// Adds what a table does not contain, but declared dependencies tie to what it contains: nothing is known about how
    /// far the releases together reveal it.
    fn add_absent(&self, merged: &mut Vec<Sensitive>) {
        let all = self.parts.iter().flat_map(|part| &part.linking.sensitive);
        for absent in all.filter(|one| one.judged == Judgement::Absent) {
            match merged.iter_mut().find(|one| one.name == absent.name) {
                Some(known) => known.judged = Judgement::Absent,
                None => merged.push(Sensitive {
                    telling_of_span: vec![Sensitive::SILENT; self.components.len()],
                    ..absent.clone()
                }),
            }
        }
    }

    fn sources(&self, place: usize) -> Vec<Source<'_>> {
        let mut sources = Vec::new();
        for (part, linked) in self.parts.iter().enumerate() {
            for sensitive in linked.linking.sensitive.iter().filter(|one| one.judged != Judgement::Absent) {
                if let Cells::Column { column, cell_of_code } = &sensitive.source
                    && *column == place
                {
                    sources.push((part, sensitive, cell_of_code.as_slice()));
                }
            }
        }
        sources
    }

    fn of_column(&self, place: usize, column: &Column, sources: &[Source<'_>]) -> Sensitive {
        let CommonCells { cell_of_code, cells, more } = common_cells(column, sources);
        // A release may state values that none of the common cells contains.
        let states_more = |(source, (_, sensitive, _)): (usize, &Source<'_>)| {
            let mut occurring: Vec<u32> = cells.iter().map(|own| own[source]).collect();
            occurring.sort_unstable();
            occurring.dedup();
            sensitive.cells > occurring.len()
        };
        let order = occurring_first((0..cells.len() as u32).collect(), &cell_of_code, column);
        let (mut tellings, mut known) = (Tellings::default(), HashMap::new());
        for spans in self.components {
            let key: Vec<Option<usize>> =
                sources.iter().map(|&(part, sensitive, _)| sensitive.telling(spans[part] as usize)).collect();
            let telling = known.entry(key).or_insert_with_key(|key| refined(key, sources, &cells));
            tellings.push(telling.clone().map(|telling| telling.in_order(&order)));
        }
        let judged = |judged: Judgement| sources.iter().any(|(_, sensitive, _)| sensitive.judged == judged);
        let ruled_out = self.ruled_out(column);
        let mut settled = if sources.len() > 1 { self.settled(column, sources) } else { Vec::new() };
        // What no release alone distinguishes, all of them together may.
        let is_silent = |span: usize| tellings.of_span[span] == Sensitive::SILENT;
        let unseen: Vec<bool> = (0..ruled_out.len()).map(|span| ruled_out[span] && is_silent(span)).collect();
        if !unseen.is_empty() {
            settled.resize(self.components.len(), false);
            settled.iter_mut().zip(&unseen).for_each(|(settled, unseen)| *settled |= unseen);
        }
        Sensitive {
            is_class: sources.iter().any(|(_, sensitive, _)| sensitive.is_class),
            ordered: sources.iter().any(|(_, sensitive, _)| sensitive.ordered),
            open: sources.iter().any(|(_, sensitive, _)| sensitive.open)
                || more
                || sources.iter().enumerate().any(states_more),
            tellings: tellings.all,
            telling_of_span: tellings.of_span,
            judged: match (judged(Judgement::Nothing), judged(Judgement::Exposure) || unseen.contains(&true))
            {
                (true, _) => Judgement::Nothing,
                (false, true) => Judgement::Exposure,
                (false, false) => Judgement::Fully,
            },
            settled,
            ruled_out,
            ..Sensitive::plain(column.name(), Cells::Column { column: place, cell_of_code }, cells.len())
        }
    }

    /// For each joint span whether several releases together may rule out a value of a tied attribute: one that none of
    /// its individuals has. Empty if the attribute is not tied to others.
    fn ruled_out(&self, column: &Column) -> Vec<bool> {
        let Some(tie) = self.ties.ties.iter().position(|tie| tie.has(column.name())) else {
            return Vec::new();
        };
        let pairs = |rows: &[u32]| group_numbers(&[rows, &column.codes().iter().collect::<Vec<u32>>()]);
        let all = pairs(&vec![0; column.len()]).count;
        let mut values = vec![0; self.components.len()];
        let held = pairs(self.span_of_row);
        held.first_rows().iter().for_each(|&row| values[self.span_of_row[row as usize] as usize] += 1);
        let is_in = |spans: &Vec<u32>| self.ties.is_in(tie, |part| spans[part]);
        values.iter().zip(self.components).map(|(&values, spans)| values < all && is_in(spans)).collect()
    }

    /// For each joint span whether its individuals have the same one of the values that some release distinguishes.
    fn settled(&self, column: &Column, sources: &[Source<'_>]) -> Vec<bool> {
        let mut settled = vec![false; self.components.len()];
        for &(part, sensitive, cell_of_code) in sources {
            let mut only: Vec<Option<u32>> = vec![None; self.components.len()];
            let mut is_mixed = vec![false; self.components.len()];
            for (code, &span) in column.codes().iter().zip(self.span_of_row) {
                let span = span as usize;
                let telling = sensitive.telling(self.components[span][part] as usize);
                let Some(telling) = telling.map(|telling| &sensitive.tellings[telling]) else { continue };
                let cell = cell_of_code[code as usize] as usize;
                let local = telling.local_of_cell.get(cell).copied().unwrap_or(u32::MAX);
                is_mixed[span] |= *only[span].get_or_insert(local) != local;
            }
            for (span, settled) in settled.iter_mut().enumerate() {
                let telling = sensitive.telling(self.components[span][part] as usize);
                let tells = |telling: usize| {
                    let telling = &sensitive.tellings[telling];
                    telling.states_one() || telling.possible + usize::from(sensitive.open) > 1
                };
                *settled |= !is_mixed[span] && telling.is_some_and(tells);
            }
        }
        settled
    }
}

/// The common cells of an attribute.
struct CommonCells {
    /// For each code its cell; the number of cells if some release has none for it.
    cell_of_code: Vec<u32>,
    /// For each cell those of each release. Numbers that nobody has can be in a cell of their own.
    cells: Vec<Vec<u32>>,
    /// Whether there may be cells besides these, which nobody is in.
    more: bool,
}

fn common_cells(column: &Column, sources: &[Source<'_>]) -> CommonCells {
    let (mut number, mut cells) = (HashMap::new(), Vec::new());
    let of_code = |code: usize| -> Option<Vec<u32>> {
        let own = |(_, sensitive, cell_of_code): &Source<'_>| {
            cell_of_code.get(code).copied().filter(|&cell| (cell as usize) < sensitive.cells)
        };
        sources.iter().map(own).collect()
    };
    let mut cell_of_code = Vec::with_capacity(column.values().len() + 1);
    for code in 0..=column.values().len() {
        cell_of_code.push(of_code(code).map(|own| {
            *number.entry(own).or_insert_with_key(|own| {
                cells.push(own.clone());
                cells.len() as u32 - 1
            })
        }));
    }
    let (of_intervals, unheld) = unheld_intervals(sources, &cells);
    let more = !unheld.is_empty() && of_intervals < sources.len();
    cells.extend(unheld.into_iter().filter(|_| !more));
    let none = cells.len() as u32;
    let cell_of_code = cell_of_code.into_iter().map(|cell| cell.unwrap_or(none)).collect();
    CommonCells { cell_of_code, cells, more }
}

/// How many releases have intervals as cells, and their cells for the numbers between neighbouring thresholds, where
/// nobody has such a number: one release has thresholds on both sides of it only together with another.
fn unheld_intervals(sources: &[Source<'_>], held: &[Vec<u32>]) -> (usize, Vec<Vec<u32>>) {
    let places = (0..sources.len()).filter(|&source| !sources[source].1.intervals.is_empty());
    let places: Vec<usize> = places.collect();
    let held: HashSet<Vec<u32>> =
        held.iter().map(|own| places.iter().map(|&source| own[source]).collect()).collect();
    let of_places: Vec<&Sensitive> = places.iter().map(|&source| sources[source].1).collect();
    let between = between_thresholds(&of_places);
    (places.len(), between.into_iter().filter(|own| !held.contains(own)).collect())
}

/// The cells in each release of the numbers between any two neighbouring thresholds of all releases, if such numbers are
/// possible in each; in ascending order.
fn between_thresholds(sources: &[&Sensitive]) -> Vec<Vec<u32>> {
    let all = sources.iter().flat_map(|sensitive| &sensitive.intervals);
    let mut ends: Vec<f64> = all.flat_map(|interval| [interval.start, interval.end]).collect();
    ends.sort_unstable_by(f64::total_cmp);
    ends.dedup();
    // The intervals of a release ascend, so each is left behind once.
    let mut at = vec![0; sources.len()];
    let mut between = Vec::new();
    for pair in ends.windows(2) {
        let cell = |(source, sensitive): (usize, &&Sensitive)| {
            let is_behind = |interval: &Interval| interval.end < pair[1];
            while sensitive.intervals.get(at[source]).is_some_and(is_behind) {
                at[source] += 1;
            }
            let own = sensitive.intervals.get(at[source]);
            own.filter(|interval| interval.start <= pair[0]).map(|_| at[source] as u32)
        };
        between.extend(sources.iter().enumerate().map(cell).collect::<Option<Vec<u32>>>());
    }
    between
}

/// The common refinement of how releases distinguish the cells of an attribute; `None` if none does.
fn refined(key: &[Option<usize>], sources: &[Source<'_>], cells: &[Vec<u32>]) -> Option<Telling> {
    let mut number: HashMap<Vec<u32>, u32> = HashMap::new();
    let local_of_cell = cells
        .iter()
        .map(|own| {
            let local = |((&telling, &(_, sensitive, _)), &cell): ((&Option<usize>, &Source<'_>), &u32)| {
                telling.map(|telling| sensitive.tellings[telling].local_of_cell[cell as usize])
            };
            let locals = key.iter().zip(sources).zip(own).filter_map(local).collect();
            let next = number.len() as u32;
            *number.entry(locals).or_insert(next)
        })
        .collect();
    // A release that distinguishes values may do so of values that no one has.
    let tells = key.iter().any(Option::is_some);
    let locals = number.len().max(2);
    tells.then_some(Telling { local_of_cell, locals, possible: locals })
}
