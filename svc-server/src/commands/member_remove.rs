//! `member remove`: ends a membership.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_business::membership;
use svc_core::id::AccountId;
use svc_core::resource::Expected;
use svc_core::role::Role;

use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::output::Answer;

/// `member remove`
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[command(
    after_help = "Tokens that the person created for the company stop working, with PostgreSQL within seconds.\n\nExample:\n  \
                        svc-server member remove --account acc_… --user luis@example.com"
)]
pub(crate) struct Remove {
    /// The company
    #[arg(long, value_name = "ID")]
    account: AccountId,
    /// Id or e-mail address of the person
    #[arg(long)]
    user: String,
}

impl Remove {
    pub(crate) async fn work(self, operator: &Operator) -> Result<Answer, Failure> {
        let unit = operator.begin().await?;
        let user = operator.person(unit.as_ref(), &self.user).await?;
        let member =
            membership::end(unit.as_ref(), operator.call(), Role::Holder, self.account, user, &Expected::Any)
                .await?;
        operator.commit(unit).await?;
        let ids = json!({
            "membershipId": member.id, "accountId": member.account, "userId": member.user,
        });
        Ok(Answer::new(&ids, format!("{} is no member of {} any more", member.user, member.account)))
    }
}
