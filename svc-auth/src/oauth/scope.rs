//! What a connection may do: the person chooses a role, the client reads it as scopes (RFC 6749, section 3.3).

use std::collections::BTreeSet;
use std::fmt;

use thiserror::Error;

use crate::token::ConnectionRole;

/// One scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// What [`ConnectionRole::ReadOnly`] may.
    Read,
    /// What [`ConnectionRole::Operator`] may besides.
    Write,
    /// What [`ConnectionRole::Full`] may besides.
    Commit,
    /// To go on without the person: refresh tokens, which every connection has.
    OfflineAccess,
}

svc_core::wire_names!(Scope {
    Read = "mcp:read",
    Write = "mcp:write",
    Commit = "mcp:commit",
    OfflineAccess = "offline_access",
});

/// A set of scopes, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes(BTreeSet<Scope>);

/// A scope that the service does not know.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("known scopes are mcp:read, mcp:write, mcp:commit and offline_access, with one space between two")]
pub struct UnknownScope;

impl Scope {
    /// The least role that has it.
    #[must_use]
    pub const fn least_role(self) -> ConnectionRole {
        match self {
            Self::Read | Self::OfflineAccess => ConnectionRole::ReadOnly,
            Self::Write => ConnectionRole::Operator,
            Self::Commit => ConnectionRole::Full,
        }
    }
}

impl Scopes {
    /// Those of a connection with this role: its own, and those of the roles below it.
    #[must_use]
    pub fn of(role: ConnectionRole) -> Self {
        Self(Scope::ALL.into_iter().filter(|scope| scope.least_role() <= role).collect())
    }

    /// Reads the parameter `scope`; `mcp:read` where there is none.
    ///
    /// # Errors
    /// [`UnknownScope`].
    pub fn parse(text: Option<&str>) -> Result<Self, UnknownScope> {
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return Ok(Self(BTreeSet::from([Scope::Read])));
        };
        text.split(' ').map(|name| name.parse().map_err(|_| UnknownScope)).collect::<Result<_, _>>().map(Self)
    }

    /// Whether this one is among them.
    #[must_use]
    pub fn has(&self, scope: Scope) -> bool {
        self.0.contains(&scope)
    }

    /// The least role that has all of them: what a client asks for, which the person may change.
    #[must_use]
    pub fn role(&self) -> ConnectionRole {
        self.0.iter().map(|scope| scope.least_role()).max().unwrap_or(ConnectionRole::ReadOnly)
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(|scope| scope.name()).collect();
        f.write_str(&names.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_has_the_scopes_of_those_below_it() {
        let written: Vec<_> = ConnectionRole::ALL.iter().map(|role| Scopes::of(*role).to_string()).collect();
        assert_eq!(
            written,
            [
                "mcp:read offline_access",
                "mcp:read mcp:write offline_access",
                "mcp:read mcp:write mcp:commit offline_access",
            ]
        );
        for role in ConnectionRole::ALL {
            assert_eq!(Scopes::of(role).role(), role);
            assert_eq!(Scopes::parse(Some(&Scopes::of(role).to_string())), Ok(Scopes::of(role)));
        }
    }

    #[test]
    fn what_is_asked_for_names_the_least_role() {
        for (text, role) in [
            (None, ConnectionRole::ReadOnly),
            (Some(""), ConnectionRole::ReadOnly),
            (Some("offline_access"), ConnectionRole::ReadOnly),
            (Some("mcp:read mcp:read"), ConnectionRole::ReadOnly),
            (Some("mcp:write"), ConnectionRole::Operator),
            (Some("mcp:commit offline_access"), ConnectionRole::Full),
        ] {
            assert_eq!(Scopes::parse(text).map(|scopes| scopes.role()), Ok(role), "{text:?}");
        }
        for text in
            ["mcp:admin", "mcp:read  mcp:write", " mcp:read", "MCP:READ", "mcp:read,mcp:write", "openid"]
        {
            assert_eq!(Scopes::parse(Some(text)), Err(UnknownScope), "{text}");
        }
        assert!(!Scopes::parse(None).is_ok_and(|scopes| scopes.has(Scope::Write)));
    }
}
