//! What each route works on: something of Acme, made for this route alone.

mod assets;
mod documents;
mod signature;
mod tax;
mod treasury;

use http::Method;
use serde_json::{Value, json};

use super::Route;
use super::callers::Tokens;
use crate::client_area::{Browser, ClientAreaApp, PASSWORD};
use crate::test_app::Client;

/// A request that works for every caller who may send it.
pub(super) struct Target {
    pub(super) path: String,
    pub(super) body: Option<Value>,
    pub(super) stranger: Stranger,
    /// What no stranger may ever be shown.
    pub(super) hidden: String,
}

/// What a person with every right in another company hears.
#[derive(Clone, Copy)]
pub(super) enum Stranger {
    /// The path is not theirs.
    NotFound,
    /// The body refers to something that is not theirs.
    UnknownReference,
    /// The route gives everybody their own.
    OwnThings,
}

/// The target of a route; a route without one fails the test.
pub(super) async fn target(area: &ClientAreaApp, tokens: &Tokens, route: &Route) -> Target {
    let at_work = AtWork {
        area,
        client: Client { router: area.router.clone(), token: tokens.fine.clone() },
        ana: area.browser("ana").await,
    };
    let line = format!("{} {}", route.method, route.path);
    let (family, _) = route.path.trim_start_matches('/').split_once('/').unwrap_or((&route.path[1..], ""));
    let found = match family {
        "contacts" => at_work.contacts(&route.method, &route.path).await,
        "cases" => at_work.cases(&route.method, &route.path).await,
        "accounts" => at_work.accounts(&route.method, &route.path).await,
        "suppliers" => at_work.suppliers(&route.method, &route.path).await,
        "supplier-documents" => at_work.supplier_documents(&route.method, &route.path).await,
        "billing" => at_work.billing(&route.method, &route.path).await,
        "books" if route.path.contains("/fixed-assets") => at_work.assets(&route.method, &route.path).await,
        "books" => at_work.books(&route.method, &route.path).await,
        "tax" => at_work.tax(&route.method, &route.path).await,
        "files" | "folders" | "data-room" => at_work.documents(&route.method, &route.path).await,
        "envelopes" => at_work.envelopes(&route.method, &route.path).await,
        "treasury" => at_work.treasury(&route.method, &route.path).await,
        "groups" => at_work.groups(&route.method, &route.path).await,
        "webhooks" => at_work.webhooks(&route.method, &route.path).await,
        "tokens" => at_work.tokens(&route.method, &route.path).await,
        "session" => at_work.session(&line, &route.path).await,
        _ => at_work.rest(&line),
    };
    found.unwrap_or_else(|| panic!("{line} has no target in the authority matrix"))
}

pub(super) struct AtWork<'a> {
    pub(super) area: &'a ClientAreaApp,
    pub(super) client: Client,
    ana: Browser,
}

