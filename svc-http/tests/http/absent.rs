//! What a path names is looked for before anything that was sent with it is judged: on every route of the
//! document whose path names something.

use http::Method;
use serde_json::{Value, json};
use svc_testkit::catalogue::events;

use crate::client_area::{Browser, ClientAreaApp};

/// Something wrong with a request beside its path.
struct Defect {
    what: &'static str,
    query: &'static str,
    headers: &'static [(&'static str, &'static str)],
    body: String,
    /// What it is answered with where the path names something, by a POST.
    status: u16,
}

fn defects() -> Vec<Defect> {
    let none = |what, status| Defect { what, query: "", headers: &[], body: String::new(), status };
    vec![
        Defect { query: "?colour=red", ..none("an unknown parameter", 400) },
        Defect { headers: &[("accept", "text/html")], ..none("an Accept that leaves JSON out", 406) },
        Defect { headers: &[("idempotency-key", "")], ..none("an empty Idempotency-Key", 400) },
        Defect { body: "{".to_owned(), ..none("a body that is no JSON", 400) },
        Defect { body: "[1]".to_owned(), ..none("a body of another shape", 422) },
        Defect {
            headers: &[("content-type", "text/plain")],
            body: "{}".to_owned(),
            ..none("a body of another media type", 415)
        },
        Defect { body: " ".repeat(1024 * 1024 + 1), ..none("a body that is too large", 413) },
    ]
}

/// A credential for each gate: a token with every permission, and a signed-in person.
struct Callers {
    area: ClientAreaApp,
    bearer: String,
    ana: Browser,
}

impl Callers {
    async fn new() -> Self {
        let area = ClientAreaApp::new().await;
        let ana = area.browser("ana").await;
        let body = json!({"name": "Shop", "permissions": ["full"], "primaryAccountId": area.acme});
        let token = ana.post("/tokens", &body).await.ok(201);
        let bearer = format!("Bearer {}", token.json["value"].as_str().unwrap());
        Self { area, bearer, ana }
    }

    async fn send(
        &self,
        person: bool,
        method: &Method,
        path: &str,
        defect: &Defect,
    ) -> crate::test_app::Answer {
        let path = format!("{path}{}", defect.query);
        if person {
            return self.ana.send(method.clone(), &path, defect.headers, &defect.body).await;
        }
        let credential = [("authorization", self.bearer.as_str())];
        let headers = [&credential, defect.headers].concat();
        self.area.send(method.clone(), &path, &headers, &defect.body).await
    }
}

/// Every route whose path names something, with each kind of caller that it takes: its method, its path and whether
/// a person asks.
fn routes(document: &Value) -> Vec<(Method, &str, bool, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter().filter(|(path, _)| path.contains('{'));
    let all = paths.flat_map(|(path, operations)| {
        operations.as_object().unwrap().iter().flat_map(move |(method, operation)| {
            let method: Method = method.to_uppercase().parse().unwrap();
            let askers: &[bool] = match operation["x-access"].as_str().unwrap() {
                "token" | "any_token" => &[false],
                "token_or_administrator" => &[false, true],
                _ => &[true],
            };
            askers.iter().map(move |person| (method.clone(), path.as_str(), *person, operation))
        })
    });
    all.collect()
}

/// Ids of the right form, one for each name in the path, that name nothing.
fn unknown(operation: &Value) -> Vec<(String, String)> {
    let parameters = operation["parameters"].as_array().unwrap().iter();
    let named = parameters.filter(|parameter| parameter["in"] == "path").map(|parameter| {
        let pattern = parameter["schema"]["pattern"].as_str().unwrap_or("^contact.");
        let prefix = pattern.trim_start_matches('^').split_once(['_', '.']).map(|(prefix, _)| prefix);
        // What has no prefix is the number of a box.
        let value =
            prefix.map_or("99999".to_owned(), |prefix| format!("{prefix}_01jjxvfvr4f16pz7s9h7p4hsqk"));
        (format!("{{{}}}", parameter["name"].as_str().unwrap()), value)
    });
    named.collect()
}

fn filled(path: &str, names: &[(String, String)]) -> String {
    names.iter().fold(path.to_owned(), |path, (name, value)| path.replace(name, value))
}

#[tokio::test]
async fn what_is_not_there_is_not_found_whatever_else_is_wrong() {
    let callers = Callers::new().await;
    let group = json!({"name": "Acme group", "parentAccountId": callers.area.acme});
    let group = callers.ana.post("/groups", &group).await.ok(201).id();
    let document = serde_json::to_value(svc_http::openapi("https://example.com", events())).unwrap();
    let routes = routes(&document);
    assert!(routes.len() > 35, "{}", routes.len());
    for (method, path, person, operation) in &routes {
        let names = unknown(operation);
        let nonsense: Vec<_> = names.iter().map(|(name, _)| (name.clone(), "nonsense".to_owned())).collect();
        let mut paths = vec![filled(path, &names), filled(path, &nonsense)];
        if let [(first, _), second] = names.as_slice() {
            // What the first name stands for is there, what the second one does is not.
            let there =
                if path.starts_with("/groups") { group.clone() } else { callers.area.acme.to_string() };
            paths.push(filled(path, &[(first.clone(), there), second.clone()]));
        }
        for path in paths {
            for defect in defects() {
                let answer = callers.send(*person, method, &path, &defect).await;
                let place = format!("{method} {path} with {}", defect.what);
                assert_eq!(answer.problem(), (404, "not_found"), "{place}: {}", answer.text);
            }
        }
    }
}

#[tokio::test]
async fn what_is_there_is_refused_for_what_is_wrong() {
    let callers = Callers::new().await;
    let contact = json!({"kind": "organization", "legalName": "Sol SL"}).to_string();
    let bearer = [("authorization", callers.bearer.as_str())];
    let one = callers.area.send(Method::POST, "/contacts", &bearer, &contact).await.ok(201).id();
    for defect in defects() {
        let answer = callers.send(false, &Method::POST, &format!("/contacts/{one}/anonymize"), &defect).await;
        assert_eq!(answer.problem().0, defect.status, "{}: {}", defect.what, answer.text);
    }
    let members = format!("/accounts/{}/members", callers.area.acme);
    for defect in defects() {
        let answer = callers.send(true, &Method::POST, &members, &defect).await;
        assert_eq!(answer.problem().0, defect.status, "{}: {}", defect.what, answer.text);
    }
}
