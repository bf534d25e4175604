//! `group create`: makes a group of companies.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_business::group::{self, CreateRequest};
use svc_core::id::AccountId;

use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::output::Answer;

/// `group create`
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
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
    pub(crate) async fn work(self, operator: &Operator) -> Result<Answer, Failure> {
        let unit = operator.begin().await?;
        let request = CreateRequest { name: self.name, parent: self.parent };
        let group = group::create(unit.as_ref(), operator.call(), request).await?;
        operator.commit(unit).await?;
        Ok(Answer::new(&json!({"groupId": group.id}), group.id.to_string()))
    }
}
