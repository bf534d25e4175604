//! Receivers whose TLS is not what it should be.

use super::{BROKEN, OK, TAKEN, TIMEOUT, TLS};
use crate::hostile::behaviour::{
    Behaviour,
    Certificate::{Expired, Good, OtherHost, Unknown},
    Door,
    Step::{Bytes, Cut, Drip, Flood, Hush, Request, Reset, Say, Something},
};

/// The start of a `ServerHello` of 512 bytes.
const HELLO: &[u8] = b"\x16\x03\x03\x02\x00\x02\x00\x01\xfc\x03\x03";

pub(super) const ALL: &[Behaviour] = &[
    Behaviour::http("no handshake at all", TIMEOUT, &[Hush]).behind(Door::NoTls),
    Behaviour::http("a handshake by the byte", TIMEOUT, &[Something, Bytes(HELLO), Drip(b"\x03")])
        .behind(Door::NoTls),
    Behaviour::http("a handshake that stalls", TIMEOUT, &[Something, Bytes(HELLO), Hush]).behind(Door::NoTls),
    Behaviour::http("a handshake of zeros without end", TLS, &[Something, Flood(b"\0\0\0\0\0\0\0\0")])
        .behind(Door::NoTls),
    Behaviour::http("plain HTTP where TLS is due", TLS, &[Something, Say(OK), Hush]).behind(Door::NoTls),
    Behaviour::http(
        "an alert instead of a handshake",
        TLS,
        &[Something, Bytes(b"\x15\x03\x03\0\x02\x02\x28")],
    )
    .behind(Door::NoTls),
    Behaviour::http("a reset instead of a handshake", TLS, &[Something, Reset]).behind(Door::NoTls),
    Behaviour::http("an end instead of a handshake", TLS, &[Something]).behind(Door::NoTls),
    Behaviour::http("a reset within the handshake", TLS, &[Something, Bytes(HELLO), Reset])
        .behind(Door::NoTls),
    Behaviour::http("a certificate of an unknown authority", TLS, &[Request, Say(OK), Hush])
        .behind(Door::Tls(Unknown)),
    Behaviour::http("a certificate for another host", TLS, &[Request, Say(OK), Hush])
        .behind(Door::Tls(OtherHost)),
    Behaviour::http("a certificate whose time is over", TLS, &[Request, Say(OK), Hush])
        .behind(Door::Tls(Expired)),
    Behaviour::http("TLS and then silence", TIMEOUT, &[Request, Hush]).behind(Door::Tls(Good)),
    Behaviour::http("TLS and then a reset", BROKEN, &[Request, Reset]).behind(Door::Tls(Good)),
    Behaviour::http(
        "TLS that is cut where the body has no length",
        BROKEN,
        &[Request, Say("HTTP/1.1 200 OK\r\n\r\nhalf"), Cut],
    )
    .behind(Door::Tls(Good)),
    Behaviour::http("TLS that is cut behind the answer", TAKEN, &[Request, Say(OK), Cut])
        .behind(Door::Tls(Good))
        .later(),
];
