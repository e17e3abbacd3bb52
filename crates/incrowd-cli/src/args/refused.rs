//! Arguments that cannot be understood.

use std::process::ExitCode;

/// The standard library's messages about invalid numbers, and our wording of each.
const NOT_NUMBERS: [(&str, &str); 5] = [
    ("invalid digit found in string", "give a whole number that is not negative, such as 10"),
    ("cannot parse integer from empty string", "give a whole number that is not negative, such as 10"),
    ("number too large to fit in target type", "the number is too large"),
    ("invalid float literal", "give a number, such as 0.5"),
    ("cannot parse float from empty string", "give a number, such as 0.5"),
];

/// Prints the error in the arguments (or the requested help), and returns the exit status.
pub(crate) fn refused(error: &clap::Error) -> ExitCode {
    if error.kind() != clap::error::ErrorKind::ValueValidation {
        // If even this cannot be printed, nothing more can be done.
        let _ = error.print();
        return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
    }
    let said = error.render().ansi().to_string();
    anstream::eprint!("{}", NOT_NUMBERS.iter().fold(said, |said, (theirs, ours)| said.replace(theirs, ours)));
    ExitCode::from(2)
}
