//! Notices that are dropped into a folder.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Site, await_that};

/// Writes a file as the documents say: under another name first.
fn drop_into(folder: &Path, name: &str, text: &str) {
    fs::create_dir_all(folder).expect("made");
    let unfinished = folder.join(format!("{name}.part"));
    fs::write(&unfinished, text).expect("written");
    fs::rename(unfinished, folder.join(name)).expect("renamed");
}

fn notice(company: &str, reference: &str) -> Value {
    json!({"companyId": company, "source": "dehu", "kind": "notification", "issuer": "Agencia Tributaria",
        "subject": "Requerimiento de información", "reference": reference, "availableAt": "2026-01-12T08:00:00Z"})
}

#[test]
fn what_is_dropped_is_recorded_once_and_what_cannot_be_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let waiting = folder.path().join("notices");
    let site = Site::new().with("SVC_NOTICES__FOLDER", waiting.to_str().expect("text"));
    let [company, _, token] = site.bootstrap();
    // What waited before the server started is taken too.
    drop_into(&waiting, "one.json", &notice(&company, "N-1").to_string());
    let server = site.serve();
    let api = server.api(&token);
    await_that("the first notice", || api.get("/api/v1/tax/notices").expect(200)["total"] == 1);
    drop_into(&waiting, "one.json", &notice(&company, "N-1").to_string());
    drop_into(&waiting, "two.json", &notice(&company, "N-2").to_string());
    drop_into(&waiting, "stranger.json", &notice("acc_01jjxvfvr4f16pz7s9h7p4hsqk", "N-3").to_string());
    drop_into(&waiting, "late.json", &json!({"source": "dehu"}).to_string());
    drop_into(&waiting, "large.json", &format!("\"{}\"", "x".repeat(70_000)));
    let mut unclear = notice(&company, "N-4");
    unclear["availableAt"] = json!("tomorrow");
    drop_into(&waiting, "unclear.json", &unclear.to_string());
    drop_into(&waiting, "note.txt", "not for the service");
    let names = |folder: &str| {
        let entries = fs::read_dir(waiting.join(folder)).into_iter().flatten().map_while(Result::ok);
        let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().expect("text")).collect();
        names.sort();
        names
    };
    await_that("the refusals", || names("refused").len() == 8 && names("taken").len() == 3);
    assert_eq!(names("taken"), ["2-one.json", "one.json", "two.json"]);
    assert_eq!(names(""), ["note.txt", "refused", "taken"]);
    let why = |name: &str| fs::read_to_string(waiting.join("refused").join(name)).expect("a reason");
    assert_eq!(why("stranger.json.txt"), "companyId is unknown\n");
    assert!(why("late.json.txt").contains("missing field `kind`"), "{}", why("late.json.txt"));
    assert!(why("large.json.txt").contains("larger than 65536 bytes"));
    assert!(why("unclear.json.txt").starts_with("availableAt "), "{}", why("unclear.json.txt"));
    let kept = api.get("/api/v1/tax/notices").expect(200);
    let mut references: Vec<_> =
        kept["items"].as_array().expect("a list").iter().map(|one| &one["reference"]).collect();
    references.sort_by_key(|one| one.as_str());
    assert_eq!(references, ["N-1", "N-2"]);
}
