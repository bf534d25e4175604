//! Every route × every kind of visitor: the exact answer.

use std::time::Duration;

use crate::app::{Browser, TestArea};
use crate::journeys::{made_token, made_webhook};
use crate::page::Form;
use crate::routes::{Open, Route, routes};

/// Who comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    NoSession,
    OtherCompany,
    Accountant,
    Administrator,
    Holder,
    /// The holder, where the operator has switched API access off.
    AccessOff,
}

use Who::{AccessOff, Accountant, Administrator, Holder, NoSession, OtherCompany};

const EVERYBODY: [Who; 6] = [NoSession, OtherCompany, Accountant, Administrator, Holder, AccessOff];

/// A company with one of each, to put into the paths.
struct Things {
    company: String,
    token: String,
    webhook: String,
    delivery: String,
    replay: String,
    event: String,
    member: String,
    grant: String,
    /// One that has ended.
    session: String,
    /// Of the holder.
    approval: String,
    /// Of Beta, which Ana alone administers.
    group: String,
    /// Its company.
    beta: String,
}

impl Things {
    async fn of(area: &TestArea, ana: &Browser) -> Self {
        let company = area.company();
        area.publish("contact.create").await;
        let found = |page: &crate::page::Page, part: &str| {
            let link = page.links().into_iter().rev().find(|link| link.contains(part)).unwrap();
            link.rsplit('/').next().unwrap().to_owned()
        };
        let token = found(&made_token(ana, &company, "One").await, "/tokens/tok_");
        let webhook = found(&made_webhook(ana, &company, "One").await, "/webhooks/whs_");
        let page = ana.get(&format!("{company}/webhooks/{webhook}")).await;
        let delivery = ana.submit(&page.form("/test")).await.path.rsplit('/').next().unwrap().to_owned();
        let event = found(&ana.get(&format!("{company}/events")).await, "/events/evt_");
        let form = ana.get(&format!("{company}/webhooks/{webhook}/replays/new")).await.form("/replays/new");
        let form = form.with("what", "events").with("from", "2020-01-01T00:00").with("step", "start");
        let replay = ana.submit(&form).await.path.rsplit('/').next().unwrap().to_owned();
        let form = ana.get(&format!("{company}/members/new")).await.form("/members/new");
        ana.submit(&form.with("email", "dora@example.com").with("role", "employee")).await.says("Invited");
        let list = ana.get(&format!("{company}/members")).await;
        let member = list.link_beside("dora@example.com").rsplit('/').next().unwrap().to_owned();
        let form = ana.get(&format!("{company}/data-room/new")).await.form("/data-room/new");
        let form =
            form.with("email", "guest@example.com").with("sections", "Uno").with("lastDay", "2025-04-01");
        let grant = ana.submit(&form).await.path.rsplit('/').next().unwrap().to_owned();
        let other = area.signed_in("ana").await;
        let page = ana.get("/sessions").await;
        let form = page.forms().into_iter().find(|form| form.action.ends_with("/end")).unwrap();
        let session = form.action.split('/').nth(2).unwrap().to_owned();
        ana.submit(&form).await.says("The session has ended");
        other.get("/sessions").await.says("Sign in");
        let form = ana.get("/groups/new").await.form("/groups/new").with("name", "Group");
        let group = ana.submit(&form.with("company", &area.beta.to_string())).await;
        let group = group.path.rsplit('/').next().unwrap().to_owned();
        let approval = area.asked("ana", "Luna SL").await.to_string();
        Self {
            company,
            token,
            webhook,
            delivery,
            replay,
            event,
            member,
            grant,
            session,
            approval,
            group,
            beta: area.beta.to_string(),
        }
    }

    /// The path of a route with what there is.
    fn path(&self, route: Route) -> String {
        let path = route.path.replace("/companies/{company}", &self.company);
        let step = if path.contains("/tokens/") { "disable" } else { "enable" };
        let id = [
            ("/tokens/{id}", &self.token),
            ("/webhooks/{id}", &self.webhook),
            ("/deliveries/{id}", &self.delivery),
            ("/replays/{id}", &self.replay),
            ("/events/{id}", &self.event),
            ("/members/{id}", &self.member),
            ("/data-room/{id}", &self.grant),
            ("/files/{id}", &self.member),
            ("/invitations/{id}", &self.member),
            ("/sessions/{id}", &self.session),
            ("/connections/{id}", &self.token),
            ("/approvals/{id}", &self.approval),
            ("/groups/{id}", &self.group),
        ];
        let path = id.iter().fold(path, |path, (place, id)| path.replace(place, &place.replace("{id}", id)));
        path.replace("{step}", step)
            .replace("{account}", &self.beta)
            .replace("{link}", &"0".repeat(43))
            .replace("{number}", "1")
    }
}

