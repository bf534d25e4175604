//! The tools, as a table.

mod act;
mod arguments;
mod commit;
mod commits;
#[cfg(test)]
mod described;
mod find;
mod overview;
mod profile;
mod read;
mod reconciliation;
mod rows;
mod save;
mod search;
mod upload;

use rmcp::model::{InputRequiredResult, Tool as Described};
use serde_json::{Value, json};
use svc_auth::token::ConnectionRole;
use svc_core::permission::Grants;
use svc_http::assistant::Assistant;

use self::act::Act;
use self::commit::Commit;
use self::find::Find;
use self::save::Save;
use crate::answer::Refused;
use crate::consent::Client;
use crate::schema::Api;
use crate::text;

/// Every tool, and what each role is shown of them.
pub(crate) struct Tools {
    tools: Vec<Tool>,
    listed: Vec<(ConnectionRole, Vec<Described>)>,
}

/// One tool.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// The least role that may call it.
    pub(crate) role: ConnectionRole,
    /// All that it may use of what its caller may do.
    needs: Grants,
    does: Does,
}

/// What a tool does.
enum Does {
    Overview,
    Search,
    Find(Find),
    Suggest,
    Profile,
    Read,
    Save(Save),
    Act(Act),
    Upload,
    Commit(Commit),
}

/// What came of a call that was not refused.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The answer.
    Done(Value),
    /// The client is to ask its person first.
    Asks(InputRequiredResult),
}

/// The role of an assistant: that of its connection; what a token may do is said by its permissions alone.
pub(crate) fn held(assistant: &Assistant) -> ConnectionRole {
    assistant.principal().connection.as_ref().map_or(ConnectionRole::Full, |connection| connection.role)
}

impl Tools {
    /// Those over an API with this description.
    ///
    /// # Panics
    /// When the table has what is no tool: a test reads it.
    pub(crate) fn new(api: &Value) -> Self {
        let rows = rows::rows(Api(api));
        let listed = ConnectionRole::ALL.map(|role| {
            let shown = rows.iter().filter(|row| row.tool.role <= role).map(|row| row.shown.clone());
            (role, shown.collect())
        });
        Self { tools: rows.into_iter().map(|row| row.tool).collect(), listed: listed.into() }
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// What a role is shown, always the same.
    pub(crate) fn listed(&self, role: ConnectionRole) -> &[Described] {
        self.listed.iter().find(|(known, _)| *known == role).map_or(&[], |(_, listed)| listed)
    }
}

impl Tool {
    /// Calls it, with no more than it needs of what the assistant may do.
    pub(crate) async fn call(
        &self,
        assistant: &Assistant,
        arguments: Value,
        client: Client,
    ) -> Result<Outcome, Refused> {
        let narrowed = assistant.within(&self.needs);
        let mut outcome = match &self.does {
            Does::Overview => Outcome::Done(overview::overview(&narrowed, arguments).await?),
            Does::Search => Outcome::Done(search::search(&narrowed, arguments).await?),
            Does::Find(find) => Outcome::Done(find.find(&narrowed, arguments).await?),
            Does::Suggest => Outcome::Done(reconciliation::suggest(&narrowed, arguments).await?),
            Does::Profile => Outcome::Done(profile::profile(&narrowed, arguments).await?),
            Does::Read => Outcome::Done(read::read(&narrowed, arguments).await?),
            Does::Save(save) => Outcome::Done(save.save(&narrowed, arguments).await?),
            Does::Act(act) => Outcome::Done(act.act(&narrowed, arguments).await?),
            Does::Upload => Outcome::Done(upload::link(&narrowed, arguments).await?),
            Does::Commit(commit) => commit.commit(&narrowed, arguments, client).await?,
        };
        if let Outcome::Done(answer) = &mut outcome {
            text::clean(answer);
        }
        Ok(outcome)
    }
}

/// A tool as clients are shown it.
struct Shown<'a> {
    name: &'a str,
    title: &'a str,
    about: &'a str,
    /// What it takes, and what it answers.
    schemas: [&'a Value; 2],
    effect: Effect,
}

/// What a call of a tool can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Nothing,
    /// What can be taken back.
    Drafts,
    /// What cannot.
    Commits,
    /// What cannot, and is seen outside the service.
    Leaves,
}

