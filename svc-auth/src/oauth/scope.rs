//! What a connection may do: the person chooses a role, the client reads it as scopes (RFC 6749, section 3.3).

use std::collections::BTreeSet;
use std::fmt;

use thiserror::Error;

/// What a person lets an assistant do in the company that they chose; never more than they may themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Finds and reads.
    ReadOnly,
    /// Writes what can be taken back: drafts, master data.
    Operator,
    /// Asks for what commits, which a person approves each time.
    Full,
}

svc_core::wire_names!(Role {
    ReadOnly = "read_only",
    Operator = "operator",
    Full = "full",
});

/// One scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// What [`Role::ReadOnly`] may.
    Read,
    /// What [`Role::Operator`] may besides.
    Write,
    /// What [`Role::Full`] may besides.
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

impl Role {
    /// The scopes that a connection with this role has.
    #[must_use]
    pub fn scopes(self) -> Scopes {
        let all =
            [(Self::ReadOnly, Scope::Read), (Self::Operator, Scope::Write), (Self::Full, Scope::Commit)];
        let of_role = all.into_iter().filter(|(least, _)| *least <= self).map(|(_, scope)| scope);
        Scopes(of_role.chain([Scope::OfflineAccess]).collect())
    }
}

impl Scope {
    /// The least role that has it.
    #[must_use]
    pub const fn least_role(self) -> Role {
        match self {
            Self::Read | Self::OfflineAccess => Role::ReadOnly,
            Self::Write => Role::Operator,
            Self::Commit => Role::Full,
        }
    }
}

impl Scopes {
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
    pub fn role(&self) -> Role {
        self.0.iter().map(|scope| scope.least_role()).max().unwrap_or(Role::ReadOnly)
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
        let written: Vec<_> = Role::ALL.iter().map(|role| role.scopes().to_string()).collect();
        assert_eq!(
            written,
            [
                "mcp:read offline_access",
                "mcp:read mcp:write offline_access",
                "mcp:read mcp:write mcp:commit offline_access",
            ]
        );
        for role in Role::ALL {
            assert_eq!(role.scopes().role(), role);
            assert_eq!(Scopes::parse(Some(&role.scopes().to_string())), Ok(role.scopes()));
        }
    }

    #[test]
    fn what_is_asked_for_names_the_least_role() {
        for (text, role) in [
            (None, Role::ReadOnly),
            (Some(""), Role::ReadOnly),
            (Some("offline_access"), Role::ReadOnly),
            (Some("mcp:read mcp:read"), Role::ReadOnly),
            (Some("mcp:write"), Role::Operator),
            (Some("mcp:commit offline_access"), Role::Full),
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
