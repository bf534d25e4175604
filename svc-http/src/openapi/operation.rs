//! One operation of the document from what its route says of itself.

use std::collections::BTreeSet;

use http::{Method, StatusCode};
use serde_json::{Map, Value, json};
use svc_core::id::{
    AccountId, BankAccountId, BankMovementId, BankMovementImportId, CaseId, ContactId, DataRoomFileId,
    DeliveryId, EnvelopeId, FileId, FiscalYearId, FixedAssetId, FolderId, GroupId, JournalEntryId,
    LedgerAccountId, MembershipId, NoticeId, PaymentId, ReplayId, SalesDocumentId, SeriesId, SubscriptionId,
    SupplierDocumentId, SupplierId, TaxReturnId, TokenId, TypedId as _,
};
use svc_core::wire::Parts;

use super::example::{Schemas, Use, example};
use crate::api::about::{About, Type};
use crate::query::{Kind, Param};

pub(super) fn describe(about: &About, schemas: &Schemas) -> Value {
    let mut operation = json!({
        "operationId": operation_id(about),
        "tags": [about.tag],
        "summary": about.summary,
        "description": description(about),
        "parameters": parameters(about),
        "responses": responses(about, schemas),
    });
    if let Some(members) = operation.as_object_mut() {
        members.extend(access(about));
        if about.request.or(about.stores).is_some() {
            members.insert("requestBody".to_owned(), request(about, schemas));
        }
    }
    operation
}

/// `GET /contacts/{id}/duplicates` becomes `get_contacts_id_duplicates`.
fn operation_id(about: &About) -> String {
    let words = about.path.split(['/', '{', '}', '-']).filter(|word| !word.is_empty());
    let method = about.method.as_str().to_ascii_lowercase();
    std::iter::once(method.as_str()).chain(words).collect::<Vec<_>>().join("_")
}

fn access(about: &About) -> Map<String, Value> {
    let mut members = Map::new();
    let notice = &about.notice;
    members.insert("x-required-permission".to_owned(), json!(notice.permission));
    members.insert("x-access".to_owned(), json!(notice.access));
    // Each object is a way in by itself; no scheme at all is written as an empty list.
    let schemes = notice.schemes.iter().map(|scheme| json!({ (*scheme): [] }));
    members.insert("security".to_owned(), schemes.collect());
    if !about.permissions_per_item.is_empty() {
        members.insert("x-item-permissions".to_owned(), json!(about.permissions_per_item));
    }
    members
}

fn description(about: &About) -> String {
    let sentence = &about.notice.sentence;
    if about.description.is_empty() {
        sentence.clone()
    } else {
        format!("{}\n\n{sentence}", about.description)
    }
}

fn parameters(about: &About) -> Vec<Value> {
    let ids = about.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let path = ids.map(
        |name| json!({ "name": name, "in": "path", "required": true, "schema": in_path(about.path, name) }),
    );
    let query = about.params.iter().map(|param| {
        json!({ "name": param.name, "in": "query", "description": param.about, "schema": kind(param) })
    });
    let mut all: Vec<Value> = path.chain(query).collect();
    let mut header = |name: &str, about: &str| {
        all.push(
            json!({ "name": name, "in": "header", "description": about, "schema": { "type": "string" } }),
        );
    };
    if about.notice.csrf && about.method != Method::GET {
        header("X-CSRF-Token", "The `csrfToken` of the session.");
    }
    if about.repeatable {
        header(
            "Idempotency-Key",
            "1 to 255 printable ASCII characters; the same request is then run once in 24 hours.",
        );
    }
    if about.unconditional {
        // A version, but no condition on it.
    } else if about.versioned && about.method == Method::GET {
        header("If-None-Match", "An `ETag`; when it is still the present one, the answer is 304.");
    } else if about.versioned {
        header("If-Match", "The `ETag` that the change is meant for; another one is answered with 412.");
    }
    all
}

