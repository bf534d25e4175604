//! `/groups` (specification, domain part 2.2).
//!
//! Tokens read, holders and administrators read and change. Tokens that name a group
//! reach its companies, so the authority forgets what it has cached after each
//! change.

mod create;
mod dissolve;
mod get;
mod list;
mod members;
mod update;

use http::StatusCode;
use svc_business::catalogue::permission;
use svc_business::group::{Group, GroupMember};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, GroupId};
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;
use crate::api::{self, Route, patch, post};
use crate::api_request::ApiRequest;
use crate::gate::{Acting, ByEither, ByPerson, PersonCaller};
use crate::list::Listed;
use crate::query::{LIMIT, PAGE};

const READ: ByEither = ByEither(permission("contacts:groups.read"));
const WRITE: ByPerson = ByPerson::Administrator;

const ONE: &str = "/groups/{id}";

pub(crate) fn routes() -> Vec<Route> {
    vec![
        api::get("/groups", READ, "List the groups of the companies within reach")
            .params(&[PAGE, LIMIT])
            .answers::<Listed<View>>(StatusCode::OK)
            .to(list::list),
        api::get(ONE, READ, "Get a group")
            .about("Companies out of reach are left out.")
            .answers::<View>(StatusCode::OK)
            .versioned()
            .to(get::get),
        post("/groups", WRITE, "Create a group")
            .about("`parentAccountId` is at its top, and in no group yet.")
            .body::<create::Body>()
            .creates::<View>()
            .to(create::create),
        patch(ONE, WRITE, "Change a group's name")
            .about("For holders and administrators of the company at its top.")
            .body::<update::Body>()
            .answers::<View>(StatusCode::OK)
            .versioned()
            .to(update::update),
        api::delete(ONE, WRITE, "Dissolve a group")
            .about("Every company leaves it. For holders and administrators of the company at its top.")
            .answers_nothing()
            .versioned()
            .to(dissolve::dissolve),
        post("/groups/{id}/members", WRITE, "Add a company to a group")
            .about(
                "Tokens that name the group reach the company from then on. For holders and administrators of both \
                 the company and the one at the group's top.",
            )
            .body::<members::Body>()
            .answers::<View>(StatusCode::OK)
            .versioned()
            .to(members::add),
        api::delete("/groups/{id}/members/{accountId}", WRITE, "Take a company out of a group")
            .about(
                "For holders and administrators of the company or the one at the group's top. The last one to leave \
                 dissolves the group.",
            )
            .answers_nothing()
            .versioned()
            .to(members::remove),
    ]
}

/// The answer that shows one group; companies that the person does not administer are left out.
fn answer(req: &ApiRequest<PersonCaller>, status: StatusCode, mut group: Group) -> Answer {
    group.members.retain(|member| req.caller.scope().contains(member.account));
    let answer = Answer::plain(status, &View::of(&group)).version(group.version);
    group.members.iter().fold(answer, |answer, member| answer.of(member.account))
}

wire_view! {
    /// A group of companies.
    #[derive(Debug)]
    pub(crate) struct View as "Group" {
        id: GroupId,
        object: &'static str => Form::one_of(&["group"]),
        version: i64,
        name: String => Form::ANY.example("Grupo Sol"),
        /// The company at the top.
        parent_account_id: AccountId,
        /// Its companies within reach, oldest member first.
        members: Vec<MemberView>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

wire_view! {
    /// A company of a group.
    #[derive(Debug)]
    struct MemberView as "GroupMember" {
        account_id: AccountId,
        /// Percent, as a decimal string.
        ownership_percent: Option<String> => Form::ANY.example("51"),
        since: Timestamp,
    }
}

impl View {
    fn of(group: &Group) -> Self {
        Self {
            id: group.id,
            object: "group",
            version: group.version.as_i64(),
            name: group.name.clone(),
            parent_account_id: group.parent,
            members: group.members.iter().map(MemberView::of).collect(),
            created_at: group.created_at,
            updated_at: group.updated_at,
        }
    }
}

impl MemberView {
    fn of(member: &GroupMember) -> Self {
        let ownership_percent = member.ownership_percent.clone();
        Self { account_id: member.account, ownership_percent, since: member.since }
    }
}
