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
//! A plain request of this machine's own passes too: no other machine can read it.
//! One that carries a header of forwarding is not this machine's own: a proxy
//! beside the server passed it on, and unless the proxy is listed it is unknown
//! how it came there. It is refused. A proxy beside the server that adds no
//! header at all cannot be told from a client there, so the operator lists
//! every proxy. Beyond that, what an untrusted peer writes
//! into such headers changes nothing.

mod channel;
mod url;

use std::sync::Arc;

use axum::extract::{Extension, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::HeaderValue;
use http::header::STRICT_TRANSPORT_SECURITY;

pub(crate) use self::channel::Channel;
use self::channel::Exposed;
use self::url::carries_token;
use crate::app::App;
use crate::context::Context;
use crate::problem::{Code, Problem};
use crate::server::{Peer, Transport};

/// A year; later plain requests of browsers then turn into https ones (RFC 6797).
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

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
    let channel = match Channel::of(&app.settings, peer, transport, request.headers()) {
        Ok(channel) => channel,
        Err(exposed) => return refuse(Code::HttpsRequired, exposed.detail()),
    };
    let mut response = if carries_token(request.uri(), app.peppers.mark()) {
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

impl Exposed {
    fn detail(self) -> &'static str {
        match self {
            Self::Plain => {
                "use https, and replace a token that was sent in the clear: others may have read it"
            }
            Self::Unlisted => {
                "a proxy on the server's machine passed this request on, and the setting `trusted_proxies` \
                 does not list it: list its address there, and let it say `https` in the header of the setting \
                 `forwarded_proto_header`"
            }
        }
    }
}
