//! Receivers whose answers begin as no answer does.

use super::BROKEN;
use crate::hostile::behaviour::{
    Behaviour,
    End::{Answered, Broken},
    Step::{Again, Bytes, Hush, Request, Say},
};

pub(super) const ALL: &[Behaviour] = &[
    Behaviour::http("answers as HTTP/0.9", BROKEN, &[Request, Say("<html>hello</html>\r\n")]),
    Behaviour::http(
        "answers as HTTP/2",
        BROKEN,
        &[
            Request,
            Bytes(b"\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80\0\x04\0\x01\0\0\0\x05\0\xff\xff\xff"),
            Hush,
        ],
    ),
    Behaviour::http(
        "sends the preface of HTTP/2",
        BROKEN,
        &[Request, Say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), Hush],
    ),
    Behaviour::http("speaks HTTP/3.7", BROKEN, &[Request, Say("HTTP/3.7 200 OK\r\n\r\n"), Hush]),
    Behaviour::http("is an SSH server", BROKEN, &[Say("SSH-2.0-OpenSSH_9.6\r\n"), Hush]),
    Behaviour::http("is a mail server", BROKEN, &[Say("220 mail.example ESMTP\r\n"), Hush]),
    Behaviour::http(
        "sends TLS on a plain connection",
        BROKEN,
        &[Request, Bytes(b"\x15\x03\x01\0\x02\x02\x28"), Hush],
    ),
    Behaviour::http(
        "sends the request back",
        BROKEN,
        &[Request, Say("POST / HTTP/1.1\r\nhost: a\r\n\r\n"), Hush],
    ),
    Behaviour::http("sends zeros", BROKEN, &[Request, Bytes(&[0; 64]), Hush]),
    Behaviour::http("status 000", BROKEN, &[Request, Say("HTTP/1.1 000 Nothing\r\n\r\n"), Hush]),
    Behaviour::http(
        "status 999",
        &[Answered(999)],
        &[Request, Say("HTTP/1.1 999 Lots\r\ncontent-length: 0\r\n\r\n"), Again],
    )
    .kept(),
    Behaviour::http("status 2000", BROKEN, &[Request, Say("HTTP/1.1 2000 OK\r\n\r\n"), Hush]),
    Behaviour::http("status 20", BROKEN, &[Request, Say("HTTP/1.1 20 OK\r\n\r\n"), Hush]),
    Behaviour::http("status -200", BROKEN, &[Request, Say("HTTP/1.1 -200 OK\r\n\r\n"), Hush]),
    Behaviour::http("status in words", BROKEN, &[Request, Say("HTTP/1.1 OK\r\n\r\n"), Hush]),
    Behaviour::http("NUL in the reason", BROKEN, &[Request, Bytes(b"HTTP/1.1 200 O\0K\r\n\r\n"), Hush]),
    Behaviour::http(
        "NUL in a header",
        BROKEN,
        &[Request, Bytes(b"HTTP/1.1 200 OK\r\nx-nul: a\0b\r\ncontent-length: 0\r\n\r\n"), Hush],
    ),
    Behaviour::http(
        "a lone CR in a header",
        BROKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\nx-cr: a\rb\r\ncontent-length: 0\r\n\r\n"), Hush],
    ),
    Behaviour::http(
        "a folded header",
        BROKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\nx-fold: a\r\n b\r\ncontent-length: 0\r\n\r\n"), Hush],
    ),
    Behaviour::http(
        "a space before the colon",
        BROKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\ncontent-length : 0\r\n\r\n"), Hush],
    ),
    Behaviour::http(
        "a header without a colon",
        BROKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\nnonsense\r\n\r\n"), Hush],
    ),
    Behaviour::http(
        "a header without a name",
        BROKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\n: nameless\r\n\r\n"), Hush],
    ),
    Behaviour::http(
        "spaces before the first header",
        BROKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\n x: 1\r\n\r\n"), Hush],
    ),
    // Many small servers end their lines so.
    Behaviour::http(
        "lines that end without CR",
        &[Answered(200)],
        &[Request, Say("HTTP/1.1 200 OK\ncontent-length: 0\n\n"), Again],
    )
    .kept(),
    Behaviour::http(
        "switches protocols unasked",
        &[Answered(101)],
        &[
            Request,
            Say("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"),
            Bytes(b"\x81\x05hello"),
            Hush,
        ],
    ),
    Behaviour::http(
        "switches protocols without a word",
        &[Answered(101), Broken],
        &[Request, Say("HTTP/1.1 101 Oh\r\n\r\nHTTP/1.1 299 Forged\r\ncontent-length: 0\r\n\r\n"), Hush],
    ),
];
