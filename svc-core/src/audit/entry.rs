//! What is written down about a change.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

use super::Seal;
use crate::clock::Timestamp;
use crate::id::{AccountId, RequestId, SessionId, TokenId, UserId};

/// The person or program behind a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Who.
    pub who: Who,
    /// From which address, when there is one and it is known.
    pub from: Option<IpAddr>,
    /// In which request, when there is one.
    pub request: Option<RequestId>,
}

/// Who acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// An API token.
    Token(TokenId),
    /// A signed-in person.
    Person {
        /// The person.
        user: UserId,
        /// Their session.
        session: SessionId,
    },
    /// The operator that runs commands on the machine.
    Operator,
    /// The service itself, for this reason.
    Service(Cow<'static, str>),
}

impl Actor {
    /// The operator of the machine.
    pub const OPERATOR: Self = Self { who: Who::Operator, from: None, request: None };

    /// The token that acts, if it is one.
    #[must_use]
    pub const fn token(&self) -> Option<TokenId> {
        match self.who {
            Who::Token(token) => Some(token),
            Who::Person { .. } | Who::Operator | Who::Service(_) => None,
        }
    }

    /// The person who acts, if it is one.
    #[must_use]
    pub const fn user(&self) -> Option<UserId> {
        match self.who {
            Who::Person { user, .. } => Some(user),
            Who::Token(_) | Who::Operator | Who::Service(_) => None,
        }
    }

    /// A job of the service itself.
    #[must_use]
    pub const fn service(reason: &'static str) -> Self {
        Self { who: Who::Service(Cow::Borrowed(reason)), from: None, request: None }
    }
}

