//! Creating a token.

use std::collections::BTreeSet;

use svc_core::audit::Action;
use svc_core::clock::Timestamp;
use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::{AccountId, GroupId, TokenId, TypedId, UserId};
use svc_core::permission::Grants;
use svc_core::refused::Refused;
use svc_core::resource::Version;
use svc_core::unit::CallContext;

use crate::ip::AllowedIps;
use crate::ports::AuthUnit;
use crate::token::authority::may_create;
use crate::token::{AuthorityError, Lifecycle, Peppers, Policy, Token, TokenValue, audit, input};

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
    /// Who creates it, and must go on holding or administering what it names. `None` makes a token of a service
    /// without people, which a directory of people refuses.
    pub creator: Option<UserId>,
}

/// Adds a token; its value is in the answer and nowhere else.
///
/// # Errors
/// [`AuthorityError`], [`Refused::Invalid`], [`Refused::Store`]; nothing was added.
pub async fn create(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    request: CreateRequest,
    peppers: &Peppers,
    policy: &Policy,
) -> Result<(Token, TokenValue), Refused<AuthorityError>> {
    let (token, value) = check(request, policy, call.now)?.mint(call, peppers);
    may_create(unit, call, &token).await?;
    unit.tokens().insert(&token).await?;
    audit::log(unit, call, Action::TokenCreate, audit::Change { before: None, after: &token, report: None })
        .await?;
    Ok((token, value))
}

/// A token that may do everything in one company, personal data included: the first of a fresh system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullRequest {
    /// 1 to 100 characters.
    pub name: String,
    /// The company.
    pub primary: AccountId,
    /// Who creates it.
    pub creator: UserId,
}

/// Adds a Full token from any address, for as long as the operator lets tokens live.
///
/// # Errors
/// Those of [`create`]; nothing was added.
pub async fn create_full(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    request: FullRequest,
    peppers: &Peppers,
    policy: &Policy,
) -> Result<(Token, TokenValue), Refused<AuthorityError>> {
    let FullRequest { name, primary, creator } = request;
    let request = CreateRequest {
        name,
        permissions: vec!["full".to_owned()],
        personal_data: true,
        allowed_ips: Vec::new(),
        expires_at: policy.longest_life.map(|longest| call.now.plus(longest)),
        primary,
        companies: Vec::new(),
        groups: Vec::new(),
        creator: Some(creator),
    };
    create(unit, call, request, peppers, policy).await
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
    creator: Option<UserId>,
}

impl Draft {
    /// The token, with a value that was never shown.
    fn mint(self, call: CallContext<'_>, peppers: &Peppers) -> (Token, TokenValue) {
        let value = TokenValue::generate_marked(peppers.mark(), call.random);
        let token = Token {
            id: TokenId::generate(call.now, call.random),
            name: self.name,
            prefix: value.prefix().to_owned(),
            connection: None,
            fingerprint: peppers.fingerprint(&value),
            grants: self.grants,
            allowed_ips: self.allowed_ips,
            personal_data: self.personal_data,
            primary: self.primary,
            companies: self.companies,
            groups: self.groups,
            lifecycle: Lifecycle::Active,
            expires_at: self.expires_at,
            last_used_at: None,
            last_used_from: None,
            created_by: self.creator,
            created_at: call.now,
            version: Version::FIRST,
        };
        (token, value)
    }
}

fn check(request: CreateRequest, policy: &Policy, now: Timestamp) -> Result<Draft, ValidationErrors> {
    let mut validator = Validator::new();
    let name = input::name(&mut validator, &request.name);
    let grants = input::permissions(&mut validator, &request.permissions, policy);
    let allowed_ips = input::allowed_ips(&mut validator, &request.allowed_ips);
    input::named(&mut validator, "accountIds", request.companies.len());
    input::named(&mut validator, "groupIds", request.groups.len());
    input::expiry(&mut validator, request.expires_at, policy, now);
    validator.finish()?;

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
