//! The routes of the document, in an order in which each has what it needs.

use http::Method;
use serde_json::Value;
use svc_testkit::catalogue::events;

/// A route that tokens may call.
pub(super) struct Route {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) params: Vec<Value>,
    /// The body that the document shows.
    pub(super) example: Option<Value>,
}

/// Every route of the document that takes tokens, those first that others need.
pub(super) fn token_routes() -> Vec<Route> {
    let document = svc_http::openapi("https://example.com", events());
    let mut routes = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            if ["token", "token_or_administrator", "any_token"]
                .contains(&operation["x-access"].as_str().unwrap())
            {
                let params = operation["parameters"].as_array().unwrap().iter();
                let params = params.filter(|param| param["in"] == "query").cloned().collect();
                let method = method.to_uppercase().parse().unwrap();
                let content = operation["requestBody"]["content"].as_object();
                let example =
                    content.and_then(|content| content.values().next()).map(|one| one["example"].clone());
                routes.push(Route { method, path: path.clone(), params, example });
            }
        }
    }
    assert!(routes.len() > 25, "the document lists {} routes for tokens", routes.len());
    routes.sort_by_key(Route::rank);
    routes
}

impl Route {
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// Whether it reads what a client sends.
    pub(super) fn takes_a_body(&self) -> bool {
        self.method == Method::POST || self.method == Method::PATCH
    }

    /// What ends or takes away comes after what works with it.
    fn rank(&self) -> u8 {
        match (self.method.as_str(), self.path.as_str()) {
            (_, "/accounts/{id}/merge") => 6,
            (_, "/accounts/{id}/reactivate") => 5,
            ("DELETE", _) => 4,
            // A return that was refused is prepared and filed again.
            ("GET", _) | ("POST", "/data-room/files" | "/tax/returns/{id}/outcome") => 1,
            (_, path) if path.contains("{id}") => 2,
            (_, _) => 0,
        }
    }

    /// Of which kind the id in the path is.
    pub(super) fn kind(&self) -> &'static str {
        match self.path.trim_start_matches('/') {
            path if path.starts_with("contacts") => "con",
            path if path.starts_with("cases") => "cas",
            path if path.starts_with("accounts") => "acc",
            path if path.starts_with("billing/series") => "ser",
            path if path.starts_with("billing") => "inv",
            path if path.starts_with("suppliers") => "sup",
            path if path.starts_with("supplier-documents") => "sdc",
            path if path.starts_with("books") => match path.split('/').nth(2) {
                Some("accounts") => "lac",
                Some("fiscal-years") => "fyr",
                Some("fixed-assets") => "fas",
                Some("journal-entries") => "jen",
                _ => "acc",
            },
            path if path.starts_with("treasury/bank-accounts") => "bka",
            path if path.starts_with("treasury/bank-movements") => "bmv",
            path if path.starts_with("treasury/imports") => "bmi",
            path if path.starts_with("tax/notices") => "ntc",
            path if path.starts_with("tax/returns") => "txr",
            path if path.starts_with("data-room/files") => "drf",
            path if path.starts_with("files") => "fil",
            path if path.starts_with("folders") => "fld",
            path if path.starts_with("envelopes") => "env",
            path if path.starts_with("groups") => "grp",
            path if path.starts_with("webhooks/deliveries") => "dlv",
            path if path.starts_with("webhooks/replays") => "rpl",
            path if path.starts_with("webhooks/subscriptions") => "whs",
            other => panic!("no ids are known for {other}"),
        }
    }
}
