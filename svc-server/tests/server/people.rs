//! People who sign in, and what operators do for them.

use std::time::Duration;

use serde_json::json;
use svc_core::clock::Timestamp;

use crate::harness::{Site, now, token_create};

const PASSWORD: &str = "a long enough password";

#[test]
fn a_password_of_the_bootstrap_signs_in_and_may_be_changed() {
    let site = Site::new();
    let arguments = ["bootstrap", "--legal-name", "Sol SL", "--email", "ana@example.com", "--password-stdin"];
    let run = site.run_with(&format!("{PASSWORD}\n"), &arguments);
    assert!(run.status.success(), "{run:?}");
    let server = site.serve();
    let ana = server.bare().sign_in("ANA@example.com", PASSWORD);
    let session = ana.get("/api/v1/session").expect(200);
    assert_eq!(session["person"]["email"], "ana@example.com");
    assert_eq!(session["companies"][0]["role"], "holder");

    let change = json!({"currentPassword": PASSWORD, "newPassword": "another long password"});
    ana.post("/api/v1/session/password", &change).expect(204);
    let old = json!({"email": "ana@example.com", "password": PASSWORD});
    assert_eq!(server.bare().post("/api/v1/session", &old).expect(401)["code"], "sign_in_failed");
    server.bare().sign_in("ana@example.com", "another long password");
    server.stop();
}

#[test]
fn an_operator_who_sets_a_password_signs_the_person_out() {
    let site = Site::new();
    let [account, _, _] = site.bootstrap();
    let create = ["user", "create", "--email", "luis@example.com", "--name", "Luis Luna", "--password-stdin"];
    assert!(site.run_with(PASSWORD, &create).status.success());
    site.json(&[
        "member",
        "add",
        "--account",
        &account,
        "--user",
        "luis@example.com",
        "--role",
        "accountant",
    ]);
    let server = site.serve();
    let luis = server.bare().sign_in("luis@example.com", PASSWORD);
    luis.get("/api/v1/session").expect(200);
    server.stop();

    let set = ["user", "set-password", "luis@example.com", "--password-stdin", "--json"];
    for bad in ["too short", "LUIS@example.com", &"x".repeat(129)] {
        let run = site.run_with(bad, &set);
        assert_eq!((run.status.code(), run.error()["code"].as_str()), (Some(2), Some("invalid_input")));
        assert!(!run.stderr.contains(bad) && !run.stdout.contains(bad), "{run:?}");
    }
    let unknown = ["user", "set-password", "eva@example.com", "--password-stdin", "--json"];
    assert_eq!(site.run_with(PASSWORD, &unknown).error()["code"], "unknown_user");
    assert!(site.run_with("the operator's choice\r\n", &set).status.success());

    let server = site.serve();
    let ended = crate::harness::Api::bare(server.address());
    let cookie = [("Cookie", luis.carries("Cookie"))];
    assert_eq!(ended.call("GET", "/api/v1/session", &cookie, "").expect(401)["code"], "session_invalid");
    server.bare().sign_in("luis@example.com", "the operator's choice");
    server.stop();
}

#[test]
fn an_operator_removes_a_second_factor_of_a_person_who_has_one() {
    let site = Site::new();
    site.bootstrap();
    let remove = |who: &str| site.run(&["user", "remove-second-factor", who, "--json"]).error();
    assert_eq!(remove("eva@example.com")["code"], "unknown_user");
    let without = remove("ana@example.com");
    assert_eq!(
        (&without["code"], &without["message"]),
        (&json!("refused"), &json!("the second factor is not on"))
    );
    // The running server carries it out, where it has the database.
    let server = site.serve();
    assert_eq!(remove("ana@example.com")["code"], "refused");
    server.stop();
}

