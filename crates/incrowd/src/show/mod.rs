//! Pictures of models. Clusters: [SVG](cluster_svg). Trees: [Graphviz DOT](dot()) and [SVG](svg()), both from one
//! [outline](Outline), which can also be printed in a terminal. Ensembles:
//! [figures](EnsembleOutline) and [SVG](ensemble_svg()). Rules: [lines](rule_lines). Released tables:
//! [figures](TableOutline), which are also their data dictionary, and [SVG](table_svg()).
//!
//! Names and values are untrusted and always escaped.
//!
//! ```
//! use incrowd::samples::{careful_tree, clinic};
//! use incrowd::show::{Outline, svg};
//!
//! let tree = careful_tree(&clinic(1_000, 1))?;
//! let picture = svg(&Outline::new(&tree, None))?;
//! assert!(picture.starts_with("<svg"));
//! # Ok::<(), incrowd::Error>(())
//! ```

mod clusters;
mod dot;
mod ensemble;
mod ensemble_svg;
mod outline;
mod palette;
mod rules;
mod svg;
mod table;
mod table_svg;
#[cfg(test)]
mod tests;
mod words;

pub use clusters::{ClusterPicture, cluster_svg};
pub use dot::dot;
pub use ensemble::{CellOutline, EnsembleOutline, TestedAttribute, TreeOutline};
pub use ensemble_svg::ensemble_svg;
pub use outline::{LineContent, Outline, OutlineLine};
pub use rules::{RuleLine, rule_lines};
pub use svg::{MAX_ROWS, svg};
pub use table::{ColumnOutline, GroupSizes, TableOutline};
pub use table_svg::table_svg;
pub use words::{
    OF_CENTROIDS, SEVERAL_ROWS, SEVERAL_ROWS_OF_CLUSTERS, between, bounds, count, counted, percent,
};
