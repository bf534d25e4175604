//! How a request came, as far as the connection and those who are trusted tell.

use http::header::{FORWARDED, VIA};
use http::{HeaderMap, HeaderName, HeaderValue};
use svc_auth::client_address::is_trusted;

use crate::app::Settings;
use crate::server::{Peer, Transport};

/// Headers that proxies add; a client of this machine has no reason to.
const FORWARDING: [HeaderName; 6] = [
    FORWARDED,
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-forwarded-proto"),
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-real-ip"),
    VIA,
];

/// How a request that was let in came, as an extension of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// Over TLS, from the client to this process or to the proxy in front of it.
    Https,
    /// In the clear, from this machine, or from a proxy on it that is not listed and adds no header.
    Local,
}

/// Why others could have read a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exposed {
    /// It came in the clear from elsewhere, or no trusted proxy says otherwise.
    Plain,
    /// It came from this machine, sent on by a proxy that is not one of ours: how it got there is unknown.
    Unlisted,
}

impl Channel {
    /// How the request came. An unknown peer is not believed.
    pub(super) fn of(
        settings: &Settings,
        peer: Option<Peer>,
        transport: Transport,
        headers: &HeaderMap,
    ) -> Result<Self, Exposed> {
        let address = peer.map(|Peer(peer)| peer.ip().to_canonical());
        let is_proxy = address.is_some_and(|address| is_trusted(address, &settings.trusted_proxies));
        let mut said = headers.get_all(&settings.forwarded_proto_header).iter().peekable();
        let silent = said.peek().is_none();
        let secure = match (transport, is_proxy) {
            (Transport::Tls, true) => silent || said.all(says_https),
            (Transport::Tls, false) => true,
            (Transport::Plain, true) => !silent && said.all(says_https),
            (Transport::Plain, false) => false,
        };
        let local = !is_proxy && address.is_some_and(|address| address.is_loopback());
        match (secure, local) {
            (true, _) => Ok(Self::Https),
            (false, true) if was_forwarded(settings, headers) => Err(Exposed::Unlisted),
            (false, true) => Ok(Self::Local),
            (false, false) => Err(Exposed::Plain),
        }
    }
}

fn was_forwarded(settings: &Settings, headers: &HeaderMap) -> bool {
    let configured = [&settings.client_ip_header, &settings.forwarded_proto_header];
    FORWARDING.iter().chain(configured).any(|name| headers.contains_key(name))
}

fn says_https(line: &HeaderValue) -> bool {
    line.as_bytes().split(|byte| *byte == b',').all(|word| word.trim_ascii().eq_ignore_ascii_case(b"https"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_from_nowhere_is_let_in_over_tls_alone() {
        let (settings, headers) = (Settings::default(), HeaderMap::new());
        assert_eq!(Channel::of(&settings, None, Transport::Plain, &headers), Err(Exposed::Plain));
        assert_eq!(Channel::of(&settings, None, Transport::Tls, &headers), Ok(Channel::Https));
    }
}
