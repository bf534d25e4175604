//! Commands that run to their end.

use serde_json::json;

use crate::harness::Site;

/// Every command as it is written on the command line.
const COMMANDS: &[&[&str]] = &[
    &[],
    &["serve"],
    &["demo"],
    &["bootstrap"],
    &["account", "create"],
    &["account", "api-access"],
    &["group", "create"],
    &["group", "add"],
    &["user", "create"],
    &["user", "set-password"],
    &["member", "add"],
    &["member", "remove"],
    &["token", "create"],
    &["token", "list"],
    &["token", "update"],
    &["token", "disable"],
    &["token", "enable"],
    &["token", "revoke"],
    &["token", "rotate"],
    &["mcp", "connections"],
    &["mcp", "calls"],
    &["audit", "verify"],
    &["audit", "heads"],
    &["migrate"],
    &["openapi"],
    &["backup"],
    &["doctor"],
    &["verify"],
    &["listen"],
];

#[test]
fn every_command_explains_itself_with_an_example() {
    let site = Site::new();
    for command in COMMANDS {
        let run = site.run(&[command, &["--help"][..]].concat());
        assert!(run.status.success(), "{command:?}: {run:?}");
        assert!(
            run.stdout.contains("Example") && run.stdout.contains("--json"),
            "{command:?}: {}",
            run.stdout
        );
    }
}

#[test]
fn a_command_line_that_is_wrong_ends_with_2() {
    let site = Site::new();
    for wrong in
        [&["frobnicate"][..], &["serve", "--no-dispatch", "--dispatch-only"], &["token", "disable", "x"]]
    {
        let run = site.run(&[wrong, &["--json"]].concat());
        assert_eq!(run.status.code(), Some(2), "{wrong:?}");
        assert_eq!(run.error()["code"], "usage");
    }
}

