//! What hostile clients do: what they write first, and what they go on writing.

use std::net::SocketAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::http2::{
    CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS, PING, PREFACE, RST_STREAM, SETTINGS, WINDOW_UPDATE,
    frame, head, header, opening, requests,
};

/// The server, and a token of a company of the attacker's own.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Target {
    pub(super) api: SocketAddr,
    pub(super) token: String,
}

/// What a client reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    Nothing,
    All,
    /// Of HTTP/2 everything, and each ping is answered.
    Pings,
}

/// What a client does.
#[derive(Clone, Copy)]
pub struct Behaviour {
    /// In words.
    pub name: &'static str,
    pub(super) connections: usize,
    pub(super) many_addresses: bool,
    pub(super) reads: Reads,
    pub(super) opening: fn(&Target) -> Vec<u8>,
    pub(super) every: Duration,
    pub(super) again: fn(&Target, u32) -> Vec<u8>,
}

impl Behaviour {
    const fn new(name: &'static str, connections: usize, opening: fn(&Target) -> Vec<u8>) -> Self {
        Self {
            name,
            connections,
            many_addresses: false,
            reads: Reads::All,
            opening,
            every: Duration::from_secs(1),
            again: |_, _| Vec::new(),
        }
    }

    const fn reading(self, reads: Reads) -> Self {
        Self { reads, ..self }
    }

    const fn of_many_addresses(self) -> Self {
        Self { many_addresses: true, ..self }
    }

    const fn then(self, millis: u64, again: fn(&Target, u32) -> Vec<u8>) -> Self {
        Self { every: Duration::from_millis(millis), again, ..self }
    }
}

const BUNDLE: &str = "/docs/swagger-ui-bundle.js";

fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes()
}

fn with_token(target: &Target, line: &str, rest: &str) -> Vec<u8> {
    format!(
        "{line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n{rest}",
        target.token
    )
    .into_bytes()
}

fn posted(target: &Target, path: &str, body: &str) -> Vec<u8> {
    with_token(target, &format!("POST {path}"), &format!("Content-Length: {}\r\n\r\n{body}", body.len()))
}

