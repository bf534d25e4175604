//! What is done with the texts: successes, failures and nonsense, through every way in.

mod client_area;
mod contacts;
mod credentials;
mod invitations;
mod scanning;
mod webhooks;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::places::Places;
use super::texts::Canaries;
use crate::harness::{Api, PATIENCE, Server, Site};

/// The master key, of which nothing may be anywhere.
const MASTER_KEY: [u8; 32] = *b"kanari master key of 32 bytes !!";

/// One run of a server, with what comes out of it.
pub(super) struct Story<'a> {
    canaries: &'a Canaries,
    site: Site,
    places: Places,
}

impl<'a> Story<'a> {
    pub(super) fn new(canaries: &'a Canaries, level: &str) -> Self {
        let digits: String = MASTER_KEY.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
        let site = Site::new()
            .with("SVC_LOG", level)
            .with("SVC_MASTER_KEY", &digits)
            .with("SVC_SECRET_SCANNING__KEY", &canaries.secret("key of secret scanners"))
            .with("SVC_LIMITS__FAILURES_PER_MINUTE", "10000");
        canaries.keep("master key", MASTER_KEY);
        canaries.keep("master key in digits", digits);
        Self { canaries, site, places: Places::default() }
    }

    /// Plays all of it; answers every place to search.
    pub(super) fn play(mut self) -> Places {
        let token = self.bootstrap();
        self.guest();
        let (mut server, log) = self.site.serve_logged();
        let api = server.api(&token);
        let receiver = self.subscribe(&api);
        self.contacts(&api);
        self.masked(&server, &api);
        self.credentials(&server, &api, &token);
        self.scanning(&server);
        self.invitations(&server);
        self.client_area(&server);
        self.nonsense(&server, &token);
        self.deliveries(&api, &receiver);
        let folder = self.site.path().join("data");
        // While it runs, what was written last is in the log beside the file.
        self.places.database("while it is served", &folder);
        for path in ["/metrics", "/readyz", "/healthz"] {
            let reply = server.admin().get(path);
            self.places.add(format!("metrics {path}"), reply.text);
        }
        let copy = self.site.path().join("data/copy.db");
        self.site.json(&["backup", copy.to_str().expect("text")]);
        server.terminate();
        let rest = server.rest();
        assert!(server.wait().success());
        self.places.database("after the end", &folder);
        self.places.add("log on standard error", log.whole());
        self.places.add("output on standard output", rest);
        let list = self.site.run(&["token", "list"]);
        self.places.add("output of token list", list.stdout + &list.stderr);
        let verified = self.site.run(&["audit", "verify"]);
        self.places.add("output of audit verify", verified.stdout + &verified.stderr);
        self.places
    }

    /// The first company, and a token that may everything.
    fn bootstrap(&mut self) -> String {
        let (email, name) =
            (self.canaries.personal("operator's e-mail"), self.canaries.personal("name of a user"));
        let arguments = [
            "bootstrap",
            "--legal-name",
            "Sol SL",
            "--email",
            email,
            "--name",
            name,
            "--password-stdin",
            "--json",
        ];
        let run = self.site.run_with(&self.canaries.secret("password"), &arguments);
        assert!(run.status.success(), "{run:?}");
        self.places.add("log of bootstrap", run.stderr);
        let made: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let token = made["token"].as_str().expect("a value").to_owned();
        self.canaries.keep("token of the bootstrap", &token);
        token
    }

    /// Requests that are none, with texts in them.
    fn nonsense(&mut self, server: &Server, token: &str) {
        let text = self.canaries.personal("malformed request");
        for raw in [
            format!("{text} {text}\r\n\r\n"),
            format!("GET /{text} HTTP/9.9\r\nHost: x\r\n\r\n"),
            format!("GET / HTTP/1.1\r\nHost: x\r\nbad header {text}\r\n\r\n"),
            format!(
                "POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\nX: {text}\r\n\r\n"
            ),
            format!(
                "POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{{\"notes\":\"{text}\""
            ),
            format!("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n{text}{text}{text}"),
        ] {
            let mut stream =
                TcpStream::connect_timeout(&server.address(), PATIENCE).expect("the port is open");
            stream.set_read_timeout(Some(PATIENCE)).expect("set");
            stream.write_all(raw.as_bytes()).expect("sent");
            stream.shutdown(std::net::Shutdown::Write).expect("the port is open");
            let mut answer = Vec::new();
            // It may be cut off as well as answered.
            drop(stream.read_to_end(&mut answer));
            self.places.add("error answer to nonsense", answer);
        }
    }

    /// Sends what must be refused.
    fn refused(&mut self, told: &str, api: &Api, method: &str, path: &str, body: &Value) -> u16 {
        let reply = api.call(method, path, &[("Content-Type", "application/json")], &body.to_string());
        self.places.refusal(told, &reply);
        reply.status
    }

    /// Makes a token in the client area; answers its id and its value.
    fn token(&self, ana: &Api, more: &Value) -> (String, String) {
        let mut body = json!({"name": "Shop", "permissions": ["full"]});
        for (name, value) in more.as_object().expect("members") {
            body[name] = value.clone();
        }
        let made = ana.post("/api/v1/tokens", &body).expect(201);
        let [id, value] = ["id", "value"].map(|name| made[name].as_str().expect("text").to_owned());
        self.canaries.keep("token of the client area", &value);
        (id, value)
    }

    fn sign_in(&self, server: &Server) -> Api {
        let email = self.canaries.personal("operator's e-mail");
        let ana = server.bare().sign_in(email, &self.canaries.secret("password"));
        self.canaries.keep("session cookie", ana.carries("Cookie").split_once('=').expect("a value").1);
        self.canaries.keep("csrf token", ana.carries("X-CSRF-Token"));
        ana
    }
}
