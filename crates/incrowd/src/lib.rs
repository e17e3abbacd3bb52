//! Mine the data, release the knowledge, keep everyone in a crowd of k.
//!
//! A data owner has a table about people and wants to give away what it teaches. This library says whether such a release is safe:
//! it carries out the linking attack of someone who knows everybody's public attributes, and checks that nobody's private data can be linked
//! to fewer than k individuals.
//!
//! ```
//! use incrowd::audit::audit_table;
//! use incrowd::guarantee::Guarantee;
//! use incrowd::samples::{clinic, clinic_policy};
//!
//! let table = clinic(1_000, 1);
//! let report = audit_table(&table, &clinic_policy(), &Guarantee::k_anonymity(5)?)?;
//! assert!(!report.holds);
//! println!("{} of {} patients are linked to fewer than 5 people", report.in_breach, report.individuals);
//! # Ok::<(), incrowd::Error>(())
//! ```
//!
//! | to | use |
//! | --- | --- |
//! | read a table, a policy, a release | [`io`] |
//! | grow a tree nobody can be linked through | [`mine::tree`] |
//! | find clusters nobody can be linked through | [`mine::clusters`] |
//! | mine rules nobody can be linked through | [`mine::rules`] |
//! | audit a release or a table | [`audit`], or [`files`] straight from files |
//! | see how identifying a table is | [`profile`] |
//! | build a model by hand | [`model`] |
//! | make a table others can mine | [`mine::table`], and [`tables`] to files |
//! | predict with a tree, and look at it | [`predict`], [`show`] |
//! | learn from a table, released or not | [`inducers`] |
//! | see what k costs, over methods and learners | [`compare`](mod@compare), [`eval`] |
//! | try things on built-in data | [`samples`] |
//! | get public data sets | [`io::data`] |

pub mod compare;
pub mod files;
pub mod inducers;
pub mod show;
pub mod tables;

pub use incrowd_core::{
    Error, ErrorKind, Place, Result, audit, error, group, guarantee, model, naive, policy, predict, profile,
    progress, samples, span, table, taxonomy,
};
pub use incrowd_eval as eval;
pub use incrowd_io as io;
pub use incrowd_mine as mine;

/// The most threads that can be asked for.
pub const MAX_THREADS: usize = 1024;

/// Sets the number of threads for everything that follows; 0 means one for each core. Results do not depend on it.
///
/// # Errors
/// When threads are at work already, or more than [`MAX_THREADS`] are asked for.
pub fn set_threads(threads: usize) -> Result<()> {
    if threads > MAX_THREADS {
        return Err(Error::new(format!("{threads} threads are too many"))
            .help(format!("give at most {MAX_THREADS}; 0 means one for each core")));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build_global().map_err(|_| Error::new("the number of threads was set already"))
}
