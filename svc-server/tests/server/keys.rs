//! The master key is replaced, and nothing stops working.

use serde_json::{Value, json};

use crate::harness::{Answer, Receiver, Site};

const PASSWORD: &str = "a long enough password";

fn key(number: u32, byte: &str) -> String {
    format!("{number}:{}", byte.repeat(32))
}

/// What doctor says of the keys.
fn told(site: &Site) -> Value {
    let run = site.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let checks = report["checks"].as_array().expect("a list").clone();
    checks.into_iter().find(|check| check["name"] == "master keys").expect("it looks at the keys")
}

#[test]
fn what_an_old_key_made_works_after_the_rotation() {
    rotated(Site::new());
}

#[test]
fn what_an_old_key_made_works_after_the_rotation_on_postgresql() {
    if let Some(site) = Site::on_postgres() {
        rotated(site);
    }
}

fn rotated(site: Site) {
    let site = site.with("SVC_MASTER_KEY", &key(1, "01"));
    let [account, user, old_token] = site.bootstrap();
    assert!(site.run_with(PASSWORD, &["user", "set-password", &user, "--password-stdin"]).status.success());
    let server = site.serve();
    let old_receiver = Receiver::answering(Answer::Status(200));
    let (_, old_secret) = server.api(&old_token).subscribe(&old_receiver.url, &["contact.create"]);
    let old_session = server.bare().sign_in("ana@example.com", PASSWORD);
    let cookie = old_session.carries("Cookie").to_owned();
    server.stop();

    // The new key is known first, and used next; both times everything works.
    let site = site.with("SVC_MASTER_KEYS_OLD", &key(2, "02"));
    let server = site.serve();
    server.api(&old_token).contact("Luna SA");
    old_receiver.next().assert_signed_with(&old_secret);
    server.stop();
    let site = site.with("SVC_MASTER_KEY", &key(2, "02")).with("SVC_MASTER_KEYS_OLD", &key(1, "01"));
    let server = site.serve();
    server.bare().call("GET", "/api/v1/session", &[("Cookie", &cookie)], "").expect(200);
    let create =
        json!({"name": "New", "permissions": ["full"], "primaryAccountId": account, "personalData": false});
    let ana = server.bare().sign_in("ana@example.com", PASSWORD);
    let new_token =
        ana.post("/api/v1/tokens", &create).expect(201)["value"].as_str().expect("a value").to_owned();
    let new_receiver = Receiver::answering(Answer::Status(200));
    let (_, new_secret) = server.api(&new_token).subscribe(&new_receiver.url, &["contact.create"]);
    server.api(&old_token).contact("Sol SA");
    old_receiver.next().assert_signed_with(&old_secret);
    new_receiver.next().assert_signed_with(&new_secret);
    server.stop();
    assert_eq!(site.json(&["audit", "verify"])["ok"], true, "one chain under both keys");
    let keys = told(&site);
    assert_eq!(keys["ok"], true);
    for part in [
        "2 is in use, 1 tokens, 1 webhook secrets, 1 passwords, 0 second factors, 0 connections and",
        "1 is needed by 1 tokens, 1 webhook secrets, 0 passwords, 0 second factors, 0 connections and",
    ] {
        assert!(keys["detail"].as_str().is_some_and(|detail| detail.contains(part)), "{keys}");
    }

    // The new token was made with the new key: without the old one it alone goes on.
    let site = site.with("SVC_MASTER_KEYS_OLD", "");
    let keys = told(&site);
    assert_eq!(keys["ok"], false);
    assert!(keys["detail"].as_str().is_some_and(|detail| detail.contains("1 is missing")), "{keys}");
    let server = site.serve();
    server.api(&new_token).get("/api/v1/auth/whoami").expect(200);
    assert_eq!(server.api(&old_token).get("/api/v1/auth/whoami").expect(401)["code"], "token_invalid");
    server.stop();
    let other = site.with("SVC_MASTER_KEY", &key(3, "03"));
    assert_eq!(other.run(&["token", "list", "--json"]).error()["code"], "wrong_master_key");
}

#[test]
fn two_keys_of_one_number_are_refused() {
    let site =
        Site::new().with("SVC_MASTER_KEY", &"01".repeat(32)).with("SVC_MASTER_KEYS_OLD", &"02".repeat(32));
    let run = site.run(&["serve", "--json"]);
    assert_eq!((run.status.code(), run.error()["code"].as_str()), (Some(2), Some("master_key_repeated")));
    let report = site.run(&["doctor", "--json"]);
    assert!(!report.stdout.contains("0202") && !report.stderr.contains("0202"), "{report:?}");
}