/// The status of the first answer that is no redirect, and whether it is the page for signing in.
fn expected(route: Route, who: Who) -> (&'static [u16], bool) {
    /// What an admitted form without its fields is answered with: it is wrong, stale, or does what it says.
    const FORMS: &[u16] = &[200, 404, 409, 412, 422];
    let open: &[u16] = if route.posts { FORMS } else { &[200] };
    match (route.open_to(), who) {
        // Signing in without a password.
        (Open::Anyone, _) if route.posts && route.path.starts_with("/sign-in") => (&[401], true),
        (Open::Anyone, _) if route.path == "/forgotten" => (if route.posts { &[422] } else { &[200] }, false),
        (Open::Anyone, NoSession) => (&[200], true),
        (Open::Anyone, _) => (&[200], false),
        // A link that leads nowhere, for each of them.
        (Open::Linked, _) => (&[404], false),
        (Open::Reset, _) => (&[410], false),
        (_, NoSession) => {
            if route.posts {
                (&[401], false)
            } else {
                (&[200], true)
            }
        }
        (Open::Person, _) if ["/sign-out", "/sessions/end-all"].contains(&route.path) => (&[200], true),
        // Without the request of an application.
        (Open::Person, _) if route.path == "/oauth/authorize" => (&[400], false),
        (Open::Administrator | Open::Developer | Open::Data | Open::Organiser, Accountant) => (&[403], false),
        // Another company of hers is in the group of the matrix.
        (Open::InGroup | Open::Asked, Holder | AccessOff) | (Open::Person | Open::Organiser, _) => {
            (open, false)
        }
        // Without the version that she saw.
        (Open::Invited, OtherCompany) => (&[412], false),
        (Open::Invited | Open::Asked | Open::Answering | Open::InGroup, _) | (_, OtherCompany) => {
            (&[404], false)
        }
        (Open::Developer, AccessOff) => (&[409], false),
        (Open::Member | Open::Administrator | Open::Data, _) | (Open::Developer, Administrator | Holder) => {
            (open, false)
        }
    }
}

#[tokio::test]
async fn each_route_is_open_to_those_it_is_for() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let things = Things::of(&area, &ana).await;
    let mut cells = 0;
    for who in EVERYBODY {
        // Failed attempts to sign in are forgotten.
        area.clock.advance(Duration::from_hours(1));
        area.set_api_access(area.acme, who != AccessOff).await;
        for route in routes() {
            let browser = match who {
                NoSession => area.browser(),
                OtherCompany => area.signed_in("dora").await,
                Accountant => area.signed_in("carl").await,
                Administrator => area.signed_in("ben").await,
                Holder | AccessOff => area.signed_in("ana").await,
            };
            let path = things.path(route);
            let page = if route.posts {
                // Any page of the visitor has the token of the visitor's forms.
                let known = browser.get("/sign-in").await;
                let form = known.forms().into_iter().next().unwrap();
                let csrf = form.fields.into_iter().find(|(name, _)| name == "csrf").unwrap();
                browser.submit(&Form { action: path.clone(), fields: vec![csrf] }).await
            } else {
                browser.get(&path).await
            };
            let (statuses, signs_in) = expected(route, who);
            assert!(
                statuses.contains(&page.status),
                "{who:?} {route:?} {path}: {} {}",
                page.status,
                page.text()
            );
            let is_sign_in = page.html.contains("action=\"/sign-in\"");
            assert_eq!(is_sign_in, signs_in, "{who:?} {route:?} {path}: {}", page.text());
            cells += 1;
        }
    }
    assert_eq!(cells, routes().len() * EVERYBODY.len());
}

#[tokio::test]
async fn developers_is_hidden_where_it_is_not_open() {
    let area = TestArea::new().await;
    let home = area.company();
    let ana = area.signed_in("ana").await;
    ana.get(&home).await.says("Developers").says("Webhooks");
    let carl = area.signed_in("carl").await;
    let page = carl.get(&home).await;
    assert!(
        !page.links().iter().any(|link| link.contains("/tokens") || link.contains("/webhooks")),
        "{:?}",
        page.links()
    );
    area.set_api_access(area.acme, false).await;
    let page = ana.get(&home).await;
    assert!(
        !page.links().iter().any(|link| link.contains("/tokens") || link.contains("/webhooks")),
        "{:?}",
        page.links()
    );
}

#[tokio::test]
async fn things_of_one_company_are_not_found_below_another() {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let things = Things::of(&area, &ana).await;
    let other = format!("/companies/{}", area.beta);
    let mut looked_at = 0;
    let one_of = |route: &Route| route.path.starts_with("/companies/") && route.path.contains("{id}");
    for route in routes().into_iter().filter(|route| !route.posts && one_of(route)) {
        let path = things.path(route).replace(&things.company, &other);
        ana.get(&path).await.is(404);
        looked_at += 1;
    }
    assert!(looked_at > 8);
}
