//! What a request presents, and the credential that it stands for.

use std::sync::Arc;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::TokenId;
use svc_core::role::RoleGrants;

use super::Authenticator;
use super::cache::Known;
use crate::oauth::ACCESS_MARK;
use crate::ports::OauthStorage;
use crate::principal::Principal;
use crate::scope::{resolve, standings_of};
use crate::token::{Peppers, Token, TokenValue};

/// By which channel a request came in (specification, part 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Tokens alone.
    Api,
    /// Access tokens of connections too.
    Mcp,
}

/// Where connections are, and what their people may do.
pub(super) struct Connections {
    pub(super) storage: Arc<dyn OauthStorage>,
    pub(super) roles: RoleGrants,
}

/// A secret of the right form.
pub(super) enum Presented {
    /// The value of a token.
    Token(TokenValue),
    /// An access token.
    Access(TokenValue),
}

impl Presented {
    pub(super) fn read(text: &str, way: Way, peppers: &Peppers) -> Option<Self> {
        let token = TokenValue::parse_marked(peppers.mark(), text).ok().map(Self::Token);
        match way {
            Way::Api => token,
            Way::Mcp => token.or_else(|| TokenValue::parse_marked(ACCESS_MARK, text).ok().map(Self::Access)),
        }
    }

    pub(super) const fn value(&self) -> &TokenValue {
        match self {
            Self::Token(value) | Self::Access(value) => value,
        }
    }
}

impl Authenticator {
    pub(super) async fn read(
        &self,
        presented: &Presented,
        read_at: Timestamp,
    ) -> Result<Option<Known>, StoreError> {
        let (token, until) = match presented {
            Presented::Token(value) => (self.token(value).await?, None),
            Presented::Access(value) => self.connection(value).await?.unzip(),
        };
        match token {
            Some(token) => self.known(token, until, read_at).await.map(Some),
            None => Ok(None),
        }
    }

    /// What a credential may do, whatever it was presented as.
    pub(super) async fn read_credential(
        &self,
        id: TokenId,
        read_at: Timestamp,
    ) -> Result<Option<Known>, StoreError> {
        match self.storage.tokens().find(id).await? {
            Some(token) => self.known(token, None, read_at).await.map(Some),
            None => Ok(None),
        }
    }

    async fn known(
        &self,
        token: Token,
        until: Option<Timestamp>,
        read_at: Timestamp,
    ) -> Result<Known, StoreError> {
        let standings = standings_of(self.storage.directory(), &token, token.created_by).await?;
        let reach = resolve(&token, &standings);
        let principal = reach.map(|reach| match (&token.connection, &self.connections) {
            (Some(_), Some(connections)) => Principal::of_connection(&token, reach, &connections.roles),
            (Some(_), None) | (None, _) => Principal::of(&token, reach),
        });
        Ok(Known { read_at, token, until, principal: principal.map(Arc::new) })
    }

    async fn token(&self, value: &TokenValue) -> Result<Option<Token>, StoreError> {
        let candidates = self.peppers.candidates(value);
        let found = self.storage.tokens().find_by_fingerprint(&candidates).await?;
        // A connection has no value of its own: its access tokens stand for it.
        Ok(found.filter(|token| token.connection.is_none() && token.fingerprint.is_among(&candidates)))
    }

    /// The credential that an access token stands for, and when the access token ends.
    async fn connection(&self, access: &TokenValue) -> Result<Option<(Token, Timestamp)>, StoreError> {
        let Some(Connections { storage, .. }) = &self.connections else { return Ok(None) };
        let candidates = self.peppers.candidates(access);
        let found = storage.grants().by_access(&candidates).await?;
        let live = found.filter(|(grant, pair)| grant.is_live() && pair.access.is_among(&candidates));
        let Some((grant, pair)) = live else { return Ok(None) };
        let token = storage.credentials().find(grant.credential).await?;
        let token =
            token.filter(|token| token.connection.as_ref().is_some_and(|to| to.client == grant.client));
        Ok(token.map(|token| (token, pair.access_until)))
    }
}
