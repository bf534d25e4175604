//! Writing down a record that can be taken back: a new one, or a change of one that is there.

use http::Method;
use serde_json::{Map, Value, json};
use svc_http::assistant::{Assistant, Call};

use super::arguments::Arguments;
use super::find::answered;
use crate::answer::Refused;
use crate::schema::object;

/// A resource of the API, as a tool.
pub(super) struct Save {
    /// The path of its list, with `{companyId}` where it is about one company.
    pub(super) list: &'static str,
    /// Members that would commit what is written: an assistant asks a person for that.
    pub(super) without: &'static [&'static str],
    pub(super) untrusted: &'static [&'static str],
}

impl Save {
    pub(super) async fn save(&self, assistant: &Assistant, arguments: Value) -> Result<Value, Refused> {
        let mut arguments = Arguments::new(arguments)?;
        let company = arguments.company(assistant)?.to_string();
        let asked = Asked {
            id: arguments.text("id")?,
            version: arguments.number("if_version")?,
            key: arguments.text("idempotency_key")?,
            data: arguments.object("data")?,
        };
        arguments.finish()?;
        let item = answered(assistant, self.asked(asked, &company)?).await?;
        Ok(json!({ "company": company, "item": item, "untrusted": self.untrusted }))
    }

    fn asked(&self, asked: Asked, company: &str) -> Result<Call, Refused> {
        let Asked { id, version, key, mut data } = asked;
        if let Some(name) = self.without.iter().find(|name| data.contains_key(**name)) {
            let message = "the tool writes drafts alone: leave it out";
            return Err(Refused::argument(&format!("data.{name}"), message));
        }
        let list = self.list.replace("{companyId}", company);
        if let Some(id) = id {
            if key.is_some() {
                let message = "is for a new record; name if_version for a change";
                return Err(Refused::argument("idempotency_key", message));
            }
            let call = Call::new(Method::PATCH, format!("{list}/{}", Call::segment(&id)));
            let call = call.body(Value::Object(data));
            return Ok(version.into_iter().fold(call, Call::if_version));
        }
        if version.is_some() {
            return Err(Refused::argument("if_version", "is for a record that is there: name its id"));
        }
        name_company(&mut data, self.list, company);
        let call = Call::new(Method::POST, list).body(Value::Object(data));
        Ok(key.iter().fold(call, |call, key| call.once(key)))
    }
}

/// The arguments of a call.
struct Asked {
    id: Option<String>,
    version: Option<i64>,
    key: Option<String>,
    data: Map<String, Value>,
}

/// A new record goes to the company of the call, whatever the data says.
fn name_company(data: &mut Map<String, Value>, list: &str, company: &str) {
    if !list.contains("{companyId}") {
        data.insert("companyId".to_owned(), company.into());
    }
}

/// What a save takes: `data` has this schema. The instructions of the server say once what the others are.
pub(super) fn input(data: &Value) -> Value {
    let properties = json!({
        "id": { "type": "string" },
        "if_version": { "type": "integer" },
        "idempotency_key": { "type": "string" },
        "company": { "type": "string" },
        "data": data,
    });
    object(properties, &["data"])
}

/// What a tool answers that is about one record.
pub(super) fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "company": { "type": "string" },
            "item": { "type": ["object", "null"] },
            "untrusted": { "type": "array" },
        },
        "required": ["item"],
    })
}