/// What stands in a path: an id, of the kind that the word before it tells.
fn in_path(path: &str, name: &str) -> Value {
    let words = path.split('/').zip(path.split('/').skip(1));
    let mut before = words
        .filter(|(_, part)| part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) == Some(name));
    let pattern = match (before.next().map(|(word, _)| word), name) {
        (Some("accounts"), _) if path.starts_with("/books/") => LedgerAccountId::pattern(),
        (Some("fiscal-years"), _) => FiscalYearId::pattern(),
        (Some("fixed-assets"), _) => FixedAssetId::pattern(),
        (Some("journal-entries"), _) => JournalEntryId::pattern(),
        (Some("accounts" | "books"), _) | (Some("members"), "accountId") => AccountId::pattern(),
        (Some("billing"), _) => SalesDocumentId::pattern(),
        (Some("bank-accounts"), _) => BankAccountId::pattern(),
        (Some("bank-movements"), _) => BankMovementId::pattern(),
        (Some("imports"), _) => BankMovementImportId::pattern(),
        (Some("suppliers"), _) => SupplierId::pattern(),
        (Some("supplier-documents"), _) => SupplierDocumentId::pattern(),
        (Some("series"), _) => SeriesId::pattern(),
        (Some("payments"), _) => PaymentId::pattern(),
        (Some("contacts"), _) => ContactId::pattern(),
        (Some("cases"), _) => CaseId::pattern(),
        (Some("notices"), _) => NoticeId::pattern(),
        (Some("returns"), _) => TaxReturnId::pattern(),
        (Some("boxes"), _) => "^[0-9]{2,5}$".to_owned(),
        (Some("envelopes"), _) => EnvelopeId::pattern(),
        (Some("files"), _) if path.starts_with("/data-room/") => DataRoomFileId::pattern(),
        (Some("files" | "documents"), _) => FileId::pattern(),
        (Some("folders"), _) => FolderId::pattern(),
        (Some("deliveries"), _) => DeliveryId::pattern(),
        (Some("groups"), _) => GroupId::pattern(),
        (Some("invitations" | "members"), _) => MembershipId::pattern(),
        (Some("replays"), _) => ReplayId::pattern(),
        (Some("subscriptions"), _) => SubscriptionId::pattern(),
        (Some("tokens"), _) => TokenId::pattern(),
        _ => return json!({ "type": "string" }),
    };
    json!({ "type": "string", "pattern": pattern })
}

fn kind(param: &Param) -> Value {
    match param.kind {
        Kind::Text => json!({ "type": "string" }),
        Kind::Search => json!({ "type": "string", "minLength": 2 }),
        Kind::Count => json!({ "type": "integer", "minimum": 1 }),
        Kind::Date => json!({ "type": "string", "format": "date" }),
        Kind::Instant => json!({ "type": "string", "format": "date-time" }),
        Kind::Moment => {
            json!({ "type": "string", "anyOf": [{ "format": "date" }, { "format": "date-time" }] })
        }
        Kind::OneOf(values) => json!({ "type": "string", "enum": values }),
        Kind::Id(prefix) => json!({ "type": "string", "pattern": svc_core::id::pattern(prefix) }),
    }
}

fn request(about: &About, schemas: &Schemas) -> Value {
    const PARTS: &str = "multipart/form-data";
    let change = about.method == Method::PATCH;
    let described = |body: Type| {
        let schema = refer(body);
        let shown = example(&schema, schemas, if change { Use::Change } else { Use::Whole });
        json!({ "schema": schema, "example": shown })
    };
    let mut content = Map::new();
    if let Some(body) = about.request {
        let media = if about.upload.is_some() { PARTS } else { "application/json" };
        content.insert(media.to_owned(), described(body));
        if change {
            content.insert("application/merge-patch+json".to_owned(), described(body));
        }
    }
    if let Some(body) = about.stores {
        content.insert(PARTS.to_owned(), described(body));
    }
    json!({ "required": true, "content": content })
}

/// A reference to a type that is among the document's schemas.
fn refer(named: Type) -> Value {
    (named.schema)(&mut Parts::default())
}

