//! Receivers that take their time.

use super::{OK, TIMEOUT};
use crate::hostile::behaviour::{
    Behaviour, Door,
    Step::{Deaf, Drip, Head, Hush, Request, Say, Sip},
};

pub(super) const ALL: &[Behaviour] = &[
    Behaviour::http("takes no connection", TIMEOUT, &[]).behind(Door::Shut),
    Behaviour::http("takes a connection and says nothing", TIMEOUT, &[Hush]),
    Behaviour::http("reads the request and says nothing", TIMEOUT, &[Request, Hush]),
    Behaviour::http("reads half of a large request", TIMEOUT, &[Head, Deaf]).large(),
    Behaviour::http("never reads a large request", TIMEOUT, &[Deaf]).large(),
    Behaviour::http("reads a large request by the byte", TIMEOUT, &[Sip]).large(),
    Behaviour::http("stops within the version", TIMEOUT, &[Request, Say("HT"), Hush]),
    Behaviour::http("drips the reason of the status", TIMEOUT, &[Request, Say("HTTP/1.1 200 O"), Drip(b"k")]),
    Behaviour::http("drips a header", TIMEOUT, &[Request, Say("HTTP/1.1 200 OK\r\nx-slow: "), Drip(b"x")]),
    Behaviour::http(
        "drips a body of known length",
        TIMEOUT,
        &[Request, Say("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n"), Drip(b"x")],
    ),
    Behaviour::http(
        "drips a body of unknown length",
        TIMEOUT,
        &[Request, Say("HTTP/1.1 200 OK\r\n\r\n"), Drip(b"x")],
    ),
    Behaviour::http(
        "drips chunks",
        TIMEOUT,
        &[Request, Say("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"), Drip(b"1\r\nx\r\n")],
    ),
    Behaviour::http(
        "drips the size of a chunk",
        TIMEOUT,
        &[Request, Say("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"), Drip(b"0")],
    ),
    Behaviour::http("drips interim answers", TIMEOUT, &[Request, Drip(b"HTTP/1.1 102 Processing\r\n\r\n")]),
    Behaviour::http("drips empty lines before the answer", TIMEOUT, &[Request, Drip(b"\r\n")]),
    Behaviour::http("stalls after the status", TIMEOUT, &[Request, Say("HTTP/1.1 200 OK\r\n"), Hush]),
    Behaviour::http(
        "stalls after the head",
        TIMEOUT,
        &[Request, Say("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n"), Hush],
    ),
    Behaviour::http(
        "announces a huge body and stalls",
        TIMEOUT,
        &[Request, Say("HTTP/1.1 200 OK\r\ncontent-length: 9007199254740991\r\n\r\nhello"), Hush],
    ),
    Behaviour::http(
        "never sends the last chunk",
        TIMEOUT,
        &[Request, Say("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n"), Hush],
    ),
    Behaviour::http(
        "asks to go on and stalls",
        TIMEOUT,
        &[Request, Say("HTTP/1.1 100 Continue\r\n\r\n"), Hush],
    ),
    Behaviour::http(
        "answers once and stalls on the same connection",
        super::TAKEN,
        &[Request, Say(OK), Request, Hush],
    )
    .then(TIMEOUT)
    .kept(),
];
