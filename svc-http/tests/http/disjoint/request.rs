//! Requests made up from the routes of the document and from what the sides know.

use http::Method;
use serde_json::{Value, json};
use svc_testkit::fakes::SeededRandom;

use super::route::Route;
use super::side::Side;
use super::{billing, purchases, signature};
use crate::test_app::{Answer, Client};

#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) route: String,
    method: Method,
    path: String,
    pub(super) body: Option<Value>,
    key: Option<String>,
    /// Whether there is nothing in it of its author.
    common: bool,
}

impl Request {
    pub(super) async fn send(&self, client: &Client) -> Answer {
        let headers: Vec<_> = self.key.iter().map(|key| ("idempotency-key", key.as_str())).collect();
        let body = self.body.as_ref().map(Value::to_string).unwrap_or_default();
        client.send(self.method.clone(), &self.path, &headers, body).await
    }

    pub(super) fn line(&self) -> String {
        let body = self.body.as_ref().map(Value::to_string).unwrap_or_default();
        format!("{} {} {body} {:?}", self.method, self.path, self.key)
    }

    pub(super) fn contains(&self, text: &str) -> bool {
        self.line().contains(text)
    }

    /// Whether refusals of its items come with a 200.
    pub(super) fn judges_its_items(&self) -> bool {
        let bulk = ["/contacts/bulk", "/billing/bulk-issue", "/treasury/reconciliations/bulk-confirm"];
        bulk.contains(&self.path.as_str())
    }

    pub(super) fn writes(&self) -> bool {
        // A data room counts who was given its files.
        self.method != Method::GET || self.route == "GET /data-room/files/{id}/content"
    }

    pub(super) fn is_common(&self) -> bool {
        self.common
    }
}

/// Makes requests up.
pub(super) struct Writer {
    random: SeededRandom,
    /// Names what is written, so that texts differ.
    count: usize,
}

impl Writer {
    pub(super) fn new(random: SeededRandom) -> Self {
        Self { random, count: 0 }
    }

    pub(super) fn below(&self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap();
        usize::try_from(self.random.next_u64() % bound).unwrap()
    }

