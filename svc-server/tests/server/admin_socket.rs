//! Commands that change something beside a server that has the SQLite file.

mod socket;

use serde_json::{Value, json};

use crate::harness::{Log, Run, Server, Site, token_create};

const WHOAMI: &str = "/api/v1/auth/whoami";

#[test]
fn a_company_and_its_tokens_begin_and_end_beside_a_running_server() {
    let site = Site::new();
    let (server, log) = site.serve_logged();
    log.await_line(&["no company", "svc-server bootstrap"]);
    let [account, user, full] = site.bootstrap();
    server.api(&full).get(WHOAMI).expect(200);

    let made = site.json(&token_create(&account, &user));
    let (id, value) = (text(&made, "id"), text(&made, "token"));
    server.api(value).get(WHOAMI).expect(200);
    // Each holds from the next request on, although the server has the token in its cache.
    site.json(&["token", "disable", id]);
    server.api(value).get(WHOAMI).expect(401);
    site.json(&["token", "enable", id]);
    server.api(value).get(WHOAMI).expect(200);
    let rotated = site.json(&["token", "rotate", id]);
    server.api(value).get(WHOAMI).expect(401);
    let value = text(&rotated, "token");
    server.api(value).get(WHOAMI).expect(200);
    site.json(&["token", "update", id, "--permission", "sales:*.read"]);
    server.api(value).get("/api/v1/contacts").expect(403);
    site.json(&["token", "revoke", id]);
    server.api(value).get(WHOAMI).expect(401);
    server.api(&full).get(WHOAMI).expect(200);
    server.stop();

    // It is in the database, not in the server alone.
    let tokens = site.json(&["token", "list"]);
    let revoked = tokens["items"].as_array().expect("a list").iter().find(|token| token["id"] == id);
    assert_eq!(revoked.expect("listed")["state"], "revoked");
    assert!(!log.whole().contains("panicked"));
}

#[test]
fn people_companies_and_groups_are_changed_beside_a_running_server() {
    let site = Site::new();
    let [sol, ana, full] = site.bootstrap();
    let server = site.serve();
    let add = ["user", "create", "--email", "luis@example.com", "--password-stdin", "--json"];
    let run = site.run_with("a stitch in time saves nine\n", &add);
    assert!(run.status.success(), "{run:?}");
    server.bare().sign_in("luis@example.com", "a stitch in time saves nine");
    let luna = site.json(&["account", "create", "--legal-name", "Luna SA", "--holder", "luis@example.com"]);
    let luna = text(&luna, "accountId");
    let group = site.json(&["group", "create", "--name", "Grupo Sol", "--parent", &sol]);
    site.json(&["group", "add", "--group", text(&group, "groupId"), "--account", luna]);
    site.json(&["member", "add", "--account", luna, "--user", &ana, "--role", "administrator"]);

    let value = text(&site.json(&token_create(luna, &ana)), "token").to_owned();
    server.api(&value).contact("Librería Luna SL");
    site.json(&["member", "remove", "--account", luna, "--user", &ana]);
    server.api(&value).get(WHOAMI).expect(401);

    let session = server.bare().sign_in("luis@example.com", "a stitch in time saves nine");
    session.get("/api/v1/session").expect(200);
    let set = ["user", "set-password", "luis@example.com", "--password-stdin"];
    assert!(site.run_with("another stitch in time", &set).status.success());
    session.get("/api/v1/session").expect(401);
    server.bare().sign_in("luis@example.com", "another stitch in time");

    let off = site.json(&["account", "api-access", "off", "--account", &sol]);
    assert_eq!(off, json!({"accountId": sol, "apiAccess": false}));
    server.api(&full).get(WHOAMI).expect(200);
    server.stop();
}

