//! Listeners on every address of this machine, and what comes through to them.

mod corpus;
mod rebinding;

use std::io;
use std::net::{IpAddr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;

/// Listeners that must not be reached.
///
/// They take connections and drop them, so that a request that gets through does not wait.
struct Canaries {
    port: u16,
    addresses: Vec<SocketAddr>,
    taken: mpsc::Receiver<SocketAddr>,
}

impl Canaries {
    /// On a port of all addresses of this machine: 127.0.0.0/8, `::1`, those of its
    /// interfaces, and thereby 0.0.0.0 and `::` too, which Linux takes for this machine.
    fn everywhere() -> Self {
        // Without `IPV6_V6ONLY` this is a listener for both families.
        let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let loopback = |address: &str| SocketAddr::new(address.parse().unwrap(), port);
        Self::new(port, vec![listener], vec![loopback("127.0.0.1"), loopback("::1")])
    }

    /// On these addresses of this machine.
    fn on(port: u16, addresses: &[&str]) -> io::Result<Self> {
        let parse = |address: &&str| SocketAddr::new(address.parse().unwrap(), port);
        let addresses: Vec<_> = addresses.iter().map(parse).collect();
        let listeners = addresses.iter().map(TcpListener::bind).collect::<Result<_, _>>()?;
        Ok(Self::new(port, listeners, addresses))
    }

    fn new(port: u16, listeners: Vec<TcpListener>, addresses: Vec<SocketAddr>) -> Self {
        let (tell, taken) = mpsc::channel();
        for listener in listeners {
            let tell = tell.clone();
            thread::spawn(move || {
                while let Ok((_, from)) = listener.accept() {
                    if tell.send(from).is_err() {
                        break;
                    }
                }
            });
        }
        Self { port, addresses, taken }
    }

    fn port(&self) -> u16 {
        self.port
    }

    /// How many connections came through since this was asked last.
    fn reached(&self) -> usize {
        // Connections are taken in their order: behind a knock of our own there is none left.
        let knocks: Vec<_> =
            self.addresses.iter().map(|address| TcpStream::connect(address).unwrap()).collect();
        let mut awaited: Vec<_> = knocks.iter().map(|knock| canonical(knock.local_addr().unwrap())).collect();
        let mut reached = 0;
        while !awaited.is_empty() {
            let from = canonical(self.taken.recv().unwrap());
            match awaited.iter().position(|knock| *knock == from) {
                Some(known) => drop(awaited.swap_remove(known)),
                None => reached += 1,
            }
        }
        reached
    }
}

/// A listener for both families sees `127.0.0.1` as `::ffff:127.0.0.1`.
fn canonical(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

fn ips(texts: &[&str]) -> Vec<IpAddr> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}
