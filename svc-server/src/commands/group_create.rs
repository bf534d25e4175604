//! `group create`: makes a group of companies.

use clap::Args;
use serde_json::json;
use svc_business::group::{self, CreateRequest, Group};
use svc_core::id::AccountId;

use crate::commands::Context;
use crate::commands::operator::Operator;
use crate::failure::Failure;

/// `group create`
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  svc-server group create --name 'Grupo Sol' --parent acc_01jd3k8z6qw2f3v4x5y6z7a8b9"
)]
pub(crate) struct Create {
    /// Name of the group
    #[arg(long)]
    name: String,
    /// The company at the top: the first member
    #[arg(long, value_name = "ACCOUNT")]
    parent: AccountId,
}

impl Create {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let operator = Operator::open(context).await?;
        let made = self.work(&operator).await;
        let group = operator.close(made).await?;
        context.output.either(&json!({"groupId": group.id}), || group.id.to_string());
        Ok(())
    }

    async fn work(self, operator: &Operator) -> Result<Group, Failure> {
        let unit = operator.begin().await?;
        let request = CreateRequest { name: self.name, parent: self.parent };
        let group = group::create(unit.as_ref(), operator.call(), request).await?;
        operator.commit(unit).await?;
        Ok(group)
    }
}
