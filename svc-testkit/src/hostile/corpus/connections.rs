//! Receivers that end connections when they should not.

use super::{BROKEN, OK, TAKEN, TAKEN_OR_BROKEN};
use crate::hostile::behaviour::{
    Behaviour,
    End::{Answered, Broken, Connect},
    Step::{Cut, Head, Request, Reset, Say},
};

pub(super) const ALL: &[Behaviour] = &[
    // Whether the sender sees its connection before it is gone is a matter of luck.
    Behaviour::http("resets at once", &[Connect, Broken], &[Reset]),
    Behaviour::http("resets after the head of the request", BROKEN, &[Head, Reset]),
    Behaviour::http("resets after the request", BROKEN, &[Request, Reset]),
    Behaviour::http("resets within the status", BROKEN, &[Request, Say("HTTP/1.1 2"), Reset]),
    Behaviour::http("resets within the headers", BROKEN, &[Request, Say("HTTP/1.1 200 OK\r\nx-a: "), Reset]),
    Behaviour::http(
        "resets within the body",
        BROKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"), Reset],
    ),
    Behaviour::http("resets behind the answer", TAKEN_OR_BROKEN, &[Request, Say(OK), Reset]).later(),
    Behaviour::http("ends at once", BROKEN, &[Cut]),
    Behaviour::http("ends after the request", BROKEN, &[Request]),
    Behaviour::http("ends within the status", BROKEN, &[Request, Say("HTTP/1.1 2")]),
    Behaviour::http("ends within the headers", BROKEN, &[Request, Say("HTTP/1.1 200 OK\r\nx-a: ")]),
    Behaviour::http("ends behind the answer without a word", TAKEN, &[Request, Say(OK)]).later(),
    Behaviour::http("resets on the second request", TAKEN, &[Request, Say(OK), Request, Reset])
        .then(BROKEN)
        .kept(),
    Behaviour::http("ends on the second request", TAKEN, &[Request, Say(OK), Request]).then(BROKEN).kept(),
    Behaviour::http(
        "breaks off the second answer",
        TAKEN,
        &[Request, Say(OK), Request, Say("HTTP/1.1 200 OK\r\nconte")],
    )
    .then(BROKEN)
    .kept(),
    Behaviour::http("resets while a large request is sent", BROKEN, &[Head, Reset]).large(),
    Behaviour::http("ends while a large request is sent", BROKEN, &[Head, Cut]).large(),
    Behaviour::http("answers while a large request is sent", TAKEN_OR_BROKEN, &[Head, Say(OK)])
        .large()
        .later(),
    Behaviour::http(
        "refuses a large request and resets",
        &[Answered(413), Broken],
        &[
            Head,
            Say("HTTP/1.1 413 Content Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"),
            Reset,
        ],
    )
    .large(),
];
