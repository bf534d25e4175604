//! `/groups` (domain part 2.2).

mod get;
mod list;

use http::StatusCode;
use serde::Serialize;
use svc_auth::authenticate::Access;
use svc_business::group::{Group, GroupMember};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, GroupId};
use svc_core::permission::Permission;
use utoipa::ToSchema;

use crate::api::{self, Route, patch, post};
use crate::list::Listed;
use crate::query::{LIMIT, PAGE};

const READ: Access = Access::Permission(Permission::of("contacts:groups.read"));

pub(crate) fn routes() -> Vec<Route> {
    vec![
        api::get("/groups", READ, "List the groups of the companies within the token's reach")
            .params(&[PAGE, LIMIT])
            .answers::<Listed<View>>(StatusCode::OK)
            .to(list::list),
        api::get("/groups/{id}", READ, "Get a group")
            .about("Companies out of the token's reach are left out.")
            .answers::<View>(StatusCode::OK)
            .versioned()
            .to(get::get),
        post("/groups", Access::SessionOnly, "Create a group").session_only(),
        patch("/groups/{id}", Access::SessionOnly, "Change a group").session_only(),
        api::delete("/groups/{id}", Access::SessionOnly, "Dissolve a group").session_only(),
    ]
}

/// A group of companies.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Group)]
pub(crate) struct View {
    #[schema(value_type = String)]
    id: GroupId,
    /// `group`
    object: &'static str,
    version: i64,
    name: String,
    /// The company at the top.
    #[schema(value_type = String)]
    parent_account_id: AccountId,
    /// Its companies within reach, oldest member first.
    members: Vec<MemberView>,
    #[schema(value_type = String)]
    created_at: Timestamp,
    #[schema(value_type = String)]
    updated_at: Timestamp,
}

/// A company of a group.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GroupMember)]
struct MemberView {
    #[schema(value_type = String)]
    account_id: AccountId,
    /// Percent, as a decimal string.
    ownership_percent: Option<String>,
    #[schema(value_type = String)]
    since: Timestamp,
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
