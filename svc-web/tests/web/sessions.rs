//! Sessions that end, tabs that are left open, and what a page tells then.

use std::time::Duration;

use svc_testkit::business::sample;

use crate::app::TestArea;
use crate::page::Form;

#[tokio::test]
async fn a_form_of_a_session_that_has_ended_leads_back_to_its_page() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let form = ana.get(&format!("{}/tokens/new", area.company())).await.form("/tokens/new");
    area.clock.advance(Duration::from_hours(24 * 60));
    let page = ana.submit(&form.with("name", "Late").with("all", "read").with("step", "create")).await;
    page.is(401).says("Your session has ended").says("Nothing was changed");
    let back = page.links().into_iter().find(|link| link.contains("/sign-in?then=")).unwrap();
    assert!(back.ends_with("/tokens"), "{back}");
    let form = ana.get(&back).await.form("/sign-in");
    let page =
        ana.submit(&form.with("email", "ana@example.com").with("password", crate::app::PASSWORD)).await;
    page.is(200).says("No token yet");
}

#[tokio::test]
async fn a_second_tab_of_a_person_who_signed_out_and_in_again_is_told_so() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let old = ana.get(&format!("{}/tokens/new", area.company())).await;
    ana.submit(&old.form("/sign-out")).await;
    let form = ana.get("/sign-in").await.form("/sign-in");
    ana.submit(&form.with("email", "ana@example.com").with("password", crate::app::PASSWORD)).await.is(200);
    let page = ana.submit(&old.form("/tokens/new").with("name", "Old tab")).await;
    // She is signed in, and the page knows it: no sign-in is offered, but the way back.
    page.is(403).says("This form can no longer be sent").says("Ángela");
    assert!(page.links().iter().any(|link| link.ends_with("/tokens")), "{:?}", page.links());
}

#[tokio::test]
async fn every_page_is_kept_by_no_cache_and_framed_by_none() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    for path in [
        "/sign-in",
        "/companies",
        &area.company(),
        "/nothing/here",
        &format!("{}/tokens/new", area.company()),
    ] {
        let page = ana.get(path).await;
        let header = |name: &str| page.headers.get(name).unwrap().to_str().unwrap().to_owned();
        assert_eq!(header("cache-control"), "no-store", "{path}");
        let policy = header("content-security-policy");
        for part in
            ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'self'"]
        {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert!(
            !page.html.contains("<style")
                && !page.html.contains(" style=")
                && !page.html.contains(" onclick")
        );
    }
}

#[tokio::test]
async fn a_path_that_names_nothing_is_a_page_for_browsers_and_a_problem_for_programs() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let page = ana.get("/nothing").await;
    page.is(404).says("There is nothing here").says("Ángela");
    let page = ana.get("/api/v1/nothing").await;
    assert_eq!(page.headers["content-type"], "application/problem+json");
    for path in
        ["/assets/nothing.css", "/companies/acc_nonsense", "/companies/acc_01h455vb4pex5vsknk084sn02q"]
    {
        ana.get(path).await.is(404);
    }
}

#[tokio::test]
async fn styles_and_scripts_are_kept_for_ever_under_a_name_of_their_content() {
    let area = TestArea::new().await;
    let browser = area.browser();
    let html = browser.get("/sign-in").await.html;
    for (mark, kind) in [("/assets/site-", "text/css"), ("src=\"/assets/site-", "text/javascript")] {
        let rest = html.split(mark).nth(1).unwrap();
        let path = format!("/assets/site-{}", rest.split('"').next().unwrap());
        let page = browser.get(&path).await;
        assert!(page.headers["content-type"].to_str().unwrap().starts_with(kind), "{path}");
        assert!(page.headers["cache-control"].to_str().unwrap().contains("immutable"));
        assert!(page.html.len() < 40_000, "{path}");
    }
}

#[tokio::test]
async fn a_person_sees_where_they_are_signed_in_and_ends_it() {
    let area = TestArea::new().await;
    let (here, there) = (area.signed_in("ana").await, area.signed_in("ana").await);
    let ben = area.signed_in("ben").await;
    let page = here.get("/sessions").await;
    page.says("Firefox on Linux").says("This one");
    let ends: Vec<_> = page.forms().into_iter().filter(|form| form.action.ends_with("/end")).collect();
    assert_eq!(ends.len(), 1, "the present one and Ben's have no button: {}", page.html);
    here.submit(&ends[0]).await.is(200).says("The session has ended");
    there.get("/companies").await.says("Sign in");
    here.get("/companies").await.says("Acme");
    // An id that is none of hers is answered as one that has ended.
    let of_ben = area.database.sessions().sessions().of(sample::id(12), 1).await.unwrap().remove(0).id;
    let form = Form { action: format!("/sessions/{of_ben}/end"), ..ends[0].clone() };
    here.submit(&form).await.is(200).says("The session has ended");
    ben.get("/companies").await.says("Acme");
}

#[tokio::test]
async fn signing_out_everywhere_ends_every_session() {
    let area = TestArea::new().await;
    let (here, there) = (area.signed_in("ana").await, area.signed_in("ana").await);
    let page = here.get("/sessions").await;
    here.submit(&page.form("/sessions/end-all")).await.is(200).says("You are signed out");
    here.get("/companies").await.says("Sign in");
    there.get("/companies").await.says("Sign in");
}
