//! The use cases, by the action that they write down.

mod accounts;
mod approvals;
mod data_rooms;
mod factors;
mod groups;
mod members;
mod subscriptions;
mod tokens;

use svc_core::audit::Action;

use super::test_app::{Case, TestApp};

/// Every use case that writes this action down, carried out once.
pub(super) async fn of(app: &TestApp, action: Action) -> Vec<Case> {
    match action {
        Action::TokenCreate => tokens::created(app).await,
        Action::TokenUpdate => tokens::updated(app).await,
        Action::TokenDisable => tokens::disabled(app).await,
        Action::TokenEnable => tokens::enabled(app).await,
        Action::TokenRotate => tokens::rotated(app).await,
        Action::TokenRevoke => tokens::revoked(app).await,
        Action::MemberAdd => members::added(app).await,
        Action::MemberInvite => members::invited(app).await,
        Action::MemberAccept => members::accepted(app).await,
        Action::MemberDecline => members::declined(app).await,
        Action::MemberUpdate => members::updated(app).await,
        Action::MemberRemove => members::removed(app).await,
        Action::SubscriptionCreate => subscriptions::created(app).await,
        Action::SubscriptionUpdate => subscriptions::updated(app).await,
        Action::SubscriptionRotateSecret => subscriptions::rotated(app).await,
        Action::SubscriptionReplay => subscriptions::replayed(app).await,
        Action::SubscriptionCancelReplay => subscriptions::replay_cancelled(app).await,
        Action::SubscriptionDelete => subscriptions::removed(app).await,
        Action::PasswordSet => members::passwords(app).await,
        Action::SecondFactorOn | Action::SecondFactorCodes | Action::SecondFactorOff => {
            factors::changed(app, action).await
        }
        Action::ApprovalApprove | Action::ApprovalDecline => approvals::decided(app, action).await,
        Action::DataRoomGrant => data_rooms::granted(app).await,
        Action::DataRoomExtend => data_rooms::extended(app).await,
        Action::DataRoomRevoke => data_rooms::revoked(app).await,
        Action::ApiAccess => accounts::api_access(app).await,
        Action::GroupJoin => groups::joined(app).await,
        Action::GroupLeave => groups::left(app).await,
        Action::GroupUpdate => groups::renamed(app).await,
    }
}

/// Changes to what is there already.
pub(super) async fn without_change(app: &TestApp) -> Vec<Case> {
    let mut cases = tokens::without_change(app).await;
    cases.extend(members::without_change(app).await);
    cases.extend(subscriptions::without_change(app).await);
    cases.extend(accounts::without_change(app).await);
    cases.extend(groups::without_change(app).await);
    cases
}
