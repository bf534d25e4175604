//! Every page: its path, its gate, its handler.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::{get, post};
use futures_util::future::BoxFuture;
use http::{HeaderName, HeaderValue};
use svc_http::visit::{Door, Refusal, Visit};
use svc_http::{Code, Pages, Problem};

use crate::first_run::FirstRun;
use crate::gate::{Gate, Seen, Turned};
use crate::language::Language;
use crate::refusal::Asked;
use crate::{
    api, approvals, assets, audit_log, authorize, ceremony, companies, data_room, deliveries, event_log,
    first_run, forgotten, groups, guest, home, invitations, joining, members, page, password, preferences,
    refusal, replays, second_factor, sessions, sign_in, subscriptions, tokens, uploads,
};

/// What tells search engines not to list a page.
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// The client area, for [`svc_http::router_with`].
#[must_use]
pub fn pages(door: Door) -> Pages {
    pages_of(door, None)
}

/// The same with the page that founds the first company, for who has its link.
#[must_use]
pub fn pages_with(door: Door, first_run: Arc<FirstRun>) -> Pages {
    pages_of(door, Some(first_run))
}

fn pages_of(door: Door, first_run: Option<Arc<FirstRun>>) -> Pages {
    let site = Site { door, routes: Router::new() };
    let site = site.links().unlisted().assets().first_run(first_run).people().developers();
    Pages { routes: site.routes, not_found }
}

struct Site {
    door: Door,
    routes: Router,
}

impl Site {
    /// Pages behind links of mails.
    fn links(self) -> Self {
        self.get("/sign/{link}", ceremony::show)
            .post("/sign/{link}/otp", ceremony::code::give)
            .post("/sign/{link}/sign", ceremony::sign)
            .get("/sign/{link}/decline", ceremony::decline::ask)
            .post("/sign/{link}/decline", ceremony::decline::decline)
            .get("/sign/{link}/documents/{number}", ceremony::document::read)
            .post("/sign/{link}/documents/{number}", ceremony::document::open)
            .get("/uploads/{link}", uploads::show)
            .get("/room/{link}", guest::show)
            .post("/room/{link}/code", guest::code::give)
            .post("/room/{link}/leave", guest::leave)
            .get("/room/{link}/files/{id}", guest::file::open)
            .get("/invitation/{link}", joining::show)
            .post("/invitation/{link}/accept", joining::accept)
            .post("/invitation/{link}/decline", joining::decline)
            .post("/invitation/{link}/found", joining::found)
            .get("/reset/{link}", forgotten::choose)
            .post("/reset/{link}", forgotten::reset)
    }

