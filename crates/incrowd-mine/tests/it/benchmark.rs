//! The benchmark data, where it is there.

use incrowd_core::model::{Node, Split, Tree};
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::progress::Silent;
use incrowd_core::table::{Column, Kind, People, Table};
use incrowd_io::plan::{ColumnPlan, Format, MissingRows, ReadPlan, Reading};
use incrowd_io::{read_table, read_taxonomy};
pub(crate) use incrowd_testkit::ADULT;
use std::path::PathBuf;

/// The categorical ones.
pub(crate) const CATEGORICAL: [&str; 8] = [
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "native-country",
];

/// A file of the benchmark data.
pub(crate) fn file(path: &str) -> Option<PathBuf> {
    incrowd_testkit::data(path)
}

/// Adult's training or test rows without missing values.
pub(crate) fn adult(part: &str) -> Option<Table> {
    let path = file(&format!("adult/adult.{part}"))?;
    let plan = ReadPlan::default()
        .with_format(Format::Uci)
        .with_names(ADULT)
        .with_missing(vec!["?".to_owned()])
        .with_missing_rows(MissingRows::Drop);
    Some(read_table(&path, &plan, 1, &Silent).expect("Adult").table)
}

/// A table of the benchmark data, its last column called class and taken for names, and columns left out.
pub(crate) fn table(path: &str, delimiter: u8, columns: usize, skip: &[usize]) -> Option<Table> {
    let path = file(path)?;
    let name = |i: usize| if i + 1 == columns { "class".to_owned() } else { format!("a{i}") };
    let mut plan = ReadPlan::default()
        .with_format(Format::Csv)
        .with_delimiter(delimiter)
        .with_header(false)
        .with_names((0..columns).map(name));
    plan.columns.insert("class".to_owned(), ColumnPlan::new(Reading::Text));
    for &i in skip {
        plan.columns.insert(name(i), ColumnPlan::new(Reading::Skip));
    }
    Some(read_table(&path, &plan, 1, &Silent).expect("a table").table)
}

/// Adult's training and test rows without missing values in one table.
pub(crate) fn adult_whole() -> Option<Table> {
    let (train, test) = (adult("data")?, adult("test")?);
    let columns = train.columns().iter().map(|column| {
        let test = test.require(column.name()).expect("the same columns");
        let text = |column: &Column, row: usize| column.values().text(column.code(row) as usize).into_owned();
        let of = |column: &Column| (0..column.len()).map(|row| Some(text(column, row))).collect::<Vec<_>>();
        let texts: Vec<Option<String>> = of(column).into_iter().chain(of(test)).collect();
        if column.kind() != Kind::Numeric {
            return Column::from_texts(column.name(), &texts);
        }
        let number = |text: &Option<String>| text.as_ref().and_then(|text| text.parse().ok());
        Column::from_numbers(column.name(), &texts.iter().map(number).collect::<Vec<_>>()).expect("numbers")
    });
    Some(Table::new(columns.collect(), People::Rows).expect("columns of one length"))
}

/// A policy for Adult: these columns public, the class private, the others ignored; with the papers' taxonomies.
pub(crate) fn adult_policy(public: &[&str]) -> Policy {
    let role = |name: &str| match name {
        "class" => Role::Private,
        name if public.contains(&name) => Role::Public,
        _ => Role::Ignored,
    };
    let mut attributes: Vec<Attribute> = ADULT.iter().map(|&name| Attribute::new(name, role(name))).collect();
    for attribute in attributes.iter_mut().filter(|a| CATEGORICAL.contains(&a.name.as_str())) {
        let path = file(&format!("adult/hierarchies/{}.csv", attribute.name)).expect("a taxonomy");
        attribute.taxonomy = Some(read_taxonomy(path).expect("a taxonomy"));
    }
    Policy::new(attributes).with_class("class")
}

/// How many rows of a table the tree classifies wrongly.
pub(crate) fn wrong(tree: &Tree, table: &Table) -> usize {
    let class = table.require(&tree.class().name).expect("the class");
    (0..table.rows())
        .filter(|&row| label(tree, table, row) != class.values().text(class.code(row) as usize))
        .count()
}

fn label<'a>(tree: &'a Tree, table: &Table, row: usize) -> &'a str {
    let mut node = 0;
    loop {
        match &tree.nodes()[node] {
            Node::Leaf(leaf) => return &tree.class().values[leaf.label as usize],
            Node::Test(test) => {
                let column = table.require(&tree.attributes()[test.attribute].name).expect("a column");
                let own = match &test.split {
                    Split::Thresholds(thresholds) => {
                        number(column, row).map(|n| thresholds.partition_point(|t| *t < n) as u32)
                    }
                    Split::Values(of_value) => {
                        let text = column.values().text(column.code(row) as usize);
                        let incrowd_core::model::Domain::Values(names) =
                            &tree.attributes()[test.attribute].domain
                        else {
                            panic!("names")
                        };
                        names.iter().position(|name| *name == text).and_then(|place| of_value[place])
                    }
                };
                let branch = own.or(test.otherwise).expect("a branch");
                node = test.children[branch as usize] as usize;
            }
        }
    }
}

fn number(column: &Column, row: usize) -> Option<f64> {
    column.values().numbers().and_then(|numbers| numbers.get(column.code(row) as usize).copied())
}
