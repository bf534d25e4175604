//! Creating a token.

use std::collections::BTreeSet;

use svc_core::audit::Action;
use svc_core::clock::Timestamp;
use svc_core::error::{Checks, Invalid, StoreError};
use svc_core::id::{AccountId, GroupId, TokenId, TypedId, UserId};
use svc_core::permission::Grants;
use svc_core::resource::Version;
use svc_core::unit::Call;
use thiserror::Error;

use crate::ip::AllowedIps;
use crate::ports::{AuthUnit, CompanyStanding};
use crate::token::{Lifecycle, Peppers, Policy, Token, TokenValue, audit, input};

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateRequest {
    /// 1 to 100 characters.
    pub name: String,
    /// Permissions, wildcards and levels; at least one.
    pub permissions: Vec<String>,
    /// Whether it sees personal data in full.
    pub personal_data: bool,
    /// Addresses and CIDR ranges; none means anywhere.
    pub allowed_ips: Vec<String>,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
    /// The primary account.
    pub primary: AccountId,
    /// Other companies.
    pub companies: Vec<AccountId>,
    /// Whole groups.
    pub groups: Vec<GroupId>,
    /// Who creates it.
    pub creator: UserId,
}

/// Why a token is not created.
#[derive(Debug, Error)]
pub enum CreateError {
    /// Broken rules of the input.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The creator neither holds nor administers one of the companies.
    #[error("the creator neither holds nor administers {0}")]
    NotAdministered(AccountId),
    /// API access is switched off for one of the companies.
    #[error("API access is switched off for {0}")]
    ApiAccessOff(AccountId),
    /// A group that does not exist or in which the creator administers no company.
    #[error("the creator administers no company of {0}")]
    UnknownGroup(GroupId),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds a token; its value is in the answer and nowhere else.
///
/// # Errors
/// [`CreateError`]; nothing was added.
pub async fn create(
    unit: &dyn AuthUnit,
    call: Call<'_>,
    request: CreateRequest,
    peppers: &Peppers,
    policy: Policy,
) -> Result<(Token, TokenValue), CreateError> {
    let draft = check(request, policy, call.now)?;
    let named: BTreeSet<_> = draft.companies.iter().copied().chain([draft.primary]).collect();
    let standings = unit.directory().standings(draft.creator, &named, &draft.groups).await?;
    authorise(&draft, &standings)?;

    let value = TokenValue::generate(call.random);
    let token = Token {
        id: TokenId::generate(call.now, call.random),
        name: draft.name,
        prefix: value.prefix().to_owned(),
        fingerprint: peppers.fingerprint(&value),
        grants: draft.grants,
        allowed_ips: draft.allowed_ips,
        personal_data: draft.personal_data,
        primary: draft.primary,
        companies: draft.companies,
        groups: draft.groups,
        lifecycle: Lifecycle::Active,
        expires_at: draft.expires_at,
        last_used_at: None,
        last_used_from: None,
        created_by: draft.creator,
        created_at: call.now,
        version: Version::FIRST,
    };
    unit.tokens().insert(&token).await?;
    audit::log(unit, call, Action::TokenCreate, audit::Change { before: None, after: &token, report: None })
        .await?;
    Ok((token, value))
}

/// A request whose input is in order; whether the creator may have it is another question.
struct Draft {
    name: String,
    grants: Grants,
    personal_data: bool,
    allowed_ips: AllowedIps,
    expires_at: Option<Timestamp>,
    primary: AccountId,
    companies: BTreeSet<AccountId>,
    groups: BTreeSet<GroupId>,
    creator: UserId,
}

fn check(request: CreateRequest, policy: Policy, now: Timestamp) -> Result<Draft, Invalid> {
    let mut checks = Checks::new();
    let name = input::name(&mut checks, &request.name);
    let grants = input::permissions(&mut checks, &request.permissions);
    let allowed_ips = input::allowed_ips(&mut checks, &request.allowed_ips);
    input::named(&mut checks, "accountIds", request.companies.len());
    input::named(&mut checks, "groupIds", request.groups.len());
    input::expiry(&mut checks, request.expires_at, policy, now);
    checks.finish()?;

    Ok(Draft {
        name: name.expect("checked above"),
        grants: grants.expect("checked above"),
        personal_data: request.personal_data,
        allowed_ips: allowed_ips.expect("checked above"),
        expires_at: request.expires_at,
        primary: request.primary,
        companies: request.companies.into_iter().filter(|company| *company != request.primary).collect(),
        groups: request.groups.into_iter().collect(),
        creator: request.creator,
    })
}

/// The creator administers every company that the token names, and one of each
/// group. A company that does not exist answers as one that is not administered,
/// so that ids of strangers cannot be tried out.
fn authorise(draft: &Draft, standings: &[CompanyStanding]) -> Result<(), CreateError> {
    for id in [&draft.primary].into_iter().chain(&draft.companies) {
        let company = standings
            .iter()
            .find(|company| company.id == *id && company.is_administered())
            .ok_or(CreateError::NotAdministered(*id))?;
        if !company.api_access {
            return Err(CreateError::ApiAccessOff(*id));
        }
    }
    for group in &draft.groups {
        if !standings.iter().any(|company| company.group == Some(*group) && company.is_administered()) {
            return Err(CreateError::UnknownGroup(*group));
        }
    }
    Ok(())
}