#[test]
fn a_ceiling_of_the_operator_is_kept_by_every_way_to_a_token() {
    let site = Site::new().with("SVC_TOKENS__LONGEST_LIFE", "30d");
    let [account, user, _] = site.bootstrap();
    let first = &site.json(&["token", "list"])["items"][0];
    assert!(first["expiresAt"].is_string(), "the first token ends too: {first}");
    let create = token_create(&account, &user);
    let refused = site.run(&[&create[..], &["--json"]].concat());
    assert_eq!((refused.status.code(), refused.error()["code"].as_str()), (Some(2), Some("invalid_input")));
    let late = site.run(&[&create[..], &["--expires-at", "2099-01-01T00:00:00Z", "--json"]].concat());
    assert!(late.error()["message"].as_str().is_some_and(|text| text.contains("30 days")), "{late:?}");

    assert!(site.run_with(PASSWORD, &["user", "set-password", &user, "--password-stdin"]).status.success());
    let server = site.serve();
    let ana = server.bare().sign_in("ana@example.com", PASSWORD);
    let body = json!({"name": "Shop", "permissions": ["read"]});
    let problem = ana.post("/api/v1/tokens", &body).expect(422);
    assert_eq!(problem["errors"][0]["field"], "expiresAt", "{problem}");
    server.stop();
}

#[test]
fn sessions_live_as_long_as_the_settings_say() {
    let site = Site::new().with("SVC_SESSIONS__IDLE", "1m").with("SVC_SESSIONS__ABSOLUTE", "2m");
    let [_, user, _] = site.bootstrap();
    assert!(site.run_with(PASSWORD, &["user", "set-password", &user, "--password-stdin"]).status.success());
    let server = site.serve();
    let session = server.bare().sign_in("ana@example.com", PASSWORD).get("/api/v1/session").expect(200);
    let expires: Timestamp = session["expiresAt"].as_str().expect("an instant").parse().expect("an instant");
    let left = expires.since(now());
    assert!(left <= Duration::from_mins(2) && left >= Duration::from_secs(100), "{left:?}");
    server.stop();
}

#[test]
fn a_token_is_updated_from_the_command_line() {
    let site = Site::new();
    let [account, user, _] = site.bootstrap();
    let create = token_create(&account, &user);
    let made = site.json(&create);
    let id = made["id"].as_str().expect("an id");
    let nothing = site.run(&["token", "update", id, "--json"]);
    assert_eq!(
        (nothing.status.code(), nothing.error()["code"].as_str()),
        (Some(2), Some("nothing_to_update"))
    );
    let updated = site.json(&[
        "token",
        "update",
        id,
        "--name",
        "Web shop",
        "--permission",
        "contacts:contacts.read",
        "--allowed-ip",
        "203.0.113.0/24",
        "--personal-data",
        "true",
    ]);
    let expected = json!({
        "id": id, "name": "Web shop", "permissions": ["contacts:contacts.read"], "personalData": true,
        "allowedIps": ["203.0.113.0/24"],
    });
    assert_eq!(updated, expected);
    let open = site.json(&["token", "update", id, "--any-ip"]);
    assert_eq!((&open["allowedIps"], &open["name"]), (&json!([]), &json!("Web shop")));
    let bad = site.run(&["token", "update", id, "--permission", "everything", "--json"]);
    assert_eq!((bad.status.code(), bad.error()["code"].as_str()), (Some(2), Some("invalid_input")));
    site.json(&["token", "revoke", id]);
    assert_eq!(site.run(&["token", "update", id, "--any-ip"]).status.code(), Some(1));

    // Each of them is in the log, newest first.
    assert!(site.run_with(PASSWORD, &["user", "set-password", &user, "--password-stdin"]).status.success());
    let server = site.serve();
    let ana = server.bare().sign_in("ana@example.com", PASSWORD);
    let log = ana.get("/api/v1/audit-log?limit=50").expect(200);
    let entries = log["items"].as_array().expect("a list");
    let actions: Vec<_> = entries.iter().map(|entry| entry["action"].as_str().expect("text")).collect();
    let expected =
        ["password.set", "token.revoke", "token.update", "token.update", "token.create", "token.create"];
    assert!(actions.starts_with(&expected), "{actions:?}");
    assert!(entries.iter().all(|entry| entry["actor"]["type"] == "operator"), "{log}");
    server.stop();
}