#[test]
fn a_setting_that_does_not_exist_is_refused_with_its_origin() {
    let run = Site::new().with("SVC_WEBHOOK__TIMEOUT", "1s").run(&["serve", "--json"]);
    assert_eq!(run.status.code(), Some(2));
    let error = run.error();
    assert_eq!(error["code"], "unknown_setting");
    assert!(error["message"].as_str().is_some_and(|text| text.contains("SVC_WEBHOOK__TIMEOUT")));
    assert!(error["hint"].as_str().is_some_and(|text| text.contains("SVC_WEBHOOKS__TIMEOUT")));

    let site = Site::new();
    std::fs::write(site.path().join("svc.toml"), "lissen = '127.0.0.1:1'\n").expect("written");
    let run = site.run(&["doctor"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(run.stderr.contains("`lissen`") && run.stderr.contains("svc.toml"), "{}", run.stderr);
}

#[test]
fn what_is_wrong_in_a_file_of_settings_is_told_without_what_stands_there() {
    let site = Site::new();
    let wrong = "# one\ndatabase_url = postgres://svc:hunter2@db/svc\n";
    std::fs::write(site.path().join("svc.toml"), wrong).expect("written");
    let run = site.run(&["serve", "--json"]);
    assert_eq!(run.error()["code"], "config_invalid");
    let message = run.error()["message"].as_str().expect("text").to_owned();
    assert!(message.contains("svc.toml") && message.contains("line 2"), "{message}");
    assert!(!run.stderr.contains("hunter2") && !run.stdout.contains("hunter2"), "{}", run.stderr);
    let files = Site::new().with("SVC_FILES__URL", "s3://AKIA:hunter2@bucket/x?endpoint=http://127.0.0.1:1");
    for command in [&["serve", "--json"][..], &["doctor", "--json"]] {
        let run = files.run(command);
        assert!(run.stdout.contains("***") || run.error()["code"] == "files_unusable", "{command:?}");
        assert!(!run.stderr.contains("hunter2") && !run.stdout.contains("hunter2"), "{}", run.stderr);
    }
}

#[test]
fn plain_http_beyond_this_machine_is_refused_before_anything_is_made() {
    let site = Site::new();
    let run = site.run(&["serve", "--listen", "0.0.0.0:0"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(
        run.stderr.contains("the flag --listen") && run.stderr.contains("SVC_BEHIND_PROXY"),
        "{}",
        run.stderr
    );
    assert_eq!(std::fs::read_dir(site.path()).expect("there").count(), 0);
}

#[test]
fn bootstrap_works_once_and_keeps_its_key_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let site = Site::new();
    let [account, user, token] = site.bootstrap();
    assert!(account.starts_with("acc_") && user.starts_with("usr_") && token.starts_with("svc_live_"));
    let key = std::fs::metadata(site.path().join("data/svc.key")).expect("made");
    assert_eq!(key.permissions().mode() & 0o777, 0o600);

    let again = ["bootstrap", "--legal-name", "Luna SA", "--email", "luis@example.com", "--json"];
    let run = site.run(&again);
    assert_eq!(run.status.code(), Some(1));
    assert_eq!(run.error()["code"], "bootstrapped");
    assert_eq!(site.json(&["token", "list"])["items"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_bootstrap_that_is_refused_leaves_nothing_behind() {
    let site = Site::new();
    let bad = [
        "bootstrap",
        "--legal-name",
        "Sol SL",
        "--email",
        "ana@example.com",
        "--tax-id",
        "B00000000",
        "--json",
    ];
    let run = site.run(&bad);
    assert_eq!(
        (run.status.code(), run.error()["code"].as_str()),
        (Some(2), Some("invalid_input")),
        "{run:?}"
    );
    let password =
        ["bootstrap", "--legal-name", "Sol SL", "--email", "ana@example.com", "--password-stdin", "--json"];
    for short in ["", "\n", "short\n", "ana@example.com\n"] {
        let run = site.run_with(short, &password);
        assert_eq!(run.error()["code"], "invalid_input", "{run:?}");
    }
    site.bootstrap();
}

#[test]
fn operators_found_companies_and_say_who_may_do_what() {
    let site = Site::new();
    let [sol, ana, _] = site.bootstrap();
    let luis = site.json(&["user", "create", "--email", "luis@example.com", "--name", "Luis Luna"]);
    let luis = luis["userId"].as_str().expect("an id");
    let luna = site.json(&["account", "create", "--legal-name", "Luna SA", "--holder", "luis@example.com"]);
    let luna = luna["accountId"].as_str().expect("an id");
    let group = site.json(&["group", "create", "--name", "Grupo Sol", "--parent", &sol]);
    let group = group["groupId"].as_str().expect("an id");
    site.json(&["group", "add", "--group", group, "--account", luna, "--ownership-percent", "51.5"]);

    // Ana neither holds nor administers Luna yet.
    let make = |creator: &str| {
        [
            "token",
            "create",
            "--account",
            luna,
            "--creator",
            creator,
            "--name",
            "Shop",
            "--permission",
            "read",
            "--json",
        ]
        .map(str::to_owned)
    };
    let run = |arguments: &[String]| site.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let refused = run(&make(&ana));
    assert_eq!((refused.status.code(), refused.error()["code"].as_str()), (Some(1), Some("refused")));
    site.json(&["member", "add", "--account", luna, "--user", &ana, "--role", "administrator"]);
    assert!(run(&make(&ana)).status.success());

    site.json(&["account", "api-access", "off", "--account", luna]);
    let refused = run(&make(luis)).error();
    assert!(refused["hint"].as_str().is_some_and(|hint| hint.contains("api-access on")), "{refused}");

    let last = site.run(&["member", "remove", "--account", luna, "--user", luis]);
    assert_eq!(last.status.code(), Some(1), "a company keeps its last holder: {last:?}");
    site.json(&["member", "remove", "--account", luna, "--user", &ana]);
}

#[test]
fn a_token_lives_through_its_states_and_its_value_is_never_listed() {
    let site = Site::new();
    let [account, user, full] = site.bootstrap();
    let made = site.json(&[
        "token",
        "create",
        "--account",
        &account,
        "--creator",
        &user,
        "--name",
        "Shop",
        "--permission",
        "contacts:contacts.read",
        "--allowed-ip",
        "203.0.113.0/24",
        "--expires-at",
        "2099-01-01T00:00:00Z",
    ]);
    let id = made["id"].as_str().expect("an id");
    let value = made["token"].as_str().expect("a value");
    let status = |step: &str| site.json(&["token", step, id])["status"].clone();
    assert_eq!(status("disable"), "disabled");
    assert_eq!(status("enable"), "active");
    let rotated = site.json(&["token", "rotate", id]);
    assert_eq!(rotated["id"], id);
    assert_ne!(rotated["token"], value);
    assert_eq!(status("revoke"), "revoked");
    assert_eq!(site.run(&["token", "enable", id]).status.code(), Some(1));

    let list = site.run(&["token", "list", "--account", &account, "--json"]).stdout;
    assert!(list.contains(id) && list.contains("203.0.113.0/24"), "{list}");
    assert!(!list.contains(value) && !list.contains(&full));
}

#[test]
fn doctor_tells_origins_and_keeps_secrets() {
    let site = Site::new().with("SVC_MASTER_KEY", &"ab".repeat(32));
    let report = site.run(&["doctor", "--json"]).stdout;
    assert!(!report.contains("abab"), "{report}");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    let key = report["settings"].as_array().expect("rows").iter().find(|row| row["name"] == "master_key");
    assert_eq!(key.expect("listed")["origin"], "the variable SVC_MASTER_KEY");

    let site = Site::new();
    site.bootstrap();
    assert!(site.run(&["doctor"]).status.success());
    std::fs::remove_file(site.path().join("data/svc.key")).expect("there");
    let run = site.run(&["doctor", "--json"]);
    assert_eq!(run.error()["code"], "unhealthy");
}

#[test]
fn migrate_applies_what_is_pending_and_then_nothing() {
    let site = Site::new();
    let missing = site.run(&["token", "list", "--json"]);
    assert_eq!(missing.error()["code"], "database_missing");
    let applied = site.json(&["migrate"]);
    assert!(applied["applied"].as_array().is_some_and(|names| !names.is_empty()), "{applied}");
    assert_eq!(site.json(&["migrate"]), json!({"applied": []}));
}

#[test]
fn a_backup_is_a_whole_database() {
    let site = Site::new();
    let [_, _, token] = site.bootstrap();
    let copy = site.path().join("copy.db");
    let copy = copy.to_str().expect("text");
    site.json(&["backup", copy]);
    assert_eq!(site.run(&["backup", copy, "--json"]).error()["code"], "backup_exists");
    // What was left by one that ended in the middle is begun anew, and none has the name of a whole one.
    let other = site.path().join("other.db");
    let partial = site.path().join("other.db.partial");
    std::fs::write(&partial, "half a copy").expect("written");
    site.json(&["backup", other.to_str().expect("text")]);
    assert!(other.exists() && !partial.exists());
    let nowhere = site.path().join("nowhere/copy.db");
    let refused = site.run(&["backup", nowhere.to_str().expect("text"), "--json"]);
    assert_eq!(refused.error()["code"], "backup_failed");

    let key = site.path().join("data/svc.key");
    let key = key.to_str().expect("text").to_owned();
    let restored = Site::new();
    let site =
        restored.with("SVC_DATABASE_URL", &format!("sqlite://{copy}")).with("SVC_MASTER_KEY_FILE", &key);
    let server = site.serve();
    server.api(&token).get("/api/v1/auth/whoami").expect(200);
    server.stop();
}

#[test]
fn the_openapi_document_names_its_server() {
    let run = Site::new().run(&["openapi", "--public-url", "https://svc.example.com"]);
    let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
    assert!(document["webhooks"].is_object());
    assert!(document["servers"].to_string().contains("https://svc.example.com"), "{}", document["servers"]);
}
