//! The state as it is written down: JSON, instants in microseconds, ids and permissions as text.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use svc_auth::ip::AllowedIps;
use svc_auth::ports::{GroupPlace, Standing};
use svc_auth::token::{Fingerprint, Lifecycle, Token};
use svc_core::audit::{Actor, Details, Entry, Record, Seal, Who};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, GroupId, RequestId, SessionId, TokenId, UserId};
use svc_core::permission::Grants;
use svc_core::resource::Version;

use super::state::{Company, State};

/// A row that is not what this service wrote.
pub type Broken = Box<dyn Error + Send + Sync>;

/// The whole file.
#[derive(Serialize, Deserialize)]
pub struct File {
    authority: i64,
    companies: Vec<CompanyRow>,
    members: Vec<MemberRow>,
    disabled: BTreeSet<UserId>,
    tokens: Vec<TokenRow>,
    audit: Vec<RecordRow>,
}

#[derive(Serialize, Deserialize)]
struct CompanyRow {
    id: AccountId,
    legal_name: String,
    group: Option<GroupId>,
    is_parent: bool,
    merged: bool,
    api_access: bool,
}

#[derive(Serialize, Deserialize)]
struct MemberRow {
    company: AccountId,
    person: UserId,
    /// `None` for a person who left.
    role: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct TokenRow {
    id: TokenId,
    name: String,
    prefix: String,
    pepper: u32,
    digest: [u8; 32],
    permissions: Vec<String>,
    allowed_ips: Vec<String>,
    personal_data: bool,
    primary: AccountId,
    companies: BTreeSet<AccountId>,
    groups: BTreeSet<GroupId>,
    disabled: bool,
    revoked_at: Option<i64>,
    expires_at: Option<i64>,
    last_used_at: Option<i64>,
    last_used_from: Option<IpAddr>,
    created_by: Option<UserId>,
    created_at: i64,
    version: i64,
}

#[derive(Serialize, Deserialize)]
struct RecordRow {
    number: u64,
    account: AccountId,
    at: i64,
    who: WhoRow,
    from: Option<IpAddr>,
    request: Option<RequestId>,
    action: String,
    subject: String,
    before: Option<String>,
    after: Option<String>,
    key: u32,
    code: [u8; 32],
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WhoRow {
    Token(TokenId),
    Person { user: UserId, session: SessionId },
    Operator,
    Service(String),
}

impl File {
    /// The rows of a state.
    #[must_use]
    pub fn of(state: &State) -> Self {
        let company = |(id, company): (&AccountId, &Company)| CompanyRow {
            id: *id,
            legal_name: company.legal_name.clone(),
            group: company.group.map(|place| place.id),
            is_parent: company.group.is_some_and(|place| place.is_parent),
            merged: company.merged,
            api_access: company.api_access,
        };
        Self {
            authority: state.authority,
            companies: state.companies.iter().map(company).collect(),
            members: state.standings.iter().filter_map(member_row).collect(),
            disabled: state.disabled.clone(),
            tokens: state.tokens.values().map(token_row).collect(),
            audit: state.audit.values().flatten().map(record_row).collect(),
        }
    }