#[test]
fn a_command_ends_in_the_same_way_with_and_without_a_server() {
    let site = Site::new();
    let [account, user, _] = site.bootstrap();
    let nowhere = "tok_01jd3k8z6qfjf9vma5y6z7a8b9";
    let set = ["user", "set-password", "ana@example.com", "--password-stdin"];
    let changes: &[&[&str]] = &[
        &["account", "api-access", "on", "--account", &account],
        &["bootstrap", "--legal-name", "Luna SA", "--email", "luis@example.com"],
        &["token", "revoke", nowhere],
        &["token", "update", nowhere],
        &["token", "create", "--account", &account, "--creator", &user, "--name", "", "--permission", "x"],
        &["member", "remove", "--account", &account, "--user", &user],
        &["member", "add", "--account", &account, "--user", "eva@example.com", "--role", "auditor"],
        &["user", "create", "--email", "no address"],
        &set,
    ];
    let run_all = || {
        let forms = changes.iter().flat_map(|change| [change.to_vec(), [change, &["--json"][..]].concat()]);
        forms.map(|arguments| shown(&site.run_with("short", &arguments))).collect::<Vec<_>>()
    };
    let alone = run_all();
    let server = site.serve();
    let beside = run_all();
    server.stop();
    assert_eq!(alone, beside);
    let codes = alone.iter().map(|(code, ..)| code.expect("it ended")).collect::<Vec<_>>();
    assert_eq!(codes, [0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 2]);
}

#[test]
fn every_kind_of_server_takes_commands_and_a_second_server_is_refused() {
    let site = Site::new();
    let [account, user, _] = site.bootstrap();
    for kind in [
        &["serve", "--json"][..],
        &["serve", "--no-dispatch", "--json"],
        &["serve", "--dispatch-only", "--json"],
    ] {
        let server = site.start(kind);
        site.json(&token_create(&account, &user));
        assert_eq!(site.json(&["migrate"]), json!({"applied": []}));
        let second = site.run(&["serve", "--json"]).error();
        assert_eq!(second["code"], "database_in_use", "{second}");
        assert!(second["hint"].as_str().is_some_and(|hint| hint.contains("stop the server")), "{second}");
        server.stop();
    }
}

#[test]
fn a_command_needs_no_master_key_for_what_the_server_does() {
    let site = Site::new().with("SVC_MASTER_KEY", &"ab".repeat(32));
    let [account, user, _] = site.bootstrap();
    let server = site.serve();
    let site = site.without("SVC_MASTER_KEY");
    let made = site.json(&token_create(&account, &user));
    server.api(text(&made, "token")).get(WHOAMI).expect(200);
    server.stop();
    assert_eq!(
        site.run(&["token", "rotate", text(&made, "id"), "--json"]).error()["code"],
        "master_key_missing"
    );
}

#[test]
fn what_commands_send_and_get_is_in_no_log() {
    let site = Site::new().with("SVC_LOG", "trace");
    let (server, log): (Server, Log) = site.serve_logged();
    let bootstrap =
        ["bootstrap", "--legal-name", "Sol SL", "--email", "ana@example.com", "--password-stdin", "--json"];
    let password = "a stitch in time saves nine";
    let made = site.run_with(password, &bootstrap);
    let value = serde_json::from_str::<Value>(&made.stdout).expect("JSON");
    let value = text(&value, "token").to_owned();
    server.api(&value).get(WHOAMI).expect(200);
    log.await_line(&["bootstrap", "done"]);
    server.stop();
    let secret = value.rsplit('_').next().expect("the end of a token");
    for told in [log.whole(), made.stderr] {
        assert!(!told.contains(password) && !told.contains(secret));
    }
}

/// All that an operator sees of how a command ended; the log, which goes to the same place, says nothing here.
fn shown(run: &Run) -> (Option<i32>, String, String) {
    (run.status.code(), run.stdout.clone(), run.stderr.clone())
}

fn text<'a>(made: &'a Value, name: &str) -> &'a str {
    made[name].as_str().unwrap_or_else(|| panic!("no `{name}` in {made}"))
}
