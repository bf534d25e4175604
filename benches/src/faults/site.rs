//! The executable over a database of its own, and its processes.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::spawn_blocking;

use super::{Client, folder};
use crate::usage::Usage;

/// The master key of every site.
const KEY: [u8; 32] = [0x42; 32];

/// A folder in which servers keep their data, with the settings that they are run with.
pub struct Site {
    server: PathBuf,
    folder: TempDir,
    variables: Vec<(String, String)>,
    /// The database, as the setting names it.
    pub url: String,
}

impl Site {
    /// A site over a new SQLite file.
    #[must_use]
    pub fn sqlite(server: &Path) -> Self {
        let folder = folder();
        let url = format!("sqlite://{}", folder.path().join("svc.db").display());
        Self::over(server, folder, &url)
    }

    /// A site over a PostgreSQL database.
    #[must_use]
    pub fn postgres(server: &Path, url: &str) -> Self {
        Self::over(server, folder(), url)
    }

    fn over(server: &Path, folder: TempDir, url: &str) -> Self {
        let site = Self { server: server.to_owned(), folder, variables: Vec::new(), url: url.to_owned() };
        site.with("SVC_DATABASE_URL", url)
            .with("SVC_MASTER_KEY", &KEY.map(|byte| format!("{byte:02x}")).concat())
            .with("SVC_LISTEN", "127.0.0.1:0")
            .with("SVC_ADMIN_LISTEN", "127.0.0.1:0")
            .with("SVC_LOG", "warn")
            // Each kill loses a fortieth of the minute's budget, and nothing here is about budgets.
            .with("SVC_LIMITS__PER_MINUTE", "400000000")
            .with("SVC_LIMITS__PER_MONTH", "1000000000000000")
            .with("SVC_WEBHOOKS__EXEMPT_TARGETS", "127.0.0.0/8")
    }

    /// The same with one more variable.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Where its servers keep their files.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The keys of its database.
    #[must_use]
    pub fn keys() -> svc_storage_seaorm::Keys {
        svc_storage_seaorm::Keys::new(1, KEY)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let log = OpenOptions::new().create(true).append(true).open(self.folder.path().join("log"));
        let mut command = Command::new(&self.server);
        command.args(arguments).current_dir(self.folder.path()).env_clear();
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log.map_or_else(|_| Stdio::null(), File::into));
        command
    }

    /// Runs a command that must work and print JSON.
    ///
    /// # Panics
    /// When it fails.
    pub async fn json(&self, arguments: &[&str]) -> Value {
        let mut command = self.command(arguments);
        let output = apart(move || command.arg("--json").output()).await.expect("the executable runs");
        assert!(output.status.success(), "{arguments:?} failed:\n{}", self.log());
        serde_json::from_slice(&output.stdout).expect("JSON on standard output")
    }

    /// Makes the first company; answers a token that may do everything.
    pub async fn bootstrap(&self) -> String {
        let made = self.json(&["bootstrap", "--legal-name", "Sol SL", "--email", "ana@example.com"]).await;
        made.get("token").and_then(Value::as_str).expect("a token").to_owned()
    }

    /// Starts a server. Receivers know it by `name`, which is in the `User-Agent` of what it sends.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn serve(&self, name: &str) -> Process {
        let mut command = self.command(&["serve", "--json"]);
        let mut child = command.env("SVC_PUBLIC_URL", format!("http://{name}")).spawn().expect("it starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (line, stdout) = apart(move || {
            let mut line = String::new();
            stdout.read_line(&mut line).expect("a line");
            (line, stdout)
        })
        .await;
        let ready: Value = serde_json::from_str(&line)
            .unwrap_or_else(|_| panic!("it told no address but `{line}`:\n{}", self.log()));
        let address = |member: &str| {
            let text = ready.get(member).and_then(Value::as_str).expect("an address");
            text.trim_start_matches("http://").parse().expect("an address")
        };
        let (api, admin) = (address("listen"), address("admin"));
        Process { name: name.to_owned(), child, api, admin, _stdout: stdout }
    }

    /// The end of what its processes logged.
    #[must_use]
    pub fn log(&self) -> String {
        let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines.get(lines.len().saturating_sub(20)..).unwrap_or_default().join("\n")
    }
}

/// A running server; killed when it is dropped.
pub struct Process {
    /// By which receivers know it.
    pub name: String,
    child: Child,
    /// Where its API listens.
    pub api: SocketAddr,
    admin: SocketAddr,
    /// Kept open: a server that cannot write its output would fail.
    _stdout: BufReader<ChildStdout>,
}

impl Process {
    /// What it costs.
    #[must_use]
    pub fn usage(&self) -> Usage {
        Usage::of(self.child.id())
    }

    /// Ends it at once, as a power cut would.
    ///
    /// # Panics
    /// When it had ended before.
    pub async fn kill(mut self) {
        apart(move || {
            self.child.kill().expect("it runs");
            self.child.wait().expect("it ended")
        })
        .await;
    }

    /// Ends it in good order.
    ///
    /// # Panics
    /// When it had ended before.
    pub async fn stop(mut self) -> ExitStatus {
        self.signal("TERM").await;
        apart(move || self.child.wait().expect("it ends")).await
    }

    /// Sends a signal by its name.
    ///
    /// # Panics
    /// When it had ended before.
    pub async fn signal(&self, name: &str) {
        let mut command = Command::new("kill");
        command.args([&format!("-{name}"), &self.child.id().to_string()]);
        let sent = apart(move || command.status()).await;
        assert!(sent.expect("kill runs").success());
    }

    /// The sum of the series of a metric; 0 before it was counted.
    pub async fn metric(&self, name: &str) -> f64 {
        let answer = Client::new("none").get(self.admin, "/metrics").await.expect("metrics");
        let text = String::from_utf8_lossy(&answer.body);
        text.lines()
            .filter_map(|line| line.strip_prefix(name))
            .filter(|rest| rest.starts_with([' ', '{']))
            .filter_map(|rest| rest.rsplit(' ').next()?.parse::<f64>().ok())
            .sum()
    }

    /// Whether nothing waits: no event to be fanned out, no delivery to be made.
    pub async fn is_idle(&self) -> bool {
        self.metric("svc_outbox_events").await == 0.0 && self.metric("svc_webhook_queue_depth").await == 0.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // After `wait` there is nothing to kill, which is no failure.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Runs what waits for a process on a thread that holds up no other task.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    spawn_blocking(work).await.expect("it ends")
}

/// Subscribes URLs to these events; answers the ids of the subscriptions.
pub(crate) async fn subscribe(
    to: SocketAddr,
    token: &str,
    events: &[&str],
    urls: impl IntoIterator<Item = String>,
) -> Vec<String> {
    let mut client = Client::new(token);
    let mut ids = Vec::new();
    for url in urls {
        let body = json!({ "name": "Receiver", "url": url, "events": events }).to_string();
        let answer = client.post(to, "/api/v1/webhooks/subscriptions", None, &body).await.expect("answered");
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
        ids.push(answer.text("id"));
    }
    ids
}
