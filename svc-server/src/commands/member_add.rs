//! `member add`: gives a person a role in a company.

use clap::Args;
use serde_json::json;
use svc_business::membership::{self, Membership};
use svc_core::id::AccountId;
use svc_core::role::Role;

use crate::commands::Context;
use crate::commands::operator::Operator;
use crate::failure::Failure;

/// `member add`
#[derive(Args, Debug)]
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
    role: Role,
}

impl Add {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let operator = Operator::open(context).await?;
        let added = self.work(&operator).await;
        let member = operator.close(added).await?;
        let ids = json!({
            "membershipId": member.id, "accountId": member.account, "userId": member.user, "role": member.role,
        });
        context.output.either(&ids, || format!("{} is {} of {}", member.user, member.role, member.account));
        Ok(())
    }

    async fn work(self, operator: &Operator) -> Result<Membership, Failure> {
        let unit = operator.begin().await?;
        let user = operator.person(unit.as_ref(), &self.user).await?;
        let member =
            membership::add(unit.as_ref(), operator.call(), Role::Holder, self.account, user, self.role)
                .await?;
        operator.commit(unit).await?;
        Ok(member)
    }
}
