//! The second factor: turned on, asked for, and turned off.

use std::time::Duration;

use svc_core::clock::Clock;
use svc_testkit::business::sample;

use crate::app::{Browser, PASSWORD, TestArea};
use crate::mail::link;
use crate::page::Page;

impl TestArea {
    /// What the device of Ana shows now.
    async fn code(&self) -> String {
        let factor = self.database.sessions().factors().factor_of(sample::id(11)).await.unwrap().unwrap();
        factor.secret.code_at(self.clock.now())
    }

    /// Ana turns it on; the page with the recovery codes.
    async fn turned_on(&self, ana: &Browser) -> Page {
        let form = ana.get("/second-factor").await.form("/second-factor/enrol");
        let page = ana.submit(&form.with("current", PASSWORD)).await;
        page.is(200).says("Scan this with the app");
        let page = ana.submit(&page.form("/confirm").with("code", &self.code().await)).await;
        page.is(200).says("The second factor is on");
        self.clock.advance(Duration::from_secs(30));
        page
    }

    /// A browser that has come as far as the password leads, on the way to a page.
    async fn halfway(&self, to: &str) -> (Browser, Page) {
        let browser = self.browser();
        let form = browser.get(to).await.form("/sign-in");
        let page = browser.submit(&form.with("email", "ana@example.com").with("password", PASSWORD)).await;
        page.is(200).says("Enter a code");
        (browser, page)
    }
}

#[tokio::test]
async fn a_person_turns_it_on_and_signs_in_with_a_code() {
    let area = TestArea::new().await;
    let (ana, other) = (area.signed_in("ana").await, area.signed_in("ana").await);
    area.turned_on(&ana).await;
    other.get("/companies").await.says("Sign in");
    let page = ana.get("/second-factor").await;
    page.says("10 of 10 recovery codes are left");
    assert!(!page.html.contains("otpauth"), "the secret is shown once");

    let (browser, page) = area.halfway("/sessions").await;
    browser.get("/companies").await.says("Sign in");
    let wrong = browser.submit(&page.form("/sign-in/code").with("code", "000000")).await;
    wrong.is(401).says("This is not the code");
    let page = browser.submit(&wrong.form("/sign-in/code").with("code", &area.code().await)).await;
    page.is(200).says("Where you are signed in");
    // The second time the code counts no more.
    let (again, page) = area.halfway("/companies").await;
    again.submit(&page.form("/sign-in/code").with("code", &area.code().await)).await.is(401);
    area.clock.advance(Duration::from_mins(11));
    let late = again.submit(&page.form("/sign-in/code").with("code", &area.code().await)).await;
    late.is(401).says("Begin again with the password");
    assert!(late.html.contains("action=\"/sign-in\""), "the form of the first step");
}

#[tokio::test]
async fn a_recovery_code_signs_in_and_is_used_up() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let page = area.turned_on(&ana).await;
    let code = page.text().split_whitespace().find(|word| word.matches('-').count() == 3).unwrap().to_owned();
    let (browser, page) = area.halfway("/second-factor").await;
    let page = browser.submit(&page.form("/sign-in/code").with("code", &code.to_uppercase())).await;
    page.is(200).says("9 of 10 recovery codes are left");
    let (browser, page) = area.halfway("/second-factor").await;
    browser.submit(&page.form("/sign-in/code").with("code", &code)).await.is(401);
    let form = ana.get("/second-factor").await.form("/second-factor/recovery-codes");
    let page = ana.submit(&form.with("current", PASSWORD)).await;
    page.is(200).says("The old recovery codes are worthless now");
    ana.get("/second-factor").await.says("10 of 10 recovery codes are left");
}

#[tokio::test]
async fn what_is_wrong_is_told_and_nothing_changes() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let form = ana.get("/second-factor").await.form("/second-factor/enrol");
    ana.submit(&form.clone().with("current", "another password")).await.is(422).says("Is another one");
    let page = ana.submit(&form.clone().with("current", PASSWORD)).await;
    let wrong = ana.submit(&page.form("/confirm").with("code", "000000")).await;
    wrong.is(422).says("Is another one");
    assert!(!wrong.html.contains("otpauth"), "a session that was taken over would read it");
    area.signed_in("ana").await.get("/companies").await.says("Acme");
    ana.submit(&wrong.form("/confirm").with("code", &area.code().await))
        .await
        .says("The second factor is on");
    // An old tab that begins anew is told so.
    ana.submit(&form.with("current", PASSWORD)).await.is(409);
}

#[tokio::test]
async fn turned_off_the_password_alone_signs_in() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    area.turned_on(&ana).await;
    let mut form = ana.get("/second-factor").await.form("/second-factor/recovery-codes");
    form.action = "/second-factor/turn-off".to_owned();
    ana.submit(&form.clone().with("current", "another password")).await.is(422);
    ana.submit(&form.with("current", PASSWORD)).await.is(200).says("The second factor is off");
    area.signed_in("ana").await.get("/companies").await.says("Acme");
    let page = ana.get(&format!("{}/audit-log", area.company())).await;
    page.says("second_factor.on").says("second_factor.off");
}

#[tokio::test]
async fn the_form_of_the_code_is_for_who_gave_the_password() {
    let area = TestArea::new().await;
    let browser = area.browser();
    let page = browser.get("/sign-in/code?then=/companies").await;
    page.is(200).says("Forgot the password?");
    let ana = area.signed_in("ana").await;
    ana.get("/sign-in/code?then=/companies").await.says("Acme");
}

#[tokio::test]
async fn a_new_password_by_a_link_asks_for_a_code_all_the_same() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    area.turned_on(&ana).await;
    let (visitor, new) = (area.browser(), "another horse and a longer staple");
    let form = visitor.get("/forgotten").await.form("/forgotten");
    visitor.submit(&form.with("email", "ana@example.com")).await.is(200);
    let path = link(&area.mails().await.remove(0));
    let form = visitor.get(&path).await.form(&path);
    visitor.submit(&form.with("new", new).with("again", new)).await.is(200);
    let form = visitor.get("/sign-in").await.form("/sign-in");
    let page = visitor.submit(&form.with("email", "ana@example.com").with("password", new)).await;
    page.is(200).says("Enter a code");
    visitor.get("/companies").await.says("Sign in");
    let page = visitor.submit(&page.form("/sign-in/code").with("code", &area.code().await)).await;
    page.is(200).says("Acme");
}