fn sign_in(body: &str) -> Vec<u8> {
    format!(
        "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Windows of no bytes for every stream.
const NO_WINDOW: (u16, u32) = (4, 0);

/// Every behaviour.
#[must_use]
pub fn all() -> Vec<Behaviour> {
    [heads(), answers(), bodies(), streams(), work()].concat()
}

/// Connections that never come to a request.
fn heads() -> Vec<Behaviour> {
    vec![
        Behaviour::new("connects and says nothing", 1_000, |_| Vec::new()),
        Behaviour::new("connects from many addresses and says nothing", 3_000, |_| Vec::new())
            .of_many_addresses(),
        Behaviour::new("connects and goes away", 100, |_| b"\r\n".to_vec())
            .then(5, |_, _| b"x\r\n\r\n".to_vec()),
        Behaviour::new("stops within a head", 500, |_| {
            b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ".to_vec()
        }),
        Behaviour::new("drips a head", 500, |_| b"GET / HTTP/1.1\r\nHost: localhost\r\n".to_vec())
            .then(500, |_, turn| format!("X-{turn}: a\r\n").into_bytes()),
        Behaviour::new("sends a head without an end", 50, |_| b"GET / HTTP/1.1\r\n".to_vec())
            .then(10, |_, turn| format!("X-{turn}: {}\r\n", "a".repeat(4_000)).into_bytes()),
        Behaviour::new("names a path without an end", 50, |_| b"GET /".to_vec())
            .then(10, |_, _| vec![b'a'; 16_384]),
        Behaviour::new("sends what is no HTTP", 100, |_| vec![0xff; 4_096])
            .then(20, |_, _| vec![0xff; 4_096]),
        Behaviour::new("begins TLS where there is none", 100, |_| {
            vec![0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]
        }),
        Behaviour::new("sends the preface of HTTP/2 alone", 1_000, |_| PREFACE.to_vec())
            .reading(Reads::Pings),
        Behaviour::new("keeps HTTP/2 alive by answering pings", 2_000, |_| opening(&[]))
            .reading(Reads::Pings),
        Behaviour::new("keeps HTTP/2 alive from many addresses", 3_000, |_| opening(&[]))
            .reading(Reads::Pings)
            .of_many_addresses(),
    ]
}

/// Answers that their clients do not read, or slowly.
fn answers() -> Vec<Behaviour> {
    vec![
        Behaviour::new("never reads a large file", 200, |_| get(BUNDLE)).reading(Reads::Nothing),
        Behaviour::new("asks for a large file a hundred times and never reads", 100, |_| {
            get(BUNDLE).repeat(100)
        })
        .reading(Reads::Nothing),
        Behaviour::new("asks on HTTP/2 with windows of no bytes", 100, |_| {
            [opening(&[NO_WINDOW]), requests(100, &head("GET", BUNDLE, &[]))].concat()
        })
        .reading(Reads::Pings),
        Behaviour::new("opens a window by the byte", 50, |_| {
            [opening(&[NO_WINDOW]), requests(50, &head("GET", BUNDLE, &[]))].concat()
        })
        .reading(Reads::Pings)
        .then(100, |_, turn| frame(WINDOW_UPDATE, 0, 2 * (turn % 50) + 1, &1_u32.to_be_bytes())),
        Behaviour::new("asks for pages of large records and never reads", 40, |target| {
            with_token(target, "GET /api/v1/contacts?limit=200", "\r\n")
        })
        .reading(Reads::Nothing),
        Behaviour::new("asks for pages of large records on HTTP/2 without a window", 10, |target| {
            let token = format!("Bearer {}", target.token);
            let block = head("GET", "/api/v1/contacts?limit=20", &[("authorization", &token)]);
            [opening(&[NO_WINDOW]), requests(100, &block)].concat()
        })
        .reading(Reads::Pings),
        Behaviour::new("asks for single large records and never reads", 200, |target| {
            with_token(target, "GET /api/v1/contacts?limit=1", "\r\n").repeat(50)
        })
        .reading(Reads::Nothing),
    ]
}

/// Bodies that are large, slow or deep.
fn bodies() -> Vec<Behaviour> {
    vec![
        Behaviour::new("signs in with a megabyte that grows when it is judged", 20, |_| Vec::new()).then(
            100,
            |_, _| {
                sign_in(&format!(
                    r#"{{"email":"a@example.com","password":"{}"}}"#,
                    "\u{fdfa}".repeat(330_000)
                ))
            },
        ),
        Behaviour::new("signs in with passwords by the thousand", 20, |_| Vec::new()).then(20, |_, turn| {
            sign_in(&format!(r#"{{"email":"a{turn}@example.com","password":"correct horse {turn}"}}"#))
        }),
        Behaviour::new("sends a body by the byte", 500, |target| {
            with_token(target, "POST /api/v1/contacts", "Content-Length: 1000000\r\n\r\n{")
        })
        .then(1_000, |_, _| b" ".to_vec()),
        Behaviour::new("leaves large bodies open", 400, |target| {
            with_token(
                target,
                "POST /api/v1/contacts",
                &format!("Content-Length: 1000000\r\n\r\n{}", " ".repeat(900_000)),
            )
        }),
        Behaviour::new("leaves large bodies without a token open", 400, |_| {
            let head = "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n";
            format!("{head}{}", " ".repeat(900_000)).into_bytes()
        }),
        Behaviour::new("sends chunks without an end", 50, |target| {
            with_token(target, "POST /api/v1/contacts", "Transfer-Encoding: chunked\r\n\r\n")
        })
        .then(5, |_, _| format!("4000\r\n{}\r\n", "a".repeat(16_384)).into_bytes()),
        Behaviour::new("sends chunks of one byte", 50, |target| {
            with_token(target, "POST /api/v1/contacts", "Transfer-Encoding: chunked\r\n\r\n")
        })
        .then(5, |_, _| b"1\r\na\r\n".repeat(1_000)),
        Behaviour::new("sends JSON that is deep", 20, |_| Vec::new())
            .then(20, |target, _| posted(target, "/api/v1/contacts", &"[".repeat(500_000))),
        Behaviour::new("sends bodies with a token that is none", 20, |_| Vec::new()).then(20, |target, _| {
            let known = Target { api: target.api, token: "svc_live_none".to_owned() };
            posted(&known, "/api/v1/contacts", &" ".repeat(900_000))
        }),
        Behaviour::new("asks to go on and sends nothing", 500, |target| {
            with_token(
                target,
                "POST /api/v1/contacts",
                "Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n",
            )
        }),
        Behaviour::new("says two lengths", 100, |target| {
            with_token(
                target,
                "POST /api/v1/contacts",
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            )
        }),
    ]
}

/// Streams of HTTP/2 against its rules, or just within them.
fn streams() -> Vec<Behaviour> {
    vec![
        Behaviour::new("resets streams rapidly", 20, |_| opening(&[])).reading(Reads::Pings).then(
            5,
            |_, turn| {
                let block = head("GET", "/api/v1/openapi.json", &[]);
                (0..50)
                    .flat_map(|number| {
                        let stream = (turn * 50 + number) * 2 + 1;
                        [
                            frame(HEADERS, END_HEADERS | END_STREAM, stream, &block),
                            frame(RST_STREAM, 0, stream, &[0, 0, 0, 8]),
                        ]
                        .concat()
                    })
                    .collect()
            },
        ),
        Behaviour::new("continues a head without an end", 20, |_| {
            [opening(&[]), frame(HEADERS, END_STREAM, 1, &head("GET", "/", &[]))].concat()
        })
        .reading(Reads::Pings)
        .then(5, |_, _| frame(CONTINUATION, 0, 1, &header("x-many", &"a".repeat(1_000))).repeat(10)),
        Behaviour::new("sends heads that unpack to megabytes", 20, |_| {
            let mut block = vec![0x82, 0x86, 0x84, 0x40, 1, b'x', 127, 0xa1, 0x1e];
            block.extend(vec![b'a'; 4_000]);
            block.extend([0xbe; 10_000]);
            [opening(&[]), frame(HEADERS, END_HEADERS | END_STREAM, 1, &block)].concat()
        })
        .reading(Reads::Pings),
        Behaviour::new("floods with pings", 20, |_| opening(&[]))
            .then(5, |_, _| frame(PING, 0, 0, &[0; 8]).repeat(200)),
        Behaviour::new("floods with pings and reads nothing", 20, |_| opening(&[]))
            .reading(Reads::Nothing)
            .then(5, |_, _| frame(PING, 0, 0, &[0; 8]).repeat(200)),
        Behaviour::new("floods with settings", 20, |_| opening(&[]))
            .then(5, |_, _| frame(SETTINGS, 0, 0, &[]).repeat(200)),
        Behaviour::new("floods with empty data", 20, |_| {
            [opening(&[]), frame(HEADERS, END_HEADERS, 1, &head("POST", "/api/v1/session", &[]))].concat()
        })
        .reading(Reads::Pings)
        .then(5, |_, _| frame(DATA, 0, 1, &[]).repeat(200)),
        Behaviour::new("leaves bodies on a hundred streams open", 50, |target| {
            let token = format!("Bearer {}", target.token);
            let block = head(
                "POST",
                "/api/v1/contacts",
                &[("authorization", &token), ("content-type", "application/json")],
            );
            let open = (0..100).flat_map(|number| {
                let stream = 2 * number + 1;
                [frame(HEADERS, END_HEADERS, stream, &block), frame(DATA, 0, stream, &[b' '; 16_000])]
                    .concat()
            });
            opening(&[]).into_iter().chain(open).collect()
        })
        .reading(Reads::Pings),
    ]
}

/// Requests that are answered, and cost.
fn work() -> Vec<Behaviour> {
    vec![
        Behaviour::new("asks without a token as fast as it can", 50, |_| Vec::new())
            .then(5, |_, _| get("/api/v1/contacts").repeat(5)),
        Behaviour::new("asks for pages of large records", 40, |_| Vec::new())
            .then(50, |target, _| with_token(target, "GET /api/v1/contacts?limit=200", "\r\n")),
        Behaviour::new("asks for an order that no index serves", 40, |_| Vec::new()).then(50, |target, _| {
            with_token(target, "GET /api/v1/contacts?sort=name,-createdAt,updatedAt&limit=50", "\r\n")
        }),
        Behaviour::new("searches", 40, |_| Vec::new()).then(50, |target, turn| {
            with_token(target, &format!("GET /api/v1/contacts?q=luna%20{turn}"), "\r\n")
        }),
        Behaviour::new("asks ten thousand times in one piece", 10, |_| {
            get("/docs/errors/not_found").repeat(10_000)
        })
        .reading(Reads::Nothing),
    ]
}
