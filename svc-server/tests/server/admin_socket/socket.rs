//! The socket itself: whose it is, what a kill leaves, and what it makes of nonsense.

use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::harness::{PATIENCE, Site, token_create};

fn path_of(site: &Site) -> PathBuf {
    site.path().join("data/svc.db.admin.sock")
}

/// A connection that was greeted.
fn greeted(site: &Site) -> UnixStream {
    let mut stream = UnixStream::connect(path_of(site)).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("set");
    let greeting = answer(&mut stream);
    assert_eq!(greeting["protocol"], 1, "{greeting}");
    stream
}

fn answer(stream: &mut UnixStream) -> Value {
    let mut length = [0; 4];
    stream.read_exact(&mut length).expect("answered");
    let mut bytes = vec![0; usize::try_from(u32::from_be_bytes(length)).expect("in range")];
    stream.read_exact(&mut bytes).expect("answered");
    serde_json::from_slice(&bytes).expect("JSON")
}

/// What the server answers to these bytes in a frame.
fn asked(site: &Site, bytes: &[u8]) -> Value {
    let mut stream = greeted(site);
    let length = u32::try_from(bytes.len()).expect("short").to_be_bytes();
    stream.write_all(&[&length, bytes].concat()).expect("sent");
    answer(&mut stream)
}

#[test]
fn the_socket_is_for_its_owner_alone_and_goes_with_its_server() {
    let site = Site::new();
    let server = site.serve();
    let there = std::fs::metadata(path_of(&site)).expect("there");
    assert_eq!(there.permissions().mode() & 0o777, 0o600);
    server.stop();
    assert!(!path_of(&site).exists());
}

#[test]
fn a_socket_that_a_killed_server_left_is_in_the_way_of_nothing() {
    let site = Site::new();
    let [account, user, token] = site.bootstrap();
    site.serve().kill();
    assert!(path_of(&site).exists());
    // First a command that has the file for itself, then one beside the next server.
    site.json(&token_create(&account, &user));
    let server = site.serve();
    site.json(&token_create(&account, &user));
    assert_eq!(site.json(&["token", "list"])["items"].as_array().map(Vec::len), Some(3));
    server.api(&token).get("/api/v1/auth/whoami").expect(200);
    server.stop();
}

#[test]
fn nonsense_is_refused_with_its_reason_and_hurts_no_server() {
    let site = Site::new();
    let [account, user, _] = site.bootstrap();
    let server = site.serve();
    let code = |answer: &Value| answer["failed"]["code"].as_str().map(str::to_owned);
    for nonsense in [&b""[..], b"\xff", b"{", b"[]", br#"{"protocol":1,"change":{"tokenList":{}}}"#] {
        let answer = asked(&site, nonsense);
        assert_eq!(code(&answer).as_deref(), Some("admin_request_invalid"), "{answer}");
    }
    let other = asked(&site, br#"{"protocol":2,"change":{}}"#);
    assert_eq!(code(&other).as_deref(), Some("admin_protocol"), "{other}");
    let mut stream = greeted(&site);
    stream.write_all(&u32::MAX.to_be_bytes()).expect("sent");
    let long = answer(&mut stream);
    assert_eq!(code(&long).as_deref(), Some("admin_request_invalid"), "{long}");
    assert!(long["failed"]["message"].as_str().is_some_and(|text| text.contains("1048576 bytes")), "{long}");
    // Half a frame, and a connection that only looked.
    greeted(&site).write_all(&[0, 0, 0, 9, b'{']).expect("sent");
    drop(greeted(&site));
    site.json(&token_create(&account, &user));
    server.stop();
}

#[test]
fn connections_that_say_nothing_are_closed_and_commands_get_their_turn() {
    let site = Site::new();
    let [account, user, _] = site.bootstrap();
    let server = site.serve();
    let mut silent: Vec<_> = (0..8).map(|_| greeted(&site)).collect();
    site.json(&token_create(&account, &user));
    let told = answer(&mut silent[0]);
    assert!(told["failed"]["message"].as_str().is_some_and(|text| text.contains("in time")), "{told}");
    server.stop();
}

#[test]
fn a_path_that_is_too_long_for_a_socket_is_named_and_the_server_serves_all_the_same() {
    let site = Site::new();
    let folder = site.path().join("x".repeat(100));
    let site = site.with("SVC_DATABASE_URL", &format!("sqlite://{}", folder.join("svc.db").display()));
    let [account, user, token] = site.bootstrap();
    let (server, log) = site.serve_logged();
    log.await_line(&["commands that change something are refused", "too long"]);
    server.api(&token).get("/api/v1/auth/whoami").expect(200);
    let refused = site.run(&[&token_create(&account, &user)[..], &["--json"]].concat()).error();
    assert_eq!(refused["code"], "database_in_use", "{refused}");
    assert!(refused["hint"].as_str().is_some_and(|hint| hint.contains("relative path")), "{refused}");
    assert_eq!(site.json(&["token", "list"])["items"].as_array().map(Vec::len), Some(1));
    server.stop();
    site.json(&token_create(&account, &user));
}

#[test]
fn a_server_of_another_protocol_is_named_and_told_no_secret() {
    let site = Site::new();
    site.bootstrap();
    // The lock file says that a process has the database; this listener plays it.
    let lock = std::fs::File::open(site.path().join("data/svc.db-lock")).expect("there");
    lock.lock().expect("locked");
    let listener = std::os::unix::net::UnixListener::bind(path_of(&site)).expect("bound");
    let older = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a command");
        let greeting = json!({"protocol": 0, "version": "0.0.1"}).to_string();
        let length = u32::try_from(greeting.len()).expect("short").to_be_bytes();
        stream.write_all(&[&length, greeting.as_bytes()].concat()).expect("sent");
        let mut heard = Vec::new();
        stream.read_to_end(&mut heard).expect("it hangs up");
        heard
    });
    let set = ["user", "set-password", "ana@example.com", "--password-stdin", "--json"];
    let run = site.run_with("a stitch in time saves nine", &set);
    assert_eq!(run.error()["code"], "admin_protocol");
    assert!(run.error()["message"].as_str().is_some_and(|text| text.contains("0.0.1")), "{run:?}");
    assert_eq!(older.join().expect("it ended"), b"");
}
