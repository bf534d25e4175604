//! Doing what commits a company, once its person has approved just that.
//!
//! A call names the version of the record that it is about, so that what a person was shown is what is done. The approval
//! is bound to the call as it goes to the API, and its id is the key under which that is done once.

mod shown;

use http::Method;
use serde_json::{Map, Value, json};
use svc_auth::approval::{Approval, AskError, CallDigest, Stage, Standing};
use svc_core::id::{AccountId, ApprovalId};
use svc_core::permission::Permission;
use svc_http::assistant::{Assistant, Call};

use super::Outcome;
use super::arguments::Arguments;
use super::find::answered;
use crate::answer::Refused;
use crate::consent::{self, Client};
use crate::schema::object;

/// A tool that commits, in one way or in several that an argument chooses from.
pub(super) struct Commit {
    pub(super) name: &'static str,
    pub(super) chosen_by: Option<&'static str>,
    pub(super) ways: &'static [Way],
    /// The members that its data takes: a person is asked about no others.
    pub(super) members: Vec<String>,
    /// Members of its answers that hold text which other people wrote.
    pub(super) untrusted: &'static [&'static str],
    /// Whether its person decides in the client area alone, whatever their client can show.
    pub(super) on_page: bool,
}

/// One way: a route of the API.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// By which the argument chooses it.
    pub(super) name: &'static str,
    pub(super) does: Verb,
    /// The record that it is about; `None` for a new one.
    pub(super) record: Option<&'static str>,
    pub(super) path: &'static str,
    pub(super) needs: &'static str,
    pub(super) data: Data,
    /// Whether it is about the primary company, whichever others are within reach.
    pub(super) primary_only: bool,
    /// What the person is shown of the record: names of members, those that belong together in one text.
    pub(super) shows: &'static [&'static str],
    /// And of each of its parts.
    pub(super) parts: &'static [Parts],
    /// Where the record is named in the data, for a new one that draws on it.
    pub(super) names: Option<Names>,
}

/// Members of a record that are lists.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    /// The list.
    pub(super) of: &'static str,
    /// What a line of it is called.
    pub(super) line: &'static str,
    /// What the person is shown of each.
    pub(super) shows: &'static [&'static str],
    /// The record that each names by a member, which is shown in its place.
    pub(super) record: Option<(&'static str, &'static str)>,
}

/// The members of the data that name the record, and the version of its content: what is approved is just that one.
#[derive(Clone, Copy)]
pub(super) struct Names {
    pub(super) record: &'static str,
    /// The member of the data, and that of the record.
    pub(super) content: (&'static str, &'static str),
}

/// The method of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Get,
    Post,
    Patch,
    Delete,
}

impl Verb {
    pub(super) const fn method(self) -> Method {
        match self {
            Self::Get => Method::GET,
            Self::Post => Method::POST,
            Self::Patch => Method::PATCH,
            Self::Delete => Method::DELETE,
        }
    }

    /// Its place in the description of a path.
    pub(super) const fn member(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Patch => "patch",
            Self::Delete => "delete",
        }
    }
}

/// What a way takes beside the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Data {
    Nothing,
    Optional,
    Required,
}

/// Members of an answer that are for people alone.
const WITHHELD: [&str; 2] = ["secret", "message"];

/// A call that was read.
struct Asked<'a> {
    way: &'a Way,
    company: AccountId,
    /// Whether the call named it.
    company_named: bool,
    record: Option<String>,
    path: String,
    version: Option<i64>,
    data: Option<Map<String, Value>>,
}

