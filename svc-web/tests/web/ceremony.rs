//! People sign, approve and decline by the links that they were sent.

mod ends;
mod world;

use std::time::Duration;

use serde_json::json;
use svc_business::signature::{EnvelopeStatus, Ink, SignerStatus};
use svc_testkit::business::envelopes::pdf;

use self::world::{Sent, two};
use crate::page::{Form, Page};

/// The form that asks for a code, or the one that has a field for it.
#[track_caller]
fn code_form(page: &Page, typed: bool) -> Form {
    let forms = page.forms().into_iter().filter(|form| form.action.ends_with("/otp"));
    let found =
        forms.filter(|form| form.fields.iter().any(|(name, _)| name == "code") == typed).collect::<Vec<_>>();
    let [form] = found.as_slice() else { panic!("{found:?} on {}", page.text()) };
    form.clone()
}

fn has_form(page: &Page, action: &str) -> bool {
    page.forms().iter().any(|form| form.action.ends_with(action))
}

#[tokio::test]
async fn a_person_reads_confirms_by_a_code_and_signs_without_scripts() {
    let people = json!([
        {"name": "Ben Gil", "email": "ben@example.com", "auth": "email_otp"},
        {"name": "Eva Sol", "email": "eva@example.com", "role": "approver"},
        {"name": "Archive", "email": "archive@example.com", "role": "copy"},
    ]);
    let sent = Sent::new(people, json!({"message": "Please sign\nby Friday."})).await;
    let (ben, link) = (sent.browser(), sent.link(0).await);
    let page = ben.get(&link).await;
    page.is(200)
        .says("Lease of the office")
        .says("Acme asks Ben Gil to sign.")
        .says("Please sign by Friday.");
    page.says("Lease.pdf").says("1 kB, 1 page").says("Eva Sol approves not yet").says("Archive gets a copy");
    page.says("The form is here once the code is confirmed.");
    assert!(!has_form(&page, "/sign") && !page.text().contains("eva@example.com"), "{}", page.html);
    ben.get(&format!("{link}/decline")).await.is(200).says("Open one of the documents first.");
    let read = ben.get(&format!("{link}/documents/1")).await;
    assert_eq!(read.html.as_bytes(), pdf("Lease"));
    assert_eq!(sent.envelope().await.signers[0].status.viewed_at(), None, "a GET notes nothing");

    let read = ben.submit(&page.form("/documents/1")).await;
    assert_eq!((read.status, read.html.as_bytes()), (200, pdf("Lease").as_slice()));
    assert!(sent.envelope().await.signers[0].status.viewed_at().is_some());
    let page = ben.get(&link).await;
    page.says("You opened the documents:").says("Send me a code").says("is sent to ben@example.com");
    let page = ben.submit(&code_form(&page, false)).await;
    page.is(200).says("A code is on its way to your mail.");
    let early = ben.submit(&code_form(&page, false)).await;
    early.is(429).says("Wait 60 seconds");
    assert_eq!(early.headers["retry-after"], "60");
    let code = sent.code(0).await;
    let other = if code == "000000" { "111111" } else { "000000" };
    let page = ben.submit(&code_form(&early, true).with("code", other)).await;
    page.is(422).says("The code is another one. Tries that are left: 4.");
    let page = ben.submit(&code_form(&page, true).with("code", &code)).await;
    page.is(200).says("The code is right.");

    let form = page.form(&format!("{link}/sign"));
    let wrong = ben.submit(&form.clone().with("name", "Ben <Gil>")).await;
    wrong.is(422).says("Nothing is signed without your consent.");
    assert_eq!(wrong.value("name"), "Ben <Gil>");
    let wrong = ben.submit(&form.clone().with("name", "Ben").with("consent", "no")).await;
    wrong.is(422).says("Nothing is signed without your consent.");
    let wrong = ben.submit(&form.clone().with("consent", "yes").with("name", " ")).await;
    wrong.is(422).says("Type your name, of 200 characters at most");
    let page = ben.submit(&form.with("consent", "yes").with("name", "Ben Gil")).await;
    page.is(200).says("You have signed").says("Others have yet to sign.").says("Ben Gil (you) signs done");
    assert_eq!(page.path, link);
    ben.submit(&page.form("/documents/1")).await.is(200);

    let (eva, link) = (sent.browser(), sent.link(1).await);
    sent.read(&eva, &link).await;
    let page = eva.get(&link).await;
    page.says("Acme asks Eva Sol to approve.").says("Ben Gil signs done");
    assert!(!page.html.contains("<canvas"), "who approves draws nothing");
    let form = page.form(&format!("{link}/sign")).with("consent", "yes").with("name", "Eva Sol");
    eva.submit(&form).await.is(200).says("Signed by all").says("come to you by mail");
    let envelope = sent.envelope().await;
    assert!(matches!(envelope.status, EnvelopeStatus::Completed { .. }), "{envelope:?}");
    let page = ben.get(&sent.link(0).await).await;
    page.is(200).says("Signed by all");
    assert!(page.forms().is_empty());
    ben.get(&format!("{}/documents/1", page.path)).await.is(409).says("Signed by all");
}

