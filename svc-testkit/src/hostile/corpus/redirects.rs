//! Receivers that send the sender elsewhere.

use crate::hostile::behaviour::{
    Behaviour,
    End::Answered,
    Step::{Again, Request, Say},
};

macro_rules! answer {
    ($status:literal, $headers:literal) => {
        &[
            Request,
            Say(concat!("HTTP/1.1 ", $status, " Elsewhere\r\n", $headers, "\r\ncontent-length: 0\r\n\r\n")),
            Again,
        ]
    };
}

pub(super) const ALL: &[Behaviour] = &[
    Behaviour::http("300 to elsewhere", &[Answered(300)], answer!("300", "location: {elsewhere}")).kept(),
    Behaviour::http("301 to elsewhere", &[Answered(301)], answer!("301", "location: {elsewhere}")).kept(),
    Behaviour::http("302 to elsewhere", &[Answered(302)], answer!("302", "location: {elsewhere}")).kept(),
    Behaviour::http("303 to elsewhere", &[Answered(303)], answer!("303", "location: {elsewhere}")).kept(),
    Behaviour::http("305 to a proxy", &[Answered(305)], answer!("305", "location: {elsewhere}")).kept(),
    Behaviour::http("307 to elsewhere", &[Answered(307)], answer!("307", "location: {elsewhere}")).kept(),
    Behaviour::http("308 to elsewhere", &[Answered(308)], answer!("308", "location: {elsewhere}")).kept(),
    Behaviour::http("307 to itself", &[Answered(307)], answer!("307", "location: {here}")).kept(),
    Behaviour::http("302 to a file", &[Answered(302)], answer!("302", "location: file:///etc/passwd")).kept(),
    Behaviour::http("302 to nowhere", &[Answered(302)], answer!("302", "x-location: none")).kept(),
    Behaviour::http(
        "302 to two places",
        &[Answered(302)],
        answer!("302", "location: {elsewhere}\r\nlocation: {here}"),
    )
    .kept(),
    Behaviour::http("200 with a refresh", &[Answered(200)], answer!("200", "refresh: 0; url={elsewhere}"))
        .kept(),
    Behaviour::http(
        "200 with another service",
        &[Answered(200)],
        answer!("200", "alt-svc: h3=\":443\", h2=\"127.0.0.1:80\"\r\nlink: <{elsewhere}>; rel=preload"),
    )
    .kept(),
    Behaviour::http(
        "401 with a question",
        &[Answered(401)],
        answer!("401", "www-authenticate: Basic realm=x"),
    )
    .kept(),
    Behaviour::http("407 with a question", &[Answered(407)], answer!("407", "proxy-authenticate: NTLM"))
        .kept(),
    Behaviour::http("421 and a wish to try again", &[Answered(421)], answer!("421", "retry-after: 0")).kept(),
];
