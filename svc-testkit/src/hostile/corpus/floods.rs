//! Receivers that send more than any sender wants.

use super::{BROKEN, TAKEN};
use crate::hostile::behaviour::{
    Behaviour,
    Step::{Flood, Hush, Request, Say, Times},
};

const HEAD: &str = "HTTP/1.1 200 OK\r\n";
const CHUNKED: &str = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

pub(super) const ALL: &[Behaviour] = &[
    Behaviour::http("endless headers", BROKEN, &[Request, Say(HEAD), Flood(b"x-flood: 1\r\n")]),
    Behaviour::http(
        "65 headers",
        BROKEN,
        &[Request, Say(HEAD), Times(64, b"x-many: 1\r\n"), Say("content-length: 0\r\n\r\n"), Hush],
    ),
    Behaviour::http("one endless header", BROKEN, &[Request, Say(HEAD), Say("x-long: "), Flood(b"x")]),
    Behaviour::http(
        "a header of 1 MiB",
        BROKEN,
        &[Request, Say(HEAD), Say("x-long: "), Times(1 << 20, b"x"), Say("\r\n\r\n"), Hush],
    ),
    Behaviour::http("an endless reason", BROKEN, &[Request, Say("HTTP/1.1 200 "), Flood(b"x")]),
    Behaviour::http("endless empty lines before the answer", BROKEN, &[Request, Flood(b"\r\n")]),
    Behaviour::http("an endless name of a header", BROKEN, &[Request, Say(HEAD), Flood(b"x")]),
    Behaviour::http("an endless body", TAKEN, &[Request, Say(HEAD), Say("\r\n"), Flood(b"x")]),
    Behaviour::http(
        "a body of exabytes",
        TAKEN,
        &[Request, Say(HEAD), Say("content-length: 9223372036854775807\r\n\r\n"), Flood(b"x")],
    ),
    Behaviour::http("endless chunks", TAKEN, &[Request, Say(CHUNKED), Flood(b"3\r\nabc\r\n")]),
    Behaviour::http(
        "one endless chunk",
        TAKEN,
        &[Request, Say(CHUNKED), Say("7fffffffffffffff\r\n"), Flood(b"x")],
    ),
    Behaviour::http(
        "an endless extension of a chunk",
        BROKEN,
        &[Request, Say(CHUNKED), Say("1;x="), Flood(b"x")],
    ),
    Behaviour::http("endless digits of a chunk's size", BROKEN, &[Request, Say(CHUNKED), Flood(b"0000")]),
    Behaviour::http(
        "endless trailers",
        BROKEN,
        &[Request, Say(CHUNKED), Say("0\r\n"), Flood(b"x-flood: 1\r\n")],
    ),
    Behaviour::http(
        "interim answers without end",
        BROKEN,
        &[Request, Flood(b"HTTP/1.1 100 Continue\r\n\r\n")],
    ),
    Behaviour::http(
        "early hints without end",
        BROKEN,
        &[Request, Flood(b"HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n")],
    ),
    Behaviour::http(
        "an endless gzip bomb",
        TAKEN,
        &[Request, Say(HEAD), Say("content-encoding: gzip\r\n\r\n"), Flood(super::BOMB)],
    ),
];
