//! What a token is, and the moves of its life (specification, part 3.1).

use std::collections::BTreeSet;
use std::net::IpAddr;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use svc_core::permission::Grants;
use svc_core::resource::Version;
use thiserror::Error;

use crate::ip::AllowedIps;
use crate::ports::Use;
use crate::token::{Connection, Fingerprint, TokenValue};

/// A credential: an integration's token, or the connection of an assistant. Its value is not here: only the fingerprint is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its id.
    pub id: TokenId,
    /// Chosen by the creator, to name the integration.
    pub name: String,
    /// First 12 characters of the value.
    pub prefix: String,
    /// The client and the role, of a credential of type MCP; `None` for an API token.
    pub connection: Option<Connection>,
    /// What is kept of the value; of a connection, of the code that began it.
    pub fingerprint: Fingerprint,
    /// What it may do.
    pub grants: Grants,
    /// Where it may be used from.
    pub allowed_ips: AllowedIps,
    /// Whether it sees personal data in full.
    pub personal_data: bool,
    /// The account whose limits and events it works with.
    pub primary: AccountId,
    /// Other companies that it names.
    pub companies: BTreeSet<AccountId>,
    /// Whole groups that it names.
    pub groups: BTreeSet<GroupId>,
    /// Where it is in its life.
    pub lifecycle: Lifecycle,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, up to a minute ago.
    pub last_used_at: Option<Timestamp>,
    /// From where it was last used.
    pub last_used_from: Option<IpAddr>,
    /// Who created it; `None` in a service without people.
    pub created_by: Option<UserId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// Counts its changes (uses are no changes).
    pub version: Version,
}

/// Where a token is in its life; expiry is a matter of the clock, see [`Token::status`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifecycle {
    /// Works until it expires.
    Active,
    /// Switched off; can be switched on again.
    Disabled,
    /// Stopped for ever.
    Revoked {
        /// When.
        at: Timestamp,
    },
}

/// The state of a token at an instant, as the API names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// `active`
    Active,
    /// `disabled`
    Disabled,
    /// `revoked`
    Revoked,
    /// `expired`
    Expired,
}

svc_core::wire_names!(Status {
    Active = "active",
    Disabled = "disabled",
    Revoked = "revoked",
    Expired = "expired",
});

/// A move that the token's state does not allow.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("a token that is {} cannot be changed by `{step}`", .status.name())]
pub struct IllegalStep {
    /// The move: `disable`, `enable`, `revoke`, `rotate`.
    pub step: &'static str,
    /// The state that it met.
    pub status: Status,
}

impl Token {
    /// The companies that it names one by one, its primary account first.
    pub fn named(&self) -> impl Iterator<Item = AccountId> {
        std::iter::once(self.primary).chain(self.companies.iter().copied())
    }

    /// The state at `now`. A token that was switched off or revoked stays so after its expiry date.
    #[must_use]
    pub fn status(&self, now: Timestamp) -> Status {
        match self.lifecycle {
            Lifecycle::Revoked { .. } => Status::Revoked,
            Lifecycle::Disabled => Status::Disabled,
            Lifecycle::Active if self.is_past_expiry(now) => Status::Expired,
            Lifecycle::Active => Status::Active,
        }
    }

    /// Switches an active token off; its configuration is kept.
    ///
    /// # Errors
    /// [`IllegalStep`] unless it is active.
    pub fn disable(self, now: Timestamp) -> Result<Self, IllegalStep> {
        match self.status(now) {
            Status::Active => Ok(self.moved_to(Lifecycle::Disabled)),
            status @ (Status::Disabled | Status::Revoked | Status::Expired) => {
                Err(IllegalStep { step: "disable", status })
            }
        }
    }

    /// Switches a disabled token on again.
    ///
    /// # Errors
    /// [`IllegalStep`] unless it is disabled and not past its expiry date.
    pub fn enable(self, now: Timestamp) -> Result<Self, IllegalStep> {
        match self.status(now) {
            Status::Disabled if self.is_past_expiry(now) => {
                Err(IllegalStep { step: "enable", status: Status::Expired })
            }
            Status::Disabled => Ok(self.moved_to(Lifecycle::Active)),
            status @ (Status::Active | Status::Revoked | Status::Expired) => {
                Err(IllegalStep { step: "enable", status })
            }
        }
    }

    /// Stops an active or disabled token for ever.
    ///
    /// # Errors
    /// [`IllegalStep`] when it is revoked or expired already.
    pub fn revoke(self, now: Timestamp) -> Result<Self, IllegalStep> {
        match self.status(now) {
            Status::Active | Status::Disabled => Ok(self.moved_to(Lifecycle::Revoked { at: now })),
            status @ (Status::Revoked | Status::Expired) => Err(IllegalStep { step: "revoke", status }),
        }
    }

    /// Gives an active token a new value, of which only prefix and fingerprint are kept.
    ///
    /// # Errors
    /// [`IllegalStep`] unless it is active.
    pub fn rotate(
        self,
        value: &TokenValue,
        fingerprint: Fingerprint,
        now: Timestamp,
    ) -> Result<Self, IllegalStep> {
        match self.status(now) {
            Status::Active => Ok(Self {
                prefix: value.prefix().to_owned(),
                fingerprint,
                version: self.version.next(),
                ..self
            }),
            status @ (Status::Disabled | Status::Revoked | Status::Expired) => {
                Err(IllegalStep { step: "rotate", status })
            }
        }
    }

    /// What a store keeps when `after` takes this token's place: its last use stays, which only
    /// [`TokenStore::touch`](crate::ports::TokenStore::touch) writes. For stores that do it in memory.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] unless this token is at the version `before`.
    pub fn replaced_by(&self, before: Version, after: &Self) -> Result<Self, StoreError> {
        if self.version != before {
            return Err(StoreError::Conflict);
        }
        let (last_used_at, last_used_from) = (self.last_used_at, self.last_used_from);
        Ok(Self { last_used_at, last_used_from, ..after.clone() })
    }

    /// Whether a person made it as the connection of an assistant, and it is not revoked.
    #[must_use]
    pub fn is_connection_of(&self, person: UserId) -> bool {
        self.was_connected_by(person) && !matches!(self.lifecycle, Lifecycle::Revoked { .. })
    }

    /// Whether a person made it as the connection of an assistant.
    pub(super) fn was_connected_by(&self, person: UserId) -> bool {
        self.connection.is_some() && self.created_by == Some(person)
    }

    /// Keeps a use, unless a later one is known. For stores that do it in memory.
    pub fn touch(&mut self, latest: &Use) {
        if self.last_used_at.is_none_or(|known| known < latest.at) {
            self.last_used_at = Some(latest.at);
            self.last_used_from = latest.from;
        }
    }

    fn is_past_expiry(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|expiry| expiry <= now)
    }

    fn moved_to(self, lifecycle: Lifecycle) -> Self {
        Self { lifecycle, version: self.version.next(), ..self }
    }
}
