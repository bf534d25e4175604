//! Receivers whose answers have broken bodies, or bodies that break readers.

use super::{BROKEN, TAKEN};
use crate::hostile::behaviour::{
    Behaviour,
    Step::{Again, Bytes, Hush, Request, Say},
};

const CHUNKED: &str = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

pub(super) const ALL: &[Behaviour] = &[
    Behaviour::http("a chunk of no size", BROKEN, &[Request, Say(CHUNKED), Say("\r\nok\r\n0\r\n\r\n"), Hush]),
    Behaviour::http("a chunk size in words", BROKEN, &[Request, Say(CHUNKED), Say("two\r\nok\r\n"), Hush]),
    Behaviour::http("a chunk size below zero", BROKEN, &[Request, Say(CHUNKED), Say("-2\r\nok\r\n"), Hush]),
    Behaviour::http(
        "a chunk size of more than 64 bits",
        BROKEN,
        &[Request, Say(CHUNKED), Say("10000000000000002\r\nok\r\n"), Hush],
    ),
    Behaviour::http(
        "a chunk longer than its size",
        BROKEN,
        &[Request, Say(CHUNKED), Say("2\r\nokay\r\n0\r\n\r\n"), Hush],
    ),
    Behaviour::http("a body that breaks off", BROKEN, &[Request, Say("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf")]),
    Behaviour::http("chunks that break off", BROKEN, &[Request, Say(CHUNKED), Say("5\r\nhal")]),
    Behaviour::http("no last chunk", BROKEN, &[Request, Say(CHUNKED), Say("2\r\nok\r\n")]),
    Behaviour::http(
        "a gzip bomb",
        TAKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 10221\r\n\r\n"), Bytes(super::BOMB), Again],
    )
    .kept(),
    Behaviour::http(
        "a body that is not text",
        TAKEN,
        &[
            Request,
            Say("HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 8\r\n\r\n"),
            Bytes(b"\xff\xfe\0\x1b[2J\x07"),
            Again,
        ],
    )
    .kept(),
    Behaviour::http(
        "a body that would run in a browser",
        TAKEN,
        &[
            Request,
            Say("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 25\r\n\r\n<script>alert(1)</script>"),
            Again,
        ],
    )
    .kept(),
];
