//! What strangers write stays text, on every page.

use svc_testkit::fakes::FakeSender;
use svc_webhooks::ports::{Answer, Exchange};

use crate::app::TestArea;
use crate::journeys::{made_token, made_webhook};

const HOSTILE: &str = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'{{7*7}}";

#[tokio::test]
async fn hostile_markup_is_shown_as_it_was_written() {
    let mut answer = Answer { body: HOSTILE.into(), ..Answer::bare(500) };
    answer.headers.push("x-note", HOSTILE.as_bytes());
    let sender = FakeSender::new().then_exchanging(Exchange::ended(Ok(answer)));
    let area = TestArea::with([HOSTILE, HOSTILE, "Gamma"], sender).await;
    let mut hostile = area.browser();
    hostile.agent = HOSTILE;
    let (ana, company) = (area.signed_in_with(hostile, "ana").await, area.company());
    made_token(&ana, &company, HOSTILE).await.is(200);
    made_webhook(&ana, &company, HOSTILE).await.is(200);
    let list = ana.get(&format!("{company}/webhooks")).await;
    let one = list.links().into_iter().find(|link| link.contains("/webhooks/whs_")).unwrap();
    let page = ana.get(&one).await;
    ana.submit(&page.form("/test")).await.says(HOSTILE);

    assert!(ana.get("/sessions").await.html.contains("&#60;script&#62;alert(1)"), "a browser's own word");

    // Every page that can be reached by links from here, forms of the query with hostile text among them.
    let mut queue = vec![
        "/companies".to_owned(),
        format!("{company}/events?object=%22%3E%3Cscript%3Ealert(1)%3C/script%3E"),
        format!("{one}/deliveries?from=%22%3E%3Cscript%3Ealert(1)%3C/script%3E"),
        "/sign-in?then=/%22%3E%3Cscript%3E".to_owned(),
    ];
    let mut seen: Vec<String> = Vec::new();
    let mut shown = 0;
    while let Some(path) = queue.pop() {
        if seen.contains(&path)
            || path.starts_with("/docs")
            || path.starts_with("/api/")
            || path.contains(".csv")
        {
            continue;
        }
        let page = ana.get(&path).await;
        let html = page.html.to_lowercase();
        // One script of our own, and no element or attribute that a stranger made.
        assert_eq!(html.matches("<script").count(), 1, "{path}");
        assert!(!html.contains("<img src=x") && !html.contains("\" onerror"), "{path}");
        shown += usize::from(html.contains("&#60;script&#62;alert(1)"));
        queue.extend(page.links());
        seen.push(path);
    }
    assert!(seen.len() > 20 && shown > 15, "{shown} of {}", seen.len());
}
