//! Finding records of one kind.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{Method, StatusCode};
use serde_json::{Map, Value, json};
use svc_http::assistant::{Assistant, Call};

use super::arguments::Arguments;
use crate::answer::{LONGEST, Refused};
use crate::schema::object;

/// Records of an answer, unless it asks for another number.
const USUAL: i64 = 25;
/// Records that are read by their ids.
const MOST_IDS: usize = 20;

/// A list of the API, as a tool.
pub(super) struct Find {
    /// The path of the list, with `{companyId}` where it is about one company.
    pub(super) list: &'static str,
    pub(super) filters: Vec<String>,
    /// What is answered of each record unless all is asked for.
    pub(super) concise: &'static [&'static str],
    /// Members that hold text which other people wrote.
    pub(super) untrusted: &'static [&'static str],
}

/// Where an answer goes on: a page of so many, and how many of them were answered already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cursor {
    page: i64,
    limit: i64,
    skip: usize,
}

impl Cursor {
    fn write(self) -> String {
        URL_SAFE_NO_PAD.encode(format!("{}.{}.{}", self.page, self.limit, self.skip))
    }

    fn read(text: &str) -> Option<Self> {
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let mut parts = text.split('.');
        let cursor = Self {
            page: parts.next()?.parse().ok().filter(|page| *page >= 1)?,
            limit: parts.next()?.parse().ok().filter(|limit| (1..=100).contains(limit))?,
            skip: parts.next()?.parse().ok()?,
        };
        parts.next().is_none().then_some(cursor)
    }
}

impl Find {
    pub(super) async fn find(&self, assistant: &Assistant, arguments: Value) -> Result<Value, Refused> {
        let mut arguments = Arguments::new(arguments)?;
        let company = arguments.company(assistant)?.to_string();
        let full = match arguments.text("fields")?.as_deref() {
            None | Some("concise") => false,
            Some("full") => true,
            Some(_) => return Err(Refused::argument("fields", "must be concise or full")),
        };
        let ids = arguments.texts("ids", MOST_IDS)?;
        if !ids.is_empty() {
            arguments.finish()?;
            return self.by_id(assistant, &company, &ids, full).await;
        }
        let limit = arguments.number("limit")?.unwrap_or(USUAL);
        if !(1..=100).contains(&limit) {
            return Err(Refused::argument("limit", "must be 1 to 100"));
        }
        let cursor = arguments.text("cursor")?.map(|text| {
            Cursor::read(&text).ok_or_else(|| Refused::argument("cursor", "is none of an earlier answer"))
        });
        let cursor = cursor.transpose()?.unwrap_or(Cursor { page: 1, limit, skip: 0 });
        let mut call = Call::new(Method::GET, self.path(&company));
        for filter in &self.filters {
            if let Some(value) = arguments.filter(filter)? {
                call = call.query(filter.as_str(), value);
            }
        }
        arguments.finish()?;
        if self.asks_company() {
            call = call.query("companyId", company.as_str());
        }
        let call = call.query("page", cursor.page.to_string()).query("limit", cursor.limit.to_string());
        let mut body = answered(assistant, call).await?;
        let total = body.get("total").cloned().unwrap_or_default();
        let items = take_items(&mut body);
        let count = items.len();
        let rest: Vec<_> = items.into_iter().skip(cursor.skip).map(|item| self.shown(item, full)).collect();
        let (kept, cut) = fitting(rest);
        let more = total.as_i64().is_some_and(|total| cursor.page * cursor.limit < total) && count > 0;
        let next = if cut {
            Some(Cursor { skip: cursor.skip + kept.len(), ..cursor })
        } else {
            more.then_some(Cursor { page: cursor.page + 1, skip: 0, ..cursor })
        };
        Ok(json!({
            "company": company,
            "items": kept,
            "total": total,
            "next_cursor": next.map(Cursor::write),
            "truncated": cut,
            "untrusted": self.untrusted,
        }))
    }

    /// The first records that this text finds; none where the caller may not read them.
    pub(super) async fn first(
        &self,
        assistant: &Assistant,
        company: &str,
        text: &str,
        limit: u32,
    ) -> Result<Vec<Value>, Refused> {
        let mut call = Call::new(Method::GET, self.path(company)).query("q", text);
        call = call.query("limit", limit.to_string());
        if self.asks_company() {
            call = call.query("companyId", company);
        }
        let mut reply = assistant.call(call).await?;
        match reply.status {
            StatusCode::OK => {
                Ok(take_items(&mut reply.body).into_iter().map(|item| self.shown(item, false)).collect())
            }
            StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => Ok(Vec::new()),
            _ => Err(Refused::of(&reply)),
        }
    }

