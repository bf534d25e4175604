//! What a hostile receiver does, as data.

/// The status of unsolicited answers.
pub const FORGED: u16 = 299;

/// One way to misbehave.
#[derive(Clone, Copy, Debug)]
pub struct Behaviour {
    /// What it does, in a few words; nothing else in the corpus has this name.
    pub name: &'static str,
    /// How a connection is taken.
    pub door: Door,
    /// How an exchange may end.
    pub ends: &'static [End],
    /// How the next exchange on the same connection may end.
    pub then: &'static [End],
    /// Whether the connection is in good order after the exchange and may carry the next.
    pub kept: bool,
    /// Whether the disorder comes a moment behind the answer: the next exchange may be quicker.
    pub later: bool,
    /// Whether it takes a request larger than the buffers of the sockets to show.
    pub large: bool,
    /// What it does on each connection.
    pub(super) steps: &'static [Step],
}

/// How a connection is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// By http.
    Http,
    /// By https.
    Tls(Certificate),
    /// The URL says https, and no handshake is made.
    NoTls,
    /// The URL says http, and no connection is taken at all: the queue of the listener is full.
    Shut,
}

/// What a receiver shows in the handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// One that is good if its root is trusted; see [`super::Certificates::roots`].
    Good,
    /// One of an authority that the sender does not trust.
    Unknown,
    /// One for another host.
    OtherHost,
    /// One whose time is over.
    Expired,
}

/// How an exchange ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With an answer that has this status.
    Answered(u16),
    /// With the deadline.
    Timeout,
    /// Without a connection.
    Connect,
    /// Without a TLS session.
    Tls,
    /// With an answer that is none, or half of one.
    Broken,
}

/// A part of what a receiver does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Reads a request to its end.
    Request,
    /// Reads the head of a request and leaves its body.
    Head,
    /// Reads the first bytes that come.
    Something,
    /// Writes a text; `{elsewhere}` and `{here}` stand for URLs.
    Say(&'static str),
    /// Writes bytes.
    Bytes(&'static [u8]),
    /// Writes bytes so many times over.
    Times(usize, &'static [u8]),
    /// Writes bytes again and again, as fast as it is taken.
    Flood(&'static [u8]),
    /// Writes bytes with each tick, for ever.
    Drip(&'static [u8]),
    /// Reads a byte with each tick, for ever.
    Sip,
    /// Says nothing more and waits for the other side to leave.
    Hush,
    /// Neither reads nor writes any more.
    Deaf,
    /// Ends the connection at once, without the farewell of TLS.
    Cut,
    /// Ends the connection with a reset.
    Reset,
    /// Goes on with the first step.
    Again,
}

impl Behaviour {
    pub(super) const fn http(name: &'static str, ends: &'static [End], steps: &'static [Step]) -> Self {
        Self { name, door: Door::Http, ends, then: ends, kept: false, later: false, large: false, steps }
    }

    pub(super) const fn behind(self, door: Door) -> Self {
        Self { door, ..self }
    }

    pub(super) const fn then(self, then: &'static [End]) -> Self {
        Self { then, ..self }
    }

    pub(super) const fn kept(self) -> Self {
        Self { kept: true, ..self }
    }

    pub(super) const fn later(self) -> Self {
        Self { later: true, ..self }
    }

    pub(super) const fn large(self) -> Self {
        Self { large: true, ..self }
    }
}
