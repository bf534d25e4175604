//! People who sign: the mails that they are sent, and the pages behind their links, over a socket.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use svc_testkit::business::envelopes::pdf;

use crate::first_run::{cookie, sent, sent_with};
use crate::harness::{Api, Site, await_that};

const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

/// What stands behind `mark` in the first mail to this address that has it, up to the end of the line.
pub(crate) fn mailed(folder: &Path, to: &str, mark: &str) -> String {
    let mut found = None;
    await_that(mark, || {
        let files = fs::read_dir(folder.join("data/mail")).into_iter().flatten().map_while(Result::ok);
        let finished = files.filter(|file| file.path().extension().is_some_and(|kind| kind == "eml"));
        let texts = finished.filter_map(|file| fs::read_to_string(file.path()).ok());
        let mut to_them = texts.filter(|text| text.contains(&format!("To: {to}")));
        found = to_them.find_map(|text| {
            let rest = text.split_once(mark)?.1;
            rest.lines().next().map(|line| line.trim().to_owned())
        });
        found.is_some()
    });
    found.expect("it was awaited")
}

/// The path of the link that a person was sent.
pub(crate) fn link(folder: &Path, to: &str) -> String {
    format!("/sign/{}", mailed(folder, to, "/sign/"))
}

/// Does what a form of the page does, after a document was opened.
#[track_caller]
pub(crate) fn act(browser: &Api, link: &str, verb: &str, fields: &str) {
    let page = browser.get(link);
    assert_eq!(page.status, 200, "{page:?}");
    for (verb, fields) in [("documents/1", ""), (verb, fields)] {
        let done = sent(browser, &format!("{link}/{verb}"), &page, fields);
        assert_eq!(done.status, 303, "{verb}: {done:?}");
    }
}

/// Uploads a PDF and sends it to be signed.
fn send(api: &Api, signers: &Value) -> Value {
    let text = String::from_utf8(pdf("Lease")).expect("ASCII");
    let head = "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"Lease.pdf\"\r\n\r\n";
    let media = ("Content-Type", "multipart/form-data; boundary=b");
    let file = api.call("POST", "/api/v1/files", &[media], &format!("{head}{text}\r\n--b--\r\n")).expect(201);
    let draft = json!({"subject": "Lease", "language": "en", "send": true, "signers": signers,
        "files": [{"fileId": file["id"]}]});
    api.post("/api/v1/envelopes", &draft).expect(201)
}

#[test]
fn a_person_signs_with_the_link_and_the_code_of_the_mails_and_the_log_has_neither() {
    let site = Site::new().with("SVC_LOG", "trace");
    let [_, _, token] = site.bootstrap();
    let (server, log) = site.serve_logged();
    let (api, browser) = (server.api(&token), server.bare());
    let ben = "ben@example.com";
    let envelope = send(&api, &json!([{"name": "Ben Gil", "email": ben, "auth": "email_otp"}]));
    let link = link(site.path(), ben);
    let page = browser.get(&link);
    assert!(page.text.contains("Ben Gil") && page.header("x-robots-tag").is_some(), "{page:?}");
    act(&browser, &link, "otp", "");
    let code = mailed(site.path(), ben, "Subject: Your code: ");
    let page = browser.get(&link);
    let proved = sent(&browser, &format!("{link}/otp"), &page, &format!("code={code}"));
    assert_eq!(proved.status, 303, "{proved:?}");
    // Another person may have the link, and not what the browser of Ben was given for the code.
    let other = sent(&browser, &format!("{link}/sign"), &page, "consent=yes&name=Ben+Gil");
    assert_eq!(other.status, 409, "{other:?}");
    let pass =
        proved.header("set-cookie").and_then(|line| line.split(';').next()).expect("a pass").to_owned();
    let done = sent_with(&browser, &format!("{link}/sign"), &page, "consent=yes&name=Ben+Gil", &pass);
    assert_eq!(done.header("location"), Some(link.as_str()), "{done:?}");
    assert!(browser.get(&link).text.contains("Signed by all"));
    let path = format!("/api/v1/envelopes/{}", envelope["id"].as_str().expect("an id"));
    await_that("the sealing", || api.get(&path).expect(200)["certificateFileId"].is_string());
    let trail = api.get(&format!("{path}/audit-trail")).expect(200);
    let entries = trail["entries"].as_array().expect("a list").iter();
    let done: Vec<_> = entries.clone().map(|entry| entry["action"].as_str().expect("a name")).collect();
    assert_eq!(
        done,
        [
            "envelope.sent",
            "signer.notified",
            "signer.viewed",
            "signer.code_sent",
            "signer.code_proved",
            "signer.consented",
            "signer.signed",
            "envelope.completed",
            "envelope.sealed",
        ]
    );
    let viewed = entries.clone().find(|entry| entry["action"] == "signer.viewed").expect("it was");
    assert_eq!((&viewed["actor"], &viewed["ip"]), (&envelope["signers"][0]["id"], &json!("127.0.0.1")));
    let attached = mailed(site.path(), ben, "Signed by all: ");
    assert_eq!(attached, "Lease");

    // A form of another browser, and one that another site sends.
    let foreign = ("Cookie", cookie(&page).replace('=', "=A"));
    let page = browser.call("POST", &format!("{link}/sign"), &[FORM, (foreign.0, &foreign.1)], "csrf=x");
    assert_eq!(page.status, 403, "{page:?}");
    let token = link.rsplit('/').next().expect("a token");
    for path in [format!("/sign/{token}x"), format!("{link}/documents/7"), format!("{link}/unknown")] {
        let reply = browser.get(&path);
        assert!((400..500).contains(&reply.status), "{path}: {reply:?}");
    }
    server.stop();
    let log = log.whole();
    assert!(log.contains("/sign/{link}"), "the route is logged");
    assert!(!log.contains(token), "the link is for Ben alone");
    assert!(!log.contains(&code), "as the code is");
}
