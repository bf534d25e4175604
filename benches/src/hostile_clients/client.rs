//! One connection of a hostile client.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{Instant, sleep, sleep_until};

use super::behaviours::{Behaviour, Reads, Target};
use super::http2;

/// A connection that ended is opened again after so long.
const AGAIN: Duration = Duration::from_millis(100);

/// Plays a behaviour for as long as it is let.
pub(super) async fn play(target: Arc<Target>, behaviour: Behaviour, number: usize) {
    loop {
        // The server ends connections as it likes.
        drop(connection(&target, behaviour, number).await);
        sleep(AGAIN).await;
    }
}

async fn connection(target: &Target, behaviour: Behaviour, number: usize) -> io::Result<()> {
    let mut stream = connect(target.api, behaviour, number).await?;
    stream.write_all(&(behaviour.opening)(target)).await?;
    let mut next = Instant::now();
    let mut turn = 0;
    let mut read = Vec::new();
    loop {
        next += behaviour.every;
        let wait = sleep_until(next);
        match behaviour.reads {
            Reads::Nothing => wait.await,
            Reads::All | Reads::Pings => {
                tokio::pin!(wait);
                loop {
                    tokio::select! {
                        () = &mut wait => break,
                        count = stream.read_buf(&mut read) => if count? == 0 { return Ok(()) },
                    }
                    if behaviour.reads == Reads::Pings {
                        stream.write_all(&http2::pongs(&mut read)).await?;
                    } else {
                        read.clear();
                    }
                }
            }
        }
        turn += 1;
        stream.write_all(&(behaviour.again)(target, turn)).await?;
    }
}

/// From one address, or from as many as there are connections.
async fn connect(to: SocketAddr, behaviour: Behaviour, number: usize) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    let [high, low] = u16::try_from(number % 60_000).unwrap_or_default().to_be_bytes();
    let from = if behaviour.many_addresses {
        Ipv4Addr::new(127, 1, high, low.max(1))
    } else {
        Ipv4Addr::new(127, 0, 0, 2)
    };
    socket.bind(SocketAddr::from((from, 0)))?;
    if behaviour.reads == Reads::Nothing {
        socket.set_recv_buffer_size(4_096)?;
    }
    socket.connect(to).await
}
