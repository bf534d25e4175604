//! Links that are dead, or not alive yet: each page says why.

use std::time::Duration;

use serde_json::json;

use super::world::{Sent, two};
use crate::page::Page;

const HOSTILE: &str = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'{{7*7}}";

/// Holds that the page has no form and no document.
#[track_caller]
fn is_dead(page: &Page, text: &str) {
    page.is(200).says(text);
    assert!(page.forms().is_empty() && !page.text().contains("Lease.pdf"), "{}", page.html);
}

#[tokio::test]
async fn what_the_sender_ended_is_told_to_who_comes_later_and_to_who_signs_meanwhile() {
    let sent = Sent::new(two(), json!({})).await;
    let (ben, link) = (sent.browser(), sent.link(0).await);
    sent.read(&ben, &link).await;
    let form = ben.get(&link).await.form(&format!("{link}/sign")).with("consent", "yes").with("name", "Ben");
    let decline = ben.get(&format!("{link}/decline")).await.form("/decline").with("reason", "No");
    let read = ben.get(&link).await.form("/documents/1");
    sent.act("void", json!({"reason": "The terms <b>have</b> changed"})).await;
    for form in [form, decline, read] {
        ben.submit(&form).await.is(409).says("Your signature is no longer needed");
    }
    let page = ben.get(&link).await;
    is_dead(&page, "The terms <b>have</b> changed");
    is_dead(&ben.get(&format!("{link}/decline")).await, "no longer needed");
    ben.get(&format!("{link}/documents/1")).await.is(409);
    let trail = sent.envelope().await.trail.entries;
    assert_eq!(trail, 5, "sent, notified twice, viewed, voided");
}

#[tokio::test]
async fn a_link_whose_term_has_passed_is_dead() {
    let sent = Sent::new(two(), json!({})).await;
    let link = sent.link(0).await;
    sent.area.clock.advance(Duration::from_hours(31 * 24));
    is_dead(&sent.browser().get(&link).await, "The term has passed");
}

#[tokio::test]
async fn a_place_that_was_given_to_another_person_shows_nothing_any_more() {
    let sent = Sent::new(two(), json!({})).await;
    let link = sent.link(0).await;
    let id = sent.envelope().await.signers[0].id.to_string();
    let luis = json!({"signerId": id, "name": "Luis Mar", "email": "luis@example.com"});
    sent.act("reassign", luis).await;
    let page = sent.browser().get(&link).await;
    is_dead(&page, "Another person signs in your place");
    assert!(!page.text().contains("Luis"), "{}", page.text());
    sent.browser().get(&sent.link(2).await).await.is(200).says("Acme asks Luis Mar to sign.");
    sent.act("reissue", json!({})).await;
    is_dead(&sent.browser().get(&sent.link(1).await).await, "Another one was sent in its place");
}

#[tokio::test]
async fn who_signs_later_waits_for_the_turn() {
    let people = json!([
        {"name": "Ben Gil", "email": "ben@example.com", "order": 1},
        {"name": "Eva Sol", "email": "eva@example.com", "order": 2},
    ]);
    let sent = Sent::new(people, json!({"order": "sequential"})).await;
    let link = sent.link(1).await;
    is_dead(&sent.browser().get(&link).await, "It is not your turn yet");
    sent.browser().get(&format!("{link}/documents/1")).await.is(409);
    sent.sign(0).await;
    sent.browser().get(&link).await.says("Acme asks Eva Sol to sign.");
}

#[tokio::test]
async fn a_closed_company_takes_no_signatures() {
    let sent = Sent::new(two(), json!({})).await;
    let (ben, link) = (sent.browser(), sent.link(0).await);
    sent.read(&ben, &link).await;
    let form = ben.get(&link).await.form(&format!("{link}/sign")).with("consent", "yes").with("name", "Ben");
    sent.area.shut(sent.area.acme).await;
    ben.submit(&form).await.is(409).says("Nothing can be signed at the moment");
    is_dead(&ben.get(&link).await, "Nothing can be signed at the moment");
}

#[tokio::test]
async fn a_link_that_leads_nowhere_says_what_to_do_in_the_language_of_the_browser() {
    let sent = Sent::new(two(), json!({})).await;
    let mut browser = sent.browser();
    browser.get("/sign/abc").await.is(404).says("Perhaps a part of it is missing.");
    browser.language = "es";
    browser.get("/sign/abc").await.is(404).says("Quizá falta una parte.");
}

#[tokio::test]
async fn the_page_is_in_the_language_of_the_envelope() {
    let sent = Sent::new(two(), json!({"language": "es-ES", "subject": "Alquiler"})).await;
    let (ben, link) = (sent.browser(), sent.link(0).await);
    sent.read(&ben, &link).await;
    let page = ben.get(&link).await;
    page.says("Acme pide a Ben Gil que firme.").says("acepto firmarlos electrónicamente").says("1 página");
    assert!(page.html.contains("<html lang=\"es\""));
    let wrong = ben.submit(&page.form(&format!("{link}/sign")).with("name", "")).await;
    wrong.is(422).says("Sin su consentimiento no se firma nada.").says("Escriba su nombre");
    for text in [page.text(), wrong.text()] {
        for english in [" the ", "Sign ", "Open ", "Something"] {
            assert!(!text.contains(english), "{english:?} in {text}");
        }
    }
}

#[tokio::test]
async fn what_others_wrote_stays_text() {
    let people =
        json!([{"name": HOSTILE, "email": "ben@example.com"}, {"name": "Eva", "email": "eva@example.com"}]);
    let sent = Sent::new(people, json!({"subject": HOSTILE, "message": HOSTILE})).await;
    let (ben, link) = (sent.browser(), sent.link(0).await);
    sent.read(&ben, &link).await;
    let page = ben.get(&link).await;
    let again = ben.submit(&page.form(&format!("{link}/sign")).with("name", HOSTILE)).await;
    sent.act("void", json!({"reason": HOSTILE})).await;
    for page in [page, again, ben.get(&link).await] {
        page.says(HOSTILE);
        let html = page.html.to_lowercase();
        assert_eq!(html.matches("<script").count(), 1, "{}", page.path);
        assert!(!html.contains("<img src=x") && !html.contains("\" onerror"), "{}", page.path);
    }
}
