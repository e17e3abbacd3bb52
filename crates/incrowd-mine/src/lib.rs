//! The miners of incrowd: models and tables made from a table about individuals, under a guarantee for all of them.
//!
//! A miner proposes refinements and checks whether they break the [guarantee](incrowd_core::guarantee); it never sees a
//! formula. The result is audited ([`incrowd_core::audit`]) before it is returned.
//!
//! Miners of trees, tables and rules decide by their own code whether a step is safe; the audit then derives the spans
//! again. Some span code is shared by a miner and the audit: all of it for clusters (`span::ClusterSpace`,
//! `audit::holds`), the cells that follow from supports for rules (`span::channels`), what dependencies leave possible
//! for trees and rules (`span::ties`), dates as days for trees and clusters (`span::all_in_days`), and the linking for
//! the table method `spans` (`span::link`). For shared code, the audit of the release is not an independent check, but
//! the naive twin in the core is. The twin shares no code with `span` and `audit` except the types of their results,
//! and tests compare the two on random small cases.
//!
//! | family | module | methods |
//! | --- | --- | --- |
//! | decision trees | [`tree`] | `best`, `kadet-c45`, `kadet-id3` |
//! | boosted trees | [`boost`] | gradient boosting over cells |
//! | tables | [`table`] | `best`, `cells`, `effects`, `spans`, `kactus`, `kactus2`, `aggregate`, `tds`, `tdr`,
//! `mondrian`, `finest` |
//! | clusters | [`clusters`] | `mst`, `k-means` |
//! | association rules | [`rules`] | Eclat, then the most useful rules that meet the guarantee |

mod alike;
pub mod boost;
pub mod clusters;
#[cfg(test)]
mod earlier;
#[cfg(test)]
mod exchange;
mod missing;
mod refused;
mod representatives;
pub mod rules;
mod sample;
mod structure;
pub mod table;
pub mod tree;

pub use structure::Structure;
