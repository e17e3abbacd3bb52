//! The miners of incrowd: models made from a table about people, under a guarantee for everybody in it.
//!
//! A miner proposes refinements and asks whether they break the [guarantee](incrowd_core::guarantee); it never sees a formula. What it made is
//! audited by code it does not share ([`incrowd_core::audit`]) before anybody gets it.
//!
//! | family | module | methods |
//! | --- | --- | --- |
//! | decision trees | [`tree`] | `kadet-id3`, `kadet-c45` |

pub mod tree;
