//! What people do, from page to page.

use http::{Method, Request};
use tower::ServiceExt as _;

use crate::app::{Browser, PASSWORD, TestArea};
use crate::page::Page;

/// Fills in the form of a token and makes it.
pub(crate) async fn made_token(browser: &Browser, company: &str, name: &str) -> Page {
    let page = browser.get(&format!("{company}/tokens/new")).await;
    let form = page.form("/tokens/new").with("name", name).with("all", "some").with("area-sales", "read");
    let reviewed = browser.submit(&form.with("step", "review")).await;
    reviewed.is(200).says("This token could").says("Sales read everything");
    browser.submit(&reviewed.form("/tokens/new").with("step", "create")).await
}

/// Fills in the form of a webhook and makes it.
pub(crate) async fn made_webhook(browser: &Browser, company: &str, name: &str) -> Page {
    let page = browser.get(&format!("{company}/webhooks/new")).await;
    let form = page.form("/webhooks/new").with("name", name).with("url", "https://shop.example/hooks");
    let form = form.with("events-of", "contacts").with("headers", "X-Api-Key: a secret");
    browser.submit(&form).await
}

/// The path behind the link that ends a page which showed something once.
fn onward(page: &Page, part: &str) -> String {
    page.links().into_iter().rev().find(|link| link.contains(part)).unwrap()
}

impl TestArea {
    pub(crate) fn company(&self) -> String {
        format!("/companies/{}", self.acme)
    }

    /// What the API answers a token.
    pub(crate) async fn whoami(&self, token: &str) -> u16 {
        let request = Request::builder().method(Method::GET).uri("/api/v1/auth/whoami");
        let request = request.header("authorization", format!("Bearer {token}"));
        let response = self.router.clone().oneshot(request.body(axum::body::Body::empty()).unwrap()).await;
        response.unwrap().status().as_u16()
    }
}

#[tokio::test]
async fn a_person_signs_in_comes_to_the_page_that_was_asked_for_and_signs_out() {
    let area = TestArea::new().await;
    let browser = area.browser();
    let asked = format!("{}/tokens?page=1", area.company());
    let page = browser.get(&asked).await;
    page.is(200).says("E-mail address");
    let wrong = page.form("/sign-in").with("email", "ana@example.com").with("password", "not her password");
    let refused = browser.submit(&wrong).await;
    refused.is(401).says("do not belong together");
    assert_eq!(refused.value("email"), "ana@example.com");
    assert!(!refused.html.contains("not her password"));
    let right = refused.form("/sign-in").with("password", PASSWORD);
    let page = browser.submit(&right).await;
    page.is(200).says("No token yet");
    assert_eq!(page.path, asked);
    let page = browser.submit(&page.form("/sign-out")).await;
    page.is(200).says("You are signed out");
    assert!(!browser.cookies().iter().any(|name| name.ends_with("session")), "{:?}", browser.cookies());
    browser.get(&asked).await.says("E-mail address");
}

#[tokio::test]
async fn a_token_is_made_used_switched_off_and_revoked() {
    let area = TestArea::new().await;
    let (ana, company) = (area.signed_in("ana").await, area.company());
    let shown = made_token(&ana, &company, "Shop sync").await;
    let token = shown.is(200).value("value");
    assert!(token.starts_with("svc_live_") && shown.html.contains("curl -H"));
    assert_eq!(area.whoami(&token).await, 200);

    let one = onward(&shown, "/tokens/tok_");
    let page = ana.get(&one).await;
    page.says("Shop sync").says("Active").says("sales:*.read");
    assert!(!page.html.contains(&token), "it is shown once");
    let asked = ana.get(&format!("{one}/disable")).await;
    ana.submit(&asked.form("/disable")).await.says("Switched off");
    assert_eq!(area.whoami(&token).await, 401);
    let asked = ana.get(&format!("{one}/enable")).await;
    ana.submit(&asked.form("/enable")).await.says("Active");
    assert_eq!(area.whoami(&token).await, 200);

    let asked = ana.get(&format!("{one}/rotate")).await;
    let rotated = ana.submit(&asked.form("/rotate")).await.value("value");
    assert_eq!((area.whoami(&token).await, area.whoami(&rotated).await), (401, 200));
    let asked = ana.get(&format!("{one}/revoke")).await;
    ana.submit(&asked.form("/revoke")).await.says("Revoked");
    assert_eq!(area.whoami(&rotated).await, 401);
    ana.get(&format!("{company}/tokens")).await.says("Shop sync").says("Revoked");
}

