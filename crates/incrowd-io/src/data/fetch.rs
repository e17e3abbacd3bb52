//! Downloads: one GET, with limits.
//!
//! Proxies are those of the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`). Certificates are checked against the
//! roots that Mozilla trusts.

use std::io::Read;
use std::time::Duration;
use ureq::{Agent, Error};

/// The time limit for a connection.
const CONNECT: Duration = Duration::from_secs(20);
/// The time limit for an answer, or for more of it.
const STALL: Duration = Duration::from_secs(60);
/// The time limit for a file.
const TOTAL: Duration = Duration::from_secs(900);
/// The maximum number of redirections.
const REDIRECTS: u32 = 5;

/// Opens what is at the address.
///
/// # Errors
/// When it cannot be had; in words.
pub(super) fn open(address: &str, https_only: bool) -> Result<Box<dyn Read>, String> {
    let config = Agent::config_builder()
        .https_only(https_only)
        .max_redirects(REDIRECTS)
        .timeout_connect(Some(CONNECT))
        .timeout_recv_response(Some(STALL))
        .timeout_per_read(Some(STALL))
        .timeout_global(Some(TOTAL))
        .user_agent(concat!("incrowd/", env!("CARGO_PKG_VERSION")))
        .build();
    let answer = Agent::new_with_config(config).get(address).call().map_err(|error| reason(&error))?;
    Ok(Box::new(answer.into_body().into_reader()))
}

fn reason(error: &Error) -> String {
    match error {
        Error::StatusCode(404 | 410) => "the file no longer exists".to_owned(),
        Error::StatusCode(status) => format!("the server returned status {status}"),
        Error::HostNotFound => "host not found".to_owned(),
        Error::ConnectionFailed => "no connection".to_owned(),
        Error::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}
