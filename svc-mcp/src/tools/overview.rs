//! One company at a glance.

use http::{Method, StatusCode};
use serde_json::{Map, Value, json};
use svc_http::assistant::{Assistant, Call};

use super::arguments::Arguments;
use crate::answer::Refused;
use crate::schema::object;

/// What is counted: a list, and the filter that narrows it.
type Counted = (&'static str, &'static str, Option<(&'static str, &'static str)>);

const COUNTED: [Counted; 7] = [
    ("contacts", "/contacts", None),
    ("open_cases", "/cases", Some(("status", "open"))),
    ("draft_invoices", "/billing", Some(("status", "draft"))),
    ("overdue_invoices", "/billing", Some(("overdue", "true"))),
    ("received_supplier_documents", "/supplier-documents", Some(("status", "received"))),
    ("overdue_supplier_documents", "/supplier-documents", Some(("overdue", "true"))),
    ("pending_bank_movements", "/treasury/bank-movements", Some(("status", "pending"))),
];

pub(super) async fn overview(assistant: &Assistant, arguments: Value) -> Result<Value, Refused> {
    let mut arguments = Arguments::new(arguments)?;
    let company = arguments.company(assistant)?;
    arguments.finish()?;
    let id = company.to_string();
    let principal = assistant.principal();
    let reached: Vec<_> = principal
        .companies
        .iter()
        .map(|one| json!({ "id": one.id, "legal_name": one.legal_name, "role": one.role.map(svc_core::role::Role::name) }))
        .collect();
    let profile = assistant.call(Call::new(Method::GET, format!("/accounts/{id}"))).await?;
    let mut counts = Map::new();
    for (name, list, filter) in COUNTED {
        let call = Call::new(Method::GET, list).query("companyId", id.as_str()).query("limit", "1");
        let call = filter.into_iter().fold(call, |call, (name, value)| call.query(name, value));
        let reply = assistant.call(call).await?;
        match reply.status {
            StatusCode::OK => {
                counts.insert(name.to_owned(), reply.body.get("total").cloned().unwrap_or_default());
            }
            // Not for the caller to see.
            StatusCode::FORBIDDEN => {}
            _ => return Err(Refused::of(&reply)),
        }
    }
    let profile = if profile.status == StatusCode::OK { profile.body } else { Value::Null };
    Ok(json!({
        "company": id,
        "profile": profile,
        "counts": counts,
        "companies": reached,
        "sees_personal_data": matches!(principal.access, svc_core::pii::PiiAccess::Full(_)),
        "untrusted": ["legalName", "tradeName"],
    }))
}

pub(super) fn input() -> Value {
    object(json!({ "company": { "type": "string" } }), &[])
}

pub(super) fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "company": { "type": "string" },
            "profile": { "type": ["object", "null"] },
            "counts": { "type": "object" },
            "companies": { "type": "array" },
            "sees_personal_data": { "type": "boolean" },
            "untrusted": { "type": "array" },
        },
        "required": ["company", "profile"],
    })
}
