//! A server of S3: the one of `SVC_TEST_S3_URL`, or moto, where it is installed.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::ops::Deref;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use svc_core::content::ContentStore;
use svc_core::random;
use svc_core::system::{OsRandom, SystemClock};
use svc_files::{Credentials, S3Store};

/// The address of a bucket to use, `s3://BUCKET/PREFIX?endpoint=URL`; its credentials are those of the environment.
const ADDRESS: &str = "SVC_TEST_S3_URL";

/// An empty store below a prefix of its own, on a server that ends with the last one.
pub(crate) struct S3 {
    pub(crate) store: S3Store,
    _server: Option<Arc<Server>>,
}

impl S3 {
    /// Whether there is a server to be had; says so where there is none.
    #[expect(clippy::print_stderr, reason = "what is skipped is told")]
    pub(crate) fn is_there() -> bool {
        let found = std::env::var_os(ADDRESS).is_some()
            || Command::new("moto_server")
                .arg("--help")
                .stdout(Stdio::null())
                .status()
                .is_ok_and(|s| s.success());
        if !found {
            eprintln!("skipped: neither {ADDRESS} nor moto_server is there (Python: moto[server])");
        }
        found
    }

    pub(crate) fn empty() -> Self {
        let unique = random::base62(&random::bytes::<16>(&OsRandom));
        if let Ok(address) = std::env::var(ADDRESS) {
            let (place, parameters) = address.split_once('?').unwrap_or((&address, ""));
            return Self { store: open(&format!("{place}/{unique}?{parameters}"), None), _server: None };
        }
        let server = Server::shared();
        let credentials = Credentials {
            access_key_id: "test".to_owned(),
            secret_access_key: "test".into(),
            session_token: None,
        };
        let address = format!("s3://files/a%20b/{unique}?endpoint=http://127.0.0.1:{}", server.port);
        Self { store: open(&address, Some(credentials)), _server: Some(server) }
    }
}

impl Deref for S3 {
    type Target = dyn ContentStore;

    fn deref(&self) -> &Self::Target {
        &self.store
    }
}

fn open(address: &str, credentials: Option<Credentials>) -> S3Store {
    S3Store::open(address, credentials, Arc::new(SystemClock), Arc::new(OsRandom)).expect("a store")
}

/// The server that some store in this process uses.
static SERVER: Mutex<Weak<Server>> = Mutex::new(Weak::new());

/// moto with the bucket `files`.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    /// The server that runs, or a new one.
    fn shared() -> Arc<Self> {
        let mut running = SERVER.lock().unwrap_or_else(PoisonError::into_inner);
        running.upgrade().unwrap_or_else(|| {
            let server = Arc::new(Self::start());
            *running = Arc::downgrade(&server);
            server
        })
    }

    fn start() -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let mut process = Command::new("moto_server")
            .args(["-p", &port.to_string()])
            .env("PYTHONUNBUFFERED", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a server");
        let mut lines = BufReader::new(process.stderr.take().expect("its messages")).lines();
        let ready = lines.by_ref().any(|line| line.expect("a line").contains("Running on"));
        assert!(ready, "the server ended");
        // It writes a line for each request, and stops when they are not read.
        std::thread::spawn(move || lines.for_each(drop));
        let mut connection = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        let request =
            "PUT /files HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        connection.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        connection.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        Self { process, port }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
