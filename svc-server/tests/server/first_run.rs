//! An empty folder, and the link that begins a service in the browser.

use crate::harness::{Api, Reply, Site};

const PASSWORD: &str = "correct+horse+battery";

/// The value of the field of this name.
fn field<'a>(page: &'a Reply, name: &str) -> &'a str {
    let at = page.text.find(&format!("name=\"{name}\"")).unwrap_or_else(|| panic!("no {name} in {page:?}"));
    page.text[at..].split("value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a value")
}

pub(crate) fn cookie(reply: &Reply) -> String {
    let line = reply.header("set-cookie").expect("a cookie");
    line.split(';').next().expect("a pair").to_owned()
}

/// Sends the form of the page, as the browser does that got it.
pub(crate) fn sent(api: &Api, path: &str, page: &Reply, more: &str) -> Reply {
    sent_with(api, path, page, more, "")
}

/// The same with another cookie that the browser has.
pub(crate) fn sent_with(api: &Api, path: &str, page: &Reply, more: &str, other: &str) -> Reply {
    let (tie, body) = (format!("{}; {other}", cookie(page)), format!("csrf={}&{more}", field(page, "csrf")));
    let kind = ("Content-Type", "application/x-www-form-urlencoded");
    api.call("POST", path, &[kind, ("Cookie", &tie), ("Sec-Fetch-Site", "same-origin")], &body)
}

#[test]
fn the_link_of_the_first_start_founds_the_first_company_and_ends_with_it() {
    let site = Site::new();
    let (server, log) = site.serve_logged();
    let api = server.bare();
    let link = server.ready["firstRun"].as_str().expect("a link").to_owned();
    let path = link.split_once("/first-run/").map(|(_, key)| format!("/first-run/{key}")).expect("a path");
    assert_eq!(api.get("/first-run/0000").status, 404);

    let page = api.get(&path);
    assert_eq!(page.status, 200, "{page:?}");
    let wrong = sent(&api, &path, &page, "legal-name=Sol+SL&name=Ana&email=nowhere&password=short");
    assert_eq!(wrong.status, 422, "{wrong:?}");
    assert!(wrong.text.contains("value=\"Sol SL\"") && !wrong.text.contains("short\""), "{wrong:?}");

    let right = format!("legal-name=Sol+SL&name=Ana+Ruiz&email=ana%40example.com&password={PASSWORD}");
    let done = sent(&api, &path, &page, &right);
    assert_eq!((done.status, done.header("location")), (303, Some("/")), "{done:?}");
    let session = cookie(&done);
    let home = api.call("GET", "/companies", &[("Cookie", &session)], "");
    assert!(home.text.contains("Sol SL") && home.text.contains("Ana Ruiz"), "{home:?}");
    api.sign_in("ana@example.com", &PASSWORD.replace('+', " "));

    assert_eq!(sent(&api, &path, &page, &right).status, 404);
    assert_eq!(api.get(&path).status, 404);
    let key = path.rsplit('/').next().expect("a key");
    server.stop();
    assert!(!log.whole().contains(key), "the link is for who started the service, not for the log");

    let again = site.serve();
    assert!(again.ready["firstRun"].is_null(), "{:?}", again.ready);
    again.stop();
}
