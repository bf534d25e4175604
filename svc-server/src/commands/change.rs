//! What operators change: one value for each command that changes something.
//!
//! A command line becomes a [`Change`], and one function carries it out on the
//! open database. So it makes no difference which process has the database.

use serde::{Deserialize, Serialize};

use crate::commands::operator::Operator;
use crate::commands::token_change::{Named, Step};
use crate::commands::{
    account_api_access, account_create, bootstrap, group_add, group_create, member_add, member_remove,
    token_create, token_rotate, token_update, user_create, user_remove_second_factor, user_set_password,
};
use crate::failure::Failure;
use crate::output::Answer;
use crate::store::Schema;

/// A change that an operator wants.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Change {
    Bootstrap(Box<bootstrap::Bootstrap>),
    AccountCreate(Box<account_create::Create>),
    AccountApiAccess(account_api_access::ApiAccess),
    GroupCreate(group_create::Create),
    GroupAdd(group_add::Add),
    UserCreate(user_create::Create),
    UserSetPassword(user_set_password::SetPassword),
    UserRemoveSecondFactor(user_remove_second_factor::RemoveSecondFactor),
    MemberAdd(member_add::Add),
    MemberRemove(member_remove::Remove),
    TokenCreate(Box<token_create::Create>),
    TokenUpdate(token_update::Update),
    TokenDisable(Named),
    TokenEnable(Named),
    TokenRevoke(Named),
    TokenRotate(token_rotate::Rotate),
}

impl Change {
    /// The command, for the log: what it was given may be secret.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Bootstrap(_) => "bootstrap",
            Self::AccountCreate(_) => "account create",
            Self::AccountApiAccess(_) => "account api-access",
            Self::GroupCreate(_) => "group create",
            Self::GroupAdd(_) => "group add",
            Self::UserCreate(_) => "user create",
            Self::UserSetPassword(_) => "user set-password",
            Self::UserRemoveSecondFactor(_) => "user remove-second-factor",
            Self::MemberAdd(_) => "member add",
            Self::MemberRemove(_) => "member remove",
            Self::TokenCreate(_) => "token create",
            Self::TokenUpdate(_) => "token update",
            Self::TokenDisable(_) => "token disable",
            Self::TokenEnable(_) => "token enable",
            Self::TokenRevoke(_) => "token revoke",
            Self::TokenRotate(_) => "token rotate",
        }
    }

    /// Whether it may make the database that it needs.
    pub(super) fn schema(&self) -> Schema {
        if matches!(self, Self::Bootstrap(_)) { Schema::Migrate } else { Schema::Require }
    }

    /// Carries it out: in one commit, or not at all.
    pub(crate) async fn carry_out(self, operator: &Operator) -> Result<Answer, Failure> {
        match self {
            Self::Bootstrap(command) => command.work(operator).await,
            Self::AccountCreate(command) => command.work(operator).await,
            Self::AccountApiAccess(command) => command.work(operator).await,
            Self::GroupCreate(command) => command.work(operator).await,
            Self::GroupAdd(command) => command.work(operator).await,
            Self::UserCreate(command) => command.work(operator).await,
            Self::UserSetPassword(command) => command.work(operator).await,
            Self::UserRemoveSecondFactor(command) => command.work(operator).await,
            Self::MemberAdd(command) => command.work(operator).await,
            Self::MemberRemove(command) => command.work(operator).await,
            Self::TokenCreate(command) => command.work(operator).await,
            Self::TokenUpdate(command) => command.work(operator).await,
            Self::TokenDisable(command) => command.work(Step::Disable, operator).await,
            Self::TokenEnable(command) => command.work(Step::Enable, operator).await,
            Self::TokenRevoke(command) => command.work(Step::Revoke, operator).await,
            Self::TokenRotate(command) => command.work(operator).await,
        }
    }
}
