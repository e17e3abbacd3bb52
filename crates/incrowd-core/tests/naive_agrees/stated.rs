//! Released populations and shares: mostly the true ones, at times not.

use crate::random::Random;
use incrowd_core::model::{
    Centroid, Clusters, Detail, Domain, Item, Leaf, LeafContents, Model, Node, Rule, Rules, Split, Test, Tree,
};
use incrowd_core::table::{Column, People, Table};
use std::collections::BTreeSet;

/// The model with populations, one in four times with a wrong one.
pub(crate) fn with_populations(random: &mut Random, table: &Table, model: Model) -> Model {
    let wrong = random.percent(25);
    match model {
        Model::Tree(tree) => Model::Tree(tree_with(random, table, &tree, wrong)),
        Model::Clusters(clusters) => Model::Clusters(clusters_with(random, table, &clusters, wrong)),
        Model::Rules(rules) => Model::Rules(rules_with(random, table, &rules, wrong)),
        other => other,
    }
}

fn people(table: &Table, has: impl Fn(usize) -> bool) -> u64 {
    let rows: Vec<usize> = (0..table.rows()).filter(|&row| has(row)).collect();
    match table.people() {
        People::Subjects { of_row, .. } => {
            rows.iter().map(|&row| of_row[row]).collect::<BTreeSet<_>>().len() as u64
        }
        _ => rows.iter().map(|&row| u64::from(table.weight(row))).sum(),
    }
}

fn spoil(random: &mut Random, counts: &mut [u64]) {
    let (one, other) = (random.below(counts.len()), random.below(counts.len()));
    if random.percent(50) { counts.swap(one, other) } else { counts[one] += 1 }
}

fn tree_with(random: &mut Random, table: &Table, tree: &Tree, wrong: bool) -> Tree {
    let leaf_of_row: Vec<Option<u32>> = (0..table.rows()).map(|row| leaf(table, tree, row)).collect();
    let class = table.column(&tree.class().name).expect("a class column");
    let classes = &tree.class().values;
    let mut nodes = tree.nodes().to_vec();
    let all = random.percent(70);
    let mut counts: Vec<u64> = Vec::new();
    for place in 0..nodes.len() as u32 {
        for value in classes {
            let code = class.values().find(value);
            counts
                .push(people(table, |row| leaf_of_row[row] == Some(place) && Some(class.code(row)) == code));
        }
    }
    if wrong {
        spoil(random, &mut counts);
    }
    for (node, counts) in nodes.iter_mut().zip(counts.chunks(classes.len())) {
        if let (Node::Leaf(Leaf { told, .. }), true) = (node, all || random.percent(50)) {
            *told = LeafContents::Counts(counts.to_vec());
        }
    }
    let tree = Tree::new(tree.attributes().to_vec(), tree.class().clone(), nodes).expect("the same tree");
    let digits = random.between(1, 3) as u8;
    tree.in_detail(random.pick(&[Detail::Counts, Detail::Counts, Detail::Shares { digits }]))
}

fn leaf(table: &Table, tree: &Tree, row: usize) -> Option<u32> {
    let mut place = 0;
    while let Node::Test(test) = &tree.nodes()[place as usize] {
        let attribute = &tree.attributes()[test.attribute];
        let column = table.column(&attribute.name)?;
        place = test.children[branch(test, &attribute.domain, column, row)? as usize];
    }
    Some(place)
}

fn branch(test: &Test, domain: &Domain, column: &Column, row: usize) -> Option<u32> {
    let code = column.code(row);
    let own = match (&test.split, domain) {
        _ if code == column.missing_code() => return test.missing_branch(),
        (Split::Thresholds(thresholds), _) => {
            let number = column.values().numbers()?[code as usize];
            Some(thresholds.iter().take_while(|&&threshold| threshold < number).count() as u32)
        }
        (Split::Values(of_value), Domain::Values(names)) => {
            let place = names.iter().position(|name| column.values().find(name) == Some(code))?;
            of_value[place]
        }
        (Split::Values(_), Domain::Numbers { .. }) => None,
    };
    own.or(test.otherwise)
}

fn clusters_with(random: &mut Random, table: &Table, clusters: &Clusters, wrong: bool) -> Clusters {
    let nearest: Vec<Option<usize>> = (0..table.rows()).map(|row| nearest(table, clusters, row)).collect();
    let number = clusters.centroids().len();
    let mut counts: Vec<u64> = (0..number).map(|i| people(table, |row| nearest[row] == Some(i))).collect();
    if wrong {
        spoil(random, &mut counts);
    }
    let all = random.percent(70);
    let with = |(centroid, count): (&Centroid, u64)| Centroid {
        population: (all || random.percent(50)).then_some(count),
        ..centroid.clone()
    };
    let centroids = clusters.centroids().iter().zip(counts).map(with).collect();
    Clusters::new(clusters.axes().to_vec(), centroids).expect("the same centroids")
}

fn nearest(table: &Table, clusters: &Clusters, row: usize) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (i, centroid) in clusters.centroids().iter().enumerate() {
        let (mut distance, mut center) = (0.0, centroid.center.as_slice());
        for axis in clusters.axes() {
            let (own, rest) = center.split_at(axis.width());
            center = rest;
            let column = table.column(&axis.name)?;
            let code = column.code(row);
            if axis.names().is_empty() {
                let x = *column.values().numbers()?.get(code as usize)?;
                distance += ((x - own[0]) / axis.scale).powi(2);
            } else {
                let name = axis.names().iter().position(|name| column.values().find(name) == Some(code))?;
                let x = |i: usize| f64::from(u8::from(i == name));
                distance += (0..).zip(own).map(|(i, c)| ((x(i) - c) / axis.scale).powi(2)).sum::<f64>();
            }
        }
        if best.is_none_or(|(_, least)| distance < least) {
            best = Some((i, distance));
        }
    }
    best.map(|(i, _)| i)
}

fn rules_with(random: &mut Random, table: &Table, rules: &Rules, wrong: bool) -> Rules {
    let has = |row: usize, item: &Item| {
        let attribute = &rules.attributes()[item.attribute];
        let column = table.column(&attribute.name).expect("a column for every attribute");
        let Domain::Values(names) = &attribute.domain else { return false };
        column.values().find(&names[item.value as usize]) == Some(column.code(row))
    };
    let count = |items: &[&Item]| people(table, |row| items.iter().all(|item| has(row, item)));
    let with = |rule: &Rule| {
        let left = count(&rule.antecedent.iter().collect::<Vec<_>>());
        let both = count(&rule.items().collect::<Vec<_>>());
        let left = left + u64::from(wrong && random.percent(50));
        Rule { antecedent_count: Some(left), both_count: random.percent(70).then_some(both), ..rule.clone() }
    };
    let stated = rules.rules().iter().map(with).collect();
    Rules::new(rules.attributes().to_vec(), stated).expect("the same rules")
}
