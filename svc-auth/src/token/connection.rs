//! A credential of type MCP: what a person lets an assistant do (specification, parts 2.1 and 5.5).

mod client_id;

use svc_core::permission::Grants;

pub use self::client_id::{ClientId, DocumentUrl, MalformedClientId};

/// What makes a credential a connection: OAuth gave it to a client, for one company and in a role.
///
/// It has no value of its own: the access tokens that the client is given stand for it for an hour each. What it may
/// do, from where and in which company is fixed when it is made; another role is another connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// To whom it was given.
    pub client: ClientId,
    /// What the client may do, as far as the person may at present.
    pub role: ConnectionRole,
}

/// What a person lets an assistant do in the company that they chose; never more than they may themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConnectionRole {
    /// Finds and reads.
    ReadOnly,
    /// Writes what can be taken back: drafts, master data.
    Operator,
    /// Asks for what commits, which a person approves each time.
    Full,
}

svc_core::wire_names!(ConnectionRole {
    ReadOnly = "read_only",
    Operator = "operator",
    Full = "full",
});

impl ConnectionRole {
    /// The permissions that a role can need; which of them a call needs is the matter of the tool that it calls.
    #[must_use]
    pub fn grants(self) -> Grants {
        match self {
            Self::ReadOnly => Grants::reading(),
            Self::Operator | Self::Full => Grants::all(),
        }
    }
}