impl AtWork<'_> {
    async fn contacts(&self, method: &Method, path: &str) -> Option<Target> {
        let one = self.contact("Sol SL").await;
        let acme = self.area.acme.to_string();
        let new = json!({"kind": "organization", "legalName": "Luna SL", "companyId": acme});
        Some(match (method.as_str(), path) {
            ("GET", "/contacts") => listed(path, &one),
            ("POST", "/contacts") => refers(path, new, &acme),
            ("POST", "/contacts/bulk") => {
                let items = json!({"items": [{"id": one, "notes": "seen"}]});
                Target {
                    path: path.to_owned(),
                    body: Some(items),
                    stranger: Stranger::OwnThings,
                    hidden: "seen".to_owned(),
                }
            }
            ("PATCH", "/contacts/{id}") => on(path, &one, Some(json!({"notes": "seen"}))),
            ("POST", "/contacts/{id}/merge") => {
                let absorbed = self.contact("Mar SL").await;
                on(path, &one, Some(json!({"mergedId": absorbed})))
            }
            ("GET" | "DELETE", "/contacts/{id}")
            | ("GET", "/contacts/{id}/duplicates")
            | ("POST", "/contacts/{id}/anonymize") => on(path, &one, None),
            _ => return None,
        })
    }

    async fn cases(&self, method: &Method, path: &str) -> Option<Target> {
        let acme = self.area.acme.to_string();
        let contact = self.contact("Sol SL").await;
        let new = json!({"title": "Inspection", "type": "tax", "contactId": contact, "companyId": acme});
        let one = self.client.post("/cases", &new).await.ok(201).id();
        Some(match (method.as_str(), path) {
            ("GET", "/cases") => listed(path, &one),
            ("POST", "/cases") => refers(path, new, &acme),
            ("PATCH", "/cases/{id}") => on(path, &one, Some(json!({"title": "seen"}))),
            ("POST", "/cases/{id}/close") => on(path, &one, Some(json!({"outcome": "won"}))),
            ("POST", "/cases/{id}/notes") => on(path, &one, Some(json!({"text": "seen"}))),
            ("POST", "/cases/{id}/reopen") => {
                let close = format!("/cases/{one}/close");
                self.client.post(&close, &json!({"outcome": "lost"})).await.ok(200);
                on(path, &one, None)
            }
            ("GET", "/cases/{id}" | "/cases/{id}/timeline") => on(path, &one, None),
            _ => return None,
        })
    }

    async fn accounts(&self, method: &Method, path: &str) -> Option<Target> {
        let [acme, beta] = [self.area.acme, self.area.beta].map(|id| id.to_string());
        let carl = || async {
            let members = self.client.get(&format!("/accounts/{acme}/members")).await.ok(200);
            let items = members.json["items"].as_array().unwrap();
            let carl = items.iter().find(|member| member["email"] == "carl@example.com").unwrap();
            carl["id"].as_str().unwrap().to_owned()
        };
        Some(match (method.as_str(), path) {
            ("GET", "/accounts") => listed(path, &acme),
            ("POST", "/accounts") => {
                let body = json!({"legalName": "Filial SL", "legalForm": "sl", "parentAccountId": acme});
                refers(path, body, &acme)
            }
            ("GET" | "DELETE", "/accounts/{id}") => on(path, &beta, None),
            ("PATCH", "/accounts/{id}") => on(path, &acme, Some(json!({"tradeName": "Acme"}))),
            ("POST", "/accounts/{id}/reactivate") => {
                self.client.delete(&format!("/accounts/{beta}"), &[]).await.ok(200);
                on(path, &beta, None)
            }
            ("POST", "/accounts/{id}/merge") => on(path, &acme, Some(json!({"mergedId": beta}))),
            ("GET", "/accounts/{id}/members") => on(path, &acme, None),
            ("POST", "/accounts/{id}/members") => {
                on(path, &acme, Some(json!({"email": "dora@example.com", "role": "auditor"})))
            }
            ("PATCH", "/accounts/{id}/members/{memberId}") => {
                let path = path.replace("{memberId}", &carl().await);
                on(&path, &acme, Some(json!({"role": "employee"})))
            }
            ("DELETE", "/accounts/{id}/members/{memberId}") => {
                let path = path.replace("{memberId}", &carl().await);
                on(&path, &acme, None)
            }
            _ => return None,
        })
    }

    async fn books(&self, method: &Method, path: &str) -> Option<Target> {
        let acme = self.area.acme.to_string();
        let new = |date, post| {
            json!({"date": date, "description": "Rent", "post": post, "lines": [
                {"accountCode": "6210000", "debit": "800.00"}, {"accountCode": "5720000", "credit": "800.00"},
            ]})
        };
        let in_acme = |path: &str| path.replace("{companyId}", &acme);
        let made = async |kind: &str, body: Value| {
            self.client.post(&format!("/books/{acme}/{kind}"), &body).await.ok(201).id()
        };
        let whole = |body| Target { hidden: acme.clone(), ..on(&in_acme(path), "", body) };
        let one = |id: String, body| on(&in_acme(path), &id, body);
        let account = json!({"code": "6290001", "name": "Licences"});
        let year = json!({"startDate": "2026-01-01", "endDate": "2026-12-31"});
        Some(match (method.as_str(), path.trim_start_matches("/books")) {
            ("GET", "") => listed(path, &acme),
            (
                "GET",
                "/{companyId}"
                | "/{companyId}/verification"
                | "/{companyId}/reports/trial-balance"
                | "/{companyId}/reports/balance-sheet"
                | "/{companyId}/reports/profit-and-loss"
                | "/{companyId}/reports/general-ledger"
                | "/{companyId}/reports/journal"
                | "/{companyId}/reports/aged-receivables"
                | "/{companyId}/reports/aged-payables"
                | "/{companyId}/reports/vat-register"
                | "/{companyId}/accounts"
                | "/{companyId}/fiscal-years"
                | "/{companyId}/journal-lines"
                | "/{companyId}/journal-entries",
            ) => whole(None),
            ("PATCH", "/{companyId}") => whole(Some(json!({"metadata": {"seen": "yes"}}))),
            ("POST", "/{companyId}/accounts") => whole(Some(account)),
            ("PATCH", "/{companyId}/accounts/{id}") => {
                one(made("accounts", account).await, Some(json!({"name": "seen"})))
            }
            ("GET" | "DELETE", "/{companyId}/accounts/{id}") => one(made("accounts", account).await, None),
            ("POST", "/{companyId}/fiscal-years") => whole(Some(year)),
            ("GET", "/{companyId}/fiscal-years/{id}") => one(made("fiscal-years", year).await, None),
            ("POST", "/{companyId}/fiscal-years/{id}/close" | "/{companyId}/fiscal-years/{id}/reopen") => {
                let years = self.client.get(&format!("/books/{acme}/fiscal-years")).await.ok(200);
                let first = years.json["items"][0]["id"].as_str().unwrap().to_owned();
                let reopens = path.ends_with("reopen");
                if reopens {
                    self.client
                        .post(
                            &in_acme(&format!("/books/{{companyId}}/fiscal-years/{first}/close")),
                            &json!({}),
                        )
                        .await
                        .ok(200);
                }
                one(first, (!reopens).then(|| json!({})))
            }
            ("POST", "/{companyId}/journal-entries") => whole(Some(new("2025-01-31", false))),
            ("POST", "/{companyId}/journal-entries/bulk") => {
                whole(Some(json!({"entries": [new("2025-01-31", false)]})))
            }
            ("PATCH", "/{companyId}/journal-entries/{id}") => one(
                made("journal-entries", new("2025-01-31", false)).await,
                Some(json!({"description": "seen"})),
            ),
            ("GET" | "DELETE", "/{companyId}/journal-entries/{id}")
            | ("POST", "/{companyId}/journal-entries/{id}/post") => {
                one(made("journal-entries", new("2025-01-31", false)).await, None)
            }
            ("POST", "/{companyId}/journal-entries/{id}/reverse") => {
                one(made("journal-entries", new("2025-01-31", true)).await, Some(json!({})))
            }
            _ => return None,
        })
    }

    async fn groups(&self, method: &Method, path: &str) -> Option<Target> {
        let [acme, beta] = [self.area.acme, self.area.beta].map(|id| id.to_string());
        let new = json!({"name": "Acme group", "parentAccountId": acme});
        if (method, path) == (&Method::POST, "/groups") {
            return Some(refers(path, new, &acme));
        }
        let one = self.ana.post("/groups", &new).await.ok(201).id();
        Some(match (method.as_str(), path) {
            ("GET", "/groups") => listed(path, &one),
            ("PATCH", "/groups/{id}") => on(path, &one, Some(json!({"name": "Renamed"}))),
            ("POST", "/groups/{id}/members") => on(path, &one, Some(json!({"accountId": beta}))),
            ("DELETE", "/groups/{id}/members/{accountId}") => {
                self.ana.post(&format!("/groups/{one}/members"), &json!({"accountId": beta})).await;
                on(&path.replace("{accountId}", &beta), &one, None)
            }
            ("GET" | "DELETE", "/groups/{id}") => on(path, &one, None),
            _ => return None,
        })
    }

    async fn webhooks(&self, method: &Method, path: &str) -> Option<Target> {
        let new =
            json!({"name": "Shop", "url": "https://hooks.example.com/svc", "events": ["contact.create"]});
        let own = |hidden: &str, body| Target {
            path: path.to_owned(),
            body,
            stranger: Stranger::OwnThings,
            hidden: hidden.to_owned(),
        };
        if (method, path) == (&Method::POST, "/webhooks/subscriptions") {
            return Some(own(&self.area.acme.to_string(), Some(new)));
        }
        let one = self.client.post("/webhooks/subscriptions", &new).await.ok(201).id();
        let replay = json!({"from": "2020-01-01"});
        Some(match (method.as_str(), path) {
            ("GET", "/webhooks/event-log") => own(&self.area.acme.to_string(), None),
            ("POST", "/webhooks/subscriptions/{id}/replay") => on(path, &one, Some(replay)),
            ("POST", "/webhooks/subscriptions/{id}/deliveries/redeliver") => on(path, &one, Some(json!({}))),
            ("GET", "/webhooks/replays/{id}") | ("POST", "/webhooks/replays/{id}/cancel") => {
                let started =
                    self.client.post(&format!("/webhooks/subscriptions/{one}/replay"), &replay).await;
                on(path, &started.ok(202).id(), None)
            }
            ("GET", "/webhooks/events" | "/webhooks/subscriptions") => own(&one, None),
            ("GET", "/webhooks/events/{type}/schema") => {
                Target { path: path.replace("{type}", "contact.merge"), ..own(&one, None) }
            }
            ("PATCH", "/webhooks/subscriptions/{id}") => on(path, &one, Some(json!({"name": "Renamed"}))),
            ("GET", "/webhooks/deliveries/{id}") | ("POST", "/webhooks/deliveries/{id}/redeliver") => {
                let tested =
                    self.client.post(&format!("/webhooks/subscriptions/{one}/test"), &json!({})).await;
                let delivery = tested.ok(200).json["deliveryId"].as_str().unwrap().to_owned();
                on(path, &delivery, None)
            }
            ("GET" | "DELETE", "/webhooks/subscriptions/{id}")
            | ("POST", "/webhooks/subscriptions/{id}/test" | "/webhooks/subscriptions/{id}/rotate-secret")
            | ("GET", "/webhooks/subscriptions/{id}/deliveries" | "/webhooks/subscriptions/{id}/replays") => {
                on(path, &one, None)
            }
            _ => return None,
        })
    }

    async fn tokens(&self, method: &Method, path: &str) -> Option<Target> {
        let acme = self.area.acme.to_string();
        let new = json!({"name": "Shop sync", "permissions": ["read"], "primaryAccountId": acme});
        if (method, path) == (&Method::POST, "/tokens") {
            return Some(refers(path, new, &acme));
        }
        let one = self.ana.post("/tokens", &new).await.ok(201).id();
        Some(match (method.as_str(), path) {
            ("GET", "/tokens") => listed(path, &one),
            ("PATCH", "/tokens/{id}") => on(path, &one, Some(json!({"name": "Renamed"}))),
            ("POST", "/tokens/{id}/enable") => {
                self.ana.act(&format!("/tokens/{one}/disable")).await.ok(200);
                on(path, &one, None)
            }
            ("GET", "/tokens/{id}")
            | ("POST", "/tokens/{id}/disable" | "/tokens/{id}/rotate" | "/tokens/{id}/revoke") => {
                on(path, &one, None)
            }
            _ => return None,
        })
    }

    async fn session(&self, line: &str, path: &str) -> Option<Target> {
        let Some((_, under)) = path.split_once("/session/invitations") else { return self.rest(line) };
        // Dora invites Ana: who invited is a stranger to the answer.
        let invite = json!({"email": "ana@example.com", "role": "auditor"});
        let members = format!("/accounts/{}/members", self.area.gamma);
        let one = self.area.browser("dora").await.post(&members, &invite).await.ok(201).id();
        Some(match (line.split(' ').next()?, under) {
            ("GET", "") => listed(path, &one),
            ("POST", "/{membershipId}/accept" | "/{membershipId}/decline") => {
                on(&path.replace("{membershipId}", "{id}"), &one, None)
            }
            _ => return None,
        })
    }

    fn rest(&self, line: &str) -> Option<Target> {
        let acme = self.area.acme.to_string();
        let own = |path: &str, body| Target {
            path: path.to_owned(),
            body,
            stranger: Stranger::OwnThings,
            hidden: acme.clone(),
        };
        let sign_in = json!({"email": "ana@example.com", "password": PASSWORD});
        let change = json!({"currentPassword": PASSWORD, "newPassword": "another good pass phrase"});
        Some(match line {
            "GET /auth/whoami" => own("/auth/whoami", None),
            "GET /session" | "DELETE /session" => own("/session", None),
            "POST /session" => own("/session", Some(sign_in)),
            "POST /session/code" => own("/session/code", Some(json!({"code": "000000"}))),
            "POST /session/password" => own("/session/password", Some(change)),
            "GET /audit-log" => listed("/audit-log", &acme),
            "POST /secret-scanning/reports" => {
                own("/secret-scanning/reports", Some(json!([{"token": "svc_live_0"}])))
            }
            _ => return None,
        })
    }

    pub(super) async fn contact(&self, name: &str) -> String {
        let body = json!({"kind": "organization", "legalName": name, "companyId": self.area.acme});
        self.client.post("/contacts", &body).await.ok(201).id()
    }
}

/// One thing by its id in the path.
pub(super) fn on(path: &str, id: &str, body: Option<Value>) -> Target {
    let path = path.replace("{id}", id);
    Target { path, body, stranger: Stranger::NotFound, hidden: id.to_owned() }
}

/// A list: strangers get their own.
pub(super) fn listed(path: &str, hidden: &str) -> Target {
    Target { path: path.to_owned(), body: None, stranger: Stranger::OwnThings, hidden: hidden.to_owned() }
}

/// Something new that refers to a company in its body.
pub(super) fn refers(path: &str, body: Value, hidden: &str) -> Target {
    Target {
        path: path.to_owned(),
        body: Some(body),
        stranger: Stranger::UnknownReference,
        hidden: hidden.to_owned(),
    }
}