fn responses(about: &About, schemas: &Schemas) -> Map<String, Value> {
    let mut all = Map::new();
    all.insert(about.status.as_str().to_owned(), success(about, about.status, about.answer, schemas));
    for (status, answer) in &about.others {
        all.insert(status.as_str().to_owned(), success(about, *status, Some(*answer), schemas));
    }
    if about.versioned && !about.unconditional && about.method == Method::GET {
        all.insert("304".to_owned(), json!({ "description": "Not modified" }));
    }
    for status in refusals(about) {
        let reason = status.canonical_reason().unwrap_or_default();
        let schema = json!({ "$ref": "#/components/schemas/Problem" });
        let content = json!({ "application/problem+json": { "schema": schema } });
        let refusal = match status {
            StatusCode::PRECONDITION_FAILED => {
                let tag =
                    json!({ "description": "That of the present version.", "schema": { "type": "string" } });
                json!({ "description": reason, "headers": { "ETag": tag }, "content": content })
            }
            _ => json!({ "description": reason, "content": content }),
        };
        all.insert(status.as_str().to_owned(), refusal);
    }
    all
}

fn success(about: &About, status: StatusCode, answer: Option<Type>, schemas: &Schemas) -> Value {
    let text = json!({ "schema": { "type": "string" } });
    let mut headers = Map::new();
    let mut add = |when: bool, name: &str| {
        if when {
            headers.insert(name.to_owned(), text.clone());
        }
    };
    add(true, "X-Request-Id");
    add(about.notice.limits, "RateLimit");
    add(about.notice.limits, "RateLimit-Policy");
    // What has no body shows nothing that could have a version.
    add((about.versioned || about.created) && status != StatusCode::NO_CONTENT, "ETag");
    add(status == StatusCode::CREATED || status == StatusCode::ACCEPTED, "Location");
    add(about.repeatable, "Idempotent-Replayed");
    if about.personal {
        let schema = json!({ "schema": { "type": "string", "enum": ["masked", "full"] } });
        headers.insert("X-Personal-Data".to_owned(), schema);
    }
    let mut response = json!({
        "description": status.canonical_reason().unwrap_or_default(),
        "headers": headers,
    });
    if let (Some(answer), Some(members)) = (answer, response.as_object_mut()) {
        let schema = refer(answer);
        let shown = example(&schema, schemas, Use::Whole);
        let mut content =
            Map::from_iter([(about.media.to_owned(), json!({ "schema": schema, "example": shown }))]);
        if let Some(also) = about.also {
            let text = json!({ "type": "string", "description": "The same as a table (RFC 4180)." });
            content.insert(also.to_owned(), json!({ "schema": text, "example": "code,name\r\n" }));
        }
        members.insert("content".to_owned(), Value::Object(content));
    }
    response
}

/// The refusals that follow from a route's form, and those that it names itself.
fn refusals(about: &About) -> BTreeSet<StatusCode> {
    let mut all: BTreeSet<StatusCode> = [
        StatusCode::BAD_REQUEST,
        StatusCode::UNAUTHORIZED,
        StatusCode::FORBIDDEN,
        StatusCode::TOO_MANY_REQUESTS,
        StatusCode::INTERNAL_SERVER_ERROR,
        StatusCode::SERVICE_UNAVAILABLE,
    ]
    .into();
    all.extend(&about.refusals);
    if about.answer.is_some() {
        all.insert(StatusCode::NOT_ACCEPTABLE);
    }
    let takes_company = about.params.iter().any(|param| param.name == crate::query::COMPANY.name);
    if about.path.contains('{') || takes_company {
        all.insert(StatusCode::NOT_FOUND);
    }
    if about.method != Method::GET {
        all.extend([StatusCode::REQUEST_TIMEOUT, StatusCode::CONFLICT, StatusCode::PAYLOAD_TOO_LARGE]);
        all.extend([StatusCode::UNSUPPORTED_MEDIA_TYPE, StatusCode::UNPROCESSABLE_ENTITY]);
        if about.versioned {
            all.insert(StatusCode::PRECONDITION_FAILED);
        }
    }
    all
}