impl Commit {
    pub(super) async fn commit(
        &self,
        assistant: &Assistant,
        arguments: Value,
        client: Client,
    ) -> Result<Outcome, Refused> {
        let client = if self.on_page { Client::SILENT } else { client };
        let mut asked = self.read(assistant, arguments)?;
        assistant.permits(Permission::of(asked.way.needs))?;
        if asked.way.does == Verb::Get {
            return Ok(self.done(&asked, answered(assistant, asked.call()).await?));
        }
        if let Some(names) = asked.way.names {
            asked.name(assistant, names).await?;
        }
        let digest = asked.digest(self.name);
        asked.end_if_changed(assistant, digest).await?;
        let standing = match client.said {
            Some(said) => assistant.answer(digest, said.approval, said.accepts).await?,
            None => assistant.present(digest).await?,
        };
        match standing {
            Standing::LetThrough(id) => self.do_once(assistant, &asked, (digest, id)).await,
            Standing::Declined(_) => Err(Refused::approval("approval_declined", DECLINED, None)),
            Standing::Waits(approval) => waits(assistant, &approval, client),
            Standing::Unasked => {
                let (company, shown) = asked.shown(assistant).await?;
                match assistant.ask(digest, (company, self.name), shown).await? {
                    Ok(approval) if approval.stage == Stage::Asked => waits(assistant, &approval, client),
                    // Another request asked for the same, and had it decided in between.
                    Ok(_) => Err(Refused::approval("approval_required", AGAIN, None)),
                    Err(error @ AskError::TooMany) => {
                        Err(Refused::approval("too_many_approvals", &error.to_string(), None))
                    }
                    Err(error @ AskError::NoPerson) => {
                        Err(Refused::approval("no_approver", &error.to_string(), None))
                    }
                }
            }
        }
    }

    /// A call that its route refuses is over: put right, it has to be approved anew.
    async fn do_once(
        &self,
        assistant: &Assistant,
        asked: &Asked<'_>,
        (digest, id): (CallDigest, ApprovalId),
    ) -> Result<Outcome, Refused> {
        let reply = assistant.call(asked.call().once(&id.to_string())).await?;
        if reply.status.is_success() {
            return Ok(self.done(asked, reply.body));
        }
        let refused = Refused::of(&reply);
        if reply.status.is_client_error() && !LATER.contains(&refused.code()) {
            let used = assistant.known(digest).await?.filter(|known| known.id == id);
            if let Some(used) = used {
                assistant.end(&used).await?;
            }
        }
        Err(refused)
    }

    fn done(&self, asked: &Asked<'_>, mut item: Value) -> Outcome {
        if let Some(members) = item.as_object_mut() {
            members.retain(|name, _| !WITHHELD.contains(&name.as_str()));
        }
        let company = asked.company.to_string();
        let company = item.get("companyId").and_then(Value::as_str).map_or(company, str::to_owned);
        Outcome::Done(json!({ "company": company, "item": item, "untrusted": self.untrusted }))
    }

    fn read<'a>(&'a self, assistant: &Assistant, arguments: Value) -> Result<Asked<'a>, Refused> {
        let mut arguments = Arguments::new(arguments)?;
        let way = self.way(&mut arguments)?;
        let primary = assistant.principal().primary;
        let company_named = arguments.names("company");
        let company = if way.primary_only { primary } else { arguments.company(assistant)? };
        let with = |path: &str, id: &str| {
            path.replace("{companyId}", &company.to_string()).replace("{id}", &Call::segment(id))
        };
        let (mut record, mut path, mut version) = (None, way.path.to_owned(), None);
        if let Some(of) = way.record {
            let id = arguments.text("id")?.ok_or_else(|| Refused::argument("id", "is missing"))?;
            let missing = || Refused::argument("if_version", "is missing: what is approved is this version");
            version = Some(arguments.number("if_version")?.ok_or_else(missing)?);
            (record, path) = (Some(with(of, &id)), with(way.path, &id));
        }
        let data = match way.data {
            Data::Nothing => None,
            Data::Required => Some(arguments.object("data")?),
            Data::Optional => Some(arguments.optional_object("data")?.unwrap_or_default()),
        };
        arguments.finish()?;
        let unknown = |name: &&String| !self.members.contains(name);
        if let Some(name) = data.as_ref().and_then(|data| data.keys().find(unknown)) {
            let name: String = name.chars().take(50).collect();
            return Err(Refused::argument(&format!("data.{name}"), "the tool takes no such member"));
        }
        Ok(Asked { way, company, company_named, record, path, version, data })
    }

    fn way(&self, arguments: &mut Arguments) -> Result<&Way, Refused> {
        let Some(argument) = self.chosen_by else {
            return self.ways.first().ok_or_else(|| Refused::argument("arguments", "fit no way"));
        };
        let chosen = arguments.text(argument)?;
        let way = self.ways.iter().find(|way| Some(way.name) == chosen.as_deref());
        let names: Vec<_> = self.ways.iter().map(|way| way.name).collect();
        way.ok_or_else(|| Refused::argument(argument, format!("must be one of {}", names.join(", "))))
    }
}

/// Refusals that the same call does not meet again: nothing was done, and what was approved may be done later.
const LATER: [&str; 4] = ["idempotency_in_progress", "conflict", "rate_limited", "quota_exceeded"];

