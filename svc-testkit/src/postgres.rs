//! Fresh PostgreSQL databases for tests.
//!
//! `SVC_TEST_POSTGRES_URL` names a server to use. Without it a private cluster
//! is made from the binaries on the machine (`initdb`, `pg_ctl`), shared by
//! every test process that runs at the same time and removed by a watchdog a
//! moment after the last of them has ended:
//!
//! 1. Each process holds a shared lock on `users` for its whole life.
//! 2. Under an exclusive lock on `starting`, the first one makes the cluster
//!    and starts the watchdog; the others find the port in `port`.
//! 3. The watchdog tries for an exclusive lock on `users`; when it gets it,
//!    no user is left, and it stops the server and removes the folder.
//!
//! PostgreSQL refuses to run as root, so root runs it as the user `postgres`.
//!
//! A database goes after the thread that asked for it, which is that of its test, or with its value ([`Made`]): a
//! thousand of them at once need gigabytes. A test that has to stop or restart the server takes a [`Cluster`] of its own.

mod cluster;
mod made;

use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

pub use self::cluster::Cluster;
pub use self::made::Made;

/// The URL of a new, empty database; `None` where there is no PostgreSQL. It is removed after the calling thread ended.
///
/// # Panics
/// When there is none and `CI` is set, so that no case is skipped silently
/// there, and when the cluster cannot be made.
#[must_use]
pub fn database() -> Option<String> {
    Some(OfThread::keep(Made::new(server()?, None)))
}

/// The same, with all that `prepare` writes into the database whose URL it is given; it closes its connections.
///
/// The private cluster copies what was prepared once for all calls of a program, which therefore prepare the same.
///
/// # Panics
/// As [`database`] does.
pub async fn database_like<F: Future<Output = ()>>(prepare: impl FnOnce(String) -> F) -> Option<String> {
    Some(OfThread::keep(Made::like(prepare).await?))
}

fn server() -> Option<&'static Server> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER.get_or_init(Server::find).as_ref()
}

/// The databases that go with their thread.
struct OfThread;

impl OfThread {
    fn keep(made: Made) -> String {
        thread_local! {
            static MADE: RefCell<Vec<Made>> = const { RefCell::new(Vec::new()) };
        }
        let url = made.url();
        MADE.with_borrow_mut(|all| all.push(made));
        url
    }
}

/// What a statement answers, seen from outside of every pool: a row in each line, `|` between its values.
///
/// # Panics
/// When it fails.
#[must_use]
pub fn query(url: &str, sql: &str) -> String {
    let output = psql(url, sql).output().expect("psql runs");
    assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn psql(url: &str, sql: &str) -> Command {
    let mut command = Command::new(tool(&binaries().unwrap_or_default(), "psql"));
    command
        .args(["-X", "-w", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql])
        .stdin(Stdio::null());
    command
}

struct Server {
    /// Everything of the URL before the name of the database.
    base: String,
    /// Of the private cluster.
    folder: Option<PathBuf>,
    /// Held for the life of the process.
    _user: Option<File>,
}

impl Server {
    fn find() -> Option<Self> {
        let bin = binaries();
        if let Ok(url) = std::env::var("SVC_TEST_POSTGRES_URL") {
            let base = url.rsplit_once('/').map_or(url.clone(), |(base, _)| base.to_owned());
            return Some(Self { base, folder: None, _user: None });
        }
        let Some(bin) = bin else {
            assert!(
                std::env::var_os("CI").is_none(),
                "PostgreSQL is missing: install it, or set SVC_TEST_POSTGRES_URL"
            );
            notice("the PostgreSQL cases did not run: install postgresql, or set SVC_TEST_POSTGRES_URL");
            return None;
        };
        Some(Self::start(&bin).expect("a private PostgreSQL cluster starts"))
    }

    fn start(bin: &Path) -> io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("svc-test-postgres-{}", owner()));
        let user = loop {
            fs::create_dir_all(&folder)?;
            let path = folder.join("users");
            let user = OpenOptions::new().create(true).truncate(false).write(true).open(&path)?;
            user.lock_shared()?;
            // The watchdog may have removed the folder between the opening and the lock, and another
            // process may have made a new one since: only the file that is there now counts.
            if is_at(&user, &path) {
                break user;
            }
        };
        let starting = File::create(folder.join("starting"))?;
        starting.lock()?;
        let ready = folder.join("port");
        // A server that a reboot or a kill has ended leaves its port behind.
        let answers = |port: &String| TcpStream::connect(format!("127.0.0.1:{port}")).is_ok();
        let port = if let Some(port) = fs::read_to_string(&ready).ok().filter(answers) {
            port
        } else {
            let port = make_cluster(bin, &folder, QUICK)?;
            fs::write(&ready, &port)?;
            port
        };
        Ok(Self { base: base(&port), folder: Some(folder), _user: Some(user) })
    }

    fn url(&self, name: &str) -> String {
        format!("{}/{name}", self.base)
    }
}

