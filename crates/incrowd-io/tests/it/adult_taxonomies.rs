//! The taxonomies for Adult load against its columns.

use incrowd_core::table::Column;
use incrowd_core::taxonomy::{Taxonomy, TaxonomyNode};
use incrowd_io::read_taxonomy;
use incrowd_testkit::ADULT;
use std::fs;
use std::path::{Path, PathBuf};

/// Adult's folder.
fn folder() -> Option<PathBuf> {
    incrowd_testkit::data("adult")
}

fn rows(folder: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder.join("adult.data")).expect("adult.data");
    let cells = |line: &str| line.split(", ").map(str::to_owned).collect();
    text.lines().filter(|line| !line.is_empty()).map(cells).collect()
}

fn column(rows: &[Vec<String>], name: &str) -> Column {
    let index = ADULT.iter().position(|other| *other == name).expect("a column of Adult");
    let cells = rows.iter().map(|row| row[index].as_str());
    if name == "age" {
        let ages: Vec<Option<f64>> = cells.map(|cell| cell.parse().ok()).collect();
        return Column::from_numbers(name, &ages).expect("ages");
    }
    Column::from_texts(name, &cells.map(|cell| (cell != "?").then_some(cell)).collect::<Vec<_>>())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let list = fs::read_dir(folder).expect("a folder of taxonomies");
    let mut files: Vec<PathBuf> = list.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

/// The attribute a taxonomy file is for.
fn attribute(file: &Path) -> String {
    let stem = file.file_stem().expect("a name").to_string_lossy();
    // ARX calls the class so.
    stem.trim_start_matches("adult_hierarchy_").replace("salary-class", "class")
}

#[test]
fn all_taxonomies_load() {
    let Some(folder) = folder() else { return };
    let rows = rows(&folder);
    let mut seen = 0;
    for file in ["hierarchies", "hierarchies-arx"].iter().flat_map(|part| files(&folder.join(part))) {
        let column = column(&rows, &attribute(&file));
        let spec = read_taxonomy(&file).unwrap_or_else(|error| panic!("{error}"));
        let taxonomy = Taxonomy::build(&spec, &column).unwrap_or_else(|error| panic!("{error}"));
        let leaves: usize = taxonomy.leaf_count(TaxonomyNode::ROOT);
        let lines = fs::read_to_string(&file).expect("the file").lines().count();
        assert_eq!(leaves, lines + usize::from(column.has_missing()), "{}", file.display());
        seen += 1;
    }
    assert_eq!(seen, 17);
}

#[test]
fn levels_and_leaves_are_those_of_the_papers() {
    let Some(folder) = folder() else { return };
    let rows = rows(&folder);
    for (name, leaves, levels) in [
        ("workclass", 8, 5),
        ("education", 16, 5),
        ("marital-status", 7, 4),
        ("occupation", 14, 3),
        ("relationship", 6, 3),
        ("race", 5, 3),
        ("sex", 2, 2),
        ("native-country", 41, 4),
    ] {
        let column = column(&rows, name);
        let spec = read_taxonomy(folder.join(format!("hierarchies/{name}.csv"))).expect("a taxonomy");
        let taxonomy = Taxonomy::build(&spec, &column).expect("a taxonomy");
        let missing = usize::from(column.has_missing());
        assert_eq!(
            (taxonomy.leaf_count(TaxonomyNode::ROOT) - missing, taxonomy.height() + 1),
            (leaves, levels),
            "{name}"
        );
        assert_eq!(taxonomy.label(TaxonomyNode::ROOT), "Any");
    }
}
