//! The use cases, by the action that they write down.

mod accounts;
mod groups;
mod members;
mod subscriptions;
mod tokens;

use svc_core::audit::Action;

use super::world::{Case, World};

/// Every use case that writes this action down, carried out once.
pub(super) async fn of(world: &World, action: Action) -> Vec<Case> {
    match action {
        Action::TokenCreate => tokens::created(world).await,
        Action::TokenUpdate => tokens::updated(world).await,
        Action::TokenDisable => tokens::disabled(world).await,
        Action::TokenEnable => tokens::enabled(world).await,
        Action::TokenRotate => tokens::rotated(world).await,
        Action::TokenRevoke => tokens::revoked(world).await,
        Action::MemberAdd => members::added(world).await,
        Action::MemberInvite => members::invited(world).await,
        Action::MemberAccept => members::accepted(world).await,
        Action::MemberDecline => members::declined(world).await,
        Action::MemberUpdate => members::updated(world).await,
        Action::MemberRemove => members::removed(world).await,
        Action::SubscriptionCreate => subscriptions::created(world).await,
        Action::SubscriptionUpdate => subscriptions::updated(world).await,
        Action::SubscriptionRotateSecret => subscriptions::rotated(world).await,
        Action::SubscriptionReplay => subscriptions::replayed(world).await,
        Action::SubscriptionCancelReplay => subscriptions::replay_cancelled(world).await,
        Action::SubscriptionDelete => subscriptions::removed(world).await,
        Action::PasswordSet => members::passwords(world).await,
        Action::ApiAccess => accounts::api_access(world).await,
        Action::GroupJoin => groups::joined(world).await,
        Action::GroupLeave => groups::left(world).await,
        Action::GroupUpdate => groups::renamed(world).await,
    }
}

/// Changes to what is there already.
pub(super) async fn without_change(world: &World) -> Vec<Case> {
    let mut cases = tokens::without_change(world).await;
    cases.extend(members::without_change(world).await);
    cases.extend(subscriptions::without_change(world).await);
    cases.extend(accounts::without_change(world).await);
    cases.extend(groups::without_change(world).await);
    cases
}