#[tokio::test]
async fn nothing_is_signed_before_a_document_is_opened_nor_with_a_proof_that_is_too_old() {
    let people = json!([{"name": "Ben Gil", "email": "ben@example.com"}]);
    let sent = Sent::new(people, json!({})).await;
    let (ben, link) = (sent.browser(), sent.link(0).await);
    let page = ben.get(&link).await;
    let form = page.form(&format!("{link}/sign")).with("consent", "yes").with("name", "Ben Gil");
    let early = ben.submit(&form).await;
    early.is(409).says("Open one of the documents first.");
    assert_eq!(early.value("name"), "Ben Gil");
    let form = Form { action: format!("{link}/otp"), ..form };
    ben.submit(&form).await.is(409);
    let form = Form { action: format!("{link}/decline"), ..form };
    ben.submit(&form.with("reason", "No")).await.is(409).says("Open one of the documents first.");

    let people = json!([{"name": "Ben Gil", "email": "ben@example.com", "auth": "email_otp"}]);
    let sent = Sent::new(people, json!({})).await;
    let (ben, link) = (sent.browser(), sent.link(0).await);
    sent.read(&ben, &link).await;
    let page = ben.submit(&code_form(&ben.get(&link).await, false)).await;
    let page = ben.submit(&code_form(&page, true).with("code", &sent.code(0).await)).await;
    let form = page.form(&format!("{link}/sign")).with("consent", "yes").with("name", "Ben Gil");
    sent.area.clock.advance(Duration::from_mins(31));
    let late = ben.submit(&form).await;
    late.is(409).says("Confirm with a code first.");
    let page = ben.submit(&code_form(&late, true).with("code", "123456")).await;
    page.is(422).says("The code holds no longer");
}

#[tokio::test]
async fn a_signature_is_drawn_by_the_script() {
    let sent = Sent::new(json!([{"name": "Ben Gil", "email": "ben@example.com"}]), json!({})).await;
    let (ben, link) = (sent.browser(), sent.link(0).await);
    sent.read(&ben, &link).await;
    let form =
        ben.get(&link).await.form(&format!("{link}/sign")).with("consent", "yes").with("kind", "drawn");
    for broken in ["", "1.2-", "1.2_x", "100001.1"] {
        let page = ben.submit(&form.clone().with("strokes", broken)).await;
        page.is(422).says("or draw your signature");
    }
    let longest = vec!["600.200"; 5_000].join("-");
    let much = vec!["600.200"; 5_001].join("-");
    ben.submit(&form.clone().with("strokes", &much)).await.is(422);
    ben.submit(&form.with("strokes", &longest)).await.is(200).says("Signed by all");
    let inks = sent.area.database.business().envelopes().inks(sent.area.acme, sent.id).await.unwrap();
    assert_eq!(inks[0].1, Ink::Drawn(vec![vec![(600, 200); 5_000]]));
}