    /// Pages for people, and of companies for their members.
    fn people(self) -> Self {
        self.get("/", home::home)
            .get("/sign-in", sign_in::show)
            .post("/sign-in", sign_in::sign_in)
            .get("/sign-in/code", sign_in::code::show)
            .post("/sign-in/code", sign_in::code::give)
            .post("/sign-out", sign_in::sign_out)
            .get("/forgotten", forgotten::show)
            .post("/forgotten", forgotten::send)
            .post("/preferences", preferences::choose)
            .get("/companies", companies::list)
            .get("/companies/{company}", companies::show)
            .get("/companies/{company}/data", companies::data::show)
            .post("/companies/{company}/data", companies::data::save)
            .get("/companies/{company}/deactivate", companies::life::ask)
            .post("/companies/{company}/deactivate", companies::life::deactivate)
            .post("/companies/{company}/reactivate", companies::life::reactivate)
            .get("/groups", groups::list)
            .get("/groups/new", groups::new::show)
            .post("/groups/new", groups::new::make)
            .get("/groups/{id}", groups::show)
            .post("/groups/{id}", groups::change::rename)
            .post("/groups/{id}/companies", groups::change::add)
            .post("/groups/{id}/companies/{account}/remove", groups::change::remove)
            .get("/groups/{id}/dissolve", groups::change::ask)
            .post("/groups/{id}/dissolve", groups::change::dissolve)
            .get("/password", password::show)
            .post("/password", password::change)
            .get("/second-factor", second_factor::show)
            .post("/second-factor/enrol", second_factor::enrol)
            .post("/second-factor/confirm", second_factor::confirm)
            .post("/second-factor/recovery-codes", second_factor::renew)
            .post("/second-factor/turn-off", second_factor::turn_off)
            .get("/oauth/authorize", authorize::show)
            .post("/oauth/authorize", authorize::decide)
            .get("/approvals", approvals::list)
            .get("/approvals/{id}", approvals::show)
            .post("/approvals/{id}", approvals::decide)
            .get("/sessions", sessions::list)
            .post("/sessions/end-all", sessions::end_all)
            .post("/sessions/{id}/end", sessions::end)
            .post("/connections/{id}/end", sessions::connections::end)
            .post("/invitations/{id}/accept", invitations::accept)
            .post("/invitations/{id}/decline", invitations::decline)
            .get("/companies/{company}/members", members::list::list)
            .get("/companies/{company}/members/new", members::invite::show)
            .post("/companies/{company}/members/new", members::invite::invite)
            .get("/companies/{company}/members/{id}", members::role::show)
            .post("/companies/{company}/members/{id}", members::role::change)
            .get("/companies/{company}/members/{id}/end", members::end::ask)
            .post("/companies/{company}/members/{id}/end", members::end::end)
            .get("/companies/{company}/data-room", data_room::list::list)
            .get("/companies/{company}/data-room/new", data_room::new::show)
            .post("/companies/{company}/data-room/new", data_room::new::make)
            .get("/companies/{company}/data-room/{id}", data_room::show::show)
            .post("/companies/{company}/data-room/{id}", data_room::extend::extend)
            .get("/companies/{company}/data-room/{id}/revoke", data_room::revoke::ask)
            .post("/companies/{company}/data-room/{id}/revoke", data_room::revoke::revoke)
            .post("/companies/{company}/members/{id}/send-again", members::again::send)
    }

    /// Logs of a company, and the section Developers.
    fn developers(self) -> Self {
        self.get("/companies/{company}/audit-log", audit_log::list)
            .get("/companies/{company}/audit-log.csv", audit_log::table::download)
            .get("/companies/{company}/audit-log/verification", audit_log::verification::show)
            .post("/companies/{company}/audit-log/verification", audit_log::verification::verify)
            .get("/companies/{company}/api", api::show)
            .get("/companies/{company}/tokens", tokens::list::list)
            .get("/companies/{company}/tokens/new", tokens::new::show)
            .post("/companies/{company}/tokens/new", tokens::new::make)
            .get("/companies/{company}/tokens/{id}", tokens::show::show)
            .get("/companies/{company}/tokens/{id}/edit", tokens::edit::show)
            .post("/companies/{company}/tokens/{id}/edit", tokens::edit::save)
            .get("/companies/{company}/tokens/{id}/{step}", tokens::step::ask)
            .post("/companies/{company}/tokens/{id}/{step}", tokens::step::take)
            .get("/companies/{company}/webhooks", subscriptions::list::list)
            .get("/companies/{company}/webhooks/new", subscriptions::new::show)
            .post("/companies/{company}/webhooks/new", subscriptions::new::make)
            .get("/companies/{company}/webhooks/{id}", subscriptions::show::show)
            .get("/companies/{company}/webhooks/{id}/edit", subscriptions::edit::show)
            .post("/companies/{company}/webhooks/{id}/edit", subscriptions::edit::save)
            .post("/companies/{company}/webhooks/{id}/test", subscriptions::test::send)
            .get("/companies/{company}/webhooks/{id}/deliveries", deliveries::list::list)
            .get("/companies/{company}/webhooks/{id}/replays", replays::list::list)
            .get("/companies/{company}/webhooks/{id}/replays/new", replays::new::show)
            .post("/companies/{company}/webhooks/{id}/replays/new", replays::new::start)
            .get("/companies/{company}/webhooks/{id}/{step}", subscriptions::step::ask)
            .post("/companies/{company}/webhooks/{id}/{step}", subscriptions::step::take)
            .get("/companies/{company}/deliveries/{id}", deliveries::show::show)
            .post("/companies/{company}/deliveries/{id}/redeliver", deliveries::redeliver::redeliver)
            .get("/companies/{company}/replays/{id}", replays::show::show)
            .post("/companies/{company}/replays/{id}/cancel", replays::cancel::cancel)
            .get("/companies/{company}/events", event_log::list::list)
            .get("/companies/{company}/events/{id}", event_log::show::show)
    }

