//! Every event of the catalogue, driven by what clients, assistants and signers do: each arrives signed, with what goes with it, and nothing else
//! arrives.

mod books;
mod ceremonies;
mod companies;
mod contacts;
mod envelopes;
mod files;
mod notices;
mod purchases;
mod sales;
mod taxes;
mod treasury;

use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};
use svc_core::event::EventDeclaration;

use crate::harness::{Answer, Api, Receiver, Server, Site, token_create};

/// Every type of the catalogue.
const TYPES: [&str; 44] = [
    "contact.create",
    "contact.update",
    "contact.delete",
    "contact.merge",
    "account.create",
    "account.update",
    "account.delete",
    "account.merge",
    "case.create",
    "case.update",
    "invoice.create",
    "invoice.update",
    "invoice.delete",
    "invoice.issue",
    "invoice.send",
    "invoice.pay",
    "invoice.void",
    "supplier_document.create",
    "supplier_document.update",
    "supplier.create",
    "journal_entry.create",
    "journal_entry.update",
    "journal_entry.post",
    "journal_entry.delete",
    "fixed_asset.create",
    "fixed_asset.update",
    "bank_account.create",
    "bank_account.update",
    "bank_movement.create",
    "reconciliation.confirm",
    "tax_profile.update",
    "tax_return.update",
    "tax_return.submit",
    "notice.create",
    "file.create",
    "file.update",
    "file.delete",
    "data_room_file.create",
    "envelope.sent",
    "envelope.completed",
    "envelope.declined",
    "envelope.voided",
    "envelope.reissued",
    "envelope.reassigned",
];

/// A company that a receiver listens to.
struct Office {
    site: Site,
    server: Server,
    api: Api,
    company: String,
    holder: String,
    receiver: Receiver,
    secret: String,
    seen: BTreeSet<String>,
}

/// What an operation is to tell: the type, the id of its object where that is known, and what goes with it.
type Told<'a> = (&'a str, Option<&'a Value>, &'a [(&'a str, &'a Value)]);

impl Office {
    fn new() -> Self {
        let site = Site::new();
        let [company, holder, _] = site.bootstrap();
        let group = site.json(&["group", "create", "--name", "Grupo Sol", "--parent", &company]);
        let group = group["groupId"].as_str().expect("an id");
        let token = token(&site, &company, &holder, &["--group", group]);
        let server = site.serve();
        let api = server.api(&token);
        let receiver = Receiver::answering(Answer::Status(200));
        let (_, secret) = api.subscribe(&receiver.url, &TYPES);
        let mut office = Self { site, server, api, company, holder, receiver, secret, seen: BTreeSet::new() };
        let complete = json!({"taxId": "B12345674", "address": address()});
        let company = office.company.clone();
        office.api.patch(&format!("/api/v1/accounts/{company}"), &complete).expect(200);
        office.tells("the company is complete", &[("account.update", Some(&json!(company)), &[])]);
        office
    }

    /// A token of another company of the same holder.
    fn token_of(&self, company: &str) -> String {
        token(&self.site, company, &self.holder, &[])
    }

    fn post(&self, path: &str, body: &Value, status: u16) -> Value {
        self.api.post(&format!("/api/v1{path}"), body).expect(status)
    }

    /// What a tool answers to an assistant that has the token of the company.
    fn tool(&self, name: &str, arguments: &Value) -> Value {
        let params = json!({"name": name, "arguments": arguments});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let headers = [
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2025-11-25"),
        ];
        let answer = self.api.call("POST", "/mcp", &headers, &body.to_string()).expect(200);
        let told = &answer["result"]["structuredContent"];
        assert!(told.is_object(), "{name}: {answer}");
        told.clone()
    }

    fn patch(&self, path: &str, body: &Value) -> Value {
        self.api.patch(&format!("/api/v1{path}"), body).expect(200)
    }

    fn delete(&self, path: &str) {
        let reply = self.api.call("DELETE", &format!("/api/v1{path}"), &[], "");
        assert!((200..300).contains(&reply.status), "{path}: {}", reply.text);
    }

    fn books(&self, under: &str) -> String {
        format!("/books/{}{under}", self.company)
    }

    /// Holds that exactly these events arrive, in whatever order, each signed.
    #[track_caller]
    fn tells(&mut self, what: &str, wanted: &[Told<'_>]) {
        let mut left = wanted.to_vec();
        while !left.is_empty() {
            let hit = self.receiver.next();
            hit.assert_signed_with(&self.secret);
            let event = hit.json();
            let (kind, data) = (event["type"].as_str().expect("a type"), &event["data"]);
            let is_it = |(wanted, id, extras): &Told<'_>| {
                let members = data.as_object().map_or(0, serde_json::Map::len);
                *wanted == kind
                    && id.is_none_or(|id| *id == data["id"])
                    && members == 2 + extras.len()
                    && extras.iter().all(|(name, value)| data[*name] == **value)
            };
            let at = left.iter().position(is_it);
            let at = at.unwrap_or_else(|| panic!("{what}: {event} is not one of {left:?}"));
            left.remove(at);
            assert!(event["account_id"].is_string(), "{event}");
            self.seen.insert(kind.to_owned());
        }
    }

    /// Holds that nothing more arrives, and that every type was seen.
    fn end(self) {
        sleep(Duration::from_secs(1));
        assert!(self.receiver.is_silent(), "an event that no operation was to tell");
        let all: BTreeSet<_> = TYPES.map(str::to_owned).into();
        assert_eq!(self.seen, all);
        self.server.stop();
        drop(self.site);
    }
}

/// A token that may do everything and sees personal data.
fn token(site: &Site, company: &str, holder: &str, further: &[&str]) -> String {
    let made = site.json(&[token_create(company, holder).as_slice(), &["--personal-data"], further].concat());
    made["token"].as_str().expect("a token").to_owned()
}

fn address() -> Value {
    json!({"line1": "Calle Mayor 1", "city": "Madrid", "postalCode": "28013", "country": "ES"})
}

fn id(value: &Value) -> &str {
    value["id"].as_str().expect("an id")
}

#[test]
fn no_event_of_the_catalogue_is_left_out() {
    let catalogue: BTreeSet<_> =
        svc_business::catalogue::events().all().map(EventDeclaration::name).collect();
    assert_eq!(BTreeSet::from(TYPES), catalogue);
}

#[test]
fn every_event_that_can_happen_arrives() {
    let mut office = Office::new();
    contacts::play(&mut office);
    companies::play(&mut office);
    sales::play(&mut office);
    purchases::play(&mut office);
    books::play(&mut office);
    treasury::play(&mut office);
    taxes::play(&mut office);
    notices::play(&mut office);
    files::play(&mut office);
    envelopes::play(&mut office);
    ceremonies::play(&mut office);
    office.end();
}
