//! `member add`: gives a person a role in a company.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_business::membership;
use svc_core::id::AccountId;
use svc_core::role::Role;

use crate::commands::operator::Operator;
use crate::commands::parsed::parsed;
use crate::failure::Failure;
use crate::output::Answer;

/// `member add`
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[command(
    after_help = "A member who has another role gets this one instead.\n\nExample:\n  svc-server member add \
                        --account acc_… --user luis@example.com --role administrator"
)]
pub(crate) struct Add {
    /// The company
    #[arg(long, value_name = "ID")]
    account: AccountId,
    /// Id or e-mail address of the person
    #[arg(long)]
    user: String,
    /// `holder`, `administrator`, `manager`, `accountant`, `employee` or `auditor`
    #[arg(long)]
    #[serde(deserialize_with = "parsed")]
    role: Role,
}

impl Add {
    pub(crate) async fn work(self, operator: &Operator) -> Result<Answer, Failure> {
        let unit = operator.begin().await?;
        let user = operator.person(unit.as_ref(), &self.user).await?;
        let member =
            membership::add(unit.as_ref(), operator.call(), Role::Holder, self.account, user, self.role)
                .await?;
        operator.commit(unit).await?;
        let ids = json!({
            "membershipId": member.id, "accountId": member.account, "userId": member.user, "role": member.role,
        });
        Ok(Answer::new(&ids, format!("{} is {} of {}", member.user, member.role, member.account)))
    }
}
