//! Files, whose contents come beside what is said of them, and what is shown of them.

use serde_json::{Value, json};

use super::{Office, id};

pub(super) fn upload(office: &Office, path: &str, text: &str) -> Value {
    let head = "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"contrato.txt\"\r\n\r\n";
    let body = format!("{head}{text}\r\n--b--\r\n");
    let media = ("Content-Type", "multipart/form-data; boundary=b");
    office.api.call("POST", &format!("/api/v1{path}"), &[media], &body).expect(201)
}

pub(super) fn play(office: &mut Office) {
    let file = upload(office, "/files", "one");
    let path = format!("/files/{}", id(&file));
    office.tells("a file", &[("file.create", Some(&file["id"]), &[])]);
    upload(office, &format!("{path}/versions"), "two");
    office.tells("a version of a file", &[("file.update", Some(&file["id"]), &[])]);
    office.patch(&path, &json!({"name": "Contrato.txt"}));
    office.tells("another name of a file", &[("file.update", Some(&file["id"]), &[])]);
    // The catalogue has no events of folders.
    let folder = office.post("/folders", &json!({"name": "Contratos"}), 201);
    office.delete(&format!("/folders/{}", id(&folder)));
    office.tells("folders", &[]);
    let read = office.api.get(&format!("/api/v1{path}/content"));
    assert_eq!((read.status, read.text.as_str()), (200, "two"));
    let kept = office.site.path().join("data/files/content").join(&office.company);
    assert!(kept.is_dir(), "contents are beside the database");
    let entry = json!({"fileId": file["id"], "section": "1 Corporate"});
    let entry = office.post("/data-room/files", &entry, 201);
    office.tells("a file of the data room", &[("data_room_file.create", Some(&entry["id"]), &[])]);
    // The catalogue has no event for what leaves it.
    office.delete(&format!("/data-room/files/{}", id(&entry)));
    office.tells("a file less in the data room", &[]);
    office.delete(&path);
    office.tells("a file less", &[("file.delete", Some(&file["id"]), &[])]);
}