macro_rules! actions {
    ($($(#[$doc:meta])* $variant:ident = $name:literal;)*) => {
        /// What was done.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Action {
            $($(#[$doc])* $variant,)*
        }

        impl Action {
            /// Every action.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The wire name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

actions! {
    /// A token was created.
    TokenCreate = "token.create";
    /// Name, permissions, addresses or the personal-data option of a token were changed.
    TokenUpdate = "token.update";
    /// A token was switched off.
    TokenDisable = "token.disable";
    /// A token was switched on.
    TokenEnable = "token.enable";
    /// A token got a new value.
    TokenRotate = "token.rotate";
    /// A token was stopped for ever.
    TokenRevoke = "token.revoke";
    /// A member was added, or came back.
    MemberAdd = "member.add";
    /// A person was invited to become a member.
    MemberInvite = "member.invite";
    /// The invited person became a member.
    MemberAccept = "member.accept";
    /// The invited person declined.
    MemberDecline = "member.decline";
    /// A member's role was changed.
    MemberUpdate = "member.update";
    /// A membership was ended, or an invitation withdrawn.
    MemberRemove = "member.remove";
    /// A webhook subscription was created.
    SubscriptionCreate = "subscription.create";
    /// A webhook subscription was changed or switched.
    SubscriptionUpdate = "subscription.update";
    /// A webhook subscription got a new secret.
    SubscriptionRotateSecret = "subscription.rotate_secret";
    /// Past events or deliveries of a webhook subscription are sent again.
    SubscriptionReplay = "subscription.replay";
    /// A replay was ended before it was through.
    SubscriptionCancelReplay = "subscription.cancel_replay";
    /// A webhook subscription was deleted.
    SubscriptionDelete = "subscription.delete";
    /// A member's password was set or changed.
    PasswordSet = "password.set";
    /// A member turned the second factor on.
    SecondFactorOn = "second_factor.on";
    /// A member got new recovery codes.
    SecondFactorCodes = "second_factor.codes";
    /// A member's second factor was turned off.
    SecondFactorOff = "second_factor.off";
    /// A person approved a call of an assistant.
    ApprovalApprove = "approval.approve";
    /// A person declined a call of an assistant.
    ApprovalDecline = "approval.decline";
    /// A guest was let into the data room.
    DataRoomGrant = "data_room.grant";
    /// The time of a guest in the data room was changed.
    DataRoomExtend = "data_room.extend";
    /// A guest was shut out of the data room.
    DataRoomRevoke = "data_room.revoke";
    /// API access of the company was switched on or off.
    ApiAccess = "account.api_access";
    /// A company joined the group: tokens that name the group reach it from now on.
    GroupJoin = "group.join";
    /// A company left the group.
    GroupLeave = "group.leave";
    /// The group got another name.
    GroupUpdate = "group.update";
}

impl Action {
    /// Whether people do it for themselves rather than in the name of the company.
    ///
    /// The record holds address, session and request of it as of anything else. A view of the
    /// log for a company leaves them out: it has no business with where the person was.
    #[must_use]
    pub const fn is_personal(self) -> bool {
        matches!(
            self,
            Self::PasswordSet
                | Self::SecondFactorOn
                | Self::SecondFactorCodes
                | Self::SecondFactorOff
                | Self::MemberAccept
                | Self::MemberDecline
        )
    }
}

/// The text names no action.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("no action of the audit log has this name")]
pub struct UnknownAction;

impl FromStr for Action {
    type Err = UnknownAction;

    fn from_str(text: &str) -> Result<Self, UnknownAction> {
        Self::ALL.iter().copied().find(|action| action.name() == text).ok_or(UnknownAction)
    }
}

/// A state before or after a change, as the text of a JSON value: without secrets, personal data masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details(String);

impl Details {
    /// The text of a view.
    pub fn of(view: &impl Serialize) -> Self {
        Self(serde_json::to_string(view).expect("a view has string keys and writes to memory"))
    }

    /// Takes stored text as it is: the seal covers its bytes.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for Details {
    /// Writes the JSON value itself.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: serde_json::Value = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        value.serialize(serializer)
    }
}

/// What is to be written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The company whose log it belongs to.
    pub account: AccountId,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What.
    pub action: Action,
    /// To which id: `tok_…`, `mem_…`, `whs_…`, `usr_…`, `apr_…`.
    pub subject: String,
    /// The state before; `None` when there was none.
    pub before: Option<Details>,
    /// The state afterwards; `None` when there is none.
    pub after: Option<Details>,
}

impl Entry {
    /// Whether the company is told from where and in which session it was done.
    ///
    /// What people do as members of a company is told with both. What they do for
    /// themselves, which a member of several companies or of none does too, each
    /// company hears of without either; the sealed record has it all.
    #[must_use]
    pub const fn concerns_the_company(&self) -> bool {
        match self.actor.who {
            Who::Person { .. } => !self.action.is_personal(),
            Who::Token(_) | Who::Operator | Who::Service(_) => true,
        }
    }

    /// The change of something from one state to another, either of which may be missing.
    pub fn new<V: Serialize>(
        call: crate::unit::CallContext<'_>,
        account: AccountId,
        action: Action,
        subject: impl fmt::Display,
        (before, after): (Option<&V>, Option<&V>),
    ) -> Self {
        Self {
            account,
            at: call.now,
            actor: call.actor.clone(),
            action,
            subject: subject.to_string(),
            before: before.map(Details::of),
            after: after.map(Details::of),
        }
    }
}

/// An entry with its place in its company's chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Counts the company's records, from 1, without gaps.
    pub number: u64,
    /// What was written down.
    pub entry: Entry,
    /// Ties it to the record before it.
    pub seal: Seal,
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::id::TypedId;
    use crate::pii::PiiAccess;
    use crate::random::RandomSource;
    use crate::tenant::Scope;
    use crate::unit::CallContext;

    struct Zeroes;

    impl RandomSource for Zeroes {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(0);
        }
    }

    fn one<T: TypedId>() -> T {
        T::from_uuid(Uuid::from_u128(1))
    }

    #[test]
    fn an_entry_holds_the_whole_actor_of_every_action_the_personal_ones_too() {
        let actor = Actor {
            who: Who::Person { user: one(), session: one() },
            from: "203.0.113.7".parse().ok(),
            request: Some(one()),
        };
        #[expect(clippy::disallowed_methods, reason = "a scope of nothing")]
        let scope = Scope::granted(Vec::new());
        let now = Timestamp::from_unix_seconds(0);
        let call =
            CallContext { scope: &scope, access: PiiAccess::Masked, actor: &actor, now, random: &Zeroes };
        for action in Action::ALL.iter().copied() {
            let entry = Entry::new::<()>(call, one(), action, one::<UserId>(), (None, None));
            assert_eq!(entry.actor, actor, "{}", action.name());
        }
    }
}
