//! Everybody who may knock: tokens in every state, and people with and without a session.

use std::time::Duration;
use svc_business::catalogue::permissions;

use http::Method;
use serde_json::{Value, json};
use svc_core::clock::Clock;
use svc_core::permission::Permission;
use svc_core::role::Role;
use svc_testkit::business::{sample, verbs};
use svc_webhooks::signature::sign;

use super::{Cell, Route};
use crate::client_area::{Browser, ClientAreaApp, SCANNING_KEY, user};

const SIGNATURE: &str = "x-svc-signature";

/// What a request brings along.
#[derive(Clone)]
pub(super) struct Credential(Vec<(&'static str, String)>);

impl Credential {
    pub(super) fn none() -> Self {
        Self(Vec::new())
    }

    fn token(value: &str) -> Self {
        Self::authorization(format!("Bearer {value}"))
    }

    fn authorization(line: String) -> Self {
        Self(vec![("authorization", line)])
    }

    fn browser(browser: &Browser) -> Self {
        let mut headers = Self::cookie(&browser.cookie).0;
        headers.push(("x-csrf-token", browser.csrf.clone()));
        headers.push(("origin", "http://127.0.0.1:8080".to_owned()));
        Self(headers)
    }

    fn cookie(pair: &str) -> Self {
        Self(vec![("cookie", pair.to_owned())])
    }

    pub(super) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.0.retain(|(known, _)| *known != name);
        self.0.push((name, value.to_owned()));
        self
    }

    fn without(mut self, name: &str) -> Self {
        self.0.retain(|(known, _)| *known != name);
        self
    }

    pub(super) fn headers(&self) -> &[(&'static str, String)] {
        &self.0
    }
}

/// One token of each kind, all of Acme but the stranger's.
pub(super) struct Tokens {
    /// Every permission, in Acme and Beta.
    pub(super) fine: String,
    disabled: String,
    revoked: String,
    expired: String,
    replaced: String,
    orphaned: String,
    elsewhere: String,
    /// Every permission but the one that the route asks for.
    lacking: String,
    /// Lacks the permission, and may not be used from here.
    lacking_elsewhere: String,
    /// Every permission, in a company that has nothing to do with Acme.
    stranger: String,
}

impl Tokens {
    /// Makes them in the client area, and lets time pass until each is what it is called.
    pub(super) async fn make(area: &ClientAreaApp, required: Option<Permission>) -> Self {
        let ana = area.browser("ana").await;
        let acme = json!({"primaryAccountId": area.acme, "accountIds": [area.beta]});
        let make = async |browser: &Browser, changes: Value| made(browser, &acme, &changes).await;
        let rest: Vec<_> =
            permissions().all().filter(|other| Some(*other) != required).map(Permission::name).collect();
        let elsewhere = json!(["203.0.113.9", "2001:db8::/32"]);

        // A company is made only in a group that the token names.
        let makes_companies = required.is_some_and(|named| named.name() == "contacts:accounts.create");
        let top = json!({"name": "Acme group", "parentAccountId": area.acme});
        let groups =
            if makes_companies { vec![ana.post("/groups", &top).await.ok(201).id()] } else { vec![] };
        let disabled = make(&ana, json!({})).await;
        ana.act(&format!("/tokens/{}/disable", disabled.0)).await.ok(200);
        let revoked = make(&ana, json!({})).await;
        ana.act(&format!("/tokens/{}/revoke", revoked.0)).await.ok(200);
        let replaced = make(&ana, json!({})).await;
        ana.act(&format!("/tokens/{}/rotate", replaced.0)).await.ok(200);
        let soon = area.clock.now().plus(Duration::from_secs(5));
        let expired = make(&ana, json!({"expiresAt": soon})).await;

        let ben = area.browser("ben").await;
        let orphaned = make(&ben, json!({"accountIds": []})).await;
        let scope = sample::everything();
        let unit = area.database.business().begin().await.unwrap();
        let (call, who) = (area.call(&scope), user("ben"));
        verbs::change_role(unit.as_ref(), call, Role::Holder, (area.acme, who), None, Role::Manager)
            .await
            .unwrap();
        unit.commit().await.unwrap();

        let dora = area.browser("dora").await;
        let gamma = json!({"primaryAccountId": area.gamma, "accountIds": []});
        let stranger = made(&dora, &gamma, &json!({})).await;
        let tokens = Self {
            fine: make(&ana, json!({"groupIds": groups})).await.1,
            disabled: disabled.1,
            revoked: revoked.1,
            expired: expired.1,
            replaced: replaced.1,
            orphaned: orphaned.1,
            elsewhere: make(&ana, json!({"allowedIps": elsewhere})).await.1,
            lacking: make(&ana, json!({"permissions": rest})).await.1,
            lacking_elsewhere: make(&ana, json!({"permissions": rest, "allowedIps": elsewhere})).await.1,
            stranger: stranger.1,
        };
        area.clock.advance(Duration::from_secs(61));
        tokens
    }

    pub(super) fn fine(&self) -> Credential {
        Credential::token(&self.fine)
    }

    pub(super) fn stranger(&self) -> Credential {
        Credential::token(&self.stranger)
    }

    /// Those whom the first check refuses: on every route that sees tokens at all.
    fn unusable(&self) -> Vec<Cell> {
        let mut unknown = self.fine.clone();
        // Another random part under its own checksum is an unknown token.
        unknown.replace_range(.., &fresh());
        let mut broken = self.fine.clone();
        let last = if broken.ends_with('0') { '1' } else { '0' };
        broken.pop();
        broken.push(last);
        let basic = Credential::authorization(format!("Basic {}", self.fine));
        let twice = Credential(vec![
            ("authorization", format!("Bearer {}", self.fine)),
            ("authorization", format!("Bearer {}", self.fine)),
        ]);
        vec![
            cell("another scheme", basic, 401, "token_invalid"),
            cell("two tokens", twice, 401, "token_invalid"),
            cell("junk", Credential::token("junk"), 401, "token_invalid"),
            cell("an empty token", Credential::token(""), 401, "token_invalid"),
            cell("a token with a wrong checksum", Credential::token(&broken), 401, "token_invalid"),
            cell("an unknown token", Credential::token(&unknown), 401, "token_invalid"),
            cell("a replaced value", Credential::token(&self.replaced), 401, "token_invalid"),
            cell("a disabled token", Credential::token(&self.disabled), 401, "token_disabled"),
            cell("a revoked token", Credential::token(&self.revoked), 401, "token_revoked"),
            cell("an expired token", Credential::token(&self.expired), 401, "token_expired"),
            cell(
                "a token whose creator lost the role",
                Credential::token(&self.orphaned),
                401,
                "creator_lost_role",
            ),
        ]
    }

    /// Everybody whom a route for tokens refuses.
    pub(super) fn refused(&self, required: Option<Permission>) -> Vec<Cell> {
        let mut cells = self.unusable();
        cells.push(cell("no credential", Credential::none(), 401, "token_missing"));
        cells.push(cell("a token from elsewhere", Credential::token(&self.elsewhere), 403, "ip_not_allowed"));
        if required.is_some() {
            let lacking = Credential::token(&self.lacking);
            cells.push(cell("a token without the permission", lacking, 403, "missing_permission"));
            // The permission is looked at before the address (specification, part 5.2).
            let both = Credential::token(&self.lacking_elsewhere);
            cells.push(cell("a token with neither permission nor address", both, 403, "missing_permission"));
        }
        cells
    }
}

/// A well-formed token value that no store ever held.
fn fresh() -> String {
    let random = svc_testkit::fakes::SeededRandom::new(404);
    svc_auth::token::TokenValue::generate(&random).expose().to_owned()
}

/// Creates a token; answers its id and value.
async fn made(browser: &Browser, company: &Value, changes: &Value) -> (String, String) {
    let mut body = json!({"name": "matrix", "permissions": ["full"], "personalData": true});
    for part in [company, changes] {
        body.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
    }
    let answer = browser.post("/tokens", &body).await.ok(201);
    (answer.id(), answer.json["value"].as_str().unwrap().to_owned())
}

/// Everybody whom a route for people refuses, a person of another company, and one who may.
pub(super) async fn people(
    area: &ClientAreaApp,
    tokens: &Tokens,
    route: &Route,
) -> (Vec<Cell>, Option<Credential>, Credential) {
    let ended = area.browser("ana").await;
    ended.delete("/session").await.ok(204);
    let idle = area.browser("ana").await;
    area.clock.advance(Duration::from_mins(31));
    let [ana, carl, dora] =
        [area.browser("ana").await, area.browser("carl").await, area.browser("dora").await];
    let ana = Credential::browser(&ana);

    let mut cells = tokens.unusable();
    cells.push(cell("a token", tokens.fine(), 403, "account_token_not_accepted"));
    let both = tokens.fine().0.into_iter().chain(ana.0.clone()).collect();
    cells.push(cell("a token with a session", Credential(both), 403, "account_token_not_accepted"));
    cells.push(cell("no credential", Credential::none(), 401, "session_missing"));
    cells.push(cell("a made-up session", Credential::cookie("sid=junk"), 401, "session_invalid"));
    cells.push(cell("a session that was ended", Credential::browser(&ended), 401, "session_invalid"));
    cells.push(cell("a session that idled", Credential::browser(&idle), 401, "session_invalid"));
    if route.method != Method::GET {
        let bare = ana.clone().without("x-csrf-token");
        cells.push(cell("a request without the CSRF token", bare, 403, "csrf_rejected"));
        let wrong = ana.clone().with("x-csrf-token", "0000000000000000000000000000000000000000000");
        cells.push(cell("a wrong CSRF token", wrong, 403, "csrf_rejected"));
        let foreign = ana.clone().with("origin", "https://evil.example");
        cells.push(cell("a page of another site", foreign, 403, "csrf_rejected"));
        let cross = ana.clone().with("sec-fetch-site", "cross-site");
        cells.push(cell("a cross-site request", cross, 403, "csrf_rejected"));
    }
    let administrators = route.access == "administrator";
    if administrators {
        cells.push(cell("a person without the role", Credential::browser(&carl), 403, "role_required"));
    }
    // A route for everybody has a stranger where it names one thing: it belongs to one person.
    let strange = administrators || route.path.contains('{');
    (cells, strange.then(|| Credential::browser(&dora)), ana)
}

/// The callers that a route for tokens and people refuses, those of other companies, and those who may.
pub(super) async fn either(
    area: &ClientAreaApp,
    tokens: &Tokens,
    route: &Route,
) -> (Vec<Cell>, Vec<Credential>, Vec<Credential>) {
    let (of_people, dora, ana) = people(area, tokens, route).await;
    let cells = of_people.into_iter().filter(|cell| cell.code.starts_with("session_invalid"));
    let mut cells: Vec<_> = tokens.refused(route.permission).into_iter().chain(cells).collect();
    let carl = Credential::browser(&area.browser("carl").await);
    cells.push(cell("a person without the role", carl, 403, "role_required"));
    // A token is judged as one, whatever session comes along.
    let lacking = Credential::token(&tokens.lacking).0.into_iter().chain(ana.0.clone()).collect();
    cells.push(cell(
        "a session beside a token without the permission",
        Credential(lacking),
        403,
        "missing_permission",
    ));
    let dora = dora.or(Some(Credential::browser(&area.browser("dora").await)));
    (cells, dora.into_iter().chain([tokens.stranger()]).collect(), vec![tokens.fine(), ana])
}

/// Whom a route for everybody refuses: pages of other sites.
pub(super) fn other_sites() -> Vec<Cell> {
    let from = |name, value: &str| Credential::none().with(name, value);
    vec![
        cell("a page of another site", from("origin", "https://evil.example"), 403, "csrf_rejected"),
        cell("a sandboxed page", from("origin", "null"), 403, "csrf_rejected"),
        cell("a cross-site request", from("sec-fetch-site", "cross-site"), 403, "csrf_rejected"),
    ]
}

/// Whom a route for signed reports refuses.
pub(super) fn forgers(area: &ClientAreaApp, tokens: &Tokens, body: &str) -> Vec<Cell> {
    let signed = |line: String| Credential(vec![(SIGNATURE, line)]);
    let now = area.clock.now().unix_seconds();
    let line = sign(SCANNING_KEY, now, body.as_bytes());
    let forged = |name, line| cell(name, signed(line), 401, "signature_invalid");
    vec![
        cell("no credential", Credential::none(), 401, "signature_invalid"),
        cell("a token", tokens.fine(), 401, "signature_invalid"),
        cell(
            "two signatures",
            Credential(vec![(SIGNATURE, line.clone()), (SIGNATURE, line)]),
            401,
            "signature_invalid",
        ),
        forged("a malformed signature", "junk".to_owned()),
        forged("another key", sign(&"k".repeat(32), now, body.as_bytes())),
        forged("a signature of another body", sign(SCANNING_KEY, now, b"[]")),
        forged("an old signature", sign(SCANNING_KEY, now - 301, body.as_bytes())),
        forged("a signature of tomorrow", sign(SCANNING_KEY, now + 301, body.as_bytes())),
    ]
}

/// A secret scanner whose signature is good.
pub(super) fn scanner(area: &ClientAreaApp, body: &str) -> Credential {
    let now = area.clock.now().unix_seconds();
    Credential(vec![(SIGNATURE, sign(SCANNING_KEY, now, body.as_bytes()))])
}

fn cell(name: &'static str, credential: Credential, status: u16, code: &'static str) -> Cell {
    Cell { name, credential, status, code }
}
