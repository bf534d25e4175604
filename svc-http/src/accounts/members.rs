//! `/accounts/{id}/members` (specification, domain part 2.2).
//!
//! Tokens read, holders and administrators read, invite and change; the invited person
//! answers in their session. A role decides what tokens of its person reach, so
//! the authority forgets what it has cached after each change.

mod add;
mod change_role;
mod end;
mod list;
mod view;

use http::StatusCode;
use svc_business::catalogue::permission;
use svc_business::membership::{self, OpenedMembership};
use svc_business::ports::DynAccountUnit;
use svc_core::id::AccountId;
use svc_core::role::Role;

use crate::api::{self, Route, patch, post};
use crate::api_request::ApiRequest;
use crate::gate::{ByEither, ByPerson, PersonCaller};
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{LIMIT, PAGE};

const READ: ByEither = ByEither(permission("contacts:members.read"));
const WRITE: ByPerson = ByPerson::Administrator;

const ALL: &str = "/accounts/{id}/members";
const ONE: &str = "/accounts/{id}/members/{memberId}";

pub(super) fn routes() -> [Route; 4] {
    [
        api::get(ALL, READ, "List the members of a company")
            .params(&[PAGE, LIMIT])
            .answers::<Listed<view::View>>(StatusCode::OK)
            .personal()
            .to(list::list),
        post(ALL, WRITE, "Invite a person to become a member")
            .about(
                "By `userId` or by `email`. They are `invited`, without any role, until they accept: \
                 `POST /session/invitations/{membershipId}/accept`, or the link of the mail that they get, behind which \
                 who has no user founds one. Only a holder invites a holder. Who is \
                 a member or invited already: 409 `already_exists` with `currentState`. Who left can be invited again. \
                 Until they accept, they are shown by what you sent and nothing else. After 14 days an invitation has \
                 expired, and can be made again. With 20 open ones: 409 `too_many_invitations`.",
            )
            .body::<add::Body>()
            .creates::<view::View>()
            .personal()
            .to(add::add),
        patch(ONE, WRITE, "Change a member's role")
            .about("Only a holder makes a member a holder or takes that role away; a company keeps at least one holder.")
            .body::<change_role::Body>()
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(change_role::change_role),
        api::delete(ONE, WRITE, "End a membership, or withdraw an invitation")
            .about(
                "Only a holder ends the membership of a holder, or one that was offered; a company keeps at least one \
                 active holder.",
            )
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(end::end),
    ]
}

/// The member that the path names, opened, and what the person who asks is in the company.
async fn opened<'u>(
    req: &'u ApiRequest<PersonCaller>,
    unit: &'u DynAccountUnit,
) -> Result<(OpenedMembership<'u>, Role), Problem> {
    let account: AccountId = req.id("id")?;
    let by = req.caller.role_in(account)?;
    let id = req.id("memberId")?;
    Ok((membership::open(unit, req.call(), account, id, &req.if_match()).await?, by))
}
