//! What is done to a record that is there, and can be taken back.

use serde_json::{Map, Value, json};
use svc_auth::token::ConnectionRole;
use svc_http::assistant::{Assistant, Call};

use super::arguments::Arguments;
use super::commit::{Data, Verb};
use super::find::answered;
use super::rows::{Row, grants, untrusted};
use super::{Does, Effect, Shown, Tool, save};
use crate::answer::Refused;
use crate::schema::{Api, object};

/// A route of the API about one record, as a tool.
pub(super) struct Act {
    does: Verb,
    /// Its path, with `{id}`.
    path: &'static str,
    data: Data,
    untrusted: &'static [&'static str],
}

/// A tool that does so.
struct Acting {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    does: Verb,
    path: &'static str,
    data: Data,
    /// The kind that the record is found as.
    found: &'static str,
    needs: &'static [&'static str],
}

const ACTING: [Acting; 3] = [
    Acting {
        name: "reconciliation_apply",
        title: "Say what a bank movement stands for",
        about: "By a proposal or by parts that add up to the movement. It records payments and books them; people take \
                that back by undoing it.",
        does: Verb::Post,
        path: "/treasury/bank-movements/{id}/reconcile",
        data: Data::Required,
        found: "bank_movements_find",
        needs: &["treasury:reconciliation.create", "treasury:bank_movements.read"],
    },
    Acting {
        name: "tax_return_prepare",
        title: "Prepare a tax return",
        about: "Computes its boxes from the books as they are now. Nothing is filed by this.",
        does: Verb::Post,
        path: "/tax/returns/{id}/prepare",
        data: Data::Optional,
        found: "tax_returns_find",
        needs: &["tax:returns.prepare"],
    },
    Acting {
        name: "notice_update",
        title: "Say who sees to a notice",
        about: "And by when it is answered, its case, and whether all is done. People alone access and reject notices.",
        does: Verb::Patch,
        path: "/tax/notices/{id}",
        data: Data::Required,
        found: "notices_find",
        needs: &["tax:notices.update"],
    },
];

/// Their rows, in the order in which clients are shown them.
pub(super) fn rows(api: Api<'_>) -> impl Iterator<Item = Row> {
    ACTING.iter().map(move |one| one.row(api))
}

impl Acting {
    fn row(&self, api: Api<'_>) -> Row {
        let act = Act { does: self.does, path: self.path, data: self.data, untrusted: untrusted(self.found) };
        let (name, role) = (self.name, ConnectionRole::Operator);
        Row {
            shown: Shown {
                name,
                title: self.title,
                about: self.about,
                schemas: [&act.input(&api.taken(self.does.member(), self.path)), &save::output()],
                effect: Effect::Drafts,
            }
            .described(),
            tool: Tool { name, role, needs: grants(self.needs), does: Does::Act(act) },
        }
    }
}

impl Act {
    pub(super) async fn act(&self, assistant: &Assistant, arguments: Value) -> Result<Value, Refused> {
        let mut arguments = Arguments::new(arguments)?;
        let company = arguments.company(assistant)?.to_string();
        let id = arguments.id("a record")?;
        let version = arguments.number("if_version")?;
        let key = if self.is_once() { arguments.text("idempotency_key")? } else { None };
        let data = match self.data {
            Data::Required => arguments.object("data")?,
            Data::Optional | Data::Nothing => arguments.optional_object("data")?.unwrap_or_default(),
        };
        arguments.finish()?;
        let call = Call::new(self.does.method(), self.path.replace("{id}", &Call::segment(&id)));
        let call = version.into_iter().fold(call.body(Value::Object(data)), Call::if_version);
        let item = answered(assistant, key.iter().fold(call, |call, key| call.once(key))).await?;
        let company = item.get("companyId").and_then(Value::as_str).unwrap_or(&company);
        Ok(json!({ "company": company, "item": item, "untrusted": self.untrusted }))
    }

    /// Whether it takes a key under which it is done once: a change that is said again changes nothing.
    fn is_once(&self) -> bool {
        self.does == Verb::Post
    }

    /// What it takes: `data` has this schema.
    fn input(&self, data: &Value) -> Value {
        let mut properties = Map::new();
        properties.insert("id".to_owned(), json!({ "type": "string" }));
        properties.insert("if_version".to_owned(), json!({ "type": "integer" }));
        if self.is_once() {
            properties.insert("idempotency_key".to_owned(), json!({ "type": "string" }));
        }
        properties.insert("company".to_owned(), json!({ "type": "string" }));
        properties.insert("data".to_owned(), data.clone());
        let required = if self.data == Data::Required { &["id", "data"][..] } else { &["id"] };
        object(properties, required)
    }
}
