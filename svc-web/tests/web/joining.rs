//! Invitations that are answered by the link of a mail.

use std::time::Duration;

use svc_business::membership::Membership;

use crate::app::{Browser, PASSWORD, TestArea};
use crate::mail::link;

/// Ana invites a person to Acme; the mail's path.
async fn invited(area: &TestArea, ana: &Browser, email: &str) -> String {
    let form = ana.get(&format!("{}/members/new", area.company())).await.form("/members/new");
    ana.submit(&form.with("email", email).with("role", "auditor")).await.is(200);
    let mails = area.mails().await;
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].to[0].as_str(), email);
    assert!(mails[0].text.contains("Ángela 11") && mails[0].text.contains("Acme"), "{}", mails[0].text);
    link(&mails[0])
}

#[tokio::test]
async fn a_person_without_a_user_founds_theirs_behind_the_link() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let path = invited(&area, &ana, "new@example.com").await;
    let new = area.browser();
    let page = new.get(&path).await;
    page.is(200).says("Acme").says("Auditor").says("Ángela 11").says("new@example.com");
    assert_eq!(page.headers["cache-control"], "no-store");
    assert_eq!(page.headers["x-robots-tag"], "noindex, nofollow");
    let form = page.form("/found");
    let wrong = new.submit(&form.clone().with("name", "").with("password", "short")).await;
    wrong.is(422).says("12");
    assert!(!wrong.html.contains("short"));
    let own = form.clone().with("name", "Nora Núñez Gil").with("password", "Nora Núñez Gil");
    assert_eq!(new.submit(&own).await.is(422).value("name"), "Nora Núñez Gil");
    let form = form.with("name", "Nora \"<b>Núñez").with("password", "a staple of my own");
    new.submit(&form).await.is(200).says("Acme").says("Auditor").says("Nora \"<b>Núñez");
    ana.get(&format!("{}/members", area.company())).await.says("Nora \"<b>Núñez").says("new@example.com");
    // The link has done its work, in this browser and in any other.
    new.get(&path).await.is(410).says("was accepted");
    let other = area.browser();
    other.get(&path).await.is(410);
    other.submit(&form).await.is(403);
    let form = other.get("/sign-in").await.form("/sign-in").with("email", "new@example.com");
    other.submit(&form.with("password", "a staple of my own")).await.is(200).says("Acme");
}

#[tokio::test]
async fn a_person_with_a_user_signs_in_first_and_comes_back() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let path = invited(&area, &ana, "dora@example.com").await;
    ana.get(&path).await.is(200).says("signed in as another person");
    let dora = area.browser();
    let page = dora.get(&path).await;
    assert!(!page.html.contains("/found"), "{}", page.html);
    let sign_in = page.links().into_iter().find(|link| link.contains("/sign-in?then=")).unwrap();
    let form = dora.get(&sign_in).await.form("/sign-in");
    let page = dora.submit(&form.with("email", "dora@example.com").with("password", PASSWORD)).await;
    assert_eq!(page.path, path);
    dora.submit(&page.form("/accept")).await.is(200).says("Acme").says("Auditor");
    dora.get(&path).await.is(410);
}

#[tokio::test]
async fn who_holds_the_link_may_decline_without_founding_a_user() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let path = invited(&area, &ana, "new@example.com").await;
    let new = area.browser();
    let form = new.get(&path).await.form("/decline");
    let stale = new.submit(&form.clone().with("version", "7")).await;
    stale.is(412);
    new.submit(&form).await.is(410).says("declined or withdrawn");
    let list = ana.get(&format!("{}/members", area.company())).await;
    assert!(!list.text().contains("new@example.com"), "{}", list.text());
    // Of a person who has a user, only that person declines.
    let path = invited(&area, &ana, "dora@example.com").await;
    let mut forged = form;
    forged.action = format!("{path}/decline");
    new.submit(&forged).await.is(200).says("Sign in and answer");
    ana.get(&path).await.says("signed in as another person");
}

#[tokio::test]
async fn a_link_tells_why_it_is_dead() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let visitor = area.browser();
    for unknown in ["x", &"0".repeat(43), &"%22%3E%3Cscript%3E".repeat(3)] {
        visitor.get(&format!("/invitation/{unknown}")).await.is(404).says("leads nowhere");
    }
    let path = invited(&area, &ana, "new@example.com").await;
    let list = ana.get(&format!("{}/members", area.company())).await;
    let one = list.link_beside("new@example.com");
    area.clock.advance(Duration::from_hours(2));
    let ana = area.signed_in("ana").await;
    let sent = ana.submit(&ana.get(&one).await.form("/send-again")).await;
    sent.is(200).says("on its way");
    let again = link(&area.mails().await.remove(0));
    assert_ne!(again, path);
    for path in [&path, &again] {
        visitor.get(path).await.is(200).says("Auditor");
    }
    ana.submit(&ana.get(&one).await.form("/send-again")).await.is(200);
    assert!(area.mails().await.is_empty(), "one an hour");
    area.clock.advance(Membership::OPEN_FOR);
    visitor.get(&path).await.is(410).says("has expired");
    let ana = area.signed_in("ana").await;
    ana.submit(&ana.get(&format!("{one}/end")).await.form("/end")).await.is(200);
    visitor.get(&again).await.is(410).says("declined or withdrawn");
}

#[tokio::test]
async fn an_invitation_answers_alike_whether_or_not_a_person_has_the_address() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let new = format!("{}/members/new", area.company());
    let mut pages = Vec::new();
    for email in ["dora@example.com", "none@example.com"] {
        let form = ana.get(&new).await.form("/members/new");
        let page = ana.submit(&form.with("email", email).with("role", "auditor")).await;
        page.is(200);
        let one = ana.get(&page.link_beside(email)).await;
        one.is(200);
        let of_csrf = |html: &str| html.replace(email, "E");
        pages.push(of_csrf(&one.text()));
    }
    assert_eq!(pages[0], pages[1]);
}
