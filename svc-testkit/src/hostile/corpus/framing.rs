//! Receivers that leave in doubt where an answer ends.

use super::{BROKEN, OK, TAKEN, TAKEN_OR_BROKEN};
use crate::hostile::behaviour::{
    Behaviour,
    End::{self, Answered},
    Step::{Again, Hush, Request, Say},
};

const NO_CONTENT: &[End] = &[Answered(204)];
const FORGED: &str = "HTTP/1.1 299 Forged\r\ncontent-length: 6\r\n\r\nforged";

pub(super) const ALL: &[Behaviour] = &[
    Behaviour::http(
        "two lengths that differ",
        BROKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok"), Hush],
    ),
    Behaviour::http(
        "two lengths in one header",
        BROKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\ncontent-length: 2, 3\r\n\r\nok"), Hush],
    ),
    Behaviour::http(
        "the same length twice",
        TAKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok"), Again],
    )
    .kept(),
    Behaviour::http(
        "a length below zero",
        BROKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n"), Hush],
    ),
    Behaviour::http(
        "a length with a sign",
        BROKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\ncontent-length: +2\r\n\r\nok"), Hush],
    ),
    Behaviour::http(
        "a length in hexadecimal",
        BROKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\ncontent-length: 0x2\r\n\r\nok"), Hush],
    ),
    Behaviour::http(
        "a length of more than 64 bits",
        BROKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\ncontent-length: 18446744073709551618\r\n\r\nok"), Hush],
    ),
    Behaviour::http(
        "chunks and a length",
        TAKEN,
        &[
            Request,
            Say(
                "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
            ),
            Again,
        ],
    ),
    Behaviour::http(
        "chunks in HTTP/1.0",
        BROKEN,
        &[Request, Say("HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"), Hush],
    ),
    Behaviour::http(
        "an unknown transfer coding",
        TAKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\ntransfer-encoding: zebra\r\n\r\nok")],
    ),
    Behaviour::http(
        "an unsolicited answer behind the answer",
        TAKEN,
        &[
            Request,
            Say(
                "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 299 Forged\r\ncontent-length: 0\r\n\r\n",
            ),
            Again,
        ],
    ),
    Behaviour::http(
        "an unsolicited answer behind the last chunk",
        TAKEN,
        &[
            Request,
            Say(
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nHTTP/1.1 299 Forged\r\ncontent-length: 0\r\n\r\n",
            ),
            Again,
        ],
    ),
    Behaviour::http("an unsolicited answer a moment later", TAKEN, &[Request, Say(OK), Say(FORGED), Again])
        .later(),
    Behaviour::http("a body longer than its length", TAKEN, &[Request, Say(OK), Say("and much more"), Again])
        .later(),
    Behaviour::http(
        "204 with a body",
        NO_CONTENT,
        &[Request, Say("HTTP/1.1 204 No Content\r\ncontent-length: 6\r\n\r\nforged"), Again],
    ),
    Behaviour::http(
        "204 with an unsolicited answer as its body",
        NO_CONTENT,
        &[
            Request,
            Say("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 299 Forged\r\ncontent-length: 0\r\n\r\n"),
            Again,
        ],
    ),
    Behaviour::http(
        "304 with a body",
        &[Answered(304)],
        &[Request, Say("HTTP/1.1 304 Not Modified\r\ncontent-length: 6\r\n\r\nforged"), Again],
    ),
    Behaviour::http("an answer before the request", TAKEN_OR_BROKEN, &[Say(OK), Request, Say(FORGED), Hush])
        .later(),
];
