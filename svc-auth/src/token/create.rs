//! Creating a token.

use std::collections::BTreeSet;

use svc_core::clock::Timestamp;
use svc_core::error::{Checks, Invalid, StoreError};
use svc_core::id::{AccountId, GroupId, TokenId, TypedId, UserId};
use svc_core::permission::Grants;
use svc_core::random::RandomSource;
use svc_core::resource::Version;
use thiserror::Error;

use crate::ip::AllowedIps;
use crate::ports::{AuthUnit, CompanyStanding};
use crate::token::{Lifecycle, Peppers, Token, TokenValue};

/// Characters of the longest name.
const NAME_MAX: usize = 100;
/// Addresses and ranges of the longest list: it is walked on every request.
const ALLOWED_IPS_MAX: usize = 100;

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
    request: CreateRequest,
    peppers: &Peppers,
    now: Timestamp,
    random: &dyn RandomSource,
) -> Result<(Token, TokenValue), CreateError> {
    let draft = check(request, now)?;
    let named: BTreeSet<_> = draft.companies.iter().copied().chain([draft.primary]).collect();
    let standings = unit.directory().standings(draft.creator, &named, &draft.groups).await?;
    authorise(&draft, &standings)?;

    let value = TokenValue::generate(random);
    let token = Token {
        id: TokenId::generate(now, random),
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
        created_at: now,
        version: Version::FIRST,
    };
    unit.tokens().insert(&token).await?;
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

fn check(request: CreateRequest, now: Timestamp) -> Result<Draft, Invalid> {
    let mut checks = Checks::new();
    let name = request.name.trim();
    if checks.require(!name.is_empty(), "name", "required", "a token needs a name") {
        let fits = name.chars().count() <= NAME_MAX && !name.chars().any(char::is_control);
        checks.require(
            fits,
            "name",
            "out_of_range",
            "a name has 1 to 100 characters, none of them a control",
        );
    }
    checks.require(
        !request.permissions.is_empty(),
        "permissions",
        "required",
        "a token needs at least one permission",
    );
    for (at, text) in request.permissions.iter().enumerate() {
        checks.take(&format!("permissions[{at}]"), "unknown_permission", Grants::parse([text]));
    }
    let few = request.allowed_ips.len() <= ALLOWED_IPS_MAX;
    if checks.require(few, "allowedIps", "out_of_range", "a token has at most 100 addresses and ranges") {
        for (at, text) in request.allowed_ips.iter().enumerate() {
            checks.take(&format!("allowedIps[{at}]"), "invalid_ip", AllowedIps::parse([text]));
        }
    }
    let later = request.expires_at.is_none_or(|expiry| expiry > now);
    checks.require(later, "expiresAt", "out_of_range", "a token expires in the future or never");
    checks.finish()?;

    Ok(Draft {
        name: name.to_owned(),
        grants: Grants::parse(&request.permissions).expect("each was checked above"),
        personal_data: request.personal_data,
        allowed_ips: AllowedIps::parse(&request.allowed_ips).expect("each was checked above"),
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
