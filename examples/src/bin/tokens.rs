//! A plain axum service with API tokens: svc-auth alone, over a storage of its own.
//!
//! `cargo run -p svc-examples --bin tokens -- /tmp/files` prints the first token once;
//! then `curl -H "Authorization: Bearer svc_live_…" http://127.0.0.1:9098/files`.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use svc_auth::authenticate::Authenticator;
use svc_auth::limit::{Limits, MemoryLimiter};
use svc_auth::ports::AuthStorage as _;
use svc_auth::token::{Pepper, Peppers};
use svc_core::audit::{ChainKey, ChainKeys};
use svc_core::clock::Clock as _;
use svc_core::error::StoreError;
use svc_core::system::{OsRandom, SystemClock};
use svc_examples::tokens::app::{first_token, routes};
use svc_examples::tokens::guard::Guard;
use svc_examples::tokens::store::FileStore;

#[tokio::main]
#[expect(clippy::print_stdout, reason = "an example prints to its terminal")]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let folder = std::env::args().nth(1).ok_or("name a folder for the data")?;
    std::fs::create_dir_all(&folder)?;
    let folder = Path::new(&folder);
    let peppers = Peppers::new(Pepper::new(1, key(&folder.join("pepper"))?), Vec::new());
    let chain = ChainKeys::new(ChainKey::new(1, key(&folder.join("chain"))?), Vec::new());
    let store = FileStore::open(folder.join("state.json"), chain)?;
    if store.state().tokens.is_empty() {
        let value = first_token(&store, &peppers, SystemClock.now(), &OsRandom).await?;
        println!("the first token, shown this once: {}", value.expose());
    }

    let limiter = Arc::new(MemoryLimiter::new(Limits::default()));
    let authenticator =
        Arc::new(Authenticator::new(Arc::new(store.clone()), limiter, Arc::new(SystemClock), peppers));
    let guard = Guard { authenticator: Arc::clone(&authenticator), trusted_proxies: Arc::default() };
    tokio::spawn(keep_up(store, authenticator));

    // Loopback only: a token never goes over a network in clear. TLS ends in front of this.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:9098").await?;
    println!("listening at http://{}", listener.local_addr()?);
    let app = routes(&guard).into_make_service_with_connect_info::<SocketAddr>();
    Ok(axum::serve(listener, app).await?)
}

/// Every two seconds: notices what other processes changed, and writes last uses in one batch.
async fn keep_up(store: FileStore, authenticator: Arc<Authenticator>) {
    let mut ticks = tokio::time::interval(Duration::from_secs(2));
    loop {
        ticks.tick().await;
        if let Err(error) = tick(&store, &authenticator).await {
            report(&error);
        }
    }
}

async fn tick(store: &FileStore, authenticator: &Authenticator) -> Result<(), StoreError> {
    authenticator.refresh().await?;
    let uses = authenticator.take_uses();
    if uses.is_empty() {
        return Ok(());
    }
    let unit = store.begin().await?;
    unit.tokens().touch(&uses).await?;
    unit.commit().await
}

#[expect(clippy::print_stderr, reason = "an example prints to its terminal")]
fn report(error: &StoreError) {
    eprintln!("{error}");
}

/// The 32 bytes of a key file, made at the first start. It belongs on another disk than the data.
fn key(path: &Path) -> std::io::Result<[u8; 32]> {
    use std::io::{Error, ErrorKind, Write as _};
    use std::os::unix::fs::OpenOptionsExt as _;

    match std::fs::read(path) {
        Ok(bytes) => bytes.try_into().map_err(|_| Error::new(ErrorKind::InvalidData, "a key has 32 bytes")),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let key = svc_core::random::bytes(&OsRandom);
            let mut options = std::fs::OpenOptions::new();
            options.write(true).create_new(true).mode(0o600).open(path)?.write_all(&key)?;
            Ok(key)
        }
        Err(error) => Err(error),
    }
}
