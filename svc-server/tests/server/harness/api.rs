//! A plain HTTP/1.1 client over a socket: one request per connection.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use serde_json::{Value, json};

use super::PATIENCE;

/// The API as the holder of a token calls it, or a person who signed in.
#[derive(Clone)]
pub(crate) struct Api {
    address: SocketAddr,
    /// What every request carries.
    headers: Vec<(&'static str, String)>,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Api {
    pub(crate) fn new(address: SocketAddr, token: &str) -> Self {
        Self { address, headers: vec![("Authorization", format!("Bearer {token}"))] }
    }

    /// The API as a client without a credential calls it.
    pub(crate) fn bare(address: SocketAddr) -> Self {
        Self { address, headers: Vec::new() }
    }

    /// Signs in; answers the API as this person calls it.
    #[track_caller]
    pub(crate) fn sign_in(&self, email: &str, password: &str) -> Self {
        let reply = self.post("/api/v1/session", &json!({"email": email, "password": password}));
        let csrf = text(&reply.expect(201), "csrfToken");
        let cookie = reply.header("set-cookie").and_then(|cookie| cookie.split(';').next());
        let cookie = cookie.expect("a cookie").to_owned();
        Self { address: self.address, headers: vec![("Cookie", cookie), ("X-CSRF-Token", csrf)] }
    }

    /// The value of a header that every request carries.
    pub(crate) fn carries(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str()).expect("it carries this header")
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.call("GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.call("POST", path, &[("Content-Type", "application/json")], &body.to_string())
    }

    pub(crate) fn patch(&self, path: &str, body: &Value) -> Reply {
        self.call("PATCH", path, &[("Content-Type", "application/json")], &body.to_string())
    }

    /// Subscribes `url` to events; answers id and secret.
    pub(crate) fn subscribe(&self, url: &str, events: &[&str]) -> (String, String) {
        let body = json!({"name": "Test", "url": url, "events": events});
        let made = self.post("/api/v1/webhooks/subscriptions", &body).expect(201);
        (text(&made, "id"), text(&made, "secret"))
    }

    /// Creates a contact; answers its id.
    pub(crate) fn contact(&self, name: &str) -> String {
        let body = json!({"kind": "organization", "legalName": name});
        text(&self.post("/api/v1/contacts", &body).expect(201), "id")
    }

    pub(crate) fn call(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n",
            self.address,
            body.len(),
        );
        let own = self.headers.iter().map(|(name, value)| (*name, value.as_str()));
        for (name, value) in own.chain(headers.iter().copied()) {
            write!(head, "{name}: {value}\r\n").expect("a String takes everything");
        }
        let mut stream = TcpStream::connect_timeout(&self.address, PATIENCE).expect("the port is open");
        stream.set_read_timeout(Some(PATIENCE)).expect("set");
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("answered");
        Reply::read(&answer)
    }
}

impl Reply {
    fn read(answer: &[u8]) -> Self {
        let answer = String::from_utf8_lossy(answer);
        let (head, text) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no head: `{answer}`"));
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).expect("a status line");
        let headers = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let reply = Self { status: status.parse().expect("a status"), headers, text: text.to_owned() };
        assert!(reply.header("transfer-encoding").is_none(), "this client reads no chunks: {head}");
        reply
    }

    /// A header by its lower-case name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body, when the status is the expected one.
    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        if self.text.is_empty() { Value::Null } else { serde_json::from_str(&self.text).expect("JSON") }
    }
}

fn text(object: &Value, name: &str) -> String {
    object[name].as_str().unwrap_or_else(|| panic!("no `{name}` in {object}")).to_owned()
}