/// Settings of a cluster whose data need not survive the machine.
const QUICK: &str = "-c fsync=off -c full_page_writes=off";

fn base(port: &str) -> String {
    format!("postgres://postgres@127.0.0.1:{port}")
}

/// Whether the opened file is the one with this name.
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (opened, named) = (file.metadata().map(place), fs::metadata(path).map(place));
    opened.is_ok_and(|opened| named.is_ok_and(|named| opened == named))
}

/// Makes a cluster in a folder and starts it with these settings; answers its port.
fn make_cluster(bin: &Path, folder: &Path, settings: &str) -> io::Result<String> {
    let data = folder.join("cluster");
    // What a killed run left behind.
    if data.exists() {
        drop(as_owner(bin, "pg_ctl", &["-D", &text(&data), "-m", "immediate", "stop"]));
        fs::remove_dir_all(&data)?;
    }
    fs::create_dir(&data)?;
    if is_root() {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o711))?;
        run(Command::new("chown").arg("postgres").arg(&data))?;
    }
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port().to_string();
    as_owner(
        bin,
        "initdb",
        &["-D", &text(&data), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"],
    )?;
    let options = format!(
        "-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300 \
         -c log_min_messages=fatal {settings}"
    );
    let log = text(&data.join("log"));
    as_owner(bin, "pg_ctl", &["-D", &text(&data), "-w", "-l", &log, "-o", &options, "start"])?;
    watch(bin, folder, &data)?;
    Ok(port)
}

/// Starts the process that ends the server when no test process is left.
fn watch(bin: &Path, folder: &Path, data: &Path) -> io::Result<()> {
    let stop = format!("'{}' -D '{}' -m immediate stop", tool(bin, "pg_ctl").display(), data.display());
    let stop = if is_root() { format!("runuser -u postgres -- {stop}") } else { stop };
    let script = format!(
        "cd / && while ! flock -n -x '{users}' -c \"{stop} >/dev/null 2>&1; mv '{folder}' '{gone}'\"; \
         do sleep 1; done; rm -rf '{gone}'",
        users = folder.join("users").display(),
        folder = folder.display(),
        // Out of the way in one step: another process may make the folder anew while its files are removed.
        gone = folder.with_extension(format!("gone-{}", std::process::id())).display(),
    );
    Command::new("setsid")
        .args(["sh", "-c", &script])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(drop)
}

fn as_owner(bin: &Path, program: &str, arguments: &[&str]) -> io::Result<()> {
    let program = tool(bin, program);
    let mut command = if is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    run(command.args(arguments).current_dir("/"))
}

fn run(command: &mut Command) -> io::Result<()> {
    let done = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if done.success() { Ok(()) } else { Err(io::Error::other(format!("{command:?} ended with {done}"))) }
}

/// The folder with PostgreSQL's programs: the newest of Debian's, or one on the path.
fn binaries() -> Option<PathBuf> {
    let mut debian: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("bin"))
        .filter(|bin| bin.join("initdb").exists())
        .collect();
    debian.sort();
    debian.pop().or_else(|| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path)
            .find(|folder| folder.join("initdb").exists() && folder.join("pg_ctl").exists())
    })
}

/// A program of PostgreSQL: in its folder, or left to the path.
fn tool(bin: &Path, program: &str) -> PathBuf {
    let path = bin.join(program);
    if path.exists() { path } else { PathBuf::from(program) }
}

fn owner() -> String {
    std::env::var("USER").unwrap_or_else(|_| if is_root() { "root".to_owned() } else { "user".to_owned() })
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|metadata| {
        use std::os::unix::fs::MetadataExt as _;
        metadata.uid() == 0
    })
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[expect(clippy::print_stderr, reason = "the developer must see which tests were left out")]
fn notice(line: &str) {
    eprintln!("{line}");
}
