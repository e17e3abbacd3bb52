//! Databases for tests: DuckDB's library, and a PostgreSQL server of the test's own.

use crate::needed;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// DuckDB's shared library, named by `INCROWD_DUCKDB`, which `cargo xtask test` sets.
///
/// # Panics
/// In continuous integration, when it is missing.
pub fn duckdb() -> Option<PathBuf> {
    let named = std::env::var_os("INCROWD_DUCKDB").map(PathBuf::from).filter(|file| file.is_file());
    needed(named, "INCROWD_DUCKDB, the library of `cargo xtask test`")
}

/// A PostgreSQL server in a folder of its own, on a socket there; stopped and removed when dropped.
#[derive(Debug)]
pub struct PostgresServer {
    programs: PathBuf,
    folder: PathBuf,
}

impl PostgresServer {
    /// Starts a server with the superuser `owner`, who needs no password. `name` tells the servers of a test apart.
    ///
    /// # Panics
    /// In continuous integration, when PostgreSQL is missing; and when it does not start.
    pub fn start(name: &str) -> Option<Self> {
        let programs = needed(programs(), "PostgreSQL (Debian package `postgresql`)")?;
        let folder = std::env::temp_dir().join(format!("incrowd-postgresql-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder for the server");
        let server = Self { programs, folder };
        if is_root() {
            let owned = Command::new("chown").arg("postgres").arg(&server.folder).status();
            assert!(owned.is_ok_and(|status| status.success()), "the folder is not the server's");
        }
        let data = server.data();
        server.call("initdb", &["-D", &data, "-U", "owner", "-E", "UTF8", "--locale", "C", "--no-sync"]);
        server.resume();
        Some(server)
    }

    /// The folder of its socket.
    pub fn socket(&self) -> &Path {
        &self.folder
    }

    /// Starts it again after [`PostgresServer::halt`].
    ///
    /// # Panics
    /// When it does not start.
    pub fn resume(&self) {
        let options = format!("-k {} -c listen_addresses= -c fsync=off", self.folder.display());
        let log = self.folder.join("log").display().to_string();
        self.call("pg_ctl", &["-D", &self.data(), "-o", &options, "-l", &log, "-w", "start"]);
    }

    /// Stops it at once, with all connections.
    ///
    /// # Panics
    /// When it does not stop.
    pub fn halt(&self) {
        self.call("pg_ctl", &["-D", &self.data(), "-m", "immediate", "-w", "stop"]);
    }

    /// Runs a script as the owner.
    ///
    /// # Panics
    /// When a statement fails.
    pub fn run(&self, script: &str) {
        let socket = self.folder.display().to_string();
        let arguments = ["-h", &socket, "-U", "owner", "-d", "postgres", "-q", "-v", "ON_ERROR_STOP=1"];
        let mut psql = Command::new(self.programs.join("psql"));
        let child = psql.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let mut child = child.expect("psql runs");
        let mut input = child.stdin.take().expect("an input");
        std::io::Write::write_all(&mut input, script.as_bytes()).expect("psql reads");
        drop(input);
        assert!(child.wait().expect("psql ends").success(), "the script failed");
    }

    fn data(&self) -> String {
        self.folder.join("data").display().to_string()
    }

    fn call(&self, program: &str, arguments: &[&str]) {
        let output = self.command(program).args(arguments).current_dir("/").output();
        let output = output.expect("the program runs");
        assert!(output.status.success(), "{program}: {}", words(&output));
    }

    /// A program of the server, which refuses to run as the superuser.
    fn command(&self, program: &str) -> Command {
        let program = self.programs.join(program);
        if !is_root() {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid", "postgres", "--regid", "postgres", "--clear-groups"]).arg(program);
        command
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        let data = self.data();
        let stop = ["-D", data.as_str(), "-m", "immediate", "stop"];
        let _ = self.command("pg_ctl").args(stop).current_dir("/").output();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// The folder of the newest server's programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    folders.retain(|folder| folder.join("initdb").is_file());
    folders.sort();
    folders.pop()
}
