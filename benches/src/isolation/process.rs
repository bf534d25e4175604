//! The server as a process.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::load::Stream;
use crate::usage::Usage;

/// A setting as a variable of the environment.
pub type Setting<'a> = (&'a str, &'a str);

/// A server that runs until this is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Where the API listens.
    pub api: SocketAddr,
    admin: SocketAddr,
    /// Kept, so that the server may print.
    _stdout: BufReader<ChildStdout>,
}

impl Process {
    /// Starts the executable in a folder, with these settings and no others.
    ///
    /// # Panics
    /// When it does not come up.
    #[must_use]
    pub fn start(executable: &Path, folder: &Path, settings: &[Setting<'_>]) -> Self {
        let mut command = Command::new(executable);
        command.args(["serve", "--json"]).current_dir(folder).env_clear().envs(settings.iter().copied());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("a line");
        let ready: serde_json::Value = serde_json::from_str(&line).expect("its addresses as JSON");
        let address = |name: &str| {
            let text = ready.get(name).and_then(serde_json::Value::as_str).expect("an address");
            text.trim_start_matches("http://").parse().expect("an address")
        };
        let (api, admin) = (address("listen"), address("admin"));
        Self { child, api, admin, _stdout: stdout }
    }

    /// What a metric without labels stands at; 0 before it was set.
    ///
    /// # Panics
    /// When the server does not tell.
    pub async fn metric(&self, name: &str) -> f64 {
        let mut stream = Stream::open(self.admin).await;
        let answer = stream.ask(b"GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
        let text = String::from_utf8_lossy(answer);
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.map_or(0.0, |value| value.parse().expect("a number"))
    }

    /// What it costs.
    #[must_use]
    pub fn usage(&self) -> Usage {
        Usage::of(self.child.id())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