    async fn by_id(
        &self,
        assistant: &Assistant,
        company: &str,
        ids: &[String],
        full: bool,
    ) -> Result<Value, Refused> {
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for id in ids {
            let path = format!("{}/{}", self.path(company), Call::segment(id));
            let reply = assistant.call(Call::new(Method::GET, path)).await?;
            match reply.status {
                StatusCode::OK => found.push(self.shown(reply.body, full)),
                StatusCode::NOT_FOUND => missing.push(id),
                _ => return Err(Refused::of(&reply)),
            }
        }
        let total = found.len();
        let (kept, cut) = fitting(found);
        Ok(json!({
            "company": company,
            "items": kept,
            "total": total,
            "next_cursor": null,
            "truncated": cut,
            "not_found": missing,
            "untrusted": self.untrusted,
        }))
    }

    fn path(&self, company: &str) -> String {
        self.list.replace("{companyId}", company)
    }

    /// Whether the company is named by a parameter; the path names it otherwise, or the list is of companies.
    fn asks_company(&self) -> bool {
        !self.list.contains("{companyId}") && self.list != "/accounts"
    }

    fn shown(&self, mut item: Value, full: bool) -> Value {
        let Some(members) = item.as_object_mut().filter(|_| !full) else { return item };
        let kept = self.concise.iter().filter_map(|name| members.remove_entry(*name));
        Value::Object(kept.collect::<Map<_, _>>())
    }
}

/// The body of a success.
pub(super) async fn answered(assistant: &Assistant, call: Call) -> Result<Value, Refused> {
    let reply = assistant.call(call).await?;
    if reply.status.is_success() { Ok(reply.body) } else { Err(Refused::of(&reply)) }
}

/// The records of a list, whatever it calls them.
fn take_items(body: &mut Value) -> Vec<Value> {
    let members = body.as_object_mut().into_iter().flat_map(|members| members.values_mut());
    let lists = members.filter(|value| value.is_array());
    lists
        .map(Value::take)
        .find_map(|list| if let Value::Array(items) = list { Some(items) } else { None })
        .unwrap_or_default()
}

/// As many of the first as fit into an answer, one at least; and whether some were left out.
fn fitting(items: Vec<Value>) -> (Vec<Value>, bool) {
    let (count, mut bytes, mut kept) = (items.len(), 0, Vec::new());
    for item in items {
        bytes += item.to_string().len();
        // The answer has each byte twice: as structure and as text.
        if bytes > LONGEST / 2 && !kept.is_empty() {
            break;
        }
        kept.push(item);
    }
    let cut = kept.len() < count;
    (kept, cut)
}

/// What a find takes.
pub(super) fn input(filters: &[(String, Value)]) -> Value {
    let mut properties: Map<String, Value> = filters.iter().cloned().collect();
    // The instructions of the server say once what these are.
    let own = [
        ("ids", json!({ "type": "array", "items": { "type": "string" } })),
        ("fields", json!({ "type": "string", "enum": ["concise", "full"] })),
        ("limit", json!({ "type": "integer", "maximum": 100 })),
        ("cursor", json!({ "type": "string" })),
        ("company", json!({ "type": "string" })),
    ];
    properties.extend(own.map(|(name, schema)| (name.to_owned(), schema)));
    object(properties, &[])
}

/// What a find answers: every tool that finds repeats it, so it is short.
pub(super) fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "company": { "type": "string" },
            "items": { "type": "array" },
            "total": { "type": "integer" },
            "next_cursor": { "type": ["string", "null"] },
            "truncated": { "type": "boolean" },
            "not_found": { "type": "array" },
            "untrusted": { "type": "array" },
        },
        "required": ["items"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_was_and_nothing_else_is_one() {
        let cursor = Cursor { page: 3, limit: 25, skip: 7 };
        assert_eq!(Cursor::read(&cursor.write()), Some(cursor));
        for text in [
            "",
            "3.25.7",
            "!",
            &URL_SAFE_NO_PAD.encode("0.25.1"),
            &URL_SAFE_NO_PAD.encode("1.101.0"),
            &URL_SAFE_NO_PAD.encode("1.1.1.1"),
        ] {
            assert_eq!(Cursor::read(text), None, "{text}");
        }
    }

    #[test]
    fn an_answer_has_as_many_as_fit_and_one_at_least() {
        let long = json!({ "notes": "x".repeat(LONGEST) });
        assert_eq!(fitting(vec![long.clone(), long]).0.len(), 1);
        let small = vec![json!({ "a": "x".repeat(1_000) }); 40];
        let (kept, cut) = fitting(small);
        assert!(cut && kept.len() == 16, "{}", kept.len());
    }
}
