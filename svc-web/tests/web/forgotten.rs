//! A new password by the link of a mail.

use std::time::Duration;

use crate::app::{Browser, PASSWORD, TestArea};
use crate::mail::link;
use crate::page::Page;

const NEW: &str = "another horse and a longer staple";

async fn ask(browser: &Browser, email: &str) -> Page {
    let form = browser.get("/forgotten").await.form("/forgotten");
    browser.submit(&form.with("email", email)).await
}

async fn sign_in(browser: &Browser, password: &str) -> Page {
    let form = browser.get("/sign-in").await.form("/sign-in");
    browser.submit(&form.with("email", "ana@example.com").with("password", password)).await
}

#[tokio::test]
async fn a_forgotten_password_is_set_anew_once_and_every_session_ends() {
    let area = TestArea::new().await;
    let (signed_in, visitor) = (area.signed_in("ana").await, area.browser());
    let page = visitor.get("/sign-in").await;
    assert!(page.links().contains(&"/forgotten".to_owned()), "{:?}", page.links());
    ask(&visitor, "Ana@Example.com").await.is(200).says("a mail is on its way");
    let mails = area.mails().await;
    assert_eq!((mails.len(), mails[0].to[0].as_str()), (1, "ana@example.com"));
    let path = link(&mails[0]);
    let page = visitor.get(&path).await;
    page.is(200).says("ana@example.com");
    assert_eq!(page.headers["cache-control"], "no-store");
    let form = page.form(&path);
    visitor.submit(&form.clone().with("new", NEW).with("again", "x")).await.is(422).says("not the same");
    visitor.submit(&form.clone().with("new", "short").with("again", "short")).await.is(422).says("12");
    let done = visitor.submit(&form.clone().with("new", NEW).with("again", NEW)).await;
    done.is(200).says("The password is changed").says("Sign in");
    signed_in.get("/companies").await.says("E-mail address");
    visitor.submit(&form.with("new", PASSWORD).with("again", PASSWORD)).await.is(410);
    visitor.get(&path).await.is(410).says("used or too old");
    let mails = area.mails().await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("was changed") && !mails[0].text.contains("http"), "{}", mails[0].text);
    sign_in(&visitor, PASSWORD).await.is(401);
    sign_in(&visitor, NEW).await.is(200).says("Acme");
    visitor.get(&format!("{}/audit-log", area.company())).await.says("password.set");
}

#[tokio::test]
async fn an_address_without_a_person_has_the_same_answer_and_no_mail() {
    let area = TestArea::new().await;
    let visitor = area.browser();
    let (known, unknown) = (ask(&visitor, "ana@example.com").await, ask(&visitor, "none@example.com").await);
    assert_eq!((known.status, known.text()), (unknown.status, unknown.text()));
    ask(&visitor, "nowhere").await.is(422).says("no e-mail address");
    assert_eq!(area.mails().await.len(), 1);
}

#[tokio::test]
async fn links_are_bounded_by_address_and_by_network_alike_for_every_address() {
    let area = TestArea::new().await;
    let visitor = area.browser();
    for email in ["ana@example.com", "none@example.com"] {
        for _ in 0..3 {
            ask(&visitor, email).await.is(200);
        }
        let page = ask(&visitor, email).await;
        page.is(429).says("Too many links");
        assert_eq!(page.headers["retry-after"], "60");
    }
    for number in 0..14 {
        ask(&visitor, &format!("n{number}@example.com")).await.is(200);
    }
    ask(&visitor, "dora@example.com").await.is(429);
    assert_eq!(area.mails().await.len(), 3);
    area.clock.advance(Duration::from_mins(16));
    ask(&visitor, "dora@example.com").await.is(200);
}

#[tokio::test]
async fn the_newest_link_alone_works_for_an_hour_and_dies_with_another_change() {
    let area = TestArea::new().await;
    let visitor = area.browser();
    let mut paths = Vec::new();
    for _ in 0..2 {
        ask(&visitor, "ana@example.com").await.is(200);
        paths.push(link(&area.mails().await.remove(0)));
    }
    visitor.get(&paths[0]).await.is(410);
    visitor.get(&paths[1]).await.is(200);
    area.clock.advance(Duration::from_hours(1));
    visitor.get(&paths[1]).await.is(410);
    ask(&visitor, "ana@example.com").await.is(200);
    let path = link(&area.mails().await.remove(0));
    let ana = area.signed_in("ana").await;
    let form = ana.get("/password").await.form("/password").with("current", PASSWORD);
    ana.submit(&form.with("new", NEW).with("again", NEW)).await.is(200);
    visitor.get(&path).await.is(410);
    let mails = area.mails().await;
    assert_eq!((mails.len(), mails[0].to[0].as_str()), (1, "ana@example.com"));
    assert!(mails[0].text.contains("in the client area"), "{}", mails[0].text);
}
