//! One path for the commands that mine: open the dataset, mine under the guarantee, write what was audited.

use crate::args::{Common, GuaranteeFlags, MiningFiles};
use crate::console::Console;
use crate::progress::Bar;
use incrowd::io::PolicyFile;
use incrowd::io::write::refuse_existing;
use incrowd::{Audited, Dataset, Existing, Mined, OpenOptions, Result};
use std::sync::Arc;

/// Opens the dataset of a mining command, once it is sure that the guarantee makes sense and the release may be written.
pub(super) fn open(
    files: &MiningFiles,
    guarantee: &GuaranteeFlags,
    common: &Common,
    console: &Console,
) -> Result<Dataset> {
    refuse_existing(&files.out, common.force)?;
    let policy = PolicyFile::read(&files.policy)?;
    guarantee.request().on(&policy.policy.guarantee)?;
    let data = options(common).open_under(&files.data, policy)?;
    data.warnings().iter().for_each(|warning| console.warn(warning));
    Ok(data)
}

/// How files are read.
pub(super) fn options(common: &Common) -> OpenOptions {
    OpenOptions::new().threads(common.threads).progress(Arc::new(Bar::new(common.quiet)))
}

/// Passes on what the owner should know.
pub(super) fn warn<T: Mined>(mined: &Audited<T>, console: &Console) {
    mined.warnings().iter().for_each(|warning| console.warn(warning));
    for given_up in mined.weakened() {
        console.warn(&format!("the policy asks for more than this release guarantees: {given_up}"));
    }
}

/// Whether a file that is there already may be replaced.
pub(super) fn existing(common: &Common) -> Existing {
    if common.force { Existing::Replace } else { Existing::Keep }
}
