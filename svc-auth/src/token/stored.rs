//! A token as a storage may write it down.

use std::collections::BTreeSet;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use svc_core::permission::Grants;
use svc_core::resource::Version;
use thiserror::Error;

use crate::ip::AllowedIps;
use crate::token::{Connection, ConnectionRole, Fingerprint, Lifecycle, Token};

/// A token in the form that any storage can keep: a JSON document, or another format that names its members.
///
/// It is apart from [`Token`], which does not serialise, so that no answer shows a token by accident: the
/// document has the fingerprint. It never has the value, and who reads it cannot make one.
///
/// ```
/// # use svc_auth::token::{StoredToken, Token};
/// # fn store(token: Token) -> Result<(), serde_json::Error> {
/// let document = serde_json::to_string(&StoredToken(token.clone()))?;
/// let StoredToken(again) = serde_json::from_str(&document)?;
/// assert_eq!(again, token);
/// # Ok(())
/// # }
/// ```
///
/// # Format
/// `format` is 1. Ids, permissions, addresses and ranges are text as the API writes it, instants are
/// microseconds of Unix time, the digest of the fingerprint is 64 hexadecimal digits. `state` is `active`,
/// `disabled`, or `{"revoked": instant}`; `connection` is null for an API token. A member more or less is refused: an older program must not drop a
/// limit that it does not know. Formats that follow get the next number, and this one stays readable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Document", try_from = "Document")]
pub struct StoredToken(pub Token);

/// A stored token that this library did not write.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("a stored token has a broken `{0}`")]
struct Broken(&'static str);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: u32,
    id: TokenId,
    name: String,
    prefix: String,
    #[serde(deserialize_with = "Option::deserialize")]
    connection: Option<Connected>,
    pepper: u32,
    digest: String,
    permissions: Vec<String>,
    allowed_ips: Vec<String>,
    personal_data: bool,
    primary: AccountId,
    companies: BTreeSet<AccountId>,
    groups: BTreeSet<GroupId>,
    state: State,
    // Required, though null where there is none: a document that was cut short is no token without expiry.
    #[serde(deserialize_with = "Option::deserialize")]
    expires_at: Option<i64>,
    #[serde(deserialize_with = "Option::deserialize")]
    last_used_at: Option<i64>,
    #[serde(deserialize_with = "Option::deserialize")]
    last_used_from: Option<IpAddr>,
    #[serde(deserialize_with = "Option::deserialize")]
    created_by: Option<UserId>,
    created_at: i64,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Connected {
    client: String,
    role: ConnectionRole,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Active,
    Disabled,
    Revoked(i64),
}

const FORMAT: u32 = 1;

impl From<StoredToken> for Document {
    fn from(StoredToken(token): StoredToken) -> Self {
        Self {
            format: FORMAT,
            id: token.id,
            name: token.name,
            prefix: token.prefix,
            connection: token
                .connection
                .map(|Connection { client, role }| Connected { client: client.to_string(), role }),
            pepper: token.fingerprint.pepper,
            digest: digits(token.fingerprint.digest),
            permissions: token.grants.written().to_vec(),
            allowed_ips: token.allowed_ips.written(),
            personal_data: token.personal_data,
            primary: token.primary,
            companies: token.companies,
            groups: token.groups,
            state: match token.lifecycle {
                Lifecycle::Active => State::Active,
                Lifecycle::Disabled => State::Disabled,
                Lifecycle::Revoked { at } => State::Revoked(at.unix_micros()),
            },
            expires_at: token.expires_at.map(Timestamp::unix_micros),
            last_used_at: token.last_used_at.map(Timestamp::unix_micros),
            last_used_from: token.last_used_from,
            created_by: token.created_by,
            created_at: token.created_at.unix_micros(),
            version: token.version.as_i64(),
        }
    }
}

impl TryFrom<Document> for StoredToken {
    type Error = Broken;

    fn try_from(document: Document) -> Result<Self, Broken> {
        if document.format != FORMAT {
            return Err(Broken("format"));
        }
        Ok(Self(Token {
            id: document.id,
            name: document.name,
            prefix: document.prefix,
            connection: document.connection.map(Connected::read).transpose()?,
            fingerprint: Fingerprint {
                pepper: document.pepper,
                digest: digest(&document.digest).ok_or(Broken("digest"))?,
            },
            grants: Grants::parse(document.permissions).map_err(|_| Broken("permissions"))?,
            allowed_ips: AllowedIps::parse(document.allowed_ips).map_err(|_| Broken("allowed_ips"))?,
            personal_data: document.personal_data,
            primary: document.primary,
            companies: document.companies,
            groups: document.groups,
            lifecycle: match document.state {
                State::Active => Lifecycle::Active,
                State::Disabled => Lifecycle::Disabled,
                State::Revoked(at) => Lifecycle::Revoked { at: Timestamp::from_unix_micros(at) },
            },
            expires_at: document.expires_at.map(Timestamp::from_unix_micros),
            last_used_at: document.last_used_at.map(Timestamp::from_unix_micros),
            last_used_from: document.last_used_from,
            created_by: document.created_by,
            created_at: Timestamp::from_unix_micros(document.created_at),
            version: Version::from_i64(document.version),
        }))
    }
}

impl Connected {
    fn read(self) -> Result<Connection, Broken> {
        let client = self.client.parse().map_err(|_| Broken("connection"))?;
        Ok(Connection { client, role: self.role })
    }
}

fn digits(digest: [u8; 32]) -> String {
    let halves = digest.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    halves.filter_map(|half| char::from_digit(half.into(), 16)).collect()
}

fn digest(text: &str) -> Option<[u8; 32]> {
    let mut digest = [0; 32];
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() || pairs.len() != digest.len() {
        return None;
    }
    for (byte, pair) in digest.iter_mut().zip(pairs) {
        let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
        *byte = u8::try_from(high? * 16 + low?).ok()?;
    }
    Some(digest)
}
