//! `audit verify` and `audit heads` on logs that were tampered with.

use std::path::PathBuf;

use serde_json::Value;

use crate::harness::{Run, Site};

/// A site whose log has some records; its company, and a copy of the database as one file.
fn logged() -> (Site, String, PathBuf) {
    let site = Site::new();
    let [account, user, _] = site.bootstrap();
    for name in ["Web shop", "Warehouse", "Reports"] {
        let create = [
            "token",
            "create",
            "--account",
            &account,
            "--creator",
            &user,
            "--name",
            name,
            "--permission",
            "read",
        ];
        site.json(&create);
    }
    let copy = site.path().join("copy.db");
    site.json(&["backup", copy.to_str().expect("text")]);
    (site, account, copy)
}

/// The site over another file, with the same key.
fn over(site: Site, file: &std::path::Path) -> Site {
    let key = site.path().join("data/svc.key");
    let url = format!("sqlite://{}", file.display());
    site.with("SVC_DATABASE_URL", &url).with("SVC_MASTER_KEY_FILE", key.to_str().expect("text"))
}

/// Puts a text of the same length in the place of another one, wherever it stands in the file.
fn overwrite(file: &std::path::Path, before: &str, after: &str) {
    assert_eq!(before.len(), after.len());
    let mut bytes = std::fs::read(file).expect("read");
    let places: Vec<_> =
        bytes.windows(before.len()).enumerate().filter(|(_, part)| *part == before.as_bytes()).collect();
    let places: Vec<_> = places.into_iter().map(|(at, _)| at).collect();
    assert!(!places.is_empty(), "`{before}` is in the file");
    for at in places {
        bytes[at..at + after.len()].copy_from_slice(after.as_bytes());
    }
    std::fs::write(file, bytes).expect("written");
}

fn report(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn a_whole_log_verifies_up_to_its_head() {
    let (site, account, _) = logged();
    let heads = site.json(&["audit", "heads"]);
    let head = &heads["items"][0];
    let verified = site.json(&["audit", "verify"]);
    assert_eq!(verified["ok"], true);
    assert_eq!(verified["items"][0]["accountId"], account);
    assert_eq!(verified["items"][0]["records"], head["number"]);
    assert_eq!(verified["items"][0]["seal"], head["seal"]);
    assert!(head["number"].as_u64().is_some_and(|number| number >= 5), "member, and four tokens: {head}");

    let line = site.run(&["audit", "heads"]).stdout.trim().to_owned();
    site.json(&["audit", "verify", "--account", &account, "--expect", &line]);
    let table = site.run(&["audit", "verify"]);
    assert!(table.status.success() && table.stdout.contains("whole"), "{table:?}");
}

#[test]
fn a_changed_record_is_named_and_the_command_fails() {
    let (site, account, copy) = logged();
    overwrite(&copy, "Warehouse", "Warehouze");
    let site = over(site, &copy);
    let run = site.run(&["audit", "verify", "--json"]);
    assert_eq!((run.status.code(), run.error()["code"].as_str()), (Some(1), Some("audit_broken")));
    let item = &report(&run)["items"][0];
    assert_eq!((item["accountId"].as_str(), item["ok"].as_bool()), (Some(account.as_str()), Some(false)));
    let broken = item["brokenRecord"].as_u64().expect("a number");
    assert_eq!(item["records"].as_u64(), Some(broken - 1), "what stands before it fits");
    let message = run.error()["message"].as_str().expect("text").to_owned();
    assert!(message.contains(&account) && message.contains(&broken.to_string()), "{message}");

    let people = site.run(&["audit", "verify"]);
    assert!(people.stderr.contains(&format!("record {broken}")), "{people:?}");
}

#[test]
fn a_record_that_was_kept_elsewhere_shows_what_was_cut_off_or_written_anew() {
    let (site, account, _) = logged();
    let head = &site.json(&["audit", "heads"])["items"][0];
    let (number, seal) = (head["number"].as_u64().expect("a number"), head["seal"].as_str().expect("text"));
    let verify = |number: u64, seal: &str| {
        let mark = format!("{account}={number}:{seal}");
        let run = site.run(&["audit", "verify", "--expect", &mark, "--json"]);
        (run.status.code(), report(&run)["items"][0]["brokenRecord"].as_u64())
    };
    assert_eq!(verify(number, seal), (Some(0), None));
    assert_eq!(verify(number + 3, seal), (Some(1), Some(number + 3)), "the log once went further");
    assert_eq!(verify(2, seal), (Some(1), Some(2)), "another record stood there");

    let none = "acc_00000000000000000000000001";
    let gone = site.run(&["audit", "verify", "--expect", &format!("{none}=1:{seal}"), "--json"]);
    assert_eq!(gone.status.code(), Some(1), "a company whose whole log is gone");
    let wrong = site.run(&["audit", "verify", "--expect", "nonsense", "--json"]);
    assert_eq!((wrong.status.code(), wrong.error()["code"].as_str()), (Some(2), Some("usage")));
}
