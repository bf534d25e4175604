//! What one tries a value with.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use super::candidates::Member;
use crate::faults::{Answer, Client};

/// One way to try a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Probe {
    Create,
    BulkCreate,
    Write,
    BulkWrite,
    ArchiveAndBack,
    Duplicates,
    MergeInto,
    MergeFrom,
    WriteOver,
    BulkWriteOver,
    Filter,
    Search,
    SearchCases,
    OwnCompany,
}

impl Probe {
    pub(super) const ALL: [Self; 14] = [
        Self::Create,
        Self::BulkCreate,
        Self::Write,
        Self::BulkWrite,
        Self::ArchiveAndBack,
        Self::Duplicates,
        Self::MergeInto,
        Self::MergeFrom,
        Self::WriteOver,
        Self::BulkWriteOver,
        Self::Filter,
        Self::Search,
        Self::SearchCases,
        Self::OwnCompany,
    ];

    /// In words.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Create => "POST /contacts",
            Self::BulkCreate => "POST /contacts/bulk of a new one",
            Self::Write => "PATCH /contacts/{own}",
            Self::BulkWrite => "POST /contacts/bulk of an own one",
            Self::ArchiveAndBack => "an own one archived and brought back",
            Self::Duplicates => "GET /contacts/{own}/duplicates",
            Self::MergeInto => "POST /contacts/{other}/merge of an own one",
            Self::MergeFrom => "POST /contacts/{own}/merge of the other one",
            Self::WriteOver => "PATCH /contacts/{other}",
            Self::BulkWriteOver => "POST /contacts/bulk of the other one",
            Self::Filter => "GET /contacts?taxId=",
            Self::Search => "GET /contacts?q=",
            Self::SearchCases => "GET /cases?q=",
            Self::OwnCompany => "PATCH /accounts/{own}, and GET",
        }
    }

    /// Whether the other contact is another one afterwards.
    pub(super) const fn spoils(self) -> bool {
        matches!(self, Self::MergeInto | Self::MergeFrom | Self::WriteOver | Self::BulkWriteOver)
    }
}

/// The client that tries, and what it tries at.
pub(super) struct Attacker {
    pub(super) client: Client,
    pub(super) api: SocketAddr,
    pub(super) company: String,
    pub(super) requests: usize,
    /// What it tries at present.
    pub(super) tried: String,
}

impl Attacker {
    /// What all answers to one attempt tell.
    pub(super) async fn attempt(
        &mut self,
        probe: Probe,
        member: Member,
        number: u32,
        other: &str,
    ) -> Vec<Value> {
        let members = member.json(number);
        self.tried = member.value(number);
        let searched = self.tried.replace('+', "%2B").replace(' ', "%20");
        match probe {
            Probe::Create => vec![self.post("/contacts", &person(&members)).await.0],
            Probe::BulkCreate => vec![self.post("/contacts/bulk", &items(&person(&members))).await.0],
            Probe::Filter => vec![self.get(&format!("/contacts?taxId={searched}")).await],
            Probe::Search => vec![self.get(&format!("/contacts?q={searched}")).await],
            Probe::SearchCases => vec![self.get(&format!("/cases?q={searched}")).await],
            Probe::OwnCompany => {
                let path = format!("/accounts/{}", self.company);
                vec![self.patch(&path, &format!("{{{members}}}")).await, self.get(&path).await]
            }
            Probe::WriteOver => {
                let path = format!("/contacts/{other}");
                let patched = self.patch(&path, &format!("{{{members}}}")).await;
                vec![patched, self.get(&path).await]
            }
            Probe::BulkWriteOver => {
                let item = format!(r#"{{"id":"{other}",{members}}}"#);
                vec![self.post("/contacts/bulk", &items(&item)).await.0]
            }
            Probe::Write | Probe::BulkWrite => {
                let own = self.post("/contacts", &person("")).await.1;
                let path = format!("/contacts/{own}");
                let written = if probe == Probe::Write {
                    self.patch(&path, &format!("{{{members}}}")).await
                } else {
                    self.post("/contacts/bulk", &items(&format!(r#"{{"id":"{own}",{members}}}"#))).await.0
                };
                vec![written]
            }
            Probe::ArchiveAndBack => {
                let path = format!("/contacts/{}", self.post("/contacts", &person(&members)).await.1);
                vec![
                    self.patch(&path, r#"{"status":"archived"}"#).await,
                    self.patch(&path, r#"{"status":"active"}"#).await,
                ]
            }
            Probe::Duplicates => {
                let own = self.post("/contacts", &person(&members)).await.1;
                vec![self.get(&format!("/contacts/{own}/duplicates")).await]
            }
            Probe::MergeInto | Probe::MergeFrom => {
                let own = self.post("/contacts", &person(&members)).await.1;
                let (kept, merged) = if probe == Probe::MergeInto { (other, &*own) } else { (&*own, other) };
                let body = json!({"mergedId": merged}).to_string();
                vec![self.post(&format!("/contacts/{kept}/merge"), &body).await.0]
            }
        }
    }

    async fn get(&mut self, path: &str) -> Value {
        self.requests += 1;
        let answer = self.client.get(self.api, &format!("/api/v1{path}")).await.expect("answered");
        told(&answer, &self.tried)
    }

    async fn patch(&mut self, path: &str, body: &str) -> Value {
        self.requests += 1;
        let answer = self.client.patch(self.api, &format!("/api/v1{path}"), body).await.expect("answered");
        told(&answer, &self.tried)
    }

    /// With the id of what was made.
    async fn post(&mut self, path: &str, body: &str) -> (Value, String) {
        self.requests += 1;
        let answer =
            self.client.post(self.api, &format!("/api/v1{path}"), None, body).await.expect("answered");
        (told(&answer, &self.tried), answer.text("id"))
    }
}

/// A contact with these members, of a name that no other one has.
pub(super) fn person(members: &str) -> String {
    static NAMES: AtomicU32 = AtomicU32::new(0);
    let name = NAMES.fetch_add(1, Ordering::Relaxed);
    let comma = if members.is_empty() { "" } else { "," };
    format!(
        r#"{{"kind":"person","givenName":"Ada","familyName":"Sol{name}x","bic":"COBADEFFXXX"{comma}{members}}}"#
    )
}

fn items(item: &str) -> String {
    format!(r#"{{"items":[{item}]}}"#)
}

/// What an answer tells, without what differs between any two answers, and without what the caller wrote.
fn told(answer: &Answer, tried: &str) -> Value {
    let mut body = serde_json::from_slice(&answer.body).unwrap_or_default();
    forget(&mut body, tried);
    let varies = ["date:", "x-request-id:", "ratelimit", "location:", "content-length:", "etag:"];
    let head: Vec<_> =
        answer.head.lines().filter(|line| !varies.iter().any(|name| line.starts_with(name))).collect();
    json!({"head": head, "body": body})
}

fn forget(value: &mut Value, tried: &str) {
    match value {
        Value::Object(members) => {
            let varies =
                ["id", "createdAt", "updatedAt", "requestId", "version", "detail", "name", "familyName"];
            members.retain(|name, _| !varies.contains(&name.as_str()));
            members.values_mut().for_each(|member| forget(member, tried));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| forget(item, tried)),
        Value::String(text) if text.contains("con_") => "con_".clone_into(text),
        Value::String(text) if text == tried => "tried".clone_into(text),
        Value::String(text) if text.contains('*') => "*".clone_into(text),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
