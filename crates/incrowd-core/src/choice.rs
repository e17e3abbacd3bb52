//! Options chosen by name: methods, criteria, distances. The names of an enum are listed once, next to the enum.

use crate::error::{Error, Result};

/// An enum whose values are chosen by name. Implemented by [`choice!`](crate::choice!).
pub trait Choice: Copy + Send + Sync + 'static {
    /// What is chosen, such as `method`.
    const WHAT: &'static str;

    /// All choices.
    fn all() -> Vec<Self>;

    /// The name, as on the command line and in releases.
    fn name(self) -> &'static str;

    /// One sentence that describes the choice.
    fn summary(self) -> &'static str;

    /// The choice with this name.
    ///
    /// # Errors
    /// When there is none.
    fn named(name: &str) -> Result<Self> {
        Self::all().into_iter().find(|choice| choice.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Self::all().into_iter().map(Self::name).collect();
            Error::parameters(format!("unknown {} `{name}`", Self::WHAT))
                .help(format!("choose one of: {}", names.join(", ")))
        })
    }
}

/// Methods with parameters that only some of them use. The parameters are listed once per family of methods.
pub trait MethodParameters: Choice + PartialEq {
    /// The parameters that only some methods use, each with those methods.
    const PARAMETERS: &'static [(&'static str, &'static [Self])];

    /// Checks that this method uses a parameter that was set. A parameter that is not listed belongs to every method.
    ///
    /// # Errors
    /// When only other methods use it.
    fn check_parameter(self, name: &str) -> Result<()> {
        let Some(&(name, methods)) = Self::PARAMETERS.iter().find(|&&(listed, _)| listed == name) else {
            return Ok(());
        };
        if methods.contains(&self) {
            return Ok(());
        }
        let (what, this) = (Self::WHAT, self.name());
        let users = methods.iter().map(|method| method.name()).collect::<Vec<_>>().join(" or ");
        Err(Error::parameters(format!("this has no effect with the {what} {this}"))
            .of_parameter(name)
            .help(format!("leave it out, or choose the {what} {users}")))
    }
}

/// Gives an enum the names of its values: `ALL`, `name`, `summary`, `Display`, `FromStr` and
/// [`Choice`](crate::choice::Choice).
#[macro_export]
macro_rules! choice {
    ($type:ty, $what:literal { $($variant:ident => $name:literal, $summary:literal;)+ }) => {
        impl $type {
            /// All choices.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The name, as on the command line and in releases.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        impl $crate::choice::Choice for $type {
            const WHAT: &'static str = $what;

            fn all() -> Vec<Self> {
                Self::ALL.to_vec()
            }

            fn name(self) -> &'static str {
                <$type>::name(self)
            }

            fn summary(self) -> &'static str {
                match self {
                    $(Self::$variant => $summary,)+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::Error;

            fn from_str(name: &str) -> $crate::Result<Self> {
                <$type as $crate::choice::Choice>::named(name)
            }
        }
    };
}
