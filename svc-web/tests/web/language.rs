//! Language and appearance: what the browser prefers, and what its person chose.

use crate::app::TestArea;
use crate::routes::{Open, routes};

#[tokio::test]
async fn a_page_is_in_the_language_of_the_browser_until_its_person_chooses_another() {
    let area = TestArea::new().await;
    let mut ana = area.signed_in("ana").await;
    ana.language = "es-ES,es;q=0.9";
    let page = ana.get(&format!("{}/tokens", area.company())).await;
    page.says("Todavía no hay tokens");
    assert!(page.html.contains("<html lang=\"es\" data-theme=\"system\">"));
    let chosen = page.form("/preferences").with("lang", "en").with("theme", "dark");
    let page = ana.submit(&chosen).await;
    page.says("No token yet");
    assert!(page.html.contains("<html lang=\"en\" data-theme=\"dark\">"));
    assert!(page.path.ends_with("/tokens"), "{}", page.path);
}

#[tokio::test]
async fn no_page_in_spanish_has_english_words_in_it() {
    let area = TestArea::new().await;
    let mut ana = area.signed_in("ana").await;
    ana.language = "es";
    let mut looked_at = 0;
    for route in routes().into_iter().filter(|route| !route.posts && !route.path.contains("{id}")) {
        // The columns of a table for programs have the same names in every language.
        if route.path.contains("audit-log.csv") {
            continue;
        }
        let page = route.path.replace("{company}", &area.acme.to_string());
        let page = ana.get(&page.replace("{link}", "0").replace("{number}", "1")).await;
        // What is for the makers of an application is in the language of the standards.
        let text = page.text_but("<code lang=\"en\">", "</code>");
        for english in ["Something", "Cancel ", "Sign out", " the ", "Permissions", "Webhook is"] {
            assert!(!text.contains(english), "{}: {english:?} in {text}", page.path);
        }
        assert!(page.html.contains("lang=\"es\""), "{}", page.path);
        looked_at += 1;
    }
    assert!(looked_at >= 8);
    assert!(routes().iter().any(|route| route.open_to() == Open::Member));
    let page = ana.get(&format!("{}/webhooks/new", area.company())).await;
    let wrong = ana
        .submit(
            &page
                .form("/webhooks/new")
                .with("url", "nowhere")
                .with("event", "contact.create")
                .with("name", "x"),
        )
        .await;
    wrong.is(422).says("No es una dirección web");
}

#[tokio::test]
async fn a_choice_leads_to_pages_of_this_service_alone() {
    let area = TestArea::new().await;
    let browser = area.browser();
    let form = browser.get("/sign-in").await.form("/preferences").with("then", "https://evil.example/");
    let page = browser.submit(&form).await;
    assert!(page.path.starts_with("/sign-in"), "{}", page.path);
}