impl Shown<'_> {
    fn described(&self) -> Described {
        let [input, output] = self.schemas;
        // What only reads destroys nothing, and may be called again: the others have no meaning there.
        let mut annotations = json!({
            "readOnlyHint": self.effect == Effect::Nothing,
            "openWorldHint": self.effect == Effect::Leaves,
        });
        if self.effect != Effect::Nothing
            && let Some(hints) = annotations.as_object_mut()
        {
            let destroys = matches!(self.effect, Effect::Commits | Effect::Leaves);
            hints.insert("destructiveHint".to_owned(), destroys.into());
            hints.insert("idempotentHint".to_owned(), true.into());
        }
        let shown = json!({
            "name": self.name,
            "title": self.title,
            "description": self.about,
            "inputSchema": input,
            "outputSchema": output,
            "annotations": annotations,
        });
        serde_json::from_value(shown).expect("a test reads the table")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use svc_core::permission::Permission;

    use super::*;

    /// What reads without being a list.
    const READ: [&str; 5] =
        ["company_overview", "search", "reconciliation_suggest", "tax_profile_get", "file_read"];
    /// What writes what can be taken back, without being a save.
    const WRITES: [&str; 4] =
        ["reconciliation_apply", "tax_return_prepare", "notice_update", "file_upload_link"];
    /// What is seen outside the service.
    const LEAVES: [&str; 3] = ["tax_return_submit", "data_room_share", "envelope_send"];

    fn tools() -> Tools {
        Tools::new(&svc_http::openapi("https://svc.example", &svc_business::catalogue::events()))
    }

    fn size(role: ConnectionRole) -> usize {
        serde_json::to_string(tools().listed(role)).expect("JSON").len()
    }

    #[test]
    fn each_role_is_shown_its_tools_in_so_many_bytes_and_always_the_same() {
        let names =
            |role| -> Vec<String> { tools().listed(role).iter().map(|tool| tool.name.to_string()).collect() };
        assert_eq!(names(ConnectionRole::ReadOnly).len(), 20);
        assert_eq!(names(ConnectionRole::Operator).len(), 32);
        assert_eq!(names(ConnectionRole::Full).len(), 40);
        assert!(size(ConnectionRole::ReadOnly) <= 24 * 1024, "{}", size(ConnectionRole::ReadOnly));
        assert!(size(ConnectionRole::Full) <= 48 * 1024, "{}", size(ConnectionRole::Full));
        let (one, other) = (tools(), tools());
        let text = |tools: &Tools| serde_json::to_string(tools.listed(ConnectionRole::Full)).expect("JSON");
        assert_eq!(text(&one), text(&other));
    }

    #[test]
    fn every_tool_says_what_it_takes_what_it_answers_and_whether_it_writes() {
        for tool in tools().listed(ConnectionRole::Full) {
            let tool = serde_json::to_value(tool).expect("JSON");
            assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
            assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
            let name = tool["name"].as_str().expect("a name");
            let (reads, saves) = (
                name.ends_with("_find") || READ.contains(&name),
                name.ends_with("_save") || WRITES.contains(&name),
            );
            assert_eq!(tool["annotations"]["readOnlyHint"], reads, "{tool}");
            let destroys = if reads { Value::Null } else { json!(!saves) };
            assert_eq!(tool["annotations"]["destructiveHint"], destroys, "{tool}");
            assert_eq!(tool["annotations"]["openWorldHint"], LEAVES.contains(&name), "{tool}");
        }
    }

    /// Resources of the API that no tool is for, with the reason.
    const NO_TOOL: [(&str, &str); 10] = [
        ("accounting:accounts", "people keep the chart; drafts of entries name its codes"),
        ("accounting:books", "people set the books up and lock them"),
        ("accounting:fiscal_years", "people close and open years"),
        ("accounting:reports", "programs read them whole, by the API"),
        ("contacts:groups", "people say which companies belong together"),
        ("contacts:members", "people say who is what in a company"),
        ("tax:rates", "answers about lines name the taxes that they may have"),
        ("documents:folders", "people and programs put files in order, by the API"),
        ("treasury:balances", "bank_accounts_find tells what each account holds"),
        ("sales:series", "people set up how documents are numbered"),
    ];

    /// An area that gets routes gets tools, or is listed here.
    #[test]
    fn every_resource_that_has_routes_has_a_tool_or_a_reason() {
        let api = svc_http::openapi("https://svc.example", &svc_business::catalogue::events());
        let operations = api["paths"].as_object().expect("paths").values().filter_map(Value::as_object);
        let named =
            operations.flat_map(|path| path.values()).filter_map(|one| one["x-required-permission"].as_str());
        let resource = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
        let routed: BTreeSet<_> = named.map(resource).collect();
        let tools = tools();
        // What may read all is for no resource in particular.
        let particular = |tool: &Tool| match &tool.does {
            Does::Overview | Does::Search => Grants::none(),
            Does::Find(_)
            | Does::Suggest
            | Does::Profile
            | Does::Read
            | Does::Save(_)
            | Does::Act(_)
            | Does::Upload => tool.needs.clone(),
            Does::Commit(commit) => {
                let needed: Vec<_> = commit.ways.iter().map(|way| way.needs).collect();
                Grants::parse(&needed).expect("permissions")
            }
        };
        let needed: Vec<_> = tools.tools.iter().map(particular).collect();
        let permissions = svc_business::catalogue::permissions();
        let covered: BTreeSet<_> = permissions
            .all()
            .filter(|one| needed.iter().any(|needs| needs.cover(*one)))
            .map(|one| resource(one.name()))
            .collect();
        let listed: BTreeSet<_> = NO_TOOL.iter().map(|(name, _)| (*name).to_owned()).collect();
        let missing: Vec<_> = routed.difference(&covered).filter(|name| !listed.contains(*name)).collect();
        assert_eq!(missing, Vec::<&String>::new(), "give them a tool, or list them with a reason");
        let needless: Vec<_> =
            listed.iter().filter(|name| covered.contains(*name) || !routed.contains(*name)).collect();
        assert_eq!(needless, Vec::<&String>::new(), "they have tools, or no routes");
    }

    /// Whether a permission lets a caller do what cannot be taken back.
    fn commits(permission: Permission) -> bool {
        let verbs = ["issue", "post", "submit", "send", "delete", "approve", "pay", "void", "merge", "close"];
        verbs.contains(&permission.action())
            || permission.name().starts_with("developers:") && permission.action() != "read"
    }

    #[test]
    fn what_commits_is_in_the_reach_of_no_tool_below_the_widest_role() {
        for tool in tools().tools.iter().filter(|tool| tool.role < ConnectionRole::Full) {
            for permission in svc_business::catalogue::permissions().all() {
                let reached = commits(permission) && tool.needs.cover(permission);
                assert!(!reached, "{} may use {permission}", tool.name);
            }
        }
    }

    /// No tool of the widest role can do anything without an approval: each of them goes through it, and reads beside it.
    #[test]
    fn what_the_widest_role_adds_goes_through_an_approval() {
        let tools = tools();
        let added: Vec<_> = tools.tools.iter().filter(|tool| tool.role == ConnectionRole::Full).collect();
        assert_eq!(added.len(), 8);
        for tool in added {
            let Does::Commit(commit) = &tool.does else { panic!("{} asks for no approval", tool.name) };
            assert_eq!(commit.name, tool.name);
            for way in commit.ways {
                let needs = svc_business::catalogue::permission(way.needs);
                assert!(tool.needs.cover(needs), "{} {}", tool.name, way.name);
                assert_eq!(
                    (way.does == commit::Verb::Get),
                    needs.action() == "read",
                    "{} {}",
                    tool.name,
                    way.name
                );
            }
            for permission in svc_business::catalogue::permissions().all() {
                let known = commit.ways.iter().any(|way| way.needs == permission.name());
                let reads = permission.action() == "read";
                assert!(
                    known || reads || !tool.needs.cover(permission),
                    "{} may use {permission}",
                    tool.name
                );
            }
        }
    }
}
