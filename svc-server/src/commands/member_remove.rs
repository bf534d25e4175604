//! `member remove`: ends a membership.

use clap::Args;
use serde_json::json;
use svc_business::membership::{self, Membership};
use svc_core::id::AccountId;
use svc_core::role::Role;

use crate::commands::Context;
use crate::commands::operator::Operator;
use crate::failure::Failure;

/// `member remove`
#[derive(Args, Debug)]
#[command(
    after_help = "Tokens that the person created for the company stop working within a minute.\n\nExample:\n  \
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
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let operator = Operator::open(context).await?;
        let ended = self.work(&operator).await;
        let member = operator.close(ended).await?;
        let ids = json!({
            "membershipId": member.id, "accountId": member.account, "userId": member.user,
        });
        context
            .output
            .either(&ids, || format!("{} is no member of {} any more", member.user, member.account));
        Ok(())
    }

    async fn work(self, operator: &Operator) -> Result<Membership, Failure> {
        let unit = operator.begin().await?;
        let user = operator.person(unit.as_ref(), &self.user).await?;
        let member =
            membership::end(unit.as_ref(), operator.call(), Role::Holder, self.account, user, None).await?;
        operator.commit(unit).await?;
        Ok(member)
    }
}
