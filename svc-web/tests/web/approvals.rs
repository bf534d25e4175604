//! Ana decides what her assistant may do: each call as it is shown, and nothing of another person.

use std::time::Duration;

use svc_auth::approval::{Approval, CallDigest, LIFE, Shown, Stage};
use svc_auth::calls::CallRecord;
use svc_core::clock::Clock as _;
use svc_core::id::{ApprovalId, CallId, TypedId as _};
use svc_testkit::audit::noted;
use svc_testkit::auth::token;
use svc_testkit::business::sample;

use crate::app::{PEOPLE, TestArea};

impl TestArea {
    /// An assistant of this person asks to issue an invoice of Acme to this customer.
    pub(crate) async fn asked(&self, person: &str, customer: &str) -> ApprovalId {
        let email = format!("{person}@example.com");
        let number = PEOPLE.iter().find(|(_, known, _)| *known == email).expect("a person").0;
        let now = self.clock.now();
        let line = |name: &str, value: &str| Shown { name: name.to_owned(), value: value.to_owned() };
        let credential = token(number, sample::id(number), self.acme);
        let unit = self.database.oauth().begin().await.unwrap();
        if unit.tokens().find(credential.id).await.unwrap().is_none() {
            unit.tokens().insert(&credential).await.unwrap();
            noted(&*unit, self.acme).await.unwrap();
        }
        let approval = Approval {
            id: ApprovalId::generate(now, &*self.random),
            company: self.acme,
            person: sample::id(number),
            credential: credential.id,
            tool: "invoice_issue".to_owned(),
            call: CallDigest::of(&[customer]),
            shown: vec![
                line("customer.name", customer),
                line("totals.payable", "121.00 EUR"),
                line("way", "fixed_asset"),
                line("company", "Acme"),
                line("data.issueDate", "2025-03-01"),
                line("data.unheardOf", "x"),
            ],
            stage: Stage::Asked,
            asked_at: now,
            until: now.plus(LIFE),
        };
        unit.approvals().add(&approval, now).await.unwrap();
        unit.commit().await.unwrap();
        approval.id
    }

    async fn stage(&self, id: ApprovalId) -> Stage {
        self.database.oauth().approvals().approval(id).await.unwrap().expect("it is there").stage
    }
}

#[tokio::test]
async fn ana_sees_what_would_be_done_and_decides() {
    let area = TestArea::new().await;
    let id = area.asked("ana", "<b>Luna</b> SL").await;
    let other = area.asked("ana", "Mar SL").await;
    // Her assistant sends her there before she is signed in.
    let browser = area.browser();
    let page = browser.get(&format!("/approvals/{id}")).await;
    let form = page.form("/sign-in").with("email", "ana@example.com").with("password", crate::app::PASSWORD);
    let page = browser.submit(&form).await;
    page.is(200);
    page.says("Issue a sales document").says("<b>Luna</b> SL").says("121.00 EUR").says("Date of issue");
    page.says("unheardOf").says("asks you to approve this");
    browser.get("/approvals").await.says("Issue a sales document").says("Acme");

    let form = page.form(&format!("/approvals/{id}"));
    browser.submit(&form).await.is(422).says("Approve it or decline it");
    browser.submit(&form.clone().with("csrf", "forged").with("decision", "approve")).await.is(403);
    area.browser().submit(&form.clone().with("decision", "approve")).await.is(403);
    assert_eq!(area.stage(id).await, Stage::Asked);
    browser.submit(&form.clone().with("decision", "approve")).await.is(200).says("You approved it");
    browser.submit(&form.clone().with("decision", "approve")).await.is(200).says("You approved it");
    assert_eq!(area.stage(id).await, Stage::Approved);
    // It can be taken back until the assistant goes on, and not given again.
    browser.submit(&form.clone().with("decision", "decline")).await.is(200).says("You declined it");
    browser.submit(&form.clone().with("decision", "approve")).await.is(200).says("You declined it");
    assert_eq!(area.stage(id).await, Stage::Declined);

    let page = browser.get(&format!("/approvals/{other}")).await;
    let form = page.form(&format!("/approvals/{other}"));
    browser.submit(&form.with("decision", "decline")).await.is(200).says("You declined it");
    assert_eq!(area.stage(other).await, Stage::Declined);
    browser.get("/approvals").await.says("No assistant waits for you");
    // Both decisions are in the log of the company.
    let log = browser.get(&format!("{}/audit-log", area.company())).await;
    log.says("approval.approve").says("approval.decline");
}

#[tokio::test]
async fn what_has_ended_or_is_another_persons_is_not_decided() {
    let area = TestArea::new().await;
    let (ana, ben) = (area.signed_in("ana").await, area.signed_in("ben").await);
    let id = area.asked("ana", "Luna SL").await;
    let path = format!("/approvals/{id}");
    ben.get(&path).await.is(404);
    ben.get("/approvals").await.says("No assistant waits for you");
    let form = ana.get(&path).await.form(&path).with("decision", "approve");
    let own = area.asked("ben", "Luna SL").await;
    let of_ben = ben.get(&format!("/approvals/{own}")).await.form(&format!("/approvals/{own}"));
    let csrf = of_ben.fields.iter().find(|(name, _)| name == "csrf").unwrap().1.clone();
    ben.submit(&form.clone().with("csrf", &csrf)).await.is(404);
    assert_eq!(area.stage(id).await, Stage::Asked);

    area.clock.advance(Duration::from_mins(5));
    let page = ana.submit(&form).await;
    page.is(200).says("It has ended");
    assert!(page.forms().iter().all(|form| form.action != path));
    assert_eq!(area.stage(id).await, Stage::Asked);
    ana.get("/approvals").await.says("No assistant waits for you");
}

#[tokio::test]
async fn the_page_of_a_credential_shows_its_last_calls() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    area.asked("ana", "Luna SL").await;
    let list = ana.get(&format!("{}/tokens", area.company())).await;
    let path = list.link_beside("token 11");
    assert!(!ana.get(&path).await.text().contains("Last calls of tools"));
    let credential = path.rsplit('/').next().unwrap().parse().unwrap();
    let call = CallRecord {
        id: CallId::generate(area.clock.now(), &*area.random),
        at: area.clock.now(),
        company: area.acme,
        person: None,
        credential,
        client: "<b>desk</b> 1.0".to_owned(),
        revision: "2026-07-28".to_owned(),
        tool: "contacts_find".to_owned(),
        arguments: "{}".to_owned(),
        digest: CallDigest::of(&[]),
        touched: vec!["con_1".to_owned(), "con_2".to_owned()],
        outcome: "done".to_owned(),
        from: "203.0.113.7".parse().ok(),
    };
    area.database.oauth().calls().append(&[call]).await.unwrap();
    let page = ana.get(&path).await;
    page.says("Last calls of tools").says("contacts_find").says("<b>desk</b> 1.0").says("203.0.113.7");
}

#[tokio::test]
async fn the_page_speaks_spanish() {
    let area = TestArea::new().await;
    let id = area.asked("ana", "Luna SL").await;
    let mut browser = area.browser();
    browser.language = "es";
    let ana = area.signed_in_with(browser, "ana").await;
    let page = ana.get(&format!("/approvals/{id}")).await;
    page.says("Emitir un documento de venta").says("Cliente").says("A pagar").says("Fecha de emisión");
    page.says("Un borrador de inmovilizado");
    ana.get("/approvals").await.says("Aprobaciones");
}