const DECLINED: &str = "the person declined this call: ask them what to do instead, and do not send it again";
const WAITS: &str = "a person has to approve this call: tell yours to open `url` and decide there, then send the same \
                     call again. No argument stands for an approval.";
const AGAIN: &str = "the approval was decided a moment ago: send the same call again";

/// Has the client ask its person, or tells where the person decides.
fn waits(assistant: &Assistant, approval: &Approval, client: Client) -> Result<Outcome, Refused> {
    let page = assistant.page_of(approval.id)?;
    match consent::asked(client.means, approval, &page) {
        Some(asks) => Ok(Outcome::Asks(asks)),
        None => Err(Refused::approval("approval_required", WAITS, Some((&page, approval.until)))),
    }
}

impl Asked<'_> {
    /// What was shown has to be what there is when the call is made: the version says so of the record, and this of what
    /// it draws on, such as its customer.
    async fn end_if_changed(&self, assistant: &Assistant, digest: CallDigest) -> Result<(), Refused> {
        let unused = async || -> Result<Option<Approval>, Refused> {
            let known = assistant.known(digest).await?;
            Ok(known.filter(|known| matches!(known.stage, Stage::Asked | Stage::Approved)))
        };
        let Some(approval) = unused().await? else { return Ok(()) };
        let shown = self.shown(assistant).await;
        let is_same = shown.as_ref().is_ok_and(|(_, shown)| *shown == approval.shown);
        if is_same {
            return Ok(());
        }
        // The same call, sent at the same time, may have been what changed it.
        let Some(present) = unused().await?.filter(|present| present.id == approval.id) else {
            return Ok(());
        };
        shown?;
        // The person may have decided in between, on what is no more.
        if assistant.end(&present).await? {
            Ok(())
        } else {
            Err(Refused::approval("approval_required", AGAIN, None))
        }
    }

    /// Names the record in the data, with its company and the content that it has at this version.
    async fn name(&mut self, assistant: &Assistant, names: Names) -> Result<(), Refused> {
        let Some(path) = &self.record else { return Ok(()) };
        let record = answered(assistant, Call::new(Method::GET, path.as_str())).await?;
        self.at_the_version(&record)?;
        let data = self.data.get_or_insert_default();
        let (content, of_record) = names.content;
        for (member, of_record) in [(names.record, "id"), ("companyId", "companyId"), (content, of_record)] {
            let value = record.get(of_record).cloned().unwrap_or_default();
            data.insert(member.to_owned(), value);
        }
        Ok(())
    }

    fn call(&self) -> Call {
        let call = Call::new(self.way.does.method(), self.path.as_str());
        // A new record has no version yet.
        let version = self.version.filter(|_| self.way.names.is_none());
        let call = version.into_iter().fold(call, Call::if_version);
        self.data.iter().fold(call, |call, data| call.body(Value::Object(data.clone())))
    }

    fn digest(&self, tool: &str) -> CallDigest {
        let version = self.version.map(|version| version.to_string()).unwrap_or_default();
        let data = self.data.as_ref().map(|data| Value::Object(data.clone()).to_string());
        CallDigest::of(&[
            tool,
            self.way.does.method().as_str(),
            &self.path,
            &version,
            &data.unwrap_or_default(),
        ])
    }
}

/// What a tool takes that commits a record.
pub(super) fn input(data: Option<(&Value, Data)>, choice: Option<(&str, &[Way])>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    if let Some((name, ways)) = choice {
        let names: Vec<_> = ways.iter().map(|way| way.name).collect();
        properties.insert(name.to_owned(), json!({ "type": "string", "enum": names }));
        required.push(name);
    }
    properties.insert("id".to_owned(), json!({ "type": "string" }));
    properties.insert("if_version".to_owned(), json!({ "type": "integer" }));
    if choice.is_none_or(|(_, ways)| ways.iter().all(|way| way.record.is_some())) {
        required.extend(["id", "if_version"]);
    }
    if choice.is_none_or(|(_, ways)| ways.iter().all(|way| !way.primary_only)) {
        properties.insert("company".to_owned(), json!({ "type": "string" }));
    }
    if let Some((schema, kind)) = data {
        properties.insert("data".to_owned(), schema.clone());
        if kind == Data::Required {
            required.push("data");
        }
    }
    object(properties, &required)
}