#[tokio::test]
async fn a_person_declines_with_a_reason_and_the_links_of_others_die() {
    let sent = Sent::new(two(), json!({})).await;
    let (ben, link) = (sent.browser(), sent.link(0).await);
    sent.read(&ben, &link).await;
    let page = ben.get(&format!("{link}/decline")).await;
    page.says("This ends it for everyone").says("Acme is told your reason.");
    let form = page.form("/decline");
    ben.submit(&form.clone().with("reason", " ")).await.is(422).says("Say why");
    let long = "x".repeat(1_001);
    let page = ben.submit(&form.clone().with("reason", &long)).await;
    page.is(422).says("Say why");
    assert!(page.html.contains(&long), "what was typed stays");
    ben.submit(&form.with("reason", "The price\nis another one")).await.is(200).says("You have declined");
    let envelope = sent.envelope().await;
    let SignerStatus::Declined { reason, .. } = &envelope.signers[0].status else { panic!("{envelope:?}") };
    assert_eq!(reason.replace('\r', ""), "The price\nis another one");
    let page = sent.browser().get(&sent.link(1).await).await;
    page.is(200).says("It was declined").says("Another person declined");
    assert!(!page.text().contains("price") && !page.text().contains("Ben"), "{}", page.text());
}

#[tokio::test]
async fn a_link_is_for_one_browser_form_and_for_no_other_site() {
    let sent = Sent::new(two(), json!({})).await;
    let (ben, other, link) = (sent.browser(), sent.browser(), sent.link(0).await);
    let form = ben.get(&link).await.form("/documents/1");
    other.get(&link).await;
    let refused = other.submit(&form).await;
    refused.is(403).says("This form can no longer be sent");
    assert!(refused.links().contains(&link), "the page of the link is a press away: {:?}", refused.links());
    for headers in
        [[("origin", "https://evil.example")], [("origin", "null")], [("sec-fetch-site", "cross-site")]]
    {
        ben.submit_with(&form, &headers).await.is(403);
    }
    assert_eq!(sent.envelope().await.signers[0].status.viewed_at(), None);
    ben.submit(&form).await.is(200);
    // One who is signed in to the client area signs as well.
    let ana = sent.area.signed_in("ana").await;
    ana.submit(&ana.get(&link).await.form("/documents/1")).await.is(200);
}

#[tokio::test]
async fn no_page_behind_a_link_is_kept_listed_or_told_to_others() {
    let sent = Sent::new(two(), json!({})).await;
    let (ben, link) = (sent.browser(), sent.link(0).await);
    let token = link.rsplit('/').next().unwrap();
    let wrong = format!("/sign/{}", "0".repeat(43));
    for (path, referrer) in
        [(&link, "same-origin"), (&wrong, "same-origin"), (&format!("{link}/documents/1"), "no-referrer")]
    {
        let page = ben.get(path).await;
        for (name, value) in [
            ("cache-control", "no-store"),
            ("x-robots-tag", "noindex, nofollow"),
            ("referrer-policy", referrer),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
        ] {
            assert_eq!(page.headers[name], value, "{path}: {name}");
        }
        assert!(
            !page.html.contains("http://") && !page.html.contains("https://"),
            "nothing of another origin"
        );
    }
    let read = ben.get(&format!("{link}/documents/1")).await;
    assert_eq!(read.headers["content-type"], "application/pdf");
    assert_eq!(
        read.headers["content-disposition"],
        "inline; filename=\"Lease.pdf\"; filename*=UTF-8''Lease.pdf"
    );
    for path in [format!("{link}/documents/0"), format!("{link}/documents/2"), format!("{link}/documents/x")]
    {
        ben.get(&path).await.is(404);
    }
    for near in [&token[1..], &format!("{token}0"), &token.to_uppercase(), &token.replace(token, "")] {
        if near != token {
            ben.get(&format!("/sign/{near}")).await.is(404);
        }
    }
}