#[tokio::test]
async fn a_form_that_is_sent_twice_makes_one_thing() {
    let area = TestArea::new().await;
    let (ana, company) = (area.signed_in("ana").await, area.company());
    let page = ana.get(&format!("{company}/tokens/new")).await;
    let form = page.form("/tokens/new").with("name", "Once").with("all", "read").with("step", "create");
    let first = ana.submit(&form).await;
    let token = first.value("value");
    let again = ana.submit(&form).await;
    again.is(200).says("The form was sent twice: there is one token");
    assert!(!again.html.contains(&token));
    assert_eq!(ana.get(&format!("{company}/tokens")).await.html.matches(">Once<").count(), 1);

    let page = ana.get(&format!("{company}/webhooks/new")).await;
    let form = page
        .form("/webhooks/new")
        .with("name", "Once")
        .with("url", "https://shop.example/")
        .and("event", "contact.create");
    ana.submit(&form).await.says("The secret of the webhook");
    ana.submit(&form).await.says("The form was sent twice, and took effect once");
    assert_eq!(ana.get(&format!("{company}/webhooks")).await.html.matches(">Once<").count(), 1);
}

#[tokio::test]
async fn what_is_wrong_stands_beside_its_field_and_what_was_typed_stays() {
    let area = TestArea::new().await;
    let (ana, company) = (area.signed_in("ana").await, area.company());
    let page = ana.get(&format!("{company}/tokens/new")).await;
    let form = page.form("/tokens/new").with("name", "Ünïcode & <b>").with("allowed-ips", "10.0.0.300\n::1");
    let wrong = ana
        .submit(&form.with("expiry", "date").with("expiry-date", "2020-01-01").with("step", "review"))
        .await;
    wrong.is(422).says("Something is not right yet").says("an IP address").says("permission");
    assert_eq!(wrong.value("name"), "Ünïcode & <b>");
    let again = wrong.form("/tokens/new");
    let field = |name: &str| again.fields.iter().find(|(field, _)| field == name).unwrap().1.clone();
    assert_eq!((field("allowed-ips").as_str(), field("expiry").as_str()), ("10.0.0.300\n::1", "date"));
    ana.get(&format!("{company}/tokens")).await.says("No token yet");

    let page = ana.get(&format!("{company}/webhooks/new")).await;
    let form = page.form("/webhooks/new").with("name", "Shop").with("url", "http://user@shop.example/");
    let wrong = ana
        .submit(&form.with("event", "contact.create").with("in-flight", "many").with("headers", "no colon"))
        .await;
    wrong.is(422).says("It is a number from 1 to 256").says("Each line is a name, a colon and a value");
    assert_eq!(wrong.value("url"), "http://user@shop.example/");
}

#[tokio::test]
async fn a_token_is_changed_and_a_change_in_between_is_not_lost() {
    let area = TestArea::new().await;
    let (ana, ben, company) = (area.signed_in("ana").await, area.signed_in("ben").await, area.company());
    let one = onward(&made_token(&ana, &company, "Shop sync").await, "/tokens/tok_");
    let of_ana = ana.get(&format!("{one}/edit")).await.form("/edit").with("name", "By Ana");
    let of_ben = ben
        .get(&format!("{one}/edit"))
        .await
        .form("/edit")
        .with("name", "By Ben")
        .with("allowed-ips", "10.0.0.0/8");
    ben.submit(&of_ben).await.is(200).says("By Ben").says("10.0.0.0/8");
    ana.submit(&of_ana).await.is(412).says("It was changed meanwhile");
    ana.get(&one).await.says("By Ben");
}