    pub(super) fn one_in(&self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    pub(super) fn pick<'a, T>(&self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A request of a side about its own things that ought to work.
    pub(super) fn own(&mut self, route: &Route, side: &Side) -> Request {
        let ids = |kind: &str| if kind == "acc" { &side.companies } else { side.ids(kind) };
        let id = match (route.method.as_str(), route.path.as_str()) {
            (_, path) if path.starts_with("/supplier-documents/{id}") => {
                purchases::own(&route.method, path, side)
            }
            (_, path) if path.starts_with("/envelopes/{id}") => signature::own(&route.method, path, side),
            (_, path) if path.starts_with("/billing/{id}") => billing::own(&route.method, path, side),
            // The seeded entries: one that is posted, one to post and one to delete.
            (_, path) if path.ends_with("/reverse") => ids("jen").first(),
            (_, path) if path.ends_with("/post") => ids("jen").get(1),
            ("PATCH" | "DELETE", path) if path.contains("/journal-entries/") => ids("jen").get(2),
            // One of which nothing else says anything.
            ("DELETE", "/contacts/{id}") => ids("con").get(3),
            ("DELETE", path) if path.ends_with("/reconciliation") => ids("bmv").first(),
            ("DELETE", path) if path.contains("{id}") => ids(route.kind()).last(),
            (_, "/accounts/{id}/reactivate") => ids("acc").last(),
            (_, path) if path.contains("{id}") => ids(route.kind()).first(),
            _ => None,
        };
        let path = id.map_or_else(|| route.path.clone(), |id| route.path.replace("{id}", id));
        let path = path.replace("{type}", "contact.create").replace("{code}", "03");
        let path = path.replace("{companyId}", &side.companies[0]);
        let of_purchase = usize::from(path.starts_with("/supplier-documents"));
        let path = path.replace("{paymentId}", side.ids("pay").get(of_purchase).map_or("", String::as_str));
        let path = path.replace("{fileId}", &side.ids("fil")[1]);
        let names = Names {
            text: self.text(side),
            contact: ids("con")[1].clone(),
            company: ids("acc")[0].clone(),
            other_company: ids("acc")[ids("acc").len() - 1].clone(),
            document: Self::bulk(side),
            supplier: side.ids("sup")[0].clone(),
            bank_account: side.ids("bka")[0].clone(),
            movement: side.ids("bmv")[0].clone(),
            folder: side.ids("fld").first().cloned().unwrap_or_default(),
            file: side.ids("fil")[1].clone(),
            signer: side.ids("sgr")[signature::GIVEN_AWAY].clone(),
            external: format!("ext-opening-{}", self.count),
        };
        let body = self.body(route, &names, None);
        Request { route: route.name(), method: route.method.clone(), path, body, key: None, common: false }
    }

    /// A request of the side `who` about things of any side.
    pub(super) fn any(&mut self, route: &Route, sides: &[Side], who: usize) -> Request {
        let common = self.one_in(4) && route.method == Method::POST && !route.path.contains("{id}");
        let text = if common { "Common SL".to_owned() } else { self.text(&sides[who]) };
        let names = Names {
            text,
            contact: self.id("con", sides, who),
            company: self.id("acc", sides, who),
            other_company: self.id("acc", sides, who),
            document: self.id("inv", sides, who),
            supplier: self.id("sup", sides, who),
            bank_account: self.id("bka", sides, who),
            movement: self.id("bmv", sides, who),
            folder: self.id("fld", sides, who),
            file: self.id("fil", sides, who),
            signer: self.id("sgr", sides, who),
            external: format!("ext-{}", self.below(6)),
        };
        let body = self.body(route, &names, Some(common));
        let mut path = route.path.clone();
        if path.contains("{id}") {
            path = path.replace("{id}", &self.id(route.kind(), sides, who));
        }
        let path_company = self.id("acc", sides, who);
        path = path.replace("{companyId}", &path_company);
        path = path.replace("{paymentId}", &self.id("pay", sides, who)).replace("{code}", "03");
        path = path.replace("{fileId}", &self.id("fil", sides, who));
        let query: Vec<_> = route.params.iter().filter(|_| self.one_in(4)).collect();
        let query: Vec<_> = query.into_iter().map(|param| self.param(param, sides, who)).collect();
        if !query.is_empty() {
            path = format!("{path}?{}", query.join("&"));
        }
        let key = (route.method == Method::POST && (common || self.one_in(3)))
            .then(|| format!("key-{}", if common { route.path.clone() } else { self.below(5).to_string() }));
        Request { route: route.name(), method: route.method.clone(), path, body, key, common }
    }

    /// A text that only this side writes.
    fn text(&mut self, side: &Side) -> String {
        self.count += 1;
        format!("{} {}", side.canary, self.count)
    }

    /// An id of this kind, of any side: the own one as often as all others.
    pub(super) fn id(&self, kind: &str, sides: &[Side], who: usize) -> String {
        let side = if self.one_in(2) { &sides[who] } else { self.pick(sides) };
        let known = side.ids(kind);
        let known = if kind == "acc" && self.one_in(2) { &side.companies } else { known };
        if known.is_empty() { format!("{kind}_{}", "0".repeat(26)) } else { self.pick(known).clone() }
    }

    /// A body for a route; `common` says of one at random whether it may name things of a side.
    fn body(&self, route: &Route, names: &Names, common: Option<bool>) -> Option<Value> {
        let mixed = common == Some(false);
        let writes = route.method == Method::POST || route.method == Method::PATCH;
        if let Some(under) = route.path.strip_prefix("/books/{companyId}").filter(|_| writes) {
            return self.books(&route.method, under, names, mixed);
        }
        if route.path.starts_with("/supplier") && writes {
            return self.purchases(&route.method, &route.path, names, mixed);
        }
        if route.path.starts_with("/treasury") && writes {
            return Some(self.treasury(&route.method, &route.path, names, mixed));
        }
        if route.path.starts_with("/tax") && writes {
            return self.tax(&route.method, &route.path, names, mixed);
        }
        let of_documents = ["/files", "/folders", "/data-room"];
        if of_documents.iter().any(|start| route.path.starts_with(start)) && writes {
            return Some(self.documents(&route.method, &route.path, names, mixed));
        }
        if route.path.starts_with("/envelopes") && writes {
            return self.envelopes(&route.method, &route.path, names, mixed);
        }
        if let Some(under) = route.path.strip_prefix("/billing").filter(|_| writes) {
            return self.billing(&route.method, under, names, mixed);
        }
        self.of_contacts(route, names, mixed)
    }

    /// A body for contacts, cases, companies and webhooks.
    fn of_contacts(&self, route: &Route, names: &Names, mixed: bool) -> Option<Value> {
        let Names { text, contact, company, other_company, external, .. } = names;
        Some(match (route.method.as_str(), route.path.as_str()) {
            ("POST", "/contacts") => self.contact(names, mixed),
            ("POST", "/contacts/bulk") => {
                let mut items = vec![self.contact(names, mixed)];
                if mixed {
                    items.push(json!({"id": contact, "notes": text, "tags": ["shared"]}));
                }
                json!({ "items": items })
            }
            ("PATCH", "/contacts/{id}") => {
                let mut body = json!({"notes": text, "tags": ["shared"]});
                if mixed && self.one_in(2) {
                    body["parentContactId"] = json!(contact);
                }
                if mixed && self.one_in(3) {
                    body["externalId"] = json!(external);
                    body["status"] = json!(self.pick(&["active", "archived"]));
                }
                body
            }
            ("POST", "/contacts/{id}/merge") => json!({"mergedId": contact, "force": true}),
            ("POST", "/cases") => {
                let mut body =
                    json!({"title": text, "type": "legal", "contactId": contact, "tags": ["shared"]});
                if mixed && self.one_in(2) {
                    body["companyId"] = json!(company);
                    body["externalId"] = json!(external);
                }
                body
            }
            ("PATCH", "/cases/{id}") => {
                json!({"description": text, "participantContactIds": [contact], "status": "in_progress"})
            }
            ("POST", "/cases/{id}/close") => json!({"outcome": "resolved", "note": text}),
            ("POST", "/cases/{id}/notes") => json!({ "text": text }),
            ("POST", "/accounts") => {
                json!({"legalName": text, "legalForm": "sl", "parentAccountId": company, "externalId": external})
            }
            ("PATCH", "/accounts/{id}") if mixed && self.one_in(2) => json!({"parentAccountId": company}),
            ("PATCH", "/accounts/{id}") => json!({"tradeName": text}),
            ("POST", "/accounts/{id}/merge") => json!({"mergedId": other_company}),
            ("POST", "/webhooks/subscriptions") => {
                let url = format!("https://hooks.example.com/{}", text.replace(' ', "-"));
                json!({"name": text, "url": url, "events": ["contact.create", "account.update"]})
            }
            ("PATCH", "/webhooks/subscriptions/{id}") => {
                json!({"name": text, "active": !mixed || self.one_in(2)})
            }
            ("POST", "/webhooks/subscriptions/{id}/replay") => {
                json!({"from": "2025-01-01", "dryRun": mixed && self.one_in(2)})
            }
            ("POST", "/webhooks/subscriptions/{id}/deliveries/redeliver") => {
                json!({"evenIfDelivered": true, "status": self.pick(&["failed", "delivered"])})
            }
            ("GET" | "DELETE", _)
            | (
                "POST",
                "/contacts/{id}/anonymize"
                | "/cases/{id}/reopen"
                | "/accounts/{id}/reactivate"
                | "/webhooks/subscriptions/{id}/test"
                | "/webhooks/subscriptions/{id}/rotate-secret"
                | "/webhooks/deliveries/{id}/redeliver"
                | "/webhooks/replays/{id}/cancel",
            ) => return None,
            (method, path) => panic!("no body is known for {method} {path}"),
        })
    }

    fn contact(&self, names: &Names, mixed: bool) -> Value {
        let mut body = json!({"kind": "organization", "legalName": names.text, "externalId": names.external});
        if mixed {
            if self.one_in(3) {
                body = json!({"kind": "person", "givenName": names.text, "familyName": "Shared"});
                body["parentContactId"] = json!(names.contact);
            }
            if self.one_in(2) {
                body["companyId"] = json!(names.company);
            }
            if self.one_in(3) {
                body["taxId"] = json!("B12345674");
                body["allowDuplicate"] = json!(self.one_in(2));
            }
        }
        body
    }
}

/// What a body may name.
pub(super) struct Names {
    pub(super) text: String,
    pub(super) contact: String,
    pub(super) company: String,
    other_company: String,
    pub(super) document: String,
    pub(super) supplier: String,
    pub(super) bank_account: String,
    pub(super) movement: String,
    pub(super) folder: String,
    pub(super) file: String,
    pub(super) signer: String,
    pub(super) external: String,
}
