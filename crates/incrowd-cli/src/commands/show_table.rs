//! `incrowd show` with the release of a table: its groups and columns, beside the source if it is given.

use super::mining;
use crate::Outcome;
use crate::args::{Common, Show, ShowForm};
use crate::console::Console;
use crate::text;
use incrowd::io::PolicyFile;
use incrowd::io::write::write_new;
use incrowd::show::table_svg;
use incrowd::{Error, Loaded, Result};

pub(crate) fn run(loaded: &Loaded, arguments: &Show, common: &Common, console: &Console) -> Result<Outcome> {
    if arguments.form == ShowForm::Dot {
        return Err(Error::parameters("a table is displayed only as text or as a picture")
            .in_file(&arguments.model)
            .help("use --as svg"));
    }
    let options = mining::options(common);
    let outline = match (&arguments.data, &arguments.policy) {
        (Some(data), Some(policy)) => loaded.table_outline_of(data, &PolicyFile::read(policy)?, &options)?,
        (None, None) => loaded.table_outline(&options)?,
        _ => {
            return Err(Error::parameters("a table is compared with its source under the policy")
                .help("give both --data and --policy, or neither"));
        }
    };
    let is_text = arguments.form == ShowForm::Text;
    let shown = if is_text { text::table::render(&outline) } else { table_svg(&outline) };
    if let Some(out) = &arguments.out {
        let plain = anstream::adapter::strip_str(&shown).to_string();
        write_new(out, common.force, |file| file.write_all(plain.as_bytes()))?;
        console.note(&format!("table written to {}", out.display()));
    }
    if common.json || (is_text && arguments.out.is_none()) {
        console.result(&outline, || shown)?;
    } else if arguments.out.is_none() {
        Console::bytes(shown.as_bytes())?;
    }
    Ok(Outcome::Done)
}