#[tokio::test]
async fn a_webhook_is_made_tested_changed_switched_off_and_deleted() {
    let area = TestArea::new().await;
    let (ana, company) = (area.signed_in("ana").await, area.company());
    let shown = made_webhook(&ana, &company, "Shop").await;
    let secret = shown.is(200).value("secret");
    assert!(secret.starts_with("whsec_") && shown.html.contains("compare_digest"));
    let one = onward(&shown, "/webhooks/whs_");
    let page = ana.get(&one).await;
    page.says("Shop").says("contact.create").says("X-Api-Key").says("Nothing sent yet");
    assert!(!page.html.contains(&secret) && !page.html.contains("a secret"));

    let delivery = ana.submit(&page.form("/test")).await;
    delivery.is(200).says("webhook.test").says("Arrived").says("Attempt 1").says("X-Api-Key ***");
    let again = ana.submit(&delivery.form("/redeliver")).await;
    again.is(200).says("Waits");
    assert_ne!(again.path, delivery.path);
    ana.get(&format!("{one}/deliveries?status=delivered")).await.says("webhook.test").says("1 of 1");
    ana.get(&format!("{one}/deliveries?status=failed")).await.says("No delivery matches");

    let form = ana.get(&format!("{one}/edit")).await.form("/edit");
    let kept = form.fields.iter().any(|(name, value)| name == "headers" && value == "X-Api-Key: ***");
    assert!(kept, "{form:?}");
    ana.submit(&form.with("name", "The shop").with("in-flight", "8"))
        .await
        .is(200)
        .says("The shop")
        .says("X-Api-Key");
    let asked = ana.get(&format!("{one}/rotate-secret")).await;
    assert_ne!(ana.submit(&asked.form("/rotate-secret")).await.value("secret"), secret);
    let asked = ana.get(&format!("{one}/disable")).await;
    ana.submit(&asked.form("/disable")).await.says("Switched off");
    let asked = ana.get(&format!("{one}/enable")).await;
    ana.submit(&asked.form("/enable")).await.says("On");
    let asked = ana.get(&format!("{one}/remove")).await;
    ana.submit(&asked.form("/remove")).await.is(200).says("No webhook yet");
    ana.get(&one).await.is(404);
}

#[tokio::test]
async fn an_event_is_found_in_the_log_and_sent_again() {
    let area = TestArea::new().await;
    let (ana, company) = (area.signed_in("ana").await, area.company());
    area.publish("contact.create").await;
    let one = onward(&made_webhook(&ana, &company, "Shop").await, "/webhooks/whs_");
    let log = ana.get(&format!("{company}/events?event=contact.create")).await;
    let event = onward(&log, "/events/evt_");
    ana.get(&event).await.is(200).says("contact.create").says("Shop");
    ana.get(&format!("{company}/events?event=invoice.pay")).await.says("No event matches");

    let form = ana.get(&format!("{one}/replays/new")).await.form("/replays/new").with("what", "events");
    let wrong = ana.submit(&form.clone().with("step", "count")).await;
    wrong.is(422).says("Name a day and a time");
    let form = form.with("from", "2020-01-01T00:00");
    let counted = ana.submit(&form.with("step", "count")).await;
    counted.is(200).says("1 would be sent");
    let replay = ana.submit(&counted.form("/replays/new").with("step", "start")).await;
    replay.is(200).says("Running").says("Sent: 0 of 1");
    ana.get(&format!("{one}/replays")).await.says("0 of 1");
    let cancelled = ana.submit(&replay.form("/cancel")).await;
    cancelled.is(200).says("Cancelled");
}

#[tokio::test]
async fn a_person_is_invited_accepts_gets_another_role_and_leaves() {
    let area = TestArea::new().await;
    let (ana, dora, company) = (area.signed_in("ana").await, area.signed_in("dora").await, area.company());
    let form = ana.get(&format!("{company}/members/new")).await.form("/members/new");
    ana.submit(&form.clone().with("email", "nowhere"))
        .await
        .is(422)
        .says("no e-mail address")
        .says("Choose a role");
    ana.submit(&form.with("email", "dora@example.com").with("role", "employee"))
        .await
        .is(200)
        .says("Invited");
    let list = ana.get(&format!("{company}/members")).await;
    assert!(!list.text().contains("14"), "who was invited is a stranger until she accepts: {}", list.text());

    dora.get(&company).await.is(404);
    let page = dora.get("/companies").await;
    page.says("Invitations").says("Acme").says("As Employee by Ángela 11");
    dora.submit(&page.form("/accept")).await.is(200).says("Acme").says("Employee");
    dora.get(&format!("{company}/members")).await.is(403);

    let list = ana.get(&format!("{company}/members")).await;
    let one = list.link_beside("dora@example.com");
    let form = ana.get(&one).await.form(&one).with("role", "administrator");
    ana.submit(&form).await.is(200).says("Administrator");
    dora.get(&format!("{company}/members")).await.is(200);
    let asked = ana.get(&format!("{one}/end")).await;
    asked.says("They can be invited again");
    ana.submit(&asked.form("/end")).await.is(200);
    dora.get(&company).await.is(404);
}

