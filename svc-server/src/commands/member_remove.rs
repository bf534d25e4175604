//! `member remove`: ends a membership.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_business::membership;
use svc_business::ports::AccountUnit as _;
use svc_core::id::AccountId;
use svc_core::refused::Refused;
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
        let present = unit.people().membership(self.account, user).await?;
        let id = present.ok_or_else(|| self.no_member())?.id;
        let opened = membership::open(unit.as_ref(), operator.call(), self.account, id, &Expected::Any);
        let opened = opened.await.map_err(|refused| {
            if matches!(refused, Refused::NotFound) { self.no_member() } else { refused.into() }
        })?;
        let member = membership::end(opened, Role::Holder).await?.membership;
        operator.commit(unit).await?;
        let ids = json!({
            "membershipId": member.id, "accountId": member.account, "userId": member.user,
        });
        Ok(Answer::new(&ids, format!("{} is no member of {} any more", member.user, member.account)))
    }

    fn no_member(&self) -> Failure {
        Failure::new("refused", format!("{} is not a member of {}", self.user, self.account))
    }
}
