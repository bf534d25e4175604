//! The authority matrix: every route of the `OpenAPI` document times every kind of caller.
//!
//! Each route gets an office of its own and a target to work on. First come all
//! the callers who must be refused, each with exactly one status and code, and
//! a stranger with every permission in another company; then the one who may,
//! for whom it must still work: so no refusal changed anything. A new route
//! without a target fails here, and so does one whose gate is unknown.

mod billing;
mod callers;
mod purchases;
mod targets;

use http::Method;
use serde_json::{Value, json};
use svc_business::catalogue::permissions;
use svc_core::permission::Permission;
use svc_testkit::catalogue::events;

use self::callers::{Credential, Tokens, either, people};
use self::targets::{Stranger, Target, target};
use crate::client_area::{Chosen, ClientAreaApp};
use crate::test_app::Answer;

/// A route as the document shows it.
struct Route {
    method: Method,
    path: String,
    access: String,
    permission: Option<Permission>,
    success: Vec<u16>,
    /// Its whole description.
    operation: Value,
    /// What it refers to.
    components: Value,
}

impl Route {
    /// Whether it takes `If-Match`.
    fn is_conditional(&self) -> bool {
        self.operation["parameters"].as_array().unwrap().iter().any(|param| param["name"] == "If-Match")
    }

    /// What of a success is not as the document says.
    fn misfit(&self, answer: &Answer) -> Option<String> {
        let content = &self.operation["responses"][answer.status.as_str()]["content"];
        let Some(content) = content.as_object() else {
            return (!answer.text.is_empty()).then(|| "a body that is not documented".to_owned());
        };
        let Some(content) = content.get(answer.header("content-type")).or_else(|| content.get("*/*")) else {
            return Some(format!("the media type {}", answer.header("content-type")));
        };
        let alone = json!({ "$ref": content["schema"]["$ref"], "components": self.components });
        let validator = jsonschema::options().should_validate_formats(true).build(&alone).unwrap();
        // A file is no JSON: its text is what the schema describes.
        let is_json = answer.header("content-type").contains("json");
        let body = if is_json { answer.json.clone() } else { json!(answer.text) };
        let misfit = validator.validate(&body).err();
        misfit.map(|error| format!("{}: {error}", error.instance_path()))
    }

    /// Whether its answers of this status are said to have an `ETag`.
    fn is_tagged(&self, status: u16) -> bool {
        self.operation["responses"][status.to_string()]["headers"]["ETag"].is_object()
    }
}

/// A caller, and what they must hear.
struct Cell {
    name: &'static str,
    credential: Credential,
    status: u16,
    code: &'static str,
}

#[tokio::test]
#[expect(clippy::print_stdout, reason = "the run tells how far it went")]
async fn every_route_gives_every_caller_exactly_the_specified_answer() {
    let routes = routes();
    assert!(routes.len() > 40, "the document lists {} routes", routes.len());
    let mut cells = 0;
    for route in &routes {
        cells += check(route).await;
    }
    println!("authority matrix: {} routes, {cells} cells", routes.len());
    assert!(cells > routes.len() * 7, "{cells} cells");
}

fn routes() -> Vec<Route> {
    let document: Value = serde_json::to_value(svc_http::openapi("https://example.com", events())).unwrap();
    let mut routes = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let Ok(method) = method.to_uppercase().parse::<Method>() else { continue };
            let Some(access) = operation["x-access"].as_str() else {
                panic!("{method} {path} does not say who may call it")
            };
            let permission = operation["x-required-permission"].as_str();
            assert_eq!(permission.is_some(), access.starts_with("token"), "{method} {path}");
            let success = operation["responses"].as_object().unwrap().keys();
            let success: Vec<u16> =
                success.filter_map(|status| status.parse().ok()).filter(|status| *status < 300).collect();
            assert!(!success.is_empty(), "{method} {path} has no success status");
            routes.push(Route {
                method,
                path: path.strip_prefix("/api/v1").unwrap_or(path).to_owned(),
                access: access.to_owned(),
                permission: permission.map(|name| {
                    permissions().all().find(|known| known.name() == name).expect("of the catalogue")
                }),
                success,
                operation: operation.clone(),
                components: document["components"].clone(),
            });
        }
    }
    routes
}

