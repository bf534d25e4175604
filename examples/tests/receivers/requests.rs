//! Requests to running receivers: genuine, changed, old, repeated, too large, broken off.

use std::process::{Command, Output};

use svc_core::clock::Clock as _;
use svc_core::event::{Event, EventDeclaration};
use svc_core::id::{AccountId, ContactId, TypedId as _};
use svc_core::system::{OsRandom, SystemClock};
use svc_webhooks::signature::{ID_HEADER, SIGNATURE_HEADER, sign};

use crate::languages::Language;
use crate::process::Process;

const SECRET: &str = "whsec_ThisSecretIsPublic0123456789AndOpensNothing";

fn event() -> Event {
    let now = SystemClock.now();
    let (account, contact) = (AccountId::generate(now, &OsRandom), ContactId::generate(now, &OsRandom));
    Event::new(&EventDeclaration::new("contact.create", "contact"), account, contact, now, &OsRandom)
}

/// The headers of an attempt that was signed so many seconds ago.
fn headers(event: &Event, secret: &str, seconds_ago: i64, body: &[u8]) -> [(&'static str, String); 2] {
    let t = SystemClock.now().unix_seconds() - seconds_ago;
    [(ID_HEADER, event.id.to_string()), (SIGNATURE_HEADER, sign(secret, t, body))]
}

fn it_works_once_on_each_genuine_event_and_on_nothing_else(mut receiver: Process) {
    let (first, second) = (event(), event());
    let body = first.body();
    let genuine = || headers(&first, SECRET, 0, &body);
    let post = |headers: &[(&str, String)], body: &[u8]| receiver.post(headers, body).expect("an answer");

    // What must not be worked on, before and after the genuine one.
    let refused = |when: &str| {
        let changed =
            String::from_utf8(body.clone()).expect("JSON").replace("contact.create", "contact.delete");
        assert_eq!(post(&genuine(), changed.as_bytes()), 400, "{when}: a changed body");
        assert_eq!(post(&genuine(), b""), 400, "{when}: no body");
        let [_, signature] = genuine();
        assert_eq!(post(std::slice::from_ref(&signature), &body), 400, "{when}: no id");
        let other = (ID_HEADER, second.id.to_string());
        assert_eq!(post(&[other, signature], &body), 400, "{when}: another id");
        let [id, _] = genuine();
        assert_eq!(post(&[id], &body), 400, "{when}: no signature");
        assert_eq!(post(&headers(&first, "whsec_other", 0, &body), &body), 400, "{when}: another secret");
        assert_eq!(post(&headers(&first, SECRET, 330, &body), &body), 400, "{when}: old");
        assert_eq!(post(&headers(&first, SECRET, -330, &body), &body), 400, "{when}: from the future");
    };
    refused("before");
    assert_eq!(post(&genuine(), &body), 200);
    refused("after");
    assert_eq!(post(&genuine(), &body), 200, "a repeat");
    assert_eq!(post(&headers(&first, SECRET, 200, &body), &body), 200, "a repeat, signed anew");

    // More than any notification holds: the receiver may hang up on it.
    let large = vec![b' '; 80 * 1024];
    let status = receiver.post(&headers(&second, SECRET, 0, &large), &large).unwrap_or(413);
    assert_eq!(status, 413, "a large body");
    receiver.post_half(&genuine(), &body).expect("sent");

    let body = second.body();
    assert_eq!(receiver.post(&headers(&second, SECRET, 0, &body), &body).expect("an answer"), 200);
    // Had anything else been worked on, it would stand between the two.
    assert_eq!(receiver.work(), first.id.to_string());
    assert_eq!(receiver.work(), second.id.to_string());
}

fn started(program: &str, secrets: &str) -> Process {
    let mut command = Command::new(program);
    command.arg("127.0.0.1:0");
    Process::start(&mut command, secrets)
}

fn served(language: Language) {
    if let Some(mut server) = language.server() {
        let receiver = Process::start(&mut server.command, SECRET);
        it_works_once_on_each_genuine_event_and_on_nothing_else(receiver);
    }
}

const AXUM: &str = env!("CARGO_BIN_EXE_receive_axum");
const HYPER: &str = env!("CARGO_BIN_EXE_receive_hyper");

#[test]
fn the_receiver_in_axum_works_once_on_each_genuine_event_and_on_nothing_else() {
    it_works_once_on_each_genuine_event_and_on_nothing_else(started(AXUM, SECRET));
}

#[test]
fn the_receiver_in_hyper_works_once_on_each_genuine_event_and_on_nothing_else() {
    it_works_once_on_each_genuine_event_and_on_nothing_else(started(HYPER, SECRET));
}

#[test]
fn the_receiver_in_node_works_once_on_each_genuine_event_and_on_nothing_else() {
    served(Language::Node);
}

#[test]
fn the_receiver_in_python_works_once_on_each_genuine_event_and_on_nothing_else() {
    served(Language::Python);
}

#[test]
fn the_receiver_in_go_works_once_on_each_genuine_event_and_on_nothing_else() {
    served(Language::Go);
}

#[test]
fn the_receiver_in_php_works_once_on_each_genuine_event_and_on_nothing_else() {
    served(Language::Php);
}

#[test]
fn the_receiver_in_ruby_works_once_on_each_genuine_event_and_on_nothing_else() {
    served(Language::Ruby);
}

#[test]
fn while_a_secret_is_replaced_both_are_accepted() {
    for program in [AXUM, HYPER] {
        let receiver = started(program, &format!("whsec_new,{SECRET}"));
        for secret in ["whsec_new", SECRET] {
            let event = event();
            let body = event.body();
            let status = receiver.post(&headers(&event, secret, 0, &body), &body).expect("an answer");
            assert_eq!(status, 200, "{secret}");
        }
    }
}

#[test]
fn a_receiver_without_its_secret_does_not_start() {
    for program in [AXUM, HYPER] {
        let Output { status, stderr, .. } =
            Command::new(program).env_remove("SVC_WEBHOOK_SECRET").output().expect("it runs");
        let told = String::from_utf8_lossy(&stderr).contains("SVC_WEBHOOK_SECRET");
        assert!(!status.success() && told, "{}", String::from_utf8_lossy(&stderr));
    }
}
