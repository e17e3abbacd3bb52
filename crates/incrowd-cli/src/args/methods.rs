//! Flags that only some methods use. With another method they are refused: ignoring them would hide a mistake.

use super::{Arguments, Command};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use incrowd::Result;
use incrowd::choice::MethodParameters;
use std::ffi::OsString;

impl Arguments {
    /// Parses arguments, and notes which flags of the command were given.
    pub(crate) fn read<A: Into<OsString> + Clone>(
        given: impl IntoIterator<Item = A>,
    ) -> clap::error::Result<Self> {
        let mut program = Self::command();
        let matches = program.try_get_matches_from_mut(given)?;
        let mut arguments = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut program))?;
        arguments.given = matches.subcommand().map_or_else(Vec::new, |(_, flags)| names(flags));
        Ok(arguments)
    }

    /// Checks that the chosen method uses the given flags.
    ///
    /// # Errors
    /// When a flag belongs to other methods.
    pub(crate) fn check_methods(&self) -> Result<()> {
        match &self.command {
            Command::Tree(tree) => self.check(tree.method),
            Command::Table(table) => self.check(table.method),
            Command::Clusters(clusters) => self.check(clusters.method),
            _ => Ok(()),
        }
    }

    fn check<M: MethodParameters>(&self, method: M) -> Result<()> {
        let is_given = |name: &str| self.given.iter().any(|flag| flag.trim_start_matches("no_") == name);
        let given = M::PARAMETERS.iter().filter(|(name, _)| is_given(name));
        given.map(|(name, _)| name).try_for_each(|name| method.check_parameter(name))
    }
}

/// The names of the flags that were given on the command line.
fn names(flags: &ArgMatches) -> Vec<String> {
    let is_given = |name: &&str| flags.value_source(name) == Some(ValueSource::CommandLine);
    flags.ids().map(clap::Id::as_str).filter(is_given).map(ToOwned::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;
    use incrowd::ErrorKind;
    use incrowd::mine::clusters::ClusterMethod;
    use incrowd::mine::table::TableMethod;
    use incrowd::mine::tree::TreeMethod;

    /// Tries every flag with every method; returns how many pairs were refused.
    fn check<M: MethodParameters>(command: &str) -> usize {
        let program = Arguments::command();
        let flags = program.find_subcommand(command).expect("a command").get_arguments();
        let named = |flag: &Arg| flag.get_id().as_str().trim_start_matches("no_").to_owned();
        let flags: Vec<&Arg> =
            flags.filter(|flag| M::PARAMETERS.iter().any(|(name, _)| *name == named(flag))).collect();
        let mut refused = 0;
        for (flag, method) in
            flags.iter().flat_map(|flag| M::all().into_iter().map(move |method| (flag, method)))
        {
            let line = ["incrowd", command, "--data", "a", "--policy", "b", "--out", "c.csv", "--method"];
            let long = format!("--{}", flag.get_long().expect("a flag"));
            // The default is a value like any other if it is given.
            let value = flag.get_default_values().first().filter(|_| flag.get_action().takes_values());
            let value = value.map(|value| value.to_string_lossy().into_owned());
            let line =
                line.into_iter().map(ToOwned::to_owned).chain([method.name().to_owned(), long]).chain(value);
            let checked = Arguments::read(line).expect("valid arguments").check_methods();
            let (name, users) = M::PARAMETERS.iter().find(|(name, _)| *name == named(flag)).expect("listed");
            match checked {
                Ok(()) => assert!(users.contains(&method), "{command}: {name} with {}", method.name()),
                Err(error) => {
                    assert!(!users.contains(&method), "{command}: {name} with {}", method.name());
                    assert_eq!((error.kind, error.place.parameter), (ErrorKind::Parameters, Some(*name)));
                    assert!(error.what.contains(method.name()));
                    assert!(
                        users
                            .iter()
                            .all(|user| error.help.as_ref().is_some_and(|help| help.contains(user.name())))
                    );
                    refused += 1;
                }
            }
        }
        refused
    }

    #[test]
    fn flags_of_other_methods_are_refused() {
        // Three flags of one of three methods; nine flags of one of eleven methods, and one of two of them.
        assert_eq!(check::<TreeMethod>("tree"), 3 * 2);
        assert_eq!(check::<TableMethod>("table"), 9 * 10 + 9);
        assert_eq!(check::<ClusterMethod>("clusters"), 0);
    }

    #[test]
    fn flags_of_every_method_are_not() {
        let line = "incrowd tree --data a --policy b --out c --method kadet-id3 --detail labels --k 5 --confidence 0.9";
        assert!(Arguments::read(line.split(' ')).unwrap().check_methods().is_ok());
    }
}
