//! demo
use crate::Outcome;
use crate::args::{Common, Demo};
use crate::console::Console;
use incrowd::Result;

pub(crate) fn run(arguments: &Demo, common: &Common, console: &Console) -> Result<Outcome> {
    let _ = (arguments, common, console);
    Ok(Outcome::Done)
}
