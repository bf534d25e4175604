//! The data of a company, its groups, and its end.

use std::collections::BTreeSet;

use svc_business::membership;
use svc_core::role::Role;
use svc_testkit::business::sample;

use crate::app::{Browser, TestArea};
use crate::page::Page;

async fn data(area: &TestArea, browser: &Browser) -> Page {
    browser.get(&format!("{}/data", area.company())).await
}

impl TestArea {
    /// Gives a person another role in Acme, as the operator does.
    async fn give(&self, person: u128, role: Role) {
        let scope = sample::everything();
        let unit = self.database.business().begin().await.unwrap();
        let call = self.call(&scope);
        membership::add(unit.as_ref(), call, Role::Holder, self.acme, sample::id(person), role)
            .await
            .unwrap();
        unit.commit().await.unwrap();
    }
}

#[tokio::test]
async fn the_data_of_a_company_are_changed_and_what_is_wrong_stands_beside_its_field() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let form = data(&area, &ana).await.form("/data");
    let typed = form.clone().with("legal-name", "Acme & Hijas SL").with("trade-name", "<b>Acme</b>");
    let wrong = typed.clone().with("tax-id", "B00000000").with("phone", "x").with("base-currency", "ZZZ");
    let page = ana.submit(&wrong.with("country", "QQ")).await;
    page.is(422).says("Something is not right yet");
    for id in ["tax-id", "phone", "base-currency", "country"] {
        assert!(page.html.contains(&format!("id=\"{id}-wrong\"")), "{id}: {}", page.html);
    }
    let kept = ["legal-name", "trade-name", "tax-id", "phone"].map(|id| page.value(id));
    assert_eq!(kept, ["Acme & Hijas SL", "<b>Acme</b>", "B00000000", "x"]);
    let right = typed.with("tax-id", "B12345674").with("line1", "Calle Mayor 1").with("city", "Madrid");
    let page = ana.submit(&right.with("phone", "+34600123456")).await;
    page.is(200).says("The data are saved").says("Acme & Hijas SL");
    let kept = ["tax-id", "line1", "address-country", "phone"].map(|id| page.value(id));
    assert_eq!(kept, ["B12345674", "Calle Mayor 1", "ES", "+34600123456"]);
    let cleared = page.form("/data").with("tax-id", "").with("line1", "").with("city", "").with("phone", "");
    let page = ana.submit(&cleared).await;
    page.is(200);
    assert_eq!(["tax-id", "line1", "phone"].map(|id| page.value(id)), ["", "", ""]);
}

#[tokio::test]
async fn a_change_that_another_person_made_meanwhile_is_told_and_nothing_typed_is_lost() {
    let area = TestArea::new().await;
    let (ana, ben) = (area.signed_in("ana").await, area.signed_in("ben").await);
    let (of_ana, of_ben) = (data(&area, &ana).await.form("/data"), data(&area, &ben).await.form("/data"));
    ben.submit(&of_ben.with("trade-name", "By Ben")).await.is(200);
    let page = ana.submit(&of_ana.with("trade-name", "By Ana")).await;
    page.is(412).says("changed the company meanwhile");
    assert_eq!(page.value("trade-name"), "By Ana");
    ana.submit(&page.form("/data")).await.is(200);
    assert_eq!(data(&area, &ben).await.value("trade-name"), "By Ana");
}

#[tokio::test]
async fn a_role_reads_and_changes_the_data_by_its_permissions_and_an_auditor_sees_them_masked() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let form = data(&area, &ana).await.form("/data").with("tax-id", "B12345674").with("city", "Madrid");
    ana.submit(&form.clone().with("phone", "+34600123456")).await.is(200);
    let carl = area.signed_in("carl").await;
    for (role, reads, changes) in [
        (Role::Accountant, false, false),
        (Role::Employee, false, false),
        (Role::Auditor, true, false),
        (Role::Manager, true, true),
    ] {
        area.give(13, role).await;
        let page = data(&area, &carl).await;
        page.is(if reads { 200 } else { 403 });
        let linked = carl.get(&area.company()).await.links().iter().any(|link| link.ends_with("/data"));
        assert_eq!(linked, reads, "{role}");
        assert_eq!(page.html.contains("id=\"tax-id\""), changes, "{role}");
        let csrf = carl.get("/companies").await.forms().remove(0).fields.remove(0).1;
        let sent = carl.submit(&form.clone().with("csrf", &csrf).with("version", "2")).await;
        assert_eq!(sent.status == 403, !changes, "{role}: {}", sent.text());
        if role == Role::Auditor {
            page.says("B******74").says("*********456");
            assert!(!page.html.contains("Madrid") && !page.html.contains("B12345674"), "{}", page.html);
        }
    }
}

