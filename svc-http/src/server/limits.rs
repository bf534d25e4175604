//! What clients may take of a server.

use std::time::Duration;

use ipnet::IpNet;

/// What one client, and all clients together, may take.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Connections at a time. When there are so many, the one that was idle for longest makes room; when none is idle,
    /// further ones wait in the listener's backlog.
    pub connections: usize,
    /// Connections of one address at a time: of one IPv4 address, or of one IPv6 network of 64 bits. One more takes the
    /// place of one of the same address that is idle, or is closed at once.
    pub of_address: usize,
    /// Addresses that stand for many clients, such as proxies: they may take all connections.
    pub proxies: Vec<IpNet>,
    /// For a TLS handshake, and for the head of each request.
    pub header_read_timeout: Duration,
    /// Header fields of a request (HTTP/1).
    pub headers: usize,
    /// Bytes of a request's head.
    pub header_bytes: usize,
    /// Requests at a time on one HTTP/2 connection.
    pub streams: u32,
    /// A connection without a request under way is closed after so long, whatever else the client sends on it.
    pub idle: Duration,
    /// A client that takes nothing more of an answer for so long loses its connection; so does one that has not taken it as a
    /// whole when a connection is [old](Self::age).
    pub answer: Duration,
    /// A connection takes no further request after so long: a client that goes on opens another one.
    pub age: Duration,
    /// For requests in flight once the shutdown began.
    pub grace: Duration,
}

impl Limits {
    /// With so many connections at a time.
    #[must_use]
    pub fn connections(self, connections: usize) -> Self {
        Self { connections, ..self }
    }

    /// With so many connections of one address at a time.
    #[must_use]
    pub fn of_address(self, of_address: usize) -> Self {
        Self { of_address, ..self }
    }

    /// With these addresses that stand for many clients.
    #[must_use]
    pub fn proxies(self, proxies: Vec<IpNet>) -> Self {
        Self { proxies, ..self }
    }

    /// With so much time for a TLS handshake, and for the head of each request.
    #[must_use]
    pub fn header_read_timeout(self, header_read_timeout: Duration) -> Self {
        Self { header_read_timeout, ..self }
    }

    /// With so much time without a request.
    #[must_use]
    pub fn idle(self, idle: Duration) -> Self {
        Self { idle, ..self }
    }

    /// With so much time to take a piece of an answer.
    #[must_use]
    pub fn answer(self, answer: Duration) -> Self {
        Self { answer, ..self }
    }

    /// With connections that take requests for so long.
    #[must_use]
    pub fn age(self, age: Duration) -> Self {
        Self { age, ..self }
    }

    /// With so much time for requests in flight once the shutdown began.
    #[must_use]
    pub fn grace(self, grace: Duration) -> Self {
        Self { grace, ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 10_000,
            of_address: 256,
            proxies: Vec::new(),
            header_read_timeout: Duration::from_secs(10),
            headers: 64,
            header_bytes: 64 * 1024,
            streams: 100,
            idle: Duration::from_mins(1),
            answer: Duration::from_mins(1),
            age: Duration::from_hours(1),
            grace: Duration::from_secs(30),
        }
    }
}
