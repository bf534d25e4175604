//! The operations, each with what a client sends.

mod contacts;
mod papers;
mod purchases;
mod tools;
mod trade;
mod treasury;

use serde_json::Value;
use svc_core::id::CaseId;
use svc_testkit::business::sample::{contact_id, id};

use self::contacts::CONTACTS;
use self::papers::PAPERS;
use self::purchases::PURCHASES;
use self::tools::TOOLS;
use self::trade::TRADE;
use self::treasury::TREASURY;
use super::fill::Filled;

/// A request.
pub(super) struct Ask {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) body: String,
    pub(super) status: u16,
}

/// Something that the API does.
pub(super) struct Operation {
    pub(super) name: &'static str,
    /// Milliseconds that it may take in the largest company, where the time in the smallest one says nothing.
    pub(super) within: Option<f64>,
    /// The requests of a call; the last one is measured.
    pub(super) asks: Asks,
    /// The requests of the route that does what a tool does.
    pub(super) route: Option<Asks>,
}

/// Where assistants call tools.
const MCP: &str = "/mcp";

impl Ask {
    /// Whether an answer is the one that it has. That a tool was refused is told in the body of a 200.
    pub(super) fn is_answered(&self, status: u16, body: &[u8]) -> bool {
        let is_done = || {
            let answer: Value = serde_json::from_slice(body).unwrap_or_default();
            answer.pointer("/result/isError").is_some_and(|is_error| is_error == false)
        };
        status == self.status && (self.path != MCP || is_done())
    }
}

/// Makes the requests of a call to a company that has been filled with this.
type Asks = fn(filled: &Filled, call: u32) -> Vec<Ask>;

/// Milliseconds of a search for what few records have, and for what many have.
const RARE: f64 = 10.0;
const FREQUENT: f64 = 30.0;

/// The path of the contact with this number.
fn contact(number: u32) -> String {
    format!("/api/v1/contacts/{}", contact_id(number.into()))
}

fn case(number: u32) -> String {
    format!("/api/v1/cases/{}", id::<CaseId>(number.into()))
}

/// A number of the company, another one each time; those of `operation` are left to it.
fn some(contacts: u32, call: u32, operation: u32) -> u32 {
    1 + (contacts / 40 * operation + call) % contacts
}

fn get(path: impl Into<String>) -> Vec<Ask> {
    vec![Ask { method: "GET", path: path.into(), body: String::new(), status: 200 }]
}

fn list(query: &str) -> Vec<Ask> {
    get(format!("/api/v1/contacts?{query}"))
}

fn cases(query: &str) -> Vec<Ask> {
    get(format!("/api/v1/cases?{query}"))
}

fn change(number: u32, body: String) -> Vec<Ask> {
    vec![Ask { method: "PATCH", path: contact(number), body, status: 200 }]
}

/// One that may take twice the time of the smallest company in the largest one.
const fn on(name: &'static str, asks: Asks) -> Operation {
    Operation { name, within: None, asks, route: None }
}

/// The same, of which the time in the smallest company says nothing.
const fn search_in(name: &'static str, within: f64, asks: Asks) -> Operation {
    Operation { within: Some(within), ..on(name, asks) }
}

/// All of them.
pub(super) fn every() -> impl Iterator<Item = &'static Operation> {
    [CONTACTS, TRADE, PURCHASES, TREASURY, PAPERS, TOOLS].into_iter().flatten()
}