#[tokio::test]
async fn an_administrator_does_not_touch_holders_and_the_last_holder_stays() {
    let area = TestArea::new().await;
    let (ana, ben, company) = (area.signed_in("ana").await, area.signed_in("ben").await, area.company());
    let list = ben.get(&format!("{company}/members")).await;
    let holder = list.link_beside("ana@example.com");
    let page = ben.get(&holder).await;
    page.says("Only a holder changes another holder");
    let asked = ben.get(&format!("{holder}/end")).await;
    ben.submit(&asked.form("/end")).await.is(403);
    let invite = ben.get(&format!("{company}/members/new")).await;
    assert!(!invite.html.contains("value=\"holder\""));
    let forged = invite.form("/members/new").with("email", "dora@example.com").with("role", "holder");
    ben.submit(&forged).await.is(403);
    let asked = ana.get(&format!("{holder}/end")).await;
    ana.submit(&asked.form("/end")).await.is(409).says("keeps at least one holder");
}

#[tokio::test]
async fn a_person_changes_their_password_and_their_other_sessions_end() {
    let area = TestArea::new().await;
    let (here, there) = (area.signed_in("ana").await, area.signed_in("ana").await);
    let form = here.get("/password").await.form("/password");
    let new = "another horse and a longer staple";
    let typed = form.clone().with("current", PASSWORD).with("new", new);
    here.submit(&typed.clone().with("again", "something else"))
        .await
        .is(422)
        .says("The two are not the same");
    let wrong = form.clone().with("current", "wrong").with("new", new).with("again", new);
    let page = here.submit(&wrong).await;
    page.is(422).says("Is another one");
    assert!(!page.html.contains(new));
    let short = form.with("current", PASSWORD).with("new", "short").with("again", "short");
    here.submit(&short).await.is(422).says("12");
    here.submit(&typed.with("again", new)).await.is(200).says("The password is changed");
    here.get("/companies").await.says("Acme");
    there.get("/companies").await.says("E-mail address");
}

#[tokio::test]
async fn the_audit_log_tells_who_did_what() {
    let area = TestArea::new().await;
    let (ana, company) = (area.signed_in("ana").await, area.company());
    let token = made_token(&ana, &company, "Shop sync").await.value("value");
    let secret = made_webhook(&ana, &company, "Shop").await.value("secret");
    let page = ana.get(&format!("{company}/audit-log")).await;
    page.is(200).says("token.create").says("subscription.create").says("Ángela 11").says("127.0.0.1");
    assert!(!page.html.contains(&token) && !page.html.contains(&secret));
    let page = ana.get(&format!("{company}/audit-log?action=token.create")).await;
    page.says("token.create").says("Shop sync");
    assert_eq!(page.html.matches("<tr>").count(), 2, "the head, and the one entry");
    ana.get(&format!("{company}/audit-log?from=2099-01-01")).await.says("No entry matches");
    let table = page.links().into_iter().find(|link| link.contains(".csv")).unwrap();
    let table = ana.get(&table.replace("&#38;", "&")).await;
    assert_eq!(table.headers["content-disposition"], "attachment; filename=\"audit-log.csv\"");
    let lines: Vec<_> = table.html.split("\r\n").collect();
    assert_eq!(
        (lines.len(), lines[0].starts_with("number,at,who")),
        (3, true),
        "head, entry, and the end: {lines:?}"
    );
    assert!(
        lines[1].contains(",Ángela 11,127.0.0.1,token.create,tok_") && lines[1].contains("Shop sync"),
        "{lines:?}"
    );
}

#[tokio::test]
async fn the_page_of_the_api_tells_where_it_is_and_what_is_left() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let page = ana.get(&format!("{}/api", area.company())).await;
    page.says("0 of 10000 requests").says("0 of 1000000 requests");
    assert!(page.html.contains("http://127.0.0.1:8080/api/v1\""), "{}", page.html);
    let document = page.links().into_iter().find(|link| link.ends_with("openapi.json")).unwrap();
    assert_eq!(ana.get(&document).await.headers["content-type"], "application/json");
    let made = made_token(&ana, &area.company(), "Shop").await;
    let token = made.value("value");
    assert_eq!(area.whoami(&token).await, 200);
    ana.get(&format!("{}/api", area.company())).await.says("1 of 10000 requests");
}
