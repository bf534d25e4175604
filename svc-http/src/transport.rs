//! HTTPS only, and no token in a URL (specification, preamble).
//!
//! Who listens on the way reads whatever a plain request carries, so one from
//! elsewhere is refused before anything in it is looked at, on every path. A
//! request counts as secure when it came
//!
//! - over TLS that this process ends, or
//! - from a trusted proxy that says so in the one configured header. Every
//!   value of every line must be `https`: a proxy that appends to what the
//!   client sent, rather than replacing it, may refuse good requests but never
//!   lets a bad one in. A proxy that says nothing is not believed, not even on
//!   this machine; one that came over TLS itself may stay silent.
//!
//! A plain request of this machine's own passes too: nobody else can read it.
//! What an untrusted peer writes into the header changes nothing.

use std::sync::Arc;

use axum::extract::{Extension, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::STRICT_TRANSPORT_SECURITY;
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Uri};
use svc_auth::client_address::is_trusted;

use crate::app::{App, Settings};
use crate::exchange::Context;
use crate::problem::{Code, Problem};
use crate::server::{Peer, Transport};

/// A year; later plain requests of browsers then turn into https ones (RFC 6797).
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// What every token starts with.
const MARK: &[u8] = b"svc_live_";

/// How a request that was let in came, as an extension of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// Over TLS, from the client to this process or to the proxy in front of it.
    Https,
    /// In the clear, from this machine.
    Local,
}

/// Refuses what came in the clear, then what carries a token in its URL.
pub(crate) async fn guard(
    State(app): State<Arc<App>>,
    Extension(context): Extension<Context>,
    mut request: Request,
    next: Next,
) -> Response {
    let refuse =
        |code, detail| Problem::new(code, detail).into_response(&app.settings.public_url, context.request);
    let extensions = request.extensions();
    let peer = extensions.get::<Peer>().copied();
    let transport = extensions.get::<Transport>().copied().unwrap_or(Transport::Plain);
    let Some(channel) = channel(&app.settings, peer, transport, request.headers()) else {
        let detail = "use https, and replace a token that was sent in the clear: others may have read it";
        return refuse(Code::HttpsRequired, detail);
    };
    let mut response = if carries_token(request.uri()) {
        let detail = "send the token in the Authorization header, and replace this one: URLs end up in logs";
        refuse(Code::TokenInUrl, detail)
    } else {
        request.extensions_mut().insert(channel);
        next.run(request).await
    };
    match channel {
        Channel::Https => {
            response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, HSTS);
        }
        Channel::Local => {}
    }
    response
}

/// How the request came; `None` when others could read it. An unknown peer is nobody's word.
fn channel(
    settings: &Settings,
    peer: Option<Peer>,
    transport: Transport,
    headers: &HeaderMap,
) -> Option<Channel> {
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
        (true, _) => Some(Channel::Https),
        (false, true) => Some(Channel::Local),
        (false, false) => None,
    }
}

fn says_https(line: &HeaderValue) -> bool {
    line.as_bytes().split(|byte| *byte == b',').all(|word| word.trim_ascii().eq_ignore_ascii_case(b"https"))
}

/// Whether a URL carries a credential, which must then be treated as leaked.
///
/// Percent-encoding hides nothing: the text is looked at as it came, decoded,
/// and decoded again, since a careless client encodes twice.
fn carries_token(uri: &Uri) -> bool {
    let texts = [uri.authority().map(Authority::as_str), Some(uri.path()), uri.query()];
    texts.into_iter().flatten().any(|text| mentions_token(text.as_bytes()))
        || uri.query().is_some_and(|query| query.split('&').any(names_token))
}

fn mentions_token(text: &[u8]) -> bool {
    let found = |text: &[u8]| text.windows(MARK.len()).any(|part| part == MARK);
    if found(text) {
        return true;
    }
    let Some(once) = decoded(text) else { return false };
    found(&once) || decoded(&once).is_some_and(|twice| found(&twice))
}

/// Whether a pair of the query is named like a credential.
fn names_token(pair: &str) -> bool {
    let name = pair.split('=').next().unwrap_or_default().as_bytes();
    let decoded = decoded(name);
    let name = decoded.as_deref().unwrap_or(name);
    ["token", "access_token", "api_key", "apikey"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// The text without its percent-encoding (RFC 3986, section 2.1); `None` when it has none.
fn decoded(text: &[u8]) -> Option<Vec<u8>> {
    if !text.contains(&b'%') {
        return None;
    }
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = after;
        match (*first, after) {
            (b'%', [high, low, beyond @ ..]) => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => {
                    plain.push((high << 4) | low);
                    rest = beyond;
                }
                (None, _) | (_, None) => plain.push(b'%'),
            },
            (byte, _) => plain.push(byte),
        }
    }
    Some(plain)
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_from_nowhere_is_let_in_over_tls_alone() {
        let (settings, headers) = (Settings::default(), HeaderMap::new());
        assert_eq!(channel(&settings, None, Transport::Plain, &headers), None);
        assert_eq!(channel(&settings, None, Transport::Tls, &headers), Some(Channel::Https));
    }

    #[test]
    fn broken_percent_encoding_stays_as_it_is() {
        let text = |bytes: &[u8]| decoded(bytes).map(|plain| String::from_utf8(plain).expect("text"));
        assert_eq!(text(b"plain"), None);
        assert_eq!(text(b"%41%4a%zz%4").as_deref(), Some("AJ%zz%4"));
        assert_eq!(text(b"%%41%").as_deref(), Some("%A%"));
    }
}