    /// No search engine lists the pages that are there by now, wherever it found a link to one.
    fn unlisted(self) -> Self {
        let unlisted = map_response(async |mut response: Response| {
            response.headers_mut().insert(ROBOTS, HeaderValue::from_static("noindex, nofollow"));
            response
        });
        Self { routes: self.routes.layer(unlisted), ..self }
    }

    fn assets(self) -> Self {
        Self { routes: self.routes.route("/assets/{name}", get(assets::asset)), ..self }
    }

    fn first_run(self, first_run: Option<Arc<FirstRun>>) -> Self {
        let Some(run) = first_run else { return self };
        let (door, run_to_show) = (self.door.clone(), Arc::clone(&run));
        let show = get(move |request: Request| {
            answer(door.clone(), request, move |seen| first_run::show(seen, run_to_show))
        });
        let door = self.door.clone();
        let show =
            show.post(move |request: Request| answer(door, request, move |seen| first_run::found(seen, run)));
        Self { routes: self.routes.route("/first-run/{key}", show), ..self }
    }

    fn get<G, R>(self, path: &str, handler: fn(Seen<G>) -> R) -> Self
    where
        G: Gate,
        R: Future<Output = Result<Response, Problem>> + Send + 'static,
    {
        let door = self.door.clone();
        let answer = get(move |request: Request| answer(door.clone(), request, handler));
        Self { routes: self.routes.route(path, answer), ..self }
    }

    fn post<G, R>(self, path: &str, handler: fn(Seen<G>) -> R) -> Self
    where
        G: Gate,
        R: Future<Output = Result<Response, Problem>> + Send + 'static,
    {
        let door = self.door.clone();
        let answer = post(move |request: Request| answer(door.clone(), request, handler));
        Self { routes: self.routes.route(path, answer), ..self }
    }
}

/// Through the door and the gate to the handler; a refusal becomes a page.
async fn answer<G, H, R>(door: Door, request: Request, handler: H) -> Response
where
    G: Gate,
    H: FnOnce(Seen<G>) -> R + Send + 'static,
    R: Future<Output = Result<Response, Problem>> + Send + 'static,
{
    let asked = Asked::of(&door, &request);
    let visit = match door.receive(request).await {
        Ok(visit) => visit,
        Err(Refusal { problem, browser }) => return refusal::page(&asked, &browser, &problem),
    };
    let browser = visit.browser().clone();
    let outcome = match G::admit(&visit) {
        Ok(gate) => {
            let language = Language::of(&asked.headers);
            visit.answered(move |visit: Arc<Visit>| handler(Seen { visit, gate, language })).await
        }
        Err(Turned::ToSignIn) if asked.reads => {
            return page::see_other(&sign_in::then("/sign-in", &asked.path));
        }
        Err(Turned::ToSignIn) => Err(Problem::new(Code::SessionMissing, "sign in first")),
        Err(Turned::Away(problem)) => Err(problem),
    };
    outcome.unwrap_or_else(|problem| refusal::page(&asked, &browser, &problem))
}

/// A path that names no page.
fn not_found(door: Door, request: Request) -> BoxFuture<'static, Response> {
    Box::pin(async move {
        let asked = Asked::of(&door, &request);
        let browser = match door.receive(request).await {
            Ok(visit) => visit.browser().clone(),
            Err(refusal) => refusal.browser,
        };
        refusal::page(&asked, &browser, &Problem::not_found())
    })
}