/// Walks one line of the matrix; answers its length.
async fn check(route: &Route) -> usize {
    let area = ClientAreaApp::with(Chosen::scanning()).await.with_books().await;
    let tokens = Tokens::make(&area, route.permission).await;
    let Target { path, body, stranger, hidden } = target(&area, &tokens, route).await;
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    let mut question = Question { area: &area, route, path, body };
    let (cells, outsiders, fine) = match route.access.as_str() {
        "any_token" | "token" => {
            let cells = tokens.refused(route.permission);
            (cells, vec![tokens.stranger()], vec![tokens.fine()])
        }
        "token_or_administrator" => either(&area, &tokens, route).await,
        "person" | "administrator" => {
            let (cells, outsider, fine) = people(&area, &tokens, route).await;
            (cells, outsider.into_iter().collect(), vec![fine])
        }
        "anyone" if route.path == "/session/code" => {
            let (cookie, code) = area.halfway().await;
            question.body = json!({"code": code}).to_string();
            (callers::other_sites(), vec![], vec![Credential::none().with("cookie", &cookie)])
        }
        "anyone" => (callers::other_sites(), vec![], vec![Credential::none()]),
        "report" => (
            callers::forgers(&area, &tokens, &question.body),
            vec![],
            vec![callers::scanner(&area, &question.body)],
        ),
        other => panic!("no caller is known for the gate {other}"),
    };
    let count = cells.len() + outsiders.len() + fine.len();
    for cell in cells {
        let answer = question.by(&cell.credential).await;
        let place = format!("{} {} by {}", route.method, route.path, cell.name);
        assert_eq!(answer.problem(), (cell.status, cell.code), "{place}: {}", answer.text);
        let required = answer.json["required_permission"].as_str();
        let expected = route.permission.filter(|_| cell.code == "missing_permission");
        assert_eq!(required, expected.map(Permission::name), "{place}");
    }
    for outsider in outsiders {
        let answer = question.by(&outsider).await;
        let place = format!("{} {} by a stranger", route.method, route.path);
        judge(&answer, stranger, &hidden, &place);
    }
    let place = format!("{} {}", route.method, route.path);
    for fine in fine {
        question.is_answered(fine, &place).await;
    }
    count
}

/// A request that any caller may try.
struct Question<'a> {
    area: &'a ClientAreaApp,
    route: &'a Route,
    path: String,
    body: String,
}

impl Question<'_> {
    async fn by(&self, credential: &Credential) -> Answer {
        let headers = credential.headers();
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.area.send(self.route.method.clone(), &self.path, &headers, &self.body).await
    }

    /// The caller who may is answered as the document says.
    async fn is_answered(&self, fine: Credential, place: &str) {
        let route = self.route;
        let fine = if route.is_conditional() {
            let stale = self.by(&fine.clone().with("if-match", "\"999\"")).await;
            assert_eq!(stale.problem(), (412, "version_conflict"), "{place}");
            assert!(route.is_tagged(412) && stale.json.get("currentState").is_none(), "{place}");
            fine.with("if-match", stale.header("etag"))
        } else {
            fine
        };
        let answer = self.by(&fine).await;
        let status = answer.status.as_u16();
        assert_eq!(route.misfit(&answer), None, "{place}: {}", answer.text);
        assert!(route.success.contains(&status), "{place}: {status} {}", answer.text);
        assert_eq!(!answer.header("etag").is_empty(), route.is_tagged(status), "{place}");
    }
}

/// A stranger hears what the route says to strangers, and nothing of the company that is not theirs.
#[track_caller]
fn judge(answer: &Answer, stranger: Stranger, hidden: &str, place: &str) {
    match stranger {
        Stranger::NotFound => assert_eq!(answer.problem(), (404, "not_found"), "{place}: {}", answer.text),
        Stranger::UnknownReference => {
            assert_eq!(answer.problem(), (422, "unknown_reference"), "{place}: {}", answer.text);
        }
        Stranger::OwnThings => assert!(answer.status.is_success(), "{place}: {}", answer.text),
    }
    // What the stranger asked for by its id may come back in the question, never in an answer.
    if answer.status.is_success() {
        assert!(!answer.text.contains(hidden), "{place} shows {hidden}: {}", answer.text);
    }
}
