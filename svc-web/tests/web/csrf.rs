//! A form takes effect only when its person sent it from a page of this service.

use crate::app::TestArea;
use crate::page::Form;
use crate::routes::{Open, routes};

const CSRF: &str = "csrf";

#[tokio::test]
async fn no_form_is_taken_without_its_token_or_with_another_one_or_from_another_site() {
    let area = TestArea::new().await;
    let (ana, ben) = (area.signed_in("ana").await, area.signed_in("ben").await);
    let token = async |browser: &crate::app::Browser| {
        let form = browser.get("/companies").await.forms().into_iter().next().unwrap();
        form.fields.into_iter().find(|(name, _)| name == CSRF).unwrap().1
    };
    let (of_ana, of_ben) = (token(&ana).await, token(&ben).await);
    assert_ne!(of_ana, of_ben);
    let posts: Vec<_> = routes().into_iter().filter(|route| route.posts).collect();
    let mut refused = 0;
    for route in &posts {
        let action = route.path.replace("{company}", &area.acme.to_string());
        let form = |fields: &[(&str, &str)]| Form {
            action: action.clone(),
            fields: fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        };
        let good = form(&[(CSRF, &of_ana)]);
        let tries = [
            (form(&[]), vec![]),
            (form(&[(CSRF, "")]), vec![]),
            (form(&[(CSRF, &of_ben)]), vec![]),
            (good.clone(), vec![("origin", "https://evil.example")]),
            (good.clone(), vec![("origin", "null")]),
            (good.clone(), vec![("origin", "http://localhost"), ("sec-fetch-site", "cross-site")]),
        ];
        for (form, headers) in tries {
            let page = ana.submit_with(&form, &headers).await;
            page.is(403);
            refused += 1;
        }
    }
    assert_eq!(refused, posts.len() * 6);
    ana.get("/companies").await.says("Acme");
}

#[tokio::test]
async fn before_there_is_a_session_a_form_belongs_to_its_browser() {
    let area = TestArea::new().await;
    let (mine, theirs) = (area.browser(), area.browser());
    let form = mine.get("/sign-in").await.form("/sign-in");
    let form = form.with("email", "ana@example.com").with("password", crate::app::PASSWORD);
    theirs.get("/sign-in").await;
    theirs.submit(&form).await.is(403).says("This form can no longer be sent");
    area.browser().submit(&form).await.is(403);
    let code = Form { action: "/sign-in/code".to_owned(), ..form.clone() };
    theirs.submit(&code).await.is(403);
    area.browser().submit(&code).await.is(403);
    mine.submit(&form).await.is(200).says("Your companies");
    let open: Vec<_> =
        routes().into_iter().filter(|route| route.posts && route.open_to() == Open::Anyone).collect();
    assert_eq!(open.len(), 4);
}

#[tokio::test]
async fn a_page_of_another_kind_than_a_form_is_not_read() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let form = ana.get("/companies").await.form("/preferences");
    ana.submit_with(&form, &[("content-type", "text/plain")]).await.is(415);
    let long = form.clone().and("x", &"y".repeat(70_000));
    ana.submit(&long).await.is(413);
    let many = (0..2_001).fold(form, |form, number| form.and("x", &number.to_string()));
    ana.submit(&many).await.is(413);
}
