//! The executable as a process: run to its end, or served and signalled.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::{Api, Log};

/// A folder in which a server keeps its data, with the settings that it is run with.
pub(crate) struct Site {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Site {
    /// A site with the default settings, but for what tests need.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let site = Self { folder, variables: Vec::new() };
        site.with("SVC_LISTEN", "127.0.0.1:0")
            .with("SVC_ADMIN_LISTEN", "127.0.0.1:0")
            .with("SVC_LOG", "warn")
            .with("SVC_LIMITS__PER_MINUTE", "100000")
            .with("SVC_WEBHOOKS__EXEMPT_TARGETS", "127.0.0.0/8")
            .with("SVC_WEBHOOKS__RETRY_WAITS", "50ms,50ms,50ms,50ms,50ms")
    }

    /// A site over a new PostgreSQL database; `None` on a machine without PostgreSQL.
    pub(crate) fn on_postgres() -> Option<Self> {
        let url = svc_testkit::postgres::database()?;
        Some(Self::new().with("SVC_DATABASE_URL", &url).with("SVC_MASTER_KEY", &"42".repeat(32)))
    }

    /// The same with one more variable.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same without a variable.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.variables.retain(|(known, _)| known != name);
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        self.program(env!("CARGO_BIN_EXE_svc-server"), arguments)
    }

    /// A program in the folder, with the settings.
    pub(super) fn program(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(name);
        command.args(arguments).current_dir(self.path()).env_clear();
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::of(self.command(arguments).output().expect("the executable runs"))
    }

    /// Runs a command with a text on its standard input.
    pub(crate) fn run_with(&self, input: &str, arguments: &[&str]) -> Run {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().expect("the executable runs");
        let mut stdin = child.stdin.take().expect("piped");
        // A command that refuses at once does not wait for its input.
        drop(stdin.write_all(input.as_bytes()));
        drop(stdin);
        Run::of(child.wait_with_output().expect("it ends"))
    }

    /// Runs a command that must work and print JSON.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let run = self.run(&[arguments, &["--json"]].concat());
        assert!(run.status.success(), "{arguments:?}: {run:?}");
        serde_json::from_str(&run.stdout).expect("JSON on standard output")
    }

    /// Makes the first company; answers its id, its holder and a Full token.
    pub(crate) fn bootstrap(&self) -> [String; 3] {
        let made = self.json(&["bootstrap", "--legal-name", "Sol SL", "--email", "ana@example.com"]);
        ["accountId", "userId", "token"].map(|name| made[name].as_str().expect("a string").to_owned())
    }

    /// Starts the server.
    pub(crate) fn serve(&self) -> Server {
        self.start(&["serve", "--json"])
    }

    /// Starts a command that prints a line of JSON when it is ready.
    pub(crate) fn start(&self, arguments: &[&str]) -> Server {
        self.start_telling(Stdio::inherit(), arguments)
    }

    /// Starts the server and keeps what it logs.
    pub(crate) fn serve_logged(&self) -> (Server, Log) {
        let mut server = self.start_telling(Stdio::piped(), &["serve", "--json"]);
        let log = Log::of(server.child.stderr.take().expect("piped"));
        (server, log)
    }

    fn start_telling(&self, stderr: Stdio, arguments: &[&str]) -> Server {
        let mut child = self.command(arguments).stderr(stderr).spawn().expect("the executable starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("a line");
        let ready = serde_json::from_str(&line)
            .unwrap_or_else(|_| panic!("{arguments:?} told no address but `{line}`: {:?}", child.wait()));
        Server { child, ready, stdout }
    }
}

impl Run {
    fn of(output: Output) -> Self {
        Self {
            status: output.status,
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
        }
    }

    /// The error that a failed command told in JSON.
    pub(crate) fn error(&self) -> Value {
        // The log goes to standard error too, a line of JSON for each event.
        let mut lines = self.stderr.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let told = lines.find(|line| line["error"]["code"].is_string());
        told.unwrap_or_else(|| panic!("no JSON error: {self:?}"))["error"].clone()
    }
}

/// A process that runs until it is told to end; killed when it is dropped.
pub(crate) struct Server {
    child: Child,
    /// What it said when it was ready.
    pub(crate) ready: Value,
    stdout: BufReader<std::process::ChildStdout>,
}

impl Server {
    /// The API, for the holder of a token.
    pub(crate) fn api(&self, token: &str) -> Api {
        Api::new(self.address(), token)
    }

    /// The API, for a client without a credential.
    pub(crate) fn bare(&self) -> Api {
        Api::bare(self.address())
    }

    /// Where the API listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.ready["listen"].as_str().expect("an address").parse().expect("an address")
    }

    /// The admin port.
    pub(crate) fn admin(&self) -> Api {
        let admin = self.ready["admin"].as_str().expect("a URL");
        let address: SocketAddr = admin.trim_start_matches("http://").parse().expect("an address");
        Api::new(address, "none")
    }

    /// What a counter stands at, by its name and labels as /metrics shows them; 0 before it was counted.
    pub(crate) fn counted(&self, series: &str) -> u64 {
        let metrics = self.admin().get("/metrics").text;
        let value = metrics.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
        value.map_or(0, |value| value.parse().expect("a number"))
    }

    /// The next line of JSON on standard output.
    pub(crate) fn line(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON: `{line}`"))
    }

    /// Sends SIGTERM without waiting.
    pub(crate) fn terminate(&self) {
        self.signal("-TERM");
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// What else it printed until it ended; the line of its addresses was read before.
    pub(crate) fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("text");
        rest
    }

    /// Waits for the end.
    pub(crate) fn wait(mut self) -> ExitStatus {
        self.child.wait().expect("it ends")
    }

    /// Ends the process in good order.
    pub(crate) fn stop(self) {
        self.terminate();
        let status = self.wait();
        assert!(status.success(), "ended with {status}");
    }

    /// Ends the process at once, as a power cut would.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ended");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // After `wait` there is nothing to kill, which is no failure.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
