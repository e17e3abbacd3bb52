//! Arguments that cannot be understood.

use std::process::ExitCode;

/// What the standard library says of texts that are no numbers, and what it means to someone who gives a flag.
const NOT_NUMBERS: [(&str, &str); 5] = [
    ("invalid digit found in string", "a whole number is needed, such as 10"),
    ("cannot parse integer from empty string", "a whole number is needed, such as 10"),
    ("number too large to fit in target type", "the number is too large"),
    ("invalid float literal", "a number is needed, such as 0.5"),
    ("cannot parse float from empty string", "a number is needed, such as 0.5"),
];

/// Says what is wrong with the arguments (or prints the help that was asked for), and how the program ends.
pub(crate) fn refused(error: &clap::Error) -> ExitCode {
    if error.kind() != clap::error::ErrorKind::ValueValidation {
        // Nothing more can be done where not even this can be printed.
        let _ = error.print();
        return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
    }
    let said = error.render().ansi().to_string();
    anstream::eprint!("{}", NOT_NUMBERS.iter().fold(said, |said, (theirs, ours)| said.replace(theirs, ours)));
    ExitCode::from(2)
}
