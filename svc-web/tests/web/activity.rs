//! The charts on the page of a company.

use std::time::Duration;

use svc_testkit::fakes::FakeSender;

use crate::app::{Browser, TestArea};
use crate::journeys::{made_token, made_webhook};

/// Sends a test to the only webhook of the company.
async fn tried(browser: &Browser, company: &str) {
    let list = browser.get(&format!("{company}/webhooks")).await;
    let one = list.links().into_iter().find(|link| link.contains("/webhooks/whs_")).unwrap();
    let page = browser.get(&one).await;
    browser.submit(&page.form("/test")).await.is(200);
}

#[tokio::test]
async fn a_company_without_deliveries_says_what_will_be_drawn() {
    let area = TestArea::new().await;
    let (ana, company) = (area.signed_in("ana").await, area.company());
    ana.get(&company).await.is(200).says("There is no webhook yet").says("0 of 10000 requests");
    made_webhook(&ana, &company, "Shop").await.is(200);
    ana.get(&company).await.says("No delivery in the last 24 hours");
}

#[tokio::test]
async fn deliveries_failures_and_latencies_are_drawn_by_the_hour_and_told_in_words() {
    let area = TestArea::with(["Acme", "Beta", "Gamma"], FakeSender::new().then(204).always(500)).await;
    let (ana, company) = (area.signed_in("ana").await, area.company());
    made_webhook(&ana, &company, "Shop").await.is(200);
    tried(&ana, &company).await;
    tried(&ana, &company).await;
    area.clock.advance(Duration::from_hours(2));
    // Her session has ended meanwhile.
    let ana = area.signed_in("ana").await;
    tried(&ana, &company).await;

    let page = ana.get(&company).await;
    page.is(200).says("Deliveries: 3, failed: 2").says("95 of 100 took").says("Highest: 2");
    let svg = page.html.split("<svg ").nth(1).unwrap().split("</svg>").next().unwrap();
    assert!(svg.contains("role=\"img\" aria-label=\"Deliveries: 3, failed: 2\""), "{svg}");
    // An hour with one of each, and one with a failure alone.
    assert_eq!((svg.matches("bar-good").count(), svg.matches("bar-bad").count()), (1, 2), "{svg}");
    let rows: Vec<_> =
        page.html.split("<tr><td>").skip(1).map(|row| row.split("</tr>").next().unwrap()).collect();
    let figures = |row: &str| {
        let cells: Vec<String> = row
            .split("<td class=\"number\">")
            .skip(1)
            .map(|cell| cell.split('<').next().unwrap().to_owned())
            .collect();
        (cells[0].clone(), cells[1].clone())
    };
    let figures: Vec<_> = rows.into_iter().map(figures).collect();
    let [of, two, one] =
        [("0", "0"), ("2", "1"), ("1", "1")].map(|(made, failed)| (made.to_owned(), failed.to_owned()));
    assert_eq!(figures.len(), 24);
    assert_eq!(figures[21..], [two, of, one]);
    // What the policy of the page forbids.
    assert!(!page.html.contains("style="), "{}", page.html);

    area.clock.advance(Duration::from_hours(25));
    let later = area.signed_in("ana").await;
    later.get(&company).await.says("No delivery in the last 24 hours");
}

#[tokio::test]
async fn requests_are_drawn_beside_what_is_left() {
    let area = TestArea::new().await;
    let (ana, company) = (area.signed_in("ana").await, area.company());
    let token = made_token(&ana, &company, "Shop").await.value("value");
    assert_eq!(area.whoami(&token).await, 200);
    let page = ana.get(&company).await;
    page.says("1 of 10000 requests").says("1 of 1000000 requests");
    assert_eq!(page.html.matches("<svg class=\"quota\"").count(), 2);
}

#[tokio::test]
async fn who_does_not_administer_the_company_sees_no_chart() {
    let area = TestArea::new().await;
    let company = area.company();
    let carl = area.signed_in("carl").await;
    assert!(!carl.get(&company).await.is(200).html.contains("<svg"));
    area.set_api_access(area.acme, false).await;
    let ana = area.signed_in("ana").await;
    assert!(!ana.get(&company).await.is(200).html.contains("<svg"));
}

#[tokio::test]
async fn the_charts_are_told_in_spanish_too() {
    let area = TestArea::new().await;
    let (mut ana, company) = (area.signed_in("ana").await, area.company());
    made_webhook(&ana, &company, "Shop").await.is(200);
    tried(&ana, &company).await;
    ana.language = "es";
    ana.get(&company).await.says("Entregas: 1, fallidas: 0").says("Las últimas 24 horas").says("Peticiones");
}
