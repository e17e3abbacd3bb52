//! The miners of incrowd: models made from a table about people, under a guarantee for everybody in it.
//!
//! A miner proposes refinements and asks whether they break the [guarantee](incrowd_core::guarantee); it never sees a
//! formula. What it made is audited by code it does not share ([`incrowd_core::audit`]) before anybody gets it.
//!
//! | family | module | methods |
//! | --- | --- | --- |
//! | decision trees | [`tree`] | `best`, `kadet-c45`, `kadet-id3` |
//! | tables | [`table`] | `best`, `spans`, `kactus`, `kactus2`, `aggregate`, `tds`, `tdr`, `mondrian` |
//! | clusters | [`clusters`] | `mst`, `k-means` |
//! | association rules | [`rules`] | Eclat, then the most useful rules that keep the guarantee |

mod alike;
pub mod clusters;
mod refused;
pub mod rules;
pub mod table;
pub mod tree;
