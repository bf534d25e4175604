//! A receiver on a port of this machine that plays one behaviour.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinSet;

use super::behaviour::{Behaviour, Door};
use super::certificates::{Certificates, HOST};
use super::connections::{Counts, Open};
use super::play::Scene;

/// What all receivers of a run share.
#[derive(Clone, Debug)]
pub struct Stage {
    /// How long they wait between one byte and the next where they drip.
    pub tick: Duration,
    /// Where redirects lead.
    pub elsewhere: String,
    /// What they show in handshakes.
    pub certificates: Certificates,
}

/// A receiver that plays one behaviour on every connection, until it is dropped.
#[derive(Debug)]
pub struct HostileReceiver {
    /// What it does.
    pub behaviour: Behaviour,
    url: String,
    counts: Arc<Counts>,
    _tasks: JoinSet<()>,
    /// Connections that fill the queue of a listener that takes none.
    _queue: Vec<TcpStream>,
}

impl HostileReceiver {
    /// Opens a port and starts to misbehave.
    ///
    /// # Errors
    /// When there is no free port.
    pub async fn start(behaviour: Behaviour, stage: &Stage) -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
        let backlog = if behaviour.door == Door::Shut { 1 } else { 1024 };
        let listener = socket.listen(backlog)?;
        let port = listener.local_addr()?.port();
        let counts = Arc::new(Counts::default());
        let (mut tasks, mut queue) = (JoinSet::new(), Vec::new());
        let url = match behaviour.door {
            Door::Http | Door::Shut => format!("http://127.0.0.1:{port}/hook"),
            Door::Tls(_) | Door::NoTls => format!("https://{HOST}:{port}/hook"),
        };
        if behaviour.door == Door::Shut {
            // Linux queues one more than it was told, and drops what else knocks.
            for _ in 0..=backlog {
                queue.push(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?);
            }
            tasks.spawn(async move {
                let _held = listener;
                std::future::pending::<()>().await;
            });
        } else {
            tasks.spawn(listen(listener, behaviour, stage.clone(), url.clone(), Arc::clone(&counts)));
        }
        Ok(Self { behaviour, url, counts, _tasks: tasks, _queue: queue })
    }

    /// Where to send to.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The same by address, for a sender whose name server does not know the host.
    #[must_use]
    pub fn url_by_address(&self) -> String {
        self.url.replace(HOST, "127.0.0.1")
    }

    /// Connections that were taken so far.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.counts.taken.load(Ordering::SeqCst)
    }

    /// Connections that the other side has not left, as far as the behaviour lets it see.
    #[must_use]
    pub fn open(&self) -> usize {
        *self.counts.open.borrow()
    }

    /// Waits until the other side has left all connections.
    pub async fn left(&self) {
        // The sender of the channel is ours: it does not end.
        drop(self.counts.open.subscribe().wait_for(|open| *open == 0).await);
    }

    /// Bytes that the other side's kernel and this one took.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.counts.written.load(Ordering::Relaxed)
    }
}

async fn listen(
    listener: TcpListener,
    behaviour: Behaviour,
    stage: Stage,
    here: String,
    counts: Arc<Counts>,
) {
    let stage = Arc::new(stage);
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let open = Open::new(Arc::clone(&counts));
        let (stage, here, counts) = (Arc::clone(&stage), here.clone(), Arc::clone(&counts));
        connections.spawn(async move {
            let scene = Scene {
                steps: behaviour.steps,
                tick: stage.tick,
                elsewhere: &stage.elsewhere,
                here: &here,
                written: &counts.written,
            };
            // That the other side leaves is what is wanted of it.
            drop(take(stream, open, behaviour.door, &stage, scene).await);
        });
        while connections.try_join_next().is_some() {}
    }
}

async fn take(stream: TcpStream, open: Open, door: Door, stage: &Stage, scene: Scene<'_>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    match door {
        Door::Http | Door::NoTls | Door::Shut => scene.play(stream, open).await,
        Door::Tls(certificate) => {
            let accepting = stage.certificates.acceptor(certificate).accept(stream);
            match accepting.into_fallible().await {
                Ok(stream) => scene.play(stream, open).await,
                Err((error, mut stream)) => {
                    // Closing at once could destroy the alert on its way.
                    tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
                    Err(error)
                }
            }
        }
    }
}