    /// The state of these rows.
    ///
    /// # Errors
    /// [`Broken`] when a row has a text that this service does not write.
    pub fn state(self) -> Result<State, Broken> {
        let company = |row: CompanyRow| {
            let CompanyRow { id, legal_name, group, is_parent, merged, api_access } = row;
            let group = group.map(|id| GroupPlace { id, is_parent });
            (id, Company { legal_name, group, merged, api_access })
        };
        let tokens = self.tokens.into_iter().map(|row| token(row).map(|token| (token.id, token)));
        let mut audit: BTreeMap<AccountId, Vec<Record>> = BTreeMap::new();
        for row in self.audit {
            audit.entry(row.account).or_default().push(record(row)?);
        }
        Ok(State {
            tokens: tokens.collect::<Result<_, _>>()?,
            companies: self.companies.into_iter().map(company).collect(),
            standings: self.members.into_iter().map(standing).collect::<Result<_, _>>()?,
            disabled: self.disabled,
            audit,
            authority: self.authority,
        })
    }
}

fn member_row((&(company, person), standing): (&(AccountId, UserId), &Standing)) -> Option<MemberRow> {
    let role = match standing {
        Standing::Stranger => return None,
        Standing::Member(role) => Some(role.name().to_owned()),
        Standing::Former => None,
    };
    Some(MemberRow { company, person, role })
}

fn standing(row: MemberRow) -> Result<((AccountId, UserId), Standing), Broken> {
    let role = row.role.map(|name| name.parse()).transpose()?;
    Ok(((row.company, row.person), role.map_or(Standing::Former, Standing::Member)))
}

fn token_row(token: &Token) -> TokenRow {
    let (disabled, revoked_at) = match token.lifecycle {
        Lifecycle::Active => (false, None),
        Lifecycle::Disabled => (true, None),
        Lifecycle::Revoked { at } => (false, Some(at.unix_micros())),
    };
    TokenRow {
        id: token.id,
        name: token.name.clone(),
        prefix: token.prefix.clone(),
        pepper: token.fingerprint.pepper,
        digest: token.fingerprint.digest,
        permissions: token.grants.written().to_vec(),
        allowed_ips: token.allowed_ips.written(),
        personal_data: token.personal_data,
        primary: token.primary,
        companies: token.companies.clone(),
        groups: token.groups.clone(),
        disabled,
        revoked_at,
        expires_at: token.expires_at.map(Timestamp::unix_micros),
        last_used_at: token.last_used_at.map(Timestamp::unix_micros),
        last_used_from: token.last_used_from,
        created_by: token.created_by,
        created_at: token.created_at.unix_micros(),
        version: token.version.as_i64(),
    }
}

fn token(row: TokenRow) -> Result<Token, Broken> {
    let lifecycle = match (row.revoked_at, row.disabled) {
        (Some(at), _) => Lifecycle::Revoked { at: Timestamp::from_unix_micros(at) },
        (None, true) => Lifecycle::Disabled,
        (None, false) => Lifecycle::Active,
    };
    Ok(Token {
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        fingerprint: Fingerprint { pepper: row.pepper, digest: row.digest },
        grants: Grants::parse(row.permissions)?,
        allowed_ips: AllowedIps::parse(row.allowed_ips)?,
        personal_data: row.personal_data,
        primary: row.primary,
        companies: row.companies,
        groups: row.groups,
        lifecycle,
        expires_at: row.expires_at.map(Timestamp::from_unix_micros),
        last_used_at: row.last_used_at.map(Timestamp::from_unix_micros),
        last_used_from: row.last_used_from,
        created_by: row.created_by,
        created_at: Timestamp::from_unix_micros(row.created_at),
        version: Version::from_i64(row.version),
    })
}

fn record_row(record: &Record) -> RecordRow {
    let Record { number, entry, seal } = record;
    let who = match &entry.actor.who {
        Who::Token(id) => WhoRow::Token(*id),
        Who::Person { user, session } => WhoRow::Person { user: *user, session: *session },
        Who::Operator => WhoRow::Operator,
        Who::Service(reason) => WhoRow::Service(reason.to_string()),
    };
    let text = |details: &Details| details.as_str().to_owned();
    RecordRow {
        number: *number,
        account: entry.account,
        at: entry.at.unix_micros(),
        who,
        from: entry.actor.from,
        request: entry.actor.request,
        action: entry.action.name().to_owned(),
        subject: entry.subject.clone(),
        before: entry.before.as_ref().map(text),
        after: entry.after.as_ref().map(text),
        key: seal.key,
        code: seal.code,
    }
}

fn record(row: RecordRow) -> Result<Record, Broken> {
    let who = match row.who {
        WhoRow::Token(id) => Who::Token(id),
        WhoRow::Person { user, session } => Who::Person { user, session },
        WhoRow::Operator => Who::Operator,
        WhoRow::Service(reason) => Who::Service(reason.into()),
    };
    let entry = Entry {
        account: row.account,
        at: Timestamp::from_unix_micros(row.at),
        actor: Actor { who, from: row.from, request: row.request },
        action: row.action.parse()?,
        subject: row.subject,
        before: row.before.map(Details::from_stored),
        after: row.after.map(Details::from_stored),
    };
    Ok(Record { number: row.number, entry, seal: Seal { key: row.key, code: row.code } })
}
