//! Sessions that end, tabs that are left open, and what a page tells then.

use std::time::Duration;

use crate::app::TestArea;

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