#[tokio::test]
async fn a_group_is_made_gets_a_company_another_name_and_ends() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    ana.get("/groups").await.is(200).says("None of your companies is in a group");
    let form = ana.get("/groups/new").await.form("/groups/new");
    ana.submit(&form.clone().with("name", "Sol")).await.is(422).says("Choose a company");
    let acme = area.acme.to_string();
    ana.submit(&form.clone().with("company", &acme)).await.is(422);
    let page = ana.submit(&form.clone().with("name", "\"><b>Sol").with("company", &acme)).await;
    page.is(200).says("\"><b>Sol").says("At the top").says("Acme");
    let again = ana.get("/groups/new").await.form("/groups/new").with("name", "Sol");
    ana.submit(&again.with("company", &acme)).await.is(409);
    let one = page.path.clone();
    let add = page.form("/companies").with("company", &area.beta.to_string());
    ana.submit(&add.clone().with("share", "120")).await.is(422).says("percentage");
    let page = ana.submit(&add.with("share", "51,5")).await;
    page.is(200).says("Beta").says("51.5 %");
    let stale = page.form(&one).with("name", "Late").with("version", "1");
    ana.submit(&stale).await.is(412);
    let page = ana.submit(&page.form(&one).with("name", "Luna")).await;
    page.is(200).says("Luna");
    let foreign = sample::id::<svc_core::id::AccountId>(3).to_string();
    ana.submit(&page.form("/remove").with("version", "4")).await.is(412);
    // Ben administers Acme, which is at the top, and not Beta: he decides, and is not told its name.
    let ben = area.signed_in("ben").await;
    let of_ben = ben.get(&one).await;
    of_ben.is(200).says("Luna").says("You hold or administer no other company");
    assert!(!of_ben.text().contains("Beta"), "{}", of_ben.text());
    let dora = area.signed_in("dora").await;
    dora.get(&one).await.is(404);
    assert!(!page.html.contains(&foreign));
    let page = ana.submit(&page.form("/remove")).await;
    page.is(200);
    assert!(!page.text().contains("51.5"), "{}", page.text());
    let asked = ana.get(&format!("{one}/dissolve")).await;
    asked.says("Every company leaves it");
    ana.submit(&asked.form("/dissolve")).await.is(200).says("None of your companies is in a group");
    ana.get(&one).await.is(404);
}

#[tokio::test]
async fn a_company_is_deactivated_with_its_consequences_told_and_works_again() {
    let area = TestArea::new().await;
    let (ana, company) = (area.signed_in("ana").await, area.company());
    crate::journeys::made_token(&ana, &company, "Shop").await;
    let page = ana.get(&format!("{company}/deactivate")).await;
    page.says("Members: 3").says("Tokens and connections of assistants: 1").says("Webhooks: 0");
    ana.submit(&page.form("/deactivate").with("version", "9")).await.is(412);
    let page = ana.submit(&page.form("/deactivate")).await;
    page.is(200).says("is deactivated");
    let closed = data(&area, &ana).await;
    closed.is(200).says("it can be read and not changed");
    assert!(!closed.html.contains("id=\"legal-name\""));
    ana.submit(&page.form("/reactivate")).await.is(200).says("Deactivate the company: Acme");
    ana.submit(&page.form("/reactivate").with("version", "3")).await.is(409);
    assert!(data(&area, &ana).await.html.contains("id=\"legal-name\""));
    area.signed_in("carl").await.get(&format!("{company}/deactivate")).await.is(403);
}

#[tokio::test]
async fn a_person_of_many_companies_finds_them_in_pages() {
    let area = TestArea::new().await;
    let (scope, dora) = (sample::everything(), sample::id(14));
    let unit = area.database.business().begin().await.unwrap();
    for number in 100..160 {
        let company = sample::bare_account(number);
        unit.accounts().insert(&scope, &company).await.unwrap();
        let call = area.call(&scope);
        membership::add(unit.as_ref(), call, Role::Holder, company.id, dora, Role::Accountant).await.unwrap();
    }
    unit.commit().await.unwrap();
    let dora = area.signed_in("dora").await;
    let of_companies = |page: &Page| {
        let all: BTreeSet<_> =
            page.links().into_iter().filter(|link| link.contains("/companies/acc_")).collect();
        let paths = all.iter().map(|link| link.splitn(4, '/').take(3).collect::<Vec<_>>().join("/"));
        paths.collect::<BTreeSet<_>>()
    };
    let (first, second) = (dora.get("/companies").await, dora.get("/companies?page=2").await);
    let (first, second) = (of_companies(&first), of_companies(&second));
    assert_eq!((first.len(), second.len(), first.is_disjoint(&second)), (50, 11, true));
    // Every page offers twenty others, the company that it is of among its links all the same.
    let last = second.last().unwrap();
    let page = dora.get(last).await;
    assert!(of_companies(page.is(200)).contains(last) && of_companies(&page).len() <= 21);
}
