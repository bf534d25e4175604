//! Who answers for a subscription.

use svc_core::audit::{Actor, Who};
use svc_core::id::{TokenId, UserId};

/// Who answers for a subscription: it is told what they may read at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Author {
    /// A token, with its permissions and its reach.
    Token(TokenId),
    /// A person, with what they are in the subscription's company.
    Person(UserId),
    /// The operator, or a service that checks its callers itself: there is no right that could end.
    Service,
}

impl Author {
    /// The one behind a call.
    #[must_use]
    pub const fn of(actor: &Actor) -> Self {
        match actor.who {
            Who::Token(token) => Self::Token(token),
            Who::Person { user, .. } => Self::Person(user),
            Who::Operator | Who::Service(_) => Self::Service,
        }
    }

    /// The one that answers when `later` had to hold what the events need: the operator's hand changes nothing.
    #[must_use]
    pub(super) const fn or(self, later: Self) -> Self {
        match later {
            Self::Token(_) | Self::Person(_) => later,
            Self::Service => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use svc_core::id::{SessionId, TypedId as _};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn who_calls_answers_and_the_operators_hand_changes_nothing() {
        let id = Uuid::from_u128(7);
        let (user, token) = (UserId::from_uuid(id), TokenId::from_uuid(id));
        let called = |who| Author::of(&Actor { who, from: None, request: None });
        let person = called(Who::Person { user, session: SessionId::from_uuid(id) });
        assert_eq!(person, Author::Person(user));
        assert_eq!(called(Who::Token(token)), Author::Token(token));
        assert_eq!(called(Who::Operator), Author::Service);
        assert_eq!(person.or(Author::Token(token)), Author::Token(token));
        assert_eq!(Author::Token(token).or(person), person);
        assert_eq!(person.or(Author::Service), person);
    }
}
